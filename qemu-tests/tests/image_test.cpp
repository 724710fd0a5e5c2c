// A trace read out of the target's memory, without the target's help: as debuggers, QEMU's monitor,
// and the file behind a killed machine's memory hold it.

#include <algorithm>
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>

#include "comparison.h"
#include "machine.h"
#include "targets.h"

namespace barefxt::test {
namespace {

constexpr const char* kStop = R"({"execute": "stop"})";
constexpr const char* kContinue = R"({"execute": "cont"})";

class ImageTest : public ::testing::TestWithParam<Image> {
 protected:
  static Boot options(const std::string& arguments) {
    return {.build = GetParam().build, .arguments = arguments};
  }
  static std::string base(const Machine& machine) {
    return " --base " + std::to_string(machine.memory_base());
  }
  static std::string program() { return " --elf " + image_path(GetParam().build); }

  // Lets it record until its memory holds what is wanted, and stops it there. It is looked at only
  // while it stands still: so however slow the looks are, it records no further meanwhile.
  static void stop_when(Machine& machine, const std::function<bool(const std::string&)>& is_there) {
    const std::string archive = machine.file("wait.fxt");
    for (int tries = 0; tries < 600; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ASSERT_NO_FATAL_FAILURE(machine.send(kStop));
      const Output rebuilt =
          barefxt("rebuild " + machine.memory() + base(machine) + " -o " + archive);
      // Stopped anywhere: the start of a session may be half done.
      if ((rebuilt.status == 0 || rebuilt.status == 3) && is_there(archive)) return;
      ASSERT_NO_FATAL_FAILURE(machine.send(kContinue));
    }
    FAIL() << "nothing is recorded";
  }

  static bool has_records(const std::string& archive, size_t wanted) {
    return read_file(archive).size() > wanted * 24;
  }

  // A CPU of an emulator stands still as long as the host lets it.
  static size_t cpus_that_switched(const std::string& archive) {
    std::set<uint64_t> cpus;
    for (const Json& record : read_archive(archive))
      if (record.at("record") == "context_switch") cpus.insert(record.at("cpu").get<uint64_t>());
    return cpus.size();
  }

  static uint64_t lost_in(const std::string& archive) {
    uint64_t lost = 0;
    for (const Json& record : read_archive(archive))
      if (record.at("record") == "event" && record.at("name") == "drop_stats")
        lost += argument_word(*find_argument(record, "records"));
    return lost;
  }

  // Findings of these kinds result from the moment of the image, or from overwritten records; there
  // are no others.
  static void expect_sound(const std::string& archive, const std::vector<std::string>& allowed) {
    std::istringstream lines(barefxt("lint --json " + archive).out);
    for (std::string line; std::getline(lines, line);) {
      const Json finding = Json::parse(line);
      if (finding.at("severity") == "note") continue;
      const std::string rule = finding.at("rule");
      EXPECT_TRUE(std::any_of(allowed.begin(), allowed.end(), [&](const std::string& kind) {
        return rule.rfind(kind, 0) == 0;
      })) << line;
    }
  }

  // All records but those that make names known, as one text each.
  // Without the wakers, which `rebuild` adds where it finds the record that shows one: that can lie
  // behind the end of an image.
  static std::vector<std::string> recorded(const std::string& archive) {
    std::vector<std::string> texts;
    for (Json record : read_archive(archive)) {
      const std::string kind = record.at("record");
      if (kind != "event" && kind != "context_switch" && kind != "thread_wakeup" && kind != "log")
        continue;
      record.erase("offset");
      if (kind == "thread_wakeup") record.erase("args");
      texts.push_back(record.dump());
    }
    return texts;
  }
};

TEST_P(ImageTest, MemoryThatIsLeftOfARunSaysWhatTheKernelCounted) {
  Machine machine(options("seconds=1 dump=none"));
  const Booted& run = machine.wait();
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
  const std::string archive = machine.file("trace.fxt");
  // The program has all addresses and all texts.
  const Output rebuilt = barefxt("rebuild " + machine.memory() + program() + " -o " + archive);
  ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
  const Tally tally = read_tally(read_file(run.uart));
  EXPECT_GT(tally.records, 1000u);
  const std::vector<std::string> differences = compare(tally, read_archive(archive));
  EXPECT_TRUE(differences.empty()) << join(differences);
  const Output lint = barefxt("lint " + archive);
  EXPECT_EQ(lint.status, 0) << lint.out;
}

TEST_P(ImageTest, ImagesOfARunningKernelAreAlikeAndHoldTheBeginningOfItsTrace) {
  Machine machine(options("seconds=1 dump=file"));
  ASSERT_NO_FATAL_FAILURE(
      stop_when(machine, [](const std::string& archive) { return has_records(archive, 3000); }));
  const std::string bytes = std::to_string(machine.memory_bytes());
  ASSERT_NO_FATAL_FAILURE(machine.send(
      R"({"execute": "pmemsave", "arguments": {"val": )" + std::to_string(machine.memory_base()) +
      R"(, "size": )" + bytes + R"(, "filename": ")" + machine.file("pmem") + R"("}})"));
  ASSERT_NO_FATAL_FAILURE(machine.send(
      R"({"execute": "dump-guest-memory", "arguments": {"paging": false, "protocol": "file:)" +
      machine.file("core") + R"("}})"));
  // gdb lets it run on when it leaves.
  const Output gdb =
      machine.gdb("-ex 'source " BAREFXT_GDB_SCRIPT "' -ex 'barefxt-dump " +
                  machine.file("gdb.core") + "' -ex 'dump binary memory " +
                  machine.file("gdb.raw") + " " + std::to_string(machine.memory_base()) + " " +
                  std::to_string(machine.memory_base() + (16 << 20)) + "'");
  ASSERT_EQ(gdb.status, 0) << gdb.err;
  EXPECT_TRUE(contains(gdb.out, "barefxt rebuild " + machine.file("gdb.core")));

