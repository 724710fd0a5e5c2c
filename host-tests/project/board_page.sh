#!/usr/bin/env bash
# The UART recipes of port/README.md compile: the writers, with each row of the table of UARTs.
set -euo pipefail
source=$1 work=$2
page=$source/port/README.md
rm -rf "$work"
mkdir -p "$work"

awk '/^```c$/ { shown = 1; next } /^```$/ { shown = 0 } shown' "$page" >"$work/writers.c"
# UART | `has room` | `put` |
# shellcheck disable=SC2016  # backticks are the page's
sed -n 's/^| \([^|`]*\) | `\([^`]*(uart\[[^`]*\)` | `\([^`]*(byte)[^`]*\)` |$/\1|\2|\3/p' "$page" >"$work/rows"
rows=0
while IFS='|' read -r name room put; do
  rows=$((rows + 1))
  {
    printf '#include <stddef.h>\n#include <stdint.h>\n#define UART_HAS_ROOM(uart) %s\n#define UART_PUT(uart, byte) %s\n' "$room" "$put"
    cat "$work/writers.c"
    printf 'void (*const used[])(void*, const uint8_t*, size_t) = {uart_write, uarte_write};\n'
  } >"$work/uart.c"
  arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -std=c11 -Wall -Wextra -Werror -c "$work/uart.c" -o "$work/uart.o" || {
    echo "FAILED: the recipe for $name does not compile"
    exit 1
  }
done <"$work/rows"
listed=$(sed -n '/^| UART |/,/^$/p' "$page" | tail -n +3 | grep -c '^|')
((rows == listed && rows >= 5)) || {
  echo "FAILED: $rows recipes are read, and $listed are listed"
  exit 1
}
