package main

import (
	"os"
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
