// Package fuzz holds fuzz targets over what the module's packages export. It has
// nothing to import. Plain go test runs every target's first inputs; to go on:
//
//	go test ./fuzz -run '^$' -fuzz FuzzSourceCalls
package fuzz
