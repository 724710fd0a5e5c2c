#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include <barefxt/host/calls_to_log.h>
#include <barefxt/host/spooled_array.h>

#include "../archive/spilling_sorter.h"
#include "xray_writer.h"

namespace barefxt::host {
namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

constexpr auto kLargestKoid = static_cast<uint64_t>(std::numeric_limits<int32_t>::max());

}  // namespace

class CallsToLog::Work {
 public:
  explicit Work(const InstrumentationMap& map);

  void see(const Record& record, const ProviderState& state);
  Status finish();
  const Status& status() const { return status_; }
  Bytes log() const { return {log_.data(), log_.size()}; }
  void release_before(uint64_t offset);
  uint64_t calls() const { return calls_; }
  uint64_t events() const { return events_; }
  uint64_t unknown_functions() const { return unknown_functions_; }
  uint64_t crowded_out() const { return crowded_out_; }
  uint64_t other_clocks() const { return other_clocks_; }

 private:
  class Spool final : public ByteSink {
   public:
    Status write(std::span<const uint8_t> bytes) override;
    const uint8_t* data() const { return bytes_.data(); }
    size_t size() const { return bytes_.size(); }
    void release_memory() { bytes_.release_memory(); }

   private:
    static constexpr size_t kReleaseBytes = size_t{4} << 20;

    SpooledBytes bytes_;
    size_t written_ = 0;  // since memory was released
  };
  static constexpr size_t kLongestRun = size_t{1} << 16;

  // Half a call, or an event.
  struct Moment {
    uint64_t tsc;
    // The order at one time: ends of complete calls, single begins and ends, begins of complete
    // calls, then calls that last no time.
    enum class Phase : uint8_t { kEnd, kHalf, kBegin, kBoth };
    uint64_t first_order;
    uint64_t second_order;
    uint64_t bytes_at;  // arguments, or payload
    uint32_t bytes;
    uint32_t function;  // or the event's type
    int32_t process;
    int32_t thread;
    uint16_t cpu;
    Phase phase;
    XrayKind kind;
  };
  // An event without a payload, which may follow.
  struct Incomplete {
    Moment moment;
    std::string name;
  };
  struct MomentBefore {
    bool operator()(const Moment& x, const Moment& y) const {
      return std::tie(x.process, x.thread, x.tsc, x.phase, x.first_order, x.second_order) <
             std::tie(y.process, y.thread, y.tsc, y.phase, y.first_order, y.second_order);
    }
  };
  static constexpr size_t kSortedInMemory = size_t{1} << 16;

  void see_call(const Event& event, const ProviderState& state);
  void see_event(const Event& event, const ProviderState& state);
  // Takes a payload blob that the incomplete event waits for; returns false for other records.
  bool see_payload(Incomplete& event, const Record& record);
  bool has_clock_of(const ProviderState& state, uint64_t left_out);
  Moment moment_of(const Event& event);
  void keep(std::span<const uint8_t> bytes, Moment& moment);
  void add_complete(Moment moment, uint64_t begin, uint64_t end);
  void add(const Moment& moment);
  void write(const Moment& moment);
  int32_t number_of(uint64_t koid);
  void keep_arguments(const Event& event, Moment& moment);
  void write_run();

  const InstrumentationMap& map_;
  std::unordered_map<size_t, uint32_t> ids_;  // by the hash of a name: names may be long
  Spool log_;
  uint64_t released_ = 0;  // of the log, up to where it was read then
  std::optional<XrayWriter> writer_;
  uint64_t ticks_per_second_ = 0;
  std::vector<XrayRecord> run_;  // of one thread, not yet written
  SpillingSorter<Moment, MomentBefore> moments_{{.elements = kSortedInMemory}};
  uint64_t halves_ = 0;
  Spool bytes_;  // payloads, and arguments as a log has them: a call's one behind the other
  std::optional<Incomplete> incomplete_;
  void come_in(uint64_t thread, unsigned cpu);
  bool has_room_for(const ThreadId& thread, uint64_t left_out);

