#!/usr/bin/env bash
# Sourced by tests with the kernel in BAREFXT_KERNEL_DIR, whose arguments it names. Skips them without the kernel.
set -euo pipefail
# shellcheck disable=SC2034  # some are the test's
source=$1 work=$2 build=$3 kernel=$4
variable=BAREFXT_${kernel^^}_DIR
variable=${variable/_SMP/} # the same kernel on two cores
[[ -d ${!variable:-} ]] || {
  echo "SKIPPED: $variable is not the folder of $kernel"
  exit 77
}
rm -rf "$work"
mkdir -p "$work"
run() { # NAME GOAL OPTION...: make.sh in $work/NAME, which runs the image or prints its size
  "$source/host-tests/project/kernels/$kernel/make.sh" "$source" "${!variable}" "$work/$1" "${@:2}" >"$work/$1.log" 2>&1 || {
    tail -n 40 "$work/$1.log"
    echo "FAILED: $kernel: $1"
    exit 1
  }
}
