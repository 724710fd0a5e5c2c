// Thin atomics over the compilers' builtins: half of the bare-metal toolchains ship no <atomic>.
#pragma once

#include <stdint.h>

#include <barefxt/features.h>
#include <barefxt/half_periods.h>
#include <barefxt/port_lock.h>
#include <barefxt/relaxed.h>

// GCC before 14 makes an atomic exchange of every atomic store on RISC-V.
#if defined(__riscv) && !defined(__clang__) && __GNUC__ < 14
#define BAREFXT_STORES_BY_EXCHANGE_ 1
#else
#define BAREFXT_STORES_BY_EXCHANGE_ 0
#endif

// Words of 64 bits are loaded and stored in halves if no instruction does both. Tests do so on any
// machine.
#if UINTPTR_MAX > 0xffffffff && !defined(BAREFXT_TEST_HALVES)
#define BAREFXT_WHOLE_WORDS_ 1
#else
#define BAREFXT_WHOLE_WORDS_ 0
#endif

// Tests come in between any two accesses of words that others change.
#ifdef BAREFXT_TEST_ACCESSES
extern "C" void barefxt_at_access(void);
#define BAREFXT_AT_ACCESS_() barefxt_at_access()
#else
#define BAREFXT_AT_ACCESS_() ((void)0)
#endif

// Swaps may be a load and a store that the CPU can refuse. Compilers then loop without a bound,
// except for the weak swap. If exclusive stores never succeed (MMU or caches off, memory that is
// not normal and cacheable), such loops hang, so these loops have a bound. BAREFXT_SMALL takes the
// compilers' own swaps, for their size. On RISC-V only compare-and-swap has a bound, also the weak
// one.
#if BAREFXT_MASKS_INTERRUPTS_ || BAREFXT_SMALL
#define BAREFXT_BOUNDS_STORES_ 0
#elif defined(BAREFXT_TEST_STORES) || defined(__arm__) || \
    (defined(__aarch64__) && !defined(__ARM_FEATURE_ATOMICS))
#define BAREFXT_BOUNDS_STORES_ 1
#else
#define BAREFXT_BOUNDS_STORES_ 0
#endif
#if !BAREFXT_SMALL && BAREFXT_RISCV_RESERVES_
#define BAREFXT_BOUNDS_SWAPS_ 1
#else
#define BAREFXT_BOUNDS_SWAPS_ BAREFXT_BOUNDS_STORES_
#endif

// Tests decide which exclusive stores fail.
#ifdef BAREFXT_TEST_STORES
extern "C" bool barefxt_store_fails(const volatile void* word);
#else
inline bool barefxt_store_fails(const volatile void*) { return false; }
#endif

