/* Relaxed loads and stores of words that a machine reads and writes whole, for C and C++ alike. */
#ifndef BAREFXT_RELAXED_H
#define BAREFXT_RELAXED_H

/* Tests that bring a race detector's functions themselves define it to 0: then the code is as it is
 * without one. */
#ifndef BAREFXT_THREAD_SANITIZER_
#if defined(__SANITIZE_THREAD__)
#define BAREFXT_THREAD_SANITIZER_ 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BAREFXT_THREAD_SANITIZER_ 1
#endif
#endif
#endif
#ifndef BAREFXT_THREAD_SANITIZER_
#define BAREFXT_THREAD_SANITIZER_ 0
#endif
#if BAREFXT_THREAD_SANITIZER_
#define BAREFXT_UNSEEN_BY_RACE_DETECTORS_ __attribute__((no_sanitize("thread")))
#else
#define BAREFXT_UNSEEN_BY_RACE_DETECTORS_
#endif

/* Without compare-and-swap every load and store of a word is atomic as it is; compilers would call
 * a library for more. */
#if defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4)
#define BAREFXT_MASKS_INTERRUPTS_ 0
#else
#define BAREFXT_MASKS_INTERRUPTS_ 1
#endif

/* The instructions of RISC-V's A extension that swaps consist of, which Zalrsc has alone. */
#if (defined(__riscv_atomic) || defined(__riscv_zalrsc)) && !BAREFXT_MASKS_INTERRUPTS_
#define BAREFXT_RISCV_RESERVES_ 1
#else
#define BAREFXT_RISCV_RESERVES_ 0
#endif

/* GCC forms the address of an atomic access in a register, even if the instruction could add the
 * offset; a volatile access is the same instruction without that. A race detector takes only the
 * former for atomic. */
#if BAREFXT_MASKS_INTERRUPTS_ || \
    (defined(__GNUC__) && !defined(__clang__) && !BAREFXT_THREAD_SANITIZER_)
#define BAREFXT_LOAD_RELAXED_(object) (*(const volatile __typeof__(object)*)&(object))
#define BAREFXT_STORE_RELAXED_(object, value) \
  ((void)(*(volatile __typeof__(object)*)&(object) = (value)))
#else
#define BAREFXT_LOAD_RELAXED_(object) __atomic_load_n(&(object), __ATOMIC_RELAXED)
#define BAREFXT_STORE_RELAXED_(object, value) __atomic_store_n(&(object), value, __ATOMIC_RELAXED)
#endif

/* Relaxed accesses for places at which one instruction may load or store the word beside it as
 * well. Compilers combine only plain accesses; these take aligned words whole, too. */
#if BAREFXT_THREAD_SANITIZER_
#define BAREFXT_LOAD_PAIRED_(object) BAREFXT_LOAD_RELAXED_(object)
#define BAREFXT_STORE_PAIRED_(object, value) BAREFXT_STORE_RELAXED_(object, value)
#else
#define BAREFXT_LOAD_PAIRED_(object) (object)
#define BAREFXT_STORE_PAIRED_(object, value) ((void)((object) = (value)))
#endif

#endif
