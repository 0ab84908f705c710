package version

import (
	"os"
	"regexp"
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	vcs := func(settings ...string) (all []debug.BuildSetting) {
		for i := 0; i < len(settings); i += 2 {
			all = append(all, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return all
	}
	tests := []struct {
		version  string
		settings []debug.BuildSetting
		revision string
		want     string
	}{
		{"v0.1.1-0.20261121", vcs("GOOS", "linux", "vcs", "git", "vcs.revision", "d5c6bbb0", "vcs.modified", "false"), "",
			"revision d5c6bbb0, go1.26.0"},
		{"v0.1.0+dirty", vcs("vcs.revision", "d5c6bbb0", "vcs.modified", "true"), "",
			"revision d5c6bbb0 with changes, go1.26.0"},
		{Number, nil, "", "go1.26.0"},                                        // as go install makes it
		{"v0.1.1-0.20261121", nil, "", "module v0.1.1-0.20261121, go1.26.0"}, // as go install makes a later commit
		{"(devel)", nil, "d5c6bbb0", "revision d5c6bbb0, go1.26.0"},          // as the Dockerfile makes it
		{"(devel)", nil, "", "unknown revision, go1.26.0"},
	}
	for _, test := range tests {
		info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: test.version}, Settings: test.settings}
		want := "hibana " + Number + ", " + test.want
		if got := line("hibana", test.revision, info); got != want {
			t.Errorf("line(%q, %v) = %q, want %q", test.version, test.settings, got, want)
		}
	}
}

// The changelog has a section for what is not released, and below it the version that the programs tell.
func TestChangelog(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	var sections []string
	for _, match := range regexp.MustCompile(`(?m)^## (\S+)`).FindAllStringSubmatch(string(text), -1) {
		sections = append(sections, match[1])
	}
	if len(sections) < 2 || sections[0] != "Unreleased" || sections[1] != Number {
		t.Errorf("CHANGELOG.md has the sections %q, want Unreleased and then %s", sections, Number)
	}
}
