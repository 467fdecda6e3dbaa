#!/bin/sh
# Makes philox.ptx of philox.cu with nvcc 11.8, which still knows Volta, and whose
# PTX, version 7.8, every driver since CUDA 11.8 compiles. Debian 12 has it: with "contrib non-free" among the
# components of its sources, apt-get install --no-install-recommends nvidia-cuda-toolkit.
set -eu
cd "$(dirname "$0")"
options='-ptx -arch=compute_70 -std=c++17 -O3'
nvcc --version | grep -q 'release 11.8' || {
  echo "nvcc 11.8 is needed: later PTX asks for later drivers" >&2
  exit 1
}
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
# shellcheck disable=SC2086 # options are many
nvcc $options -o "$tmp" philox.cu
{
  echo "// Made by build.sh, nvcc $options, of the philox.cu with the SHA-256"
  echo "// $(sha256sum philox.cu | cut -d' ' -f1)"
  cat "$tmp"
} >philox.ptx
