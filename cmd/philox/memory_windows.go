package main

import "golang.org/x/sys/windows"

// tryMemory returns an error if the system would refuse so much memory, of which Go
// programs die.
func tryMemory(bytes int) error {
	if bytes == 0 {
		return nil
	}
	mem, err := windows.VirtualAlloc(0, uintptr(bytes), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return err
	}
	return windows.VirtualFree(mem, 0, windows.MEM_RELEASE)
}
