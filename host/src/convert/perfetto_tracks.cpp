#include "perfetto_tracks.h"

#include <utility>

#include <barefxt/fxt/object.h>
#include <barefxt/host/json.h>

#include "../archive/archive_provider.h"
#include "perfetto_fields.h"

namespace barefxt::host {

std::optional<uint64_t> PerfettoTracks::number_of(uint64_t provider, uint64_t koid, Kind kind) {
  const std::tuple key(provider, koid, kind);
  if (numbers_.size() >= kMaxNumbers && !numbers_.contains(key)) return std::nullopt;
  const auto [known, is_new] = numbers_.try_emplace(key);
  if (is_new) {
    const bool own = koid <= kLargestNumber && taken_.insert(koid).second;
    while (!own && !taken_.insert(next_substitute_).second) --next_substitute_;
    known->second = own ? koid : next_substitute_--;
  }
  return known->second;
}

std::string_view PerfettoTracks::name_of(uint64_t provider, uint64_t koid) const {
  const auto own = objects_.find(Key{provider, koid});
  if (own != objects_.end()) {
    if (const std::optional<std::string_view>& name = own->second.name) return *name;
  }
  const auto anybodys = anybodys_names_.find(koid);
  return anybodys != anybodys_names_.end() ? anybodys->second : std::string_view{};
}

std::optional<uint64_t> PerfettoTracks::process_of(uint64_t provider, uint64_t koid) const {
  const auto found = objects_.find(Key{provider, koid});
  return found != objects_.end() ? found->second.process : std::nullopt;
}

std::optional<size_t> PerfettoTracks::process(uint64_t provider, const ProviderState& state,
                                              uint64_t koid) {
  const auto known = process_index_.find(Key{provider, koid});
  if (known != process_index_.end()) return known->second;
  if (processes_.size() == kMaxTracks) return std::nullopt;
  const std::optional<uint64_t> number = number_of(provider, koid, Kind::kProcess);
  if (!number) return std::nullopt;
  if (!first_provider_) first_provider_ = provider;
  std::string of;
  if (provider != *first_provider_)
    of = state.name.empty() ? formatted("provider {}", provider) : valid_utf8(state.name);
  processes_.push_back({provider, koid, *number, next_track_++, std::move(of)});
  process_index_.emplace(Key{provider, koid}, processes_.size() - 1);
  return processes_.size() - 1;
}

std::optional<PerfettoTracks::Thread> PerfettoTracks::thread(uint64_t provider,
                                                             const ProviderState& state,
                                                             uint64_t process_koid, uint64_t koid) {
  const std::tuple key(provider, process_koid, koid);
  const auto known = thread_index_.find(key);
  if (known != thread_index_.end()) {
    const ThreadEntry& entry = threads_[known->second];
    return Thread{processes_[entry.process].track, entry.track, known->second};
  }
  if (threads_.size() == kMaxTracks) return std::nullopt;
  const std::optional<size_t> process = this->process(provider, state, process_koid);
  if (!process) return std::nullopt;
  if (koid == process_koid)
    numbers_.try_emplace({provider, koid, Kind::kThread}, processes_[*process].number);
  const std::optional<uint64_t> number = number_of(provider, koid, Kind::kThread);
  if (!number) return std::nullopt;
  threads_.push_back({provider, koid, *number, next_track_++, *process});
  thread_index_.emplace(key, threads_.size() - 1);
  return Thread{processes_[*process].track, threads_.back().track, threads_.size() - 1};
}

bool PerfettoTracks::name(uint64_t provider, const ProviderState& state,
                          const KernelObject& object) {
  const auto type = static_cast<fxt::KernelObjectType>(object.object_type);
  if (type != fxt::KernelObjectType::kProcess && type != fxt::KernelObjectType::kThread)
    return false;
  if (objects_.size() < kMaxObjects) {
    Object& known = objects_[Key{provider, object.koid}];
    if (object.name.registered) {
      known.name = object.name.bytes;
      anybodys_names_.try_emplace(object.koid, object.name.bytes);
    }
    const std::optional<Argument> process = object.arguments.find("process");
    if (process && process->type == fxt::ArgumentType::kKoid) known.process = process->bits;
  }
  if (type == fxt::KernelObjectType::kProcess) {
    (void)process(provider, state, object.koid);
  } else if (const auto of = process_of(provider, object.koid); of && *of != 0) {
    (void)thread(provider, state, *of, object.koid);
  }
  return true;
}

std::optional<PerfettoTracks::Scheduled> PerfettoTracks::scheduled(uint64_t provider,
                                                                   const ProviderState& state,
                                                                   uint64_t koid) {
  const std::string_view name = name_of(provider, koid);
  const std::optional<uint64_t> of = process_of(provider, koid);
  if (koid == 0 || of == uint64_t{0} || name.starts_with("idle/")) return Scheduled{0, "swapper"};
  if (of) (void)thread(provider, state, *of, koid);
  const std::optional<uint64_t> number = number_of(provider, koid, Kind::kThread);
  if (!number) return std::nullopt;
  return Scheduled{*number, name};
}

std::optional<PerfettoTracks::Track> PerfettoTracks::counter(const std::string& key) {
  const auto found = counters_.find(key);
  if (found != counters_.end()) return Track{found->second, false};
  if (counters_.size() == kMaxTracks || key.size() > kMaxKeyBytes - counter_bytes_)
    return std::nullopt;
  counter_bytes_ += key.size();
  return Track{counters_[key] = next_track_++, true};
}

std::optional<PerfettoTracks::Track> PerfettoTracks::operation(const std::string& key) {
  const auto found = operations_.find(key);
  if (found != operations_.end()) return Track{found->second.track, false};
  if (operations_.size() == kMaxTracks) return std::nullopt;
  operations_[key] = {next_track_, 0};
  return Track{next_track_++, true};
}

void PerfettoTracks::end_operation(const std::string& key) {
  const auto found = operations_.find(key);
  if (found == operations_.end()) return;
  if (found->second.open > 0) --found->second.open;
  if (found->second.open == 0) operations_.erase(found);
}

std::optional<size_t> PerfettoTracks::only_process() const {
  std::optional<size_t> only;
  for (const ThreadEntry& thread : threads_) {
    const uint64_t koid = processes_[thread.process].koid;
    if (koid == 0 || koid == kCpusProcess || koid == kUnknownThreadsProcess) continue;
    if (only.value_or(thread.process) != thread.process) return {};
    only = thread.process;
  }
  return only;
}

ProtoMessage PerfettoTracks::process_track(uint64_t track, uint64_t number, std::string_view name) {
  ProtoMessage about;
  about.number(perfetto::ProcessDescriptor::kPid, number);
  if (!name.empty()) about.text(perfetto::ProcessDescriptor::kName, name);
  return std::move(ProtoMessage()
                       .number(perfetto::TrackDescriptor::kUuid, track)
                       .message(perfetto::TrackDescriptor::kProcess, about));
}

PerfettoTracks::Numbers PerfettoTracks::numbers(size_t entry) const {
  const ThreadEntry& thread = threads_[entry];
  return {is_own_process(thread) ? thread.number : processes_[thread.process].number,
          thread.number};
}

void PerfettoTracks::describe(const std::function<void(const ProtoMessage&)>& write) {
  using perfetto::TrackDescriptor;
  write(ProtoMessage()
            .number(TrackDescriptor::kUuid, kGlobalTrack)
            .text(TrackDescriptor::kName, "everything"));
  for (const Process& process : processes_) {
    std::string name = valid_utf8(name_of(process.provider, process.koid));
    if (name.empty() && process.number != process.koid)
      name = formatted("process {}", process.koid);
    if (!process.provider_name.empty()) name += " [" + process.provider_name + "]";
    write(process_track(process.track, process.number, name));
  }
  split_ = only_process();
  for (const ThreadEntry& thread : threads_) {
    const Process& process = processes_[thread.process];
    std::string name = valid_utf8(name_of(thread.provider, thread.koid));
    if (name.empty() && thread.number != thread.koid) name = formatted("thread {}", thread.koid);
    uint64_t parent = process.track;
    uint64_t parent_number = process.number;
    if (is_own_process(thread)) {
      parent = next_track_++;
      parent_number = thread.number;
      write(process_track(parent, parent_number, name));
    }
    ProtoMessage about;
    about.number(perfetto::ThreadDescriptor::kPid, parent_number)
        .number(perfetto::ThreadDescriptor::kTid, thread.number);
    if (!name.empty()) about.text(perfetto::ThreadDescriptor::kName, name);
    write(ProtoMessage()
              .number(TrackDescriptor::kUuid, thread.track)
              .number(TrackDescriptor::kParent, parent)
              .message(TrackDescriptor::kThread, about));
  }
}

}  // namespace barefxt::host
