// Twelve kinds of causes, injected into the kernel one at a time (qemu-tests/injected/), and what
// `barefxt explain` takes for the cause of each: the right one in 95 of 100 cases at least, and no
// other in any. Where frames of the capture are damaged, more is unknown, and still nothing wrong.

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "events.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test::injected_test {
namespace {

// The words of explain for a cause, in the order of injected::Cause.
struct Expected {
  const char* name;
  const char* interval;          // its kind
  std::set<std::string> causes;  // one of them
  const char* actor;             // the thread's name or the interrupt's; "": any
  size_t locks = 0;              // between the victim and the cause
  bool is_inversion = false;
};
const std::array<Expected, 12> kExpected = {{
    {"held lock", "lock_wait", {"holder"}, "low", 1},
    {"priority inversion", "lock_wait", {"higher"}, "mid", 1, true},
    {"masked interrupts", "wakeup_latency", {"lower"}, "low"},
    {"long interrupt", "wakeup_latency", {"interrupt", "stall"}, "timer"},
    {"interrupt storm", "duration", {"interrupt", "stall"}, "reschedule"},
    {"lower not preempted", "wakeup_latency", {"lower"}, "low"},
    {"affinity", "wakeup_latency", {"migration"}, "high"},
    {"late wakeup", "wakeup_latency", {"idle"}, ""},
    {"tick granularity", "wakeup_latency", {"lower"}, "peer"},
    {"stall", "wakeup_latency", {"stall"}, "timer"},
    {"starvation", "wakeup_latency", {"higher"}, "high"},
    {"chain of three locks", "lock_wait", {"holder"}, "low", 3},
}};

struct Injection {
  uint64_t begin;
  size_t cause;
  uint64_t ticks;  // that it was to last
};

std::vector<Injection> injections_in(const std::string& archive) {
  std::vector<Injection> all;
  for (const Json& record : read_archive(archive)) {
    if (record.at("record") != "event" || record.at("name") != "injected") continue;
    all.push_back({record.at("timestamp"), argument_word(*find_argument(record, "cause")),
                   argument_word(*find_argument(record, "ticks"))});
  }
  return all;
}

// All intervals of the victim, as explain shows them.
std::vector<Json> cases_in(const std::string& archive) {
  std::vector<Json> all;
  for (const char* what : {"--thread victim", "--thread victim --slice work"}) {
    const Output output = barefxt("explain " + archive + " --json --worst 1000 " + what);
    EXPECT_EQ(output.status, 0) << output.err;
    const Json explained = Json::parse(output.out);
    for (const Json& one : explained.at("cases")) all.push_back(one);
  }
  return all;
}

bool is_right(const Expected& expected, const Json& part) {
  const std::string actor = part.contains("interrupt") ? part.at("interrupt").get<std::string>()
                                                       : part.value("thread_name", std::string());
  const size_t locks = part.contains("locks") ? part.at("locks").size() : 0;
  return expected.causes.contains(part.at("cause")) &&
         (*expected.actor == '\0' || actor == expected.actor) && locks == expected.locks &&
         part.value("priority_inversion", false) == expected.is_inversion;
}

// The first one behind each injection: it was to be late.
std::map<uint64_t, Json> cases_by_injection(const std::vector<Injection>& injections,
                                            const std::vector<Json>& cases) {
  std::map<uint64_t, Json> found;
  for (const Json& one : cases) {
    const uint64_t begin = one.at("begin");
    const auto next = std::upper_bound(
        injections.begin(), injections.end(), begin,
        [](uint64_t time, const Injection& injection) { return time < injection.begin; });
    if (next == injections.begin()) continue;
    const Injection& injection = *(next - 1);
    if (one.at("kind") != kExpected.at(injection.cause).interval) continue;
    Json& place = found[injection.begin];
    if (place.is_null() || begin < place.at("begin")) place = one;
  }
  return found;
}

// QEMU runs the CPUs by turns, and one had another's. Then waiting for that may be most of it.
bool is_longer_than_injected(const Injection& injection, const Json& one) {
  return 2 * one.at("ticks").get<uint64_t>() > 3 * injection.ticks;
}

struct Judged {
  unsigned right = 0;
  unsigned unknown = 0;
  unsigned wrong = 0;
  uint64_t unknown_ticks = 0;
};

class InjectedTest : public ::testing::TestWithParam<Image> {
 protected:
  std::string rebuilt(const std::string& capture, const std::string& name) {
    const std::string archive = run_.file(name);
    const Output output = barefxt("rebuild " + capture + " -o " + archive);
    EXPECT_TRUE(output.status == 0 || output.status == 3) << output.err;
    return archive;
  }

