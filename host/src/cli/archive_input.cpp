// Opening archives for the verbs, and what they say about reading them.
#include "archive_input.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <map>

#include <barefxt/host/elf_file.h>
#include <barefxt/host/xray_reader.h>

#include "messages.h"

namespace barefxt::cli {

void ArchiveOptions::add_to(CLI::App& verb, const char* byte_order_option) {
  verb.add_option(
          "FILE", files,
          "The archive, which gzip or zstd may have packed; of several, one after another; - "
          "is standard input")
      ->required();
  verb.add_option_function<std::string>(
          byte_order_option,
          [this](const std::string& value) {
            wish.byte_order = value == "big" ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
          },
          "Overrules what is guessed from the magic number")
      ->check(CLI::IsMember({"little", "big"}))
      ->option_text("little|big");
  verb.add_option_function<std::string>(
          "--dialect",
          [this](const std::string& value) {
            wish.dialect = value == "2017" ? host::Dialect::k2017 : host::Dialect::kToday;
          },
          "Overrules the guess which revision of the format it is")
      ->check(CLI::IsMember({"today", "2017"}))
      ->option_text("today|2017");
}

std::string ArchiveOptions::name() const {
  if (files.size() < 2) return files.empty() ? std::string() : files[0];
  return files[0] + " and " + std::to_string(files.size() - 1) + " more";
}

namespace {

host::Result<host::Source> open_file(const std::string& file) {
  host::Result<host::Source> source = host::Source::open(file);
  if (source && !source.value().damage().empty())
    say(source.value().name() + ": " + source.value().damage());
  return source;
}

// How much of a file can stand ahead of another: all but a record that it does not hold whole, and
// room that was not written to.
std::size_t whole_records(host::Source& source, host::Form form, std::string& damage) {
  host::Reader reader(source.bytes(), form);
  std::uint64_t end = source.bytes().size();
  for_each_record(source, reader, [&](const host::Record& record) {
    const auto* malformed = std::get_if<host::Malformed>(&record.content);
    if (malformed == nullptr || record.offset + record.raw.size() < end) return true;
    const bool torn = malformed->fault == host::Fault::kPartialWord ||
                      malformed->fault == host::Fault::kBeyondEnd;
    if (!torn && malformed->fault != host::Fault::kUnwritten) return true;
    if (torn)
      damage = "ends within a record, " + std::to_string(record.raw.size()) + " bytes left out";
    end = record.offset;
    return false;
  });
  source.done_with(0);  // it is read again
  return end;
}

host::Result<host::Source> open_several(const ArchiveOptions& options) {
  std::optional<host::ByteOrder> order;
  std::string damage;
  const auto add_all = [&](const host::Source::AddPart& add) -> host::Outcome {
    for (const std::string& file : options.files) {
      host::Result<host::Source> opened = open_file(file);
      if (!opened) return opened.error();
      host::Source& source = opened.value();
      const std::string& name = source.name();
      if (source.bytes().empty()) continue;
      if (!source.damage().empty()) damage = name + ": " + source.damage();
      if (host::XrayReader::is_log(source.bytes()) || host::ElfFile::is_elf(source.bytes()))
        return host::Error{"no archive, and only archives can be read together", name, {}};
      const host::Form form = host::guess_form(source.bytes(), options.wish).form;
      if (order.value_or(form.byte_order) != form.byte_order)
        return host::Error{"of another byte order than those before", name,
                           "convert one of them first"};
      order = form.byte_order;
      std::string torn;
      const std::size_t bytes = whole_records(source, form, torn);
      if (!torn.empty()) {
        damage = name;
        damage.append(": ").append(torn);
        say(damage);
      }
      if (host::Outcome failure = add(source, bytes)) return failure;
    }
    return {};
  };
  return host::Source::joined(options.name(), add_all, damage);
}

}  // namespace

std::optional<host::Source> open_source(const ArchiveOptions& options, int& status) {
  host::Result<host::Source> source =
      options.files.size() == 1 ? open_file(options.files[0]) : open_several(options);
  if (!source) {
    status = complain(source.error());
    return std::nullopt;
  }
  if (source.value().bytes().empty()) {
    const bool said = !source.value().damage().empty();
    if (!said) say(source.value().name() + ": empty, there is nothing to read");
    status = kNothing;
    return std::nullopt;
  }
  return std::move(source.value());
}

Archive open_archive(host::Source source, const host::FormWish& wish) {
  const host::FormGuess guess = host::guess_form(source.bytes(), wish);
  for (const std::string& note : guess.notes)
    std::fprintf(stderr, "barefxt: %s: %s\n", source.name().c_str(), note.c_str());
  return {std::move(source), guess.form};
}

std::optional<Archive> open_archive(const ArchiveOptions& options, int& status) {
  std::optional<host::Source> source = open_source(options, status);
  if (!source) return std::nullopt;
  return open_archive(std::move(*source), options.wish);
}

void for_each_record(host::Source& source, host::Reader& reader,
                     const std::function<bool(const host::Record&)>& each) {
  while (const host::Record* record = reader.next()) {
    if (!each(*record)) return;
    source.done_with(record->offset);
  }
}

int report_damage(const host::Source& source) {
  return source.damage().empty() ? kDone : kIncomplete;
}

int report_reading(const host::Source& source, const host::Reader& reader) {
  if (reader.forgotten_providers() > 0) {
    std::fprintf(stderr,
                 "barefxt: %s: names more than %zu providers; the tables of %llu were forgotten\n",
                 source.name().c_str(), host::Reader::kMaxProviders,
                 static_cast<unsigned long long>(reader.forgotten_providers()));
  }
  if (reader.malformed_places() > 0) {
    std::fprintf(stderr, "barefxt: %s: %llu malformed place%s, %llu bytes that could not be read\n",
                 source.name().c_str(), static_cast<unsigned long long>(reader.malformed_places()),
                 reader.malformed_places() == 1 ? "" : "s",
                 static_cast<unsigned long long>(reader.malformed_bytes()));
  }
  if (reader.unwritten_bytes() > 0) {
    say(source.name() + ": " + std::to_string(reader.unwritten_bytes()) +
        " bytes of zeros at its end, room that nothing was written to");
  }
  if (reader.readable_records() == 0) {
    std::fprintf(stderr, "barefxt: %s: no record of an FXT archive in it\n", source.name().c_str());
    return kNothing;
  }
  return reader.malformed_places() > 0 ? kIncomplete : report_damage(source);
}

int finish_output(host::DescriptorOutput& out, int status) {
  out.flush();
  if (!out.failed()) return status;
  std::fprintf(stderr, "barefxt: cannot write standard output: %s\n",
               std::strerror(out.errno_at_failure()));
  return kUsage;
}

int guarded(const std::function<int()>& verb) {
  try {
    return verb();
  } catch (const std::exception& trouble) {  // memory exhausted, in practice
    std::fprintf(stderr, "barefxt: %s\n", trouble.what());
    return kUsage;
  }
}

}  // namespace barefxt::cli
