package normal_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
)

// Golden values never change: they are part of version 1 of the sequence.
func TestGolden(t *testing.T) {
	both(t, func(t *testing.T, w *width[float32]) {
		testGolden(t, w, []float32{
			-0x1.f0bcb8p-01, 0x1.8d59cep-03, -0x1.3c51a4p+00, 0x1.ec8678p+00,
			-0x1.2bc06p-04, 0x1.1cf41ep-03, -0x1.1b4e66p+00, 0x1.4e85f8p-02,
		})
	}, func(t *testing.T, w *width[float64]) {
		testGolden(t, w, []float64{
			-0x1.54ac03c1a032ep-01, 0x1.0938db380d761p+00, -0x1.6f135c80fefcbp+00, 0x1.b16fd5e6389bep-02,
			0x1.147f0a3f6edc5p-03, -0x1.cf0bbb759e23p-01, -0x1.4be7821c7eb88p-01, 0x1.3b205af57e137p-01,
		})
	})
}

func testGolden[T float](t *testing.T, w *width[T], want []T) {
	got := make([]T, 8)
	w.fill(philox.New(42), got)
	sameBits(t, want, got, "fill")
	sameBits(t, want, draw(w.source(philox.New(42)), 8), "source")
	sameBits(t, want, w.want(philox.New(42), 8, 0), "one by one")
}

// The SHA-256 of the little-endian bytes of the first 2^20 normals of seed 42.
func TestGoldenHash(t *testing.T) {
	both(t, func(t *testing.T, w *width[float32]) {
		testGoldenHash(t, w, "4e4072bb83d3eeef3c9cb6c1c76c15df107cfa755149138affd322fbb6cc6978")
	}, func(t *testing.T, w *width[float64]) {
		testGoldenHash(t, w, "19807f945c00f4d712b7d650b9e9c83896ddacc487b9dc79a30b77837c2c77a7")
	})
}

func testGoldenHash[T float](t *testing.T, w *width[T], want string) {
	x := make([]T, 1<<20)
	w.fill(philox.New(42), x)
	sameHash(t, want, x, "")
}

// The same of truncated normals, by each method: as many of Box-Muller's, and fewer of
// the others, which have no kernels.
func TestGoldenTruncatedHash(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		mean, std, a, b float64
		n               int
		want32, want64  string
	}{
		{0, 1, -2, 2, 1 << 20,
			"575318797a14638ca5bcc7f2e304bb8f00b99ae7b6a0c0c81167178d2cde3e24",
			"847c19fad2fdd853eadcec240320241eba99385b5861c938ab125915dc0f2890",
		},
		{170, 7.5, 165, inf, 1 << 12,
			"3bc453e3b152a3ccaf8e94ce23c1da963b76e4259f2cee0f5930c3cde7ca01dc",
			"1ca5c632aed0b247b8eed9dbe0d9b877467e0dade9f1436b6c2da321f77aba97",
		},
		{0, 1, -0.25, 0.5, 1 << 12,
			"db390a52ebda9a5af46406ed34ab4e813b0f3c9d5727d0884e211f63d6a8d13b",
			"f41640f6c0fb09ef6334fae9e242198433da410c39c155fbdadcfd6609f0b0ce",
		},
		{0, 1, 2, 2.25, 1 << 12,
			"b0ddd4570452fab3f4c340e10d608b9cca7ad862806cc70cb56fedf12445d63c",
			"991ec14544711a1510d30ceecb13eef6c293d1900e5b79dc30d99c6b54d86eca",
		},
		{0, 1, -11, -10, 1 << 12,
			"8db403ae64f847ad5845e87cfb818f5ac37433f86f3daf47a22c7e369f9e3a39",
			"62e6b5e0680dd36d49380a43ea1bbbc3fe3a76b474c69430933f25d950c2fa75",
		},
	} {
		x, y := make([]float32, tt.n), make([]float64, tt.n)
		require.NoError(t, normal.FillTruncatedFloat32(philox.New(42), x, float32(tt.mean), float32(tt.std), float32(tt.a), float32(tt.b)))
		require.NoError(t, normal.FillTruncatedFloat64(philox.New(42), y, tt.mean, tt.std, tt.a, tt.b))
		sameHash(t, tt.want32, x, fmt.Sprint(tt))
		sameHash(t, tt.want64, y, fmt.Sprint(tt))
	}
}

func sameHash[T float](t *testing.T, want string, x []T, about string) {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, x)
	require.NoError(t, err)
	assert.Equal(t, want, fmt.Sprintf("%x", sha256.Sum256(b)), about)
}
