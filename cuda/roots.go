package cuda

import "unsafe"

// CheckRoots has the device take, as normals do it, the square root of every float32 from 2^-33 to
// 64, more than normals take any of, and returns how many are not correctly rounded, and of how many.
// None should be: the numbers of another generation of GPUs, whose estimates differ, hang on
// this alone. It waits for the result.
func CheckRoots(d *Device) (wrong, of uint64, err error) {
	const (
		least, end = 0x2f000000, 0x42800000 // bit patterns
		grid       = 1024
	)
	counts, err := Alloc[uint32](d, grid*threads)
	if err != nil {
		return 0, 0, err
	}
	defer counts.Free()
	err = counts.target().use(func(stream uintptr) error {
		f, err := d.kernel(find("roots"))
		if err != nil {
			return err
		}
		params := fillParams{dst: uint64(counts.Pointer())}
		args := kernelArgs{n: [4]uint64{least, end - least}}
		return d.launch(f, grid, threads, stream, unsafe.Pointer(&params), unsafe.Pointer(&args))
	})
	if err != nil {
		return 0, 0, err
	}
	each := make([]uint32, counts.Len())
	if err := counts.CopyTo(each); err != nil {
		return 0, 0, err
	}
	for _, n := range each {
		wrong += uint64(n)
	}
	return wrong, end - least, nil
}
