#include <algorithm>
#include <utility>
#include <vector>

#include <barefxt/host/added_records.h>
#include <barefxt/host/rebuild.h>
#include <barefxt/host/start_refusal.h>

#include "../archive/utf8.h"
#include "../print/hexadecimal.h"
#include "archive_tables.h"
#include "capture_content.h"
#include "capture_merge.h"
#include "capture_report.h"

namespace barefxt::host {
namespace {

std::string hexadecimal(uint32_t value) { return formatted("0x{:08x}", value); }

std::string_view name_of(wire::TraceKind kind) {
  switch (kind) {
    case wire::TraceKind::kSnapshot:
      return "snapshot";
    case wire::TraceKind::kRecovered:
    case wire::TraceKind::kRecoveredInPart:
      return "before the reset";
    case wire::TraceKind::kMemory:
      return "from memory";
    case wire::TraceKind::kSession:
      break;
  }
  return {};
}

std::string provider_name(const CaptureContent& capture) {
  const auto& hello = capture.hello();
  std::string name(hello && !hello->target.empty() ? hello->target : "barefxt");
  repair_utf8({reinterpret_cast<uint8_t*>(name.data()), name.size()});
  const std::string_view kind = hello ? name_of(hello->kind) : "";
  if (!kind.empty()) name.append(" (").append(kind).append(")");
  if (capture.assumed_boot() != 0) append(name, " (boot {}, assumed)", capture.assumed_boot());
  return name;
}

// Texts for the first event if that is a call: some readers want strings ahead of threads.
std::vector<std::string> texts_of_first_calls(const CaptureContent& capture,
                                              const FunctionNames* functions) {
  std::vector<std::string> texts;
  for (const Ring& ring : capture.rings()) {
    const RingCursor cursor(capture, ring);
    const std::optional<FunctionCall>& call = cursor.call();
    if (cursor.is_over() || !call) continue;
    if (texts.empty()) texts.emplace_back(kFunctionCategory);
    texts.push_back(FunctionNames::name_for_people(functions, call->function));
  }
  return texts;
}

}  // namespace

Rebuild::Rebuild(Report say) : report_(std::move(say)), scanner_(index_) {}

Status Rebuild::feed(std::span<const uint8_t> bytes) {
  input_bytes_ += bytes.size();
  if (itm_)
    itm_->feed(bytes);
  else
    scanner_.feed(bytes);
  return index_.status();
}

Status Rebuild::end_input(const std::string& name) {
  if (itm_) {
    itm_->finish();
    if (const uint64_t overflows = itm_->take_overflows(); overflows != 0)
      report_(formatted("{}: {}: the ITM dropped bytes. Hint: a faster SWO, or fewer DWT packets",
                        name, counted(overflows, "overflow packet")));
  }
  scanner_.finish();
  const InputFindings found = index_.take_findings();
  if (found.damaged != 0)
    report_(formatted("{}: {}, the first at byte {}", name, counted(found.damaged, "damaged frame"),
                      found.first_damaged));
  if (found.other_version != 0)
    report_(
        formatted("{}: {} of wire format version {}, which this barefxt does not read (it reads {} "
                  "to {}): use the barefxt that the target was built with",
                  name, counted(found.other_version, "frame"), found.example_version,
                  wire::kVersion, wire::kNewestVersion));
  if (found.unreadable != 0)
    report_(formatted("{}: {} of a type or coding that this barefxt does not know", name,
                      counted(found.unreadable, "frame")));
  all_inputs_.frames += found.frames;
  all_inputs_.damaged += found.damaged;
  if (found.other_version != 0) all_inputs_.example_version = found.example_version;
  all_inputs_.other_version += found.other_version;
  all_inputs_.unreadable += found.unreadable;
  if (found.refused.error != 0) {
    report_(formatted("{}: {}; {}", name, describe(found.refused), hint_for(found.refused.error)));
    all_inputs_.refused = found.refused;
  }
  return index_.status();
}

void Rebuild::say_nothing_found() {
  // Images of memory had messages of their own.
  if (memory_images_ != 0 && input_bytes_ == 0) return;
  report_(
      formatted("no usable frame in {} (looked for binary frames between zero bytes, and for lines "
                "with `{}`)",
                counted(input_bytes_, "byte"), wire::kTextPrefix));
  if (all_inputs_.other_version != 0 || all_inputs_.refused.error != 0) return;
  if (all_inputs_.damaged != 0)
    report_(
        "frames seem to be there, all damaged: is the line's speed right, and is it free of "
        "character translation?");
  else
    report_("has the target dumped its trace, and is this the line that it dumped to?");
}

void Rebuild::name_by(const ElfFile& program) {
  function_names_ = FunctionNames::read(program);
  program_strings_ = ProgramStrings::read(program);
  const Bytes build_id = program.build_id();
  build_id_.assign(build_id.begin(), build_id.end());
  interrupt_names_.add(InterruptNames::read(program));
}

bool Rebuild::is_of_another_build(const CaptureContent& capture) const {
  // The target may have sent only the beginning of a long one.
  const auto& hello = capture.hello();
  return hello && !build_id_.empty() && !build_id_.starts_with(hello->build_id);
}

Result<bool> Rebuild::write_capture(const CaptureContent& capture, uint32_t provider,
                                    ArchiveWriter& writer) {
  std::vector<uint16_t> loss_cpus;  // by events of our own
  for (const Ring& ring : capture.rings())
    if (has_losses(ring)) loss_cpus.push_back(ring.cpu);
  const std::optional<LeftOutCalls>& left_out = capture.left_out_calls();
  if (left_out && left_out->any() && (loss_cpus.empty() || loss_cpus.front() != 0))
    loss_cpus.insert(loss_cpus.begin(), 0);

  const std::string name = provider_name(capture);
  ArchiveProvider archive_provider(writer, provider, name);
  const auto& hello = capture.hello();
  written_.push_back({hexadecimal(capture.id()), hello ? hexadecimal_digits(hello->build_id) : ""});
  writer.initialization(capture.ticks_per_second());
  FormerOwners owners;
  if (Status status = owners.read(capture); !status.ok()) return status.error();
  ArchiveTables tables(capture, owners, archive_provider);
  const bool is_of_another = is_of_another_build(capture);
  if (hello && is_of_another)
    report_(
        formatted("{}: recorded by another build than --elf names: by build id {}, not {}; "
                  "{} have no names",
                  name, hexadecimal_digits(hello->build_id), hexadecimal_digits(build_id_),
                  hello->has_strings_in_elf ? "events and functions" : "functions"));
  const FunctionNames* functions = function_names_ && !is_of_another ? &*function_names_ : nullptr;
  tables.write_prologue(loss_cpus, texts_of_first_calls(capture, functions));
  CaptureReport report;
  const KnownNames names{.functions = functions,
                         .interrupts = interrupt_names_.empty() ? nullptr : &interrupt_names_};
  CaptureMerge merge(capture, owners, provider, tables, writer, report, names);
  merge.run();

  report_(formatted("{} (capture {}): {} in {}", name, hexadecimal(capture.id()),
                    counted(merge.written(), "record"),
                    counted(capture.findings().frames, "frame")));
  return report.say(capture, tables, merge, report_) && !is_of_another;
}

Status Rebuild::for_each_capture(const std::function<void(const CaptureContent&)>& see) {
  if (Status status = index_.arrange(); !status.ok()) return status;
  for (const CaptureRange& range : index_.captures()) {
    CaptureContent capture(index_, range);
    capture.name_by(program_strings());
    see(capture);
  }
  return {};
}

// With what a viewer needs where records are missing, which only the whole capture shows, and for
// logs.
Result<bool> Rebuild::write_in_two_steps(const CaptureContent& capture, uint32_t provider,
                                         ByteSink& sink, ByteOrder order, LogPackets packets) {
  bool is_complete = false;
  Result<Source> plain = Source::written("the capture", [&](ByteSink& kept) -> Status {
    ArchiveWriter writer(kept, order);
    const Result<bool> written = write_capture(capture, provider, writer);
    if (!written.ok()) return written.error();
    is_complete = written.value();
    return writer.flush();
  });
  if (!plain.ok()) return plain.error();
  Source& archive = plain.value();
  if (Status status = write_with_added(
          archive.bytes(), {order, Dialect::kToday},
          [&](uint64_t offset) { archive.release_before(offset); }, sink, packets);
      !status.ok())
    return status.error();
  return is_complete;
}

Result<RebuildVerdict> Rebuild::write(ByteSink& sink, ByteOrder order, LogPackets packets) {
  if (Status status = index_.arrange(); !status.ok()) return status.error();
  if (index_.captures().empty()) {
    say_nothing_found();
    return RebuildVerdict::kNothing;
  }
  ArchiveWriter writer(sink, order);
  writer.magic_number();
  bool complete = all_inputs_.other_version == 0 && all_inputs_.unreadable == 0 && memory_is_whole_;
  uint32_t provider = 0;
  for (const CaptureRange& range : index_.captures()) {
    CaptureContent capture(index_, range);
    capture.name_by(program_strings());
    const bool needs_two_steps =
        packets == LogPackets::kAdd ||
        std::any_of(capture.rings().begin(), capture.rings().end(), has_losses_inside);
    if (Status status = writer.flush(); !status.ok() && needs_two_steps) return status.error();
    const Result<bool> is_complete =
        needs_two_steps ? write_in_two_steps(capture, ++provider, sink, order, packets)
                        : write_capture(capture, ++provider, writer);
    if (!is_complete.ok()) return is_complete.error();
    complete = is_complete.value() && complete;
  }
  if (Status status = writer.flush(); !status.ok()) return status.error();
  return complete ? RebuildVerdict::kComplete : RebuildVerdict::kIncomplete;
}

}  // namespace barefxt::host
