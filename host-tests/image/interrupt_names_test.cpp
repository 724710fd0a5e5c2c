// Names of interrupts that hooks record by number: from a list, from a program's vector table, and
// what they become in an archive.
#include <filesystem>
#include <gtest/gtest.h>

#include <barefxt/host/interrupt_names.h>

#include "archive/memory_sink.h"
#include "hostile/shell.h"
#include "memory_builder.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::interrupt_names_test {
namespace {

using host::InterruptNames;

std::string error_of(const std::string& list) {
  const auto names = InterruptNames::parse(list, "list");
  return names.ok() ? "" : names.error().text();
}

TEST(InterruptNames, AreLinesOfANumberAndAName) {
  const auto names = InterruptNames::parse(
      "# the board's\n\n 37 UART0\n0x26\tthe radio  # receives\r\n15 SysTick", "list");
  ASSERT_TRUE(names.ok()) << names.error().text();
  EXPECT_EQ(names.value().name(37), "UART0");
  EXPECT_EQ(names.value().name(0x26), "the radio");
  EXPECT_EQ(names.value().name(15), "SysTick");
  EXPECT_EQ(names.value().name(16), "");
  EXPECT_TRUE(InterruptNames::parse("# none\n", "list").value().empty());
}

TEST(InterruptNames, SayWhichLineIsWrong) {
  const std::string form = ". Hint: a line is a number and a name: 37 UART0";
  EXPECT_EQ(error_of("1 a\nuart 37\n"), "list:2: begins with no number of an interrupt" + form);
  EXPECT_EQ(error_of("37UART"), "list:1: begins with no number of an interrupt" + form);
  EXPECT_EQ(error_of("-1 a"), "list:1: begins with no number of an interrupt" + form);
  EXPECT_EQ(error_of("4294967296 a"), "list:1: begins with no number of an interrupt" + form);
  EXPECT_EQ(error_of("\n\n37 # UART0\n"), "list:3: interrupt 37 has no name" + form);
  EXPECT_EQ(error_of("1 a\n2 b\n\n0x1 c\n"),
            "list:4: interrupt 1 has a name already. Hint: see line 1");
  EXPECT_EQ(error_of("1 " + std::string(256, 'a')),
            "list:1: a name of 256 bytes. Hint: 255 is the most");
  EXPECT_EQ(error_of("1 " + std::string(255, 'a')), "");
  std::string many;
  for (int i = 0; i < 65536; ++i) many += std::to_string(i) + " n\n";
  EXPECT_EQ(error_of(many), "");
  EXPECT_EQ(error_of(many + "65536 n\n"), "list:65537: more than 65536 interrupts");
}

constexpr uint32_t kFlash = 0x08000000;
constexpr uint32_t kStackEnd = 0x20001000;
constexpr unsigned kArm = 40;

using Symbols = std::vector<std::pair<std::string, uint64_t>>;

Bytes words(const std::vector<uint32_t>& all) {
  ByteBuilder bytes;
  for (const uint32_t word : all) bytes.u32(word);
  return bytes.bytes();
}

const Symbols kHandlers = {
    {"Reset_Handler", kFlash + 0x401},     {"NMI_Handler", kFlash + 0x411},
    {"HardFault_Handler", kFlash + 0x421}, {"SysTick_Handler", kFlash + 0x431},
    {"Default_Handler", kFlash + 0x441},   {"UART0_Handler", kFlash + 0x451},
    {"_ZN5board5radioEv", kFlash + 0x461}};

// A startup file as linked: vectors 0 to 19, and code.
std::vector<uint32_t> vectors() {
  std::vector<uint32_t> all(20, 0);
  all[0] = kStackEnd;
  for (const unsigned index : {1, 2, 3}) all[index] = kFlash + 0x401 + (index - 1) * 0x10;
  all[11] = all[14] = kFlash + 0x441;
  all[15] = kFlash + 0x431;
  all[16] = kFlash + 0x451;
  all[17] = kFlash + 0x441;
  all[18] = kFlash + 0x461;
  all[19] = 0xbf00bf00;  // no longer the table
  all.push_back(kFlash + 0x421);
  return all;
}

InterruptNames read(const std::vector<uint32_t>& flash, const Symbols& symbols,
                    unsigned machine = kArm, uint32_t ahead = 0) {
  Bytes bytes(ahead, 0);
  const Bytes table = words(flash);
  bytes.insert(bytes.end(), table.begin(), table.end());
  const Bytes file = make_elf({{kFlash, kFlash, bytes}}, false, 32, symbols, false, machine);
  const auto program = host::ElfFile::parse(file, "program");
  EXPECT_TRUE(program.ok());
  return InterruptNames::read(program.value());
}

void expect_the_board(const InterruptNames& names) {
  EXPECT_EQ(names.name(1), "Reset_Handler");
  EXPECT_EQ(names.name(15), "SysTick_Handler");
  EXPECT_EQ(names.name(16), "UART0_Handler");
  EXPECT_EQ(names.name(18), "board::radio()");
  // Several share the function, which therefore names none of them.
  for (const unsigned shared : {11, 14, 17}) EXPECT_EQ(names.name(shared), "");
  for (const unsigned other : {0, 4, 19, 20}) EXPECT_EQ(names.name(other), "");
}

TEST(InterruptNames, AreTheHandlersOfTheVectorTableAtTheBeginOfFlash) {
  expect_the_board(read(vectors(), kHandlers));
}

TEST(InterruptNames, AreTheHandlersOfTheVectorTableThatASymbolNames) {
  Symbols symbols = kHandlers;
  EXPECT_TRUE(read(vectors(), symbols, kArm, 64).empty());
  symbols.emplace_back("g_pfnVectors", kFlash + 64);
  expect_the_board(read(vectors(), symbols, kArm, 64));
}

TEST(InterruptNames, OfOtherProgramsAreNotGuessed) {
  EXPECT_TRUE(read(vectors(), kHandlers, 243).empty()) << "RISC-V";
  std::vector<uint32_t> without_nmi = vectors();
  without_nmi[2] = 0;
  EXPECT_TRUE(read(without_nmi, kHandlers).empty());
  std::vector<uint32_t> of_arm_code = vectors();
  for (const unsigned index : {1, 2, 3}) --of_arm_code[index];
  EXPECT_TRUE(read(of_arm_code, kHandlers).empty());
  EXPECT_TRUE(read({kStackEnd, kFlash + 0x401, kFlash + 0x411}, kHandlers).empty()) << "cut";
  EXPECT_TRUE(read({}, kHandlers).empty());
}

TEST(InterruptNames, ComeFromZephyrsTableWhereAllVectorsAreOneFunction) {
  std::vector<uint32_t> flash = vectors();
  flash.resize(20);
  flash[15] = kFlash + 0x431;
  for (const unsigned index : {16, 17, 18, 19}) flash[index] = kFlash + 0x441;
  const uint32_t table = kFlash + 4 * static_cast<uint32_t>(flash.size() + 1);
  flash.push_back(0);
  for (const uint32_t isr : {0x471, 0x481, 0x481, 0x451}) {
    flash.push_back(0x20000000);  // its argument
    flash.push_back(kFlash + isr);
  }
  Symbols symbols = kHandlers;
  symbols.emplace_back("_sw_isr_table", table);
  symbols.emplace_back("uart_isr", kFlash + 0x471);
  symbols.emplace_back("z_irq_spurious", kFlash + 0x481);
  const InterruptNames names = read(flash, symbols);
  EXPECT_EQ(names.name(15), "SysTick_Handler");
  EXPECT_EQ(names.name(16), "uart_isr");
  EXPECT_EQ(names.name(17), "");
  EXPECT_EQ(names.name(18), "");
  EXPECT_EQ(names.name(19), "UART0_Handler");
}

// Strings: 1 "irq", 2 "interrupt", 3 "tick".
constexpr uint64_t kBegin = 2;
constexpr uint64_t kEnd = 3;
Words interrupt(uint64_t subtype, uint64_t time, unsigned name, uint32_t number = 0) {
  const bool is_begin = subtype == kBegin;
  Words record = {4 | uint64_t{is_begin ? 3U : 2U} << 4 | subtype << 16 |
                      uint64_t{is_begin ? 1U : 0U} << 20 | uint64_t{4} << 24 | uint64_t{1} << 32 |
                      uint64_t{name} << 48,
                  time};
  if (is_begin) record.push_back(2 | 1 << 4 | 1 << 16 | uint64_t{number} << 32);
  return record;
}
Words wakeup(uint64_t time, uint64_t koid, uint32_t number) {
  return {8 | 4 << 4 | 1 << 16 | uint64_t{2} << 60, time, koid,
          2 | 1 << 4 | 1 << 16 | uint64_t{number} << 32};
}

TestCapture capture_of(const std::vector<Words>& records) {
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  capture.strings = {"irq", "interrupt", "tick"};
  capture.pieces.push_back({.cpu = 0, .segment = 0, .records = records});
  return capture;
}

struct Written {
  Bytes archive;
  std::string messages;
};
Written write(const TestCapture& capture, const std::string& list) {
  Written written;
  host::Rebuild rebuild([&](const std::string& line) { written.messages += line + "\n"; });
  rebuild.name_interrupts(InterruptNames::parse(list, "list").value());
  EXPECT_TRUE(rebuild.feed(binary_form(capture.frames())).ok());
  EXPECT_TRUE(rebuild.end_input("input").ok());
  MemorySink sink;
  EXPECT_TRUE(rebuild.write(sink, host::ByteOrder::kLittle).ok());
  written.archive = sink.bytes();
  EXPECT_EQ(decode_plainly(written.archive).problem_text(), "");
  return written;
}

// "+" begins, "-" ends; with the number of a begin.
std::vector<std::string> interrupts(const Bytes& archive) {
  std::vector<std::string> found;
  for (const PlainRecord& record : decode_plainly(archive).records) {
    if (record.type != 4 || record.category != "irq") continue;
    found.push_back((record.subtype == kBegin ? "+" : "-") + record.name);
    if (const PlainArgument* const number = record.argument("irq"))
      found.back() += " " + std::to_string(number->bits);
    if (is_added(record)) found.back() += " (added)";
  }
  return found;
}
using Texts = std::vector<std::string>;

TEST(InterruptNames, NameBeginsAndTheirEnds) {
  const TestCapture capture =
      capture_of({interrupt(kEnd, 100, 2),  // it began before the recording
                  interrupt(kBegin, 110, 2, 37), interrupt(kBegin, 120, 2, 38),
                  interrupt(kBegin, 130, 3, 15), interrupt(kEnd, 140, 3), interrupt(kEnd, 150, 2),
                  interrupt(kBegin, 160, 2, 40), interrupt(kEnd, 170, 2), interrupt(kEnd, 180, 2)});
  const Written written = write(capture, "37 UART0\n40 radio\n15 SysTick\n");
  EXPECT_EQ(interrupts(written.archive),
            (Texts{"-interrupt", "+UART0 37", "+interrupt 38", "+tick 15", "-tick", "-interrupt",
                   "+radio 40", "-radio", "-UART0"}))
      << "a name that the target gave stays";
  const PlainArchive archive = decode_plainly(written.archive);
  EXPECT_EQ(archive.events("UART0").at(0).timestamp, 110U);
  EXPECT_EQ(archive.events("UART0").at(0).thread, 0x7f000000U);
  EXPECT_TRUE(contains(written.messages, "9 records"));
  EXPECT_EQ(interrupts(write(capture, "").archive),
            (Texts{"-interrupt", "+interrupt 37", "+interrupt 38", "+tick 15", "-tick",
                   "-interrupt", "+interrupt 40", "-interrupt", "-interrupt"}));
}

TEST(InterruptNames, BehindALossNameNoEndOfWhatBeganBefore) {
  TestCapture capture = capture_of({interrupt(kBegin, 110, 2, 37)});
  capture.pieces.push_back(
      {.cpu = 0,
       .segment = 2,
       .records = {interrupt(kEnd, 150, 2), interrupt(kBegin, 160, 2, 37), interrupt(kEnd, 170, 2)},
       .records_lost = 3,
       .bytes_lost = 72});
  EXPECT_EQ(interrupts(write(capture, "37 UART0\n").archive),
            (Texts{"+UART0 37", "-UART0 (added)", "+interrupt (added)", "-interrupt", "+UART0 37",
                   "-UART0"}));
}

TEST(InterruptNames, MakeTheInterruptTheWakerThatAWakeupNames) {
  const TestCapture capture =
      capture_of({context_switch(100, 0, 3, 2, 1, 5, 5), wakeup(110, 21, 37), wakeup(120, 21, 99)});
  Texts found;
  for (const PlainRecord& record : decode_plainly(write(capture, "37 UART0\n").archive).records) {
    if (record.type != 8 || record.subtype != 2) continue;
    found.emplace_back();
    for (const PlainArgument& argument : record.arguments)
      found.back() += argument.name + " " +
                      (argument.text.empty() ? std::to_string(argument.bits) : argument.text) +
                      "; ";
  }
  EXPECT_EQ(found,
            (Texts{"irq 37; waker 2130706432; interrupt UART0; ", "irq 99; waker 2130706432; "}));
}

class InterruptNamesCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("trace.raw",
          binary_form(capture_of({interrupt(kBegin, 110, 2, 16), interrupt(kEnd, 120, 2),
                                  interrupt(kBegin, 130, 2, 18), interrupt(kEnd, 140, 2)})
                          .frames()));
    write("app.elf",
          make_elf({{kFlash, kFlash, words(vectors())}}, false, 32, kHandlers, false, kArm));
    write("list", ByteBuilder().raw("18 radio\n").bytes());
    write("wrong", ByteBuilder().raw("18 radio\n\n18 again\n").bytes());
  }

  int run(const std::string& arguments) {
    return Shell::run("BAREFXT " + arguments + " -o out.fxt <trace.raw");
  }
  std::vector<std::string> interrupts_written() const {
    const std::string archive = read("out.fxt");
    return interrupts(Bytes(archive.begin(), archive.end()));
  }
};

