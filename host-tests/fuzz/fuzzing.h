// Shared by fuzz targets: how one is registered, and how it reports a failure.
//
// All of them are in one executable (fuzzers.cpp), since compiling each against the library and
// linking it took a third of the sanitized build. The executable is the target that it is called
// as.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace barefxt::test {

// A target: at most one per file, with static storage.
class Fuzzer {
 public:
  using TryInput = void (*)(const uint8_t* data, size_t size);

  Fuzzer(const char* name, TryInput try_input);
};

// Ends the process where the complaint is not empty; libFuzzer then keeps the input.
inline void die_of(const std::string& complaint) {
  if (complaint.empty()) return;
  std::fprintf(stderr, "fuzzing: %s\n", complaint.c_str());
  std::abort();
}

// Takes its numbers from the input, then zeros.
class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  bool empty() const { return at_ >= size_; }
  uint64_t byte() { return empty() ? 0 : data_[at_++]; }
  uint64_t number(unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= byte() << 8 * i;
    return value;
  }
  // Returns `count` bytes, or fewer at the end of the input.
  std::vector<uint8_t> take(size_t count) {
    const size_t end = count < size_ - at_ ? at_ + count : size_;
    std::vector<uint8_t> taken(data_ + at_, data_ + end);
    at_ = end;
    return taken;
  }
  std::vector<uint8_t> rest() { return take(size_ - at_); }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

}  // namespace barefxt::test
