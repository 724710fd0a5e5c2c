// The table of threads at every instruction, read or changed in the middle of a change. Each step
// of a change has a test that needs it.

#include <string>

#include <barefxt/fxt/event.h>
#include <barefxt/kernel_hooks.h>

#include "../contains.h"
#include "binary_frames.h"
#include "ring_stepping.h"
#include "switch_bits.h"
#include "trace.h"

namespace barefxt::test::ring_threads_test {
namespace {

constexpr uint32_t kKoid = 101;
constexpr const char* kBefore = "an";
constexpr const char* kAfter = "a name of 16 byt";

barefxt_thread thread;

// The content of a dump's or a drain's threads frames for one koid.
struct KoidEntries {
  uint32_t frames = 0;
  uint32_t entries = 0;  // that have it, in all
  uint32_t nameless = 0;
  bool is_well_formed = true;
  std::string names;  // one after the other, each with a blank behind it
};

class ThreadsFrames {
 public:
  explicit ThreadsFrames(uint32_t koid) : koid_(koid) {}
  static void write(void* context, const uint8_t* bytes, size_t count) {
    static_cast<ThreadsFrames*>(context)->take(bytes, count);
  }
  void take(const uint8_t* bytes, size_t count) {
    frames_.take(bytes, count, [this](const std::vector<uint8_t>& frame) { look_at(frame); });
  }
  const KoidEntries& found() const { return found_; }

 private:
  void look_at(const std::vector<uint8_t>& bytes) {
    using wire::ThreadsEntry;
    if (type_of(bytes) != wire::FrameType::kThreads) return;
    ++found_.frames;
    const size_t end = bytes.size() - wire::kCrcBytes;
    // After a test whose threads used entries again, entries have the time since which they hold.
    const bool has_since = bytes[wire::FrameHeader::kVersion] == wire::kVersionOfReuse;
    const size_t name_at = has_since ? wire::ThreadsEntrySince::kName : ThreadsEntry::kName;
    size_t at = wire::FrameHeader::kBytes + wire::Threads::kEntries;
    while (at < end) {
      const uint8_t* entry = bytes.data() + at;
      at += name_at;
      if (at <= end) at += entry[ThreadsEntry::kNameBytes];
      if (at > end) break;
      if (wire::load_u32(entry + ThreadsEntry::kKoid) != koid_) continue;
      ++found_.entries;
      if (entry[ThreadsEntry::kNameBytes] == 0) ++found_.nameless;
      found_.names.append(reinterpret_cast<const char*>(entry) + name_at,
                          entry[ThreadsEntry::kNameBytes]);
      found_.names += ' ';
    }
    found_.is_well_formed = found_.is_well_formed && at == end;
  }

  uint32_t koid_;
  BinaryFrames frames_;
  KoidEntries found_;
};

KoidEntries entries_in_dump() {
  ThreadsFrames frames(kKoid);
  const barefxt_writer writer = {&ThreadsFrames::write, &frames};
  EXPECT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
  return frames.found();
}

uint32_t live_entries(uint32_t koid) {
  uint32_t count = 0;
  for (const ThreadEntry& entry : thread_table)
    if (entry.koid == koid && state_in(entry.state.load_acquire()) == EntryState::kLive) ++count;
  return count;
}

std::string twice(const char* name) { return std::string(name) + ' ' + name + ' '; }

class RingThreadsTest : public RingTest {
 protected:
  void SetUp() override {
    RingTest::SetUp();
    thread = {};
    barefxt_thread_register(&thread, 1, kKoid, kBefore, 7);
  }
  void TearDown() override {
    barefxt_thread_unregister(&thread);
    RingTest::TearDown();
  }
};

// An interrupt cannot wait for the rename that it interrupts. The thread is sent with one of its
// names, whole, or without any until it is sent once more.
TEST_F(RingThreadsTest, ARenameInterruptedAnywhereByADumpKeepsTheThreadAndSendsNoTornName) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  barefxt_stop();
  static KoidEntries found;
  at_every_instruction([] { barefxt_thread_rename(&thread, kAfter); },
                       [] { found = entries_in_dump(); },
                       [] {
                         EXPECT_TRUE(found.is_well_formed);
                         EXPECT_EQ(found.entries, 2u) << "one a copy";
                         EXPECT_TRUE(found.nameless == 2 || found.names == twice(kBefore) ||
                                     found.names == twice(kAfter))
                             << found.names;
                         EXPECT_EQ(entries_in_dump().names, twice(kAfter));
                       });
}

TEST_F(RingThreadsTest, ARenameInterruptedAnywhereByTheDrainIsSentByTheDrainThatFollows) {
  start(BAREFXT_MODE_STREAMING, 4);
  static ThreadsFrames frames(kKoid);
  frames = ThreadsFrames(kKoid);
  static const auto drain_once = [] {
    static uint8_t buffer[BAREFXT_DRAIN_BYTES];
    while (const size_t bytes = barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY))
      frames.take(buffer, bytes);
  };
  at_every_instruction([] { barefxt_thread_rename(&thread, kAfter); }, [] { drain_once(); },
                       [] {
                         frames = ThreadsFrames(kKoid);
                         // New threads are sent ahead of a record.
                         write_one();
                         barefxt_stop();
                         while (!barefxt_drain_is_over()) drain_once();
                         const std::string& names = frames.found().names;
                         EXPECT_TRUE(frames.found().is_well_formed);
                         EXPECT_EQ(frames.found().nameless, 0u);
                         EXPECT_TRUE(contains(names, kAfter));
                         EXPECT_TRUE(lacks(names, "an "));
                       });
}

