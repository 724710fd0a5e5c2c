// Rebuilds images of memory, for tests.
#pragma once

#include <optional>

#include "memory_builder.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test {

// An input: an ELF core, or with a base bytes as they are.
struct MemoryFile {
  Bytes bytes;
  std::optional<uint64_t> base;
};

// All files are one memory. `program` is an ELF file, or empty.
Rebuilt rebuild_memory(const std::vector<MemoryFile>& files, const Bytes& program = {});

}  // namespace barefxt::test
