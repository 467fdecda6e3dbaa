package random

import (
	"fmt"
	"math"
	"strconv"

	"github.com/philox-go/rng/internal/argument"
	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// A Nonlinearity is the function that follows a layer. It decides the [Gain] of the
// layer's weights.
type Nonlinearity uint8

const (
	LeakyReLU Nonlinearity = iota // x, or slope*x where x < 0
	ReLU
	Linear // none
	Conv   // none behind a convolution, of any dimensions
	Sigmoid
	Tanh
	SELU
)

var nonlinearities = [...]string{"leaky_relu", "relu", "linear", "conv", "sigmoid", "tanh", "selu"}

// String returns PyTorch's name of the function, such as "leaky_relu".
func (f Nonlinearity) String() string {
	if int(f) < len(nonlinearities) {
		return nonlinearities[f]
	}
	return fmt.Sprintf("Nonlinearity(%d)", uint8(f))
}

// A FanMode says which of the two [Fans] the variance of weights is divided by.
type FanMode uint8

const (
	FanIn  FanMode = iota // keeps the variance of what goes forward
	FanOut                // keeps that of the gradients that go back
)

// String returns PyTorch's name of the mode, such as "fan_in".
func (m FanMode) String() string {
	switch m {
	case FanIn:
		return "fan_in"
	case FanOut:
		return "fan_out"
	}
	return fmt.Sprintf("FanMode(%d)", uint8(m))
}

// Kaiming has the choices of [KaimingUniform] and [KaimingNormal]. The zero value is
// PyTorch's default: fan_in, and leaky_relu with slope 0, whose gain is that of relu.
type Kaiming struct {
	Mode         FanMode
	Nonlinearity Nonlinearity
	Slope        float64 // of LeakyReLU for x < 0
	Groups       int     // as for Fans; 0 and 1 are PyTorch's
}

// Gain returns the factor that makes up in a layer's weights for what the function
// behind it does to the variance, that of torch.nn.init.calculate_gain: 1 for Linear,
// Conv and Sigmoid, 5/3 for Tanh, the root of 2 for ReLU and of 2/(1+slope^2) for
// LeakyReLU, and 3/4 for SELU. Only LeakyReLU has a slope; of the others it is not looked
// at. Where PyTorch is given none, it takes 0.01 here and 0 in its Kaiming initialisers. Its
// slope ** 2 is the platform's power, which need not be rounded as slope*slope is.
//
// It is an error if the nonlinearity is none of these, or if LeakyReLU's slope is not
// finite or so large that the gain would be 0.
func Gain(nonlinearity Nonlinearity, slope float64) (float64, error) {
	switch nonlinearity {
	case Linear, Conv, Sigmoid:
		return 1, nil
	case Tanh:
		return 5. / 3, nil
	case ReLU:
		return math.Sqrt2, nil
	case SELU:
		return 3. / 4, nil
	case LeakyReLU:
		square := float64(slope * slope) // rounded by itself on every machine
		switch {
		case !argument.Finite(slope):
			return 0, badArg("slope", argument.Text(slope), "must be a finite number")
		case !argument.Finite(square):
			return 0, badArg("slope", argument.Text(slope), "is so large that its square is infinite")
		}
		return math.Sqrt(2 / (1 + square)), nil
	}
	return 0, badArg("nonlinearity", nonlinearity.String(), "must be one of the constants of its type")
}

// Fans returns the number of inputs that feed an output of a layer and the number of
// outputs that an input feeds, by the shape of its weights. The shape is PyTorch's: (out,
// in) of a linear layer and (out, in/groups, kernel...) of a convolution, stored row by
// row. So in is shape[1] times the product of shape[2:], the same whatever groups is: a
// convolution of 64 channels with kernel 3 in 4 groups has shape (out, 16, 3), and in is
// 48.
//
// PyTorch's fan_out, shape[0] times the product of shape[2:], is that of an input that
// feeds all groups. That is out for groups 0 and 1; for more it is divided by groups, since
// an input feeds its own group alone. A depthwise convolution of 4 channels to 4 with
// kernel (3, 3) has shape (4, 1, 3, 3), and out is PyTorch's 36 with groups 0 or 1 and 9
// with groups 4. For the same numbers as PyTorch's leave groups at 0.
//
// It is an error if the shape has fewer than two dimensions or a negative one, if groups
// is negative or does not divide shape[0], or if a fan is more than an int counts.
func Fans(shape []int, groups int) (in, out int, err error) {
	if err := checkWeights(shape, groups); err != nil {
		return 0, 0, err
	}
	in, inFits := product(shape[1], shape[2:])
	out, outFits := product(shape[0]/max(groups, 1), shape[2:])
	if !inFits || !outFits {
		return 0, 0, badArg("shape", shapeText(shape), "has a fan that is more than an int counts")
	}
	return in, out, nil
}

// checkWeights checks the shape of weights and the groups of their layer.
func checkWeights(shape []int, groups int) error {
	if len(shape) < 2 {
		return badArg("shape", shapeText(shape), "must have at least two dimensions")
	}
	if err := checkLengths(shape); err != nil {
		return err
	}
	switch {
	case groups < 0:
		return badArg("groups", strconv.Itoa(groups), "must be at least 0")
	case groups > 1 && shape[0]%groups != 0:
		return badArg("groups", strconv.Itoa(groups), fmt.Sprintf("must divide shape[0], %d", shape[0]))
	}
	return nil
}

// A spread is the standard deviation of weights, and which argument is to blame if their
// type has no such numbers.
type spread struct {
	std   float64
	arg   string
	value float64
}

// newSpread returns the spread of n weights. Without any there is nothing to blame.
func newSpread(n int, std float64, arg string, value float64) spread {
	if n == 0 {
		std = 1 // that all types have
	}
	return spread{std, arg, value}
}

// weightFans returns the [Fans] of n weights.
func weightFans(shape []int, n, groups int) (in, out int, err error) {
	if err := checkWeights(shape, groups); err != nil {
		return 0, 0, err
	}
	if err := checkCount("dst", n, shape); err != nil {
		return 0, 0, err
	}
	if n == 0 {
		return 0, 0, nil // which newSpread does not look at
	}
	return Fans(shape, groups)
}

// spread returns that of n weights, with PyTorch's operations in their order.
func (k Kaiming) spread(shape []int, n int) (spread, error) {
	in, out, err := weightFans(shape, n, k.Groups)
	if err != nil {
		return spread{}, err
	}
	fan := in
	switch k.Mode {
	case FanIn:
	case FanOut:
		fan = out
	default:
		return spread{}, badArg("mode", k.Mode.String(), "must be FanIn or FanOut")
	}
	gain, err := Gain(k.Nonlinearity, k.Slope)
	// Only a large slope makes weights too small for a type.
	return newSpread(n, gain/math.Sqrt(float64(fan)), "slope", k.Slope), err
}

// xavier returns the spread of n weights, with PyTorch's operations in their order.
func xavier(shape []int, n int, gain float64, groups int) (spread, error) {
	in, out, err := weightFans(shape, n, groups)
	if err != nil {
		return spread{}, err
	}
	if !argument.Finite(gain) || gain <= 0 {
		return spread{}, badArg("gain", argument.Text(gain), "must be a finite number above 0")
	}
	return newSpread(n, gain*math.Sqrt(2/float64(in+out)), "gain", gain), nil
}

// blame returns the error of a draw as one of the argument that it came from.
func (s spread) blame(err error) error {
	if e, ok := err.(*skip.ArgumentError); ok {
		return badArg(s.arg, argument.Text(s.value), "leads to "+e.Arg+" = "+e.Value+", which "+e.Reason)
	}
	return err
}

// bound returns the end of uniforms with a standard deviation, rounded to their type.
func bound[T Float](s spread) T { return T(math.Sqrt(3) * s.std) }

// uniformWeights returns the draw of uniform weights, and the others those of other
// weights.
func uniformWeights[T Float](s spread, err error) (draw.Draw, error) {
	if err != nil {
		return draw.Draw{}, err
	}
	d, err := draw.Uniform(-bound[T](s), bound[T](s))
	return d, s.blame(err)
}

func uniformHalfWeights(format Format, s spread, err error) (draw.Draw, error) {
	if err == nil {
		err = draw.Format(asm.Half(format))
	}
	if err != nil {
		return draw.Draw{}, err
	}
	d, err := draw.UniformHalf(asm.Half(format), -bound[float32](s), bound[float32](s))
	return d, s.blame(err)
}

func normalWeights[T Float](s spread, err error) (draw.Draw, error) {
	switch {
	case err != nil:
		return draw.Draw{}, err
	case T(s.std) == 0: // a good normal, but no start for weights
		return draw.Draw{}, badArg(s.arg, argument.Text(s.value), "leads to std = 0, which must be above 0")
	}
	d, err := draw.Normal(0, T(s.std))
	return d, s.blame(err)
}

func normalHalfWeights(format Format, s spread, err error) (draw.Draw, error) {
	if err == nil {
		err = draw.Format(asm.Half(format))
	}
	if _, err := normalWeights[float32](s, err); err != nil {
		return draw.Draw{}, err
	}
	return draw.NormalHalf(asm.Half(format), 0, float32(s.std))
}

// KaimingUniform fills dst with the weights of a layer, uniform ones of variance
// gain^2/fan (He et al., "Delving deep into rectifiers", ICCV 2015): fan is the one of
// [Fans] that k.Mode says, and gain the [Gain] of k.Nonlinearity. They are the numbers of
// [Uniform] in [-bound, bound), with its blocks, where bound is that of PyTorch's
// kaiming_uniform_, sqrt(3) * (gain/sqrt(fan)) in float64, rounded to the type. dst[i] is
// element i of the shape, the last index the fastest. With a length of 0 in the shape there
// is nothing to fill and no block is taken.
//
// It is an error if the product of the shape is not len(dst), if k.Mode is neither FanIn
// nor FanOut, or if k.Slope is so large that the type does not tell the bounds apart; the
// others are those of Fans and Gain, but without elements no fan is too large.
func KaimingUniform[T Float](g *Generator, dst []T, shape []int, k Kaiming) error {
	s, err := k.spread(shape, len(dst))
	d, err := uniformWeights[T](s, err)
	return run(g, d, err, at(dst), len(dst))
}

// KaimingUniformHalf is [KaimingUniform] for numbers of a format: those of [UniformHalf],
// with the bound rounded to float32 first.
func KaimingUniformHalf[H Half](g *Generator, dst []H, format Format, shape []int, k Kaiming) error {
	s, err := k.spread(shape, len(dst))
	d, err := uniformHalfWeights(format, s, err)
	return run(g, d, err, at(dst), len(dst))
}

// KaimingNormal fills dst with normal weights of the variance of [KaimingUniform]: the
// numbers of [Normal] with its blocks, mean 0 and the std of PyTorch's kaiming_normal_,
// gain/sqrt(fan) in float64, rounded to the type. The errors are those of KaimingUniform,
// but for the slope: none may make std 0 in the type.
func KaimingNormal[T Float](g *Generator, dst []T, shape []int, k Kaiming) error {
	s, err := k.spread(shape, len(dst))
	d, err := normalWeights[T](s, err)
	return run(g, d, err, at(dst), len(dst))
}

// KaimingNormalHalf fills dst with the float32 numbers of [KaimingNormal], rounded to the
// format.
func KaimingNormalHalf[H Half](g *Generator, dst []H, format Format, shape []int, k Kaiming) error {
	s, err := k.spread(shape, len(dst))
	d, err := normalHalfWeights(format, s, err)
	return run(g, d, err, at(dst), len(dst))
}

// XavierUniform fills dst with the weights of a layer, uniform ones of variance
// 2*gain^2/(in+out) with the [Fans] of the shape and groups (Glorot and Bengio,
// "Understanding the difficulty of training deep feedforward neural networks", AISTATS
// 2010). They are the numbers of [Uniform] in [-bound, bound), with its blocks, where bound
// is that of PyTorch's xavier_uniform_, sqrt(3) * (gain*sqrt(2/(in+out))) in float64,
// rounded to the type. PyTorch's default is gain 1, and it has no groups: 1. dst[i] is
// element i of the shape, the last index the fastest. With a length of 0 in the shape there
// is nothing to fill and no block is taken.
//
// It is an error if the product of the shape is not len(dst), or if gain is not a finite
// number above 0 or so small or large that the type has not the bounds or not their
// difference; the others are those of Fans, but without elements no fan is too large.
func XavierUniform[T Float](g *Generator, dst []T, shape []int, gain float64, groups int) error {
	s, err := xavier(shape, len(dst), gain, groups)
	d, err := uniformWeights[T](s, err)
	return run(g, d, err, at(dst), len(dst))
}

// XavierUniformHalf is [XavierUniform] for numbers of a format: those of [UniformHalf],
// with the bound rounded to float32 first.
func XavierUniformHalf[H Half](g *Generator, dst []H, format Format, shape []int, gain float64, groups int) error {
	s, err := xavier(shape, len(dst), gain, groups)
	d, err := uniformHalfWeights(format, s, err)
	return run(g, d, err, at(dst), len(dst))
}

// XavierNormal fills dst with normal weights of the variance of [XavierUniform]: the
// numbers of [Normal] with its blocks, mean 0 and the std of PyTorch's xavier_normal_,
// gain*sqrt(2/(in+out)) in float64, rounded to the type. The errors are those of
// XavierUniform, but for the gain: none may make std 0 or infinite in the type.
func XavierNormal[T Float](g *Generator, dst []T, shape []int, gain float64, groups int) error {
	s, err := xavier(shape, len(dst), gain, groups)
	d, err := normalWeights[T](s, err)
	return run(g, d, err, at(dst), len(dst))
}

// XavierNormalHalf fills dst with the float32 numbers of [XavierNormal], rounded to the
// format.
func XavierNormalHalf[H Half](g *Generator, dst []H, format Format, shape []int, gain float64, groups int) error {
	s, err := xavier(shape, len(dst), gain, groups)
	d, err := normalHalfWeights(format, s, err)
	return run(g, d, err, at(dst), len(dst))
}
