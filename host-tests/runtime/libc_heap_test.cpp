// port/libc: the C library's malloc, traced by the linker's --wrap.
#include <cstdint>
#include <new>

#include <barefxt/heap.h>

#include "libc_calls.h"
#include "session_fixture.h"

namespace barefxt::test::libc_heap_test {
namespace {

// AddressSanitizer ends a program that asks for too much.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kMayFail = false;
#elif defined(__has_feature)
constexpr bool kMayFail = !__has_feature(address_sanitizer);
#else
constexpr bool kMayFail = true;
#endif

struct Block {
  std::string event;
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t caller = 0;
};

class LibcHeapTest : public TwoThreadsTest {
 protected:
  // The blocks that `call` asks the C library for.
  template <typename Call>
  std::vector<Block> blocks(Call call) {
    start();
    barefxt_context_switch(&a_, BAREFXT_STATE_RUNNABLE, &a_);
    call();
    std::vector<Block> all;
    for (const PlainRecord& record : stop_and_read().of_type(4)) {
      if (record.category != "heap") continue;
      Block block;
      block.event = record.name;
      block.address = record.argument("address")->bits;
      block.caller = record.argument("caller")->bits;
      if (const PlainArgument* bytes = record.argument("bytes")) block.bytes = bytes->bits;
      all.push_back(block);
    }
    return all;
  }
  // One block, allocated and freed by different calls in libc_calls.c, or in the file of `near`.
  template <typename Function = void (*)(size_t)>
  static void expect_pair(const Block& allocated, const Block& freed, uint64_t bytes,
                          Function near = libc_malloc_and_free) {
    EXPECT_EQ(allocated.event, "alloc");
    EXPECT_EQ(allocated.bytes, bytes);
    EXPECT_NE(allocated.address, 0u);
    EXPECT_EQ(freed.event, "free");
    EXPECT_EQ(freed.address, allocated.address);
    const auto file = reinterpret_cast<uintptr_t>(near);
    EXPECT_TRUE(is_near(file, allocated.caller)) << allocated.caller;
    EXPECT_TRUE(is_near(file, freed.caller)) << freed.caller;
    EXPECT_NE(allocated.caller, freed.caller);
  }
  static bool is_near(uint64_t place, uint64_t address) {
    constexpr uint64_t kFileBytes = 4096;
    return address + kFileBytes > place && address < place + kFileBytes;
  }
};

TEST_F(LibcHeapTest, EachBlockHasItsSizeAndItsCallers) {
  const auto all = blocks([] {
    libc_malloc_and_free(100);
    libc_calloc_and_free(10, 24);
  });
  ASSERT_EQ(all.size(), 4u);
  expect_pair(all[0], all[1], 100);
  expect_pair(all[2], all[3], 240);
}

TEST_F(LibcHeapTest, AlignedBlocksAreBlocksToo) {
  const auto all = blocks([] { libc_aligned_and_free(64, 128); });
  ASSERT_EQ(all.size(), 4u);
  expect_pair(all[0], all[1], 128);
  expect_pair(all[2], all[3], 128);
  for (const Block& block : all) EXPECT_EQ(block.address % 64, 0u);
}

TEST_F(LibcHeapTest, AnAllocationThatFailsHasNoAddress) {
  if (!kMayFail) GTEST_SKIP() << "an allocation that fails ends the program";
  const auto all = blocks([] { EXPECT_TRUE(libc_fails(SIZE_MAX / 4)); });
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].event, "alloc");
  EXPECT_EQ(all[0].address, 0u);
  EXPECT_EQ(all[0].bytes, SIZE_MAX / 4);
}

TEST_F(LibcHeapTest, AResizedBlockIsFreedAheadOfItsSuccessor) {
  const auto all = blocks([] { libc_grow_and_free(100, 100000); });
  ASSERT_EQ(all.size(), 4u);
  expect_pair(all[0], all[1], 100);
  expect_pair(all[2], all[3], 100000);
  EXPECT_EQ(all[1].caller, all[2].caller);
}

TEST_F(LibcHeapTest, ABlockThatCannotGrowIsThereStill) {
  if (!kMayFail) GTEST_SKIP() << "an allocation that fails ends the program";
  const auto all = blocks([] { EXPECT_TRUE(libc_growth_fails(100, SIZE_MAX / 4)); });
  ASSERT_EQ(all.size(), 5u);
  expect_pair(all[0], all[1], 100);
  EXPECT_EQ(all[2].address, 0u);
  EXPECT_EQ(all[2].bytes, SIZE_MAX / 4);
  EXPECT_EQ(all[3].address, all[0].address);
  EXPECT_EQ(all[4].event, "free");
  EXPECT_EQ(all[4].address, all[0].address);
}

TEST_F(LibcHeapTest, ABlockOfNewHasTheCallerOfNewAndIsRecordedOnce) {
  constexpr uint64_t kObject = 40;
  const auto one = blocks(libc_new_and_delete);
  ASSERT_EQ(one.size(), 2u);
  expect_pair(one[0], one[1], kObject, libc_new_and_delete);
  const auto nothrow = blocks(libc_new_nothrow_and_delete);
  ASSERT_EQ(nothrow.size(), 2u);
  expect_pair(nothrow[0], nothrow[1], kObject, libc_new_and_delete);
  // Their number is ahead of them.
  const auto array = blocks([] { libc_new_and_delete_array(3); });
  ASSERT_EQ(array.size(), 2u);
  expect_pair(array[0], array[1], 3 * kObject + sizeof(size_t), libc_new_and_delete);
}

TEST_F(LibcHeapTest, NewThatFailsAsksTheHandlerAndHasNoAddress) {
  if (!kMayFail) GTEST_SKIP() << "an allocation that fails ends the program";
  static int asked;
  asked = 0;
  std::set_new_handler([] {
    ++asked;
    std::set_new_handler(nullptr);
  });
  constexpr uint64_t kTooMuch = SIZE_MAX / 4;
  const auto all = blocks([] { EXPECT_TRUE(libc_new_fails(kTooMuch)); });
  EXPECT_EQ(asked, 1);
  // The operator asks malloc ahead of the handler and behind it. The exception is a block, too.
  std::vector<uint64_t> failed;
  std::vector<Block> exception;
  for (const Block& block : all) {
    if (block.bytes == kTooMuch)
      failed.push_back(block.address);
    else
      exception.push_back(block);
  }
  EXPECT_EQ(failed, (std::vector<uint64_t>{0, 0}));
  ASSERT_EQ(exception.size(), 2u);
  EXPECT_EQ(exception[1].address, exception[0].address);
}

}  // namespace
}  // namespace barefxt::test::libc_heap_test
