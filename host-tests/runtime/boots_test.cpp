// Boots of one machine, each a process of its own that begins at the same tick, into one console
// log: which of them are different captures, by their ids or by their places.
#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <barefxt/barefxt.h>
#include <barefxt/host/frame_scanner.h>
#include <barefxt/host/start_refusal.h>

#include "../doctor/doctored.h"
#include "configuration.h"
#include "contains.h"
#include "rebuild/documented_frames.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::boots_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr size_t kMemoryBytes = size_t{8} * BAREFXT_SEGMENT_BYTES;
alignas(8) uint8_t memory[kMemoryBytes];
uint64_t now;

barefxt_config configuration() {
  barefxt_config config = config_of(memory, sizeof memory);
  config.target = "board";
  return config;
}

void write_to_log(void* context, const uint8_t* bytes, size_t count) {
  std::fwrite(bytes, 1, count, static_cast<std::FILE*>(context));
}
void dump_to(std::FILE* log, barefxt_dump_form form = BAREFXT_DUMP_BINARY) {
  const barefxt_writer writer = {write_to_log, log};
  barefxt_dump(&writer, form);
}

// Records with the numbers from `first` on.
void record(uint32_t count, uint32_t first = 0) {
  for (uint32_t i = 0; i < count; ++i) BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", first + i));
}
void record_session(uint32_t count, uint32_t first = 0) {
  const barefxt_config config = configuration();
  if (barefxt_start(&config) != BAREFXT_OK) std::abort();
  record(count, first);
  barefxt_stop();
}

class BootsTest : public ::testing::Test {
 protected:
  BootsTest() : log_(std::tmpfile()) {}
  ~BootsTest() override { std::fclose(log_); }

