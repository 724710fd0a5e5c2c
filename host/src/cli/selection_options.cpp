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

host::Outcome set(std::optional<host::TimeBound>& bound, const std::string& text,
                  const char* option) {
  if (text.empty()) return {};
  bound = bound_in(text);
  if (bound) return {};
  return host::Error{"'" + text + "' is no time", option,
                     "write seconds, or a number with s, ms, us, ns or ticks"};
}

}  // namespace

bool is_time(const std::string& word) { return bound_in(word).has_value(); }

constexpr const char* kHeading = "Selection";

void SelectionOptions::add_to(const Verb& verb) {
  add_from(verb);
  verb.option("--to", to, "Only up to this time, included").placeholder("TIME").under(kHeading);
  add_lists(verb);
}

void SelectionOptions::add_from(const Verb& verb) {
  verb.option("--from", from,
              "Only from this time on: seconds as print shows them, or with a unit (s, ms, us, "
              "ns, ticks)")
      .placeholder("TIME")
      .under(kHeading);
}

void SelectionOptions::add_lists(const Verb& verb) {
  verb.option("--thread", lists_.threads,
              "Only this thread, by name (* for any text) or koid; may be repeated")
      .placeholder("T")
      .one_each_time()
      .under(kHeading);
  constexpr unsigned kMostCpu = 0xffff;  // the format's largest number
  verb.option("--cpu", lists_.cpus, "Only this CPU; may be repeated")
      .in_range(0U, kMostCpu)
      .placeholder("N")
      .one_each_time()
      .under(kHeading);
  verb.option("--category", lists_.categories,
              "Only events of this category (* for any text); may be repeated")
      .placeholder("CATEGORY")
      .one_each_time()
      .under(kHeading);
  verb.option("--name", lists_.names, "Only events of this name (* for any text); may be repeated")
      .placeholder("NAME")
      .one_each_time()
      .under(kHeading);
}

host::Result<host::Selection> SelectionOptions::selection() const {
  host::Selection selection = lists_;
  if (const host::Outcome failure = set(selection.from, from, "--from")) return *failure;
  if (const host::Outcome failure = set(selection.to, to, "--to")) return *failure;
  for (const std::string& thread : selection.threads)
    if (thread.empty())
      return host::Error{"selects nothing", "--thread ''", "name a thread, or * for all"};
  return selection;
}

void say_what_is_chosen(const std::string& file, const host::RecordFilter& filter) {
  if (!filter.keeps_all() && filter.kept() == 0) say(file + ": the options choose no record of it");
}

}  // namespace barefxt::cli
