// Writing events, "Event record" (record type 4) of the specification.
//
// One function per shape (event type, owner, kinds of arguments) for the whole image, called with
// its values in registers: a probe's own code is the category test, the constants and a call.
#pragma once

#include <barefxt/argument.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

namespace barefxt {

// Category and name as string indices in one register.
constexpr uint32_t category_and_name(uint32_t category, uint32_t name) {
  return category | name << 16;
}

// Context: any. `trailing` is the event's last word, where its type has one: counter id,
// correlation id, or for a duration complete its begin, in ticks (its end is now).
template <fxt::EventType type, Owner owner, typename... Arguments>
[[gnu::noinline]] void write_event(uint32_t category_name, uint64_t trailing,
                                   Arguments... arguments) {
  static_assert(sizeof...(arguments) <= fxt::kMaxArguments, "an event has at most 15 arguments");
  constexpr bool kTrailing = fxt::Event::has_trailing_word(type);
  const auto fixed =
      static_cast<uint32_t>((fxt::Event::kFixedWords + (kTrailing ? 1 : 0)) * fxt::kWordBytes);
  Reservation reservation;
  if (!reserve<owner>((fixed + ... + arguments.bytes()), reservation)) return;

  const auto thread =
      static_cast<uint8_t>(fxt::LegacyContextSwitch::OutgoingThread::in(reservation.owner.word));
  const fxt::Word header =
      fxt::Event::make(type, reservation.bytes / fxt::kWordBytes, sizeof...(arguments),
                       fxt::ThreadRef::index(thread), fxt::StringRef{}, fxt::StringRef{}) |
      static_cast<fxt::Word>(category_name) << fxt::Event::Category::kFirst;
  constexpr bool kComplete = type == fxt::EventType::kDurationComplete;
  fxt::Word* at = reservation.words + 1;
  *at++ = kComplete ? trailing : reservation.ticks;
  if (reservation.owner_inline) {
    *at++ = reservation.owner.process;
    *at++ = reservation.owner.koid;
  }
  ((at = arguments.write(at)), ...);
  if constexpr (kTrailing) *at = kComplete ? reservation.ticks : trailing;
  RecordHeaderWord::commit(reservation.words, header);
}

// Names type and owner apart from the arguments, whose kinds the compiler deduces.
template <fxt::EventType type, Owner owner>
struct EventWriter {
  template <typename... Arguments>
  static void write(uint32_t category_name, uint64_t trailing, Arguments... arguments) {
    write_event<type, owner, Arguments...>(category_name, trailing, arguments...);
  }
};

}  // namespace barefxt
