// Opening, mapping and spooling an input.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/source.h>

#include "../archive/temporary_file.h"
#include "mapped_files.h"
#include "unpack.h"

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

Error system_error(const std::string& what, const std::string& where, std::string hint = {}) {
  return {what + ": " + std::strerror(errno), where, std::move(hint)};
}

// A temporary file without a name that takes what is written to it.
class Spool {
 public:
  explicit Spool(std::string name) : name_(std::move(name)), file_(open_unnamed_temporary_file()) {}

  // Why there is none, if there is none.
  Status made() const {
    if (file_.get() >= 0) return {};
    return host::system_error("cannot make a temporary file for " + name_, errno, {}, kHint);
  }

  Status write(std::span<const uint8_t> bytes) {
    size_ += bytes.size();
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
      if (written < 0) {
        if (errno == EINTR) continue;
        return host::system_error("cannot spool " + name_, errno, {}, kHint);
      }
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return {};
  }

  int descriptor() const { return file_.get(); }
  size_t size() const { return size_; }

 private:
  static constexpr const char* kHint = "set TMPDIR to a folder with room for the input";
  std::string name_;
  Descriptor file_;
  size_t size_ = 0;
};

// Keeps what is written: in memory up to kMaxInMemory, behind that in a file.
class Keep final : public ByteSink {
 public:
  explicit Keep(const std::string& name) : name_(name) {}

  Status write(std::span<const uint8_t> bytes) override {
    if (!spool_ && bytes.size() <= kMaxInMemory - memory.size()) {
      memory.insert(memory.end(), bytes.begin(), bytes.end());
      return {};
    }
    if (!spool_) {
      spool_.emplace(name_);
      if (Status status = spool_->made(); !status.ok()) return status;
      if (Status status = spool_->write(memory); !status.ok()) return status;
      memory = {};
    }
    return spool_->write(bytes);
  }
  const Spool* spool() const { return spool_ ? &*spool_ : nullptr; }

  std::vector<uint8_t> memory;

 private:
  static constexpr size_t kMaxInMemory = size_t{1} << 20;
  const std::string& name_;
  std::optional<Spool> spool_;
};

}  // namespace

namespace {

std::function<void(const std::string& name, uint64_t done, uint64_t total)>& watcher() {
  static std::function<void(const std::string& name, uint64_t done, uint64_t total)> watch;
  return watch;
}

}  // namespace

void watched(const std::string& name, uint64_t done, uint64_t total) {
  if (watcher()) watcher()(name, done, total);
}

void watch_reading(
    std::function<void(const std::string& name, uint64_t done, uint64_t total)> watch) {
  watcher() = std::move(watch);
}

Result<Source> Source::open(const std::string& path, uint64_t max_unpacked) {
  if (path == "-") return spool(STDIN_FILENO, "standard input", max_unpacked);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return system_error("cannot open", path);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return system_error("cannot open", path);
  if (S_ISDIR(status.st_mode)) {
    return Error{"is a folder", path, "name the archive in it"};
  }
  // Files of zero size may still have content (/proc), which only reading shows.
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return spool(file.get(), path, max_unpacked);
  Result<Source> mapped = map(file.get(), path, static_cast<size_t>(status.st_size));
  if (!mapped.ok()) return mapped.error();
  mapped.value().file_ = ::fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
  return unpacked(std::move(mapped.value()), max_unpacked);
}

bool Source::has_shrunk() const {
  struct stat status{};
  return file_ >= 0 && ::fstat(file_, &status) == 0 &&
         static_cast<uint64_t>(status.st_size) < size_;
}

Result<Source> Source::map(int descriptor, const std::string& name, size_t size) {
  if (size == 0) return Source(name, nullptr, 0);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED) return system_error("cannot map", name);
  ::madvise(data, size, MADV_SEQUENTIAL);
  MappedFiles::add(data, size);
  return Source(name, static_cast<const uint8_t*>(data), size);
}

Result<Source> Source::spool(int descriptor, const std::string& name, uint64_t max_unpacked) {
  Spool spool(name);
  if (const Status status = spool.made(); !status.ok()) return status.error();
  std::array<uint8_t, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      return system_error("cannot read", name);
    }
    if (const Status status = spool.write(std::span(buffer).first(static_cast<size_t>(got)));
        !status.ok())
      return status.error();
    watched(name, spool.size(), 0);
  }
  Result<Source> mapped = map(spool.descriptor(), name, spool.size());
  if (!mapped.ok()) return mapped.error();
  return unpacked(std::move(mapped.value()), max_unpacked);
}

