#!/usr/bin/env bash
# What of the tests of a package is for an emulated machine, or the command's own check
# there. Several may run at once: what one prints comes when it ends, and a status of 255
# is one at which xargs starts no more.
# Usage: emulated.sh machine package|check
set -euo pipefail
cd "$(dirname "$0")/.."
machine=$1 what=$2
tmp=$(mktemp -d)
exec 3>&1 >"$tmp/log" 2>&1
finish() {
  local status=$?
  if [ $status = 0 ]; then
    echo "$machine $what: $(tail -n 1 "$tmp/log") (${SECONDS}s)" >&3
  else
    { echo "$machine $what failed:"; cat "$tmp/log"; } >&3
    status=255
  fi
  rm -rf "$tmp"
  exit $status
}
trap finish EXIT

export GOOS=linux GOARCH=$machine CGO_ENABLED=0 PHILOX_REQUIRE_ISA='' PHILOX_EXPECT_ISA=generic
emulator=qemu-$machine
case $machine in
  arm64) emulator=qemu-aarch64 ;;
  wasm) GOOS=js emulator=$(go env GOROOT)/lib/wasm/go_js_wasm_exec ;;
  Haswell*|Nehalem*) GOARCH=amd64 emulator="qemu-x86_64 -cpu $machine" ;;
esac
[ "$machine" != Haswell ] || PHILOX_EXPECT_ISA=avx2

if [ "$what" = check ]; then
  go build -o "$tmp/philox" ./cmd/philox
  $emulator "$tmp/philox" check
  exit
fi

# Elsewhere numbers have the statistics that they have here.
tests=() skip='^TestStatistics|^TestTruncatedDistribution$|^TestFarTails$'
case $machine:$what in
  s390x:cmd/philox)
    # Files are little-endian on a big-endian machine too.
    tests=(-test.run '^Test(Fill|Perm|Shard|Reverse|Npy|Parse)')
    skip+='|Truncates|Threads' ;;
  s390x:random) ;;
  *:random)
    # All the rest is tested where bytes are in the other order.
    tests=(-test.run '^TestGolden|^TestState|^TestOperatorsAtExtremeWords|^Example') ;;
  mips:philox/asm|mips:normal)
    # Words of 32 bits and their order have all their tests on arm and s390x, where
    # floating-point numbers do not take several times as long to emulate.
    tests=(-test.run '^TestPortableCarries$|^TestExtremeWords$|^TestOddAddresses$|^TestFillHalves$|^TestTruncatedIsFixed$|^TestGolden$|^TestSource|^TestState') ;;
  Nehalem:*|Haswell,*)
    # What is chosen, and that it works; the portable code has its tests elsewhere.
    tests=(-test.run '^TestChosenLevel$|^TestMissing|^TestGolden|^TestKAT|^TestTruncatedIsFixed$') ;;
esac
go test -c -o "$tmp/test" "./$what"
(cd "$what" && $emulator "$tmp/test" -test.short -test.timeout 15m -test.skip "$skip" "${tests[@]}")
if grep -q 'no tests to run' "$tmp/log"; then exit 1; fi
