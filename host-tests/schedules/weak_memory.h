// The values that loads may return: which stores to a location a processor has seen, itself or by
// what it acquired. Without late loads each returns the last store, and nothing is kept.
#pragma once

#include <cstdint>

namespace barefxt::test {

constexpr unsigned kMaxShared = 512;

// A word, or a half of one that is stored in parts.
struct Location {
  uintptr_t address;
  unsigned bytes;
  unsigned users = 0;  // a bit for each thread
  bool is_stored = false;
  int shared = -1;  // its number, if threads share it
};

uint64_t peek(uintptr_t address, unsigned bytes);
void poke(uintptr_t address, unsigned bytes, uint64_t value);

// When an execution begins, with so many locations that are shared.
void forget_stores(unsigned shared, unsigned late_loads);

struct Loaded {
  uint64_t value;
  unsigned age;  // stores since
};
// A swap finds the last store, or an earlier one that is not what it expects.
Loaded load(const Location& location, int order, const uint64_t* expected = nullptr);
// Appends the value that memory has now. `continues`: a swap, which passes on what the store before
// it publishes.
void store(const Location& location, int order, bool continues = false);
// A load of the last store, without a choice.
void see_last(const Location& location, int order);
// A load may also return the value that stands there ahead of the first store.
void keep_first(const Location& location);

// A fence: the acquiring part, that of all that are sequentially consistent, the releasing part.
void acquire_all(int order);
void meet_fences();
void release_all(int order);

}  // namespace barefxt::test