// Unpacks a packed source; returns others unchanged.
Result<Source> Source::unpacked(Source packed, uint64_t max_unpacked) {
  const Packing packing = packing_of(packed.bytes());
  if (packing == Packing::kNone) return packed;
  Spool spool(packed.name());
  if (const Status status = spool.made(); !status.ok()) return status.error();
  Unpacked result = unpack(
      packing, packed.bytes(),
      [&](std::span<const uint8_t> bytes) -> Status {
        if (bytes.size() <= max_unpacked - spool.size()) return spool.write(bytes);
        return Error{formatted("unpacks to more than {} bytes", max_unpacked), packed.name(),
                     "if that is right, allow more by --max-unpacked"};
      },
      [&](size_t offset) { packed.release_before(offset); });
  if (!result.status.ok()) return result.status.error();
  Result<Source> source = map(spool.descriptor(), packed.name(), spool.size());
  if (packed.has_shrunk()) result.damage = "became shorter while it was unpacked";
  if (source.ok()) {
    source.value().packed_by_ = packing == Packing::kGzip ? "gzip" : "zstd";
    source.value().damage_ = std::move(result.damage);
  }
  return source;
}

Result<Source> Source::joined(std::string name, const std::function<Status(const AddPart&)>& parts,
                              const std::string& damage) {
  Spool spool(name);
  if (const Status status = spool.made(); !status.ok()) return status.error();
  const Status joined = parts([&](Source& source, size_t bytes) -> Status {
    static constexpr size_t kStep = size_t{1} << 20;
    for (size_t at = 0; at < bytes; at += kStep) {
      if (Status written = spool.write(source.bytes().subspan(at, std::min(kStep, bytes - at)));
          !written.ok())
        return written;
      source.release_before(at);
    }
    return {};
  });
  if (!joined.ok()) return joined.error();
  Result<Source> source = map(spool.descriptor(), name, spool.size());
  if (source.ok()) source.value().damage_ = damage;
  return source;
}

Result<Source> Source::written(std::string name, const std::function<Status(ByteSink& sink)>& write,
                               const std::string& damage) {
  Keep keep(name);
  if (const Status status = write(keep); !status.ok()) return status.error();
  if (const Spool* const spool = keep.spool()) {
    Result<Source> mapped = map(spool->descriptor(), name, spool->size());
    if (mapped.ok()) mapped.value().damage_ = damage;
    return mapped;
  }
  Source source(std::move(name), keep.memory.data(), keep.memory.size());
  source.damage_ = damage;
  source.own_ = std::move(keep.memory);
  source.mapped_ = false;
  return source;
}

bool Source::is_packed(Bytes beginning) { return packing_of(beginning) != Packing::kNone; }

Source Source::of(Bytes bytes, std::string name) {
  Source source(std::move(name), bytes.data(), bytes.size());
  source.mapped_ = false;
  return source;
}

Source::Source(Source&& other) noexcept
    : name_(std::move(other.name_)),
      packed_by_(other.packed_by_),
      damage_(std::move(other.damage_)),
      own_(std::move(other.own_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(other.mapped_),
      file_(std::exchange(other.file_, -1)),
      given_back_(other.given_back_),
      times_given_back_(other.times_given_back_) {}

Source& Source::operator=(Source&& other) noexcept {
  if (this != &other) {
    unmap();
    name_ = std::move(other.name_);
    packed_by_ = other.packed_by_;
    damage_ = std::move(other.damage_);
    own_ = std::move(other.own_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    mapped_ = other.mapped_;
    file_ = std::exchange(other.file_, -1);
    given_back_ = other.given_back_;
    times_given_back_ = other.times_given_back_;
  }
  return *this;
}

Source::~Source() { unmap(); }

void Source::unmap() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  if (data_ == nullptr || !mapped_) return;
  MappedFiles::remove(data_);
  ::munmap(const_cast<uint8_t*>(data_), size_);
}

void Source::give_back(uint64_t offset) {
  if (offset < given_back_) given_back_ = 0;  // it is read again from the start
  if (offset > size_) return;
  watched(name_, offset, size_);
  const uint64_t end = offset / kGiveBackBytes * kGiveBackBytes;
  if (mapped_ && end > given_back_) {
    // Names are looked up where they are registered, which brings pages back that were given back
    // already, and with them all that the system keeps in one piece.
    const uint64_t begin =
        ++times_given_back_ % kOftenOfAll == 0 ? 0 : given_back_ - std::min(given_back_, kOnceMore);
    ::madvise(const_cast<uint8_t*>(data_) + begin, end - begin, MADV_DONTNEED);
  }
  given_back_ = end;
}

}  // namespace barefxt::host
