// One capture, put together from its frames: its tables, and each CPU's pieces in order.
//
// Invariants, for any frames: tables are bounded by the format (32767 strings, 65536 thread
// entries, 4096 CPUs); of frames and pieces that are there twice, one remains; pieces of a CPU
// never overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <barefxt/host/capture_index.h>
#include <barefxt/host/program_strings.h>
#include <barefxt/wire/frame.h>

#include "clock_map.h"

namespace barefxt::host {

// Perfetto gives up at this CPU number.
inline constexpr unsigned kMaxCpus = 4096;

struct HelloFacts {
  uint64_t ticks_per_second = 0;
  uint64_t start_ticks = 0;
  unsigned thread_count = 0;
  unsigned string_count = 0;
  unsigned cpu_count = 0;
  unsigned segment_bytes = 0;
  wire::Mode mode{};
  wire::TraceKind kind{};
  // The target left out records outside this interval.
  uint64_t interval_begin = 0;
  uint64_t interval_end = ~uint64_t{0};
  bool one_counter = true;  // for all CPUs
  bool has_strings_in_elf = false;
  std::string_view target;
  std::string_view build_id;  // bytes; empty if the target sent none
};

struct ThreadFacts {
  uint8_t kind = 0;  // wire::ThreadsEntryKind, 0 where the entry is missing
  uint8_t index = 0;
  uint32_t koid = 0;
  uint32_t process = 0;
  bool has_since = false;  // its frame is of a target that has given entries to others
  uint64_t since = 0;      // ticks; from then on the index is this one's
  std::string_view name;
};

struct RingEnd {
  RingTotals totals;
  uint32_t unfinished_records = 0;
  uint32_t unfinished_bytes = 0;
};

// Without an end frame it is not known what is behind the last piece of a ring that is there.
enum class Behind : uint8_t {
  kNothing,
  kDropped,  // no piece is missing, but the target may have dropped records
  kPiece,    // a frame is missing that may have been one
};

// The records of one CPU.
struct Ring {
  uint16_t cpu = 0;
  std::span<const FrameEntry>
      pieces;  // in the order of the ring, which need not be that of sending
  // Records and bytes behind the piece that was sent last; lost behind that which is last in the
  // ring.
  RingTotals behind_pieces;
  std::optional<RingEnd> end;
  Behind maybe_behind = Behind::kNothing;
  bool overwrites = false;  // its oldest segment when it is full
};

// Faults of a capture's frames.
struct CaptureFindings {
  uint64_t frames = 0;                // kept
  uint64_t missing = 0;               // sequence numbers without a frame, below the highest
  uint64_t asked_for = 0;             // frames that came because the host asked for them
  uint64_t doubled = 0;               // there twice, byte for byte
  uint64_t conflicting = 0;           // one sequence number, two contents
  uint64_t contradicting_pieces = 0;  // overlap with what is there, or name an impossible CPU
  uint64_t contradicting_records = 0;
  uint64_t unreadable = 0;       // frames whose content ends in the middle
  uint64_t strings_missing = 0;  // in both copies
  uint64_t threads_missing = 0;  // in both copies
  uint64_t clocks_missing = 0;   // CPUs with counters of their own, in both copies
};

// Calls of functions that are not among the records, as the target chose.
struct LeftOutCalls {
  uint64_t too_short = 0;
  uint64_t too_deep = 0;
  uint64_t without_end = 0;
  uint64_t open = 0;

  bool any() const { return (too_short | too_deep | without_end | open) != 0; }
};

class CaptureContent {
 public:
  CaptureContent(CaptureIndex& index, const CaptureRange& range);
  // One that is still arriving, frame by frame: add() takes its tables, its end, and the payloads
  // of pieces. rings() stays empty: the caller keeps the pieces in order.
  explicit CaptureContent(uint32_t id) : id_(id) {}
  void add(const FrameEntry& frame, std::span<const uint8_t> payload);
  // A piece's payload is not read any more.
  void forget(const FrameEntry& piece) { arrived_.erase(piece.payload_offset); }

