package emulators

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// minNode is the oldest major version that firebase-tools runs on.
const minNode = 20

// findNode searches for Node.js in PATH. If there is none, or only an old one, the error is a *MissingTool.
func findNode(ctx context.Context) (string, error) {
	missing := &MissingTool{Name: fmt.Sprintf("Node.js %d or newer", minNode)}
	node, err := exec.LookPath("node")
	if err != nil {
		missing.Why = "the Auth emulator runs on it, and there is no node in PATH"
		missing.Install = []string{"apt-get install --yes nodejs npm", "brew install node"}
		return "", missing
	}
	out, err := exec.CommandContext(ctx, node, "--version").Output() // v20.20.2
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	version, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
	if major, _ := strconv.Atoi(version); err != nil || major < minNode {
		missing.Why = fmt.Sprintf("the Auth emulator runs on it, and %s is version %q", node, strings.TrimSpace(string(out)))
		missing.Install = []string{"npm install --global n && n 22", "brew upgrade node"}
		return "", missing
	}
	return node, nil
}

// findNPM searches for npm in PATH. If there is none, the error is a *MissingTool.
func findNPM() (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", &MissingTool{
			Name:    "npm",
			Why:     "it installs the Auth emulator, and it is not in PATH",
			Install: []string{"apt-get install --yes npm", "brew install node"},
		}
	}
	return npm, nil
}
