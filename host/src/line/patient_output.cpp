#include "patient_output.h"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace barefxt::line {

PatientOutput::PatientOutput(int descriptor) : descriptor_(descriptor) {
  struct stat about{};
  if (fstat(descriptor, &about) != 0) return;
  is_socket_ = S_ISSOCK(about.st_mode);
  // O_NONBLOCK of the descriptor itself would change it for other processes too.
  if (S_ISFIFO(about.st_mode) || isatty(descriptor) != 0)
    own_ = open(host::formatted("/proc/self/fd/{}", descriptor).c_str(),
                O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

PatientOutput::~PatientOutput() {
  if (own_ >= 0) close(own_);
}

ptrdiff_t PatientOutput::write_piece(std::string_view piece) const {
  if (is_socket_) return send(descriptor_, piece.data(), piece.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (own_ >= 0) return ::write(own_, piece.data(), piece.size());
  // A file; or a pipe that cannot be opened again, which has room for this much.
  pollfd room{descriptor_, POLLOUT, 0};
  if (poll(&room, 1, 0) <= 0) {
    errno = EAGAIN;
    return -1;
  }
  return ::write(descriptor_, piece.data(), piece.substr(0, PIPE_BUF).size());
}

void PatientOutput::write_waiting() {
  while (error_ == 0 && written_ < waiting_.size()) {
    const ptrdiff_t count = write_piece(std::string_view(waiting_).substr(written_));
    if (count >= 0) {
      written_ += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  waiting_.clear();
  written_ = 0;
}

bool PatientOutput::has_room() {
  write_waiting();
  return waiting_.empty();
}

void PatientOutput::write(std::string_view text) {
  waiting_ += text;
  write_waiting();
}

host::Status PatientOutput::finish(std::string_view text, const Patience& patience) {
  write(text);
  while (!has_room()) {
    if (wait_for(handle(), POLLOUT, patience) != 0)
      return host::Error{"its reader takes no bytes", "standard output",
                         "what is left is not in it"};
  }
  if (error_ == 0 || error_ == EPIPE) return {};
  return host::system_error("cannot write standard output", error_, {});
}

}  // namespace barefxt::line
