// barefxt report: an archive as a page for a browser, or as a picture.
#include <algorithm>
#include <memory>

#include <barefxt/host/output_file.h>

#include "archive_input.h"
#include "budget_file.h"
#include "deadlines.h"
#include "messages.h"
#include "report/page.h"
#include "report/picture.h"
#include "same_file.h"
#include "sample_input.h"
#include "selection_options.h"
#include "stats_baseline.h"
#include "stats_heap.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

void say_where_it_begins(const Archive& archive, const host::Statistics& drawn,
                         const host::Statistics& all) {
  const auto seconds = [&](const host::Statistics& statistics) {
    return host::formatted(
        "{:.6f} s", static_cast<double>(statistics.span()) /
                        static_cast<double>(std::max<uint64_t>(statistics.ticks_per_second, 1)));
  };
  say(host::formatted(
      "{}: holds more than can be drawn ({} things, {} MiB of text): the timeline has the first {} "
      "of {}, the numbers are of all (choose another stretch with --from and --to)",
      archive.source.name(), report::Drawing::kMaxItems, report::Drawing::kMaxTextBytes >> 20,
      seconds(drawn), seconds(all)));
}

struct ReportOptions : ArchiveOptions {
  std::string output;
  SelectionOptions selection;
  DeadlineOptions deadlines;
  bool exact = false;
  bool png = false;
  std::string old;  // the archive to compare with
  BaselineOptions baseline;
  std::string budget;
  report::PictureOptions picture;
  std::string finding;  // a kind
};

// Draws the baseline into the drawing. Null if it cannot be read; then `status` is that of the
// verb. A damaged one makes it kIncomplete.
std::optional<report::Baseline> compare(const ReportOptions& options,
                                        const host::Relevance& relevance,
                                        const host::StatisticsOptions& how,
                                        report::Drawing& drawing, int& status) {
  ArchiveOptions run = options;
  run.files = {options.old};
  int opened = kDone;
  std::optional<Archive> archive = open_archive(run, opened);
  if (!archive) {
    status = opened;
    return std::nullopt;
  }
  auto old = report::draw(archive->source, archive->form, how);
  if (!old.ok()) {
    status = complain(old.error());
    return std::nullopt;
  }
  const int read = report_statistics(archive->source, old.value().shown());
  if (read == kNothing) {
    status = read;
    return std::nullopt;
  }
  status = std::max(status, read);
  if (old.value().of_all) {
    say_where_it_begins(*archive, old.value().statistics, old.value().shown());
    status = kIncomplete;
  }
  return report::add_baseline(drawing, std::move(old.value()), relevance);
}

bool has_samples(const host::Statistics& statistics) {
  return statistics.records_by_kind.contains("profiler_backtrace");
}

// The worst of the kind.
host::Result<report::Finding> finding_of(const std::string& kind, const report::Drawing& drawing,
                                         const report::Reasons& reasons) {
  std::string kinds;
  for (report::Finding& one : report::findings_of(drawing.shown(), reasons)) {
    if (one.kind == kind && one.end <= drawing.statistics.last) return std::move(one);
    if (kinds.find(one.kind) == std::string::npos)
      kinds += (kinds.empty() ? "" : ", ") + std::string(one.kind);
  }
  return host::Error{"no finding of kind '" + kind + "' can be drawn", drawing.archive,
                     "it has these: " + kinds};
}

