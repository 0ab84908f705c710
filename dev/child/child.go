// Package child starts processes that do not outlive the process that starts them.
package child

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// Start starts cmd, as its own Start does. On Linux the kernel kills the child when this process ends, even if this
// process is killed. Elsewhere a killed process leaves its children behind.
func Start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	tie(cmd.SysProcAttr)
	started := make(chan error)
	starter() <- func() { started <- cmd.Start() }
	return <-started
}

// starter is a thread that lives as long as the process. The kernel kills a child when the thread
// that started the child ends, not when the process does (prctl(2), PR_SET_PDEATHSIG).
var starter = sync.OnceValue(func() chan<- func() {
	calls := make(chan func())
	go func() {
		runtime.LockOSThread()
		for call := range calls {
			call()
		}
	}()
	return calls
})
