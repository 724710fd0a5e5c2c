// Puts a record together piece by piece, in the order in which the specification lists its words.
//
// It serves all records except the hot ones: it always takes the careful way of reserving, and
// writes each reference inline or indexed.
//
// Invariant: the size is known before anything is reserved, and exactly that many words are
// written; the commit is the last store.
#pragma once

#include <barefxt/argument.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/ring.h>

#include "argument_list.h"

namespace barefxt {

constexpr uint32_t words_to_bytes(size_t words) {
  return static_cast<uint32_t>(words * fxt::kWordBytes);
}
constexpr uint32_t stream_bytes(size_t bytes) {
  return words_to_bytes(fxt::words_for_bytes(bytes));
}
inline uint32_t text_record_bytes(const barefxt_text& text) {
  return words_to_bytes(barefxt_text_words(text));
}

class RecordWriter {
 public:
  // Each reserves `bytes` (whole words, header included; inline koids come on top of it). False:
  // the record is dropped, and counted unless nothing is being recorded.

  bool reserve(uint32_t bytes, Owner owner, uint32_t inline_words = 2) {
    if (!reserve_slowly(owner, bytes, reservation_, inline_words)) return false;
    at_ = reservation_.words + 1;
    wrapping_words_ = 0;
    return true;
  }
  // Reserves a record that names `thread`; null: the thread that runs here. It takes `inline_words`
  // more if it names the thread inline.
  bool reserve(uint32_t bytes, const barefxt_thread* thread, uint32_t inline_words = 2) {
    if (thread == nullptr) return reserve(bytes, Owner::kCurrent, inline_words);
    if (thread == BAREFXT_THIS_CPU) return reserve(bytes, Owner::kCpu, inline_words);
    // Read once: it may be registered or end in between, and size and content must agree.
    const uint32_t reference = BAREFXT_LOAD_RELAXED_(thread->reference);
    const uint32_t koid = thread->koid;
    const uint32_t process = thread->process;
    if (!reserve(bytes + (reference == 0 ? words_to_bytes(inline_words) : 0), Owner::kNobody))
      return false;
    reservation_.owner_reference = reference;
    reservation_.owner_koid = koid;
    reservation_.owner_process = process;
    return true;
  }
  // For a record without a time of its own, which is wrapped in one that has it.
  bool reserve_timed(uint32_t bytes) {
    if (!reserve(bytes + words_to_bytes(fxt::RingRecord::kTimedWords), Owner::kNobody))
      return false;
    wrap();
    return true;
  }
  bool reserve_timed(uint32_t bytes, const barefxt_thread* thread, uint32_t inline_words) {
    if (!reserve(bytes + words_to_bytes(fxt::RingRecord::kTimedWords), thread, inline_words))
      return false;
    wrap();
    return true;
  }

  uint64_t ticks() const { return reservation_.ticks; }
  Ring& ring() const { return *reservation_.ring; }
  uint32_t cpu() const { return reservation_.ring->cpu; }
  // Words of the record, without what it is wrapped in.
  size_t words() const { return reservation_.bytes / fxt::kWordBytes - wrapping_words_; }
  fxt::ThreadRef thread() const {
    return fxt::ThreadRef::index(
        static_cast<unsigned>(fxt::Event::Thread::in(reservation_.owner_reference)));
  }

  void word(fxt::Word value) { *at_++ = value; }
  void koids() {
    if (reservation_.owner_reference != 0) return;
    word(reservation_.owner_process);
    word(reservation_.owner_koid);
  }
  // Koid of the process alone, if a record refers to that.
  void process_koid() {
    if (reservation_.owner_reference == 0) word(reservation_.owner_process);
  }
  void stream(const void* from, size_t bytes) {
    at_ = write_stream(at_, from, static_cast<uint32_t>(bytes));
  }
  void text(const barefxt_text& text) {
    if (text.bytes != nullptr)
      stream(text.bytes, fxt::StringRef{static_cast<uint16_t>(text.reference)}.bytes());
  }
  void arguments(const ArgumentList& arguments) { at_ = arguments.write(at_); }

  void commit(fxt::Word header) {
    if (wrapping_words_ != 0) {
      reservation_.words[wrapping_words_] = header;
      header = fxt::RingRecord::make(fxt::RingRecordType::kTimed, words() + wrapping_words_);
    }
    reservation_.commit(header);
  }

  // In place of a commit: there was nothing to record after all. It counts neither as a record nor
  // as lost.
  void give_up() {
    reservation_.commit(fxt::RingRecord::make_given_up(reservation_.bytes / fxt::kWordBytes));
  }

 private:
  void wrap() {
    wrapping_words_ = fxt::RingRecord::kTimedWords;
    word(ticks());
    ++at_;  // the header within, stored by commit
  }

  // Set by reserve and not before: to clear them may become a call of memset.
  Reservation reservation_;
  fxt::Word* at_;
  size_t wrapping_words_;
};

inline fxt::StringRef string_ref(barefxt_text text) {
  return {static_cast<uint16_t>(text.reference)};
}

}  // namespace barefxt
