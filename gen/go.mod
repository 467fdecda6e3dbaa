module github.com/philox-go/rng/gen

go 1.25

require (
	github.com/mmcloughlin/avo v0.6.0
	github.com/philox-go/rng v0.0.0
	golang.org/x/tools v0.36.0
)

require (
	golang.org/x/mod v0.27.0 // indirect
	golang.org/x/sync v0.16.0 // indirect
)

replace github.com/philox-go/rng => ../
