#!/bin/sh
#SBATCH --job-name=philox
#SBATCH --array=0-6
#SBATCH --cpus-per-task=4
#SBATCH --mem=1G
#SBATCH --time=00:10:00

# A billion float32 in seven files, x-0.bin to x-6.bin, one a task:
#
#   sbatch slurm-array.sh
#
# A task that died is submitted again alone, and writes what it would have
# written:
#
#   sbatch --array=3 slurm-array.sh
#
# That is why the number of shards is given here: such an array has one task.
exec philox fill -dist uniform -n "${COUNT:-1e9}" -seed 42 -shard auto/7 -out x-%d.bin
