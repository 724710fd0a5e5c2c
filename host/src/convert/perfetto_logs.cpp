#include <barefxt/host/perfetto_logs.h>

#include "../archive/own_events.h"
#include "perfetto_packets.h"
#include "shown_values.h"

namespace barefxt::host {
namespace {

using perfetto::Packet;

constexpr uint64_t kLogSequence = 0x6c6f6773;  // "logs"

// Perfetto's importer cuts koids in the same way.
uint64_t number(uint64_t koid) { return static_cast<uint32_t>(koid); }

// A number of the thread's own. The factor is odd, so no two threads share one; it keeps small
// koids away from the small numbers that a target may give to tracks.
uint64_t track_of(const ArchiveThread& thread) {
  return (number(thread.process) << 32 | number(thread.thread)) * 0x9E3779B97F4A7C15U;
}

}  // namespace

void write_log_packets(ArchiveWriter& writer, const ArchiveThread& thread, uint64_t ticks,
                       std::string_view message, const ProviderState& provider) {
  const Nanoseconds exact = nanoseconds(ticks, provider);
  if (exact > kMaxTime) return;
  const auto time = static_cast<uint64_t>(exact);
  const uint64_t track = track_of(thread);
  ProtoMessage koids;
  koids.number(perfetto::ThreadDescriptor::kPid, number(thread.process))
      .number(perfetto::ThreadDescriptor::kTid, number(thread.thread));
  ProtoMessage descriptor;
  descriptor.number(perfetto::TrackDescriptor::kUuid, track)
      .message(perfetto::TrackDescriptor::kThread, koids);
  ProtoMessage description;
  description.number(Packet::kTimestamp, time)
      .number(Packet::kSequence, kLogSequence)
      .message(Packet::kTrackDescriptor, descriptor);
  writer.blob(
      ArchiveText::spelled_out(kLogPacketsName), fxt::BlobType::kPerfetto,
      perfetto::packet(description) +
          perfetto::log_packet(time, kLogSequence, perfetto::kStateCleared | perfetto::kNeedsState,
                               track, 1, message));
}

}  // namespace barefxt::host
