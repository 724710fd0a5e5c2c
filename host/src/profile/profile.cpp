#include <algorithm>
#include <filesystem>

#include <barefxt/host/formatted.h>
#include <barefxt/host/profile.h>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"

namespace barefxt::host {
namespace {

// A longer one is cut: a trace may have many names, each as long as a record.
constexpr size_t kMaxLabelBytes = 256;
constexpr uint64_t kMaxCpuNumbers = uint64_t{1} << 16;

std::optional<unsigned> cpu_of_pseudo_thread(const ThreadId& thread) {
  if (!thread.registered || thread.process != kCpusProcess || thread.thread < kFirstCpuThread ||
      thread.thread - kFirstCpuThread >= kMaxCpuNumbers)
    return {};
  return static_cast<unsigned>(thread.thread - kFirstCpuThread);
}

// AArch64 may have signed a return address: bit 55 shows which half of the memory it is in.
uint64_t code_of(const FunctionSymbols& symbols, uint64_t address, bool is_return) {
  const uint64_t code = symbols.code(address) - (is_return ? 1 : 0);
  if (symbols.around(code) != nullptr) return code;
  constexpr uint64_t kUpperHalf = uint64_t{1} << 55;
  constexpr uint64_t kUnused = ~uint64_t{0} << 48;
  const uint64_t unsigned_code = (code & kUpperHalf) != 0 ? code | kUnused : code & ~kUnused;
  return symbols.around(unsigned_code) != nullptr ? unsigned_code : code;
}

}  // namespace

std::optional<uint32_t> Profile::see(const Record& record, bool is_chosen) {
  referents_.learn(record);
  if (const auto* event = std::get_if<Event>(&record.content)) {
    follow(*event);
  } else if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
    come_in(legacy->incoming.thread, legacy->cpu);
  } else if (const auto* newer = std::get_if<ContextSwitch>(&record.content)) {
    come_in(newer->incoming, newer->cpu);
  } else if (const auto* module = std::get_if<ProfilerModule>(&record.content)) {
    learn(record, *module);
  } else if (const auto* sample = std::get_if<ProfilerBacktrace>(&record.content)) {
    if (is_chosen) return add(record, *sample);
  }
  return {};
}

void Profile::learn(const Record& record, const ProfilerModule& module) {
  if (module.build_id.empty() || builds_.size() == kMaxProviders) return;
  std::vector<std::string_view>& ids = builds_[record.provider].ids;
  if (ids.size() < kMaxModules) ids.push_back(module.build_id);
}

