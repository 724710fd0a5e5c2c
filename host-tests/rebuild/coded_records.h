// Words to their code and back, by the coder of the target and the decoder of the host; frames with
// raw records as such with coded ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <barefxt/wire/record_coder.h>

#include "capture_builder.h"
#include "rebuild/record_decoder.h"

namespace barefxt::test {

struct CodeSink {
  Bytes bytes;
  void u8(uint8_t byte) { bytes.push_back(byte); }
};
using Coder = wire::RecordCoder<CodeSink>;

// As in a frame of CPU 0.
Bytes code_of(const Words& words);
std::optional<Words> words_of(const Bytes& code);

// Frames of version 1, header and CRC included: those with records coded, the others as they are.
std::vector<Bytes> coded(std::vector<Bytes> frames);

}  // namespace barefxt::test
