#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include <barefxt/host/doctor.h>

#include "checks.h"

namespace barefxt::host {
namespace {

// The one table of checks. docs/how-to/troubleshooting.md is held to it by a test.
constexpr auto kChecks = std::to_array<DoctorCheck>({
    {"archive", "The input is an FXT archive, not what a target sent."},
    {"byte-order", "Frames are there once the bytes of each group of 2, 4 or 8 are turned round."},
    {"captures-alike",
     "Captures of several boots have one id, and only their place in the input separates them."},
    {"clock-coarse",
     "The clock ticks too seldom for what it times: most records bear the time of "
     "the one before, or it has less than 1000 ticks a second."},
    {"clock-goes-back", "Time goes back from one record of a CPU to the next."},
    {"clock-leaps",
     "Time leaps ahead by a period of a counter, once, by far more than all the "
     "rest of the trace takes."},
    {"clock-stands-still", "All records of a CPU bear one time."},
    {"clock-wraps", "Time begins anew each time that a counter of 16 to 32 bits wraps."},
    {"clocks-apart",
     "The CPUs' counters differ by an unmeasured amount, or the port declares them to "
     "be one."},
    {"cpu-not-counted", "A CPU with a number beyond those that barefxt_start was given."},
    {"cpu-silent", "A CPU that barefxt_start was given recorded nothing while others did."},
    {"frames-missing", "Frames, or parts of their content, were lost on the line."},
    {"garbage", "Bytes that are neither frames nor text: the line's speed, or its settings."},
    {"interrupts-unbalanced",
     "Interrupts that are entered and never left, or left and never "
     "entered."},
    {"no-end", "The end of the capture is missing: it was cut, or the kernel was not stopped."},
    {"no-records", "A session in which nothing was recorded."},
    {"no-switches", "Several threads, and no context switch."},
    {"nothing-arrived", "The input is empty."},
    {"other-version", "Frames of a version that this barefxt does not know."},
    {"ring-too-small",
     "Records were dropped because a ring was full; the hint has the size that would suffice."},
    {"start-refused", "The target's barefxt_start refused to record; with the error's name."},
    {"strings-missing", "Records refer to names that are not in the table of strings."},
    {"switches-missing",
     "A thread leaves a CPU that it never came in on: some switches are missing."},
    {"table-full", "Threads without a name, since the target's table of threads was full."},
    {"text-only", "Console text, and no frame in it."},
    {"threads-nameless", "Threads without a name, or that were never registered."},
    {"two-cpus-one-number", "The switches in one ring are those of two or more CPUs."},
    {"unfinished-records", "Records that were begun and not finished when the dump was made."},
});

std::string hexadecimal(uint32_t value) { return formatted("0x{:08x}", value); }

std::string line_of(const CaptureFacts& facts) {
  const auto& hello = facts.capture.hello();
  std::string line = facts.name;
  if (hello && !hello->target.empty()) append(line, " of {}", hello->target);
  return formatted("{}: {} of {} in {}", line, counted(facts.records(), "record"),
                   counted(facts.rings.size(), "CPU"),
                   counted(facts.capture.findings().frames, "frame"));
}

}  // namespace

std::span<const DoctorCheck> doctor_checks() { return kChecks; }

void Diagnoses::add(std::string_view check, std::string where, std::string what, std::string hint) {
  const auto* const found = std::lower_bound(
      kChecks.begin(), kChecks.end(), check,
      [](const DoctorCheck& one, std::string_view name) { return one.name < name; });
  assert(found != kChecks.end() && found->name == check);
  ++count_;
  sink_({found, std::move(where), std::move(what), std::move(hint)});
}

Doctor::Doctor(Rebuild::Report say, Diagnoses::Sink sink)
    : diagnoses_(std::move(sink)), inputs_(std::move(say)), line_(std::make_unique<LineSurvey>()) {}
Doctor::~Doctor() = default;

void Doctor::read_itm(ItmForm form) {
  is_itm_ = true;
  inputs_.read_itm(form, [this](std::span<const uint8_t> bytes) { line_->feed(bytes); });
}

Status Doctor::feed(std::span<const uint8_t> bytes) {
  if (!is_itm_) line_->feed(bytes);
  return inputs_.feed(bytes);
}

bool Doctor::has_frames() const {
  const InputFindings& found = inputs_.line_findings();
  return found.frames != 0 || found.other_version != 0 || found.unreadable != 0 ||
         found.refused.error != 0 || inputs_.has_memory();
}

Status Doctor::end_input(const std::string& name) {
  ++fed_inputs_;
  line_name_ = fed_inputs_ == 1 ? name : counted(fed_inputs_, "input");
  return inputs_.end_input(name);
}

Status Doctor::examine() {
  LineFacts line{.name = line_name_, .survey = *line_, .found = inputs_.line_findings()};
  Status read;
  const Status listed = inputs_.for_each_capture([&](const CaptureContent& capture) {
    line.has_captures = true;
    FormerOwners owners;
    if (read.ok()) read = owners.read(capture);
    if (!read.ok()) return;
    CaptureFacts facts{.capture = capture,
                       .owners = owners,
                       .name = "capture " + hexadecimal(capture.id()),
                       .rings = {},
                       .line = line};
    for (const Ring& ring : capture.rings())
      facts.rings.push_back(survey_ring(capture, ring, owners.changes));
    if (captures_.size() < kMaxShown)
      captures_.push_back(line_of(facts));
    else
      ++more_captures_;
    check_frames(facts, diagnoses_);
    check_cpus(facts, diagnoses_);
    check_clocks(facts, diagnoses_);
    check_switches(facts, diagnoses_);
    check_interrupts(facts, diagnoses_);
    check_names(facts, diagnoses_);
    check_room(facts, diagnoses_);
  });
  if (!listed.ok() || !read.ok()) return listed.ok() ? read : listed;
  if (fed_inputs_ != 0) check_line(line, diagnoses_);
  return {};
}

}  // namespace barefxt::host
