#!/usr/bin/env bash
# Only sources are under version control: no leftovers of builds (some kernels build in the folder of an added
# module), and nothing binary but captures, corpora and pictures. Scripts take nothing from the middle of a
# pipe, and C++ has one dialect: see below.
set -euo pipefail
source=$1
cd "$source"

if ! git rev-parse --git-dir >/dev/null 2>&1; then
  echo "sources.sh: not a clone, so nothing shows what is kept" >&2
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
  host-tests/goldens/captures/*.raw | host-tests/goldens/captures/*/*.gz | host-tests/goldens/memory/*.gz | \
    host-tests/explain/injected/*.gz | \
    host-tests/fuzz/corpus/*.tar.gz | docs/*.png) ;;
  *)
    # grep -I treats a file as text unless it holds a byte that text has not.
    LC_ALL=C grep -qI '' "$file" || complain "$file" "is binary; captures and pictures have their folders"
    ;;
  esac
  [[ $file != *.sh || -x $file ]] || complain "$file" "is a script that cannot be run"
done < <(git ls-files -z)

# With pipefail a reader that ends early ends the script by SIGPIPE, if its writer is slow enough: now and then.
while IFS= read -r line; do
  complain "${line%%:*}" "reads only a part of a pipe; use sed -n or >/dev/null: ${line#*:}"
done < <(git ls-files -z '*.sh' | xargs -0 grep -nE '\| *(head\b|grep +(-[a-zA-Z]*[qm]|--quiet))' | grep -vF 'grep -nE')
# Types of C++ that C has as well are called as in C, on the target and on the host.
while IFS= read -r line; do
  complain "${line%%:*}" "has a type of <stdint.h> or <stddef.h> by its name in std: ${line#*:}"
done < <(git ls-files -z '*.h' '*.cpp' | xargs -0 grep -nE 'std::(u?int[a-z0-9_]*_t|size_t|ptrdiff_t)\b' || true)
# Success is asked for by name on the host: Status without a value, Result with one, ok() of both.
while IFS= read -r line; do
  complain "${line%%:*}" "has a second way to say success, beside Status, Result and ok(): ${line#*:}"
done < <(git ls-files -z 'host/*.h' 'host/*.cpp' 'host-tests/*.h' 'host-tests/*.cpp' |
  xargs -0 grep -nE 'host::Outcome\b|using Outcome\b|optional<(host::)?Error>|operator bool\b' |
  grep -v '^host/include/barefxt/host/status\.h:' || true)
# Text with values is made by formatted(), counts by counted(). CLI11 takes a stream.
while IFS= read -r line; do
  complain "${line%%:*}" "makes text in another way than by formatted() or counted(): ${line#*:}"
done < <(git ls-files -z 'host/*.h' 'host/*.cpp' ':!host/src/cli/command_line.cpp' \
  ':!host/src/print/formatted.cpp' |
  xargs -0 grep -nE 'snprintf|stringstream|std::ostream\b|std::to_string\(.*\) \+ |\+ std::to_string|== 1 \? "" : "s"' || true)
# Enumerations are scoped, or their line says why not. Bounds are kMax and kMin.
while IFS= read -r line; do
  complain "${line%%:*}" "has an enum that is neither scoped nor \"// unscoped: WHY\": ${line#*:}"
done < <(git ls-files -z '*.h' '*.cpp' | xargs -0 grep -nE '^ *enum [A-Z]' | grep -vF '// unscoped: ' || true)
while IFS= read -r line; do
  complain "${line%%:*}" "calls a bound other than kMax or kMin: ${line#*:}"
done < <(git ls-files -z '*.h' '*.cpp' | xargs -0 grep -nE '\bk(Most|Least)([A-Z]|\b)' || true)
# The version of the project is that of the changelog's newest heading.
version=$(sed -n 's/^  VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
[[ $(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | sed -n 1p) == "$version" ]] ||
  complain CHANGELOG.md "its newest heading is not version $version of CMakeLists.txt"
((failures == 0))
