#include <barefxt/host/formatted.h>
#include <barefxt/host/safe_text.h>
#include <barefxt/host/start_refusal.h>
#include <barefxt/types.h>

namespace barefxt::host {

std::string describe(const StartRefusal& refusal) {
  const std::string name =
      refusal.name.empty() ? formatted("error {}", refusal.error) : safe_text(refusal.name);
  return "barefxt_start returned " + name;
}

std::string hint_for(uint8_t error) {
  switch (error) {
    case BAREFXT_ERROR_MEMORY_TOO_SMALL:
      return "give each CPU at least two segments of memory, three in circular and streaming mode, "
             "four for snapshots";
    case BAREFXT_ERROR_MISALIGNED:
      return "align the memory to 8 bytes";
    case BAREFXT_ERROR_CPU_COUNT:
      return "let `cpus` be 1 to BAREFXT_MAX_CPUS";
    case BAREFXT_ERROR_RUNNING:
      return "stop recording first; for other memory wait until barefxt_unfinished is 0";
    case BAREFXT_ERROR_COUNTER_STOPPED:
      return "start the port's counter ahead of barefxt_start: turn its clock on; DWT's needs "
             "TRCENA "
             "and CYCCNTENA, and on a Cortex-M7 its lock opened (0xc5acce55)";
    case BAREFXT_ERROR_COUNTER_RATE:
      return "let barefxt_port_counter_frequency return the counter's ticks per second";
    case BAREFXT_ERROR_COUNTER_JUMPS:
      return "let BAREFXT_PORT_COUNTER_BITS be the counter's bits, and let nothing reset it";
    case BAREFXT_ERROR_COUNTERS_APART:
      return "set the CPUs' counters alike (CNTVOFF, TSC), or take bit 2 out of "
             "BAREFXT_PORT_COUNTER_FLAGS and call barefxt_clock_sync";
    case BAREFXT_ERROR_HOLDS_OLD_TRACE:
      return "dump the trace of the boot before, call barefxt_recovered_release, then start";
    case BAREFXT_ERROR_LEFT_OUT:
      return "build the runtime with this mode, and with enough BAREFXT_RESEND_SEGMENTS";
    case BAREFXT_ERROR_MMU_OFF:
      return "turn MMU and data cache on ahead of barefxt_start, on each CPU; in an emulator, or "
             "on a "
             "chip whose exclusive stores work without, add BAREFXT_CHECK_MEMORY to "
             "`skipped_checks`";
    case BAREFXT_ERROR_STORES_FAIL:
      return "turn MMU and caches on ahead of barefxt_start, and give it normal cacheable memory";
    case BAREFXT_ERROR_STORES_OVERLAP:
      return "this CPU has no working exclusive monitor: is the port that of the CPU?";
    case BAREFXT_ERROR_STORES_NOT_SHARED:
      return "let the memory of the runtime and the rings be shareable: by the MMU or MPU (on "
             "ARMv8-M define BAREFXT_ARMV7M_SHAREABLE then), or set ACTLR.EXTEXCLALL on each core; "
             "else an image for each CPU";
    case BAREFXT_ERROR_CPU_NUMBER:
      return "let barefxt_port_cpu number the CPUs from 0 without a gap: on Arm by the right "
             "affinity "
             "level of MPIDR";
    case BAREFXT_ERROR_CPU_NUMBER_TWICE:
      return "two CPUs have one number: let barefxt_port_cpu return another on each, on Arm by the "
             "right affinity level of MPIDR (Aff1 on Cortex-A55 and later)";
    case BAREFXT_ERROR_RING_ADDRESS:
      return "store barefxt_ring of each CPU's number where the port's option reads it (such as "
             "BAREFXT_X86_64_RING_OFFSET), before that CPU records";
    case BAREFXT_ERROR_NO_BUILD_ID:
      return "link with --build-id=sha1, and give barefxt_start the note's 20 bytes as `build_id`: "
             "the host finds the strings by it";
    case BAREFXT_ERROR_CLOCK_UNANSWERED:
      return "let all CPUs call barefxt_check_cpus at about the same time, each with a number of "
             "its "
             "own";
    default:
      return "see the errors in barefxt/types.h";
  }
}

}  // namespace barefxt::host
