package emulators

import (
	"cmp"
	"os"
	"os/exec"
)

// FindBrowser finds Chromium or Chrome for the tests of the web client: in HIBANA_BROWSER, in PATH, and at the usual
// location on macOS. If there is none, the error is a *MissingTool.
func FindBrowser() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"}
	if chosen := os.Getenv("HIBANA_BROWSER"); chosen != "" {
		names = []string{chosen}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &MissingTool{
		Name: "Chromium",
		Why: "the tests of the web client run in it, and there is no " + cmp.Or(os.Getenv("HIBANA_BROWSER"),
			"chromium or google-chrome in PATH"),
		Install: []string{"apt-get install --yes --no-install-recommends chromium", "brew install --cask chromium"},
	}
}
