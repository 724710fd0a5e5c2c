#!/usr/bin/env bash
# On a machine whose exclusive stores never succeed (MMU off, memory of a wrong type) the start returns an
# error, and nothing hangs. The test runs the runtime's assembler in QEMU, with each exclusive store replaced
# by a failure. With the stores as they are the same image records. x86-64 and m68k have a compare-and-swap
# that cannot fail without a reason; compilers make loops of it, which need no bound. So there only the start
# has to report it.
#
# On A-profile CPUs whose MMU or data cache is off the start asks for that first, since such stores may fault there; without
# the check it records, as QEMU's stores succeed.
#
# If every second store fails, or one in two at random, all goes on: in each mode every record is there or
# counted. There the runtime's swaps ask the test (BAREFXT_TEST_STORES).
set -euo pipefail
source=$1 work=$2 target=$4
mkdir -p "$work"

c=arm-none-eabi-gcc cpus=2 port=$target starts_only=0
case $target in
aarch64)
  c=aarch64-linux-gnu-gcc flags=(-mgeneral-regs-only -mstrict-align -mno-outline-atomics)
  failing='s/^\tst[l]?xr[bh]?\t(w[0-9]+), .*/\tmov\t\1, #1/'
  ;;
armv7a)
  flags=(-marm -march=armv7ve -mfloat-abi=soft -mgeneral-regs-only -mword-relocations -mno-unaligned-access)
  failing='s/^\tst(r|l)ex[bhd]?(eq|ne)?[[:space:]]+([a-z0-9]+), .*/\tmov\2\t\3, #1/'
  ;;
cortex-m3)
  cpus=1 port=armv7m flags=(-mthumb -mcpu=cortex-m3 -mfloat-abi=soft -mno-unaligned-access
    -DBAREFXT_ARMV7M_COUNTER=0x40000004 -DBAREFXT_ARMV7M_COUNTS_DOWN=1 -DBAREFXT_ARMV7M_FREQUENCY=25000000)
  failing='s/^\tst(r|l)ex[bhd]?(eq|ne)?[[:space:]]+([a-z0-9]+), .*/\tmov\2\t\3, #1/'
  ;;
rv64 | rv32)
  c=riscv64-unknown-elf-gcc port=riscv
  flags=(-march="${target}imac_zicsr" -mabi=lp64 -mcmodel=medany -mstrict-align
    -DBAREFXT_RISCV_FREQUENCY=10000000)
  [[ $target == rv64 ]] || flags+=(-mabi=ilp32)
  failing='s/^(.*[^a-z])?sc\.[wd](\.[a-z]+)?[[:space:]]+([a-z0-9]+), ?.*/\tli\t\3, 1/'
  ;;
x86_64)
  c=x86_64-linux-gnu-gcc starts_only=1
  flags=(-mgeneral-regs-only -mno-red-zone -fno-asynchronous-unwind-tables -mpreferred-stack-boundary=3)
  # Clears the flag that is set by a successful store.
  failing='s/^\t(lock )?cmpxchg[bwlq]?[[:space:]].*/\ttest\t%rsp, %rsp/'
  ;;
m68k)
  c=m68k-linux-gnu-gcc starts_only=1 cpus=1 flags=(-mcpu=68040 -msoft-float)
  failing='s/^\tcas\.[bwl][[:space:]].*/\ttst.l %sp/'
  ;;
esac
cxx=${c%gcc}g++
image=$source/host-tests/project/image/$port

cat >"$work/kernel.c" <<'END'
#include <barefxt/barefxt.h>

#include "machine.h"

void* memset(void* to, int value, size_t count) {
  volatile uint8_t* bytes = to;
  for (size_t i = 0; i < count; ++i) bytes[i] = (uint8_t)value;
  return to;
}
void* memcpy(void* to, const void* from, size_t count) {
  volatile uint8_t* bytes = to;
  for (size_t i = 0; i < count; ++i) bytes[i] = ((const uint8_t*)from)[i];
  return to;
}
void* memmove(void* to, const void* from, size_t count) { return memcpy(to, from, count); }
static void say(const char* text) {
  while (*text) machine_put((uint8_t)*text++);
}
BAREFXT_CATEGORY(boot, 0);

static uint64_t rings[2048] __attribute__((aligned(8)));
static barefxt_thread idle;

#if FAILS
bool barefxt_store_fails(const volatile void* word) {
  static uint32_t number;
  (void)word;
  number = FAILS == 1 ? number + 1 : number * 1664525 + 1013904223;
  return (FAILS == 1 ? number & 1 : number >> 31) != 0;
}

/* More than the rings hold. */
static bool accounts_for_all(barefxt_mode mode) {
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .mode = mode, .categories = ~0u};
  if (barefxt_start(&config) != BAREFXT_OK) return false;
  for (uint32_t i = 0; i < 1000; ++i) {
    BAREFXT_INSTANT(boot, "step", BAREFXT_ARG_U32("n", i));
    barefxt_context_switch(&idle, BAREFXT_STATE_BLOCKED, &idle);
    static uint8_t buffer[BAREFXT_DRAIN_BYTES];
    if (mode == BAREFXT_MODE_STREAMING && i < 500) barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY);
  }
  const barefxt_stop_report report = barefxt_stop();
  /* Several segments: the opening of one succeeds as well. */
  return report.recorded_records + report.overwritten_records > 600 && report.unfinished_records == 0 &&
         report.recorded_records + report.lost_records + report.overwritten_records == 2000;
}
#endif

