#include <barefxt/intern.h>

void note(uint32_t index, const char* text);
void uses_in_c(void);

#define NOTE(text) note(BAREFXT_STRING(text), text)

static inline void inlined(void) { NOTE("C: inline function"); }

void uses_in_c(void) {
  inlined();
  inlined();
  NOTE("C: function");
  NOTE("C: twice");
  NOTE("C: twice");
  NOTE("both C and C++");
}
