// The bytes of any input. Files are mapped. Anything else (a pipe, a device, standard input) is
// spooled to a temporary file without a name, which is mapped. Inputs packed by gzip or zstd,
// recognized by content, are unpacked into one.
//
// Invariants: the bytes do not move while the Source lives, and memory does not grow with the
// input: pages are the page cache's, and those behind a reader can be given back. If a mapped file
// becomes shorter, its missing part reads as zeros, provided that the program has called
// read_zeros_behind_cut_files(); otherwise SIGBUS ends the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/status.h>

namespace barefxt::host {

using Bytes = std::span<const uint8_t>;
class ByteSink;

// Handles SIGBUS in the memory of Sources, so that they survive a file that becomes shorter. Other
// causes of SIGBUS keep their action.
// @context once, by the program: the library sets no handlers by itself
void read_zeros_behind_cut_files();

// Calls `watch` for every few MiB that are read of any Source: of `total` bytes, or 0 for a pipe.
// @context once, by the program
void watch_reading(
    std::function<void(const std::string& name, uint64_t done, uint64_t total)> watch);
// The same for what is read by other means.
void watched(const std::string& name, uint64_t done, uint64_t total);

// The default limit for what a packed input unpacks to.
inline constexpr uint64_t kMaxUnpackedBytes = uint64_t{64} << 30;

class Source {
 public:
  // "-" is standard input. Fails if a packed input unpacks to more than `max_unpacked` bytes.
  static Result<Source> open(const std::string& path, uint64_t max_unpacked = kMaxUnpackedBytes);
  // Several as one, called `name`: what `parts` adds to it, one after another, of each source so
  // many bytes. `damage` is looked at in the end.
  using AddPart = std::function<Status(Source& source, size_t bytes)>;
  static Result<Source> joined(std::string name, const std::function<Status(const AddPart&)>& parts,
                               const std::string& damage);
  // The bytes that `write` hands to the sink: in memory if they are few, else in a temporary file.
  // `damage` is looked at in the end.
  static Result<Source> written(std::string name,
                                const std::function<Status(ByteSink& sink)>& write,
                                const std::string& damage = {});
  // Bytes in memory, which outlive it.
  static Source of(Bytes bytes, std::string name);

  Source(Source&& other) noexcept;
  Source& operator=(Source&& other) noexcept;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source();

  // Returns true if a file that begins with these bytes, at least four, would be unpacked.
  static bool is_packed(Bytes beginning);

  Bytes bytes() const { return {data_, size_}; }
  const std::string& name() const { return name_; }
  // "gzip" or "zstd" where the input was packed by it, else empty.
  std::string_view packed_by() const { return packed_by_; }
  // Why it is not all of the input: what was packed is cut or damaged, or a file of several ends
  // within a record. Empty where it is all.
  const std::string& damage() const { return damage_; }

  // The file is shorter now than when it was opened: the missing part read as zeros.
  bool has_shrunk() const;
  bool is_whole() const { return damage_.empty() && !has_shrunk(); }

  // Gives back the pages before this offset. They come back by themselves when read again. Call it
  // then with an offset before the last one.
  void release_before(uint64_t offset) {
    // One that goes back is far ahead by this, too.
    if (offset - given_back_ >= kGiveBackBytes) give_back(offset);
  }

 private:
  // So much at a time: a system call now and then only.
  static constexpr uint64_t kGiveBackBytes = uint64_t{4} << 20;
  // Each call repeats the last kOnceMore bytes given back before, and every kOftenOfAll-th call
  // all.
  static constexpr uint64_t kOnceMore = 16 * kGiveBackBytes;
  static constexpr uint32_t kOftenOfAll = 16;

  void give_back(uint64_t offset);
  Source(std::string name, const uint8_t* data, size_t size)
      : name_(std::move(name)), data_(data), size_(size) {}
  static Result<Source> map(int descriptor, const std::string& name, size_t size);
  static Result<Source> spool(int descriptor, const std::string& name, uint64_t max_unpacked);
  static Result<Source> unpacked(Source packed, uint64_t max_unpacked);
  void unmap();

  std::string name_;
  std::string_view packed_by_;
  std::string damage_;
  std::vector<uint8_t> own_;
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  bool mapped_ = true;
  int file_ = -1;  // kept open to check its size, if others may change it
  uint64_t given_back_ = 0;
  uint32_t times_given_back_ = 0;
};

}  // namespace barefxt::host
