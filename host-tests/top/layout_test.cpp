// Frames in terminals of every size.
#include "top/layout.h"

#include <gtest/gtest.h>

#include "contains.h"

namespace barefxt::test::layout_test {
namespace {

using top::Frame;
using top::Glyphs;
using top::Line;
using top::View;

Frame busy_frame() {
  Frame frame;
  frame.line.name = "/dev/ttyUSB0";
  frame.line.bytes = 123'456;
  frame.line.bytes_per_second = 115'200;
  frame.line.records = 98'765;
  frame.line.lost = 3;
  frame.line.seconds = 12;
  frame.target = "board \x1b[31m\u00e9";
  frame.has_begun = true;
  frame.span = 12.5;
  frame.behind = 0.75;
  frame.held_by = 1;
  frame.ticks_per_second = 1'000'000;
  for (unsigned cpu = 0; cpu < 2; ++cpu)
    frame.cpus.push_back({.cpu = cpu, .now = 0.25, .busy = 0.5, .idle = 0.5, .switches = 1000});
  for (uint64_t thread = 0; thread < 40; ++thread) {
    top::ThreadRow row;
    row.koid = thread;
    row.name = "thread with a long name " + std::to_string(thread);
    row.running = static_cast<double>(thread) / 100;
    if (thread % 2 == 0) row.worst_latency = thread * 10;
    frame.threads.push_back(row);
  }
  frame.interrupts.push_back({.cpu = 0, .name = "timer", .count = 12, .longest = 1500});
  frame.locks.push_back({.name = "spi bus", .waits = 4, .longest = 12'000, .holder = "log"});
  frame.counters.push_back(
      {.name = "\u6e29\u5ea6", .last = 7, .history = {1, 2, 3, 4, 5, 6, 7, 8}});
  frame.losses.push_back({.thread = "cpu-1", .where = "ring", .times = 1, .records = 3});
  return frame;
}

std::string text_of(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) text += line.text + "\n";
  return text;
}

TEST(Layout, FillsTerminalsOfEverySize) {
  const Frame frame = busy_frame();
  for (const bool begun : {true, false})
    for (size_t columns = 1; columns <= 200; ++columns)
      for (const size_t rows : {1u, 2u, 5u, 12u, 24u, 60u}) {
        Frame one = frame;
        one.has_begun = begun;
        for (const Glyphs glyphs : {Glyphs::kAscii, Glyphs::kUnicode}) {
          const std::vector<Line> lines = lay_out(one, {}, {columns, rows}, glyphs);
          ASSERT_EQ(lines.size(), rows) << columns;
          for (const Line& line : lines) {
            ASSERT_EQ(top::columns_of(line.text), columns) << rows << ": " << line.text;
            ASSERT_EQ(line.text.find('\x1b'), std::string::npos);
            if (glyphs == Glyphs::kUnicode) continue;
            for (const char byte : line.text) ASSERT_GE(byte, ' ') << line.text;
          }
        }
      }
}

TEST(Layout, ShowsTheImportantWhereItIsNarrow) {
  const std::string narrow = text_of(lay_out(busy_frame(), {}, {20, 30}, Glyphs::kAscii));
  for (const char* part : {"barefxt top", "CPU", "busy%", "thread", "run%", "lock", "loss"})
    EXPECT_TRUE(contains(narrow, part)) << " in\n";
  const std::string wide = text_of(lay_out(busy_frame(), {}, {200, 60}, Glyphs::kUnicode));
  for (const char* part : {"thread with a long name 39", "held back by cpu-1", "0.75 s behind",
                           "switches", "wakeups", "12.0ms", "log", "\u6e29\u5ea6", "115.2kB/s"})
    EXPECT_TRUE(contains(wide, part)) << " in\n";
}

TEST(Layout, EachSectionHasRowsWhereAllAreShown) {
  const std::string text = text_of(lay_out(busy_frame(), {}, {80, 24}, Glyphs::kAscii));
  for (const char* part : {"timer", "spi bus", "cpu-1", "thread with"})
    EXPECT_TRUE(contains(text, part)) << " in\n";
}

TEST(Layout, WarnsOfSilentAndOfEndedLines) {
  Frame frame = busy_frame();
  frame.line.silent = 1;
  EXPECT_TRUE(lacks(text_of(lay_out(frame, {}, {80, 24}, Glyphs::kAscii)), "nothing has come"));
  frame.line.silent = 5;
  EXPECT_TRUE(
      contains(text_of(lay_out(frame, {}, {80, 24}, Glyphs::kAscii)), "nothing has come for 5 s"));
  frame.line.ended = "the device is gone";
  EXPECT_TRUE(
      contains(text_of(lay_out(frame, {}, {80, 24}, Glyphs::kAscii)), "the device is gone"));
}

std::vector<std::string> names(const Frame& frame, const View& view) {
  std::vector<std::string> all;
  for (const top::ThreadRow* row : shown_threads(frame, view)) all.push_back(row->name);
  return all;
}

TEST(Keys, SortFilterAndReverse) {
  Frame frame;
  for (const auto& [name, running, latency] :
       {std::tuple("b", 0.1, 30u), {"a", 0.3, 10u}, {"net", 0.2, 20u}}) {
    top::ThreadRow row;
    row.koid = frame.threads.size();
    row.name = name;
    row.running = running;
    row.worst_latency = latency;
    frame.threads.push_back(row);
  }
  View view;
  EXPECT_EQ(names(frame, view), (std::vector<std::string>{"a", "net", "b"}));
  on_key(view, frame, 'r');
  EXPECT_EQ(names(frame, view), (std::vector<std::string>{"b", "net", "a"}));
  on_key(view, frame, 'r');
  while (view.sort_by != top::SortBy::kName) on_key(view, frame, 's');
  EXPECT_EQ(names(frame, view), (std::vector<std::string>{"a", "b", "net"}));
  for (const int key :
       {int{'/'}, int{'x'}, int{top::kKeyBackspace}, int{'n'}, int{'*'}, int{top::kKeyEnter}})
    on_key(view, frame, key);
  EXPECT_EQ(names(frame, view), (std::vector<std::string>{"net"}));
  EXPECT_FALSE(on_key(view, frame, 'j').quits);
  EXPECT_EQ(view.selected, 0u) << "b, with the worst latency, which ends the filter";
  EXPECT_EQ(names(frame, view).size(), 3u);
  on_key(view, frame, top::kKeyDown);
  EXPECT_EQ(view.selected, 2u);
  EXPECT_TRUE(on_key(view, frame, 'q').quits);
  EXPECT_TRUE(on_key(view, frame, 'w').saves);
}

TEST(Keys, AskOnlyWhereTheLineHasAWayBack) {
  View view;
  EXPECT_FALSE(on_key(view, {}, 'S').asks);
  EXPECT_NE(view.message, "");
  view.can_ask = true;
  EXPECT_EQ(on_key(view, {}, 'S').asks->what, top::AskFor::kStart);
  EXPECT_EQ(on_key(view, {}, 'X').asks->what, top::AskFor::kStop);
  EXPECT_EQ(on_key(view, {}, 'N').asks->what, top::AskFor::kSnapshot);
  EXPECT_EQ(on_key(view, {}, 'D').asks->what, top::AskFor::kDump);
  EXPECT_FALSE(on_key(view, {}, 'C').asks) << "the mask is to be typed";
  on_key(view, {}, '1');
  on_key(view, {}, 'F');
  EXPECT_EQ(on_key(view, {}, top::kKeyEnter).asks->categories, 0x1Fu);
  on_key(view, {}, 'C');
  on_key(view, {}, 'z');
  EXPECT_FALSE(on_key(view, {}, top::kKeyEnter).asks);
  EXPECT_TRUE(contains(view.message, "0xz"));
}

TEST(Layout, DrawsSparklinesAndTimes) {
  EXPECT_EQ(top::sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 8, Glyphs::kAscii), "_.-=+*%#");
  EXPECT_EQ(top::sparkline({0, 7, 7}, 2, Glyphs::kUnicode), "▁▁") << "those that are shown";
  EXPECT_EQ(top::sparkline({}, 5, Glyphs::kAscii), "");
  EXPECT_EQ(top::short_time(0, 1000), "0ns");
  EXPECT_EQ(top::short_time(1, 1000), "1.00ms");
  EXPECT_EQ(top::short_time(999'999, 1'000'000), "1.00s");
  EXPECT_EQ(top::short_time(123'456, 1'000'000'000), "123us");
}

}  // namespace
}  // namespace barefxt::test::layout_test
