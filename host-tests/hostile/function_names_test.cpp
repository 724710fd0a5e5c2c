// Programs whose symbols have names that grow when demangled, or that share one long text.
#include <array>
#include <cstring>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/function_names.h>
#include <barefxt/host/instrumentation_map.h>

#include "archive/memory_archive.h"
#include "build_kind.h"
#include "hostile/function_elf.h"
#include "hostile/shell.h"

namespace barefxt::test::function_names_test {
namespace {

const std::string kAnchor("\0__cyg_profile_func_enter\0", 26);

TEST(FunctionNames, AreDemangledUpToABound) {
  EXPECT_EQ(host::demangled("_Z1fi"), "f(int)");
  EXPECT_EQ(host::demangled("main"), "main");
  EXPECT_EQ(host::demangled("_ZNSt6vectorIiSaIiEE9push_backERKi"),
            "std::vector<int, std::allocator<int> >::push_back(int const&)");
  EXPECT_GT(host::demangled(doubling_name(3)).size(), doubling_name(3).size());
  for (const unsigned levels : {8U, 30U, 60U, 200U}) {
    const std::string name = doubling_name(levels);
    const std::string shown = host::demangled(name);
    EXPECT_LE(shown.size(), host::kMaxNameBytes);
  }
  EXPECT_EQ(host::demangled(std::string(100000, 'q')), std::string(host::kMaxNameBytes, 'q'));
}

// Names that overlap in the file share one text in memory and stay distinct.
TEST(FunctionNames, ThatOverlapAreWhatTheyAre) {
  const std::string names = kAnchor + std::string("outer_inner\0other\0", 18);
  const size_t outer = kAnchor.size();
  const Bytes file = function_elf(names,
                                  {{1, 0x1000},
                                   {outer, 0x1010},
                                   {outer + 6, 0x1020},
                                   {outer + 12, 0x1030},
                                   {outer, 0x1040},
                                   {0, 0x1050}},
                                  {0x1010, 0x1020, 0x1030, 0x1040, 0x1050});
  const auto elf = host::ElfFile::parse(file, "test");
  ASSERT_TRUE(elf.ok());
  const auto map = host::InstrumentationMap::read(elf.value(), "test");
  ASSERT_TRUE(map.ok());
  const std::vector<std::string> wanted = {"outer_inner", "inner", "other", "outer_inner", ""};
  for (uint32_t id = 1; id <= map.value().functions(); ++id)
    EXPECT_EQ(map.value().name(id), wanted[id - 1]);
}

class HostileProgram : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("in", binary_form(two_cpu_capture().frames()));
    ASSERT_EQ(run("BAREFXT rebuild in -o in.fxt"), 0) << messages();
    plain_ = kilobytes();
  }
  // Runs every verb that takes a program.
  void expect_little_memory(const char* what) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
    for (const char* line : {"BAREFXT rebuild in --elf elf -o out", "BAREFXT doctor in --elf elf",
                             "BAREFXT convert in.fxt --to fdr --elf elf -o out",
                             "BAREFXT convert elf --to xray-elf -o out"}) {
      const int status = run("timeout 60 " + std::string(line));
      EXPECT_LT(status, 5) << line << messages();
      EXPECT_LT(kilobytes(), plain_ + 100'000) << what << ": " << line;
      EXPECT_LT(seconds(), 20) << what << ": " << line;
    }
  }
  long plain_ = 0;
};

TEST_F(HostileProgram, OfNamesThatDoubleTakesLittle) {
  const std::string names = kAnchor + doubling_name(26) + '\0';
  write("elf", function_elf(names, {{1, 0x1000}, {kAnchor.size(), 0x1010}}, {0x1010}));
  expect_little_memory("one name");
}

