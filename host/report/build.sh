#!/usr/bin/env bash
# build.sh OUT: puts the page together of its parts here, with esbuild (Debian's package). Its output is committed as
# built.html, so that building the command needs neither esbuild nor a network; a test builds the page again and
# compares.
set -euo pipefail

if (($# != 1)); then
  echo "usage: host/report/build.sh OUT" >&2
  exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

esbuild "$here/src/main.js" --bundle --minify --charset=utf8 --target=es2022 --log-level=warning --outfile="$work/script.js"
esbuild "$here/page.css" --minify --charset=utf8 --log-level=warning --outfile="$work/style.css"
# As it will stand in the page: without the newline at its end.
printf %s "$(<"$work/script.js")" >"$work/script"
printf %s "$(<"$work/style.css")" >"$work/style"
if grep -q '</script' "$work/script"; then
  echo "build.sh: the script would end its own element" >&2
  exit 1
fi

hash_of() { # FILE
  local hex i
  hex=$(sha256sum "$1" | cut -c 1-64)
  for ((i = 0; i < 64; i += 2)); do
    printf '%b' "\\x${hex:i:2}"
  done | base64 -w 0
}

SCRIPT_HASH=$(hash_of "$work/script") STYLE_HASH=$(hash_of "$work/style") \
  awk -v script="$work/script" -v style="$work/style" '
    function contents(file,   text, line) {
      while ((getline line <file) > 0) text = text (text == "" ? "" : "\n") line
      return text
    }
    # Replaces each marker by the text, literally: no character of the text has a special meaning.
    function put(marker, text,   at) {
      at = index($0, marker)
      if (at) $0 = substr($0, 1, at - 1) text substr($0, at + length(marker))
    }
    {
      put("SCRIPT_HASH", ENVIRON["SCRIPT_HASH"])
      put("STYLE_HASH", ENVIRON["STYLE_HASH"])
      if (/^<style>STYLE/) put("STYLE", contents(style))
      if (/^<script>SCRIPT/) put("SCRIPT", contents(script))
      print
    }' "$here/page.html" >"$1"
