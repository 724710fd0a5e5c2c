// How one CPU's interrupts nest, and other durations on its pseudo-thread.
//
// Interrupts that are open at the edges of a stretch are no fault: recording starts and stops in
// interrupts, too. So the survey ignores a few ends without a begin in each stretch, and a few
// begins that are open at its end. It counts an open begin if the same interrupt came again since
// and ended: then its own end is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace barefxt::host {

struct InterruptSurvey {
  uint64_t never_left = 0;
  uint64_t never_entered = 0;
  std::string example;  // the name of the first

  void enter(const std::string& name);
  void leave(const std::string& name);
  void end_stretch();

 private:
  static constexpr uint64_t kAtAnEdge = 2;
  static constexpr size_t kDeepest = 256;

  struct Open {
    std::string name;
    bool came_again = false;
  };
  void count(uint64_t& faults, const std::string& name);

  std::vector<Open> open_;
  uint64_t ends_without_begin_ = 0;  // in this stretch
};

}  // namespace barefxt::host
