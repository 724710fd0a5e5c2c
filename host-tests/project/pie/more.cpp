// Strings of C++, some of which kernel.c has, too.
#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(boot, 0);

template <int kNumber>
[[gnu::noinline]] void of_a_template(uint32_t number) {
  BAREFXT_INSTANT(boot, "in a template", BAREFXT_ARG_U32("number", number));
}

extern "C" [[gnu::visibility("hidden")]] void in_another_language(uint32_t number) {
  BAREFXT_DURATION_SCOPE(boot, "in a scope");
  of_a_template<1>(number);
  of_a_template<2>(number);
}