namespace barefxt {

// A CPU sees its own accesses in the order of the program. With one CPU, only the compiler's order
// matters. That does not hold with a compiler for Unix: its programs may have threads on several
// CPUs, with any number of rings.
#if BAREFXT_MAX_CPUS == 1 && (BAREFXT_MASKS_INTERRUPTS_ || !defined(__unix__))
inline constexpr bool kOneCpu = true;
#else
inline constexpr bool kOneCpu = false;
#endif

// Keeps the compiler, not the CPU, from moving memory accesses: for what another context on the
// same CPU, or a debugger after a crash, may see half done.
inline void compiler_barrier() { __asm__ volatile("" : : : "memory"); }

// Tries of a store in a row that each find another's store, or are refused. No CPU that does
// anything else loses that many to others: they take a millisecond.
inline constexpr unsigned kMaxStores = 4096;
// A compare-and-swap may fail: its caller tries again.
inline constexpr unsigned kMaxSwaps = 256;

// One try. False: the word is not `expected`, or the store was refused.
template <typename T>
[[gnu::always_inline]] inline bool try_swap(T& object, T expected, T desired, int order) {
  if (barefxt_store_fails(&object)) return false;
#if BAREFXT_RISCV_RESERVES_ && BAREFXT_BOUNDS_SWAPS_
  const bool is_ordered = order != __ATOMIC_RELAXED;
  if (is_ordered) __asm__ volatile("fence rw, w" : : : "memory");
  uint32_t failed = 1;
  if constexpr (sizeof(T) == 4) {
    // As it is loaded: with its sign, which compilers need not extend themselves.
    const auto wanted = static_cast<intptr_t>(static_cast<int32_t>(expected));
    intptr_t seen;
    __asm__ volatile("lr.w %0, %2\n\tbne %0, %3, 1f\n\tsc.w %1, %4, %2\n1:"
                     : "=&r"(seen), "+&r"(failed), "+A"(object)
                     : "r"(wanted), "r"(desired)
                     : "memory");
  } else {
    T seen;
    __asm__ volatile("lr.d %0, %2\n\tbne %0, %3, 1f\n\tsc.d %1, %4, %2\n1:"
                     : "=&r"(seen), "+&r"(failed), "+A"(object)
                     : "r"(expected), "r"(desired)
                     : "memory");
  }
  if (is_ordered) __asm__ volatile("fence r, rw" : : : "memory");
  return failed == 0;
#else
  return __atomic_compare_exchange_n(&object, &expected, desired, true, order, __ATOMIC_RELAXED);
#endif
}

// Fails only if the word is not `expected`, except on a CPU whose stores are all refused.
template <typename T>
bool swap_bounded(T& object, T expected, T desired, int order) {
  unsigned left = kMaxSwaps;
  do {
    if (try_swap(object, expected, desired, order)) return true;
    if (BAREFXT_LOAD_RELAXED_(object) != expected) return false;
  } while (--left != 0);
  return false;
}

// Changes the word and returns its former value. A CPU whose stores are all refused stores plainly
// in the end. No context whose stores are refused as well comes in between unseen, and counts stay
// right if there is no other.
template <typename T, typename Next>
T update_bounded(T& object, Next next, int order) {
  unsigned left = kMaxStores;
  while (true) {
    const T before = BAREFXT_LOAD_RELAXED_(object);
    const T after = next(before);
    if (try_swap(object, before, after, order)) return before;
    if (--left != 0) continue;
    BAREFXT_STORE_RELAXED_(object, after);
    return before;
  }
}

template <typename T>
T load_acquire(const T& object) {
  BAREFXT_AT_ACCESS_();
  if constexpr (kOneCpu) {
    const T value = BAREFXT_LOAD_RELAXED_(object);
    compiler_barrier();
    return value;
  } else {
#if BAREFXT_MASKS_INTERRUPTS_
    const T value = BAREFXT_LOAD_RELAXED_(object);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return value;
#else
    return __atomic_load_n(&object, __ATOMIC_ACQUIRE);
#endif
  }
}
template <typename T>
void store_release(T& object, T value) {
  BAREFXT_AT_ACCESS_();
  if constexpr (kOneCpu) {
    compiler_barrier();
    BAREFXT_STORE_RELAXED_(object, value);
  } else {
#if BAREFXT_STORES_BY_EXCHANGE_
    __asm__ volatile("fence rw, w" : : : "memory");
    BAREFXT_STORE_RELAXED_(object, value);
#elif BAREFXT_MASKS_INTERRUPTS_
    __atomic_thread_fence(__ATOMIC_RELEASE);
    BAREFXT_STORE_RELAXED_(object, value);
#else
    __atomic_store_n(&object, value, __ATOMIC_RELEASE);
#endif
  }
}

// As BAREFXT_STORE_RELAXED_, with the address in a register if a record's other words need it
// there.
template <typename T>
void store_relaxed(T& object, T value) {
  BAREFXT_AT_ACCESS_();
#if BAREFXT_MASKS_INTERRUPTS_ || BAREFXT_STORES_BY_EXCHANGE_
  BAREFXT_STORE_RELAXED_(object, value);
#else
  __atomic_store_n(&object, value, __ATOMIC_RELAXED);
#endif
}

// As BAREFXT_STORE_RELAXED_, of a word that other CPUs swap.
template <typename T>
void store_swapped(T& object, T value) {
#if BAREFXT_PORT_LOCKS_
  const PortLock lock;
#endif
  BAREFXT_STORE_RELAXED_(object, value);
}

// Swaps a word that is a plain one in C.
template <typename T>
bool compare_exchange_relaxed(T& object, T expected, T desired) {
  BAREFXT_AT_ACCESS_();
#if BAREFXT_MASKS_INTERRUPTS_
  const PortLock lock;
  const bool is_swapped = lock.is_held() && BAREFXT_LOAD_RELAXED_(object) == expected;
  if (is_swapped) BAREFXT_STORE_RELAXED_(object, desired);
  return is_swapped;
#elif BAREFXT_BOUNDS_SWAPS_
  return swap_bounded(object, expected, desired, __ATOMIC_RELAXED);
#else
  return __atomic_compare_exchange_n(&object, &expected, desired, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
#endif
}

template <typename T>
class Atomic {
 public:
  constexpr Atomic() = default;
  constexpr explicit Atomic(T value) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  // For a port's own instructions.
  T* address() { return &value_; }
  const T* address() const { return &value_; }

  T load_relaxed() const {
    BAREFXT_AT_ACCESS_();
    return BAREFXT_LOAD_RELAXED_(value_);
  }
  T load_acquire() const { return barefxt::load_acquire(value_); }

  // For a load whose value every later access through it depends on: the address dependency orders
  // them on every machine we know (Alpha apart). A race detector does not see dependencies.
  T load_consume() const {
#if BAREFXT_THREAD_SANITIZER_
    return load_acquire();
#else
    return load_relaxed();
#endif
  }

  // Not beside another CPU's swap of this word (port_lock.h).
  void store_relaxed(T value) {
    BAREFXT_AT_ACCESS_();
    BAREFXT_STORE_RELAXED_(value_, value);
  }
  // The same where one instruction may store the word beside it as well.
  void store_paired(T value) {
    BAREFXT_AT_ACCESS_();
    BAREFXT_STORE_PAIRED_(value_, value);
  }
  void store_release(T value) {
#if BAREFXT_PORT_LOCKS_
    const PortLock lock;
#endif
    barefxt::store_release(value_, value);
  }
#if BAREFXT_MASKS_INTERRUPTS_
  T exchange(T value) {
    return update([value](T) { return value; });
  }
  T fetch_or(T bits) {
    return update([bits](T before) { return before | bits; });
  }
  T fetch_add_relaxed(T value) {
    return update([value](T before) { return before + value; });
  }
  T fetch_add_release(T value) { return fetch_add_relaxed(value); }
  bool compare_exchange_relaxed(T expected, T desired) {
    return barefxt::compare_exchange_relaxed(value_, expected, desired);
  }
  bool compare_exchange_weak(T expected, T desired) {
    return compare_exchange_relaxed(expected, desired);
  }
  BAREFXT_ONE_COPY_ bool compare_exchange(T expected, T desired) {
    return compare_exchange_relaxed(expected, desired);
  }
#else
#if BAREFXT_BOUNDS_STORES_
  T exchange(T value) {
    return update([value](T) { return value; }, kAcquireRelease);
  }
  T fetch_or(T bits) {
    return update([bits](T before) { return before | bits; }, kAcquireRelease);
  }
  T fetch_add_relaxed(T value) {
    BAREFXT_AT_ACCESS_();
    return update_bounded(value_, [value](T before) { return before + value; }, __ATOMIC_RELAXED);
  }
  T fetch_add_release(T value) {
    return update([value](T before) { return before + value; },
                  kOneCpu ? __ATOMIC_RELAXED : __ATOMIC_RELEASE);
  }
#else
  T exchange(T value) {
    BAREFXT_AT_ACCESS_();
    const Barriers barriers;
    return __atomic_exchange_n(&value_, value, kAcquireRelease);
  }
  T fetch_or(T bits) {
    BAREFXT_AT_ACCESS_();
    const Barriers barriers;
    return __atomic_fetch_or(&value_, bits, kAcquireRelease);
  }
  T fetch_add_relaxed(T value) {
    BAREFXT_AT_ACCESS_();
    return __atomic_fetch_add(&value_, value, __ATOMIC_RELAXED);
  }
  T fetch_add_release(T value) {
    BAREFXT_AT_ACCESS_();
    const Barriers barriers;
    return __atomic_fetch_add(&value_, value, kOneCpu ? __ATOMIC_RELAXED : __ATOMIC_RELEASE);
  }
#endif
  bool compare_exchange_relaxed(T expected, T desired) {
    return barefxt::compare_exchange_relaxed(value_, expected, desired);
  }
  // May fail for no reason.
  bool compare_exchange_weak(T expected, T desired) {
    BAREFXT_AT_ACCESS_();
    return try_swap(value_, expected, desired, __ATOMIC_RELAXED);
  }
  BAREFXT_ONE_COPY_ bool compare_exchange(T expected, T desired) {
    BAREFXT_AT_ACCESS_();
    const Barriers barriers;
#if BAREFXT_BOUNDS_SWAPS_
    return swap_bounded(value_, expected, desired, kAcquireRelease);
#else
    return __atomic_compare_exchange_n(&value_, &expected, desired, false, kAcquireRelease,
                                       __ATOMIC_RELAXED);
#endif
  }
#endif

 private:
#if BAREFXT_MASKS_INTERRUPTS_
  // The masked window, of four instructions or so. Its ends keep the compiler's order, too.
  template <typename Next>
  T update(Next next) {
    const PortLock lock;
    const T before = BAREFXT_LOAD_RELAXED_(value_);
    BAREFXT_STORE_RELAXED_(value_, next(before));
    return before;
  }
#else
  static constexpr int kAcquireRelease = kOneCpu ? __ATOMIC_RELAXED : __ATOMIC_ACQ_REL;

#if BAREFXT_BOUNDS_STORES_
  template <typename Next>
  T update(Next next, int order) {
    BAREFXT_AT_ACCESS_();
    const Barriers barriers;
    return update_bounded(value_, next, order);
  }
#endif

  // Only the compiler's order, if that suffices.
  struct Barriers {
    Barriers() {
      if constexpr (kOneCpu) compiler_barrier();
    }
    ~Barriers() {
      if constexpr (kOneCpu) compiler_barrier();
    }
  };
#endif

  T value_ = T{};
};

// A word that others may look at while its owner stores it: they trust their value only after a
// swap or a second look confirms it. Reads and writes like a plain one. Whole, except for 64 bits
// on a CPU of 32.
template <typename T>
class Relaxed {
 public:
  constexpr Relaxed() = default;
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed& other) { return *this = T{other}; }

  operator T() const {
    if constexpr (sizeof(T) < 8 || BAREFXT_WHOLE_WORDS_) return BAREFXT_LOAD_RELAXED_(value_);
    return *const_cast<const volatile T*>(&value_);
  }
  Relaxed& operator=(T value) {
    if constexpr (sizeof(T) < 8 || BAREFXT_WHOLE_WORDS_)
      BAREFXT_STORE_RELAXED_(value_, value);
    else
      *const_cast<volatile T*>(&value_) = value;
    return *this;
  }

 private:
  T value_ = T{};
};

// A 64-bit total that any context may add to. If the widest atomic has 32 bits, it consists of two
// words (half_periods.h). It is exact at every instruction, also for a context that interrupts an
// adder. Each adder brings the epoch up to date, no matter which one crossed into the next half
// period. So more than one half period could be missing only if adders of 2^31 in all stood between
// their two steps at a time.
class Total {
 public:
#if BAREFXT_WHOLE_WORDS_
  void add(uint32_t amount) { value_.fetch_add_relaxed(amount); }
  uint64_t value() const { return value_.load_relaxed(); }
  // Only while no context adds.
  void set(uint64_t value) { value_.store_relaxed(value); }
#else
  // Less than 2^31.
  void add(uint32_t amount) {
    low_.fetch_add_relaxed(amount);
    const uint32_t epoch = epoch_.load_acquire();
    // May fail for no reason: then the next adder does it.
    if (Halves::gone_by(epoch, low_.load_relaxed()) != epoch)
      epoch_.compare_exchange_weak(epoch, epoch + 1);
  }
  [[gnu::always_inline]] uint64_t value() const {
    while (true) {
      const uint32_t epoch = epoch_.load_acquire();
      const uint32_t low = low_.load_acquire();
      if (epoch_.load_relaxed() == epoch) return Halves::extend(epoch, low);
    }
  }
  // Only while no context adds, or by a context that interrupted all that do: their second step
  // then finds nothing to do.
  void set(uint64_t value) {
    low_.store_relaxed(static_cast<uint32_t>(value));
    epoch_.store_relaxed(static_cast<uint32_t>(value >> Halves::kTopBit));
  }
#endif
  void clear() { set(0); }

 private:
#if BAREFXT_WHOLE_WORDS_
  Atomic<uint64_t> value_;
#else
  using Halves = HalfPeriods<32>;
  Atomic<uint32_t> low_;
  Atomic<uint32_t> epoch_;
#endif
};

}  // namespace barefxt
