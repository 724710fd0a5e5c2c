#!/usr/bin/env bash
# What is kept under version control is source: nothing that a build leaves behind (some kernels build
# in the folder of what is added to them), and nothing binary but captures and pictures.
set -euo pipefail
source=$1
cd "$source"

if ! git rev-parse --git-dir >/dev/null 2>&1; then
  echo "sources.sh: not a clone, so nothing tells what is kept" >&2
  exit 77
fi

failures=0
complain() { # FILE TEXT
  echo "sources.sh: $1: $2" >&2
  failures=$((failures + 1))
}

while IFS= read -r -d '' file; do
  [[ -s $file ]] || {
    [[ -e $file ]] && complain "$file" "is empty"
    continue
  }
  case $file in
  *.o | *.a | *.so | *.elf | *.d | */Make.dep | */.depend | */.built)
    complain "$file" "is what a build leaves behind: git rm it"
    ;;
  host-tests/goldens/captures/*.raw | docs/*.png) ;;
  *)
    # Of a file without a byte that text has not, every line is text to grep.
    LC_ALL=C grep -qI '' "$file" || complain "$file" "is binary; captures and pictures have their folders"
    ;;
  esac
done < <(git ls-files -z)
((failures == 0))
