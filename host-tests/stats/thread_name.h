// Names threads in an archive that a test writes.
#pragma once

#include <cstdint>
#include <string>

#include <barefxt/host/archive_writer.h>

namespace barefxt::test {

inline void name_thread(host::ArchiveWriter& writer, uint64_t koid, uint64_t process,
                        const std::string& text) {
  const auto argument =
      host::ArchiveArgument::koid(host::ArchiveText::spelled_out("process"), process);
  (void)writer.kernel_object(koid, fxt::KernelObjectType::kThread,
                             host::ArchiveText::spelled_out(text), {&argument, 1});
}

}  // namespace barefxt::test
