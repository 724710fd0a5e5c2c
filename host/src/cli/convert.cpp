// barefxt convert: an archive or an XRay log in, the same in another form out.
#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include <barefxt/host/blob_streams.h>
#include <barefxt/host/convert_chrome.h>
#include <barefxt/host/convert_ctf.h>
#include <barefxt/host/convert_fxt.h>
#include <barefxt/host/convert_parquet.h>
#include <barefxt/host/convert_perfetto.h>
#include <barefxt/host/output_file.h>
#include <barefxt/host/output_folder.h>
#include <barefxt/host/selected_archive.h>
#include <barefxt/host/xray_reader.h>

#include "archive_input.h"
#include "convert_calls.h"
#include "convert_log.h"
#include "messages.h"
#include "same_file.h"
#include "selection_options.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct ConvertOptions {
  ArchiveOptions archive;
  std::string format;
  std::string output;
  host::ByteOrder byte_order = host::ByteOrder::kLittle;
  std::optional<host::ByteOrder> old_byte_order;
  std::vector<std::string> to;  // the format, and a time
  SelectionOptions selection;
  bool perfetto_logs = false;
  LogOptions log;
};

// Reports the outcome of reading and converting. Returns the exit status.
int report(const Archive& archive, const host::Reader& reader, const host::ChangeCounts& changes) {
  const int status = report_reading(archive.source, reader);
  if (status == kNothing) return status;
  changes.say([&](const std::string& line) { say(archive.source.name() + ": " + line); });
  return changes.lost() ? kIncomplete : status;
}

// Those converters that see each record: what they make goes to a file or folder.
template <typename Output, typename Converter>
int run(Archive& archive, Output& output, Converter& converter) {
  host::Reader reader(archive.source.bytes(), archive.form);
  for_each_record(archive.source, reader, [&](const host::Record& record) {
    if constexpr (requires { converter.see(record, reader.provider()); }) {
      converter.see(record, reader.provider());
    } else {
      converter.see(record);
    }
    return !converter.failed();
  });
  if (const host::Status status = converter.finish(); !status.ok()) return complain(status.error());
  const int status = report(archive, reader, converter.changes());
  if (status == kNothing) return status;
  if (const host::Status written = output.commit(); !written.ok()) return complain(written.error());
  return status;
}

int to_file(Archive& archive, const ConvertOptions& options) {
  auto output = host::OutputFile::create(options.output);
  if (!output.ok()) return complain(output.error());
  const auto passed = [&](uint64_t offset) { archive.source.release_before(offset); };
  host::ArchiveWakers wakers(archive.source.bytes(), archive.form, passed);
  if (options.format == "fxt") {
    host::AddedRecords added(archive.source.bytes(), archive.form, passed);
    host::FxtNormalizer normalizer(
        archive.form, *output.value(), options.byte_order, wakers, added,
        options.perfetto_logs ? host::LogPackets::kAdd : host::LogPackets::kNone);
    return run(archive, *output.value(), normalizer);
  }
  const auto program = open_program(options.archive);
  if (!program.ok()) return complain(program.error());
  const host::ElfFile* const elf = program.value() ? &program.value()->elf : nullptr;
  if (options.format == "perfetto") {
    host::AddedRecords added(archive.source.bytes(), archive.form, passed,
                             host::AddedRecords::Ends::kAll);
    host::PerfettoConverter converter(*output.value(), wakers, added, elf);
    return run(archive, *output.value(), converter);
  }
  if (options.format == "parquet") {
    host::ParquetConverter converter(*output.value(), elf);
    // Twice: a thread may be named behind what it did.
    host::Reader reader(archive.source.bytes(), archive.form);
    for_each_record(archive.source, reader, [&](const host::Record& record) {
      converter.learn(record);
      return true;
    });
    if (!archive.source.is_whole()) converter.miss();
    archive.source.release_before(0);
    return run(archive, *output.value(), converter);
  }
  host::ChromeConverter converter(*output.value());
  return run(archive, *output.value(), converter);
}

