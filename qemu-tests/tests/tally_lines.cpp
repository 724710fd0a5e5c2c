#include "tally_lines.h"

#include <sstream>

#include "key_values.h"

namespace barefxt::test {
namespace {

void read_line(const std::string& what, const KeyValues& fields, Tally& tally) {
  const Count count = {number(fields, "count"), number(fields, "hash")};
  const uint64_t cpu = number(fields, "cpu");
  if (what == "begin") tally.cpus = static_cast<unsigned>(number(fields, "cpus"));
  if (what == "switches") tally.switches[cpu] = count;
  if (what == "interrupts") tally.interrupts[cpu] = count;
  if (what == "wakeups") tally.wakeups[cpu] = count;
  if (what == "messages" && fields.count("cpu") != 0) tally.messages[cpu] = count;
  if (what == "migrations") tally.migrations = count.count;
  if (what == "events") tally.events[fields.at("kind")] = count.count;
  if (what == "calls") tally.calls[fields.at("function")] = count.count;
  if (what == "records") tally.records = count.count;
  if (what == "created") {
    tally.created = count.count;
    tally.created_while_recording = number(fields, "recorded");
  }
  if (what == "process") tally.processes[number(fields, "koid")] = fields.at("name");
  if (what == "thread")
    tally.threads[number(fields, "koid")] = {fields.at("name"), number(fields, "process")};
  if (what == "bracket")
    tally.brackets[number(fields, "id")] = {number(fields, "before"), number(fields, "after"), cpu};
  if (what == "clock")
    tally.clocks[number(fields, "id")] = {cpu, number(fields, "own"), number(fields, "from"),
                                          number(fields, "to")};
  if (what == "report") {
    tally.reported_recorded = number(fields, "recorded");
    tally.reported_lost = number(fields, "lost");
    tally.reported_unfinished = number(fields, "unfinished");
  }
  if (what == "end") tally.complete = tally.cpus != 0;
}

// The rest of every line that holds `mark`, wherever in the line: binary frames stand on the same
// serial line.
template <typename Take>
void for_each_line(const std::string& console, const std::string& mark, const Take& take) {
  for (size_t at = console.find(mark); at != std::string::npos; at = console.find(mark, at + 1)) {
    const size_t end = console.find_first_of("\r\n", at);
    std::istringstream words(console.substr(at + mark.size(), end - at - mark.size()));
    take(words);
  }
}

}  // namespace

Tally read_tally(const std::string& console) {
  Tally tally;
  for_each_line(console, "TALLY ", [&](std::istringstream& words) {
    std::string what;
    words >> what;
    read_line(what, read_key_values(words), tally);
  });
  return tally;
}

std::map<std::string, double> read_costs(const std::string& console) {
  std::map<std::string, double> costs;
  for_each_line(console, "COST ", [&](std::istringstream& words) {
    const KeyValues fields = read_key_values(words);
    if (fields.count("name") == 0) return;  // the line that ends them
    costs[fields.at("name")] = std::strtod(fields.at("instructions").c_str(), nullptr);
  });
  return costs;
}

double read_coded_dump(const std::string& console) {
  double per_byte = 0;
  for_each_line(console, "CODED ", [&](std::istringstream& words) {
    const KeyValues fields = read_key_values(words);
    per_byte = static_cast<double>(number(fields, "instructions")) /
               static_cast<double>(number(fields, "bytes"));
  });
  return per_byte;
}

}  // namespace barefxt::test
