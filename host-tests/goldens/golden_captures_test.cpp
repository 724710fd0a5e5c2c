// Captures that released writers wrote, read for ever: goldens/captures/, by version of the wire
// format. A new version adds captures here and takes none away.
//
// A CRC guards each of their archives. A deliberate change of rebuild's output changes these CRCs;
// the content of a capture's records never changes.
#include <fstream>
#include <gtest/gtest.h>

#include "rebuild/rebuild_harness.h"
#include "rebuild/wire_bytes.h"

namespace barefxt::test::golden_captures_test {
namespace {

Bytes golden_capture(const std::string& name) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/host-tests/goldens/captures/" + name, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

struct GoldenCapture {
  const char* file;
  size_t switches;
  size_t events;
  uint32_t archive_crc;
  host::RebuildVerdict verdict = host::RebuildVerdict::kComplete;
};
constexpr GoldenCapture kCaptures[] = {
    // The demo as a flight recorder, raw: mode=circular seconds=1.
    {"cortex-m3-circular.v1.raw", 380, 302, 0x62a60ebd},
    // The whole demo, its records coded: seconds=2 coded=1.
    {"cortex-m3-demo.v2.raw", 12343, 13785, 0x11cacf8a},
    // Threads that come, are renamed and go, in a table of 64 entries: three sessions on the host,
    // one of each mode.
    {"entries.v4.raw", 605, 346, 0x84820982},
    // A refusal, then three boots on the host that start at one tick; two of them dump twice.
    {"boots.v5.raw", 105, 105, 0x80d24d8f},
    // Samples near and far, backtraces, and blocks of a heap with its bounds, on the host.
    {"samples.v6.raw", 9, 23, 0xf54396f8},
    // Strings stayed in the program's file, which is not given: events have numbers for names.
    {"strings.v7.raw", 9, 8, 0xab6b0596, host::RebuildVerdict::kIncomplete},
    // The demo as a flight recorder, coded in bits, samples too: mode=circular seconds=1 workers=20
    // coded=1 samples=7.
    {"cortex-m3-packed.v8.raw", 318, 224, 0x73c484ad},
};

TEST(GoldenCaptures, AreReadWhateverVersionTheyAre) {
  for (const GoldenCapture& golden : kCaptures) {
    SCOPED_TRACE(golden.file);
    const Bytes capture = golden_capture(golden.file);
    ASSERT_FALSE(capture.empty());
    const Rebuilt rebuilt = rebuild(capture);
    EXPECT_EQ(rebuilt.verdict, golden.verdict) << rebuilt.messages;
    expect_sound(rebuilt);
    const PlainArchive archive = decode_plainly(rebuilt.archive);
    constexpr unsigned kEvent = 4;
    constexpr unsigned kScheduling = 8;
    EXPECT_EQ(archive.of_type(kScheduling).size(), golden.switches);
    EXPECT_EQ(archive.of_type(kEvent).size(), golden.events);
    EXPECT_EQ(plain_crc32c(rebuilt.archive), golden.archive_crc);
  }
}

// Bytes on the line for the demo's trace on Cortex-M3 at 25 MHz, frames and CRCs included. The test
// of the same on each target, live, is demo_test.
TEST(WireBytes, OfARecordAreFewOverTheWholeOfADemo) {
  const std::vector<CodedFrame> frames = coded_frames(golden_capture("cortex-m3-demo.v2.raw"));
  for (const size_t bytes : {512u, 1024u, 2048u, 4096u, 8192u}) {
    const auto shares = wire_bytes(framed_anew(frames, bytes));
    std::printf("frames of %5zu bytes of records: context_switch %.2f event %.2f all %.2f\n", bytes,
                shares.at("context_switch").mean(), shares.at("event").mean(),
                shares.at("all").mean());
    if (bytes < 4096) continue;
    EXPECT_GT(shares.at("context_switch").records, 1000u);
    EXPECT_GT(shares.at("event").records, 1000u);
    EXPECT_LE(shares.at("context_switch").mean(), bytes < 8192 ? 3.7 : 3.3);
    EXPECT_LE(shares.at("event").mean(), 4);
  }
}

}  // namespace
}  // namespace barefxt::test::golden_captures_test
