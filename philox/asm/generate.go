package asm

//go:generate go -C ../../gen run . -dir ../philox/asm
