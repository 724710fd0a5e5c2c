// Empties the buffer of an output when it is full, and writes to a file descriptor.
#include <cerrno>
#include <unistd.h>

#include <barefxt/host/output.h>

namespace barefxt::host {

void Output::flush() {
  drain_unless_failed({buffer_->data(), used_});
  used_ = 0;
}

void Output::text_beyond_room(std::string_view piece) {
  flush();
  if (piece.size() > kCapacity) return drain_unless_failed(piece);
  text(piece);
}

void Output::drain_unless_failed(std::string_view piece) {
  if (!failed_ && !piece.empty()) failed_ = !drain(piece);
}

bool DescriptorOutput::drain(std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::write(descriptor_, piece.data(), piece.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      errno_at_failure_ = errno;
      return false;
    }
    piece.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace barefxt::host
