// Describes where a trace lies in memory, and how to read it without the target's help.
//
// One object: each start fills it in, and it is constant from then on. So its checksum can be
// right; a checksum over changing fields never is. It has two readers:
// - the runtime at the next boot, if the memory survived a reset (recover.cpp);
// - the host in an image of the memory (`barefxt rebuild --elf`, docs/how-to/ram-image.md), which
//   finds it by its symbol, `barefxt_descriptor`, or by its magic number.
//
// Invariants: it has only types of a fixed width, naturally aligned without padding, so its layout
// is the same on every target. Words are in the target's byte order, which the magic number shows.
// Addresses are the target's own. The magic number is put together at run time and lies nowhere
// else in an image; its last digits are the version. A later version is an earlier one with fields
// added at the end, so the host reads them all. A target takes over only its own version.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/features.h>

namespace barefxt {

inline constexpr uint64_t kDescriptorMagicFirst = 0x6261726566787420;   // "barefxt " as a number
inline constexpr uint64_t kDescriptorMagicSecond = 0x747261636520ab02;  // "trace ", and the version
// Builds with BAREFXT_STRINGS_IN_ELF have this one: the same fields, but no table of strings in
// memory. The program with this build id has it.
inline constexpr uint64_t kDescriptorMagicOfElfStrings = 0x747261636520ab03;
inline constexpr uint64_t kOwnDescriptorMagic =
    kStringsInElf ? kDescriptorMagicOfElfStrings : kDescriptorMagicSecond;

struct Descriptor {
  static constexpr size_t kTargetBytes = 64;
  static constexpr size_t kBuildIdBytes = 32;

  uint64_t magic[2];
  uint32_t checksum;  // of all that follows, see descriptor_checksum
  uint32_t bytes;     // of this structure

  uint32_t capture;  // id; segments of others are not this trace's
  uint32_t strings_checksum;
  uint64_t ticks_per_second;
  uint64_t start_ticks;
  uint64_t wall_clock_ns;

  // The rings' segments: those of CPU 0, then those of CPU 1, ... (segment.h).
  uint64_t memory;
  uint32_t segment_bytes;
  uint32_t segments_per_cpu;
  uint32_t segment_header_bytes;
  uint16_t cpus;
  uint8_t mode;           // wire::Mode
  uint8_t counter_flags;  // wire::CounterFlags

  // struct Ring of CPU 0; those of the others follow, up to `max_cpus`. Each has the totals: a word
  // of 64 bits each, or, with addresses of 32 bits, a word of 32 and its epoch (half_periods.h).
  uint64_t rings;
  uint32_t ring_bytes;
  uint32_t max_cpus;
  uint32_t records_lost_at;
  uint32_t bytes_lost_at;

  // ThreadEntry (thread_entry.h): entry N at `threads` + N * `thread_entry_bytes`.
  uint64_t threads;
  uint32_t thread_entries;
  uint32_t thread_entry_bytes;

  // The table of interned strings: one signed 32-bit number each, the distance from itself to its
  // text, which a zero byte ends. Strings have the indices from 1.
  uint64_t strings;
  uint32_t string_count;
  uint8_t address_bits;
  uint8_t target_bytes;
  uint8_t build_id_bytes;
  uint8_t reserved;
  uint8_t target[kTargetBytes];  // the name shown for the trace, UTF-8
  uint8_t build_id[kBuildIdBytes];

  // Version 1 ended here. The StoredClockOffset (clock_offset.h) of CPU 0, its difference from CPU
  // 0's counter; those of the others follow, up to `max_cpus`. 0 if all share one counter.
  uint64_t clock_offsets;
};
static_assert(sizeof(Descriptor) == 144 + Descriptor::kTargetBytes + Descriptor::kBuildIdBytes,
              "no padding");

// FNV-1a over the bytes behind `checksum`.
inline constexpr uint32_t kChecksumBasis = 0x811c9dc5;
constexpr uint32_t add_to_checksum(uint32_t sum, uint8_t byte) {
  return (sum ^ byte) * 0x01000193u;
}

BAREFXT_ONE_COPY_ inline uint32_t add_to_checksum(uint32_t sum, const void* from, size_t bytes) {
  const auto* at = static_cast<const uint8_t*>(from);
  for (size_t i = 0; i < bytes; ++i) sum = add_to_checksum(sum, at[i]);
  return sum;
}

inline uint32_t descriptor_checksum(const Descriptor& descriptor) {
  constexpr size_t kFirst = offsetof(Descriptor, bytes);
  return add_to_checksum(kChecksumBasis, reinterpret_cast<const uint8_t*>(&descriptor) + kFirst,
                         sizeof descriptor - kFirst);
}

}  // namespace barefxt

// On the target: the present trace's. Debuggers know it by this name.
extern "C" barefxt::Descriptor barefxt_descriptor;
