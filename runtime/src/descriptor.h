// Filling in and checking the description of a trace in memory, see <barefxt/descriptor.h>.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/descriptor.h>
#include <barefxt/types.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

// Describes the session that is about to start, or to start again by the same names. The
// description is not valid until it is published.
void describe_session(const barefxt_config& config, uint32_t segments_per_cpu, uint32_t capture,
                      uint64_t start_ticks, bool keeps_names);
inline void publish_description() {
  compiler_barrier();
  // In two steps, and by numbers that no literal pool has in a row.
  volatile uint64_t* magic = barefxt_descriptor.magic;
  magic[1] = kOwnDescriptorMagic;
  magic[0] = kDescriptorMagicFirst;
}

// Returns true if it describes a trace, as it was written.
bool is_sound(const Descriptor& trace);

// Checksum of this image's table of interned strings: another image's numbers mean other strings.
uint32_t strings_checksum();

// The one numbers from 0, the other from 1.
inline wire::Mode wire_mode(barefxt_mode mode) {
  static_assert(static_cast<int>(wire::Mode::kOneShot) == BAREFXT_MODE_ONE_SHOT + 1 &&
                static_cast<int>(wire::Mode::kCircular) == BAREFXT_MODE_CIRCULAR + 1 &&
                static_cast<int>(wire::Mode::kStreaming) == BAREFXT_MODE_STREAMING + 1);
  return static_cast<wire::Mode>(mode + 1);
}

}  // namespace barefxt