  static constexpr size_t kMaxThreads = 65536;
  // By koid of a thread: the CPU that it last came in on.
  std::unordered_map<uint64_t, uint16_t> cpus_;
  std::map<uint64_t, int32_t> numbers_;  // of koids that do not fit
  uint64_t calls_ = 0;
  uint64_t events_ = 0;
  uint64_t unknown_functions_ = 0;
  uint64_t other_clocks_ = 0;
  uint64_t crowded_out_ = 0;
  Status status_;
};

CallsToLog::Work::Work(const InstrumentationMap& map) : map_(map) {
  for (uint32_t id = 1; id <= map.functions(); ++id)
    if (const std::string_view name = map.name(id); !name.empty())
      ids_.try_emplace(std::hash<std::string_view>{}(name), id);
}

Status CallsToLog::Work::Spool::write(std::span<const uint8_t> bytes) {
  if (Status status = bytes_.reserve(bytes.size()); !status.ok()) return status;
  std::memcpy(bytes_.data() + bytes_.size(), bytes.data(), bytes.size());
  bytes_.grow(bytes.size());
  written_ += bytes.size();
  if (written_ >= kReleaseBytes) {
    bytes_.release_memory();
    written_ = 0;
  }
  return {};
}

void CallsToLog::Work::release_before(uint64_t offset) {
  constexpr uint64_t kReleaseBytes = uint64_t{4} << 20;
  // One that goes back is far ahead by this, too.
  if (offset - released_ < kReleaseBytes) return;
  log_.release_memory();
  released_ = offset;
}

void CallsToLog::Work::see(const Record& record, const ProviderState& state) {
  if (incomplete_) {
    if (see_payload(*incomplete_, record)) return;
    add(incomplete_->moment);
    incomplete_.reset();
  }
  if (const auto* event = std::get_if<Event>(&record.content)) {
    const bool begins = event->type == fxt::EventType::kDurationBegin;
    const bool ends = event->type == fxt::EventType::kDurationEnd;
    const bool both = event->type == fxt::EventType::kDurationComplete;
    if ((begins || ends || both) && event->category.bytes == "function") see_call(*event, state);
    if (event->type == fxt::EventType::kInstant && event->category.bytes == "xray")
      see_event(*event, state);
  } else if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
    come_in(legacy->incoming.thread, legacy->cpu);
  } else if (const auto* newer = std::get_if<ContextSwitch>(&record.content)) {
    come_in(newer->incoming, newer->cpu);
  }
}

void CallsToLog::Work::come_in(uint64_t thread, unsigned cpu) {
  if (cpus_.size() == kMaxThreads && !cpus_.contains(thread))
    ++crowded_out_;
  else
    cpus_[thread] = static_cast<uint16_t>(cpu);
}

bool CallsToLog::Work::has_room_for(const ThreadId& thread, uint64_t left_out) {
  size_t added = 0;
  for (const uint64_t koid : {thread.process, thread.thread})
    added += koid > kLargestKoid && !numbers_.contains(koid) ? 1 : 0;
  if (numbers_.size() + added <= kMaxThreads) return true;
  crowded_out_ += left_out;
  return false;
}

// A koid as XRay's 32 bits.
int32_t CallsToLog::Work::number_of(uint64_t koid) {
  if (koid <= kLargestKoid) return static_cast<int32_t>(koid);
  const auto next = static_cast<int32_t>(kLargestKoid - numbers_.size());
  return numbers_.try_emplace(koid, next).first->second;
}

// Behind what was kept of it before, if that was the last.
void CallsToLog::Work::keep(std::span<const uint8_t> bytes, Moment& moment) {
  if (moment.bytes == 0) moment.bytes_at = bytes_.size();
  if (status_.ok()) status_ = bytes_.write(bytes);
  moment.bytes += static_cast<uint32_t>(bytes.size());
}

