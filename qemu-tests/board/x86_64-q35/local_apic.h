// The local interrupt controller, which has each CPU's timer and the messages between CPUs.
#pragma once

#include <stdint.h>

namespace board {

enum class Apic : uint32_t {
  kEnd = 0x0b0,
  kSpurious = 0x0f0,
  kRequested = 0x200,  // 32 vectors every 16 bytes
  kMessage = 0x300,
  kMessageTo = 0x310,
  kTimer = 0x320,
  kLine0 = 0x350,
  kLine1 = 0x360,
  kTimerStart = 0x380,
  kTimerNow = 0x390,
  kTimerDivider = 0x3e0,
};
constexpr uint32_t kApicMasked = 1U << 16;

constexpr uintptr_t kLocalApic = 0xfee00000;

inline void write_apic(Apic number, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(kLocalApic + static_cast<uint32_t>(number)) = value;
}
inline uint32_t read_apic(Apic number, uint32_t offset = 0) {
  return *reinterpret_cast<volatile uint32_t*>(kLocalApic + static_cast<uint32_t>(number) + offset);
}

// Kinds of messages, with a vector or a page's number where they have one.
constexpr uint32_t kFixedMessage = 0x4000;
constexpr uint32_t kNmiMessage = 0x4400;
constexpr uint32_t kInitMessage = 0x4500;
constexpr uint32_t kStartMessage = 0x4600;

// Goes out before the call returns.
inline void send_message(unsigned cpu, uint32_t message) {
  constexpr uint32_t kPending = 1U << 12;
  write_apic(Apic::kMessageTo, cpu << 24);
  write_apic(Apic::kMessage, message);
  while ((read_apic(Apic::kMessage) & kPending) != 0) asm volatile("pause");
}

}  // namespace board
