// Statistics as a table for spreadsheets and scripts: RFC 4180, a row for each number.
#include <algorithm>

#include <barefxt/host/json.h>
#include <barefxt/host/measures.h>
#include <barefxt/host/safe_text.h>
#include <barefxt/host/stacks.h>

namespace barefxt::host {
namespace {

// Spreadsheets run text that begins like this as a formula, which may start programs.
constexpr std::string_view kFormulas = "=+-@\t\r";
// Allowed in a quoted cell; other controls are escaped.
constexpr std::string_view kKept = "\t\r\n";

std::string cell(std::string_view bytes) {
  std::string text;
  if (!bytes.empty() && kFormulas.find(bytes[0]) != std::string_view::npos) text = "'";
  while (!bytes.empty()) {
    const size_t kept = std::min(bytes.find_first_of(kKept), bytes.size());
    text += safe_text(bytes.substr(0, kept));
    if (kept < bytes.size()) text += bytes[kept];
    bytes.remove_prefix(std::min(kept + 1, bytes.size()));
  }
  return text;
}

void quoted(Output& out, std::string_view bytes) {
  const std::string text = cell(bytes);
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    out.text(text);
  } else {
    out.character('"');
    for (const char c : text) {
      if (c == '"') out.character('"');
      out.character(c);
    }
    out.character('"');
  }
}

void field(Output& out, std::string_view bytes) {
  quoted(out, bytes);
  out.character(',');
}

template <typename Number>
void field(Output& out, const std::optional<Number>& number) {
  if (number) out.number(*number);
  out.character(',');
}

bool is_shown(const Measure& one, Shown shown) {
  if (shown == Shown::kAll || one.metric == "losses") return true;
  if (shown == Shown::kFunctions) return one.metric == "function";
  return one.metric == "counter" && is_stack(one.subject.category, one.subject.name);
}

}  // namespace

void print_statistics_csv(Output& out, const Statistics& statistics, Shown shown) {
  const bool by_process = statistics.group_by == GroupBy::kProcess;
  out.text(
      "metric,cpu,thread,thread_name,category,name,argument,object,holder,runner,statistic,unit,"
      "value,"
      "begin,end,offset");
  out.text(by_process ? ",process,process_name\n" : "\n");
  for_each_measure(statistics, [&](const Measure& one) {
    if (!is_shown(one, shown)) return;
    field(out, one.metric);
    field(out, one.subject.cpu);
    field(out, one.subject.thread);
    field(out, one.subject.thread_name);
    field(out, one.subject.category);
    field(out, one.subject.name);
    field(out, one.subject.argument);
    field(out, one.subject.object);
    if (one.subject.holder_unknown) {
      field(out, one.subject.holder_name);
    } else {
      field(out, one.subject.holder);
    }
    field(out, one.subject.runner);
    field(out, one.statistic);
    field(out, name_of(one.unit));
    json_double(out, one.value);
    out.character(',');
    const Extent* where = one.where;
    field(out, where ? std::optional(where->begin) : std::nullopt);
    field(out, where ? std::optional(where->end) : std::nullopt);
    if (where) out.number(where->offset);
    if (by_process) {
      out.character(',');
      field(out, one.subject.process);
      quoted(out, one.subject.process_name);
    }
    out.character('\n');
  });
}

}  // namespace barefxt::host