// And the other way about: renamed to and fro between any two of its instructions.
TEST_F(RingThreadsTest, ACopyOfAnEntryInterruptedAnywhereByRenamesHasOneName) {
  static EntryCopy copy;
  static const ThreadEntry* entry;
  for (const ThreadEntry& each : thread_table)
    if (each.koid == kKoid && is_named(each)) entry = &each;
  at_every_instruction([] { copy_entry(*entry, copy); },
                       [] { barefxt_thread_rename(&thread, kAfter); },
                       [] {
                         const std::string name(copy.entry.name, copy.entry.name_bytes);
                         EXPECT_TRUE(name == kBefore || name == kAfter) << name;
                         EXPECT_EQ(copy.entry.koid, kKoid);
                       });
}

TEST_F(RingThreadsTest, ARenameInterruptedAnywhereByAnotherLeavesOneOfTheNames) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  barefxt_stop();
  at_every_instruction([] { barefxt_thread_rename(&thread, kAfter); },
                       [] { barefxt_thread_rename(&thread, "other"); },
                       [] {
                         const KoidEntries found = entries_in_dump();
                         EXPECT_TRUE(found.names == twice(kAfter) || found.names == twice("other"))
                             << found.names;
                         barefxt_thread_rename(&thread, "last");
                         EXPECT_EQ(entries_in_dump().names, twice("last"));
                       });
}

TEST_F(RingThreadsTest, AThreadThatEndsAnywhereInItsRenameStaysGone) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  at_every_instruction([] { barefxt_thread_rename(&thread, kAfter); },
                       [] { barefxt_thread_unregister(&thread); },
                       [] {
                         EXPECT_EQ(live_entries(kKoid), 0u);
                         EXPECT_EQ(thread.reference, 0u);
                       });
}

// Its index may be another thread's from the next start on.
TEST_F(RingThreadsTest, AThreadThatEndsAnywhereInAChangeOfItsPriorityHasNoIndex) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  at_every_instruction([] { barefxt_thread_set_priority(&thread, 9); },
                       [] { barefxt_thread_unregister(&thread); },
                       [] {
                         EXPECT_EQ(thread.reference, 0u);
                         EXPECT_EQ(switch_bits::index(thread.switch_bits), 0u);
                         EXPECT_EQ(thread.switch_bits & switch_bits::kHasIndex, 0u);
                       });
}

TEST_F(RingThreadsTest, AThreadThatIsRegisteredAnywhereInAChangeOfItsPriorityHasItsIndex) {
  static barefxt_thread late;
  late = {};
  at_every_instruction(
      [] { barefxt_thread_set_priority(&late, 9); },
      [] { barefxt_thread_register(&late, 1, kKoid + 1, "late", 7); },
      [] {
        const uint32_t bits = late.switch_bits;
        EXPECT_NE(late.reference, 0u);
        EXPECT_EQ(fxt::Event::Thread::of(switch_bits::index(bits)), late.reference);
        EXPECT_NE(bits & switch_bits::kHasIndex, 0u);
        EXPECT_TRUE(switch_bits::priority(bits) == 7 || switch_bits::priority(bits) == 9);
      });
}

