// One thread's calls, from stretch to stretch, and the stack that they are held against.
#include <algorithm>
#include <utility>

#include <barefxt/host/xray_log.h>

namespace barefxt::host {
namespace {

bool is_start_marker(const XrayRecord& record) {
  const Bytes text = record.payload;
  return record.kind == XrayKind::kCustomEvent && text.size() >= kXrayStartMarker.size() &&
         text.size() < 2 * kXrayStartMarker.size() &&
         std::equal(kXrayStartMarker.begin(), kXrayStartMarker.end(), text.begin()) &&
         std::all_of(
             text.begin() + kXrayStartMarker.size(), text.end(),
             [](uint8_t byte) { return byte == 0; });
}

}  // namespace

XrayThreadReader::XrayThreadReader(const XrayLog& log, const XrayLog::Thread& thread,
                                   OpenCalls& open)
    : log_(&log), reader_(log.reader()), stretches_(log.stretches_of(thread)), open_(open) {}

const XrayRecord* XrayThreadReader::read() {
  for (;;) {
    if (!in_stretch_) {
      if (stretch_ == stretches_.size()) return nullptr;
      reader_.go_to(stretches_[stretch_].place);
      in_stretch_ = true;
    }
    const uint64_t begin = stretches_[stretch_].place.at;
    // Up to there what was read before is not needed any more.
    log_->release_before(reader_.position());
    const XrayRecord* record = reader_.next();
    if (record != nullptr && reader_.preamble().offset == begin) {
      if (!is_start_marker(*record)) return record;
      continue;
    }
    in_stretch_ = false;
    ++stretch_;
  }
}

const XrayRecord* XrayThreadReader::entered(const XrayRecord& record) {
  if (deeper_ > 0 || calls_.size() == kDeepest ||
      !open_.push(calls_, {record.function, tail_call_.value_or(record.function)})) {
    ++deeper_;
    ++repairs_.unfollowed_calls;
  }
  tail_call_.reset();
  return &record;
}

// Null where the exit belongs to nothing. Sets what is to end, where it is more than one.
const XrayRecord* XrayThreadReader::left(const XrayRecord& record) {
  const bool is_tail = record.kind == XrayKind::kTailExit;
  const std::optional<uint32_t> chain = std::exchange(tail_call_, {});
  if (deeper_ > 0) {
    --deeper_;
    return &record;
  }
  exit_ = record;
  if (is_tail && !calls_.empty() && open_.top(calls_).key != record.function &&
      open_.top(calls_).chain == record.function) {
    exit_.function = open_.top(calls_).key;
    ++repairs_.renamed_exits;
  }
  to_end_ = open_.height_of(calls_, exit_.function);
  if (to_end_ == 0) {
    ++repairs_.orphan_exits;
    tail_call_ = chain;
    return nullptr;
  }
  repairs_.added_exits += to_end_ - 1;
  waiting_ = exit_;
  return next();
}

const XrayRecord* XrayThreadReader::next() {
  if (to_end_ > 0) {
    exit_ = waiting_;
    const XrayOpenCall& call = open_.top(calls_);
    exit_.function = call.key;
    if (to_end_ > 1) exit_.kind = XrayKind::kExit;
    if (exit_.kind == XrayKind::kTailExit) tail_call_ = call.chain;
    open_.pop(calls_);
    --to_end_;
    return &exit_;
  }
  while (const XrayRecord* record = read()) {
    if (record->kind == XrayKind::kEntry) return entered(*record);
    if (record->kind != XrayKind::kExit && record->kind != XrayKind::kTailExit) return record;
    if (const XrayRecord* exit = left(*record)) return exit;
  }
  open_.clear(calls_);
  return nullptr;
}

}  // namespace barefxt::host
