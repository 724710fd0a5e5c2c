#!/usr/bin/env bash
# On a machine whose exclusive stores never succeed (MMU off, memory of a wrong type) the start says so, and
# nothing hangs: the runtime's assembler, with each exclusive store replaced by a failure, in QEMU. With the
# stores as they are the same image records.
set -euo pipefail
source=$1 work=$2
image=$source/host-tests/project/image/aarch64
mkdir -p "$work"

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
static void say(const char* text) {
  while (*text) machine_put((uint8_t)*text++);
}
BAREFXT_CATEGORY(boot, 0);

int main(void) {
  static uint64_t rings[2048];
  static barefxt_thread idle;
  machine_prepare();
  barefxt_process_register(1, "kernel");
  barefxt_thread_register(&idle, 0, 2, "idle/0", 0);
  barefxt_thread_set_priority(&idle, 1);
  barefxt_clock_tick();
  barefxt_stop();
  barefxt_config config = {.memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u};
  const barefxt_error error = barefxt_start(&config);
  say(error == BAREFXT_OK ? "started" : error == BAREFXT_ERROR_STORES_FAIL ? "stores fail" : "another error");
  /* As told to go on all the same. */
  config.skipped_checks = BAREFXT_CHECK_STORES;
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

for file in "$source"/runtime/src/*.cpp; do
  printf '#include "%s"\n' "$file"
done >"$work/runtime.cpp"
options=(-O2 -ffreestanding -fno-pic -mgeneral-regs-only -mstrict-align -I"$source/runtime/include" -I"$source/runtime/src"
  -I"$source/port/arch/aarch64" -I"$image" -DBAREFXT_MAX_CPUS=2)

result=0
check() { # WHAT EXPECTED OBJECT...
  local what=$1 expected=$2 told
  shift 2
  aarch64-linux-gnu-ld --gc-sections -L "$source/linker" -T "$image/image.ld" "$@" -o "$work/image.elf"
  told=$(timeout 60 qemu-system-aarch64 -M virt -cpu cortex-a57 -m 128 -nographic -semihosting-config enable=on,target=native \
    -kernel "$work/image.elf" </dev/null) || true
  if [[ $told != "$expected" ]]; then
    echo "$what: '$told', not '$expected'" >&2
    result=1
  fi
}

compile() { # COMPILER-OF-C COMPILER-OF-C++...
  local c=$1
  shift
  $c "${options[@]}" -c "$image/start.S" -o "$work/start.o"
  $c "${options[@]}" -c "$work/kernel.c" -o "$work/kernel.o"
  "$@" "${options[@]}" -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++ -ffunction-sections -fdata-sections \
    -S "$work/runtime.cpp" -o "$work/runtime.s"
  sed -E 's/^\tst[l]?xr[bh]?\t(w[0-9]+), .*/\tmov\t\1, #1/' "$work/runtime.s" >"$work/failing.s"
  if cmp -s "$work/runtime.s" "$work/failing.s"; then
    echo "no exclusive stores in what $c makes" >&2
    exit 1
  fi
  $c "${options[@]}" -c "$work/runtime.s" -o "$work/runtime.o"
  $c "${options[@]}" -c "$work/failing.s" -o "$work/failing.o"
  check "$c" "started, recorded, done" "$work"/{start,kernel,runtime}.o
  check "$c, exclusive stores fail" "stores fail, not recorded, done" "$work"/{start,kernel,failing}.o
}

compile aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ -mno-outline-atomics
exit "$result"
