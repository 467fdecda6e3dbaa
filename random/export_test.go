package random

// ForgetDefaults makes it as if no default generator had been made or seeded. Handles
// on the earlier ones go on by themselves.
func ForgetDefaults() {
	defaults.mu.Lock()
	defer defaults.mu.Unlock()
	defaults.of, defaults.seed, defaults.seeded = nil, 0, false
}
