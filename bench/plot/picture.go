package main

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"

	"github.com/philox-go/rng/bench"
	"github.com/philox-go/rng/internal/measure"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	width  = 10 * vg.Inch
	height = 5.5 * vg.Inch
	margin = 0.15 * vg.Inch
)

// colours that also those tell apart who see few of them (Okabe and Ito's set).
var colours = []color.Color{
	color.RGBA{0, 114, 178, 255},
	color.RGBA{86, 180, 233, 255},
	color.RGBA{0, 158, 115, 255},
	color.RGBA{213, 94, 0, 255},
	color.RGBA{204, 121, 167, 255},
	color.RGBA{0, 0, 0, 255},
}

// A drawing is a plot with a legend beside it.
type drawing struct {
	plot   *plot.Plot
	legend plot.Legend
}

func caption(h bench.Host, ghz float64, rounds int) string {
	return fmt.Sprintf("%s, %d cores at %.2f GHz, %s, %s, %s, medians of %d rounds", h.CPU, h.Cores, ghz, h.Level, h.Go, h.Date, rounds)
}

// picture draws the lines. What makes most comes first in the legend, as it is on
// top in the plot.
func picture(lines []series, title string) (drawing, error) {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = vg.Points(10)
	p.Title.Padding = vg.Points(8)
	p.X.Label.Text = "size of the buffer"
	p.Y.Label.Text = "GB/s (10^9 bytes a second)"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, sizeTicks{}
	p.Y.Min = 0
	p.Add(plotter.NewGrid())
	d := drawing{plot: p, legend: plot.NewLegend()}
	d.legend.Top, d.legend.Left = true, true
	d.legend.Padding = vg.Points(4)
	d.legend.ThumbnailWidth = vg.Points(24)
	for i, s := range lines {
		line, points, err := plotter.NewLinePoints(s.points)
		if err != nil {
			return drawing{}, fmt.Errorf("%s: %w", s.name, err)
		}
		line.Color, line.Width = colours[i%len(colours)], vg.Points(1.8)
		points.Color, points.Radius, points.Shape = line.Color, vg.Points(2.2), draw.CircleGlyph{}
		p.Add(line, points)
		d.legend.Add(s.name, line, points)
	}
	p.Y.Max *= 1.05
	return d, nil
}

// write draws into a file. The legend stands outside the plot, where no line is.
func (d drawing) write(name string) error {
	canvas, err := draw.NewFormattedCanvas(width, height, format(name))
	if err != nil {
		return err
	}
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	inner := draw.Crop(all, margin, -margin, margin, -margin)
	column := d.legend.Rectangle(inner).Size().X
	beside := draw.Crop(inner, inner.Size().X-column, 0, 0, -d.plot.Title.TextStyle.Font.Size-2*d.plot.Title.Padding)
	d.legend.Draw(beside)
	d.plot.Draw(draw.Crop(inner, 0, -column-2*margin, 0, 0))
	var file bytes.Buffer
	if _, err := canvas.WriteTo(&file); err != nil {
		return err
	}
	return os.WriteFile(name, file.Bytes(), 0o666)
}

// sizeTicks marks powers of two and labels every other one.
type sizeTicks struct{}

// Ticks implements plot.Ticker.
func (sizeTicks) Ticks(from, to float64) []plot.Tick {
	var all []plot.Tick
	for e := int(math.Ceil(math.Log2(from))); e <= int(math.Floor(math.Log2(to))); e++ {
		tick := plot.Tick{Value: math.Exp2(float64(e))}
		if e%2 == 0 {
			tick.Label = measure.SizeName(1 << e)
		}
		all = append(all, tick)
	}
	return all
}
