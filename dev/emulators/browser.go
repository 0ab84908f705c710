package emulators

import (
	"os"
	"os/exec"
	"strings"
)

// FindBrowser finds Chromium or Chrome for the tests of the web client: in HIBANA_BROWSER, in PATH, and at the usual
// location on macOS. Chromium's headless shell comes first: it draws no window around a page, and tests take two thirds
// of the time. If there is none, the error is a *MissingTool.
func FindBrowser() (string, error) {
	return findBrowser("Chromium", "HIBANA_BROWSER", "the tests of the web client run in it", "chromium-headless-shell",
		"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium")
}

// FindFirefox finds Firefox for the slow tests of the web client, as FindBrowser finds Chromium; HIBANA_FIREFOX names
// another one.
func FindFirefox() (string, error) {
	return findBrowser("Firefox", "HIBANA_FIREFOX", "the slow tests of the web client run in it too", "firefox-esr",
		"firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox")
}

// findBrowser finds the program that the variable names, or the first of names. debian is its package.
func findBrowser(browser, variable, why, debian string, names ...string) (string, error) {
	missing := names[0] + " in PATH"
	if chosen := os.Getenv(variable); chosen != "" {
		names, missing = []string{chosen}, chosen
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &MissingTool{
		Name: browser, Why: why + ", and there is no " + missing,
		Install: []string{"apt-get install --yes --no-install-recommends " + debian,
			"brew install --cask " + strings.ToLower(browser)},
	}
}
