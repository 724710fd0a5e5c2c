// Every verb, as a process under limits, with damaged inputs of every kind.
//
// For any input: no crash, bounded time, memory and files, an exit status of the contract, text
// that drives no terminal, an output that is whole or absent, and nothing missing without a
// message. A record of a damaged capture is a record of its sound twin.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <sys/wait.h>
#include <tuple>

#include <barefxt/host/budget.h>
#include <barefxt/host/convert_xray.h>
#include <barefxt/host/function_names.h>
#include <barefxt/host/interrupt_names.h>

#include "build_kind.h"
#include "cli/every_verb.h"
#include "conversion.h"
#include "hostile/command_lines.h"
#include "hostile/interrupt_inputs.h"
#include "hostile/mutations.h"
#include "hostile/shell.h"
#include "hostile/terminal_text.h"
#include "image/memory_builder.h"
#include "rebuild/rebuild_harness.h"
#include "report/http_client.h"
#include "top/live_figures.h"

namespace barefxt::test::every_input_test {
namespace {

// Events and switches that the target recorded, by what no lost table changes.
using Mark = std::tuple<unsigned, unsigned, uint64_t>;
std::multiset<Mark> marks_of(const Bytes& archive) {
  constexpr unsigned kEvent = 4;
  constexpr unsigned kScheduling = 8;
  std::multiset<Mark> marks;
  for (const PlainRecord& record : decode_plainly(archive).records)
    if (!is_added(record) &&
        ((record.type == kEvent && record.category != "barefxt") || record.type == kScheduling))
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
    // All that sanitizers can find: elsewhere the command runs with less of it
    // (sanitizer_options.cpp).
    ::setenv("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1", 0);
    inputs_ = sound_inputs();
    for (const SoundInput& input : inputs_) {
      if (input.kind == InputKind::kCapture)
        sound_[&input] = marks_of(rebuild(input.bytes).archive);
      if (input.kind == InputKind::kMemory)
        sound_[&input] = marks_of(rebuild_memory({{input.bytes, std::nullopt}}).archive);
      if (input.kind == InputKind::kImage) {
        sound_[&input] = marks_of(rebuild_memory({{input.bytes, kImageBase}}).archive);
        write("image", input.bytes);
      }
      if (input.kind == InputKind::kNames) write("names.elf", input.bytes);
      if (input.kind == InputKind::kProgram) write("sound.elf", input.bytes);
      if (input.kind == InputKind::kBudget) write("budget", input.bytes);
      if (input.kind == InputKind::kInterrupts) write("list", input.bytes);
      if (input.kind == InputKind::kInterruptVectors) write("vectors.elf", input.bytes);
    }
    // Other names change no record.
    const auto of_kind = [&](InputKind kind) {
      return &*std::ranges::find(inputs_, kind, &SoundInput::kind);
    };
    sound_[of_kind(InputKind::kNames)] = sound_[of_kind(InputKind::kImage)];
    for (const InputKind kind : {InputKind::kInterrupts, InputKind::kInterruptVectors})
      sound_[of_kind(kind)] = marks_of(rebuild(interrupts_capture()).archive);
    write("interrupts.raw", interrupts_capture());
    write("sound.raw", inputs_[0].bytes);
    write("rules",
          "slice \"*\" lasts < 1us\nafter \"*a*\" within 1ms thread \"*\" runs\n"
          "never lock \"*\" taken\nwakeup_latency? p99 <= 50us\n");
    ASSERT_EQ(run("BAREFXT rebuild sound.raw -o sound.fxt"), 0) << messages();
  }

  enum class Packed : uint8_t { kNo, kDamagedBefore, kDamagedAfter };

  void run_one(const SoundInput& input, const Line& line);
  int run_and_fetch(const std::string& line);
  void write_damaged(const SoundInput& input, Packed packed);
  void expect_contract(const SoundInput& input, const Line& line, int status, bool is_mute,
                       bool is_held_to_twin);
  void expect_twin(const std::multiset<Mark>& sound, const Bytes& archive, bool is_complete);

  // A line of evidence, of a full run in toolchain/reliability.sh's tables.
  void print_evidence(const char* way, size_t cases, const std::string& more) const {
    std::printf("HOSTILE way=%s extent=%s cases=%zu inputs=%zu%s\n", way,
                is_full_run() ? "full" : "short", cases, inputs_.size(), more.c_str());
  }

