// An array that may grow beyond memory: small, it is ordinary memory; larger, it is a mapped
// temporary file without a name, which the system pages out as it likes.
//
// Invariants: the temporary file's blocks are reserved before they are mapped, so that a full disk
// is an Error and never a signal; elements are plain data. Growing moves them: keep indices, not
// pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <barefxt/host/status.h>

namespace barefxt::host {

class SpooledBytes {
 public:
  static constexpr size_t kInMemoryBytes = size_t{4} << 20;

  // `in_memory_bytes`: the most that is ordinary memory.
  explicit SpooledBytes(size_t in_memory_bytes = kInMemoryBytes)
      : in_memory_bytes_(in_memory_bytes) {}
  ~SpooledBytes();
  SpooledBytes(const SpooledBytes&) = delete;
  SpooledBytes& operator=(const SpooledBytes&) = delete;

  // Room for `bytes` more at data() + size(), which grow() then takes into use.
  bool has_room(size_t bytes) const { return bytes <= capacity_ - size_; }
  Status reserve(size_t bytes);
  void grow(size_t bytes) { size_ += bytes; }
  void clear() { size_ = 0; }

  // Gives the memory of a temporary file's pages back; they return when they are touched.
  void release_memory() const;
  // Clears it, and gives back ordinary memory beyond the first pages.
  void clear_and_release();

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  size_t in_memory_bytes_;
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
  int file_ = -1;
};

// Bytes that are read when all are there, in memory or in a temporary file as well. They are
// written to the file: pages that a program touches for the first time take a fault each.
class SpooledStream {
 public:
  explicit SpooledStream(size_t in_memory_bytes = SpooledBytes::kInMemoryBytes)
      : in_memory_bytes_(in_memory_bytes), recent_(in_memory_bytes) {}
  ~SpooledStream();
  SpooledStream(const SpooledStream&) = delete;
  SpooledStream& operator=(const SpooledStream&) = delete;

  Status append(std::span<const uint8_t> bytes);
  // All bytes appended so far are at data(), until the next append().
  Status finish();

  // As SpooledBytes.
  void release_memory() const;

  const uint8_t* data() const { return data_; }
  size_t size() const { return written_ + recent_.size(); }

 private:
  Status write_recent();
  void unmap();

  size_t in_memory_bytes_;
  SpooledBytes recent_;  // not in the file yet
  size_t written_ = 0;
  int file_ = -1;
  const uint8_t* data_ = nullptr;
  size_t mapped_ = 0;
};

template <typename T>
class SpooledArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Status push_back(const T& value) {
    if (!bytes_.has_room(sizeof(T)))
      if (Status status = bytes_.reserve(sizeof(T)); !status.ok()) return status;
    *reinterpret_cast<T*>(bytes_.data() + bytes_.size()) = value;
    bytes_.grow(sizeof(T));
    return {};
  }
  std::span<T> all() { return {reinterpret_cast<T*>(bytes_.data()), size()}; }
  std::span<const T> all() const { return {reinterpret_cast<const T*>(bytes_.data()), size()}; }
  size_t size() const { return bytes_.size() / sizeof(T); }
  void clear() { bytes_.clear(); }
  void release_memory() const { bytes_.release_memory(); }

 private:
  SpooledBytes bytes_;
};

}  // namespace barefxt::host
