#!/usr/bin/env bash
# packaging.sh SOURCE WORK BUILD TARGET: every way of docs/how-to/packaging.md, as printed there and without CMake,
# makes an image that boots, and all of them record the same. WORK/runtime-prefix is an installed tree, and git
# takes WORK/repository for the address that the page has.
set -euo pipefail
source=$1 work=$2 build=$3 target=$4
here=$source/host-tests/project
page=$source/docs/how-to/packaging.md
prefix=$work/runtime-prefix

# The flags of toolchain/$target.cmake, for GCC and clang alike.
declare -A flags=(
  [aarch64]="-O2 -ffreestanding -fno-pic -mgeneral-regs-only -mstrict-align -mno-outline-atomics"
)
declare -A gcc=([aarch64]=aarch64-linux-gnu-) clang=([aarch64]=aarch64-none-elf)
port=$target
image=$here/image/$port

block() { # LANGUAGE N: the page's Nth code in that language
  awk -v fence="\`\`\`$1" -v wanted="$2" \
    '$0 == fence { inside = ++seen == wanted; next } /^```/ { inside = 0 } inside' "$page"
}

quietly() { # COMMAND...
  "$@" >"$work/log" 2>&1 || {
    cat "$work/log"
    echo "FAILED: $*"
    exit 1
  }
}

