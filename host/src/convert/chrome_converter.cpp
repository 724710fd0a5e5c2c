// Converts each kind of record.
#include <algorithm>
#include <string>

#include <barefxt/host/convert_chrome.h>
#include <barefxt/host/print.h>
#include <barefxt/host/stacks.h>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"
#include "../heap/heap_counter.h"
#include "chrome_flows.h"
#include "chrome_names.h"
#include "chrome_writer.h"
#include "record_converter.h"

namespace barefxt::host {
namespace {

constexpr uint64_t kNobody = ~uint64_t{0};

// By event type.
constexpr std::string_view kPhases = "iCBEXbnestf";

const char* scope_of(const Event& event) {
  if (!event.has_scope) return "t";
  switch (static_cast<fxt::InstantScope>(std::min<uint64_t>(event.trailing, 0xff))) {
    case fxt::InstantScope::kProcess:
      return "p";
    case fxt::InstantScope::kGlobal:
      return "g";
    default:
      return "t";
  }
}

class ChromeRecords final : public TimedConverter {
 public:
  explicit ChromeRecords(ByteSink& sink)
      : writer_(sink), names_(writer_), flows_(writer_, changes_) {}

  void see(const Record& record, const ProviderState& state) override {
    TimedConverter::see(record, state);
    if (const auto ticks = timestamp_of(record)) latest_time_ = time(*ticks);
  }
  bool failed() const override { return writer_.failed(); }

 private:
  Nanoseconds time(uint64_t ticks) const { return nanoseconds(ticks, *state_); }
  // Null, and that is counted, where there are too many threads; and so of CPUs.
  ChromeThread* thread(const ThreadId& id);
  ChromeCpu* cpu(unsigned number);
  void arguments(JsonRecord& object, const Arguments& all) {
    chrome_arguments(object.key("args"), all, changes_);
  }
  void switch_to(unsigned cpu, uint64_t ticks, unsigned outgoing_state,
                 const ChromeCpu::Running& incoming);
  void write_slice(uint64_t provider, const ChromeCpu& cpu, Nanoseconds end,
                   std::string_view state);
  void flow(ChromeThread& on, char phase, const Event& event);
  void end_run(const Event& loss);
  void plain(ChromeThread& on, char phase, const Event& event);
  std::string id_of(const Event& event);

  void write_full_buffer(uint32_t provider, Nanoseconds time) override;
  Status end() override;
  void write(const Event& event) override;
  void write(const KernelObject& object) override {
    if (!names_.name(provider_, *state_, object)) changes_.add(Change::kNoPlaceInFormat);
  }
  void write(const LegacyContextSwitch& change) override {
    switch_to(change.cpu, change.timestamp, change.outgoing_state,
              {change.incoming.thread, 0, change.incoming_priority});
  }
  void write(const ContextSwitch& change) override {
    const bool is_loss = change.incoming == 0 && is_added(change.arguments);
    switch_to(change.cpu, change.timestamp, change.outgoing_state,
              {is_loss ? kNobody : change.incoming, 0, {}});
  }
  void write(const ThreadWakeup& wakeup) override;
  void write(const Log& log) override;

