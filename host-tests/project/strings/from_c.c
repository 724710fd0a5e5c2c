#include <barefxt/intern.h>

void note(uint32_t index, const char* text);
void note_both(uint64_t indices, const char* category, const char* name);
void uses_in_c(void);

#define NOTE(text) note(BAREFXT_STRING(text), text)
#define NOTE_BOTH(category, name)                                       \
  do {                                                                  \
    const uint64_t indices = BAREFXT_CATEGORY_AND_NAME(category, name); \
    note_both(indices, category, name);                                 \
  } while (0)

static inline void inlined(void) { NOTE("C: inline function"); }

void uses_in_c(void) {
  inlined();
  inlined();
  NOTE("C: function");
  NOTE("C: twice");
  NOTE("C: twice");
  NOTE("both C and C++");
  NOTE_BOTH("C: category", "C: name");
  NOTE_BOTH("both C and C++", "both C and C++");
}
