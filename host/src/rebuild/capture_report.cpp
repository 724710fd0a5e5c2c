#include "capture_report.h"

#include <algorithm>

#include "../print/hexadecimal.h"

namespace barefxt::host {
namespace {

std::string amount_text(const LostAmount& amount) {
  if (!amount.known) return "an unknown number of records";
  if (amount.counted_elsewhere) return "some of those";
  return formatted("{} ({})", counted(amount.records, "record"), counted(amount.bytes, "byte"));
}

std::string interval_text(uint64_t from, uint64_t to) {
  return formatted("between ticks {} and {}", from, to);
}

}  // namespace

void CaptureReport::on_loss(const LossPlace& place) {
  Sum& sum = losses_[{place.cpu, place.on_line}];
  if (sum.places == 0) sum.from = place.from;
  sum.from = std::min(sum.from, place.from);
  sum.to = std::max(sum.to, place.to);
  sum.amount.known = sum.amount.known && place.amount.known;
  sum.amount.records += place.amount.records;
  sum.amount.bytes += place.amount.bytes;
  static constexpr uint64_t kNamedPlaces = 4;
  if (++sum.places > kNamedPlaces) return;
  if (!sum.first_places.empty()) sum.first_places += "; ";
  sum.first_places += amount_text(place.amount) + " " + interval_text(place.from, place.to);
}

bool CaptureReport::say_rings(const CaptureContent& capture, const Rebuild::Report& say) const {
  bool complete = true;
  for (const auto& [key, sum] : losses_) {
    const auto& [cpu, on_line] = key;
    std::string line =
        formatted("  cpu {}: {}{}{}", cpu, amount_text(sum.amount),
                  on_line ? " lost on the line " : " dropped or overwritten on the target ",
                  interval_text(sum.from, sum.to));
    if (sum.places > 1) append(line, ", at {}: {}", counted(sum.places, "place"), sum.first_places);
    say(line);
    complete = complete && !on_line;
  }
  for (const Ring& ring : capture.rings())
    if (ring.end && ring.end->unfinished_records != 0)
      say(formatted("  cpu {}: {} ({}) reserved on the target and never finished", ring.cpu,
                    counted(ring.end->unfinished_records, "record"),
                    counted(ring.end->unfinished_bytes, "byte")));
  return complete;
}

bool CaptureReport::say_frames(const CaptureContent& capture, const Rebuild::Report& say) const {
  const CaptureFindings& found = capture.findings();
  if (found.missing != 0) say("  " + counted(found.missing, "frame") + " missing");
  if (found.asked_for != 0) say("  " + counted(found.asked_for, "frame") + " resent on request");
  if (found.doubled != 0) say("  " + counted(found.doubled, "frame") + " there twice, used once");
  if (found.conflicting != 0)
    say("  " + counted(found.conflicting, "frame") +
        " with a number that another frame has too: do two captures bear one id?");
  if (found.contradicting_pieces != 0)
    say(formatted("  {} with {} left out: they overlap with others, or name an impossible CPU",
                  counted(found.contradicting_pieces, "frame"),
                  counted(found.contradicting_records, "record")));
  if (found.unreadable != 0)
    say("  " + counted(found.unreadable, "frame") + " with content that cannot be read to its end");
  if (!capture.hello())
    say("  both hello frames are missing: the clock's rate is unknown, 1 tick is taken for 1 ns");
  if (!capture.has_end())
    say(std::string("  the end frame is missing: ") +
        (capture.last_pieces_are_there() ? "how much the target dropped at the end is unknown"
                                         : "how much is missing at the end is unknown"));
  return found.conflicting == 0 && found.contradicting_pieces == 0 && found.unreadable == 0 &&
         capture.hello() && capture.has_end();
}

bool CaptureReport::say_tables(const CaptureContent& capture, const ArchiveTables& tables,
                               const Rebuild::Report& say) const {
  const CaptureFindings& found = capture.findings();
  const auto& hello = capture.hello();
  const bool in_memory = hello && hello->kind == wire::TraceKind::kMemory;
  const std::string missing = in_memory ? " not found in memory" : " missing in both copies";
  if (found.strings_missing != 0) say("  " + counted(found.strings_missing, "string") + missing);
  if (tables.nameless_strings() != 0 && hello && capture.lacks_program())
    say("  " + counted(tables.nameless_strings(), "string") +
        " in the program that ran, called `string#N`: name it with --elf, the one with the build "
        "id " +
        hexadecimal_digits(hello->build_id));
  else if (tables.nameless_strings() != 0)
    say("  " + counted(tables.nameless_strings(), "string") +
        " used without an entry, called `string#N`");
  if (found.threads_missing != 0) say("  " + counted(found.threads_missing, "thread") + missing);
  if (tables.nameless_threads() != 0)
    say("  " + counted(tables.nameless_threads(), "thread") +
        " used without an entry, called `thread#N`");
  // Like records that the target dropped: reported, and no failure.
  if (tables.forgotten_threads() != 0)
    say("  " + counted(tables.forgotten_threads(), "thread") +
        " unknown, called `thread#N`: others have their indices now, and the records with their "
        "names are lost");
  if (tables.repaired_strings() != 0)
    say("  " + counted(tables.repaired_strings(), "string") +
        " held bytes that are not UTF-8, each `?` now");
  // Like records that the target dropped: reported, and no failure.
  if (capture.cut_texts() != 0)
    say("  " + counted(capture.cut_texts(), "text") +
        " cut on the target since it was switched on, to what holds them");
  if (const auto& calls = capture.left_out_calls(); calls && calls->any())
    say(formatted(
        "  {} left out by the limits on the target: {} too short, {} too deep, {} without an end "
        "of their own, {} that had not ended",
        counted(calls->too_short + calls->too_deep + calls->without_end + calls->open, "call"),
        calls->too_short, calls->too_deep, calls->without_end, calls->open));
  if (tables.cut_strings() != 0)
    say("  " + counted(tables.cut_strings(), "string") + " cut at 32000 bytes");
  return found.strings_missing == 0 && tables.nameless_strings() == 0 &&
         found.threads_missing == 0 && tables.nameless_threads() == 0 &&
         tables.repaired_strings() == 0 && tables.cut_strings() == 0;
}

bool CaptureReport::say_clocks(const CaptureContent& capture, const Rebuild::Report& say) const {
  uint64_t measured = 0;
  uint64_t unmeasured = 0;
  uint64_t worst = 0;
  for (size_t cpu = 1; cpu < capture.clock_offsets().size(); ++cpu) {
    const std::optional<ClockOffset>& offset = capture.clock_offsets()[cpu];
    if (!offset) continue;
    ++(offset->error ? measured : unmeasured);
    worst = std::max(worst, offset->error.value_or(0));
  }
  if (measured != 0)
    say(formatted("  {} set by the clock of cpu 0, right to within {}", counted(measured, "CPU"),
                  counted(worst, "tick")));
  // Like records that the target dropped: reported, and no failure.
  if (unmeasured != 0)
    say("  " + counted(unmeasured, "CPU") +
        " never compared with the clock of cpu 0: times are as each counted them");
  const uint64_t missing = capture.findings().clocks_missing;
  if (missing != 0)
    say("  " + counted(missing, "CPU") +
        " whose clock's offset is missing in both copies: times are as each counted them");
  return missing == 0;
}

bool CaptureReport::say_left_out(const CaptureMerge& merge, const Rebuild::Report& say) const {
  bool complete = true;
  for (size_t i = 0; i < kCopyVerdicts; ++i) {
    const auto verdict = static_cast<CopyVerdict>(i);
    const uint64_t count = merge.verdicts()[i];
    if (count == 0 || verdict == CopyVerdict::kCopied) continue;
    say(formatted("  {} left out: {}", counted(count, "record"), describe(verdict)));
    complete = false;
  }
  if (merge.repaired_bytes() != 0) {
    say("  " + counted(merge.repaired_bytes(), "byte") +
        " in texts of records were not UTF-8, each `?` now");
    complete = false;
  }
  if (const uint64_t count = merge.calls().left_out(); count != 0) {
    say(formatted("  {} left out: nested deeper than {}, or more than {} open at once",
                  counted(count, "call"), OpenCalls::kDeepest, OpenCalls::kMaxOpen));
    complete = false;
  }
  return complete;
}

// Nothing of this is missing.
void CaptureReport::say_calls(const CaptureMerge& merge, const Rebuild::Report& say) {
  if (const uint64_t count = merge.calls().orphan_exits(); count != 0)
    say("  " + counted(count, "exit") +
        " left out: the functions were entered before the recording, or where records are missing");
  if (const uint64_t count = merge.calls().added_exits(); count != 0)
    say("  " + counted(count, "call") + " without an exit ended with the call around");
  if (merge.nameless_calls() != 0)
    say(
        formatted("  {} begins and ends of calls of functions without a name, called `function#N`: "
                  "name the program that ran with --elf",
                  merge.nameless_calls()));
}

bool CaptureReport::say(const CaptureContent& capture, const ArchiveTables& tables,
                        const CaptureMerge& merge, const Rebuild::Report& say) const {
  const auto& hello = capture.hello();
  if (capture.assumed_boot() != 0)
    say("  assumed: it has the id and the start of an earlier capture, and only its place in the "
        "input separates them");
  if (hello && hello->interval_begin != 0)
    say("  cut on the target to what all CPUs still had: " +
        interval_text(hello->interval_begin, hello->interval_end));
  const bool in_part = hello && hello->kind == wire::TraceKind::kRecoveredInPart;
  if (in_part)
    say("  some memory lost its content in the reset, or another image runs now: the losses from "
        "that are unknown");
  const bool frames = say_frames(capture, say);
  const bool table_entries = say_tables(capture, tables, say);
  const bool clocks = say_clocks(capture, say);
  const bool rings = say_rings(capture, say);
  const bool records = say_left_out(merge, say);
  say_calls(merge, say);
  return !in_part && frames && table_entries && clocks && rings && records;
}

}  // namespace barefxt::host
