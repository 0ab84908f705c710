package main

import (
	_ "embed"
	"strings"
)

// The commands of a first session, for any shell. They run as they are against the
// usual ports.
//
//go:embed session.sh
var sessionText string

// session returns shell commands that try the API at the address api, with users of the Auth emulator at auth, both as
// host:port.
func session(api, auth string) string {
	return strings.NewReplacer("127.0.0.1:8000", api, "127.0.0.1:9099", auth).Replace(sessionText)
}
