package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What both libraries do, one after the other.
func BenchmarkTasks(b *testing.B) {
	for _, t := range Tasks() {
		b.Run(subName(t.This.Name), func(b *testing.B) { benchmark(b, t.This) })
		b.Run(subName(t.Other.Name), func(b *testing.B) { benchmark(b, t.Other) })
	}
}

func TestTasks(t *testing.T) {
	for _, task := range Tasks() {
		if testing.Short() && task.This.Bytes > 1e6 {
			continue
		}
		this, what, _ := strings.Cut(task.This.Name, " of ")
		assert.True(t, strings.HasPrefix(this, "random."), this)
		assert.True(t, strings.HasSuffix(task.Other.Name, " of "+what), task.Other.Name)
		assert.Equal(t, task.This.Bytes, task.Other.Bytes)
		task.This.Run(1)
		task.Other.Run(1)
	}
}
