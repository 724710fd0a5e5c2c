// Functions that images lack if their ring is one run of memory (linear.h): they return an error or
// nothing.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>

#if BAREFXT_LINEAR

extern "C" {

// Recording begins once: no start has to ask for the memory.
barefxt_error barefxt_forget_unfinished(void) { return BAREFXT_ERROR_LEFT_OUT; }
barefxt_error barefxt_rewind(void) { return BAREFXT_ERROR_LEFT_OUT; }

barefxt_error barefxt_snapshot(void) { return BAREFXT_ERROR_LEFT_OUT; }
void barefxt_snapshot_release(void) {}

barefxt_error barefxt_dump_fxt(const barefxt_writer*) { return BAREFXT_ERROR_LEFT_OUT; }

// There is no streaming, and so nothing to send.
size_t barefxt_drain(uint8_t*, size_t, barefxt_dump_form) { return 0; }
bool barefxt_drain_is_over(void) { return true; }

// There is one CPU, whose ring needs no register.
void* barefxt_ring(uint32_t) { return nullptr; }
barefxt_error barefxt_check_cpus(uint16_t, uint64_t) { return BAREFXT_OK; }
// One CPU's counter differs from no other's.
barefxt_error barefxt_clock_sync(uint16_t, uint64_t) { return BAREFXT_OK; }
// No record names its clock.
barefxt_error barefxt_clock_changed(uint64_t, uint64_t) { return BAREFXT_ERROR_LEFT_OUT; }

}  // extern "C"

#endif

#endif
