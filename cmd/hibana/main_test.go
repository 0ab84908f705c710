package main

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
)

// beHibana makes the test binary be the command that it tests, race detector and all.
const beHibana = "HIBANA_TEST_RUN_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(beHibana) != "" {
		main()
		return
	}
	testenv.Main(m)
}

func TestVersion(t *testing.T) {
	t.Parallel()
	p := hibana(t, nil, "--version")
	p.ends(0)
	if out := p.out.String(); !strings.HasPrefix(out, "hibana ") || !strings.Contains(out, runtime.Version()) {
		t.Errorf("hibana --version prints %q", out)
	}
}
