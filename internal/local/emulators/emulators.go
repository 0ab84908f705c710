// Package emulators finds, installs and runs the real Firestore emulator and the real Firebase Auth emulator.
//
// The Firestore emulator is a Java program that comes with the Google Cloud CLI or with the Firebase CLI; it is looked for, and
// what is missing is named together with the command that installs it. The Auth emulator is a part of firebase-tools; a version
// pinned by a lock file is installed once per user, below [os.UserCacheDir].
//
// An emulator runs in a process group of its own, so that a Ctrl-C in the terminal reaches the caller alone, who ends it with
// [Process.Stop]. On Linux it also ends when the caller is killed.
//
// The package needs a Unix system: Linux, macOS or WSL.
package emulators

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Flags of the hibana command that move an emulator to another port; [PortInUseError] names them.
const (
	FirestorePortFlag = "--firestore-port"
	AuthPortFlag      = "--auth-port"
)

// DefaultHost is the address that emulators listen on unless told otherwise.
const DefaultHost = "127.0.0.1"

// DefaultProject is the project id of local work. Ids that start with "demo-" never reach the cloud.
const DefaultProject = "demo-hibana"

// MissingTool is a program that must be installed before an emulator can run.
type MissingTool struct {
	Name    string   // what is missing, for example "Java 11 or newer"
	Why     string   // what it is needed for, or what was found in its place
	Install []string // shell commands; any one of them installs it
}

// Error says what is missing, why it is needed, and how to install it.
func (m *MissingTool) Error() string {
	return fmt.Sprintf("%s is missing: %s; install it with:\n    %s", m.Name, m.Why, strings.Join(m.Install, "\n  or\n    "))
}

// Missing lists everything that the two emulators need and that is not installed, so that all of it can be named at once. It is
// empty when both can be started; firebase-tools is not in it, because [Install] takes care of that.
func Missing(ctx context.Context) []*MissingTool {
	var missing []*MissingTool
	_, java := findJava(ctx)
	_, jar := FindFirestoreJar(ctx)
	_, node := findNode(ctx)
	var npm error
	if !installed() {
		_, npm = findNPM()
	}
	for _, err := range []error{java, jar, node, npm} {
		if m, ok := errors.AsType[*MissingTool](err); ok {
			missing = append(missing, m)
		}
	}
	return missing
}
