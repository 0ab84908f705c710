package child

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

// TestMain plays the parent that dies in TestChildrenDieWithTheirParent, when
// HIBANA_TEST_PARENT says so.
func TestMain(m *testing.M) {
	if os.Getenv("HIBANA_TEST_PARENT") == "" {
		os.Exit(m.Run())
	}
	runtime.LockOSThread() // the main thread never ends
	cmd := exec.Command("sh", "-c", "read line; echo alive >&3; exec sleep 1000")
	cmd.Stdin, cmd.ExtraFiles = os.Stdin, []*os.File{os.NewFile(3, "pipe")}
	thread := make(chan string)
	go func() {
		runtime.LockOSThread() // so that the thread ends with the goroutine
		if err := Start(cmd); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		thread <- fmt.Sprint("/proc/self/task/", syscall.Gettid())
	}()
	for id := <-thread; ; {
		if _, err := os.Stat(id); err != nil {
			break
		}
	}
	cmd.ExtraFiles[0].WriteString("the thread is gone\n")
	cmd.Wait()
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
	in, err := parent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	said := func(want string) {
		t.Helper()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(r, got); err != nil || string(got) != want {
			t.Fatalf("the child said %q, %v; want %q", got, err, want)
		}
	}
	said("the thread is gone\n")
	fmt.Fprintln(in, "go on")
	said("alive\n")
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	parent.Wait()
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
		t.Errorf("ReadAll = %q, %v, want nothing but the end", rest, err)
	}
}
