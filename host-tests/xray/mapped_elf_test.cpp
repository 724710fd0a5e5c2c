// A copy of a program with a map of its functions keeps the program's sections as they are. Read by
// <elf.h>, apart from the code that writes the copy.
#include <algorithm>
#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <barefxt/host/mapped_elf.h>

#include "archive/memory_sink.h"

namespace barefxt::test::mapped_elf_test {
namespace {

using Sections = std::vector<Elf64_Shdr>;

Sections sections_of(std::span<const uint8_t> file) {
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  Sections sections(header.e_shnum);
  std::memcpy(sections.data(), file.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

std::string name_of(const Elf64_Shdr& section, std::span<const uint8_t> file) {
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  const uint64_t names = sections_of(file).at(header.e_shstrndx).sh_offset;
  return reinterpret_cast<const char*>(file.data() + names + section.sh_name);
}

TEST(MappedElf, HasTheProgramsSectionsAndAMapInPlace) {
  const auto program_file = host::Source::open(BAREFXT_COMMAND);
  ASSERT_TRUE(program_file.ok());
  const host::Bytes before = program_file.value().bytes();
  const auto program = host::ElfFile::parse(before, "program");
  ASSERT_TRUE(program.ok());
  MemorySink mapped;
  ASSERT_TRUE(host::write_mapped_elf(program.value(), before, "program", mapped).ok());
  const host::Bytes after = mapped.bytes();

  const Sections old_sections = sections_of(before);
  const Sections new_sections = sections_of(after);
  ASSERT_EQ(new_sections.size(), old_sections.size() + 1);
  for (size_t i = 0; i < old_sections.size(); ++i) {
    const std::string name = name_of(old_sections[i], before);
    EXPECT_EQ(name_of(new_sections[i], after), name);
    // Names of sections have moved, as there is one more.
    if (name == ".shstrtab") continue;
    EXPECT_EQ(std::memcmp(&new_sections[i], &old_sections[i], sizeof(Elf64_Shdr)), 0) << name;
  }
  const Elf64_Shdr& map = new_sections.back();
  EXPECT_EQ(name_of(map, after), "xray_instr_map");
  EXPECT_EQ(map.sh_type, SHT_PROGBITS);
  EXPECT_EQ(map.sh_flags, SHF_ALLOC);
  EXPECT_EQ(map.sh_addralign, sizeof(uint64_t));
  EXPECT_EQ(map.sh_offset % map.sh_addralign, 0u);
  EXPECT_GT(map.sh_size, 0u);
  EXPECT_GE(map.sh_offset, before.size());
  EXPECT_LE(map.sh_offset + map.sh_size, after.size());
}

}  // namespace
}  // namespace barefxt::test::mapped_elf_test
