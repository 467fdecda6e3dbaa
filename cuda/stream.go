package cuda

import (
	"fmt"

	"github.com/philox-go/rng/skip"
)

// A Stream is a queue of work on a device: what is queued on one stream runs in order. It is
// safe for concurrent use.
type Stream struct{ object }

// NewStream returns a stream that does not wait for the legacy default stream, nor that for it.
func (d *Device) NewStream() (*Stream, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	handle, err := driverStreamCreate(d.context)
	if err != nil {
		return nil, err
	}
	s := &Stream{object{dev: d, resource: resource{kindStream, handle}, owned: true}}
	d.own(s.resource)
	return s, nil
}

// StreamAt returns the stream of a caller's handle, a CUstream of the device's primary context such as
// torch.cuda.Stream.cuda_stream in PyTorch or Stream.ptr in CuPy. Handle 0 is the legacy default
// stream, which is that of PyTorch and CuPy unless they are told otherwise. The caller
// keeps the stream alive. Handle 2, the default stream of a thread, is a mistake that every use of the
// stream reports: calls from Go may be on any thread.
func (d *Device) StreamAt(handle uintptr) *Stream {
	return &Stream{object{dev: d, resource: resource{kindStream, handle}}}
}

// Handle returns the driver's CUstream.
func (s *Stream) Handle() uintptr { return s.handle }

// Device returns the device of the stream.
func (s *Stream) Device() *Device { return s.dev }

// Sync waits for all that is queued on the stream and returns the first failure among it.
func (s *Stream) Sync() error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	return driverStreamSync(s.dev.context, s.handle)
}

// Close gives the stream back once what is queued on it is done, for which it does not wait. A
// second Close does nothing, and so does that of a caller's stream, which goes on to be
// of use; both return nil.
func (s *Stream) Close() error {
	if s == nil || !s.owned {
		return nil
	}
	return ignoreClosed(s.close())
}

// Record queues an event: it is done when all is that was queued on the stream before it.
func (s *Stream) Record() (*Event, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.leave()
	handle, err := driverEventRecord(s.dev.context, s.handle)
	if err != nil {
		return nil, err
	}
	e := &Event{object{dev: s.dev, resource: resource{kindEvent, handle}, owned: true}}
	s.dev.own(e.resource)
	return e, nil
}

// Wait makes what is queued on the stream after it wait for an event of any stream of any
// device. It does not wait itself.
func (s *Stream) Wait(e *Event) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	return driverStreamWait(s.dev.context, s.handle, e.handle)
}

// Capturing reports whether what is queued on the stream is being captured, by Capture or by
// another library.
func (s *Stream) Capturing() (bool, error) {
	if err := s.enter(); err != nil {
		return false, err
	}
	defer s.leave()
	return driverStreamCapturing(s.dev.context, s.handle)
}

// enter holds the stream. If it returns nil, leave is due.
func (s *Stream) enter() error {
	if s == nil || s.dev == nil {
		return &ClosedError{What: kindStream.String()}
	}
	const perThread = 2 // CU_STREAM_PER_THREAD
	if s.handle == perThread && !s.owned {
		return &skip.ArgumentError{Package: "cuda", Arg: "handle", Value: "2", Reason: "must not be the default stream of a thread"}
	}
	return s.object.enter()
}

// of returns an [*skip.ArgumentError] unless the stream is of a device.
func (s *Stream) of(d *Device) error {
	if s.dev == d {
		return nil
	}
	value := fmt.Sprintf("a stream of %v", s.dev)
	if s.dev.info.Index == d.info.Index {
		value += " as opened another time" // and perhaps closed while this one is open
	}
	return &skip.ArgumentError{Package: "cuda", Arg: "s", Value: value, Reason: fmt.Sprintf("must be a stream of this %v", d)}
}
