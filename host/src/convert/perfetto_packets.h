// Packets of a trace in Perfetto's format, all of one sequence.
#pragma once

#include <string>

#include "perfetto_fields.h"
#include "proto_message.h"

namespace barefxt::host::perfetto {

inline constexpr uint64_t kSequence = 1;
// Perfetto gives up a trace that has a CPU beyond.
inline constexpr unsigned kMaxShownCpus = 1024;

inline std::string packet(const ProtoMessage& content) {
  return std::string(ProtoMessage().message(Trace::kPacket, content).bytes());
}

// An event of the kernel that Perfetto was made for. `field`: of the bundle.
inline std::string ftrace_packet(unsigned cpu, unsigned field, const ProtoMessage& content) {
  return packet(
      ProtoMessage()
          .number(Packet::kSequence, kSequence)
          .message(
              Packet::kFtraceEvents,
              ProtoMessage().number(FtraceBundle::kCpu, uint64_t{cpu}).message(field, content)));
}

// A log: a point on the track of a thread, and a row of the table of logs. `id`: of the text, among
// the sequence's texts.
inline std::string log_packet(uint64_t time, uint64_t sequence, uint64_t flags, uint64_t track,
                              uint64_t id, std::string_view message) {
  ProtoMessage event;
  event.number(TrackEvent::kType, uint64_t{TrackEvent::kInstant})
      .number(TrackEvent::kTrack, track)
      .text(TrackEvent::kCategory, "log")
      .text(TrackEvent::kName, message)
      .message(TrackEvent::kLogMessage, ProtoMessage().number(LogMessage::kBody, id));
  ProtoMessage body;
  body.number(LogBody::kId, id).text(LogBody::kText, message);
  return packet(ProtoMessage()
                    .number(Packet::kTimestamp, time)
                    .number(Packet::kSequence, sequence)
                    .number(Packet::kSequenceFlags, flags)
                    .message(Packet::kInterned, ProtoMessage().message(Interned::kLogBody, body))
                    .message(Packet::kTrackEvent, event));
}

}  // namespace barefxt::host::perfetto
