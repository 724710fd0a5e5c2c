// Events with their arguments in memory: one function for all shapes. C's probes call it, and C++'s
// where the undisturbed path of event.h is not to be had.

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
  record.word(event.is_complete() ? event.trailing : record.ticks());
  record.koids();
  record.text(event.category);
  record.text(event.name);
  record.arguments(arguments);
  if (event.has_trailing()) record.word(event.is_complete() ? record.ticks() : event.trailing);
  record.commit(fxt::Event::make(event.type, record.words(), arguments.count(), record.thread(),
                                 string_ref(event.category), string_ref(event.name)));
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_write_event(uint32_t type, barefxt_event_owner owner, uint32_t category_and_name,
                         uint64_t trailing, const barefxt_argument* arguments, uint32_t count) {
  const EventParts event{static_cast<fxt::EventType>(type), trailing,
                         barefxt_text_interned(category_and_name & 0xffff),
                         barefxt_text_interned(category_and_name >> 16)};
  const ArgumentList list(arguments, count, event.bytes());
  RecordWriter record;
  if (record.reserve(event.bytes() + list.bytes(),
                     owner == BAREFXT_OWNER_CPU ? Owner::kCpu : Owner::kCurrent))
    write(record, event, list);
}

void barefxt_event(barefxt_event_type type, const barefxt_thread* thread, barefxt_text category,
                   barefxt_text name, uint64_t trailing, const barefxt_argument* arguments,
                   uint32_t count) {
  const EventParts event{static_cast<fxt::EventType>(type), trailing, category, name};
  const ArgumentList list(arguments, count, event.bytes());
  RecordWriter record;
  if (record.reserve(event.bytes() + list.bytes(), thread)) write(record, event, list);
}

}  // extern "C"
