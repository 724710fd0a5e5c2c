// barefxt report: an archive as a page for a browser.
#include <memory>

#include <barefxt/host/output_file.h>

#include "archive_input.h"
#include "messages.h"
#include "report/page.h"
#include "time_window.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct ReportOptions : ArchiveOptions {
  std::string output;
  TimeWindow window;
  bool exact = false;
};

int report(const ReportOptions& options) {
  host::StatisticsOptions how;
  if (options.exact) how.precision = host::Precision::kExact;
  if (const host::Outcome failure = options.window.apply_to(how)) return complain(*failure);
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  const auto drawing = report::draw(archive->source, archive->form, how);
  if (!drawing) return complain(drawing.error());
  status = report_statistics(archive->source, drawing.value().statistics);
  if (status == kNothing) return status;
  auto file = host::OutputFile::create(options.output);
  if (!file) return complain(file.error());
  host::Outcome failure = report::write_page(drawing.value(), *file.value());
  if (!failure) failure = file.value()->commit();
  return failure ? complain(*failure) : status;
}

}  // namespace

void add_report(CLI::App& app, int& exit_status) {
  CLI::App* verb = app.add_subcommand(
      "report",
      "A page with a timeline and the statistics, which a browser shows without a network");
  auto options = std::make_shared<ReportOptions>();
  options->add_to(*verb);
  verb->add_option("-o,--output", options->output, "Where to write the page; - is standard output")
      ->required()
      ->option_text("OUT");
  options->window.add_to(*verb);
  verb->add_flag("--exact", options->exact,
                 "Percentiles without error, for 8 bytes of memory for each length");
  verb->callback(
      [options, &exit_status] { exit_status = guarded([&] { return report(*options); }); });
}

}  // namespace barefxt::cli
