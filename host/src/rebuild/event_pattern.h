// Copies events of one kind in the way in which one of them was copied in full: most events of a
// capture come from a few places in the target's code, and differ in thread, time and values.
//
// Invariant: an event that a pattern copies comes out as RecordCopier would copy it word by word. A
// pattern is learnt from a copy that succeeded, and states of each word which bits must be the same
// again and how they change: references to strings, types, sizes, reserved bits. It holds as long
// as the archive's strings keep their indices, which its owner checks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/event.h>

#include "../archive/ordered_words.h"
#include "record_walk.h"

namespace barefxt::host {

class EventPattern {
 public:
  static constexpr size_t kMaxWords = 8;

  // The parts of a header that a pattern is found by; all but the thread.
  static uint64_t key(uint64_t header) { return header & ~fxt::Event::Thread::kMask; }

  // Events of other kinds are left to RecordCopier: those with texts in the record or as values,
  // and long ones. Both records are in this machine's byte order.
  static bool can_learn(const RecordView& record) {
    using fxt::Event;
    return record.type() == fxt::RecordType::kEvent && record.words() <= kMaxWords &&
           Event::Thread::in(record.header) != 0 && is_index(Event::Category::in(record.header)) &&
           is_index(Event::Name::in(record.header));
  }
  // `copied`: the record in the archive. Without effect where an argument has a text of its own.
  void learn(const RecordView& record, const uint8_t* copied, uint64_t replacements) {
    using fxt::ArgumentHeader;
    using fxt::ArgumentType;
    *this = {};
    size_t at = fxt::Event::kFixedWords;
    for (uint64_t left = fxt::Event::ArgumentCount::in(record.header); left != 0; --left) {
      const uint64_t header = word_at(record, at, kOwnByteOrder);
      const auto type = static_cast<ArgumentType>(ArgumentHeader::Type::in(header));
      if (type == ArgumentType::kString || type == ArgumentType::kBlob ||
          !is_index(ArgumentHeader::Name::in(header)))
        return;
      const bool is_short = type == ArgumentType::kInt32 || type == ArgumentType::kUint32;
      fixed_[at] = ~(is_short                      ? ArgumentHeader::Uint32::kMask
                     : type == ArgumentType::kBool ? ArgumentHeader::Bool::kMask
                                                   : 0);
      expected_[at] = header & fixed_[at];
      changed_[at] = header ^ load_word(copied + at * fxt::kWordBytes, kOwnByteOrder);
      at += ArgumentHeader::SizeWords::in(header);
    }
    const bool is_complete = static_cast<fxt::EventType>(fxt::Event::Subtype::in(record.header)) ==
                             fxt::EventType::kDurationComplete;
    end_at_ = is_complete ? at : 0;
    changed_[0] = record.header ^ load_word(copied, kOwnByteOrder);
    key_ = key(record.header);
    replacements_ = replacements;
  }

  bool is_for(uint64_t header, uint64_t replacements) const {
    return key_ == key(header) && replacements_ == replacements;
  }
  // Which word is the time of an end, 0 if none is.
  size_t end_at() const { return end_at_; }
  // Copies a record that it is for, but for its time; an end as it is. Returns false where some
  // bits differ: then what stands there is nothing.
  bool copy(const RecordView& record, uint8_t* to) const {
    uint64_t differs = 0;
    store_word(to, record.header ^ changed_[0], kOwnByteOrder);
    for (size_t at = fxt::Event::kFixedWords, end = record.words(); at < end; ++at) {
      const uint64_t word = word_at(record, at, kOwnByteOrder);
      differs |= (word & fixed_[at]) ^ expected_[at];
      store_word(to + at * fxt::kWordBytes, word ^ changed_[at], kOwnByteOrder);
    }
    return differs == 0;
  }

 private:
  static bool is_index(uint64_t ref) {
    const fxt::StringRef string{static_cast<uint16_t>(ref)};
    return string.value == 0 || string.is_indexed();
  }

  uint64_t key_ = 0;  // of no event
  uint64_t replacements_ = 0;
  size_t end_at_ = 0;
  std::array<uint64_t, kMaxWords> fixed_{};
  std::array<uint64_t, kMaxWords> expected_{};
  std::array<uint64_t, kMaxWords> changed_{};
};

}  // namespace barefxt::host
