#include "sites.h"

#include <barefxt_port.h>

namespace sites {

barefxt_thread* outgoing;
barefxt_thread* incoming;

namespace {

[[gnu::always_inline]] inline void forget_registers() {
  asm volatile(""
               :
               :
               : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
                 "r14", "r15", "cc", "memory");
}
template <typename T>
[[gnu::always_inline]] inline void use(T value) {
  asm volatile("" : : "r"(value));
}

}  // namespace

void nothing() {
  forget_registers();
  forget_registers();
}

void instant() {
  forget_registers();
  BAREFXT_INSTANT(probe, "cost");
  forget_registers();
}

void disabled_probe() {
  forget_registers();
  BAREFXT_INSTANT(silent, "cost");
  forget_registers();
}

void threads() {
  forget_registers();
  use(outgoing);
  use(incoming);
  use(BAREFXT_STATE_BLOCKED);
  forget_registers();
}

void context_switch() {
  forget_registers();
  barefxt_context_switch(outgoing, BAREFXT_STATE_BLOCKED, incoming);
  forget_registers();
}

void floor_of_a_record(Floor& floor) {
  uint64_t position = __atomic_load_n(&floor.position, __ATOMIC_RELAXED);
  const uint64_t ticks = barefxt_port_counter();
  __atomic_compare_exchange_n(&floor.position, &position, position + 16, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  auto* words = reinterpret_cast<uint64_t*>(floor.memory + (position & (Floor::kBytes - 1)));
  words[1] = ticks;
  __atomic_store_n(words, position, __ATOMIC_RELEASE);
}

}  // namespace sites
