#!/usr/bin/env bash
# clang-tidy finds nothing in the host's code, the runtime's and the test kernel's. The analyzer gives up on
# a function somewhat earlier than it does by itself, which is most of its time.
#
# A file that passed leaves a stamp: clang-tidy's version, .clang-tidy, the file's command line, and a checksum of
# the file and of each header of the project that it includes. A file whose stamp still holds is skipped. The script
# looks at others in this order:
#
# 1. files that differ from their stamp, that failed last time, or that git has as not committed: all of them;
# 2. files that the last 20 commits changed, the latest first, and one file for each header that they changed, as far
#    as 16 CPU seconds go, by the estimates below. Without git every file counts as changed.
#
# BAREFXT_FULL=1 looks at all that have no stamp that holds. How many are left is printed.
set -euo pipefail
source=$1 work=$2 step=${4:-all}
stamps=$work/stamps
budget=16
commits=20

# "look FILE DATABASE" is for its own use, two at a time.
if [[ $step == look ]]; then
  file=$5 database=$6 stamp=$stamps/${5//\//__}
  cd "$source"
  if clang-tidy-19 --quiet --extra-arg={-Xclang,-analyzer-config,-Xclang,max-nodes=20000} \
    --extra-arg="-Wp,-dependency-file,$stamp.d,-MT,file" -p "$database" "$file"; then
    {
      awk -v file="$file" -F '\t' '$1 == file { print $3 }' "$work/files"
      sed -e 's/^file://' -e 's/\\$//' "$stamp.d" | tr -s ' ' '\n' | sed '/^$/d' | xargs sha256sum
    } >"$stamp"
  else
    echo failed >"$stamp"
    exit 1
  fi
  exit
fi

# The command lines are of builds of their own: those of others may have files put together.
configure() { # NAME CMAKE-OPTION...
  cmake -S "$source" -B "$work/$1" -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_UNITY_BUILD=OFF \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON "${@:2}" >"$work/$1.log" 2>&1 || {
    cat "$work/$1.log"
    exit 1
  }
}
mkdir -p "$stamps"
configure host -DBAREFXT_HOST_TESTS=OFF
# The runtime and the kernel are looked at as they are compiled for a target.
configure kernel --toolchain "$source/toolchain/aarch64-clang.cmake" -DBAREFXT_QEMU_TESTS=ON

cd "$source"
# Each file, tab, the folder of its command line, tab, the first line of its stamp.
{
  find host/src -name '*.cpp' -printf "%p $work/host\n"
  find runtime/src qemu-tests/board/aarch64-virt qemu-tests/kernel qemu-tests/sweep qemu-tests/torture \
    qemu-tests/workload -name '*.c' -printf "%p $work/kernel\n" -o -name '*.cpp' -printf "%p $work/kernel\n"
} | sort >"$work/all"
awk -v version="$(clang-tidy-19 --version | tr -d '\n') $(sha256sum .clang-tidy)" -v source="$source/" -v work="$work/" '
  FILENAME ~ /\.json$/ {
    if ($1 == "\"directory\":") split($0, part, "\"")
    if ($1 == "\"command\":") command = $0
    if ($1 == "\"file\":") {
      gsub("\"", "", $2)
      line[FILENAME, $2] = line[FILENAME, $2] command
    }
    next
  }
  {
    text = line[$2 "/compile_commands.json", source $1]
    while ((at = index(text, work)) > 0) text = substr(text, 1, at - 1) substr(text, at + length(work))
    print $1 "\t" $2 "\t" version text
  }' "$work"/{host,kernel}/compile_commands.json "$work/all" >"$work/files"

# Each file without a valid stamp, and "must" if the file itself differs from its stamp.
find "$stamps" -type f ! -name '*.d' -exec sed -n 's/^[0-9a-f]*  //p' {} + | sort -u |
  xargs -r sha256sum 2>/dev/null >"$work/sums" || true
awk -F '\t' -v stamps="$stamps" -v source="$source/" '
  FILENAME ~ /sums$/ { sum[substr($0, 67)] = substr($0, 1, 64); next }
  {
    name = $1
    gsub("/", "__", name)
    stamp = stamps "/" name
    due = must = ""
    if ((getline text < stamp) <= 0) due = "due"
    else {
      if (text != $3) due = "due"
      if (text == "failed") must = "must"
      while ((getline text < stamp) > 0) {
        path = substr(text, 67)
        if (sum[path] == substr(text, 1, 64)) continue
        due = "due"
        if (path == source $1) must = "must"
      }
    }
    close(stamp)
    if (due != "") print $1 "\t" $2 "\t" must
  }' "$work/sums" "$work/files" >"$work/due"

# Changed files, the latest first.
{
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git status --porcelain -uall | cut -c 4- | sed 's/^.* -> //; s/^/must /'
    git log -n "$commits" --format= --name-only
  else
    cut -f 1 "$work/due"
  fi
} >"$work/changed"
# The seconds are estimates: what clang-tidy took on a 3 GHz core, rounded up.
awk -F '\t' -v full="${BAREFXT_FULL:-0}" -v budget="$budget" '
  function seconds(file) {
    return file ~ /^host\/src\/cli\// ? 8 : file ~ /^host\// ? 4 : 1
  }
  function take(file, always) {
    if (!(file in database) || (!always && spent + seconds(file) > budget)) return
    print file "\t" database[file]
    spent += seconds(file)
    delete database[file]
  }
  # The namesake of a header, or the first file that includes it.
  function user(header,    name, base, file, text, i) {
    base = header
    sub(/\.h$/, "", base)
    if ((base ".cpp") in database) return base ".cpp"
    name = header
    sub(/.*\//, "", name)
    gsub(/[.]/, "[.]", name)
    for (i = 1; i <= count; ++i) {
      file = files[i]
      if (!(file in database)) continue
      while ((getline text < file) > 0)
        if (text ~ "^#include.*[/\"<]" name "[\">]") { close(file); return file }
      close(file)
    }
    return ""
  }
  FILENAME ~ /due$/ { database[$1] = $2; must[$1] = $3; files[++count] = $1; next }
  !begun { begun = 1; for (i = 1; i <= count; ++i) if (full == 1 || must[files[i]] != "") take(files[i], 1) }
  {
    always = sub(/^must /, "")
    if (seen[$0]++) next
    if ($0 ~ /\.h$/) take(user($0), 0)
    else take($0, always)
  }' "$work/due" <(cat "$work/changed" && echo) >"$work/chosen"

all=$(wc -l <"$work/files")
due=$(wc -l <"$work/due")
chosen=$(wc -l <"$work/chosen")
echo "$all files, $((all - due)) of them unchanged; looking at $chosen, $((due - chosen)) left to BAREFXT_FULL=1"
cut -f 1 "$work/chosen"
xargs -r -L 1 -P 2 "$0" "$source" "$work" - look <"$work/chosen"
