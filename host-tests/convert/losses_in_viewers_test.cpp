// A capture is damaged by a seed. A viewer's picture of the rest is compared with its picture of
// the whole. A slice whose enclosing begins and ends all remain has the same depth. No row of a CPU
// spans a loss. The viewer counts no error.
#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>

#include <barefxt/host/lint.h>

#include "archive/memory_archive.h"
#include "build_kind.h"
#include "converting.h"
#include "rebuild/damaged_captures.h"
#include "rebuild/rebuild_harness.h"
#include "shown_slices.h"
#include "stats/summing.h"

namespace barefxt::test::losses_in_viewers_test {
namespace {

using fxt::EventType;
using host::ArchiveArgument;
using host::ArchiveWriter;
using U = uint64_t;

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }
Shown shown(const std::string& archive) {
  return shown_of_archive(decode_plainly(Bytes(archive.begin(), archive.end())));
}

std::string without_added(const std::string& archive) {
  std::string rest;
  for (const PlainRecord& record : decode_plainly(Bytes(archive.begin(), archive.end())).records)
    if (!is_added(record)) rest += record.raw;
  return rest;
}

struct Compared {
  size_t alike = 0;
  size_t others = 0;  // some of what encloses them is lost
  size_t higher = 0;  // of those, at a lower depth than in the whole archive
  size_t gone = 0;
};

// A name whose entry is lost in both copies is `string#N`. Records are known again by their time,
// thread and kind, unless two of the whole archive have these in common.
class LostNames {
 public:
  explicit LostNames(const Shown& whole) {
    for (const SliceMark& mark : whole.marks) {
      const auto [known, is_new] = labels_.try_emplace(key(mark), mark.label);
      if (!is_new) known->second.clear();
    }
  }
  SliceMark found_again(SliceMark mark) const {
    if (mark.label.find("string#") == std::string::npos) return mark;
    const auto known = labels_.find(key(mark));
    if (known != labels_.end() && !known->second.empty()) mark.label = known->second;
    return mark;
  }
  std::set<SliceMark> found_again(const std::set<SliceMark>& marks) const {
    std::set<SliceMark> all;
    for (const SliceMark& mark : marks) all.insert(found_again(mark));
    return all;
  }
  std::map<SliceMark, size_t> found_again(const std::map<SliceMark, size_t>& depths) const {
    std::map<SliceMark, size_t> all;
    for (const auto& [mark, depth] : depths) all[found_again(mark)] = depth;
    return all;
  }

