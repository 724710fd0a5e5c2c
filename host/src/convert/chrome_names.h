// Processes, threads and CPUs as rows of the viewer: their numbers and names.
//
// Viewers know one set of process and thread numbers, of 32 bits, and an archive one set of koids
// per provider. So a koid is its own number where it fits 31 bits and no other provider has it
// already; else it gets one from 2^31 on. Processes of all providers but the first get the label
// of theirs. A name comes from the kernel object of the same provider, or else of any: on some
// systems one provider names the koids of all.
//
// Invariant: memory is bounded, however many processes, threads, CPUs and names there are: those
// beyond a bound get no row, or no name. Names are views into the archive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "chrome_flows.h"
#include "shown_values.h"

namespace barefxt::host {

struct ChromeThread {
  uint64_t process;
  uint64_t thread;
  ThreadDurations durations;
};

// The slice that runs on a CPU.
struct ChromeCpu {
  uint64_t process;
  uint64_t thread;
  struct Running {
    uint64_t koid;
    Nanoseconds since;
    std::optional<uint64_t> priority;
  };
  std::optional<Running> running;
  Nanoseconds latest = 0;
};

class ChromeNames {
 public:
  explicit ChromeNames(ChromeWriter& writer) : writer_(writer) {}

  // Null: there are too many.
  ChromeThread* thread(uint64_t provider, const ProviderState& state, uint64_t process,
                       uint64_t thread);
  ChromeCpu* cpu(uint64_t provider, const ProviderState& state, unsigned number);
  // Names a process or thread. Returns false for other objects, and beyond the limit of rows.
  bool name(uint64_t provider, const ProviderState& state, const KernelObject& object);
  // The koid's name; empty if the archive has none.
  std::string_view name_of(uint64_t provider, uint64_t koid) const;
  // A correlation id that is no other provider's.
  std::string id(uint64_t provider, uint64_t number);

  template <typename Each>
  void for_each_thread(const Each& each) {
    for (auto& [key, thread] : threads_) each(*thread);
  }
  template <typename Each>
  void for_each_cpu(const Each& each) {
    for (auto& [key, cpu] : cpus_) each(key.provider, *cpu);
  }

 private:
  struct Key {
    uint64_t provider;
    uint64_t process;
    uint64_t thread;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      constexpr uint64_t kSpread = 0x9e3779b97f4a7c15U;
      return ((key.provider * kSpread ^ key.process) * kSpread ^ key.thread) * kSpread >> 7;
    }
  };
  template <typename Value>
  using Map = std::unordered_map<Key, Value, KeyHash>;

  uint64_t number_of(uint64_t provider, uint64_t koid);
  // Nothing: there are too many.
  std::optional<uint64_t> process(uint64_t provider, const ProviderState& state, uint64_t koid);
  void label(uint64_t provider, const ProviderState& state, uint64_t process);
  void write_name(std::string_view kind, uint64_t process, std::optional<uint64_t> thread,
                  std::string_view name);
  bool is_first(uint64_t provider);

  static constexpr uint64_t kFirstSubstitute = uint64_t{1} << 31;
  // The limit of processes, of threads, and of CPUs.
  static constexpr size_t kMaxRows = size_t{1} << 16;
  // Koids beyond this many named ones have no name.
  static constexpr size_t kMaxNames = size_t{1} << 17;

  ChromeWriter& writer_;
  Map<std::unique_ptr<ChromeThread>> threads_;
  Map<std::unique_ptr<ChromeCpu>> cpus_;  // the CPU's number as the thread
  Map<uint64_t> cpus_processes_;          // by provider alone
  Map<uint64_t> numbers_;                 // the koid as the process
  Map<bool> processes_;                   // that the viewer has heard of
  Map<std::string_view> names_;           // the koid as the process
  std::unordered_map<uint64_t, std::string_view> anybodys_names_;
  std::unordered_set<uint64_t> taken_;
  uint64_t next_substitute_ = kFirstSubstitute;
  std::optional<uint64_t> first_provider_;
};

}  // namespace barefxt::host
