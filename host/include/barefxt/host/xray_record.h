// The content of an XRay flight data recorder log as values: its header, the preamble of a buffer,
// and the calls and events in it. docs/reference/xray.md describes the format.
//
// A record refers to the bytes that it was read from (arguments, payload), which must outlive it.
#pragma once

#include <cstdint>
#include <optional>

#include <barefxt/host/source.h>
#include <barefxt/host/words.h>

namespace barefxt::host {

// The layout, which reader and writer share. Sizes in bytes.
struct XrayLayout {
  static constexpr size_t kHeaderBytes = 32;
  static constexpr size_t kFunctionBytes = 8;
  static constexpr size_t kMetadataBytes = 16;
  static constexpr unsigned kOldest = 1;
  static constexpr unsigned kNewest = 5;
  static constexpr uint16_t kFlightDataRecorder = 1;  // the type of a log
  static constexpr uint32_t kMaxFunctions = 1u << 28;

  enum Metadata : uint8_t {  // unscoped: numbers of a log
    kNewBuffer = 0,
    kEndOfBuffer = 1,
    kNewCpuId = 2,
    kTscWrap = 3,
    kWallClock = 4,
    kCustomEvent = 5,
    kCallArgument = 6,
    kBufferExtents = 7,
    kTypedEvent = 8,
    kPid = 9,
  };
  enum Action : uint8_t {  // unscoped: numbers of a log
    kEntry = 0,
    kExit = 1,
    kTailExit = 2,
    kEntryArguments = 3,
  };
};

struct XrayHeader {
  unsigned version = XrayLayout::kNewest;
  ByteOrder byte_order = ByteOrder::kLittle;
  bool constant_tsc = false;
  bool nonstop_tsc = false;
  uint64_t cycle_frequency = 0;  // ticks a second; 0 where the writer did not know
  uint64_t buffer_bytes = 0;     // what the seed calls buffer_size
};

struct XrayThreadId {
  std::optional<int32_t> process;  // where the log names it
  int32_t thread = 0;

  auto operator<=>(const XrayThreadId&) const = default;
};

struct XrayWallClock {
  uint64_t seconds = 0;
  uint32_t microseconds = 0;
};

// The arguments of a call, as they stand in the log.
class XrayArguments {
 public:
  XrayArguments() = default;
  XrayArguments(Bytes records, ByteOrder order) : records_(records), order_(order) {}

  size_t size() const { return records_.size() / XrayLayout::kMetadataBytes; }
  uint64_t operator[](size_t index) const {
    const uint8_t* at = records_.data() + index * XrayLayout::kMetadataBytes + 1;
    return load_word(at, order_ != kOwnByteOrder);
  }

 private:
  Bytes records_;
  ByteOrder order_ = ByteOrder::kLittle;
};

enum class XrayKind : uint8_t { kEntry, kExit, kTailExit, kCustomEvent, kTypedEvent };

struct XrayRecord {
  XrayKind kind = XrayKind::kEntry;
  XrayThreadId thread;
  uint16_t cpu = 0;
  uint64_t tsc = 0;
  uint32_t function = 0;        // of calls
  XrayArguments arguments;      // of entries
  bool with_arguments = false;  // an entry that announces arguments, though none may follow
  uint16_t event_type = 0;      // of typed events
  Bytes payload;                // of events
};

}  // namespace barefxt::host
