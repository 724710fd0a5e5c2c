// Anything, as a program: its functions lie within it, and the copy with a map of them names each
// at its address. Names of interrupts are no longer than their limit.
#include <barefxt/host/function_names.h>
#include <barefxt/host/instrumentation_map.h>
#include <barefxt/host/interrupt_names.h>
#include <barefxt/host/mapped_elf.h>

#include "archive/memory_sink.h"
#include "fuzzing.h"

namespace barefxt::test::fuzz_program {
namespace {

using Map = host::Result<host::InstrumentationMap>;

void look_up_names(const host::ElfFile& program) {
  const auto names = host::FunctionNames::read(program);
  if (!names) return;
  for (uint32_t function = 0; function < 64; ++function)
    if (names->name(function).size() > host::kMaxNameBytes) die_of("a name that is too long");
}

void look_up_interrupts(const host::ElfFile& program) {
  const host::InterruptNames names = host::InterruptNames::read(program);
  for (uint32_t number = 0; number <= host::InterruptNames::kMaxVectors; ++number)
    if (names.name(number).size() > host::InterruptNames::kMaxNameBytes)
      die_of("a name of an interrupt that is too long");
}

void look_up_ids(const host::InstrumentationMap& map) {
  for (uint32_t id = 0; id <= map.functions() + 1; ++id)
    if (map.name(id).size() > host::kMaxNameBytes) die_of("a name that is too long");
}

// The functions of a map that was added are those of the program, in their order.
void compare(const host::ElfFile& program, const host::InstrumentationMap& map) {
  const host::FunctionSymbols symbols(program);
  if (map.functions() != symbols.all().size()) die_of("another number of functions");
  for (uint32_t id = 1; id <= map.functions(); ++id)
    if (map.address(id) != symbols.all()[id - 1].address) die_of("a function somewhere else");
}

void copy(const host::ElfFile& program, host::Bytes bytes) {
  const auto section = program.section("xray_instr_map");
  const bool has_map = section && !section->bytes.empty();
  MemorySink sink;
  const host::Status status = host::write_mapped_elf(program, bytes, "program", sink);
  if (!status.ok()) {
    if (status.error().what.empty()) die_of("refused without a reason");
    if (!sink.bytes().empty()) die_of("refused with a part of it written");
    return;
  }
  const host::Bytes written(sink.bytes());
  if (written.size() < bytes.size()) die_of("a copy that is smaller");
  const auto again = host::ElfFile::parse(written, "copy");
  if (!again.ok()) die_of("a copy that is no ELF file");
  if (has_map) return;
  const Map map = host::InstrumentationMap::read(again.value(), "copy");
  if (!map.ok()) die_of("a copy whose map cannot be read: " + map.error().text());
  // The copy of any other 32-bit program has ARM in its header, whose addresses have no lowest bit.
  if (program.is_64() || program.is_arm32()) compare(program, map.value());
}

void try_input(const uint8_t* data, size_t size) {
  // Spares the fuzzer the discovery of an ELF file's first bytes.
  std::vector<uint8_t> bytes = {0x7f, 'E', 'L', 'F'};
  bytes.insert(bytes.end(), data, data + size);
  const auto program = host::ElfFile::parse(bytes, "program");
  if (!program.ok()) return;
  for (const host::ElfFile::Function& function : program.value().functions())
    if (!function.name.empty() &&
        (function.name.data() < reinterpret_cast<const char*>(bytes.data()) ||
         function.name.data() + function.name.size() >
             reinterpret_cast<const char*>(bytes.data() + bytes.size())))
      die_of("a name outside the file");
  if (program.value().build_id().size() > bytes.size()) die_of("a build id larger than the file");
  look_up_names(program.value());
  look_up_interrupts(program.value());
  const Map map = host::InstrumentationMap::read(program.value(), "program");
  if (map.ok()) look_up_ids(map.value());
  copy(program.value(), bytes);
}

const Fuzzer fuzzer("program", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_program
