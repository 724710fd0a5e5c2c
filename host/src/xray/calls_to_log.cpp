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
    if ((begins || ends) && event->category.bytes == "function") see_call(*event, state);
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
XrayArguments CallsToLog::arguments_of(const Event& event) {
  std::vector<uint8_t> records;
  for (const Argument& argument : event.arguments) {
    const size_t count = records.size() / XrayLayout::kMetadataBytes;
    if (argument.type != fxt::ArgumentType::kUint64 ||
        argument.name.bytes != "argument " + std::to_string(count))
      continue;
    const size_t at = records.size();
    records.resize(at + XrayLayout::kMetadataBytes);
    records[at] = 1 | XrayLayout::kCallArgument << 1;
    for (size_t i = 0; i < sizeof argument.bits; ++i)
      records[at + 1 + i] = static_cast<uint8_t>(argument.bits >> (8 * i));
  }
  if (records.empty()) return {};
  arguments_.push_back(std::move(records));
  return {arguments_.back(), ByteOrder::kLittle};
}

void CallsToLog::see_call(const Event& event, const ProviderState& state) {
  const auto id = ids_.find(std::string(event.name.bytes));
  if (id == ids_.end()) {
    ++unknown_functions_;
    return;
  }
  if (ticks_per_second_ == 0) ticks_per_second_ = state.ticks_per_second;
  if (state.ticks_per_second != ticks_per_second_) {
    ++other_clocks_;
    return;
  }
  const XrayThreadId thread = {.process = number_of(event.thread.process),
                               .thread = number_of(event.thread.thread)};
  const auto cpu = cpus_.find(event.thread.thread);
  XrayRecord call;
  call.kind = event.type == fxt::EventType::kDurationBegin ? XrayKind::kEntry : XrayKind::kExit;
  call.thread = thread;
  call.cpu = cpu == cpus_.end() ? uint16_t{0} : cpu->second;
  call.tsc = event.timestamp;
  call.function = id->second;
  const bool goes_on = !run_.empty() && run_.back().thread == thread &&
                       run_.back().tsc <= call.tsc && run_.size() < kLongestRun;
  if (!goes_on) write_run();
  if (call.kind == XrayKind::kEntry) call.arguments = arguments_of(event);
  run_.push_back(call);
  ++calls_;
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
  arguments_.clear();
  if (writer_->failed()) failure_ = writer_->flush();
}

Outcome CallsToLog::finish() {
  write_run();
  if (!failure_ && writer_) failure_ = writer_->flush();
  return failure_;
}

}  // namespace barefxt::host
