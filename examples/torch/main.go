//go:build linux && cgo

// Torch is this library as a shared library with a C interface, for programs in other
// languages that have memory on a GPU: philox.py fills PyTorch's tensors with it, on
// PyTorch's current stream, with the numbers that Go makes on the CPU.
//
//	go build -buildmode=c-shared -o examples/torch/libphilox.so ./examples/torch
package main

/*
// What a fill is given. Pointers and handles of the device are numbers.
typedef struct {
	int device;
	unsigned long long pointer;
	long long n;
	unsigned long long seed, stream, offset; // the offset in blocks
	unsigned long long queue;                // a cudaStream_t
	char *message;                           // of size bytes, for what went wrong
	int size;
} philox_fill;
*/
import "C"

import (
	"sync"
	"unsafe"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/philox"
)

func main() {} // a shared library has one all the same

// devices are those that were opened, for as long as the process runs.
var devices struct {
	mu   sync.Mutex
	open map[int]*cuda.Device
}

func device(index int) (*cuda.Device, error) {
	devices.mu.Lock()
	defer devices.mu.Unlock()
	if d := devices.open[index]; d != nil {
		return d, nil
	}
	d, err := cuda.Open(index)
	if err != nil {
		return nil, err
	}
	if devices.open == nil {
		devices.open = map[int]*cuda.Device{}
	}
	devices.open[index] = d
	return d, nil
}

// fill queues a distribution, and returns 0; or writes why it cannot to the message, which ends
// with a zero byte, and returns 1.
func fill[T cuda.Element](f *C.philox_fill, dist cuda.Dist[T], err error) C.int {
	if err == nil {
		err = queue(f, dist)
	}
	if err == nil {
		return 0
	}
	if f.size > 0 {
		b := unsafe.Slice((*byte)(unsafe.Pointer(f.message)), int(f.size))
		b[copy(b[:len(b)-1], err.Error())] = 0
	}
	return 1
}

func queue[T cuda.Element](f *C.philox_fill, dist cuda.Dist[T]) error {
	d, err := device(int(f.device))
	if err != nil {
		return err
	}
	dst, err := cuda.Wrap[T](d, uintptr(f.pointer), int(f.n))
	if err != nil {
		return err
	}
	s := philox.NewAt(philox.NewKey(uint64(f.seed)), philox.CounterAt(uint64(f.stream), uint64(f.offset)))
	return dist.Fill(dst.On(d.StreamAt(uintptr(f.queue))), s, 0)
}

//export philox_uint32
func philox_uint32(f *C.philox_fill) C.int { return fill(f, cuda.Uint32s(), nil) }

//export philox_uniform_float
func philox_uniform_float(f *C.philox_fill, lo, hi C.float) C.int {
	dist, err := cuda.Uniforms(float32(lo), float32(hi))
	return fill(f, dist, err)
}

//export philox_normal_float
func philox_normal_float(f *C.philox_fill, mean, std C.float) C.int {
	dist, err := cuda.Normals(float32(mean), float32(std))
	return fill(f, dist, err)
}
