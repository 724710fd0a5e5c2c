#include "lives.h"

#include <algorithm>
#include <utility>

#include "session_fixture.h"

namespace barefxt::test {
namespace {

BAREFXT_CATEGORY(lives, 5);

constexpr uint32_t kFirstNumber = 100;
// Koids from here on are the tracer's own, or have no name.
constexpr uint64_t kOwnKoids = 0x7d000000;

// The names that an archive gives each koid: until when it had which, and the last.
class Names {
 public:
  explicit Names(const PlainArchive& archive) {
    for (const PlainRecord& event : archive.events("renamed"))
      until_[event.argument("koid")->bits].insert({event.timestamp, event.argument("old")->text});
    for (const PlainRecord& object : archive.of_type(7)) last_[object.value] = object.name;
  }
  std::string at(uint64_t koid, uint64_t time) const {
    if (const auto found = until_.find(koid); found != until_.end())
      for (const auto& [until, name] : found->second)
        if (time < until) return name;
    const auto found = last_.find(koid);
    return found == last_.end() ? std::string() : found->second;
  }

 private:
  std::map<uint64_t, std::multimap<uint64_t, std::string>> until_;
  std::map<uint64_t, std::string> last_;
};

}  // namespace

// The places in each CPU's records where some are missing.
struct Lives::Losses {
  explicit Losses(const PlainArchive& archive) {
    // A snapshot ends before the names in its dump.
    for (const PlainRecord& event : archive.records)
      last_time = std::max(last_time, event.timestamp);
    for (const PlainRecord& event : archive.events("drop_stats"))
      of_cpu.insert({event.thread - 0x7f000000, {event.timestamp, event.value}});
  }
  // Returns true if the record of such an end may be among the missing.
  bool has(const End& end) const {
    return std::any_of(of_cpu.begin(), of_cpu.end(), [&](const auto& loss) {
      return (end.cpu == End::kAnyCpu || end.cpu == loss.first) && loss.second.first <= end.to &&
             end.from <= loss.second.second;
    });
  }

  uint64_t last_time = 0;
  std::multimap<uint64_t, std::pair<uint64_t, uint64_t>> of_cpu;
};

Lives::~Lives() {
  for (Process& process : processes_)
    if (process.is_alive) end(process);
}

void Lives::note_end(uint32_t koid, uint32_t cpu) {
  const uint64_t now = barefxt_ticks();
  ends_[koid].push_back({now, now, cpu});
  begins_[koid].push_back({now, now, cpu});
}

void Lives::note_end_since(uint64_t from, uint32_t koid) {
  ends_[koid].push_back({from, barefxt_ticks(), End::kAnyCpu});
}

bool Lives::was_name_lost(const Losses& losses, uint64_t koid, uint64_t time) const {
  if (const auto begins = begins_.find(koid); begins != begins_.end())
    for (const End& begin : begins->second)
      if (begin.to <= time && losses.has(begin)) return true;
  const auto found = ends_.find(koid);
  return found != ends_.end() &&
         std::any_of(found->second.begin(), found->second.end(), [&](const End& end) {
           return end.to >= time && (end.from > losses.last_time || losses.has(end));
         });
}

void Lives::fork(Process& process, uint32_t cpu) {
  process.is_alive = true;
  if (reuses_numbers_ && !free_numbers_.empty()) {
    const FreeNumber number = free_numbers_.front();
    free_numbers_.pop_front();
    process.koid = number.koid;
    note_end_since(number.since, process.koid);
    note_end_since(number.since, process.koid + 1);
  } else {
    process.koid = kFirstNumber + static_cast<uint32_t>(births_) * 2;
  }
  process.thread_koid = process.koid + 1;
  ++births_;
  const uint64_t now = barefxt_ticks();
  for (const uint32_t koid : {process.koid, process.thread_koid})
    begins_[koid].push_back({now, now, cpu});
  // The child is its parent by name until it executes a program.
  const Process& parent = processes_[below(static_cast<unsigned>(processes_.size()))];
  process.name = parent.is_alive && !parent.name.empty() ? parent.name : "init";
  barefxt_process_register(process.koid, process.name.c_str());
  barefxt_thread_register(&process.thread, process.koid, process.thread_koid, process.name.c_str(),
                          3);
}

void Lives::exec(Process& process, uint32_t cpu) {
  note_end(process.koid, cpu);
  note_end(process.thread_koid, cpu);
  process.name = "program-" + std::to_string(++programs_ % 1000);
  barefxt_process_rename(process.koid, process.name.c_str());
  barefxt_thread_rename(&process.thread, process.name.c_str());
}

void Lives::end(Process& process) {
  barefxt_thread_unregister(&process.thread);
  barefxt_process_unregister(process.koid);
  process.is_alive = false;
  free_numbers_.push_back({process.koid, barefxt_ticks()});
}

void Lives::run(Process& process) {
  barefxt_context_switch(BAREFXT_THIS_CPU, BAREFXT_STATE_RUNNABLE, &process.thread);
  BAREFXT_INSTANT(lives, "said",
                  BAREFXT_ARG_U32("number", static_cast<uint32_t>(recorded_.size())));
  barefxt_context_switch(&process.thread, BAREFXT_STATE_BLOCKED, BAREFXT_THIS_CPU);
  recorded_.push_back({process.koid, process.thread_koid, process.name});
}

void Lives::step() {
  ++steps_;
  Process& process = processes_[below(static_cast<unsigned>(processes_.size()))];
  const uint32_t cpu = below(cpus_);
  run_on_cpu(cpu);
  if (!process.is_alive) return fork(process, cpu);
  switch (below(8)) {
    case 0:
      return exec(process, cpu);
    case 1:
    case 2:
      return end(process);
    default:
      return run(process);
  }
}

Lives::Verdict Lives::judge(const PlainArchive& archive) const {
  Verdict verdict;
  const Names names(archive);
  const Losses losses(archive);
  const auto blame = [&](const PlainRecord& event, const std::string& what) {
    if (!verdict.wrong.empty()) return;
    const Recorded& recorded = recorded_[event.argument("number")->bits];
    verdict.wrong = "event " + std::to_string(event.argument("number")->bits) + " at " +
                    std::to_string(event.timestamp) + " of thread " +
                    std::to_string(recorded.thread) + " (" + recorded.name + "): " + what;
  };
  for (const PlainRecord& event : archive.events("said")) {
    ++verdict.events;
    const Recorded& recorded = recorded_[event.argument("number")->bits];
    if (event.thread >= kOwnKoids) {
      ++verdict.unknown;
      continue;
    }
    if (event.thread != recorded.thread || event.process != recorded.process)
      blame(event, "said to be of thread " + std::to_string(event.thread));
    for (const uint64_t koid : {event.thread, event.process}) {
      const std::string name = names.at(koid, event.timestamp);
      if (name.empty())
        ++verdict.unknown;
      else if (name != recorded.name && was_name_lost(losses, koid, event.timestamp))
        ++verdict.excused;
      else if (name != recorded.name)
        blame(event, "koid " + std::to_string(koid) + " is called " + name);
    }
  }
  return verdict;
}

}  // namespace barefxt::test
