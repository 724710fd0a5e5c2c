#include "explorer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <utility>

#include "instrumented.h"
#include "schedule.h"
#include "weak_memory.h"

extern "C" char __data_start;
extern "C" char _end;

namespace barefxt::test {
namespace {

// A plain access, which the program makes behind the hook.
struct Pending {
  Location* location;
  bool is_store;
  uint64_t value;  // that is to stand there again, behind a load of another
};

enum class Mode : uint8_t { kOff, kThreads, kJudge } mode = Mode::kOff;

// Found in all executions so far.
std::deque<Location> locations;
std::vector<int> location_at;  // of each 4 bytes
std::vector<bool> in_parts;    // of each word
unsigned shared_count;
bool has_found_more;
uintptr_t split_begin;
uintptr_t split_end;

// The present execution.
uint64_t ticks;
uint64_t first_ticks;  // of each execution
std::string problem;
std::vector<Pending> pending;
std::vector<std::pair<uintptr_t, uint64_t>> saved;
std::vector<uint64_t> saved_in;  // of each word: the execution
uint64_t execution;
bool is_traced;
const void* caller;

uintptr_t image_begin() { return reinterpret_cast<uintptr_t>(&__data_start) & ~uintptr_t{7}; }
uintptr_t image_end() { return reinterpret_cast<uintptr_t>(&_end); }
size_t word_of(uintptr_t address) { return (address - image_begin()) / 8; }

void trace(const char* what, uintptr_t address, uint64_t value, unsigned age) {
  if (!is_traced) return;
  std::printf("thread %u %-6s %#zx %#zx", current_thread(), what, static_cast<size_t>(address),
              static_cast<size_t>(value));
  if (age != 0) std::printf(" (%u older than the last)", age);
  std::printf(" at %p\n", caller);
}

// So that the next execution finds it as this one did.
void save(uintptr_t address) {
  uint64_t& in = saved_in[word_of(address)];
  if (in == execution) return;
  in = execution;
  const uintptr_t word = address & ~uintptr_t{7};
  saved.emplace_back(word, peek(word, 8));
}

void pass() {
  const void* const here = caller;
  if (!step()) require(false, "it has no end");
  caller = here;
}

uint64_t load_and_trace(const Location& location, int order, const uint64_t* expected = nullptr) {
  const Loaded loaded = load(location, order, expected);
  trace("load", location.address, loaded.value, loaded.age);
  return loaded.value;
}
void store_and_trace(const Location& location, int order, bool continues = false) {
  trace("store", location.address, peek(location.address, location.bytes), 0);
  store(location, order, continues);
}

// Completes what the program did behind the last hook.
void settle() {
  for (const Pending& each : pending) {
    const Location& location = *each.location;
    if (each.is_store)
      store_and_trace(location, __ATOMIC_RELAXED);
    else
      poke(location.address, location.bytes, each.value);
  }
  pending.clear();
}

// Announces that this thread is about to use it. Returns true if another thread may see that.
bool is_shared(uintptr_t address, size_t bytes, bool stores_it, Location** found) {
  const size_t word = word_of(address);
  if (stores_it && bytes < 8 && !in_parts[word]) {
    in_parts[word] = true;
    has_found_more = true;
    abandon();
  }
  const bool is_part = in_parts[word];
  const uintptr_t at = address & ~uintptr_t{is_part ? 3u : 7u};
  int& index = location_at[(at - image_begin()) / 4];
  if (index < 0 || locations[static_cast<size_t>(index)].bytes != (is_part ? 4 : 8)) {
    index = static_cast<int>(locations.size());
    locations.push_back({at, is_part ? 4u : 8u});
  }
  Location& location = locations[static_cast<size_t>(index)];
  *found = &location;
  if (location.shared >= 0) return true;
  location.users |= 1u << current_thread();
  location.is_stored |= stores_it;
  if (location.is_stored && (location.users & (location.users - 1)) != 0) has_found_more = true;
  return false;
}

// The locations of an access that threads share.
struct Access {
  Access(uintptr_t address, size_t bytes, bool stores_it) {
    for (const uintptr_t end = address + bytes; address < end;) {
      const uintptr_t whole = in_parts[word_of(address)] ? 4 : 8;
      const uintptr_t part = std::min(whole - address % whole, end - address);
      Location* location = nullptr;
      if (is_shared(address, part, stores_it, &location)) shared.at(count++) = location;
      if (stores_it) save(address);
      address += part;
    }
    if (count == 0) return;
    pass();
    for (unsigned i = 0; stores_it && i < count; ++i) keep_first(*shared[i]);
  }
  std::array<Location*, 16> shared;
  unsigned count = 0;
};

// True: a thread accesses memory that is explored. For the judge it keeps what a store replaces.
bool is_explored(uintptr_t address, size_t bytes, bool stores_it, const void* from) {
  settle();
  caller = from;
  if (mode == Mode::kOff || address < image_begin() || address >= image_end()) return false;
  for (size_t i = 0; mode == Mode::kJudge && stores_it && i < bytes; ++i) save(address + i);
  return mode == Mode::kThreads;
}

// The location of a word that is about to be swapped, if threads share it. No such word is stored
// in parts.
const Location* shared_word(uintptr_t address, unsigned bytes, const void* from) {
  if (!is_explored(address, bytes, true, from)) return nullptr;
  const Access access(address, bytes, true);
  if (access.count == 0) return nullptr;
  if (access.count > 1 || access.shared[0]->bytes != bytes) std::abort();
  return access.shared[0];
}

// ---- Executions ----

void run_execution(Limits limits, void (*judge)()) {
  ++execution;
  forget_stores(shared_count, limits.late_loads);
  ticks = first_ticks;
  problem.clear();
  mode = Mode::kThreads;
  const bool is_complete = run_threads(limits.preemptions);
  pending.clear();
  mode = Mode::kJudge;
  if (is_complete) judge();
  mode = Mode::kOff;
  for (const auto& [address, value] : saved) poke(address, 8, value);
  saved.clear();
}

// False: there are more locations that threads share than were known at first.
bool explore_all(Limits limits, void (*judge)(), Explored& explored) {
  forget_choices();
  explored.executions = 0;
  has_found_more = false;
  for (Location& location : locations)
    if (location.is_stored && (location.users & (location.users - 1)) != 0 && location.shared < 0)
      location.shared = static_cast<int>(shared_count++);
  if (shared_count > kMaxShared) std::abort();
  do {
    run_execution(limits, judge);
    ++explored.executions;
    if (!problem.empty()) return true;
    if (has_found_more) return false;
  } while (find_next_choices());
  return true;
}

}  // namespace

void require(bool holds, const char* what) {
  if (holds || mode == Mode::kOff) return;
  if (problem.empty()) problem = what;
  if (mode == Mode::kThreads) abandon();
}

uint64_t count_ticks() {
  settle();
  if (mode == Mode::kThreads) pass();
  return ++ticks;
}

void split_words(const void* memory, size_t bytes) {
  split_begin = reinterpret_cast<uintptr_t>(memory);
  split_end = split_begin + bytes;
}

void access_plainly(const void* where, size_t bytes, bool stores_it, const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  if (!is_explored(address, bytes, stores_it, from)) return;
  const Access access(address, bytes, stores_it);
  for (unsigned i = 0; i < access.count; ++i) {
    Location& location = *access.shared[i];
    if (stores_it) {
      pending.push_back({&location, true, 0});
      continue;
    }
    const uint64_t last = peek(location.address, location.bytes);
    const uint64_t value = load_and_trace(location, __ATOMIC_RELAXED);
    if (value == last) continue;
    poke(location.address, location.bytes, value);
    pending.push_back({&location, false, last});
  }
}

uint64_t load_atomically(const volatile void* where, unsigned bytes, int order, const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  if (!is_explored(address, bytes, false, from)) return peek(address, bytes);
  const Access access(address, bytes, false);
  if (access.count == 0) return peek(address, bytes);
  const Location& first = *access.shared[0];
  uint64_t value = load_and_trace(first, order) >> (8 * (address - first.address));
  if (access.count == 2) value |= load_and_trace(*access.shared[1], order) << 32;
  return value;
}

void store_atomically(volatile void* where, unsigned bytes, uint64_t value, int order,
                      const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  if (!is_explored(address, bytes, true, from)) return poke(address, bytes, value);
  const Access access(address, bytes, true);
  poke(address, bytes, value);
  for (unsigned i = 0; i < access.count; ++i) store_and_trace(*access.shared[i], order);
}

uint64_t change_atomically(volatile void* where, unsigned bytes, const uint64_t* expected,
                           uint64_t (*next)(uint64_t found, uint64_t value), uint64_t value,
                           int order, int failing, const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  const Location* const shared = shared_word(address, bytes, from);
  uint64_t found = peek(address, bytes);
  if (expected != nullptr) {
    if (shared != nullptr) found = load_and_trace(*shared, failing, expected);
    if (found != *expected) return found;
  }
  if (shared != nullptr) see_last(*shared, order);
  unlink_others(where);
  poke(address, bytes, next(found, value));
  if (shared != nullptr) store_and_trace(*shared, order, true);
  return found;
}

// Like a change to the same value, which sees the last store.
uint64_t load_linked(volatile void* where, unsigned bytes, const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  const Location* const shared = shared_word(address, bytes, from);
  if (shared != nullptr) see_last(*shared, __ATOMIC_RELAXED);
  link(where);
  return peek(address, bytes);
}

bool store_conditional(volatile void* where, unsigned bytes, uint64_t value, const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  const Location* const shared = shared_word(address, bytes, from);
  if (!unlink(where)) return false;
  unlink_others(where);
  poke(address, bytes, value);
  if (shared != nullptr) store_and_trace(*shared, __ATOMIC_RELAXED, true);
  return true;
}

void fence(int order) {
  settle();
  if (mode != Mode::kThreads) return;
  acquire_all(order);
  if (order == __ATOMIC_SEQ_CST) {
    pass();
    meet_fences();
  }
  release_all(order);
}

Explored explore(const std::vector<Thread>& all, void (*judge)(), Limits limits) {
  take_threads(all, &settle);
  first_ticks = ticks;
  locations.clear();
  location_at.assign((image_end() - image_begin()) / 4 + 2, -1);
  in_parts.assign(word_of(image_end()) + 1, false);
  saved_in.assign(word_of(image_end()) + 1, 0);
  for (uintptr_t word = split_begin; word < split_end; word += 8) in_parts[word_of(word)] = true;
  shared_count = 0;
  Explored explored;
  // Few executions find most of the locations that threads share.
  const Limits few = {std::min(limits.preemptions, 1u), 0};
  while (!explore_all(few, judge, explored)) {
  }
  if (!problem.empty()) limits = few;
  while (problem.empty() && !explore_all(limits, judge, explored)) {
  }
  explored.locations = shared_count;
  explored.problem = problem;
  if (!problem.empty()) {
    is_traced = true;
    run_execution(limits, judge);
    is_traced = false;
  }
  return explored;
}

}  // namespace barefxt::test
