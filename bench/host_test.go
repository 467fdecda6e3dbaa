package bench

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCPUName(t *testing.T) {
	assert.Equal(t, "Chip 7 (family 6, model 9)", cpuName("processor\t: 0\ncpu family\t: 6\nmodel\t\t: 9\nmodel name\t: Chip 7  \nprocessor\t: 1\nmodel name\t: Chip 7\n"))
	assert.Equal(t, "Chip", cpuName("model name : Chip\n"))
	assert.Regexp(t, `^\w+/\w+$`, cpuName("processor: 0\n"))
}

func TestThisHost(t *testing.T) {
	h := ThisHost()
	assert.NotEmpty(t, h.CPU)
	assert.Equal(t, runtime.GOMAXPROCS(0), h.Cores)
	assert.Contains(t, []string{"generic", "avx2", "avx512"}, h.Level)
	assert.Equal(t, runtime.Version(), h.Go)
	assert.Regexp(t, `^\d+ [A-Z][a-z]+ 20\d\d$`, h.Date)
}
