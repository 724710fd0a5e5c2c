#!/usr/bin/env bash
# A capture that comes over ITM, mixed with a console's text and other packets, gives the same archive as over a line of
# its own: with and without the TPIU's formatter, by rebuild and by capture. Overflows are counted.
set -euo pipefail
source=$1 work=$2 build=$3
rm -rf "$work"
mkdir -p "$work"
fail() {
  echo "FAILED: $*"
  exit 1
}
raw=$source/host-tests/goldens/captures/freertos-example.raw
gcc -std=c11 -O1 -Wall -Wextra -Werror -I"$source/port/transport/itm" "$source/host-tests/project/itm/send.c" -o "$work/send"
arm-none-eabi-gcc -std=c11 -mthumb -mcpu=cortex-m3 -Wall -Wextra -Werror -fsyntax-only -x c "$source/port/transport/itm/barefxt_itm.h" \
  -Wno-unused-function
"$build/barefxt" rebuild "$raw" -o "$work/expected.fxt" 2>"$work/expected.log"
for form in plain tpiu; do
  "$work/send" "$form" <"$raw" >"$work/$form.swo"
  "$build/barefxt" rebuild --itm "$form" "$work/$form.swo" -o "$work/$form.fxt" 2>"$work/$form.log" || fail "$form: rebuild has status $?"
  cmp "$work/expected.fxt" "$work/$form.fxt" || fail "$form: another archive"
  grep -q ': 1 overflow packet: ' "$work/$form.log" || fail "$form: the overflow is not counted"
  "$build/barefxt" capture --itm "$form" - -o "$work/$form-live.fxt" <"$work/$form.swo" 2>"$work/$form-live.log" ||
    fail "$form: capture has status $?"
  cmp "$work/expected.fxt" "$work/$form-live.fxt" || fail "$form: another archive from capture"
done
# From the middle of a packet on: packets are found again at the next synchronization, and tables come twice.
tail -c +7 "$work/plain.swo" >"$work/cut.swo"
status=0
"$build/barefxt" rebuild --itm plain "$work/cut.swo" -o "$work/cut.fxt" 2>"$work/cut.log" || status=$?
((status == 0 || status == 3)) || fail "bytes are lost, and nothing is found: status $status"
grep -q ' records in ' "$work/cut.log" || fail "bytes are lost, and no record is found"
status=0
"$work/send" plain off <"$raw" >"$work/off.swo" || status=$?
((status == 1)) || fail "an ITM that is off takes bytes"
