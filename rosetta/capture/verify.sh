#!/usr/bin/env bash
# Draws with PyTorch, and with cuRAND where there is nvcc, from seeds chosen at this moment, and
# has "philox verify" reproduce every array on the CPU. It needs a GPU, PyTorch 2 and NumPy,
# and Go or the program philox. The folder, new, is kept if it is named.
#
#     rosetta/capture/verify.sh [folder]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 0 ]; then
  folder=$1
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi

"${PYTHON:-python3}" "$here/capture_torch.py" --random-seeds "${SEEDS:-3}" --sizes 1,1000,1000003 "$folder/torch"
if command -v nvcc >/dev/null; then
  program=$(mktemp)
  nvcc -O2 -o "$program" "$here/capture_curand.cu" -lcurand
  "$program" -random-seeds "${SEEDS:-3}" "$folder/curand"
  rm "$program"
fi

if command -v philox >/dev/null; then
  philox verify "$folder"
else
  folder=$(cd "$folder" && pwd)
  go -C "$here/../.." run ./cmd/philox verify "$folder"
fi
