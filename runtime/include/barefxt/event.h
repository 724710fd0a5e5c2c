// Writing events, "Event record" (record type 4) of the specification.
//
// One function per shape (event type, owner, kinds of arguments) for the whole image, called with
// its values in registers: a probe's own code is the category test, the constants and a call.
#pragma once

#include <barefxt/argument.h>
#include <barefxt/event_c.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

namespace barefxt {

// Category and name as string indices in one register.
constexpr uint32_t category_and_name(uint32_t category, uint32_t name) {
  return category | name << 16;
}

// Contention, a new segment, a full ring, a thread without an index.
template <fxt::EventType type, Owner owner, typename... Arguments>
[[gnu::noinline, gnu::cold]] void write_event_slowly(uint32_t category_name, uint64_t trailing,
                                                     Arguments... arguments) {
  const auto kind = static_cast<uint32_t>(type);
  constexpr auto kOwner = owner == Owner::kCpu ? BAREFXT_OWNER_CPU : BAREFXT_OWNER_CURRENT;
  if constexpr (sizeof...(arguments) == 0) {
    barefxt_write_event(kind, kOwner, category_name, trailing, nullptr, 0);
  } else {
    // Filled one by one: an initializer may become a call of memset.
    barefxt_argument in_memory[sizeof...(arguments)];
    barefxt_argument* next = in_memory;
    ((*next++ = arguments), ...);
    barefxt_write_event(kind, kOwner, category_name, trailing, in_memory, sizeof...(arguments));
  }
}

// Context: any. `trailing` is the event's last word, where its type has one: counter id,
// correlation id, or for a duration complete its begin, in ticks (its end is now).
template <fxt::EventType type, Owner owner, typename... Arguments>
[[gnu::noinline]] void write_event(uint32_t category_name, uint64_t trailing,
                                   Arguments... arguments) {
  static_assert(sizeof...(arguments) <= fxt::kMaxArguments, "an event has at most 15 arguments");
  constexpr bool kTrailing = fxt::Event::has_trailing_word(type);
  constexpr bool kComplete = type == fxt::EventType::kDurationComplete;
  constexpr auto kFixedBytes =
      static_cast<uint32_t>((fxt::Event::kFixedWords + (kTrailing ? 1 : 0)) * fxt::kWordBytes);
  Reservation reservation;
  if (!try_reserve<owner>((kFixedBytes + ... + arguments.bytes()), reservation))
    return write_event_slowly<type, owner>(category_name, trailing, arguments...);

  const auto thread =
      static_cast<unsigned>(fxt::LegacyContextSwitch::OutgoingThread::in(reservation.owner.word));
  const fxt::Word header =
      fxt::Event::make(type, reservation.bytes / fxt::kWordBytes, sizeof...(arguments),
                       fxt::ThreadRef::index(thread), fxt::StringRef{}, fxt::StringRef{}) |
      static_cast<fxt::Word>(category_name) << fxt::Event::Category::kFirst;
  fxt::Word* at = reservation.words + 1;
  *at++ = kComplete ? trailing : reservation.ticks;
  ((at = arguments.write(at)), ...);
  if constexpr (kTrailing) *at = kComplete ? reservation.ticks : trailing;
  RecordHeaderWord::commit(reservation.words, header);
}

// Names type and owner apart from the arguments, whose kinds the compiler deduces.
template <fxt::EventType type, Owner owner>
struct EventWriter {
  template <typename... Arguments>
  static void write(uint32_t category_name, uint64_t trailing, const Arguments&... arguments) {
    write_event<type, owner>(category_name, trailing, shape_of(arguments)...);
  }
};

}  // namespace barefxt
