//go:build !unix && !windows

package main

func tryMemory(int) error { return nil }
