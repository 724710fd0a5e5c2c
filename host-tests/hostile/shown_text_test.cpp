// Names and texts that would drive a terminal, or a spreadsheet.
#include <nlohmann/json.hpp>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/json.h>
#include <barefxt/host/output.h>
#include <barefxt/host/safe_text.h>

#include "archive/memory_archive.h"
#include "hostile/shell.h"
#include "hostile/terminal_text.h"
#include "rebuild/capture_builder.h"

namespace barefxt::test::shown_text_test {
namespace {

const std::vector<std::string> kEvil = {"\x1b]0;owned\x07\x1b[31mred\x1b[2J",
                                        "\u009b31mC1red\u009b0m",
                                        "\u202egnp.exe",
                                        "del\x7f\x7f",
                                        "\u2066isolate\u2069\u200e\u200f\u061c",
                                        "\nbarefxt: fake message",
                                        std::string("a\0b", 3),
                                        "\xff\xfe\xc0\xaf",
                                        "line\u2028separator\u2029\ufeff",
                                        "\r\b\tback",
                                        std::string(63, 'x') + "é cut at byte 64"};

TEST(SafeText, DrivesNoTerminalAndKeepsTheRest) {
  for (const std::string& evil : kEvil) {
    const std::string safe = host::safe_text(evil);
    EXPECT_EQ(terminal_driver_in(safe), "") << safe;
    EXPECT_TRUE(host::is_valid_utf8(safe)) << safe;
    EXPECT_EQ(host::safe_text(safe), safe);
  }
  for (const std::string plain :
       {"", "plain", "a \\ b \"c\"", "µs äöü 漢字 🙂", "\u00a0\u2027\u202f"})
    EXPECT_EQ(host::safe_text(plain), plain);
  EXPECT_EQ(host::safe_text("\x1b[2J\u009b\u202e\n\x7f\xff"),
            "\\u001b[2J\\u009b\\u202e\\u000a\\u007f\uFFFD");
}

TEST(SafeText, JsonSaysTheSameAndIsSafeToo) {
  for (const std::string& evil : kEvil) {
    host::StringOutput out;
    host::json_string(out, evil);
    const std::string json = out.take();
    EXPECT_EQ(terminal_driver_in(json), "") << json;
    EXPECT_EQ(nlohmann::json::parse(json).get<std::string>(), host::valid_utf8(evil));
  }
}

class ShownText : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    MemoryArchive writer(1'000'000);
    uint64_t koid = 100;
    uint64_t time = 1000;
    for (const std::string& evil : kEvil) {
      writer.provider_info(static_cast<uint32_t>(++koid), evil);
      writer.initialization(1'000'000);
      const host::ArchiveThread thread{.process = koid + 1000, .thread = koid};
      const auto text = host::ArchiveText::spelled_out(evil);
      const std::array arguments = {host::ArchiveArgument::string(text, text)};
      (void)writer.kernel_object(koid, fxt::KernelObjectType::kThread, text, arguments);
      (void)writer.kernel_object(koid + 1000, fxt::KernelObjectType::kProcess, text, {});
      for (const auto type :
           {fxt::EventType::kInstant, fxt::EventType::kDurationComplete, fxt::EventType::kCounter})
        (void)writer.event({.type = type,
                            .timestamp = time,
                            .thread = thread,
                            .category = text,
                            .name = text,
                            .trailing_word = time + 500},
                           arguments);
      writer.legacy_context_switch({.timestamp = time, .incoming = thread});
      writer.log(time, thread, evil);
      time += 1000;
    }
    write("evil.fxt", writer.text());
  }
};

