#!/usr/bin/env bash
# Runs the demo twice and then all tests in a bare Debian 12, like a first user. Needs root, debootstrap, git and the
# network; takes the last commit, not the working tree.
set -euo pipefail

if (($# > 1)) || [[ ${1:-} == -* ]]; then
  echo "usage: toolchain/fresh-machine-test.sh [FOLDER]   where to make the root, if it is to stay" >&2
  exit 2
fi
if ((EUID != 0)); then
  echo "fresh-machine-test.sh: needs root" >&2
  exit 2
fi

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bare=${1:-$(mktemp -d)}
keep=$#

clean_up() {
  umount "$bare/proc" 2>/dev/null || true
  # Nothing of this machine may be mounted below when the folder goes.
  if ((keep == 0)) && ! mountpoint -q "$bare/proc"; then
    rm -rf --one-file-system "$bare"
  fi
}
trap clean_up EXIT

if [[ ! -e $bare/etc/debian_version ]]; then
  debootstrap --variant=minbase bookworm "$bare"
  # How this machine reaches Debian's packages is not what is tested.
  cp /etc/resolv.conf "$bare/etc/"
  cp -r /etc/apt/apt.conf.d/*proxy* "$bare/etc/apt/apt.conf.d/" 2>/dev/null || true
fi
mount -t proc proc "$bare/proc"

rm -rf "$bare/root/barefxt"
git clone --quiet --no-hardlinks "$source" "$bare/root/barefxt"

inside() {
  chroot "$bare" /usr/bin/env -i HOME=/root \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
for script in demo.sh demo.sh "demo.sh --semihosting" test.sh; do
  begin=$SECONDS
  # shellcheck disable=SC2086 # the option is a word of its own
  inside /root/barefxt/toolchain/$script
  echo "== fresh machine, $script: $((SECONDS - begin)) s"
done
