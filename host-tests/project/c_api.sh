#!/usr/bin/env bash
# docs/reference/c-api.md is the page that toolchain/c_api.pl makes from the comments of the headers. It describes each function and macro
# of <barefxt/barefxt.h>, as a C compiler sees it, with the parameters that it has there, and no other. A comment that lacks a
# part of its shape is refused.
set -euo pipefail
source=$1 work=$2
page=$source/docs/reference/c-api.md
generator=$source/toolchain/c_api.pl
rm -rf "$work"
mkdir -p "$work"

preprocessed() { # OPTION...: everything that may be there
  echo '#include <barefxt/barefxt.h>' |
    cc -std=gnu99 -E "$@" -I"$source/runtime/include" -I"$source/port/arch/host" -DBAREFXT_WAY_BACK=1 \
      -DBAREFXT_RETAINED=1 -DBAREFXT_RESEND_SEGMENTS=2 -DBAREFXT_FUNCTIONS=1 -x c -
}

# Parts of probes, and the port's functions, are not for users.
inner_functions='barefxt_(port|probe|write|host)_|barefxt_(argument_make|text_words|text_interned|value_does_not_fit)$'
# The settings have their table in config.h, the port its own in porting.md.
inner_macros='_$|_H$|^BAREFXT_PORT_|^BAREFXT_CATEGORY_AND_NAME$'
settings=$(grep -o '^#define BAREFXT_[A-Z_]*' "$source/runtime/include/barefxt/config.h" | cut -d ' ' -f 2)

# A declaration, or a definition's head, a line: `type name(parameters)`.
preprocessed -P | tr '\n' ' ' | sed 's/__extension__//g' |
  grep -o -E '[A-Za-z_][A-Za-z0-9_ ]*[ *]+barefxt_[a-z0-9_]+\([^(){};]*(\([^()]*\))*[^(){};]*\) *[;{]' |
  sed -E 's/ *[;{]$//; s/_Bool/bool/g; s/^ *//; s/  */ /g; s/^(static|inline|extern|return) //; s/^inline //' |
  sed -E 's/__attribute__\(\([a-z_]*\)\) //g' | sort -u >"$work/all"
awk -v inner="$inner_functions" '
  { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
  name !~ inner && /^(const )?[a-z_0-9]+\*? [*a-z]/' "$work/all" >"$work/functions"
preprocessed -dM | sed -n -E 's/^#define (BAREFXT_[A-Z0-9_]+(\([^)]*\))?).*/\1/p' | sed 's/,\([^ ]\)/, \1/g' |
  grep -v -E "^BAREFXT_[A-Z0-9_]*_(\(|\$)" |
  awk -v inner="$inner_macros" -v settings="$settings" '
    BEGIN { count = split(settings, list, "\n"); for (i = 1; i <= count; ++i) is_setting[list[i]] = 1 }
    { name = $0; sub(/\(.*/, "", name) }
    name !~ inner && !(name in is_setting)' | sort -u >"$work/macros"

sort -u "$work/functions" "$work/macros" >"$work/expected"
"$generator" --list "$source" | sort -u >"$work/found"
if ! diff "$work/expected" "$work/found" >"$work/differences"; then
  sed -n 's/^< /FAILED: no comment describes: /p; s/^> /FAILED: a comment describes what no header declares: /p' "$work/differences"
  exit 1
fi
rows=$(wc -l <"$work/found")
if ((rows < 80)); then
  echo "FAILED: only $rows rows: the headers were not read as they should be"
  exit 1
fi

"$generator" "$source" >"$work/c-api.md"
diff "$page" "$work/c-api.md" >"$work/differences" || {
  head -20 "$work/differences"
  echo "FAILED: docs/reference/c-api.md is not what the headers say. Hint: toolchain/c_api.pl . >docs/reference/c-api.md"
  exit 1
}

# Comments that lack a part are refused, each for that.
refused() { # EDIT OF HEADER MESSAGE
  rm -rf "$work/planted"
  mkdir -p "$work/planted/runtime/include"
  cp -r "$source/runtime/include/barefxt" "$work/planted/runtime/include"
  sed -i "$1" "$work/planted/runtime/include/barefxt/$2"
  ! diff -q "$source/runtime/include/barefxt/$2" "$work/planted/runtime/include/barefxt/$2" >/dev/null || {
    echo "FAILED: the edit '$1' of $2 changes nothing"
    exit 1
  }
  if "$generator" "$work/planted" >/dev/null 2>"$work/refused" || ! grep -q -F "$3" "$work/refused"; then
    cat "$work/refused"
    echo "FAILED: the edit '$1' of $2 is not refused for '$3'"
    exit 1
  fi
}
refused 's/@param config/@param configuration/' barefxt.h 'barefxt_start: @param configuration, and its parameters are config'
refused '/@context any; wait-free/d' lock.h 'barefxt_lock_acquired: no @context'
refused '/@return The time in ticks/d' lock.h 'barefxt_lock_contended: no @return'
refused '/@error BAREFXT_ERROR_\(RUNNING Another\|NEVER_STARTED No session has\|LEFT_OUT The image has BAREFXT_LINEAR\)/d' barefxt.h \
  'barefxt_rewind: no @error'

# A former name still compiles, and the compiler's warning names the new one.
for build in BAREFXT_FUNCTIONS BAREFXT_DISABLED; do
  printf '#include <barefxt/barefxt.h>\nuint32_t count(void);\nuint32_t count(void) { return barefxt_functions(); }\n' |
    cc -std=gnu99 -fsyntax-only -I"$source/runtime/include" -I"$source/port/arch/host" -D"$build"=1 -x c - 2>"$work/deprecated"
  grep -q 'deprecated.*barefxt_function_count' "$work/deprecated" || {
    cat "$work/deprecated"
    echo "FAILED: $build: barefxt_functions draws no warning with its new name"
    exit 1
  }
done
