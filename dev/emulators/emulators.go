// Package emulators finds, installs and runs the real Firestore emulator and the real Firebase Auth emulator, and
// beside them the development server of the web client.
//
// The Firestore emulator is a Java program that comes with the Google Cloud CLI or with the Firebase CLI. The package
// searches for the program. If a part is missing, the package names the part and the command that installs it. The Auth
// emulator is a part of firebase-tools. The package installs firebase-tools once per user, below [os.UserCacheDir], in
// a version that a lock file pins.
//
// An emulator runs in a process group of its own. A Ctrl-C in the terminal therefore reaches only the caller, and the
// caller ends the emulator with [Process.Stop]. On Linux an emulator also ends when the caller is killed.
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

// DefaultHost is the default address on which emulators listen.
const DefaultHost = "127.0.0.1"

// DefaultProject is the project id of local work. Ids that start with "demo-" never reach
// the cloud.
const DefaultProject = "demo-hibana"

// MissingTool is a program that must be installed before an emulator can run.
type MissingTool struct {
	Name    string   // the program, for example "Java 11 or newer"
	Why     string   // what needs the program, or what was found instead
	Install []string // shell commands; any one of them installs the program
}

// Error names the missing program, the reason why it is needed, and the ways to install it.
func (m *MissingTool) Error() string {
	return fmt.Sprintf("%s is missing: %s; install it with:\n    %s", m.Name, m.Why,
		strings.Join(m.Install, "\n  or\n    "))
}

// Missing lists every missing program that the two emulators need, so that one message can name all of them. The list
// is empty when both emulators can be started. firebase-tools is not in the list, because [Install] installs it.
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
