#include "raw_copy.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace barefxt::line {
namespace {

constexpr int kTryEvery = 50;  // milliseconds, until a reader opens the pipe

}  // namespace

RawCopy::~RawCopy() {
  if (file_ >= 0) close(file_);
  if (!made_.empty() && bytes_ == 0) unlink(made_.c_str());
}

host::Status RawCopy::fail(int error) {
  has_failed_ = true;
  return host::system_error("cannot write", error, path_);
}

host::Status RawCopy::create(const std::string& path, const Patience& patience) {
  if (path.empty()) return {};
  path_ = path;
  auto place = host::place_of_output(path);
  if (!place.ok()) return place.error();
  if (place.value().is_direct) return open_directly(patience);
  if (place.value().exists) {
    auto aside = host::FileAside::create(place.value(), false);
    if (!aside.ok()) return aside.error();
    aside_.emplace(std::move(aside.value()));
    return {};
  }
  const std::string& target = place.value().path;
  file_ = open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) return host::system_error("cannot create", errno, path);
  made_ = target;
  return {};
}

host::Status RawCopy::open_directly(const Patience& patience) {
  for (;;) {
    file_ = open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file_ >= 0) return {};
    if (errno != ENXIO) return host::system_error("cannot open", errno, path_);
    if (patience.interrupts.came_within(kTryEvery) ||
        std::chrono::steady_clock::now() >= patience.end)
      return host::Error{"nobody reads this pipe", path_, "start its reader first"};
  }
}

host::Status RawCopy::append(std::span<const uint8_t> bytes, const Patience& patience) {
  const int file = aside_ ? aside_->file() : file_;
  if (file < 0 || has_failed_) return {};
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes_ += static_cast<uint64_t>(count);
      bytes = bytes.subspan(static_cast<size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return fail(errno);
    // A pipe that is full.
    if (wait_for(file, POLLOUT, patience) != 0) {
      has_failed_ = true;
      return host::Error{"its reader takes no bytes", path_, "what came later is not in it"};
    }
  }
  return {};
}

host::Status RawCopy::finish() {
  if (bytes_ == 0) return {};
  if (aside_) {
    host::Status status = aside_->commit();
    if (!status.ok()) has_failed_ = true;
    return status;
  }
  if (made_.empty()) return {};
  if (fsync(file_) != 0 && errno != EINVAL) return fail(errno);
  if (close(std::exchange(file_, -1)) != 0) return fail(errno);
  return {};
}

}  // namespace barefxt::line
