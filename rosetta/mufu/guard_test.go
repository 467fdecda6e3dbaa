//go:build unix

package mufu

import (
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/philox-go/rng/philox/asm"
	"github.com/stretchr/testify/require"
)

// guarded returns a page of numbers between two that cannot be read or written.
func guarded(t *testing.T) []uint32 {
	page := os.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(m)) })
	require.NoError(t, syscall.Mprotect(m[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(m[2*page:], syscall.PROT_NONE))
	return unsafe.Slice((*uint32)(unsafe.Pointer(&m[page])), page/4)
}

// All slices begin at a guard page, and then they end at one.
func TestSlicesInsideGuardPages(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var mem [4][]uint32
	for i := range mem {
		mem[i] = guarded(t)
	}
	for _, l := range asm.Levels() {
		for n := 1; n <= 100; n++ {
			for _, back := range []bool{false, true} {
				var s [4][]uint32
				for i, m := range mem {
					s[i] = m[:n:n]
					if back {
						s[i] = m[len(m)-n:]
					}
				}
				dst, other, x, y := floats(s[0]), floats(s[1]), s[2], s[3]
				for o := range ops {
					copy(floats(x), mixed(r, n))
					apply(l, o, dst, floats(x))
					sameSlice(t, l, o, dst, floats(x))
				}
				copy(x, words(r, n))
				copy(y, words(r, n))
				uniforms(l, dst, x)
				uniformsBetween(l, other, x, 1, 0, 2)
				for i := range dst {
					require.Equal(t, Uniform(x[i]), dst[i], l)
					require.Equal(t, Uniform(x[i]), other[i], l)
				}
				affine(l, dst, 2, 1)
				normals(l, dst, other, x, y)
				for i := range dst {
					a, b := Normal(x[i], y[i])
					require.Equal(t, [2]float32{a, b}, [2]float32{dst[i], other[i]}, l)
				}
			}
		}
	}
}
