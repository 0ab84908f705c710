package emulators

import "syscall"

// ownGroup puts a child into a process group of its own. The kernel kills the child when
// this process ends.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
