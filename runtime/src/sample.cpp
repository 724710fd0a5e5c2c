// Samples: an address alone (fxt::SampleRecord), or a backtrace by frame pointers ("Profiler
// record").
//
// Invariants: memory is read only from the stack pointer up to the stack's end, at addresses that
// ascend. A backtrace is read before its record is reserved: the number of addresses decides the
// record's size, and a stack that changes meanwhile can only spoil what is recorded.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/sample.h>

#include "record_writer.h"

namespace barefxt {
namespace {

using fxt::ProfilerBacktrace;
using fxt::SampleRecord;

constexpr uint32_t kSampleBytes = SampleRecord::kWords * fxt::kWordBytes;

static_assert(BAREFXT_SAMPLE_CALLERS >= 2 && BAREFXT_SAMPLE_CALLERS <= 64 &&
                  BAREFXT_SAMPLE_CALLERS % 2 == 0,
              "BAREFXT_SAMPLE_CALLERS: an even number from 2 to 64");
constexpr size_t kMaxFrames = 1 + BAREFXT_SAMPLE_CALLERS;

fxt::Word backtrace_header(size_t words, uintptr_t reference, size_t frames) {
  constexpr unsigned kShift = fxt::Event::Thread::kFirst - ProfilerBacktrace::Thread::kFirst;
  return (ProfilerBacktrace::make(words, fxt::ProfilerType::kBacktrace, {}) |
          ProfilerBacktrace::FrameCount::of(frames)) +
         (reference >> kShift);
}

// Contention, a new segment, a full ring, a thread without an index.
BAREFXT_SLOW_PATH_ void write_sample_slowly(fxt::Word header) {
  RecordWriter record;
  if (!record.reserve(kSampleBytes, Owner::kCurrent)) return;
  record.word(record.ticks());
  record.koids();
  record.commit(header + SampleRecord::SizeWords::of(record.words() - SampleRecord::kWords) +
                SampleRecord::Thread::of(record.thread().value));
}

[[gnu::noinline, gnu::cold]] void write_frames_slowly(const uintptr_t* frames, size_t count) {
  RecordWriter record;
  if (!record.reserve(words_to_bytes(ProfilerBacktrace::kFixedWords + count), Owner::kCurrent))
    return;
  record.word(record.ticks());
  record.koids();
  for (size_t i = 0; i < count; ++i) record.word(frames[i]);
  record.commit(
      backtrace_header(record.words(), fxt::Event::Thread::of(record.thread().value), count));
}

#if defined(__arm__) && !defined(__ARMEB__)
// Compilers widen words one by one, in twice as many instructions. These registers are free in
// Thumb code with a frame pointer, too.
[[gnu::always_inline]] inline void copy_two(fxt::Word*& to, const uintptr_t*& from) {
  register uint32_t first __asm__("r0");
  register uint32_t above_first __asm__("r1") = 0;
  register uint32_t second __asm__("r2");
  register uint32_t above_second __asm__("r3") = 0;
  __asm__ volatile("ldm %0!, {r0, r2}\n\tstm %1!, {r0-r3}"
                   : "+&l"(from), "+&l"(to), "=&r"(first), "=&r"(second)
                   : "r"(above_first), "r"(above_second)
                   : "memory");
}
constexpr size_t kCopied = 2;
#else
[[gnu::always_inline]] inline void copy_two(fxt::Word*& to, const uintptr_t*& from) {
  // Both ahead of the stores: some CPUs load and store two at a time.
  const uintptr_t first = from[0];
  const uintptr_t second = from[1];
  from += 2;
  to[0] = first;
  to[1] = second;
  to += 2;
}
constexpr size_t kCopied = 4;
#endif

constexpr size_t backtrace_words(size_t count) { return ProfilerBacktrace::kFixedWords + count; }

[[gnu::always_inline]] inline void write_frames(const uintptr_t* frames, size_t count) {
  Reservation reservation;
  if (!kFastPaths ||
      !try_reserve<Owner::kCurrent>(reservation, words_to_bytes(backtrace_words(count))))
    return write_frames_slowly(frames, count);
  fxt::Word* to = reservation.words + 1;
  *to++ = reservation.ticks;
  const uintptr_t* from = frames;
  const uintptr_t* const end = frames + count;
  if ((count & 1) != 0) *to++ = *from++;
  if (kCopied == 4 && (count & 2) != 0) copy_two(to, from);
  // `kCopied` at a time: a loop's own instructions are half of one that copies a word.
  while (from != end) {
    copy_two(to, from);
    if (kCopied == 4) copy_two(to, from);
  }
  reservation.commit(backtrace_header(backtrace_words(count), reservation.owner_reference, count));
}

// An address beyond what a sample's header holds.
[[maybe_unused, gnu::noinline, gnu::cold]] void write_far_sample(uintptr_t pc) {
  write_frames(&pc, 1);
}

#ifdef BAREFXT_PORT_FRAME_RETURN
// The places of the two addresses in a frame, in words from the frame pointer.
constexpr ptrdiff_t kReturn = BAREFXT_PORT_FRAME_RETURN;
constexpr ptrdiff_t kCaller = BAREFXT_PORT_FRAME_CALLER;
constexpr ptrdiff_t kFirst = kReturn < kCaller ? kReturn : kCaller;
static_assert(kReturn - kCaller == 1 || kCaller - kReturn == 1);
constexpr uintptr_t kFrameBytes = 2 * sizeof(uintptr_t);
#ifdef __m68k__
constexpr uintptr_t kAlignment = 1;  // every CPU with CAS reads words anywhere
#else
constexpr uintptr_t kAlignment = alignof(uintptr_t);
#endif

// The frame pointers of which both addresses lie in the stack. Aligning one downwards changes
// nothing about that, if the lowest is aligned.
constexpr uintptr_t lowest_frame(uintptr_t sp) {
  return ((sp + kAlignment - 1) & ~(kAlignment - 1)) - kFirst * sizeof(uintptr_t);
}
constexpr uintptr_t last_frame(uintptr_t stack_end) {
  return stack_end - kFrameBytes - kFirst * sizeof(uintptr_t);
}

// Follows a chain of frames upwards.
//
// A frame's place is its distance behind the last possible one, modulo the size of the address
// space. It ascends up to ~0, and frames beyond have small ones: so one comparison finds a caller
// that does not ascend as well as one outside of the stack.
class Frames {
 public:
  [[gnu::always_inline]] Frames(uintptr_t fp, uintptr_t last) : to_place_(~last) {
    // The compiler must not know the sum's origin: it would add and subtract 1 in each frame.
    __asm__("" : "+r"(to_place_));
    move_to(fp);
  }

