#include "archive_tables.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_set>

#include <barefxt/wire/frame.h>

namespace barefxt::host {
namespace {

bool is(const ThreadFacts& entry, wire::ThreadsEntryKind kind) {
  return entry.kind == static_cast<uint8_t>(kind);
}
bool is_thread(const ThreadFacts& entry) {
  return wire::is_thread(static_cast<wire::ThreadsEntryKind>(entry.kind));
}

}  // namespace

ArchiveTables::ArchiveTables(const CaptureContent& capture, const FormerOwners& owners,
                             ArchiveProvider& provider)
    : capture_(capture),
      provider_(provider),
      strings_(fxt::kMaxStringIndex + 1, kUnregistered),
      nameless_(fxt::kMaxStringIndex + 1),
      owners_(owners),
      replacements_(provider.replacements()) {
  strings_[0] = 0;
}

void ArchiveTables::map_string(unsigned target_index, std::string_view text) {
  const ArchiveText registered = provider_.text(text);
  if (replacements_ != provider_.replacements()) {
    std::fill(strings_.begin() + 1, strings_.end(), kUnregistered);
    replacements_ = provider_.replacements();
  }
  strings_[target_index] = registered.ref().value;
}

void ArchiveTables::register_missing_string(unsigned target_index) {
  if (const std::optional<std::string_view> text = capture_.string(target_index)) {
    map_string(target_index, *text);
    return;
  }
  if (!nameless_[target_index]) ++nameless_strings_;
  nameless_[target_index] = true;
  map_string(target_index, formatted("string#{}", target_index));
}

void ArchiveTables::register_missing_thread(unsigned index) {
  ++(owners_.have_changed ? forgotten_threads_ : nameless_threads_);
  const ArchiveThread unknown = provider_.name_unknown_thread(index);
  threads_[index] = unknown.thread;
  provider_.records().thread(index, unknown.process, unknown.thread);
}

void ArchiveTables::write_process(uint64_t koid, std::string_view name) {
  // A name of 255 bytes at most always fits.
  (void)provider_.records().kernel_object(koid, fxt::KernelObjectType::kProcess,
                                          ArchiveText::spelled_out(provider_.repaired(name)), {});
}

void ArchiveTables::write_thread(uint64_t koid, uint64_t process, std::string_view name) {
  const ArchiveArgument argument = ArchiveArgument::koid(intern("process"), process);
  (void)provider_.records().kernel_object(koid, fxt::KernelObjectType::kThread,
                                          ArchiveText::spelled_out(provider_.repaired(name)),
                                          {&argument, 1});
}

void ArchiveTables::write_object(uint64_t koid, uint32_t type, std::string_view name) {
  (void)provider_.records().kernel_object(koid, static_cast<fxt::KernelObjectType>(type & 0xff),
                                          ArchiveText::spelled_out(provider_.repaired(name)), {});
}

void ArchiveTables::change_owner(const OwnerChange& change) {
  threads_[change.index].reset();
  if (change.is_known) threads_[change.index] = change.koid;
  if (change.is_known) provider_.records().thread(change.index, change.process, change.koid);
}

void ArchiveTables::write_thread_entries() { bring_threads_to(0); }

void ArchiveTables::write_kernel_objects(std::span<const uint16_t> cpus) {
  const std::span<const ThreadFacts> entries = capture_.threads();
  std::unordered_set<uint64_t> koids;
  for (const ThreadFacts& entry : entries)
    if (entry.kind != 0) koids.insert(entry.koid);
  const auto has_koid = [&](uint64_t koid) { return koids.contains(koid); };
  for (const ThreadFacts& entry : entries)
    if (is(entry, wire::ThreadsEntryKind::kProcess)) write_process(entry.koid, entry.name);
  // The target's own table may name the CPUs' threads, and their process nowhere.
  const bool has_cpus =
      !cpus.empty() || std::any_of(entries.begin(), entries.end(), [](const ThreadFacts& entry) {
        return entry.kind != 0 && entry.process == kCpusProcess;
      });
  if (has_cpus && !has_koid(kCpusProcess)) write_process(kCpusProcess, "cpus");
  for (const ThreadFacts& entry : entries)
    if (is(entry, wire::ThreadsEntryKind::kObject))
      write_object(entry.koid, entry.process, entry.name);

  for (const ThreadFacts& entry : entries)
    if (is_thread(entry)) write_thread(entry.koid, entry.process, entry.name);
  for (const uint16_t cpu : cpus)
    if (!has_koid(kFirstCpuThread + cpu))
      write_thread(kFirstCpuThread + cpu, kCpusProcess, formatted("cpu-{}", cpu));
}

void ArchiveTables::write_entry(const ThreadFacts& entry) {
  if (is(entry, wire::ThreadsEntryKind::kProcess))
    write_process(entry.koid, entry.name);
  else if (is(entry, wire::ThreadsEntryKind::kObject))
    write_object(entry.koid, entry.process, entry.name);
  else if (is_thread(entry))
    write_thread(entry.koid, entry.process, entry.name);
}

void ArchiveTables::write_new_names() {
  const std::span<const ThreadFacts> entries = capture_.threads();
  const size_t known = written_.size();
  written_.resize(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto key = [](const ThreadFacts& one) {
      return std::tuple(one.kind, one.koid, one.process, one.name);
    };
    if (i >= known || key(written_[i]) != key(entries[i])) write_entry(entries[i]);
    written_[i] = entries[i];
  }
}

void ArchiveTables::write_cpu(uint16_t cpu) {
  has_cpu_.resize(kMaxCpus);
  if (has_cpu_[cpu]) return;
  has_cpu_[cpu] = true;
  const std::span<const ThreadFacts> entries = capture_.threads();
  const auto has_koid = [&](uint64_t koid) {
    return std::any_of(entries.begin(), entries.end(), [&](const ThreadFacts& entry) {
      return entry.kind != 0 && entry.koid == koid;
    });
  };
  if (has_koid(kFirstCpuThread + cpu)) return;
  if (!std::exchange(has_cpus_, true) && !has_koid(kCpusProcess))
    write_process(kCpusProcess, "cpus");
  write_thread(kFirstCpuThread + cpu, kCpusProcess, formatted("cpu-{}", cpu));
}

void ArchiveTables::write_prologue(std::span<const uint16_t> cpus,
                                   std::span<const std::string> texts) {
  for (unsigned i = 1; i <= capture_.max_string_index(); ++i)
    if (const std::optional<std::string_view> text = capture_.string(i)) map_string(i, *text);
  // Ours, ahead of what uses them.
  if (!capture_.threads().empty() || !cpus.empty()) intern("process");
  if (!cpus.empty())
    for (const char* text : {"barefxt", "drop_stats", "records", "bytes", "where", "ring", "line"})
      intern(text);
  for (const std::string& text : texts) intern(text);
  write_thread_entries();
  write_kernel_objects(cpus);
}

void ArchiveTables::write_arriving_prologue() {
  write_prologue({}, {});
  written_.assign(capture_.threads().begin(), capture_.threads().end());
}

}  // namespace barefxt::host