  // Runs it in a process that nothing was started in. Its output is appended to earlier output.
  template <typename Run>
  void boot(const Run& run) {
    std::fflush(log_);
    const pid_t child = fork();
    if (child == 0) {
      now = 1000;
      barefxt_host_counter = [] { return ++now; };
      run(log_);
      std::fflush(log_);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    std::fseek(log_, 0, SEEK_END);
  }

  Bytes log() {
    std::fflush(log_);
    Bytes bytes(static_cast<size_t>(std::ftell(log_)));
    std::rewind(log_);
    EXPECT_EQ(std::fread(bytes.data(), 1, bytes.size(), log_), bytes.size());
    return bytes;
  }

 private:
  std::FILE* log_;
};

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

struct Seen {
  size_t captures;
  size_t assumed;
  size_t records;
};
Seen seen_in(const std::vector<Bytes>& inputs) {
  const Rebuilt rebuilt = rebuild(inputs);
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
  expect_sound(rebuilt);
  return {count_of(rebuilt.messages, "(capture 0x"), count_of(rebuilt.messages, "assumed: "),
          decode_plainly(rebuilt.archive).events("n").size()};
}

TEST_F(BootsTest, AThousandThatDifferInNothingAreAsManyCapturesWithAllTheirRecords) {
  size_t records = 0;
  std::set<std::string> names;
  for (uint32_t i = 0; i < 1000; ++i) {
    // Some are like the one before, byte for byte.
    const uint32_t count = 3 + i / 2 % 40;
    records += count;
    boot([&](std::FILE* log) {
      std::fprintf(log, "boot %u\n", i);
      record_session(count, i / 2);
      dump_to(log, i % 5 == 0 ? BAREFXT_DUMP_TEXT : BAREFXT_DUMP_BINARY);
    });
  }
  const Bytes all = log();
  const Seen seen = seen_in({all});
  EXPECT_EQ(seen.captures, 1000u);
  EXPECT_EQ(seen.assumed, 999u);
  EXPECT_EQ(seen.records, records);
  const Rebuilt rebuilt = rebuild(all);
  EXPECT_TRUE(rebuilt.reports("board (boot 1000, assumed) (capture 0x"));
  const Doctored doctored = doctor(all);
  EXPECT_EQ(doctored.names(), "captures-alike");
  EXPECT_TRUE(doctored.reports("barefxt_port_entropy"));
}

// The ids of captures of several boots.
std::set<uint32_t> ids_in(const Bytes& log) {
  class Ids final : public host::FrameSink {
   public:
    void on_frame(const host::Frame& frame) override { ids.insert(frame.capture); }
    void on_damaged(uint64_t /*input_offset*/) override {}
    void on_other_version(uint8_t /*version*/, uint64_t /*input_offset*/) override {}
    std::set<uint32_t> ids;
  } sink;
  host::FrameScanner scanner(sink);
  scanner.feed(log);
  scanner.finish();
  return sink.ids;
}

TEST_F(BootsTest, WhateverTheyDifferInMakesAnotherId) {
  const std::function<void()> differences[] = {
      [] {},
      [] { barefxt_host_entropy = 1; },
      [] { barefxt_host_entropy = 2; },
      [] { memory[511] = 1; },
      [] { memory[0] = 7; },
      [] { now = 5000; },
  };
  for (const auto& differ : differences)
    boot([&](std::FILE* log) {
      differ();
      record_session(3);
      dump_to(log);
    });
  for (const uint64_t wall_clock : {uint64_t{1'700'000'000'000'000'000}, uint64_t{1}})
    boot([&](std::FILE* log) {
      barefxt_config config = configuration();
      config.wall_clock_ns = wall_clock;
      if (barefxt_start(&config) != BAREFXT_OK) std::abort();
      record(3);
      barefxt_stop();
      dump_to(log);
    });
  const Bytes all = log();
  EXPECT_EQ(ids_in(all).size(), 8u);
  const Seen seen = seen_in({all});
  EXPECT_EQ(seen.captures, 8u);
  EXPECT_EQ(seen.assumed, 0u);
  EXPECT_EQ(seen.records, 24u);
}

// Uncleared memory holds the records of the previous boot, and its id.
TEST_F(BootsTest, MemoryThatKeepsWhatTheBootBeforeRecordedMakesAnotherId) {
  std::FILE* kept = std::tmpfile();
  for (int i = 0; i < 20; ++i)
    boot([&](std::FILE* log) {
      std::rewind(kept);
      if (std::fread(memory, 1, sizeof memory, kept) == sizeof memory) now = 1000;
      record_session(3);
      dump_to(log);
      std::rewind(kept);
      std::fwrite(memory, 1, sizeof memory, kept);
      std::fflush(kept);
    });
  std::fclose(kept);
  EXPECT_EQ(ids_in(log()).size(), 20u);
}

TEST_F(BootsTest, SnapshotsOfBootsThatDifferHaveDifferentIds) {
  for (const uint32_t entropy : {1u, 2u})
    boot([&](std::FILE* log) {
      barefxt_host_entropy = entropy;
      const barefxt_config config = configuration();
      barefxt_start(&config);
      record(3);
      barefxt_snapshot();
      dump_to(log);
    });
  EXPECT_EQ(ids_in(log()).size(), 2u);
}

TEST_F(BootsTest, ASecondDumpOfASessionIsTheSameCapture) {
  const auto dump_twice = [](std::FILE* log) {
    record_session(30);
    dump_to(log);
    dump_to(log, BAREFXT_DUMP_TEXT);
  };
  boot(dump_twice);
  const Seen once = seen_in({log()});
  EXPECT_EQ(once.captures, 1u);
  EXPECT_EQ(once.records, 30u);
  // And those of the next boot, alike.
  boot(dump_twice);
  const Seen seen = seen_in({log()});
  EXPECT_EQ(seen.captures, 2u);
  EXPECT_EQ(seen.assumed, 1u);
  EXPECT_EQ(seen.records, 60u);
}

TEST_F(BootsTest, OneThatIsResetInItsDumpIsAnotherCaptureThanTheNext) {
  boot([](std::FILE* log) {
    record_session(200);
    std::FILE* whole = std::tmpfile();
    dump_to(whole);
    Bytes bytes(static_cast<size_t>(std::ftell(whole)));
    std::rewind(whole);
    EXPECT_EQ(std::fread(bytes.data(), 1, bytes.size(), whole), bytes.size());
    std::fwrite(bytes.data(), 1, bytes.size() * 2 / 3, log);
  });
  boot([](std::FILE* log) {
    record_session(100, 7);
    dump_to(log);
  });
  const Rebuilt rebuilt = rebuild(log());
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kIncomplete);
  EXPECT_EQ(count_of(rebuilt.messages, "(capture 0x"), 2u) << rebuilt.messages;
  EXPECT_TRUE(rebuilt.reports("100 records in")) << rebuilt.messages;
}

