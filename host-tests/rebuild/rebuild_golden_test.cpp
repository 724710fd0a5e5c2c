// One small capture, every byte of it spelled out: here, and with its meaning in
// docs/reference/wire-format.md.
#include <gtest/gtest.h>

#include "documented_frames.h"
#include "rebuild_harness.h"

namespace barefxt::test::rebuild_golden_test {
namespace {

// clang-format off
const char* const kCapture =
    // hello
    "00 03 01 01 01 05 fe ca ad 0b 01 01 01 04 40 42 "
    "0f 01 01 01 01 03 84 03 01 01 01 01 01 01 01 01 "
    "01 01 01 01 01 01 02 10 01 02 02 02 03 02 01 05 "
    "01 07 40 04 01 09 64 65 6d 6f a5 90 b3 c5 00 "
    // strings
    "00 03 01 02 01 06 fe ca ad 0b 01 01 01 02 01 02 "
    "04 06 64 65 6d 6f 04 06 74 69 63 6b 01 06 6e c7 "
    "3e 18 c0 00 "
    // threads
    "00 03 01 03 01 06 fe ca ad 0b 02 01 01 01 01 02 "
    "01 03 06 0a 01 01 01 01 01 01 0b 6b 65 72 6e 65 "
    "6c 02 01 04 0b 01 01 02 0a 01 01 09 69 6e 69 74 "
    "b5 20 32 e2 00 "
    // records
    "00 03 01 04 01 06 fe ca ad 0b 03 01 01 01 01 01 "
    "01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 "
    "01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 "
    "01 01 01 01 01 02 34 04 10 01 01 02 02 03 e8 03 "
    "01 01 01 01 01 02 12 02 03 02 01 01 01 02 34 04 "
    "10 01 01 02 02 03 f8 03 01 01 01 01 01 02 12 02 "
    "03 02 02 01 01 05 39 c7 48 6e 00 "
    // hello again
    "00 04 01 01 02 06 fe ca ad 0b 04 01 01 04 40 42 "
    "0f 01 01 01 01 03 84 03 01 01 01 01 01 01 01 01 "
    "01 01 01 01 01 01 02 10 01 02 02 02 03 02 01 05 "
    "01 07 40 04 01 09 64 65 6d 6f e7 89 cc a0 00 "
    // strings again
    "00 04 01 02 02 06 fe ca ad 0b 05 01 01 02 01 02 "
    "04 06 64 65 6d 6f 04 06 74 69 63 6b 01 06 6e 33 "
    "ec 4c 48 00 "
    // threads again
    "00 04 01 03 02 06 fe ca ad 0b 06 01 01 01 01 02 "
    "01 03 06 0a 01 01 01 01 01 01 0b 6b 65 72 6e 65 "
    "6c 02 01 04 0b 01 01 02 0a 01 01 09 69 6e 69 74 "
    "ba 9e 42 29 00 "
    // end
    "00 03 01 05 01 06 fe ca ad 0b 07 01 01 03 d0 07 "
    "01 01 01 01 01 02 01 02 02 01 01 01 01 01 01 02 "
    "30 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 "
    "01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 05 "
    "0d e3 3a 2f 00 ";

const char* const kArchive =
    // magic number
    "10 00 04 46 78 54 16 00 "
    // provider 1, "demo"
    "20 00 11 00 00 00 40 00 64 65 6d 6f 00 00 00 00 "
    // 1000000 ticks per second
    "21 00 00 00 00 00 00 00 40 42 0f 00 00 00 00 00 "
    // strings: 1 "demo", 2 "tick", 3 "n", 4 "process"
    "22 00 01 00 04 00 00 00 64 65 6d 6f 00 00 00 00 "
    "22 00 02 00 04 00 00 00 74 69 63 6b 00 00 00 00 "
    "22 00 03 00 01 00 00 00 6e 00 00 00 00 00 00 00 "
    "22 00 04 00 07 00 00 00 70 72 6f 63 65 73 73 00 "
    // thread 1: process 10, thread 11
    "33 00 01 00 00 00 00 00 0a 00 00 00 00 00 00 00 0b 00 00 00 00 00 00 00 "
    // process 10, "kernel"
    "37 00 01 06 80 00 00 00 0a 00 00 00 00 00 00 00 6b 65 72 6e 65 6c 00 00 "
    // thread 11, "init", argument 4: koid 10
    "57 00 02 04 80 01 00 00 0b 00 00 00 00 00 00 00 69 6e 69 74 00 00 00 00 "
    "28 00 04 00 00 00 00 00 0a 00 00 00 00 00 00 00 "
    // two instants
    "34 00 10 01 01 00 02 00 e8 03 00 00 00 00 00 00 12 00 03 00 01 00 00 00 "
    "34 00 10 01 01 00 02 00 f8 03 00 00 00 00 00 00 12 00 03 00 02 00 00 00 ";
// clang-format on

TEST(RebuildGolden, CaptureBecomesTheGoldenArchive) {
  const Rebuilt rebuilt = rebuild(from_hex(kCapture));
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_EQ(rebuilt.archive, from_hex(kArchive));
}

TEST(RebuildGolden, FramesOfTheDocumentAreTheSameCapture) {
  std::vector<Bytes> frames;
  for (const std::string& fence : documented_frames("hex frame")) frames.push_back(from_hex(fence));
  ASSERT_EQ(frames.size(), 5u);
  // The document leaves out the second copies, which are not needed here.
  const Rebuilt rebuilt = rebuild(binary_form(frames));
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_EQ(rebuilt.archive, from_hex(kArchive));
}

TEST(RebuildGolden, CodedFormsOfTheDocumentAreTheStringsFrame) {
  const Bytes strings = from_hex(documented_frames("hex frame").at(1));
  EXPECT_EQ(from_hex(documented_frames("hex cobs").at(0)), plain_cobs(strings));
  EXPECT_EQ(documented_frames("text frame").at(0), "barefxt:" + plain_base64(strings) + "\n");
  EXPECT_EQ(plain_cobs(from_hex("11 00 00 22")), from_hex("00 02 11 01 02 22 00"));
  const std::string nine = "123456789";
  EXPECT_EQ(plain_crc32c(Bytes(nine.begin(), nine.end())), 0xe3069283u);
}

}  // namespace
}  // namespace barefxt::test::rebuild_golden_test
