// One provider's tables in an archive: which archive index stands for which of the target's, what
// is written ahead of the records, and what is registered later because a record needs it.
//
// Invariants: strings of the same content share one index; no more than the format's 32767 indices
// are ever given out; all that is written is UTF-8.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/capture.h>

namespace barefxt::host {

// Koids of what the archive needs and the target did not name. The runtime takes the same for its
// CPUs; all three ranges lie above what a kernel counts up to.
inline constexpr uint64_t kUnknownThreadsProcess = 0x7d000000;  // thread N: this plus N
inline constexpr uint64_t kCpusProcess = 0x7e000000;
inline constexpr uint64_t kFirstCpuThread = 0x7f000000;  // cpu N: this plus N

class ArchiveTables {
 public:
  ArchiveTables(const Capture& capture, ArchiveWriter& writer);

  // Strings, threads, kernel objects, in the order that every known reader accepts. `cpus` are
  // those whose pseudo-thread is needed, whether the target named it or not.
  void write_prologue(std::span<const uint16_t> cpus);

  // The archive's index of a target's string, 0 where it is empty; nothing until it is registered.
  std::optional<uint16_t> string(unsigned target_index) const {
    const uint16_t mapped = strings_[target_index & fxt::kMaxStringIndex];
    if (mapped == kUnregistered) return {};
    return mapped;
  }
  bool has_thread(uint8_t index) const { return threads_[index]; }

  // For references that the frames have no entry for: `string#N`, `thread#N`.
  void register_missing_string(unsigned target_index);
  void register_missing_thread(unsigned index);

  // A text of our own, registered if there is room.
  ArchiveText intern(std::string_view text);

  uint64_t mended_strings() const { return mended_strings_; }
  uint64_t cut_strings() const { return cut_strings_; }
  uint64_t nameless_strings() const { return nameless_strings_; }
  uint64_t nameless_threads() const { return nameless_threads_; }

 private:
  static constexpr uint16_t kUnregistered = 0xffff;

  void write_thread_entries();
  void write_kernel_objects(std::span<const uint16_t> cpus);
  void write_process(uint64_t koid, std::string_view name);
  void write_thread(uint64_t koid, uint64_t process, std::string_view name);
  std::optional<uint16_t> register_text(std::string_view text);
  // The text itself, or a copy without what is not UTF-8.
  std::string_view mended(std::string_view text);

  const Capture& capture_;
  ArchiveWriter& writer_;
  std::vector<uint16_t> strings_;
  std::array<bool, fxt::kMaxThreadIndex + 1> threads_{};
  std::unordered_map<std::string_view, uint16_t> by_content_;
  unsigned next_string_ = 1;
  bool named_unknown_process_ = false;
  std::string mended_text_;
  uint64_t mended_strings_ = 0;
  uint64_t cut_strings_ = 0;
  uint64_t nameless_strings_ = 0;
  uint64_t nameless_threads_ = 0;
};

}  // namespace barefxt::host
