// Takes coded records (wire/record_code.h) back to words.
//
// Invariants: what a coder made of any words becomes these words; anything else becomes some words
// or is refused, and there are never more than four words for each byte of the code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <barefxt/host/words.h>
#include <barefxt/wire/record_code.h>

namespace barefxt::host {

class RecordDecoder {
 public:
  // `cpu`: that of the frame.
  RecordDecoder(std::span<const uint8_t> code, uint32_t cpu) : code_(code) { model_.begin(cpu); }

  // A number ahead of the records; nothing where the code ends in the middle.
  std::optional<uint64_t> number() { return word(0); }

  // The words up to the code's end, into `words`. False where the code is no code.
  bool records(std::vector<uint64_t>& words);

 private:
  // Call it where a record or a word would begin.
  bool is_at_end() const;
  std::optional<uint32_t> bits(unsigned count);
  std::optional<uint64_t> word(uint64_t guess);
  // That of the next record, which the model has entered then.
  std::optional<uint64_t> header();
  std::optional<uint64_t> new_header(unsigned number);
  std::optional<uint64_t> switch_of(unsigned kind);
  std::optional<uint32_t> thread();
  std::optional<uint64_t> time();

  std::span<const uint8_t> code_;
  size_t at_ = 0;  // a bit
  wire::RecordModel model_;
};

// The payload of a frame with coded records, as that of one with raw ones, whose words have this
// byte order. In the former code too. False where it is none.
[[nodiscard]] bool uncode_records(std::span<const uint8_t> coded, ByteOrder order,
                                  std::vector<uint8_t>& raw);

}  // namespace barefxt::host
