package emulators

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// minJava is the oldest Java that the Firestore emulator runs on.
const minJava = 11

// findJava looks for Java in JAVA_HOME, then in PATH. If there is none, or only an old
// one, the error is a *MissingTool.
func findJava(ctx context.Context) (string, error) {
	missing := &MissingTool{
		Name:    fmt.Sprintf("Java %d or newer", minJava),
		Install: []string{"apt-get install --yes --no-install-recommends default-jre-headless", "brew install openjdk"},
	}
	java, err := exec.LookPath(filepath.Join(os.Getenv("JAVA_HOME"), "bin", "java"))
	if os.Getenv("JAVA_HOME") == "" || err != nil {
		java, err = exec.LookPath("java")
	}
	if err != nil {
		missing.Why = "the Firestore emulator runs on it, and there is no java in JAVA_HOME or PATH"
		return "", missing
	}
	out, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil { // macOS has a java that only says that there is none
		missing.Why = fmt.Sprintf("the Firestore emulator runs on it, and %s -version fails (%v)", java, err)
		return "", missing
	}
	if v := javaVersion(out); v < minJava {
		missing.Why = fmt.Sprintf("the Firestore emulator runs on it, and %s is Java %d", java, v)
		return "", missing
	}
	return java, nil
}

var javaVersionRE = regexp.MustCompile(`version "(?:1\.)?(\d+)`)

// javaVersion reads the feature release from the output of java -version, such as
// `openjdk version "17.0.15"`. Before Java 9 the output was `"1.8.0_392"`. An unknown
// form is version 0.
func javaVersion(out []byte) int {
	m := javaVersionRE.FindSubmatch(out)
	if m == nil {
		return 0
	}
	v, _ := strconv.Atoi(string(m[1]))
	return v
}
