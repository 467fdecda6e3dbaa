package cuda

import "sync"

// A gate counts the users of a thing, so that it is taken away from none of them. One
// goroutine may enter twice, for two buffers of one device, say; with a sync.RWMutex
// it would wait for ever if another closed the thing in between. The zero gate is open.
type gate struct {
	mu    sync.Mutex
	users int
	shut  bool
	idle  chan struct{} // closed by the last user of a shut gate
}

// enter reports whether the gate is open. If it is, leave is due.
func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return false
	}
	g.users++
	return true
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.users--
	if g.users == 0 && g.idle != nil {
		close(g.idle)
	}
}

// close shuts the gate and waits until all have left. It reports false, and does not wait, if
// the gate was shut before.
func (g *gate) close() bool {
	g.mu.Lock()
	if g.shut {
		g.mu.Unlock()
		return false
	}
	g.shut = true
	idle := make(chan struct{})
	if g.users == 0 {
		close(idle)
	} else {
		g.idle = idle
	}
	g.mu.Unlock()
	<-idle
	return true
}
