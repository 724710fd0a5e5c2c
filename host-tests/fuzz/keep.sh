#!/usr/bin/env bash
# Packs the corpus that a fuzzer has collected into corpus/TARGET.tar.gz here. It chooses inputs that reach code
# beyond the seeds and the inputs kept so far: as few as reach all of it, the smallest first, up to 16 KB packed.
set -euo pipefail

if (($# != 2)); then
  echo "usage: keep.sh FOLDER TARGET" >&2
  echo "FOLDER is where the fuzzers were built and run, such as build/host-fuzz/host-tests/fuzz." >&2
  exit 2
fi
folder=$(cd "$1" && pwd)
target=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
most_bytes=16000

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/seeds" "$work/new" "$work/all"
"$folder/fuzz_seeds" "$work/seeds" "$target"
cp "$folder/corpus/$target"/* "$work/all"
[[ ! -e $here/corpus/$target.tar.gz ]] || tar -xzf "$here/corpus/$target.tar.gz" -C "$work/all"
# With the seeds merged first, what is added is what they lack.
mkdir "$work/merged"
cp "$work/seeds"/* "$work/merged"
"$folder/fuzz_$target" -merge=1 -timeout=20 -max_len=4096 "$work/merged" "$work/all" >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
for file in "$work/merged"/*; do [[ -e $work/seeds/$(basename "$file") ]] || cp "$file" "$work/new"; done

mapfile -t names < <(find "$work/new" -type f -printf '%s %f\n' | sort -n | sed 's/.* //')
count=${#names[@]}
((count > 0)) || { echo "keep.sh: $target: nothing that the seeds lack" >&2; exit 0; }
mkdir -p "$here/corpus"
packed=$here/corpus/$target.tar.gz
for (( ; count > 0; count = count * 9 / 10)); do
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=ustar -C "$work/new" -cf - \
    -- "${names[@]:0:count}" | gzip -9n >"$packed"
  (($(stat -c %s "$packed") > most_bytes)) || break
done
echo "keep.sh: $target: $count of ${#names[@]} inputs, $(stat -c %s "$packed") bytes"
