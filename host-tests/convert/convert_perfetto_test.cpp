// Archives as traces in Perfetto's format, read by field numbers as its public schema has them, and
// put together as its trace processor does.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "archive/memory_archive.h"
#include "converting.h"
#include "goldens/goldens.h"
#include "heap/heap_trace.h"
#include "plain_proto.h"

namespace barefxt::test::convert_perfetto_test {
namespace {

using fxt::EventType;
using host::ArchiveArgument;
using host::ArchiveThread;
using host::ArchiveWriter;
using host::Change;
using U = uint64_t;

void add(ArchiveWriter& writer, EventType type, U time, const std::string& name, U trailing = 0,
         U process = 10, U thread = 11, std::vector<ArchiveArgument> arguments = {},
         const char* category = "c") {
  EXPECT_TRUE(
      add_event(writer, type, time, {0, process, thread}, category, name, trailing, arguments));
}

// A trace with its packets taken apart.
class Trace {
 public:
  explicit Trace(Converted converted) : converted_(std::move(converted)) {
    const PlainProto trace(converted_.bytes);
    EXPECT_TRUE(trace.whole());
    for (const PlainProto::Field& field : trace.fields()) {
      EXPECT_EQ(field.number, 1U) << "nothing but packets";
      packets_.emplace_back(field.bytes);
      EXPECT_TRUE(packets_.back().whole());
      // Samples and their stacks are of another sequence.
      const bool has_stacks = packets_.back().has(12) && !packets_.back().has(11);
      EXPECT_EQ(packets_.back().number(10), has_stacks || packets_.back().has(66) ? 2U : 1U);
    }
  }
  explicit Trace(const std::function<void(ArchiveWriter&)>& write)
      : Trace(to_perfetto(written(write))) {}

  const std::vector<PlainProto>& packets() const { return packets_; }
  std::vector<PlainProto> with(U field) const {
    std::vector<PlainProto> found;
    for (const PlainProto& packet : packets_)
      if (packet.has(field)) found.push_back(packet);
    return found;
  }
  // The descriptor of a track.
  PlainProto track(U id) const {
    for (const PlainProto& packet : with(60))
      if (packet.message(60).number(1) == id) return packet.message(60);
    ADD_FAILURE() << "track " << id << " is nowhere described";
    return PlainProto("");
  }
  const host::ChangeCounts& changes() const { return converted_.changes; }

