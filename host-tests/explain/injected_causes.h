// Causes that were injected one at a time into a kernel, and what `barefxt explain` takes for each.
// The kernel records what it is about to do, in an instant `injected` with the cause's number and
// length (qemu-tests/injected/, project/kernels/injected.h); explain does not read that.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace barefxt::test {

inline constexpr size_t kInjectedCauses = 12;

// Cases of one cause, or of all.
struct InjectedTally {
  unsigned right = 0;
  unsigned unknown = 0;
  unsigned wrong = 0;
  // The answer is right and names no cause: the right thread ran, of a priority that is not
  // recorded; or the wait for a semaphore took so long.
  unsigned open = 0;
  unsigned not_judged = 0;  // no interval behind the injection, or one of another length
  uint64_t unknown_ticks = 0;

  unsigned injected() const { return right + unknown + wrong + open + not_judged; }
  InjectedTally& operator+=(const InjectedTally& other);
};
using InjectedTallies = std::array<InjectedTally, kInjectedCauses>;
InjectedTally sum_of(const InjectedTallies& tallies);

// A run of a kernel, and its archive.
class InjectedRun {
 public:
  // Runs the command with these arguments, and returns its standard output.
  using Command = std::function<std::string(const std::string& arguments)>;
  // The names of the interrupts that are to blame.
  struct Interrupts {
    std::string long_handler;
    std::string storm;
    std::string stall;
  };

  InjectedRun(const std::string& archive, Interrupts interrupts, Command command);

  static const char* name_of(size_t cause);
  // Times that the kernel injected the cause.
  size_t times(size_t cause) const;
  // Fails the test for each cause that is wrong.
  void judge(InjectedTallies& tallies) const { judge(cases_, tallies); }
  // In another archive of the run, which lacks records.
  void judge(const std::string& archive, InjectedTallies& tallies) const;

 private:
  using Json = nlohmann::json;
  struct Injection {
    uint64_t begin;
    size_t cause;
    uint64_t ticks;  // that it was to last; of a tick, at most
  };
  using Cases = std::map<uint64_t, Json>;  // by the begin of the injection

  void read_injections(const std::string& archive);
  Cases cases_in(const std::string& archive) const;
  void judge(const Cases& cases, InjectedTallies& tallies) const;
  void judge(const Injection& injection, const Json& one, InjectedTally& tally) const;
  bool names_actor(size_t cause, const Json& part) const;
  bool is_right(size_t cause, const Json& part) const;
  bool is_open(size_t cause, const Json& part) const;

  Interrupts interrupts_;
  Command command_;
  std::vector<Injection> injections_;
  Cases cases_;
};

}  // namespace barefxt::test
