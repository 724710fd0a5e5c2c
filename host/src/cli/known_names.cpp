#include "known_names.h"

#include <fstream>

#include <barefxt/host/interrupt_names.h>
#include <barefxt/host/source.h>

namespace barefxt::cli {
namespace {

constexpr std::streamsize kMaxListBytes = std::streamsize{4} << 20;

}  // namespace

void add_interrupts(const Verb& verb, std::string& file) {
  verb.option("--interrupts", file,
              "A list of the target's interrupts, a number and a name a line: names those that "
              "hooks record by number. Goes before the names of --elf")
      .placeholder("FILE");
}

host::Status name_interrupts(host::Rebuild& rebuild, const std::string& file) {
  if (file.empty()) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string list(static_cast<size_t>(kMaxListBytes), '\0');
  if (stream.is_open()) stream.read(list.data(), kMaxListBytes);
  if (!stream.is_open() || stream.bad())
    return host::Error{"cannot read this list of interrupts", file, ""};
  if (stream.gcount() == kMaxListBytes)
    return host::Error{"is too long for a list of interrupts", file, "4 MiB is the most"};
  list.resize(static_cast<size_t>(stream.gcount()));
  const auto names = host::InterruptNames::parse(list, file);
  if (!names.ok()) return names.error();
  rebuild.name_interrupts(names.value());
  return {};
}

host::Status name_by_program(host::Rebuild& rebuild, const std::string& file) {
  if (file.empty()) return {};
  const auto source = host::Source::open(file, host::kMaxUnpackedBytes);
  if (!source.ok()) return source.error();
  const auto program = host::ElfFile::parse(source.value().bytes(), file);
  if (!program.ok()) return program.error();
  rebuild.name_by(program.value());
  return {};
}

}  // namespace barefxt::cli