 private:
  Converted converted_;
  std::vector<PlainProto> packets_;
};

struct Slice {
  std::string name;
  U begin;
  U end;
  size_t depth;
  auto operator<=>(const Slice&) const = default;
};

// The trace processor sorts packets by time, keeping their order where it is equal, and has an end
// close the innermost slice of its track.
std::vector<Slice> slices_of(const Trace& trace) {
  std::multimap<U, PlainProto> sorted;
  for (const PlainProto& packet : trace.with(11)) sorted.emplace(packet.number(8), packet);
  std::map<U, std::vector<std::pair<std::string, U>>> open;
  std::vector<Slice> slices;
  for (const auto& [time, packet] : sorted) {
    const PlainProto event = packet.message(11);
    auto& stack = open[event.number(11)];
    if (event.number(9) == 1) stack.emplace_back(event.text(23), time);
    if (event.number(9) == 2 && !stack.empty()) {
      slices.push_back({stack.back().first, stack.back().second, time, stack.size() - 1});
      stack.pop_back();
    }
  }
  return slices;
}

TEST(ConvertPerfetto, TheShortestTraceByteForByte) {
  const Converted converted = to_perfetto(
      written([](ArchiveWriter& writer) { add(writer, EventType::kInstant, 300, "x"); }));
  using namespace std::string_literals;
  const std::string expected =
      "\x0a\x07\x50\x01\x68\x01\xb8\x05\x01"s  // sequence 1, cleared, its first packet
      "\x0a\x13\x50\x01\xe2\x03\x0e\x08\x01\x12\x0a"
      "everything"s                                            // track 1
      "\x0a\x0b\x50\x01\xe2\x03\x06\x08\x02\x1a\x02\x08\x0a"s  // track 2, process 10
      // Track 4, process 11, with track 3 under it, thread 11: the only process is split.
      "\x0a\x0b\x50\x01\xe2\x03\x06\x08\x04\x1a\x02\x08\x0b"s
      "\x0a\x0f\x50\x01\xe2\x03\x0a\x08\x03\x28\x04\x22\x04\x08\x0b\x10\x0b"s
      // At 300 an instant on track 3, category c, called x.
      "\x0a\x13\x40\xac\x02\x50\x01\x5a\x0c\x48\x03\x58\x03\xb2\x01\x01\x63\xba\x01\x01\x78"s;
  EXPECT_EQ(converted.bytes, expected);
}

TEST(ConvertPerfetto, EveryGoldenAndEveryDamagedGoldenIsPackets) {
  for (const Golden& golden : goldens()) {
    host::FormOverrides overrides;
    if (golden.old) overrides.dialect = host::Dialect::k2017;
    const std::string good = little_endian(golden.pieces);
    const Trace whole(to_perfetto(good, overrides));
    for (size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x11);
      ASSERT_TRUE(PlainProto(to_perfetto(bad).bytes).whole()) << golden.name << " at " << at;
    }
  }
}

TEST(ConvertPerfetto, ThreadsProcessesAndTheirNames) {
  const Trace trace([](ArchiveWriter& writer) {
    add(writer, EventType::kInstant, 1, "first", 0, 10, 11);
    add(writer, EventType::kInstant, 2, "main", 0, 10, 10);
    add(writer, EventType::kInstant, 3, "far", 0, U{1} << 40, U{1} << 41);
    add(writer, EventType::kInstant, 4, "other", 0, 12, 13);
    add(writer, EventType::kInstant, 5, "clash", 0, 10, 12);
    EXPECT_TRUE(writer.kernel_object(10, fxt::KernelObjectType::kProcess, text("proc"), {}));
    const std::vector<ArchiveArgument> of = {
        ArchiveArgument::plain(text("process"), fxt::ArgumentType::kKoid, 10)};
    EXPECT_TRUE(writer.kernel_object(11, fxt::KernelObjectType::kThread, text("worker"), of));
  });
  const auto events = trace.with(11);
  ASSERT_EQ(events.size(), 5U);
  const auto thread = [&](size_t i) {
    return trace.track(events[i].message(11).number(11)).message(4);
  };
  EXPECT_EQ(thread(0).number(1), 10U);
  EXPECT_EQ(thread(0).number(2), 11U);
  EXPECT_EQ(thread(0).text(5), "worker") << "though its name came last";
  const U process = trace.track(events[0].message(11).number(11)).number(5);
  EXPECT_EQ(trace.track(process).message(3).number(1), 10U);
  EXPECT_EQ(trace.track(process).message(3).text(6), "proc");
  EXPECT_EQ(thread(1).number(2), 10U) << "the main thread";
  // Koids that Perfetto cannot hold get other numbers; the name holds the koid.
  EXPECT_EQ(thread(2).number(1), (U{1} << 31) - 1);
  EXPECT_EQ(thread(2).number(2), (U{1} << 31) - 2);
  EXPECT_EQ(thread(2).text(5), "thread " + std::to_string(U{1} << 41));
  EXPECT_EQ(thread(3).number(1), 12U);
  EXPECT_EQ(thread(4).number(1), 10U);
  EXPECT_EQ(thread(4).number(2), (U{1} << 31) - 3) << "no other process's main thread";
}

// Perfetto colours and titles what a CPU runs by processes.
TEST(ConvertPerfetto, ThreadsOfTheOnlyProcessAreProcessesToo) {
  const Trace trace([](ArchiveWriter& writer) {
    add(writer, EventType::kInstant, 1, "first", 0, 10, 11);
    add(writer, EventType::kInstant, 2, "second", 0, 10, 12);
    add(writer, EventType::kInstant, 3, "main", 0, 10, 10);
    add(writer, EventType::kInstant, 4, "interrupt", 0, 0x7e000000, 0x7f000000);
    add(writer, EventType::kInstant, 5, "interrupt", 0, 0x7e000000, 0x7f000001);
    add(writer, EventType::kCounter, 6, "load", 0, 10, 11,
        {ArchiveArgument::plain(text("n"), fxt::ArgumentType::kInt32, 1)});
    const ArchiveArgument of = ArchiveArgument::koid(text("process"), 10);
    EXPECT_TRUE(writer.kernel_object(10, fxt::KernelObjectType::kProcess, text("RTOS"), {}));
    EXPECT_TRUE(writer.kernel_object(11, fxt::KernelObjectType::kThread, text("worker"), {&of, 1}));
  });
  const auto events = trace.with(11);
  ASSERT_EQ(events.size(), 6U);
  const auto track = [&](size_t i) { return trace.track(events[i].message(11).number(11)); };
  const auto process = [&](size_t i) { return trace.track(track(i).number(5)).message(3); };
  for (const size_t i : {0, 1}) {
    EXPECT_EQ(track(i).message(4).number(2), 11U + i);
    EXPECT_EQ(track(i).message(4).number(1), 11U + i);
    EXPECT_EQ(process(i).number(1), 11U + i);
  }
  EXPECT_EQ(process(0).text(6), "worker");
  EXPECT_EQ(process(2).text(6), "RTOS");
  EXPECT_EQ(track(2).message(4).number(1), 10U);
  EXPECT_EQ(track(3).number(5), track(4).number(5)) << "CPUs stay together";
  EXPECT_EQ(process(5).number(1), 10U) << "counters are the process's";
}

// Threads that a table on the target has no place for have koids from 2^30 on.
TEST(ConvertPerfetto, KoidsThatFitAreTheNumbersOfThreads) {
  constexpr U kMax = (U{1} << 31) - 1;
  const Trace trace([](ArchiveWriter& writer) {
    add(writer, EventType::kInstant, 1, "inline", 0, 10, (U{1} << 30) + 2);
    add(writer, EventType::kInstant, 2, "far", 0, 10, U{1} << 40);
    add(writer, EventType::kInstant, 3, "taken", 0, 10, kMax);
    add(writer, EventType::kInstant, 4, "next", 0, 10, kMax - 2);
    add(writer, EventType::kInstant, 5, "farther", 0, 10, U{1} << 41);
  });
  std::vector<U> numbers;
  for (const PlainProto& event : trace.with(11))
    numbers.push_back(trace.track(event.message(11).number(11)).message(4).number(2));
  EXPECT_EQ(numbers, (std::vector<U>{(U{1} << 30) + 2, kMax, kMax - 1, kMax - 2, kMax - 3}));
}

TEST(ConvertPerfetto, SwitchesAndWakeupsAsTheKernelWritesThem) {
  const Trace trace([](ArchiveWriter& writer) {
    const auto of = [](U process) {
      return std::vector<ArchiveArgument>{ArchiveArgument::koid(text("process"), process)};
    };
    EXPECT_TRUE(writer.kernel_object(7, fxt::KernelObjectType::kThread, text("a"), of(3)));
    EXPECT_TRUE(writer.kernel_object(8, fxt::KernelObjectType::kThread, text("idle/2"), of(0)));
    const std::vector<ArchiveArgument> weights = {
        ArchiveArgument::plain(text("outgoing_weight"), fxt::ArgumentType::kInt32, 5),
        ArchiveArgument::plain(text("incoming_weight"), fxt::ArgumentType::kInt32, 6)};
    EXPECT_TRUE(writer.context_switch({100, 2, fxt::ThreadState::kBlocked, 7, 8}, weights));
    EXPECT_TRUE(writer.context_switch({150, 2, fxt::ThreadState::kRunning, 8, 99}, {}));
    EXPECT_TRUE(writer.thread_wakeup({160, 2, 7}, {}));
    EXPECT_TRUE(writer.context_switch({170, 2, fxt::ThreadState::kDead, 99, 7}, {}));
    EXPECT_TRUE(writer.context_switch({180, 1024, fxt::ThreadState::kDead, 7, 8}, {}));
  });
  const auto packets = trace.with(1);
  ASSERT_EQ(packets.size(), 4U);
  EXPECT_EQ(trace.changes().of(Change::kUnplacedEvent), 1U) << "a CPU that Perfetto gives up at";
  const auto event = [&](size_t i) {
    EXPECT_EQ(packets[i].message(1).number(1), 2U) << "the CPU";
    return packets[i].message(1).message(2);
  };
  const PlainProto first = event(0).message(4);
  EXPECT_EQ(event(0).number(1), 100U);
  EXPECT_EQ(first.text(1), "a");
  EXPECT_EQ(first.number(2), 7U);
  EXPECT_EQ(first.number(3), 1005U) << "below 100 it would be real-time";
  EXPECT_EQ(first.number(4), 1U) << "sleeping";
  EXPECT_EQ(first.number(6), 0U) << "idle";
  EXPECT_EQ(first.number(7), 1006U);
  EXPECT_EQ(event(1).message(4).number(6), 99U) << "known by its koid alone";
  EXPECT_EQ(event(1).message(4).number(7), 1000U);
  const PlainProto waking = event(2).message(20);
  EXPECT_EQ(event(2).number(2), 99U) << "who ran there woke it";
  EXPECT_EQ(waking.text(1), "a");
  EXPECT_EQ(waking.number(2), 7U);
  EXPECT_EQ(waking.number(5), 2U);
  EXPECT_EQ(event(3).message(4).number(4), 16U) << "dead";
}

TEST(ConvertPerfetto, WakeupsNameTheirWakerOrAnInterrupt) {
  const Trace trace([](ArchiveWriter& writer) {
    const ArchiveArgument waker = ArchiveArgument::koid(text("waker"), 9);
    const ArchiveArgument of_cpu = ArchiveArgument::koid(text("waker"), 0x7f000002);
    EXPECT_TRUE(writer.context_switch({100, 2, fxt::ThreadState::kBlocked, 7, 8}, {}));
    EXPECT_TRUE(writer.thread_wakeup({110, 2, 4}, {&waker, 1}));
    EXPECT_TRUE(writer.thread_wakeup({120, 2, 5}, {&of_cpu, 1}));
    EXPECT_TRUE(writer.thread_wakeup({140, 2, 6}, {}));
    add_event(writer, EventType::kDurationComplete, 130, {0, 0x7e000000, 0x7f000002}, "irq",
              "timer", 150);
  });
  auto packets = trace.with(1);
  std::erase_if(packets, [](const PlainProto& packet) {
    const PlainProto event = packet.message(1).message(2);
    return event.has(36) || event.has(37);  // halves of the interrupt
  });
  ASSERT_EQ(packets.size(), 4U);
  EXPECT_EQ(packets[1].message(1).message(2).number(2), 9U) << "as it was recorded";
  for (const size_t i : {2U, 3U}) {
    const PlainProto compact = packets[i].message(1).message(4);
    EXPECT_EQ(compact.text(7), i == 2 ? "\x78" : std::string("\x8c\x01")) << "the time";
    EXPECT_EQ(compact.text(8), i == 2 ? "\x05" : "\x06") << "who is woken";
    EXPECT_EQ(compact.text(9), "\x02") << "the CPU";
    EXPECT_EQ(compact.text(12), "\x08") << "inside an interrupt";
  }
}

// Perfetto drops marked wakeups on a CPU that has not switched.
TEST(ConvertPerfetto, AWakeupInAnInterruptAheadOfTheFirstSwitchIsNotMarked) {
  const Trace trace([](ArchiveWriter& writer) {
    const ArchiveArgument of_cpu = ArchiveArgument::koid(text("waker"), 0x7f000002);
    EXPECT_TRUE(writer.context_switch({100, 1, fxt::ThreadState::kBlocked, 7, 8}, {}));
    EXPECT_TRUE(writer.thread_wakeup({110, 2, 5}, {&of_cpu, 1}));
    EXPECT_TRUE(writer.context_switch({120, 2, fxt::ThreadState::kBlocked, 9, 5}, {}));
    EXPECT_TRUE(writer.thread_wakeup({130, 2, 9}, {&of_cpu, 1}));
  });
  const auto packets = trace.with(1);
  ASSERT_EQ(packets.size(), 4U);
  EXPECT_EQ(packets[1].message(1).message(2).message(20).number(2), 5U) << "who is woken";
  EXPECT_EQ(packets[1].message(1).message(2).number(2), 0U) << "no waker";
  EXPECT_EQ(packets[3].message(1).message(4).text(8), "\x09") << "marked";
}

TEST(ConvertPerfetto, InterruptsAreOnTracksOfCpusToo) {
  const auto interrupt = [](ArchiveWriter& writer, EventType type, U time, const char* category,
                            U end = 0) {
    const std::vector<ArchiveArgument> number = {
        ArchiveArgument::plain(text("irq"), fxt::ArgumentType::kUint32, 27)};
    EXPECT_TRUE(
        add_event(writer, type, time, {0, 0x7e000000, 0x7f000003}, category, "timer", end, number));
  };
  const Trace trace([&](ArchiveWriter& writer) {
    interrupt(writer, EventType::kDurationBegin, 10, "irq");
    interrupt(writer, EventType::kDurationBegin, 11, "other");
    interrupt(writer, EventType::kDurationEnd, 12, "other");
    interrupt(writer, EventType::kDurationEnd, 13, "irq");
    interrupt(writer, EventType::kDurationComplete, 20, "irq", 25);
    interrupt(writer, EventType::kDurationComplete, 30, "irq", 30);
    add(writer, EventType::kDurationComplete, 40, "no interrupt", 50);
  });
  std::string found;
  for (const PlainProto& packet : trace.with(1)) {
    const PlainProto bundle = packet.message(1);
    const PlainProto event = bundle.message(2);
    EXPECT_EQ(bundle.number(1), 3U);
    if (event.has(36)) {
      EXPECT_EQ(event.message(36).number(1), 27U);
      EXPECT_EQ(event.message(36).text(2), "timer");
    }
    EXPECT_NE(event.has(36), event.has(37));
    found += (event.has(36) ? "begin " : "end ") + std::to_string(event.number(1)) + " ";
  }
  EXPECT_EQ(found, "begin 10 end 13 begin 20 end 25 begin 30 end 30 ");
  EXPECT_EQ(slices_of(trace).size(), 5U) << "on the thread of the CPU they stay";
}

TEST(ConvertPerfetto, LogsAndLossesAreThere) {
  const Trace trace([](ArchiveWriter& writer) {
    writer.provider_info(1, "one");
    add(writer, EventType::kDurationComplete, 5, "drop_stats", 9);
    writer.provider_event(1, fxt::ProviderEvent::kBufferFull);
    writer.log(20, ArchiveThread{0, 10, 11}, "all is well");
    writer.log(21, ArchiveThread{0, 10, 11}, "is it");
  });
  EXPECT_EQ(slices_of(trace), (std::vector<Slice>{{"drop_stats", 5, 9, 0}}));
  std::vector<PlainProto> instants;
  for (const PlainProto& packet : trace.with(11))
    if (packet.message(11).number(9) == 3) instants.push_back(packet);
  ASSERT_EQ(instants.size(), 3U);
  EXPECT_EQ(instants[0].message(11).text(23), "buffer full");
  EXPECT_EQ(instants[0].number(8), 5U);
  const PlainProto& log = instants[1];
  EXPECT_EQ(log.message(11).text(23), "all is well");
  EXPECT_EQ(log.number(13), 2U) << "needs what was interned";
  EXPECT_EQ(log.message(12).message(20).number(1), log.message(11).message(21).number(2));
  EXPECT_EQ(log.message(12).message(20).text(2), "all is well");
  EXPECT_NE(instants[2].message(11).message(21).number(2), log.message(11).message(21).number(2));
}

TEST(ConvertPerfetto, WakeupsOfThreadsThatRunOrAreReadyAreLeftOut) {
  const Trace trace([](ArchiveWriter& writer) {
    EXPECT_TRUE(writer.context_switch({100, 2, fxt::ThreadState::kBlocked, 7, 8}, {}));
    EXPECT_TRUE(writer.thread_wakeup({110, 2, 8}, {}));
    EXPECT_TRUE(writer.thread_wakeup({120, 2, 7}, {}));
    EXPECT_TRUE(writer.thread_wakeup({130, 2, 7}, {}));
    EXPECT_TRUE(writer.context_switch({140, 2, fxt::ThreadState::kNew, 8, 7}, {}));
    EXPECT_TRUE(writer.thread_wakeup({150, 2, 8}, {}));
    add(writer, EventType::kDurationComplete, 160, "drop_stats", 170);
    EXPECT_TRUE(writer.thread_wakeup({180, 2, 8}, {}));
  });
  std::vector<U> times;
  for (const PlainProto& packet : trace.with(1)) {
    const PlainProto event = packet.message(1).message(2);
    if (event.has(20)) times.push_back(event.number(1));
  }
  EXPECT_EQ(times, (std::vector<U>{120, 180})) << "180: whether it waits was lost";
  EXPECT_EQ(trace.changes().of(Change::kNoPlaceInFormat), 3U);
}

TEST(ConvertPerfetto, NothingIsAheadOfTheFirstEvent) {
  const Trace trace([](ArchiveWriter& writer) {
    writer.provider_info(1, "one");
    writer.provider_event(1, fxt::ProviderEvent::kBufferFull);
    add(writer, EventType::kInstant, 5000, "first");
    writer.provider_event(1, fxt::ProviderEvent::kBufferFull);
    add(writer, EventType::kDurationComplete, 7000, "drop_stats", 9000);
    writer.provider_event(1, fxt::ProviderEvent::kBufferFull);
  });
  std::vector<U> times;
  for (const PlainProto& packet : trace.with(11))
    if (packet.message(11).text(23) == "buffer full") times.push_back(packet.number(8));
  EXPECT_EQ(times, (std::vector<U>{5000, 7000, 7000}));
}

// A tree of durations within [begin, end], each written where it ends, as a kernel does.
void grow(std::mt19937& random, ArchiveWriter& writer, std::vector<Slice>& expected, U begin, U end,
          size_t depth) {
  U at = begin;
  while (depth < 5 && at < end && random() % 4 != 0) {
    const U from = at + random() % 2;
    if (from >= end) break;
    const U to = from + 1 + random() % (end - from);
    grow(random, writer, expected, from, to, depth + 1);
    at = to;
  }
  const std::string name = std::to_string(expected.size());
  add(writer, EventType::kDurationComplete, begin, name, end);
  expected.push_back({name, begin, end, depth});
}

TEST(ConvertPerfetto, CompleteDurationsNestAsTheyDid) {
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    std::vector<Slice> expected;
    const Trace trace([&](ArchiveWriter& writer) {
      U at = 0;
      for (int i = 0; i < 3; ++i) {
        const U end = at + 1 + random() % 8;
        grow(random, writer, expected, at, end, 0);
        at = end;
      }
    });
    std::vector<Slice> found = slices_of(trace);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected);
  }
}

