#include "uses.h"

// The same name as in the other file, and another text.
static void static_function() { NOTE("another static function"); }

template <typename... Numbers>
static void each(Numbers... numbers) {
  ((void)numbers, ...);
  NOTE("variadic template");
}

void second_uses() {
  static_function();
  each(1);
  each(1, 2L);
  NOTE("in every file");
  all_shared_uses();
}

// Never called: it may be dropped or stay, the table has to fit either way.
void never_called() { NOTE("never called"); }