  std::vector<SoundInput> inputs_;
  std::map<const SoundInput*, std::multiset<Mark>> sound_;
  std::map<int, size_t> statuses_;
  long most_kilobytes_ = 0;
  double most_seconds_ = 0;
  std::mt19937_64 random_{20261123};
};

void EveryInput::write_damaged(const SoundInput& input, Packed packed) {
  // In a memory, records have no checksum: a bit that flips there is another record.
  const auto pack = random_() % 2 == 0 ? packed_by_gzip : packed_by_zstd;
  if (packed == Packed::kDamagedAfter) return write("in", damaged(pack(input.bytes), random_));
  const Bytes bytes = damaged(input.bytes, random_, input.records);
  write("in", packed == Packed::kNo ? bytes : pack(bytes));
}

// A full run takes long.
void print_progress(size_t at, size_t all) {
  if (is_full_run() && at % (all / 100) == 0) std::cout << at << " of " << all << std::endl;
}

// Runs a line that serves, and fetches what is at the address that it prints. Keeps it if it is as
// long as announced.
int EveryInput::run_and_fetch(const std::string& line) {
  SCOPED_TRACE(line);
  const std::string local = "http://127.0.0.1:";
  // The address of the server before.
  for (const char* stale : {"_out", "_err"}) std::filesystem::remove(path(stale));
  start(line);
  size_t at = std::string::npos;
  std::string printed_so_far;
  EXPECT_TRUE(comes_true_soon([&] {
    printed_so_far = printed() + messages();
    at = printed_so_far.find(local);
    const bool has_address =
        at != std::string::npos && printed_so_far.find('\n', at) != std::string::npos;
    siginfo_t ended{};
    return has_address ||
           (::waitid(P_PID, static_cast<id_t>(child()), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            ended.si_pid != 0);
  }));
  const size_t end = at == std::string::npos ? at : printed_so_far.find('\n', at);
  if (end != std::string::npos) {
    const std::string address = printed_so_far.substr(at + local.size(), end - at - local.size());
    const size_t slash = address.find('/');
    const std::string port = address.substr(0, slash);
    const std::string answer = asked(
        std::stoi(port), "GET " + address.substr(slash) + " HTTP/1.1\r\nHost: 127.0.0.1:" + port +
                             "\r\nOrigin: https://ui.perfetto.dev\r\n\r\n");
    const std::string length = "Content-Length: ";
    const size_t head = answer.find("\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 ") && head != std::string::npos)
        << answer.substr(0, 100) << messages();
    if (head == std::string::npos) return wait();
    const std::string body = answer.substr(head + 4);
    if (std::stoul(answer.substr(answer.find(length) + length.size())) == body.size())
      write("out", body);
  }
  return wait();
}

// The line in surroundings: closed streams, full ones, slow ones, a reader that goes away, few
// descriptors, little memory.
void EveryInput::run_one(const SoundInput& input, const Line& line) {
  constexpr const char* kStreams[] = {"",
                                      "",
                                      "",
                                      "",
                                      " >&-",
                                      " 2>&-",
                                      " >/dev/full",
                                      " 2>/dev/full",
                                      " <&-",
                                      " | true",
                                      " | { sleep 0.1; cat; }",
                                      " 2>&1 | { sleep 0.1; cat >&2; }"};
  const std::string streams = kStreams[random_() % std::size(kStreams)];
  const bool is_slow = random_() % 4 == 0;
  constexpr Packed kPacked[] = {Packed::kNo,
                                Packed::kNo,
                                Packed::kNo,
                                Packed::kNo,
                                Packed::kNo,
                                Packed::kNo,
                                Packed::kDamagedBefore,
                                Packed::kDamagedAfter};
  const Packed packed = kPacked[random_() % std::size(kPacked)];
  write_damaged(input, packed);
  std::string command = line.text;
  if (const size_t at = command.find("<in"); is_slow && at != std::string::npos)
    command.replace(at, 3, "");
  const bool is_fed = command != line.text;
  const std::string feeder = is_fed ? "{ head -c 100; sleep 0.1; cat; } <in | " : "";
  // Sanitizers take terabytes of addresses.
  const std::string memory = kSanitized ? "" : "ulimit -v 400000; ";
  // The status of what is in front of a pipe is only in a file.
  const std::string whole = memory + "ulimit -t 60; ulimit -f 200000; ulimit -n 24; { " + feeder +
                            "BAREFXT " + command + "; echo $? >_status; }" + streams;
  const int status = (is_served(line.out) ? run_and_fetch(whole) : run(whole)) == 127
                         ? 127
                         : std::atoi(read("_status").c_str());
  ++statuses_[status];
  most_kilobytes_ = std::max(most_kilobytes_, kilobytes());
  most_seconds_ = std::max(most_seconds_, seconds());
  SCOPED_TRACE(input.name + ": " + feeder + command + streams +
               (packed == Packed::kNo ? "" : " (packed)") + "\nstatus " + std::to_string(status) +
               "\n" + messages().substr(0, 2000));
  // zstd adds no checksum here. After damage only captures, whose frames have checksums, must match
  // their twin.
  const bool is_held_to_twin = packed != Packed::kDamagedAfter || input.kind == InputKind::kCapture;
  expect_contract(input, line, status, !streams.empty(), is_held_to_twin);
  if (HasFailure()) {
    const std::string kept = ::testing::TempDir() + "barefxt-failing-input";
    std::filesystem::copy_file(path("in"), kept, std::filesystem::copy_options::overwrite_existing);
    ADD_FAILURE() << "its input is " << kept;
  }
  std::filesystem::remove_all(path("out"));
}

// No record is invented, and none is missing unless the output reports it.
void EveryInput::expect_twin(const std::multiset<Mark>& sound, const Bytes& archive,
                             bool is_complete) {
  EXPECT_EQ(invented(archive, sound), "");
  if (is_complete) {
    EXPECT_EQ(marks_of(archive), sound) << "nothing is said to be missing";
  }
}

void EveryInput::expect_contract(const SoundInput& input, const Line& line, int status,
                                 bool is_mute, bool is_held_to_twin) {
  ASSERT_LE(status, 4);
  if (!kSanitized) {
    EXPECT_LT(kilobytes(), 120'000);
  }
  EXPECT_LT(seconds(), 30);
  EXPECT_TRUE(lacks(entries(), ".barefxt-"));
  EXPECT_EQ(
      terminal_driver_in(
          printed(), std::string(line.text).find("--csv") != std::string::npos ? "\n\r\t" : "\n"),
      "");
  EXPECT_EQ(terminal_driver_in(messages(), "\n"), "");
  EXPECT_TRUE(status == 0 || is_mute || !messages().empty() || !printed().empty());
  if (line.out == Out::kNone) return;
  const bool is_there = std::filesystem::exists(path("out"));
  if (line.out == Out::kRaw) return;  // it grows from the first byte on
  // The archive of `top` is in place when its last line fails.
  const bool is_of_top = std::string_view(line.text).starts_with("top");
  EXPECT_TRUE(status == 1 || is_there == (status == 0 || status == 3) ||
              (is_of_top && is_there && status == 2));
  if ((line.out != Out::kArchive && line.out != Out::kServedArchive) || !is_there) return;
  // An ELF file without its head is read as an archive without its head. What then looks like
  // records of a ring is served, without the ring that places them in time.
  const bool is_read_otherwise =
      input.kind == InputKind::kMemory && std::string_view(line.text).starts_with("open") &&
      (is_mute || messages().find("no magic number at the start") != std::string::npos);
  if (is_read_otherwise) return;
  const std::string text = read("out");
  const Bytes archive(text.begin(), text.end());
  const PlainArchive plain = decode_plainly(archive);
  for (const std::string& problem : plain.problems)
    EXPECT_TRUE(input.kind == InputKind::kArchive && is_of_the_input(problem)) << problem;
  if (sound_.contains(&input) && is_held_to_twin) expect_twin(sound_[&input], archive, status == 0);
}

// As `top` does, in some pieces.
void watch(const Bytes& capture) {
  LiveFigures live;
  const size_t step = capture.size() / 5 + 1;
  for (size_t at = 0; at < capture.size(); at += step) {
    live.feed(std::span(capture).subspan(at, std::min(step, capture.size() - at)));
    if (live.has_begun()) (void)as_json(live.figures());
  }
  live.finish();
  if (live.has_begun()) (void)as_json(live.figures());
}

TEST_F(EveryInput, IsSurvivedByEveryVerb) {
  std::vector<std::pair<const SoundInput*, Line>> all;
  for (const SoundInput& input : inputs_)
    for (const Line& line : lines_for(input.kind)) all.emplace_back(&input, line);
  const size_t processes = is_full_run() ? 10'000 : 150;
  for (size_t i = 0; i < processes && !HasFatalFailure(); ++i) {
    print_progress(i, processes);
    // Each line at least once in a full run; a sample of them in a short one.
    const auto& [input, line] = all[is_full_run() ? i % all.size() : random_() % all.size()];
    run_one(*input, line);
    if (HasFailure()) break;
  }
  std::string more = " lines=" + std::to_string(all.size());
  for (const auto& [status, count] : statuses_)
    more += " status" + std::to_string(status) + "=" + std::to_string(count);
  print_evidence("processes", processes,
                 more + " most_kilobytes=" + std::to_string(most_kilobytes_) +
                     " most_cpu_milliseconds=" + std::to_string(std::lround(most_seconds_ * 1000)));
}

// The same inputs, far more of them, without processes.
TEST_F(EveryInput, IsSurvivedByTheLibrary) {
  const size_t cases = is_full_run() ? 1'000'000 : 400;
  std::vector<const SoundInput*> small;
  for (const SoundInput& input : inputs_)
    if (input.kind >= InputKind::kLog) small.push_back(&input);
  std::map<InputKind, size_t> tried;
  for (size_t i = 0; i < cases && !HasFailure(); ++i) {
    print_progress(i, cases);
    // Half of them small, the others mostly two captures: the rest take long.
    const size_t some = i % 16 == 0 ? inputs_.size() : 2;
    const SoundInput& input =
        i % 2 == 1 ? *small[random_() % small.size()] : inputs_[random_() % some];
    const Bytes bytes = damaged(input.bytes, random_, input.records);
    ++tried[input.kind];
    SCOPED_TRACE(input.name + ", case " + std::to_string(i));
    if (input.kind <= InputKind::kImage) {
      std::optional<uint64_t> base;
      if (input.kind == InputKind::kImage) base = kImageBase;
      const Rebuilt rebuilt =
          input.kind == InputKind::kCapture ? rebuild(bytes) : rebuild_memory({{bytes, base}});
      expect_sound(rebuilt);
      expect_twin(sound_[&input], rebuilt.archive,
                  rebuilt.verdict == host::RebuildVerdict::kComplete);
      if (input.kind == InputKind::kCapture && i % 8 == 0) watch(bytes);
    } else if (input.kind == InputKind::kLog) {
      if (const auto log = host::XrayLog::open(bytes, "input"); log.ok()) {
        MemorySink sink;
        EXPECT_TRUE(host::xray_to_fxt(*log.value(), nullptr, sink, host::ByteOrder::kLittle).ok());
        EXPECT_EQ(decode_plainly(sink.bytes()).problem_text(), "");
      }
    } else if (input.kind == InputKind::kProgram) {
      if (const auto program = host::ElfFile::parse(bytes, "program"); program.ok())
        (void)host::FunctionNames::read(program.value());
    } else if (input.kind == InputKind::kBudget) {
      (void)host::parse_budget(std::string(bytes.begin(), bytes.end()), "budget");
    } else if (input.kind == InputKind::kArchive) {
      EXPECT_EQ(use_everything(bytes), "");
    } else if (input.kind == InputKind::kInterrupts) {
      (void)host::InterruptNames::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                                        "list");
    } else if (input.kind == InputKind::kInterruptVectors) {
      if (const auto program = host::ElfFile::parse(bytes, "program"); program.ok())
        (void)host::InterruptNames::read(program.value());
    }
  }
  using enum InputKind;
  const auto count = [&](const char* name, std::initializer_list<InputKind> kinds) {
    size_t sum = 0;
    for (const InputKind kind : kinds) sum += tried[kind];
    return " " + std::string(name) + "=" + std::to_string(sum);
  };
  print_evidence("library", cases,
                 count("captures", {kCapture}) + count("memories", {kMemory, kImage}) +
                     count("archives", {kArchive}) + count("logs", {kLog}) +
                     count("programs", {kNames, kProgram, kInterruptVectors}) +
                     count("texts", {kBudget, kInterrupts}));
}

// An address space with less and less room: a command that does not get memory reports it, and
// leaves outputs whole or absent.
TEST_F(EveryInput, NeedsLittleMemoryOrSaysSo) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  std::set<InputKind> seen;
  for (const SoundInput& input : inputs_) {
    if (!seen.insert(input.kind).second) continue;
    for (const Line& line : lines_for(input.kind)) {
      // A stream of frames is not unpacked.
      const bool reads_a_line = input.kind == InputKind::kCapture &&
                                std::string_view(line.text).find(" - ") != std::string_view::npos;
      write("in", reads_a_line ? input.bytes : packed_by_zstd(input.bytes));
      if (is_served(line.out)) continue;  // nobody asks
      // --base for an image that has its own addresses is bad usage.
      const int without_limit = run("BAREFXT " + std::string(line.text));
      if (without_limit == 2) continue;
      std::filesystem::remove_all(path("out"));
      for (const unsigned kilobytes : {100'000, 30'000, 22'000, 18'000, 16'000, 14'000}) {
        const int status = run("ulimit -v " + std::to_string(kilobytes) + "; BAREFXT " + line.text);
        SCOPED_TRACE(input.name + ": " + line.text + ", " + std::to_string(kilobytes) +
                     " KB\nstatus " + std::to_string(status) + "\n" + messages());
        if (status == 127) break;  // the loader of programs has no memory
        if (kilobytes == 100'000) {
          EXPECT_EQ(status, without_limit);
        } else {
          EXPECT_LE(status, 4);
        }
        if (status == 2) {
          EXPECT_TRUE(contains(messages(), "memory"));
        }
        const bool is_there = std::filesystem::exists(path("out"));
        if (line.out != Out::kRaw) {
          EXPECT_EQ(is_there, line.out != Out::kNone &&
                                  (status == 0 || status == 3 || (status == 1 && is_there)));
        }
        EXPECT_TRUE(lacks(entries(), ".barefxt-"));
        std::filesystem::remove_all(path("out"));
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace barefxt::test::every_input_test
