#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/ring.h>
#include <barefxt/utf8.h>

#include "descriptor.h"
#include "retained.h"
#include "session.h"
#include "string_table.h"
#include "thread_table.h"

#if !BAREFXT_LINEAR

BAREFXT_RETAINED_ barefxt::Descriptor barefxt_descriptor;

namespace barefxt {
namespace {

BAREFXT_ONE_COPY_ void copy_padded(const void* from, size_t bytes, uint8_t* to, size_t room) {
  const auto* source = static_cast<const uint8_t*>(from);
  for (size_t i = 0; i < room; ++i) to[i] = i < bytes ? source[i] : uint8_t{0};
}

void copy_names(const barefxt_config& config) {
  Descriptor& trace = barefxt_descriptor;
  trace.target_bytes = static_cast<uint8_t>(
      cut_utf8(config.target, text_bytes(config.target), Descriptor::kTargetBytes));
  copy_padded(config.target, trace.target_bytes, trace.target, Descriptor::kTargetBytes);
  trace.build_id_bytes = config.build_id == nullptr ? uint8_t{0} : config.build_id_bytes;
  if (trace.build_id_bytes > Descriptor::kBuildIdBytes)
    trace.build_id_bytes = Descriptor::kBuildIdBytes;
  copy_padded(config.build_id, trace.build_id_bytes, trace.build_id, Descriptor::kBuildIdBytes);
}

uint64_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

uint32_t strings_checksum() {
#if BAREFXT_STRINGS_IN_ELF
  return kChecksumBasis;
#else
  return add_to_checksum(kChecksumBasis, barefxt_strings_first,
                         string_count() * sizeof *barefxt_strings_first);
#endif
}

void describe_session(const barefxt_config& config, uint32_t segments_per_cpu, uint32_t capture,
                      uint64_t start_ticks, bool keeps_names) {
  Descriptor& trace = barefxt_descriptor;
  // Not valid while it changes.
  trace.magic[0] = 0;
  compiler_barrier();
  if (kCleanCaches && config.clean_caches) barefxt_port_clean_cache(&trace, sizeof trace);
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
  trace.clock_offsets = kCounterIsPerCpu ? address(stored_clock_offsets) : 0;
#if BAREFXT_STRINGS_IN_ELF
  trace.strings = 0;
#else
  trace.strings = address(barefxt_strings_first);
#endif
  trace.string_count = string_count();
  trace.address_bits = 8 * sizeof(uintptr_t);
  trace.reserved = 0;
  if (!keeps_names) copy_names(config);
  trace.checksum = descriptor_checksum(trace);
  // Here for less flash; with kCleanCaches later, when the rings are in memory.
  if constexpr (!kCleanCaches) publish_description();
}

bool is_sound(const Descriptor& trace) {
  return trace.magic[0] == kDescriptorMagicFirst && trace.magic[1] == kOwnDescriptorMagic &&
         trace.bytes == sizeof trace && trace.checksum == descriptor_checksum(trace);
}

}  // namespace barefxt

#endif

#endif
