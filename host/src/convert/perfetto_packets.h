// Packets of a trace in Perfetto's format, all of one sequence.
#pragma once

#include <string>

#include "perfetto_fields.h"
#include "proto_message.h"

namespace barefxt::host::perfetto {

inline constexpr std::uint64_t kSequence = 1;
// Perfetto gives up a trace that has a CPU beyond.
inline constexpr unsigned kMostCpus = 1024;

inline std::string packet(const ProtoMessage& content) {
  return std::string(ProtoMessage().message(Trace::kPacket, content).bytes());
}

// An event of the kernel that Perfetto was made for. `field`: of the bundle.
inline std::string ftrace_packet(unsigned cpu, unsigned field, const ProtoMessage& content) {
  return packet(
      ProtoMessage()
          .number(Packet::kSequence, kSequence)
          .message(Packet::kFtraceEvents, ProtoMessage()
                                              .number(FtraceBundle::kCpu, std::uint64_t{cpu})
                                              .message(field, content)));
}

}  // namespace barefxt::host::perfetto
