// Inputs of every kind and damaged copies of them, from a seed.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "rebuild/capture_builder.h"

namespace barefxt::test {

enum class InputKind : uint8_t {
  kCapture,
  kMemory,  // a core file
  kImage,   // bytes of a memory that lack the names
  kNames,   // the program of that image
  kArchive,
  kLog,
  kProgram,
  kBudget,
  kInterrupts,       // a list of names
  kInterruptVectors  // a program with a table of them
};

// Bytes from `begin` up to `end`.
struct Stretch {
  size_t begin = 0;
  size_t end = 0;
};

struct SoundInput {
  InputKind kind;
  std::string name;
  Bytes bytes;
  // The segments of a memory: records have no checksums there.
  Stretch records = {};
};

// Captures and memories of targets, archives, FDR logs, programs, a budget, names of interrupts.
std::vector<SoundInput> sound_inputs();
// The base address of the RAM image of sound_inputs().
inline constexpr uint64_t kImageBase = 0x21000000;

// Returns a copy with one to eight places flipped, overwritten, zeroed, cut out, doubled or
// inserted, or cut short. No place lies in `spared`, which may move.
Bytes damaged(const Bytes& sound, std::mt19937_64& random, Stretch spared = {});

// Packs, or returns what a gzip file unpacks to.
Bytes packed_by_gzip(const Bytes& bytes);
Bytes packed_by_zstd(const Bytes& bytes);
Bytes unpacked_bytes(const std::string& path);

}  // namespace barefxt::test
