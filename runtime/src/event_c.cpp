// Events with their arguments in memory: one function for all shapes. C's probes call it, and C++'s
// where the undisturbed path of event.h is not to be had.

#include <barefxt/argument.h>
#include <barefxt/event_c.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>
#include <barefxt/utf8.h>

using namespace barefxt;

namespace {

uint32_t bytes_of(const barefxt_argument& argument) {
  return static_cast<uint32_t>(fxt::ArgumentHeader::SizeWords::in(argument.header) *
                               fxt::kWordBytes);
}

fxt::Word* write(fxt::Word* at, const barefxt_argument& argument) {
  *at = argument.header;
  if (argument.text != nullptr)
    return write_stream(at + 1, argument.text, static_cast<uint32_t>(argument.value));
  if (bytes_of(argument) == fxt::kWordBytes) return at + 1;
  at[1] = argument.value;
  return at + 2;
}

}  // namespace

TextArgument barefxt::argument::text(uint32_t name, const char* text, size_t bytes) {
  const uint32_t cut = cut_utf8(text, bytes, kMaxTextBytes);
  return {header(fxt::ArgumentType::kString, 1 + fxt::words_for_bytes(cut), name) |
              fxt::ArgumentHeader::String::of(fxt::StringRef::inline_bytes(cut).value),
          text, cut};
}

extern "C" {

barefxt_argument barefxt_text_argument(uint32_t name, const char* text, size_t bytes) {
  const TextArgument argument = argument::text(name, text, bytes);
  return {argument.header, argument.text_bytes, argument.text};
}

void barefxt_write_event(uint32_t type, barefxt_event_owner owner, uint32_t category_and_name,
                         uint64_t trailing, const barefxt_argument* arguments, uint32_t count) {
  const auto event = static_cast<fxt::EventType>(type);
  const bool has_trailing = fxt::Event::has_trailing_word(event);
  const bool complete = event == fxt::EventType::kDurationComplete;
  if (count > fxt::kMaxArguments) count = fxt::kMaxArguments;
  auto bytes =
      static_cast<uint32_t>((fxt::Event::kFixedWords + (has_trailing ? 1 : 0)) * fxt::kWordBytes);
  for (uint32_t i = 0; i < count; ++i) bytes += bytes_of(arguments[i]);
  Reservation reservation;
  if (!reserve_slowly(owner == BAREFXT_OWNER_CPU ? Owner::kCpu : Owner::kCurrent, bytes,
                      reservation))
    return;
  fxt::Word* at = reservation.words + 1;
  *at++ = complete ? trailing : reservation.ticks;
  if (reservation.owner_inline) {
    *at++ = reservation.owner.process;
    *at++ = reservation.owner.koid;
  }
  for (uint32_t i = 0; i < count; ++i) at = write(at, arguments[i]);
  if (has_trailing) *at = complete ? reservation.ticks : trailing;
  const auto thread =
      static_cast<unsigned>(fxt::LegacyContextSwitch::OutgoingThread::in(reservation.owner.word));
  RecordHeaderWord::commit(
      reservation.words,
      fxt::Event::make(event, reservation.bytes / fxt::kWordBytes, count,
                       fxt::ThreadRef::index(thread), fxt::StringRef{}, fxt::StringRef{}) |
          static_cast<fxt::Word>(category_and_name) << fxt::Event::Category::kFirst);
}

}  // extern "C"