int report(const ReportOptions& options) {
  std::vector<std::string> inputs = options.inputs();
  inputs.push_back(options.old);
  inputs.push_back(options.budget);
  if (const host::Status status = check_named_once(inputs, {&options.output, 1}); !status.ok())
    return complain(status.error());
  host::StatisticsOptions how;
  if (options.exact || !options.budget.empty()) how.precision = host::Precision::kExact;
  const auto selection = options.selection.selection();
  if (!selection.ok()) return complain(selection.error());
  how.selection = selection.value();
  if (const host::Status status = options.deadlines.apply_to(how); !status.ok())
    return complain(status.error());
  const auto relevance = options.baseline.relevance();
  if (!relevance.ok()) return complain(relevance.error());
  const auto budget = read_budget(options.budget);
  if (!budget.ok()) return complain(budget.error());
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  auto drawing = report::draw(archive->source, archive->form, how);
  if (!drawing.ok()) return complain(drawing.error());
  status = report_statistics(archive->source, drawing.value().shown());
  if (status == kNothing) return status;
  say_missing_threads(options.name(), how, drawing.value().shown());
  if (!how.selection.is_all() && drawing.value().items.empty())
    say_nothing_is_chosen(options.name());
  if (drawing.value().of_all) {
    say_where_it_begins(*archive, drawing.value().statistics, drawing.value().shown());
    status = kIncomplete;
  }
  report::Reasons reasons;
  if (!options.png || !options.finding.empty())
    reasons = report::find_reasons(archive->source, archive->form, how.selection, drawing.value());
  report::PictureOptions picture = options.picture;
  if (!options.finding.empty()) {
    auto finding = finding_of(options.finding, drawing.value(), reasons);
    if (!finding.ok()) return complain(finding.error());
    picture.finding = std::move(finding.value());
  }
  auto file = host::OutputFile::create(options.output);
  if (!file.ok()) return complain(file.error());
  host::Status written;
  if (options.png) {
    written = report::write_picture(drawing.value(), picture, *file.value());
  } else {
    report::PageParts parts;
    parts.budget = budget.value();
    if (!options.old.empty()) {
      parts.baseline = compare(options, relevance.value(), how, drawing.value(), status);
      if (!parts.baseline) return status;
    }
    if (drawing.value().has_heaps) {
      auto json = heaps_as_json(options, *archive, how.selection, status);
      if (!json.ok()) return complain(json.error());
      parts.heaps = std::move(json.value());
    }
    if (has_samples(drawing.value().shown())) {
      auto json = samples_as_speedscope(options, *archive, how.selection, status);
      if (!json.ok()) return complain(json.error());
      parts.samples = std::move(json.value());
    }
    written = report::write_page(drawing.value(), reasons, *file.value(), parts);
  }
  if (written.ok()) written = file.value()->commit();
  return written.ok() ? status : complain(written.error());
}

}  // namespace

void add_report(CommandLine& command) {
  const Verb verb = command.add_verb(
      "report", "Write a page with timeline and statistics that a browser shows without a network");
  auto options = std::make_shared<ReportOptions>();
  options->add_to(verb);
  options->add_old_byte_order(verb);
  verb.option("-o,--output", options->output, "The page or picture; - is standard output")
      .required()
      .placeholder("OUT");
  options->selection.add_to(verb);
  options->deadlines.add_to(verb);
  const Option baseline =
      verb.option("--baseline", options->old,
                  "Compare with this run: its lanes beside those of FILE, and what differs")
          .placeholder("FILE");
  options->baseline.add_relevance_to(verb, baseline);
  const Option budget =
      verb.option("--budget", options->budget, "Bounds as in stats: lines in the page's histograms")
          .placeholder("FILE");
  const Option png = verb.flag("--png", options->png, "Write the timeline as a picture instead")
                         .excludes(baseline)
                         .excludes(budget);
  constexpr unsigned kMinWidth = 300;
  constexpr unsigned kMaxWidth = 10000;
  verb.option("--width", options->picture.width, "Width of the picture in pixels")
      .shows_default()
      .in_range(kMinWidth, kMaxWidth)
      .placeholder("N")
      .needs(png);
  constexpr unsigned kMaxLanes = 1000;
  verb.option("--lanes", options->picture.lanes, "Most lanes that the picture shows")
      .in_range(1U, kMaxLanes)
      .shows_default("those that a sheet of paper holds")
      .placeholder("N")
      .needs(png);
  verb.option("--finding", options->finding,
              "Zoom to the worst of this kind, with its lane first and the page's sentence above")
      .one_of({"loss", "job", "latency", "inversion", "wait", "interrupt", "cpu"})
      .placeholder("KIND")
      .needs(png);
  verb.flag("--dark", options->picture.dark, "A dark picture").needs(png);
  verb.flag("--exact", options->exact, "Exact percentiles, at 8 bytes of memory for each length");
  verb.footer(
      "Examples:\n"
      "  barefxt report trace.fxt -o trace.html\n"
      "  barefxt report new.fxt --baseline old.fxt -o both.html\n"
      "  barefxt report trace.fxt --png --finding latency -o latency.png");
  verb.run([options] { return report(*options); });
}

}  // namespace barefxt::cli
