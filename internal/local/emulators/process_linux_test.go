package emulators

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
)

// TestMain plays the parent that dies in TestChildrenDieWithTheirParent, when
// HIBANA_TEST_PARENT says so.
func TestMain(m *testing.M) {
	if os.Getenv("HIBANA_TEST_PARENT") == "" {
		os.Exit(m.Run())
	}
	cmd := exec.Command("sh", "-c", "echo up >&3; exec sleep 1000")
	cmd.ExtraFiles = []*os.File{os.NewFile(3, "pipe")}
	p, err := start("shell", "", cmd, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	<-p.Done()
}

func TestChildrenDieWithTheirParent(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "HIBANA_TEST_PARENT=1")
	parent.Stderr = os.Stderr
	parent.ExtraFiles = []*os.File{w}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	waitFor(t, r, "up\n")
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	parent.Wait()
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
		t.Errorf("ReadAll = %q, %v, want nothing but the end", rest, err)
	}
}
