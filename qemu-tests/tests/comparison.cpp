#include "comparison.h"

#include <algorithm>

namespace barefxt::test {
namespace {

constexpr uint64_t kCpuThread = 0x7f000000;  // pseudo-thread of CPU 0

class Hash {
 public:
  void add(uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3; }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

struct Sequence {
  uint64_t count = 0;
  Hash hash;
};

uint64_t state_number(const Json& state) {
  static const std::map<std::string, uint64_t> kNumbers = {
      {"runnable", 0}, {"running", 1}, {"suspended", 2}, {"blocked", 3}, {"dying", 4}, {"dead", 5}};
  return state.is_string() ? kNumbers.at(state.get<std::string>()) : state.get<uint64_t>();
}

class Comparison {
 public:
  Comparison(const Tally& tally, const std::vector<Json>& archive)
      : tally_(tally), archive_(archive) {}

  std::vector<std::string> run() {
    if (!tally_.complete) say("the console holds no complete tally");
    learn_names();
    for (const Json& record : archive_) take(record);
    for (unsigned cpu = 0; cpu < tally_.cpus; ++cpu) {
      hold("switches", cpu, switches_[cpu], tally_.switches);
      hold("interrupts", cpu, interrupts_[cpu], tally_.interrupts);
      hold("wakeups", cpu, wakeups_[cpu], tally_.wakeups);
      hold("messages", cpu, messages_[cpu], tally_.messages);
    }
    for (const auto& [kind, count] : tally_.events)
      if (events_[kind] != count) say("events of kind " + kind, events_[kind], count);
    for (const auto& [id, bracket] : tally_.brackets)
      if (bracketed_.count(id) == 0) say("bracketed probe " + std::to_string(id) + " is missing");
    for (const auto& [koid, name] : tally_.processes)
      if (names_[koid] != name)
        say("process " + std::to_string(koid) + " is named " + names_[koid]);
    return differences_;
  }

 private:
  void say(const std::string& text) {
    constexpr size_t kMax = 40;
    if (differences_.size() < kMax) differences_.push_back(text);
  }
  void say(const std::string& what, uint64_t archive, uint64_t kernel) {
    say(what + ": " + std::to_string(archive) + " in the archive, " + std::to_string(kernel) +
        " counted by the kernel");
  }

  void learn_names() {
    for (const Json& record : archive_) {
      if (record.at("record") != "kernel_object") continue;
      const uint64_t koid = record.at("koid");
      names_[koid] = record.at("name").is_string() ? record.at("name").get<std::string>() : "";
      const Json* process = find_argument(record, "process");
      if (process != nullptr) processes_[koid] = argument_word(*process);
    }
  }

  void take(const Json& record) {
    const std::string kind = record.at("record");
    if (kind == "context_switch") take_switch(record);
    if (kind == "thread_wakeup") take_wakeup(record);
    if (kind == "event") take_event(record);
    if (kind == "malformed" || kind == "unknown") say("the archive holds a record " + kind);
  }

  void take_switch(const Json& record) {
    const uint64_t cpu = record.at("cpu");
    const uint64_t out = record.at("outgoing").at("thread");
    const uint64_t in = record.at("incoming").at("thread");
    Sequence& sequence = switches_[cpu];
    sequence.count += 1;
    sequence.hash.add(out);
    sequence.hash.add(state_number(record.at("outgoing_state")));
    sequence.hash.add(in);
    sequence.hash.add(record.at("outgoing_priority"));
    sequence.hash.add(record.at("incoming_priority"));
    hold_time(cpu, record);
    hold_name(out, record.at("outgoing"));
    hold_name(in, record.at("incoming"));
    const auto running = running_.find(cpu);
    if (running != running_.end() && running->second != out)
      say("CPU " + std::to_string(cpu) + ": thread " + std::to_string(out) +
          " goes out, but thread " + std::to_string(running->second) + " came in");
    running_[cpu] = in;
  }

  void take_wakeup(const Json& record) {
    const uint64_t cpu = record.at("cpu");
    wakeups_[cpu].count += 1;
    wakeups_[cpu].hash.add(record.at("thread"));
    hold_time(cpu, record);
  }

  void take_event(const Json& record) {
    const std::string kind = record.at("event");
    const Json& category = record.at("category");
    if (category == "barefxt") return;  // written by the host
    events_[kind] += 1;
    if (category == "irq") take_interrupt(record, kind);
    if (category == "message" && kind.rfind("flow_", 0) == 0) take_message(record, kind);
    if (record.at("name") == "bracketed") take_bracketed(record);
  }