int to_ctf(Archive& archive, const ConvertOptions& options) {
  auto output = host::OutputFolder::create(options.output);
  if (!output.ok()) return complain(output.error());
  host::OutputFolder& folder = *output.value();
  for (const char* name : {host::CtfConverter::kMetadataFile, host::CtfConverter::kStreamFile})
    (void)folder.safe_name(name);
  host::CtfConverter converter(
      [&](const std::string& name, std::string_view bytes) { return folder.append(name, bytes); });
  return run(archive, folder, converter);
}

std::string file_name(const host::BlobStreams::Stream& stream) {
  std::string name = stream.provider ? std::to_string(*stream.provider) : "none";
  name += "-";
  if (!stream.name.registered) return host::formatted("{}string#{}", name, stream.name.ref.value);
  return name + std::string(stream.name.bytes);
}

int to_folder(Archive& archive, const ConvertOptions& options) {
  auto output = host::OutputFolder::create(options.output);
  if (!output.ok()) return complain(output.error());
  host::OutputFolder& folder = *output.value();
  host::Reader reader(archive.source.bytes(), archive.form);
  host::BlobStreams blobs;
  std::vector<std::string> names;
  host::Status written;
  for_each_record(archive.source, reader, [&](const host::Record& record) {
    const auto chunk = blobs.see(record);
    if (!chunk) return true;
    if (chunk->stream == names.size())
      names.push_back(folder.safe_name(file_name(blobs.streams().back())));
    written = folder.append(names[chunk->stream], chunk->payload);
    return written.ok();
  });
  if (!written.ok()) return complain(written.error());
  host::ChangeCounts changes;
  changes.add(host::Change::kBlobName, blobs.left_out());
  const int status = report(archive, reader, changes);
  if (status == kNothing) return status;
  written = folder.commit();
  if (!written.ok()) return complain(written.error());
  for (size_t i = 0; i < names.size(); ++i) {
    const auto& stream = blobs.streams()[i];
    say(host::formatted("{}: {} bytes in {}", names[i], stream.bytes,
                        host::counted(stream.chunks, "chunk")));
  }
  if (names.empty()) say("no blob in it");
  return status;
}

constexpr std::array kFormats = {"fxt",     "chrome-json", "perfetto", "ctf",
                                 "parquet", "blobs",       "fdr",      "xray-elf"};

// --to has both the format and, as for all verbs, the end of the stretch of time.
host::Status take_apart(ConvertOptions& options) {
  for (const std::string& word : options.to) {
    const bool is_format = std::ranges::count(kFormats, word) > 0;
    std::string& value = is_format ? options.format : options.selection.to;
    if (!is_format && !is_time(word))
      return host::Error{"'" + word + "' is neither a format nor a time", "--to",
                         "barefxt convert --help lists the formats"};
    if (!value.empty())
      return host::Error{host::formatted("given twice: '{}' and '{}'", value, word), "--to", {}};
    value = word;
  }
  if (options.format.empty())
    return host::Error{"the format is required", "--to", "barefxt convert --help lists them"};
  return {};
}

// Puts the chosen part in the archive's place. Returns the exit status where it cannot, or where
// nothing can be read.
std::optional<int> select(Archive& archive, const host::Selection& selection) {
  if (selection.is_all()) return std::nullopt;
  auto filter = host::RecordFilter::make(selection, archive.source, archive.form);
  if (!filter.ok()) return complain(filter.error());
  host::Reader reader(archive.source.bytes(), archive.form);
  auto selected = host::selected_archive(archive.source, archive.form, filter.value(), reader);
  if (!selected.ok()) return complain(selected.error());
  if (report_reading(archive.source, reader) == kNothing) return kNothing;
  say_what_is_chosen(archive.source.name(), filter.value());
  archive.source = std::move(selected.value());
  return std::nullopt;
}

