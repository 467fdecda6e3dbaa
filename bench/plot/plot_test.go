package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/philox-go/rng/bench"
	"github.com/philox-go/rng/internal/measure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
)

var twoLines = []series{
	{"first & best", plotter.XYs{{X: 256, Y: 5}, {X: 4 << 10, Y: 20}, {X: 256 << 20, Y: 30}}},
	{"second", plotter.XYs{{X: 256, Y: 1}, {X: 4 << 10, Y: 1}, {X: 256 << 20, Y: 1}}},
}

func drawn(t *testing.T, lines []series, name string) []byte {
	t.Helper()
	d, err := picture(lines, "a title")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, d.write(path))
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	return file
}

// svgTexts returns the size of an SVG and the texts in it.
func svgTexts(t *testing.T, file []byte) (size [2]string, texts []string) {
	t.Helper()
	var svg struct {
		XMLName xml.Name `xml:"svg"`
		Width   string   `xml:"width,attr"`
		Height  string   `xml:"height,attr"`
		Inner   string   `xml:",innerxml"`
	}
	require.NoError(t, xml.Unmarshal(file, &svg))
	decoder := xml.NewDecoder(strings.NewReader(svg.Inner))
	inText := false
	for {
		token, err := decoder.Token()
		if err != nil {
			return [2]string{svg.Width, svg.Height}, texts
		}
		switch x := token.(type) {
		case xml.StartElement:
			inText = x.Name.Local == "text"
		case xml.CharData:
			if inText {
				texts = append(texts, string(x))
			}
		case xml.EndElement:
			inText = false
		}
	}
}

func TestSVG(t *testing.T) {
	size, texts := svgTexts(t, drawn(t, twoLines, "x.svg"))
	assert.Equal(t, [2]string{"720pt", "396pt"}, size)
	assert.Subset(t, texts, []string{"a title", "first & best", "second", "size of the buffer", "GB/s (10^9 bytes a second)",
		"256 B", "1 KiB", "4 KiB", "256 KiB", "4 MiB", "256 MiB", "0", "10", "20", "30"})
	assert.NotContains(t, texts, "512 B", "every other power of two has a label")
}

func TestPNG(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(drawn(t, twoLines, "x.PNG")))
	require.NoError(t, err)
	require.Equal(t, 960, img.Bounds().Dx())
	require.Equal(t, 528, img.Bounds().Dy())
	// The lines' colours: in the legend at the right, and left of it in the plot.
	legend, inside := map[color.Color]int{}, map[color.Color]int{}
	for x := range 960 {
		for y := range 528 {
			c := color.RGBAModel.Convert(img.At(x, y))
			if x < 700 {
				inside[c]++
			} else {
				legend[c]++
			}
		}
	}
	for _, c := range colours[:2] {
		assert.Greater(t, inside[c], 300, "%v", c)
		assert.Greater(t, legend[c], 20, "%v", c)
	}
	assert.Zero(t, inside[colours[2]])
}

func TestPictureOfOneSize(t *testing.T) {
	_, texts := svgTexts(t, drawn(t, []series{{"x", plotter.XYs{{X: 256, Y: 5}}}}, "x.svg"))
	assert.Contains(t, texts, "256 B")
}

func TestPictureRefusesWhatIsNoNumber(t *testing.T) {
	_, err := picture([]series{{"odd", plotter.XYs{{X: 256, Y: math.NaN()}}}}, "")
	assert.ErrorContains(t, err, "odd: ")
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int{"256": 256, "256B": 256, "300 B": 300, "1KiB": 1 << 10, "64 MiB": 64 << 20, "1GiB": 1 << 30, "1024MiB": 1 << 30} {
		got, err := parseSize(text)
		assert.NoError(t, err, "%s", text)
		assert.Equal(t, want, got, "%s", text)
	}
	for _, text := range []string{"", "B", "KiB", "255", "0", "-256", "-1KiB", "2GiB", "1025MiB", "9999999999999GiB", "1KB", "1.5MiB", "1KiBMiB", "0x100"} {
		got, err := parseSize(text)
		assert.Error(t, err, "%s", text)
		assert.Zero(t, got)
	}
}

func TestSizesUpTo(t *testing.T) {
	assert.Equal(t, []int{256}, sizesUpTo(511))
	assert.Equal(t, []int{256, 512, 1024}, sizesUpTo(1024))
	assert.Len(t, sizesUpTo(256<<20), 21)
}

// fixed gives 1, 2, 3, ... GB/s.
func fixed(_ context.Context, cs []measure.Contender, _ measure.Options) (measure.Report, error) {
	r := measure.Report{GHz: 3}
	for i, c := range cs {
		r.Results = append(r.Results, measure.Result{Name: c.Name, Bytes: c.Bytes, Times: []float64{float64(c.Bytes) / float64(i+1)}})
	}
	return r, nil
}

