// The trace through the channel in memory that debug probes read (port/transport/rtt). The test is
// the probe: the machine's memory is a file, in which it looks for the block, takes the bytes, and
// stores how far it is, while the kernel runs.

#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#include "comparison.h"
#include "machine.h"
#include "targets.h"

namespace barefxt::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(60);

// The memory of a machine, shared with it.
class SharedMemory {
 public:
  SharedMemory(const std::string& path, size_t bytes) : bytes_(bytes) {
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (at != MAP_FAILED) start_ = static_cast<uint8_t*>(at);
  }
  ~SharedMemory() {
    if (start_ != nullptr) munmap(start_, bytes_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  uint8_t* start() const { return start_; }
  size_t bytes() const { return bytes_; }

 private:
  uint8_t* start_ = nullptr;
  size_t bytes_;
};

// How the target lays out its words, by the header of its ELF file.
struct WordLayout {
  explicit WordLayout(const std::string& image) {
    constexpr size_t kClass = 4;
    constexpr size_t kDataEncoding = 5;
    pointer_bytes = image.at(kClass) == 2 ? 8 : 4;
    big_endian = image.at(kDataEncoding) == 2;
  }
  uint64_t pointer(const uint8_t* at) const {
    return pointer_bytes == 4 ? word(at)
           : big_endian       ? word(at) << 32 | word(at + 4)
                              : word(at + 4) << 32 | word(at);
  }
  uint64_t word(const uint8_t* at) const { return turned(load(at)); }
  static uint32_t load(const uint8_t* at) {
    return __atomic_load_n(reinterpret_cast<const uint32_t*>(at), __ATOMIC_ACQUIRE);
  }
  void store(uint8_t* at, uint32_t value) const {
    __atomic_store_n(reinterpret_cast<uint32_t*>(at), turned(value), __ATOMIC_RELEASE);
  }
  uint32_t turned(uint32_t value) const { return big_endian ? __builtin_bswap32(value) : value; }

  size_t pointer_bytes;
  bool big_endian;
};

class ProbeTest : public ::testing::TestWithParam<Image> {};

// Null: no kernel has set up its channel yet.
uint8_t* find_block(const SharedMemory& memory) {
  constexpr char kId[16] = "SEGGER RTT";
  for (const auto end = Clock::now() + kPatience; Clock::now() < end;) {
    if (void* const found = memmem(memory.start(), memory.bytes(), kId, sizeof kId))
      return static_cast<uint8_t*>(found);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return nullptr;
}

TEST_P(ProbeTest, AProbeTakesTheWholeTraceOutOfTheRunningKernelsMemory) {
  const std::string image = read_file(image_path(GetParam().build));
  // Or a probe that searches the flash would take that for the block.
  EXPECT_TRUE(lacks(image, "SEGGER RTT"));
  const WordLayout words(image);

  const Boot options = {.build = GetParam().build, .arguments = "seconds=1 dump=rtt workers=20"};
  Machine machine(options);
  const SharedMemory memory(machine.memory(), machine.memory_bytes());
  ASSERT_NE(memory.start(), nullptr);
  uint8_t* const block = find_block(memory);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(words.word(block + 16), 1u);

  uint8_t* const channel = block + 24;
  const uint64_t address = words.pointer(channel + words.pointer_bytes);
  ASSERT_GE(address, machine.memory_base());
  ASSERT_LT(address - machine.memory_base(), memory.bytes() - 4096);
  const uint8_t* const buffer = memory.start() + (address - machine.memory_base());
  uint8_t* const offsets = channel + 2 * words.pointer_bytes;
  const auto bytes = static_cast<uint32_t>(words.word(offsets));
  ASSERT_EQ(bytes, 1024u);

  std::string capture;
  uint32_t next = 0;
  for (const auto end = Clock::now() + kPatience; Clock::now() < end;) {
    const bool is_over = machine.is_over();
    const auto written = static_cast<uint32_t>(words.word(offsets + 4));
    ASSERT_LT(written, bytes);
    if (written == next) {
      if (is_over) break;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    for (; next != written; next = (next + 1) % bytes) capture += static_cast<char>(buffer[next]);
    words.store(offsets + 8, next);
  }
  const Booted& run = machine.wait();
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);

  write_file(machine.file("probe.raw"), capture);
  const std::string archive = machine.file("trace.fxt");
  const Output rebuilt = barefxt("rebuild " + machine.file("probe.raw") + " -o " + archive);
  ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
  const Tally tally = read_tally(read_file(run.uart));
  EXPECT_GT(tally.records, 1000u);
  const std::vector<std::string> differences = compare(tally, read_archive(archive));
  EXPECT_TRUE(differences.empty()) << join(differences);
}

// The block lies among the kernel's variables.
std::vector<Image> images_with_all_memory() {
  std::vector<Image> images;
  for (const Image& image : images_of(Machine::targets()))
    if (Machine::memory_of(image.target).is_all) images.push_back(image);
  return images;
}

BAREFXT_TEST_IMAGES(ProbeTest, Portion::kAll, images_with_all_memory());

}  // namespace
}  // namespace barefxt::test
