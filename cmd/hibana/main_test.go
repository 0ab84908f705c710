package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/version"
)

func TestMain(m *testing.M) { testenv.Program(m, main) }

func TestVersion(t *testing.T) {
	t.Parallel()
	p := hibana(t, nil, "--version")
	p.ends(0)
	if out := p.out.String(); !strings.HasPrefix(out, "hibana "+version.Number+",") ||
		!strings.Contains(out, runtime.Version()) {
		t.Errorf("hibana --version prints %q", out)
	}
}