# The folder of one way, with the kernel in it.
folder() { # NAME
  mkdir -p "$work/$1"
  cp "$image"/* "$here/packaging/kernel.c" "$work/$1"
}

# The recorded content, without times, and without the order of the strings, which is that of
# linking.
records() { # IMAGE NAME
  "$here/image/run.sh" "$source" "$target" "$1" "$work/$2.raw"
  "$build/barefxt" rebuild "$work/$2.raw" -o "$work/$2.fxt" 2>"$work/log"
  "$build/barefxt" doctor "$work/$2.raw" >"$work/log" || {
    cat "$work/log"
    exit 1
  }
  "$build/barefxt" print --json "$work/$2.fxt" |
    grep -v '"record":"string"' | sed -E 's/"(timestamp|offset)":[0-9]+//g' >"$work/$2.json"
}

same() { # NAME: as what the library recorded that CMake made
  if ! cmp "$work/$1.json" "$work/library.json"; then
    echo "FAILED: the image made by $1 records something else"
    exit 1
  fi
}

# Without naming what to make.
make_all() { # NAME MAKEFILE-VARIABLE...
  local name=$1
  shift
  quietly make -C "$work/$name" -f Makefile "$@" PREFIX="$prefix" \
    CFLAGS="-std=gnu99 -Wall -Wextra -Werror ${flags[$target]}" CXXFLAGS="-Wall -Wextra ${flags[$target]}"
}
with_gcc=(CC="${gcc[$target]}gcc" CXX="${gcc[$target]}g++"
  LDFLAGS="-nostdlib -static -Wl,--build-id=none -T image.ld")
with_clang=(CC="clang-19 --target=${clang[$target]}" CXX="clang++-19 --target=${clang[$target]}"
  LDFLAGS="-fuse-ld=lld-19 -nostdlib -static -Wl,--build-id=none -T image.ld")

# The library, by pkg-config.
export PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig
folder library
block make 2 >"$work/library/Makefile"
make_all library "${with_gcc[@]}"
records "$work/library/kernel.elf" library
steps=$(grep -c '"name":"step"' "$work/library.json")
switches=$(grep -c '"record":"context_switch"' "$work/library.json")
if ((steps != 100 || switches != 200)); then
  echo "FAILED: $steps steps and $switches switches, rather than 100 and 200"
  exit 1
fi

# A probe in C++ needs the options of the target's C++, too: this one would copy by floating-point registers.
cat >"$work/probe.cpp" <<END
#include <barefxt/barefxt.h>
BAREFXT_CATEGORY(probe, 4);
struct Block {
  unsigned long words[8];
};
void copy(Block& to, const Block& from) {
  to = from;
  BAREFXT_INSTANT(probe, "copied", BAREFXT_ARG_U32("bytes", sizeof to));
}
END
read -r -a cflags <<<"$(pkg-config --cflags barefxt-runtime)"
read -r -a cxxflags <<<"$(pkg-config --variable=cxxflags barefxt-runtime)"
quietly "${gcc[$target]}g++" -O2 -Wall -Wextra -Werror "${cflags[@]}" "${cxxflags[@]}" -c "$work/probe.cpp" -o "$work/probe.o"
if "${gcc[$target]}objdump" -d --no-show-raw-insn "$work/probe.o" | cut -f 2- | grep -v '<' |
  grep -E '\b[qdv][0-9]+\b' >"$work/log"; then
  cat "$work/log"
  echo "FAILED: a probe in C++ by pkg-config uses floating-point registers"
  exit 1
fi

# The Makefile's fragment, with the two files of the installed tree, by both compilers.
for compiler in gcc clang; do
  folder "two-files-$compiler"
  block make 1 >"$work/two-files-$compiler/Makefile"
  sed -i 's|<barefxt/barefxt.h>|"barefxt.h"|' "$work/two-files-$compiler/kernel.c"
  if [[ $compiler == gcc ]]; then
    make_all "two-files-$compiler" "${with_gcc[@]}"
  else
    make_all "two-files-$compiler" "${with_clang[@]}"
  fi
  records "$work/two-files-$compiler/kernel.elf" "two-files-$compiler"
  same "two-files-$compiler"
done
# The same fragment in the source's own tree compiles what the library is made of.
mkdir "$work/source"
cp -r "$source/runtime" "$source/port" "$source/linker" "$source/toolchain" "$work/source"
cat >"$work/source/Makefile" <<END
BAREFXT_PORT := $port
include toolchain/make/barefxt.mk
all: \$(BAREFXT_OBJECTS)
END
# By the compiler for C, if that is all that is named: make's own CXX compiles for this machine.
compiled() { # WANTED MAKE-ARGUMENT...: that many files of the runtime
  local wanted=$1 number
  shift
  quietly make -C "$work/source" CC="${gcc[$target]}gcc ${flags[$target]}" "$@"
  number=$(grep -c "^${gcc[$target]}gcc .* -c .*/runtime/src/.*cpp" "$work/log" || true)
  if ((number != wanted)); then
    echo "FAILED: make $* in the source's tree compiles $number files of the runtime instead of $wanted"
    exit 1
  fi
}
listed=$(grep -c '^  src/[^/]*\.cpp' "$source/runtime/CMakeLists.txt")
compiled "$listed"
compiled 0
compiled "$listed" BAREFXT_OPTIONS=-DBAREFXT_MAX_CPUS=1
compiled 0 BAREFXT_OPTIONS=-DBAREFXT_MAX_CPUS=1
touch "$work/source/runtime/src/recover.h"
dependent=$(grep -l 'recover\.h' "$work"/source/barefxt-build/*.d | wc -l)
((dependent > 1 && dependent < listed)) || exit 1
compiled "$dependent" BAREFXT_OPTIONS=-DBAREFXT_MAX_CPUS=1
# It refuses a port that there is not.
if make -f "$prefix/share/barefxt/barefxt.mk" BAREFXT_PORT=z80 >"$work/log" 2>&1; then
  echo "FAILED: barefxt.mk takes a port that there is not"
  exit 1
fi
grep -q 'no barefxt_port.h for BAREFXT_PORT=z80' "$work/log"

# Meson, as a subproject that its wrap fetches, from the address in package.sh; and with the installed library.
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$source/meson.build")
if ! grep -q "^  VERSION $version\$" "$source/CMakeLists.txt"; then
  echo "FAILED: meson.build says version $version, and CMakeLists.txt another"
  exit 1
fi
words() { # WORD...: as a list of Meson's
  printf "'%s', " "$@"
}
for way in wrap installed; do
  folder "meson-$way"
  read -r -a list <<<"${flags[$target]}"
  libdir=$prefix/lib/pkgconfig
  [[ $way == installed ]] || libdir=$work/nowhere
  cat >"$work/meson-$way/cross.ini" <<END
[binaries]
c = '${gcc[$target]}gcc'
cpp = '${gcc[$target]}g++'
ar = '${gcc[$target]}ar'
pkgconfig = 'pkg-config'
[properties]
pkg_config_libdir = '$libdir'
[built-in options]
c_args = [$(words "${list[@]}")]
cpp_args = [$(words "${list[@]}")]
c_link_args = ['-nostdlib', '-static', '-Wl,--build-id=none', '-T', '$work/meson-$way/image.ld']
cpp_link_args = ['-nostdlib', '-static', '-Wl,--build-id=none', '-T', '$work/meson-$way/image.ld']
[host_machine]
system = 'none'
cpu_family = '$target'
cpu = '$target'
endian = 'little'
END
  {
    echo "project('kernel', 'c', 'cpp', default_options: ['buildtype=release', 'b_pie=false'])"
    block meson 1
  } >"$work/meson-$way/meson.build"
  mkdir "$work/meson-$way/subprojects"
  block ini 1 | sed "s,BAREFXT_REPOSITORY,file://$work/repository," >"$work/meson-$way/subprojects/barefxt.wrap"
  (
    unset PKG_CONFIG_LIBDIR
    quietly meson setup --unity on --unity-size 1000 --cross-file "$work/meson-$way/cross.ini" "$work/meson-$way/build" "$work/meson-$way"
  )
  quietly ninja -C "$work/meson-$way/build"
  has_subproject=false
  [[ ! -e $work/meson-$way/build/subprojects/barefxt/libbarefxt_runtime.a ]] || has_subproject=true
  wants_subproject=false
  [[ $way != wrap ]] || wants_subproject=true
  if [[ $way == wrap && ! -d $work/meson-wrap/subprojects/barefxt/.git ]]; then
    echo "FAILED: meson took the subproject, and did not fetch it"
    exit 1
  fi
  if [[ $has_subproject != "$wants_subproject" ]]; then
    echo "FAILED: meson took the subproject: $has_subproject, for the way '$way'"
    exit 1
  fi
  records "$work/meson-$way/build/kernel.elf" "meson-$way"
  same "meson-$way"
done

# The host's library by pkg-config.
export PKG_CONFIG_LIBDIR=$work/host-prefix/lib/pkgconfig
read -r -a host_flags <<<"$(pkg-config --cflags --libs barefxt-host)"
quietly c++ -std=c++20 "$work/program.cpp" "${host_flags[@]}" -o "$work/host-consumer"
"$work/host-consumer" "$source/host-tests/goldens/captures/cortex-m3-demo.v2.raw" >/dev/null
