package cuda

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/philox-go/rng/skip"
)

// load loads the driver when it is first called for. What it returned then it returns always.
var load = sync.OnceValue(driverLoad)

// An Info describes a device.
type Info struct {
	Index           int    // its place among the driver's devices, from 0 on
	Name            string // the maker's, such as "NVIDIA H200"
	Major, Minor    int    // the compute capability, such as 9 and 0
	Memory          uint64 // bytes in all
	Multiprocessors int
	DriverVersion   int // the newest CUDA that the driver knows, such as 12040 for 12.4
}

// Devices describes all devices. If there are none, its error is an [*UnavailableError] that
// says why.
func Devices() ([]Info, error) {
	n, err := count()
	if err != nil {
		return nil, err
	}
	infos := make([]Info, n)
	for i := range infos {
		if infos[i], err = driverDescribe(i); err != nil {
			return nil, err
		}
	}
	return infos, nil
}

// count returns the number of devices, at least 1, or an error.
func count() (int, error) {
	if err := load(); err != nil {
		return 0, err
	}
	n, err := driverCount()
	if err == nil && n < 1 {
		err = &UnavailableError{Reason: "the driver has no device"}
	}
	return n, err
}

// A Device is an open device. It works in the device's primary context, which all
// libraries of a process share, and makes it current only for as long as a call takes.
// It is safe for concurrent use.
type Device struct {
	gate    gate
	info    Info
	context uintptr
	legacy  *Stream

	// leaked, which tests set before they allocate, is told of memory that was collected
	// without having been freed.
	leaked func(pointer uintptr, bytes int)

	maxBlocks uint64 // of a launch, fewer in tests

	mu        sync.Mutex // of the rest
	owned     map[resource]struct{}
	modules   map[*byte]uintptr
	functions map[string]function
}

// Open opens the device with an index. A device may be opened many times; each is closed by
// itself. If there is no device the error is an [*UnavailableError], if there is none of this
// index an [*skip.ArgumentError].
func Open(index int) (*Device, error) {
	n, err := count()
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= n {
		return nil, &skip.ArgumentError{Package: "cuda", Arg: "index", Value: strconv.Itoa(index),
			Reason: fmt.Sprintf("must be at least 0 and below %d, the number of devices", n)}
	}
	info, err := driverDescribe(index)
	if err == nil {
		err = info.check()
	}
	if err != nil {
		return nil, err
	}
	context, err := driverRetain(index)
	if err != nil {
		return nil, err
	}
	d := &Device{
		info:      info,
		context:   context,
		maxBlocks: maxBlocks,
		owned:     map[resource]struct{}{},
		modules:   map[*byte]uintptr{},
		functions: map[string]function{},
	}
	d.legacy = d.StreamAt(0)
	return d, nil
}

// check returns an [*UnavailableError] if driver or device are too old for philox.ptx.
func (i Info) check() error {
	const driver, major = 11080, 7
	switch {
	case i.DriverVersion < driver:
		return &UnavailableError{Reason: fmt.Sprintf("the driver is of CUDA %d.%d, and 11.8 or later is needed", i.DriverVersion/1000, i.DriverVersion%1000/10)}
	case i.Major < major:
		return &UnavailableError{Reason: fmt.Sprintf("cuda:%d, %s, has compute capability %d.%d, and 7.0 or later is needed", i.Index, i.Name, i.Major, i.Minor)}
	}
	return nil
}

// String returns "cuda:" and the index.
func (d *Device) String() string { return fmt.Sprintf("cuda:%d", d.info.Index) }

// Info describes the device. It may be called after Close.
func (d *Device) Info() Info { return d.info }

// Memory returns how many bytes the device has, and how many of them nobody uses.
func (d *Device) Memory() (free, total uint64, err error) {
	if err := d.enter(); err != nil {
		return 0, 0, err
	}
	defer d.leave()
	return driverMemory(d.context)
}

// Sync waits for all that is queued on the device, by whomever in this process. It
// returns the first failure among it.
func (d *Device) Sync() error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	return driverSync(d.context)
}

// Close waits for all that is queued on the device, gives back its streams, events, graphs and
// memory, as far as they came from this Device, and closes it. It does so even if it fails. After
// it, what uses the device or anything of it fails with [ErrClosed]; a second Close does
// nothing and returns nil.
func (d *Device) Close() error {
	if d == nil || d.context == 0 || !d.gate.close() {
		return nil
	}
	errs := []error{driverSync(d.context)}
	d.mu.Lock()
	defer d.mu.Unlock()
	// Graphs know functions of modules, and events may be waited for by streams.
	for _, k := range []kind{kindGraph, kindEvent, kindStream, kindModule, kindMemory} {
		for r := range d.owned {
			if r.kind == k {
				errs = append(errs, driverDestroy(d.context, r.kind, r.handle))
			}
		}
	}
	clear(d.owned)
	errs = append(errs, driverRelease(d.info.Index))
	return first(errs)
}

// first returns the first error. A context that has failed fails every call, which is no news.
func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// enter holds the device open. If it returns nil, leave is due.
func (d *Device) enter() error {
	if d == nil || d.context == 0 || !d.gate.enter() {
		return &ClosedError{What: "the device"}
	}
	return nil
}

func (d *Device) leave() { d.gate.leave() }

// own notes what Close gives back.
func (d *Device) own(r resource) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.owned[r] = struct{}{}
}

// giveBack gives back what was noted.
func (d *Device) giveBack(r resource) error {
	d.mu.Lock()
	delete(d.owned, r) // before the driver may hand out the same handle again
	d.mu.Unlock()
	return driverDestroy(d.context, r.kind, r.handle)
}

// ignoreClosed makes closing something twice no error.
func ignoreClosed(err error) error {
	if errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}
