// The former code of records, in frames of the versions 2 and 6. docs/reference/former-code.md is
// this file in prose, with a worked example.
//
// Invariants: as of RecordDecoder. A reader's variables change as those of the sender did.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace barefxt::host {

class FormerDecoder {
 public:
  explicit FormerDecoder(std::span<const uint8_t> code) : left_(code) {}

  // A number ahead of the records; nothing where the code ends in the middle.
  std::optional<uint64_t> number() { return word(0); }

  // The words up to the code's end, into `words`. False where the code is no code.
  bool records(std::vector<uint64_t>& words);

 private:
  static constexpr unsigned kSlots = 40;
  static constexpr unsigned kWords = 64;
  static constexpr unsigned kPriorities = 64;
  static constexpr unsigned kNewHeaders = 4;

  std::optional<uint64_t> bytes(unsigned count);
  std::optional<uint64_t> word(uint64_t guess);
  std::optional<uint64_t> header(unsigned token);
  std::optional<uint64_t> time(unsigned form);
  std::optional<uint64_t> switch_of(unsigned kind);
  uint64_t swapped(uint64_t header) const;
  void enter(uint64_t header, unsigned slot);

  std::span<const uint8_t> left_;
  uint64_t thread_ = 0;  // that runs
  uint64_t cpu_in_place_ = 0;
  unsigned next_slot_ = 0;
  unsigned slot_ = 0;  // of this record's header
  uint64_t time_ = 0;
  std::array<uint8_t, kPriorities> priorities_{};
  std::array<uint64_t, kNewHeaders> newest_{};
  std::array<uint64_t, kSlots> headers_{};
  std::array<uint64_t, kWords> words_{};
};

}  // namespace barefxt::host
