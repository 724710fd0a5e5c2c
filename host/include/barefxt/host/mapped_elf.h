// A copy of a program with a map of its functions in it, as XRay's compilers make one: so that
// `llvm-xray` finds names for calls that were recorded without XRay's sleds. LLVM 19 refuses maps
// with typed events, so the copy calls these custom events: LLVM's tools read only the functions
// from the map.
#pragma once

#include <functional>
#include <string>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/elf_file.h>

namespace barefxt::host {

// Each function of the program has an entry, in the order of their addresses. LLVM 19 reads maps of
// few machines. So the copy of a program for another machine has AArch64 in its header, or ARM if
// it has 32 bits; LLVM's tools use this only to read the map. The copy is not meant to be run.
// `release_before` gets the offset before which `bytes` are no longer needed.
using ReleaseBefore = std::function<void(size_t offset)>;
Status write_mapped_elf(const ElfFile& program, Bytes bytes, const std::string& name,
                        ByteSink& sink, const ReleaseBefore& release_before = {});

}  // namespace barefxt::host
