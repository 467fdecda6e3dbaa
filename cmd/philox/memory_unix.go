//go:build unix

package main

import "golang.org/x/sys/unix"

// tryMemory returns an error if the system would refuse so much memory, of which Go
// programs die. That the memory is there it promises on few systems.
func tryMemory(bytes int) error {
	if bytes == 0 {
		return nil
	}
	mem, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return err
	}
	return unix.Munmap(mem)
}
