// Events off the undisturbed path of event.h: their arguments lie in memory, or something disturbs
// them.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/event.h>
#include <barefxt/event_c.h>
#include <barefxt/fxt/event.h>

#include "record_writer.h"

namespace barefxt {

namespace {

struct EventParts {
  fxt::EventType type;
  uint64_t trailing;
  barefxt_text category;
  barefxt_text name;

  bool has_trailing() const { return fxt::Event::has_trailing_word(type); }
  bool is_complete() const { return type == fxt::EventType::kDurationComplete; }
  uint32_t bytes() const {
    return words_to_bytes(fxt::Event::kFixedWords + (has_trailing() ? 1 : 0)) +
           text_record_bytes(category) + text_record_bytes(name);
  }
};

void write(RecordWriter& record, const EventParts& event, const ArgumentList& arguments) {
  record.word(event.is_complete() ? duration_begin(record.cpu(), event.trailing, record.ticks())
                                  : record.ticks());
  record.koids();
  record.text(event.category);
  record.text(event.name);
  record.arguments(arguments);
  if (event.has_trailing()) record.word(event.is_complete() ? record.ticks() : event.trailing);
  record.commit(fxt::Event::make(event.type, record.words(), arguments.count(), record.thread(),
                                 string_ref(event.category), string_ref(event.name)));
}

bool is_complete(fxt::Word header) {
  return static_cast<fxt::EventType>(fxt::Event::Subtype::in(header)) ==
         fxt::EventType::kDurationComplete;
}

// See barefxt_write_event_words. `size` is the record's, by its header.
BAREFXT_SLOW_PATH_ void write_words_slowly(const barefxt_thread* thread, const fxt::Word* words,
                                           size_t size) {
  RecordWriter record;
  if (!record.reserve(words_to_bytes(size), thread)) return;
  fxt::Word header = *words++ | fxt::Event::Thread::of(record.thread().value);
  size_t behind_time = size - fxt::Event::kFixedWords;
  if (is_complete(header)) {
    record.word(duration_begin(record.cpu(), *words++, record.ticks()));
    --behind_time;
  } else {
    record.word(record.ticks());
  }
  record.koids();
  for (; behind_time != 0; --behind_time) record.word(*words++);
  if (is_complete(header)) record.word(record.ticks());
  // Larger than its hook expected if it names the thread inline.
  record.commit(header + fxt::Event::SizeWords::of(record.words() - size));
}

// The same where nothing disturbs it. False: it has recorded nothing.
[[maybe_unused]] inline bool write_words_undisturbed(const barefxt_thread* thread,
                                                     const fxt::Word* words, size_t size) {
  const barefxt_thread* owner = thread;
  // Right on another CPU by now, too: the caller is that thread.
  if (owner == nullptr) owner = this_ring().current.load_relaxed();
  const uint32_t reference = owner == nullptr ? 0 : BAREFXT_LOAD_RELAXED_(owner->reference);
  Reservation reservation;
  if (reference == 0 || !try_reserve<Owner::kNobody>(reservation, words_to_bytes(size)))
    return false;
  const fxt::Word header = *words++ | reference;
  fxt::Word* at = reservation.words + 1;
  fxt::Word* end = reservation.words + size;
  *at++ = reservation.ticks;
  if (is_complete(header)) {
    reservation.words[1] = duration_begin(reservation.ring->cpu, *words++, reservation.ticks);
    *--end = reservation.ticks;
  }
  while (at != end) *at++ = *words++;
  reservation.commit(header);
  return true;
}

}  // namespace

void write_event_carefully(Owner owner, Now now, const fxt::Word* words, uint32_t count) {
  Reservation record;
  if (!reserve_slowly(owner, words_to_bytes(fxt::Event::kFixedWords + count), record)) return;
  fxt::Word header = *words++ | record.owner_reference;
  fxt::Word* at = record.words + 1;
  const uint32_t place_of_now = now == Now::kFirst ? 0 : count;
  for (uint32_t place = 0; place <= count; ++place) {
    fxt::Word word = place == place_of_now ? record.ticks : *words++;
    if (now == Now::kLast && place == 0)
      word = duration_begin(record.ring->cpu, word, record.ticks);
    *at++ = word;
    if (kInlineThreads && place == 0 && record.owner_reference == 0) {
      *at++ = record.owner_process;
      *at++ = record.owner_koid;
      // Larger than its probe expected.
      header += fxt::Event::SizeWords::of(2);
    }
  }
  record.commit(header);
}

}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_write_event(barefxt_event_owner owner, uint64_t header, uint64_t trailing,
                         const barefxt_argument* arguments, uint32_t count) {
  const EventParts event{
      static_cast<fxt::EventType>(fxt::Event::Subtype::in(header)), trailing,
      barefxt_text_interned(static_cast<uint32_t>(fxt::Event::Category::in(header))),
      barefxt_text_interned(static_cast<uint32_t>(fxt::Event::Name::in(header)))};
  const ArgumentList list(arguments, count, event.bytes());
  RecordWriter record;
  if (record.reserve(event.bytes() + list.bytes(),
                     owner == BAREFXT_OWNER_CPU ? Owner::kCpu : Owner::kCurrent))
    write(record, event, list);
}

void barefxt_write_event_0(uint64_t header) { write_event<Owner::kCurrent, Now::kFirst>(header); }
void barefxt_write_event_1(uint64_t header, uint64_t word) {
  write_event<Owner::kCurrent, Now::kFirst>(header, word);
}
void barefxt_write_event_2(uint64_t header, uint64_t first, uint64_t second) {
  write_event<Owner::kCurrent, Now::kFirst>(header, first, second);
}
void barefxt_write_cpu_event_0(uint64_t header) { write_event<Owner::kCpu, Now::kFirst>(header); }

void barefxt_write_event_words(const barefxt_thread* thread, const uint64_t* words) {
  const auto size = static_cast<size_t>(fxt::Event::SizeWords::in(words[0]));
  if (!kFastPaths || !write_words_undisturbed(thread, words, size))
    write_words_slowly(thread, words, size);
}

void barefxt_event(barefxt_event_type type, const barefxt_thread* thread, barefxt_text category,
                   barefxt_text name, uint64_t trailing, const barefxt_argument* arguments,
                   uint32_t count) {
  EventParts event;
  event.type = static_cast<fxt::EventType>(type);
  event.trailing = trailing;
  event.category = category;
  // One by one: whole it becomes a call of memcpy on Cortex-M0.
  event.name.bytes = name.bytes;
  event.name.reference = name.reference;
  const ArgumentList list(arguments, count, event.bytes());
  RecordWriter record;
  if (record.reserve(event.bytes() + list.bytes(), thread)) write(record, event, list);
}

}  // extern "C"

#endif
