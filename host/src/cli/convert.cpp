// barefxt convert: an archive or an XRay log in, the same in another form out.
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
#include <barefxt/host/xray_reader.h>

#include "archive_input.h"
#include "convert_calls.h"
#include "convert_log.h"
#include "messages.h"
#include "same_file.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct ConvertOptions {
  ArchiveOptions archive;
  std::string format;
  std::string output;
  std::optional<host::ByteOrder> byte_order;
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
        archive.form, *output.value(), options.byte_order.value_or(host::ByteOrder::kLittle),
        wakers, added, options.perfetto_logs ? host::LogPackets::kAdd : host::LogPackets::kNone);
    return run(archive, *output.value(), normalizer);
  }
  if (options.format == "perfetto") {
    host::AddedRecords added(archive.source.bytes(), archive.form, passed,
                             host::AddedRecords::Ends::kAll);
    host::PerfettoConverter converter(*output.value(), wakers, added);
    return run(archive, *output.value(), converter);
  }
  if (options.format == "parquet") {
    host::ParquetConverter converter(*output.value());
    // Twice: a thread may be named behind what it did.
    host::Reader reader(archive.source.bytes(), archive.form);
    for_each_record(archive.source, reader, [&](const host::Record& record) {
      converter.learn(record);
      return true;
    });
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

int convert(ConvertOptions options) {
  if (options.perfetto_logs && options.format != "fxt") {
    say("--perfetto-logs is for --to fxt; --to perfetto always has the logs");
    return kUsage;
  }
  // An archive that is written has a byte order of its own; where none is written, only FILE has.
  if (options.format != "fxt" && !options.archive.overrides.byte_order)
    options.archive.overrides.byte_order = options.byte_order;
  std::vector<std::string> inputs = options.archive.files;
  inputs.push_back(options.archive.program);
  options.log.program = options.archive.program;
  if (const host::Status status = check_named_once(inputs, {&options.output, 1}); !status.ok())
    return complain(status.error());
  int status = kDone;
  std::optional<host::Source> source = open_source(options.archive, status);
  if (!source) return status;
  if (host::XrayReader::is_log(source->bytes())) {
    return convert_log(*source, options.log, options.format, options.output,
                       options.byte_order.value_or(host::ByteOrder::kLittle));
  }
  if (options.format == "xray-elf") return convert_program(*source, options.output);
  if (is_no_trace(*source, status)) return status;
  Archive archive = open_archive(std::move(*source), options.archive.overrides);
  if (options.format == "fdr") return convert_calls(archive, options.log, options.output);
  if (options.format == "ctf") return to_ctf(archive, options);
  return options.format == "blobs" ? to_folder(archive, options) : to_file(archive, options);
}

}  // namespace

void add_convert(CommandLine& command) {
  const Verb verb =
      command.add_verb("convert", "Convert an archive or an XRay log to another form");
  auto options = std::make_shared<ConvertOptions>();
  options->archive.add_to(verb, "--input-byte-order");
  verb.option("--to", options->format,
              "fxt: an archive that every reader accepts; perfetto: for Perfetto, with logs, "
              "losses and all threads; ctf: a folder in the Common Trace Format, for babeltrace2 "
              "and others; parquet: a table for DuckDB and others; chrome-json: for "
              "chrome://tracing and others; blobs: a folder with a file for each blob; fdr: the "
              "calls of functions as an XRay log, for llvm-xray. From an XRay log: fxt or fdr. "
              "From a program: xray-elf, a copy with a map of its functions, for llvm-xray")
      .required()
      .one_of({"fxt", "chrome-json", "perfetto", "ctf", "parquet", "blobs", "fdr", "xray-elf"})
      .placeholder("FORM");
  verb.option("-o,--output", options->output,
              "The file, or the folder for ctf and blobs; - is standard output")
      .placeholder("OUT")
      .required();
  verb.choice("--byte-order", options->byte_order, kByteOrders,
              "Byte order of the written archive (default: little); with other formats, of FILE")
      .placeholder("little|big");
  verb.flag("--perfetto-logs", options->perfetto_logs, kAboutPerfettoLogs);
  options->log.add_to(verb);
  verb.footer(
      "Examples:\n"
      "  barefxt convert trace.fxt --to perfetto -o trace.pftrace\n"
      "  barefxt convert log.xray --elf kernel.elf --to fxt -o calls.fxt");
  verb.run([options] { return convert(*options); });
}

}  // namespace barefxt::cli
