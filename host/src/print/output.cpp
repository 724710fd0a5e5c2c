// Writing to a file descriptor.
#include <cerrno>
#include <unistd.h>

#include <barefxt/host/output.h>

namespace barefxt::host {

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
