// barefxt stats: what an archive adds up to.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <unistd.h>

#include <barefxt/host/stats.h>

#include "archive_input.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct StatsOptions : ArchiveOptions {
  bool json = false;
};

int stats(const StatsOptions& options) {
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  const host::Result<host::Statistics> collected =
      host::collect_statistics(archive->source, archive->form);
  if (!collected) {
    std::fprintf(stderr, "barefxt: %s\n", collected.error().text().c_str());
    return kUsage;
  }
  const host::Statistics& statistics = collected.value();
  const char* file = archive->source.name().c_str();
  if (statistics.malformed_places > 0) {
    std::fprintf(stderr,
                 "barefxt: %s: %" PRIu64 " malformed places, %" PRIu64
                 " bytes that could not be read\n",
                 file, statistics.malformed_places, statistics.malformed_bytes);
    status = kIncomplete;
  }
  if (statistics.left_out > 0) {
    std::fprintf(stderr,
                 "barefxt: %s: %" PRIu64
                 " records were left out: too many threads, names or open flows to be told apart\n",
                 file, statistics.left_out);
    status = kIncomplete;
  }
  if (statistics.records == 0) {
    std::fprintf(stderr, "barefxt: %s: no record of an FXT archive in it\n", file);
    return kNothing;
  }
  host::DescriptorOutput out(STDOUT_FILENO);
  if (options.json) {
    host::print_statistics_json(out, statistics);
  } else {
    host::print_statistics(out, statistics);
  }
  return finish_output(out, status);
}

}  // namespace

void add_stats(CLI::App& app, int& exit_status) {
  CLI::App* verb = app.add_subcommand(
      "stats", "CPU time by thread and CPU, switches, interrupts, latencies, losses");
  auto options = std::make_shared<StatsOptions>();
  options->add_to(*verb);
  verb->add_flag("--json", options->json, "One JSON object, for programs");
  verb->callback(
      [options, &exit_status] { exit_status = guarded([&] { return stats(*options); }); });
}

}  // namespace barefxt::cli
