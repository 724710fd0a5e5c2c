#include "interrupt_inputs.h"

#include <string>
#include <utility>

#include "image/memory_builder.h"

namespace barefxt::test {
namespace {

// Strings of that capture: 1 "irq", 2 "interrupt".
Words interrupt_begin(uint64_t time, uint32_t number) {
  return {4 | 3 << 4 | 2 << 16 | 1 << 20 | 4 << 24 | uint64_t{1} << 32 | uint64_t{2} << 48, time,
          2 | 1 << 4 | 1 << 16 | uint64_t{number} << 32};
}
Words interrupt_end(uint64_t time) {
  return {4 | 2 << 4 | 3 << 16 | 4 << 24 | uint64_t{1} << 32 | uint64_t{2} << 48, time};
}
Words wakeup_by(uint32_t number, uint64_t time, uint64_t koid) {
  return {8 | 4 << 4 | 1 << 16 | uint64_t{2} << 60, time, koid,
          2 | 1 << 4 | 1 << 16 | uint64_t{number} << 32};
}
Words wakeup(uint64_t time, uint64_t koid) { return {8 | 3 << 4 | uint64_t{2} << 60, time, koid}; }

}  // namespace

Bytes interrupts_capture() {
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  capture.strings = {"irq", "interrupt"};
  uint64_t now = 100;
  for (unsigned piece = 0; piece < 4; ++piece) {
    std::vector<Words> records;
    for (unsigned i = 0; i < 20; ++i) {
      records.push_back(context_switch(now += 10, 0, 3, 2, 1, 5, 5));
      records.push_back(interrupt_begin(now += 10, 16 + i));
      records.push_back(wakeup(now += 10, 21));
      records.push_back(interrupt_begin(now += 10, 40));
      records.push_back(interrupt_end(now += 10));
      records.push_back(interrupt_end(now += 10));
      records.push_back(wakeup_by(37 + i, now += 10, 21));
      records.push_back(wakeup(now += 10, 20));
    }
    capture.pieces.push_back({.cpu = 0, .segment = piece, .records = records});
  }
  return binary_form(capture.frames());
}

Bytes program_with_vectors() {
  constexpr uint32_t kFlash = 0x08000000;
  constexpr unsigned kArm = 40;
  ByteBuilder table;
  table.u32(0x20001000);
  std::vector<std::pair<std::string, uint64_t>> handlers;
  for (unsigned i = 1; i < 64; ++i) {
    const uint32_t address = kFlash + 0x1001 + 16 * i;
    table.u32(address);
    const std::string number = std::to_string(100 + i);
    handlers.emplace_back("_Z11handler_" + number + "v", address);
  }
  return make_elf({{kFlash, kFlash, table.bytes()}}, false, 32, handlers, false, kArm);
}

}  // namespace barefxt::test
