package cuda

// A kind is what a handle of the driver stands for.
type kind int

func (k kind) String() string {
	switch k {
	case kindMemory:
		return "the buffer"
	case kindStream:
		return "the stream"
	case kindEvent:
		return "the event"
	case kindGraph:
		return "the graph"
	default:
		return "the module"
	}
}

// A resource is what must be given back to the driver.
type resource struct {
	kind   kind
	handle uintptr
}

// An object is a resource of a device, or one of a caller's, that is used by many and closed
// by one. Operations hold it, and the device, for as long as they take.
type object struct {
	gate gate
	dev  *Device
	resource
	owned bool // by this package, which gives it back
}

// enter holds the object. If it returns nil, leave is due.
func (o *object) enter() error {
	if o.dev == nil {
		return &ClosedError{What: o.kind.String()}
	}
	if err := o.dev.enter(); err != nil {
		return err
	}
	if !o.gate.enter() {
		o.dev.leave()
		return &ClosedError{What: o.kind.String()}
	}
	return nil
}

func (o *object) leave() {
	o.gate.leave()
	o.dev.leave()
}

// close waits for those who hold the object and gives it back. It returns a [*ClosedError] if it was
// closed before, or its device was, which gives back all that is its own.
func (o *object) close() error {
	if o.dev == nil {
		return &ClosedError{What: o.kind.String()}
	}
	if err := o.dev.enter(); err != nil {
		return err
	}
	defer o.dev.leave()
	if !o.gate.close() {
		return &ClosedError{What: o.kind.String()}
	}
	if !o.owned {
		return nil
	}
	return o.dev.giveBack(o.resource)
}
