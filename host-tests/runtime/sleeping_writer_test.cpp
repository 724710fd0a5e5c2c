// A writer sleeps before any access of a word that others change, and before any read of the
// counter, over every order of a few calls of the session. After a start in other memory it stores
// nothing into the old; and once barefxt_unfinished returns 0 after a stop, nothing at all. No call
// loops for ever.
//
// With the runtime alone. BAREFXT_FULL=1 in the environment: orders of up to four calls, else
// three.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "configuration.h"

#if BAREFXT_LINEAR
#include "linear_boot.h"
#else
extern "C" const char barefxt_retained_start[1] = {};
#endif

namespace barefxt::test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr unsigned kSegments = 6;
constexpr size_t kWords = kSegments * size_t{kSegmentBytes} / sizeof(uint64_t);
constexpr size_t kGuardWords = 64;
constexpr uint64_t kGuard = 0xa5a5'5a5a'a5a5'5a5a;
constexpr uint64_t kApplications = 0xaaaa'aaaa'aaaa'aaaa;

// Memory for a session, with words around it that must not change.
struct Arena {
  uint64_t before[kGuardWords];
  uint64_t words[kWords];
  uint64_t behind[kGuardWords];

  Arena() {
    for (uint64_t& word : before) word = kGuard;
    for (uint64_t& word : behind) word = kGuard;
  }
  bool is_all(uint64_t value) const {
    for (const uint64_t word : words)
      if (word != value) return false;
    return true;
  }
  bool has_guards() const {
    for (size_t i = 0; i < kGuardWords; ++i)
      if (before[i] != kGuard || behind[i] != kGuard) return false;
    return true;
  }
};
Arena arenas[2];
unsigned in_use;  // the session's; the other is the application's
uint64_t now;
barefxt_thread first;
barefxt_thread second;
barefxt_mode mode;

// By all calls since the last new session. A loop without an end has more.
constexpr uint32_t kMaxAccesses = 1'000'000;
uint32_t accesses_in_all;

// The access that the sleeping writer is woken from.
uint32_t accesses;
uint32_t asleep_at;  // before this access; 0: never
bool is_asleep;
std::vector<unsigned> order;

barefxt_config configuration(unsigned arena) {
  barefxt_config config = config_of(arenas[arena].words, sizeof arenas[arena].words, 1, mode);
  config.partial_after_ticks = 1000;
  return config;
}

barefxt_error start_in(unsigned arena) {
  const barefxt_config config = configuration(arena);
  const barefxt_error error = barefxt_start(&config);
  if (error != BAREFXT_OK) return error;
  in_use = arena;
  for (uint64_t& word : arenas[1 - arena].words) word = kApplications;
  return error;
}

void write_some() {
  for (uint32_t i = 0; i < 12; ++i)
    BAREFXT_INSTANT(work, "between", BAREFXT_ARG_U32("i", i), BAREFXT_ARG_U64("n", 1));
}
void drain() {
  static uint8_t buffer[BAREFXT_DRAIN_BYTES];
  for (int i = 0; i < 4 && barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY) != 0; ++i)
    now += 100;
}

struct Call {
  const char* name;
  void (*make)();
  bool is_rare = false;  // does what others do as well: by default it comes first only
};
constexpr Call kCalls[] = {
    {"stop", [] { barefxt_stop(); }},
    {"start", [] { start_in(in_use); }},
    {"start elsewhere", [] { start_in(1 - in_use); }},
    {"rewind", [] { barefxt_rewind(); }},
    {"snapshot", [] { barefxt_snapshot(); }},
    {"release", [] { barefxt_snapshot_release(); }},
    {"drain", &drain},
#if BAREFXT_TRIGGERS
    {"trigger", [] { barefxt_trigger(1); }},
#else
    {"close", [] { barefxt_close(); }},
#endif
    {"set_categories", [] { barefxt_set_categories(BAREFXT_CATEGORY_BIT(work)); }},
    {"delete", [] { barefxt_thread_unregister(&first); }},
#if BAREFXT_RETAINED
    {"recover", [] { barefxt_recover(); }},
#endif
#if BAREFXT_TRIGGERS
    {"close", [] { barefxt_close(); }, true},
#endif
    {"crash", [] { barefxt_crash(); }, true},
    {"clean", [] { barefxt_clean_for_reader(); }, true},
};
constexpr size_t kCallCount = sizeof kCalls / sizeof kCalls[0];

// Reported once, since each problem shows at many places.
std::string problem;

std::string description() {
  std::string text = "mode " + std::to_string(mode) + ", before access " +
                     std::to_string(asleep_at) + " of the writer:";
  for (const unsigned call : order) text += std::string(" ") + kCalls[call].name + ",";
  return text;
}
void expect(bool holds, const char* what) {
  if (!holds && problem.empty()) problem = std::string(what) + "; " + description();
}
void expect_memory() {
  expect(arenas[1 - in_use].is_all(kApplications), "the application's memory was stored into");
  expect(arenas[0].has_guards() && arenas[1].has_guards(), "memory around it was stored into");
}

// A call that loops for ever gives nothing back to a test that could fail.
void expect_an_end() {
  if (++accesses_in_all <= kMaxAccesses) return;
  std::fprintf(stderr, "a call does not end; %s\n", description().c_str());
  std::abort();
}

