// Writes as many records on one CPU as on another, for a tool that watches the loads and stores
// meanwhile. Stores to four printed addresses mark the stretches: one CPU works between the first
// and the second, the other between the third and the fourth. With an argument both write as the
// same CPU, so that a comparison of the two must find what they share.
#include <cstdio>
#include <semaphore>
#include <thread>

#include "recording.h"
#include "sites.h"

namespace {

constexpr unsigned kRecords = 3 * BAREFXT_SEGMENT_BYTES / 16;

volatile uint64_t marks[4];

void write_as(uint32_t cpu, unsigned mark) {
  run_on_cpu(cpu);
  // The first record's look-ups are not measured.
  barefxt_context_switch(sites::outgoing, BAREFXT_STATE_BLOCKED, sites::incoming);
  marks[mark] = 1;
  for (unsigned i = 0; i < kRecords; ++i)
    barefxt_context_switch(sites::outgoing, BAREFXT_STATE_BLOCKED, sites::incoming);
  marks[mark + 1] = 1;
}

}  // namespace

int main(int count, char**) {
  run_on_cpu(0);
  Recording recording(2, 2 * kRecords + 2);
  recording.start();
  // In threads that are there at the same time, or they would have the same stack.
  std::binary_semaphore has_written(0);
  std::binary_semaphore may_end(0);
  std::thread first([&] {
    write_as(0, 0);
    has_written.release();
    may_end.acquire();
  });
  has_written.acquire();
  std::thread([&] { write_as(count > 1 ? 0 : 1, 2); }).join();
  may_end.release();
  first.join();
  for (const volatile uint64_t& mark : marks)
    std::printf("%llx\n", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(&mark)));
  return Recording::stop() ? 0 : 1;
}
