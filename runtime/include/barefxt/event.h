// Writing events, "Event record" (record type 4) of the specification.
//
// If an event consists of words only (no inline text, no run-time name), its probe makes them: the
// header, complete except for the thread, and the words behind the time. The probe passes them in
// registers to one function for each number of words, which the whole image shares. Events with
// text have one function for each sequence of shapes. Other events go the way of C's, with their
// arguments in memory.
#pragma once

#include <barefxt/argument.h>
#include <barefxt/event_c.h>
#include <barefxt/features.h>
#include <barefxt/fxt/event.h>
#include <barefxt/ring.h>

namespace barefxt {

// The place of the time that is read now.
enum class Now : uint8_t {
  kFirst,
  kLast,  // of a duration complete: it is the end, and its begin takes the first place
};

// Contention, a new segment, a full ring, a thread without an index. `words` are the header, then
// `count` that stand behind the time.
[[gnu::cold]] void write_event_carefully(Owner owner, Now now, const fxt::Word* words,
                                         uint32_t count);

// With BAREFXT_LINEAR: writes an event of the running thread, of the header and at most one word
// behind the time, or a context switch (linear_ring.cpp). The header's size shows if there is the
// word. Context: any.
void write_short(fxt::Word header, fxt::Word word = 0);

template <Owner owner, Now now, typename... Words>
BAREFXT_SLOW_PATH_ void write_event_slowly(fxt::Word header, Words... words) {
  // Filled one by one: an initializer may become a call of memset.
  fxt::Word in_memory[1 + sizeof...(words)];
  fxt::Word* next = in_memory;
  *next++ = header;
  ((*next++ = words), ...);
  write_event_carefully(owner, now, in_memory, sizeof...(words));
}

#if BAREFXT_FAST_PATHS
#define BAREFXT_EVENT_FUNCTION_ [[gnu::noinline]]
#else
#define BAREFXT_EVENT_FUNCTION_ [[gnu::always_inline]] inline
#endif
// Context: any.
template <Owner owner, Now now, typename... Words>
BAREFXT_EVENT_FUNCTION_ void write_event(fxt::Word header, Words... words) {
  if constexpr (kLinear && owner == Owner::kCurrent && now == Now::kFirst && sizeof...(words) <= 1)
    return write_short(header, words...);
  constexpr auto kBytes =
      static_cast<uint32_t>((fxt::Event::kFixedWords + sizeof...(words)) * fxt::kWordBytes);
  Reservation reservation;
  if (!kFastPaths || !try_reserve<owner, kBytes>(reservation))
    return write_event_slowly<owner, now>(header, words...);
  fxt::Word* at = reservation.words + 1;
  if constexpr (now == Now::kFirst) *at++ = reservation.ticks;
  ((*at++ = words), ...);
  if constexpr (now == Now::kLast) {
    *at = reservation.ticks;
    if constexpr (kCounterIsPerCpu)
      reservation.words[1] =
          duration_begin(reservation.ring->cpu, reservation.words[1], reservation.ticks);
  }
  static_assert(fxt::Event::Thread::of(1) == 1u << 24, "in the place that a reference has");
  reservation.commit(header | reservation.owner_reference);
}

// Makes the header of an event with an interned name that only run time knows. `category` is the
// number of a string. `arguments` and `words` count the arguments, and the words behind its time.
template <fxt::EventType type, uint32_t arguments, uint32_t words>
fxt::Word header_with_name(uint32_t category, barefxt_text name) {
  return fxt::Event::make(type, fxt::Event::kFixedWords + words, arguments, {}, {}, {}) +
         fxt::Event::Category::of(category) + fxt::Event::Name::of(name.reference);
}

// Calls it with `count` words from memory, which the compiler sees through.
template <Owner owner, Now now, uint32_t count>
struct EventWords {
  template <typename... Words>
  [[gnu::always_inline]] static void write(fxt::Word header, const fxt::Word* next,
                                           Words... words) {
    EventWords<owner, now, count - 1>::write(header, next + 1, words..., *next);
  }
};
template <Owner owner, Now now>
struct EventWords<owner, now, 0> {
  template <typename... Words>
  [[gnu::always_inline]] static void write(fxt::Word header, const fxt::Word*, Words... words) {
    write_event<owner, now>(header, words...);
  }
};

// Writes any arguments, and events with text off the undisturbed path.
template <Owner owner, typename... Arguments>
[[gnu::noinline]] void write_event_from_memory(fxt::Word header, uint64_t trailing,
                                               Arguments... arguments) {
  barefxt_argument in_memory[sizeof...(arguments)];
  barefxt_argument* next = in_memory;
  ((*next++ = arguments), ...);
  barefxt_write_event(owner == Owner::kCpu ? BAREFXT_OWNER_CPU : BAREFXT_OWNER_CURRENT, header,
                      trailing, in_memory, sizeof...(arguments));
}

// Arguments with text among them: the size is known at run time, and goes into the header here.
template <fxt::EventType type, Owner owner, typename... Shapes>
[[gnu::noinline]] void write_event_with_text(fxt::Word header, uint64_t trailing,
                                             Shapes... shapes) {
  constexpr bool kComplete = type == fxt::EventType::kDurationComplete;
  constexpr bool kTrailing = fxt::Event::has_trailing_word(type);
  // Each argument's header has its size.
  constexpr size_t kFixedWords = fxt::Event::kFixedWords + (kTrailing ? 1 : 0);
  const auto words = static_cast<uint32_t>(
      (kFixedWords + ... + fxt::ArgumentHeader::SizeWords::in(shapes.header)));
  Reservation reservation;
  if (!kFastPaths ||
      !try_reserve<owner>(reservation, words * static_cast<uint32_t>(fxt::kWordBytes)))
    return write_event_from_memory<owner>(header, trailing, shapes...);
  fxt::Word* at = reservation.words + 1;
  *at++ = kComplete ? duration_begin(reservation.ring->cpu, trailing, reservation.ticks)
                    : reservation.ticks;
  ((at = shapes.write(at)), ...);
  if constexpr (kTrailing) *at = kComplete ? reservation.ticks : trailing;
  reservation.commit((header + fxt::Event::SizeWords::of(words)) | reservation.owner_reference);
}

// Names type and owner apart from the arguments, whose kinds the compiler deduces.
template <fxt::EventType type, Owner owner>
struct EventWriter {
  // `trailing` is the event's last word, if its type has one: counter id, correlation id, or the
  // begin of a complete duration, in ticks (its end is now).
  template <typename... Arguments>
  [[gnu::always_inline]] static void write(fxt::Word category_and_name, uint64_t trailing,
                                           const Arguments&... arguments) {
    write_shapes(category_and_name, trailing, shape_of(arguments)...);
  }

