// Locks: a hold is an async operation whose id is the lock's, so that it may end on another thread
// and in any order; a wait is an instant when it begins and a complete duration when it ends, so
// that a lost record leaves nothing open.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/event.h>
#include <barefxt/fxt/event.h>
#include <barefxt/lock.h>

namespace barefxt {
namespace {

template <fxt::EventType type>
[[gnu::always_inline]] inline void write_hold(uintptr_t lock, barefxt_text name) {
  if (name.bytes == nullptr) {
    write_event<Owner::kCurrent, Now::kFirst>(
        header_with_name<type, 0, 1>(BAREFXT_STRING("lock"), name), fxt::Word{lock});
  } else {
    barefxt_event(static_cast<barefxt_event_type>(type), nullptr, BAREFXT_TEXT("lock"), name, lock,
                  nullptr, 0);
  }
}

void write_wait(uintptr_t lock, barefxt_text name, uint64_t contended, bool failed) {
  const barefxt_argument arguments[] = {
      barefxt_arg_pointer(BAREFXT_TEXT("object"), reinterpret_cast<const void*>(lock)),
      barefxt_arg_bool(BAREFXT_TEXT("failed"), true),
  };
  barefxt_event(BAREFXT_EVENT_DURATION_COMPLETE, nullptr, BAREFXT_TEXT("lock"), name, contended,
                arguments, failed ? 2 : 1);
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

uint64_t barefxt_lock_contended(uintptr_t lock, barefxt_text name, const barefxt_thread* holder) {
  if (!BAREFXT_ENABLED(locks)) return 0;
  const uint64_t now = barefxt_ticks();
  const barefxt_argument arguments[] = {
      barefxt_arg_text(BAREFXT_TEXT("in"), name),
      barefxt_arg_pointer(BAREFXT_TEXT("object"), reinterpret_cast<const void*>(lock)),
      barefxt_arg_koid(BAREFXT_TEXT("holder"), holder == nullptr ? 0 : holder->koid),
  };
  barefxt_event(BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("lock"), BAREFXT_TEXT("blocks"), 0,
                arguments, holder == nullptr ? 2 : 3);
  return now;
}

void barefxt_lock_acquired(uintptr_t lock, barefxt_text name, uint64_t contended) {
  if (!BAREFXT_ENABLED(locks)) return;
  if (contended != 0) write_wait(lock, name, contended, false);
  write_hold<fxt::EventType::kAsyncBegin>(lock, name);
}

void barefxt_lock_given_up(uintptr_t lock, barefxt_text name, uint64_t contended) {
  if (contended != 0 && BAREFXT_ENABLED(locks)) write_wait(lock, name, contended, true);
}

void barefxt_lock_released(uintptr_t lock, barefxt_text name) {
  if (!BAREFXT_ENABLED(locks)) return;
  write_hold<fxt::EventType::kAsyncEnd>(lock, name);
}

}  // extern "C"

#endif
