// Opening, mapping and spooling an input.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/source.h>

namespace barefxt::host {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number, bool owned = true) : number_(number), owned_(owned) {}
  ~Descriptor() {
    if (owned_ && number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }

 private:
  int number_;
  bool owned_;
};

Error system_error(const std::string& what, const std::string& where, std::string mend = {}) {
  return {what + ": " + std::strerror(errno), where, std::move(mend)};
}

std::string temporary_folder() {
  const char* wished = std::getenv("TMPDIR");
  return wished != nullptr && *wished != '\0' ? wished : "/tmp";
}

int open_nameless(const std::string& folder) {
  const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
  // Not every file system knows files without a name: take one with a name and remove the name.
  std::string pattern = folder + "/barefxt-XXXXXX";
  const int named = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(pattern.c_str());
  return named;
}

bool write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

Result<Source> Source::open(const std::string& path) {
  if (path == "-") return spool(STDIN_FILENO, "standard input");
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return system_error("cannot open", path);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return system_error("cannot open", path);
  if (S_ISDIR(status.st_mode)) {
    return Error{"is a folder", path, "name the archive in it"};
  }
  // Files of zero size may still have content (/proc), which only reading tells.
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    return map(file.get(), path, static_cast<std::size_t>(status.st_size));
  }
  return spool(file.get(), path);
}

Result<Source> Source::map(int descriptor, const std::string& name, std::size_t size) {
  if (size == 0) return Source(name, nullptr, 0);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED) return system_error("cannot map", name);
  ::madvise(data, size, MADV_SEQUENTIAL);
  return Source(name, static_cast<const std::uint8_t*>(data), size);
}

Result<Source> Source::spool(int descriptor, const std::string& name) {
  const std::string folder = temporary_folder();
  const Descriptor file(open_nameless(folder));
  if (file.get() < 0) {
    return system_error("cannot make a temporary file for " + name, folder,
                        "set TMPDIR to a folder with room for the input");
  }
  std::array<char, 65536> buffer;
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      return system_error("cannot read", name);
    }
    if (!write_all(file.get(), buffer.data(), static_cast<std::size_t>(got))) {
      return system_error("cannot spool " + name, folder,
                          "set TMPDIR to a folder with room for the input");
    }
    size += static_cast<std::size_t>(got);
  }
  return map(file.get(), name, size);
}

Source Source::of(Bytes bytes, std::string name) {
  Source source(std::move(name), bytes.data(), bytes.size());
  source.mapped_ = false;
  return source;
}

Source::Source(Source&& other) noexcept
    : name_(std::move(other.name_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(other.mapped_),
      given_back_(other.given_back_) {}

Source& Source::operator=(Source&& other) noexcept {
  if (this != &other) {
    unmap();
    name_ = std::move(other.name_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    mapped_ = other.mapped_;
    given_back_ = other.given_back_;
  }
  return *this;
}

Source::~Source() { unmap(); }

void Source::unmap() {
  if (data_ != nullptr && mapped_) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

void Source::done_with(std::uint64_t offset) {
  constexpr std::uint64_t kStep = std::uint64_t{4} << 20;  // a system call now and then only
  if (offset < given_back_) given_back_ = 0;               // it is read again from the start
  if (!mapped_ || offset > size_ || offset < given_back_ + kStep) return;
  const std::uint64_t end = offset / kStep * kStep;
  auto* from = const_cast<std::uint8_t*>(data_) + given_back_;
  ::madvise(from, end - given_back_, MADV_DONTNEED);
  given_back_ = end;
}

}  // namespace barefxt::host
