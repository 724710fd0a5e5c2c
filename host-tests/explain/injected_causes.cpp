#include "injected_causes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <utility>

namespace barefxt::test {
namespace {

enum class Actor : uint8_t { kAny, kLow, kMid, kPeer, kHigh, kLongHandler, kStorm, kStall };

// The words of explain for a cause.
struct Expected {
  const char* name;
  const char* interval;          // its kind
  std::set<std::string> causes;  // one of them
  Actor actor;
  size_t locks = 0;  // between the victim and the cause
  bool is_inversion = false;
};
// In the order of the kernels' enumerations.
const std::array<Expected, kInjectedCauses> kExpected = {{
    {"held lock", "lock_wait", {"holder"}, Actor::kLow, 1},
    {"priority inversion", "lock_wait", {"higher"}, Actor::kMid, 1, true},
    {"masked interrupts", "wakeup_latency", {"lower"}, Actor::kLow},
    {"long interrupt", "wakeup_latency", {"interrupt", "stall"}, Actor::kLongHandler},
    {"interrupt storm", "duration", {"interrupt", "stall"}, Actor::kStorm},
    {"lower not preempted", "wakeup_latency", {"lower"}, Actor::kLow},
    {"affinity", "wakeup_latency", {"migration"}, Actor::kHigh},
    {"late wakeup", "wakeup_latency", {"idle"}, Actor::kAny},
    {"tick granularity", "wakeup_latency", {"lower"}, Actor::kPeer},
    {"stall", "wakeup_latency", {"stall"}, Actor::kStall},
    {"starvation", "wakeup_latency", {"higher"}, Actor::kHigh},
    {"chain of three locks", "lock_wait", {"holder"}, Actor::kLow, 3},
}};
constexpr size_t kTick = 8;

std::string name_of_actor(Actor actor, const InjectedRun::Interrupts& interrupts) {
  switch (actor) {
    case Actor::kAny:
      break;
    case Actor::kLow:
      return "low";
    case Actor::kMid:
      return "mid";
    case Actor::kPeer:
      return "peer";
    case Actor::kHigh:
      return "high";
    case Actor::kLongHandler:
      return interrupts.long_handler;
    case Actor::kStorm:
      return interrupts.storm;
    case Actor::kStall:
      return interrupts.stall;
  }
  return {};
}

uint64_t argument(const nlohmann::json& record, const std::string& name) {
  for (const nlohmann::json& one : record.at("args"))
    if (one.at("name") == name) return one.at("value").get<uint64_t>();
  ADD_FAILURE() << "no argument " << name << " in " << record;
  return 0;
}

}  // namespace

InjectedTally& InjectedTally::operator+=(const InjectedTally& other) {
  right += other.right;
  unknown += other.unknown;
  wrong += other.wrong;
  open += other.open;
  not_judged += other.not_judged;
  unknown_ticks += other.unknown_ticks;
  return *this;
}

InjectedTally sum_of(const InjectedTallies& tallies) {
  InjectedTally sum;
  for (const InjectedTally& one : tallies) sum += one;
  return sum;
}

const char* InjectedRun::name_of(size_t cause) { return kExpected.at(cause).name; }

InjectedRun::InjectedRun(const std::string& archive, Interrupts interrupts, Command command)
    : interrupts_(std::move(interrupts)), command_(std::move(command)) {
  read_injections(archive);
  cases_ = cases_in(archive);
}

void InjectedRun::read_injections(const std::string& archive) {
  std::istringstream lines(command_("print --json --name injected " + archive));
  for (std::string line; std::getline(lines, line);) {
    const Json record = Json::parse(line);
    if (record.at("record") != "event" || record.at("name") != "injected") continue;
    injections_.push_back(
        {record.at("timestamp"), argument(record, "cause"), argument(record, "ticks")});
  }
}

size_t InjectedRun::times(size_t cause) const {
  return static_cast<size_t>(
      std::count_if(injections_.begin(), injections_.end(),
                    [&](const Injection& one) { return one.cause == cause; }));
}

// The victim's first interval behind each injection: it was to be late.
InjectedRun::Cases InjectedRun::cases_in(const std::string& archive) const {
  Cases found;
  for (const char* what : {"--thread victim", "--thread victim --slice work"}) {
    const std::string text = command_("explain " + archive + " --json --worst 1000 " + what);
    const Json explained = Json::parse(text, nullptr, false);
    if (explained.is_discarded()) {
      ADD_FAILURE() << what << " explains nothing: " << text;
      continue;
    }
    for (const Json& one : explained.at("cases")) {
      const uint64_t begin = one.at("begin");
      const auto next = std::upper_bound(
          injections_.begin(), injections_.end(), begin,
          [](uint64_t time, const Injection& later) { return time < later.begin; });
      if (next == injections_.begin()) continue;
      const Injection& injection = *(next - 1);
      if (one.at("kind") != kExpected.at(injection.cause).interval) continue;
      Json& place = found[injection.begin];
      if (place.is_null() || begin < place.at("begin")) place = one;
    }
  }
  return found;
}

bool InjectedRun::names_actor(size_t cause, const Json& part) const {
  const Expected& expected = kExpected.at(cause);
  if (expected.actor == Actor::kAny) return true;
  const std::string actor = part.contains("interrupt") ? part.at("interrupt").get<std::string>()
                                                       : part.value("thread_name", std::string());
  return actor == name_of_actor(expected.actor, interrupts_);
}

bool InjectedRun::is_right(size_t cause, const Json& part) const {
  const Expected& expected = kExpected.at(cause);
  const size_t locks = part.contains("locks") ? part.at("locks").size() : 0;
  return expected.causes.contains(part.at("cause")) && names_actor(cause, part) &&
         locks == expected.locks &&
         part.value("priority_inversion", false) == expected.is_inversion;
}

bool InjectedRun::is_open(size_t cause, const Json& part) const {
  if (part.at("cause") == "other") return names_actor(cause, part);
  return part.at("cause") == "blocked" && kExpected.at(cause).locks > 0;
}

void InjectedRun::judge(const Injection& injection, const Json& one, InjectedTally& tally) const {
  // QEMU runs several CPUs by turns, and one may have had another's: most is waiting for that.
  const uint64_t ticks = one.at("ticks");
  const bool is_short = 2 * ticks < injection.ticks && injection.cause != kTick;
  if (is_short || 2 * ticks > 3 * injection.ticks) {
    ++tally.not_judged;
    return;
  }
  for (const Json& part : one.at("parts"))
    if (part.at("cause") == "unknown") tally.unknown_ticks += part.at("ticks").get<uint64_t>();
  const Json& first = one.at("parts").at(0);
  if (first.at("cause") == "unknown") {
    ++tally.unknown;
  } else if (is_right(injection.cause, first)) {
    ++tally.right;
  } else if (is_open(injection.cause, first)) {
    ++tally.open;
  } else {
    ++tally.wrong;
    ADD_FAILURE() << name_of(injection.cause) << ": " << one.at("sentence");
  }
}

void InjectedRun::judge(const Cases& cases, InjectedTallies& tallies) const {
  for (const Injection& injection : injections_) {
    const auto found = cases.find(injection.begin);
    const auto whole = cases_.find(injection.begin);
    // If it begins elsewhere, it is another interval: the one that was made late is gone.
    if (found == cases.end() || whole == cases_.end() ||
        found->second.at("begin") != whole->second.at("begin")) {
      ++tallies.at(injection.cause).not_judged;
    } else {
      judge(injection, found->second, tallies.at(injection.cause));
    }
  }
}

void InjectedRun::judge(const std::string& archive, InjectedTallies& tallies) const {
  judge(cases_in(archive), tallies);
}

}  // namespace barefxt::test