TEST_F(RingThreadsTest, AChangeOfPriorityAnywhereInARegistrationLeavesTheIndex) {
  static barefxt_thread late;
  late = {};
  at_every_instruction([] { barefxt_thread_register(&late, 1, kKoid + 1, "late", 7); },
                       [] { barefxt_thread_set_priority(&late, 9); },
                       [] {
                         EXPECT_NE(late.reference, 0u);
                         EXPECT_EQ(fxt::Event::Thread::of(switch_bits::index(late.switch_bits)),
                                   late.reference);
                       });
}

bool is_nobody_known_to_run() {
  return rings[0].current.load_relaxed() == &rings[0].cpu_thread &&
         rings[0].current_reference.load_relaxed() == rings[0].cpu_thread.reference;
}

// The switch may have passed the test of its category, lost its swap, or be about to swap. In the
// few instructions behind that it is too late: its thread runs, and is forgotten when it leaves, or
// at the next segment if the kernel does not report that.
TEST_F(RingThreadsTest, ASwitchInterruptedAnywhereByWhoTurnsSwitchesOffIsForgottenWhenItIsOver) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  static barefxt_thread next;
  next = {};
  barefxt_thread_register(&next, 1, kKoid + 1, "next", 7);
  barefxt_context_switch(&thread, BAREFXT_STATE_RUNNABLE, &thread);
  at_every_instruction([] { barefxt_context_switch(&thread, BAREFXT_STATE_BLOCKED, &next); },
                       [] {
                         barefxt_set_categories(BAREFXT_CATEGORY_BIT(irq));
                         EXPECT_TRUE(is_nobody_known_to_run());
                       },
                       [] {
                         barefxt_context_switch(&next, BAREFXT_STATE_BLOCKED, &thread);
                         EXPECT_TRUE(is_nobody_known_to_run());
                         if (kFastPaths) rings[0].set_current(next);
                         fill_segment();
                         Reservation first;
                         EXPECT_TRUE(reserve_slowly(Owner::kCpu, torture::kMinBytes, first));
                         EXPECT_TRUE(is_nobody_known_to_run());
                         // Nor is somebody remembered when they are turned on again.
                         barefxt_set_categories(0);
                         rings[0].set_current(next);
                         barefxt_set_categories(~0u);
                         EXPECT_TRUE(is_nobody_known_to_run());
                       });
  barefxt_thread_unregister(&next);
}

// If the kernel does not report that it leaves, then when it ends: its index may be another's soon.
TEST_F(RingThreadsTest, ASwitchInterruptedAnywhereByWhoTurnsSwitchesOffNamesNoThreadThatEnded) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  static barefxt_thread next;
  next = {};
  barefxt_thread_register(&next, 1, kKoid + 1, "next", 7);
  at_every_instruction([] { barefxt_context_switch(&thread, BAREFXT_STATE_BLOCKED, &next); },
                       [] { barefxt_set_categories(BAREFXT_CATEGORY_BIT(irq)); },
                       [] {
                         barefxt_thread_unregister(&next);
                         EXPECT_TRUE(is_nobody_known_to_run());
                       });
  barefxt_thread_unregister(&next);
}

// Between the counter and its swap, as most interrupts come.
TEST_F(RingThreadsTest, ASwitchThatLosesItsSwapToWhoTurnsSwitchesOffIsForgotten) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  static barefxt_thread next;
  next = {};
  barefxt_thread_register(&next, 1, kKoid + 1, "next", 7);
  barefxt_context_switch(&thread, BAREFXT_STATE_RUNNABLE, &thread);
  barefxt_host_counter = [] {
    barefxt_host_counter = next_tick;
    barefxt_set_categories(BAREFXT_CATEGORY_BIT(irq));
    return next_tick();
  };
  barefxt_context_switch(&thread, BAREFXT_STATE_BLOCKED, &next);
  EXPECT_TRUE(is_nobody_known_to_run());
  barefxt_thread_unregister(&next);
}

TEST_F(RingThreadsTest, AnObjectRegisteredAnywhereInItsRenameHasOneEntry) {
  constexpr uint32_t kObject = 501;
  barefxt_object_register(kObject, BAREFXT_OBJECT_QUEUE, kBefore);
  at_every_instruction([] { barefxt_object_register(kObject, BAREFXT_OBJECT_QUEUE, kAfter); },
                       [] { barefxt_object_register(kObject, BAREFXT_OBJECT_QUEUE, "other"); },
                       [] { EXPECT_EQ(live_entries(kObject), 1u); });
  barefxt_object_unregister(kObject);
}

}  // namespace
}  // namespace barefxt::test::ring_threads_test
