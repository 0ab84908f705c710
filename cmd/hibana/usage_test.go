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
		{"deadletters shwo", []string{"unexpected argument shwo", "list, show, replay, lookup",
			`"hibana deadletters --help"`}},
		{"deadletters show", []string{"<id>", `"hibana deadletters show --help"`}},
		{"deadletters show x --projct=y", []string{`did you mean "--project"`, `"hibana deadletters show --help"`}},
		{"nonsense", []string{"unexpected argument nonsense", "dev, seed, exec,", `"hibana --help"`}},
		{"dev --nonsense", []string{"unknown flag --nonsense", `"hibana dev --help"`}},
		{"dev --api-port=x", []string{"--api-port", `"hibana dev --help"`}},
		{"--verison", []string{`did you mean "--version"`}},
	}
	for _, test := range tests {
		p := hibana(t, nil, strings.Fields(test.args)...)
		p.ends(80)
		wantText(t, p.errout.String(), test.want...)
	}

	p := hibana(t, nil)
	p.ends(80)
	wantText(t, p.out.String(), "Usage: hibana <command>", "verify [flags]", "--version")
}
