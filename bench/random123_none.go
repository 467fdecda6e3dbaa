//go:build !(random123 && cgo)

package bench

func random123Rows() []Row { return nil }
