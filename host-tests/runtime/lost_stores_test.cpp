// Two CPUs whose exclusive stores succeed, and do not exclude each other: one undoes what the other
// stored, now and then. And one whose caches are off, where a store may fault.
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

namespace barefxt::test {
namespace {

std::atomic<bool> loses;
thread_local uint32_t stores;
thread_local bool caches_are_off;

barefxt_error start(uint8_t skipped_checks) {
  alignas(8) static uint8_t memory[8192];
  barefxt_config config = {};
  config.memory = memory;
  config.bytes = sizeof memory;
  config.cpus = 2;
  config.skipped_checks = skipped_checks;
  const barefxt_error error = barefxt_start(&config);
  barefxt_stop();
  return error;
}

TEST(LostStores, OfTwoCpusAreFoundAndTheStartRefusesThem) {
  for (const bool lost : {false, true, false}) {
    loses = lost;
    const barefxt_error wanted = lost ? BAREFXT_ERROR_STORES_NOT_SHARED : BAREFXT_OK;
    barefxt_error errors[2];
    std::thread cpus[2];
    for (uint32_t cpu = 0; cpu < 2; ++cpu)
      cpus[cpu] = std::thread([&, cpu] {
        barefxt_host_cpu = cpu;
        stores = 0;
        errors[cpu] = barefxt_check_cpus(2, 60'000'000'000);
      });
    for (std::thread& cpu : cpus) cpu.join();
    EXPECT_EQ(errors[0], wanted);
    EXPECT_EQ(errors[1], wanted);
    loses = false;
    EXPECT_EQ(start(0), wanted);
    EXPECT_EQ(start(BAREFXT_CHECK_STORES), BAREFXT_OK);
  }
}

TEST(CachesThatAreOff, OnOneCpuAreFoundThereAheadOfItsFirstStoreAndTheStartRefuses) {
  uint32_t stores_of_second = 1;
  for (const bool off : {true, false}) {
    barefxt_error errors[2];
    std::thread cpus[2];
    for (uint32_t cpu = 0; cpu < 2; ++cpu)
      cpus[cpu] = std::thread([&, cpu] {
        barefxt_host_cpu = cpu;
        caches_are_off = off && cpu == 1;
        stores = 0;
        errors[cpu] = barefxt_check_cpus(2, off ? 1'000'000 : 60'000'000'000);
        if (cpu == 1) stores_of_second = stores;
      });
    for (std::thread& cpu : cpus) cpu.join();
    EXPECT_EQ(errors[0], off ? BAREFXT_ERROR_CLOCK_UNANSWERED : BAREFXT_OK);
    EXPECT_EQ(errors[1], off ? BAREFXT_ERROR_MMU_OFF : BAREFXT_OK);
    EXPECT_EQ(stores_of_second == 0, off);
    EXPECT_EQ(start(0), off ? BAREFXT_ERROR_MMU_OFF : BAREFXT_OK);
    EXPECT_EQ(start(BAREFXT_CHECK_MEMORY), BAREFXT_OK);
  }
}

}  // namespace
}  // namespace barefxt::test

// Called ahead of each store. The first hundred of a thread are past what is no count.
extern "C" bool barefxt_store_fails(const volatile void* word) {
  using namespace barefxt::test;
  if (++stores == 100 && loses) {
    auto* count = static_cast<barefxt::PositionWord*>(const_cast<void*>(word));
    if (__atomic_load_n(count, __ATOMIC_RELAXED) > 1)
      __atomic_fetch_sub(count, 1, __ATOMIC_RELAXED);
  }
  return false;
}

extern "C" int barefxt_port_caches_are_on(void) { return !barefxt::test::caches_are_off; }

// Alone on its CPU nothing overlaps.
extern "C" void barefxt_port_monitor_probe_begin(uint32_t*) {}
extern "C" uint32_t barefxt_port_monitor_probe_end(uint32_t*) { return 1; }
