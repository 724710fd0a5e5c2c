#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <variant>

#include <barefxt/host/calls_to_log.h>

namespace barefxt::host {

CallsToLog::CallsToLog(const InstrumentationMap& map) {
  for (uint32_t id = 1; id <= map.functions(); ++id)
    if (!map.name(id).empty()) ids_.try_emplace(std::string(map.name(id)), id);
}

Outcome CallsToLog::Spool::write(std::span<const uint8_t> bytes) {
  if (Outcome failure = bytes_.reserve(bytes.size())) return failure;
  std::memcpy(bytes_.data() + bytes_.size(), bytes.data(), bytes.size());
  bytes_.grow(bytes.size());
  return {};
}

void CallsToLog::see(const Record& record, const ProviderState& state) {
  if (const auto* event = std::get_if<Event>(&record.content)) {
    const bool begins = event->type == fxt::EventType::kDurationBegin;
    const bool ends = event->type == fxt::EventType::kDurationEnd;
    const bool both = event->type == fxt::EventType::kDurationComplete;
    if ((begins || ends || both) && event->category.bytes == "function") see_call(*event, state);
  } else if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
    cpus_[legacy->incoming.thread] = static_cast<uint16_t>(legacy->cpu);
  } else if (const auto* newer = std::get_if<ContextSwitch>(&record.content)) {
    cpus_[newer->incoming] = static_cast<uint16_t>(newer->cpu);
  }
}

// A koid as XRay's 32 bits.
int32_t CallsToLog::number_of(uint64_t koid) {
  constexpr auto kLargest = static_cast<uint64_t>(std::numeric_limits<int32_t>::max());
  if (koid <= kLargest) return static_cast<int32_t>(koid);
  const auto next = static_cast<int32_t>(kLargest - numbers_.size());
  return numbers_.try_emplace(koid, next).first->second;
}

// Those that are called as --to fxt and the target's calls have them.
void CallsToLog::keep_arguments(const Event& event, Moment& moment) {
  moment.arguments_at = arguments_.size();
  for (const Argument& argument : event.arguments) {
    const size_t count = moment.arguments_bytes / XrayLayout::kMetadataBytes;
    if (argument.type != fxt::ArgumentType::kUint64 ||
        argument.name.bytes != "argument " + std::to_string(count))
      continue;
    std::array<uint8_t, XrayLayout::kMetadataBytes> record{1 | XrayLayout::kCallArgument << 1};
    for (size_t i = 0; i < sizeof argument.bits; ++i)
      record[1 + i] = static_cast<uint8_t>(argument.bits >> (8 * i));
    if (!failure_) failure_ = arguments_.write(record);
    moment.arguments_bytes += XrayLayout::kMetadataBytes;
  }
}

void CallsToLog::see_call(const Event& event, const ProviderState& state) {
  const bool is_complete = event.type == fxt::EventType::kDurationComplete;
  const uint64_t halves = is_complete ? 2 : 1;
  const auto id = ids_.find(std::string(event.name.bytes));
  if (id == ids_.end()) {
    unknown_functions_ += halves;
    return;
  }
  if (ticks_per_second_ == 0) ticks_per_second_ = state.ticks_per_second;
  if (state.ticks_per_second != ticks_per_second_) {
    other_clocks_ += halves;
    return;
  }
  const auto cpu = cpus_.find(event.thread.thread);
  Moment moment{};
  moment.function = id->second;
  moment.process = number_of(event.thread.process);
  moment.thread = number_of(event.thread.thread);
  moment.cpu = cpu == cpus_.end() ? uint16_t{0} : cpu->second;
  calls_ += halves;
  if (event.type != fxt::EventType::kDurationEnd) keep_arguments(event, moment);
  if (is_complete)
    return add_complete(moment, event.timestamp, std::max(event.timestamp, event.trailing));
  moment.tsc = event.timestamp;
  moment.phase = Moment::kHalf;
  moment.first_order = ++halves_;
  moment.is_entry = event.type == fxt::EventType::kDurationBegin;
  add(moment);
}

void CallsToLog::add_complete(Moment moment, uint64_t begin, uint64_t end) {
  const uint64_t number = ++halves_;
  const bool lasts = begin != end;
  moment.is_entry = true;
  moment.tsc = begin;
  moment.phase = lasts ? Moment::kBegin : Moment::kBoth;
  moment.first_order = lasts ? ~end : number;
  moment.second_order = lasts ? ~number : 0;
  add(moment);
  moment.is_entry = false;
  moment.tsc = end;
  moment.phase = lasts ? Moment::kEnd : Moment::kBoth;
  moment.first_order = lasts ? ~begin : number;
  moment.second_order = lasts ? number : 1;
  add(moment);
}

void CallsToLog::add(const Moment& moment) {
  if (!failure_) failure_ = moments_.add(moment);
}

void CallsToLog::write(const Moment& moment) {
  XrayRecord call;
  call.kind = moment.is_entry ? XrayKind::kEntry : XrayKind::kExit;
  call.thread = {.process = moment.process, .thread = moment.thread};
  call.cpu = moment.cpu;
  call.tsc = moment.tsc;
  call.function = moment.function;
  const bool goes_on =
      !run_.empty() && run_.back().thread == call.thread && run_.size() < kLongestRun;
  if (!goes_on) write_run();
  if (moment.is_entry && moment.arguments_bytes != 0)
    call.arguments = {Bytes(arguments_.data() + moment.arguments_at, moment.arguments_bytes),
                      ByteOrder::kLittle};
  run_.push_back(call);
}

void CallsToLog::write_run() {
  if (run_.empty() || failure_) return;
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
  if (writer_->failed()) failure_ = writer_->flush();
}

Outcome CallsToLog::finish() {
  if (!failure_) failure_ = moments_.take([&](const Moment& moment) { write(moment); });
  write_run();
  if (!failure_ && writer_) failure_ = writer_->flush();
  return failure_;
}

}  // namespace barefxt::host
