package scale_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// emulatorCPU returns the CPU time that the Firestore emulator has used; 0 where no process of /proc is the emulator.
func emulatorCPU(t *testing.T) time.Duration {
	t.Helper()
	_, port, _ := strings.Cut(testenv.FirestoreHost(t), ":")
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range all {
		line, err := os.ReadFile(file)
		args := strings.Split(string(line), "\x00")
		if err != nil || !strings.HasSuffix(args[0], "java") || !strings.Contains(string(line), "--port\x00"+port+"\x00") {
			continue
		}
		stat, err := os.ReadFile(filepath.Join(filepath.Dir(file), "stat"))
		if err != nil {
			return 0
		}
		_, after, _ := strings.Cut(string(stat), ") ") // the name of the process
		fields := strings.Fields(after)
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		return time.Duration(user+system) * 10 * time.Millisecond // a hundredth of a second each, on every Linux
	}
	return 0
}
