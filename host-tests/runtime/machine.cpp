#include "machine.h"

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configuration.h"

// The pages of what is retained: see machine.ld.
extern "C" uint8_t barefxt_retained_start[];
extern "C" uint8_t barefxt_retained_end[];

namespace barefxt::test {
namespace {

constexpr size_t kPage = 4096;

uint8_t* first_page() { return barefxt_retained_start; }
void* map_shared(void* at, size_t bytes, int file) {
  void* mapped = ::mmap(
      at, bytes, PROT_READ | PROT_WRITE,
      (file < 0 ? MAP_ANONYMOUS : 0) | MAP_SHARED | (at != nullptr ? MAP_FIXED : 0), file, 0);
  if (mapped == MAP_FAILED) throw std::runtime_error("mmap");
  return mapped;
}

}  // namespace

struct Machine::Memory {
  static constexpr size_t kLineBytes = size_t{4} << 20;
  alignas(64) uint8_t rings[2][kRingBytes];
  uint64_t shared[16];
  uint64_t numbers[256];
  size_t number_count;
  size_t sent;
  uint8_t line[kLineBytes];
};

Machine::Machine() : file_(::memfd_create("retained", 0)) {
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(retained_bytes())) != 0)
    throw std::runtime_error("memfd");
  memory_ = static_cast<Memory*>(map_shared(nullptr, sizeof(Memory), -1));
  retained_ = static_cast<uint8_t*>(map_shared(nullptr, retained_bytes(), file_));
}

Machine::~Machine() {
  ::munmap(memory_, sizeof(Memory));
  ::munmap(retained_, retained_bytes());
  ::close(file_);
}

barefxt_config Machine::config(unsigned bank, barefxt_mode mode) const {
  barefxt_config config = config_of(ring_memory(bank), kRingBytes, kCpus, mode);
  config.target = "machine";
  return config;
}

int Machine::start(const std::function<void()>& work) {
  const int boot = ::fork();
  if (boot != 0) return boot;
  map_shared(first_page(), retained_bytes(), file_);
  work();
  ::_exit(0);
}

bool Machine::boot(const std::function<void()>& work) {
  int status = 0;
  return ::waitpid(start(work), &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void Machine::boot_and_kill(const std::function<void()>& work, unsigned microseconds) {
  const int boot = start(work);
  ::usleep(microseconds);
  ::kill(boot, SIGKILL);
  ::waitpid(boot, nullptr, 0);
}

barefxt_writer Machine::line() {
  const auto write = [](void* context, const uint8_t* bytes, size_t count) {
    auto& memory = *static_cast<Memory*>(context);
    for (size_t i = 0; i < count && memory.sent < Memory::kLineBytes; ++i)
      memory.line[memory.sent++] = bytes[i];
  };
  return {write, memory_};
}

void Machine::report(uint64_t number) const { memory_->numbers[memory_->number_count++] = number; }

std::vector<uint8_t> Machine::sent() {
  std::vector<uint8_t> bytes(memory_->line, memory_->line + memory_->sent);
  memory_->sent = 0;
  return bytes;
}

std::vector<uint64_t> Machine::reported() {
  std::vector<uint64_t> numbers(memory_->numbers, memory_->numbers + memory_->number_count);
  memory_->number_count = 0;
  return numbers;
}

size_t Machine::retained_bytes() {
  return (static_cast<size_t>(barefxt_retained_end - barefxt_retained_start) + kPage - 1) / kPage *
         kPage;
}

void* Machine::outside(const void* address) const {
  return retained_ + (static_cast<const uint8_t*>(address) - first_page());
}

uint8_t* Machine::ring_memory(unsigned bank) const { return memory_->rings[bank]; }

uint64_t& Machine::shared(unsigned index) const { return memory_->shared[index]; }

}  // namespace barefxt::test