  void inject(unsigned rounds, unsigned seed) {
    Boot options;
    options.build = GetParam().build;
    // Its time stands still while the host lets it wait.
    options.extra = "-icount shift=6,sleep=off";
    options.arguments =
        "mode=injected rounds=" + std::to_string(rounds) + " seed=" + std::to_string(seed);
    run_ = boot(options);
    const std::string console = read_file(run_.uart);
    ASSERT_EQ(run_.status, 0) << console << read_file(run_.file("qemu.log"));
    const std::string archive = rebuilt(run_.file("trace.bin"), "t.fxt");
    injections_ = injections_in(archive);
    ASSERT_EQ(injections_.size(), rounds * kExpected.size());
    sound_ = cases_by_injection(injections_, cases_in(archive));
    for (const Injection& injection : injections_) judge(injection, sound_, sound_judged_);
  }

  void judge(const Injection& injection, const std::map<uint64_t, Json>& cases,
             std::array<Judged, 12>& judged) {
    const auto found = cases.find(injection.begin);
    if (found == cases.end()) return;
    // It is another interval: the one that was made late is gone.
    const auto sound = sound_.find(injection.begin);
    if (sound == sound_.end() || found->second.at("begin") != sound->second.at("begin")) return;
    const Json& first = found->second.at("parts").at(0);
    if (is_longer_than_injected(injection, found->second)) return;
    Judged& one = judged.at(injection.cause);
    for (const Json& part : found->second.at("parts"))
      if (part.at("cause") == "unknown") one.unknown_ticks += part.at("ticks").get<uint64_t>();
    if (first.at("cause") == "unknown") {
      ++one.unknown;
    } else if (is_right(kExpected.at(injection.cause), first)) {
      ++one.right;
    } else {
      ++one.wrong;
      ADD_FAILURE() << kExpected.at(injection.cause).name << ": " << found->second.at("sentence");
    }
  }

  // With bytes of the capture damaged, `count` of them.
  void damage(unsigned count, unsigned seed) {
    std::string capture = read_file(run_.file("trace.bin"));
    std::mt19937 random(seed);
    for (unsigned i = 0; i < count; ++i) capture[random() % capture.size()] ^= 0x55;
    write_file(run_.file("damaged.bin"), capture);
    const std::map<uint64_t, Json> cases =
        cases_by_injection(injections_, cases_in(rebuilt(run_.file("damaged.bin"), "damaged.fxt")));
    for (const Injection& injection : injections_) judge(injection, cases, damaged_judged_);
  }

  Booted run_;
  std::vector<Injection> injections_;
  std::map<uint64_t, Json> sound_;
  std::array<Judged, 12> sound_judged_{};
  std::array<Judged, 12> damaged_judged_{};
};

TEST_P(InjectedTest, TheCauseIsNamedAndNoOther) {
  const unsigned kRounds = is_full_run() ? 10 : 3;
  const unsigned boots = is_full_run() ? 9 : 1;
  for (unsigned seed = 1; seed <= boots && !HasFatalFailure(); ++seed) {
    inject(kRounds, seed);
    for (const unsigned count : {2U, 6U}) damage(count, seed);
  }
  if (HasFatalFailure()) return;
  Judged sound;
  Judged damaged;
  for (size_t i = 0; i < kExpected.size(); ++i) {
    const Judged& one = sound_judged_.at(i);
    const Judged& other = damaged_judged_.at(i);
    std::printf("%-22s right %u, unknown %u, wrong %u; damaged: right %u, unknown %u, wrong %u\n",
                kExpected.at(i).name, one.right, one.unknown, one.wrong, other.right, other.unknown,
                other.wrong);
    for (auto [sum, part] : {std::pair(&sound, &one), std::pair(&damaged, &other)}) {
      sum->right += part->right;
      sum->unknown += part->unknown;
      sum->unknown_ticks += part->unknown_ticks;
    }
  }
  EXPECT_GE(10 * (sound.right + sound.unknown), 9 * boots * kRounds * kExpected.size());
  EXPECT_GE(20 * sound.right, 19 * (sound.right + sound.unknown));
  EXPECT_GT(damaged.right, 0U);
  EXPECT_GT(damaged.unknown_ticks, 2 * sound.unknown_ticks);
}

// QEMU runs the CPUs by turns, and AArch64's code can pass a turn on by `yield`.
INSTANTIATE_TEST_SUITE_P(Targets, InjectedTest,
                         ::testing::ValuesIn(images_by_default(Portion::kAll,
                                                               images_of({"aarch64"}))),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test::injected_test