TEST_F(ShownText, OfAnArchiveIsSafeInEveryVerb) {
  write("budget", "duration name=* max <= 1ns\n");
  write("rules",
        "slice \"*\" lasts < 1ns\nslice \"\x1b[2J\u202e*\" lasts < 1ns\n"
        "duration name=\u009b31m max <= 1ns\n");
  for (const char* line : {"print",
                           "print --raw",
                           "print --json",
                           "stats",
                           "stats --json",
                           "stats --functions",
                           "stats --budget budget",
                           "stats --baseline evil.fxt",
                           "lint",
                           "lint --json",
                           "convert --to perfetto -o out",
                           "convert --to blobs -o folder",
                           "convert --to fxt -o out.fxt",
                           "stats --thread '*'",
                           "doctor",
                           "explain --worst 50 --slice '*'",
                           "explain --worst 50 --json --slice '*'",
                           "explain --thread '*'",
                           "explain --budget budget",
                           "check rules",
                           "check --json rules",
                           "learn -o -",
                           "profile",
                           "profile --json --by interrupt",
                           "profile --to folded -o out",
                           "lint --thread '*'",
                           "print --name '*x*'",
                           "print --category '*x*'"}) {
    run("BAREFXT " + std::string(line) + " evil.fxt");
    EXPECT_EQ(terminal_driver_in(printed(), "\n"), "") << line << printed();
    EXPECT_EQ(terminal_driver_in(messages(), "\n"), "") << line << messages();
    EXPECT_TRUE(lacks(messages(), "\nbarefxt: fake")) << line;
  }
  run("BAREFXT check --explain 'slice \"\x1b[2J\" lasts < 1ns'");
  EXPECT_EQ(terminal_driver_in(printed(), "\n"), "") << printed();
  EXPECT_NE(run("BAREFXT print evil.fxt"), 4);
  EXPECT_TRUE(contains(printed(), "u001b"));
}

TEST_F(ShownText, OfATargetIsSafe) {
  for (const std::string& evil : kEvil) {
    TestCapture capture = two_cpu_capture();
    capture.target = evil;
    capture.strings.push_back(evil);
    if (!capture.threads.empty()) capture.threads[0].name = evil;
    write("in", binary_form(capture.frames()));
    for (const char* line : {"rebuild in -o out", "capture - -o out <in", "doctor in",
                             "doctor --json in", "top - --batch <in", "explain in", "stats in"}) {
      run("BAREFXT " + std::string(line));
      EXPECT_EQ(terminal_driver_in(printed(), "\n"), "") << line << printed();
      EXPECT_EQ(terminal_driver_in(messages(), "\n"), "") << line << messages();
    }
  }
}

TEST_F(ShownText, OfAFileNameIsSafe) {
  const std::string name = "\x1b[31mno\u009bt\u202ehere";
  for (const char* line : {"print", "lint", "stats", "doctor", "rebuild -o out", "report -o out",
                           "convert --to fxt -o out", "print --nonsense"}) {
    run("BAREFXT " + std::string(line) + " '" + name + "'");
    EXPECT_FALSE(messages().empty());
    EXPECT_EQ(terminal_driver_in(messages(), "\n"), "") << line << messages();
  }
}

TEST_F(ShownText, InATableForSpreadsheetsIsNoFormula) {
  MemoryArchive writer(1'000'000);
  uint64_t koid = 100;
  const std::vector<std::string> formulas = {
      "=cmd|\"/c calc\"!A0", "+1+1", "@SUM(1)", "-2+3", "\t=1", "\r=1", "a,b", "-", "\x1b[2J",
      std::string("n\0l", 3)};
  for (const std::string& formula : formulas) {
    const auto text = host::ArchiveText::spelled_out(formula);
    const host::ArchiveThread thread{.process = 1, .thread = ++koid};
    (void)writer.kernel_object(koid, fxt::KernelObjectType::kThread, text, {});
    (void)writer.event({.type = fxt::EventType::kDurationComplete,
                        .timestamp = koid,
                        .thread = thread,
                        .category = text,
                        .name = text,
                        .trailing_word = koid + 5},
                       {});
  }
  write("formulas.fxt", writer.text());
  ASSERT_EQ(run("BAREFXT stats --csv formulas.fxt"), 0) << messages();
  const std::string csv = printed();
  EXPECT_TRUE(contains(csv, "'+1+1"));
  EXPECT_TRUE(contains(csv, "\\u001b[2J"));
  EXPECT_TRUE(contains(csv, "n\\u0000l"));
  // Only numbers may begin like a formula, in quotes or not.
  for (size_t at = csv.find('\n'); at < csv.size(); at = csv.find_first_of(",\n", at + 1)) {
    size_t cell = at + 1;
    if (cell < csv.size() && csv[cell] == '"') ++cell;
    if (cell >= csv.size()) break;
    EXPECT_EQ(std::string("=+@\t\r").find(csv[cell]), std::string::npos) << csv.substr(cell, 20);
    if (csv[cell] == '-') {
      EXPECT_NE(std::string("0123456789").find(csv[cell + 1]), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace barefxt::test::shown_text_test
