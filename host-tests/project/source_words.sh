#!/usr/bin/env bash
# Comments in sources name their subject first, and some words stay rare (source_words.pl has the rules and limits).
# A folder with planted faults must be refused for exactly these.
set -euo pipefail
source=$1 work=$2
rules=$source/host-tests/project/source_words.pl
rm -rf "$work"
mkdir -p "$work/planted/linker"
word=tel'ls'
{
  printf '// What opens so is wrong. Where a second opens so, too.\n// The third line is right: what follows a colon may.\n'
  printf '/* Whether a block\n * comment is read. Who asks? */\n'
  printf 'const char* url = "https://host/ Of a text"; // Of a line'"'"'s end.\n'
  printf 'int %s_it; // It %s.\nint is%s, s%s, %shire;\n' "$word" "$word" "${word^}" "$word" "$word"
} >"$work/planted/linker/a.cpp"
{
  printf '#!/bin/sh\n# The first line continues.\n# Whoever reads it, and\n# What is only wrapped, is right.\n'
  # shellcheck disable=SC2016
  printf 'echo "# Of a text" # Where code stands ahead.\nx=${y#Of}\n'
} >"$work/planted/linker/b.sh"
cat >"$work/expected" <<'END'
linker/a.cpp:1: opener: What opens so is wrong.
linker/a.cpp:1: opener: Where a second opens so, too.
linker/a.cpp:3: opener: Whether a block comment is read.
linker/a.cpp:5: opener: Of a line's end.
linker/a.cpp:6: word
linker/a.cpp:7: word
linker/b.sh:3: opener: Whoever reads it, and What is only wrapped, is right.
linker/b.sh:5: opener: Where code stands ahead.
END
(
  cd "$work/planted"
  if "$rules" --show linker/a.cpp linker/b.sh >"$work/found"; then
    echo "FAILED: a folder with faults is accepted"
    exit 1
  fi
  grep -q 'linker: 6 sentences of comments open with a relative clause, more than' "$work/found"
  grep -q "linker: '$word' or 'tol""d' 3 times, more than" "$work/found"
  grep -q '^all: more than .* % of the sentences' "$work/found"
)
grep '^linker/' "$work/found" | sed 's/: word: .*/: word/' | diff "$work/expected" - || {
  echo "FAILED: the rules find other faults (>) than were planted (<)"
  exit 1
}

cd "$source"
mapfile -t files < <(find . -type f -not -path './build/*' -not -path './.git/*' | sed 's,^[.]/,,' |
  grep -E '[.](c|h|cpp|S|inc|ld|cmake|txt|sh|pl|awk|py|mk|js|mjs|css|sql|fault|dict|pml|defs|build|in|yml|yaml|options)$|(^|/)(Makefile|Kconfig|run)$' | sort)
((${#files[@]} > 1000)) || {
  echo "FAILED: only ${#files[@]} files"
  exit 1
}
"$rules" "${files[@]}"