TEST(ConvertPerfetto, WhatHasNoLengthClosesNothingElse) {
  const Trace trace([](ArchiveWriter& writer) {
    add(writer, EventType::kDurationComplete, 5, "point", 5);
    add(writer, EventType::kDurationBegin, 5, "begun");
    add(writer, EventType::kDurationEnd, 5, "begun");
    add(writer, EventType::kDurationComplete, 2, "around", 9);
  });
  auto found = slices_of(trace);
  ASSERT_EQ(found.size(), 3U);
  for (const Slice& slice : found)
    EXPECT_EQ(slice.end - slice.begin, slice.name == "around" ? 7U : 0U) << slice.name;
}

TEST(ConvertPerfetto, AStackHasTheNameOfItsThread) {
  const Trace trace([](ArchiveWriter& writer) {
    EXPECT_TRUE(writer.kernel_object(12, fxt::KernelObjectType::kThread, text("rx"), {}));
    const auto mark = [&](U time, U koid, U thread) {
      add(writer, EventType::kCounter, time, "stack", koid, 10, thread,
          {ArchiveArgument::uint32(text("left"), 128)}, "stack");
    };
    mark(1, 12, 11);
    mark(2, 13, 11);
    mark(3, 12, 14);
    add(writer, EventType::kCounter, 4, "stack", 12, 10, 11,
        {ArchiveArgument::uint32(text("left"), 1)});
  });
  const auto events = trace.with(11);
  const auto track = [&](size_t i) { return events[i].message(11).number(11); };
  EXPECT_EQ(trace.track(track(0)).text(2), "stack:left:rx");
  EXPECT_EQ(trace.track(track(1)).text(2), "stack:left:13");
  EXPECT_EQ(track(2), track(0)) << "whichever thread records it";
  EXPECT_EQ(trace.track(track(3)).text(2), "stack:left:12") << "of another category";
}

