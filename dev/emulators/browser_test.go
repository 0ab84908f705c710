package emulators

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Each browser is found by its variable or its name, and otherwise the error says how to install it.
func TestFindBrowsers(t *testing.T) {
	tests := []struct {
		find                    func() (string, error)
		variable, name, install string
	}{
		{FindBrowser, "HIBANA_BROWSER", "chromium-headless-shell",
			"apt-get install --yes --no-install-recommends chromium-headless-shell"},
		{FindFirefox, "HIBANA_FIREFOX", "firefox-esr", "apt-get install --yes --no-install-recommends firefox-esr"},
	}
	for _, tt := range tests {
		bin := t.TempDir()
		t.Setenv("PATH", bin)
		t.Setenv(tt.variable, "")
		_, err := tt.find()
		missing, ok := errors.AsType[*MissingTool](err)
		if !ok || !slices.Contains(missing.Install, tt.install) {
			t.Errorf("%s: error = %v, want a *MissingTool with %q", tt.name, err, tt.install)
		}
		program := filepath.Join(bin, tt.name)
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		if got, err := tt.find(); err != nil || got != program {
			t.Errorf("%s in PATH = %q, %v, want %q", tt.name, got, err, program)
		}
		t.Setenv(tt.variable, filepath.Join(bin, "absent"))
		if got, err := tt.find(); err == nil {
			t.Errorf("%s names an absent program, and the result is %q", tt.variable, got)
		}
	}
}
