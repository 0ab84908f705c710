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

// minJava is the oldest Java that runs the Firestore emulator. firebase-tools starts no emulator with a Java older than
// firebaseJava.
const minJava, firebaseJava = 11, 21

// findJava searches for Java in JAVA_HOME, then in PATH. If there is none, or only an old one, the error is a
// *MissingTool.
func findJava(ctx context.Context) (string, error) {
	return findJavaFrom(ctx, minJava, "the Firestore emulator runs on it", "default-jre-headless")
}

// FirebaseJava searches for the Java that firebase-tools requires, in JAVA_HOME and PATH. firebase-tools itself
// searches in PATH only. If there is none, the error is a *[MissingTool].
func FirebaseJava(ctx context.Context) (string, error) {
	return findJavaFrom(ctx, firebaseJava, "firebase-tools starts the Firestore emulator on nothing older (Debian 12 "+
		"has 17; https://adoptium.net has packages of 21 for it)",
		fmt.Sprintf("openjdk-%d-jre-headless", firebaseJava)) // default-jre-headless may be older
}

// findJavaFrom is findJava for a version, the program that needs it, and the Debian package that has it.
func findJavaFrom(ctx context.Context, oldest int, need, debian string) (string, error) {
	missing := &MissingTool{
		Name:    fmt.Sprintf("Java %d or newer", oldest),
		Install: []string{"apt-get install --yes --no-install-recommends " + debian, "brew install openjdk"},
	}
	java, err := exec.LookPath(filepath.Join(os.Getenv("JAVA_HOME"), "bin", "java"))
	if os.Getenv("JAVA_HOME") == "" || err != nil {
		java, err = exec.LookPath("java")
	}
	if err != nil {
		missing.Why = need + ", and there is no java in JAVA_HOME or PATH"
		return "", missing
	}
	out, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil { // macOS has a java command that only reports that Java is missing
		missing.Why = fmt.Sprintf("%s, and %s -version fails (%v)", need, java, err)
		return "", missing
	}
	if v := javaVersion(out); v < oldest {
		missing.Why = fmt.Sprintf("%s, and %s is Java %d", need, java, v)
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
