// Takes coded records (wire/record_code.h) back to words.
//
// Invariants: what a coder made of any words becomes these words; anything else becomes some words
// or is refused, and there are never more words than the code has bytes.
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
  explicit RecordDecoder(std::span<const uint8_t> code) : left_(code) { model_.begin(); }

  // A number ahead of the records; nothing where the code ends in the middle.
  std::optional<uint64_t> number() { return word(0); }

  // The words up to the code's end, into `words`. False where the code is no code.
  bool records(std::vector<uint64_t>& words);

 private:
  std::optional<uint64_t> bytes(unsigned count);
  std::optional<uint64_t> word(uint64_t guess);
  std::optional<uint64_t> header(unsigned token);
  std::optional<uint64_t> time(unsigned form);

  std::span<const uint8_t> left_;
  wire::RecordModel model_;
};

// The payload of a frame with coded records, as that of one with raw ones, whose words have this
// byte order. False where it is none.
[[nodiscard]] bool uncode_records(std::span<const uint8_t> coded, ByteOrder order,
                                  std::vector<uint8_t>& raw);

}  // namespace barefxt::host