// The dump's frames, each with the zero bytes around it.
std::vector<Bytes> frames_of(const Bytes& dump) {
  std::vector<Bytes> frames;
  Bytes frame = {0};
  for (const uint8_t byte : dump) {
    if (byte != 0) frame.push_back(byte);
    if (byte != 0 || frame.size() == 1) continue;
    frame.push_back(0);
    frames.push_back(std::exchange(frame, Bytes{0}));
  }
  return frames;
}

TEST_F(BootsTest, AFrameBehindTheLastOfAWholeDumpIsAnotherBoots) {
  const auto boot_with = [&](uint32_t records) {
    const size_t before = log().size();
    boot([&](std::FILE* log) {
      record_session(records);
      dump_to(log);
    });
    const Bytes all = log();
    return Bytes(all.begin() + static_cast<int>(before), all.end());
  };
  const Bytes whole = boot_with(100);
  const std::vector<Bytes> shorter = frames_of(whole);
  const std::vector<Bytes> longer = frames_of(boot_with(700));
  ASSERT_GT(longer.size(), shorter.size() + 1);
  // All frames that differ at a number that both have are lost, and those from some frame on.
  Bytes cut;
  for (size_t i = 0; i <= shorter.size(); ++i)
    if (i == shorter.size() || longer[i] == shorter[i])
      cut.insert(cut.end(), longer[i].begin(), longer[i].end());
  for (const auto& [first, second] : {std::pair(whole, cut), std::pair(cut, whole)}) {
    Bytes both = first;
    both.insert(both.end(), second.begin(), second.end());
    const Rebuilt rebuilt = rebuild(both);
    EXPECT_EQ(count_of(rebuilt.messages, "(capture 0x"), 2u) << rebuilt.messages;
    EXPECT_EQ(count_of(rebuilt.messages, "assumed: "), 1u) << rebuilt.messages;
    EXPECT_TRUE(rebuilt.reports("100 records in")) << rebuilt.messages;
  }
}

TEST_F(BootsTest, AFileGivenTwiceAndAPieceThatTheLineDoublesAreNoBoots) {
  boot([](std::FILE* log) {
    record_session(300);
    dump_to(log);
  });
  const Bytes one = log();
  const Seen twice = seen_in({one, one});
  EXPECT_EQ(twice.captures, 1u);
  EXPECT_EQ(twice.records, 300u);
  Bytes doubled = one;
  doubled.insert(doubled.end(), one.begin(), one.begin() + static_cast<int>(one.size() / 2));
  const Seen piece = seen_in({doubled});
  EXPECT_EQ(piece.captures, 1u);
  EXPECT_EQ(piece.records, 300u);
}

TEST_F(BootsTest, AStartThatWasRefusedIsReportedByTheDumpAndByTheDoctor) {
  for (const barefxt_dump_form form : {BAREFXT_DUMP_BINARY, BAREFXT_DUMP_TEXT})
    boot([form](std::FILE* log) {
      barefxt_host_counter = [] { return uint64_t{7}; };
      const barefxt_config config = configuration();
      if (barefxt_start(&config) != BAREFXT_ERROR_COUNTER_STOPPED) std::abort();
      const barefxt_writer writer = {write_to_log, log};
      if (barefxt_dump(&writer, form) != BAREFXT_ERROR_NEVER_STARTED) std::abort();
    });
  const Bytes refused = log();
  const Doctored doctored = doctor(refused);
  EXPECT_EQ(doctored.names(), "start-refused");
  EXPECT_TRUE(doctored.reports("BAREFXT_ERROR_COUNTER_STOPPED")) << doctored.text();
  EXPECT_TRUE(doctored.reports("CYCCNTENA"));
  const Rebuilt rebuilt = rebuild(refused);
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kNothing);
  EXPECT_TRUE(rebuilt.reports("barefxt_start returned BAREFXT_ERROR_COUNTER_STOPPED; "))
      << rebuilt.messages;
}

