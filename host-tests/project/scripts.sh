#!/usr/bin/env bash
# The shell scripts are clean, and they refuse what they do not know.
set -euo pipefail
cd "$1"

find toolchain host host-tests docs .ci -name '*.sh' -o -path .ci/run | sort | xargs shellcheck

refused() { # COMMAND...
  local status=0 text
  text=$("$@" 2>&1 >/dev/null) || status=$?
  if ((status != 2)) || [[ -z $text ]]; then
    echo "'$*' should have ended with status 2 and a message; its status is $status: $text"
    exit 1
  fi
}
refused toolchain/demo.sh --target z80
refused toolchain/demo.sh --target
refused toolchain/demo.sh --nonsense
refused toolchain/demo.sh --break --target cortex-m3
refused toolchain/test.sh z80
refused toolchain/setup.sh nonsense

toolchain/demo.sh --help | grep -e --functions >/dev/null
toolchain/demo.sh --help | grep -e --profile >/dev/null
toolchain/test.sh --help | grep TARGET >/dev/null
