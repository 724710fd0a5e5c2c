#!/usr/bin/env bash
# Values that the format cannot encode do not compile, if the compiler can know them: in C and in C++, with
# both compilers, at any level. Values that it can encode do. By default each pair of language, level and
# compiler is tried; with BAREFXT_FULL=1 all three together.
set -euo pipefail
source=$1 work=$2
mkdir -p "$work"

flags=(-ffreestanding -mgeneral-regs-only -fno-pic
  -I "$source/runtime/include" -I "$source/port/arch/aarch64")
# Used by their names, which shellcheck does not follow.
# shellcheck disable=SC2034
{
  gcc=(aarch64-linux-gnu-gcc)
  gxx=(aarch64-linux-gnu-g++ -std=c++17 -nostdinc++ -fno-exceptions -fno-rtti)
  clang=(clang-19 --target=aarch64-none-elf)
  clangxx=(clang++-19 --target=aarch64-none-elf -std=c++17 -nostdinc++ -fno-exceptions -fno-rtti)
}

failures=0

# compiles STATEMENT EXPECTED: EXPECTED is empty, or a part of the compiler's complaint.
compiles() {
  local statement=$1 expected=$2 level compiler language
  for language in c cpp; do
    cat >"$work/probe.$language" <<END_OF_SOURCE
#include <barefxt/barefxt.h>
BAREFXT_CATEGORY(work, 1);
void probe(int64_t wide, uint32_t narrow);
void probe(int64_t wide, uint32_t narrow) { (void)wide; (void)narrow; $statement; }
END_OF_SOURCE
    for level in O0 O2; do
      for compiler in gcc clang; do
        case ${BAREFXT_FULL:-0}-$language-$level-$compiler in
          1-* | 0-c-O0-gcc | 0-c-O2-clang | 0-cpp-O2-gcc | 0-cpp-O0-clang) ;;
          *) continue ;;
        esac
        local -n command=$compiler
        [[ $language == cpp && $compiler == gcc ]] && local -n command=gxx
        [[ $language == cpp && $compiler == clang ]] && local -n command=clangxx
        local log=$work/log status=0
        # Without an expectation everything must be clean; with one, our complaint counts, and not a
        # warning of the compiler's that comes first.
        local strict=(-Wall -Wextra -Werror)
        [[ -z $expected ]] || strict=()
        "${command[@]}" "${flags[@]}" "${strict[@]}" -"$level" -c -o "$work/probe.o" "$work/probe.$language" \
          >"$log" 2>&1 || status=$?
        if [[ -z $expected ]]; then
          ((status == 0)) && continue
          echo "FAILED: $compiler -$level $language refuses: $statement"
          head -n 5 "$log"
          failures=$((failures + 1))
        elif ((status == 0)) || ! grep -q -e "$expected" "$log"; then
          echo "FAILED: $compiler -$level $language does not say '$expected' to: $statement"
          head -n 5 "$log"
          failures=$((failures + 1))
        fi
      done
    done
  done
}

fits='does not fit'
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_U32("a", 0xffffffffu))' ''
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_U32("a", narrow++))' ''
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_U32("a", (uint32_t)wide))' ''
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_U32("a", 0x100000000))' "$fits"
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_U32("a", -1))' "$fits"
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_I32("a", -2147483647 - 1))' ''
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_I32("a", 2147483647))' ''
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_I32("a", 2147483648))' "$fits"
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_I32("a", -2147483649))' "$fits"

compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_I64("a", -1), BAREFXT_ARG_U64("b", 0), BAREFXT_ARG_U64("c", ~(uint64_t)0))' ''
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_I64("a", wide), BAREFXT_ARG_U64("b", narrow), BAREFXT_ARG_I64("c", narrow))' ''
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_U64("a", -1))' "$fits"
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_KOID("a", -5))' "$fits"
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_I64("a", 0xffffffffffffffffu))' "$fits"
compiles 'BAREFXT_PROFILER_MMAP(work, 0, 1, 7, 0, 1, 0)' ''
compiles 'BAREFXT_PROFILER_MMAP(work, 0, 1, 8, 0, 1, 0)' "$fits"

n='BAREFXT_ARG_NULL("a")'
fifteen="$n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n"
compiles "BAREFXT_INSTANT(work, \"e\", $fifteen)" ''
compiles "BAREFXT_INSTANT(work, \"e\", $fifteen, $n)" 'at most 15 arguments'
compiles "BAREFXT_KERNEL_OBJECT(work, 1, 1, BAREFXT_TEXT(\"o\"), $fifteen)" ''
compiles "BAREFXT_KERNEL_OBJECT(work, 1, 1, BAREFXT_TEXT(\"o\"), $fifteen, $n)" 'at most 15 arguments'

text=$(printf 'x%.0s' {1..32000})
compiles "BAREFXT_INSTANT(work, \"$text\")" ''
compiles "BAREFXT_INSTANT(work, \"${text}x\")" '32000 bytes'
# Only a literal's length is known, and its content.
compiles 'const char* const name = "e"; BAREFXT_INSTANT(work, name)' 'error: expected'
compiles 'BAREFXT_INSTANT(nothing, "e")' 'barefxt_category_nothing'
compiles 'enum { barefxt_check = 1 }; BAREFXT_CATEGORY(high, 30)' 'numbers 0 to 29'
compiles 'BAREFXT_INSTANT(work, "e", BAREFXT_ARG_DOUBLE_BITS("a", 0x3ff8000000000000u))' ''
((failures == 0))
