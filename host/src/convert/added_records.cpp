#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <barefxt/fxt/object.h>
#include <barefxt/host/added_records.h>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"
#include "../reader/give_back.h"
#include "archive_losses.h"
#include "slice_judge.h"

namespace barefxt::host {
namespace {

constexpr size_t kMaxIdleThreads = 65536;
constexpr uint64_t kAnyIdle = 0;
constexpr int32_t kIdleWeight = std::numeric_limits<int32_t>::min();

std::optional<SliceThread> thread_of(const Record& record, const Event& event) {
  if (!event.thread.registered) return {};
  return SliceThread{provider_key(record), event.thread.process, event.thread.thread};
}

SliceName name_of(const Event& event) { return {event.category.bytes, event.name.bytes}; }

bool is_half(const Event& event) {
  return event.type == fxt::EventType::kDurationBegin || event.type == fxt::EventType::kDurationEnd;
}

// Durations of CPUs' pseudo-threads need no judgement.
SliceJudge judged(Bytes bytes, Form form, const Reader::Passed& passed,
                  const ArchiveLosses& losses) {
  SliceJudge judge;
  LossOrder order(losses);
  Reader reader(bytes, form);
  if (passed) reader.on_passed(passed);
  while (const Record* record = reader.next()) {
    if (passed) passed(record->offset);
    order.before(*record, [&](const ArchiveLoss&, uint32_t) { judge.lose(provider_key(*record)); });
    const auto* event = std::get_if<Event>(&record->content);
    if (event == nullptr || !is_half(*event) || cpu_of_thread(event->thread)) continue;
    const std::optional<SliceThread> thread = thread_of(*record, *event);
    if (!thread) continue;
    if (event->type == fxt::EventType::kDurationBegin)
      judge.begin(*thread, name_of(*event));
    else
      judge.end(*thread, name_of(*event));
  }
  judge.finish();
  return judge;
}

}  // namespace

class AddedRecords::Impl {
 public:
  Impl(Bytes bytes, Form form, Reader::Passed passed, Ends ends)
      : bytes_(bytes),
        form_(form),
        passed_(std::move(passed)),
        ends_(ends),
        losses_(bytes, form, passed_),
        order_(losses_) {}

  std::span<const AddedRecord> before(const Record& record) {
    added_.clear();
    if (is_full_ || (!losses_.any() && ends_ == Ends::kBehindLosses)) return {};
    const bool is_elsewhere = std::holds_alternative<ProviderInfo>(record.content) ||
                              std::holds_alternative<ProviderSection>(record.content);
    if (is_elsewhere) {
      current_ = provider_key(record);
      return {};
    }
    // A notice may name another provider than the current one.
    provider_ = provider_key(record);
    if (current_ && provider_ != *current_) return {};
    if (losses_.any()) {
      go_back();
      order_.before(record,
                    [this](const ArchiveLoss& loss, uint32_t number) { start(loss, number); });
    }
    std::visit([&](const auto& content) { see(record, content); }, record.content);
    return added_;
  }

 private:
  struct Open {
    SliceName name;
  };
  struct Thread {
    std::vector<Open> open;
    uint64_t latest = 0;
  };
  using Cpu = std::pair<uint64_t, unsigned>;
  using Koid = std::pair<uint64_t, uint64_t>;  // and its provider

  void add_half(AddedRecord::Kind kind, uint64_t time, std::string_view why,
                const SliceThread& thread, const SliceName& name) {
    added_.push_back({.kind = kind,
                      .time = time,
                      .why = why,
                      .process = thread.process,
                      .thread = thread.thread,
                      .category = name.category,
                      .name = name.name});
  }
  void add_switch(const ArchiveLoss& loss, uint64_t time, uint64_t outgoing, uint64_t incoming,
                  int32_t weight) {
    added_.push_back({.kind = AddedRecord::Kind::kSwitch,
                      .time = time,
                      .why = kAddedAtLoss,
                      .cpu = loss.cpu,
                      .outgoing = outgoing,
                      .incoming = incoming,
                      .weight = weight});
  }

