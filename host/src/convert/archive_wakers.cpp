#include <map>
#include <utility>

#include <barefxt/fxt/metadata.h>
#include <barefxt/host/archive_wakers.h>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"
#include "../rebuild/waker_judge.h"
#include "archive_losses.h"

namespace barefxt::host {
namespace {

using Provider = std::optional<uint32_t>;

// A thread that the trace does not register has the koid that a conversion gives it.
ArchiveThread known(const ThreadId& id) {
  return {.index = 0,
          .process = 0,
          .thread = id.registered ? id.thread : kUnknownThreadsProcess + id.ref.value};
}
ArchiveThread known(uint64_t koid) { return {.index = 0, .process = 0, .thread = koid}; }

}  // namespace

class ArchiveWakers::Ahead {
 public:
  Ahead(Bytes bytes, Form form, Reader::Passed passed) : reader_(bytes, form) {
    if (passed) reader_.on_passed(std::move(passed));
  }

  std::optional<uint64_t> next(Provider provider, unsigned cpu, uint64_t offset) {
    ++asked_;
    while (true) {
      const auto found = judges_.find({provider, cpu});
      if (found != judges_.end()) bring_up_to_date(found->second);
      if (found != judges_.end() && seen_ >= asked_ && at_ > offset + kMaxAhead)
        found->second.judge.answer();
      if (found != judges_.end() && found->second.judge.has_answer()) {
        const std::optional<ArchiveThread> waker = found->second.judge.take();
        return waker && waker->thread != 0 ? std::optional(waker->thread) : std::nullopt;
      }
      // The wakeup was read, and its CPU is one too many.
      if (found == judges_.end() && seen_ >= asked_) return {};
      const Record* record = reader_.next();
      if (record == nullptr) {
        if (std::exchange(is_over_, true)) return {};
        lose_all();
        continue;
      }
      at_ = record->offset;
      provider_ = record->provider;
      std::visit([this](const auto& content) { see(content); }, record->content);
    }
  }

 private:
  struct OfCpu {
    WakerJudge judge;
    uint64_t losses;  // of all CPUs, that it has heard of
  };
  WakerJudge& bring_up_to_date(OfCpu& one) const {
    if (std::exchange(one.losses, losses_) != losses_) one.judge.on_loss();
    return one.judge;
  }
  // Null where there are too many.
  WakerJudge* judge(unsigned cpu) {
    const auto key = std::pair(provider_, cpu);
    if (const auto found = judges_.find(key); found != judges_.end())
      return &bring_up_to_date(found->second);
    if (judges_.size() >= kMaxCpus) return nullptr;
    const OfCpu judge{WakerJudge(known(kFirstCpuThread + cpu)), losses_};
    return &judges_.emplace(key, judge).first->second.judge;
  }
  // Records of any CPU may be missing. Each judge hears of it when it is next asked: there may be
  // many CPUs, and many losses.
  void lose_all() { ++losses_; }
  // A full buffer whose place no slice behind it names may have been any CPU's.
  void settle_full_buffer() {
    if (std::exchange(buffer_was_full_, false)) lose_all();
  }

  template <typename Content>
  void see(const Content&) {}
  void see(const Malformed&) { lose_all(); }
  void see(const ProviderEvent& event) {
    settle_full_buffer();
    buffer_was_full_ = event.event == fxt::ProviderEvent::kBufferFull;
  }
  void see(const Event& event) {
    if (is_added(event.arguments)) return;
    const std::optional<unsigned> cpu = cpu_of_thread(event.thread);
    const bool is_complete =
        event.type == fxt::EventType::kDurationComplete && event.trailing >= event.timestamp;
    const bool is_loss = cpu && is_complete && event.name.bytes == "drop_stats";
    if (is_loss) buffer_was_full_ = false;
    settle_full_buffer();
    if (!cpu) return;
    WakerJudge* const judge = this->judge(*cpu);
    if (judge == nullptr) return;
    if (is_loss) return judge->on_loss();
    if (is_complete) judge->on_interrupt(event.timestamp);
    if (event.type == fxt::EventType::kDurationBegin) judge->on_interrupt_begin();
    if (event.type == fxt::EventType::kDurationEnd) judge->on_interrupt_end();
    judge->on_record();
  }
  void see(const LegacyContextSwitch& change) {
    see_switch(change.cpu, known(change.outgoing), known(change.incoming));
  }
  void see(const ContextSwitch& change) {
    if (is_added(change.arguments)) return;
    see_switch(change.cpu, known(change.outgoing), known(change.incoming));
  }
  void see_switch(unsigned cpu, const ArchiveThread& outgoing, const ArchiveThread& incoming) {
    settle_full_buffer();
    if (WakerJudge* const judge = this->judge(cpu)) {
      judge->on_switch(outgoing, incoming);
      judge->on_record();
    }
  }
  void see(const ThreadWakeup& wakeup) {
    settle_full_buffer();
    ++seen_;
    if (WakerJudge* const judge = this->judge(wakeup.cpu)) {
      judge->on_wakeup(wakeup.timestamp, wakeup.arguments.find("irq").has_value());
      judge->on_record();
    }
  }

  Reader reader_;
  Provider provider_;
  std::map<std::pair<Provider, unsigned>, OfCpu> judges_;
  uint64_t losses_ = 0;
  uint64_t at_ = 0;     // the offset of the record that was read last
  uint64_t seen_ = 0;   // wakeups that were read
  uint64_t asked_ = 0;  // and that were asked for
  bool buffer_was_full_ = false;
  bool is_over_ = false;
};

ArchiveWakers::ArchiveWakers(Bytes bytes, Form form, Reader::Passed passed)
    : ahead_(std::make_unique<Ahead>(bytes, form, std::move(passed))) {}
ArchiveWakers::~ArchiveWakers() = default;

std::optional<uint64_t> ArchiveWakers::next(Provider provider, const ThreadWakeup& wakeup,
                                            uint64_t offset) {
  const std::optional<uint64_t> found = ahead_->next(provider, wakeup.cpu, offset);
  for (const Argument& argument : wakeup.arguments)
    if (argument.name.bytes == "waker" && argument.type == fxt::ArgumentType::kKoid)
      return argument.bits;
  return found;
}

}  // namespace barefxt::host
