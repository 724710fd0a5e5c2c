#include "selection_options.h"

#include <barefxt/host/budget.h>

#include "messages.h"

namespace barefxt::cli {
namespace {

// "1.5ms", "1.5" (seconds, as print shows them), "12345ticks".
std::optional<host::TimeBound> bound_in(const std::string& text) {
  constexpr std::string_view kTicks = "ticks";
  std::string number = text;
  const bool in_ticks = text.ends_with(kTicks);
  if (in_ticks) number.resize(number.size() - kTicks.size());
  // Every number is one of seconds, or of nanoseconds, for the parser; ticks stay as they are.
  const bool has_unit = !number.empty() && number.back() == 's';
  const auto value = host::nanoseconds_in(has_unit ? number : number + (in_ticks ? "ns" : "s"));
  if (value && *value >= 0 && !(has_unit && in_ticks)) return host::TimeBound{in_ticks, *value};
  return std::nullopt;
}

host::Status set(std::optional<host::TimeBound>& bound, const std::string& text,
                 const char* option) {
  if (text.empty()) return {};
  const auto time = time_bound(text, option);
  if (!time.ok()) return time.error();
  bound = time.value();
  return {};
}

}  // namespace

host::Result<host::TimeBound> time_bound(const std::string& text, const char* option) {
  if (const auto bound = bound_in(text)) return *bound;
  return host::Error{"'" + text + "' is no time", option,
                     "write seconds, or a number with s, ms, us, ns or ticks"};
}

bool is_time(const std::string& word) { return bound_in(word).has_value(); }

constexpr const char* kHeading = "Selection (an option that is repeated keeps what fits any)";

Option SelectionOptions::add_to(const Verb& verb) {
  add_from(verb);
  verb.option("--to", to, "Up to this time, included").placeholder("TIME").under(kHeading);
  return add_lists(verb);
}

void SelectionOptions::add_from(const Verb& verb) {
  verb.option("--from", from, "From this time on: 1.5 (s), 200ms, 30us, 12345ticks")
      .placeholder("TIME")
      .under(kHeading);
}

Option SelectionOptions::add_lists(const Verb& verb) {
  const Option thread =
      verb.option("--thread", lists_.threads, "Of this thread: koid, or name (* for any text)")
          .placeholder("T")
          .one_each_time()
          .under(kHeading);
  constexpr unsigned kMaxCpu = 0xffff;  // the format's largest number
  verb.option("--cpu", lists_.cpus, "Of this CPU")
      .in_range(0U, kMaxCpu)
      .placeholder("N")
      .one_each_time()
      .under(kHeading);
  verb.option("--category", lists_.categories, "Events of this category (* for any text)")
      .placeholder("PATTERN")
      .one_each_time()
      .under(kHeading);
  verb.option("--name", lists_.names, "Events of this name (* for any text)")
      .placeholder("PATTERN")
      .one_each_time()
      .under(kHeading);
  return thread;
}

host::Result<host::Selection> SelectionOptions::selection() const {
  host::Selection selection = lists_;
  if (const host::Status status = set(selection.from, from, "--from"); !status.ok())
    return status.error();
  if (const host::Status status = set(selection.to, to, "--to"); !status.ok())
    return status.error();
  for (const std::string& thread : selection.threads)
    if (thread.empty())
      return host::Error{"selects nothing", "--thread ''", "name a thread, or * for all"};
  return selection;
}

void say_nothing_is_chosen(const std::string& file) {
  say(file + ": the options choose no record of it");
}

void say_what_is_chosen(const std::string& file, const host::RecordFilter& filter) {
  if (!filter.keeps_all() && filter.kept() == 0) say_nothing_is_chosen(file);
}

}  // namespace barefxt::cli
