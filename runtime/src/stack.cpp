// Marks of stacks.
//
// Invariants: a mark only goes down, by a swap, whoever moves it. `recorded_in` is 0 from a move on
// until the mark is recorded, so that a scan records what a category that was off has missed.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/argument_c.h>
#include <barefxt/atomic.h>
#include <barefxt/event.h>
#include <barefxt/intern.h>
#include <barefxt/kernel_hooks.h>
#include <barefxt/stack.h>

#include "thread_table.h"

namespace barefxt {
namespace {

static_assert(BAREFXT_INTERRUPT_STACK(0) == kCpuThreadKoid);

using PaintedWord [[gnu::may_alias]] = const volatile uint32_t;

constexpr uintptr_t kWord = sizeof(uint32_t);

// All registered stacks, and the next place to scan; null: in the first of them.
barefxt_stack* first_stack;
barefxt_stack* scanned_stack;
uintptr_t scanned_address;

void record_mark(barefxt_stack& stack, uintptr_t mark) {
  if (!BAREFXT_ENABLED(stacks)) return;
  BAREFXT_STORE_RELAXED_(stack.recorded_in, barefxt_session_number());
  const auto bytes = [](const barefxt_text& key, uintptr_t count) {
    return barefxt_arg_u32(key, static_cast<uint32_t>(count)).header;
  };
  fxt::Word words[4];
  words[0] = header_with_name<fxt::EventType::kCounter, 2, 3>(BAREFXT_STRING("stack"),
                                                              BAREFXT_TEXT("stack"));
  words[1] = bytes(BAREFXT_TEXT("left"), mark - stack.begin);
  words[2] = bytes(BAREFXT_TEXT("used"), stack.end - mark);
  words[3] = stack.koid;
  write_event_carefully(Owner::kCpu, Now::kFirst, words, 3);
}

void scan_from(barefxt_stack* stack) {
  scanned_stack = stack;
  if (stack != nullptr) scanned_address = (stack->begin + kWord - 1) & ~(kWord - 1);
}

// False: there are no words left.
bool scan_paint(barefxt_stack& stack, uint32_t& words) {
  const uintptr_t mark = BAREFXT_LOAD_RELAXED_(stack.mark);
  const uintptr_t begin = scanned_address;
  const uintptr_t all = begin < mark ? (mark - begin + kWord - 1) / kWord : 0;
  const uintptr_t end = begin + (all < words ? all : words) * kWord;
  uintptr_t at = begin;
  while (at != end && *reinterpret_cast<PaintedWord*>(at) == stack.paint) at += kWord;
  words -= static_cast<uint32_t>((at - begin) / kWord);
  scanned_address = at;
  if (at == end) return end >= mark;
  --words;
  barefxt_stack_lower(&stack, at);
  return true;
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_stack_register(barefxt_stack* stack, uint32_t koid, uintptr_t begin, size_t bytes,
                            uint32_t paint) {
  barefxt_stack_unregister(stack);
  stack->begin = begin;
  stack->end = begin + bytes;
  stack->koid = koid;
  stack->paint = paint;
  stack->recorded_in = 0;
  BAREFXT_STORE_RELAXED_(stack->mark, begin + bytes);
  stack->next = first_stack;
  first_stack = stack;
}

void barefxt_stack_unregister(barefxt_stack* stack) {
  for (barefxt_stack** at = &first_stack; *at != nullptr; at = &(*at)->next) {
    if (*at != stack) continue;
    *at = stack->next;
    if (scanned_stack == stack) scan_from(stack->next);
    BAREFXT_STORE_RELAXED_(stack->mark, uintptr_t{0});
    return;
  }
}

void barefxt_stack_lower(barefxt_stack* stack, uintptr_t sp) {
  const uintptr_t lowest = sp < stack->begin ? stack->begin : sp;
  // A swap fails if another has moved the mark.
  for (unsigned left = 64; left != 0; --left) {
    const uintptr_t mark = BAREFXT_LOAD_RELAXED_(stack->mark);
    if (lowest >= mark) return;
    if (!compare_exchange_relaxed(stack->mark, mark, lowest)) continue;
    BAREFXT_STORE_RELAXED_(stack->recorded_in, 0u);
    return record_mark(*stack, lowest);
  }
}

bool barefxt_stack_scan(uint32_t words) {
  if (!BAREFXT_ENABLED(stacks)) return true;
  if (scanned_stack == nullptr) scan_from(first_stack);
  while (scanned_stack != nullptr) {
    barefxt_stack& stack = *scanned_stack;
    if (stack.paint != 0 && !scan_paint(stack, words)) return false;
    const uintptr_t mark = BAREFXT_LOAD_RELAXED_(stack.mark);
    if (mark != stack.end && BAREFXT_LOAD_RELAXED_(stack.recorded_in) != barefxt_session_number())
      record_mark(stack, mark);
    scan_from(stack.next);
    if (words == 0) return scanned_stack == nullptr;
    --words;
  }
  return true;
}

}  // extern "C"

#endif
