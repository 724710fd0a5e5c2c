// The clock: whether it ticks, often enough, ahead only, and alike on all CPUs.
#include <algorithm>

#include "checks.h"

namespace barefxt::host {
namespace {

std::string at(uint64_t ticks) { return formatted("tick {}", ticks); }

void stands_still(const CaptureFacts& facts, const RingSurvey& ring, Diagnoses& diagnoses) {
  static constexpr uint64_t kEnough = 8;
  const ClockSurvey& clock = ring.clock;
  if (clock.times < kEnough || clock.same + 1 != clock.times) return;
  diagnoses.add("clock-stands-still", facts.cpu(ring),
                formatted("all {} bear the time {}", counted(clock.times, "record"), clock.last),
                "switch the counter on that barefxt_port_counter reads, before barefxt_start; a "
                "debug counter may need a debugger, or its enable bit");
}

void is_coarse(const CaptureFacts& facts, const RingSurvey& ring, Diagnoses& diagnoses) {
  static constexpr uint64_t kEnough = 64;
  static constexpr uint64_t kFewestTicksPerSecond = 1000;
  const ClockSurvey& clock = ring.clock;
  if (clock.times < kEnough || clock.same + 1 == clock.times) return;
  const auto& hello = facts.capture.hello();
  const bool is_slow = hello && hello->ticks_per_second < kFewestTicksPerSecond;
  if (!is_slow && clock.same <= clock.times / 4 * 3) return;
  diagnoses.add(
      "clock-coarse", facts.cpu(ring),
      formatted(
          "{} of {} bear the time of the one before{}", clock.same, counted(clock.times, "record"),
          hello ? formatted(", at {} ticks a second", hello->ticks_per_second) : std::string()),
      "let barefxt_port_counter read a counter of the CPU or a fast timer, not the "
      "kernel's tick");
}

void goes_back(const CaptureFacts& facts, const RingSurvey& ring, Diagnoses& diagnoses) {
  const ClockSurvey& clock = ring.clock;
  if (clock.backward == 0) return;
  const ClockSurvey::Step step = clock.first_backward;
  const std::string first = formatted("first from {} to {}", at(step.from), at(step.to));
  if (clock.wraps == clock.backward) {
    const std::string bits = std::to_string(clock.wrap_bits);
    diagnoses.add("clock-wraps", facts.cpu(ring),
                  formatted("time begins anew {}, {}, as a counter of {} bits that wraps",
                            counted(clock.backward, "time"), first, bits),
                  "define BAREFXT_PORT_COUNTER_BITS " + bits +
                      " in the port, and call barefxt_clock_tick from the kernel's tick, at least "
                      "once in half a period of the counter, also while nothing is recorded");
    return;
  }
  // The upper half of a counter read apart from the lower: by a period ahead, and back.
  const uint64_t back = step.from - step.to;
  const uint64_t ahead = clock.largest_ahead.to - clock.largest_ahead.from;
  const uint64_t off = back > ahead ? back - ahead : ahead - back;
  const bool is_torn =
      clock.largest_ahead.to == step.from && ahead >= (uint64_t{1} << 16) && off <= ahead / 64;
  diagnoses.add(
      "clock-goes-back", facts.cpu(ring),
      formatted("time goes back {}, {}", counted(clock.backward, "time"), first),
      is_torn ? "it had leapt ahead by as much right before: read the halves of a long counter so "
                "that both are of one moment (upper, lower, upper again)"
              : "the counter was set during recording, or CPUs with different counters record as "
                "this one; for a counter that wraps, define BAREFXT_PORT_COUNTER_BITS, and call "
                "barefxt_clock_tick in time");
}

// A period of a counter that was counted twice.
void leaps(const CaptureFacts& facts, const RingSurvey& ring, Diagnoses& diagnoses) {
  static constexpr uint64_t kEnough = 16;
  const ClockSurvey& clock = ring.clock;
  if (clock.times < kEnough || clock.backward != 0) return;
  const uint64_t leap = clock.largest_ahead.to - clock.largest_ahead.from;
  const uint64_t rest = clock.last - clock.first - leap;
  for (unsigned bits = 16; bits <= 32; ++bits) {
    const uint64_t period = uint64_t{1} << bits;
    const uint64_t off = leap > period ? leap - period : period - leap;
    if (off > period / 64 || rest > period / 16) continue;
    diagnoses.add(
        "clock-leaps", facts.cpu(ring),
        formatted(
            "time leaps from {} to {}, a period of a counter of {} bits, and all the rest takes {}",
            at(clock.largest_ahead.from), at(clock.largest_ahead.to), bits, counted(rest, "tick")),
        "call barefxt_clock_tick at least once in half a period of the counter, on every "
        "CPU that has one of its own; where the port makes 64 bits of a shorter counter "
        "itself, make them of one moment");
    return;
  }
}

// CPUs within a millisecond of each other may share one clock.
void are_apart(const CaptureFacts& facts, const RingSurvey& ring, Diagnoses& diagnoses) {
  const auto& hello = facts.capture.hello();
  if (!hello || hello->cpu_count < 2 || ring.clock.times == 0 || ring.clock.backward != 0) return;
  if (!hello->one_counter) {
    const auto offsets = facts.capture.clock_offsets();
    if (ring.cpu == 0 || ring.cpu >= offsets.size()) return;
    const std::optional<ClockOffset>& offset = offsets[ring.cpu];
    if (!offset || offset->error) return;
    diagnoses.add("clocks-apart", facts.cpu(ring),
                  "it has a counter of its own, which was never compared with that of cpu 0",
                  "call barefxt_clock_sync on all CPUs at once, before barefxt_start");
    return;
  }
  if (hello->kind != wire::TraceKind::kSession) return;
  const uint64_t slack = hello->ticks_per_second / 1000 + 1;
  const uint64_t stop = facts.capture.stop_ticks().value_or(~uint64_t{0} - slack);
  const bool is_early = ring.clock.earliest + slack < hello->start_ticks;
  const bool is_late = ring.clock.latest > stop + slack;
  if (!is_early && !is_late) return;
  diagnoses.add(
      "clocks-apart", facts.cpu(ring),
      formatted("its records lie between {} and {}, and the session between {} and {}, by the "
                "port's word that all CPUs share one counter",
                at(ring.clock.earliest), at(ring.clock.latest), at(hello->start_ticks), at(stop)),
      "take the flag for that out of BAREFXT_PORT_COUNTER_FLAGS, and call "
      "barefxt_clock_sync on all CPUs at once");
}

// On one CPU, the moments of start and stop are times like those of records.
void leaves_the_session(const CaptureFacts& facts, const RingSurvey& ring, Diagnoses& diagnoses) {
  const auto& hello = facts.capture.hello();
  if (!hello || hello->cpu_count != 1 || hello->kind != wire::TraceKind::kSession) return;
  if (ring.clock.times == 0 || ring.clock.backward != 0) return;
  const uint64_t stop = facts.capture.stop_ticks().value_or(~uint64_t{0});
  const bool is_early = ring.clock.earliest < hello->start_ticks;
  if (!is_early && ring.clock.latest <= stop) return;
  const ClockSurvey::Step step = is_early ? ClockSurvey::Step{hello->start_ticks, ring.clock.first}
                                          : ClockSurvey::Step{ring.clock.last, stop};
  const unsigned bits = bits_of_wrap(step);
  diagnoses.add(
      bits != 0 ? "clock-wraps" : "clock-goes-back", facts.cpu(ring),
      std::string("time goes back from ") + at(step.from) +
          (is_early ? ", when recording started, to " : ", that of the last record, to ") +
          at(step.to) + (is_early ? "" : ", when recording stopped"),
      "for a counter that wraps, define BAREFXT_PORT_COUNTER_BITS, and call barefxt_clock_tick in "
      "time; set no counter during recording");
}

}  // namespace

void check_clocks(const CaptureFacts& facts, Diagnoses& diagnoses) {
  for (const RingSurvey& ring : facts.rings) {
    stands_still(facts, ring, diagnoses);
    is_coarse(facts, ring, diagnoses);
    goes_back(facts, ring, diagnoses);
    leaps(facts, ring, diagnoses);
    are_apart(facts, ring, diagnoses);
    leaves_the_session(facts, ring, diagnoses);
  }
}

}  // namespace barefxt::host
