// Processes, threads, counters and operations as Perfetto's tracks, with their numbers and names.
//
// Perfetto has one set of process and thread numbers of 31 bits, an archive one set of koids per
// provider. A koid is its own number where it fits 31 bits and nothing else has it already; else it
// gets the largest that is free. Processes of all providers but the first get the provider's name.
// Number 0 is reserved for idle threads. A thread has the number of a process only if it is the
// thread with the process's koid: its main thread, to Perfetto.
//
// Perfetto colours and titles what runs on a CPU by processes. A kernel that has no processes would
// have one colour, so the threads of a trace with one process are processes of their own.
//
// Invariant: memory is bounded: processes, threads, counters and open operations are at most
// kMaxTracks each, and what there are more of has no track. Names are views into the archive.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <barefxt/host/record.h>

#include "proto_message.h"

namespace barefxt::host {

class PerfettoTracks {
 public:
  static constexpr uint64_t kGlobalTrack = 1;

  struct Thread {
    uint64_t process;  // ids of tracks
    uint64_t thread;
    size_t entry;
  };
  std::optional<Thread> thread(uint64_t provider, const ProviderState& state, uint64_t process,
                               uint64_t thread);
  // Names a process or thread. Returns false for other objects, which have no track.
  bool name(uint64_t provider, const ProviderState& state, const KernelObject& object);

  // By what has been read; empty if nothing names the koid.
  std::string_view name_of(uint64_t provider, uint64_t koid) const;

  // A thread as the scheduler's events name it, nothing of too many. Its process need not be known
  // yet.
  struct Scheduled {
    uint64_t number;
    std::string_view name;
  };
  std::optional<Scheduled> scheduled(uint64_t provider, const ProviderState& state, uint64_t koid);

  // A track with a unique key; nothing beyond the limit. `is_new`: the track needs a description.
  struct Track {
    uint64_t id;
    bool is_new;
  };
  std::optional<Track> counter(const std::string& key);
  std::optional<Track> operation(const std::string& key);
  // The operation goes on, or ends: with as many ends as begins its track is forgotten.
  void begin_operation(const std::string& key) { ++operations_[key].open; }
  void end_operation(const std::string& key);

  // Descriptors of processes and threads, by all that is known at the end.
  void describe(const std::function<void(const ProtoMessage&)>& write);
  // A thread by its `entry`, once all are known.
  struct Numbers {
    uint64_t process;
    uint64_t thread;
  };
  Numbers numbers(size_t entry) const;

 private:
  using Key = std::pair<uint64_t, uint64_t>;  // provider and koid
  struct Process {
    uint64_t provider;
    uint64_t koid;
    uint64_t number;
    uint64_t track;
    std::string provider_name;  // empty for the first provider
  };
  struct ThreadEntry {
    uint64_t provider;
    uint64_t koid;
    uint64_t number;
    uint64_t track;
    size_t process;  // of processes_
  };
  struct Operation {
    uint64_t track;
    uint64_t open;
  };
  struct Object {
    std::optional<std::string_view> name;
    std::optional<uint64_t> process;
  };

  enum class Kind : uint8_t { kProcess, kThread };
  std::optional<uint64_t> number_of(uint64_t provider, uint64_t koid, Kind kind);
  std::optional<size_t> process(uint64_t provider, const ProviderState& state, uint64_t koid);
  // The process of all threads but those of CPUs, idle ones, and those never registered.
  std::optional<size_t> only_process() const;
  bool is_own_process(const ThreadEntry& thread) const {
    return split_ == thread.process && thread.number != processes_[thread.process].number;
  }
  static ProtoMessage process_track(uint64_t track, uint64_t number, std::string_view name);
  std::optional<uint64_t> process_of(uint64_t provider, uint64_t koid) const;

  static constexpr uint64_t kLargestNumber = (uint64_t{1} << 31) - 1;
  static constexpr size_t kMaxTracks = size_t{1} << 16;
  static constexpr size_t kMaxNumbers = 4 * kMaxTracks;
  static constexpr size_t kMaxKeyBytes = size_t{8} << 20;  // of counters
  static constexpr size_t kMaxObjects = size_t{1} << 17;

  std::vector<Process> processes_;
  std::vector<ThreadEntry> threads_;
  std::map<Key, size_t> process_index_;
  std::map<std::tuple<uint64_t, uint64_t, uint64_t>, size_t> thread_index_;
  std::map<std::tuple<uint64_t, uint64_t, Kind>, uint64_t> numbers_;
  std::map<Key, Object> objects_;
  std::unordered_map<uint64_t, std::string_view> anybodys_names_;
  std::unordered_set<uint64_t> taken_ = {0};
  std::unordered_map<std::string, uint64_t> counters_;
  size_t counter_bytes_ = 0;  // of their keys
  std::unordered_map<std::string, Operation> operations_;
  std::optional<uint64_t> first_provider_;
  std::optional<size_t> split_;  // the only process, if describe() has found one
  uint64_t next_substitute_ = kLargestNumber;
  uint64_t next_track_ = kGlobalTrack + 1;
};

}  // namespace barefxt::host
