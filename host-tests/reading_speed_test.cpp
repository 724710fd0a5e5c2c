// How fast archives are read, as a ratio to what the same machine does at the same moment; the
// absolute figures are printed.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <gtest/gtest.h>
#include <vector>

#include <barefxt/host/print.h>
#include <barefxt/host/reader.h>
#include <barefxt/host/source.h>

#include "build_kind.h"
#include "sample_file.h"

namespace barefxt::test {
namespace {

// Consumes everything that a record holds, resolved, so that nothing of the work can be left out.
// With `kLetters`, it touches the text, too.
template <bool kLetters>
class Summing {
 public:
  const Sums& sums() const { return sums_; }

  template <typename View>
  [[gnu::always_inline]] void see(const View& view) {
    ++sums_.records;
    add(view);
  }

 private:
  [[gnu::always_inline]] void add(const host::Event& event) {
    sums_.times += event.timestamp;
    sums_.koids += event.thread.process + event.thread.thread;
    text(event.category.bytes);
    text(event.name.bytes);
    sums_.values += event.trailing;
    add(event.arguments);
  }
  [[gnu::always_inline]] void add(const host::LegacyContextSwitch& change) {
    sums_.times += change.timestamp;
    sums_.koids += change.outgoing.process + change.outgoing.thread + change.incoming.process +
                   change.incoming.thread;
  }
  [[gnu::always_inline]] void add(const host::ThreadWakeup& wakeup) {
    sums_.times += wakeup.timestamp;
    sums_.koids += wakeup.thread;
    add(wakeup.arguments);
  }
  void add(const host::KernelObject& object) {
    sums_.koids += object.koid;
    text(object.name.bytes);
    add(object.arguments);
  }
  void add(const host::StringRegistration& string) { text(string.value); }
  void add(const host::ThreadRegistration& thread) {
    sums_.koids += thread.process + thread.thread;
  }
  void add(const host::Initialization& initialization) {
    sums_.values += initialization.ticks_per_second;
  }
  template <typename Other>
  void add(const Other&) {}

  [[gnu::always_inline]] void add(const host::Arguments& all) {
    sums_.arguments += all.size();
    for (const host::Argument& argument : all) {
      text(argument.name.bytes);
      text(argument.string.bytes);  // empty where it is none
      // Sums instead of branches, which would be this program's time and not the reader's.
      const bool is_koid = argument.type == fxt::ArgumentType::kKoid;
      const bool is_string = argument.type == fxt::ArgumentType::kString;
      sums_.koids += argument.bits & (host::Word{0} - is_koid);
      sums_.values += argument.bits & (host::Word{0} - !(is_koid | is_string));
    }
  }
  [[gnu::always_inline]] void text(std::string_view bytes) {
    sums_.text += bytes.size();
    if constexpr (kLetters) sums_.add_letter(bytes);
  }

  Sums sums_;
};

template <bool kLetters>
Sums walk(host::Bytes bytes, host::Form form = {}) {
  host::Reader reader(bytes, form);
  Summing<kLetters> summing;
  reader.walk([&](const auto& view, const host::Place&)
                  __attribute__((always_inline)) { summing.see(view); });
  return summing.sums();
}

Sums step(host::Bytes bytes) {
  host::Reader reader(bytes, {});
  Summing<true> summing;
  while (const host::Record* record = reader.next()) {
    std::visit([&](const auto& view) { summing.see(view); }, record->content);
  }
  return summing.sums();
}

// The least that any reader does: from header to header.
std::uint64_t hop(host::Bytes bytes) {
  std::uint64_t records = 0;
  for (std::size_t at = 0; at < bytes.size(); ++records) {
    const host::Word header = host::load_word(bytes.data() + at, false);
    const bool large = fxt::RecordHeader::type(header) == fxt::RecordType::kLarge;
    at += fxt::kWordBytes * (large ? fxt::LargeRecordHeader::SizeWords::in(header)
                                   : fxt::RecordHeader::SizeWords::in(header));
  }
  return records;
}

// The processor's time: other work on the machine does not count.
double now() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

template <typename Work>
double seconds(const Work& work) {
  const double start = now();
  work();
  return now() - start;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

struct Measured {
  double walk;  // seconds for all of it, the least of all rounds
  double hop;
};

// Both in turns. What else goes on in the machine, and shares its caches and memory, only ever adds
// to a time: so the least of each is what counts, and a few rounds more are taken where the first
// ones were disturbed.
Measured measure(host::Bytes bytes, unsigned rounds, double bound, const Sums& expected) {
  Measured least{1e9, 1e9};
  for (unsigned i = 0; i < 5 * rounds; ++i) {
    if (i >= rounds && least.walk < bound * least.hop) break;
    Sums sums;
    std::uint64_t records = 0;
    least.walk = std::min(least.walk, seconds([&] { sums = walk<false>(bytes); }));
    least.hop = std::min(least.hop, seconds([&] { records = hop(bytes); }));
    sums.letters = expected.letters;  // not looked at here
    EXPECT_EQ(sums, expected);
    EXPECT_EQ(records, expected.records);
  }
  return least;
}

void report(const char* what, std::size_t bytes, std::uint64_t records, const Measured& measured) {
  const auto gigabytes = static_cast<double>(bytes) / 1e9;
  const auto millions = static_cast<double>(records) / 1e6;
  std::printf("%-24s %5.2f GB/s %6.1f M records/s; hopping %5.2f GB/s; walk/hop 1/%.1f\n", what,
              gigabytes / measured.walk, millions / measured.walk, gigabytes / measured.hop,
              measured.walk / measured.hop);
}

host::Bytes bytes_of(const std::string& archive) {
  return {reinterpret_cast<const std::uint8_t*>(archive.data()), archive.size()};
}

TEST(Walk, FindsWhatWasWrittenInEitherWay) {
  for (const Mix mix : {Mix::kDemo, Mix::kShuffled, Mix::kInline}) {
    const Sample one = sample(mix, std::size_t{1} << 20);
    const std::string archive = one.archive(2);
    EXPECT_EQ(walk<true>(bytes_of(archive)), one.sums(2));
    EXPECT_EQ(step(bytes_of(archive)), one.sums(2));
  }
}

class ReadingSpeed : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized || !kOptimized)
      GTEST_SKIP() << "only an optimized build without sanitizers is measured";
  }
};

