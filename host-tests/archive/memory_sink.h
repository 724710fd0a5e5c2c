// Collects archives for tests.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <barefxt/host/archive_writer.h>

namespace barefxt::test {

class MemorySink final : public host::ByteSink {
 public:
  host::Status write(std::span<const uint8_t> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return {};
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// Looks at nothing and keeps nothing.
class CountingSink final : public host::ByteSink {
 public:
  host::Status write(std::span<const uint8_t> bytes) override {
    count_ += bytes.size();
    return {};
  }
  uint64_t count() const { return count_; }

 private:
  uint64_t count_ = 0;
};

}  // namespace barefxt::test
