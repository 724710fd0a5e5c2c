// Large archives for measurements, and what a reader must find in them.
//
// Invariant: the sums come from what was meant to be written, counted while it is, so that a reader
// that skips something or resolves it wrongly does not get them right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace barefxt::test {

// The sums of a full walk, all modulo 2^64.
struct Sums {
  uint64_t records = 0;
  uint64_t arguments = 0;
  uint64_t text = 0;     // sizes
  uint64_t letters = 0;  // first bytes, so that another text of the same size changes them
  uint64_t koids = 0;
  uint64_t values = 0;
  uint64_t times = 0;

  bool operator==(const Sums&) const = default;
  Sums& operator+=(const Sums& more);

  void add_letter(std::string_view bytes) {
    if (!bytes.empty()) letters += static_cast<uint8_t>(bytes.front());
  }
  void add_text(std::string_view bytes) {
    text += bytes.size();
    add_letter(bytes);
  }
};

enum class Mix : uint8_t {
  kDemo,      // the demo kernel's records as they follow each other; all strings are indexed
  kShuffled,  // the same kinds, each independent of the one before
  kInline,    // events with their strings and threads inline, as a writer without tables has them
};

// Text and threads are registered in the prologue; bodies may follow each other without limit.
struct Sample {
  std::string prologue;
  std::string body;
  Sums of_prologue;
  Sums of_body;

  // The prologue and `bodies` bodies.
  std::string archive(size_t bodies) const;
  Sums sums(size_t bodies) const;
};

// A body of at least `body_bytes`, drawn at random; always the same draw.
Sample sample(Mix mix, size_t body_bytes);

}  // namespace barefxt::test
