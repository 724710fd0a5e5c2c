#include "uses.h"

namespace {

void unnamed() { NOTE("function of one file"); }

// Inlined in several places: the compiler makes copies of the use.
__attribute__((always_inline)) inline void copied() { NOTE("copied by the compiler"); }

template <typename Function>
void call(Function function) {
  function();
}

}  // namespace

static void static_function() { NOTE("static function"); }

void first_uses() {
  unnamed();
  static_function();
  copied();
  copied();
  call([] { NOTE("lambda as an argument"); });
  call([] { call([] { NOTE("lambda in a lambda"); }); });
  NOTE("in every file");
  NOTE("twice in a function");
  NOTE("twice in a function");
  NOTE("both C and C++");
  NOTE("quote \" backslash \\ percent %d %% brace {} | newline \n end");
  NOTE("caf\xc3\xa9");
  NOTE("a prefix");
  NOTE("a prefix that goes on");
  all_shared_uses();
}
