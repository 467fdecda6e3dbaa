#!/bin/sh
# Builds this package's tests, and the command, for a machine with an NVIDIA GPU, which needs neither Go nor a
# compiler nor this source: a Linux of this processor's kind, with a C library that is not older than here.
# Usage: cuda/build-test.sh [folder]. There, run
#
#     PHILOX_REQUIRE_CUDA=1 ./cuda.test -test.v
#     ./philox check -device cuda:0
#     PHILOX_REQUIRE_CUDA=1 compute-sanitizer --tool memcheck --report-api-errors no ./cuda.test -test.short -test.skip Illegal
#
# With the variable, tests that find no GPU fail. The driver refuses what tests of errors ask for, which is no
# error of theirs to report.
set -eu
to=${1:-.}
mkdir -p "$to"
to=$(cd "$to" && pwd)
cd "$(dirname "$0")/.."
CGO_ENABLED=1 go test -c -o "$to/cuda.test" ./cuda
CGO_ENABLED=1 go build -o "$to/philox" ./cmd/philox
