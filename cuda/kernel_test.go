package cuda

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/bits"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// The hash that build.sh writes ties philox.ptx to philox.cu. CI has no nvcc to make it again.
func TestPTXIsOfTheSource(t *testing.T) {
	text, err := os.ReadFile("philox.cu")
	if err != nil {
		t.Skip("no sources here; .ci/run also runs this test where they are")
	}
	sum := sha256.Sum256(text)
	assert.Contains(t, source, "// "+hex.EncodeToString(sum[:])+"\n", "philox.cu has changed: run build.sh")
}

// What drivers since CUDA 11.8 and GPUs since Volta take.
func TestPTXIsForOldDriversAndDevices(t *testing.T) {
	assert.Contains(t, source, "\n.version 7.8\n.target sm_70\n.address_size 64\n")
	assert.NotContains(t, source, ".ftz.f64")
	// Subnormal numbers become 0 in one estimate alone, which gets none.
	flushing := regexp.MustCompile(`[a-z.0-9]*\.ftz[a-z.0-9]*`).FindAllString(source, -1)
	require.NotEmpty(t, flushing)
	for _, op := range flushing {
		require.Equal(t, "rsqrt.approx.ftz.f32", op)
	}
	// Operations whose results the hardware or the compiler would choose.
	assert.Equal(t, len(flushing), len(regexp.MustCompile(`\.(approx|full)\.`).FindAllString(source, -1)))
	for _, op := range regexp.MustCompile(`\t(add|sub|mul|fma|div|sqrt)(\.[a-z]+)*\.f(32|64)`).FindAllString(source, -1) {
		require.Contains(t, op, ".rn", "%q may be rounded or fused by choice", op)
	}
}

func TestKernels(t *testing.T) {
	sizes := map[string]uintptr{"0": unsafe.Sizeof(fillParams{}), "1": unsafe.Sizeof(kernelArgs{})}
	for stage, k := range kernels() {
		image := string(k.image)
		assert.Equal(t, 1, len(entry.FindAllString(image, -1)), stage)
		assert.Contains(t, image, ".entry "+k.name+"(", stage)
		assert.True(t, bytes.HasSuffix(bytes.TrimSpace(k.image), []byte("}")), stage)
		params := regexp.MustCompile(`\.param \.align 8 \.b8 `+k.name+`_param_(\d)\[(\d+)\]`).FindAllStringSubmatch(image, -1)
		require.Len(t, params, 2, stage)
		for _, p := range params {
			size, err := strconv.Atoi(p[2])
			require.NoError(t, err)
			assert.Equal(t, sizes[p[1]], uintptr(size), "%s, parameter %s", stage, p[1])
		}
		assert.NotZero(t, k.times, stage)
	}
	assert.Len(t, kernels(), len(entry.FindAllString(source, -1)))
	for _, stage := range []string{"prepare", "roots", "keep32", "keep64", "keep16", "keepb16", "bits", "bits_state"} {
		assert.Equal(t, kernels()[stage], find(stage))
	}
	assert.PanicsWithValue(t, "cuda: philox.ptx has no kernel none", func() { find("none") })
}

// The kernels' own beginning of a block, with what startAt has made, must come to the block.
func TestStartAt(t *testing.T) {
	const m0, m1 = 0xD2511F53, 0xCD9E8D57
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		seed, hi, lo := rng.Uint64(), rng.Uint64(), rng.Uint64()
		s := startAt(seed, hi, lo)
		x, y, z, u, k := s.rounds[0], s.rounds[1], s.rounds[2], s.rounds[3], s.rounds[4:]
		ph, pl := bits.Mul32(m0, s.counter[0])
		qh, ql := bits.Mul32(m1, ph^x)
		rh, rl := bits.Mul32(m0, qh^y)
		th, tl := bits.Mul32(m1, pl^z)
		c := [4]uint32{th ^ ql ^ k[0], tl, rh ^ u, rl}
		for i := 1; i < len(k); i += 2 {
			ph, pl := bits.Mul32(m0, c[0])
			qh, ql := bits.Mul32(m1, c[2])
			c = [4]uint32{qh ^ c[1] ^ k[i], ql, ph ^ c[3] ^ k[i+1], pl}
		}
		require.Equal(t, philox.Block(philox.NewKey(seed), skip.FromUint64s(hi, lo)), c)
	}
}

