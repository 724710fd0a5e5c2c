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

// Four at a time: a loop's own instructions are half of one that copies a word.
[[gnu::always_inline]] inline void copy_frames(fxt::Word* to, const uintptr_t* from, size_t count) {
  const uintptr_t* const end = from + count;
  for (; end - from >= 4; from += 4, to += 4) {
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[3] = from[3];
  }
  while (from != end) *to++ = *from++;
}

constexpr size_t backtrace_words(size_t count) { return ProfilerBacktrace::kFixedWords + count; }

[[gnu::always_inline]] inline void write_frames(const uintptr_t* frames, size_t count) {
  Reservation reservation;
  if (!kFastPaths ||
      !try_reserve<Owner::kCurrent>(reservation, words_to_bytes(backtrace_words(count))))
    return write_frames_slowly(frames, count);
  fxt::Word* at = reservation.words + 1;
  *at++ = reservation.ticks;
  copy_frames(at, frames, count);
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
constexpr uintptr_t kAlignment = alignof(uintptr_t);

// The frame pointers of which both addresses lie in the stack. Aligning one downwards changes
// nothing about that, if the lowest is aligned.
constexpr uintptr_t lowest_frame(uintptr_t sp) {
  return ((sp + kAlignment - 1) & ~(kAlignment - 1)) - kFirst * sizeof(uintptr_t);
}
constexpr uintptr_t last_frame(uintptr_t stack_end) {
  return stack_end - kFrameBytes - kFirst * sizeof(uintptr_t);
}

#if defined(__aarch64__)
#define BAREFXT_APART_(value)
#else
// Keeps two conditions apart: as one value they take more instructions than two branches, except on
// AArch64.
#define BAREFXT_APART_(value) __asm__("" : "+r"(value))
#endif

// Reads the frame at `fp`, and makes that its caller's. Returns false if none is to be followed.
[[gnu::always_inline]] inline bool read_frame(uintptr_t& fp, uintptr_t last, uintptr_t& address) {
  const auto* words = reinterpret_cast<const uintptr_t*>(fp & ~(kAlignment - 1));
  // Both ahead of the store: one instruction loads them.
  const uintptr_t found = words[kReturn];
  fp = words[kCaller];
  address = found;
  if (fp <= reinterpret_cast<uintptr_t>(words)) return false;
  BAREFXT_APART_(fp);
  return fp <= last;
}

// `fp` is not 0. In a function of its own, so that an address alone needs no checks.
[[gnu::noinline]] void write_backtrace(uintptr_t pc, uintptr_t fp, uintptr_t sp,
                                       uintptr_t stack_end) {
  const uintptr_t last = last_frame(stack_end);
  if (stack_end <= kFrameBytes || fp < lowest_frame(sp) || fp > last)
    return barefxt_sample(pc, 0, 0, 0);
  uintptr_t frames[kMaxFrames];
  uintptr_t* next = frames;
  *next++ = pc;
#ifdef BAREFXT_PORT_FRAME_OF_LEAF
  // A function without calls may have saved nothing but the caller's frame pointer, in the place of
  // the return address: that is in a register, and this caller is missing.
  const uintptr_t instead = reinterpret_cast<const uintptr_t*>(fp & ~(kAlignment - 1))[kReturn];
  if (instead > fp && instead <= last) fp = instead;
#endif
  // Two at a time, as in copy_frames.
  do {
    if (!read_frame(fp, last, *next++)) break;
    if (!read_frame(fp, last, *next++)) break;
  } while (next != frames + kMaxFrames);
  write_frames(frames, static_cast<size_t>(next - frames));
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