  uint32_t id() const { return id_; }
  // As CaptureRange::assumed_boot.
  uint32_t assumed_boot() const { return assumed_boot_; }
  const std::optional<HelloFacts>& hello() const { return hello_; }
  // Without a hello, nanoseconds.
  uint64_t ticks_per_second() const { return hello_ ? hello_->ticks_per_second : 1'000'000'000; }
  const CaptureFindings& findings() const { return findings_; }

  // The program that --elf names: it has the strings if the target sent its build id instead.
  void name_by(const ProgramStrings* program) { program_ = program; }
  bool lacks_program() const {
    return hello_ && hello_->has_strings_in_elf && program_strings() == nullptr;
  }
  // By target index; nothing where the string is missing. Bytes may be anything.
  std::optional<std::string_view> string(unsigned target_index) const;
  unsigned max_string_index() const;
  std::span<const ThreadFacts> threads() const { return threads_; }

  // In order of CPU: those that recorded or lost something, or may have.
  std::span<const Ring> rings() const { return rings_; }
  bool has_end() const { return stop_ticks_.has_value(); }
  std::optional<uint64_t> stop_ticks() const { return stop_ticks_; }
  // Names and texts that the target cut to what holds them; 0 if it does not send the count.
  uint32_t cut_texts() const { return cut_texts_; }
  // Calls of functions that the target's limits left out.
  const std::optional<LeftOutCalls>& left_out_calls() const { return left_out_calls_; }
  // Without an end frame: whether each CPU's last records are there nevertheless.
  bool last_pieces_are_there() const;

  // For each CPU, once the end is here.
  std::span<const RingEnd> ends() const { return ends_; }

  std::span<const uint8_t> words(const FrameEntry& piece) const;
  // The piece is read soon. The pieces of a ring do not lie side by side, so no processor foresees
  // where the next one begins.
  void prefetch(const FrameEntry& piece) const;
  // Maps the counter values of a piece to the capture's clock.
  ClockMap clock_map(const FrameEntry& piece) const;

  // By CPU; empty where all CPUs have one counter.
  std::span<const std::optional<ClockOffset>> clock_offsets() const { return clock_offsets_; }

 private:
  const ProgramStrings* program_strings() const;
  void drop_doubles();
  void find_whole_end();
  void read_hello(const FrameEntry& frame);
  void read_strings(const FrameEntry& frame);
  void read_threads(const FrameEntry& frame);
  void read_clocks(const FrameEntry& frame);
  void read_end(const FrameEntry& frame);
  size_t words_at(const FrameEntry& piece) const;
  void count_missing_entries();
  void group_by_cpu();
  void collect_rings();
  void expect_rings();
  void add_pieces(size_t begin, size_t end, size_t expected);
  size_t drop_overlaps(size_t begin, size_t end);
  void arrange_pieces(Ring& ring, size_t begin, size_t end);
  template <typename Key>
  void sort_by(std::span<FrameEntry> frames, const Key& key) const;
  bool same_payload(const FrameEntry& left, const FrameEntry& right) const;
  std::string_view text(std::span<const uint8_t> bytes);
  std::span<const uint8_t> payload(const FrameEntry& frame) const;
  void read_table(const FrameEntry& frame);

  const CaptureIndex* index_ = nullptr;                         // null of one that is arriving
  std::unordered_map<uint64_t, std::vector<uint8_t>> arrived_;  // payloads, by their offset
  std::unordered_set<std::string> texts_;                       // of an arriving capture's tables
  const ProgramStrings* program_ = nullptr;
  std::span<FrameEntry> frames_;
  uint32_t id_;
  uint32_t assumed_boot_ = 0;
  std::optional<HelloFacts> hello_;
  std::optional<uint64_t> stop_ticks_;
  uint32_t cut_texts_ = 0;
  std::optional<LeftOutCalls> left_out_calls_;
  uint64_t whole_from_ = ~uint64_t{0};  // see find_whole_end
  unsigned max_string_index_ = 0;
  std::vector<std::optional<std::string_view>> strings_;
  std::vector<ThreadFacts> threads_;
  std::vector<std::optional<ClockOffset>> clock_offsets_;
  std::vector<RingEnd> ends_;
  std::vector<Ring> rings_;
  CaptureFindings findings_;
};

}  // namespace barefxt::host
