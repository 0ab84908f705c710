package child

import "syscall"

// tie makes the kernel kill the child when its parent ends.
func tie(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
