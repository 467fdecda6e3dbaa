#!/bin/sh
# A billion float32 in a file for each process that mpirun starts, x-0.bin and up:
#
#   ./mpirun.sh -n 3
#   ./mpirun.sh -hostfile hosts
#
# If one is lost, say the second of three, it can be made again alone:
#
#   philox fill -dist uniform -n 1e9 -seed 42 -shard 1/3 -out x-1.bin
exec mpirun "$@" philox fill -dist uniform -n "${COUNT:-1e9}" -seed 42 -shard auto -out x-%d.bin
