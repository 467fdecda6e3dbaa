package bench

import (
	"os"
	"regexp"
	"runtime"
	"time"

	"github.com/philox-go/rng/philox/asm"
)

// A Host is where and when something is measured.
type Host struct {
	CPU   string // the name that the system gives it
	Cores int    // that goroutines may run on
	Level string // of the engine
	Go    string // its version
	Date  string
}

// ThisHost describes this machine, now.
func ThisHost() Host {
	info, _ := os.ReadFile("/proc/cpuinfo") // Linux has it
	return Host{
		CPU:   cpuName(string(info)),
		Cores: runtime.GOMAXPROCS(0),
		Level: asm.Active().String(),
		Go:    runtime.Version(),
		Date:  time.Now().Format("2 January 2006"),
	}
}

var cpuField = regexp.MustCompile(`(?m)^(vendor_id|cpu family|model|model name)\s*:\s*(.*?)\s*$`)

// cpuName returns the processor's name and, because virtual machines give vague
// names, its family and model.
func cpuName(cpuinfo string) string {
	fields := map[string]string{}
	for _, m := range cpuField.FindAllStringSubmatch(cpuinfo, -1) {
		fields[m[1]] = m[2]
	}
	name := fields["model name"]
	if name == "" {
		return runtime.GOOS + "/" + runtime.GOARCH
	}
	if family, model := fields["cpu family"], fields["model"]; family != "" && model != "" {
		name += " (family " + family + ", model " + model + ")"
	}
	return name
}
