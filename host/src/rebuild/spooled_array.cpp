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

SpooledBytes::~SpooledBytes() {
  if (data_ != nullptr) munmap(data_, capacity_);
  if (file_ >= 0) close(file_);
}

void SpooledBytes::release_memory() const {
  // The mapping is shared, so its pages go back to the file, and nothing is lost.
  if (capacity_ > kInMemoryBytes) (void)madvise(data_, capacity_, MADV_DONTNEED);
}

Status SpooledBytes::reserve(size_t bytes) {
  if (bytes <= capacity_ - size_) return {};
  static constexpr size_t kStep = size_t{1} << 16;
  size_t wanted = std::max(size_ + bytes, capacity_ + capacity_ / 2);
  wanted = (wanted + kStep - 1) / kStep * kStep;

  const bool in_memory = wanted <= kInMemoryBytes;
  if (!in_memory) {
    if (file_ < 0) file_ = open_unnamed_temporary_file();
    if (file_ < 0)
      return system_error("cannot make a temporary file", errno, {},
                          "set TMPDIR to a folder that can be written");
    const int error = posix_fallocate(file_, 0, static_cast<off_t>(wanted));
    if (error != 0)
      return system_error("cannot grow a temporary file", error, {},
                          "set TMPDIR to a folder with more room");
  }
  void* grown = MAP_FAILED;
  if (in_memory && data_ != nullptr) {
    // The pages move along, and are not copied.
    grown = mremap(data_, capacity_, wanted, MREMAP_MAYMOVE);
  } else {
    grown = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                 in_memory ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, in_memory ? -1 : file_, 0);
  }
  if (grown == MAP_FAILED) return system_error("cannot map a temporary file", errno, {});
  if (!in_memory && data_ != nullptr) {
    const bool was_in_file = capacity_ > kInMemoryBytes;
    if (!was_in_file) std::memcpy(grown, data_, size_);
    munmap(data_, capacity_);
  }
  data_ = static_cast<uint8_t*>(grown);
  capacity_ = wanted;
  return {};
}

}  // namespace barefxt::host
