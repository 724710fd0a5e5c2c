// A damaged archive shows nothing that the sound archive does not.
//
// An archive has no checksums: a changed byte of a record is another record. So damage here is what
// leaves no record: an archive cut short at any byte, and stretches wiped from the begin of a
// record on, by zeros or by ones, up to any byte.
//
// "Nothing invented" means: each record that is read is one of the sound archive's, whole, but for
// texts and threads whose table entries were wiped; statistics measure nothing that those of the
// sound archive do not (measured.h).
//
// "Nothing missing without a word" means: where a record is missing, bytes are reported that cannot
// be read, which each verb prints and answers with status 3. A cut between two records, and zeros
// up to the end, which are room never written to, cannot be told from an archive that ends there.
#include <algorithm>
#include <gtest/gtest.h>

#include "build_kind.h"
#include "hostile/measured.h"
#include "hostile/mutations.h"
#include "hostile/printed_twin.h"
#include "print/printing.h"
#include "rebuild/rebuild_harness.h"
#include "stats/everything.h"
#include "stats/summing.h"

namespace barefxt::test::damaged_archive_test {
namespace {

bool has_time(const host::Record& record) {
  return std::visit([](const auto& content) { return requires { content.timestamp; }; },
                    record.content);
}

struct Read {
  std::string lines;
  std::vector<uint64_t> begins;  // of records, from the first that has a time on
  size_t records = 0;
  uint64_t malformed = 0;
  host::Statistics statistics;

  explicit Read(const std::string& archive) : lines(json_of(archive)) {
    host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive)).form);
    while (const host::Record* record = reader.next()) {
      if (record->is_malformed()) continue;
      if (begins.empty() && !has_time(*record)) {
        ++records;
        continue;
      }
      begins.push_back(record->offset);
      ++records;
    }
    malformed = reader.malformed_bytes();
    host::StatisticsOptions options;
    options.precision = host::Precision::kExact;
    statistics = statistics_in(archive, options);
  }
};

class Twin {
 public:
  explicit Twin(const std::string& archive)
      : whole_(archive), printed_(whole_.lines), measured_(measured(whole_.statistics)) {
    EXPECT_EQ(whole_.malformed, 0U);
  }
  const std::vector<uint64_t>& begins() const { return whole_.begins; }
  void expect_honest(const std::string& damaged, bool can_end_there) const {
    const Read left(damaged);
    ASSERT_EQ(printed_.first_invented(left.lines), "");
    ASSERT_EQ(first_invented(measured(left.statistics), measured_), "");
    if (!can_end_there && left.records < whole_.records) {
      EXPECT_GT(left.malformed, 0U);
    }
    EXPECT_EQ(left.statistics.malformed_bytes, left.malformed);
  }

 private:
  Read whole_;
  PrintedTwin printed_;
  Measured measured_;
};

std::vector<std::pair<std::string, std::string>> archives() {
  std::vector<std::pair<std::string, std::string>> all = {{"everything", archive_of_everything()}};
  for (const SoundInput& input : sound_inputs()) {
    if (input.kind != InputKind::kCapture || input.name.find("freertos") == std::string::npos)
      continue;
    const Bytes archive = rebuild(input.bytes).archive;
    all.emplace_back(input.name, std::string(archive.begin(), archive.end()));
  }
  return all;
}

TEST(DamagedArchive, ThatIsCutHasTheFirstRecords) {
  std::mt19937_64 random(20261130);
  const size_t cases = is_full_run() ? 2'000 : 10;
  for (const auto& [name, archive] : archives()) {
    const Twin twin(archive);
    for (size_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
      const size_t size = 16 + random() % (archive.size() - 16);
      SCOPED_TRACE(name + " cut at " + std::to_string(size));
      const bool is_between = std::ranges::binary_search(twin.begins(), size);
      twin.expect_honest(archive.substr(0, size), is_between);
    }
  }
}

TEST(DamagedArchive, ThatIsWipedInPartHasNoOtherRecords) {
  std::mt19937_64 random(20261201);
  const size_t cases = is_full_run() ? 2'000 : 10;
  for (const auto& [name, archive] : archives()) {
    const Twin twin(archive);
    for (size_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
      const std::vector<uint64_t>& begins = twin.begins();
      const size_t first = random() % (begins.size() - 1);
      const size_t last = std::min(first + 1 + random() % 50, begins.size());
      const uint64_t from = begins[first];
      const uint64_t to = last == begins.size() ? archive.size() : begins[last];
      const char fill = random() % 2 == 0 ? '\0' : '\xff';
      std::string bytes = archive;
      std::fill(bytes.begin() + static_cast<ptrdiff_t>(from),
                bytes.begin() + static_cast<ptrdiff_t>(to), fill);
      SCOPED_TRACE(name + " wiped from " + std::to_string(from) + " to " + std::to_string(to) +
                   (fill == 0 ? " by zeros" : " by ones"));
      twin.expect_honest(bytes, fill == 0 && to == archive.size());
    }
  }
}

}  // namespace
}  // namespace barefxt::test::damaged_archive_test