 private:
  using Key = std::tuple<bool, uint64_t, uint64_t>;
  static Key key(const SliceMark& mark) { return {mark.is_end, mark.thread, mark.time}; }
  std::map<Key, std::string> labels_;
};

// Compares the slices of the whole archive with those of the damaged one: its `marks`, and the
// `depths` at which it shows them.
Compared compare(const Shown& whole, const std::set<SliceMark>& marks,
                 const std::map<SliceMark, size_t>& depths) {
  Compared compared;
  for (const ShownSlice& slice : whole.slices) {
    if (!marks.contains(slice.begin)) {
      ++compared.gone;
      continue;
    }
    const auto depth = depths.find(slice.begin);
    EXPECT_NE(depth, depths.end()) << slice.begin.label << " at " << slice.begin.time;
    if (depth == depths.end()) continue;
    const auto survivors = static_cast<size_t>(
        std::count_if(slice.around.begin(), slice.around.end(), [&](size_t outer) {
          const ShownSlice& one = whole.slices[outer];
          return marks.contains(one.begin) &&
                 (one.is_complete || (one.has_end && marks.contains(one.end)));
        }));
    // One that is lost in part may be cut, or gone: then what it encloses stands higher by it.
    EXPECT_GE(depth->second, survivors) << slice.begin.label << " at " << slice.begin.time;
    EXPECT_LE(depth->second, slice.around.size())
        << slice.begin.label << " of " << slice.begin.thread << " at " << slice.begin.time;
    if (survivors == slice.around.size()) {
      ++compared.alike;
    } else {
      ++compared.others;
      compared.higher += depth->second == slice.around.size() ? 0 : 1;
    }
  }
  return compared;
}

// In ns.
std::vector<ShownRow> losses_of(const PlainArchive& archive) {
  std::vector<ShownRow> losses;
  U ticks_per_second = 1'000'000'000;
  for (const PlainRecord& record : archive.records) {
    if (record.type == 1) ticks_per_second = record.value;
    const U unit = 1'000'000'000 / ticks_per_second;
    if (record.type == 4 && record.name == "drop_stats")
      losses.push_back({.cpu = record.thread - 0x7f000000,
                        .thread = 0,
                        .from = record.timestamp * unit,
                        .to = record.value * unit});
  }
  return losses;
}

void expect_no_row_over(const std::vector<ShownRow>& losses, const Shown& shown) {
  for (const ShownRow& loss : losses)
    for (const ShownRow& row : shown.rows)
      EXPECT_FALSE(row.cpu == loss.cpu && row.from < loss.to && row.to > loss.from)
          << "thread " << row.thread << " from " << row.from << " to " << row.to;
}

void expect_no_error(const Shown& left, const Shown& whole) {
  EXPECT_LE(left.misplaced_ends, whole.misplaced_ends);
  EXPECT_LE(left.mismatched_switches, whole.mismatched_switches);
  EXPECT_LE(left.open, whole.open + 2) << "what was begun behind the last loss";
  EXPECT_EQ(left.misplaced_interrupt_ends, 0U);
  EXPECT_LE(left.open_interrupts, whole.open_interrupts + 1);
}

// Returns how many slices are as before.
size_t expect_honest(const std::string& name, const std::string& whole, const Bytes& damaged) {
  SCOPED_TRACE(name);
  const Rebuilt rebuilt = rebuild(damaged);
  expect_sound(rebuilt);
  const std::string archive = text_of(rebuilt.archive);
  const Shown all = shown(whole);
  const Shown left = shown(archive);
  EXPECT_GT(left.added, 0U);
  const LostNames names(all);
  const std::set<SliceMark> marks = names.found_again(left.marks);
  const Compared compared = compare(all, marks, names.found_again(left.depths()));
  EXPECT_EQ(left.wrong_ends, 0U);
  expect_no_error(left, all);
  const std::vector<ShownRow> losses = losses_of(decode_plainly(rebuilt.archive));
  EXPECT_GT(losses.size(), 0U);
  expect_no_row_over(losses, left);
  EXPECT_GT(left.rows.size(), all.rows.size() / 2);
  // An archive that nothing was added to becomes the same, and the same archive stays as it is.
  EXPECT_TRUE(to_fxt(without_added(archive)).bytes == archive);
  EXPECT_TRUE(to_fxt(archive).bytes == archive);

  const Shown all_in_perfetto = shown_of_perfetto(to_perfetto(whole).bytes);
  for (const std::string& form : {archive, without_added(archive)}) {
    const Shown in_perfetto = shown_of_perfetto(to_perfetto(form).bytes);
    const Compared again = compare(all, marks, names.found_again(in_perfetto.depths()));
    EXPECT_EQ(again.alike, compared.alike);
    expect_no_error(in_perfetto, all_in_perfetto);
    expect_no_row_over(losses, in_perfetto);
  }
  std::cout << name << ": " << compared.alike << " slices have their depth, " << compared.others
            << " lie in a slice that is lost in part, " << compared.higher
            << " of them higher by it; " << compared.gone << " are gone; " << left.added
            << " records added\n";
  return compared.alike;
}

TEST(LossesInViewers, NothingIsAddedToAWholeCapture) {
  const Shown whole = shown(text_of(rebuild(demo_capture()).archive));
  EXPECT_EQ(whole.added, 0U);
  EXPECT_EQ(whole.misplaced_ends, 0U);
  EXPECT_EQ(whole.mismatched_switches, 0U);
}

// One picture of the demo takes sanitized code two seconds.
unsigned seeds() { return kSanitized && !is_full_run() ? 2 : 5; }

TEST(LossesInViewers, FlippedBitsLeaveEveryOtherSliceItsDepth) {
  const std::string whole = text_of(rebuild(demo_capture()).archive);
  size_t alike = 0;
  for (unsigned seed = 1; seed <= seeds(); ++seed)
    alike += expect_honest("40 flipped bits, seed " + std::to_string(seed), whole,
                           with_flipped_bits(demo_capture(), seed));
  EXPECT_GT(5 * alike, 4 * seeds() * shown(whole).slices.size());
}

TEST(LossesInViewers, CutsLeaveEveryOtherSliceItsDepth) {
  const std::string whole = text_of(rebuild(demo_capture()).archive);
  size_t alike = 0;
  for (unsigned seed = 1; seed <= seeds(); ++seed)
    alike += expect_honest("4 cuts, seed " + std::to_string(seed), whole,
                           with_cuts(demo_capture(), seed));
  EXPECT_GT(5 * alike, 4 * seeds() * shown(whole).slices.size());
}

// A trace of one CPU by hand.
class ByHand {
 public:
  explicit ByHand(ArchiveWriter& writer) : writer_(writer) {
    writer.provider_info(1, "by hand");
    writer.initialization(1'000'000'000);
  }
  ByHand& half(EventType type, U time, const char* name, U thread = 11, U process = 10) {
    EXPECT_TRUE(add_event(writer_, type, time, {0, process, thread}, "c", name));
    return *this;
  }
  ByHand& begin(U time, const char* name) { return half(EventType::kDurationBegin, time, name); }
  ByHand& end(U time, const char* name) { return half(EventType::kDurationEnd, time, name); }
  ByHand& change(U time, U from, U to) {
    EXPECT_TRUE(writer_.context_switch({time, 0, fxt::ThreadState::kBlocked, from, to}, {}));
    return *this;
  }
  ByHand& loss(U from, U to) {
    writer_.provider_event(1, fxt::ProviderEvent::kBufferFull);
    EXPECT_TRUE(add_event(writer_, EventType::kDurationComplete, from, {0, 0x7e000000, 0x7f000000},
                          "barefxt", "drop_stats", to));
    return *this;
  }

 private:
  ArchiveWriter& writer_;
};

// "begin NAME TIME DEPTH" of each slice, with an end where it has one; `+` at what was added.
std::vector<std::string> lines_of(const std::string& archive) {
  std::vector<std::string> lines;
  for (const PlainRecord& record : decode_plainly(Bytes(archive.begin(), archive.end())).records) {
    const bool is_half = record.type == 4 && (record.subtype == 2 || record.subtype == 3);
    const bool is_switch = record.type == 8 && record.subtype == 1;
    if (!is_half && !is_switch) continue;
    std::string line =
        is_switch ? std::to_string(record.thread) + ">" + std::to_string(record.other_thread)
        : record.subtype == 2 ? "begin " + record.name
                              : "end " + record.name;
    line += " " + std::to_string(record.timestamp);
    if (is_added(record)) line += " " + record.arguments[0].text;
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> converted(const std::function<void(ByHand)>& write) {
  return lines_of(to_fxt(written([&](ArchiveWriter& writer) { write(ByHand(writer)); })).bytes);
}

using Lines = std::vector<std::string>;

TEST(LossesInViewers, ALossEndsWhatTheRestDoesNotShowToGoOn) {
  EXPECT_EQ(converted([](ByHand by) {
              by.begin(10, "work").loss(20, 30).begin(40, "work").end(50, "work");
            }),
            (Lines{"begin work 10", "end work 20 loss", "begin work 40", "end work 50"}));
  EXPECT_EQ(converted([](ByHand by) {
              by.begin(10, "outer").begin(12, "inner").loss(20, 30).end(50, "outer");
            }),
            (Lines{"begin outer 10", "begin inner 12", "end inner 20 loss", "end outer 50"}));
  // A duration that stays open to the archive's end may have ended in the loss.
  EXPECT_EQ(converted([](ByHand by) { by.begin(10, "work").loss(20, 30).begin(40, "other"); }),
            (Lines{"begin work 10", "end work 20 loss", "begin other 40"}));
}

TEST(LossesInViewers, WhatEndsBehindALossWentOn) {
  EXPECT_EQ(converted([](ByHand by) {
              by.begin(10, "outer").loss(20, 30).begin(40, "inner").end(45, "inner");
              by.end(50, "outer");
            }),
            (Lines{"begin outer 10", "begin inner 40", "end inner 45", "end outer 50"}));
  // An inner end proves its outer duration open at one loss; it may be lost at the next.
  EXPECT_EQ(converted([](ByHand by) {
              by.begin(10, "outer").begin(12, "inner").loss(20, 30).end(35, "inner");
              by.loss(40, 50).begin(60, "outer").end(70, "outer");
            }),
            (Lines{"begin outer 10", "begin inner 12", "end inner 35", "end outer 40 loss",
                   "begin outer 60", "end outer 70"}));
}

TEST(LossesInViewers, AnEndEndsWhatIsUnmatchedInsideFirst) {
  const auto write = [](ByHand by, bool with_loss) {
    by.begin(5, "ahead").end(6, "ahead");
    if (with_loss) by.loss(7, 8);
    by.begin(10, "outer").begin(12, "inner").end(50, "outer");
  };
  EXPECT_EQ(converted([&](ByHand by) { write(by, true); }),
            (Lines{"begin ahead 5", "end ahead 6", "begin outer 10", "begin inner 12",
                   "end inner 50 outer_end", "end outer 50"}));
  // An archive without losses stays as it is.
  EXPECT_EQ(
      converted([&](ByHand by) { write(by, false); }),
      (Lines{"begin ahead 5", "end ahead 6", "begin outer 10", "begin inner 12", "end outer 50"}));
  // In Perfetto's own format it does not.
  const Shown in_perfetto = shown_of_perfetto(
      to_perfetto(written([&](ArchiveWriter& writer) { write(ByHand(writer), false); })).bytes);
  EXPECT_EQ(in_perfetto.open, 0U);
  EXPECT_EQ(in_perfetto.added, 1U);
}

TEST(LossesInViewers, AnEndWithoutABeginEndsNothingElse) {
  EXPECT_EQ(converted([](ByHand by) {
              by.begin(10, "outer").loss(20, 30).end(40, "lost").end(50, "outer");
            }),
            (Lines{"begin outer 10", "begin lost 40 lost_begin", "end lost 40", "end outer 50"}));
}

TEST(LossesInViewers, ALossEndsEveryInterruptOfItsCpu) {
  const auto irq = [](ByHand by, EventType type, U time, U cpu) {
    by.half(type, time, "irq", 0x7f000000 + cpu, 0x7e000000);
  };
  EXPECT_EQ(converted([&](ByHand by) {
              irq(by, EventType::kDurationBegin, 10, 0);
              irq(by, EventType::kDurationBegin, 11, 1);
              by.loss(20, 30);
              irq(by, EventType::kDurationEnd, 40, 0);
              irq(by, EventType::kDurationEnd, 41, 1);
            }),
            (Lines{"begin irq 10", "begin irq 11", "end irq 20 loss", "begin irq 40 lost_begin",
                   "end irq 40", "end irq 41"}));
}

TEST(LossesInViewers, NobodyRunsInALossAndWhoRanBehindItRunsFromItsEnd) {
  const auto lines = [&](U before, U behind) {
    return lines_of(to_fxt(written([&](ArchiveWriter& writer) {
                      ByHand by(writer);
                      name_thread(writer, 99, 0, "idle/0");
                      by.change(10, 12, before).loss(20, 30).change(40, behind, 12);
                    })).bytes);
  };
  EXPECT_EQ(lines(11, 13), (Lines{"12>11 10", "11>0 20 loss", "0>13 30 loss", "13>12 40"}));
  EXPECT_EQ(lines(99, 99), (Lines{"12>99 10", "99>12 40"}));
  // Perfetto knows an idle thread by this weight alone, whichever side of a switch it is on.
  constexpr auto kIdle = static_cast<U>(std::numeric_limits<int32_t>::min());
  U sides = 0;
  const std::string archive = to_fxt(written([](ArchiveWriter& writer) {
                                ByHand by(writer);
                                by.change(10, 12, 11).loss(20, 30).change(40, 13, 12);
                              })).bytes;
  for (const PlainRecord& record : decode_plainly(Bytes(archive.begin(), archive.end())).records) {
    if (record.type != 8) continue;
    for (const auto& [koid, weight] : {std::pair(record.thread, "outgoing_weight"),
                                       std::pair(record.other_thread, "incoming_weight")}) {
      const PlainArgument* const argument = record.argument(weight);
      EXPECT_EQ(argument != nullptr && argument->bits == kIdle, koid == 0) << weight;
      sides += koid == 0 ? 1 : 0;
    }
  }
  EXPECT_EQ(sides, 2U);
}

TEST(LossesInViewers, StatisticsCountWhatWasCutAndMeasureItNot) {
  const std::string archive = to_fxt(written([](ArchiveWriter& writer) {
                                ByHand by(writer);
                                by.change(5, 12, 11).begin(10, "work").loss(20, 30);
                                by.begin(40, "work").end(50, "work").end(60, "lost");
                                by.change(70, 11, 12);
                              })).bytes;
  const Lines expected = {
      "12>11 5",      "begin work 10", "11>0 20 loss", "end work 20 loss",
      "0>11 30 loss", "begin work 40", "end work 50",  "begin lost 60 lost_begin",
      "end lost 60",  "11>12 70"};
  Lines lines = lines_of(archive);
  std::sort(lines.begin(), lines.end());
  Lines sorted = expected;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(lines, sorted);
  for (const std::string& one : {archive, without_added(archive)}) {
    const host::Statistics statistics = statistics_in(one);
    ASSERT_EQ(statistics.durations.size(), 1U);
    const host::DurationStatistics& work = statistics.durations.begin()->second;
    EXPECT_EQ(work.total.count(), 1U);
    EXPECT_EQ(work.total.total(), 10U);
    EXPECT_EQ(work.unended, 1U);
    EXPECT_EQ(statistics.unmatched_ends, 1U);
    EXPECT_EQ(statistics.cpus.at(0).switches.total(), 2U);
    EXPECT_EQ(statistics.cpus.at(0).lost, 10U);
  }
}

TEST(LossesInViewers, LintHasNoFindingForWhatWasAdded) {
  const auto rules_of = [](const std::string& archive) {
    std::vector<std::string> rules;
    const host::Form form = host::guess_form(as_bytes(archive)).form;
    host::Linter linter(form,
                        [&](const host::Finding& one) { rules.emplace_back(one.rule->name); });
    host::Reader reader(as_bytes(archive), form);
    while (const host::Record* record = reader.next()) linter.see(*record, reader.provider());
    linter.finish();
    std::sort(rules.begin(), rules.end());
    return rules;
  };
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const std::string archive = text_of(rebuild(with_flipped_bits(demo_capture(), seed)).archive);
    const std::vector<std::string> rules = rules_of(archive);
    const std::vector<std::string> before = rules_of(without_added(archive));
    EXPECT_TRUE(std::includes(before.begin(), before.end(), rules.begin(), rules.end()))
        << ::testing::PrintToString(rules) << " " << ::testing::PrintToString(before);
  }
}

// Slices of threads that go from CPU to CPU, with any records lost: the added records give every
// end its begin.
TEST(LossesInViewers, EveryEndHasItsBeginWhateverIsLost) {
  size_t added = 0;
  for (unsigned seed = 1; seed <= sampled(300); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::string archive = written([&](ArchiveWriter& writer) {
      ByHand by(writer);
      std::map<U, std::vector<char>> open;
      std::map<U, U> lost_since;
      for (U time = 10; time < 400; ++time) {
        const U thread = 11 + random() % 3;
        std::vector<char>& stack = open[thread];
        const bool is_lost = (time / 16) % 3 == 1 && time % 16 < 8;
        const bool begins = stack.size() < 4 && (stack.empty() || random() % 2 == 0);
        const char letter = begins ? static_cast<char>('a' + random() % 4) : stack.back();
        const std::string name(1, letter);
        begins ? stack.push_back(letter) : stack.pop_back();
        if (is_lost && time % 16 == 0) by.loss(time - 1, time + 8);
        if (!is_lost)
          by.half(begins ? EventType::kDurationBegin : EventType::kDurationEnd, time, name.c_str(),
                  thread);
      }
    });
    const std::string repaired = to_fxt(archive).bytes;
    for (const Shown& one : {shown(repaired), shown_of_perfetto(to_perfetto(archive).bytes)}) {
      EXPECT_EQ(one.misplaced_ends, 0U);
      EXPECT_EQ(one.wrong_ends, 0U);
      EXPECT_EQ(one.mismatched_switches, 0U);
      added += one.added;
    }
    EXPECT_TRUE(to_fxt(repaired).bytes == repaired);
    EXPECT_TRUE(without_added(repaired) == archive);
  }
  EXPECT_GT(added, 1000U);
}

}  // namespace
}  // namespace barefxt::test::losses_in_viewers_test