TEST_F(HostileProgram, OfManySymbolsThatShareOneLongNameTakesLittle) {
  const std::string names = kAnchor + std::string(5'000'000, 'q') + '\0';
  std::vector<FunctionSymbol> same = {{1, 0x1000}};
  std::vector<FunctionSymbol> shifted = same;
  std::vector<uint64_t> map;
  for (unsigned i = 1; i <= 20'000; ++i) {
    same.push_back({kAnchor.size(), 0x1000 + 16 * i});
    shifted.push_back({kAnchor.size() + i, 0x1000 + 16 * i});
    map.push_back(0x1000 + 16 * i);
  }
  write("elf", function_elf(names, same, map));
  expect_little_memory("the same name");
  write("elf", function_elf(names, shifted, map));
  expect_little_memory("the same name from different places on");
}

// Returns another text with the hash that libstdc++ has for these 16 bytes: MurmurHash64A, whose
// steps can be inverted.
std::string of_same_hash(const std::string& text) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
  const auto shifted = [](uint64_t word) { return word ^ (word >> 47); };  // undoes itself
  const auto mixed = [&](uint64_t word) { return shifted(word * kFactor) * kFactor; };
  uint64_t inverse = kFactor;
  for (int i = 0; i < 6; ++i) inverse *= 2 - kFactor * inverse;
  std::array<uint64_t, 2> words;
  std::memcpy(words.data(), text.data(), sizeof words);
  const uint64_t begin = 0xc70f6907 ^ (16 * kFactor);
  const auto after_first = [&](uint64_t word) { return (begin ^ mixed(word)) * kFactor; };
  const uint64_t wanted = after_first(words[0]) ^ mixed(words[1]) ^ after_first(words[0] + 1);
  words[1] = shifted(wanted * inverse) * inverse;
  ++words[0];
  return {reinterpret_cast<const char*>(words.data()), sizeof words};
}

// Makes a program with so many symbols in no more memory than the file, since memory of a test
// counts as that of commands that it measures. All bytes are 2, the type of functions.
Bytes program_of(size_t functions) {
  constexpr size_t kHeader = 64;
  constexpr size_t kSymbol = 24;
  const size_t sections = kHeader + kSymbol * functions;
  Bytes file(sections + 2 * kHeader, 2);
  ByteBuilder header;
  header.u8(0x7f).raw(std::string("ELF")).u8(2).u8(1).u8(1).raw(Bytes(9, 0));
  header.u16(2).u16(183).u32(1).u64(0x1000).u64(0).u64(sections).u32(0);
  header.u16(kHeader).u16(56).u16(0).u16(64).u16(2).u16(0);
  ByteBuilder table;
  table.raw(Bytes(kHeader, 0));
  table.u32(0).u32(2).u64(0).u64(0).u64(kHeader).u64(kSymbol * functions).u32(0).u32(0);
  table.u64(1).u64(kSymbol);
  std::copy(header.bytes().begin(), header.bytes().end(), file.begin());
  std::copy(table.bytes().begin(), table.bytes().end(),
            file.begin() + static_cast<ptrdiff_t>(sections));
  return file;
}

TEST(FunctionNames, AreOfABoundedNumberOfFunctions) {
  EXPECT_TRUE(host::ElfFile::parse(program_of(host::kMaxFunctions), "program").ok());
  const Bytes one_more = program_of(host::kMaxFunctions + 1);
  const auto refused = host::ElfFile::parse(one_more, "program");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text(), "program: has more than 2097152 symbols of functions");
}

TEST_F(HostileProgram, ANameOfTheSameHashIsAnotherFunction) {
  const std::string name = "sixteen_letters_";
  const std::string other = of_same_hash(name);
  ASSERT_NE(other, name);
  ASSERT_EQ(std::hash<std::string_view>{}(other), std::hash<std::string_view>{}(name));
  write("elf",
        function_elf(kAnchor + name + '\0', {{1, 0x1000}, {kAnchor.size(), 0x1010}}, {0x1010}));
  for (const std::string& called : {name, other}) {
    MemoryArchive writer(1'000'000);
    add_event(writer, fxt::EventType::kDurationComplete, 1, {.process = 1, .thread = 2}, "function",
              called, 5);
    write("calls.fxt", writer.text());
    EXPECT_EQ(run("BAREFXT convert calls.fxt --to fdr --elf elf -o out"), called == name ? 0 : 4)
        << messages();
  }
}

}  // namespace
}  // namespace barefxt::test::function_names_test
