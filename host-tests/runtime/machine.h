// A machine whose memory survives its resets. Each boot is a process of its own. It starts with the
// tracer as after power-on, except for retained memory and the memory of the rings. These are
// shared by all boots, and stay as they were when a boot was killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <barefxt/barefxt.h>

namespace barefxt::test {

class Machine {
 public:
  static constexpr uint16_t kCpus = 2;
  static constexpr size_t kRingBytes = 64 * BAREFXT_SEGMENT_BYTES;  // of a bank, all CPUs together

  Machine();
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Two banks of memory for rings.
  barefxt_config config(unsigned bank = 0, barefxt_mode mode = BAREFXT_MODE_ONE_SHOT) const;

  // Runs `work` until it returns; false where it did not come to that.
  bool boot(const std::function<void()>& work);
  // Runs it until it is killed after `microseconds`.
  void boot_and_kill(const std::function<void()>& work, unsigned microseconds);

  // From within a boot: what the outside shall have.
  barefxt_writer line();
  void report(uint64_t number) const;
  // From outside: the bytes on the line since the last call, and the numbers reported.
  std::vector<uint8_t> sent();
  std::vector<uint64_t> reported();

  // Memory as the outside sees it: of retained objects, by their address in the image.
  template <typename T>
  T& retained(T& object) const {
    return *reinterpret_cast<T*>(outside(&object));
  }
  uint8_t* ring_memory(unsigned bank) const;
  // The pages of what is retained, as the outside sees them, and their bytes. Within a boot they
  // lie from barefxt_retained_start on.
  uint8_t* retained_pages() const { return retained_; }
  static size_t retained_bytes();
  // A word of memory that boots and the test share.
  uint64_t& shared(unsigned index) const;

 private:
  struct Memory;
  void* outside(const void* address) const;
  int start(const std::function<void()>& work);

  Memory* memory_;
  uint8_t* retained_;  // the pages of what is retained
  int file_;
};

}  // namespace barefxt::test