TEST_F(InterruptNamesCommand, RebuildAndCaptureTakeNamesOfAListBeforeThoseOfTheProgram) {
  for (const std::string verb : {"rebuild - ", "capture - "}) {
    SCOPED_TRACE(verb);
    ASSERT_EQ(run(verb + "--elf app.elf"), 0);
    EXPECT_EQ(interrupts_written(), (Texts{"+UART0_Handler 16", "-UART0_Handler",
                                           "+board::radio() 18", "-board::radio()"}));
    ASSERT_EQ(run(verb + "--interrupts list --elf app.elf"), 0);
    EXPECT_EQ(interrupts_written(),
              (Texts{"+UART0_Handler 16", "-UART0_Handler", "+radio 18", "-radio"}));
    ASSERT_EQ(run(verb + "--interrupts list"), 0);
    EXPECT_EQ(interrupts_written(), (Texts{"+interrupt 16", "-interrupt", "+radio 18", "-radio"}));
  }
}

TEST_F(InterruptNamesCommand, AWrongListIsBadUsageAndLeavesNoArchive) {
  for (const std::string verb : {"rebuild - ", "capture - "}) {
    SCOPED_TRACE(verb);
    const std::pair<std::string, std::string> cases[] = {
        {"wrong", "wrong:3: interrupt 18 has a name already. Hint: see line 1"},
        {"missing", "missing: cannot read this list of interrupts"},
        {".", ".: cannot read this list of interrupts"}};
    for (const auto& [list, message] : cases) {
      EXPECT_EQ(run(verb + "--interrupts " + list), 2);
      EXPECT_TRUE(contains(messages(), message));
      EXPECT_FALSE(std::filesystem::exists(path("out.fxt")));
    }
  }
  EXPECT_EQ(run("capture - --elf trace.raw"), 2) << "no program";
}

}  // namespace
}  // namespace barefxt::test::interrupt_names_test
