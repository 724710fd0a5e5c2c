// Koids of the tracer's making.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/atomic.h>
#include <barefxt/barefxt.h>
#include <barefxt/kernel_hooks.h>

namespace barefxt {
namespace {

constexpr uint32_t kFirstKoid = 0x10000;
constexpr uint32_t kKoidsEnd = 0x7d000000;
Atomic<uint32_t> next_koid;

}  // namespace
}  // namespace barefxt

extern "C" uint32_t barefxt_koid_new(void) {
  using namespace barefxt;
  return kFirstKoid + next_koid.fetch_add_relaxed(1) % (kKoidsEnd - kFirstKoid);
}

#endif
