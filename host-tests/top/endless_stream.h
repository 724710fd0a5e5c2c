// A stream as a target sends it for as long as one likes.
#pragma once

#include <array>

#include "rebuild/capture_builder.h"
#include "rebuild/crc32c.h"

namespace barefxt::test {

// Frames of a stream of two CPUs with workers, without end.
//
// A restless one has threads that come and go, and a third CPU that never records anything.
class EndlessStream {
 public:
  static constexpr uint64_t kTicksPerSecond = 1'000'000;

  explicit EndlessStream(bool is_restless = false) : is_restless_(is_restless) {
    if (is_restless) capture_.cpus = 3;
    capture_.mode = 3;
    capture_.start_ticks = 0;
    const std::vector<Bytes> frames = capture_.frames();
    constexpr size_t kTables = 4;  // hello, strings and threads, once
    begin_ = binary_form({frames.begin(), frames.begin() + kTables});
    sequence_ = kTables;
  }
  const Bytes& begin() const { return begin_; }

  // The next stretch of time, in which the workers run 20 times.
  Bytes next(uint64_t ticks) {
    Bytes all;
    if (is_restless_ && segment_ % 4 == 0) all = binary_form({framed(other_threads(), 3)});
    for (unsigned cpu = 0; cpu < 2; ++cpu) {
      ByteBuilder payload;
      payload.u16(cpu).u8(0).u8(0).u32(segment_);
      payload.u64(records_[cpu]).u64(bytes_[cpu]).u64(lost_[cpu]).u64(lost_[cpu] * 24);
      if (segment_ % 1000 == 999) ++lost_[cpu];  // now and then a record is dropped
      Bytes records;
      for (unsigned i = 0; i < 20; ++i) {
        const uint64_t time = now_ + i * ticks / 20 + cpu * 7;
        const unsigned guest = is_restless_ && i == 0 ? 4 : 1 + cpu;
        for (const Words& words :
             {context_switch(time, cpu, 2, 3, 1 + cpu, 0, 5), instant(time + 5, guest, 1, 2, 3, i),
              context_switch(time + 100 + i, cpu, 3, 1 + cpu, 3, 5, 0)}) {
          const Bytes one = words_to_bytes(words);
          records.insert(records.end(), one.begin(), one.end());
          ++records_[cpu];
        }
      }
      bytes_[cpu] += records.size();
      payload.raw(records);
      const Bytes frame = binary_form({framed(payload.bytes())});
      all.insert(all.end(), frame.begin(), frame.end());
    }
    ++segment_;
    now_ += ticks;
    return all;
  }

 private:
  // Each in the place of the one before, by turns of two.
  Bytes other_threads() {
    const uint32_t turn = ++turns_ % 2;
    constexpr unsigned kFirstEntry = 3;
    ByteBuilder payload;
    payload.u16(kFirstEntry);
    for (uint32_t place = 0; place < 200; ++place) {
      const uint32_t number = 2 * place + turn;
      const std::string name = "guest " + std::to_string(number);
      payload.u8(2).u8(4).u8(static_cast<unsigned>(name.size())).u32(1000 + number).u32(10);
      payload.raw(Bytes(name.begin(), name.end()));
    }
    return payload.bytes();
  }
  Bytes framed(const Bytes& payload, unsigned type = 4) {
    ByteBuilder frame;
    frame.u8(1).u8(type).u8(0).u8(0).u32(capture_.id).u32(sequence_++).raw(payload);
    return ByteBuilder().raw(frame.bytes()).u32(host::crc32c(frame.bytes())).bytes();
  }

  TestCapture capture_ = two_cpu_capture(0, 0);
  Bytes begin_;
  bool is_restless_;
  uint32_t turns_ = 0;
  uint32_t sequence_ = 0;
  uint32_t segment_ = 0;
  uint64_t now_ = 1000;
  std::array<uint64_t, 2> records_{};
  std::array<uint64_t, 2> bytes_{};
  std::array<uint64_t, 2> lost_{};
};

}  // namespace barefxt::test
