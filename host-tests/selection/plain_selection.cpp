// Slow and obvious: each question goes over all records again.
#include "plain_selection.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace barefxt::test {
namespace {

using Json = nlohmann::json;

bool is(const Json& record, const char* what) { return record["record"] == what; }
bool is_event(const Json& record, const std::string& type) {
  return is(record, "event") && record["event"] == type;
}
bool is_switch(const Json& record) { return is(record, "context_switch"); }
bool is_wakeup(const Json& record) {
  return is(record, "thread_wakeup") ||
         (is_event(record, "instant") && record["name"] == "thread_wakeup");
}

std::string text_of(const Json& record, const char* key) {
  return record[key].is_string() ? record[key].get<std::string>() : std::string();
}

bool is_one_of(const std::string& text, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns,
                             [&](const std::string& one) { return plainly_matches(one, text); });
}

}  // namespace

std::string PlainSelection::options() const {
  std::string line;
  if (from) line += " --from " + std::to_string(*from) + "ticks";
  if (to) line += " --to " + std::to_string(*to) + "ticks";
  for (const std::string& one : threads) line += " --thread '" + one + "'";
  for (const unsigned one : cpus) line += " --cpu " + std::to_string(one);
  for (const std::string& one : categories) line += " --category '" + one + "'";
  for (const std::string& one : names) line += " --name '" + one + "'";
  return line;
}

bool plainly_matches(const std::string& pattern, const std::string& text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (size_t skip = 0; skip <= text.size(); ++skip)
      if (plainly_matches(pattern.substr(1), text.substr(skip))) return true;
    return false;
  }
  return !text.empty() && pattern[0] == text[0] &&
         plainly_matches(pattern.substr(1), text.substr(1));
}

PlainArchiveLines::PlainArchiveLines(const std::string& lines) {
  std::istringstream stream(lines);
  std::map<Json, uint64_t> rate_of;
  std::set<uint64_t> rates;
  for (std::string line; std::getline(stream, line);) {
    Json record = Json::parse(line);
    const Json provider = record.contains("provider") ? record["provider"] : Json();
    if (is(record, "initialization")) rate_of[provider] = record["ticks_per_second"];
    if (is(record, "provider_info")) rate_of.erase(provider);
    rates_.push_back(rate_of.contains(provider) ? rate_of[provider] : 1'000'000'000);
    if (record.contains("timestamp")) rates.insert(rates_.back());
    if (is(record, "kernel_object") && record["object_type"] == 2)
      names_[record["koid"]] = text_of(record, "name");
    records_.push_back(std::move(record));
  }
  has_several_rates_ = rates.size() > 1;
}

std::optional<uint64_t> PlainArchiveLines::time_of(size_t number) const {
  const Json& record = records_[number];
  if (!record.contains("timestamp")) return std::nullopt;
  const bool is_complete = is_event(record, "duration_complete");
  const uint64_t ticks = record[is_complete ? "end_timestamp" : "timestamp"];
  if (!has_several_rates_ || rates_[number] == 0) return ticks;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(ticks) * 1'000'000'000 /
                               rates_[number]);
}

std::vector<uint64_t> PlainArchiveLines::threads_of(size_t number) const {
  const Json& record = records_[number];
  if (!record.contains("timestamp")) return {};
  std::vector<uint64_t> threads;
  const auto add = [&](const Json& of) {
    if (of.contains("thread") && of["thread"].is_number()) threads.push_back(of["thread"]);
  };
  if (is_switch(record)) {
    add(record["outgoing"]);
    add(record["incoming"]);
  } else {
    add(record);
  }
  return threads;
}

bool PlainArchiveLines::is_one_of(uint64_t koid, const std::vector<std::string>& threads) const {
  const std::string name = names_.contains(koid) ? names_.at(koid) : "";
  return std::ranges::any_of(threads, [&](const std::string& one) {
    return one == std::to_string(koid) || plainly_matches(one, name);
  });
}

