package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/vbauerster/mpb/v8"
)

// phase has one of each, and fails where the test wants it to.
func phase(p *progress, failing error) error {
	count := p.count("likes", 3, func(done func()) error {
		for range 3 {
			done()
		}
		return failing
	})
	measure := p.measure("Verifying", func(report func(done, total int)) error {
		report(1, 4)
		report(7, 7)
		return failing
	})
	step := p.step("API", func(func(string)) error { return failing })
	p.wait() // hangs if a bar has not ended
	return errors.Join(count, measure, step)
}

func TestProgress(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	tests := []struct {
		name     string
		terminal bool
		failing  error
		want     []string
		never    []string
	}{
		{"file", false, nil, []string{"likes                3 done in", "API                  ready in"},
			[]string{"Verifying"}},
		{"file, broken", false, broken, nil, []string{"likes", "Verifying", "API"}},
		{"terminal", true, nil, []string{"likes", "3 of 3", "Verifying", "7 of 7", "✓ API"}, []string{"✗"}},
		{"terminal, broken", true, broken, []string{"likes", "Verifying", "✗ API"}, []string{"✓"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			p := &progress{out: &out}
			if test.terminal {
				p.bars = mpb.New(mpb.WithOutput(&out), mpb.WithAutoRefresh())
			}
			if err := phase(p, test.failing); !errors.Is(err, test.failing) {
				t.Errorf("error = %v, want %v", err, test.failing)
			}
			wantText(t, out.String(), test.want...)
			for _, text := range test.never {
				if strings.Contains(out.String(), text) {
					t.Errorf("%q is in:\n%s", text, &out)
				}
			}
		})
	}
}
