// Rebuilds captures and images of memory, for tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/rebuild.h>

#include "capture_builder.h"
#include "reader/plain_decoder.h"

namespace barefxt::test {

struct Rebuilt {
  host::RebuildVerdict verdict = host::RebuildVerdict::kNothing;
  Bytes archive;
  std::string messages;  // all lines

  bool reports(const std::string& text) const { return messages.find(text) != std::string::npos; }
};

// `step` bytes at a time, 0 for all at once.
Rebuilt rebuild(const std::vector<Bytes>& inputs, size_t step = 0,
                host::ByteOrder order = host::ByteOrder::kLittle,
                host::LogPackets packets = host::LogPackets::kNone);
inline Rebuilt rebuild(const Bytes& input) { return rebuild(std::vector<Bytes>{input}); }

// A part of an image: an ELF core, or with a base bytes as they are.
struct MemoryFile {
  Bytes bytes;
  std::optional<uint64_t> base;
};

// All files are one memory. `program` is an ELF file, or empty.
Rebuilt rebuild_memory(const std::vector<MemoryFile>& files, const Bytes& program = {});

// Expects an archive that Perfetto and every other reader accepts, for any input.
void expect_sound(const Rebuilt& rebuilt);

// The first arguments of all instant events, in the archive's order (their names may be lost).
std::vector<uint64_t> numbers(const PlainArchive& archive);

}  // namespace barefxt::test
