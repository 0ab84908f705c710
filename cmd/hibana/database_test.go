package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestDatabaseEmulator(t *testing.T) {
	t.Parallel()
	tests := []struct {
		project, firestore string
		want               string
		wantErr            bool
	}{
		{project: "demo-hibana", want: "127.0.0.1:8080"},
		{project: "my-project", want: ""},
		{project: "my-project", firestore: "127.0.0.1:7000", want: "127.0.0.1:7000"},
		{project: "demo-hibana", firestore: "[::1]:7000", want: "[::1]:7000"},
		{project: "demo-hibana", firestore: "cloud", want: ""},
		{project: "demo-hibana", firestore: "127.0.0.1", wantErr: true},
		{project: "demo-hibana", firestore: "127.0.0.1:", wantErr: true},
		{project: "demo-hibana", firestore: "http://127.0.0.1:7000", wantErr: true},
		{project: "demo-hibana", firestore: "Cloud", wantErr: true},
	}
	for _, test := range tests {
		d := database{Project: test.project, Firestore: test.firestore}
		got, err := d.emulator()
		if got != test.want || (err != nil) != test.wantErr {
			t.Errorf("emulator() of %+v = %q, %v, want %q (error: %t)", d, got, err, test.want, test.wantErr)
		}
	}
}

// Every command that opens a database says what is wrong with the flags in the same
// words, at once, and none leaves the emulator for the cloud by itself.
func TestDatabaseFlags(t *testing.T) {
	t.Parallel()
	nothing := "127.0.0.1:1"
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	elsewhere := strings.TrimPrefix(other.URL, "http://")

	tests := []struct {
		name string
		args []string
		env  []string
		want []string
	}{
		{"nothing listens", []string{"--firestore=" + nothing}, nil, []string{nothing, "connection refused", "hibana dev",
			"--firestore=cloud"}},
		{"variable", nil, []string{firestoreEnv + "=" + nothing}, []string{nothing, "connection refused"}},
		{"flag before variable", []string{"--firestore=" + nothing}, []string{firestoreEnv + "=" + elsewhere},
			[]string{nothing, "connection refused"}},
		{"something else listens", []string{"--firestore=" + elsewhere}, nil, []string{elsewhere, "404", "not as expected"}},
		{"no port", []string{"--firestore=localhost"}, nil, []string{`"localhost"`, "HOST:PORT", firestoreEnv}},
		{
			"cloud", []string{"--firestore=cloud", "--project=demo-x", "--database=other"},
			[]string{firestoreEnv + "=" + nothing, authEnv + "=" + nothing, "GOOGLE_APPLICATION_CREDENTIALS=/nonexistent.json"},
			[]string{"Database other of project demo-x, in the cloud.", "/nonexistent.json"},
		},
		{
			"real project", []string{"--project=my-project"}, []string{"GOOGLE_APPLICATION_CREDENTIALS=/nonexistent.json"},
			[]string{"Database (default) of project my-project, in the cloud.", "/nonexistent.json"},
		},
	}
	commands := map[string]int{"verify": 2, "deadletters": 1} // and the status of a failure
	for command, status := range commands {
		for _, test := range tests {
			t.Run(command+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				p := hibana(t, test.env, append([]string{command}, test.args...)...)
				p.ends(status)
				wantText(t, p.errout.String(), test.want...)
			})
		}
	}
}
