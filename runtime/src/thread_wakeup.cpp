// Wakeups of threads, "Thread wakeup" (record type 8, subtype 2).

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

namespace barefxt {
namespace {

constexpr uint32_t kWakeupBytes = fxt::ThreadWakeup::kFixedWords * fxt::kWordBytes;

void commit_wakeup(Reservation& reservation, const barefxt_thread& thread) {
  reservation.words[1] = reservation.ticks;
  reservation.words[2] = BAREFXT_LOAD_PAIRED_(thread.koid);
  reservation.commit(fxt::ThreadWakeup::make(fxt::ThreadWakeup::kFixedWords, 0, 0) +
                     (fxt::Word{reservation.ring->cpu} << fxt::ThreadWakeup::Cpu::kFirst));
}

BAREFXT_SLOW_PATH_ void write_wakeup_slowly(const barefxt_thread& thread) {
  Reservation reservation;
  if (reserve_slowly(Owner::kNobody, kWakeupBytes, reservation)) commit_wakeup(reservation, thread);
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" void barefxt_thread_wakeup(const barefxt_thread* thread) {
  if (!BAREFXT_ENABLED(sched)) return;
  Reservation reservation;
  if (!kFastPaths || !try_reserve<Owner::kNobody, kWakeupBytes>(reservation))
    return write_wakeup_slowly(*thread);
  commit_wakeup(reservation, *thread);
}

#endif
