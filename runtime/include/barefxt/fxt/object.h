// "Userspace object record" (record type 6) and "Kernel object record" (record type 7): names and
// properties of what pointer and koid arguments refer to, processes and threads among them.
#pragma once

#include <barefxt/fxt/record.h>
#include <barefxt/fxt/reference.h>

namespace barefxt::fxt {

// Header, pointer, [process koid], [name stream], arguments.
struct UserspaceObject : RecordHeader {
  using Process = Field<16, 23>;  // thread ref; only its process counts
  using Name = Field<24, 39>;     // string ref
  using ArgumentCount = Field<40, 43>;
  using MustBeZero = Reserved<44, 63>;

  static constexpr Word make(size_t words, ThreadRef process, StringRef name, size_t arguments) {
    return RecordHeader::make(RecordType::kUserspaceObject, words) | Process::of(process.value) |
           Name::of(name.value) | ArgumentCount::of(arguments);
  }
};

// The ZX_OBJ_TYPE_ constants that readers give a meaning to.
enum class KernelObjectType : uint8_t {
  kProcess = 1,
  kThread = 2,
};

// Header, koid, [name stream], arguments. A thread's argument "process" is the koid of its process.
struct KernelObject : RecordHeader {
  using ObjectType = Field<16, 23>;
  using Name = Field<24, 39>;  // string ref
  using ArgumentCount = Field<40, 43>;
  using MustBeZero = Reserved<44, 63>;

  static constexpr Word make(size_t words, KernelObjectType type, StringRef name,
                             size_t arguments) {
    return RecordHeader::make(RecordType::kKernelObject, words) |
           ObjectType::of(static_cast<Word>(type)) | Name::of(name.value) |
           ArgumentCount::of(arguments);
  }
};

}  // namespace barefxt::fxt
