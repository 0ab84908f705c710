package load

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
	"time"
)

// The sizes of a chart, in pixels.
const (
	width, height = 960, 240
	left, bottom  = 60, 30
)

// line is a line of a chart, a point a second.
type line struct {
	name, color string
	points      []float64 // NaN is a gap
}

// Plot writes the run as one page of HTML, which needs nothing else.
func (r *Result) Plot(w io.Writer) error {
	p50, p95, p99 := line{"p50", "#2a9d8f", nil}, line{"p95", "#e9a23b", nil}, line{"p99", "#d1495b", nil}
	sent, failed := line{"sent", "#33658a", nil}, line{"failed", "#d1495b", nil}
	var marks []string // names of the stages, where they begin
	var at []int
	for _, m := range r.Stages {
		at, marks = append(at, len(p50.points)), append(marks, m.Stage.Name)
		for _, s := range m.Seconds {
			for _, l := range []struct {
				to   *line
				part float64
			}{{&p50, .5}, {&p95, .95}, {&p99, .99}} {
				v := math.NaN()
				if len(s.Latencies) > 0 {
					v = float64(s.Quantile(l.part)) / float64(time.Millisecond)
				}
				l.to.points = append(l.to.points, v)
			}
			sent.points = append(sent.points, float64(len(s.Latencies)+s.Failed))
			failed.points = append(failed.points, float64(s.Failed))
		}
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Load on Hibana</title>
<style>
body{font:15px system-ui,sans-serif;max-width:%dpx;margin:2em auto;padding:0 1em;color:#222;background:#fff}
svg{width:100%%;height:auto}
pre{overflow-x:auto;background:#f5f5f5;padding:1em}
</style>
<h1>Load on Hibana</h1>
<p>%s, %d people.</p>
<h2>Latency, ms, of requests by the second in which they were due</h2>
%s
<h2>Requests a second</h2>
%s
<h2>How soon things follow, s</h2>
%s
<pre>%s</pre>
</html>
`, width, r.Begun.UTC().Format(time.RFC1123), r.Users, chart([]line{p50, p95, p99}, at, marks), chart([]line{sent, failed}, at, marks),
		r.probesChart(), html.EscapeString(text.String()))
	return err
}

// probesChart draws the probes by the second in which they ended.
func (r *Result) probesChart() string {
	seconds := 0
	for _, s := range r.Probes {
		seconds = max(seconds, int(s.At/time.Second)+1)
	}
	var lines []line
	for i, p := range []Probe{Fanout, Backfill, Removal} {
		l := line{map[Probe]string{Fanout: "tweet to follower", Backfill: "follow to timeline",
			Removal: "deletion to like"}[p], []string{"#33658a", "#2a9d8f", "#e9a23b"}[i], make([]float64, seconds)}
		for n := range l.points {
			l.points[n] = math.NaN()
		}
		for _, s := range r.Probes {
			if s.Probe == p {
				l.points[int(s.At/time.Second)] = s.Took.Seconds()
			}
		}
		lines = append(lines, l)
	}
	return chart(lines, nil, nil)
}

// chart draws lines, with marks at some seconds.
func chart(lines []line, at []int, marks []string) string {
	n, top := 1, 0.0
	for _, l := range lines {
		n = max(n, len(l.points))
		for _, v := range l.points {
			if !math.IsNaN(v) {
				top = max(top, v)
			}
		}
	}
	top = max(top*1.1, 1e-3)
	x := func(second float64) float64 { return left + second/float64(n)*(width-left) }
	y := func(v float64) float64 { return (height - bottom) * (1 - v/top) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" font-family="system-ui" font-size="11">`, width, height+20)
	for i := range 5 {
		v := top * float64(i) / 4
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.3g</text>`, left, width, y(v), y(v), left-6, y(v)+4, v)
	}
	for i, second := range at {
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="0" y2="%d" stroke="#bbb" stroke-dasharray="3 3"/><text x="%.1f" y="%d">%s</text>`,
			x(float64(second)), x(float64(second)), height-bottom, x(float64(second))+3, height-bottom+14,
			html.EscapeString(marks[i]))
	}
	for i, l := range lines {
		var path strings.Builder
		for second, v := range l.points {
			if math.IsNaN(v) {
				continue
			}
			command := "L"
			if path.Len() == 0 {
				command = "M"
			}
			fmt.Fprintf(&path, "%s%.1f %.1f", command, x(float64(second)+.5), y(v))
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.5"/><text x="%d" y="%d" fill="%s">%s</text>`,
			path.String(), l.color, left+10+i*140, height+14, l.color, html.EscapeString(l.name))
	}
	b.WriteString("</svg>")
	return b.String()
}