  const std::string image = machine.file("image.fxt");
  // Texts lie elsewhere than the rings where a machine has flash.
  const Machine::Memory& memory = Machine::memory_of(GetParam().target);
  const std::string texts = memory.is_all ? base(machine) : program();
  const std::string of_core = memory.core_has_flash ? "" : program();
  std::string first;
  for (const std::string& input : {machine.file("pmem") + texts, machine.file("pmem") + program(),
                                   machine.file("core") + of_core, machine.file("gdb.raw") + texts,
                                   machine.file("gdb.core")}) {
    const Output rebuilt = barefxt("rebuild " + input + " -o " + image);
    EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
    if (first.empty()) first = read_file(image);
    EXPECT_TRUE(read_file(image) == first) << input;
  }
  expect_sound(image,
               {"duration-unmatched-begin", "async-unmatched-begin", "flow-unmatched-begin"});

  const Booted& run = machine.wait();
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
  const std::string archive = machine.file("trace.fxt");
  ASSERT_EQ(barefxt("rebuild " + run.file("trace.bin") + " -o " + archive).status, 0);
  const std::vector<std::string> then = recorded(image);
  const std::vector<std::string> all = recorded(archive);
  EXPECT_GT(then.size(), 1000u);
  EXPECT_GT(all.size(), then.size());
  // Each CPU was stopped where it was: what it was writing just then is not in the image.
  size_t at = 0;
  size_t not_yet = 0;
  for (const std::string& record : then) {
    while (at < all.size() && all[at] != record) {
      ++at;
      ++not_yet;
    }
    ASSERT_LT(at, all.size()) << "no such record, or in another order: " << record;
    ++at;
  }
  EXPECT_LE(not_yet, 16u);
}

TEST_P(ImageTest, TheMemoryOfAKilledFlightRecorderHoldsItsLastRecords) {
  Machine machine(options("mode=circular seconds=600 dump=none"));
  ASSERT_NO_FATAL_FAILURE(stop_when(machine, [](const std::string& archive) {
    return has_records(archive, 500) && lost_in(archive) > 0 &&
           cpus_that_switched(archive) == GetParam().cpus;
  }));
  ASSERT_NO_FATAL_FAILURE(machine.send(kContinue));
  machine.kill();
  machine.wait();
  const std::string archive = machine.file("trace.fxt");
  const Output rebuilt = barefxt("rebuild " + machine.memory() + program() + " -o " + archive);
  EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
  // A thread that moves to another CPU leaves a duration's begin behind. If that was overwritten,
  // the end closes the duration around it, whose begin lies in a ring that has more left.
  expect_sound(archive, {"duration-unmatched", "duration-end-name", "async-", "flow-"});
  std::map<uint64_t, uint64_t> last;
  std::map<uint64_t, uint64_t> switches;
  for (const Json& record : read_archive(archive)) {
    if (record.at("record") != "context_switch") continue;
    const uint64_t cpu = record.at("cpu");
    const uint64_t time = record.at("timestamp");
    EXPECT_GE(time, last[cpu]);
    last[cpu] = time;
    ++switches[cpu];
  }
  EXPECT_EQ(switches.size(), GetParam().cpus);
  EXPECT_GT(lost_in(archive), 0u);
}

// The memory's content depends on the target, not on the compiler.
BAREFXT_TEST_IMAGES(ImageTest, Portion::kAll, one_for_each_target(images_of(Machine::targets())),
                    {"aarch64", "cortex-m3"});

}  // namespace
}  // namespace barefxt::test
