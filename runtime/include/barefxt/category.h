/* Categories of probes. */
#ifndef BAREFXT_CATEGORY_H
#define BAREFXT_CATEGORY_H

/* ---- Categories ----
 *
 * A probe belongs to a category. Each category has a bit that switches it on and off at run time.
 */

#include <stdint.h>

#include <barefxt/relaxed.h>

/* Declares a category. The archive shows it by its name.
 *
 * @param name An identifier.
 * @param number A number that no other category has, 0 to 29.
 * @context file or namespace scope
 */
#define BAREFXT_CATEGORY(name, number)         \
  enum { barefxt_category_##name = (number) }; \
  BAREFXT_STATIC_ASSERT_((number) >= 0 && (number) < 30, "categories have the numbers 0 to 29")

#ifdef __cplusplus
#define BAREFXT_STATIC_ASSERT_(condition, text) static_assert(condition, text)
#else
#define BAREFXT_STATIC_ASSERT_(condition, text) __extension__ _Static_assert(condition, text)
#endif

/* Categories of the runtime: context switches and wakeups; interrupts; and calls of functions, in
 * an image whose functions are instrumented. Other images may give 29 to a category of theirs.
 */
enum { barefxt_category_sched = 31, barefxt_category_irq = 30, barefxt_category_function = 29 };

/* The mask of enabled categories, all clear while nothing is recorded. Hidden visibility saves a
 * detour to its address. Probes read it through BAREFXT_ENABLED.
 */
#ifdef __cplusplus
extern "C" {
#endif
extern uint32_t barefxt_enabled_categories __attribute__((visibility("hidden")));
#ifdef __cplusplus
}
#endif

/* Returns true while the category is enabled.
 *
 * @param category Its name.
 * @context any
 */
#define BAREFXT_ENABLED(category) \
  (__builtin_expect(BAREFXT_ANY_ENABLED_(BAREFXT_CATEGORY_BIT(category)), 0))

#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && !BAREFXT_THREAD_SANITIZER_
/* One instruction tests memory. Compilers load an atomic word first. */
#define BAREFXT_ANY_ENABLED_(bits)                                  \
  __extension__({                                                   \
    int barefxt_any_;                                               \
    __asm__ volatile("testl %2, %1"                                 \
                     : "=@ccnz"(barefxt_any_)                       \
                     : "m"(barefxt_enabled_categories), "i"(bits)); \
    barefxt_any_;                                                   \
  })
#else
#define BAREFXT_ANY_ENABLED_(bits) \
  ((BAREFXT_LOAD_RELAXED_(barefxt_enabled_categories) & (bits)) != 0)
#endif

/* The bit of a category in a mask.
 *
 * @param name Its name.
 */
#define BAREFXT_CATEGORY_BIT(name) ((uint32_t)1 << barefxt_category_##name)

#endif
