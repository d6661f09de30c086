#!/bin/bash
# Unit tests where NumPy's own integers have 32 bits, as in a browser: make test-int32, or  bash tests/int32.sh tests/memory
# A Debian of 32 bits is unpacked in build/int32 (1 GB) and entered with chroot: nothing is installed on this machine. It
# needs x86-64 Linux, Debian's or Ubuntu's apt, the keys of Debian's archive, and root.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
here=$PWD/build/int32 pure="anywidget psygnal latex2mathml nbval"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
packages="libc6 bash dash coreutils libblas3 liblapack3 python3 python3-numpy python3-yaml python3-matplotlib python3-pil
  python3-pytest python3-hypothesis python3-jsonschema python3-platformdirs python3-ipywidgets python3-mistune
  python3-nbformat python3-ipykernel python3-coverage"

[ "$(id -u)" = 0 ] && [ -e $keys ] && command -v apt-get chroot >/dev/null ||
  { echo "This needs root, apt-get and the keys of Debian's archive (apt install debian-archive-keyring)."; exit 1; }

if [ ! -e "$here/ready" ]; then
  echo "Unpacking a Debian of 32 bits in build/int32; some minutes the first time."
  rm -rf "$here" && mkdir -p "$here"/{root/tmp,root/dev,wheels,state/lists/partial,cache/archives/partial}
  echo "deb [arch=i386 signed-by=$keys] http://deb.debian.org/debian trixie main" >"$here/sources"
  touch "$here/status"
  cat >"$here/apt" <<END
Dir::Etc::sourcelist "$here/sources"; Dir::Etc::sourceparts "-";
Dir::State "$here/state"; Dir::State::status "$here/status"; Dir::Cache "$here/cache";
APT::Architecture "i386"; APT::Architectures {"i386";}; APT::Install-Recommends "false"; APT::Sandbox::User "root";
END
  export APT_CONFIG=$here/apt
  apt-get update -qq
  apt-get install -qq --yes --download-only -o Debug::NoLocking=1 $packages >/dev/null
  for package in "$here"/cache/archives/*.deb; do dpkg -x "$package" "$here/root"; done
  library=$here/root/usr/lib/i386-linux-gnu
  ln -sf blas/libblas.so.3 "$library/libblas.so.3" && ln -sf lapack/liblapack.so.3 "$library/liblapack.so.3"
  cp -a /dev/null /dev/urandom "$here/root/dev/"
  ${PYTHON:-python3} -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --platform any \
    --python-version 3.13 --implementation py --abi none --dest "$here/wheels" $pure
  for wheel in "$here"/wheels/*.whl; do
    ${PYTHON:-python3} -m zipfile -e "$wheel" "$here/root/usr/lib/python3/dist-packages"
  done
  touch "$here/ready"
fi

rm -rf "$here/root/course" && mkdir "$here/root/course"
cp -r accelerator_lib accelerator_course notebooks quizzes tests pyproject.toml requirements.txt README.md Makefile "$here/root/course/"
[ $# -gt 0 ] || set -- tests/*/ tests/test_{views,units,hardware,quizzes,stage,tell,bounds}.py
exec chroot "$here/root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp CI=true PYTHONPATH=/course:/course/tests bash -c \
  'cd /course && python3 -m pytest -p no:cacheprovider -p int32 -o addopts= --import-mode=importlib -q "$@"' int32 "$@"
