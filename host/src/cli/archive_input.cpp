// Opening archives for the verbs, and what they say about reading them.
#include "archive_input.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <map>

namespace barefxt::cli {

void ArchiveOptions::add_to(CLI::App& verb, const char* byte_order_option) {
  verb.add_option("FILE", file, "The archive; - is standard input")->required();
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

std::optional<host::Source> open_source(const std::string& file, int& status) {
  host::Result<host::Source> source = host::Source::open(file);
  if (!source) {
    std::fprintf(stderr, "barefxt: %s\n", source.error().text().c_str());
    status = kUsage;
    return std::nullopt;
  }
  if (source.value().bytes().empty()) {
    std::fprintf(stderr, "barefxt: %s: empty, there is nothing to read\n",
                 source.value().name().c_str());
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
  std::optional<host::Source> source = open_source(options.file, status);
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
  if (reader.readable_records() == 0) {
    std::fprintf(stderr, "barefxt: %s: no record of an FXT archive in it\n", source.name().c_str());
    return kNothing;
  }
  return reader.malformed_places() > 0 ? kIncomplete : kDone;
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
