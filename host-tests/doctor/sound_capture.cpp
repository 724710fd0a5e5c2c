#include "sound_capture.h"

namespace barefxt::test {
namespace {

constexpr unsigned kCategory = 1;
constexpr unsigned kTick = 2;
constexpr unsigned kNumber = 3;
constexpr unsigned kInterrupt = 4;
constexpr unsigned kTimer = 5;
constexpr unsigned kUart = 6;
constexpr unsigned kBlocked = 3;
constexpr unsigned kBegin = 2;
constexpr unsigned kEnd = 3;

}  // namespace

Words duration_edge(unsigned event, uint64_t timestamp, unsigned thread, unsigned category,
                    unsigned name) {
  return {uint64_t{4} | uint64_t{2} << 4 | uint64_t{event} << 16 | uint64_t{thread} << 24 |
              uint64_t{category} << 32 | uint64_t{name} << 48,
          timestamp};
}

std::vector<Words> Round::records() const {
  return {
      context_switch(begin + 1, cpu, 0, idle(), worker(), 0, 5),
      instant(begin + 11, worker(), kCategory, kTick, kNumber, static_cast<uint32_t>(begin)),
      duration_edge(kBegin, begin + 21, pseudo_thread(), kInterrupt, kTimer),
      duration_edge(kBegin, begin + 31, pseudo_thread(), kInterrupt, kUart),
      duration_edge(kEnd, begin + 41, pseudo_thread(), kInterrupt, kUart),
      duration_edge(kEnd, begin + 51, pseudo_thread(), kInterrupt, kTimer),
      context_switch(begin + 61, cpu, kBlocked, worker(), idle(), 5, 0),
  };
}

TestCapture sound_capture(const Change& change) {
  constexpr unsigned kPieces = 4;
  constexpr unsigned kRounds = 8;  // in each
  TestCapture capture;
  capture.mode = 1;
  capture.start_ticks = kSoundStart;
  capture.strings = {"demo", "tick", "n", "irq", "timer", "uart"};
  capture.threads = {{1, 0, 10, 0, "kernel"},
                     {2, 1, 11, 10, "worker"},
                     {2, 2, 12, 10, "logger"},
                     {2, 3, 20, 0, "idle/0"},
                     {2, 4, 21, 0, "idle/1"},
                     {1, 0, 0x7e000000, 0, "cpus"},
                     {3, 5, 0x7f000000, 0x7e000000, "cpu-0"},
                     {3, 6, 0x7f000001, 0x7e000000, "cpu-1"}};
  for (unsigned piece = 0; piece < kPieces; ++piece)
    for (uint16_t cpu = 0; cpu < 2; ++cpu) {
      TestPiece one{.cpu = cpu, .segment = piece, .records = {}};
      for (unsigned i = 0; i < kRounds; ++i) {
        const uint64_t begin =
            kSoundStart + (piece * kRounds + i) * Round::kTicks + uint64_t{cpu} * 3;
        std::vector<Words> round = Round{.cpu = cpu, .begin = begin}.records();
        if (change) change(cpu, round);
        one.records.insert(one.records.end(), round.begin(), round.end());
      }
      capture.pieces.push_back(one);
    }
  capture.stop_ticks = kSoundStart + (kPieces * kRounds + 1) * Round::kTicks;
  return capture;
}

}  // namespace barefxt::test
