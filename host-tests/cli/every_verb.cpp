#include "every_verb.h"

#include <barefxt/host/baseline.h>
#include <barefxt/host/blob_streams.h>
#include <barefxt/host/convert_chrome.h>
#include <barefxt/host/convert_ctf.h>
#include <barefxt/host/convert_fxt.h>
#include <barefxt/host/convert_parquet.h>
#include <barefxt/host/convert_perfetto.h>
#include <barefxt/host/explain.h>
#include <barefxt/host/lint.h>
#include <barefxt/host/print.h>
#include <barefxt/host/profile.h>
#include <barefxt/host/stats.h>

#include "report/drawing.h"

namespace barefxt::test {
namespace {

class NullOutput : public host::Output {
 protected:
  bool drain(std::string_view) override { return true; }
};

class NoArchive final : public host::ByteSink {
 public:
  host::Status write(std::span<const uint8_t>) override { return {}; }
};

}  // namespace

std::string use_everything(host::Bytes archive, host::Form form) {
  host::Reader reader(archive, form);
  NullOutput out;
  host::HumanPrinter printer(out, true);
  host::Linter linter(form, [](const host::Finding&) {});
  NoArchive no_archive;
  host::ArchiveWakers wakers(archive, form);
  host::AddedRecords added(archive, form);
  host::FxtNormalizer normalizer(form, no_archive, host::ByteOrder::kBig, wakers, added,
                                 host::LogPackets::kAdd);
  host::ChromeConverter chrome(no_archive);
  host::ArchiveWakers perfetto_wakers(archive, form);
  host::AddedRecords perfetto_added(archive, form, {}, host::AddedRecords::Ends::kAll);
  host::PerfettoConverter perfetto(no_archive, perfetto_wakers, perfetto_added);
  host::CtfConverter ctf([](const std::string&, std::string_view) { return host::Status(); });
  host::ParquetConverter parquet(no_archive);
  host::BlobStreams blobs;
  host::Profile profile({});
  uint64_t end = 0;
  while (const host::Record* record = reader.next()) {
    if (record->offset != end) return "a gap or an overlap at " + std::to_string(record->offset);
    if (record->raw.empty()) return "an empty record at " + std::to_string(record->offset);
    end += record->raw.size();
    host::print_json(out, *record, true);
    printer.print(*record, reader.provider());
    linter.see(*record, reader.provider());
    normalizer.see(*record, reader.provider());
    chrome.see(*record, reader.provider());
    perfetto.see(*record, reader.provider());
    ctf.see(*record, reader.provider());
    parquet.learn(*record);
    parquet.see(*record, reader.provider());
    (void)blobs.see(*record);
    profile.see(*record, true);
  }
  host::ProfileSymbols symbols(nullptr, profile);
  const host::ProfileTree tree(profile, host::ProfileBy::kInterrupt, symbols);
  host::print_profile(out, profile, tree, symbols, {});
  host::print_profile_json(out, profile, tree, symbols);
  host::print_folded(out, tree, symbols);
  host::print_speedscope(out, tree, symbols, "in memory");
  host::print_pprof(out, profile, host::ProfileBy::kThread, symbols);
  if (end != archive.size()) return "the records end at " + std::to_string(end);
  linter.finish();
  if (!normalizer.finish().ok() || !chrome.finish().ok() || !perfetto.finish().ok() ||
      !ctf.finish().ok() || !parquet.finish().ok())
    return "converting to nowhere failed";
  host::Source source = host::Source::of(archive, "in memory");
  const host::Result<host::Statistics> collected = host::collect_statistics(source, form);
  if (!collected.ok()) return collected.error().text();
  const host::Statistics& statistics = collected.value();
  host::print_statistics_json(out, statistics);
  host::print_statistics_csv(out, statistics);
  const host::Statistics* const runs[] = {&statistics};
  const host::Comparison comparison = host::compare(runs, runs);
  host::comparison_json(out, comparison, {});
  if (comparison.is_worse() || comparison.is_unknown()) return "it differs from itself";
  host::print_statistics(out, statistics);
  const host::Result<host::Explained> explained =
      host::explain(source, form, {.worst = 20, .selection = {.threads = {"*"}}});
  if (!explained.ok()) return explained.error().text();
  for (const host::Explanation& one : explained.value().cases) {
    uint64_t sum = 0;
    for (const host::Part& part : one.parts) sum += part.ticks;
    if (sum != one.length()) return "parts do not sum to what they explain";
  }
  host::print_explanations(out, explained.value());
  host::print_explanations_json(out, explained.value());
  // However it is damaged, it can be drawn.
  const host::Result<report::Drawing> drawing = report::draw(source, form, {});
  if (!drawing.ok()) return drawing.error().text();
  if (statistics.malformed_bytes != reader.malformed_bytes()) return "stats and reader disagree";
  return {};
}

}  // namespace barefxt::test