  void cut(const SliceThread& key, size_t count, uint64_t time) {
    const auto found = threads_.find(key);
    if (found == threads_.end()) return;
    std::vector<Open>& open = found->second.open;
    time = std::max(time, found->second.latest);
    for (; count != 0 && !open.empty(); --count) {
      add_half(AddedRecord::Kind::kEnd, time, kAddedAtLoss, key, open.back().name);
      open.pop_back();
      --open_;
    }
    if (open.empty()) {
      threads_.erase(found);
    } else {
      give_back_room(open);
    }
  }
  void start(const ArchiveLoss& loss, uint32_t number) {
    if (!judge_) judge_ = judged(bytes_, form_, passed_, losses_);
    judge_->for_each_at(provider_, number, [&](const SliceThread& thread, size_t count) {
      cut(thread, count, loss.from);
    });
    cut({provider_, kCpusProcess, kFirstCpuThread + loss.cpu}, kMaxOpenSlices, loss.from);
    const auto running = running_.find({provider_, loss.cpu});
    if (running != running_.end()) {
      if (!is_idle(running->second))
        add_switch(loss, loss.from, running->second, kAnyIdle, kIdleWeight);
      running_.erase(running);
    }
    if (loss.after && !is_idle(*loss.after)) started_[loss.slice] = &loss;
  }
  // Behind the slice that shows a loss.
  void go_back() {
    if (back_ == nullptr || back_provider_ != provider_) return;
    const uint64_t thread = back_->after.value_or(kAnyIdle);
    add_switch(*back_, back_->to, kAnyIdle, thread, back_->weight);
    running_[{provider_, back_->cpu}] = thread;
    back_ = nullptr;
  }

  bool is_idle(uint64_t koid) const {
    return koid == kAnyIdle || idle_.contains(Koid{provider_, koid});
  }

  template <typename Content>
  void see(const Record&, const Content&) {}
  void see(const Record&, const KernelObject& object) {
    if (object.object_type != static_cast<unsigned>(fxt::KernelObjectType::kThread)) return;
    const std::optional<Argument> process = object.arguments.find("process");
    const bool is_idle =
        object.name.bytes.starts_with("idle/") ||
        (process && process->type == fxt::ArgumentType::kKoid && process->bits == 0);
    if (is_idle && idle_.size() < kMaxIdleThreads) idle_.insert({provider_, object.koid});
  }
  void see(const Record&, const LegacyContextSwitch& change) {
    run(change.cpu,
        change.incoming.registered ? std::optional(change.incoming.thread) : std::nullopt);
  }
  void see(const Record&, const ContextSwitch& change) { run(change.cpu, change.incoming); }
  void run(unsigned cpu, std::optional<uint64_t> thread) {
    if (!thread) {
      running_.erase({provider_, cpu});
    } else if (running_.size() < ArchiveLosses::kMaxCpus) {
      running_[{provider_, cpu}] = *thread;
    }
  }

  void see(const Record& record, const Event& event) {
    if (is_loss(event)) {
      if (const auto found = started_.find(record.offset); found != started_.end()) {
        back_ = found->second;
        back_provider_ = provider_;
        started_.erase(found);
      }
      return;
    }
    const std::optional<SliceThread> key = thread_of(record, event);
    if (!key) return;
    const auto found = threads_.find(*key);
    if (event.type == fxt::EventType::kDurationBegin) return begin(*key, event);
    if (found != threads_.end()) {
      const uint64_t moment = is_complete(event) ? event.trailing : event.timestamp;
      found->second.latest = std::max(found->second.latest, moment);
    }
    if (event.type == fxt::EventType::kDurationEnd) end(*key, event);
  }
  void begin(const SliceThread& key, const Event& event) {
    Thread& thread = threads_[key];
    thread.latest = std::max(thread.latest, event.timestamp);
    if (open_ == kMaxOpenSlices || thread.open.size() == kDeepestSlice) {
      is_full_ = true;
      return;
    }
    thread.open.push_back({name_of(event)});
    ++open_;
  }
  void end(const SliceThread& key, const Event& event) {
    const SliceName name = name_of(event);
    const auto found = threads_.find(key);
    size_t height = found == threads_.end() ? 0 : height_of(found->second.open, name);
    const bool has_lost = losses_.of(provider_) != nullptr;
    if (height == 0) {
      if (has_lost && !name.is_empty())
        add_half(AddedRecord::Kind::kBegin, event.timestamp, kAddedForLostBegin, key, name);
      return;
    }
    std::vector<Open>& open = found->second.open;
    open_ -= height;
    for (; height > 1; --height) {
      if (has_lost || ends_ == Ends::kAll)
        add_half(AddedRecord::Kind::kEnd, event.timestamp, kAddedByOuterEnd, key, open.back().name);
      open.pop_back();
    }
    open.pop_back();
    if (open.empty()) {
      threads_.erase(found);
    } else {
      give_back_room(open);
    }
  }

