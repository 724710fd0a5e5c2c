// The interrupts of one CPU, from records of their begins, of their ends, or of both at once.
//
// An interrupt in one record is known where it ends, so stretches are decided late: at a switch
// outside of any interrupt, which proves that no earlier one goes on. Until then, or up to a loss
// or the end, an interrupt may be open whose record does not follow: a stretch without one stays
// in doubt.
//
// Invariants: the innermost interrupt is the one that began last. Memory is bounded by kMax, and
// belongs to what is pending alone.
#pragma once

#include <cstdint>
#include <vector>

#include "steps.h"

namespace barefxt::host {

// States of the steps.
enum class InterruptState : uint8_t {
  kUnknown,    // an interrupt, or part of one, that is not known
  kNone,       // no interrupt
  kMaybeLate,  // none is recorded; one in a single record may have been lost
  kMaybeAny,   // none is recorded; any may have begun before
  kIn,         // number: the label, value: the end of the stretch in which the CPU recorded nothing
};

class InterruptFold {
 public:
  // Records of interrupts in one interrupt, and of those since the last proof.
  static constexpr size_t kMax = 4096;

  void began(uint32_t label, uint64_t time);
  // True if the interrupt is known to have lasted all the time.
  void ended(uint32_t label, uint64_t begin, uint64_t end, bool whole);
  void ended_unbegun(uint32_t label, uint64_t time);
  // Another record of the CPU.
  void mark(uint64_t time);
  // A switch on the CPU: see above.
  void change(Steps& steps, uint64_t time) {
    if (open_.empty()) {
      settle(steps, time, true);
    } else {
      mark(time);
    }
  }
  // Records are missing from here on.
  void lose(Steps& steps, uint64_t time);
  void regain(Steps& steps, uint64_t time);
  void finish(Steps& steps, uint64_t end) { lose(steps, end); }
  bool is_losing() const { return losing_; }
  bool is_open() const { return !open_.empty(); }
  // Adds what is pending if that is much.
  void make_room(Steps& steps, uint64_t time) {
    if (done_.size() + marks_.size() >= kMax) settle(steps, time, false);
  }

  size_t pending() const { return open_.size() + done_.size() + marks_.size(); }
  // Adds what is pending, and forgets which interrupts are open.
  void give_up(Steps& steps, uint64_t time);

  const Track& track() const { return track_; }
  // The settled part up to here turned out to be wrong.
  uint64_t wrong_until() const { return wrong_until_; }

 private:
  struct Stretch {
    uint64_t begin;
    uint64_t end;
    uint32_t label;
    bool known;
  };
  struct Piece {
    uint64_t begin;
    InterruptState state;
    uint32_t label;
  };

  void settle(Steps& steps, uint64_t now, bool proof);
  std::vector<Piece> pieces(uint64_t now, InterruptState gap);
  void write(Steps& steps, const std::vector<Piece>& pieces, uint64_t now);

  Track track_;
  std::vector<Stretch> open_;
  std::vector<Stretch> done_;
  std::vector<uint64_t> marks_;
  uint64_t from_ = 0;
  uint64_t wrong_until_ = 0;
  bool certain_ = false;  // no interrupt was open at from_ that is not in open_
  bool losing_ = false;
};

}  // namespace barefxt::host
