#include "convert_log.h"

#include <optional>

#include <barefxt/host/convert_xray.h>
#include <barefxt/host/output_file.h>

#include "archive_input.h"
#include "messages.h"

namespace barefxt::cli {
namespace {

// Reports the faults of a readable log. Returns the exit status.
int report(const host::Source& source, const host::XrayLog& log, const host::XrayChanges& changes) {
  const std::string about = source.name() + ": ";
  const host::XrayReader& reader = log.reader();
  for (const host::XrayDamage& damage : reader.damage())
    say(host::formatted(
        "{}at byte {}: {}{}", about, damage.offset, damage.what,
        damage.bytes > 0 ? host::formatted("; {} bytes passed over", damage.bytes) : ""));
  if (reader.damaged_places() > reader.damage().size())
    say(host::formatted("{}{} damaged places in all, {} bytes passed over", about,
                        reader.damaged_places(), reader.damaged_bytes()));
  if (reader.wide_threads() > 0)
    say(host::formatted(
        "{}thread ids are read as LLVM writes them, 32 bits: {} would be others in 16", about,
        reader.wide_threads()));
  if (log.threads_left_out() > 0)
    say(host::formatted("{}{} threads are left out: a log may have {}", about,
                        log.threads_left_out(), log.threads().size()));
  changes.say([&](const std::string& line) { say(about + line); });
  const bool whole = report_damage(source) == kDone && reader.damaged_places() == 0;
  return whole && !changes.lost() && log.threads_left_out() == 0 ? kDone : kIncomplete;
}

}  // namespace

host::Result<host::InstrumentationMap> map_of(const std::string& path) {
  host::Result<host::Source> file = host::Source::open(path);
  if (!file.ok()) return file.error();
  host::Result<host::ElfFile> program = host::ElfFile::parse(file.value().bytes(), path);
  if (!program.ok()) return program.error();
  return host::InstrumentationMap::read(program.value(), path);
}

void LogOptions::add_to(const Verb& verb) {
  verb.option("--fdr-version", fdr_version, "Version of the written XRay log")
      .shows_default()
      .one_of({1, 3, 5})
      .placeholder("1|3|5");
}

int convert_log(host::Source& source, const LogOptions& options, const std::string& format,
                const std::string& path, host::ByteOrder order) {
  if (format != "fxt" && format != "fdr") {
    say(source.name() + ": an XRay log, which becomes an archive first (--to fxt)");
    return kUsage;
  }
  std::optional<host::InstrumentationMap> map;
  if (!options.program.empty()) {
    host::Result<host::InstrumentationMap> read = map_of(options.program);
    if (!read.ok()) return complain(read.error());
    map = std::move(read.value());
  }
  auto log = host::XrayLog::open(source.bytes(), source.name(),
                                 [&](uint64_t offset) { source.release_before(offset); });
  if (!log.ok()) return complain(log.error());
  if (log.value()->calls() + log.value()->events() == 0) {
    (void)report(source, *log.value(), {});
    say(source.name() + ": an XRay log without a call or event that can be read");
    return kNothing;
  }
  auto output = host::OutputFile::create(path);
  if (!output.ok()) return complain(output.error());
  const auto changes =
      format == "fdr"
          ? host::xray_to_fdr(*log.value(), options.fdr_version, *output.value())
          : host::xray_to_fxt(*log.value(), map ? &*map : nullptr, *output.value(), order);
  if (!changes.ok()) return complain(changes.error());
  const int status = report(source, *log.value(), changes.value());
  if (const host::Status written = output.value()->commit(); !written.ok())
    return complain(written.error());
  return status;
}

}  // namespace barefxt::cli
