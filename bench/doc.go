// Package bench sets the engine beside other libraries. It is a module of its
// own so that nobody who uses the engine gets those libraries.
//
// The list of what is measured is [Rows]. Three programs read it: the Go benchmarks
//
//	go -C bench test -run '^$' -bench .
//
// and table and plot, which time everything in turn and so can compare. With the
// build tag random123, Random123 in C is in the list; that needs cgo, a C compiler
// and Random123's headers (librandom123-dev in Debian). Clang makes vector code of
// it and gcc does not, so CC=clang gives the fairer comparison.
package bench