// Those that are called as --to fxt and the target's calls have them.
void CallsToLog::Work::keep_arguments(const Event& event, Moment& moment) {
  for (const Argument& argument : event.arguments) {
    const size_t count = moment.bytes / XrayLayout::kMetadataBytes;
    if (argument.type != fxt::ArgumentType::kUint64 ||
        argument.name.bytes != formatted("argument {}", count))
      continue;
    std::array<uint8_t, XrayLayout::kMetadataBytes> record{1 | XrayLayout::kCallArgument << 1};
    for (size_t i = 0; i < sizeof argument.bits; ++i)
      record[1 + i] = static_cast<uint8_t>(argument.bits >> (8 * i));
    keep(record, moment);
  }
}

bool CallsToLog::Work::has_clock_of(const ProviderState& state, uint64_t left_out) {
  if (ticks_per_second_ == 0) ticks_per_second_ = state.ticks_per_second;
  if (state.ticks_per_second == ticks_per_second_) return true;
  other_clocks_ += left_out;
  return false;
}

CallsToLog::Work::Moment CallsToLog::Work::moment_of(const Event& event) {
  const auto cpu = cpus_.find(event.thread.thread);
  Moment moment{};
  moment.process = number_of(event.thread.process);
  moment.thread = number_of(event.thread.thread);
  moment.cpu = cpu == cpus_.end() ? uint16_t{0} : cpu->second;
  moment.tsc = event.timestamp;
  moment.phase = Moment::Phase::kHalf;
  return moment;
}

void CallsToLog::Work::see_event(const Event& event, const ProviderState& state) {
  const bool is_typed = event.name.bytes == "typed event";
  if (!is_typed && event.name.bytes != "custom event") return;
  if (!has_clock_of(state, 1) || !has_room_for(event.thread, 1)) return;
  Moment moment = moment_of(event);
  moment.first_order = ++halves_;
  moment.kind = is_typed ? XrayKind::kTypedEvent : XrayKind::kCustomEvent;
  if (const auto type = event.arguments.find("type"); is_typed && type)
    moment.function = static_cast<uint16_t>(type->bits);
  ++events_;
  const auto payload = event.arguments.find("payload");
  if (!payload || payload->type != fxt::ArgumentType::kBlob) {
    incomplete_ = {moment, std::string(event.name.bytes)};
    return;
  }
  keep(bytes_of(payload->blob), moment);
  add(moment);
}

bool CallsToLog::Work::see_payload(Incomplete& event, const Record& record) {
  constexpr size_t kLargest = std::numeric_limits<int32_t>::max();
  const auto* blob = std::get_if<Blob>(&record.content);
  if (blob == nullptr || blob->name.bytes != event.name) return false;
  if (blob->payload.size() > kLargest - event.moment.bytes) return false;
  keep(bytes_of(blob->payload), event.moment);
  return true;
}

void CallsToLog::Work::see_call(const Event& event, const ProviderState& state) {
  const bool is_complete = event.type == fxt::EventType::kDurationComplete;
  const uint64_t halves = is_complete ? 2 : 1;
  const auto id = ids_.find(std::hash<std::string_view>{}(event.name.bytes));
  if (id == ids_.end() || map_.name(id->second) != event.name.bytes) {
    unknown_functions_ += halves;
    return;
  }
  if (!has_clock_of(state, halves) || !has_room_for(event.thread, halves)) return;
  Moment moment = moment_of(event);
  moment.function = id->second;
  calls_ += halves;
  if (event.type != fxt::EventType::kDurationEnd) keep_arguments(event, moment);
  if (is_complete)
    return add_complete(moment, event.timestamp, std::max(event.timestamp, event.trailing));
  moment.first_order = ++halves_;
  moment.kind = event.type == fxt::EventType::kDurationBegin ? XrayKind::kEntry : XrayKind::kExit;
  add(moment);
}

