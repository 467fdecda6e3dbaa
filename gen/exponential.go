package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
)

// An exponential is a pass that turns words into exponentials where they lie: half of
// the logarithm that a boxMuller takes the root of, which is exact. Those that are
// scaled are divided by a rate, instead by twice the rate, and those that are held also brought between two
// bounds.
type exponential struct {
	boxMuller
	held bool
}

func exponentials(wide, scaled, held bool) func(machine) body {
	return func(m machine) body {
		p := boxMuller{numbers: numbers32, scaled: scaled}
		if wide {
			p.numbers, p.wide = numbers64, true
		}
		return &exponential{*m.pass(p).(*boxMuller), held}
	}
}

func (m *exponential) unitBytes() int { return m.vectorBytes() }

// These were fastest on Zen 5.
func (m *exponential) unroll() unrolling {
	switch {
	case !m.zmm:
		return unrolling{units: 12, together: 3}
	case m.wide:
		return unrolling{units: 8, skew: 6}
	}
	return unrolling{units: 12, skew: 2}
}

func (m *exponential) begin() {
	m.registers()
	if !m.zmm {
		return
	}
	m.keep(m.two, m.lowerG, m.twoLn2)
	if !m.scaled {
		m.keep(m.half())
	}
	if !m.wide {
		m.keep(m.log[:len(m.log)-2]...)
	}
}

// half is what added to the bits of a float halves it.
func (m *exponential) half() operand.Constant {
	if m.wide {
		return times64(0.5)
	}
	return times32(0.5)
}

// field is the address of a number of layout.Exponential.
func (m *exponential) field(name string) scale {
	if m.wide {
		return scale(field[layout.Exponential](name + "64"))
	}
	return scale(field[layout.Exponential](name + "32"))
}

func (m *exponential) unit(u int) []step {
	var x, l reg.VecPhysical
	if u == 0 { // a loop begins
		m.giveBack(len(m.borrowed))
	}
	at := out(u * m.unitBytes())
	steps := []step{func() {
		x = m.take()
		m.VMOVUPS(at, x)
	}}
	steps = append(steps, m.minusTwoLog(&x, &l)...)
	if m.scaled {
		steps = append(steps, func() { m.f("VDIVP", m.field("TwiceRate"), l, l) })
	} else {
		steps = append(steps, func() { m.i("VPADD", m.half(), l, l) })
	}
	if m.held {
		steps = append(steps, func() {
			m.f("VMAXP", m.field("Least"), l, l)
			m.f("VMINP", m.field("Most"), l, l)
		})
	}
	return append(steps, func() {
		m.VMOVUPS(l, at)
		m.give(l)
	})
}
