// Calls from four threads, recorded by compiler-rt, and how many there were.
#include <array>
#include <thread>
#include <xray/xray_interface.h>
#include <xray/xray_log_interface.h>

#define INSTRUMENTED __attribute__((xray_always_instrument, noinline))

namespace {
void stay() { asm volatile("" ::: "memory"); }
}  // namespace

namespace work {

INSTRUMENTED int leaf(int number) {
  stay();
  return number + 1;
}

INSTRUMENTED int leaves(int number) {
  stay();
  return leaf(number + 2);  // a tail call
}

INSTRUMENTED __attribute__((xray_log_args(1))) int twice(int number) {
  const int first = leaf(number);
  stay();
  const int second = leaves(number);
  stay();
  return first + second;
}

}  // namespace work

INSTRUMENTED void rounds(int count) {
  for (int i = 0; i < count; ++i) {
    work::twice(i);
    if (i % 7 == 0) __xray_customevent("hello", 5);
  }
  stay();
}

int main() {
  __xray_log_select_mode("xray-fdr");
  if (__xray_log_init_mode("xray-fdr", "func_duration_threshold_us=0") != XRAY_LOG_INITIALIZED)
    return 1;
  __xray_patch();
  std::array<std::thread, 4> threads;
  for (std::thread& thread : threads) thread = std::thread([] { rounds(200); });
  for (std::thread& thread : threads) thread.join();
  __xray_log_finalize();
  return __xray_log_flushLog() == XRAY_LOG_FLUSHED ? 0 : 1;
}
