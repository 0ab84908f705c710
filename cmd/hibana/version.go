package main

import (
	"runtime/debug"
	"strings"
)

// version names the build in one line, from what the Go command recorded in the
// program: the module's version, the revision, whether files were changed since, and
// the version of Go. A part that was not recorded is left out.
func version(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	var built []string
	switch revision := settings["vcs.revision"]; {
	case revision != "" && settings["vcs.modified"] == "true":
		built = append(built, "revision "+revision+" with changes")
	case revision != "":
		built = append(built, "revision "+revision)
	case info.Main.Version == "(devel)":
		built = append(built, "unknown revision")
	}
	return "hibana " + info.Main.Version + ", " + strings.Join(append(built, info.GoVersion), ", ")
}
