#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/output_file.h>
#include <barefxt/host/spooled_array.h>

namespace barefxt::host {
namespace {

// The path that a rename has to go to for a symbolic link to stay one.
std::string resolved(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result = real;
  std::free(real);
  return result;
}

Outcome write_all(int file, std::span<const uint8_t> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("cannot write", errno, path);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path) {
  struct stat status{};
  const bool exists = path != "-" && stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return system_error("cannot write", EISDIR, path, "name a file");
  if (path == "-" || (exists && !S_ISREG(status.st_mode))) {
    const int file = open_unnamed_temporary_file();
    if (file < 0)
      return system_error("cannot make a temporary file", errno, path,
                          "set TMPDIR to a folder that can be written");
    return std::unique_ptr<OutputFile>(new OutputFile(path, {}, file));
  }

  const std::string target = resolved(path);
  // A file that may not be written is not to be replaced either.
  if (exists && access(target.c_str(), W_OK) != 0) return system_error("cannot write", errno, path);
  static constexpr int kAttempts = 100;
  for (int attempt = 0;; ++attempt) {
    const std::string aside =
        target + ".barefxt-" + std::to_string(getpid()) + "-" + std::to_string(attempt);
    const int file = open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return std::unique_ptr<OutputFile>(new OutputFile(target, aside, file));
    if (errno != EEXIST || attempt == kAttempts) return system_error("cannot write", errno, path);
  }
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
  if (!aside_.empty()) unlink(aside_.c_str());
}

Outcome OutputFile::write(std::span<const uint8_t> bytes) { return write_all(file_, bytes, path_); }

Outcome OutputFile::copy_to_path() {
  const int target = path_ == "-" ? dup(STDOUT_FILENO) : open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (target < 0) return system_error("cannot write", errno, path_);
  std::array<uint8_t, 65536> buffer{};
  Outcome outcome;
  off_t offset = 0;
  while (!outcome) {
    const ssize_t count = pread(file_, buffer.data(), buffer.size(), offset);
    if (count < 0) outcome = system_error("cannot read a temporary file", errno, {});
    if (count <= 0) break;
    outcome = write_all(target, std::span(buffer).first(static_cast<size_t>(count)), path_);
    offset += count;
  }
  if (close(target) != 0 && !outcome) outcome = system_error("cannot write", errno, path_);
  return outcome;
}

Outcome OutputFile::commit() {
  if (aside_.empty()) return copy_to_path();
  if (close(std::exchange(file_, -1)) != 0) return system_error("cannot write", errno, path_);
  if (std::rename(aside_.c_str(), path_.c_str()) != 0)
    return system_error("cannot write", errno, path_);
  aside_.clear();
  return {};
}

}  // namespace barefxt::host
