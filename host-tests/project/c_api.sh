#!/usr/bin/env bash
# docs/reference/c-api.md has a row for each function and macro of <barefxt/barefxt.h>, as a C compiler sees it, with
# the parameters that it has there, and no other. The comment of each function says from which contexts it may be
# called, and begins that as the page does.
set -euo pipefail
source=$1 work=$2
page=$source/docs/reference/c-api.md
rm -rf "$work"
mkdir -p "$work"

preprocessed() { # OPTION...: everything that may be there
  echo '#include <barefxt/barefxt.h>' |
    cc -std=gnu99 -E "$@" -I"$source/runtime/include" -I"$source/port/arch/host" -DBAREFXT_WAY_BACK=1 \
      -DBAREFXT_RETAINED=1 -DBAREFXT_RESEND_SEGMENTS=2 -DBAREFXT_FUNCTIONS=1 -x c -
}

# The parts of probes, and the port's functions, are not for calling.
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
  name !~ inner && /^(const )?[a-z_0-9]+ [*a-z]/' "$work/all" >"$work/functions"
preprocessed -dM | sed -n -E 's/^#define (BAREFXT_[A-Z0-9_]+(\([^)]*\))?).*/\1/p' | sed 's/,\([^ ]\)/, \1/g' |
  grep -v -E "^BAREFXT_[A-Z0-9_]*_(\(|\$)" |
  awk -v inner="$inner_macros" -v settings="$settings" '
    BEGIN { count = split(settings, list, "\n"); for (i = 1; i <= count; ++i) is_setting[list[i]] = 1 }
    { name = $0; sub(/\(.*/, "", name) }
    name !~ inner && !(name in is_setting)' | sort -u >"$work/macros"

sort -u "$work/functions" "$work/macros" >"$work/expected"
tr '`' '@' <"$page" | sed -n -E 's/^\| @([^@]*(barefxt_|BAREFXT_)[^@]*)@ \|.*/\1/p' | sort >"$work/found"
if ! diff "$work/expected" "$work/found" >"$work/differences"; then
  sed -n 's/^< /FAILED: docs\/c-api.md has no row for: /p; s/^> /FAILED: docs\/c-api.md has a row that no header has: /p' \
    "$work/differences"
  exit 1
fi
rows=$(wc -l <"$work/found")
if ((rows < 80)); then
  echo "FAILED: only $rows rows: the headers were not read as they should be"
  exit 1
fi

# The comment of each function: the lines above it without an empty line between.
awk '
  FNR == 1 { comment = "" }
  /^\/\*/ { comment = "" }
  /^\/\*/, /\*\/$/ { line = $0; sub(/^ *\/?\* ?/, "", line); sub(/ *\*\/$/, "", line); comment = comment line " "; next }
  /^$/ { comment = ""; next }
  /^[a-z].*[ *]barefxt_[a-z0-9_]+\(/ {
    name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
    context = comment
    if (sub(/.*Context: /, "", context)) print name "\t" context
  }' "$source"/runtime/include/barefxt/*.h >"$work/comments"
tr -d '`' <"$page" | awk -F ' *[|] *' '/^[|].*barefxt_[a-z0-9_]*[(]/ { print $2 "\t" $4 }' >"$work/contexts"
awk -F '\t' '
  FILENAME ~ /comments$/ { says[$1] = $2; next }
  FILENAME ~ /contexts$/ { context[$1] = $2; next }
  {
    name = $0; sub(/[(].*/, "", name); sub(/.*[ *]/, "", name)
    if (!(name in says)) print "FAILED: the comment of " name " does not say from which contexts it may be called"
    else if (index(says[name] " ", context[$0]) != 1 || says[name] !~ ("^" context[$0] "[.,;:]"))
      print "FAILED: " name ": its comment says \"" says[name] "\", and docs/reference/c-api.md \"" context[$0] "\""
    else next
    failed = 1
  }
  END { exit failed }' "$work/comments" "$work/contexts" "$work/functions"
