#!/usr/bin/env bash
# The hooks of port/rtos on a target: each kernel's stand-in runs there, in an order made by chance. The
# trace lints clean, names every thread, and agrees with what the stand-in counted itself.
set -euo pipefail
source=$1 work=$2 build=$3 target=$4
here=$source/host-tests
rm -rf "$work"
mkdir -p "$work"

cat >"$work/CMakeLists.txt" <<'END_CMAKE'
cmake_minimum_required(VERSION 3.25)
project(rtos LANGUAGES C CXX ASM)
add_subdirectory(${BAREFXT_SOURCE} barefxt)
# The runtime's files as one, which compiles in half of the time; project.package and the images of the targets
# have them apart.
set_target_properties(barefxt_runtime PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
set(image ${BAREFXT_SOURCE}/host-tests/project/image/${BAREFXT_PORT})
set(stand_ins ${BAREFXT_SOURCE}/host-tests/rtos)
foreach(kernel IN LISTS KERNELS)
  set(port ${BAREFXT_SOURCE}/port/rtos/${kernel})
  file(GLOB sources ${stand_ins}/${kernel}/*.c ${port}/*.c)
  add_executable(${kernel} ${image}/start.S ${stand_ins}/image.c ${stand_ins}/library.c ${sources})
  target_include_directories(${kernel} PRIVATE ${image} ${stand_ins} ${stand_ins}/${kernel} ${port})
  target_compile_options(${kernel} PRIVATE -Wall -Wextra -Werror $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)
  if(EXISTS ${port}/barefxt_${kernel}.wrap)
    target_link_options(${kernel} PRIVATE -Wl,@${port}/barefxt_${kernel}.wrap)
  endif()
  target_compile_definitions(${kernel} PRIVATE BAREFXT_LK_TIMER_INTERRUPT=27 BAREFXT_NUTTX_TIMER_INTERRUPT=27 CONFIG_BAREFXT_HEAP=1)
  target_link_libraries(${kernel} PRIVATE barefxt::runtime)
  target_link_options(${kernel} PRIVATE -nostdlib -static -Wl,--build-id=none -T ${image}/image.ld)
endforeach()
END_CMAKE

failures=0
# expect NAME NUMBER COUNTED
expect() {
  [[ $2 == "$3" ]] || {
    echo "FAILED: $kernel, $compiler: $2 $1 in the trace, and the stand-in counted $3"
    failures=$((failures + 1))
  }
}
counted() { sed -n "s/^COUNT $1 //p" "$out/$kernel.counts"; }
# How many records match.
records() { grep -c -E "$1" "$out/$kernel.json" || true; }

kernels=(freertos threadx lk nuttx zephyr)
# Except for FreeRTOS, only receives that block.
declare -A receives=(
  [freertos]='"name":"queue receive"'
  [threadx]='"name":"blocks".*"value":"queue wait"'
  [lk]='"name":"blocks".*"value":"semaphore wait"'
  [nuttx]='"name":"blocks".*"value":"message queue wait"'
  [zephyr]='"name":"blocks".*"value":"message queue wait"'
)
# Hooks refuse a kernel with more cores than the trace.
refuses() { # KERNEL OPTION...
  if gcc -fsyntax-only -DBAREFXT_MAX_CPUS=1 "-I$source/runtime/include" "-I$source/port/arch/host" "-I$here/rtos" \
    "-I$here/rtos/$1" "-I$source/port/rtos/$1" "${@:2}" "$source/port/rtos/$1/barefxt_$1.c" >"$work/log" 2>&1 ||
    ! grep -q 'more cores than BAREFXT_MAX_CPUS' "$work/log"; then
    cat "$work/log"
    echo "FAILED: $1's hooks take two cores for one ($*)"
    exit 1
  fi
}
refuses freertos -DconfigNUMBER_OF_CORES=2
refuses threadx -DTX_THREAD_SMP_MAX_CORES=2
refuses lk -DWITH_SMP=1 -DSMP_MAX_CPUS=2
refuses nuttx -DCONFIG_SMP=1 -DCONFIG_SMP_NCPUS=2
refuses zephyr -DCONFIG_MP_MAX_NUM_CPUS=2
refuses zephyr -DSTAND_IN_ZEPHYR_3_2 -DCONFIG_MP_NUM_CPUS=2
# LK's and NuttX's as modules of their builds, which bring the linker's fragments by themselves.
modules() {
  local log=$work/log image=$work/image applications=$work/applications
  mkdir -p "$image" "$applications" "$out/lk-build" "$out/nuttx-build"
  cp "$here/project/image/aarch64"/* "$image"
  sed -i '/INCLUDE barefxt_/d' "$image/image.ld"
  cp "$here/rtos/nuttx/module"/{Make.defs,Application.mk} "$applications"
  ln -sfn "$source/port/rtos/nuttx" "$applications/barefxt"
  local common=(BAREFXT="$source" STAND_INS="$here/rtos" IMAGE="$image")
  local flags="-mgeneral-regs-only -mstrict-align -mno-outline-atomics"
  {
    make -C "$here/rtos/lk/module" "${common[@]}" OUT="$out/lk-build" ARCH=arm64 FLAGS="$flags" \
      TOOLCHAIN_PREFIX=aarch64-linux-gnu- &&
      LDFLAGS="-L$source/linker -T $source/port/rtos/nuttx/barefxt_nuttx.ld @$source/port/rtos/nuttx/barefxt_nuttx.wrap" \
        make -C "$here/rtos/nuttx/module" "${common[@]}" OUT="$out/nuttx-build" APPDIR="$applications" FLAGS="$flags" \
        CROSSDEV=aarch64-linux-gnu- &&
      cp "$out/lk-build/lk" "$out/lk-module" && cp "$out/nuttx-build/nuttx" "$out/nuttx-module"
  } >"$log" 2>&1 || {
    cat "$log"
    echo "FAILED: the modules of LK's and NuttX's builds do not build"
    exit 1
  }
}

compilers=(gcc)
[[ ${BAREFXT_FULL:-0} != 1 ]] || compilers+=(clang)
for compiler in "${compilers[@]}"; do
  out=$work/$compiler
  {
    cmake -S "$work" -B "$out" -G Ninja --toolchain "$source/toolchain/$target-$compiler.cmake" \
      -DCMAKE_BUILD_TYPE=Release -DBAREFXT_SOURCE="$source" \
      -DKERNELS="$(IFS=';' && echo "${kernels[*]}")" && cmake --build "$out" &&
      cmake -S "$here/rtos/zephyr/module" -B "$out/module" -G Ninja \
        --toolchain "$source/toolchain/$target-$compiler.cmake" \
        -DCMAKE_BUILD_TYPE=Release -DBAREFXT_SOURCE="$source" && cmake --build "$out/module" &&
      cp "$out/module/zephyr" "$out/zephyr-module"
  } >"$work/log" 2>&1 || {
    cat "$work/log"
    echo "FAILED: the hooks do not build with $compiler"
    exit 1
  }
  images=("${kernels[@]}" zephyr-module)
  # Each compiles the runtime by its own build.
  if [[ ${BAREFXT_FULL:-0}-$compiler-$target == 1-gcc-aarch64 ]]; then
    modules
    images+=(lk-module nuttx-module)
  fi
  for kernel in "${images[@]}"; do
    "$here/project/image/run.sh" "$source" "$target" "$out/$kernel" "$out/$kernel.raw"
    grep -a '^COUNT' "$out/$kernel.raw" >"$out/$kernel.counts"
    "$build/barefxt" rebuild "$out/$kernel.raw" -o "$out/$kernel.fxt"
    "$build/barefxt" lint "$out/$kernel.fxt"
    "$build/barefxt" print --json "$out/$kernel.fxt" >"$out/$kernel.json"
    expect switches "$(records '"record":"context_switch"')" "$(counted switches)"
    expect ticks "$(records '"event":"duration_end".*"name":"tick"')" "$(counted ticks)"
    expect "$kernel's receives" "$(records "${receives[${kernel%-module}]}")" "$(counted receives)"
    expect "$kernel's sends" "$(records '"name":"queue send"')" "$(counted sends)"
    [[ $kernel != zephyr* ]] ||
      expect blocks "$(records '"category":"heap".*"name":"alloc","')" "$(counted blocks)"
    expect overruns "$(records '"category":"job".*"name":"overrun"')" "$(counted overruns)"
    expect "counters of ticks, which are off," "$(records '"event":"counter".*"name":"ticks"')" 0
    expect "lost records" 0 "$(counted lost)"
    (($(counted switches) > 500)) || expect "switches enough" "$(counted switches)" "more than 500"
  done
done
((failures == 0))