bool is_nobody_left;
std::vector<uint64_t> left;

void sleep_here() {
  is_asleep = true;
  for (const unsigned call : order) {
    kCalls[call].make();
    write_some();
    expect_memory();
  }
  is_nobody_left = !barefxt_running() && barefxt_unfinished() == 0;
  if (is_nobody_left) left.assign(arenas[in_use].words, arenas[in_use].words + kWords);
  is_asleep = false;
}

uint64_t tick() {
  barefxt_at_access();
  return ++now;
}

}  // namespace
}  // namespace barefxt::test

extern "C" void barefxt_at_access(void) {
  using namespace barefxt::test;
  expect_an_end();
  if (!is_asleep && ++accesses == asleep_at) sleep_here();
}

namespace barefxt::test {
namespace {

void leave_no_room() {
#if !BAREFXT_LINEAR
  constexpr uint32_t kBytes = 16;
  while (true) {
    const PositionWord offset = rings[0].position.load_acquire() & Position::kSegmentMask;
    if (!Position::fits(offset + kBytes, kBytes)) return;
    Reservation filler;
    if (!reserve_slowly(Owner::kCpu, kBytes, filler)) return;
    filler.words[1] = filler.ticks;
    RecordHeaderWord::commit(filler.words, 0x24);
  }
#endif
}

struct Writing {
  void (*prepare)();
  void (*write)();
};
constexpr Writing kWritings[] = {
    {[] {}, [] { BAREFXT_INSTANT(work, "event"); }},
    {[] {}, [] { barefxt_context_switch(&first, BAREFXT_STATE_BLOCKED, &second); }},
    {[] {},
     [] { BAREFXT_INSTANT(work, "text", BAREFXT_ARG_STRING("text", "more than one word", 18)); }},
    {&leave_no_room, [] { BAREFXT_INSTANT(work, "crossing"); }},
    {[] {
       for (int i = 0; i < 8; ++i) write_some();
       leave_no_room();
     },
     [] { barefxt_context_switch(&first, BAREFXT_STATE_BLOCKED, &second); }},
};

// A new session, as if nothing had been before.
void begin() {
  accesses_in_all = 0;
#if BAREFXT_LINEAR
  boot();
#endif
  barefxt_snapshot_release();
  first = second = {};
  barefxt_thread_register(&first, 1, 10, "first", 1);
  barefxt_thread_register(&second, 1, 11, "second", 1);
  expect(start_in(0) == BAREFXT_OK, "no new start");
}

// Returns the accesses of the writer.
uint32_t write_and_sleep(const Writing& writing, uint32_t at) {
  begin();
  barefxt_context_switch(&first, BAREFXT_STATE_RUNNABLE, &first);
  writing.prepare();
  is_nobody_left = false;
  accesses = 0;
  asleep_at = at;
  writing.write();
  const uint32_t taken = accesses;
  expect_memory();
  if (is_nobody_left)
    expect(std::memcmp(left.data(), arenas[in_use].words, kWords * sizeof(uint64_t)) == 0,
           "barefxt_unfinished was 0 too early");
  asleep_at = 0;
  barefxt_stop();
  expect(barefxt_unfinished() == 0, "somebody is left who is not");
  barefxt_thread_unregister(&first);
  barefxt_thread_unregister(&second);
  return taken;
}

constexpr size_t kMaxCalls = 4;  // in a full run

bool go_through_orders(const Writing& writing, uint32_t at, size_t most) {
  if (!order.empty()) write_and_sleep(writing, at);
  if (!problem.empty()) return false;
  if (order.size() == most) return true;
  for (unsigned call = 0; call < kCallCount; ++call) {
    if (kCalls[call].is_rare && !order.empty() && most < kMaxCalls) continue;
    order.push_back(call);
    const bool goes_on = go_through_orders(writing, at, most);
    order.pop_back();
    if (!goes_on) return false;
  }
  return true;
}

class SleepingWriterTest : public ::testing::TestWithParam<barefxt_mode> {};

TEST_P(SleepingWriterTest, StoresIntoNoMemoryThatIsTheApplications) {
  const char* const full = std::getenv("BAREFXT_FULL");
  const size_t most = full != nullptr && std::strcmp(full, "1") == 0 ? kMaxCalls : 3;
  barefxt_host_counter = tick;
  mode = GetParam();
  uint32_t places = 0;
  for (const Writing& writing : kWritings) {
    const uint32_t taken = write_and_sleep(writing, 0);
    EXPECT_GT(taken, 4u);
    places += taken;
    for (uint32_t at = 1; at <= taken; ++at) {
      if (go_through_orders(writing, at, most)) continue;
      FAIL() << problem << " writing " << &writing - kWritings;
    }
  }
  EXPECT_GT(places, 30u);
  EXPECT_EQ(problem, "");
}

#if BAREFXT_LINEAR
INSTANTIATE_TEST_SUITE_P(Modes, SleepingWriterTest, ::testing::Values(BAREFXT_MODE_ONE_SHOT));
#else
INSTANTIATE_TEST_SUITE_P(Modes, SleepingWriterTest,
                         ::testing::Values(BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR,
                                           BAREFXT_MODE_STREAMING));
#endif

}  // namespace
}  // namespace barefxt::test
