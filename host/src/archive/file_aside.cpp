#include "file_aside.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace barefxt::host {

Status write_all(int file, std::span<const unsigned char> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("cannot write", errno, path);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return {};
}

void store_folder(const std::string& folder) {
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  // Not every file system can. The file itself is on the disk already.
  (void)fsync(handle);
  close(handle);
}

FileAside::FileAside(std::string path, std::string aside, bool removed_on_signals)
    : path_(std::move(path)), aside_(std::move(aside)) {
  // Registered before the file exists, so that no signal can leave it behind.
  if (removed_on_signals) leftover_ = Leftover(aside_, Leftover::Kind::kFile);
}

FileAside::FileAside(FileAside&& other) noexcept
    : path_(std::move(other.path_)),
      aside_(std::exchange(other.aside_, {})),
      leftover_(std::move(other.leftover_)),
      file_(std::exchange(other.file_, -1)) {}

FileAside::~FileAside() {
  if (file_ >= 0) close(file_);
  if (!aside_.empty()) unlink(aside_.c_str());
}

Result<FileAside> FileAside::create(const OutputPlace& place, bool removed_on_signals) {
  FileAside file(place.path, path_aside(place.path), removed_on_signals);
  if (const Status status = file.open(place); !status.ok()) return status.error();
  return file;
}

Status FileAside::open(const OutputPlace& place) {
  constexpr mode_t kBits = 0777;
  const mode_t mode = place.exists ? place.status.st_mode & kBits : mode_t{0666};
  // A file without write permission must not be replaced either.
  if (place.exists && access(place.path.c_str(), W_OK) != 0)
    return system_error("cannot write", errno, path_);
  file_ = ::open(aside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file_ < 0) {
    const int error = errno;
    aside_.clear();
    return system_error("cannot write", error, path_);
  }
  if (!place.exists) return {};
  if (place.status.st_uid != geteuid() || place.status.st_gid != getegid())
    (void)!fchown(file_, place.status.st_uid, place.status.st_gid);
  // The umask and the change of owner may have cleared bits.
  if (fchmod(file_, mode) != 0) return system_error("cannot keep the mode", errno, path_);
  return {};
}

Status FileAside::commit() {
  // Some file systems cannot; a full or broken disk fails here.
  if (fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP)
    return system_error("cannot write", errno, path_);
  if (close(std::exchange(file_, -1)) != 0 || std::rename(aside_.c_str(), path_.c_str()) != 0)
    return system_error("cannot write", errno, path_);
  aside_.clear();
  leftover_ = {};
  store_folder(folder_of(path_));
  return {};
}

}  // namespace barefxt::host
