// Programs whose table of sections leaves no place for a map of their functions: refused, and
// nothing is written.
#include "hostile/function_elf.h"
#include "hostile/shell.h"

namespace barefxt::test::mapped_program_test {
namespace {

// The layout of function_elf()'s file.
constexpr size_t kSectionsAt = 40;
constexpr size_t kSectionCount = 60;
constexpr size_t kSectionBytes = 64;
constexpr size_t kOffset = 24;
constexpr size_t kSize = 32;
constexpr unsigned kStrings = 2;
constexpr unsigned kSectionNames = 3;

class MappedProgram : public Shell {
 protected:
  static Bytes program() {
    const std::string names("\0f\0xray_instr_map\0", 18);
    return function_elf(names, {{1, 0x1000}});
  }
  static size_t section(const Bytes& program, unsigned index) {
    size_t table = 0;
    for (unsigned i = 0; i < 8; ++i) table |= size_t{program[kSectionsAt + i]} << (8 * i);
    return table + index * kSectionBytes;
  }
  static void put(Bytes& program, size_t at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) program[at + i] = static_cast<uint8_t>(value >> (8 * i));
  }
  void expect_refused(const Bytes& program) {
    write("elf", program);
    EXPECT_EQ(run("BAREFXT convert elf --to xray-elf -o out"), 2);
    EXPECT_TRUE(contains(messages(), "table of sections"));
    EXPECT_EQ(entries(), "elf");
  }
};

TEST_F(MappedProgram, TheSoundOneHasAPlace) {
  write("elf", program());
  EXPECT_EQ(run("BAREFXT convert elf --to xray-elf -o out"), 0) << messages();
  EXPECT_EQ(run("BAREFXT convert out --to xray-elf -o again"), 2);
  EXPECT_TRUE(contains(messages(), "has a map of instrumented functions"));
}

// The name of the map is put behind the others: a section named by what lies there would take it.
TEST_F(MappedProgram, ANameBehindTheLastIsDamage) {
  Bytes bytes = program();
  put(bytes, section(bytes, kSectionNames) + kSize, 0, 8);
  expect_refused(bytes);
  bytes = program();
  put(bytes, section(bytes, kStrings), 1000, 4);
  expect_refused(bytes);
}

// Readers would find that section first.
TEST_F(MappedProgram, AMapOutsideTheFileIsDamage) {
  Bytes bytes = program();
  const size_t strings = section(bytes, kStrings);
  const size_t map_name = 27;  // among the names of sections
  put(bytes, strings, map_name, 4);
  put(bytes, strings + kOffset, bytes.size(), 8);
  put(bytes, strings + kSize, 32, 8);
  expect_refused(bytes);
}

TEST_F(MappedProgram, ATableThatIsFullIsRefused) {
  Bytes bytes = program();
  // Behind the fourth lies an empty map, which would be a place.
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(section(bytes, 0));
  const Bytes table(begin, begin + ptrdiff_t{4 * kSectionBytes});
  put(bytes, kSectionsAt, bytes.size(), 8);
  bytes.insert(bytes.end(), table.begin(), table.end());
  constexpr unsigned kMax = 0xffff;
  bytes.resize(section(bytes, kMax));
  put(bytes, kSectionCount, kMax, 2);
  expect_refused(bytes);
  put(bytes, kSectionCount, kMax - 1, 2);
  write("elf", bytes);
  EXPECT_EQ(run("BAREFXT convert elf --to xray-elf -o out"), 0) << messages();
}

}  // namespace
}  // namespace barefxt::test::mapped_program_test
