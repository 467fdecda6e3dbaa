module github.com/philox-go/rng

go 1.25

require (
	github.com/klauspost/cpuid/v2 v2.3.0
	github.com/schollz/progressbar/v3 v3.19.0
	github.com/stretchr/testify v1.11.1
	golang.org/x/sys v0.36.0
	golang.org/x/term v0.35.0
	gopkg.in/yaml.v3 v3.0.1
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
)