void CallsToLog::Work::add_complete(Moment moment, uint64_t begin, uint64_t end) {
  const uint64_t number = ++halves_;
  const bool lasts = begin != end;
  moment.kind = XrayKind::kEntry;
  moment.tsc = begin;
  moment.phase = lasts ? Moment::Phase::kBegin : Moment::Phase::kBoth;
  moment.first_order = lasts ? ~end : number;
  moment.second_order = lasts ? ~number : 0;
  add(moment);
  moment.kind = XrayKind::kExit;
  moment.tsc = end;
  moment.phase = lasts ? Moment::Phase::kEnd : Moment::Phase::kBoth;
  moment.first_order = lasts ? ~begin : number;
  moment.second_order = lasts ? number : 1;
  add(moment);
}

void CallsToLog::Work::add(const Moment& moment) {
  if (status_.ok()) status_ = moments_.add(moment);
}

void CallsToLog::Work::write(const Moment& moment) {
  XrayRecord call;
  call.kind = moment.kind;
  call.thread = {.process = moment.process, .thread = moment.thread};
  call.cpu = moment.cpu;
  call.tsc = moment.tsc;
  const bool is_event = moment.kind >= XrayKind::kCustomEvent;
  const Bytes bytes(bytes_.data() + moment.bytes_at, moment.bytes);
  if (is_event) {
    call.event_type = static_cast<uint16_t>(moment.function);
    call.payload = bytes;
  } else {
    call.function = moment.function;
    if (moment.kind == XrayKind::kEntry) call.arguments = {bytes, ByteOrder::kLittle};
  }
  const bool goes_on =
      !run_.empty() && run_.back().thread == call.thread && run_.size() < kLongestRun;
  if (!goes_on) write_run();
  run_.push_back(call);
}

void CallsToLog::Work::write_run() {
  if (run_.empty() || !status_.ok()) return;
  if (!writer_)
    writer_.emplace(XrayHeader{.version = XrayLayout::kNewest,
                               .constant_tsc = true,
                               .nonstop_tsc = true,
                               .cycle_frequency = ticks_per_second_},
                    log_);
  XrayWriter::Block block = {.thread = run_.front().thread,
                             .wall_clock = {},
                             .cpu = run_.front().cpu,
                             .first_tsc = run_.front().tsc,
                             .bytes = 0};
  const auto write = [&](XrayWriter& writer) {
    writer.begin(block);
    for (const XrayRecord& call : run_) writer.record(call);
    writer.end();
  };
  XrayWriter measuring(XrayLayout::kNewest);
  write(measuring);
  block.bytes = measuring.block_bytes();
  write(*writer_);
  run_.clear();
  bytes_.release_memory();
  if (writer_->failed()) status_ = writer_->flush();
}

Status CallsToLog::Work::finish() {
  if (incomplete_) add(incomplete_->moment);
  incomplete_.reset();
  if (status_.ok())
    status_ = moments_.take([&](const Moment& moment, std::string_view) { write(moment); });
  write_run();
  if (status_.ok() && writer_) status_ = writer_->flush();
  return status_;
}

CallsToLog::CallsToLog(const InstrumentationMap& map) : work_(std::make_unique<Work>(map)) {}
CallsToLog::~CallsToLog() = default;
void CallsToLog::see(const Record& record, const ProviderState& state) {
  work_->see(record, state);
}
Status CallsToLog::finish() { return work_->finish(); }
bool CallsToLog::failed() const { return !work_->status().ok(); }
Bytes CallsToLog::log() const { return work_->log(); }
void CallsToLog::release_before(uint64_t offset) { work_->release_before(offset); }
uint64_t CallsToLog::calls() const { return work_->calls(); }
uint64_t CallsToLog::events() const { return work_->events(); }
uint64_t CallsToLog::unknown_functions() const { return work_->unknown_functions(); }
uint64_t CallsToLog::crowded_out() const { return work_->crowded_out(); }
uint64_t CallsToLog::other_clocks() const { return work_->other_clocks(); }

}  // namespace barefxt::host
