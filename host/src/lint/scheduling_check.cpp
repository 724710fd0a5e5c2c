// Switches on a CPU, in file order: each leaves the thread that the previous one brought in. Time
// does not run backwards, nor for the events of a thread. Wakeups find threads that wait.
#include <map>
#include <unordered_map>
#include <utility>

#include <barefxt/fxt/metadata.h>
#include <barefxt/host/print.h>

#include "../archive/own_events.h"
#include "../reader/give_back.h"
#include "checks.h"

namespace barefxt::host {
namespace {

constexpr size_t kMaxThreads = size_t{1} << 20;
// The limit of CPUs of all providers together; those beyond are not checked.
constexpr size_t kMaxCpus = size_t{1} << 16;

class SchedulingCheck : public LintCheck {
 public:
  void see(const Record& record, const LintContext& context) override {
    if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
      change(record, legacy->cpu, legacy->timestamp, legacy->outgoing_state, context);
      if (legacy->outgoing.registered && legacy->incoming.registered) {
        chain(record, legacy->cpu, legacy->outgoing.thread, legacy->incoming.thread, context);
        move(record, legacy->outgoing.thread, legacy->outgoing_state, legacy->incoming.thread);
      } else {
        if (Cpu* const known = cpu(record, legacy->cpu)) known->running.reset();
      }
    } else if (const auto* newer = std::get_if<ContextSwitch>(&record.content)) {
      change(record, newer->cpu, newer->timestamp, newer->outgoing_state, context);
      chain(record, newer->cpu, newer->outgoing, newer->incoming, context);
      move(record, newer->outgoing, newer->outgoing_state, newer->incoming);
    } else if (const auto* wakeup = std::get_if<ThreadWakeup>(&record.content)) {
      in_order(record, wakeup->cpu, wakeup->timestamp, context);
      wake(record, wakeup->thread, context);
    } else if (const auto* event = std::get_if<Event>(&record.content)) {
      if (is_loss(*event)) forget_running();
      if (event->thread.registered) thread_order(record, *event, context);
    } else if (const auto* notice = std::get_if<ProviderEvent>(&record.content)) {
      if (notice->event == fxt::ProviderEvent::kBufferFull) forget_running();
    } else if (record.is_malformed()) {
      forget_running();
    } else if (std::holds_alternative<ProviderInfo>(record.content)) {
      cpus_.clear();
      forget_all(threads_);
      states_.clear();
    }
  }

 private:
  struct Cpu {
    uint64_t last = 0;
    std::optional<uint64_t> running;
    uint64_t losses = 0;  // the number at which `running` was last known
  };
  using CpuKey = std::pair<uint32_t, unsigned>;

  // Records are missing here, so the running threads are unknown.
  void forget_running() {
    ++losses_;
    states_.clear();
  }

  // Null where there are too many.
  Cpu* cpu(const Record& record, unsigned number) {
    const CpuKey key{record.provider.value_or(0), number};
    if (cpus_.size() == kMaxCpus && !cpus_.contains(key)) return nullptr;
    Cpu& found = cpus_[key];
    if (std::exchange(found.losses, losses_) != losses_) found.running.reset();
    return &found;
  }

  void in_order(const Record& record, unsigned number, uint64_t time, const LintContext& context) {
    Cpu* const state = cpu(record, number);
    if (state == nullptr) return;
    if (time < state->last) {
      context.findings.add(record.offset, "time-backwards-cpu",
                           formatted("CPU {} goes from {} back to {}", number, state->last, time));
    }
    state->last = time;
  }

  void change(const Record& record, unsigned number, uint64_t time, unsigned outgoing_state,
              const LintContext& context) {
    in_order(record, number, time, context);
    if (outgoing_state == static_cast<unsigned>(fxt::ThreadState::kRunning)) {
      context.findings.add(record.offset, "running-outgoing-state",
                           "the outgoing thread's state is running");
    } else if (thread_state_name(outgoing_state).empty()) {
      context.findings.add(record.offset, "unknown-thread-state",
                           formatted("the outgoing thread's state is {}", outgoing_state));
    }
  }

  void chain(const Record& record, unsigned number, uint64_t outgoing, uint64_t incoming,
             const LintContext& context) {
    Cpu* const state = cpu(record, number);
    if (state == nullptr) return;
    if (state->running && *state->running != outgoing) {
      context.findings.add(record.offset, "switch-chain",
                           formatted("CPU {} ran thread {}, but leaves thread {}", number,
                                     *state->running, outgoing));
    }
    state->running = incoming;
  }

  using ThreadKey = std::pair<uint32_t, uint64_t>;
  enum class State : uint8_t { kRuns, kReady, kWaits };

  void set_state(const Record& record, uint64_t thread, State state) {
    const ThreadKey key{record.provider.value_or(0), thread};
    if (states_.size() < kMaxThreads || states_.contains(key)) states_[key] = state;
  }
  void move(const Record& record, uint64_t outgoing, unsigned outgoing_state, uint64_t incoming) {
    const bool is_ready = outgoing_state <= static_cast<unsigned>(fxt::ThreadState::kRunning);
    set_state(record, outgoing, is_ready ? State::kReady : State::kWaits);
    set_state(record, incoming, State::kRuns);
  }
  void wake(const Record& record, uint64_t thread, const LintContext& context) {
    const auto found = states_.find({record.provider.value_or(0), thread});
    if (found != states_.end() && found->second != State::kWaits) {
      const bool runs = found->second == State::kRuns;
      context.findings.add(
          record.offset, "wakeup-of-ready",
          formatted("a wakeup of thread {}, which {}", thread, runs ? "runs" : "is ready"));
      if (runs) return;
    }
    set_state(record, thread, State::kReady);
  }

  // Order in a ring is that of reservation: a complete duration is written at its end.
  void thread_order(const Record& record, const Event& event, const LintContext& context) {
    if (threads_.size() >= kMaxThreads && !threads_.contains(event.thread.thread)) return;
    const uint64_t time =
        event.type == fxt::EventType::kDurationComplete ? event.trailing : event.timestamp;
    uint64_t& last = threads_[event.thread.thread];
    if (time < last) {
      context.findings.add(
          record.offset, "time-backwards-thread",
          formatted("thread {} goes from {} back to {}", event.thread.thread, last, time));
    }
    last = time;
  }

  uint64_t losses_ = 0;
  std::map<CpuKey, Cpu> cpus_;
  std::map<ThreadKey, State> states_;
  std::unordered_map<uint64_t, uint64_t> threads_;
};

}  // namespace

std::unique_ptr<LintCheck> make_scheduling_check() { return std::make_unique<SchedulingCheck>(); }

}  // namespace barefxt::host
