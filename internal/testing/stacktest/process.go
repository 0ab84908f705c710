package stacktest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
)

// buildFunctions builds cmd/functions once.
var buildFunctions = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hibana")
	if err != nil {
		return "", err
	}
	testenv.AtEnd(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "functions")
	out, err := exec.Command("go", "build", "-o", path, "github.com/hibana-sns/hibana/cmd/functions").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// Process starts the functions of a project in a process of their own, which the caller
// kills. environment is as NAME=value, and log may be nil.
func Process(t testing.TB, project string, log io.Writer, environment ...string) (process *exec.Cmd, url string) {
	path, err := buildFunctions()
	if err != nil {
		t.Error(err)
		return exec.Command("true"), ""
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return exec.Command("true"), ""
	}
	url = "http://" + l.Addr().String()
	_, port, _ := strings.Cut(l.Addr().String(), ":")
	l.Close()
	process = exec.Command(path)
	process.Stdout = log
	process.Env = append(append(os.Environ(), "PORT="+port, "GOOGLE_CLOUD_PROJECT="+project,
		"FIRESTORE_EMULATOR_HOST="+testenv.FirestoreHost(t), "FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:1"), // unused; keeps it on loopback
		environment...)
	if err := process.Start(); err != nil {
		t.Error(err)
		return exec.Command("true"), ""
	}
	for range 200 {
		if resp, err := http.Get(url + "/health"); err == nil {
			resp.Body.Close()
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return process, url
}
