#include "function_elf.h"

namespace barefxt::test {
namespace {

// The digits of substitutions: base 36, with capital letters.
std::string sequence_id(unsigned number) {
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string text;
  do text.insert(0, 1, digits[number % 36]);
  while ((number /= 36) != 0);
  return text;
}

}  // namespace

std::string doubling_name(unsigned levels) {
  std::string name = "_Z1f1AIiiE";
  for (unsigned i = 0; i < levels; ++i)
    name += "S_IS" + sequence_id(i) + "_S" + sequence_id(i) + "_E";
  return name;
}

Bytes function_elf(const std::string& names, const std::vector<FunctionSymbol>& symbols,
                   const std::vector<uint64_t>& map, const std::string& build_id) {
  constexpr unsigned kHeader = 64;
  constexpr unsigned kSymbol = 24;
  const std::string section_names(
      "\0.symtab\0.strtab\0.shstrtab\0xray_instr_map\0.note.gnu.build-id\0", 61);
  ByteBuilder content;
  content.raw(Bytes(kSymbol, 0));
  for (const FunctionSymbol& symbol : symbols)
    content.u32(symbol.name).u8(0x12).u8(0).u16(1).u64(symbol.address).u64(16);
  const size_t names_at = kHeader + content.bytes().size();
  content.raw(names);
  const size_t section_names_at = kHeader + content.bytes().size();
  content.raw(section_names);
  const size_t map_at = kHeader + content.bytes().size();
  for (const uint64_t address : map)
    content.u64(address).u64(address).u8(0).u8(1).u8(0).raw(Bytes(13, 0));
  const size_t note_at = kHeader + content.bytes().size();
  content.u32(4).u32(build_id.size()).u32(3).raw(std::string("GNU\0", 4)).raw(build_id);
  const size_t sections_at = kHeader + content.bytes().size();
  unsigned sections = 0;
  const auto section = [&](unsigned name, unsigned type, size_t at, size_t size, unsigned link,
                           size_t entry) {
    ++sections;
    content.u32(name).u32(type).u64(0).u64(0).u64(at).u64(size).u32(link).u32(0).u64(1).u64(entry);
  };
  section(0, 0, 0, 0, 0, 0);
  section(1, 2, kHeader, names_at - kHeader, 2, kSymbol);
  section(9, 3, names_at, names.size(), 0, 0);
  section(17, 3, section_names_at, section_names.size(), 0, 0);
  if (!map.empty()) section(27, 1, map_at, note_at - map_at, 0, 0);
  if (!build_id.empty()) section(42, 7, note_at, sections_at - note_at, 0, 0);
  ByteBuilder file;
  file.u8(0x7f).raw(std::string("ELF")).u8(2).u8(1).u8(1).raw(Bytes(9, 0));
  file.u16(2).u16(183).u32(1).u64(0x1000).u64(0).u64(sections_at).u32(0);
  file.u16(kHeader).u16(56).u16(0).u16(64).u16(sections).u16(3);
  return file.raw(content.bytes()).bytes();
}

}  // namespace barefxt::test
