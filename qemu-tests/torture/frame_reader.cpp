// Takes binary frames apart.
#include "torture/frame_reader.h"

#include <barefxt/fxt/record.h>

namespace barefxt::torture {

using wire::FrameHeader;

void FrameReader::clear() {
  totals_ = EndTotals();
  problem_ = nullptr;
  next_sequence_ = 0;
  left_ = 0;
  zero_follows_ = false;
  used_ = 0;
}

void FrameReader::take(const uint8_t* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint8_t byte = bytes[i];
    if (byte == 0) {
      if (used_ != 0) frame();
      used_ = 0;
      left_ = 0;
      zero_follows_ = false;
    } else if (left_ != 0) {
      put(byte);
      --left_;
    } else {
      if (zero_follows_) put(0);
      left_ = byte - 1;
      zero_follows_ = byte != 255;
    }
  }
}

void FrameReader::put(uint8_t byte) {
  if (used_ == kMax) return fail("a frame that is too long");
  buffer_[kShift + used_++] = byte;
}

void FrameReader::frame() {
  const uint8_t* bytes = buffer_ + kShift;
  if (used_ < wire::kMinFrameBytes) return fail("a frame that is too short");
  if (wire::load_u32(bytes + FrameHeader::kSequence) != next_sequence_++)
    return fail("a frame is missing");
  const size_t payload = used_ - wire::kMinFrameBytes;
  switch (static_cast<wire::FrameType>(bytes[FrameHeader::kType])) {
    case wire::FrameType::kRecords:
      return records(bytes + FrameHeader::kBytes, payload);
    case wire::FrameType::kEnd:
      return end(bytes + FrameHeader::kBytes);
    default:
      return;
  }
}

void FrameReader::records(const uint8_t* payload, size_t bytes) {
  using wire::Records;
  sink_.segment(wire::load_u16(payload + Records::kCpu),
                wire::load_u32(payload + Records::kSegment));
  const auto* at = reinterpret_cast<const fxt::Word*>(payload + Records::kWords);
  size_t left = (bytes - Records::kWords) / fxt::kWordBytes;
  while (left != 0) {
    const auto words = static_cast<uint32_t>(fxt::RecordHeader::SizeWords::in(*at));
    if (words == 0 || words > left) return fail("a record that runs out of its frame");
    sink_.record(at, words);
    at += words;
    left -= words;
  }
}

void FrameReader::end(const uint8_t* payload) {
  using wire::End;
  using wire::EndEntry;
  totals_.came = true;
  totals_.stop_ticks = wire::load_u64(payload + wire::End::kStopTicks);
  const uint16_t cpus = wire::load_u16(payload + End::kCpuCount);
  const uint8_t* entry = payload + End::kEntries;
  for (uint16_t cpu = 0; cpu < cpus; ++cpu, entry += EndEntry::kBytes) {
    totals_.records += wire::load_u64(entry + EndEntry::kRecords);
    totals_.lost += wire::load_u64(entry + EndEntry::kRecordsLost);
    totals_.lost_bytes += wire::load_u64(entry + EndEntry::kBytesLost);
    totals_.unfinished += wire::load_u32(entry + EndEntry::kUnfinishedRecords);
  }
}

}  // namespace barefxt::torture
