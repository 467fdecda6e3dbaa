package cuda

import "time"

// An Event is a point in the work of a stream, as [Stream.Record] returns. It is safe for
// concurrent use.
type Event struct{ object }

// Sync waits until the event is done.
func (e *Event) Sync() error {
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	return driverEventSync(e.dev.context, e.handle)
}

// Done reports whether the event is done.
func (e *Event) Done() (bool, error) {
	if err := e.enter(); err != nil {
		return false, err
	}
	defer e.leave()
	return driverEventDone(e.dev.context, e.handle)
}

// Since returns the time on the device from an earlier event to e, to about a microsecond. Both
// must be done.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	if err := e.enter(); err != nil {
		return 0, err
	}
	defer e.leave()
	if err := earlier.enter(); err != nil {
		return 0, err
	}
	defer earlier.leave()
	ms, err := driverEventElapsed(e.dev.context, earlier.handle, e.handle)
	if err != nil {
		return 0, err
	}
	return time.Duration(float64(ms) * float64(time.Millisecond)), nil
}

// Close gives the event back. What waits for it goes on waiting. A second Close does nothing and
// returns nil.
func (e *Event) Close() error {
	if e == nil {
		return nil
	}
	return ignoreClosed(e.close())
}

// enter holds the event. If it returns nil, leave is due.
func (e *Event) enter() error {
	if e == nil || e.dev == nil {
		return &ClosedError{What: kindEvent.String()}
	}
	return e.object.enter()
}
