// This process's own memory as an image of a target's.
#pragma once

#include "rebuild/rebuild_harness.h"

namespace barefxt::test {

// The files that a debugger would write now: only the memory that the descriptor names, strings
// apart.
std::vector<MemoryFile> own_memory();

// This program, which is linked to a fixed address: it has the strings.
const Bytes& own_program();

}  // namespace barefxt::test