  ChromeWriter writer_;
  ChromeNames names_;
  ChromeFlows flows_;
  HeapCounter heaps_;
  StringOutput text_;
  uint64_t latest_process_ = 0;
  uint64_t latest_thread_ = 0;
};

ChromeThread* ChromeRecords::thread(const ThreadId& id) {
  ChromeThread* const found = names_.thread(provider_, *state_, process_of(id), koid_of(id));
  if (found == nullptr) changes_.add(Change::kUnplacedEvent);
  return found;
}

ChromeCpu* ChromeRecords::cpu(unsigned number) {
  ChromeCpu* const found = names_.cpu(provider_, *state_, number);
  if (found == nullptr) changes_.add(Change::kUnplacedEvent);
  return found;
}

void ChromeRecords::write_full_buffer(uint32_t provider, Nanoseconds time) {
  writer_.event({'i', latest_process_, latest_thread_, time, "barefxt", "buffer full"},
                [&](JsonRecord& object) {
                  object.string("s", "g");
                  JsonRecord arguments(object.key("args"));
                  arguments.number("provider", provider);
                });
}

void ChromeRecords::write(const Event& event) {
  for (const Text* text : {&event.category, &event.name})
    if (!text->registered) changes_.add(Change::kNamelessString);
  ChromeThread* const thread = this->thread(event.thread);
  if (thread == nullptr) return;
  ChromeThread& on = *thread;
  latest_process_ = on.process;
  latest_thread_ = on.thread;
  const char phase = kPhases[static_cast<size_t>(event.type)];
  if (event.type >= fxt::EventType::kFlowBegin) return flow(on, phase, event);
  // Flows on their way out of a duration go ahead of its end.
  if (phase == 'E') flows_.end(on.durations, time(event.timestamp));
  plain(on, phase, event);
  if (const auto live = heaps_.after(event, provider_)) write(*live);
  if (is_loss(event)) end_run(event);
  if (phase == 'B') flows_.begin(on.durations, time(event.timestamp));
  if (phase == 'X') flows_.complete(on.durations, time(event.timestamp), time(event.trailing));
}

// Nobody knows which thread runs behind the loss, even if none ran ahead of it: no switch is added
// for the idle thread.
void ChromeRecords::end_run(const Event& loss) {
  if (process_of(loss.thread) != kCpusProcess || koid_of(loss.thread) < kFirstCpuThread) return;
  ChromeCpu* const cpu = this->cpu(static_cast<unsigned>(koid_of(loss.thread) - kFirstCpuThread));
  const Nanoseconds begin = time(loss.timestamp);
  if (cpu == nullptr || !cpu->running || cpu->running->since > begin) return;
  write_slice(provider_, *cpu, begin, "loss");
  cpu->running.reset();
  cpu->latest = std::max(cpu->latest, begin);
}

// A stack's has the name of its thread ahead.
std::string ChromeRecords::id_of(const Event& event) {
  std::string id = names_.id(provider_, event.trailing);
  if (!is_stack(event.category.bytes, event.name.bytes)) return id;
  const std::string_view name = names_.name_of(provider_, event.trailing);
  return name.empty() ? id : std::string(name) + " " + id;
}

void ChromeRecords::plain(ChromeThread& on, char phase, const Event& event) {
  const Nanoseconds begin = time(event.timestamp);
  writer_.event(
      {phase, on.process, on.thread, begin, Label(event.category).text(), Label(event.name).text()},
      [&](JsonRecord& object) {
        if (phase == 'i') object.string("s", scope_of(event));
        if (phase == 'X') ChromeWriter::time(object.key("dur"), time(event.trailing) - begin);
        if (phase == 'C' || phase == 'b' || phase == 'n' || phase == 'e')
          object.string("id", id_of(event));
        if (phase == 'C') {
          chrome_series(object.key("args"), event.arguments, changes_);
        } else {
          arguments(object, event.arguments);
        }
      });
}

void ChromeRecords::flow(ChromeThread& on, char phase, const Event& event) {
  chrome_arguments(text_, event.arguments, changes_);
  flows_.flow({.phase = phase,
               .process = on.process,
               .thread = on.thread,
               .durations = &on.durations,
               .own = time(event.timestamp),
               .flow = names_.id(provider_, event.trailing),
               .category = event.category,
               .name = event.name,
               .arguments = text_.take()});
}

void ChromeRecords::write_slice(uint64_t provider, const ChromeCpu& cpu, Nanoseconds end,
                                std::string_view state) {
  if (!cpu.running) return;
  const ChromeCpu::Running& running = *cpu.running;
  std::string name(names_.name_of(provider, running.koid));
  if (name.empty()) name = formatted("thread {}", running.koid);
  writer_.event({'X', cpu.process, cpu.thread, running.since, "sched", name},
                [&](JsonRecord& object) {
                  ChromeWriter::time(object.key("dur"), end - running.since);
                  JsonRecord arguments(object.key("args"));
                  chrome_integer(arguments.key("thread"), running.koid);
                  if (running.priority) arguments.number("priority", *running.priority);
                  if (!state.empty()) arguments.string("until", state);
                });
}

void ChromeRecords::switch_to(unsigned number, uint64_t ticks, unsigned outgoing_state,
                              const ChromeCpu::Running& incoming) {
  ChromeCpu* const known = cpu(number);
  if (known == nullptr) return;
  ChromeCpu& cpu = *known;
  const Nanoseconds now = time(ticks);
  if (cpu.running && now < cpu.running->since) {
    changes_.add(Change::kUnplacedEvent);
  } else if (cpu.running) {
    const std::string_view state =
        incoming.koid == kNobody ? "loss" : thread_state_name(outgoing_state);
    write_slice(provider_, cpu, now, state.empty() ? std::to_string(outgoing_state) : state);
  }
  ChromeCpu::Running running = incoming;
  running.since = now;
  cpu.running = running;
  // The running thread is unknown where a loss begins.
  if (incoming.koid == kNobody) cpu.running.reset();
  cpu.latest = std::max(cpu.latest, now);
}

void ChromeRecords::write(const ThreadWakeup& wakeup) {
  ChromeCpu* const known = cpu(wakeup.cpu);
  if (known == nullptr) return;
  ChromeCpu& cpu = *known;
  const Nanoseconds now = time(wakeup.timestamp);
  cpu.latest = std::max(cpu.latest, now);
  std::string name = "wakeup";
  const std::string_view whose = names_.name_of(provider_, wakeup.thread);
  name += whose.empty() ? formatted(" of thread {}", wakeup.thread) : formatted(" of {}", whose);
  writer_.event({'i', cpu.process, cpu.thread, now, "sched", name}, [&](JsonRecord& object) {
    object.string("s", "t");
    arguments(object, wakeup.arguments);
  });
}

void ChromeRecords::write(const Log& log) {
  const ChromeThread* const on = thread(log.thread);
  if (on == nullptr) return;
  writer_.event({'i', on->process, on->thread, time(log.timestamp), "log", "log"},
                [&](JsonRecord& object) {
                  object.string("s", "t");
                  JsonRecord arguments(object.key("args"));
                  arguments.string("message", log.message);
                });
}

Status ChromeRecords::end() {
  names_.for_each_thread([this](ChromeThread& thread) { flows_.finish(thread.durations); });
  // A running slice lasts until the last known time of its CPU.
  names_.for_each_cpu([this](uint64_t provider, const ChromeCpu& cpu) {
    write_slice(provider, cpu, cpu.latest, {});
  });
  return writer_.finish();
}

}  // namespace

ChromeConverter::ChromeConverter(ByteSink& sink)
    : Converter(std::make_unique<ChromeRecords>(sink)) {}

}  // namespace barefxt::host
