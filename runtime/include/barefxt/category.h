/* Categories: what a probe belongs to, switched on and off at run time by a bit each. */
#ifndef BAREFXT_CATEGORY_H
#define BAREFXT_CATEGORY_H

#include <stdint.h>

#include <barefxt/relaxed.h>

/* Declares category `name` with a number of its own from 0 to 29. The archive shows it as "name".
 */
#define BAREFXT_CATEGORY(name, number)         \
  enum { barefxt_category_##name = (number) }; \
  BAREFXT_STATIC_ASSERT_((number) >= 0 && (number) < 30, "categories have the numbers 0 to 29")

#ifdef __cplusplus
#define BAREFXT_STATIC_ASSERT_(condition, text) static_assert(condition, text)
#else
#define BAREFXT_STATIC_ASSERT_(condition, text) __extension__ _Static_assert(condition, text)
#endif

/* The runtime's own: context switches and wakeups; interrupts; and calls of functions, in an image
 * whose functions are instrumented. Others may give that number to a category of theirs. */
enum { barefxt_category_sched = 31, barefxt_category_irq = 30, barefxt_category_function = 29 };

/* The mask of enabled categories, all clear while nothing is recorded. Hidden, so that its address
 * is formed without a detour. Probes read it through BAREFXT_ENABLED. */
#ifdef __cplusplus
extern "C" {
#endif
extern uint32_t barefxt_enabled_categories __attribute__((visibility("hidden")));
#ifdef __cplusplus
}
#endif

#define BAREFXT_ENABLED(category)                                                                \
  (__builtin_expect(                                                                             \
      (BAREFXT_LOAD_RELAXED_(barefxt_enabled_categories) & BAREFXT_CATEGORY_BIT(category)) != 0, \
      0))

#define BAREFXT_CATEGORY_BIT(name) ((uint32_t)1 << barefxt_category_##name)

#endif
