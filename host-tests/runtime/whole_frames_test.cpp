// Frames of a dump arrive whole: one call of the writer each, and together the same bytes.
#include <barefxt/whole_frames.h>

#include "session.h"
#include "session_fixture.h"

namespace barefxt::test::whole_frames_test {
namespace {

BAREFXT_CATEGORY(work, 3);

using Calls = std::vector<std::vector<uint8_t>>;

class WholeFramesTest : public SessionTest,
                        public ::testing::WithParamInterface<barefxt_dump_form> {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    start();
    for (uint32_t i = 0; i < 500; ++i)
      BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("here"), 0,
                    BAREFXT_ARG_U32("i", i));
    barefxt_stop();
  }

  // Each is the session's first: its hello has that number.
  static std::vector<uint8_t> first_dump() {
    session.dumps = 0;
    return dump(GetParam());
  }
  static Calls dump_through(size_t room) {
    session.dumps = 0;
    Calls calls;
    std::vector<uint8_t> buffer(room);
    barefxt_whole_frames frames = {};
    frames.to = {[](void* context, const uint8_t* bytes, size_t count) {
                   static_cast<Calls*>(context)->emplace_back(bytes, bytes + count);
                 },
                 &calls};
    frames.buffer = buffer.data();
    frames.bytes = buffer.size();
    const barefxt_writer writer = {barefxt_whole_frames_write, &frames};
    EXPECT_EQ(barefxt_dump(&writer, GetParam()), BAREFXT_OK);
    EXPECT_EQ(frames.used, 0u);
    return calls;
  }
  static std::vector<uint8_t> joined(const Calls& calls) {
    std::vector<uint8_t> all;
    for (const std::vector<uint8_t>& call : calls) all.insert(all.end(), call.begin(), call.end());
    return all;
  }
};

TEST_P(WholeFramesTest, EachCallOfTheWriterIsOneFrame) {
  const Calls calls = dump_through(BAREFXT_DRAIN_BYTES);
  EXPECT_EQ(joined(calls), first_dump());
  EXPECT_GT(calls.size(), 4u);
  for (const std::vector<uint8_t>& call : calls) {
    ASSERT_GT(call.size(), 2u);
    EXPECT_EQ(std::count(call.begin(), call.end(), call.front()), 2);
    EXPECT_EQ(call.back(), call.front());
  }
}

TEST_P(WholeFramesTest, AFrameThatDoesNotFitIsPassedOnInParts) {
  const std::vector<uint8_t> wanted = first_dump();
  for (const size_t room : {2u, 3u, 100u}) EXPECT_EQ(joined(dump_through(room)), wanted) << room;
}

INSTANTIATE_TEST_SUITE_P(Forms, WholeFramesTest,
                         ::testing::Values(BAREFXT_DUMP_BINARY, BAREFXT_DUMP_TEXT,
                                           BAREFXT_DUMP_BINARY_CODED, BAREFXT_DUMP_TEXT_CODED));

}  // namespace
}  // namespace barefxt::test::whole_frames_test
