#include <algorithm>
#include <chrono>
#include <vector>

#include "costs.h"
#include "recording.h"

namespace {

constexpr unsigned kRounds = 60;
constexpr unsigned kRecords = sites::Floor::kBytes / 16;

template <typename Work>
double seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

double time_over_floor() {
  run_on_cpu(0);
  Recording recording(1, kRecords);
  std::vector<uint8_t> memory(sites::Floor::kBytes);
  sites::Floor floor;
  floor.memory = memory.data();
  double least_switches = 1e9;
  double least_floors = 1e9;
  for (unsigned round = 0; round < kRounds; ++round) {
    recording.start();
    const double switches = seconds([] {
      for (unsigned i = 0; i < kRecords; ++i)
        barefxt_context_switch(sites::outgoing, BAREFXT_STATE_BLOCKED, sites::incoming);
    });
    if (!Recording::stop()) return 1e9;
    const double floors = seconds([&] {
      for (unsigned i = 0; i < kRecords; ++i) sites::floor_of_a_record(floor);
    });
    least_switches = std::min(least_switches, switches);
    least_floors = std::min(least_floors, floors);
  }
  return least_switches / least_floors;
}
