#include "descriptor.h"

#include <barefxt/ring.h>
#include <barefxt/utf8.h>

#include "retained.h"
#include "session.h"
#include "string_table.h"
#include "thread_table.h"

BAREFXT_RETAINED_ barefxt::Descriptor barefxt_descriptor;

namespace barefxt {
namespace {

uint64_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

uint32_t strings_checksum() {
  uint32_t sum = kChecksumBasis;
  const auto* bytes = reinterpret_cast<const uint8_t*>(barefxt_strings_first);
  for (size_t i = 0; i < string_count() * sizeof *barefxt_strings_first; ++i)
    sum = add_to_checksum(sum, bytes[i]);
  return sum;
}

void describe_session(const barefxt_config& config, uint32_t segments_per_cpu, uint32_t capture,
                      uint64_t start_ticks) {
  Descriptor& trace = barefxt_descriptor;
  // Not valid while it changes.
  trace.magic[0] = 0;
  compiler_barrier();
  trace.bytes = sizeof trace;
  trace.capture = capture;
  trace.strings_checksum = strings_checksum();
  trace.ticks_per_second = barefxt_port_counter_frequency();
  trace.start_ticks = start_ticks;
  trace.wall_clock_ns = config.wall_clock_ns;
  trace.memory = address(config.memory);
  trace.segment_bytes = kSegmentBytes;
  trace.segments_per_cpu = segments_per_cpu;
  trace.segment_header_bytes = kSegmentHeaderBytes;
  trace.cpus = config.cpus;
  trace.mode = static_cast<uint8_t>(wire_mode(config.mode));
  trace.counter_flags =
      BAREFXT_PORT_COUNTER_FLAGS | (kCounterIsPerCpu ? 0 : wire::CounterFlags::kSystemWide);
  trace.rings = address(rings);
  trace.ring_bytes = sizeof(Ring);
  trace.max_cpus = BAREFXT_MAX_CPUS;
  trace.records_lost_at = offsetof(Ring, records_lost);
  trace.bytes_lost_at = offsetof(Ring, bytes_lost);
  trace.threads = address(thread_table);
  trace.thread_entries = kThreadEntries;
  trace.thread_entry_bytes = sizeof(ThreadEntry);
  trace.strings = address(barefxt_strings_first);
  trace.string_count = string_count();
  trace.address_bits = 8 * sizeof(uintptr_t);
  trace.reserved = 0;
  trace.target_bytes = static_cast<uint8_t>(
      cut_utf8(config.target, text_bytes(config.target), Descriptor::kTargetBytes));
  for (size_t i = 0; i < Descriptor::kTargetBytes; ++i)
    trace.target[i] = i < trace.target_bytes ? static_cast<uint8_t>(config.target[i]) : 0;
  trace.build_id_bytes = config.build_id == nullptr ? uint8_t{0} : config.build_id_bytes;
  if (trace.build_id_bytes > Descriptor::kBuildIdBytes)
    trace.build_id_bytes = Descriptor::kBuildIdBytes;
  for (size_t i = 0; i < Descriptor::kBuildIdBytes; ++i)
    trace.build_id[i] = i < trace.build_id_bytes ? config.build_id[i] : 0;
  trace.checksum = descriptor_checksum(trace);
  compiler_barrier();
  // In two steps, and by numbers that no literal pool has in a row.
  volatile uint64_t* magic = trace.magic;
  magic[1] = kDescriptorMagicSecond;
  magic[0] = kDescriptorMagicFirst;
}

bool is_sound(const Descriptor& trace) {
  return trace.magic[0] == kDescriptorMagicFirst && trace.magic[1] == kDescriptorMagicSecond &&
         trace.bytes == sizeof trace && trace.checksum == descriptor_checksum(trace);
}

wire::Mode wire_mode(barefxt_mode mode) {
  switch (mode) {
    case BAREFXT_MODE_CIRCULAR:
      return wire::Mode::kCircular;
    case BAREFXT_MODE_STREAMING:
      return wire::Mode::kStreaming;
    case BAREFXT_MODE_ONE_SHOT:
      break;
  }
  return wire::Mode::kOneShot;
}

}  // namespace barefxt
