// Filling in and checking the description of a trace in memory, see <barefxt/descriptor.h>.
#pragma once

#include <barefxt/descriptor.h>
#include <barefxt/types.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

// Describes the session that is about to start. Until it returns the description is not valid.
void describe_session(const barefxt_config& config, uint32_t segments_per_cpu, uint32_t capture,
                      uint64_t start_ticks);

// Whether it describes a trace, as it was written.
bool is_sound(const Descriptor& trace);

// Of this image's table of interned strings: another image's numbers mean other strings.
uint32_t strings_checksum();

wire::Mode wire_mode(barefxt_mode mode);

}  // namespace barefxt
