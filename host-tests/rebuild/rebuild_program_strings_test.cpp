// Captures of targets that leave their strings in the program's file:
// docs/reference/wire-format.md, "Strings in the program's file".
#include <gtest/gtest.h>
#include <optional>

#include <barefxt/host/arriving_merge.h>

#include "archive/memory_sink.h"
#include "image/memory_builder.h"
#include "reader/plain_decoder.h"
#include "rebuild_harness.h"

namespace barefxt::test {
namespace {

using host::RebuildVerdict;

constexpr uint64_t kTextsAddress = 0xfe000000;
constexpr uint64_t kLoadedAddress = 0x1000;

// Numbers of an ELF file, in its byte order, with addresses of its size.
class ElfBytes {
 public:
  ElfBytes(bool is_64, bool big_endian) : is_64_(is_64), big_endian_(big_endian) {}

  ElfBytes& number(uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
      all_.push_back(static_cast<uint8_t>(value >> (8 * (big_endian_ ? bytes - 1 - i : i))));
    return *this;
  }
  ElfBytes& half(uint64_t value) { return number(value, 2); }
  ElfBytes& word(uint64_t value) { return number(value, 4); }
  ElfBytes& address(uint64_t value) { return number(value, is_64_ ? 8 : 4); }
  ElfBytes& text(const std::string& text) {
    all_.insert(all_.end(), text.begin(), text.end());
    return *this;
  }
  size_t size() const { return all_.size(); }
  const Bytes& bytes() const { return all_; }

 private:
  bool is_64_;
  bool big_endian_;
  Bytes all_;
};

struct TestProgram {
  bool is_64 = true;
  bool big_endian = false;
  std::string build_id = "abcd";
  std::vector<std::string> texts = {"demo", "tick", "n", "irq", "unused", "tick"};
  size_t loaded = 1;  // the text of this place is among the loaded constants
  bool has_texts = true;
  std::vector<uint64_t> addresses = {};  // of the table, instead of those of the texts

