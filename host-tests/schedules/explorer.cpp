#include "explorer.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <ucontext.h>
#include <utility>

#include "instrumented.h"

extern "C" char __data_start;
extern "C" char _end;

namespace barefxt::test {
namespace {

constexpr unsigned kMaxThreads = 4;
constexpr unsigned kMaxShared = 512;
constexpr unsigned kMaxSteps = 100000;
constexpr size_t kStackBytes = size_t{256} << 10;

// For each shared location the oldest store that a load may still return.
using View = std::array<uint16_t, kMaxShared>;

// A word, or a half of one that is stored in parts.
struct Location {
  uintptr_t address;
  unsigned bytes;
  unsigned users = 0;  // a bit for each thread
  bool is_stored = false;
  int shared = -1;
};
struct Store {
  uint64_t value;
  uint32_t view;  // what comes before it, for threads that acquire it
};
struct Processor {
  View now;            // what its loads may return
  View acquired;       // and behind an acquiring fence
  uint32_t published;  // view that its relaxed stores pass to acquirers
};
struct Fiber {
  const volatile void* linked;  // by its exclusive load
  ucontext_t start;
  jmp_buf at;
  std::unique_ptr<char[]> stack;
  bool has_begun;
  bool is_done;
};
struct Choice {
  unsigned options;
  unsigned taken;
};
// A plain access, which the program makes behind the hook.
struct Pending {
  Location* location;
  bool is_store;
  uint64_t value;  // that is to stand there again, behind a load of another
};

enum class Mode : uint8_t { kOff, kThreads, kJudge } mode = Mode::kOff;

const std::vector<Thread>* threads;
Fiber fibers[kMaxThreads];
bool fibers_are_ready;
unsigned current;
jmp_buf main_at;

// Found in all executions so far.
std::deque<Location> locations;
std::vector<int> location_at;  // of each 4 bytes
std::vector<bool> in_parts;    // of each word
unsigned shared_count;
bool has_found_more;
uintptr_t split_begin;
uintptr_t split_end;

// The present execution.
std::vector<Store> stores[kMaxShared];
std::vector<View> views;
Processor processors[kMaxThreads];
View fenced;  // by sequentially consistent fences
Limits left;
bool keeps_stores;  // where no load is late, the last one is in memory
uint64_t ticks;
uint64_t first_ticks;  // of each execution
unsigned steps;
std::string problem;
std::vector<Pending> pending;
std::vector<std::pair<uintptr_t, uint64_t>> saved;
std::vector<uint64_t> saved_in;  // of each word: the execution
uint64_t execution;
bool is_traced;
const void* caller;

std::vector<Choice> path;
size_t depth;

uintptr_t image_begin() { return reinterpret_cast<uintptr_t>(&__data_start) & ~uintptr_t{7}; }
uintptr_t image_end() { return reinterpret_cast<uintptr_t>(&_end); }
size_t word_of(uintptr_t address) { return (address - image_begin()) / 8; }

uint64_t peek(uintptr_t address, unsigned bytes) {
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
  return value;
}
void poke(uintptr_t address, unsigned bytes, uint64_t value) {
  std::memcpy(reinterpret_cast<void*>(address), &value, bytes);
}

void trace(const char* what, uintptr_t address, uint64_t value, unsigned age) {
  if (!is_traced) return;
  std::printf("thread %u %-6s %#zx %#zx", current, what, static_cast<size_t>(address),
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

// ---- Threads ----

[[gnu::noinline]] void jump(jmp_buf& from, jmp_buf& to) {
  if (_setjmp(from) == 0) _longjmp(to, 1);
}

[[noreturn]] void abandon() {
  fibers_are_ready = false;
  pending.clear();
  _longjmp(main_at, 1);
}

unsigned choose(unsigned options) {
  if (options < 2) return 0;
  if (depth == path.size()) path.push_back({options, 0});
  if (path[depth].options != options) {
    std::fputs("explorer: an execution differs from the same one before\n", stderr);
    std::abort();
  }
  return path[depth++].taken;
}

bool is_interrupted(unsigned thread) {
  for (unsigned i = 0; i < threads->size(); ++i)
    if ((*threads)[i].interrupts == static_cast<int>(thread) && fibers[i].has_begun &&
        !fibers[i].is_done)
      return true;
  return false;
}
unsigned list_others(unsigned* others) {
  unsigned count = 0;
  for (unsigned i = 0; i < threads->size(); ++i)
    if (i != current && !fibers[i].is_done && !is_interrupted(i)) others[count++] = i;
  return count;
}
void unlink(const volatile void* word, unsigned but) {
  for (unsigned i = 0; i < kMaxThreads; ++i)
    if (i != but && fibers[i].linked == word) fibers[i].linked = nullptr;
}
void go_on_with(unsigned next, jmp_buf& from) {
  current = next;
  for (unsigned i = 0; i < threads->size(); ++i)
    if (i != next && (*threads)[i].processor == (*threads)[next].processor)
      fibers[i].linked = nullptr;
  fibers[next].has_begun = true;
  jump(from, fibers[next].at);
}

// Ahead of what another thread may see or change.
void step() {
  if (++steps > kMaxSteps) require(false, "it has no end");
  if (left.preemptions == 0) return;
  unsigned others[kMaxThreads];
  const void* const here = caller;
  const unsigned taken = choose(1 + list_others(others));
  if (taken == 0) return;
  --left.preemptions;
  const unsigned me = current;
  go_on_with(others[taken - 1], fibers[me].at);
  caller = here;
}

void settle();

void run_fiber(int number) {
  const auto me = static_cast<unsigned>(number);
  jump(fibers[me].at, main_at);
  while (true) {
    (*threads)[me].body();
    settle();
    fibers[me].is_done = true;
    unsigned others[kMaxThreads];
    const unsigned count = list_others(others);
    if (count == 0)
      jump(fibers[me].at, main_at);
    else
      go_on_with(others[choose(count)], fibers[me].at);
  }
}

void make_fiber(Fiber& fiber, int number) {
  if (fiber.stack == nullptr) fiber.stack = std::make_unique<char[]>(kStackBytes);
  getcontext(&fiber.start);
  fiber.start.uc_stack.ss_sp = fiber.stack.get();
  fiber.start.uc_stack.ss_size = kStackBytes;
  makecontext(&fiber.start, reinterpret_cast<void (*)()>(run_fiber), 1, number);
  if (_setjmp(main_at) == 0) setcontext(&fiber.start);
}

// ---- Memory ----

Processor& processor() { return processors[(*threads)[current].processor]; }

void join(View& view, const View& other) {
  for (unsigned i = 0; i < shared_count; ++i) view[i] = std::max(view[i], other[i]);
}
uint32_t keep(const View& view) {
  views.push_back(view);
  return static_cast<uint32_t>(views.size() - 1);
}

bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
bool releases(int order) { return order >= __ATOMIC_RELEASE; }

std::vector<Store>& stores_to(const Location& location) {
  std::vector<Store>& all = stores[location.shared];
  if (all.empty()) all.push_back({peek(location.address, location.bytes), 0});
  return all;
}

void see(const Location& location, size_t store, int order) {
  Processor& mine = processor();
  auto& seen = mine.now[static_cast<size_t>(location.shared)];
  seen = std::max(seen, static_cast<uint16_t>(store));
  const uint32_t view = stores[location.shared][store].view;
  if (view == 0) return;
  const View& with_it = views[view];
  join(mine.acquired, with_it);
  if (acquires(order)) join(mine.now, with_it);
}

// A swap finds the last store, or an earlier one that is not what it expects.
uint64_t load(const Location& location, int order, const uint64_t* expected = nullptr) {
  if (!keeps_stores) {
    const uint64_t value = peek(location.address, location.bytes);
    trace("load", location.address, value, 0);
    return value;
  }
  const std::vector<Store>& all = stores_to(location);
  const size_t oldest = processor().now[static_cast<size_t>(location.shared)];
  size_t found = all.size() - 1;
  if (left.late_loads != 0 && oldest < found) {
    std::vector<size_t> options = {found};
    for (size_t i = found; i-- > oldest;)
      if (expected == nullptr || all[i].value != *expected) options.push_back(i);
    found = options[choose(static_cast<unsigned>(options.size()))];
    if (found != all.size() - 1) --left.late_loads;
  }
  see(location, found, order);
  trace("load", location.address, all[found].value, static_cast<unsigned>(all.size() - 1 - found));
  return all[found].value;
}

// Appends the value that memory has now. `continues`: a swap, which passes on what the store before
// it publishes.
void store(const Location& location, int order, bool continues = false) {
  const uint64_t value = peek(location.address, location.bytes);
  trace("store", location.address, value, 0);
  if (!keeps_stores) return;
  Processor& mine = processor();
  std::vector<Store>& all = stores_to(location);
  mine.now[static_cast<size_t>(location.shared)] = static_cast<uint16_t>(all.size());
  uint32_t view = releases(order) ? keep(mine.now) : mine.published;
  if (continues && all.back().view != 0) {
    View both = views[view];
    join(both, views[all.back().view]);
    view = keep(both);
  }
  all.push_back({value, view});
}

// Completes what the program did behind the last hook.
void settle() {
  for (const Pending& each : pending) {
    const Location& location = *each.location;
    if (each.is_store)
      store(location, __ATOMIC_RELAXED);
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
  location.users |= 1u << current;
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
    step();
    // A load may also return the value that stands there ahead of the first store.
    for (unsigned i = 0; keeps_stores && stores_it && i < count; ++i) stores_to(*shared[i]);
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

// ---- Executions ----

void begin_execution(Limits limits) {
  ++execution;
  for (unsigned i = 0; i < shared_count; ++i) stores[i].clear();
  views.resize(1);
  views[0].fill(0);
  for (Processor& each : processors) {
    each.now.fill(0);
    each.acquired.fill(0);
    each.published = 0;
  }
  fenced.fill(0);
  left = limits;
  keeps_stores = limits.late_loads != 0;
  ticks = first_ticks;
  steps = 0;
  depth = 0;
  problem.clear();
  if (!fibers_are_ready)
    for (unsigned i = 0; i < threads->size(); ++i) make_fiber(fibers[i], static_cast<int>(i));
  fibers_are_ready = true;
  for (Fiber& fiber : fibers) {
    fiber.linked = nullptr;
    fiber.has_begun = false;
    fiber.is_done = false;
  }
}

void run_execution(Limits limits, void (*judge)()) {
  begin_execution(limits);
  unsigned first[kMaxThreads];
  unsigned count = 0;
  for (unsigned i = 0; i < threads->size(); ++i)
    if ((*threads)[i].interrupts < 0) first[count++] = i;
  mode = Mode::kThreads;
  go_on_with(first[choose(count)], main_at);
  mode = Mode::kJudge;
  if (fibers_are_ready) judge();
  mode = Mode::kOff;
  for (const auto& [address, value] : saved) poke(address, 8, value);
  saved.clear();
}

// The next in the order of their choices. False: that was the last.
bool find_next_path() {
  while (!path.empty() && path.back().taken + 1 == path.back().options) path.pop_back();
  if (path.empty()) return false;
  ++path.back().taken;
  return true;
}

// False: there are more locations that threads share than were known at first.
bool explore_all(Limits limits, void (*judge)(), Explored& explored) {
  path.clear();
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
  } while (find_next_path());
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
  if (mode == Mode::kThreads) step();
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
    const uint64_t value = load(location, __ATOMIC_RELAXED);
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
  uint64_t value = load(first, order) >> (8 * (address - first.address));
  if (access.count == 2) value |= load(*access.shared[1], order) << 32;
  return value;
}

void store_atomically(volatile void* where, unsigned bytes, uint64_t value, int order,
                      const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  if (!is_explored(address, bytes, true, from)) return poke(address, bytes, value);
  const Access access(address, bytes, true);
  poke(address, bytes, value);
  for (unsigned i = 0; i < access.count; ++i) store(*access.shared[i], order);
}

uint64_t change_atomically(volatile void* where, unsigned bytes, const uint64_t* expected,
                           uint64_t (*next)(uint64_t found, uint64_t value), uint64_t value,
                           int order, int failing, const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  const Location* shared = nullptr;
  if (is_explored(address, bytes, true, from)) {
    const Access access(address, bytes, true);
    if (access.count != 0) shared = access.shared[0];
    // No such word is stored in parts.
    if (access.count > 1 || (shared != nullptr && shared->bytes != bytes)) std::abort();
  }
  uint64_t found = peek(address, bytes);
  if (expected != nullptr) {
    if (shared != nullptr) found = load(*shared, failing, expected);
    if (found != *expected) return found;
  }
  if (shared != nullptr && keeps_stores) see(*shared, stores_to(*shared).size() - 1, order);
  unlink(where, current);
  poke(address, bytes, next(found, value));
  if (shared != nullptr) store(*shared, order, true);
  return found;
}

// Like a change to the same value, which sees the last store.
uint64_t load_linked(volatile void* where, unsigned bytes, const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  const Location* shared = nullptr;
  if (is_explored(address, bytes, true, from)) {
    const Access access(address, bytes, true);
    if (access.count != 0) shared = access.shared[0];
  }
  if (shared != nullptr && keeps_stores)
    see(*shared, stores_to(*shared).size() - 1, __ATOMIC_RELAXED);
  fibers[current].linked = where;
  return peek(address, bytes);
}

bool store_conditional(volatile void* where, unsigned bytes, uint64_t value, const void* from) {
  const auto address = reinterpret_cast<uintptr_t>(where);
  const Location* shared = nullptr;
  if (is_explored(address, bytes, true, from)) {
    const Access access(address, bytes, true);
    if (access.count != 0) shared = access.shared[0];
  }
  const bool is_linked = fibers[current].linked == where;
  fibers[current].linked = nullptr;
  if (!is_linked) return false;
  unlink(where, current);
  poke(address, bytes, value);
  if (shared != nullptr) store(*shared, __ATOMIC_RELAXED, true);
  return true;
}

void fence(int order) {
  settle();
  if (mode != Mode::kThreads) return;
  Processor& mine = processor();
  if (acquires(order)) join(mine.now, mine.acquired);
  if (order == __ATOMIC_SEQ_CST) {
    step();
    join(mine.now, fenced);
    fenced = mine.now;
  }
  if (releases(order)) mine.published = keep(mine.now);
}

Explored explore(const std::vector<Thread>& all, void (*judge)(), Limits limits) {
  threads = &all;
  first_ticks = ticks;
  fibers_are_ready = false;
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
