#!/usr/bin/env bash
# The firmware of examples/bare-metal: its Makefile, examples/cmake and examples/meson build it by the commands of their pages, and all
# images record the same. examples/ci-budgets accepts its trace, and refuses a slower filter with status 1.
set -euo pipefail
source=$1 work=$2 build=$3
rm -rf "$work"
mkdir -p "$work"
# The examples refer to barefxt two folders up.
ln -s "$source"/{runtime,port,linker,toolchain,host,CMakeLists.txt,meson.build,meson_options.txt} "$work"
cp -r "$source/examples" "$work"
PATH=$build:$PATH

# Runs a page's commands in its folder.
follow() { # EXAMPLE
  awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0 } inside' "$work/examples/$1/README.md" >"$work/$1.sh"
  [[ -s $work/$1.sh ]] || {
    echo "FAILED: the page of $1 has no commands"
    exit 1
  }
  (cd "$work/examples/$1" && bash -e "$work/$1.sh") >"$work/log" 2>&1 || {
    cat "$work/log"
    echo "FAILED: the commands of examples/$1/README.md"
    exit 1
  }
}

# Records of a trace, without times, which depend on the compiler's flags, and without strings, whose order is that of linking.
records() { # EXAMPLE
  barefxt lint "$work/examples/$1/trace.fxt"
  barefxt print --json "$work/examples/$1/trace.fxt" |
    grep -v '"record":"string"' | sed -E 's/"(timestamp|offset|begin|end)":[0-9]+//g' >"$work/$1.json"
}

follow bare-metal
records bare-metal
jobs=$(grep -c '"name":"control".*"type":"duration_end"\|"type":"duration_end".*"name":"control"' "$work/bare-metal.json" || true)
barefxt stats "$work/examples/bare-metal/trace.fxt" >"$work/stats"
grep -q '0 of 40 late' "$work/stats" || {
  cat "$work/stats"
  echo "FAILED: stats has not the 40 jobs in time ($jobs ends in the trace)"
  exit 1
}
ways=(cmake)
[[ ${BAREFXT_FULL:-0} != 1 ]] || ways+=(meson)
for way in "${ways[@]}"; do
  follow "$way"
  records "$way"
  cmp "$work/bare-metal.json" "$work/$way.json" || {
    diff "$work/bare-metal.json" "$work/$way.json" | sed -n 1,10p
    echo "FAILED: the image by $way records something else"
    exit 1
  }
done

mkdir "$work/budgets"
cd "$work/budgets"
BAREFXT_COMMAND=$build/barefxt "$work/examples/ci-budgets/check.sh" >"$work/log" 2>&1 || {
  cat "$work/log"
  echo "FAILED: the firmware breaks its budget"
  exit 1
}
grep -q 'tests="6" failures="0"' junit.xml
status=0
BAREFXT_COMMAND=$build/barefxt "$work/examples/ci-budgets/check.sh" OUT=slow WORK=6000 >"$work/log" 2>&1 || status=$?
violated=$(grep -c ': violated: ' "$work/log" || true)
if ((status != 1 || violated != 3)); then
  cat "$work/log"
  echo "FAILED: a slower filter gives status $status and $violated violations instead of 1 and 3"
  exit 1
fi
