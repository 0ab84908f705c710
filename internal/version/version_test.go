package version

import (
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
		{"v0.0.0-20261121-d5c6bbb", vcs("GOOS", "linux", "vcs", "git", "vcs.revision", "d5c6bbb0", "vcs.modified", "false"), "", "hibana v0.0.0-20261121-d5c6bbb, revision d5c6bbb0, go1.26.0"},
		{"v0.0.0-20261121-d5c6bbb+dirty", vcs("vcs.revision", "d5c6bbb0", "vcs.modified", "true"), "", "hibana v0.0.0-20261121-d5c6bbb+dirty, revision d5c6bbb0 with changes, go1.26.0"},
		{"v1.2.3", nil, "", "hibana v1.2.3, go1.26.0"},                              // as go install makes it
		{"(devel)", nil, "d5c6bbb0", "hibana (devel), revision d5c6bbb0, go1.26.0"}, // as the Dockerfile makes it
		{"(devel)", nil, "", "hibana (devel), unknown revision, go1.26.0"},
	}
	for _, test := range tests {
		info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: test.version}, Settings: test.settings}
		if got := line("hibana", test.revision, info); got != test.want {
			t.Errorf("line(%q, %v) = %q, want %q", test.version, test.settings, got, test.want)
		}
	}
}
