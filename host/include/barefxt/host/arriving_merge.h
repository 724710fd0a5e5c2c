// Merges the records of all CPUs while a capture arrives, as far as no CPU can have earlier ones.
//
// A CPU that has sent nothing newer holds the merge back. In a stream it does so for one second of
// the others' records, or until the line is idle: a CPU without records sends nothing. Records that
// come later than that are left out, and counted. In a dump each CPU is waited for.
// MergeWait::kAlways waits for each CPU in a stream, too, since nobody knows what it will still
// send, and for the hello. If more waits than is kept, records of the CPUs that are waited for
// count as lost.
//
// Invariants: the archive that a sink gets has records in order of time; losses are announced
// before the records within them; memory does not grow with the records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/capture_index.h>
#include <barefxt/host/function_names.h>
#include <barefxt/host/interrupt_names.h>
#include <barefxt/host/program_strings.h>
#include <barefxt/host/source.h>

namespace barefxt::host {

enum class MergeWait : uint8_t { kASecond, kAlways };

class ArrivalSink {
 public:
  virtual ~ArrivalSink() = default;
  // Another capture than that before: what follows is the begin of its archive.
  virtual void begin_capture(const std::string& target, uint64_t ticks_per_second) = 0;
  // A capture of which nothing is handed on: it has no hello.
  virtual void skip_capture() {}
  virtual void records(Bytes whole) = 0;
  virtual void lose(unsigned cpu, uint64_t begin, uint64_t end) = 0;
};

struct MergeState {
  bool has_begun = false;
  bool is_over = false;             // the end of the capture is merged
  uint64_t merged = 0;              // ticks: all records before are merged
  uint64_t newest = 0;              // that has arrived, nearly
  std::optional<unsigned> held_by;  // the CPU that later records wait for
  uint64_t late_records = 0;        // left out
  uint64_t late_pieces = 0;         // resent, or behind later ones of their CPU
  uint64_t late_tables = 0;         // behind records: strings, or clocks
};

// About the records that have arrived and are not merged, and the CPUs that send any.
struct UnmergedFacts {
  uint64_t earliest_begin = ~uint64_t{0};  // of a complete duration
  std::vector<unsigned> cpus;
  bool has_names = false;
};

class ArrivingMerge final : public FrameListener {
 public:
  explicit ArrivingMerge(ArrivalSink& sink, MergeWait wait = MergeWait::kASecond);
  ~ArrivingMerge() override;

  // Names as of Rebuild; what they point to must outlive the merge.
  void name_by(const FunctionNames* functions, const InterruptNames* interrupts,
               const ProgramStrings* strings);

  void on_frame(const FrameEntry& frame, std::span<const uint8_t> payload) override;
  // Merges what there is. `is_idle`: nothing has come over the line for a while.
  void advance(bool is_idle);
  // Nothing more will come.
  void finish();

  MergeState state() const;
  UnmergedFacts unmerged() const;

 private:
  class Trace;

  ArrivalSink& sink_;
  MergeWait wait_;
  const FunctionNames* functions_ = nullptr;
  const InterruptNames* interrupts_ = nullptr;
  const ProgramStrings* strings_ = nullptr;
  std::unique_ptr<Trace> trace_;
};

}  // namespace barefxt::host
