// Incomplete files and folders, removed if a signal ends the process, and a terminal in another
// mode.
//
// SIGKILL and a loss of power leave them behind.
#pragma once

#include <string>

namespace barefxt::host {

// Installs handlers that remove every Leftover and then let the signal take its default action.
// Signals that are ignored or handled already stay so.
// @context once, by the program: the library sets no handlers by itself
void remove_leftovers_on_signals();

// A terminal that the program shows its own screen on, from before it does so. It gets its mode
// back when this ends, or a signal ends the process. One at a time.
class TakenTerminal {
 public:
  explicit TakenTerminal(int terminal);
  ~TakenTerminal();
  TakenTerminal(const TakenTerminal&) = delete;
  TakenTerminal& operator=(const TakenTerminal&) = delete;

  // A signal writes this to it, as far as it takes that at once. More than 256 bytes are left out.
  void set_codes_at_end(const std::string& codes);
};

// Registers a path for as long as it lives. The destructor removes nothing from the disk.
class Leftover {
 public:
  enum class Kind : unsigned char { kFile, kFolder };

  Leftover() = default;
  // Paths of PATH_MAX bytes or more, and more than eight at a time, are not registered.
  Leftover(const std::string& path, Kind kind);
  Leftover(Leftover&& other) noexcept;
  Leftover& operator=(Leftover&& other) noexcept;
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;
  ~Leftover();

 private:
  int slot_ = -1;
};

}  // namespace barefxt::host
