// Takes the bytes of stimulus ports out of what a Cortex-M's ITM sends over SWO, and finds the
// frames in each port's.
//
// The protocol is that of the Armv7-M and Armv8-M Architecture Reference Manuals, appendix "Debug
// ITM and DWT packet protocol"; the TPIU's frames are those of the CoreSight architecture.
//
// Invariants: bytes may be fed in pieces of any size; memory is bounded for any input; each port is
// a line of its own, so console text of one port does not damage frames of another. After lost
// bytes packets are found again at the next synchronization packet.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include <barefxt/host/frame_scanner.h>

namespace barefxt::host {

enum class ItmForm : uint8_t {
  kPlain,  // the packets alone: SWO with the TPIU's formatter bypassed
  kTpiu,   // in frames of the TPIU's formatter, where the ITM is source 1
};

class ItmStream {
 public:
  using See = std::function<void(std::span<const uint8_t>)>;

  // `see`, if any, gets the bytes of all ports as they come.
  ItmStream(FrameSink& sink, ItmForm form, See see = {})
      : sink_(sink), form_(form), see_(std::move(see)) {}

  void feed(std::span<const uint8_t> bytes);
  // The input is over. What follows is another one.
  void finish();
  // Returns how many overflow packets there were since the last call: with each the ITM dropped
  // bytes.
  uint64_t take_overflows();

 private:
  static constexpr size_t kPorts = 32;
  static constexpr size_t kTpiuBytes = 16;

  // Frames get their places in the input.
  class Port final : FrameSink {
   public:
    Port(FrameSink& sink, const uint64_t& position)
        : sink_(sink), position_(position), scanner_(*this) {}
    FrameScanner& scanner() { return scanner_; }

   private:
    void on_frame(const Frame& frame) override;
    void on_damaged(uint64_t) override { sink_.on_damaged(position_); }
    void on_other_version(uint8_t version, uint64_t) override {
      sink_.on_other_version(version, position_);
    }

    FrameSink& sink_;
    const uint64_t& position_;
    FrameScanner scanner_;
  };

  void take_tpiu(uint8_t byte);
  void end_tpiu_frame();
  void take_from_source(uint8_t byte);
  void take(uint8_t byte);
  void begin_packet(uint8_t header);
  void end_payload();

  FrameSink& sink_;
  ItmForm form_;
  See see_;
  uint64_t position_ = 0;  // in the input, of the byte that is taken
  uint64_t overflows_ = 0;

  std::array<uint8_t, kTpiuBytes> tpiu_{};
  size_t tpiu_bytes_ = 0;
  uint32_t last_bytes_ = 0;  // the last four, for the TPIU's synchronization
  uint8_t source_ = 1;

  uint32_t zeros_ = 0;         // in a row, up to those of a synchronization packet
  bool is_continued_ = false;  // bytes with bit 7 set belong to a packet that is skipped
  uint8_t port_ = 0;
  bool is_of_port_ = false;  // the payload is that of a stimulus port
  uint8_t payload_size_ = 0;
  uint8_t payload_bytes_ = 0;
  std::array<uint8_t, 4> payload_{};
  std::array<std::unique_ptr<Port>, kPorts> ports_;
};

}  // namespace barefxt::host
