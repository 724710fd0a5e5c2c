#include "recording.h"

#include <asm/prctl.h>
#include <cstdio>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

#include <barefxt/config.h>

#include "sites.h"

namespace {

barefxt_thread threads[2];

}  // namespace

Recording::Recording(uint16_t cpus, uint32_t records)
    : memory_(cpus * (records / ((BAREFXT_SEGMENT_BYTES - 128) / 16) + 2) * BAREFXT_SEGMENT_BYTES /
              sizeof(uint64_t)),
      cpus_(cpus) {
  barefxt_thread_register(&threads[0], 1, 10, "one", 10);
  barefxt_thread_register(&threads[1], 1, 11, "two", 10);
  sites::outgoing = &threads[0];
  sites::incoming = &threads[1];
}

Recording::~Recording() {
  for (barefxt_thread& thread : threads) barefxt_thread_unregister(&thread);
}

void Recording::start() {
  barefxt_config config = {};
  config.memory = memory_.data();
  config.bytes = memory_.size() * sizeof(uint64_t);
  config.cpus = cpus_;
  config.categories = sites::kCategories;
  if (barefxt_start(&config) != BAREFXT_OK) {
    std::puts("barefxt_start failed");
    std::exit(1);
  }
}

bool Recording::stop() { return barefxt_stop().lost_records == 0; }

void run_on_cpu(uint32_t cpu) {
  thread_local uint32_t number;
  number = cpu;
  syscall(SYS_arch_prctl, ARCH_SET_GS, &number);
}
