// Inputs of every kind and damaged copies of them, from a seed.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "capture_builder.h"

namespace barefxt::test {

enum class InputKind : std::uint8_t { kCapture, kMemory, kArchive, kLog, kProgram, kBudget };

struct SoundInput {
  InputKind kind;
  std::string name;
  Bytes bytes;
};

// Captures and core files of targets, archives, FDR logs, a program, a budget.
std::vector<SoundInput> sound_inputs();

// Returns a copy with one to eight places flipped, overwritten, zeroed, cut out, doubled or
// inserted, or cut short.
Bytes damaged(const Bytes& sound, std::mt19937_64& random);

// Packs by gzip, or returns what a gzip file unpacks to.
Bytes packed_by_gzip(const Bytes& bytes);
Bytes unpacked_bytes(const std::string& path);

}  // namespace barefxt::test
