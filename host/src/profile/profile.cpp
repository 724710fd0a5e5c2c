#include <algorithm>

#include <barefxt/host/formatted.h>
#include <barefxt/host/profile.h>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"

namespace barefxt::host {
namespace {

// What is longer is cut: a trace may have many names, each as long as a record.
constexpr size_t kMaxLabelBytes = 256;
constexpr uint64_t kMaxCpuNumbers = uint64_t{1} << 16;

std::optional<unsigned> cpu_of_pseudo_thread(const ThreadId& thread) {
  if (!thread.registered || thread.process != kCpusProcess || thread.thread < kFirstCpuThread ||
      thread.thread - kFirstCpuThread >= kMaxCpuNumbers)
    return {};
  return static_cast<unsigned>(thread.thread - kFirstCpuThread);
}

}  // namespace

void Profile::see(const Record& record, bool is_chosen) {
  referents_.learn(record);
  if (const auto* event = std::get_if<Event>(&record.content)) return follow(*event);
  if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content))
    return come_in(legacy->incoming.thread, legacy->cpu);
  if (const auto* newer = std::get_if<ContextSwitch>(&record.content))
    return come_in(newer->incoming, newer->cpu);
  const auto* sample = std::get_if<ProfilerBacktrace>(&record.content);
  if (sample != nullptr && is_chosen) add(*sample);
}

void Profile::come_in(uint64_t thread, unsigned cpu) {
  if (threads_.size() >= kMaxThreads && threads_.count(thread) == 0) return;
  threads_[thread] = {cpu, cpu_states_[cpu].losses};
}

void Profile::follow(const Event& event) {
  const std::optional<unsigned> cpu = cpu_of_pseudo_thread(event.thread);
  if (is_loss(event)) {
    const std::optional<Argument> records = event.arguments.find("records");
    if (records && records->type == fxt::ArgumentType::kUint64)
      lost_records_ += records->bits;
    else
      ++unknown_losses_;
    if (!cpu) return;
    // Switches and interrupts may be among what is lost.
    ++cpu_states_[*cpu].losses;
    cpu_states_[*cpu].interrupts.clear();
    return;
  }
  if (!cpu || event.category.bytes != "irq") return;
  std::vector<std::string_view>& open = cpu_states_[*cpu].interrupts;
  if (event.type == fxt::EventType::kDurationBegin) {
    if (open.size() < kMaxNested) open.push_back(event.name.bytes);
  } else if (event.type == fxt::EventType::kDurationEnd && !open.empty()) {
    open.pop_back();
  }
}

std::optional<unsigned> Profile::cpu_of(uint64_t thread) const {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return {};
  const auto& [cpu, since] = found->second;
  const auto state = cpu_states_.find(cpu);
  if (state == cpu_states_.end() || state->second.losses != since) return {};
  return cpu;
}

uint32_t Profile::group_of(const ThreadId& thread, std::optional<unsigned> cpu) {
  std::string_view interrupt;
  if (cpu)
    if (const auto state = cpu_states_.find(*cpu);
        state != cpu_states_.end() && !state->second.interrupts.empty())
      interrupt = state->second.interrupts.back();
  const auto [found, is_new] =
      group_numbers_.try_emplace({{thread.thread, cpu ? *cpu + uint64_t{1} : 0}, interrupt},
                                 static_cast<uint32_t>(groups_.size()));
  if (!is_new) return found->second;
  if (groups_.size() == kMaxGroups) {
    group_numbers_.erase(found);
    return kMaxGroups - 1;
  }
  groups_.push_back({thread.process, thread.thread, cpu, interrupt, 0});
  return static_cast<uint32_t>(groups_.size() - 1);
}

void Profile::add(const ProfilerBacktrace& sample) {
  if (sample.frames.size() == 0) return;
  std::optional<unsigned> cpu = cpu_of_pseudo_thread(sample.thread);
  if (!cpu) cpu = cpu_of(sample.thread.thread);
  if (!cpus_.empty() && (!cpu || std::ranges::count(cpus_, *cpu) == 0)) return;
  const uint32_t group = group_of(sample.thread, cpu);
  ++samples_;
  ++groups_[group].samples;
  uint32_t at = Node::kNone;
  for (size_t i = sample.frames.size(); i-- != 0;) {
    const uint64_t address = sample.frames[i];
    const uint64_t above = at == Node::kNone ? ~uint64_t{group} : at;
    const auto found = node_numbers_.find({above, address});
    if (found != node_numbers_.end()) {
      at = found->second;
      continue;
    }
    if (nodes_.size() == kMaxNodes) {
      ++cut_;
      break;
    }
    nodes_.push_back({at, group, address});
    at = static_cast<uint32_t>(nodes_.size() - 1);
    node_numbers_.emplace(std::pair{above, address}, at);
  }
  if (at != Node::kNone) ++nodes_[at].self;
}

