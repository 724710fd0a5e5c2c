// One provider of an archive: its tables, and a reference for any text and any thread.
//
// A text or thread is registered when it is first asked for. A full table replaces the entry whose
// last use lies furthest back, so that there is a reference for everything, however much there is.
//
// Invariants:
//  - Every returned reference is registered, and stays valid until the record that it
//    was requested for is written. A record names 32 texts and 2 threads at most; the tables always
//    hold more than that, and never replace the entries used last.
//  - All that is registered is UTF-8 and no longer than the format's 32000 bytes.
//  - Memory is bounded, by the number of entries and by the bytes of their texts.
//  - Registering writes a record. So ask for all references of a record before writing it, and
//    write it through records(), which sees to it that the provider's section is the current one.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <barefxt/host/archive_writer.h>

namespace barefxt::host {

// Koids for what a trace refers to and never names; they lie above what a kernel counts up to.
inline constexpr uint64_t kUnknownThreadsProcess = 0x7d000000;  // thread N: this plus N
// The runtime takes the same for the pseudo-threads on which its CPUs' interrupts are recorded.
inline constexpr uint64_t kCpusProcess = 0x7e000000;
inline constexpr uint64_t kFirstCpuThread = 0x7f000000;  // cpu N: this plus N

constexpr bool is_unknown_thread(uint64_t koid) {
  return koid >= kUnknownThreadsProcess && koid < kCpusProcess;
}

// The numbers 1 to N in the order of their last use.
class UseOrder {
 public:
  void add(uint16_t number);  // as the one used last
  void use(uint16_t number);
  void remove(uint16_t number);
  uint16_t longest_unused() const { return links_[0].before; }

 private:
  struct Link {
    uint16_t before;
    uint16_t after;
  };
  // A ring through entry 0, which stands for no number.
  std::vector<Link> links_{{0, 0}};
};

// Less than the format allows, for tests; never less than a record needs.
struct ArchiveTableLimits {
  unsigned strings = fxt::kMaxStringIndex;
  unsigned threads = fxt::kMaxThreadIndex;
  size_t text_bytes = size_t{4} << 20;
};

class ArchiveProvider {
 public:
  // Declares the provider: its info record starts its tables anew in every reader.
  ArchiveProvider(ArchiveWriter& writer, uint32_t id, std::string_view name,
                  ArchiveTableLimits limits = {});
  // For records ahead of any provider.
  explicit ArchiveProvider(ArchiveWriter& writer, ArchiveTableLimits limits = {});

  // References as a record's, registered where they are not.
  ArchiveText text(std::string_view text);
  ArchiveThread thread(uint64_t process, uint64_t thread);

  // Registers what a later record is likely to ask for, if there is room without replacing: so a
  // prologue stays together. Once the table was full for the first time, nothing is announced.
  void announce(std::string_view text);
  void announce(uint64_t process, uint64_t thread);

  // A thread that was never registered under this index, as koids that have names: kernel objects
  // `thread#N` in a process `unknown threads`, written when they are first asked for.
  ArchiveThread name_unknown_thread(unsigned index);

  // The text itself, or a copy of it that is UTF-8 and short enough and lives until the next call.
  std::string_view repaired(std::string_view text);

  // The writer, switched to this provider's section.
  ArchiveWriter& records();

  // Forgets all references, which gives the memory back: they are registered again when asked for.
  void forget();
  // Memory of the tables, roughly.
  size_t memory() const { return text_bytes_ + kEntryBytes * (texts_.size() + threads_.size()); }

  // How often an entry was replaced: until it is, references handed out earlier stay good.
  uint64_t replacements() const { return replacements_; }
  uint64_t repaired_texts() const { return repaired_texts_; }
  uint64_t cut_texts() const { return cut_texts_; }

 private:
  static constexpr size_t kEntryBytes = 128;  // in the table, its map and its order
  struct Koids {
    uint64_t process;
    uint64_t thread;
    bool operator==(const Koids&) const = default;
  };
  struct KoidsHash {
    size_t operator()(const Koids& koids) const {
      return std::hash<uint64_t>()(koids.process * 0x9e3779b97f4a7c15u ^ koids.thread);
    }
  };

  std::string_view clean(std::string_view text);
  uint16_t register_text(std::string_view text);
  void drop_longest_unused_text();
  uint8_t register_thread(const Koids& koids);

  ArchiveWriter& writer_;
  std::optional<uint32_t> id_;
  ArchiveTableLimits limits_;

  std::deque<std::string> texts_;  // by index; the views in the map are into these
  std::unordered_map<std::string_view, uint16_t> text_indices_;
  std::vector<uint16_t> free_texts_;
  UseOrder text_uses_;
  size_t text_bytes_ = 0;
  bool announcing_texts_ = true;

  std::vector<Koids> threads_;  // by index
  std::unordered_map<Koids, uint8_t, KoidsHash> thread_indices_;
  UseOrder thread_uses_;
  bool announcing_threads_ = true;
  std::vector<bool> named_unknown_threads_;

  std::string repaired_text_;
  bool was_repaired_ = false;
  bool was_cut_ = false;
  uint64_t replacements_ = 0;
  uint64_t repaired_texts_ = 0;
  uint64_t cut_texts_ = 0;
};

}  // namespace barefxt::host
