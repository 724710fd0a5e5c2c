// Opens archives for the verbs, and reports how reading them went.
#include "archive_input.h"

#include <algorithm>
#include <map>

#include <barefxt/host/elf_file.h>
#include <barefxt/host/xray_reader.h>

#include "capture_inputs.h"
#include "input_kind.h"
#include "messages.h"
#include "progress.h"

namespace barefxt::cli {

constexpr Choice<host::Dialect> kDialects[] = {{"today", host::Dialect::kToday},
                                               {"2017", host::Dialect::k2017}};

void add_max_unpacked(const Verb& verb, uint64_t& bytes) {
  verb.option("--max-unpacked", bytes, "Refuse a packed input that unpacks to more than this")
      .placeholder("BYTES")
      .shows_default("64 GiB");
}

void ArchiveOptions::add_to(const Verb& verb, Files use) {
  const bool is_optional = use == Files::kAreTracesOrExplain;
  std::string about =
      use == Files::kAreOneArchive
          ? "The archive, possibly packed by gzip or zstd; several are read one after another. Or "
            "captures, which are rebuilt as by `rebuild`; - is standard input"
          : "An archive, possibly packed by gzip or zstd, or a capture, which is rebuilt as by "
            "`rebuild`; - is standard input. Each is a trace by itself";
  if (is_optional) about += " (required without --explain)";
  const Option file = verb.option("FILE", files, about.c_str());
  if (!is_optional) file.required();
  add_details(verb);
  verb.choice("--input-byte-order", overrides.byte_order, kByteOrders,
              "Byte order of FILE, instead of the one guessed from its magic number")
      .placeholder("little|big");
  verb.choice("--dialect", overrides.dialect, kDialects,
              "Revision of the format that FILE has, instead of the guessed one")
      .placeholder("today|2017");
  add_max_unpacked(verb, max_unpacked);
}

void ArchiveOptions::add_old_byte_order(const Verb& verb) {
  verb.choice("--byte-order", overrides.byte_order, kByteOrders, "--input-byte-order")
      .is_old_spelling();
}

void add_output_byte_order(const Verb& verb, host::ByteOrder& order) {
  verb.choice("--output-byte-order", order, kByteOrders, "Byte order of the archive")
      .placeholder("little|big")
      .shows_default();
  verb.choice("--byte-order", order, kByteOrders, "--output-byte-order").is_old_spelling();
}

std::string ArchiveOptions::name() const {
  if (files.size() < 2) return files.empty() ? std::string() : files[0];
  return host::formatted("{} and {} more", files[0], files.size() - 1);
}

namespace {

// An XRay log and a program are for `convert`, an ELF core is an image of memory.
bool may_be_capture(const host::Source& source) {
  const host::Bytes bytes = source.bytes();
  return !bytes.empty() && !host::starts_as_archive(bytes) && !host::XrayReader::is_log(bytes) &&
         (!host::ElfFile::is_elf(bytes) || host::ElfFile::is_core(bytes));
}

// Rebuilds the files, of which the first is open already. Nothing: they hold nothing to rebuild,
// and no message was printed.
host::Result<std::optional<host::Source>> rebuilt(
    host::Source& first, const ArchiveOptions& options,
    std::vector<host::CaptureIdentity>* captures_written) {
  std::vector<std::string> messages;
  host::Rebuild rebuild([&](const std::string& line) { messages.push_back(line); });
  std::vector<CaptureInput> inputs = inputs_of(options.files);
  inputs[0].file = &first;
  const host::Result<bool> read =
      read_captures(inputs, options,
                    {.read_itm = [&](host::ItmForm form) { rebuild.read_itm(form); },
                     .feed = [&](std::span<const uint8_t> bytes) { return rebuild.feed(bytes); },
                     .end_input = [&](const std::string& name) { return rebuild.end_input(name); },
                     .memory = rebuild});
  if (!read.ok()) return read.error();
  host::RebuildVerdict verdict = host::RebuildVerdict::kNothing;
  std::string damage;
  host::Result<host::Source> archive = host::Source::written(
      options.name(),
      [&](host::ByteSink& spool) -> host::Status {
        ProgressSink sink(spool, "rebuilding " + options.name());
        const auto written =
            rebuild.write(sink, options.overrides.byte_order.value_or(host::ByteOrder::kLittle));
        if (!written.ok()) return written.error();
        verdict = written.value();
        if (verdict == host::RebuildVerdict::kIncomplete || read.value())
          damage = "the capture is not whole";
        return {};
      },
      damage);
  if (!archive.ok()) return archive.error();
  if (verdict == host::RebuildVerdict::kNothing) {
    first.release_before(0);  // it is read again
    return std::optional<host::Source>{};
  }
  for (const std::string& message : messages) say(message);
  if (captures_written != nullptr) *captures_written = rebuild.written();
  return std::optional<host::Source>(std::move(archive.value()));
}

// How much of a file can stand ahead of another: all but a record that it does not hold whole, and
// room that was not written to.
size_t whole_records(host::Source& source, host::Form form, std::string& damage) {
  host::Reader reader(source.bytes(), form);
  uint64_t end = source.bytes().size();
  for_each_record(source, reader, [&](const host::Record& record) {
    const auto* malformed = std::get_if<host::Malformed>(&record.content);
    if (malformed == nullptr || record.offset + record.raw.size() < end) return true;
    const bool torn = malformed->fault == host::Fault::kPartialWord ||
                      malformed->fault == host::Fault::kBeyondEnd;
    if (!torn && malformed->fault != host::Fault::kUnwritten) return true;
    if (torn)
      damage = host::formatted("ends within a record, {} bytes left out", record.raw.size());
    end = record.offset;
    return false;
  });
  source.release_before(0);  // it is read again
  return end;
}

// The first is open already.
host::Result<host::Source> join(host::Source& first, const ArchiveOptions& options) {
  std::optional<host::ByteOrder> order;
  std::string damage;
  const auto add_all = [&](const host::Source::AddPart& add) -> host::Status {
    for (size_t i = 0; i < options.files.size(); ++i) {
      std::optional<host::Source> next;
      if (i != 0) {
        host::Result<host::Source> opened =
            host::Source::open(options.files[i], options.max_unpacked);
        if (!opened.ok()) return opened.error();
        next = std::move(opened.value());
      }
      host::Source& source = next ? *next : first;
      const std::string& name = source.name();
      if (source.bytes().empty()) continue;
      if (!source.damage().empty()) {
        damage = name + ": " + source.damage();
        say(damage);
      }
      if (host::XrayReader::is_log(source.bytes()) || host::ElfFile::is_elf(source.bytes()))
        return host::Error{"no archive, and only archives can be read together", name, {}};
      const host::Form form = host::guess_form(source.bytes(), options.overrides).form;
      if (order.value_or(form.byte_order) != form.byte_order)
        return host::Error{"of another byte order than those before", name,
                           "convert one of them first"};
      order = form.byte_order;
      std::string torn;
      const size_t bytes = whole_records(source, form, torn);
      if (!torn.empty()) {
        damage = name;
        damage.append(": ").append(torn);
        say(damage);
      }
      if (host::Status status = add(source, bytes); !status.ok()) return status;
      if (source.has_shrunk()) {
        damage = name + ": " + kShrunk;
        say(damage);
      }
    }
    return {};
  };
  return host::Source::joined(options.name(), add_all, damage);
}

}  // namespace

std::optional<host::Source> open_source(const ArchiveOptions& options, int& status,
                                        std::vector<host::CaptureIdentity>* captures) {
  if (const std::optional<InputKind> folder = kind_of_folder(options.files[0])) {
    status = say_kind(options.files[0], *folder);
    return std::nullopt;
  }
  host::Result<host::Source> source = host::Source::open(options.files[0], options.max_unpacked);
  if (source.ok() && may_be_capture(source.value())) {
    auto archive = rebuilt(source.value(), options, captures);
    if (!archive.ok()) {
      status = complain(archive.error());
      return std::nullopt;
    }
    if (archive.value().has_value()) return std::move(archive.value());
  }
  if (source.ok() && options.files.size() > 1)
    source = join(source.value(), options);
  else if (source.ok() && !source.value().damage().empty())
    say(source.value().name() + ": " + source.value().damage());
  if (!source.ok()) {
    status = complain(source.error());
    return std::nullopt;
  }
  if (source.value().bytes().empty()) {
    const bool is_reported = !source.value().damage().empty();
    if (!is_reported) say(source.value().name() + ": empty, there is nothing to read");
    status = kNothing;
    return std::nullopt;
  }
  return std::move(source.value());
}

bool is_no_trace(const host::Source& source, int& status) {
  if (host::starts_as_archive(source.bytes())) return false;
  const std::optional<InputKind> kind = kind_of(source.bytes());
  if (kind) status = say_kind(source.name(), *kind, source.packed_by());
  return kind.has_value();
}

host::Result<std::unique_ptr<Program>> open_program(const ArchiveOptions& options) {
  if (options.program.empty()) return std::unique_ptr<Program>();
  auto bytes = host::Source::open(options.program, options.max_unpacked);
  if (!bytes.ok()) return bytes.error();
  auto elf = host::ElfFile::parse(bytes.value().bytes(), options.program);
  if (!elf.ok()) return elf.error();
  return std::make_unique<Program>(std::move(bytes.value()), std::move(elf.value()));
}

Archive open_archive(host::Source source, const host::FormOverrides& overrides) {
  const host::FormGuess guess = host::guess_form(
      source.bytes(), overrides, [&](uint64_t offset) { source.release_before(offset); });
  for (const std::string& note : guess.notes) say(source.name() + ": " + note);
  return {std::move(source), guess.form, {}};
}

std::optional<Archive> open_archive(const ArchiveOptions& options, int& status) {
  std::vector<host::CaptureIdentity> captures;
  std::optional<host::Source> source = open_source(options, status, &captures);
  if (!source || is_no_trace(*source, status)) return std::nullopt;
  Archive archive = open_archive(std::move(*source), options.overrides);
  archive.captures = std::move(captures);
  return archive;
}

int for_each_archive(
    const ArchiveOptions& options,
    const std::function<bool(const std::string& file, Archive& archive, int& status)>& use) {
  int all = kDone;
  for (const std::string& file : options.files) {
    int status = kDone;
    std::optional<Archive> archive = open_archive(options.only(file), status);
    if (!archive || !use(file, *archive, status)) return status;
    all = std::max(all, status);
  }
  return all;
}

void for_each_record(host::Source& source, host::Reader& reader,
                     const std::function<bool(const host::Record&)>& each) {
  reader.on_passed([&](uint64_t offset) { source.release_before(offset); });
  while (const host::Record* record = reader.next()) {
    if (!each(*record)) break;
    source.release_before(record->offset);
  }
  reader.on_passed({});
}

int report_damage(const host::Source& source) {
  if (source.has_shrunk()) {
    say(source.name() + ": " + kShrunk);
    return kIncomplete;
  }
  return source.damage().empty() ? kDone : kIncomplete;
}

void report_forgotten(const host::Source& source, uint64_t providers) {
  if (providers == 0) return;
  say(host::formatted(
      "{}: names more than {} providers, or their strings take more than {} MiB of tables; the "
      "tables of {} were forgotten",
      source.name(), host::Reader::kMaxProviders, host::Reader::kMaxPages / 1024, providers));
}

int report_reading(const host::Source& source, const host::Reader& reader) {
  report_forgotten(source, reader.forgotten_providers());
  if (reader.malformed_places() > 0) {
    say(host::formatted("{}: {}, {} bytes that could not be read", source.name(),
                        host::counted(reader.malformed_places(), "malformed place"),
                        reader.malformed_bytes()));
  }
  if (reader.unwritten_bytes() > 0) {
    say(host::formatted("{}: {} bytes of zeros at its end, room that nothing was written to",
                        source.name(), reader.unwritten_bytes()));
  }
  const int damage = report_damage(source);
  if (reader.readable_records() == 0) {
    say(source.name() + ": no record of an FXT archive in it");
    return kNothing;
  }
  return reader.malformed_places() > 0 ? int{kIncomplete} : damage;
}

int report_statistics(const host::Source& source, const host::Statistics& statistics) {
  const std::string& file = source.name();
  int status = report_damage(source);
  if (statistics.malformed_places > 0) {
    say(host::formatted("{}: {} malformed places, {} bytes that could not be read", file,
                        statistics.malformed_places, statistics.malformed_bytes));
    status = kIncomplete;
  }
  report_forgotten(source, statistics.forgotten_providers);
  if (statistics.left_out > 0) {
    say(host::formatted("{}: {} records were left out: too many threads or names", file,
                        statistics.left_out));
    status = kIncomplete;
  }
  if (statistics.records == 0) {
    say(file + ": no record of an FXT archive in it");
    return kNothing;
  }
  return status;
}

}  // namespace barefxt::cli
