#!/usr/bin/env bash
# Runs one fuzzer for SECONDS (0: until it is stopped), from its seeds and the inputs in corpus/ here; or tries each of
# these once (replay), which needs no coverage. Inputs worth keeping stay in FOLDER/corpus, inputs that it fails on in
# FOLDER/crashes.
set -euo pipefail

if (($# < 2)); then
  echo "usage: run.sh FOLDER TARGET [SECONDS|replay [LIBFUZZER-OPTION...]]" >&2
  echo "FOLDER is where the fuzzers were built, such as build/host-fuzz/host-tests/fuzz." >&2
  exit 2
fi
folder=$(cd "$1" && pwd)
target=$2
seconds=${3:-15}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

case "$target" in
  archive_guessed | archive_of_form | archive_converted | archive_exported) words=(-dict="$here/fxt.dict") ;;
  capture_* | itm | live) words=(-dict="$here/capture.dict") ;;
  memory_image) words=(-dict="$here/memory.dict") ;;
  budget | demangler | interrupt_list | program | rules | served_requests) words=(-dict="$here/$target.dict") ;;
  *) words=() ;;
esac

seeds=$folder/seeds/$target
corpus=$folder/corpus/$target
crashes=$folder/crashes/$target
mkdir -p "$corpus" "$crashes"
"$folder/fuzz_seeds" "$seeds" "$target"
kept=$folder/kept/$target
mkdir -p "$kept"
[[ ! -e $here/corpus/$target.tar.gz ]] || tar -xzf "$here/corpus/$target.tar.gz" -C "$kept"
run=("$folder/fuzz_$target" -max_len=4096 -timeout=20 -rss_limit_mb=1024 -artifact_prefix="$crashes/")
status=0
if [[ $seconds == replay ]]; then
  # In groups, since a command line has its limit. Each input by itself: libFuzzer names the one that fails.
  find "$seeds" "$kept" -type f -print0 | xargs -0 -n 500 "${run[@]}" "$@" >"$folder/$target.log" 2>&1 || status=$?
  ((status == 0)) || tail -n 60 "$folder/$target.log"
else
  "${run[@]}" -max_total_time="$seconds" -print_final_stats=1 "${words[@]}" "$@" "$corpus" "$seeds" "$kept" || status=$?
fi
if ((status != 0)); then
  echo "run.sh: $target failed; its input is in $crashes, and $folder/fuzz_$target FILE repeats it" >&2
fi
exit "$status"