 private:
  template <typename... Shapes>
  [[gnu::always_inline]] static void write_shapes(fxt::Word category_and_name, uint64_t trailing,
                                                  Shapes... shapes) {
    static_assert(sizeof...(shapes) <= fxt::kMaxArguments, "an event has at most 15 arguments");
    constexpr bool kComplete = type == fxt::EventType::kDurationComplete;
    constexpr bool kTrailing = fxt::Event::has_trailing_word(type);
    constexpr uint32_t kWords = ((kTrailing ? 1 : 0) + ... + Shapes::kWords);
    constexpr bool kIsWords = (... && (Shapes::kWords != 0));
    // A sum, which takes fewer instructions than an or.
    const fxt::Word header =
        category_and_name + fxt::Event::make(type, kIsWords ? fxt::Event::kFixedWords + kWords : 0,
                                             sizeof...(shapes), {}, {}, {});
    if constexpr (kIsWords) {
      fxt::Word words[kWords == 0 ? 1 : kWords];
      fxt::Word* at = words;
      if constexpr (kComplete) *at++ = trailing;
      ((at = shapes.write(at)), ...);
      if constexpr (kTrailing && !kComplete) *at = trailing;
      EventWords<owner, kComplete ? Now::kLast : Now::kFirst, kWords>::write(header, words);
    } else if constexpr ((... || Shapes::kAsInC)) {
      write_event_from_memory<owner>(header, trailing, shapes...);
    } else {
      write_event_with_text<type, owner>(header, trailing, shapes...);
    }
  }
};

}  // namespace barefxt
