// Package version names the build of a program.
package version

import (
	"runtime/debug"
	"strings"
)

// revision is set by the Dockerfile, which builds without a repository.
var revision string

// Line names the build of a program in one line, by what the Go command recorded in it.
func Line(program string) string {
	info, _ := debug.ReadBuildInfo() // is there, with modules
	return line(program, revision, info)
}

// line names a build: the module's version, the revision, whether files were changed since, and
// the version of Go. A part that was not recorded is left out.
func line(program, revision string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	var built []string
	switch recorded := settings["vcs.revision"]; {
	case recorded != "" && settings["vcs.modified"] == "true":
		built = append(built, "revision "+recorded+" with changes")
	case recorded != "":
		built = append(built, "revision "+recorded)
	case revision != "":
		built = append(built, "revision "+revision)
	case info.Main.Version == "(devel)":
		built = append(built, "unknown revision")
	}
	return program + " " + info.Main.Version + ", " + strings.Join(append(built, info.GoVersion), ", ")
}
