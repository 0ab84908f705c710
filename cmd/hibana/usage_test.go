package main

import (
	"strings"
	"testing"
)

// A wrong command line ends with status 80 and says what would be right.
func TestUsage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args string
		want []string
	}{
		{"verfy", []string{"hibana: unexpected argument verfy", `did you mean "verify"`, `"hibana --help"`}},
		{"verify --repiar", []string{"unknown flag --repiar", `did you mean "--repair"`, `"hibana verify --help"`}},
		{"verify --usr=ann", []string{`did you mean "--user"`}},
		{"deadletters shwo", []string{"unexpected argument shwo", "list, show, replay, lookup", `"hibana deadletters --help"`}},
		{"deadletters show", []string{"<id>", `"hibana deadletters show --help"`}},
		{"deadletters show x --projct=y", []string{`did you mean "--project"`, `"hibana deadletters show --help"`}},
		{"nonsense", []string{"unexpected argument nonsense", "dev, seed, exec,", `"hibana --help"`}},
		{"dev --nonsense", []string{"unknown flag --nonsense", `"hibana dev --help"`}},
		{"dev --api-port=x", []string{"--api-port", `"hibana dev --help"`}},
		{"--verison", []string{`did you mean "--version"`}},
	}
	for _, test := range tests {
		p := hibana(t, nil, strings.Fields(test.args)...)
		if code := p.exitCode(); code != 80 {
			t.Errorf("hibana %s: exit status %d, want 80", test.args, code)
		}
		for _, text := range test.want {
			if !strings.Contains(p.errout.String(), text) {
				t.Errorf("hibana %s: no word of %s in:\n%s", test.args, text, p.errout)
			}
		}
	}

	p := hibana(t, nil)
	if code := p.exitCode(); code != 80 {
		t.Errorf("hibana alone: exit status %d, want 80", code)
	}
	for _, text := range []string{"Usage: hibana <command>", "verify [flags]", "--version"} {
		if !strings.Contains(p.out.String(), text) {
			t.Errorf("hibana alone does not print %s", text)
		}
	}
}