// Pieces must follow each other, write every element once and end where a counter wraps, also for
// fills of more than 2^32 elements; and nearly all of what is aligned must be written in whole
// units.
func TestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	shapes := []struct{ perBlock, size, unit uint64 }{
		{4, 4, 16}, {2, 8, 16}, {16, 1, 16}, {4, 2, 16}, {4, 2, 8}, {4, 1, 16}, {4, 1, 4}, {4, 8, 32},
	}
	for i := range 5000 {
		shape := shapes[rng.IntN(len(shapes))]
		c := cut{
			dst: 1<<20 + shape.size*rng.Uint64N(64), skip: rng.Uint64N(shape.perBlock),
			perBlock: shape.perBlock, size: shape.size, unit: shape.unit, across: shape.unit == 16 && i%3 == 1, most: 1 << rng.IntN(8),
		}
		c.most *= max(1, shape.unit/(shape.perBlock*shape.size)) // of the blocks of a unit
		c.end = c.skip + 1 + rng.Uint64N(1000)
		if i%4 == 0 {
			c.most, c.end = maxBlocks, c.end+rng.Uint64N(1<<36)
		}
		from := rng.Uint32()
		if rng.IntN(2) == 0 {
			from = -uint32(rng.IntN(300))
		}
		perUnit := shape.unit / shape.size // elements
		written, launches := uint64(0), 0
		for block := uint64(0); block < c.blocks(); launches++ {
			c0 := from + uint32(block)
			p := c.piece(block, c0)
			require.Equal(t, block, p.block)
			require.NotZero(t, p.blocks)
			require.LessOrEqual(t, p.blocks, c.most)
			require.LessOrEqual(t, uint64(c0)+p.blocks, uint64(1<<32))
			q := p.params
			require.Equal(t, c.dst+block*shape.perBlock*shape.size, q.dst)
			first, end := uint64(q.begin), uint64(q.units-1)*perUnit+uint64(q.end)
			require.Less(t, first, end)
			require.Equal(t, max(c.skip, block*shape.perBlock)-block*shape.perBlock, first)
			require.Equal(t, min(c.end, (block+p.blocks)*shape.perBlock)-block*shape.perBlock, end)
			require.LessOrEqual(t, q.units, uint32(1<<30))
			if q.wholes > 0 {
				if q.ahead == 0 {
					require.Zero(t, q.dst%min(shape.unit, 16))
				} else {
					require.Equal(t, uint64(16), shape.unit)
					require.Zero(t, (q.dst+uint64(q.ahead))%16)
				}
				require.GreaterOrEqual(t, uint64(q.whole)*perUnit, first)
				require.LessOrEqual(t, uint64(q.whole+q.wholes)*perUnit, end)
				require.True(t, q.ahead == 0 || c.across)
			} else if q.dst%min(shape.unit, 16) == 0 {
				require.LessOrEqual(t, q.units, uint32(2))
			}
			written += end - first
			block += p.blocks
		}
		require.Equal(t, c.end-c.skip, written)
		if c.most == maxBlocks {
			require.LessOrEqual(t, uint64(launches), 4+c.blocks()/maxBlocks*2)
		}
	}
}

func TestGrid(t *testing.T) {
	k := &kernel{times: 4}
	for _, c := range []struct{ units, limit, want uint32 }{
		{1, 0, 1}, {1024, 0, 1}, {1025, 0, 2}, {1 << 30, 0, 1 << 20}, {1 << 30, 132, 132}, {1, 132, 1},
	} {
		assert.Equal(t, c.want, k.grid(c.units, c.limit), "%+v", c)
	}
}
