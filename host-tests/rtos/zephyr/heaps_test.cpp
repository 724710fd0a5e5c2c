// Blocks of Zephyr's heaps: of calls that call each other, the outermost is recorded.
#include <functional>
#include <memory>
#include <zephyr/kernel.h>

#include "../switches.h"
#include "stand_in.h"

namespace barefxt::test::zephyr_heaps_test {
namespace {

uint64_t at(const void* address) { return reinterpret_cast<uintptr_t>(address); }

constexpr k_timeout_t kNow = {0};
constexpr k_timeout_t kForever = {-1};

// Callers of the kernel. Functions of their own, so that a caller's address says which.
using Allocate = void* (*)(k_heap*, size_t);
using Free = void (*)(k_heap*, void*);
void expect_in(uint64_t caller, const void* function) {
  constexpr uint64_t kMaxFunction = 256;
  EXPECT_GE(caller, at(function));
  EXPECT_LT(caller, at(function) + kMaxFunction);
}

[[gnu::noinline]] void* malloc_here(k_heap*, size_t bytes) {
  void* volatile block = k_malloc(bytes);
  return block;
}
[[gnu::noinline]] void free_here(k_heap*, void* block) {
  k_free(block);
  asm volatile("" : : : "memory");
}
[[gnu::noinline]] void* heap_alloc_here(k_heap* heap, size_t bytes) {
  void* volatile block = k_heap_alloc(heap, bytes, kForever);
  return block;
}
[[gnu::noinline]] void heap_free_here(k_heap* heap, void* block) {
  k_heap_free(heap, block);
  asm volatile("" : : : "memory");
}
[[gnu::noinline]] void* sys_alloc_here(k_heap* heap, size_t bytes) {
  void* volatile block = sys_heap_alloc(&heap->heap, bytes);
  return block;
}
[[gnu::noinline]] void sys_free_here(k_heap* heap, void* block) {
  sys_heap_free(&heap->heap, block);
  asm volatile("" : : : "memory");
}

class ZephyrHeapsTest : public RtosTest {
 protected:
  using Block = std::tuple<std::string, uint64_t, uint64_t>;  // event, address, bytes

  void SetUp() override {
    RtosTest::SetUp();
    stand_in_make_system_heap();
    k_heap_init(&heap_, memory_, sizeof memory_);
    a_ = stand_in_create("a", 5);
    b_ = stand_in_create("b", 5);
    stand_in_boot(a_);
  }
  void TearDown() override {
    RtosTest::TearDown();
    stand_in_run_as_user(false);
    stand_in_while_waiting = nullptr;
    stand_in_interrupted_by(0);
    stand_in_idle();
    stand_in_reset();
  }
  static std::vector<PlainRecord> records(const PlainArchive& archive) {
    std::vector<PlainRecord> found;
    for (const PlainRecord& record : archive.of_type(4))
      if (record.category == "heap" && record.name != "pool") found.push_back(record);
    return found;
  }
  static std::vector<Block> blocks(const PlainArchive& archive) {
    std::vector<Block> found;
    for (const PlainRecord& record : records(archive)) {
      const PlainArgument* const bytes = record.argument("bytes");
      found.emplace_back(record.name, record.argument("address")->bits,
                         bytes == nullptr ? 0 : bytes->bits);
    }
    return found;
  }
  // "bytes, used" of each pool, but for that of k_malloc.
  std::vector<std::string> bounds(const PlainArchive& archive, const void* of) {
    std::vector<std::string> found;
    for (const PlainRecord& pool : archive.events("pool"))
      if (pool.argument("address")->bits == at(of))
        found.push_back(std::to_string(pool.argument("bytes")->bits) + ", " +
                        std::to_string(pool.argument("used")->bits));
    return found;
  }

