package mufu

//go:generate go -C ../../gen run . -dir ../rosetta/mufu
