// A system with interrupts, locks, priorities and several CPUs, simulated from a seed. It is
// described twice: by the records of its trace, and tick by tick by what it did, which infers
// nothing. Records may be lost afterwards; what it did stays.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace barefxt::test::explaining {

inline constexpr unsigned kMaxCpus = 3;
inline constexpr unsigned kLocks = 3;
inline constexpr unsigned kInterrupts = 3;
inline constexpr uint64_t kThreads = 6;  // koids 1 to 6
inline constexpr uint64_t kIdle = 50;    // and so on, one a CPU
inline constexpr uint64_t kPseudo = 60;  // likewise
inline constexpr uint64_t kNobody = 0;

struct SystemOptions {
  uint32_t seed = 0;
  unsigned cpus = 2;
  unsigned steps = 300;
  bool complete_interrupts = false;  // in one record, at the end
  bool priorities_change = false;
  bool records_wakers = false;
};

struct Record {
  enum class Kind : uint8_t {
    kSwitch,
    kWakeup,
    kInterruptBegin,
    kInterruptEnd,
    kInterrupt,  // begin in `other`
    kHold,
    kRelease,
    kBlocks,
    kWait,   // begin in `other`
    kSlice,  // likewise
    kFlowBegin,
    kFlowEnd,
    kLoss,  // begin in `other`
  };
  using enum Kind;
  Kind kind;
  uint64_t time;
  unsigned cpu;         // that wrote it
  uint64_t thread = 0;  // outgoing, woken, or of the event
  uint64_t other = 0;   // incoming; begin
  unsigned number = 0;  // state, lock, interrupt
  uint64_t holder = 0;  // of kBlocks
  unsigned out_priority = 0;
  unsigned in_priority = 0;
  uint64_t waker = 0;  // of kWakeup, if it is recorded
};

enum class Is : uint8_t { kNowhere, kRunning, kReady, kBlocked };

// One tick of all.
struct Tick {
  std::array<uint64_t, kMaxCpus> current{};
  std::array<std::vector<unsigned>, kMaxCpus> interrupts;  // the innermost last
  std::map<uint64_t, Is> state;
  std::map<uint64_t, unsigned> priority;
  std::map<uint64_t, unsigned> waits_for;  // a lock, from 0
  std::array<uint64_t, kLocks> holder{};
  std::array<uint64_t, kLocks> last_holder{};
};

struct Woken {
  uint64_t time;
  uint64_t thread;
  uint64_t waker;  // kNobody: an interrupt
  std::optional<unsigned> interrupt;
};

struct System {
  SystemOptions options;
  std::vector<Record> records;
  std::vector<Tick> ticks;
  std::vector<Woken> wakeups;  // those that found the thread not awake
  uint64_t settled = 0;        // from here on each CPU's thread is known,
  uint64_t warm = 0;           // from here on everything,
  uint64_t cool = 0;           // and up to here: all CPUs have a switch behind it
};

System simulate(const SystemOptions& options);

// The records when some are lost: each CPU's own, a run at a time.
std::vector<Record> with_losses(const System& system, uint32_t seed, unsigned runs);

std::string archive_of(const SystemOptions& options, const std::vector<Record>& records);

inline std::string interrupt_name(unsigned number) { return "irq" + std::to_string(number); }
inline std::string lock_name(unsigned number) { return "lock" + std::to_string(number); }

}  // namespace barefxt::test::explaining
