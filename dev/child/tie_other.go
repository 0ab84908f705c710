//go:build !linux

package child

import "syscall"

// tie does nothing: this system knows no such thing.
func tie(*syscall.SysProcAttr) {}
