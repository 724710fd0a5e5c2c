// An image of memory. The first byte chooses the options: bit 0, the address of its first byte
// (else it is an ELF core, or bytes without an address); bit 1, a program.
#include "fuzzing.h"
#include "image/memory_builder.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::fuzz_memory_image {
namespace {

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const uint64_t form = input.byte();
  const Bytes image = input.rest();
  MemoryFile file{image, {}};
  if ((form & 1) != 0) file.base = TestMemory{}.base;
  if (!host::ElfFile::is_elf(image) && !file.base) file.base = 0;
  Bytes program;
  // The image itself may pass for one, which has its texts; else there is the symbol alone.
  if ((form & 2) != 0) {
    program = image;
    if (!host::ElfFile::is_elf(image)) {
      const uint64_t symbol = TestMemory{}.base + TestMemory::kDescriptor;
      program = make_elf({}, false, 64, {{"barefxt_descriptor", symbol}}, false);
    }
  }
  const Rebuilt rebuilt = rebuild_memory({file}, program);
  if (rebuilt.verdict == host::RebuildVerdict::kNothing) {
    if (!rebuilt.archive.empty()) die_of("an archive of nothing");
  } else {
    die_of(decode_plainly(rebuilt.archive).problem_text());
  }
}

const Fuzzer fuzzer("memory_image", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_memory_image
