// Package version names the build of a program.
package version

import (
	"runtime/debug"
	"strings"
)

// Number is the newest version in CHANGELOG.md. A build from a later commit has the same
// number and another revision.
const Number = "v0.1.0"

// revision is set by the Dockerfile, because its build has no repository.
var revision string

// Line describes the build of a program in one line: the version and the build information of the Go command.
func Line(program string) string {
	info, _ := debug.ReadBuildInfo() // always present with modules
	return line(program, revision, info)
}

// line describes a build: the version, the revision, whether files were changed since, and the version of Go. A build
// of the tagged module, as by go install, has no revision.
func line(program, revision string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	parts := []string{program + " " + Number}
	switch recorded := settings["vcs.revision"]; {
	case recorded != "" && settings["vcs.modified"] == "true":
		parts = append(parts, "revision "+recorded+" with changes")
	case recorded != "":
		parts = append(parts, "revision "+recorded)
	case revision != "":
		parts = append(parts, "revision "+revision)
	case info.Main.Version == "(devel)":
		parts = append(parts, "unknown revision")
	case info.Main.Version != Number:
		parts = append(parts, "module "+info.Main.Version)
	}
	return strings.Join(append(parts, info.GoVersion), ", ")
}
