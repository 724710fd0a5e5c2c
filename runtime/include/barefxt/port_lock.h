// Makes a read-modify-write of a shared word whole on CPUs without compare-and-swap.
//
// One CPU masks interrupts. Several also take a lock of the port's, a hardware spinlock for
// example (BAREFXT_PORT_LOCK). Invariants:
// - The lock is held with interrupts masked, for one read-modify-write or store, and for no other
//   lock. So only NMI and HardFault interrupt a holder.
// - No record in a CPU's own ring takes it, unless another CPU changes that ring's position at that
//   moment (RingPosition in position.h).
// - Nobody waits without a bound. A context that interrupts the holder on its own CPU does not wait
//   at all.
// - A word that any CPU changes under the lock is stored under the lock as well. Otherwise the
//   holder, between its load and its store, would undo that store.
#pragma once

#include <stdint.h>

#include <barefxt/config.h>
#include <barefxt/relaxed.h>
// Not otherwise: the host's tools have no port.
#if BAREFXT_MASKS_INTERRUPTS_
#include <barefxt_port.h>
#endif

#if BAREFXT_MASKS_INTERRUPTS_ && BAREFXT_MAX_CPUS > 1
#define BAREFXT_PORT_LOCKS_ 1
#else
#define BAREFXT_PORT_LOCKS_ 0
#endif

namespace barefxt {

#if BAREFXT_PORT_LOCKS_
#ifndef BAREFXT_PORT_LOCK
#error "CPUs without compare-and-swap: BAREFXT_MAX_CPUS is 1, or the port has a lock"
#endif

// The CPU that holds the lock, counted from 1; 0: none. Only compared with the caller's own number.
inline uint32_t port_lock_holder = 0;

class PortLock {
 public:
  PortLock() : interrupts_(barefxt_port_interrupt_save()), is_held_(take()) {}
  ~PortLock() {
    if (is_held_) give();
    barefxt_port_interrupt_restore(interrupts_);
  }
  PortLock(const PortLock&) = delete;
  PortLock& operator=(const PortLock&) = delete;

  // False: this context interrupted the holder, or the other CPU keeps the lock, or stands still.
  bool is_held() const { return is_held_; }

 private:
  // Another's turn takes a dozen instructions.
  static constexpr unsigned kMaxTries = 4096;

  [[gnu::noinline]] static bool take() {
    const auto self = static_cast<uint32_t>(barefxt_port_cpu()) + 1;
    if (BAREFXT_LOAD_RELAXED_(port_lock_holder) == self) return false;
    for (unsigned left = kMaxTries; left != 0; --left) {
      if (barefxt_port_try_lock() == 0) continue;
      BAREFXT_STORE_RELAXED_(port_lock_holder, self);
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
      return true;
    }
    return false;
  }
  [[gnu::noinline]] static void give() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    BAREFXT_STORE_RELAXED_(port_lock_holder, 0);
    barefxt_port_unlock();
  }

  uintptr_t interrupts_;
  bool is_held_;
};
#elif BAREFXT_MASKS_INTERRUPTS_
class PortLock {
 public:
  // Inlined: a window is a few instructions.
  [[gnu::always_inline]] PortLock() : interrupts_(barefxt_port_interrupt_save()) {}
  [[gnu::always_inline]] ~PortLock() { barefxt_port_interrupt_restore(interrupts_); }
  PortLock(const PortLock&) = delete;
  PortLock& operator=(const PortLock&) = delete;

  static constexpr bool is_held() { return true; }

 private:
  uintptr_t interrupts_;
};
#endif

}  // namespace barefxt
