// Finds, in the rings of a trace, the former owner of a thread index (former_entries.h). A dump in
// the format itself needs it, because no host puts that in order.
#pragma once

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/log.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/intern.h>

#include "record_time.h"
#include "trace.h"

#if !BAREFXT_LINEAR

namespace barefxt {

struct IndexOwner {
  bool is_known;
  uint32_t process;
  uint32_t koid;
};

class FormerSearch {
 public:
  explicit FormerSearch(const Trace& trace) : trace_(trace) {
    has_changes_ = false;
    for (uint32_t i = 0; i < kThreadEntries; ++i)
      if (changed_hands(trace_.threads[i])) has_changes_ = true;
  }

  // Returns true if an index in a record of that time may belong to another thread than the table's
  // entry names.
  bool is_another(uint32_t index, uint64_t ticks) const {
    if (!has_changes_ || index == 0 || index > kThreadEntries) return false;
    const ThreadEntry& entry = trace_.threads[index - 1];
    return !is_named(entry) || !wire::is_thread(entry.kind) || ticks < since_of(entry);
  }

  // Walks all that the rings hold.
  IndexOwner owner(uint32_t index, uint64_t ticks) const {
    IndexOwner owner = {false, 0, 0};
    for (uint32_t cpu = 0; cpu < trace_.descriptor.cpus && !owner.is_known; ++cpu) {
      const Ring& ring = trace_.rings[cpu];
      for (uint32_t slot = 0; slot < ring.segments && !owner.is_known; ++slot) {
        const SegmentHeader& segment = ring.segment(slot);
        if (!is_of(segment, trace_.descriptor.capture) || !holds_records(state_of(segment)))
          continue;
        SegmentWalker walker(segment);
        SegmentWalker::Record record;
        while (!owner.is_known && walker.next(record)) {
          constexpr size_t kMinWords = fxt::RingRecord::kTimedWords + 2;
          const size_t words = record.bytes / fxt::kWordBytes;
          if (!record.finished || !is_timed(record) || words < kMinWords) continue;
          const uint64_t end =
              capture_ticks(clock_offset(trace_, cpu), walker.clock(), record.words[1]);
          if (ticks < end)
            look_at(record.words + fxt::RingRecord::kTimedWords,
                    words - fxt::RingRecord::kTimedWords, index, ticks, owner);
        }
      }
    }
    return owner;
  }

 private:
  // Looks only at these words, even if a damaged record claims more.
  static void look_at(const fxt::Word* object, size_t words, uint32_t index, uint64_t ticks,
                      IndexOwner& owner) {
    using Object = fxt::KernelObject;
    using Argument = fxt::ArgumentHeader;
    const fxt::Word header = object[0];
    if (fxt::RecordHeader::type(header) != fxt::RecordType::kKernelObject) return;
    const auto name = static_cast<uint16_t>(Object::Name::in(header));
    size_t at = 2 + fxt::StringRef{name}.inline_words();
    uint32_t process = 0;
    bool is_it = false;
    bool has_begun = false;
    for (fxt::Word left = Object::ArgumentCount::in(header); left != 0; --left) {
      if (at + 1 > words) return;
      const fxt::Word argument = object[at];
      const auto which = static_cast<uint32_t>(Argument::Name::in(argument));
      const bool has_word = at + 1 < words;
      if (has_word && which == BAREFXT_STRING("process"))
        process = static_cast<uint32_t>(object[at + 1]);
      if (has_word && which == BAREFXT_STRING("since")) has_begun = object[at + 1] <= ticks;
      if (which == BAREFXT_STRING("thread_index"))
        is_it = static_cast<uint32_t>(Argument::Uint32::in(argument)) == index;
      at += static_cast<size_t>(Argument::SizeWords::in(argument));
    }
    if (!is_it || !has_begun) return;
    owner.is_known = true;
    owner.process = process;
    owner.koid = static_cast<uint32_t>(object[1]);
  }

  const Trace& trace_;
  bool has_changes_;
};

// The thread indices of a record of `count` words: two at most, 0 for none.
struct ThreadsOfRecord {
  uint32_t first;
  uint32_t second;
};
inline ThreadsOfRecord threads_of(const fxt::Word* words, size_t count) {
  if (count < 2) return {0, 0};
  const fxt::Word header = words[0];
  const auto index = [](fxt::Word value) { return static_cast<uint32_t>(value); };
  switch (fxt::RecordHeader::type(header)) {
    case fxt::RecordType::kEvent:
      return {index(fxt::Event::Thread::in(header)), 0};
    case fxt::RecordType::kUserspaceObject:
      return {index(fxt::UserspaceObject::Process::in(header)), 0};
    case fxt::RecordType::kLog:
      return {index(fxt::Log::Thread::in(header)), 0};
    case fxt::RecordType::kProfiler:
      return {index(fxt::ProfilerHeader::Thread::in(header)), 0};
    case fxt::RecordType::kLarge:
      if (fxt::LargeBlob::Format::in(header) != fxt::LargeBlob::kFormatEvent) return {0, 0};
      return {index(fxt::LargeBlob::Thread::in(words[1])), 0};
    case fxt::RecordType::kScheduling: {
      using Switch = fxt::LegacyContextSwitch;
      if (fxt::SchedulingHeader::Subtype::in(header) != fxt::SchedulingHeader::kLegacyContextSwitch)
        return {0, 0};
      return {index(Switch::OutgoingThread::in(header)), index(Switch::IncomingThread::in(header))};
    }
    default:
      return {0, 0};
  }
}

}  // namespace barefxt

#endif