  [[gnu::always_inline]] bool is_further(uintptr_t fp) const { return fp + to_place_ > place_; }
  [[gnu::always_inline]] void move_to(uintptr_t fp) {
    fp_ = fp;
    place_ = fp + to_place_;
  }
  [[gnu::always_inline]] const uintptr_t* words() const {
    return reinterpret_cast<const uintptr_t*>(fp_ & ~(kAlignment - 1));
  }
  // Stores the return address, and goes to the caller's frame. Returns false if there is none.
  [[gnu::always_inline]] bool read(uintptr_t& address) {
    // Both ahead of the store: one instruction loads them.
    const uintptr_t found = words()[kReturn];
    const uintptr_t caller = words()[kCaller];
    address = found;
    const bool goes_on = is_further(caller);
    move_to(caller);
    return goes_on;
  }

 private:
  uintptr_t to_place_;
  uintptr_t fp_;
  uintptr_t place_;
};

// `fp` is not 0. In a function of its own, so that an address alone needs no checks.
[[gnu::noinline]] void write_backtrace(uintptr_t pc, uintptr_t fp, uintptr_t sp,
                                       uintptr_t stack_end) {
  const uintptr_t last = last_frame(stack_end);
  if (stack_end <= kFrameBytes || fp < lowest_frame(sp) || fp > last)
    return barefxt_sample(pc, 0, 0, 0);
  Frames frames(fp, last);
#ifdef BAREFXT_PORT_FRAME_OF_LEAF
  // A function without calls may have saved nothing but the caller's frame pointer, in the place of
  // the return address: that is in a register, and this caller is missing.
  const uintptr_t instead = frames.words()[kReturn];
  if (frames.is_further(instead)) frames.move_to(instead);
#endif
  uintptr_t addresses[kMaxFrames];
  uintptr_t* next = addresses;
  *next++ = pc;
  // Up to four at a time, as when they are copied.
  do {
    if (!frames.read(*next++)) break;
    if (!frames.read(*next++)) break;
    if constexpr (BAREFXT_SAMPLE_CALLERS % 4 == 0) {
      if (!frames.read(*next++)) break;
      if (!frames.read(*next++)) break;
    }
#if defined(__clang__) && !defined(__clang_analyzer__)
    // Otherwise clang keeps a count for each way out of the loop, or unrolls it entirely.
    __asm__("" : "+r"(next));
#endif
  } while (next != addresses + kMaxFrames);
#if !defined(__clang__)
  // Otherwise GCC passes on all that it derives from the count of a full array.
  __asm__("" : "+r"(next));
#endif
  write_frames(addresses, static_cast<size_t>(next - addresses));
}
#endif

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_sample(uintptr_t pc, [[maybe_unused]] uintptr_t fp, [[maybe_unused]] uintptr_t sp,
                    [[maybe_unused]] uintptr_t stack_end) {
  if (!BAREFXT_ENABLED(samples)) return;
#ifdef BAREFXT_PORT_FRAME_RETURN
  if (__builtin_expect(fp != 0, 0)) return write_backtrace(pc, fp, sp, stack_end);
#endif
  if (!SampleRecord::holds(pc)) return write_far_sample(pc);
  const fxt::Word header = SampleRecord::make(pc);
  Reservation reservation;
  if (!kFastPaths || !try_reserve<Owner::kCurrent, kSampleBytes>(reservation))
    return write_sample_slowly(header);
  reservation.words[1] = reservation.ticks;
  static_assert(SampleRecord::Thread::kFirst == fxt::Event::Thread::kFirst);
  reservation.commit(header | reservation.owner_reference);
}

}  // extern "C"

#endif
