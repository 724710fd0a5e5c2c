// The records that a trace consists of, field by field from the headers that the target shares.
#include <algorithm>

#include <barefxt/fxt/log.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/host/archive_writer.h>

#include "record_place.h"
#include "utf8.h"

namespace barefxt::host {
namespace {

size_t words_of(ArchiveArguments arguments) {
  size_t words = 0;
  for (const ArchiveArgument& argument : arguments) words += argument.words();
  return words;
}

bool fit(size_t words, ArchiveArguments arguments) {
  return words <= fxt::kMaxRecordWords && arguments.size() <= fxt::kMaxArguments;
}

fxt::ThreadRef ref_of(const ArchiveThread& thread) { return fxt::ThreadRef::index(thread.index); }

}  // namespace

bool ArchiveWriter::event(const ArchiveEvent& event, ArchiveArguments arguments) {
  const bool has_trailing_word = fxt::Event::has_trailing_word(event.type);
  const size_t words = fxt::Event::kFixedWords + host::words_of(event.thread) +
                       host::words_of(event.category) + host::words_of(event.name) +
                       words_of(arguments) + (has_trailing_word ? 1 : 0);
  if (!fit(words, arguments)) return false;
  RecordPlace place(open_record(words), order_);
  place.word(fxt::Event::make(event.type, words, arguments.size(), ref_of(event.thread),
                              event.category.ref(), event.name.ref()));
  place.word(event.timestamp);
  place.thread(event.thread);
  place.text(event.category);
  place.text(event.name);
  place.arguments(arguments);
  if (has_trailing_word) place.word(event.trailing_word);
  close_record(words);
  return true;
}

void ArchiveWriter::blob(ArchiveText name, fxt::BlobType type, std::string_view payload) {
  const size_t head_words = 1 + host::words_of(name);
  const size_t most =
      std::min(fxt::Blob::kMaxPayloadBytes, (fxt::kMaxRecordWords - head_words) * fxt::kWordBytes);
  do {
    const std::string_view chunk = payload.substr(0, most);
    payload.remove_prefix(chunk.size());
    const size_t words = head_words + fxt::words_for_bytes(chunk.size());
    RecordPlace place(open_record(words), order_);
    place.word(fxt::Blob::make(words, name.ref(), chunk.size(), type));
    place.text(name);
    place.stream(chunk);
    close_record(words);
  } while (!payload.empty());
}

bool ArchiveWriter::userspace_object(uint64_t pointer, const ArchiveThread& process,
                                     ArchiveText name, ArchiveArguments arguments) {
  const size_t words =
      2 + (process.index == 0 ? 1 : 0) + host::words_of(name) + words_of(arguments);
  if (!fit(words, arguments)) return false;
  RecordPlace place(open_record(words), order_);
  place.word(fxt::UserspaceObject::make(words, ref_of(process), name.ref(), arguments.size()));
  place.word(pointer);
  if (process.index == 0) place.word(process.process);
  place.text(name);
  place.arguments(arguments);
  close_record(words);
  return true;
}

bool ArchiveWriter::kernel_object(uint64_t koid, fxt::KernelObjectType type, ArchiveText name,
                                  ArchiveArguments arguments) {
  const size_t words = 2 + host::words_of(name) + words_of(arguments);
  if (!fit(words, arguments)) return false;
  RecordPlace place(open_record(words), order_);
  place.word(fxt::KernelObject::make(words, type, name.ref(), arguments.size()));
  place.word(koid);
  place.text(name);
  place.arguments(arguments);
  close_record(words);
  return true;
}

void ArchiveWriter::legacy_context_switch(const ArchiveLegacyContextSwitch& change) {
  const size_t words = fxt::LegacyContextSwitch::kFixedWords + host::words_of(change.outgoing) +
                       host::words_of(change.incoming);
  RecordPlace place(open_record(words), order_);
  place.word(fxt::LegacyContextSwitch::make(words, change.cpu, change.outgoing_state,
                                            ref_of(change.outgoing), ref_of(change.incoming),
                                            change.outgoing_priority, change.incoming_priority));
  place.word(change.timestamp);
  place.thread(change.outgoing);
  place.thread(change.incoming);
  close_record(words);
}

bool ArchiveWriter::context_switch(const ArchiveContextSwitch& change, ArchiveArguments arguments) {
  const size_t words = fxt::ContextSwitch::kFixedWords + words_of(arguments);
  if (!fit(words, arguments)) return false;
  RecordPlace place(open_record(words), order_);
  place.word(fxt::ContextSwitch::make(words, arguments.size(), change.cpu, change.outgoing_state));
  place.word(change.timestamp);
  place.word(change.outgoing);
  place.word(change.incoming);
  place.arguments(arguments);
  close_record(words);
  return true;
}

bool ArchiveWriter::thread_wakeup(const ArchiveThreadWakeup& wakeup, ArchiveArguments arguments) {
  const size_t words = fxt::ThreadWakeup::kFixedWords + words_of(arguments);
  if (!fit(words, arguments)) return false;
  RecordPlace place(open_record(words), order_);
  place.word(fxt::ThreadWakeup::make(words, arguments.size(), wakeup.cpu));
  place.word(wakeup.timestamp);
  place.word(wakeup.thread);
  place.arguments(arguments);
  close_record(words);
  return true;
}

void ArchiveWriter::log(uint64_t timestamp, const ArchiveThread& thread, std::string_view message) {
  const std::string_view kept = utf8_cut(message, fxt::kMaxStringBytes);
  const size_t words =
      fxt::Log::kFixedWords + host::words_of(thread) + fxt::words_for_bytes(kept.size());
  RecordPlace place(open_record(words), order_);
  place.word(fxt::Log::make(words, kept.size(), ref_of(thread)));
  place.word(timestamp);
  place.thread(thread);
  place.stream(kept);
  close_record(words);
}

bool ArchiveWriter::profiler_module(const ArchiveProfilerModule& module) {
  using Module = fxt::ProfilerModule;
  if (module.build_id.size() > Module::BuildIdBytes::kMax) return false;
  const std::string_view name = utf8_cut(module.name, Module::NameBytes::kMax);
  const size_t words = Module::kFixedWords + host::words_of(module.thread) +
                       fxt::words_for_bytes(name.size()) +
                       fxt::words_for_bytes(module.build_id.size());
  RecordPlace place(open_record(words), order_);
  place.word(Module::make(words, fxt::ProfilerType::kModule, ref_of(module.thread)) |
             Module::ModuleId::of(module.module) | Module::NameBytes::of(name.size()) |
             Module::BuildIdBytes::of(module.build_id.size()));
  place.word(module.timestamp);
  place.thread(module.thread);
  place.stream(name);
  place.stream(module.build_id);
  close_record(words);
  return true;
}

void ArchiveWriter::profiler_mmap(const ArchiveProfilerMmap& map) {
  using Mmap = fxt::ProfilerMmap;
  const size_t words = Mmap::kFixedWords + host::words_of(map.thread) + 3;
  RecordPlace place(open_record(words), order_);
  place.word(Mmap::make(words, fxt::ProfilerType::kMmap, ref_of(map.thread)) |
             Mmap::ModuleId::of(map.module) | Mmap::Flags::of(map.flags));
  place.word(map.timestamp);
  place.thread(map.thread);
  place.word(map.start);
  place.word(map.range);
  place.word(map.vaddr);
  close_record(words);
}

bool ArchiveWriter::profiler_backtrace(const ArchiveProfilerBacktrace& backtrace) {
  using Backtrace = fxt::ProfilerBacktrace;
  if (backtrace.frames.size() > Backtrace::FrameCount::kMax) return false;
  const size_t words =
      Backtrace::kFixedWords + host::words_of(backtrace.thread) + backtrace.frames.size();
  RecordPlace place(open_record(words), order_);
  place.word(Backtrace::make(words, fxt::ProfilerType::kBacktrace, ref_of(backtrace.thread)) |
             Backtrace::FrameCount::of(backtrace.frames.size()));
  place.word(backtrace.timestamp);
  place.thread(backtrace.thread);
  for (const uint64_t frame : backtrace.frames) place.word(frame);
  close_record(words);
  return true;
}

bool ArchiveWriter::open_large_blob(const ArchiveLargeBlob& blob, ArchiveArguments arguments,
                                    uint64_t payload_bytes) {
  using Large = fxt::LargeBlob;
  if (!blob.is_event) arguments = {};
  for (const ArchiveArgument& argument : arguments)
    if (argument.words() > kMaxArgumentWords) return false;
  // Header, format header, the payload's size.
  const size_t head_words = 3 + host::words_of(blob.category) + host::words_of(blob.name) +
                            (blob.is_event ? 1 + host::words_of(blob.thread) : 0) +
                            words_of(arguments);
  constexpr uint64_t kMaxWords = fxt::LargeRecordHeader::SizeWords::kMax;
  if (arguments.size() > fxt::kMaxArguments || payload_bytes > kMaxWords * fxt::kWordBytes)
    return false;
  const uint64_t payload_words = fxt::words_for_bytes(payload_bytes);
  if (head_words + payload_words > kMaxWords) return false;

  RecordPlace place(open_record(head_words), order_);
  place.word(Large::make(blob.is_event ? Large::kFormatEvent : Large::kFormatBare,
                         head_words + payload_words));
  fxt::Word format =
      Large::Category::of(blob.category.ref().value) | Large::Name::of(blob.name.ref().value);
  if (blob.is_event)
    format |= Large::ArgumentCount::of(arguments.size()) | Large::Thread::of(blob.thread.index);
  place.word(format);
  place.text(blob.category);
  place.text(blob.name);
  if (blob.is_event) {
    place.word(blob.timestamp);
    place.thread(blob.thread);
    place.arguments(arguments);
  }
  place.word(payload_bytes);
  close_record(head_words);
  payload_left_ = payload_bytes;
  payload_padding_ = static_cast<unsigned>(payload_words * fxt::kWordBytes - payload_bytes);
  return true;
}

bool ArchiveWriter::large_blob(const ArchiveLargeBlob& blob, ArchiveArguments arguments,
                               std::string_view payload) {
  if (!open_large_blob(blob, arguments, payload.size())) return false;
  large_blob_payload(payload);
  return true;
}

}  // namespace barefxt::host
