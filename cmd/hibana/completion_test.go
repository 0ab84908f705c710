package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A shell asks with the command line so far in COMP_LINE.
func TestCompletion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		want []string
	}{
		{"hibana ver", []string{"verify"}},
		{"hibana verify --re", []string{"--repair"}},
		{"bin/hibana verify --data", []string{"--database"}},
		{"hibana deadletters ", []string{"list", "lookup", "replay", "show"}},
		{"hibana deadletters show --fire", []string{"--firestore"}},
		{"hibana completion ", []string{"bash", "fish", "zsh"}},
		{"hibana zzz", nil},
	}
	for _, test := range tests {
		p := hibana(t, []string{"COMP_LINE=" + test.line})
		p.ends(0)
		got := strings.Fields(p.out.String())
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("after %q: %q, want %q", test.line, got, test.want)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		p := hibana(t, nil, "completion", shell)
		p.ends(0)
		script := p.out.String()
		if !strings.Contains(script, os.Args[0]) {
			t.Errorf("the code for %s does not ask this program:\n%s", shell, script)
		}
		if bash, err := exec.LookPath("bash"); err == nil && shell == "bash" {
			out, err := exec.CommandContext(t.Context(), bash, "-c", script+"\ncomplete -p hibana").CombinedOutput()
			if err != nil || !strings.Contains(string(out), os.Args[0]) {
				t.Errorf("bash does not take the code (%v):\n%s", err, out)
			}
		}
	}
	p := hibana(t, nil, "completion", "tcsh")
	if code := p.exitCode(); code == 0 {
		t.Error("exit status 0 for an unknown shell")
	}
}
