package stacktest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/child"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// buildFunctions builds the test binary of cmd/functions once. It is the service, with the limits of
// [quotas.Enforce].
var buildFunctions = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hibana")
	if err != nil {
		return "", err
	}
	testenv.AtEnd(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "functions")
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-o", path, "github.com/hibana-sns/hibana/cmd/functions").
		CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go test -c: %w\n%s", err, out)
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
	process = exec.Command(path)
	process.Env = append(append(os.Environ(), testenv.RunMain+"=1", "GOOGLE_CLOUD_PROJECT="+project,
		// unused; keeps it on loopback
		"FIRESTORE_EMULATOR_HOST="+testenv.FirestoreHost(t), "FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:1"),
		environment...)
	if url, err = Serve(process, log); err != nil {
		t.Error(err)
		return exec.Command("true"), ""
	}
	return process, url
}

// Serve starts a service, cmd/api or cmd/functions, and returns when it listens, at a port that it
// chooses itself. The process ends with this one at the latest. log may be nil.
func Serve(process *exec.Cmd, log io.Writer) (url string, err error) {
	if process.Env == nil {
		process.Env = os.Environ()
	}
	process.Env = append(process.Env, "PORT=0")
	l := &listening{log: cmp.Or(log, io.Discard), address: make(chan string, 1)}
	process.Stdout = l
	if process.Stderr == nil {
		process.Stderr = os.Stderr // reports an early end
	}
	if err := child.Start(process); err != nil {
		return "", err
	}
	select {
	case address := <-l.address:
		return "http://" + address, nil
	case <-time.After(patience):
		process.Process.Kill()
		return "", errors.Join(fmt.Errorf("%s does not listen", process.Path), process.Wait())
	}
}

// patience is for a machine that is busy.
const patience = 90 * time.Second

// listening passes a log on, and takes the address from the line that has it.
type listening struct {
	log     io.Writer
	begun   []byte // until the address is known
	known   bool
	address chan string
}

var addressLine = regexp.MustCompile(`"message":"listening","address":"([^"]+)".*\n`)

func (l *listening) Write(p []byte) (int, error) {
	if !l.known {
		l.begun = append(l.begun, p...)
		if found := addressLine.FindSubmatch(l.begun); found != nil {
			l.address <- string(found[1])
			l.known, l.begun = true, nil
		}
	}
	return l.log.Write(p)
}
