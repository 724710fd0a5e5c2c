#include "archive_tables.h"

#include <algorithm>
#include <string>

#include <barefxt/host/utf8.h>
#include <barefxt/wire/frame.h>

namespace barefxt::host {
namespace {

bool is(const ThreadFacts& entry, wire::ThreadsEntryKind kind) {
  return entry.kind == static_cast<uint8_t>(kind);
}

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

ArchiveTables::ArchiveTables(const Capture& capture, ArchiveWriter& writer)
    : capture_(capture), writer_(writer), strings_(fxt::kMaxStringIndex + 1, kUnregistered) {
  strings_[0] = 0;
}

std::string_view ArchiveTables::mended(std::string_view text) {
  if (is_utf8(bytes_of(text))) return text;
  mended_text_ = text;
  mend_utf8({reinterpret_cast<uint8_t*>(mended_text_.data()), mended_text_.size()});
  ++mended_strings_;
  return mended_text_;
}

std::optional<uint16_t> ArchiveTables::register_text(std::string_view text) {
  if (text.empty()) return uint16_t{0};
  const auto known = by_content_.find(text);
  if (known != by_content_.end()) return known->second;
  if (next_string_ > fxt::kMaxStringIndex) return {};
  const auto index = static_cast<uint16_t>(next_string_++);
  writer_.string(index, mended(text));
  if (text.size() > fxt::kMaxStringBytes) ++cut_strings_;
  by_content_.emplace(text, index);
  return index;
}

ArchiveText ArchiveTables::intern(std::string_view text) {
  const std::optional<uint16_t> index = register_text(text);
  return index ? ArchiveText::indexed(*index) : ArchiveText::spelled_out(text);
}

void ArchiveTables::register_missing_string(unsigned target_index) {
  ++nameless_strings_;
  strings_[target_index] = 0;  // should the table be full, which takes 32767 other strings
  if (next_string_ > fxt::kMaxStringIndex) return;
  const auto index = static_cast<uint16_t>(next_string_++);
  writer_.string(index, "string#" + std::to_string(target_index));
  strings_[target_index] = index;
}

void ArchiveTables::register_missing_thread(unsigned index) {
  ++nameless_threads_;
  threads_[index] = true;
  if (!named_unknown_process_) write_process(kUnknownThreadsProcess, "unknown threads");
  named_unknown_process_ = true;
  const uint64_t koid = kUnknownThreadsProcess + index;
  write_thread(koid, kUnknownThreadsProcess, "thread#" + std::to_string(index));
  writer_.thread(index, kUnknownThreadsProcess, koid);
}

void ArchiveTables::write_process(uint64_t koid, std::string_view name) {
  // A name of 255 bytes at most always fits.
  (void)writer_.kernel_object(koid, fxt::KernelObjectType::kProcess,
                              ArchiveText::spelled_out(mended(name)), {});
}

void ArchiveTables::write_thread(uint64_t koid, uint64_t process, std::string_view name) {
  const ArchiveArgument argument = ArchiveArgument::koid(intern("process"), process);
  (void)writer_.kernel_object(koid, fxt::KernelObjectType::kThread,
                              ArchiveText::spelled_out(mended(name)), {&argument, 1});
}

void ArchiveTables::write_thread_entries() {
  for (const ThreadFacts& entry : capture_.threads()) {
    if (entry.kind == 0 || entry.index == 0) continue;
    const bool is_process = is(entry, wire::ThreadsEntryKind::kProcess);
    writer_.thread(entry.index, is_process ? entry.koid : entry.process, entry.koid);
    threads_[entry.index] = true;
  }
}

void ArchiveTables::write_kernel_objects(std::span<const uint16_t> cpus) {
  const std::span<const ThreadFacts> entries = capture_.threads();
  const auto has_koid = [&](uint64_t koid) {
    return std::any_of(entries.begin(), entries.end(), [&](const ThreadFacts& entry) {
      return entry.kind != 0 && entry.koid == koid;
    });
  };
  for (const ThreadFacts& entry : entries)
    if (is(entry, wire::ThreadsEntryKind::kProcess)) write_process(entry.koid, entry.name);
  // The target's own table may name the CPUs' threads, and their process nowhere.
  const bool has_cpus =
      !cpus.empty() || std::any_of(entries.begin(), entries.end(), [](const ThreadFacts& entry) {
        return entry.kind != 0 && entry.process == kCpusProcess;
      });
  if (has_cpus && !has_koid(kCpusProcess)) write_process(kCpusProcess, "cpus");

  for (const ThreadFacts& entry : entries)
    if (entry.kind != 0 && !is(entry, wire::ThreadsEntryKind::kProcess))
      write_thread(entry.koid, entry.process, entry.name);
  for (const uint16_t cpu : cpus)
    if (!has_koid(kFirstCpuThread + cpu))
      write_thread(kFirstCpuThread + cpu, kCpusProcess, "cpu-" + std::to_string(cpu));
}

void ArchiveTables::write_prologue(std::span<const uint16_t> cpus) {
  for (unsigned i = 1; i <= capture_.max_string_index(); ++i)
    if (const std::optional<std::string_view> text = capture_.string(i))
      strings_[i] = register_text(*text).value_or(0);
  // Ours, ahead of what uses them.
  if (!capture_.threads().empty() || !cpus.empty()) intern("process");
  if (!cpus.empty())
    for (const char* text : {"barefxt", "drop_stats", "records", "bytes", "where", "ring", "line"})
      intern(text);
  write_thread_entries();
  write_kernel_objects(cpus);
}

}  // namespace barefxt::host
