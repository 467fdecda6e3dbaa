package verify

import (
	"slices"
	"strings"
)

// exact is what has been compared with recorded outputs, all of them exact, and is claimed to
// be exact for every seed, offset and length. Operators are as torch.Operators and curand.Ops
// name them, PyTorch's with the types of the tensors.
//
// The recordings are of one NVIDIA H200 with PyTorch 2.11 and CUDA 13.0. What curand says of
// host_poisson is less than that.
var exact = map[string]string{
	"torch uniform":          "float32 float64 float16 bfloat16",
	"torch normal":           "float32 float64 float16 bfloat16",
	"torch log_normal":       "float32 float64 float16 bfloat16",
	"torch exponential":      "float32 float64 float16 bfloat16",
	"torch cauchy":           "float32 float64 float16 bfloat16",
	"torch geometric":        "float32 float64 float16 bfloat16 uint8 int8 int16 int32 int64",
	"torch bernoulli":        "float32 float64 float16 bfloat16 uint8 int8 int16 int32 int64 bool",
	"torch bernoulli_tensor": "float32 float64 float16 bfloat16 uint8 int8 int16 int32 int64 bool",
	"torch random":           "float32 float64 float16 bfloat16 uint8 int8 int16 int32 int64 bool",
	"torch random_from":      "float32 float64 float16 bfloat16 uint8 int8 int16 int32 int64",
	"torch randint":          "float32 float64 float16 bfloat16 uint8 int8 int16 int32 int64 bool",
	"torch dropout_mask":     "float32 float64 float16 bfloat16",
	"torch dropout":          "float32 float64 float16 bfloat16",
	"torch randperm":         "float32 float64 float16 uint8 int8 int16 int32 int64",
	"torch multinomial":      "float32 float64 float16 bfloat16",
	"torch trunc_normal":     "float32 float64 float16 bfloat16",
	"torch kaiming_uniform":  "float32 float64 float16 bfloat16",
	"torch kaiming_normal":   "float32 float64 float16 bfloat16",
	"torch xavier_uniform":   "float32 float64 float16 bfloat16",
	"torch xavier_normal":    "float32 float64 float16 bfloat16",
	"torch state_bytes":      "uint8",

	"curand device_curand":             "uint32",
	"curand device_curand4":            "uint32",
	"curand device_poisson":            "uint32",
	"curand device_poisson4":           "uint32",
	"curand device_uniform":            "float32",
	"curand device_uniform4":           "float32",
	"curand device_normal":             "float32",
	"curand device_normal2":            "float32",
	"curand device_normal4":            "float32",
	"curand device_log_normal":         "float32",
	"curand device_log_normal2":        "float32",
	"curand device_log_normal4":        "float32",
	"curand device_uniform_double":     "float64",
	"curand device_uniform2_double":    "float64",
	"curand device_uniform4_double":    "float64",
	"curand device_normal_double":      "float64",
	"curand device_normal2_double":     "float64",
	"curand device_normal4_double":     "float64",
	"curand device_log_normal_double":  "float64",
	"curand device_log_normal2_double": "float64",
	"curand device_log_normal4_double": "float64",
	"curand host_u32":                  "uint32",
	"curand host_uniform":              "float32",
	"curand host_normal":               "float32",
	"curand host_log_normal":           "float32",
	"curand host_uniform_double":       "float64",
	"curand host_normal_double":        "float64",
	"curand host_log_normal_double":    "float64",
}

// Claimed reports whether what an operator of a system draws in a type is claimed to be
// exact. Of what is not, nothing has been compared with recorded outputs.
func Claimed(system, operator, dtype string) bool {
	return slices.Contains(strings.Fields(exact[system+" "+operator]), dtype)
}