Profile::BuildCheck Profile::check_build(std::string_view build_id, std::string_view& other) const {
  auto check = BuildCheck::kSame;
  for (const auto& [provider, builds] : builds_) {
    if (!builds.has_samples) continue;
    // A target may have sent only the beginning of a long one.
    const auto is_of_program = [&](std::string_view id) { return build_id.starts_with(id); };
    if (builds.ids.empty() || build_id.empty()) {
      check = BuildCheck::kUnknown;
    } else if (std::ranges::none_of(builds.ids, is_of_program)) {
      other = builds.ids.front();
      return BuildCheck::kOther;
    }
  }
  return check;
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

std::optional<uint32_t> Profile::add(const Record& record, const ProfilerBacktrace& sample) {
  if (sample.frames.size() == 0) return {};
  std::optional<unsigned> cpu = cpu_of_pseudo_thread(sample.thread);
  if (!cpu) cpu = cpu_of(sample.thread.thread);
  if (!cpus_.empty() && (!cpu || std::ranges::count(cpus_, *cpu) == 0)) return {};
  const uint32_t group = group_of(sample.thread, cpu);
  ++samples_;
  ++groups_[group].samples;
  if (builds_.size() < kMaxProviders) builds_[record.provider].has_samples = true;
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
  if (at == Node::kNone) return {};
  ++nodes_[at].self;
  return at;
}

std::string Profile::thread_name(uint64_t koid) const {
  const std::string_view name = referents_.kernel_object(koid).substr(0, kMaxLabelBytes);
  return name.empty() ? formatted("thread {}", koid) : std::string(name);
}

std::string Profile::label(const Group& group, ProfileBy by) const {
  switch (by) {
    case ProfileBy::kThread:
      return thread_name(group.thread);
    case ProfileBy::kProcess: {
      const std::string_view name =
          referents_.kernel_object(group.process).substr(0, kMaxLabelBytes);
      return name.empty() ? formatted("process {}", group.process) : std::string(name);
    }
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

ProfileSymbols::ProfileSymbols(const ElfFile* program, const Profile& profile) {
  if (program == nullptr) return;
  symbols_.emplace(*program);
  std::vector<uint64_t> addresses;
  for (const Profile::Node& node : profile.nodes())
    for (const bool is_return : {false, true})
      addresses.push_back(code_of(*symbols_, node.address, is_return));
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  places_ = places_in_code(*program, addresses);
}

uint32_t ProfileSymbols::number_of(std::string_view name) {
  name = name.substr(0, kMaxNameBytes);
  const auto [found, is_new] =
      numbers_.try_emplace(std::string(name), static_cast<uint32_t>(names_.size()));
  if (is_new) names_.push_back(demangled(name));
  return found->second;
}

const std::vector<ProfileSymbols::Frame>& ProfileSymbols::frames_at(uint64_t address,
                                                                    bool is_return) {
  const auto [found, is_new] = frames_.try_emplace({address, is_return});
  if (is_new) found->second = frames_in(address, is_return);
  return found->second;
}

std::vector<ProfileSymbols::Frame> ProfileSymbols::frames_in(uint64_t address, bool is_return) {
  if (!symbols_) return {{number_of(formatted("0x{:x}", address)), {}}};
  const uint64_t code = code_of(*symbols_, address, is_return);
  const ElfFile::Function* const function = symbols_->around(code);
  const uint32_t outermost = function == nullptr ? 0 : number_of(function->name);
  const auto found = places_.find(code);
  if (found == places_.end()) return {{outermost, {}}};
  std::vector<Frame> frames;
  for (const CodePlace& place : found->second) {
    const uint32_t number = place.function.empty() ? outermost : number_of(place.function);
    std::string file;
    if (!place.file.empty() && place.line != 0)
      file = formatted("{}:{}",
                       (std::filesystem::path(place.directory.substr(0, kMaxLabelBytes)) /
                        place.file.substr(0, kMaxLabelBytes))
                           .lexically_normal()
                           .string(),
                       place.line);
    frames.push_back({number, std::move(file)});
  }
  return frames;
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
  std::unordered_map<uint32_t, std::map<std::string, uint64_t>> places;
  for (const Profile::Node& leaf : profile.nodes()) {
    if (leaf.self == 0) continue;
    path.clear();
    for (const Profile::Node* at = &leaf;; at = &profile.nodes()[at->parent]) {
      const std::vector<ProfileSymbols::Frame>& frames =
          symbols.frames_at(at->address, at != &leaf);
      if (at == &leaf) places[frames[0].function][frames[0].place] += leaf.self;
      for (const ProfileSymbols::Frame& frame : frames) path.push_back(frame.function);
      if (at->parent == Profile::Node::kNone) break;
    }
    functions_.resize(symbols.function_count());
    functions_[path.front()].self += leaf.self;
    // Indices, since the nodes move as they grow.
    Node& root = roots_[root_of_group[leaf.group]].node;
    root.total += leaf.self;
    uint32_t at = Profile::Node::kNone;
    for (auto function = path.rbegin(); function != path.rend(); ++function) {
      auto& callees = at == Profile::Node::kNone ? root.callees : nodes_[at].callees;
      const auto [found, is_new] =
          callees.try_emplace(*function, static_cast<uint32_t>(nodes_.size()));
      at = found->second;
      if (is_new) nodes_.push_back({*function, 0, 0, {}});
      nodes_[at].total += leaf.self;
    }
    nodes_[at].self += leaf.self;
    std::ranges::sort(path);
    path.erase(std::unique(path.begin(), path.end()), path.end());
    for (const uint32_t function : path) functions_[function].total += leaf.self;
  }
  functions_.resize(symbols.function_count());
  for (const auto& [function, samples] : places)
    functions_[function].place = std::ranges::max_element(samples, {}, [](const auto& place) {
                                   return place.second;
                                 })->first;
  std::ranges::stable_sort(
      roots_, [](const Root& a, const Root& b) { return a.node.total > b.node.total; });
}

std::vector<uint32_t> ProfileTree::sorted(const Node& node) const {
  std::vector<uint32_t> callees;
  callees.reserve(node.callees.size());
  for (const auto& [function, number] : node.callees) callees.push_back(number);
  std::ranges::stable_sort(
      callees, [&](uint32_t a, uint32_t b) { return nodes_[a].total > nodes_[b].total; });
  return callees;
}

}  // namespace barefxt::host