bool PlainArchiveLines::keeps_at_any_time(size_t number, const PlainSelection& selection) const {
  const Json& record = records_[number];
  const std::vector<uint64_t> threads = threads_of(number);
  if (!selection.threads.empty() && std::ranges::none_of(threads, [&](uint64_t koid) {
        return is_one_of(koid, selection.threads);
      }))
    return false;
  if (!selection.cpus.empty()) {
    std::optional<uint64_t> cpu;
    if (record.contains("cpu") && record.contains("timestamp")) {
      cpu = record["cpu"];
    } else if (threads.size() == 1 && names_.contains(threads[0])) {
      const std::string& name = names_.at(threads[0]);
      const bool is_pseudo =
          name.starts_with("cpu-") && name.size() > 4 && name.size() < 10 &&
          std::all_of(name.begin() + 4, name.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (is_pseudo) cpu = std::stoull(name.substr(4));
    }
    if (!cpu || std::ranges::count(selection.cpus, *cpu) == 0) return false;
  }
  const bool is_labelled = is(record, "event") || is(record, "large_blob");
  if (!selection.categories.empty() &&
      (!is_labelled || !test::is_one_of(text_of(record, "category"), selection.categories)))
    return false;
  return selection.names.empty() || ((is_labelled || is(record, "blob")) &&
                                     test::is_one_of(text_of(record, "name"), selection.names));
}

bool PlainArchiveLines::keeps(size_t number, const PlainSelection& selection) const {
  if (selection.from || selection.to) {
    const auto time = time_of(number);
    if (!time || *time < selection.from.value_or(0) || *time > selection.to.value_or(~uint64_t{0}))
      return false;
  }
  return keeps_at_any_time(number, selection);
}

std::vector<size_t> PlainArchiveLines::before_from(const PlainSelection& selection) const {
  std::vector<size_t> before;
  for (size_t i = 0; i < records_.size(); ++i) {
    const auto time = time_of(i);
    if (time && *time < selection.from.value_or(0) && keeps_at_any_time(i, selection))
      before.push_back(i);
  }
  return before;
}

// A thread is awaited on a CPU that it ran on if it came in on another, or left another, before
// that one recorded its leaving. Its switches then need the CPU's switch before them; the one that
// was awaited needs the thread's last switch and wakeup as well.
bool PlainArchiveLines::is_needed(size_t number, const PlainSelection& selection) const {
  struct Kept {
    size_t record = 0;
    std::optional<uint64_t> in;
    std::vector<size_t> needed;
  };
  std::map<uint64_t, Kept> of_cpu;
  std::map<uint64_t, Kept> of_thread;
  std::map<uint64_t, size_t> woken;
  std::map<uint64_t, uint64_t> runs_on;
  std::map<uint64_t, uint64_t> awaited;
  const auto is_later = [&](size_t one, size_t other) {
    return std::pair(*time_of(one), one) > std::pair(*time_of(other), other);
  };
  const auto keep = [&](auto& all, uint64_t key, const Kept& one) {
    if (!all.contains(key) || is_later(one.record, all[key].record)) all[key] = one;
  };
  const auto need = [](Kept& one, const Kept& other) {
    if (one.needed.size() + other.needed.size() >= 32) return;
    one.needed.insert(one.needed.end(), other.needed.begin(), other.needed.end());
    one.needed.push_back(other.record);
  };
  for (const size_t i : before_from(selection)) {
    const Json& record = records_[i];
    const std::vector<uint64_t> threads = threads_of(i);
    if (is_wakeup(record))
      for (const uint64_t koid : threads)
        if (!woken.contains(koid) || is_later(i, woken[koid])) woken[koid] = i;
    if (!is_switch(record)) continue;
    const uint64_t cpu = record["cpu"];
    Kept one{i, {}, {}};
    if (threads.size() == 2) {
      const uint64_t out = threads[0];
      one.in = threads[1];
      if (awaited.contains(out) && of_cpu.contains(cpu)) need(one, of_cpu[cpu]);
      if (awaited.contains(out) && awaited[out] == cpu) {
        if (of_thread.contains(out)) need(one, of_thread[out]);
        if (woken.contains(out)) one.needed.push_back(woken[out]);
        awaited.erase(out);
      } else if (runs_on.contains(out)) {
        if (runs_on[out] != cpu) awaited[out] = runs_on[out];
        runs_on.erase(out);
      }
      if (of_cpu.contains(cpu) && of_cpu[cpu].in && *of_cpu[cpu].in != out &&
          awaited.contains(*of_cpu[cpu].in) && awaited[*of_cpu[cpu].in] == cpu)
        awaited.erase(*of_cpu[cpu].in);
      if (runs_on.contains(threads[1]) && runs_on[threads[1]] != cpu)
        awaited[threads[1]] = runs_on[threads[1]];
      runs_on[threads[1]] = cpu;
    }
    keep(of_cpu, cpu, one);
    for (const uint64_t koid : threads) keep(of_thread, koid, one);
  }
  for (const auto* all : {&of_cpu, &of_thread})
    for (const auto& [key, one] : *all)
      if (std::ranges::count(one.needed, number) > 0) return true;
  return false;
}

// The last one of those that are about the same thing, or a begin without its end so far.
bool PlainArchiveLines::stands(size_t number, const PlainSelection& selection) const {
  const std::vector<size_t> before = before_from(selection);
  if (std::ranges::count(before, number) == 0) return false;
  const Json& record = records_[number];
  const auto is_last = [&](const auto& alike) {
    return std::ranges::none_of(before, [&](size_t i) {
      return alike(i) && std::pair(*time_of(i), i) > std::pair(*time_of(number), number);
    });
  };
  const auto same = [&](size_t i, std::initializer_list<const char*> keys) {
    return std::ranges::all_of(keys, [&](const char* key) {
      return records_[i].value(key, Json()) == record.value(key, Json());
    });
  };
  if (is_switch(record)) {
    if (is_last([&](size_t i) { return is_switch(records_[i]) && same(i, {"cpu"}); })) return true;
    for (const uint64_t koid : threads_of(number))
      if (is_last([&](size_t i) {
            return is_switch(records_[i]) && std::ranges::count(threads_of(i), koid) > 0;
          }))
        return true;
    return false;
  }
  if (is_wakeup(record)) {
    if (threads_of(number).empty()) return false;
    const uint64_t koid = threads_of(number)[0];
    return is_last([&](size_t i) {
      return (is_switch(records_[i]) || is_wakeup(records_[i])) &&
             std::ranges::count(threads_of(i), koid) > 0;
    });
  }
  if (is_event(record, "counter"))
    return is_last([&](size_t i) {
      return is_event(records_[i], "counter") &&
             same(i, {"provider", "counter_id", "category", "name"});
    });
  if (is_event(record, "duration_begin")) {
    int depth = 1;
    for (const size_t i : before) {
      if (i <= number || !same(i, {"process", "thread"})) continue;
      if (is_event(records_[i], "duration_begin")) ++depth;
      if (is_event(records_[i], "duration_end") && --depth == 0) return false;
    }
    return true;
  }
  for (const std::string kind : {"async", "flow"}) {
    if (!is_event(record, kind + "_begin")) continue;
    const auto alike = [&](size_t i) {
      return kind == "flow" ? same(i, {"provider", "correlation_id"})
                            : same(i, {"provider", "correlation_id", "category", "name"});
    };
    // Counts those since the last end.
    size_t since = 0;
    for (const size_t i : before)
      if (is_event(records_[i], kind + "_end") && alike(i)) since = i;
    return number >= since && is_last([&](size_t i) {
             return i >= since && is_event(records_[i], kind + "_begin") && alike(i);
           });
  }
  return false;
}

bool PlainArchiveLines::converts(size_t number, const PlainSelection& selection) const {
  const Json& record = records_[number];
  for (const char* definition :
       {"magic", "provider_info", "provider_section", "provider_event", "initialization", "string",
        "thread", "userspace_object", "kernel_object"})
    if (is(record, definition)) return true;
  return keeps(number, selection) || stands(number, selection) || is_needed(number, selection);
}

}  // namespace barefxt::test
