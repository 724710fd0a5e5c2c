// The image's build id: by the linker, with --build-id=sha1, in a section that the linker script
// names.
#pragma once

#include <stdint.h>

#include <barefxt/types.h>

#include "kernel/panic.h"

struct BuildIdNote {
  uint32_t name_bytes;
  uint32_t content_bytes;
  uint32_t type;
  char name[4];
  uint8_t content[20];
};
extern "C" const BuildIdNote kernel_build_id_note;

namespace kernel::workload {

// So that the host knows whether an image is the one that ran.
inline void tell_build(barefxt_config& config) {
  constexpr uint32_t kNameBytes = 4;  // "GNU"
  config.build_id = kernel_build_id_note.content;
  config.build_id_bytes = static_cast<uint8_t>(kernel_build_id_note.content_bytes);
  KERNEL_ASSERT(kernel_build_id_note.name_bytes == kNameBytes && config.build_id_bytes == 20);
}

}  // namespace kernel::workload