int convert(ConvertOptions options) {
  if (const host::Status wrong = take_apart(options); !wrong.ok()) return complain(wrong.error());
  const auto selection = options.selection.selection();
  if (!selection.ok()) return complain(selection.error());
  if (options.perfetto_logs && options.format != "fxt") {
    say("--perfetto-logs is for --to fxt; --to perfetto always has the logs");
    return kUsage;
  }
  if (options.old_byte_order && options.format == "fxt")
    options.byte_order = *options.old_byte_order;
  else if (options.old_byte_order)
    options.archive.overrides.byte_order = options.old_byte_order;
  options.log.program = options.archive.program;
  if (const host::Status status = check_named_once(options.archive.inputs(), {&options.output, 1});
      !status.ok())
    return complain(status.error());
  int status = kDone;
  std::optional<host::Source> source = open_source(options.archive, status);
  if (!source) return status;
  const bool is_log = host::XrayReader::is_log(source->bytes());
  if ((is_log || options.format == "xray-elf") && !selection.value().is_all()) {
    say(source->name() +
        ": only records of an archive can be chosen. Hint: convert without --from, "
        "--to TIME, --thread, --cpu, --category and --name");
    return kUsage;
  }
  if (is_log) {
    return convert_log(*source, options.log, options.format, options.output, options.byte_order);
  }
  if (options.format == "xray-elf") return convert_program(*source, options.output);
  if (is_no_trace(*source, status)) return status;
  Archive archive = open_archive(std::move(*source), options.archive.overrides);
  if (const std::optional<int> ended = select(archive, selection.value())) return *ended;
  if (options.format == "fdr") return convert_calls(archive, options.log, options.output);
  if (options.format == "ctf") return to_ctf(archive, options);
  return options.format == "blobs" ? to_folder(archive, options) : to_file(archive, options);
}

}  // namespace

void add_convert(CommandLine& command) {
  const Verb verb =
      command.add_verb("convert", "Convert an archive or an XRay log to another form");
  auto options = std::make_shared<ConvertOptions>();
  options->archive.add_to(verb);
  verb.option("--to", options->to,
              "fxt: an archive that every reader accepts; perfetto: for Perfetto, with logs, "
              "losses and all threads; ctf: a folder in the Common Trace Format, for babeltrace2 "
              "and others; parquet: a table for DuckDB and others; chrome-json: for "
              "chrome://tracing and others; blobs: a folder with a file for each blob; fdr: the "
              "calls of functions as an XRay log, for llvm-xray. From an XRay log: fxt or fdr. "
              "From a program: xray-elf, a copy with a map of its functions, for llvm-xray. Given "
              "once more with a time (--to TIME): only up to this time")
      .required()
      .one_each_time()
      .suggests({"fxt", "chrome-json", "perfetto", "ctf", "parquet", "blobs", "fdr", "xray-elf"})
      .placeholder("FORM");
  verb.option("-o,--output", options->output,
              "The file, or the folder for ctf and blobs; - is standard output")
      .placeholder("OUT")
      .required();
  verb.choice("--output-byte-order", options->byte_order, kByteOrders,
              "Byte order of the archive that --to fxt writes")
      .placeholder("little|big")
      .shows_default();
  verb.choice("--byte-order", options->old_byte_order, kByteOrders,
              "--output-byte-order with --to fxt, else --input-byte-order")
      .is_old_spelling();
  options->selection.add_from(verb);
  options->selection.add_lists(verb);
  verb.flag("--perfetto-logs", options->perfetto_logs, kAboutPerfettoLogs);
  options->log.add_to(verb);
  verb.footer(
      "Examples:\n"
      "  barefxt convert trace.fxt --to perfetto -o trace.pftrace\n"
      "  barefxt convert trace.fxt --from 1s --to 2s --to fxt -o part.fxt\n"
      "  barefxt convert log.xray --elf kernel.elf --to fxt -o calls.fxt");
  verb.run([options] { return convert(*options); });
}

}  // namespace barefxt::cli
