module github.com/philox-go/rng/bench

go 1.25

require (
	github.com/philox-go/rng v0.0.0
	github.com/stretchr/testify v1.11.1
	golang.org/x/exp v0.0.0-20250305212735-054e65f0b394
	golang.org/x/term v0.35.0
	gonum.org/v1/gonum v0.17.0
	pgregory.net/rand v1.0.2
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	golang.org/x/sys v0.36.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/philox-go/rng => ../
