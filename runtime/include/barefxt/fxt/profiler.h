// Record type 10, newer than the specification's revision of 2020: what a sampling profiler saw.
//
// Common start: header, timestamp, [process koid, thread koid].
#pragma once

#include <barefxt/fxt/record.h>
#include <barefxt/fxt/reference.h>

namespace barefxt::fxt {

enum class ProfilerType : uint8_t { kModule = 0, kMmap = 1, kBacktrace = 2 };

struct ProfilerHeader : RecordHeader {
  using Subtype = Field<16, 19>;
  using Thread = Field<20, 27>;  // thread ref
  static constexpr size_t kFixedWords = 2;

  static constexpr Word make(size_t words, ProfilerType subtype, ThreadRef thread) {
    return RecordHeader::make(RecordType::kProfiler, words) |
           Subtype::of(static_cast<Word>(subtype)) | Thread::of(thread.value);
  }
};

// Common start, name stream, build id stream.
struct ProfilerModule : ProfilerHeader {
  using ModuleId = Field<28, 43>;
  using NameBytes = Field<44, 51>;
  using BuildIdBytes = Field<52, 59>;
  using MustBeZero = Reserved<60, 63>;
};

// Common start, start address, range in bytes, virtual address within the module.
struct ProfilerMmap : ProfilerHeader {
  using ModuleId = Field<28, 43>;
  using Flags = Field<44, 46>;
  using MustBeZero = Reserved<47, 63>;
};

// Common start, then one word a frame.
struct ProfilerBacktrace : ProfilerHeader {
  using FrameCount = Field<28, 35>;
  using MustBeZero = Reserved<36, 63>;
};

}  // namespace barefxt::fxt
