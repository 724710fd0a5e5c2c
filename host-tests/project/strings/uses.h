// Uses of strings in every context of C++, shared by two files, so that the linker sees inline
// functions and templates twice. Each use notes which index it got for which text.
#pragma once

#include <barefxt/intern.h>

extern "C" void note(uint32_t index, const char* text);
extern "C" void note_both(uint64_t indices, const char* category, const char* name);

#define NOTE(text) note(BAREFXT_STRING(text), text)
#define NOTE_BOTH(category, name) \
  note_both(BAREFXT_CATEGORY_AND_NAME(category, name), category, name)

inline void inline_function() {
  NOTE("inline function");
  NOTE("in every file");
}

template <int kNumber>
void function_template() {
  NOTE("function template");
  if constexpr (kNumber == 1) NOTE("one instance only");
}

template <typename T>
struct ClassTemplate {
  ClassTemplate() { NOTE("constructor of a template"); }
  static void static_member() { NOTE("static member of a template"); }
  template <typename U>
  void member_template(U) {
    NOTE("member template");
  }
};

struct Virtual {
  virtual void function() { NOTE("virtual function"); }
};

inline auto lambda = [] { NOTE("inline lambda"); };

inline void all_shared_uses() {
  inline_function();
  function_template<1>();
  function_template<2>();
  ClassTemplate<int>::static_member();
  ClassTemplate<long>().member_template('c');
  Virtual().function();
  lambda();
  [](auto) { NOTE("generic lambda"); }(1);
  for (int i = 0; i < 2; ++i) NOTE("in a loop");
  NOTE_BOTH("category", "name");
  NOTE_BOTH("category", "category");
  NOTE_BOTH("in every file", "inline lambda");
}
