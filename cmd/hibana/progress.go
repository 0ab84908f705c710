package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress shows the steps of one phase: moving lines and bars on a terminal, and a
// line for each finished step elsewhere. Its methods may be called concurrently.
type progress struct {
	out  io.Writer
	bars *mpb.Progress // nil if out is no terminal
}

const frames = "⣾⣽⣻⢿⡿⣟⣯⣷"

func newProgress(out *os.File) *progress {
	p := &progress{out: out}
	if isatty.IsTerminal(out.Fd()) {
		p.bars = mpb.New(mpb.WithOutput(out), mpb.WithRefreshRate(100*time.Millisecond))
	}
	return p
}

// wait returns when the last frame is on the terminal. All steps must have ended, and no further step may start.
func (p *progress) wait() {
	if p.bars != nil {
		p.bars.Wait()
	}
}

// step shows the duration of do. do may report its progress.
func (p *progress) step(name string, do func(say func(string)) error) error {
	begun := time.Now()
	seconds := func() float64 { return time.Since(begun).Seconds() }
	if p.bars == nil {
		err := do(func(msg string) { fmt.Fprintf(p.out, "%-20s %s\n", name, msg) })
		if err == nil {
			fmt.Fprintf(p.out, "%-20s ready in %.1f s\n", name, seconds())
		}
		return err
	}
	var said, result atomic.Pointer[string]
	bar := p.bars.New(1, mpb.NopStyle(), mpb.PrependDecorators(decor.Any(func(decor.Statistics) string {
		if r := result.Load(); r != nil {
			return *r
		}
		spinner := []rune(frames)
		line := fmt.Sprintf("%c %-20s %.1f s", spinner[time.Since(begun).Milliseconds()/100%int64(len(spinner))], name,
			seconds())
		if s := said.Load(); s != nil {
			line += "  " + *s
		}
		return line
	})))
	err := do(func(msg string) { said.Store(&msg) })
	line := fmt.Sprintf("✓ %-20s ready in %.1f s", name, seconds())
	if err != nil {
		line = "✗ " + name
	}
	result.Store(&line)
	bar.Increment()
	return err
}

// count shows the progress towards a total while do runs. do calls done after each item.
func (p *progress) count(name string, total int, do func(done func()) error) error {
	if p.bars == nil {
		begun := time.Now()
		err := do(func() {})
		if err == nil {
			fmt.Fprintf(p.out, "%-20s %d done in %.1f s\n", name, total, time.Since(begun).Seconds())
		}
		return err
	}
	bar := p.bar(name, total)
	err := do(bar.Increment)
	if err != nil {
		bar.Abort(false)
	}
	return err
}

// measure shows the progress of do, on a terminal only. do reports the finished amount and the total now and then, one
// call at a time. The total may change.
func (p *progress) measure(name string, do func(report func(done, total int)) error) error {
	if p.bars == nil {
		return do(func(int, int) {})
	}
	bar := p.bar(name, 0)
	err := do(func(done, total int) {
		bar.SetTotal(int64(total), false)
		bar.SetCurrent(int64(done))
	})
	if err != nil {
		bar.Abort(false)
	} else {
		bar.SetTotal(-1, true)
	}
	return err
}

// bar adds a bar on the terminal. A total of 0 is set later.
func (p *progress) bar(name string, total int) *mpb.Bar {
	return p.bars.New(int64(total), mpb.BarStyle().Lbound("").Filler("━").Tip("━").Padding("─").Rbound(""),
		mpb.BarWidth(40), mpb.PrependDecorators(decor.Name(fmt.Sprintf("  %-20s ", name))),
		mpb.AppendDecorators(decor.CountersNoUnit("%d of %d")))
}
