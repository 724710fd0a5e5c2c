#include "kept_code.h"

#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

#include "qemu.h"

namespace barefxt::test {
namespace {

std::string hexadecimal(uint64_t value) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[value % 16]);
  while ((value /= 16) != 0);
  return digits;
}

std::string hexadecimal(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) {
    digits += "0123456789abcdef"[static_cast<uint8_t>(byte) / 16];
    digits += "0123456789abcdef"[static_cast<uint8_t>(byte) % 16];
  }
  return digits;
}

// The headers of a file of either byte order and word size.
template <class File, class Program>
class Headers {
 public:
  explicit Headers(std::string& image)
      : image_(image), is_big_(image[EI_DATA] == ELFDATA2MSB), file_(read<File>(0)) {}

  // Takes out the segments that are executed.
  template <class Take>
  void take_code(const Take& take) {
    for (unsigned i = 0; i < value(file_.e_phnum); ++i) {
      const size_t at = value(file_.e_phoff) + size_t{i} * sizeof(Program);
      auto header = read<Program>(at);
      if (value(header.p_type) != PT_LOAD || (value(header.p_flags) & PF_X) == 0) continue;
      take(value(header.p_paddr), image_.substr(value(header.p_offset), value(header.p_filesz)));
      header.p_type = PT_NULL;
      std::memcpy(&image_[at], &header, sizeof header);
    }
  }

 private:
  template <class Header>
  Header read(size_t at) const {
    if (at > image_.size() || image_.size() - at < sizeof(Header))
      throw std::runtime_error("an image that ends in its headers");
    Header header;
    std::memcpy(&header, &image_[at], sizeof header);
    return header;
  }

  template <class Number>
  Number value(Number number) const {
    if (!is_big_) return number;
    if constexpr (sizeof number == 2)
      return __builtin_bswap16(number);
    else if constexpr (sizeof number == 4)
      return __builtin_bswap32(number);
    else
      return __builtin_bswap64(number);
  }

  std::string& image_;
  bool is_big_;
  File file_;
};

}  // namespace

KeptCode::KeptCode(const std::string& image, const std::string& path_of_rest) {
  std::string bytes = read_file(image);
  const auto take = [this](uint64_t address, const std::string& code) {
    segments_.push_back({address, code});
  };
  if (bytes.size() < EI_NIDENT || bytes.compare(0, SELFMAG, ELFMAG) != 0)
    throw std::runtime_error("no ELF file: " + image);
  if (bytes[EI_CLASS] == ELFCLASS64)
    Headers<Elf64_Ehdr, Elf64_Phdr>(bytes).take_code(take);
  else
    Headers<Elf32_Ehdr, Elf32_Phdr>(bytes).take_code(take);
  if (segments_.empty()) throw std::runtime_error("nothing is executed in " + image);
  write_file(path_of_rest, bytes);

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error("no socket");
  ours_ = ends[0];
  of_qemu_ = ends[1];
  fcntl(of_qemu_, F_SETFD, 0);
}

KeptCode::~KeptCode() {
  close(ours_);
  close(of_qemu_);
}

void KeptCode::qemu_is_gone() const { shutdown(of_qemu_, SHUT_RDWR); }

std::string KeptCode::options() const {
  return " -S -chardev socket,id=code,fd=" + std::to_string(of_qemu_) + " -gdb chardev:code";
}

std::string KeptCode::answer_to(const std::string& packet) {
  unsigned sum = 0;
  for (const char byte : packet) sum += static_cast<uint8_t>(byte);
  const char* const digits = "0123456789abcdef";
  const std::string sent = "$" + packet + "#" + digits[sum / 16 % 16] + digits[sum % 16];
  if (send(ours_, sent.data(), sent.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(sent.size()))
    return {};
  while (true) {
    const size_t begin = received_.find('$');
    const size_t end = received_.find('#', begin == std::string::npos ? 0 : begin);
    if (begin != std::string::npos && end != std::string::npos && received_.size() >= end + 3) {
      const std::string answer = received_.substr(begin + 1, end - begin - 1);
      received_.erase(0, end + 3);
      send(ours_, "+", 1, MSG_NOSIGNAL);
      return answer;
    }
    char bytes[4096];
    const ssize_t count = recv(ours_, bytes, sizeof bytes, 0);
    if (count <= 0) return {};
    received_.append(bytes, static_cast<size_t>(count));
  }
}

std::string KeptCode::start() {
  constexpr size_t kPacketBytes = 1024;
  const auto send = [this](const std::string& packet, const std::string& expected) -> std::string {
    const std::string answer = answer_to(packet);
    if (answer == expected) return {};
    return "QEMU answers '" + answer + "' to " + packet.substr(0, 40);
  };
  std::string wrong;
  for (const Segment& segment : segments_) {
    for (size_t at = 0; at < segment.bytes.size() && wrong.empty(); at += kPacketBytes) {
      const std::string piece = segment.bytes.substr(at, kPacketBytes);
      wrong = send("M" + hexadecimal(segment.address + at) + "," +
                       hexadecimal(uint64_t{piece.size()}) + ":" + hexadecimal(piece),
                   "OK");
    }
  }
  // CPUs that begin at an address in memory looked there while it was empty. The reset is made
  // after the answer, and before the next packet is read.
  if (wrong.empty()) wrong = send("qRcmd," + hexadecimal(std::string("system_reset")), "OK");
  if (wrong.empty() && answer_to("?").empty()) wrong = "QEMU does not come back from a reset";
  if (wrong.empty()) wrong = send("D", "OK");
  return wrong;
}

}  // namespace barefxt::test
