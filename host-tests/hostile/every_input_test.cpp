// Every verb, as a process under limits, with damaged inputs of every kind.
//
// Whatever comes in: no crash, bounded time, memory and files, an exit status of the contract, text
// that drives no terminal, an output that is whole or absent, and nothing missing without a
// message. A record of a damaged capture is a record of its sound twin.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "build_kind.h"
#include "every_verb.h"
#include "hostile/mutations.h"
#include "hostile/shell.h"
#include "hostile/terminal_text.h"
#include "memory_harness.h"
#include "rebuild_harness.h"

namespace barefxt::test::every_input_test {
namespace {

enum class Out : std::uint8_t { kNone, kArchive, kOther };

struct Line {
  const char* text;
  Out out;
};

std::vector<Line> lines_for(InputKind kind) {
  switch (kind) {
    case InputKind::kCapture:
      return {{"rebuild in -o out", Out::kArchive},
              {"capture - --dumps 0 -o out <in", Out::kArchive},
              {"rebuild - -o out <in", Out::kArchive},
              {"doctor in", Out::kNone},
              {"doctor --json in", Out::kNone}};
    case InputKind::kMemory:
      return {{"rebuild in -o out", Out::kArchive},
              {"rebuild in --base 0x20000000 -o out", Out::kArchive},
              {"doctor in", Out::kNone}};
    case InputKind::kArchive:
      return {{"print in", Out::kNone},
              {"print --json --raw in", Out::kNone},
              {"lint in", Out::kNone},
              {"lint --json - <in", Out::kNone},
              {"stats in", Out::kNone},
              {"stats --json in", Out::kNone},
              {"stats --csv in", Out::kNone},
              {"stats in --baseline sound.fxt", Out::kNone},
              {"convert in --to fxt -o out", Out::kArchive},
              {"convert in --to chrome-json -o out", Out::kOther},
              {"convert in --to perfetto -o out", Out::kOther},
              {"convert in --to ctf -o out", Out::kOther},
              {"convert in --to parquet -o out", Out::kOther},
              {"convert in --to blobs -o out", Out::kOther},
              {"convert in --to fdr --elf sound.elf -o out", Out::kOther},
              {"report in -o out", Out::kOther}};
    case InputKind::kLog:
      return {{"convert in --to fxt -o out", Out::kArchive},
              {"convert in --to fdr -o out", Out::kOther}};
    case InputKind::kProgram:
      return {{"rebuild sound.raw --elf in -o out", Out::kArchive},
              {"doctor sound.raw --elf in", Out::kNone},
              {"convert in --to xray-elf -o out", Out::kOther},
              {"convert sound.fxt --to fdr --elf in -o out", Out::kOther}};
    case InputKind::kBudget:
      return {{"stats sound.fxt --budget in", Out::kNone},
              {"stats sound.fxt --budget in --junit out", Out::kOther}};
  }
  return {};
}

// Events and switches by what no lost table changes.
using Mark = std::tuple<unsigned, unsigned, std::uint64_t>;
std::multiset<Mark> marks_of(const Bytes& archive) {
  constexpr unsigned kEvent = 4;
  constexpr unsigned kScheduling = 8;
  std::multiset<Mark> marks;
  for (const PlainRecord& record : decode_plainly(archive).records)
    if ((record.type == kEvent && record.category != "barefxt") || record.type == kScheduling)
      marks.emplace(record.type, record.subtype, record.timestamp);
  return marks;
}

std::string invented(const Bytes& archive, const std::multiset<Mark>& sound) {
  for (const Mark& mark : marks_of(archive))
    if (!sound.contains(mark))
      return "a record of type " + std::to_string(std::get<0>(mark)) + " at time " +
             std::to_string(std::get<2>(mark));
  return {};
}

class EveryInput : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    inputs_ = sound_inputs();
    for (const SoundInput& input : inputs_) {
      if (input.kind == InputKind::kCapture)
        sound_[&input] = marks_of(rebuild(input.bytes).archive);
      if (input.kind == InputKind::kMemory)
        sound_[&input] = marks_of(rebuild_memory({{input.bytes, std::nullopt}}).archive);
      if (input.kind == InputKind::kProgram) write("sound.elf", input.bytes);
    }
    write("sound.raw", inputs_[0].bytes);
    ASSERT_EQ(run("BAREFXT rebuild sound.raw -o sound.fxt"), 0) << said();
  }

  void run_one(const SoundInput& input, const Line& line, bool is_packed);
  void expect_contract(const SoundInput& input, const Line& line, int status, bool is_mute);

  std::vector<SoundInput> inputs_;
  std::map<const SoundInput*, std::multiset<Mark>> sound_;
  std::mt19937_64 random_{20261123};
};

