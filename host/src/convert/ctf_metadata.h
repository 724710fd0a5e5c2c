// Events of a trace in the Common Trace Format: their numbers, and their description field by field
// in the format's language.
#pragma once

#include <cstdint>
#include <string>

namespace barefxt::host::ctf {

enum class EventId : uint16_t {
  kInstant,
  kCounter,
  kDurationBegin,
  kDurationEnd,
  kDurationComplete,
  kAsyncBegin,
  kAsyncInstant,
  kAsyncEnd,
  kFlowBegin,
  kFlowStep,
  kFlowEnd,
  kContextSwitch,
  kThreadWakeup,
  kLog,
  kBufferFull,
  kKernelObject,
  kUserspaceObject,
};

// The tag that gives an argument's type.
enum class ValueType : uint8_t {
  kNull,
  kSigned,
  kUnsigned,
  kReal,
  kText,
  kPointer,
  kKoid,
  kBool,
  kBytes,
};

inline constexpr uint32_t kPacketMagic = 0xc1fc1fc1;
inline constexpr uint32_t kNoProvider = 0xffffffff;

// Every integer is little-endian and begins at a byte.
std::string metadata();

}  // namespace barefxt::host::ctf
