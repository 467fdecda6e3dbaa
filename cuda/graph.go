package cuda

// A Graph is work that was captured, to be launched any number of times. It is
// safe for concurrent use.
type Graph struct{ object }

// Capture calls queue and makes a graph of all that queue queues on the stream, which is not
// run. Buffers that are to be captured are used [Buffer.On] the stream; what queue queues on other
// streams runs at once, unless they wait for an event of this one. Nobody else may use the
// stream meanwhile. Buffers in a graph must live until it has been launched for the last time.
//
// An error of queue is returned as it is. While capturing, what waits (Sync, copies) fails. The legacy
// default stream cannot be captured.
func (s *Stream) Capture(queue func() error) (*Graph, error) {
	if err := s.captureBegin(); err != nil {
		return nil, err
	}
	ended := false
	defer func() {
		if !ended { // queue has panicked
			s.captureEnd(false)
		}
	}()
	failed := queue()
	ended = true
	g, err := s.captureEnd(failed == nil)
	if failed != nil {
		return nil, failed
	}
	return g, err
}

func (s *Stream) captureBegin() error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	return driverCaptureBegin(s.dev.context, s.handle)
}

// captureEnd returns nil for the graph if it is not to be kept.
func (s *Stream) captureEnd(keep bool) (*Graph, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.leave()
	handle, err := driverCaptureEnd(s.dev.context, s.handle, keep)
	if err != nil || !keep {
		return nil, err
	}
	g := &Graph{object{dev: s.dev, resource: resource{kindGraph, handle}, owned: true}}
	s.dev.own(g.resource)
	return g, nil
}

// Launch queues the work of the graph on a stream of its device.
func (g *Graph) Launch(s *Stream) error {
	if err := g.enter(); err != nil {
		return err
	}
	defer g.leave()
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	if err := s.of(g.dev); err != nil {
		return err
	}
	return driverGraphLaunch(g.dev.context, g.handle, s.handle)
}

// Close gives the graph back; launches that are queued are run. A second Close does nothing and
// returns nil.
func (g *Graph) Close() error {
	if g == nil {
		return nil
	}
	return ignoreClosed(g.close())
}

// enter holds the graph. If it returns nil, leave is due.
func (g *Graph) enter() error {
	if g == nil || g.dev == nil {
		return &ClosedError{What: kindGraph.String()}
	}
	return g.object.enter()
}