  Bytes file() const;
};

Bytes TestProgram::file() const {
  const std::string names("\0.shstrtab\0barefxt_in_elf\0barefxt_texts\0.note.gnu.build-id\0", 59);
  const size_t header_bytes = is_64 ? 64 : 52;
  const size_t segment_bytes = is_64 ? 56 : 32;
  const size_t section_bytes = is_64 ? 64 : 40;
  ElfBytes content(is_64, big_endian);
  const auto here = [&] { return header_bytes + segment_bytes + content.size(); };
  content.text(names);
  std::string not_loaded;
  std::string constants("constant\0", 9);
  std::vector<uint64_t> entries;
  for (size_t i = 0; i < texts.size(); ++i) {
    std::string& to = i == loaded ? constants : not_loaded;
    entries.push_back((i == loaded ? kLoadedAddress : kTextsAddress) + to.size());
    to += texts[i] + '\0';
  }
  const size_t table_at = here();
  for (const uint64_t entry : addresses.empty() ? entries : addresses) {
    content.address(entry);
    if (!is_64) content.word(0);
  }
  const size_t texts_at = here();
  content.text(not_loaded);
  const size_t note_at = here();
  content.word(4).word(build_id.size()).word(3).text(std::string("GNU\0", 4)).text(build_id);
  const size_t constants_at = here();
  content.text(constants);
  const size_t sections_at = here();
  const auto section = [&](unsigned name, unsigned type, uint64_t address, size_t at, size_t size) {
    content.word(name).word(type).address(0).address(address).address(at).address(size);
    content.word(0).word(0).address(1).address(0);
  };
  section(0, 0, 0, 0, 0);
  section(1, 3, 0, header_bytes + segment_bytes, names.size());
  section(11, 1, 0, table_at, texts_at - table_at);
  section(26, has_texts ? 1 : 8, kTextsAddress, texts_at, not_loaded.size());
  section(40, 7, 0, note_at, constants_at - note_at);

  ElfBytes file(is_64, big_endian);
  file.text(
          "\x7f"
          "ELF")
      .number(is_64 ? 2 : 1, 1)
      .number(big_endian ? 2 : 1, 1)
      .number(1, 1);
  file.text(std::string(9, '\0')).half(2).half(is_64 ? 183 : 40).word(1).address(0x1000);
  file.address(header_bytes).address(sections_at).word(0).half(header_bytes).half(segment_bytes);
  file.half(1).half(section_bytes).half(5).half(1);
  // The loaded segment.
  file.word(1);
  if (is_64) file.word(4);
  file.address(constants_at).address(kLoadedAddress).address(kLoadedAddress);
  file.address(constants.size()).address(constants.size());
  if (!is_64) file.word(4);
  file.address(1);
  Bytes all = file.bytes();
  all.insert(all.end(), content.bytes().begin(), content.bytes().end());
  return all;
}

TestCapture capture_without_texts() {
  TestCapture capture = two_cpu_capture();
  capture.strings_in_elf = true;
  capture.build_id = "abcd";
  return capture;
}

Rebuilt rebuilt(const TestCapture& capture, const std::optional<TestProgram>& program) {
  Rebuilt result;
  host::Rebuild rebuild([&](const std::string& line) { result.messages += line + "\n"; });
  const Bytes file = program ? program->file() : Bytes();
  if (program) {
    const auto elf = host::ElfFile::parse(file, "program");
    EXPECT_TRUE(elf.ok());
    rebuild.name_by(elf.value());
  }
  EXPECT_TRUE(rebuild.feed(binary_form(capture.frames())).ok());
  EXPECT_TRUE(rebuild.end_input("input").ok());
  MemorySink sink;
  const auto verdict = rebuild.write(sink, host::ByteOrder::kLittle);
  EXPECT_TRUE(verdict.ok());
  result.verdict = verdict.value();
  result.archive = sink.bytes();
  return result;
}

TEST(ProgramStrings, GiveTheArchiveThatSentStringsGive) {
  const Rebuilt sent = rebuild(binary_form(two_cpu_capture().frames()));
  TestCapture same = two_cpu_capture();
  same.build_id = "abcd";
  const Bytes expected = rebuilt(same, {}).archive;
  EXPECT_EQ(expected, sent.archive);
  for (const bool is_64 : {false, true})
    for (const bool big_endian : {false, true})
      for (const size_t loaded : {size_t{0}, size_t{5}, size_t{99}}) {
        const Rebuilt found =
            rebuilt(capture_without_texts(),
                    TestProgram{.is_64 = is_64, .big_endian = big_endian, .loaded = loaded});
        EXPECT_EQ(found.verdict, RebuildVerdict::kComplete) << found.messages;
        EXPECT_EQ(found.archive, expected) << is_64 << big_endian << loaded;
      }
}

TEST(ProgramStrings, AreOfTheBuildThatRanAlone) {
  struct Case {
    std::optional<TestProgram> program;
    const char* reports;
  };
  const std::string in_program =
      " strings in the program that ran, called `string#N`: name it with --elf, the one with the "
      "build id 61626364";
  for (const Case& one :
       {Case{{}, nullptr}, Case{TestProgram{.build_id = ""}, nullptr},
        Case{TestProgram{.build_id = "abce"},
             "recorded by another build than --elf names: by build id 61626364, not 61626365; "
             "events and functions have no names"}}) {
    const Rebuilt found = rebuilt(capture_without_texts(), one.program);
    expect_sound(found);
    EXPECT_EQ(found.verdict, RebuildVerdict::kIncomplete);
    EXPECT_TRUE(found.reports(in_program)) << found.messages;
    EXPECT_TRUE(one.reports == nullptr || found.reports(one.reports)) << found.messages;
    for (const PlainRecord& record : decode_plainly(found.archive).records) {
      if (record.type != 4) continue;
      EXPECT_TRUE(record.name.starts_with("string#")) << record.name;
    }
  }
  // The beginning of a long id is enough.
  const Rebuilt found = rebuilt(capture_without_texts(), TestProgram{.build_id = "abcdefgh"});
  EXPECT_EQ(found.verdict, RebuildVerdict::kComplete) << found.messages;
}

TEST(ProgramStrings, AreReadForAnImageOfTheMemoryToo) {
  TestCapture capture = two_cpu_capture();
  capture.build_id = "abcd";
  TestMemory memory = TestMemory::of(capture);
  const Bytes expected = rebuild_memory({{memory.image(), memory.base}}).archive;
  memory.version = 3;
  for (const bool big_endian : {false, true}) {
    memory.big_endian = big_endian;
    const MemoryFile image = {memory.image(), memory.base};
    const Rebuilt found = rebuild_memory({image}, TestProgram{.big_endian = big_endian}.file());
    EXPECT_EQ(found.verdict, RebuildVerdict::kComplete) << found.messages;
    EXPECT_EQ(found.archive, expected);
    const Rebuilt other = rebuild_memory({image}, TestProgram{.build_id = "abce"}.file());
    EXPECT_TRUE(other.reports("events and functions have no names")) << other.messages;
    EXPECT_EQ(other.verdict, RebuildVerdict::kIncomplete);
  }
}

class ArrivedArchive final : public host::ArrivalSink {
 public:
  void begin_capture(const std::string& /*target*/, uint64_t /*ticks_per_second*/) override {}
  void records(host::Bytes whole) override { all_.insert(all_.end(), whole.begin(), whole.end()); }
  void lose(unsigned /*cpu*/, uint64_t /*begin*/, uint64_t /*end*/) override {}
  const Bytes& bytes() const { return all_; }

 private:
  Bytes all_;
};

TEST(ProgramStrings, AreReadWhileACaptureArrives) {
  const Bytes file = TestProgram().file();
  const auto elf = host::ElfFile::parse(file, "program");
  ASSERT_TRUE(elf.ok());
  host::Rebuild rebuild([](const std::string&) {});
  rebuild.name_by(elf.value());
  ArrivedArchive archive;
  host::ArrivingMerge merge(archive);
  rebuild.hand_on(merge, false);
  merge.name_by(rebuild.function_names(), rebuild.interrupt_names(), rebuild.program_strings());
  ASSERT_TRUE(rebuild.feed(binary_form(capture_without_texts().frames())).ok());
  merge.finish();
  size_t ticks = 0;
  for (const PlainRecord& record : decode_plainly(archive.bytes()).records)
    ticks += record.type == 4 && record.name == "tick" ? 1 : 0;
  EXPECT_EQ(ticks, 36u);
}

TEST(ProgramStrings, ThatTheFileLacksHaveTheirNumbers) {
  // From linkers that drop what nothing loaded names, beyond all sections, and in a section without
  // bytes.
  for (const std::vector<uint64_t>& addresses :
       {std::vector<uint64_t>(6, 0), std::vector<uint64_t>(6, ~uint64_t{0}),
        std::vector<uint64_t>(1, kTextsAddress)}) {
    const Rebuilt found =
        rebuilt(capture_without_texts(), TestProgram{.has_texts = false, .addresses = addresses});
    expect_sound(found);
    EXPECT_EQ(found.verdict, RebuildVerdict::kIncomplete);
    EXPECT_TRUE(found.reports("strings used without an entry, called `string#N`"))
        << found.messages;
  }
}

}  // namespace
}  // namespace barefxt::test
