#include "wire_cost.h"

#include <gtest/gtest.h>

#include "costs_file.h"
#include "host-tests/rebuild/wire_bytes.h"

namespace barefxt::test {
namespace {

// At most this many bytes a switch. Only two targets make their time of instructions. On the others
// a busy machine stretches times, and each that is twice as long takes a bit more: three are
// allowed.
double most_for_a_switch(const std::string& target) {
  const bool is_elsewhere = target == "armv7a" || target == "x86_64" || target == "m68k";
  const bool is_by_instructions = target == "cortex-m0" || target == "m68k";
  return (is_elsewhere ? 4.2 : 3.5) + (is_by_instructions ? 0 : 3.0 / 8);
}
// The limit of an event on Cortex-M3, if frames have at least kFrame bytes of records.
constexpr double kMaxEvent = 4;
constexpr size_t kFrame = 4096;

}  // namespace

void expect_few_bytes_on_the_line(const Image& image, const Booted& run) {
  const std::string line = read_file(run.uart);
  const std::vector<CodedFrame> frames = coded_frames(Bytes(line.begin(), line.end()));
  const auto as_they_came = wire_bytes(frames);
  const auto in_large_frames = wire_bytes(framed_anew(frames, kFrame));
  for (const char* record : {"context_switch", "event", "all"}) {
    std::printf("wire_bytes of %s: %.2f, in frames of %zu bytes %.2f, of %zu %.2f\n", record,
                as_they_came.at(record).mean(), kFrame, in_large_frames.at(record).mean(),
                kFrame / 4, wire_bytes(framed_anew(frames, kFrame / 4)).at(record).mean());
  }
  EXPECT_LE(as_they_came.at("context_switch").mean(), most_for_a_switch(image.target));
  if (image.target == "cortex-m3") {
    EXPECT_LE(in_large_frames.at("event").mean(), kMaxEvent);
  }
  // With any clock of the target: less than half the bytes of a raw record.
  EXPECT_GT(as_they_came.at("context_switch").records, 1000u);
  EXPECT_LT(as_they_came.at("context_switch").mean(), 8);
  EXPECT_LT(as_they_came.at("event").mean(), 8);
  Json entries = Json::array();
  for (const auto& [record, share] : as_they_came)
    entries.push_back({{"target", image.target},
                       {"compiler", image.compiler},
                       {"record", record},
                       {"wire_bytes", share.mean()}});
  note_costs(entries);
}

}  // namespace barefxt::test
