// "Profiler record" (record type 10).

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/fxt/profiler.h>
#include <barefxt/records.h>

#include "cut_text.h"
#include "record_writer.h"

using namespace barefxt;

extern "C" {

void barefxt_profiler_module(const barefxt_thread* thread, uint16_t module, const char* name,
                             size_t name_bytes, const void* build_id, size_t build_id_bytes) {
  using fxt::ProfilerModule;
  constexpr auto kMaxName = static_cast<uint32_t>(ProfilerModule::NameBytes::kMax);
  constexpr auto kMaxBuildId = static_cast<size_t>(ProfilerModule::BuildIdBytes::kMax);
  const uint32_t kept = cut_text(name, name_bytes, kMaxName);
  if (build_id_bytes > kMaxBuildId) {
    build_id_bytes = kMaxBuildId;
    count_cut();
  }
  RecordWriter record;
  if (!record.reserve(words_to_bytes(ProfilerModule::kFixedWords) + stream_bytes(kept) +
                          stream_bytes(build_id_bytes),
                      thread))
    return;
  record.word(record.ticks());
  record.koids();
  record.stream(name, kept);
  record.stream(build_id, build_id_bytes);
  record.commit(ProfilerModule::make(record.words(), fxt::ProfilerType::kModule, record.thread()) |
                ProfilerModule::ModuleId::of(module) | ProfilerModule::NameBytes::of(kept) |
                ProfilerModule::BuildIdBytes::of(build_id_bytes));
}

void barefxt_profiler_mmap(const barefxt_thread* thread, uint16_t module, uint8_t flags,
                           uint64_t start, uint64_t range, uint64_t vaddr) {
  using fxt::ProfilerMmap;
  RecordWriter record;
  if (!record.reserve(words_to_bytes(ProfilerMmap::kFixedWords + 3), thread)) return;
  record.word(record.ticks());
  record.koids();
  record.word(start);
  record.word(range);
  record.word(vaddr);
  record.commit(ProfilerMmap::make(record.words(), fxt::ProfilerType::kMmap, record.thread()) |
                ProfilerMmap::ModuleId::of(module) | ProfilerMmap::Flags::of(flags));
}

void barefxt_profiler_backtrace(const barefxt_thread* thread, const uintptr_t* frames,
                                size_t count) {
  using fxt::ProfilerBacktrace;
  constexpr auto kMaxFrames = static_cast<size_t>(ProfilerBacktrace::FrameCount::kMax);
  if (count > kMaxFrames) {
    count = kMaxFrames;
    count_cut();
  }
  RecordWriter record;
  if (!record.reserve(words_to_bytes(ProfilerBacktrace::kFixedWords + count), thread)) return;
  record.word(record.ticks());
  record.koids();
  for (size_t i = 0; i < count; ++i) record.word(frames[i]);
  record.commit(
      ProfilerBacktrace::make(record.words(), fxt::ProfilerType::kBacktrace, record.thread()) |
      ProfilerBacktrace::FrameCount::of(count));
}

}  // extern "C"

#endif
