// Copies one record from a ring into an archive. It checks the whole record, and changes its byte
// order. It maps references from the target's tables to the archive's, and times from a CPU's
// counter to the capture's clock.
//
// Invariants: a record comes out whole and sane or not at all; its size never changes, except that
// a sample grows into the backtrace of one address that the format has. The result has no reserved
// bit set, no dirty padding, no string that is not UTF-8, no reference that the archive has not
// registered.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/host/archive_writer.h>

#include "archive_tables.h"
#include "clock_map.h"
#include "event_pattern.h"
#include "record_walk.h"

namespace barefxt::host {

enum class CopyVerdict : uint8_t {
  kCopied,
  // A reference to a string or thread that the archive has not heard of: register it, try again.
  kMissingString,
  kMissingThread,
  // Left out, and why.
  kNotForProviders,  // metadata, and tables that the frames bring
  kRingOnly,         // the runtime's own type
  kCallAlone,        // a call that refers to what is missing
  kUnknown,          // type, subtype or argument type
  kMalformed,        // the parts do not fit the size, or a field has a value that is none
  kEndBeforeBegin,
};
inline constexpr size_t kCopyVerdicts = static_cast<size_t>(CopyVerdict::kEndBeforeBegin) + 1;
// For people; of those that leave a record out.
const char* describe(CopyVerdict verdict);

class RecordCopier {
 public:
  RecordCopier(const ArchiveTables& tables, ByteOrder archive_order)
      : tables_(tables), to_order_(archive_order) {}

  // `to` has room for copied_words() words. With kCopied, all of them are written.
  static size_t copied_words(const RecordView& record) {
    return record.words() + (fxt::SampleRecord::is_sample(record.header) ? 1 : 0);
  }
  CopyVerdict copy(const RecordView& record, ByteOrder from_order, const ClockMap& clock,
                   uint8_t* to);

  // The same for most records in a few instructions, where copies_plain() is true of their byte
  // order: events of a kind that was copied before, and switches between threads with indices.
  // `time`: by which the record is sorted. `to` has room for kMaxPlainWords. Returns false where
  // copy() must look; then what stands there is nothing.
  static constexpr size_t kMaxPlainWords = EventPattern::kMaxWords;
  bool copies_plain(ByteOrder from_order) const {
    return from_order == kOwnByteOrder && to_order_ == kOwnByteOrder;
  }
  [[gnu::always_inline]] bool copy_plain(const RecordView& record, uint64_t time,
                                         const ClockMap& clock, uint8_t* to) const {
    if (record.type() == fxt::RecordType::kEvent) return copy_event(record, time, clock, to);
    return is_short_switch(record) && copy_switch(record, time, to);
  }

  // Appends an argument of a number of 64 bits or of an indexed text, with an indexed name, to the
  // wakeup that was copied last, where the record has room for words() more. Returns by how many
  // words the record grew: 0 where it has such an argument already, or can take no more.
  size_t append_to_wakeup(const ArchiveArgument& argument);

  // The reference of the last kMissing... verdict.
  unsigned missing() const { return missing_; }
  // Bytes in strings of copied records that were not UTF-8 and are `?` now.
  uint64_t repaired_bytes() const { return repaired_bytes_; }

 private:
  static bool is_short_switch(const RecordView& record) {
    using Switch = fxt::LegacyContextSwitch;
    return record.type() == fxt::RecordType::kScheduling && record.words() == Switch::kFixedWords &&
           Switch::Subtype::in(record.header) == Switch::kLegacyContextSwitch;
  }
  bool has_thread(uint64_t ref) const {
    return ref != 0 && tables_.has_thread(static_cast<uint8_t>(ref));
  }
  static void store_time(uint64_t time, size_t at, uint8_t* to) {
    store_word(to + at * fxt::kWordBytes, time, kOwnByteOrder);
  }
  static size_t place_of(uint64_t header) {
    constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
    return EventPattern::key(header) * kGoldenRatio >> (64 - kPatternBits);
  }
  [[gnu::always_inline]] bool copy_event(const RecordView& record, uint64_t time,
                                         const ClockMap& clock, uint8_t* to) const {
    const EventPattern& pattern = patterns_[place_of(record.header)];
    const uint64_t thread = fxt::Event::Thread::in(record.header);
    if (!pattern.is_for(record.header, tables_.replacements()) || !has_thread(thread) ||
        !pattern.copy(record, to))
      return false;
    if (pattern.end_at() == 0) {
      store_time(time, 1, to);
      return true;
    }
    // It is sorted by its end.
    const uint64_t begin = clock(word_at(record, 1, kOwnByteOrder));
    store_time(begin, 1, to);
    store_time(time, pattern.end_at(), to);
    return time >= begin;
  }
  bool copy_switch(const RecordView& record, uint64_t time, uint8_t* to) const {
    using Switch = fxt::LegacyContextSwitch;
    if (!is_state(Switch::OutgoingState::in(record.header)) ||
        !has_thread(Switch::OutgoingThread::in(record.header)) ||
        !has_thread(Switch::IncomingThread::in(record.header)))
      return false;
    store_word(to, record.header, kOwnByteOrder);
    store_time(time, 1, to);
    return true;
  }
  static bool is_state(uint64_t state) {
    return state <= static_cast<uint64_t>(fxt::ThreadState::kDead);
  }
  uint64_t load(size_t index) const;
  void store(size_t index, uint64_t word);
  bool fail(CopyVerdict verdict);
  bool words(size_t count);
  bool time();
  bool stream(size_t bytes, bool is_text);
  bool text(uint64_t ref);
  bool map_string(uint64_t ref, uint64_t& mapped);
  bool check_thread(uint64_t ref);
  bool arguments(uint64_t count);
  bool argument();
  bool inline_thread(uint64_t ref);

  bool record();
  bool event();
  bool blob();
  bool userspace_object();
  bool kernel_object();
  bool scheduling();
  bool legacy_context_switch();
  bool log();
  bool profiler();
  bool sample();
  bool large();

  const ArchiveTables& tables_;
  ByteOrder to_order_;
  static constexpr unsigned kPatternBits = 7;
  std::array<EventPattern, size_t{1} << kPatternBits> patterns_;

  const uint8_t* from_ = nullptr;
  uint8_t* to_ = nullptr;
  ByteOrder from_order_ = ByteOrder::kLittle;
  const ClockMap* clock_ = nullptr;
  uint64_t last_time_ = 0;  // of time()
  uint64_t header_ = 0;
  size_t at_ = 0;     // the next word to copy
  size_t limit_ = 0;  // the first word beyond the record or argument
  size_t repaired_ = 0;
  CopyVerdict verdict_ = CopyVerdict::kCopied;
  unsigned missing_ = 0;
  uint64_t repaired_bytes_ = 0;
};

}  // namespace barefxt::host
