// A session in a ring that is one run of memory, right behind a boot, with a process and two
// threads.
#pragma once

#include "linear.h"
#include "linear_boot.h"
#include "session_fixture.h"

namespace barefxt::test {

BAREFXT_CATEGORY(fill, 4);

class LinearTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    barefxt_process_register(10, "proc");
    barefxt_thread_register(&a_, 10, 101, "alpha", 5);
    barefxt_thread_register(&b_, 10, 102, "beta", 6);
  }

  static barefxt_error start_with(const barefxt_config& config) { return barefxt_start(&config); }
  static barefxt_error dump_to_nobody(barefxt_dump_form form = BAREFXT_DUMP_BINARY) {
    const barefxt_writer nobody = {[](void*, const uint8_t*, size_t) { FAIL(); }, nullptr};
    return barefxt_dump(&nobody, form);
  }
  static std::vector<Bytes> on_the_line(const Bytes& capture) {
    std::vector<Bytes> frames(1);
    for (const uint8_t byte : capture) {
      if (byte != 0)
        frames.back().push_back(byte);
      else if (!frames.back().empty())
        frames.emplace_back();
    }
    return frames;
  }
  // Bytes that records have taken.
  static uint32_t taken() {
    return linear::Place::offset_when_closed(rings[0].position.load_relaxed()) -
           linear::Place::kFirst;
  }
  static uint64_t lost_bytes() { return rings[0].bytes_lost.value(); }
  // Instants of 16 bytes, as many as there is room for.
  uint32_t fill() {
    uint32_t written = 0;
    while (taken() + 16 <= memory_.size_bytes() - linear::Place::kFirst) {
      BAREFXT_INSTANT(fill, "fill");
      ++written;
    }
    return written;
  }

  barefxt_thread a_ = {};
  barefxt_thread b_ = {};
};

}  // namespace barefxt::test
