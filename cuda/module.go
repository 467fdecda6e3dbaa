package cuda

import "unsafe"

// A function is a kernel that a device has loaded.
type function uintptr

// function returns a kernel of an image, PTX or a cubin, which it loads when the device first
// needs it. Names are of the device: two images must not have the same one. The image must not
// change. It is called while something holds the device.
func (d *Device) function(image []byte, name string) (function, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f, ok := d.functions[name]; ok {
		return f, nil
	}
	module, err := d.module(image)
	if err != nil {
		return 0, err
	}
	handle, err := driverFunction(d.context, module, name)
	if err != nil {
		return 0, err
	}
	d.functions[name] = function(handle)
	return function(handle), nil
}

// module returns an image, loaded. It is called with d.mu locked.
func (d *Device) module(image []byte) (uintptr, error) {
	first := unsafe.SliceData(image)
	if module, ok := d.modules[first]; ok {
		return module, nil
	}
	// The driver takes no length, and looks for a zero byte.
	module, err := driverModule(d.context, append(image[:len(image):len(image)], 0))
	if err != nil {
		return 0, err
	}
	d.modules[first] = module
	d.owned[resource{kindModule, module}] = struct{}{}
	return module, nil
}

// launch queues a kernel with blocks of block threads. The driver copies *fill and *args, in which
// there are no Go pointers. It is called while something holds the device, as target.use does.
func (d *Device) launch(f function, grid, block uint32, stream uintptr, fill, args unsafe.Pointer) error {
	return driverLaunch(d.context, uintptr(f), grid, block, stream, fill, args)
}
