/* Durations of scopes, as a C compiler and as a C++ compiler see them. The includer defines the
 * name. It is left in the middle of the inner scope, or at its end; then the category is off
 * for a while. */
#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(scopes, 3);
BAREFXT_CATEGORY(others, 4);

void JOBS_OF_LANGUAGE(void);
void JOBS_OF_LANGUAGE(void) {
  BAREFXT_JOB(BAREFXT_MS(10), 0);
  BAREFXT_JOB_NAMED("inner", 0, BAREFXT_US(2500));
  /* The begin decides. */
  barefxt_set_categories(0);
  BAREFXT_JOB(BAREFXT_MS(10), 0);
}

void SCOPES_OF_LANGUAGE(int leaves_early);
void SCOPES_OF_LANGUAGE(int leaves_early) {
  BAREFXT_DURATION_SCOPE(scopes, "outer", BAREFXT_ARG_U32("n", 7),
                         BAREFXT_ARG_STRING("text", "inline", 6));
  {
    BAREFXT_DURATION_SCOPE(scopes, "inner");
    if (leaves_early) return;
    BAREFXT_INSTANT(scopes, "inside");
  }
  /* The begin decides. */
  barefxt_set_categories(BAREFXT_CATEGORY_BIT(others));
  BAREFXT_DURATION_SCOPE(scopes, "off");
  BAREFXT_DURATION_SCOPE(others, "on");
  barefxt_set_categories(BAREFXT_CATEGORY_BIT(scopes));
}
