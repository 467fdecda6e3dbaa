// Package bench sets the engine beside other libraries. It is a module of its
// own so that nobody who uses the engine gets those libraries.
package bench
