#include "schedule.h"

#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ucontext.h>

namespace barefxt::test {
namespace {

constexpr unsigned kMaxSteps = 100000;
constexpr size_t kStackBytes = size_t{256} << 10;

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

const std::vector<Thread>* threads;
void (*end_of_body)();
Fiber fibers[kMaxThreads];
bool fibers_are_ready;
unsigned current;
jmp_buf main_at;

// The present execution.
unsigned preemptions_left;
unsigned steps;

std::vector<Choice> path;
size_t depth;

[[gnu::noinline]] void jump(jmp_buf& from, jmp_buf& to) {
  if (_setjmp(from) == 0) _longjmp(to, 1);
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
void go_on_with(unsigned next, jmp_buf& from) {
  current = next;
  for (unsigned i = 0; i < threads->size(); ++i)
    if (i != next && (*threads)[i].processor == (*threads)[next].processor)
      fibers[i].linked = nullptr;
  fibers[next].has_begun = true;
  jump(from, fibers[next].at);
}

void run_fiber(int number) {
  const auto me = static_cast<unsigned>(number);
  jump(fibers[me].at, main_at);
  while (true) {
    (*threads)[me].body();
    end_of_body();
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

}  // namespace

unsigned choose(unsigned options) {
  if (options < 2) return 0;
  if (depth == path.size()) path.push_back({options, 0});
  if (path[depth].options != options) {
    std::fputs("explorer: an execution differs from the same one before\n", stderr);
    std::abort();
  }
  return path[depth++].taken;
}

void forget_choices() { path.clear(); }

bool find_next_choices() {
  while (!path.empty() && path.back().taken + 1 == path.back().options) path.pop_back();
  if (path.empty()) return false;
  ++path.back().taken;
  return true;
}

void take_threads(const std::vector<Thread>& all, void (*at_end)()) {
  threads = &all;
  end_of_body = at_end;
  fibers_are_ready = false;
}

bool run_threads(unsigned preemptions) {
  preemptions_left = preemptions;
  steps = 0;
  depth = 0;
  if (!fibers_are_ready)
    for (unsigned i = 0; i < threads->size(); ++i) make_fiber(fibers[i], static_cast<int>(i));
  fibers_are_ready = true;
  for (Fiber& fiber : fibers) {
    fiber.linked = nullptr;
    fiber.has_begun = false;
    fiber.is_done = false;
  }
  unsigned first[kMaxThreads];
  unsigned count = 0;
  for (unsigned i = 0; i < threads->size(); ++i)
    if ((*threads)[i].interrupts < 0) first[count++] = i;
  go_on_with(first[choose(count)], main_at);
  return fibers_are_ready;
}

void abandon() {
  fibers_are_ready = false;
  _longjmp(main_at, 1);
}

bool step() {
  if (++steps > kMaxSteps) return false;
  if (preemptions_left == 0) return true;
  unsigned others[kMaxThreads];
  const unsigned taken = choose(1 + list_others(others));
  if (taken == 0) return true;
  --preemptions_left;
  const unsigned me = current;
  go_on_with(others[taken - 1], fibers[me].at);
  return true;
}

unsigned current_thread() { return current; }
unsigned current_processor() { return (*threads)[current].processor; }

void link(const volatile void* word) { fibers[current].linked = word; }

bool unlink(const volatile void* word) {
  const bool is_linked = fibers[current].linked == word;
  fibers[current].linked = nullptr;
  return is_linked;
}

void unlink_others(const volatile void* word) {
  for (unsigned i = 0; i < kMaxThreads; ++i)
    if (i != current && fibers[i].linked == word) fibers[i].linked = nullptr;
}

}  // namespace barefxt::test
