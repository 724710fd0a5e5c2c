// The measured walk finds everything that was written.
#include "walk.h"

#include <gtest/gtest.h>

namespace barefxt::test::walk_test {
namespace {

Sums step(host::Bytes bytes) {
  host::Reader reader(bytes, {});
  Summing<true> summing;
  while (const host::Record* record = reader.next()) {
    std::visit([&](const auto& view) { summing.see(view); }, record->content);
  }
  return summing.sums();
}

TEST(Walk, FindsWhatWasWrittenInEitherWay) {
  for (const Mix mix : {Mix::kDemo, Mix::kShuffled, Mix::kInline}) {
    const Sample one = sample(mix, size_t{1} << 20);
    const std::string archive = one.archive(2);
    EXPECT_EQ(walk<true>(bytes_of(archive)), one.sums(2));
    EXPECT_EQ(step(bytes_of(archive)), one.sums(2));
  }
}

}  // namespace
}  // namespace barefxt::test::walk_test