// Of hopping, as a reader of any archive may take.
constexpr double kBound = 6;
// A kernel's records follow each other in patterns. Where each is independent of the one before, no
// branch is predicted: that is not what anybody reads, and only kept from getting much worse.
constexpr double kShuffledBound = 8;

void in_cache(const char* what, Mix mix) {
  const Sample one = sample(mix, std::size_t{1} << 20);
  const std::string archive = one.archive(1);
  const Measured measured = measure(bytes_of(archive), 51, kBound, one.sums(1));
  report(what, archive.size(), one.sums(1).records, measured);
  EXPECT_LT(measured.walk, kBound * measured.hop) << what;
}

TEST_F(ReadingSpeed, IsASixthOfHoppingInCache) {
  in_cache("as the demo, 1 MB", Mix::kDemo);
  in_cache("inline, 1 MB", Mix::kInline);
}

void beyond_cache(const char* what, Mix mix, double bound) {
  const unsigned bodies = 16;
  const Sample one = sample(mix, std::size_t{16} << 20);
  const SampleFile file(one, bodies);
  const host::Result<host::Source> source = host::Source::open(file.path());
  ASSERT_TRUE(source);
  const host::Bytes bytes = source.value().bytes();
  walk<false>(bytes);  // so that the pages are there
  const Measured measured = measure(bytes, 5, bound, one.sums(bodies));
  report(what, bytes.size(), one.sums(bodies).records, measured);
  EXPECT_LT(measured.walk, bound * measured.hop) << what;
}

TEST_F(ReadingSpeed, IsASixthOfHoppingBeyondTheCache) {
  beyond_cache("as the demo, 256 MB", Mix::kDemo, kBound);
  beyond_cache("shuffled, 256 MB", Mix::kShuffled, kShuffledBound);
  beyond_cache("inline, 256 MB", Mix::kInline, kBound);
}

class NoOutput : public host::Output {
 protected:
  bool drain(std::string_view) override { return true; }
};

// Two million records a second, where a hop takes as long as on a slow machine.
TEST_F(ReadingSpeed, PrintsJsonInLessThanAHundredTimesTheTimeOfHopping) {
  const Sample one = sample(Mix::kDemo, std::size_t{1} << 20);
  const std::string archive = one.archive(1);
  std::vector<double> prints;
  std::vector<double> hops;
  for (unsigned i = 0; i < 21; ++i) {
    std::uint64_t records = 0;
    hops.push_back(seconds([&] { records = hop(bytes_of(archive)); }));
    EXPECT_EQ(records, one.sums(1).records);
    prints.push_back(seconds([&] {
      host::Reader reader(bytes_of(archive), {});
      NoOutput out;
      while (const host::Record* record = reader.next()) host::print_json(out, *record, false);
    }));
  }
  std::printf("JSON lines %.1f M records/s\n",
              static_cast<double>(one.sums(1).records) / 1e6 / median(prints));
  EXPECT_LT(median(prints), 100 * median(hops));
}

}  // namespace
}  // namespace barefxt::test
