#!/usr/bin/env bash
# The page of the command has the help that the command prints, for each verb. A page with another help is refused.
set -euo pipefail
source=$1 work=$2 build=$3
page=$source/docs/reference/command.md
mkdir -p "$work"
made() { # PAGE
  "$source/toolchain/command_page.sh" "$build/barefxt" "$1"
}
made "$page" >"$work/command.md"
diff "$page" "$work/command.md" || {
  echo "FAILED: docs/reference/command.md (<) differs from the command's help (>). Hint: toolchain/command_page.sh makes it again"
  exit 1
}
verbs=$(grep -c '^## barefxt [a-z]' "$work/command.md")
((verbs >= 9)) || {
  echo "FAILED: the page has only $verbs verbs"
  exit 1
}
# Any other help on the page would differ.
sed 's/--resends/--resend/' "$page" >"$work/other.md"
if made "$work/other.md" | cmp -s - "$work/other.md"; then
  echo "FAILED: a page with another option is accepted"
  exit 1
fi
