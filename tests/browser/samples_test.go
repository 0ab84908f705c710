package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// The JavaScript of docs/clients.md does what the text says, as one program.
func TestSamples(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "docs", "clients.md"))
	testenv.Must(t, err)
	var program strings.Builder
	blocks := regexp.MustCompile("(?s)```js\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	for _, block := range blocks {
		program.WriteString(block[1])
	}
	if len(blocks) < 6 {
		t.Fatalf("docs/clients.md has %d samples", len(blocks))
	}
	program.WriteString("console.log('every sample ran');\nprocess.exit(0);\n")

	dir := filepath.Join(testenv.Root(), "web")
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, nil))
	server, project := serve(t, "")
	// Beside the packages that it imports, and ignored by Git there.
	file, err := os.CreateTemp(filepath.Join(dir, "node_modules"), "samples-*.mjs")
	testenv.Must(t, err)
	t.Cleanup(func() { os.Remove(file.Name()) })
	_, err = file.WriteString(program.String())
	testenv.Must(t, err)
	testenv.Must(t, file.Close())

	cmd := exec.CommandContext(t.Context(), "node", file.Name())
	cmd.WaitDelay = 10 * time.Second
	cmd.Env = append(os.Environ(), "API="+server, "PROJECT="+project, "AUTH=http://"+testenv.AuthHost(t), "FIRESTORE="+
		testenv.FirestoreHost(t))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "every sample ran") {
		t.Fatalf("%v\n%s", err, out)
	}
}
