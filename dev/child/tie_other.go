//go:build !linux

package child

import "syscall"

// tie does nothing, because this system has no equivalent.
func tie(*syscall.SysProcAttr) {}