int main(void) {
  machine_prepare();
#if STARTS_ONLY
  const barefxt_config first = {.memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u};
  if (barefxt_start(&first) == BAREFXT_ERROR_STORES_FAIL) {
    say("stores fail\n");
    return 0;
  }
  barefxt_close();
#endif
  barefxt_process_register(1, "kernel");
  barefxt_thread_register(&idle, 0, 2, "idle/0", 0);
  barefxt_thread_set_priority(&idle, 1);
  barefxt_clock_tick();
#if FAILS
  for (int mode = BAREFXT_MODE_ONE_SHOT; mode <= BAREFXT_MODE_STREAMING; ++mode)
    say(accounts_for_all((barefxt_mode)mode) ? "all there, " : "not all there, ");
#endif
  barefxt_stop();
  barefxt_config config = {.memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u};
  const barefxt_error error = barefxt_start(&config);
  say(error == BAREFXT_OK                  ? "started"
      : error == BAREFXT_ERROR_STORES_FAIL ? "stores fail"
      : error == BAREFXT_ERROR_MMU_OFF     ? "caches off"
                                           : "another error");
  /* The application goes on without the check. */
  config.skipped_checks = error == BAREFXT_ERROR_MMU_OFF ? BAREFXT_CHECK_MEMORY : BAREFXT_CHECK_STORES;
  if (error != BAREFXT_OK) barefxt_start(&config);
  for (int i = 0; i < 10; ++i) BAREFXT_INSTANT(boot, "step", BAREFXT_ARG_U32("n", 1));
  barefxt_context_switch(&idle, BAREFXT_STATE_BLOCKED, &idle);
  say(barefxt_stop().recorded_records == 11 ? ", recorded" : ", not recorded");
  barefxt_rewind();
  barefxt_set_categories(1);
  barefxt_snapshot();
  barefxt_snapshot_release();
  barefxt_crash();
  say(", done\n");
  return 0;
}
END

for file in "$source"/runtime/src/*.cpp "$source/port/arch/$port"/*.cpp; do
  [[ ! -e $file ]] || printf '#include "%s"\n' "$file"
done >"$work/runtime.cpp"
options=(-O2 -ffreestanding -fno-pic "${flags[@]}" -I"$source/runtime/include" -I"$source/runtime/src"
  -I"$source/port/arch/$port" -I"$image" -DBAREFXT_MAX_CPUS="$cpus" -DSTARTS_ONLY="$starts_only")

result=0 machine=()
check() { # WHAT EXPECTED OBJECT...
  local what=$1 expected=$2 printed
  shift 2
  $c "${flags[@]}" -nostdlib -static -no-pie -Wl,--build-id=none -Wl,--gc-sections -L "$source/linker" -T "$image/image.ld" "$@" \
    -lgcc -o "$work/image.elf"
  : >"$work/serial"
  timeout 60 "$source/host-tests/project/image/run.sh" "$source" "$target" "$work/image.elf" "$work/serial" "${machine[@]}" \
    </dev/null || true
  printed=$(tr -d '\0\r' <"$work/serial")
  if [[ $printed != "$expected" ]]; then
    echo "$what: '$printed', not '$expected'" >&2
    result=1
  fi
}

$c "${options[@]}" -c "$image/start.S" -o "$work/start.o"
$c "${options[@]}" -c "$work/kernel.c" -o "$work/kernel.o"
$cxx "${options[@]}" -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++ -ffunction-sections -fdata-sections \
  -S "$work/runtime.cpp" -o "$work/runtime.s"
sed -E "$failing" "$work/runtime.s" >"$work/failing.s"
if cmp -s "$work/runtime.s" "$work/failing.s"; then
  echo "no exclusive stores in what $c makes" >&2
  exit 1
fi
$c "${options[@]}" -c "$work/runtime.s" -o "$work/runtime.o"
$c "${options[@]}" -c "$work/failing.s" -o "$work/failing.o"
if ((starts_only)); then
  check "$c" "started, recorded, done" "$work"/{start,kernel,runtime}.o
  check "$c, exclusive stores fail" "stores fail" "$work"/{start,kernel,failing}.o
else
  check "$c" "started, recorded, done" "$work"/{start,kernel,runtime}.o
  check "$c, exclusive stores fail" "stores fail, not recorded, done" "$work"/{start,kernel,failing}.o
fi
$cxx "${options[@]}" -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++ -ffunction-sections -fdata-sections \
  -DBAREFXT_TEST_STORES=1 -c "$work/runtime.cpp" -o "$work/asking.o"
for fails in 1 2; do
  $c "${options[@]}" -DFAILS="$fails" -c "$work/kernel.c" -o "$work/kernel-$fails.o"
  check "$c, exclusive stores fail $([[ $fails == 1 ]] && echo alternately || echo at random)" \
    "all there, all there, all there, started, recorded, done" "$work/start.o" "$work/kernel-$fails.o" "$work/asking.o"
done

# The MMU; the data cache. And both of them on for EL1, while the image runs above that.
if [[ $target == aarch64 || $target == armv7a ]]; then
  for off in 1 4; do
    $c "${options[@]}" -DLEFT_OFF="$off" -c "$image/start.S" -o "$work/start-$off.o"
    check "$c, without bit $off of SCTLR" "caches off, recorded, done" "$work/start-$off.o" "$work"/{kernel,runtime}.o
  done
fi
if [[ $target == aarch64 ]]; then
  for above in virtualization secure; do
    machine=(-M "virt,$above=on")
    check "$c, at a level above EL1 ($above)" "caches off, recorded, done" "$work"/{start,kernel,runtime}.o
  done
fi
exit "$result"