  void take_interrupt(const Json& record, const std::string& kind) {
    const uint64_t cpu = record.at("thread").get<uint64_t>() - kCpuThread;
    hold_time(cpu, record);
    Sequence& sequence = interrupts_[cpu];
    if (kind == "duration_begin") {
      const Json* irq = find_argument(record, "irq");
      if (irq == nullptr) return say("an interrupt has no number");
      sequence.count += 1;
      entered_[cpu] = argument_word(*irq);
    }
    sequence.hash.add(entered_[cpu]);
    sequence.hash.add(kind == "duration_begin" ? 0 : 1);
  }

  void take_message(const Json& record, const std::string& kind) {
    const Json* cpu = find_argument(record, "cpu");
    if (cpu == nullptr) return say("a message does not tell its CPU");
    Sequence& sequence = messages_[argument_word(*cpu)];
    if (kind == "flow_begin") sequence.count += 1;
    sequence.hash.add(kind == "flow_begin" ? 0 : kind == "flow_step" ? 1 : 2);
    sequence.hash.add(record.at("correlation_id"));
    for (const Json& argument : record.at("args")) sequence.hash.add(argument_word(argument));
  }

  void take_bracketed(const Json& record) {
    const Json* id = find_argument(record, "bracket");
    if (id == nullptr) return say("a bracketed probe has no id");
    const uint64_t number = argument_word(*id);
    const auto found = tally_.brackets.find(number);
    if (found == tally_.brackets.end()) return say("bracket " + std::to_string(number) + "?");
    if (!bracketed_.insert({number, true}).second) say("a bracketed probe came twice");
    const uint64_t ticks = record.at("timestamp");
    if (ticks < found->second.before || ticks > found->second.after)
      say("bracketed probe " + std::to_string(number) + " is at " + std::to_string(ticks) +
          ", not from " + std::to_string(found->second.before) + " to " +
          std::to_string(found->second.after));
  }

  void hold_time(uint64_t cpu, const Json& record) {
    const uint64_t ticks = record.at("timestamp");
    if (ticks < latest_[cpu]) say("time runs backwards on CPU " + std::to_string(cpu));
    latest_[cpu] = std::max(latest_[cpu], ticks);
  }

  // The name and process that the archive gives the thread at this switch are the kernel's.
  void hold_name(uint64_t koid, const Json& reference) {
    const auto thread = tally_.threads.find(koid);
    if (thread == tally_.threads.end())
      return say("a switch names thread " + std::to_string(koid) + ", which never was");
    if (names_[koid] != thread->second.name)
      say("thread " + thread->second.name + " is named \"" + names_[koid] + "\"");
    if (reference.contains("process") && reference.at("process") != thread->second.process)
      say("thread " + thread->second.name + " is of another process");
    if (processes_[koid] != thread->second.process)
      say("thread " + thread->second.name + " is an object of another process");
  }

  void hold(const std::string& what, uint64_t cpu, const Sequence& found,
            const std::map<uint64_t, Count>& counted) {
    const auto entry = counted.find(cpu);
    const std::string where = what + " on CPU " + std::to_string(cpu);
    if (entry == counted.end()) return say(where + " were not counted");
    if (entry->second.count != found.count) say(where, found.count, entry->second.count);
    if (entry->second.hash != found.hash.value()) say(where + ": their hash differs");
  }

  const Tally& tally_;
  const std::vector<Json>& archive_;
  std::vector<std::string> differences_;
  std::map<uint64_t, std::string> names_;
  std::map<uint64_t, uint64_t> processes_;
  std::map<uint64_t, Sequence> switches_;
  std::map<uint64_t, Sequence> interrupts_;
  std::map<uint64_t, Sequence> wakeups_;
  std::map<uint64_t, Sequence> messages_;
  std::map<uint64_t, uint64_t> entered_;  // number of the interrupt entered last
  std::map<uint64_t, uint64_t> running_;
  std::map<uint64_t, uint64_t> latest_;
  std::map<std::string, uint64_t> events_;
  std::map<uint64_t, bool> bracketed_;
};

}  // namespace

std::vector<std::string> compare(const Tally& tally, const std::vector<Json>& archive) {
  return Comparison(tally, archive).run();
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace barefxt::test
