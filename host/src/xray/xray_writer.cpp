#include "xray_writer.h"

#include <algorithm>
#include <array>
#include <limits>

#include <barefxt/host/xray_log.h>

namespace barefxt::host {
namespace {

// The body of a record, field by field.
class Body {
 public:
  Body& add(uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) bytes_[used_++] = static_cast<uint8_t>(value >> (8 * i));
    return *this;
  }
  operator std::span<const uint8_t>() const {  // NOLINT(google-explicit-constructor)
    return {bytes_.data(), used_};
  }

 private:
  std::array<uint8_t, XrayLayout::kHeaderBytes> bytes_{};
  size_t used_ = 0;
};

constexpr uint64_t kFurthestCall = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kFurthestEvent = std::numeric_limits<int32_t>::max();

}  // namespace

XrayWriter::XrayWriter(const XrayHeader& header, ByteSink& sink)
    : version_(header.version), buffer_bytes_(header.buffer_bytes), sink_(&sink) {
  const uint32_t bits = (header.constant_tsc ? 1u : 0u) | (header.nonstop_tsc ? 2u : 0u);
  raw(Body()
          .add(version_, 2)
          .add(XrayLayout::kFlightDataRecorder, 2)
          .add(bits, 4)
          .add(header.cycle_frequency, 8)
          .add(header.buffer_bytes, 8)
          .add(0, 8));
}

void XrayWriter::raw(std::span<const uint8_t> bytes) {
  block_bytes_ += bytes.size();
  if (sink_ == nullptr || !status_.ok()) return;
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= kBufferBytes) (void)flush();
}

Status XrayWriter::flush() {
  if (sink_ == nullptr) return {};
  if (status_.ok() && !buffer_.empty()) status_ = sink_->write(buffer_);
  buffer_.clear();
  return status_;
}

void XrayWriter::metadata(XrayLayout::Metadata kind, std::span<const uint8_t> body) {
  std::array<uint8_t, XrayLayout::kMetadataBytes> record{};
  record[0] = static_cast<uint8_t>(1u | unsigned{kind} << 1u);
  std::copy(body.begin(), body.end(), record.begin() + 1);
  raw(record);
}

void XrayWriter::begin(const Block& block) {
  if (version_ >= 2) metadata(XrayLayout::kBufferExtents, Body().add(block.bytes, 8));
  block_bytes_ = 0;
  metadata(XrayLayout::kNewBuffer, Body().add(static_cast<uint32_t>(block.thread.thread), 4));
  metadata(XrayLayout::kWallClock,
           Body().add(block.wall_clock.seconds, 8).add(block.wall_clock.microseconds, 4));
  if (version_ >= 3 && block.thread.process)
    metadata(XrayLayout::kPid, Body().add(static_cast<uint32_t>(*block.thread.process), 4));
  cpu_ = block.cpu;
  tsc_ = block.first_tsc;
  metadata(XrayLayout::kNewCpuId, Body().add(cpu_, 2).add(tsc_, 8));
  // LLVM reads the zeros behind a block of version 1 as calls, so they must be whole ones.
  std::array<uint8_t, 2 * kXrayStartMarker.size()> text{};
  std::copy(kXrayStartMarker.begin(), kXrayStartMarker.end(), text.begin());
  const size_t filling = version_ == 1 ? (8 - block.bytes % 8) % 8 : 0;
  XrayRecord marker;
  marker.kind = XrayKind::kCustomEvent;
  marker.cpu = cpu_;
  marker.tsc = tsc_;
  marker.payload = std::span(text).first(kXrayStartMarker.size() + filling);
  event(marker);
}

void XrayWriter::end() {
  if (version_ == 1) metadata(XrayLayout::kEndOfBuffer, {});
  if (version_ != 1 || sink_ == nullptr) return;
  static constexpr std::array<uint8_t, 4096> kZeros{};
  while (block_bytes_ < buffer_bytes_ && status_.ok())
    raw(std::span(kZeros).first(
        static_cast<size_t>(std::min<uint64_t>(kZeros.size(), buffer_bytes_ - block_bytes_))));
}

void XrayWriter::record(const XrayRecord& record) {
  if (record.kind < XrayKind::kCustomEvent) {
    call(record);
  } else {
    event(record);
  }
}

// Moves to the record's CPU, and to at most `furthest` ticks before its time.
void XrayWriter::move_to(const XrayRecord& record, uint64_t furthest) {
  if (record.cpu != cpu_) {
    metadata(XrayLayout::kNewCpuId, Body().add(record.cpu, 2).add(record.tsc, 8));
    cpu_ = record.cpu;
    tsc_ = record.tsc;
  } else if (record.tsc < tsc_ || record.tsc - tsc_ > furthest) {
    metadata(XrayLayout::kTscWrap, Body().add(record.tsc, 8));
    tsc_ = record.tsc;
  }
}

void XrayWriter::call(const XrayRecord& record) {
  move_to(record, kFurthestCall);
  const bool has_arguments = record.with_arguments || record.arguments.size() > 0;
  XrayLayout::Action action = has_arguments ? XrayLayout::kEntryArguments : XrayLayout::kEntry;
  if (record.kind == XrayKind::kExit) action = XrayLayout::kExit;
  if (record.kind == XrayKind::kTailExit) action = XrayLayout::kTailExit;
  raw(Body().add(unsigned{action} << 1u | record.function << 4u, 4).add(record.tsc - tsc_, 4));
  tsc_ = record.tsc;
  for (size_t i = 0; i < record.arguments.size(); ++i)
    metadata(XrayLayout::kCallArgument, Body().add(record.arguments[i], 8));
}

void XrayWriter::event(const XrayRecord& record) {
  const bool is_typed = record.kind == XrayKind::kTypedEvent;
  if (is_typed && version_ < 5) {
    ++left_out_;
    return;
  }
  // LLVM takes an event of no bytes for an error.
  static constexpr std::array<uint8_t, 1> kNothing{};
  const std::span<const uint8_t> payload = record.payload.empty() ? kNothing : record.payload;
  Body body;
  body.add(payload.size(), 4);
  if (version_ >= 5) {
    move_to(record, kFurthestEvent);
    body.add(record.tsc - tsc_, 4);
    tsc_ = record.tsc;
  } else {
    if (version_ < 4 && record.cpu != cpu_) move_to(record, kFurthestEvent);
    body.add(record.tsc, 8);
  }
  if (version_ == 4) body.add(record.cpu, 2);
  if (is_typed) body.add(record.event_type, 2);
  metadata(is_typed ? XrayLayout::kTypedEvent : XrayLayout::kCustomEvent, body);
  raw(payload);
}

}  // namespace barefxt::host
