// Start and stop of recording in a ring that is one run of memory, see linear.h.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/event.h>
#include <barefxt/kernel_hooks.h>

#include "cut_text.h"
#include "linear.h"
#include "string_table.h"

#if BAREFXT_LINEAR

namespace barefxt {

namespace linear {

barefxt_config config;

uint64_t stop_ticks(const Ring& ring) {
  const uint32_t low = ring.stop_ticks_low.load_acquire();
  return low == 0 ? clock_now() : uint64_t{ring.stop_ticks_high} << 32 | low;
}

}  // namespace linear

namespace {

using linear::Place;

// Part by part: a copy of the whole would be a call of memcpy. On m68k no type is aligned to more
// than two bytes.
void copy_parts(const barefxt_config& from, barefxt_config& to) {
  using Part [[gnu::may_alias]] = uint16_t;
  for (size_t i = 0; i < sizeof from / sizeof(Part); ++i)
    reinterpret_cast<Part*>(&to)[i] = reinterpret_cast<const Part*>(&from)[i];
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

uint32_t barefxt_enabled_categories;
const barefxt_thread barefxt_this_cpu = {0, 0, 0, 0};

barefxt_error barefxt_start(const barefxt_config* config) {
  Ring& ring = linear::the_ring();
  if (config->mode != BAREFXT_MODE_ONE_SHOT || ring.memory != nullptr)
    return BAREFXT_ERROR_LEFT_OUT;
  if (config->cpus != 1) return BAREFXT_ERROR_CPU_COUNT;
  if (lacks_build_id(*config)) return BAREFXT_ERROR_NO_BUILD_ID;
  if (reinterpret_cast<uintptr_t>(config->memory) % fxt::kWordBytes != 0)
    return BAREFXT_ERROR_MISALIGNED;
  // The largest record has room then.
  size_t bytes = config->bytes;
  if (bytes < kSegmentBytes) return BAREFXT_ERROR_MEMORY_TOO_SMALL;
  if (barefxt_port_counter_frequency() == 0) return BAREFXT_ERROR_COUNTER_RATE;
  if (!counter_ticks()) return BAREFXT_ERROR_COUNTER_STOPPED;
  if (bytes > Place::kMaxBytes) bytes = Place::kMaxBytes;

  copy_parts(*config, linear::config);
  auto* memory = static_cast<uint8_t*>(config->memory);
  ring.memory = memory;
  ring.memory_bytes = static_cast<uint32_t>(bytes);
  do *memory++ = 0;
  while (--bytes != 0);
  ring.cpu_thread.reference = linear::kCpuThreadReference;
  ring.set_current(ring.cpu_thread);
  ring.start_ticks = clock_now();
  ring.position.store_release(Place::kFirst);
  store_release(barefxt_enabled_categories, config->categories);
  return BAREFXT_OK;
}

barefxt_stop_report barefxt_stop(void) {
  Ring& ring = linear::the_ring();
  // Closed in the very word that reservations swap: none succeeds from here on.
  const PositionWord last = ring.position.fetch_or(Place::kStopped);
  // Behind that: a context that enables some then looks if it was in time.
  BAREFXT_STORE_RELAXED_(barefxt_enabled_categories, 0);
  if (!Place::is_stopped(last)) {
    const uint64_t now = clock_now();
    // In this order: one that dumps in between is not to take a half for the whole.
    ring.stop_ticks_high = static_cast<uint32_t>(now >> 32);
    ring.stop_ticks_low.store_release(static_cast<uint32_t>(now));
  }
  // Member by member: to clear the whole first would be a call of memset.
  barefxt_stop_report report;
  const uint32_t finished = ring.finished.load_relaxed();
  report.unfinished_records = Place::reserved(last) - finished;
  report.recorded_records = finished;
  report.lost_records = ring.records_lost.value();
  report.overwritten_records = 0;
  report.cut_texts = texts_cut.load_relaxed();
  return report;
}

void barefxt_close(void) { barefxt_stop(); }

void barefxt_clean_for_reader(void) {
  barefxt_port_clean_cache(rings, sizeof rings);
  barefxt_port_clean_cache(rings[0].memory, rings[0].memory_bytes);
}

void barefxt_crash(void) {
  barefxt_stop();
  barefxt_clean_for_reader();
}

bool barefxt_running(void) { return !Place::is_stopped(rings[0].position.load_acquire()); }

uint32_t barefxt_unfinished(void) {
  // In this order: what is reserved in between is not finished before it is.
  const uint32_t finished = rings[0].finished.load_acquire();
  return Place::reserved(rings[0].position.load_acquire()) - finished;
}

uint32_t barefxt_wait_unfinished(uint64_t ticks) {
  const uint64_t begin = clock_now();
  while (barefxt_unfinished() != 0 && clock_now() - begin < ticks) continue;
  return barefxt_unfinished();
}

uint32_t barefxt_session_number(void) { return rings[0].memory != nullptr ? 1 : 0; }

void barefxt_set_categories(uint32_t categories) {
  Ring& ring = rings[0];
  if (!barefxt_running()) return;
  // The thread that runs while switches are off is not known before the next one. Its memory may be
  // another's by then.
  if (ring.hides_threads.load_relaxed() != 0 || (categories & BAREFXT_CATEGORY_BIT(sched)) == 0)
    ring.set_current(ring.cpu_thread);
  store_release(barefxt_enabled_categories, categories);
  // A stop may have come in between: then nothing is enabled.
  if (!barefxt_running()) store_release(barefxt_enabled_categories, uint32_t{0});
  // Without switches the running thread is unknown: better no thread than the wrong one. This
  // follows the categories enabled now, and once more if they change meanwhile: a context that
  // interrupts this call may set others.
  uint32_t enabled = 0;
  do {
    enabled = load_acquire(barefxt_enabled_categories);
    const bool hides = (enabled & BAREFXT_CATEGORY_BIT(sched)) == 0;
    ring.hides_threads.store_relaxed(hides ? linear::kCpuThreadReference : 0);
  } while (load_acquire(barefxt_enabled_categories) != enabled);
}

}  // extern "C"

#endif

#endif