void EveryInput::run_one(const SoundInput& input, const Line& line, bool is_packed) {
  const Bytes bytes = damaged(input.bytes, random_);
  write("in", is_packed ? packed_by_gzip(bytes) : bytes);
  // Surroundings: closed streams, a full one, a reader that goes away, few descriptors.
  constexpr const char* kStreams[] = {"", "", "", "", " >&-", " 2>&-", " >/dev/full", " | true"};
  const std::string streams = kStreams[random_() % std::size(kStreams)];
  // The status of what is in front of a pipe is only in a file.
  const int status = run("ulimit -t 60; ulimit -f 200000; ulimit -n 24; { BAREFXT " +
                         std::string(line.text) + "; echo $? >_status; }" + streams) == 127
                         ? 127
                         : std::atoi(read("_status").c_str());
  SCOPED_TRACE(input.name + ": " + line.text + streams + (is_packed ? " (packed)" : "") +
               "\nstatus " + std::to_string(status) + "\n" + said().substr(0, 2000));
  expect_contract(input, line, status, !streams.empty());
  if (HasFailure()) {
    const std::string kept = ::testing::TempDir() + "barefxt-failing-input";
    std::filesystem::copy_file(path("in"), kept, std::filesystem::copy_options::overwrite_existing);
    ADD_FAILURE() << "its input is " << kept;
  }
  std::filesystem::remove_all(path("out"));
}

void EveryInput::expect_contract(const SoundInput& input, const Line& line, int status,
                                 bool is_mute) {
  ASSERT_LE(status, 4);
  if (!kSanitized) {
    EXPECT_LT(kilobytes(), 120'000);
  }
  EXPECT_LT(seconds(), 30);
  EXPECT_EQ(entries().find(".barefxt-"), std::string::npos);
  EXPECT_EQ(
      terminal_driver_in(
          printed(), std::string(line.text).find("--csv") != std::string::npos ? "\n\r\t" : "\n"),
      "");
  EXPECT_EQ(terminal_driver_in(said(), "\n"), "");
  EXPECT_TRUE(status == 0 || is_mute || !said().empty() || !printed().empty());
  if (line.out == Out::kNone) return;
  const bool is_there = std::filesystem::exists(path("out"));
  EXPECT_TRUE(status == 1 || is_there == (status == 0 || status == 3));
  if (line.out != Out::kArchive || !is_there) return;
  const std::string text = read("out");
  const Bytes archive(text.begin(), text.end());
  const PlainArchive plain = decode_plainly(archive);
  EXPECT_TRUE(plain.problems.empty()) << plain.problem_text();
  if (!sound_.contains(&input)) return;
  EXPECT_EQ(invented(archive, sound_[&input]), "");
  if (status == 0) {
    EXPECT_EQ(marks_of(archive), sound_[&input]) << "nothing is said to be missing";
  }
}

TEST_F(EveryInput, IsSurvivedByEveryVerb) {
  std::vector<std::pair<const SoundInput*, Line>> all;
  for (const SoundInput& input : inputs_)
    for (const Line& line : lines_for(input.kind)) all.emplace_back(&input, line);
  const size_t processes = is_full_run() ? 10'000 : 150;
  for (size_t i = 0; i < processes && !HasFatalFailure(); ++i) {
    // Each line at least once in a full run; a sample of them in a short one.
    const auto& [input, line] = all[is_full_run() ? i % all.size() : random_() % all.size()];
    run_one(*input, line, random_() % 8 == 0);
    if (HasFailure()) break;
  }
}

// The same inputs, far more of them, without processes.
TEST_F(EveryInput, IsSurvivedByTheLibrary) {
  const size_t cases = is_full_run() ? 1'000'000 : 400;
  for (size_t i = 0; i < cases && !HasFailure(); ++i) {
    // Mostly the small ones, and archives, which have no checksums, less often: they take long.
    const SoundInput& input = inputs_[random_() % (i % 16 == 0 ? inputs_.size() : 2)];
    const Bytes bytes = damaged(input.bytes, random_);
    SCOPED_TRACE(input.name + ", case " + std::to_string(i));
    if (input.kind == InputKind::kCapture) {
      const Rebuilt rebuilt = rebuild(bytes);
      expect_sound(rebuilt);
      EXPECT_EQ(invented(rebuilt.archive, sound_[&input]), "");
      if (rebuilt.verdict == host::RebuildVerdict::kComplete) {
        EXPECT_EQ(marks_of(rebuilt.archive), sound_[&input]);
      }
    } else if (input.kind == InputKind::kMemory) {
      const Rebuilt rebuilt = rebuild_memory({{bytes, std::nullopt}});
      expect_sound(rebuilt);
      EXPECT_EQ(invented(rebuilt.archive, sound_[&input]), "");
    } else if (input.kind == InputKind::kArchive) {
      EXPECT_EQ(use_everything(bytes), "");
    }
  }
}

}  // namespace
}  // namespace barefxt::test::every_input_test
