// Counts and compares: main returns 0 where every use got the index of its own text, and the table
// holds each text of C++ once and those of C at least once. With BAREFXT_STRINGS_IN_ELF
// program_texts.c reads table and texts from the program's own file.
#include <barefxt/intern.h>

void first_uses();
void second_uses();
extern "C" void uses_in_c();

#if BAREFXT_STRINGS_IN_ELF
extern "C" uint32_t program_texts(void);
extern "C" const char* program_text(uint32_t index);
#else
extern "C" const int32_t barefxt_strings_begin[];
extern "C" const int32_t barefxt_strings_end[];
#endif

namespace {

enum Failure : int {  // unscoped: exit statuses
  kNone = 0,
  kIndexOutOfRange = 1,
  kOtherText = 2,
  kTwoIndices = 3,
  kEntryUnused = 4,
  kTooManyNotes = 5,
};

struct Note {
  uint32_t index;
  const char* text;
};
constexpr int kMaxNotes = 200;
Note notes[kMaxNotes];
int note_count = 0;
int failure = kNone;

bool same(const char* left, const char* right) {
  while (*left == *right && *left != '\0') {
    ++left;
    ++right;
  }
  return *left == *right;
}

#if BAREFXT_STRINGS_IN_ELF
uint32_t entries() { return program_texts(); }
const char* text_of(uint32_t index) { return program_text(index); }
#else
uint32_t entries() { return static_cast<uint32_t>(barefxt_strings_end - barefxt_strings_begin); }

// Entry N belongs to index N + 1, and holds the distance from itself to the text.
const char* text_of(uint32_t index) {
  const int32_t* entry = barefxt_strings_begin + index - 1;
  return reinterpret_cast<const char*>(entry) + *entry;
}
#endif

bool is_noted(const char* text, int notes_to_look_at) {
  for (int i = 0; i < notes_to_look_at; ++i) {
    if (same(notes[i].text, text)) return true;
  }
  return false;
}

}  // namespace

extern "C" void note(uint32_t index, const char* text) {
  if (note_count == kMaxNotes) {
    failure = kTooManyNotes;
    return;
  }
  if (index == 0 || index > entries()) {
    failure = kIndexOutOfRange;
    return;
  }
  if (!same(text_of(index), text)) failure = kOtherText;
  notes[note_count++] = {index, text};
}

extern "C" void note_both(uint64_t indices, const char* category, const char* name) {
  if ((indices & 0xffffffff) != 0) failure = kIndexOutOfRange;
  note(indices >> 32 & 0xffff, category);
  note(static_cast<uint32_t>(indices >> 48), name);
}

extern "C" int main() {
  first_uses();
  second_uses();
  const int cpp_notes = note_count;
  uses_in_c();
  if (failure != kNone) return failure;

  for (int i = 0; i < cpp_notes; ++i) {
    for (int j = 0; j < i; ++j) {
      if (same(notes[i].text, notes[j].text) && notes[i].index != notes[j].index)
        return kTwoIndices;
    }
  }
  // Every entry in the table was used, and each from C++ is there once: only C may repeat itself.
  for (uint32_t index = 1; index <= entries(); ++index) {
    const char* text = text_of(index);
    if (!is_noted(text, note_count) && !same(text, "never called")) return kEntryUnused;
    for (uint32_t other = 1; other < index; ++other) {
      const bool in_c = same(text, "both C and C++") || (text[0] == 'C' && text[1] == ':');
      if (!in_c && same(text_of(other), text)) return kTwoIndices;
    }
  }
  return kNone;
}
