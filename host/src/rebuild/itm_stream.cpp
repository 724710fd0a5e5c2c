#include <utility>

#include <barefxt/host/itm_stream.h>

namespace barefxt::host {

namespace {

constexpr uint8_t kOverflow = 0x70;
constexpr uint8_t kSynchronizationEnd = 0x80;
constexpr uint32_t kSynchronizationZeros = 5;  // bytes; the rest of the 47 bits is in the last
constexpr uint8_t kContinues = 0x80;
constexpr uint32_t kTpiuSynchronization = 0xffffff7f;
constexpr uint16_t kShortSynchronization = 0xff7f;
constexpr uint8_t kItmSource = 1;

}  // namespace

void ItmStream::Port::on_frame(const Frame& frame) {
  Frame placed = frame;
  placed.input_offset = position_;
  sink_.on_frame(placed);
}

void ItmStream::feed(std::span<const uint8_t> bytes) {
  for (const uint8_t byte : bytes) {
    if (form_ == ItmForm::kTpiu)
      take_tpiu(byte);
    else
      take(byte);
    ++position_;
  }
}

void ItmStream::finish() {
  for (const std::unique_ptr<Port>& port : ports_)
    if (port) port->scanner().finish();
  ports_ = {};
  position_ = 0;
  tpiu_bytes_ = 0;
  last_bytes_ = 0;
  source_ = kItmSource;
  zeros_ = 0;
  is_continued_ = false;
  payload_size_ = 0;
}

uint64_t ItmStream::take_overflows() { return std::exchange(overflows_, 0); }

// A frame has 16 bytes. A synchronization of four may stand between two of them, and one of two
// between any two pairs of bytes, where an idle port is filled: no source has that number.
void ItmStream::take_tpiu(uint8_t byte) {
  last_bytes_ = last_bytes_ << 8 | byte;
  if (last_bytes_ == kTpiuSynchronization) {
    tpiu_bytes_ = 0;
    return;
  }
  tpiu_[tpiu_bytes_++] = byte;
  if (tpiu_bytes_ % 2 == 0 && static_cast<uint16_t>(last_bytes_) == kShortSynchronization)
    tpiu_bytes_ -= 2;
  else if (tpiu_bytes_ == kTpiuBytes)
    end_tpiu_frame();
}

// Each even byte is data or, with bit 0 set, names the source of the data that follow. Its bit of
// the last byte is bit 0 of the data, or lets the next byte still belong to the source before.
void ItmStream::end_tpiu_frame() {
  tpiu_bytes_ = 0;
  const uint8_t auxiliary = tpiu_[kTpiuBytes - 1];
  for (size_t at = 0; at < kTpiuBytes - 1; at += 2) {
    const auto bit = static_cast<uint8_t>(auxiliary >> (at / 2) & 1);
    const bool has_second = at + 1 < kTpiuBytes - 1;
    if ((tpiu_[at] & 1) == 0) {
      take_from_source(static_cast<uint8_t>(tpiu_[at] | bit));
      if (has_second) take_from_source(tpiu_[at + 1]);
      continue;
    }
    const auto next = static_cast<uint8_t>(tpiu_[at] >> 1);
    if (bit == 0) source_ = next;
    if (has_second) take_from_source(tpiu_[at + 1]);
    source_ = next;
  }
}

void ItmStream::take_from_source(uint8_t byte) {
  if (source_ == kItmSource) take(byte);
}

void ItmStream::take(uint8_t byte) {
  // No packet has as many zeros in a row: this is one anywhere.
  if (byte == kSynchronizationEnd && zeros_ >= kSynchronizationZeros) {
    zeros_ = 0;
    is_continued_ = false;
    payload_size_ = 0;
    return;
  }
  if (byte != 0)
    zeros_ = 0;
  else if (zeros_ < kSynchronizationZeros)
    ++zeros_;

  if (payload_size_ != 0) {
    payload_[payload_bytes_++] = byte;
    if (payload_bytes_ == payload_size_) end_payload();
  } else if (is_continued_) {
    is_continued_ = (byte & kContinues) != 0;
  } else {
    begin_packet(byte);
  }
}

void ItmStream::begin_packet(uint8_t header) {
  if (header == 0) return;  // of a synchronization
  if (header == kOverflow) {
    ++overflows_;
    return;
  }
  const uint8_t size = header & 3;
  if (size == 0) {
    // Timestamps and extensions.
    is_continued_ = (header & kContinues) != 0;
    return;
  }
  is_of_port_ = (header & 4) == 0;  // else of the DWT
  port_ = header >> 3;
  payload_size_ = size == 3 ? 4 : size;
  payload_bytes_ = 0;
}

void ItmStream::end_payload() {
  const std::span<const uint8_t> payload = std::span(payload_).first(payload_size_);
  payload_size_ = 0;
  if (!is_of_port_) return;
  std::unique_ptr<Port>& port = ports_[port_];
  if (!port) port = std::make_unique<Port>(sink_, position_);
  port->scanner().feed(payload);
  if (see_) see_(payload);
}

}  // namespace barefxt::host
