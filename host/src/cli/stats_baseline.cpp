#include "stats_baseline.h"

#include <algorithm>

#include <barefxt/host/budget.h>

#include "messages.h"

namespace barefxt::cli {
namespace {

std::optional<host::Statistics> collect_run(const ArchiveOptions& options, const std::string& file,
                                            const host::StatisticsOptions& how, bool reports,
                                            int& status) {
  int opened = kDone;
  std::optional<Archive> archive = open_archive(options.only(file), opened);
  if (!archive) {
    status = opened;
    return std::nullopt;
  }
  host::Result<host::Statistics> collected =
      host::collect_statistics(archive->source, archive->form, how);
  if (!collected.ok()) {
    status = complain(collected.error());
    return std::nullopt;
  }
  if (!reports) return std::move(collected.value());
  const int read = report_statistics(archive->source, collected.value());
  status = std::max(status, read);
  if (read == kNothing) return std::nullopt;
  return std::move(collected.value());
}

std::vector<const host::Statistics*> pointers_to(const std::vector<host::Statistics>& runs) {
  std::vector<const host::Statistics*> result;
  result.reserve(runs.size());
  for (const host::Statistics& run : runs) result.push_back(&run);
  return result;
}

}  // namespace

Option BaselineOptions::add_to(const Verb& verb) {
  const Option option =
      verb.option("--baseline", files,
                  "Compare with this run; may be repeated, and each FILE is a run then; exit "
                  "status 1 if something became worse or cannot be judged")
          .placeholder("FILE")
          .one_each_time();
  add_relevance_to(verb, option);
  return option;
}

void BaselineOptions::add_relevance_to(const Verb& verb, const Option& baseline) {
  verb.option("--baseline-percent", percent,
              "A change up to this share of the old time is not relevant")
      .placeholder("P")
      .shows_default()
      .not_negative()
      .needs(baseline);
  verb.option("--baseline-time", time, "A change up to this time is not relevant")
      .placeholder("TIME")
      .shows_default()
      .needs(baseline);
}

host::Result<host::Relevance> BaselineOptions::relevance() const {
  const std::optional<double> nanoseconds = host::nanoseconds_in(time);
  if (!nanoseconds || *nanoseconds < 0)
    return host::Error{"'" + time + "' is no time", "--baseline-time",
                       "write a number with s, ms, us or ns"};
  return host::Relevance{percent / 100, *nanoseconds / 1e9};
}

std::optional<host::Comparison> compare_runs(const ArchiveOptions& options,
                                             const BaselineOptions& baseline,
                                             const host::Relevance& relevance,
                                             const host::Statistics& statistics,
                                             const host::StatisticsOptions& how, int& status) {
  if (options.files.size() > 1 && std::ranges::count(options.files, "-") > 0) {
    status = complain({"cannot be one of several runs", "-", "name a file"});
    return std::nullopt;
  }
  std::vector<host::Statistics> old;
  std::vector<host::Statistics> now;
  const auto collect = [&](std::vector<host::Statistics>& runs, const std::string& file,
                           bool reports) {
    std::optional<host::Statistics> run = collect_run(options, file, how, reports, status);
    if (run) runs.push_back(std::move(*run));
    return run.has_value();
  };
  for (const std::string& file : baseline.files)
    if (!collect(old, file, true)) return std::nullopt;
  std::vector<const host::Statistics*> runs = {&statistics};
  if (options.files.size() > 1) {
    for (const std::string& file : options.files)
      if (!collect(now, file, false)) return std::nullopt;
    runs = pointers_to(now);
  }
  return host::compare(pointers_to(old), runs, relevance);
}

void say_comparison(const BaselineOptions& baseline, const host::Comparison& comparison) {
  using Kind = host::Difference::Kind;
  for (const std::string& sentence : host::sentences(comparison)) say(sentence);
  const auto count = [&](Kind kind) { return std::to_string(comparison.count(kind)); };
  std::string against = baseline.files[0];
  if (baseline.files.size() > 1) host::append(against, " and {} more", baseline.files.size() - 1);
  say(host::formatted(
      "against {}: of {} measures {} worse, {} new, {} vanished, {} cannot be judged, {} better, "
      "{} unchanged",
      against, comparison.measures, count(Kind::kWorse), count(Kind::kNew), count(Kind::kVanished),
      count(Kind::kUnknown), count(Kind::kBetter), comparison.unchanged));
}

}  // namespace barefxt::cli
