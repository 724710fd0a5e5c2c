// Writes the records of all CPUs of a capture into an archive as one sequence in order of time,
// with an event at each place where records are missing.
//
// Invariants: the records of one CPU stay in the order of its ring (the merge chooses between rings
// and never sorts within one); every record is written once, or counted as left out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/function_names.h>

#include "archive_tables.h"
#include "capture_content.h"
#include "gap_ends.h"
#include "interrupt_namer.h"
#include "open_calls.h"
#include "plain_lane.h"
#include "record_copier.h"
#include "ring_cursor.h"
#include "turns.h"
#include "waker_finder.h"

namespace barefxt::host {

// The category of durations made from calls of functions.
inline constexpr const char* kFunctionCategory = "function";

// One place where records of a CPU are missing.
struct LossPlace {
  uint16_t cpu = 0;
  bool on_line = false;
  LostAmount amount;
  uint64_t from = 0;
  uint64_t to = 0;
};

class LossListener {
 public:
  virtual ~LossListener() = default;
  virtual void on_loss(const LossPlace& place) = 0;
};

// Names that come from elsewhere than the capture; null if unknown.
struct KnownNames {
  const FunctionNames* functions = nullptr;
  const InterruptNames* interrupts = nullptr;
};

class CaptureMerge {
 public:
  CaptureMerge(const CaptureContent& capture, const FormerOwners& owners, uint32_t provider,
               ArchiveTables& tables, ArchiveWriter& writer, LossListener& listener,
               const KnownNames& names);

  void run();

  // Instead, for a capture that is arriving: the caller chooses the ring. Wakers are left out,
  // since they need records that are still to come.
  struct ArrivingRing {
    RingCursor cursor;
    GapEnds gaps;
    std::optional<InterruptNamer> interrupts;
  };
  ArrivingRing arriving(const Ring& ring) const;
  // The losses ahead of the cursor's record, as write_next() will write them.
  std::vector<LossPlace> losses_ahead(ArrivingRing& ring) const;
  // Writes the cursor's record, with the losses ahead of it, and steps behind it.
  void write_next(ArrivingRing& ring);
  // The capture's own records, behind all others.
  void write_end();
  // The capture's table of threads has changed.
  void read_threads();

  uint64_t written() const { return written_; }
  const std::array<uint64_t, kCopyVerdicts>& verdicts() const { return verdicts_; }
  uint64_t repaired_bytes() const { return copier_.repaired_bytes(); }
  const OpenCalls& calls() const { return calls_; }
  uint64_t nameless_calls() const { return nameless_calls_; }

 private:
  // State that belongs to one ring.
  struct Companions {
    WakerFinder wakers;
    GapEnds gaps;
    std::optional<InterruptNamer> interrupts;  // where some have names
  };
  // Writes the records of lanes for as long as they need nothing but a copy. Returns true if the
  // last one was of the ring whose turn it is, and its lane has no more.
  bool copy_lanes(Turns& turns, std::span<PlainLane> lanes);
  // `wakers` may be null.
  void write_record(const RingCursor& cursor, std::optional<InterruptNamer>& interrupts,
                    WakerFinder* wakers);
  bool copy_plain(const RingCursor& cursor);
  void convert_record(const RingCursor& cursor, std::optional<InterruptNamer>& interrupts,
                      WakerFinder* wakers);
  // With arguments behind those of the record.
  void copy_record(const RingCursor& cursor, std::span<const ArchiveArgument> added);
  struct WakeupArguments {
    std::array<ArchiveArgument, 2> list{};
    size_t count = 0;
    void add(const ArchiveArgument& argument) { list[count++] = argument; }
    std::span<const ArchiveArgument> all() const { return std::span(list).first(count); }
  };
  WakeupArguments wakeup_arguments(const RingCursor& cursor, WakerFinder* wakers);
  void write_interrupt(const NamedInterrupt& interrupt, const RingCursor& cursor);
  bool write_name(const RingCursor& cursor);
  void write_build(const RingCursor& cursor);
  void write_heap(const RingCursor& cursor);
  void write_rename(const ThreadFacts& who, uint16_t cpu, std::string_view before,
                    std::string_view after, uint64_t time);
  void write_call(FunctionCall call, const RingCursor& cursor);
  ArchiveEvent event_of_call(fxt::EventType type, const ArchiveThread& thread, uint32_t function,
                             uint64_t time);
  void write_half_of_call(fxt::EventType type, const ArchiveThread& thread, uint32_t function,
                          uint64_t time, std::optional<uint64_t> argument = {});
  void end_calls_with_thread(const RingCursor& cursor);
  ArchiveThread as_archive_names(ArchiveThread thread) const;
  void write_losses(const RingCursor& cursor, GapEnds& gaps);
  std::vector<LossPlace> places_of_losses(const RingCursor& cursor, GapEnds& gaps) const;
  void write_loss(const LossPlace& place);
  void write_left_out_calls(const LeftOutCalls& calls);
  uint64_t sort_time(const RingCursor& cursor) const;

  const CaptureContent& capture_;
  const FormerOwners& owners_;
  std::unordered_map<uint64_t, const ThreadFacts*> by_koid_;      // the last of each, threads only
  std::unordered_map<uint64_t, const ThreadFacts*> cpu_threads_;  // those of CPUs, by koid
  std::unordered_map<uint64_t, const ThreadFacts*> entries_;      // the last of each, by koid
  // Maps koids without an entry to names in the capture's frames; bounded.
  std::unordered_map<uint64_t, std::string> ring_names_;
  uint32_t provider_;
  ArchiveTables& tables_;
  ArchiveWriter& writer_;
  LossListener& listener_;
  KnownNames names_;
  RecordCopier copier_;
  OpenCalls calls_;
  uint64_t nameless_calls_ = 0;
  uint64_t written_ = 0;
  uint64_t latest_ = 0;     // of all records written
  bool has_build_ = false;  // a record of it is written
  std::array<uint64_t, kCopyVerdicts> verdicts_{};
};

}  // namespace barefxt::host
