// Ctrl-C, and the other polite ways of asking a program to end, as something to poll for.
//
// While one of these lives, SIGINT, SIGTERM and SIGHUP do not end the process but make the handle
// readable. There is one at a time.
#pragma once

namespace barefxt::line {

class Interrupts {
 public:
  Interrupts();
  // From here on they end the process again, unless they are ignored. Those that came are
  // forgotten.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  int handle() const { return handle_; }
  // Waits for one, up to a number of milliseconds. Returns true if one came.
  bool came_within(int milliseconds) const;
  // Forgets those that came.
  void take() const;
  // Ignores later ones for the rest of the process: its work is done, and its exit status is
  // decided.
  static void ignore_later_ones();

 private:
  int handle_;
};

}  // namespace barefxt::line
