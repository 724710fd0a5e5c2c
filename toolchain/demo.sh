#!/usr/bin/env bash
# Boots the demo kernel in QEMU, traced, rebuilds its archive on the host, and checks the demo's promises.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
targets=$(sed -e '/^#/d' -e 's/ .*//' toolchain/targets.txt | paste -s -d ' ')

usage() {
  cat <<END
usage: toolchain/demo.sh [--target TARGET] [--semihosting] [--functions] [--profile] [--break] [--picture]

  --target TARGET   run the demo kernel on TARGET (default: aarch64), one of
                    $targets
  --semihosting     write the trace to a file by semihosting, if the target has it, instead of the UART
  --functions       trace the calls of the kernel's functions, too, for half of the time
  --profile         sample where the CPUs are, too, and print the shares by function
  --break           break a promise of qemu-tests/workload/demo.rules, on several CPUs: a thread takes too long
  --picture         draw docs/demo.png instead: the worst priority inversion of a run that loses records

The exit status is 1 if a promise is broken.

Leaves in build/demo: kernel.elf, uart.raw (what the UART sent), trace.fxt (the archive); with --functions also
trace.fdr, the calls as LLVM's llvm-xray reads them, and in kernel.elf the map that it finds their names by; with
--profile also profile.html, a page with a flame graph.
END
}

reject() {
  echo "demo.sh: $1" >&2
  exit 2
}

dump=uart
target=aarch64
image=kernel
words="seconds=2"
slow=
profile=
picture=
while (($# > 0)); do
  case "$1" in
    --target | --target=*)
      if [[ $1 == --target ]]; then
        (($# > 1)) || reject "--target needs a name; there is: $targets"
        shift
      fi
      target=${1#--target=}
      [[ " $targets " == *" $target "* && $target != *" "* ]] || reject "no target '$target'; there is: $targets"
      ;;
    --semihosting) dump="file" ;;
    --functions)
      image=kernel_functions
      # As much as the buffers of this kernel hold.
      words="seconds=1 workers=60"
      ;;
    --profile)
      # In a tick of the kernel's.
      profile=" samples=7"
      words="seconds=1 workers=60"
      ;;
    --break) slow=" slow=1000" ;;
    --picture)
      picture=$root/docs/demo.png
      words="mode=streaming seconds=1 ring=32768 workers=20 coded=1 burst=1500"
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
  shift
done

# Seven take so much of a microcontroller that the demo breaks its promises.
[[ -z $profile || $target != cortex-m* ]] || profile=" samples=3"

# Threads that wait for the slow one's CPU hide it on machines of one CPU.
[[ -z $slow ]] || grep "^$target .*| -smp [2-9] |" toolchain/targets.txt >/dev/null || reject "--break takes several CPUs"

toolchain/setup.sh "$target" ${picture:+host}

echo "Building the host command and the kernel"
mkdir -p build/demo
build() { # PRESET TARGET [CMAKE-OPTION...]; shows the output of the tools only if they fail
  local log=build/demo/build-$1.log
  { cmake --preset "$1" "${@:3}" && cmake --build "build/$1" --target "$2"; } >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
  }
}
# The command alone needs neither the libraries of tests nor that for pictures, and a trace of seconds no more
# optimization than takes a third less time to build. A build that has all that keeps it.
quickly="-Og -DNDEBUG"
alone=(-DBAREFXT_HOST_TESTS=OFF -DBAREFXT_PNG=OFF "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=$quickly")
[[ -z $picture ]] || alone+=(-DBAREFXT_PNG=ON)
cache=build/host/CMakeCache.txt
[[ ! -e $cache ]] || grep "^CMAKE_CXX_FLAGS_RELWITHDEBINFO:.*=$quickly$" "$cache" >/dev/null || alone=()
# Beside the command, which ends with a long file on one CPU.
build "$target" "$image" &
build host barefxt "${alone[@]}"
wait $!

# QEMU works inside build/demo, so that no path with a comma or a space gets into its options.
cd build/demo
rm -f uart.raw trace.bin trace.fxt trace.fdr profile.html
cp "../$target/qemu-tests/$image.elf" kernel.elf

capture=uart.raw
if [[ $dump == file ]]; then
  capture=trace.bin
fi

# QEMU's command and its options for all CPUs.
IFS='|' read -r _ _ machine all_cpus counting _ < <(grep "^$target " ../../toolchain/targets.txt)
# Pauses of the host would hide the slow thread, make another picture, and take most samples: instructions make the time.
[[ -z $slow$picture$profile ]] || machine+=" $(grep -o -- '-icount [^ ]*' <<<"$counting")"
read -r -a qemu <<<"$machine $all_cpus"

cpus=1
[[ $all_cpus =~ -smp\ ([0-9]+) ]] && cpus=${BASH_REMATCH[1]}
echo "Running the kernel: $cpus CPUs"
status=0
timeout 180 "${qemu[@]}" -display none -monitor none -nic none -serial file:uart.raw \
  -kernel kernel.elf -append "$words$profile$slow dump=$dump" || status=$?
if ((status != 0)); then
  echo "demo.sh: QEMU ended with status $status (124: its time was up); its console is in" \
    "$root/build/demo/uart.raw" >&2
  exit 1
fi

barefxt=../host/barefxt
if [[ $picture ]]; then
  "$barefxt" rebuild "$capture" -o trace.fxt || (($? == 3))
  "$barefxt" report trace.fxt --png --finding inversion -o "$picture"
  exit
fi
names=()
[[ $image == kernel ]] || names=(--elf kernel.elf)
"$barefxt" rebuild "$capture" "${names[@]}" -o trace.fxt
if [[ $profile ]]; then
  "$barefxt" profile trace.fxt --elf kernel.elf
  "$barefxt" report trace.fxt --elf kernel.elf -o profile.html
else
  "$barefxt" stats trace.fxt
fi
# Calls that are open at the stop have no end, which lint reports.
"$barefxt" lint trace.fxt || [[ $image == kernel_functions ]]
kept=0
"$barefxt" check --allow-unknown ../../qemu-tests/workload/demo.rules trace.fxt || kept=$?

cat <<END

The archive: $root/build/demo/trace.fxt
To look at it, go to https://ui.perfetto.dev and choose "Open trace file".
As text: build/host/barefxt print build/demo/trace.fxt
END

[[ -z $profile ]] || cat <<END

The flame graph: $root/build/demo/profile.html
To look at it, open this page in a browser, and there "Samples".
END

if [[ $image == kernel_functions ]]; then
  "$barefxt" convert kernel.elf --to xray-elf -o mapped.elf
  mv mapped.elf kernel.elf
  "$barefxt" convert trace.fxt --to fdr --elf kernel.elf -o trace.fdr
  cat <<END

The calls alone: $root/build/demo/trace.fdr
Which functions took how long: llvm-xray-19 account build/demo/trace.fdr -m build/demo/kernel.elf
END
fi
exit "$kept"
