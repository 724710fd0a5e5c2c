// The other CPUs, and fresh stacks.
#include "kernel/board.h"
#include "local_apic.h"
#include "ports.h"

extern "C" {
extern const uint8_t board_trampoline;
extern const uint8_t board_trampoline_end;
extern uint32_t board_starting_cpu;
}

namespace board {
namespace {

// QEMU's channel for its configuration: a number selects an entry, whose bytes are read in turn.
uint16_t number_of_cpus() {
  constexpr uint16_t kSelector = 0x510;
  constexpr uint16_t kData = 0x511;
  constexpr uint16_t kNumberOfCpus = 5;
  out16(kSelector, kNumberOfCpus);
  const uint8_t low = in8(kData);
  return static_cast<uint16_t>(low | in8(kData) << 8);
}

void wait(uint64_t milliseconds) {
  const uint64_t begin = ticks();
  while (ticks() - begin < milliseconds * ticks_per_millisecond()) relax();
}

}  // namespace

// The caller waits until the CPU is there, so the one before has read its number.
bool start_cpu(unsigned cpu) {
  if (cpu >= number_of_cpus()) return false;
  auto* const to = reinterpret_cast<volatile uint8_t*>(TRAMPOLINE_ADDRESS);
  for (const uint8_t* from = &board_trampoline; from != &board_trampoline_end; ++from)
    to[from - &board_trampoline] = *from;
  __atomic_store_n(&board_starting_cpu, cpu, __ATOMIC_RELEASE);
  send_message(cpu, kInitMessage);
  wait(10);
  send_message(cpu, kStartMessage | TRAMPOLINE_ADDRESS >> 12);
  return true;
}

void* prepare_stack(void* top, void (*entry)()) {
  char* frame = static_cast<char*>(top) - SWITCH_FRAME_BYTES;
  auto* words = reinterpret_cast<uint64_t*>(frame);
  for (size_t i = 0; i < SWITCH_FRAME_BYTES / sizeof(uint64_t); ++i) words[i] = 0;
  words[SWITCH_FRAME_RETURN / sizeof(uint64_t)] = reinterpret_cast<uintptr_t>(entry);
  return frame;
}

}  // namespace board
