//go:build purego

package asm

const pureGo = true