// The errors that the comment of `function` in barefxt.h lists.
std::set<std::string> documented_errors(const std::string& function) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/runtime/include/barefxt/barefxt.h");
  const std::string header{std::istreambuf_iterator<char>(file), {}};
  const std::string comment = header.substr(0, header.find("\nbarefxt_error " + function + "("));
  std::set<std::string> errors;
  const std::string mark = " * @error ";
  for (size_t at = comment.rfind("\n/* "); (at = comment.find(mark, at)) != comment.npos;) {
    at += mark.size();
    errors.insert(comment.substr(at, comment.find(' ', at) - at));
  }
  return errors;
}

TEST_F(BootsTest, EveryErrorOfAStartHasAHintOfItsOwn) {
  std::map<std::string, std::string> hints;
  for (unsigned error = 1; error < 256; ++error) {
    const std::string name = barefxt_error_name(static_cast<barefxt_error>(error));
    hints.emplace(name, host::hint_for(static_cast<uint8_t>(error)));
  }
  std::set<std::string> errors = documented_errors("barefxt_start");
  EXPECT_EQ(errors.size(), 15u);
  errors.merge(documented_errors("barefxt_check_cpus"));
  EXPECT_EQ(errors.size(), 19u);
  std::map<std::string, std::string> names = {{host::hint_for(255), "an unknown error"}};
  for (const std::string& error : errors) {
    ASSERT_EQ(hints.count(error), 1u) << error;
    const auto [other, is_new] = names.emplace(hints[error], error);
    EXPECT_TRUE(is_new) << error << " has the hint of " << other->second;
  }
  EXPECT_TRUE(contains(hints["BAREFXT_ERROR_MMU_OFF"], "BAREFXT_CHECK_MEMORY"));
}

TEST_F(BootsTest, ADumpOfAnEarlierSessionFollowsOnARefusalAndASuccessForgetsIt) {
  boot([](std::FILE* log) {
    record_session(5);
    barefxt_config bad = configuration();
    bad.cpus = 0;
    if (barefxt_start(&bad) != BAREFXT_ERROR_CPU_COUNT) std::abort();
    dump_to(log);
  });
  const Bytes refused = log();
  EXPECT_EQ(doctor(refused).names(), "start-refused");
  EXPECT_EQ(seen_in({refused}).records, 5u);
  boot([](std::FILE* log) {
    barefxt_config bad = configuration();
    bad.cpus = 0;
    barefxt_start(&bad);
    std::rewind(log);
    if (ftruncate(fileno(log), 0) != 0) std::abort();
    record_session(5);
    dump_to(log);
  });
  EXPECT_EQ(doctor(log()).names(), "");
}

TEST_F(BootsTest, ARefusalIsSentAsTheWireFormatDocumentsIt) {
  boot([](std::FILE* log) {
    barefxt_host_counter = [] { return uint64_t{7}; };
    const barefxt_config config = configuration();
    barefxt_start(&config);
    dump_to(log);
  });
  EXPECT_EQ(log(), plain_cobs(from_hex(documented_frames("hex refusal").at(0))));
}

TEST(ErrorNames, EachErrorHasItsOwn) {
  std::set<std::string> names;
  for (int error = 0; error <= BAREFXT_ERROR_COUNTERS_APART; ++error)
    names.insert(barefxt_error_name(static_cast<barefxt_error>(error)));
  EXPECT_EQ(names.size(), size_t{BAREFXT_ERROR_COUNTERS_APART} + 1);
  EXPECT_EQ(names.count("unknown error"), 0u);
}

}  // namespace
}  // namespace barefxt::test::boots_test
