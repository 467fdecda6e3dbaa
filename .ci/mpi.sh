#!/usr/bin/env bash
# Three MPI processes write three shards, which joined are the single run's output;
# and so they are when one is killed and the missing shards are run again.
# Usage: mpi.sh folder-with-philox
set -euo pipefail
examples=$(realpath "$(dirname "$0")/../examples/shards")
export PATH=$(realpath "$1"):$PATH
cd "$(mktemp -d -p "$1")"
mpi=(--allow-run-as-root --oversubscribe -n 3)

joined() { # name of the shards, what writes the whole...
  "${@:2}" -out whole.bin
  cat "$1"-0.bin "$1"-1.bin "$1"-2.bin | cmp - whole.bin
}

# One of each size of an element and number of elements in a block.
for dist in u32 u64 uniform truncnormal64 uniform16 bernoulli geometric 'int -hi 100' 'uint8 -hi 7'; do
  echo "$dist"
  name=${dist%% *}
  fill=(philox fill -dist $dist -n 100_003 -seed 42)
  mpirun "${mpi[@]}" "${fill[@]}" -shard auto -out "$name-%d.bin"
  joined "$name" "${fill[@]}"
done

echo "the example"
COUNT=100_003 "$examples/mpirun.sh" "${mpi[@]}"
joined x philox fill -dist uniform -n 100_003 -seed 42

echo "one process killed"
fill=(philox fill -dist u32 -n 1e8 -seed 5)
if mpirun "${mpi[@]}" bash -c '
  "$@" -shard auto -out y-%d.bin &
  if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then
    # At work: it has its file open.
    until ls -l /proc/$!/fd | grep -q partial; do kill -0 $!; done
    kill -KILL $!
  fi
  wait $!' - "${fill[@]}" 2>log; then
  echo "it was not killed"
  exit 1
fi
[ ! -e y-1.bin ]
for i in 0 1 2; do # mpirun ends the others too, if they are not done yet
  [ -e y-$i.bin ] || "${fill[@]}" -shard $i/3 -out y-$i.bin
done
joined y "${fill[@]}"
