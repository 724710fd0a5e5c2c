#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/spooled_array.h>

#include "../archive/temporary_file.h"

namespace barefxt::host {
namespace {

// As much as stays in a cache until it is written. An array that outgrows it takes all the memory
// that it may have: pages that a program touches for the first time take a fault each, huge ones
// one for 2 MiB, and memory that is not touched costs nothing.
constexpr size_t kStep = size_t{1} << 18;

Status open_file(int& file) {
  if (file < 0) file = open_unnamed_temporary_file();
  if (file >= 0) return {};
  return system_error("cannot make a temporary file", errno, {},
                      "set TMPDIR to a folder that can be written");
}

Status no_room(int error) {
  return system_error("cannot grow a temporary file", error, {},
                      "set TMPDIR to a folder with more room");
}

}  // namespace

SpooledBytes::~SpooledBytes() {
  if (data_ != nullptr) munmap(data_, capacity_);
  if (file_ >= 0) close(file_);
}

void SpooledBytes::release_memory() const {
  // The mapping is shared, so its pages go back to the file, and nothing is lost.
  if (capacity_ > in_memory_bytes_) (void)madvise(data_, capacity_, MADV_DONTNEED);
}

void SpooledBytes::clear_and_release() {
  size_ = 0;
  if (capacity_ > kStep) (void)madvise(data_ + kStep, capacity_ - kStep, MADV_DONTNEED);
}

Status SpooledBytes::reserve(size_t bytes) {
  if (has_room(bytes)) return {};
  static constexpr size_t kRounding = size_t{1} << 16;
  size_t wanted = std::max(size_ + bytes, capacity_ + capacity_ / 2);
  wanted = (wanted + kRounding - 1) / kRounding * kRounding;
  const bool in_memory = size_ + bytes <= in_memory_bytes_;
  const bool is_small = wanted <= kStep;
  if (in_memory) wanted = is_small ? std::min(wanted, in_memory_bytes_) : in_memory_bytes_;

  if (!in_memory) {
    if (Status status = open_file(file_); !status.ok()) return status;
    const int error = posix_fallocate(file_, 0, static_cast<off_t>(wanted));
    if (error != 0) return no_room(error);
  }
  void* const grown =
      mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
           in_memory ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, in_memory ? -1 : file_, 0);
  if (grown == MAP_FAILED) return system_error("cannot map a temporary file", errno, {});
  if (in_memory && !is_small) (void)madvise(grown, wanted, MADV_HUGEPAGE);
  if (data_ != nullptr) {
    const bool was_in_file = capacity_ > in_memory_bytes_;
    if (!was_in_file) std::memcpy(grown, data_, size_);
    munmap(data_, capacity_);
  }
  data_ = static_cast<uint8_t*>(grown);
  capacity_ = wanted;
  return {};
}

SpooledStream::~SpooledStream() {
  unmap();
  if (file_ >= 0) close(file_);
}

void SpooledStream::unmap() {
  if (mapped_ != 0) munmap(const_cast<uint8_t*>(data_), mapped_);
  mapped_ = 0;
  data_ = nullptr;
}

Status SpooledStream::append(std::span<const uint8_t> bytes) {
  if (bytes.empty()) return {};  // which may have no address
  if (file_ >= 0 && mapped_ != 0) unmap();
  const size_t most = file_ >= 0 ? kStep : in_memory_bytes_;
  if (recent_.size() + bytes.size() > most)
    if (Status status = write_recent(); !status.ok()) return status;
  if (Status status = recent_.reserve(bytes.size()); !status.ok()) return status;
  std::memcpy(recent_.data() + recent_.size(), bytes.data(), bytes.size());
  recent_.grow(bytes.size());
  return {};
}

Status SpooledStream::write_recent() {
  if (Status status = open_file(file_); !status.ok()) return status;
  std::span<const uint8_t> left(recent_.data(), recent_.size());
  while (!left.empty()) {
    const ssize_t count = write(file_, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return no_room(errno);
    left = left.subspan(static_cast<size_t>(count));
    written_ += static_cast<size_t>(count);
  }
  recent_.clear_and_release();
  return {};
}

Status SpooledStream::finish() {
  if (file_ < 0) {
    data_ = recent_.data();
    return {};
  }
  if (mapped_ != 0) return {};
  if (Status status = write_recent(); !status.ok()) return status;
  void* const mapped = mmap(nullptr, written_, PROT_READ, MAP_SHARED, file_, 0);
  if (mapped == MAP_FAILED) return system_error("cannot map a temporary file", errno, {});
  data_ = static_cast<const uint8_t*>(mapped);
  mapped_ = written_;
  return {};
}

void SpooledStream::release_memory() const {
  if (mapped_ != 0) (void)madvise(const_cast<uint8_t*>(data_), mapped_, MADV_DONTNEED);
}

}  // namespace barefxt::host
