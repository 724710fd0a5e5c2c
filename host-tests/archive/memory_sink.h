// Tests write archives here.
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <barefxt/host/archive_writer.h>

namespace barefxt::test {

class MemorySink : public host::ByteSink {
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

// Writes to a file, where the test's own memory would count as that of what it measures.
class FileSink final : public host::ByteSink {
 public:
  explicit FileSink(const std::string& path) : file_(path, std::ios::binary) {}
  host::Status write(std::span<const uint8_t> bytes) override {
    file_.write(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
    return {};
  }

 private:
  std::ofstream file_;
};

}  // namespace barefxt::test
