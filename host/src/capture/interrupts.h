// Ctrl-C, and the other polite ways of asking a program to end, as something to poll for.
//
// While one of these lives, SIGINT, SIGTERM and SIGHUP do not end the process but make the handle
// readable. There is one at a time.
#pragma once

namespace barefxt::capture {

class Interrupts {
 public:
  Interrupts();
  // From here on they end the process again: also while what came is being written.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  int handle() const { return handle_; }

 private:
  int handle_;
};

}  // namespace barefxt::capture