std::string Profile::thread_name(uint64_t koid) const {
  const std::string_view name = referents_.kernel_object(koid).substr(0, kMaxLabelBytes);
  return name.empty() ? formatted("thread {}", koid) : std::string(name);
}

std::string Profile::label(const Group& group, ProfileBy by) const {
  switch (by) {
    case ProfileBy::kThread:
      return thread_name(group.thread);
    case ProfileBy::kCpu:
      return group.cpu ? formatted("CPU {}", *group.cpu) : "unknown CPU";
    case ProfileBy::kInterrupt:
      return group.interrupt.empty()
                 ? "no interrupt"
                 : formatted("interrupt {}", group.interrupt.substr(0, kMaxLabelBytes));
    case ProfileBy::kNothing:
      return "all";
  }
  return {};
}

ProfileSymbols::ProfileSymbols(const ElfFile* program) {
  if (program != nullptr) symbols_.emplace(*program);
  names_.emplace_back("[unknown]");
}

uint32_t ProfileSymbols::number_of(uint64_t key, std::string_view name) {
  const auto [found, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(names_.size()));
  if (is_new) names_.push_back(demangled(name));
  return found->second;
}

uint32_t ProfileSymbols::function_at(uint64_t address, bool is_return) {
  if (!symbols_) return number_of(address, formatted("0x{:x}", address));
  const uint64_t code = symbols_->code(address) - (is_return ? 1 : 0);
  const ElfFile::Function* function = symbols_->around(code);
  if (function == nullptr) {
    // A return address that AArch64 has signed: bit 55 tells which half of the memory it is in.
    constexpr unsigned kUnused = 8;
    const uint64_t in_55 = static_cast<uint64_t>(static_cast<int64_t>(code << kUnused) >> kUnused);
    constexpr uint64_t kSignature = uint64_t{0x7f} << 48;
    function = symbols_->around(static_cast<int64_t>(in_55) < 0 ? in_55 | kSignature
                                                                : in_55 & ~kSignature);
  }
  return function == nullptr ? kUnknown : number_of(function->address, function->name);
}

ProfileTree::ProfileTree(const Profile& profile, ProfileBy by, ProfileSymbols& symbols) {
  std::map<std::string, uint32_t> numbers;
  std::vector<uint32_t> root_of_group;
  for (const Profile::Group& group : profile.groups()) {
    const std::string label = profile.label(group, by);
    const auto [found, is_new] = numbers.try_emplace(label, static_cast<uint32_t>(roots_.size()));
    if (is_new) roots_.push_back({label, {}});
    root_of_group.push_back(found->second);
  }
  std::vector<uint32_t> path;
  for (const Profile::Node& leaf : profile.nodes()) {
    if (leaf.self == 0) continue;
    path.clear();
    for (const Profile::Node* at = &leaf;; at = &profile.nodes()[at->parent]) {
      path.push_back(symbols.function_at(at->address, at != &leaf));
      if (at->parent == Profile::Node::kNone) break;
    }
    functions_.resize(symbols.function_count());
    functions_[path.front()].self += leaf.self;
    // Indices, since the nodes move as they grow.
    Node& root = roots_[root_of_group[leaf.group]].node;
    root.total += leaf.self;
    std::optional<uint32_t> at;
    for (auto function = path.rbegin(); function != path.rend(); ++function) {
      auto& callees = at ? nodes_[*at].callees : root.callees;
      const auto [found, is_new] =
          callees.try_emplace(*function, static_cast<uint32_t>(nodes_.size()));
      at = found->second;
      if (is_new) nodes_.push_back({*function, 0, 0, {}});
      nodes_[*at].total += leaf.self;
    }
    nodes_[*at].self += leaf.self;
    std::ranges::sort(path);
    path.erase(std::unique(path.begin(), path.end()), path.end());
    for (const uint32_t function : path) functions_[function].total += leaf.self;
  }
  functions_.resize(symbols.function_count());
  std::ranges::stable_sort(
      roots_, [](const Root& a, const Root& b) { return a.node.total > b.node.total; });
}

std::vector<uint32_t> ProfileTree::sorted(const Node& node) const {
  std::vector<uint32_t> callees;
  for (const auto& [function, number] : node.callees) callees.push_back(number);
  std::ranges::stable_sort(
      callees, [&](uint32_t a, uint32_t b) { return nodes_[a].total > nodes_[b].total; });
  return callees;
}

}  // namespace barefxt::host
