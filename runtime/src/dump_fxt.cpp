// The dump without frames: a trace as the format has it, in the order that every reader accepts.
//
// "Initialization record", "String record", "Thread record", kernel objects, then the records of
// one CPU after the other. No metadata: the tool that merges providers writes that.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/argument.h>
#include <barefxt/barefxt.h>
#include <barefxt/fxt/blob.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/fxt/tables.h>
#include <barefxt/utf8.h>

#include "former_search.h"
#include "held_segments.h"
#include "segment_runs.h"
#include "string_table.h"
#include "thread_table.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

class FxtDump {
 public:
  FxtDump(const Trace& trace, const barefxt_writer& writer)
      : trace_(trace), writer_(writer), former_(trace) {}

  void send() {
    initialization();
    strings();
    threads();
    kernel_objects();
    const uint16_t cpus = reported_cpus(trace_);
    cpu_objects(cpus);
    for (uint32_t cpu = 0; cpu < cpus; ++cpu) ring(trace_.rings[cpu]);
  }

 private:
  void words(const fxt::Word* from, size_t count) {
    writer_.write(writer_.context, reinterpret_cast<const uint8_t*>(from), count * fxt::kWordBytes);
  }
  void stream(const char* text, uint32_t bytes) {
    static constexpr uint8_t kPadding[fxt::kWordBytes] = {};
    if (bytes == 0) return;
    writer_.write(writer_.context, reinterpret_cast<const uint8_t*>(text), bytes);
    const size_t padded = fxt::words_for_bytes(bytes) * fxt::kWordBytes;
    if (padded != bytes) writer_.write(writer_.context, kPadding, padded - bytes);
  }

  void initialization() {
    const fxt::Word record[] = {fxt::Initialization::make(), trace_.descriptor.ticks_per_second};
    words(record, 2);
  }

  void strings() {
    const uint32_t count = string_count();
    for (uint32_t index = 1; index <= count; ++index) {
      const char* text = string_text(index);
      const uint32_t bytes = cut_utf8(text, text_bytes(text), fxt::kMaxStringBytes);
      const fxt::Word header = fxt::StringRecord::make(index, bytes);
      words(&header, 1);
      stream(text, bytes);
    }
  }

  void threads() {
    for (uint32_t i = 0; i < kThreadEntries && i < fxt::kMaxThreadIndex; ++i) {
      const ThreadEntry& entry = trace_.threads[i];
      if (!is_named(entry) || !wire::is_thread(entry.kind)) continue;
      const fxt::Word record[] = {fxt::ThreadRecord::make(i + 1), entry.process, entry.koid};
      words(record, 3);
    }
  }

  // Threads last: their objects refer to processes.
  void kernel_objects() {
    kernel_object(fxt::KernelObjectType::kProcess, kCpuProcessKoid, 0, "cpus", 4);
    for_each_entry([&](const ThreadEntry& entry) {
      if (entry.kind == wire::ThreadsEntryKind::kProcess)
        kernel_object(fxt::KernelObjectType::kProcess, entry.koid, 0, entry.name, entry.name_bytes);
      else if (entry.kind == wire::ThreadsEntryKind::kObject)
        kernel_object(static_cast<fxt::KernelObjectType>(entry.process), entry.koid, 0, entry.name,
                      entry.name_bytes);
    });
    for_each_entry([&](const ThreadEntry& entry) {
      if (wire::is_thread(entry.kind))
        kernel_object(fxt::KernelObjectType::kThread, entry.koid, entry.process, entry.name,
                      entry.name_bytes);
    });
  }
  template <typename Each>
  void for_each_entry(Each each) const {
    EntryCopy copy;
    for (uint32_t i = 0; i < kThreadEntries; ++i) {
      if (copy_entry(trace_.threads[i], copy)) each(copy.entry);
    }
  }

