// People see on a terminal: width, colours, messages, a pager, progress. And that a file has
// none of it.
#include "hostile/terminal.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/fitted_output.h>
#include <barefxt/host/stats.h>

#include "archive/memory_archive.h"
#include "goldens/goldens.h"
#include "hostile/shell.h"
#include "print/printing.h"
#include "speed/sample_archive.h"
#include "stats/everything.h"

namespace barefxt::test::terminal_test {
namespace {

constexpr unsigned kWidths[] = {40, 60, 80, 120, 200};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Lines that are too long, but for single words.
std::string too_long(const std::string& text, size_t width) {
  for (const std::string& line : lines_of(text)) {
    const size_t begin = line.find_first_not_of(' ');
    const bool is_word = begin == std::string::npos || line.find(' ', begin) == std::string::npos;
    if (host::columns_of(line) > width && !is_word) return line;
  }
  return {};
}

// Numbers with their units, in any order.
std::multiset<std::string> figures(const std::string& text) {
  std::multiset<std::string> all;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    while (!word.empty() && (word.back() == ',' || word.back() == ';')) word.pop_back();
    // Titles of columns stand once, or at each number.
    if (word == "p50" || word == "p95" || word == "p99") continue;
    if (word.find_first_of("0123456789") != std::string::npos) all.insert(word);
  }
  return all;
}

std::string stats_text(const std::string& archive, size_t width) {
  host::StatisticsOptions options;
  options.deadlines.push_back({"control", 40'000});
  options.above.push_back({"1us", {false, 1000}});
  host::StringOutput out;
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  const auto statistics =
      host::collect_statistics(source, host::guess_form(as_bytes(archive)).form, options);
  host::print_statistics(out, statistics.value(), host::Shown::kAll, {width, false});
  return out.take();
}

// Many CPUs, and names longer than any column.
std::string with_long_names() {
  using fxt::EventType;
  MemoryArchive writer;
  const std::string word(70, 'w');
  for (uint64_t thread = 1; thread < 15; ++thread)
    name_thread(writer, thread, 5,
                "a thread called " + word + std::to_string(thread) + " and more of it");
  uint64_t time = 0;
  for (unsigned i = 0; i < 300; ++i) {
    time += 1'234'567;
    const uint64_t thread = 1 + i % 14;
    add_switch(writer, time, static_cast<uint8_t>(i % 2), {5, thread, 1},
               fxt::ThreadState::kBlocked, {5, 1 + (i + 2) % 14, 2});
    const std::string name = "step " + std::to_string(i % 3) + " of " + word;
    add_event(writer, EventType::kDurationComplete, time - 1'000'000, {0, 5, thread},
              "work and more", name, time);
  }
  return writer.text();
}

TEST(FittedText, StatsFitEveryWidthAndKeepTheirFigures) {
  std::vector<std::string> archives = {archive_of_everything(), with_long_names()};
  for (const Golden& one : goldens()) archives.push_back(little_endian(one.pieces));
  for (const std::string& archive : archives) {
    const std::multiset<std::string> all = figures(stats_text(archive, 0));
    for (const unsigned width : kWidths) {
      const std::string text = stats_text(archive, width);
      EXPECT_EQ(too_long(text, width), "") << width;
      const bool has_all = figures(text) == all;
      EXPECT_TRUE(has_all) << width << "\n" << text;
    }
  }
}

TEST(FittedText, WordsStayWholeAndNamesKeepBothEnds) {
  const auto fitted = [](const std::string& text, size_t width) {
    host::StringOutput out;
    host::FittedOutput fit(out, width, 2);
    for (const char c : text) fit.character(c);
    fit.finish();
    return out.take();
  };
  EXPECT_EQ(fitted("one two three\n", 8), "one two\n  three\n");
  EXPECT_EQ(fitted("  one   two\nx", 20), "  one   two\nx");
  EXPECT_EQ(fitted("a b 10.2 us, c\n", 10), "a b\n  10.2 us,\n  c\n") << "units stay";
  EXPECT_EQ(fitted("a longerthanthat b\n", 8), "a\nlongerthanthat\n  b\n");
  EXPECT_EQ(fitted("\x1b[1mone two\x1b[0m\n", 7), "\x1b[1mone two\x1b[0m\n");
  EXPECT_EQ(fitted("äöü äöü\n", 7), "äöü äöü\n");
  EXPECT_EQ(fitted("one two three\n", 0), "one two three\n");
  EXPECT_EQ(host::shortened("network/receiver", 9), "net...ver");
  EXPECT_EQ(host::shortened("äöüäöüäöü", 6), "äö...ü");
  EXPECT_EQ(host::shortened("short", 5), "short");
}

TEST(FittedText, WhatMattersComesFirst) {
  const std::string text = stats_text(archive_of_everything(), 80);
  size_t last = 0;
  for (const char* part : {" records over ", "\nLosses:", "\nWorst wakeup to run: ", "\nLate: ",
                           "\nPriority inversion: ", "\nCPU ", "\nBusiest threads "}) {
    const size_t at = text.find(part);
    ASSERT_NE(at, std::string::npos) << part << text;
    EXPECT_GT(at + 1, last) << part;
    last = at;
  }
}

class Terminal : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("in.fxt", archive_of_everything());
    // An instant with blanks in its name, longer than any terminal, and faults.
    write("faults.fxt", with_long_names() + std::string(24, '\xff'));
  }
  TerminalRun on_terminal(std::string line, unsigned columns,
                          const std::map<std::string, std::string>& variables = {},
                          const std::string& keys = {}) const {
    for (size_t at = 0; (at = line.find("BAREFXT ", at)) != std::string::npos;)
      line.replace(at, 7, "'" BAREFXT_COMMAND "'");
    return run_on_terminal("cd '" + path("") + "' && " + line, columns, variables, keys);
  }
};

TEST_F(Terminal, TextFitsAndFilesAreTheSameEverywhere) {
  for (const char* verb : {"stats", "print", "lint", "doctor", "explain", "profile"}) {
    for (const char* file : {"in.fxt", "faults.fxt"}) {
      const std::string command = std::string("BAREFXT ") + verb + " " + file;
      std::multiset<std::string> words[2];
      for (const unsigned width : kWidths) {
        const TerminalRun ran = on_terminal(command, width, {{"BAREFXT_PAGER", "cat"}});
        EXPECT_EQ(too_long(without_codes(ran.shown), width), "") << command << " " << width;
      }
      (void)run(command);
      const std::string plain = printed();
      EXPECT_EQ(plain.find('\x1b'), std::string::npos);
      (void)on_terminal(command + " >file 2>/dev/null", 40);
      EXPECT_EQ(read("file"), plain) << command;
      (void)on_terminal(command + " >file 2>/dev/null", 200, {{"COLUMNS", "50"}});
      EXPECT_EQ(read("file"), plain) << command;
    }
  }
  EXPECT_EQ(
      too_long(on_terminal("BAREFXT stats in.fxt --no-pager", 200, {{"COLUMNS", "50"}}).shown, 50),
      "");
  // Messages fit as well, and are lines of their own in files.
  write("budget", "wakeup_latency thread=control max <= 1ns\nrun thread=nobody max <= 1ns\n");
  for (const char* options : {"--budget budget", "--baseline faults.fxt"}) {
    const std::string command = std::string("BAREFXT stats in.fxt ") + options;
    for (const unsigned width : kWidths)
      EXPECT_EQ(too_long(on_terminal(command + " >/dev/null", width).shown, width), "") << command;
    (void)run(command);
    for (const std::string& line : lines_of(messages())) EXPECT_EQ(line.rfind("barefxt: ", 0), 0U);
  }
  // Bars give way where it is narrow.
  const auto explained = [&](unsigned width) {
    return on_terminal("BAREFXT explain in.fxt", width).shown;
  };
  EXPECT_TRUE(contains(explained(80), "###"));
  EXPECT_TRUE(lacks(explained(60), "###"));
  // A line for each thing, for programs that search.
  (void)run("BAREFXT print in.fxt");
  const std::string text = printed();
  (void)run("BAREFXT print in.fxt --json");
  EXPECT_EQ(lines_of(text).size(), lines_of(printed()).size());
}

TEST_F(Terminal, ColoursAreForTerminals) {
  const auto has_colors = [](const std::string& text) {
    return text.find("\x1b[1m") != std::string::npos ||
           text.find("\x1b[1;31m") != std::string::npos;
  };
  const std::string stats = "BAREFXT stats in.fxt --no-pager";
  EXPECT_TRUE(has_colors(on_terminal(stats, 80).shown));
  EXPECT_TRUE(has_colors(on_terminal(stats, 80, {{"NO_COLOR", "1"}, {"TERM", "xterm"}}).shown) ==
              false);
  EXPECT_FALSE(has_colors(on_terminal(stats, 80, {{"TERM", "dumb"}}).shown));
  EXPECT_FALSE(has_colors(on_terminal(stats + " --color never", 80).shown));
  EXPECT_TRUE(has_colors(on_terminal(stats + " --color always", 80, {{"NO_COLOR", "1"}}).shown));
  EXPECT_TRUE(has_colors(on_terminal("BAREFXT lint faults.fxt", 80).shown));
  EXPECT_TRUE(has_colors(on_terminal("BAREFXT explain in.fxt", 80).shown));
  EXPECT_EQ(run("BAREFXT stats in.fxt"), 0);
  const std::string plain = printed();
  EXPECT_FALSE(has_colors(plain));
  EXPECT_EQ(run("BAREFXT stats in.fxt --color always"), 0);
  EXPECT_TRUE(has_colors(printed()));
  EXPECT_EQ(without_codes(printed()), plain);
  for (const char* verb : {"print", "stats"})
    EXPECT_EQ(run(std::string("BAREFXT ") + verb + " in.fxt --json --color always"), 0);
  EXPECT_FALSE(has_colors(printed()));
  EXPECT_EQ(run("BAREFXT stats in.fxt --color sometimes"), 2);
}

TEST_F(Terminal, APagerShowsPrintAndStats) {
  const std::map<std::string, std::string> marked = {{"BAREFXT_PAGER", "sed s/^/paged:/"},
                                                     {"PAGER", "sed s/^/wrong:/"}};
  for (const char* verb : {"print", "stats"}) {
    const std::string command = std::string("BAREFXT ") + verb + " in.fxt";
    const TerminalRun ran = on_terminal(command, 80, marked);
    EXPECT_EQ(ran.status, 0);
    for (const std::string& line : lines_of(ran.shown))
      EXPECT_EQ(line.rfind("paged:", 0), 0U) << line;
    EXPECT_TRUE(contains(on_terminal(command, 80, {{"PAGER", "sed s/^/paged:/"}}).shown, "paged:"));
    EXPECT_TRUE(lacks(on_terminal(command + " --no-pager", 80, marked).shown, "paged:"));
    EXPECT_TRUE(lacks(on_terminal(command + " | cat", 80, marked).shown, "paged:"));
    // Messages follow, and the exit status is the verb's, whatever the pager's is.
    const std::string cut = std::string("BAREFXT ") + verb + " faults.fxt";
    const TerminalRun said = on_terminal(cut, 80, {{"BAREFXT_PAGER", "cat >/dev/null; exit 5"}});
    EXPECT_EQ(said.status, 3);
    EXPECT_EQ(said.shown.rfind("barefxt: faults.fxt: 1 malformed place", 0), 0U) << said.shown;
    // One that is left early ends the verb, which is no error.
    EXPECT_EQ(on_terminal(command, 80, {{"BAREFXT_PAGER", "head -n 1"}}).status, 0);
    EXPECT_TRUE(contains(on_terminal(command, 80, {{"BAREFXT_PAGER", "no-such-pager"}}).shown,
                         "the pager was not found"));
  }
  EXPECT_TRUE(lacks(on_terminal("BAREFXT lint in.fxt", 80, marked).shown, "paged:"));
}

TEST_F(Terminal, QuietKeepsMessagesToFailures) {
  EXPECT_EQ(run("BAREFXT stats faults.fxt"), 3);
  EXPECT_NE(messages(), "");
  const std::string said = printed();
  EXPECT_EQ(run("BAREFXT stats faults.fxt --quiet"), 3);
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(printed(), said);
  EXPECT_EQ(run("BAREFXT stats nowhere.fxt --quiet"), 2);
  EXPECT_NE(messages(), "");
  write("empty", "");
  EXPECT_EQ(run("BAREFXT print empty --quiet"), 4);
  EXPECT_NE(messages(), "");
  EXPECT_EQ(run("BAREFXT stats in.fxt --quiet --budget nowhere"), 2);
  EXPECT_NE(messages(), "");
}

// A pipe that takes its time: what was read, and how fast.
TEST_F(Terminal, LongWorkShowsItsProgress) {
  const std::string slowly = "(cat in.fxt; sleep 1.5; cat in.fxt) | ";
  const TerminalRun ran = on_terminal(slowly + "BAREFXT convert - --to fxt -o out.fxt", 80);
  EXPECT_EQ(ran.status, 0) << ran.shown;
  EXPECT_TRUE(contains(ran.shown, "\rstandard input: "));
  EXPECT_TRUE(contains(ran.shown, "B/s, 0:01\x1b[K"));
  // It is gone in the end.
  EXPECT_EQ(ran.shown.substr(ran.shown.rfind('\r')).substr(0, 4), "\r\x1b[K") << ran.shown;
  const TerminalRun quiet =
      on_terminal(slowly + "BAREFXT convert - --quiet --to fxt -o out.fxt", 80);
  EXPECT_EQ(quiet.shown, "");
  const TerminalRun filed =
      on_terminal(slowly + "BAREFXT convert - --to fxt -o out.fxt 2>file", 80);
  EXPECT_EQ(filed.shown, "");
  EXPECT_EQ(read("file"), "");
}

TEST_F(Terminal, AReaderThatHasEnoughIsNoError) {
  write("long.fxt", with_long_names());
  for (const char* verb : {"print", "print --json", "stats"})
    EXPECT_EQ(run(std::string("( BAREFXT ") + verb + " long.fxt; echo $? >_status ) | head -n 1"),
              0);
  EXPECT_EQ(read("_status"), "0\n");
  EXPECT_EQ(messages(), "");
}

// True if Ctrl-C would be ignored; null for a process that has ended.
std::optional<bool> ignores_interrupts(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  bool is_alive = false;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) is_alive = line.find('Z') == std::string::npos;
    if (line.starts_with("SigIgn:") && is_alive)
      return (std::stoull(line.substr(8), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  }
  return {};
}

// The command stands still while the pager ends, and has most of its work before it.
TEST_F(Terminal, ItEndsAtAnInterruptOnceThePagerHasEnded) {
  const Sample one = sample(Mix::kDemo, 1 << 16);
  write("large.fxt", one.archive((size_t{48} << 20) / one.body.size()));
  std::optional<bool> is_ignored;
  // It may be over before it is looked at.
  for (unsigned tries = 0; tries < 10 && is_ignored != false; ++tries) {
    const auto file = [&](const char* name) { return path(name + std::to_string(tries)); };
    const auto comes = [&](const char* name) {
      return comes_true_soon([&] { return ::access(file(name).c_str(), F_OK) == 0; });
    };
    const OpenTerminal terminal("PAGER='touch " + file("begun") + "; while [ ! -e " + file("go") +
                                " ]; do sleep 0.01; done; touch " + file("ended") + "' exec '" +
                                BAREFXT_COMMAND "' print --name NOTHING '" + path("large.fxt") +
                                "'");
    ASSERT_TRUE(comes("begun"));
    ::kill(terminal.child(), SIGSTOP);
    ASSERT_EQ(ignores_interrupts(terminal.child()), true);
    write("go" + std::to_string(tries), "");
    ASSERT_TRUE(comes("ended"));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::kill(terminal.child(), SIGCONT);
    ASSERT_TRUE(comes_true_soon([&] {
      is_ignored = ignores_interrupts(terminal.child());
      return is_ignored != true;
    }));
  }
  EXPECT_EQ(is_ignored, false);
}

}  // namespace
}  // namespace barefxt::test::terminal_test
