// Measures that statistics lack, from the records of one trace: times between begins of one name,
// how long locks are held, and pairs of events that take turns on a thread.
//
// Invariants: nothing is measured across a loss. Memory is bounded by the limits of names and
// threads of a trace.
#pragma once

#include <array>
#include <unordered_map>

#include <barefxt/host/learn.h>

#include "../stats/names.h"
#include "../stats/observer.h"

namespace barefxt::host {

class Recurrence final : public TimelineObserver {
 public:
  void begin(const Statistics& statistics, bool to_nanoseconds) override;
  void know(const Names& names) override { names_ = &names; }
  bool wants_moments() const override { return true; }
  void see(const Moment& moment) override;
  void lose(std::optional<unsigned>, uint64_t) override {
    ++losses_;
    ++losing_;
  }
  void regain(std::optional<unsigned>, uint64_t) override { --losing_; }
  void ran(unsigned, uint64_t, const Extent&) override {}
  void thread_time(uint64_t, ThreadTime, const Extent&) override {}
  void cpu_unknown(unsigned, const Extent&) override {}
  void lost(std::optional<unsigned>, const Extent&) override {}
  void lasted(uint64_t, const ProbeName&, const Extent&, uint64_t, bool) override {}

  // Once the archive is read.
  void add_to(LearnedSet& learned, uint64_t ticks_per_second) const;

 private:
  // A time, and the losses before it; null: in a loss, so that nothing is measured from there.
  struct Mark {
    uint64_t time = 0;
    std::optional<uint64_t> losses = {};
  };
  static constexpr size_t kMaxInOrder = 64;  // events, the first that the trace has
  struct Lengths {
    uint64_t cases = 0;
    uint64_t least = ~uint64_t{0};
    uint64_t most = 0;
    Mark last;                // begin
    bool is_in_order = true;  // begins come as time goes on
    void add(uint64_t length);
  };
  struct Hold {
    Mark begin;
    Lengths* lengths;
  };
  struct Event {
    std::string text;  // as rules have it
    uint64_t cases = 0;
    uint64_t before = 0;  // those that came directly before, as bits by number
    bool was_first = false;
  };
  struct Last {
    size_t event;
    Mark when;
  };

  Mark mark(uint64_t time) const {
    return {time, losing_ > 0 ? std::nullopt : std::optional(losses_)};
  }
  // True if no loss may hide what happened in between.
  bool sees_all_since(const Mark& mark) const { return losing_ == 0 && mark.losses == losses_; }
  bool is_interrupt(uint64_t thread);
  Lengths& lengths_of(LearnedKind kind, uint64_t number, const std::string& name);
  void recur(LearnedKind kind, uint64_t number, const std::string& name, uint64_t time);
  // The number of an event; null: too many have one.
  std::optional<size_t> event_of(uint32_t label, bool is_instant);
  void follow(uint64_t thread, size_t event);
  void hold(const Moment& moment);
  void release(const Moment& moment);

  const Statistics* statistics_ = nullptr;
  const Names* names_ = nullptr;
  uint64_t losses_ = 0;  // that have begun so far
  uint64_t losing_ = 0;  // CPUs, and all as one
  std::unordered_map<uint64_t, bool> interrupts_;
  std::map<Learned, Lengths> lengths_;
  std::array<std::unordered_map<uint64_t, Lengths*>, kLearnedKinds> by_number_;  // of each kind
  std::unordered_map<LockId, Hold, LockIdHash> held_;
  std::vector<Event> events_;
  // By label and whether it is an instant; labels of one name are one event.
  std::unordered_map<uint64_t, std::optional<size_t>> numbers_;
  std::unordered_map<uint64_t, Last> last_of_;  // thread
};

// A name in quotes, as rules have it.
std::string rule_name(std::string_view name);

}  // namespace barefxt::host