  // Those of CPUs that the table had no room for, or that record nothing but what they lost.
  void cpu_objects(uint16_t cpus) {
    for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
      if (trace_.rings[cpu].cpu_thread.reference != 0) continue;
      char name[kCpuNameBytes];
      name_cpu(name, cpu);
      kernel_object(fxt::KernelObjectType::kThread, kCpuThreadKoid + cpu, kCpuProcessKoid, name,
                    static_cast<uint32_t>(text_bytes(name)));
    }
  }

  void kernel_object(fxt::KernelObjectType type, uint32_t koid, uint32_t process, const char* name,
                     uint32_t name_bytes) {
    const bool is_thread = type == fxt::KernelObjectType::kThread;
    const size_t size = 2 + fxt::words_for_bytes(name_bytes) + (is_thread ? 2 : 0);
    const fxt::StringRef ref =
        name_bytes == 0 ? fxt::StringRef::empty() : fxt::StringRef::inline_bytes(name_bytes);
    const fxt::Word head[] = {fxt::KernelObject::make(size, type, ref, is_thread ? 1 : 0), koid};
    words(head, 2);
    stream(name, name_bytes);
    if (!is_thread) return;
    const WordArgument owner = argument::koid(BAREFXT_STRING("process"), process);
    const fxt::Word argument[] = {owner.header, owner.value};
    words(argument, 2);
  }

  void ring(const Ring& ring) {
    HeldSegments segments(ring, trace_.descriptor.capture);
    if (trace_.snapshot == nullptr) segments.hold_all();
    const Amount before = lost_before(trace_, ring.cpu);
    Amount reported = {0, 0};
    Amount unfinished = {0, 0};
    uint64_t ticks = trace_.descriptor.start_ticks;
    while (SegmentHeader* segment = segments.next()) {
      SegmentRuns runs(*segment, trace_.interval, ticks, clock_offset(trace_, ring.cpu));
      if (!runs.is_over())
        losses(ring, {segment->records_lost + before.records, segment->bytes_lost + before.bytes},
               reported, ticks, runs.ticks());
      while (!runs.is_over()) {
        // The format has no record for a function without a name.
        if (is_sample(runs.pending()))
          send_sample(runs.pending(), segment->cpu, runs.clock());
        else if (is_heap(runs.pending()))
          send_heap(runs.pending(), segment->cpu, runs.clock());
        else if (!is_call(runs.pending()))
          send_named(runs.pending(), segment->cpu, runs.clock());
        runs.next(0);
      }
      ticks = runs.ticks();
      unfinished.records += runs.unfinished().records;
      unfinished.bytes += runs.unfinished().bytes;
      segments.let_go(*segment);
    }
    const Amount dropped = lost(trace_, ring.cpu);
    losses(ring,
           {dropped.records + before.records + unfinished.records,
            dropped.bytes + before.bytes + unfinished.bytes},
           reported, ticks, trace_.stop_ticks);
  }

  void thread(uint32_t index, uint64_t process, uint64_t koid) {
    const fxt::Word record[] = {fxt::ThreadRecord::make(index), process, koid};
    words(record, 3);
  }
  // Writes the meaning of an index in a record of that time, if the table has another.
  void write_owner(uint32_t index, uint64_t ticks) {
    if (!former_.is_another(index, ticks)) return;
    const IndexOwner owner = former_.owner(index, ticks);
    if (owner.is_known)
      thread(index, owner.process, owner.koid);
    else
      thread(index, kUnknownProcessKoid, kUnknownProcessKoid + index);
  }
  void write_owner_of_now(uint32_t index, uint64_t ticks) {
    if (!former_.is_another(index, ticks)) return;
    const ThreadEntry& entry = trace_.threads[index - 1];
    if (is_named(entry) && wire::is_thread(entry.kind)) thread(index, entry.process, entry.koid);
  }

  // With the owners of then of its thread indices.
  void send_named(const SegmentWalker::Record& record, uint32_t cpu, const fxt::Word* clock) {
    if constexpr (!kReusesEntries) return send(record, cpu, clock);
    const size_t wrapping = is_timed(record) ? fxt::RingRecord::kTimedWords : 0;
    const size_t size = record.bytes / fxt::kWordBytes;
    const ThreadsOfRecord threads =
        threads_of(record.words + wrapping, size > wrapping ? size - wrapping : 0);
    const fxt::Word* time = time_of(record);
    if (const size_t place = TimePlaces(record).next(); time == nullptr && place != 0)
      time = record.words + place;
    if (time != nullptr) ticks_ = capture_ticks(clock_offset(trace_, cpu), clock, *time);
    write_owner(threads.first, ticks_);
    write_owner(threads.second, ticks_);
    send(record, cpu, clock);
    write_owner_of_now(threads.first, ticks_);
    write_owner_of_now(threads.second, ticks_);
  }

  // As the backtrace of one address that the format has.
  void send_sample(SegmentWalker::Record record, uint32_t cpu, const fxt::Word* clock) {
    using Sample = fxt::SampleRecord;
    constexpr size_t kMaxWords = Sample::kWords + 2;
    const size_t size = record.bytes / fxt::kWordBytes;
    if (size < Sample::kWords || size > kMaxWords) return;
    fxt::Word backtrace[kMaxWords + 1];
    for (size_t i = 0; i <= kMaxWords; ++i) backtrace[i] = i < size ? record.words[i] : 0;
    backtrace[size] = Sample::address(record.words[0]);
    backtrace[0] =
        fxt::ProfilerBacktrace::make(size + 1, fxt::ProfilerType::kBacktrace,
                                     {static_cast<uint8_t>(Sample::Thread::in(record.words[0]))}) |
        fxt::ProfilerBacktrace::FrameCount::of(1);
    record.words = backtrace;
    record.bytes += static_cast<uint32_t>(fxt::kWordBytes);
    send_named(record, cpu, clock);
  }

  // As the event that `barefxt rebuild` makes of it.
  void send_heap(SegmentWalker::Record record, uint32_t cpu, const fxt::Word* clock) {
    using Heap = fxt::HeapRecord;
    const fxt::Word header = record.words[0];
    const fxt::ThreadRef thread{static_cast<uint8_t>(Heap::Thread::in(header))};
    const size_t at = Heap::kFixedWords + thread.inline_words();
    if (record.bytes / fxt::kWordBytes != at + Heap::block_words(header)) return;
    const fxt::HeapBlock block = Heap::block(header, record.words + at);
    const auto action = static_cast<fxt::HeapAction>(Heap::Action::in(header));
    const bool is_free = action == fxt::HeapAction::kFree;
    const uint32_t name = is_free                             ? BAREFXT_STRING("free")
                          : action == fxt::HeapAction::kAlloc ? BAREFXT_STRING("alloc")
                                                              : BAREFXT_STRING("realloc");
    fxt::Word event[Heap::kFixedWords + 2 + 6];
    for (size_t i = 1; i < at; ++i) event[i] = record.words[i];
    fxt::Word* end = address_argument(event + at, BAREFXT_STRING("address"), block.address);
    if (!is_free && block.bytes >> 32 == 0)
      end =
          argument::uint32(BAREFXT_STRING("bytes"), static_cast<uint32_t>(block.bytes)).write(end);
    else if (!is_free)
      end = argument::uint64(BAREFXT_STRING("bytes"), block.bytes).write(end);
    end = address_argument(end, BAREFXT_STRING("caller"), block.caller);
    const auto words = static_cast<size_t>(end - event);
    event[0] = fxt::Event::make(fxt::EventType::kInstant, words, is_free ? 2 : 3, thread,
                                fxt::StringRef::index(BAREFXT_STRING("heap")),
                                fxt::StringRef::index(name));
    record.words = event;
    record.bytes = static_cast<uint32_t>(words * fxt::kWordBytes);
    send_named(record, cpu, clock);
  }
  static fxt::Word* address_argument(fxt::Word* at, uint32_t name, uint64_t address) {
    return WordArgument{argument::header(fxt::ArgumentType::kPointer, 2, name), address}.write(at);
  }

  void send(const SegmentWalker::Record& record, uint32_t cpu, const fxt::Word* clock) {
    const size_t wrapping = is_timed(record) ? fxt::RingRecord::kTimedWords : 0;
    const size_t size = record.bytes / fxt::kWordBytes;
    size_t sent = wrapping;
    if constexpr (kClockMayChange || kCounterIsPerCpu) {
      TimePlaces places(record);
      for (size_t at = places.next(); at != 0; at = places.next()) {
        const fxt::Word time = capture_ticks(clock_offset(trace_, cpu), clock, record.words[at]);
        words(record.words + sent, at - sent);
        words(&time, 1);
        sent = at + 1;
      }
    }
    if (sent < size) words(record.words + sent, size - sent);
  }

  // Writes the losses since the last report, as an event over the gap.
  void losses(const Ring& ring, const Amount& now, Amount& reported, uint64_t from, uint64_t to) {
    if (now.records == reported.records) return;
    const WordArgument records =
        argument::uint64(BAREFXT_STRING("records"), now.records - reported.records);
    const WordArgument bytes =
        argument::uint64(BAREFXT_STRING("bytes"), now.bytes - reported.bytes);
    const HeaderArgument where = argument::literal(BAREFXT_STRING("where"), BAREFXT_STRING("ring"));
    constexpr size_t kWords = fxt::Event::kFixedWords + 2 + 2 + 2 + 1 + 1;
    const fxt::Word head[] = {
        fxt::Event::make(fxt::EventType::kDurationComplete, kWords, 3, fxt::ThreadRef::in_line(),
                         fxt::StringRef::index(BAREFXT_STRING("barefxt")),
                         fxt::StringRef::index(BAREFXT_STRING("drop_stats"))),
        from,
        kCpuProcessKoid,
        kCpuThreadKoid + ring.cpu,
    };
    const fxt::Word rest[] = {records.header, records.value, bytes.header,
                              bytes.value,    where.header,  to > from ? to : from};
    static_assert(sizeof head + sizeof rest == kWords * fxt::kWordBytes);
    words(head, sizeof head / fxt::kWordBytes);
    words(rest, sizeof rest / fxt::kWordBytes);
    reported.records = now.records;
    reported.bytes = now.bytes;
  }

  const Trace& trace_;
  const barefxt_writer& writer_;
  FormerSearch former_;
  uint64_t ticks_ = 0;  // of the last record that had a time
};

}  // namespace
}  // namespace barefxt

extern "C" barefxt_error barefxt_dump_fxt(const barefxt_writer* writer) {
  using namespace barefxt;
  // The archive would have no names.
  if constexpr (kStringsInElf) return BAREFXT_ERROR_LEFT_OUT;
  const Choice choice = choose_trace();
  if (choice.error != BAREFXT_OK) return choice.error;
  FxtDump(choice.trace, *writer).send();
  barefxt_snapshot_release();
  return BAREFXT_OK;
}

#endif

#endif
