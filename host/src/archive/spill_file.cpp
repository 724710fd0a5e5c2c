#include "spill_file.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <utility>

#include "../archive/temporary_file.h"

namespace barefxt::host {

SpillFile::~SpillFile() {
  if (file_ >= 0) ::close(file_);
}

SpillFile::SpillFile(SpillFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      written_(std::exchange(other.written_, 0)),
      pending_(std::exchange(other.pending_, {})) {}

SpillFile& SpillFile::operator=(SpillFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(written_, other.written_);
  std::swap(pending_, other.pending_);
  return *this;
}

Status SpillFile::append(std::span<const uint8_t> bytes) {
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  return pending_.size() < kBufferBytes ? Status{} : flush();
}

Status SpillFile::flush() {
  if (pending_.empty()) return {};
  if (file_ < 0) file_ = open_unnamed_temporary_file();
  if (file_ < 0)
    return system_error("cannot make a temporary file", errno, {},
                        "set TMPDIR to a folder that can be written");
  for (size_t done = 0; done < pending_.size();) {
    const ssize_t count = ::write(file_, pending_.data() + done, pending_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return system_error("cannot grow a temporary file", errno, {},
                          "set TMPDIR to a folder with more room");
    done += static_cast<size_t>(count);
  }
  written_ += pending_.size();
  pending_.clear();
  return {};
}

Status SpillFile::read(uint64_t offset, std::span<uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      return system_error("cannot read a temporary file", count < 0 ? errno : EIO, {});
    offset += static_cast<uint64_t>(count);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return {};
}

Status SpillReader::next(size_t bytes, const uint8_t*& where) {
  const size_t held = buffer_.size() - first_;
  if (held < bytes) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(first_));
    const auto more =
        static_cast<size_t>(std::min<uint64_t>(end_ - at_, std::max(buffer_bytes_, bytes) - held));
    buffer_.resize(held + more);
    first_ = 0;
    if (Status status = file_->read(at_, std::span(buffer_).subspan(held)); !status.ok())
      return status;
    at_ += more;
  }
  where = buffer_.data() + first_;
  first_ += bytes;
  return {};
}

}  // namespace barefxt::host
