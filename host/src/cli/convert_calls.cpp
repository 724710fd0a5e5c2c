#include "convert_calls.h"

#include <algorithm>

#include <barefxt/host/calls_to_log.h>
#include <barefxt/host/convert_xray.h>
#include <barefxt/host/mapped_elf.h>
#include <barefxt/host/output_file.h>

#include "messages.h"

namespace barefxt::cli {

int convert_calls(Archive& archive, const LogOptions& options, const std::string& output) {
  const std::string about = archive.source.name() + ": ";
  if (options.program.empty()) {
    say(about +
        "--to fdr needs --elf IMAGE: the program that ran, with its map of functions (of one "
        "without, --to xray-elf makes a copy that has it)");
    return kUsage;
  }
  host::Result<host::InstrumentationMap> map = map_of(options.program);
  if (!map.ok()) return complain(map.error());
  host::CallsToLog calls(map.value());
  host::Reader reader(archive.source.bytes(), archive.form);
  for_each_record(archive.source, reader, [&](const host::Record& record) {
    calls.see(record, reader.provider());
    return !calls.failed();
  });
  if (const host::Status status = calls.finish(); !status.ok()) return complain(status.error());
  int status = report_reading(archive.source, reader);
  if (status == kNothing) return status;
  if (calls.unknown_functions() != 0)
    say(host::formatted(
        "{}{} begins and ends of calls left out: their functions are not in the map of {}", about,
        calls.unknown_functions(), options.program));
  if (calls.other_clocks() != 0)
    say(
        host::formatted("{}{} begins and ends of calls, or events, left out: their provider's "
                        "clock has another rate",
                        about, calls.other_clocks()));
  if (calls.crowded_out() != 0)
    say(host::formatted(
        "{}{} begins and ends of calls, events or switches left out: too many threads", about,
        calls.crowded_out()));
  if (calls.unknown_functions() + calls.other_clocks() + calls.crowded_out() != 0)
    status = kIncomplete;
  if (calls.calls() + calls.events() == 0) {
    say(host::formatted(
        "{}no call of a function (a duration of the category `function`) that {} knows", about,
        options.program));
    return kNothing;
  }
  auto log = host::XrayLog::open(calls.log(), archive.source.name(),
                                 [&](uint64_t offset) { calls.release_before(offset); });
  if (!log.ok()) return complain(log.error());
  auto file = host::OutputFile::create(output);
  if (!file.ok()) return complain(file.error());
  const auto changes = host::xray_to_fdr(*log.value(), options.fdr_version, *file.value());
  if (!changes.ok()) return complain(changes.error());
  if (log.value()->threads_left_out() != 0)
    say(host::formatted("{}{} threads are left out: a log may have {}", about,
                        log.value()->threads_left_out(), log.value()->threads().size()));
  changes.value().say([&](const std::string& line) { say(about + line); });
  if (changes.value().lost() || log.value()->threads_left_out() != 0) status = kIncomplete;
  if (const host::Status written = file.value()->commit(); !written.ok())
    return complain(written.error());
  return status;
}

int convert_program(host::Source& source, const std::string& output) {
  host::Result<host::ElfFile> program = host::ElfFile::parse(source.bytes(), source.name());
  if (!program.ok()) return complain(program.error());
  auto file = host::OutputFile::create(output);
  if (!file.ok()) return complain(file.error());
  host::Status status =
      host::write_mapped_elf(program.value(), source.bytes(), source.name(), *file.value(),
                             [&](size_t offset) { source.release_before(offset); });
  if (status.ok() && report_damage(source) != kDone) return kUsage;
  if (status.ok()) status = file.value()->commit();
  return status.ok() ? int{kDone} : complain(status.error());
}

}  // namespace barefxt::cli