  k_heap heap_ = {};
  alignas(8) char memory_[1024] = {};
  stand_in_thread* a_ = nullptr;
  stand_in_thread* b_ = nullptr;
};

TEST_F(ZephyrHeapsTest, ACallThatCallsOthersIsOneBlockOfItsCaller) {
  const struct {
    Allocate allocate;
    Free free;
  } kinds[] = {
      {malloc_here, free_here}, {heap_alloc_here, heap_free_here}, {sys_alloc_here, sys_free_here}};
  for (const auto& kind : kinds) {
    start();
    void* const block = kind.allocate(&heap_, 100);
    kind.free(&heap_, block);
    const PlainArchive archive = stop_and_read();
    ASSERT_EQ(blocks(archive),
              (std::vector<Block>{{"alloc", at(block), 100}, {"free", at(block), 0}}));
    const auto both = records(archive);
    expect_in(both[0].argument("caller")->bits, reinterpret_cast<const void*>(kind.allocate));
    expect_in(both[1].argument("caller")->bits, reinterpret_cast<const void*>(kind.free));
  }
}

TEST_F(ZephyrHeapsTest, EveryCallRecordsTheBytesThatItWasAskedFor) {
  sys_heap* const heap = &heap_.heap;
  const std::function<void*()> calls[] = {
      [] { return k_calloc(3, 5); },
      [] { return k_aligned_alloc(16, 15); },
      [] { return z_thread_malloc(15); },
      [] { return z_thread_aligned_alloc(8, 15); },
      [] { return k_realloc(nullptr, 15); },
      [this] { return k_heap_aligned_alloc(&heap_, 16, 15, kNow); },
      [this] { return k_heap_calloc(&heap_, 5, 3, kNow); },
      [this] { return k_heap_realloc(&heap_, nullptr, 15, kNow); },
      [heap] { return sys_heap_aligned_alloc(heap, 16, 15); },
      [heap] { return sys_heap_noalign_alloc(heap, 16, 15); },
      [heap] { return sys_heap_realloc(heap, nullptr, 15); },
      [heap] { return sys_heap_aligned_realloc(heap, nullptr, 16, 15); }};
  start();
  std::vector<Block> expected;
  for (const auto& call : calls) expected.emplace_back("alloc", at(call()), 15);
  EXPECT_EQ(blocks(stop_and_read()), expected);
}

TEST_F(ZephyrHeapsTest, ABlockThatChangesItsSizeIsFreedAheadOfItsSuccessor) {
  start();
  void* const block = k_malloc(10);
  void* const moved = k_realloc(block, 20);
  EXPECT_EQ(k_realloc(moved, 100000), nullptr);
  k_free(nullptr);
  EXPECT_EQ(blocks(stop_and_read()), (std::vector<Block>{{"alloc", at(block), 10},
                                                         {"free", at(block), 0},
                                                         {"alloc", at(moved), 20},
                                                         {"free", at(moved), 0},
                                                         {"alloc", 0, 100000},
                                                         {"alloc", at(moved), 0}}));
}

TEST_F(ZephyrHeapsTest, BoundsComeAheadOfTheFirstBlockOfEachSession) {
  k_heap_alloc(&heap_, 64, kNow);
  for (const char* used : {"1024, 64", "1024, 164"}) {
    start();
    k_heap_alloc(&heap_, 100, kNow);
    const PlainArchive archive = stop_and_read();
    EXPECT_EQ(bounds(archive, memory_), std::vector<std::string>{used});
    const auto events = archive.of_type(4);
    ASSERT_GE(events.size(), 2u);
    EXPECT_EQ(events.front().name, "pool");
    EXPECT_EQ(events.back().name, "alloc");
  }
}

TEST_F(ZephyrHeapsTest, AHeapThatIsMadeLaterHasItsBoundsAndOneThatIsGoneHasNone) {
  alignas(8) static char later[256];
  auto heap = std::make_unique<k_heap>();
  start();
  k_malloc(1);
  k_heap_init(heap.get(), later, sizeof later);
  k_heap_alloc(heap.get(), 8, kNow);
  EXPECT_EQ(bounds(stop_and_read(), later), std::vector<std::string>{"256, 0"});
  heap.reset();
  start();
  k_malloc(1);
  EXPECT_EQ(bounds(stop_and_read(), later), std::vector<std::string>{});
}

TEST_F(ZephyrHeapsTest, BoundsAreThoseOfTheLastHeapsThatWereMade) {
  constexpr size_t kHeaps = 20;
  alignas(8) static char memory[kHeaps][256];
  static k_heap heaps[kHeaps];
  for (size_t i = 0; i < kHeaps; ++i) k_heap_init(&heaps[i], memory[i], sizeof memory[i]);
  start();
  for (k_heap& heap : heaps) k_heap_alloc(&heap, 8, kNow);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(blocks(archive).size(), kHeaps);
  for (size_t i = 0; i < kHeaps; ++i)
    EXPECT_EQ(bounds(archive, memory[i]).size(), i < kHeaps - 8 ? 0u : 1u) << i;
}

TEST_F(ZephyrHeapsTest, OthersAreRecordedWhileAThreadWaitsInACall) {
  static stand_in_thread *from, *to;
  from = a_;
  to = b_;
  static void* others[2];
  stand_in_while_waiting = [] {
    stand_in_interrupted_by(20);
    others[0] = k_malloc(8);
    stand_in_interrupted_by(0);
    stand_in_switch(STAND_IN_SEMAPHORE, 0, to);
    others[1] = k_malloc(16);
    stand_in_switch(STAND_IN_READY, 0, from);
  };
  start();
  void* const block = k_heap_alloc(&heap_, 24, kForever);
  EXPECT_EQ(blocks(stop_and_read()), (std::vector<Block>{{"alloc", at(others[0]), 8},
                                                         {"alloc", at(others[1]), 16},
                                                         {"alloc", at(block), 24}}));
}

TEST_F(ZephyrHeapsTest, AThreadThatIsAbortedInACallLeavesIt) {
  static stand_in_thread *from, *to;
  from = a_;
  to = b_;
  static void* block;
  stand_in_while_waiting = [] {
    stand_in_switch(STAND_IN_SEMAPHORE, 0, to);
    stand_in_abort(from);
    stand_in_create_at(from, "second", 5);
    stand_in_switch(STAND_IN_READY, 0, from);
    block = k_malloc(8);
  };
  start();
  k_heap_alloc(&heap_, 24, kForever);
  const auto found = blocks(stop_and_read());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], (Block{"alloc", at(block), 8}));
}

TEST_F(ZephyrHeapsTest, CallsOfAUsersThreadAreNotRecorded) {
  start();
  stand_in_run_as_user(true);
  sys_heap_free(&heap_.heap, sys_heap_alloc(&heap_.heap, 8));
  stand_in_run_as_user(false);
  EXPECT_EQ(blocks(stop_and_read()), std::vector<Block>{});
}

}  // namespace
}  // namespace barefxt::test::zephyr_heaps_test
