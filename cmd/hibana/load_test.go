package main

import "testing"

// The load is for this machine, unless somebody says otherwise.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"load", "--api=api.example.com:443"}, "--not-loopback"},
		{[]string{"load", "--api=10.0.0.1:80"}, "--not-loopback"},
		{[]string{"load", "--firestore=firestore.example.com:443"}, "--not-loopback"},
		{[]string{"load", "--steps=13"}, "0 to 12"},
		{[]string{"load", "--api-port=1"}, "hibana dev --no-limits"},
	}
	for _, test := range tests {
		p := hibana(t, []string{firestoreEnv + "=127.0.0.1:1"}, test.args...)
		p.ends(1)
		wantText(t, p.errout.String(), test.want)
	}
}
