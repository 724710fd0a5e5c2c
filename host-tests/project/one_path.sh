#!/usr/bin/env bash
# Dangerous operations of the host command happen in one place each: text for people goes through
# say(), outputs through FileAside or OutputFolder, names through the bounded demangler. A second
# place must be named here, with the reason.
set -euo pipefail
source=$1
cd "$source/host/src"

failures=0
# Complains about files with lines that match PATTERN, other than those listed.
only_in() { # WHAT PATTERN FILE...
  local what=$1 pattern=$2 file
  shift 2
  while IFS= read -r file; do
    [[ " $* " == *" $file "* ]] && continue
    echo "one_path.sh: host/src/$file: $what belongs into $*" >&2
    failures=$((failures + 1))
  done < <(grep -rlE --include='*.cpp' --include='*.h' "$pattern" . | sed 's#^\./##')
  for file in "$@"; do
    grep -qE "$pattern" "$file" && continue
    echo "one_path.sh: host/src/$file: does no $what any more; take it off the list" >&2
    failures=$((failures + 1))
  done
}

# open.cpp prints its own address.
only_in "printing" '(\bf?printf\(|\bf?puts\(|\bperror\(|std::c(err|out)\b)' \
  cli/messages.cpp cli/open.cpp
# raw_copy.cpp makes a file that grows from the first byte on; screen.cpp opens the terminal.
only_in "creating files" '(\bO_CREAT\b|\bofstream\b|\bfopen\(|\bmkdir\(|\bmko?stemp\(|\bO_TMPFILE\b|\bcreat\()' \
  archive/file_aside.cpp archive/output_folder.cpp archive/temporary_file.cpp line/raw_copy.cpp \
  top/screen.cpp
only_in "renaming" '\brename\(' archive/file_aside.cpp archive/output_folder.cpp
only_in "demangling" '__cxa_demangle' image/demangle.cpp
# file_processes.cpp gives its children the usual handling back.
only_in "handling signals" '(\bsigaction\(|std::signal\(|\bsignalfd\()' \
  archive/leftovers.cpp reader/mapped_files.cpp line/interrupts.cpp cli/main.cpp cli/pager.cpp cli/file_processes.cpp \
  top/screen.cpp
((failures == 0))
