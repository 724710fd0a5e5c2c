// Data in a temporary file without a name: written from front to back, and read stretch by stretch,
// each from its beginning to its end.
//
// Invariants: memory is the buffers' and no more. The file is not mapped, since a system counts the
// cached pages of a mapped file as the process's memory. A full disk is an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <barefxt/host/status.h>

namespace barefxt::host {

class SpillFile {
 public:
  SpillFile() = default;
  ~SpillFile();
  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&& other) noexcept;
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  Status append(std::span<const uint8_t> bytes);
  // Makes all appended bytes readable.
  Status flush();
  // All of `bytes`, which begin at `offset`.
  Status read(uint64_t offset, std::span<uint8_t> bytes) const;
  uint64_t size() const { return written_ + pending_.size(); }

 private:
  static constexpr size_t kBufferBytes = size_t{1} << 18;

  int file_ = -1;
  uint64_t written_ = 0;
  std::vector<uint8_t> pending_;
};

// Walks through a stretch of a file.
class SpillReader {
 public:
  SpillReader(const SpillFile& file, uint64_t begin, uint64_t end, size_t buffer_bytes)
      : file_(&file), at_(begin), end_(end), buffer_bytes_(buffer_bytes) {}

  bool at_end() const { return first_ == buffer_.size() && at_ == end_; }
  // The next `bytes` bytes, which must exist; they stay until the next call.
  Status next(size_t bytes, const uint8_t*& where);

 private:
  const SpillFile* file_;
  uint64_t at_;  // of what is not in the buffer yet
  uint64_t end_;
  size_t buffer_bytes_;  // of what is read at once
  size_t first_ = 0;     // of the buffer's that is not taken yet
  std::vector<uint8_t> buffer_;
};

}  // namespace barefxt::host
