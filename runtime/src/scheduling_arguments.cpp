// The newer context switch and thread wakeup, with arguments (record type 8, subtypes 1 and 2).

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/fxt/scheduling.h>
#include <barefxt/records.h>

#include "open_records.h"
#include "record_writer.h"
#include "switch_bits.h"

using namespace barefxt;

extern "C" {

void barefxt_context_switch_with(const barefxt_thread* outgoing, barefxt_thread_state state,
                                 const barefxt_thread* incoming, const barefxt_argument* arguments,
                                 uint32_t count) {
  constexpr uint32_t kFixedBytes = words_to_bytes(fxt::ContextSwitch::kFixedWords);
  const ArgumentList list(arguments, count, kFixedBytes);
  RecordWriter record;
  if (!record.reserve(kFixedBytes + list.bytes(), Owner::kSwitch)) {
    this_ring().set_current(*incoming);
    forget_thread(this_ring());
    if constexpr (kEndsRecords) doubt_owners(this_ring(), this_ring().position.load_acquire());
    forget_late_thread(this_ring());
    return;
  }
  record.ring().set_current(*incoming);
  forget_late_thread(record.ring());
  record.word(record.ticks());
  record.word(BAREFXT_LOAD_RELAXED_(outgoing->koid));
  record.word(BAREFXT_LOAD_RELAXED_(incoming->koid));
  record.arguments(list);
  record.commit(fxt::ContextSwitch::make(record.words(), list.count(), record.cpu(),
                                         static_cast<fxt::ThreadState>(state)));
#if BAREFXT_END_RECORDS
  if (switch_bits::is_gone(BAREFXT_LOAD_RELAXED_(outgoing->switch_bits)))
    end_records_of_gone(*outgoing);
#endif
}

void barefxt_thread_wakeup_with(const barefxt_thread* thread, const barefxt_argument* arguments,
                                uint32_t count) {
  constexpr uint32_t kFixedBytes = words_to_bytes(fxt::ThreadWakeup::kFixedWords);
  const ArgumentList list(arguments, count, kFixedBytes);
  RecordWriter record;
  if (!record.reserve(kFixedBytes + list.bytes(), Owner::kNobody)) return;
  record.word(record.ticks());
  record.word(BAREFXT_LOAD_RELAXED_(thread->koid));
  record.arguments(list);
  record.commit(fxt::ThreadWakeup::make(record.words(), list.count(), record.cpu()));
}

}  // extern "C"

#endif
