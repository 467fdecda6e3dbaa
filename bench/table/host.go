package main

import (
	"os"
	"regexp"
	"runtime"
	"time"

	"github.com/philox-go/rng/philox/asm"
)

// A host is where and when the program runs.
type host struct {
	cpu     string
	cores   int
	level   string
	version string // of Go
	date    string
}

func thisHost() host {
	info, _ := os.ReadFile("/proc/cpuinfo") // Linux has it
	return host{
		cpu:     cpuName(string(info)),
		cores:   runtime.GOMAXPROCS(0),
		level:   asm.Active().String(),
		version: runtime.Version(),
		date:    time.Now().Format("2 January 2006"),
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