func TestCollectTakesTheRightResults(t *testing.T) {
	chosen, err := choose(bench.Rows())
	require.NoError(t, err)
	sizes := []int{256, 512}
	r, _ := fixed(t.Context(), contenders(chosen, sizes), measure.Options{})
	lines := collect(r, chosen, sizes)
	require.Len(t, lines, len(chosen))
	for i, line := range lines {
		assert.Equal(t, chosen[i].name, line.name)
		require.Len(t, line.points, 2)
		for j, p := range line.points {
			assert.Equal(t, cell(chosen[i], sizes[j]), r.Results[int(p.Y+0.5)-1].Name)
			assert.Equal(t, float64(sizes[j]), p.X)
		}
	}
}

func TestChoose(t *testing.T) {
	rows := bench.Rows()
	chosen, err := choose(rows)
	require.NoError(t, err)
	var names []string
	for _, c := range chosen {
		name, _, _ := strings.Cut(c.name, " (")
		if name != bench.Random123 {
			names = append(names, name)
		}
		assert.NotNil(t, c.fill)
	}
	assert.Equal(t, []string{"FillUint32, all cores", "FillUint32, one core", "FillFloat32, one core", "math/rand/v2 PCG.Uint64", "math/rand/v2 ChaCha8.Read"}, names)
	_, err = choose(rows[:3])
	assert.EqualError(t, err, `package bench has no row "FillFloat32"`)
}

func TestRun(t *testing.T) {
	for _, name := range []string{"x.svg", "x.png"} {
		out := filepath.Join(t.TempDir(), name)
		var stdout, stderr bytes.Buffer
		assert.Zero(t, run(t.Context(), []string{"-out", out, "-rounds", "1", "-max", "8KiB"}, measure.Interleave, &stdout, &stderr), stderr.String())
		assert.Equal(t, out+"\n", stdout.String())
		assert.FileExists(t, out)
	}
}

func TestRunPassesItsFlagsOn(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.svg")
	status := run(t.Context(), []string{"-out", out, "-rounds", "7", "-max", "1KiB"}, func(ctx context.Context, cs []measure.Contender, o measure.Options) (measure.Report, error) {
		assert.Equal(t, 7, o.Rounds)
		assert.Equal(t, 256, cs[0].Bytes)
		assert.Equal(t, 1024, cs[len(cs)-1].Bytes)
		return fixed(ctx, cs, o)
	}, new(bytes.Buffer), new(bytes.Buffer))
	assert.Zero(t, status)
	file, err := os.ReadFile(out)
	require.NoError(t, err)
	_, texts := svgTexts(t, file)
	assert.Contains(t, texts, "FillUint32, all cores")
	assert.Contains(t, strings.Join(texts, "\n"), "medians of 7 rounds")
}

func TestMistakes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "missing")
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-out", "x.gif"}, 2, `-out = "x.gif": must end in .svg or .png`},
		{[]string{"-out", ""}, 2, `-out = "": must end in .svg or .png`},
		{[]string{"-out", filepath.Join(folder, "x.svg")}, 1, folder},
		{[]string{"-rounds", "0"}, 2, "-rounds = 0: must be at least 1"},
		{[]string{"-rounds", "x"}, 2, `invalid value "x" for flag -rounds`},
		{[]string{"-max", "12"}, 2, `-max = "12": must be from 256B to 1GiB, such as 64MiB`},
		{[]string{"-max", "2GiB"}, 2, `-max = "2GiB": must be from 256B to 1GiB, such as 64MiB`},
		{[]string{"x.svg"}, 2, `unexpected argument "x.svg"`},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), tt.args, func(context.Context, []measure.Contender, measure.Options) (measure.Report, error) {
			assert.Fail(t, "nothing may be measured", "%q", tt.args)
			return measure.Report{}, nil
		}, &stdout, &stderr)
		assert.Equal(t, tt.status, status, "%q", tt.args)
		assert.Contains(t, stderr.String(), tt.want)
		assert.Empty(t, stdout.String())
	}
}

func TestFailures(t *testing.T) {
	var stdout, stderr bytes.Buffer
	broken := func(context.Context, []measure.Contender, measure.Options) (measure.Report, error) {
		return measure.Report{}, errors.New("no clock")
	}
	out := filepath.Join(t.TempDir(), "x.svg")
	assert.Equal(t, 1, run(t.Context(), []string{"-out", out, "-max", "1KiB"}, broken, &stdout, &stderr))
	assert.Equal(t, "plot: no clock\n", stderr.String())
	assert.NoFileExists(t, out)
	stderr.Reset()
	require.NoError(t, os.Mkdir(out, 0o777))
	assert.Equal(t, 1, run(t.Context(), []string{"-out", out, "-max", "1KiB"}, fixed, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "-out = ")
	assert.Empty(t, stdout.String())
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-h"}, nil, &stdout, &stderr))
	for _, name := range []string{"-out", "-rounds", "-max"} {
		assert.Contains(t, stdout.String(), name)
	}
	assert.Empty(t, stderr.String())
}
