// A damaged archive shows nothing that the sound archive does not.
//
// An archive has no checksums: a changed byte of a record is another record. So damage here is what
// leaves no record: an archive cut short at any byte, and stretches wiped from the begin of a
// record on, by zeros or by ones, up to the begin of another: bytes of a record without its begin
// can look like any record. The stretches begin behind the first record that has a time: ahead of
// it stand the clock's rate and the names, by which idle threads are known, and without it the
// trace begins later. They spare records that report losses: nobody knows of what was lost before
// those then.
//
// The record that a cut tears has a begin and a wrong size: the reader looks for the next record in
// it, and its bytes can look like any as well. Nothing is held to the sound archive then but the
// report of the damage.
//
// "Nothing invented" means: each record that is read is one of the sound archive's, whole, but for
// texts and threads whose table entries were wiped; statistics measure nothing that those of the
// sound archive do not (measured.h).
//
// "Nothing missing without a word" means: where a record is missing, bytes are reported that cannot
// be read, which each verb prints and answers with status 3. A cut between two records, and zeros
// up to the end, which are room never written to, look like an archive that ends there.
#include <algorithm>
#include <gtest/gtest.h>

#include "archive/own_events.h"
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

bool is_report(const host::Record& record) {
  const auto* event = std::get_if<host::Event>(&record.content);
  return event != nullptr && host::is_loss(*event);
}

struct Read {
  std::string lines;
  std::vector<uint64_t> begins;   // of all records
  std::vector<uint64_t> reports;  // of losses
  std::vector<uint64_t> timed;    // of these, from the first that has a time on
  uint64_t malformed = 0;
  host::Statistics statistics;

  explicit Read(const std::string& archive) : lines(json_of(archive)) {
    host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive)).form);
    while (const host::Record* record = reader.next()) {
      if (record->is_malformed()) continue;
      begins.push_back(record->offset);
      if (is_report(*record)) reports.push_back(record->offset);
      if (!timed.empty() || has_time(*record)) timed.push_back(record->offset);
    }
    malformed = reader.malformed_bytes();
    host::StatisticsOptions options;
    options.precision = host::Precision::kExact;
    statistics = statistics_in(archive, options);
  }
};

constexpr const char* kEverything = "everything";

class Twin {
 public:
  Twin(const std::string& name, const std::string& archive)
      : name_(name),
        whole_(archive),
        printed_(whole_.lines),
        measured_(measured(whole_.statistics)) {
    EXPECT_EQ(whole_.malformed, 0U);
  }
  const Read& whole() const { return whole_; }
  // `torn`: where a record begins that is there in part.
  void expect_honest(const std::string& damaged, bool can_end_there, uint64_t torn) const {
    const Read left(damaged);
    if (!can_end_there && left.begins.size() < whole_.begins.size()) {
      EXPECT_GT(left.malformed, 0U);
    }
    EXPECT_EQ(left.statistics.malformed_bytes, left.malformed);
    if (!left.begins.empty() && left.begins.back() >= torn) return;
    ASSERT_EQ(printed_.first_invented(left.lines), "");
    Measured rest = measured(left.statistics);
    // This archive wakes threads that are awake already. Behind damage, that looks like
    // the wakeup that a thread waited for.
    if (name_ == kEverything)
      std::erase_if(rest.lengths, [](const auto& row) { return row.first.ends_with("/latency"); });
    ASSERT_EQ(first_invented(rest, measured_), "");
  }

 private:
  std::string name_;
  Read whole_;
  PrintedTwin printed_;
  Measured measured_;
};

std::vector<std::pair<std::string, std::string>> archives() {
  std::vector<std::pair<std::string, std::string>> all = {{kEverything, archive_of_everything()}};
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
    const Twin twin(name, archive);
    for (size_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
      const size_t size = 16 + random() % (archive.size() - 16);
      SCOPED_TRACE(name + " cut at " + std::to_string(size));
      const auto next = std::ranges::lower_bound(twin.whole().begins, size);
      const bool is_between = next != twin.whole().begins.end() && *next == size;
      twin.expect_honest(archive.substr(0, size), is_between, is_between ? size : *(next - 1));
    }
  }
}

TEST(DamagedArchive, ThatIsWipedInPartHasNoOtherRecords) {
  std::mt19937_64 random(20261201);
  const size_t cases = is_full_run() ? 2'000 : 10;
  for (const auto& [name, archive] : archives()) {
    const Twin twin(name, archive);
    for (size_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
      const std::vector<uint64_t>& begins = twin.whole().timed;
      const size_t first = 1 + random() % (begins.size() - 2);
      const size_t last = std::min(first + 1 + random() % 50, begins.size());
      const uint64_t from = begins[first];
      const uint64_t to = last == begins.size() ? archive.size() : begins[last];
      const auto report = std::ranges::lower_bound(twin.whole().reports, from);
      if (report != twin.whole().reports.end() && *report < to) continue;
      const char fill = random() % 2 == 0 ? '\0' : '\xff';
      std::string bytes = archive;
      std::fill(bytes.begin() + static_cast<ptrdiff_t>(from),
                bytes.begin() + static_cast<ptrdiff_t>(to), fill);
      SCOPED_TRACE(name + " wiped from " + std::to_string(from) + " to " + std::to_string(to) +
                   (fill == 0 ? " by zeros" : " by ones"));
      twin.expect_honest(bytes, fill == 0 && to == archive.size(), archive.size());
    }
  }
}

}  // namespace
}  // namespace barefxt::test::damaged_archive_test