TEST(ConvertPerfetto, TheLiveBytesOfAHeapAreOneCounter) {
  const Trace trace(to_perfetto(heap_of_four_changes()));
  std::vector<U> counted;
  std::set<U> tracks;
  for (const PlainProto& packet : trace.with(11)) {
    const PlainProto event = packet.message(11);
    if (!event.has(30)) continue;
    counted.push_back(event.number(30));
    tracks.insert(event.number(11));
  }
  EXPECT_EQ(counted, (std::vector<U>{100, 150, 350, 50}));
  ASSERT_EQ(tracks.size(), 1U) << "whichever thread allocates";
  EXPECT_EQ(trace.track(*tracks.begin()).text(2), "live heap:bytes");
}

TEST(ConvertPerfetto, CountersFlowsAndOperations) {
  const Trace trace([](ArchiveWriter& writer) {
    using fxt::ArgumentType;
    const double infinite = std::numeric_limits<double>::infinity();
    add(writer, EventType::kCounter, 1, "load", 3, 10, 11,
        {ArchiveArgument::plain(text("n"), ArgumentType::kInt32, static_cast<U>(-4)),
         ArchiveArgument::plain(text("x"), ArgumentType::kDouble, std::bit_cast<U>(1.5)),
         ArchiveArgument::plain(text("u"), ArgumentType::kUint64, ~U{0}),
         ArchiveArgument::plain(text("no"), ArgumentType::kDouble, std::bit_cast<U>(infinite))});
    add(writer, EventType::kFlowBegin, 2, "flow", 77, 10, 11,
        {ArchiveArgument::plain(text("bytes"), ArgumentType::kInt32, 64)});
    add(writer, EventType::kFlowEnd, 3, "flow", 77, 10, 12,
        {ArchiveArgument::string(text("from"), text("a"))});
    add(writer, EventType::kAsyncBegin, 4, "operation", 5);
    add(writer, EventType::kAsyncBegin, 5, "part", 5);
    add(writer, EventType::kAsyncInstant, 6, "seen", 5);
    add(writer, EventType::kAsyncEnd, 7, "part", 5);
    add(writer, EventType::kAsyncEnd, 8, "operation", 5);
    add(writer, EventType::kAsyncBegin, 9, "operation", 5);
  });
  EXPECT_EQ(trace.changes().of(Change::kSeriesValue), 1U);
  const auto events = trace.with(11);
  const auto event = [&](size_t i) { return events[i].message(11); };
  EXPECT_EQ(static_cast<int64_t>(event(0).number(30)), -4);
  EXPECT_EQ(trace.track(event(0).number(11)).text(2), "load:n:3");
  EXPECT_TRUE(trace.track(event(0).number(11)).has(8));
  EXPECT_EQ(event(1).real(44), 1.5);
  EXPECT_EQ(event(2).real(44), std::ldexp(1, 64));
  EXPECT_EQ(event(3).number(47), 77U);
  EXPECT_EQ(event(4).number(48), 77U);
  EXPECT_NE(event(3).number(11), event(4).number(11)) << "from thread to thread";
  EXPECT_EQ(event(3).message(4).text(10), "bytes");
  EXPECT_EQ(event(3).message(4).number(4), 64U);
  EXPECT_EQ(event(4).message(4).text(10), "from");
  EXPECT_EQ(event(4).message(4).text(6), "a");
  EXPECT_EQ(trace.track(event(5).number(11)).text(2), "operation");
  for (const size_t i : {6, 7, 8, 9}) EXPECT_EQ(event(i).number(11), event(5).number(11));
  EXPECT_NE(event(10).number(11), event(5).number(11)) << "another operation of the same id";
  EXPECT_EQ(event(10).number(9), 1U);
}

