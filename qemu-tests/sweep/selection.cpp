#include "sweep/selection.h"

namespace kernel::sweep {

bool same_text(const char* left, const char* right) {
  while (*left == *right && *left != '\0') {
    ++left;
    ++right;
  }
  return *left == *right;
}

bool is_one_of_few(const Path& path) {
  return same_text(path.name, "context_switch") || same_text(path.name, "instant_of_inline_thread");
}

bool is_called(const Place& place, const char* name) { return same_text(place.name, name); }

bool is_among(const Place& place, const Mode& mode, Places places) {
  if (!exists_in(place, mode)) return false;
  const bool one_shot = mode.mode == BAREFXT_MODE_ONE_SHOT;
  switch (places) {
    case Places::kAll:
      return true;
    case Places::kQuick:
      return !place.only_circular;
    case Places::kUsual:
      return one_shot || is_called(place, "crossing");
    case Places::kCrossings:
      return is_called(place, "overwriting") ||
             (one_shot && (is_called(place, "crossing") || is_called(place, "last")));
    case Places::kTwo:
      return one_shot && (is_called(place, "open") || is_called(place, "last"));
  }
  return false;
}

}  // namespace kernel::sweep
