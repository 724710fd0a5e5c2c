#include "stepping.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "register_only.h"

namespace barefxt::test {

#if defined(__x86_64__)

namespace {

constexpr greg_t kTrapFlag = 0x100;

uint32_t reached = 0;
bool (*before_each)(uint32_t k) = nullptr;
uintptr_t program_counter = 0;

void trap(int, siginfo_t*, void* context) {
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  greg_t& flags = registers[REG_EFL];
  program_counter = static_cast<uintptr_t>(registers[REG_RIP]);
  // The flag is not set in here, and set again on the way back.
  if (!before_each(++reached)) flags &= ~kTrapFlag;
}

}  // namespace

// Behind the red zone, which the compiler may be using.
[[gnu::always_inline]] inline void set_trap() {
  asm volatile(
      "lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
      :
      :
      : "memory", "cc");
}
[[gnu::always_inline]] inline void clear_trap() {
  asm volatile(
      "lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
      :
      :
      : "memory", "cc");
}

uint32_t step(void (*code)(), bool (*between)(uint32_t k)) {
  reached = 0;
  before_each = between;
  struct sigaction action = {};
  action.sa_sigaction = &trap;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, nullptr);
  set_trap();
  code();
  clear_trap();
  return reached;
}

// The flag outlives the return.
void step_no_further() { clear_trap(); }
void step_from_here() { set_trap(); }

#else

uintptr_t program_counter = 0;

uint32_t step(void (*code)(), bool (*)(uint32_t)) {
  code();
  return 0;
}
void step_no_further() {}
void step_from_here() {}

#endif

namespace {

void (*interrupt_with)() = nullptr;
bool (*is_due_now)() = nullptr;
Interrupted interrupted;

// Unless tests run at length, copies are left out that would find what others find. An interrupt
// before an instruction that touches no memory finds what the one before the next instruction
// finds. And a loop over a table is left in the same state whichever of its later entries it has
// reached, so an instruction is interrupted the first times only. They are counted in a table of
// our own: the code that is stepped through may hold the lock of malloc.
constexpr uint32_t kMaxTimes = 16;
struct Place {
  uintptr_t program_counter;
  uint32_t times;
};
std::array<Place, 1 << 14> places;

bool is_left_out() {
  static const bool is_full = std::getenv("BAREFXT_FULL") != nullptr;
  if (is_full) return false;
  if (is_register_only(reinterpret_cast<const uint8_t*>(program_counter))) return true;
  size_t at = program_counter % places.size();
  while (places[at].times != 0 && places[at].program_counter != program_counter)
    at = (at + 1) % places.size();
  places[at].program_counter = program_counter;
  return ++places[at].times > kMaxTimes;
}

bool interrupt_a_copy(uint32_t k) {
  if (is_due_now != nullptr && !is_due_now()) return true;
  if (is_left_out()) return true;
  const pid_t copy = fork();
  interrupted.is_copy = copy == 0;
  if (interrupted.is_copy) {
    interrupt_with();
    return false;
  }
  int status = -1;
  waitpid(copy, &status, 0);
  if (status != 0) interrupted.failed_at = k;
  return status == 0;
}

}  // namespace

Interrupted interrupt_copies(void (*code)(), void (*interrupt)(), bool (*is_due)()) {
  interrupted = {};
  places = {};
  is_due_now = is_due;
  interrupt_with = interrupt;
  interrupted.instructions = step(code, &interrupt_a_copy);
  return interrupted;
}

}  // namespace barefxt::test