TEST(ConvertPerfetto, ArgumentsKeepTheirTypes) {
  using fxt::ArgumentType;
  const Trace trace([](ArchiveWriter& writer) {
    add(writer, EventType::kInstant, 1, "x", 0, 10, 11,
        {ArchiveArgument::plain(text("i"), ArgumentType::kInt64, ~U{0}),
         ArchiveArgument::plain(text("u"), ArgumentType::kUint64, ~U{0}),
         ArchiveArgument::plain(text("p"), ArgumentType::kPointer, 16),
         ArchiveArgument::plain(text("p"), ArgumentType::kBool, 1),
         ArchiveArgument::string(text("s"), text("t")), ArchiveArgument::null(text("z"))});
  });
  const auto all = trace.with(11)[0].message(11).all(4);
  ASSERT_EQ(all.size(), 6U);
  const auto argument = [&](size_t i) { return PlainProto(all[i].bytes); };
  EXPECT_EQ(argument(0).text(10), "i");
  EXPECT_EQ(static_cast<int64_t>(argument(0).number(4)), -1);
  EXPECT_EQ(argument(1).number(3), ~U{0});
  EXPECT_EQ(argument(2).number(7), 16U);
  EXPECT_EQ(argument(3).text(10), "p#2");
  EXPECT_EQ(argument(3).number(2), 1U);
  EXPECT_EQ(argument(4).text(6), "t");
  EXPECT_EQ(argument(5).text(6), "null");
}

TEST(ConvertPerfetto, TimesAreNanosecondsAndWhatIsTooLateIsCounted) {
  const Trace trace([](ArchiveWriter& writer) {
    writer.initialization(3);
    add(writer, EventType::kInstant, 4, "x");
    add(writer, EventType::kInstant, U{1} << 40, "y");
  });
  EXPECT_EQ(trace.with(11)[0].number(8), 1'333'333'333U);
  EXPECT_EQ(trace.with(11).size(), 1U);
  EXPECT_EQ(trace.changes().of(Change::kUnplacedEvent), 1U);
}

}  // namespace
}  // namespace barefxt::test::convert_perfetto_test
