// Reading a damaged XRay log gives no call that the sound log lacks.
//
// A log has no checksums: a changed byte of a record is another record. So damage here is what
// leaves no record: a log cut short at any byte, and stretches wiped from the begin of a record on,
// by zeros or by ones, over a whole call at least, up to any byte of the same buffer.
//
// "Nothing invented" means: of each thread, the sound log's first records, in their order. In the
// archive that `convert` makes: no event that the sound log's archive lacks.
//
// "Nothing missing without a word" means: where a record is missing, damage is reported, which
// `convert` prints and answers with status 3. Nobody can report a buffer that is missing as a
// whole: a log does not say how many it has.
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include <barefxt/host/convert_xray.h>

#include "archive/memory_sink.h"
#include "build_kind.h"
#include "hostile/mutations.h"
#include "reader/plain_decoder.h"
#include "xray/xray_harness.h"
#include "xray/xray_writer.h"

namespace barefxt::test::damaged_log_test {
namespace {

using host::XrayKind;
using host::XrayRecord;
using host::XrayWriter;

constexpr unsigned kThreads = 4;
constexpr size_t kCall = 8;  // bytes

// Calls that nest, by several threads at once.
std::string sound_log(unsigned version) {
  const auto write = [](XrayWriter& writer, unsigned thread, uint64_t bytes) {
    writer.begin({.thread = {42, static_cast<int32_t>(70 + thread)},
                  .wall_clock = {.seconds = 1, .microseconds = 2},
                  .cpu = 3,
                  .first_tsc = 0x1000,
                  .bytes = bytes});
    for (uint64_t i = 0; i < 24; ++i) {
      XrayRecord call;
      call.kind = i % 4 < 2 ? XrayKind::kEntry : XrayKind::kExit;
      call.function = static_cast<uint32_t>(10 * thread + (i % 4 == 0 || i % 4 == 3 ? 1 : 2));
      call.tsc = 0x1010 + 100 * i + thread;
      call.cpu = 3;
      writer.record(call);
    }
    writer.end();
  };
  host::XrayHeader header = {.version = version,
                             .byte_order = host::ByteOrder::kLittle,
                             .constant_tsc = true,
                             .nonstop_tsc = true,
                             .cycle_frequency = 1'000'000'000,
                             .buffer_bytes = 0};
  XrayWriter measuring(version);
  write(measuring, 0, 0);
  header.buffer_bytes = (measuring.block_bytes() + 7) / 8 * 8;
  MemorySink sink;
  XrayWriter writer(header, sink);
  for (unsigned thread = 0; thread < kThreads; ++thread)
    write(writer, thread, measuring.block_bytes());
  EXPECT_TRUE(writer.flush().ok());
  return {sink.bytes().begin(), sink.bytes().end()};
}

struct Read {
  std::map<int64_t, std::vector<std::string>> lines;  // by thread
  bool is_damaged = false;

  size_t count() const {
    size_t sum = 0;
    for (const auto& [thread, all] : lines) sum += all.size();
    return sum;
  }
};

struct Place {
  uint64_t begin = 0;       // of a record
  uint64_t buffer_end = 0;  // of the last record there
};

// `places`: gets where records begin.
Read read(const std::string& bytes, std::vector<Place>* places = nullptr) {
  Read all;
  host::Result<host::XrayReader> opened = host::XrayReader::open(as_bytes(bytes), "log");
  if (!opened.ok()) {
    all.is_damaged = true;
    return all;
  }
  host::XrayReader& reader = opened.value();
  int64_t last_thread = -1;
  size_t first_of_buffer = 0;
  while (const XrayRecord* record = reader.next()) {
    all.lines[record->thread.thread].push_back(record_text(*record));
    if (places == nullptr) continue;
    if (std::exchange(last_thread, record->thread.thread) != record->thread.thread)
      first_of_buffer = places->size();
    for (size_t i = first_of_buffer; i < places->size(); ++i)
      (*places)[i].buffer_end = reader.position();
    // The next one begins where this one ends.
    places->push_back({reader.position(), reader.position()});
  }
  all.is_damaged = reader.damaged_places() != 0;
  return all;
}

using Mark = std::tuple<unsigned, uint64_t, uint64_t, std::string>;
std::multiset<Mark> converted(const std::string& bytes) {
  std::multiset<Mark> marks;
  const auto log = host::XrayLog::open(as_bytes(bytes), "log");
  if (!log.ok()) return marks;
  MemorySink sink;
  EXPECT_TRUE(host::xray_to_fxt(*log.value(), nullptr, sink, host::ByteOrder::kLittle).ok());
  for (const PlainRecord& record : decode_plainly(sink.bytes()).records)
    if (record.type == 4)
      marks.emplace(record.subtype, record.timestamp, record.thread, record.name);
  return marks;
}

class Twin {
 public:
  explicit Twin(unsigned version) : log(sound_log(version)), sound_(read(log, &places)) {
    EXPECT_FALSE(sound_.is_damaged);
    marks_ = converted(log);
    EXPECT_FALSE(marks_.empty());
  }

  void expect_honest(const std::string& damaged, bool can_lose_buffers) const {
    const Read left = read(damaged);
    for (const auto& [thread, lines] : left.lines) {
      const auto found = sound_.lines.find(thread);
      ASSERT_NE(found, sound_.lines.end()) << "thread " << thread;
      ASSERT_LE(lines.size(), found->second.size()) << "thread " << thread;
      for (size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i], found->second[i]);
      if (lines.size() < found->second.size()) {
        EXPECT_TRUE(left.is_damaged) << "a call of thread " << thread << " is missing";
      }
    }
    if (!can_lose_buffers && left.count() < sound_.count()) {
      EXPECT_TRUE(left.is_damaged);
    }
    const std::multiset<Mark> marks = converted(damaged);
    EXPECT_TRUE(std::includes(marks_.begin(), marks_.end(), marks.begin(), marks.end()));
  }

  std::string log;
  std::vector<Place> places;

 private:
  Read sound_;
  std::multiset<Mark> marks_;
};

TEST(DamagedLog, ThatIsCutHasTheFirstCallsOfItsThreads) {
  for (unsigned version = 1; version <= 5; ++version) {
    const Twin twin(version);
    for (size_t size = 0; size < twin.log.size() && !::testing::Test::HasFailure(); ++size) {
      SCOPED_TRACE("version " + std::to_string(version) + ", cut at " + std::to_string(size));
      twin.expect_honest(twin.log.substr(0, size), true);
    }
  }
}

TEST(DamagedLog, ThatIsWipedInPartHasTheCallsAheadOfThatAndThoseOfOtherBuffers) {
  std::mt19937_64 random(20261128);
  const size_t cases = is_full_run() ? 20'000 : 500;
  for (unsigned version = 1; version <= 5; ++version) {
    const Twin twin(version);
    for (size_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
      const Place& place = twin.places[random() % twin.places.size()];
      if (place.begin + kCall > place.buffer_end) continue;
      const size_t end =
          place.begin + kCall + random() % (place.buffer_end - place.begin - kCall + 1);
      const char fill = random() % 2 == 0 ? '\0' : '\xff';
      std::string bytes = twin.log;
      for (size_t at = place.begin; at < end; ++at) bytes[at] = fill;
      SCOPED_TRACE("version " + std::to_string(version) + ", wiped from " +
                   std::to_string(place.begin) + " to " + std::to_string(end) +
                   (fill == 0 ? " by zeros" : " by ones"));
      twin.expect_honest(bytes, false);
    }
  }
}

}  // namespace
}  // namespace barefxt::test::damaged_log_test
