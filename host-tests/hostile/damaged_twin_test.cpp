// `print --json` of a damaged capture has no event, switch or wakeup that the sound capture lacks.
// Losses take records and names away, and add nothing but what reports them.
#include <gtest/gtest.h>

#include "build_kind.h"
#include "hostile/mutations.h"
#include "hostile/printed_twin.h"
#include "print/printing.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::damaged_twin_test {
namespace {

std::string printed(const Bytes& capture) {
  const Bytes archive = rebuild(capture).archive;
  return archive.empty() ? "" : json_of({archive.begin(), archive.end()});
}

TEST(DamagedTwin, HasNothingThatTheSoundCaptureLacks) {
  std::mt19937_64 random(20261126);
  const size_t cases = is_full_run() ? 1'000 : 6;
  for (const SoundInput& input : sound_inputs()) {
    if (input.kind != InputKind::kCapture) continue;
    const PrintedTwin twin(printed(input.bytes));
    for (size_t i = 0; i < cases; ++i) {
      const std::string invented = twin.first_invented(printed(damaged(input.bytes, random)));
      ASSERT_EQ(invented, "") << input.name << ", case " << i;
    }
  }
}

}  // namespace
}  // namespace barefxt::test::damaged_twin_test
