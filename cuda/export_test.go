package cuda

// SetMaxBlocks makes launches of a device shorter, so that a fill needs many.
func SetMaxBlocks(d *Device, n uint64) { d.maxBlocks = n }

// Stages returns the names of all kernels.
func Stages() []string {
	var all []string
	for stage := range kernels() {
		all = append(all, stage)
	}
	return all
}

// LoadedStages returns the names of the kernels that a device has loaded.
func LoadedStages(d *Device) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []string
	for stage, k := range kernels() {
		if _, ok := d.functions[k.name]; ok {
			all = append(all, stage)
		}
	}
	return all
}
