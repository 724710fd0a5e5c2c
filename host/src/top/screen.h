// The terminal that frames are shown on. A build without ncurses has none.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <barefxt/host/status.h>

#include "layout.h"

namespace barefxt::top {

class Screen {
 public:
  Screen() = default;
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  // Gives the terminal back as it was.
  virtual ~Screen() = default;

  // For poll(): readable where a key may have been pressed.
  virtual int handle() const = 0;
  virtual Size size() const = 0;
  virtual Glyphs glyphs() const = 0;
  // A code point or a SpecialKey; nothing if no key was pressed. Takes a new size to account.
  virtual std::optional<int> next_key() = 0;
  virtual void show(const std::vector<Line>& lines) = 0;
};

// Keys come from the terminal even where standard input is something else.
host::Result<std::unique_ptr<Screen>> open_screen();

}  // namespace barefxt::top
