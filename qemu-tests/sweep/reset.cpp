#include "sweep/reset.h"

#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "sweep/outcome.h"
#include "sweep/selection.h"
#include "torture/frame_reader.h"

namespace kernel::sweep {
namespace {

using barefxt::torture::FrameReader;
using barefxt::torture::RecordSink;

constexpr uint64_t kKept = 0x5245534554313233;
constexpr unsigned kModeCount = sizeof kModes / sizeof kModes[0];
constexpr unsigned kPlaceCount = sizeof kPlaces / sizeof kPlaces[0];

// The experiment of a number, which counts places, then modes, then paths.
struct Number {
  uint32_t value;

  unsigned path() const { return value / (kPlaceCount * kModeCount); }
  const Mode& mode() const { return kModes[value / kPlaceCount % kModeCount]; }
  const Place& place() const { return kPlaces[value % kPlaceCount]; }
};

// All zeros at power-on.
struct Progress {
  uint64_t kept;  // kKept: the rest is of the boot before
  Extent extent;
  uint32_t every;
  bool all_sound;
  uint32_t boots;
  Number number;
  uint64_t k;
  uintptr_t address;  // of the last reset
  Findings left;      // by it
  Amount lost_before;
  uint32_t of_path;  // how much of the path's own was committed, one instruction before
  Outcome outcome;
  Addresses of_experiment;
  Addresses of_path_taken;
};
__attribute__((section(".noinit"))) Progress progress = {};

void reset_here() {
  progress.left = look_at_reset(running.expected);
  progress.lost_before = lost_before();
  progress.address = running.address;
  board::reset();
}
constexpr Action kReset = {"reset", &reset_here, false, nullptr, nullptr, nullptr};

// Most of overwriting a segment is the loop that clears it: where not every instruction is wanted,
// another round of it comes to those that a step leaves out.
Experiment experiment_of(const Number& number) {
  const bool overwrites = number.place().only_circular;
  const uint32_t step = overwrites && progress.every != 1 ? 61 : progress.every;
  return {&number.mode(), &number.place(), number.path(), &kReset, 0, step};
}

// ---- Findings of the next boot

class Recovered final : public RecordSink {
 public:
  void record(const barefxt::fxt::Word* words, uint32_t count) override {
    ++amount.records;
    amount.bytes += count * sizeof *words;
    for (uint32_t i = 0; i < count; ++i) digest = digest_with(digest, words[i]);
  }

  Amount amount = {};
  uint64_t digest = 0;
};

Findings look_at_recovered(barefxt_recovery outcome) {
  static Recovered recovered;
  static FrameReader reader(recovered);
  const Findings& left = progress.left;
  const barefxt_writer writer = {&FrameReader::write, &reader};
  Findings findings = {};
  const auto expect = [&findings](bool is_so, const char* otherwise) {
    if (!is_so && findings.wrong == nullptr) findings.wrong = otherwise;
  };
  expect(left.wrong == nullptr, left.wrong);
  expect(outcome == BAREFXT_RECOVERED_WHOLE, "not_recovered_whole");
  if (findings.wrong != nullptr) return findings;
  KERNEL_ASSERT(barefxt_recovered_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
  barefxt_recovered_release();
  expect(reader.problem() == nullptr, reader.problem());
  expect(reader.totals().came, "no_end");

  findings.attempted = left.read;
  add(findings.attempted, left.lost);
  add(findings.attempted, left.overwritten);
  findings.read = recovered.amount;
  findings.overwritten = left.overwritten;
  findings.lost = {reader.totals().lost, reader.totals().lost_bytes};
  // The dump does not separate records lost before from those overwritten.
  findings.lost.records -= progress.lost_before.records + left.overwritten.records;
  findings.lost.bytes -= progress.lost_before.bytes + left.overwritten.bytes;
  expect(same(findings.read, left.read) && same(findings.lost, left.lost), "not_accounted_for");
  expect(recovered.digest == left.digest, "torn");
  expect(reader.totals().records == recovered.amount.records, "end_totals_wrong");
  expect(reader.totals().unfinished == left.unfinished, "unfinished");
  // Records that were committed one instruction before still are.
  expect(left.of_path >= progress.of_path, "committed_no_more");
  return findings;
}

// ---- From one to the next

// A boot takes as long as dozens of interrupts: where little is wanted, what differs between
// the paths is left to the interrupts' sweep.
bool is_wanted(const Number& number) {
  const Path& path = path_at(number.path());
  const Place& place = number.place();
  if (progress.extent == Extent::kFull)
    return is_among(place, number.mode(), is_one_of_few(path) ? Places::kAll : Places::kTwo);
  if (!is_one_of_few(path)) return false;
  const bool opens = number.path() == 0 && is_among(place, number.mode(), Places::kCrossings);
  return opens || (is_called(place, "open") && is_among(place, number.mode(), Places::kTwo));
}

void go_to_next_number() {
  const unsigned path = progress.number.path();
  ++progress.number.value;
  if (progress.number.path() == path || progress.of_path_taken.count() == 0) return;
  progress.of_path_taken.print(path_at(path).name);
  progress.of_path_taken.clear();
}

// Each begins one instruction later, as in sweep().
void begin_number() {
  progress.k = 1 + progress.number.value % experiment_of(progress.number).step;
}

void finish_experiment(const char* wrong) {
  progress.outcome.wrong = wrong;
  running.instruction = progress.k;
  running.address = progress.address;
  print_outcome(experiment_of(progress.number), progress.outcome, progress.of_experiment.count());
  progress.all_sound = progress.all_sound && wrong == nullptr;
  progress.outcome = {};
  progress.of_experiment.clear();
  progress.of_path = 0;
  go_to_next_number();
  begin_number();
}

void take_recovered(barefxt_recovery outcome) {
  const Findings findings = look_at_recovered(outcome);
  progress.outcome.take(findings);
  progress.of_experiment.add(progress.address);
  progress.outcome.steps.take(progress.address);
  progress.of_path = progress.left.of_path;
  progress.k += experiment_of(progress.number).step;
  if (findings.wrong != nullptr) finish_experiment(findings.wrong);
}

// The path came to its end: so did what it writes.
void take_rest() {
  const Findings findings = conclude(experiment_of(progress.number));
  progress.outcome.take(findings);
  finish_experiment(findings.wrong);
}

}  // namespace

bool reset_everywhere(const Parameters& parameters) {
  cleans_caches = false;
  const barefxt_recovery outcome = barefxt_recover();
  if (progress.kept == kKept) {
    ++progress.boots;
    take_recovered(outcome);
  } else {
    KERNEL_ASSERT(outcome == BAREFXT_RECOVERED_NOTHING);
    progress.kept = kKept;
    progress.extent = parameters.extent;
    progress.every = parameters.every;
    progress.all_sound = true;
    begin_number();
  }
  register_threads();
  for (unsigned learned = kMaxPaths; progress.number.path() < path_count();) {
    if (!is_wanted(progress.number)) {
      go_to_next_number();
      begin_number();
      continue;
    }
    const unsigned path = progress.number.path();
    if (learned != path) learn_path(path);
    learned = path;
    if (attempt(experiment_of(progress.number), progress.k, progress.of_path_taken))
      fail("no_reset");
    take_rest();
  }
  print("RESETS boots=", progress.boots, "\nSWEEP end\n");
  return progress.all_sound;
}

}  // namespace kernel::sweep
