#include "sample_input.h"

#include "../print/hexadecimal.h"
#include "messages.h"
#include "progress.h"

namespace barefxt::cli {
namespace {

// If the program's names may be used for these samples.
bool is_of_these(const host::ElfFile& program, const host::Profile& profile,
                 const std::string& name) {
  const host::Bytes bytes = program.build_id();
  const std::string_view build_id(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string_view other;
  switch (profile.check_build(build_id, other)) {
    case host::Profile::BuildCheck::kSame:
      break;
    case host::Profile::BuildCheck::kUnknown:
      say(
          host::formatted("{}: {} build id: the names are wrong if another build ran. Hint: link "
                          "with --build-id, and set barefxt_config.build_id",
                          name, build_id.empty() ? "--elf has no" : "the samples have no"));
      break;
    case host::Profile::BuildCheck::kOther:
      say(host::formatted(
          "{}: recorded by another build than --elf names: by build id {}, not {}; "
          "functions have no names",
          name, host::hexadecimal_digits(other), host::hexadecimal_digits(build_id)));
      return false;
  }
  return true;
}

}  // namespace

host::Result<host::Profile> read_samples(Archive& archive, const host::Selection& chosen,
                                         host::Reader& reader) {
  host::Profile profile(chosen);
  // A sample's CPU is that of its thread, which a filter of records does not know.
  host::Selection of_records = chosen;
  of_records.cpus.clear();
  auto filter = host::RecordFilter::make(of_records, archive.source, archive.form);
  if (!filter.ok()) return filter.error();
  for_each_record(archive.source, reader, [&](const host::Record& record) {
    const bool is_sample = std::holds_alternative<host::ProfilerBacktrace>(record.content);
    profile.see(record, is_sample && filter.value().keeps(record, reader.provider()));
    return true;
  });
  return profile;
}

host::ProfileSymbols symbols_of(const host::Profile& profile, const Program* program,
                                const std::string& name, int& status) {
  if (profile.cut() != 0)
    say(host::formatted("{}: {} lack callers: there are too many different paths", name,
                        host::counted(profile.cut(), "sample")));
  if (profile.samples() == 0) return {nullptr, profile};
  if (program == nullptr) {
    say(name + ": functions have no names without --elf IMAGE");
  } else if (is_of_these(program->elf, profile, name)) {
    return {&program->elf, profile};
  } else {
    status = kIncomplete;
  }
  return {nullptr, profile};
}

host::Result<std::string> samples_as_speedscope(const ArchiveOptions& options, Archive& archive,
                                                const host::Selection& chosen, int& status) {
  const auto program = open_program(options);
  if (!program.ok()) return program.error();
  host::Reader reader(archive.source.bytes(), archive.form);
  const auto samples = read_samples(archive, chosen, reader);
  if (!samples.ok()) return samples.error();
  const host::Profile& profile = samples.value();
  if (profile.samples() == 0) return std::string();
  const std::string& name = archive.source.name();
  host::ProfileSymbols symbols = symbols_of(profile, program.value().get(), name, status);
  const host::ProfileTree tree(profile, host::ProfileBy::kThread, symbols);
  host::StringOutput out;
  host::print_speedscope(out, tree, symbols, name);
  return out.take();
}

}  // namespace barefxt::cli
