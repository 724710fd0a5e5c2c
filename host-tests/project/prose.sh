#!/usr/bin/env bash
# Pages lead somewhere and read well: links, anchors, tables, and the length and opening of sentences (prose.pl has the rules).
# A page with one fault of each kind must be refused for exactly these.
set -euo pipefail
source=$1 work=$2
rules=$source/host-tests/project/prose.pl
command -v cmark-gfm >/dev/null || {
  echo "FAILED: no cmark-gfm. Hint: toolchain/setup.sh host installs it"
  exit 1
}
rm -rf "$work"
mkdir -p "$work/docs"

words() { # COUNT: that many words
  local i
  for ((i = 0; i < $1; ++i)); do printf 'word '; done
}
{
  printf '# Page\n\nA sentence with a [link](page.md#page) that is there, and one [to nothing](nothing.md).\n\n'
  printf "One [to no heading](page.md#nowhere). Is this so? Where else? See \`toolchain/nowhere.sh\` at git.example.org.\n\n"
  printf 'Where it opens so, it is wrong. The command tells this.\n\n'
  printf '| a | b |\n|---|---|\n| one | two | three |\n\n| no | table |\n'
  printf '\n## What is here\n\nA %s.\n' "$(words 36)"
} >"$work/docs/page.md"
cat >"$work/expected" <<'END'
a file that is not there
a link to no heading
a link to nothing
a placeholder for an address
a row of
heading opens with What
opens with Where
rows that are no table
'tells' instead of
words in a sentence
END
(
  cd "$work"
  "$rules" docs/page.md >found && exit 1
  sed -E 's/^[^ ]*:[0-9]+: ([0-9]+ )?//' found | cut -d: -f1 |
    sed -E "s/^(words in a sentence|a row of|'tells' instead of).*/\1/; s/^(rows that are no table).*/\1/" | sort >seen
) || {
  cat "$work/found"
  echo "FAILED: a page with faults is accepted"
  exit 1
}
diff <(sort "$work/expected") "$work/seen" || {
  echo "FAILED: the rules find other faults (>) than the page has (<)"
  exit 1
}
# The mean of a page has a limit of its own.
{
  printf '# Page\n\n'
  for _ in 1 2 3; do printf 'A %s. ' "$(words 20)"; done
} >"$work/docs/page.md"
if (cd "$work" && "$rules" docs/page.md >found) || ! grep -q 'words a sentence in the mean' "$work/found"; then
  echo "FAILED: a page of long sentences is accepted"
  exit 1
fi

cd "$source"
mapfile -t pages < <(find . -name '*.md' -not -path './build/*' -not -path './.git/*' | sed 's,^[.]/,,' | sort)
((${#pages[@]} > 30)) || {
  echo "FAILED: only ${#pages[@]} pages"
  exit 1
}
"$rules" --words "${pages[@]}"
