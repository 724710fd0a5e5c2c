// One provider's tables in an archive: the archive index of each of the target's indices, the
// records ahead of all others, and registrations that later records need.
//
// Invariants: strings of the same content share one index; all text that is written is UTF-8. An
// index from string() is valid until the provider replaces an entry. After that string() reports
// nothing as registered, and everything is looked up again.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../archive/archive_provider.h"
#include "capture_content.h"
#include "former_threads.h"

namespace barefxt::host {

class ArchiveTables {
 public:
  ArchiveTables(const CaptureContent& capture, const FormerOwners& owners,
                ArchiveProvider& provider);

  // Strings, threads, kernel objects, in the order that every known reader accepts. `cpus` are
  // those whose pseudo-thread is needed, whether the target named it or not; `texts` are ours.
  void write_prologue(std::span<const uint16_t> cpus, std::span<const std::string> texts);

  // The same of a capture that is arriving, and later the names that came or changed since.
  void write_arriving_prologue();
  void write_new_names();
  // The name of a CPU's pseudo-thread, if the target has none for it.
  void write_cpu(uint16_t cpu);
  // Returns how many changes of owners have been made. The caller removes these.
  size_t forget_changes_made() { return std::exchange(next_change_, 0); }

  // The archive's index of a target's string, 0 where it is empty; nothing until it is registered.
  std::optional<uint16_t> string(unsigned target_index) const {
    if (replacements_ != provider_.replacements()) return {};
    const uint16_t mapped = strings_[target_index & fxt::kMaxStringIndex];
    if (mapped == kUnregistered) return {};
    return mapped;
  }
  // While this stays as it is, no index that string() gave becomes another.
  uint64_t replacements() const { return provider_.replacements(); }
  bool has_thread(uint8_t index) const { return threads_[index].has_value(); }
  // The koid of the thread that owns the index now; nothing if no thread is registered there.
  std::optional<uint64_t> koid_of(uint8_t index) const { return threads_[index]; }
  // No index changes its owner before that time.
  uint64_t next_change() const {
    return next_change_ < owners_.changes.size() ? owners_.changes[next_change_].time
                                                 : std::numeric_limits<uint64_t>::max();
  }
  // Before a record of that time is written: its indices mean their owners of then.
  void bring_threads_to(uint64_t time) {
    while (next_change_ < owners_.changes.size() && owners_.changes[next_change_].time <= time)
      change_owner(owners_.changes[next_change_++]);
  }

  // For references that are not registered: where the frames have no entry, `string#N` and
  // `thread#N`.
  void register_missing_string(unsigned target_index);
  void register_missing_thread(unsigned index);

  // A text of our own.
  ArchiveText intern(std::string_view text) { return provider_.text(text); }

  uint64_t repaired_strings() const { return provider_.repaired_texts(); }
  uint64_t cut_strings() const { return provider_.cut_texts(); }
  uint64_t nameless_strings() const { return nameless_strings_; }
  uint64_t nameless_threads() const { return nameless_threads_; }
  // Indices that were another thread's once, whose name was lost with its record.
  uint64_t forgotten_threads() const { return forgotten_threads_; }

 private:
  static constexpr uint16_t kUnregistered = 0xffff;

  void write_thread_entries();
  void change_owner(const OwnerChange& change);
  void write_kernel_objects(std::span<const uint16_t> cpus);
  void write_entry(const ThreadFacts& entry);
  void write_process(uint64_t koid, std::string_view name);
  void write_object(uint64_t koid, uint32_t type, std::string_view name);
  void write_thread(uint64_t koid, uint64_t process, std::string_view name);
  void map_string(unsigned target_index, std::string_view text);

  const CaptureContent& capture_;
  ArchiveProvider& provider_;
  std::vector<uint16_t> strings_;
  std::array<std::optional<uint64_t>, fxt::kMaxThreadIndex + 1> threads_{};  // koids
  std::vector<bool> nameless_;
  const FormerOwners& owners_;
  size_t next_change_ = 0;
  std::vector<ThreadFacts> written_;  // of an arriving capture
  std::vector<bool> has_cpu_;         // of an arriving capture, as the next
  bool has_cpus_ = false;
  uint64_t replacements_;  // of the provider's, when the mapping was made
  uint64_t nameless_strings_ = 0;
  uint64_t nameless_threads_ = 0;
  uint64_t forgotten_threads_ = 0;
};

}  // namespace barefxt::host
