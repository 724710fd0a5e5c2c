#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/output_file.h>

#include "file_aside.h"
#include "temporary_file.h"

namespace barefxt::host {
namespace {

// Under any name: `-`, /dev/stdout, or the file that a shell redirects to, which must not be
// replaced under it.
bool names_standard_output(const std::string& path) {
  struct stat one{};
  struct stat other{};
  return path == "-" || (stat(path.c_str(), &one) == 0 && fstat(STDOUT_FILENO, &other) == 0 &&
                         one.st_dev == other.st_dev && one.st_ino == other.st_ino);
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& wanted) {
  const std::string path = names_standard_output(wanted) ? "-" : wanted;
  OutputPlace place;
  place.is_direct = true;
  if (path != "-") {
    Result<OutputPlace> found = place_of_output(path);
    if (!found.ok()) return found.error();
    place = std::move(found.value());
  }
  if (place.exists && S_ISDIR(place.status.st_mode))
    return system_error("cannot write", EISDIR, path, "name a file");
  auto output = std::unique_ptr<OutputFile>(new OutputFile(path));
  if (!place.is_direct) {
    Result<FileAside> aside = FileAside::create(place);
    if (!aside.ok()) return Error{aside.error().what, path, aside.error().hint};
    output->aside_ = std::make_unique<FileAside>(std::move(aside.value()));
    return output;
  }
  if (path != "-" && access(path.c_str(), W_OK) != 0)
    return system_error("cannot write", errno, path);
  output->spool_ = open_unnamed_temporary_file();
  if (output->spool_ < 0)
    return system_error("cannot make a temporary file", errno, path,
                        "set TMPDIR to a folder that can be written");
  return output;
}

OutputFile::~OutputFile() {
  if (spool_ >= 0) close(spool_);
}

Status OutputFile::write(std::span<const uint8_t> bytes) {
  return write_all(aside_ ? aside_->file() : spool_, bytes, path_);
}

Status OutputFile::copy_to_path() {
  const int target = path_ == "-" ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                  : open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (target < 0) return system_error("cannot write", errno, path_);
  std::array<uint8_t, 65536> buffer{};
  Status status;
  off_t offset = 0;
  bool has_reader = true;
  while (status.ok() && has_reader) {
    const ssize_t count = pread(spool_, buffer.data(), buffer.size(), offset);
    if (count < 0) status = system_error("cannot read a temporary file", errno, {});
    if (count <= 0) break;
    status = write_all(target, std::span(buffer).first(static_cast<size_t>(count)), path_);
    // A reader of standard output that closes its end is no failure.
    has_reader = status.ok() || errno != EPIPE || path_ != "-";
    offset += count;
  }
  if (!has_reader) status = {};
  if (close(target) != 0 && status.ok()) status = system_error("cannot write", errno, path_);
  return status;
}

Status OutputFile::commit() { return aside_ ? aside_->commit() : copy_to_path(); }

Status write_file(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  if (!file.ok()) return file.error();
  const Status status =
      file.value()->write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return status.ok() ? file.value()->commit() : status;
}

}  // namespace barefxt::host