  Bytes bytes_;
  Form form_;
  Reader::Passed passed_;
  Ends ends_;
  ArchiveLosses losses_;
  LossOrder order_;
  std::optional<SliceJudge> judge_;  // once there is a loss

  std::vector<AddedRecord> added_;
  std::optional<uint64_t> current_;  // provider
  uint64_t provider_ = 0;            // of the record
  std::unordered_map<SliceThread, Thread, SliceThread::Hash> threads_;
  size_t open_ = 0;
  bool is_full_ = false;
  std::map<Cpu, uint64_t> running_;
  std::unordered_map<uint64_t, const ArchiveLoss*> started_;  // by their slice's offset
  const ArchiveLoss* back_ = nullptr;  // whose slice was the provider's last record
  uint64_t back_provider_ = 0;
  struct HashKoid {
    size_t operator()(const Koid& koid) const {
      return (koid.second ^ (koid.first << 40)) * 0x9E3779B97F4A7C15U;
    }
  };
  std::unordered_set<Koid, HashKoid> idle_;
};

AddedRecords::AddedRecords(Bytes bytes, Form form, Reader::Passed passed, Ends ends)
    : impl_(std::make_unique<Impl>(bytes, form, std::move(passed), ends)) {}
AddedRecords::~AddedRecords() = default;
std::span<const AddedRecord> AddedRecords::before(const Record& record) {
  return impl_->before(record);
}

void write_added(ArchiveWriter& writer, const AddedRecord& added) {
  const auto text = [](std::string_view bytes) { return ArchiveText::spelled_out(bytes); };
  // Perfetto knows an idle thread by its weight, on either side of a switch.
  const ArchiveArgument arguments[] = {
      ArchiveArgument::string(text(kAddedArgument), text(added.why)),
      ArchiveArgument::int32(text("incoming_weight"), added.weight),
      ArchiveArgument::int32(text("outgoing_weight"), kIdleWeight)};
  if (added.kind == AddedRecord::Kind::kSwitch) {
    const size_t count = added.outgoing == kAnyIdle ? 3 : 2;
    (void)writer.context_switch({added.time, static_cast<uint16_t>(added.cpu),
                                 fxt::ThreadState::kNew, added.outgoing, added.incoming},
                                std::span(arguments).first(count));
    return;
  }
  const bool is_begin = added.kind == AddedRecord::Kind::kBegin;
  const ArchiveEvent event = {
      .type = is_begin ? fxt::EventType::kDurationBegin : fxt::EventType::kDurationEnd,
      .timestamp = added.time,
      .thread = {.index = 0, .process = added.process, .thread = added.thread},
      .category = text(added.category),
      .name = text(added.name)};
  // Too long a name is that of a record which is no smaller.
  (void)writer.event(event, std::span(arguments).first(1));
}

Status write_with_added(Bytes archive, Form form, const Reader::Passed& passed, ByteSink& sink,
                        LogPackets packets) {
  AddedRecords added(archive, form, passed);
  ArchiveWriter writer(sink, form.byte_order);
  Reader reader(archive, form);
  while (const Record* record = reader.next()) {
    if (std::holds_alternative<MagicNumber>(record->content)) continue;
    for (const AddedRecord& one : added.before(*record)) write_added(writer, one);
    if (packets == LogPackets::kAdd) {
      const auto* blob = std::get_if<Blob>(&record->content);
      if (blob != nullptr && repeats_log(*blob)) continue;
      if (const auto* log = std::get_if<Log>(&record->content))
        write_log_packets(writer, {0, log->thread.process, log->thread.thread}, log->timestamp,
                          log->message, reader.provider());
    }
    std::memcpy(writer.open_record(record->words()), record->raw.data(), record->raw.size());
    writer.close_record(record->words());
    if (passed) passed(record->offset);
    if (writer.failed()) break;
  }
  return writer.flush();
}

}  // namespace barefxt::host
