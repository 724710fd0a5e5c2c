// What records take on the line: the demo's trace, its records coded, as it came over the UART.

#include <gtest/gtest.h>

#include "costs_file.h"
#include "host-tests/wire_bytes.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class WireCostTest : public ::testing::TestWithParam<Image> {};

std::vector<CodedFrame> demo_frames(const Image& image) {
  Boot options;
  options.build = image.build;
  options.arguments = "seconds=2 dump=uart coded=1";
  const Booted run = boot(options);
  EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
  const std::string line = read_file(run.uart);
  return coded_frames(Bytes(line.begin(), line.end()));
}

// At most this many bytes, where frames have at least kFrame bytes of records.
struct Limit {
  const char* target;
  const char* record;
  double bytes;
};
constexpr Limit kLimits[] = {{"cortex-m3", "context_switch", 5}, {"cortex-m3", "event", 4}};
constexpr size_t kFrame = 4096;

TEST_P(WireCostTest, OfADemoRecordsTakeFewBytesOnTheLine) {
  const std::string target = GetParam().target;
  const std::vector<CodedFrame> frames = demo_frames(GetParam());
  const auto as_they_came = wire_bytes(frames);
  const auto in_large_frames = wire_bytes(framed_anew(frames, kFrame));
  for (const char* record : {"context_switch", "event", "all"}) {
    std::printf("wire_bytes of %s: %.2f, in frames of %zu bytes %.2f, of %zu %.2f\n", record,
                as_they_came.at(record).mean(), kFrame, in_large_frames.at(record).mean(),
                kFrame / 4, wire_bytes(framed_anew(frames, kFrame / 4)).at(record).mean());
  }
  for (const Limit& limit : kLimits) {
    if (target == limit.target) {
      EXPECT_LE(in_large_frames.at(limit.record).mean(), limit.bytes);
    }
  }
  // Whatever the target's clock: less than half of what a raw record takes.
  EXPECT_GT(as_they_came.at("context_switch").records, 1000u);
  EXPECT_LT(as_they_came.at("context_switch").mean(), 8);
  EXPECT_LT(as_they_came.at("event").mean(), 8);
  Json entries = Json::array();
  for (const auto& [record, share] : as_they_came)
    entries.push_back({{"target", target},
                       {"compiler", GetParam().compiler},
                       {"record", record},
                       {"wire_bytes", share.mean()}});
  note_costs(entries);
}

INSTANTIATE_TEST_SUITE_P(Targets, WireCostTest, ::testing::ValuesIn(all_images()), name_of_image);

}  // namespace
}  // namespace barefxt::test
