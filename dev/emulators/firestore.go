package emulators

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// FirestoreOptions configures [StartFirestore]. The zero value starts an emulator on a
// free port, without rules and events.
type FirestoreOptions struct {
	Host       string    // address to listen on; default [DefaultHost]
	Port       int       // 0 picks a free one
	ProjectID  string    // default [DefaultProject]; the emulator serves every other project id as well
	RulesFile  string    // security rules of every project; "" allows everything
	EventsHost string    // host:port to which changes are posted as CloudEvents; "" posts none
	MaxHeapMB  int       // memory limit of Java, in MiB; default 1024
	Log        io.Writer // takes the emulator's output; default none
}

// StartFirestore starts the Firestore emulator and returns when the emulator answers. ctx
// limits the start only: the emulator then runs until [Process.Stop].
//
// Errors: *[MissingTool] when Java or the emulator is not installed, and
// *[PortInUseError]. When the emulator ends before it is ready, or is not ready after 90
// seconds, the error holds the last lines of its output.
func StartFirestore(ctx context.Context, opts FirestoreOptions) (*Process, error) {
	const name = "Firestore emulator"
	jar, err := FindFirestoreJar(ctx)
	if err != nil {
		return nil, err
	}
	java, err := findJava(ctx)
	if err != nil {
		return nil, err
	}
	addr, err := choosePort(name, FirestorePortFlag, cmp.Or(opts.Host, DefaultHost), opts.Port)
	if err != nil {
		return nil, err
	}
	host, port, _ := net.SplitHostPort(addr)
	args := []string{
		"-Duser.language=en",
		fmt.Sprintf("-Xmx%dm", cmp.Or(opts.MaxHeapMB, 1024)),
		// Most emulators live for seconds to minutes. Java's second compiler and its concurrent collector
		// cost them up to a third of their CPU time, and more memory.
		"-XX:+IgnoreUnrecognizedVMOptions", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
		"-cp", jar, "com.google.cloud.datastore.emulator.firestore.CloudFirestore",
		"--host", host, "--port", port,
		"--project_id", cmp.Or(opts.ProjectID, DefaultProject),
	}
	if opts.RulesFile != "" {
		args = append(args, "--rules", opts.RulesFile)
	}
	if opts.EventsHost != "" {
		args = append(args, "--functions_emulator", opts.EventsHost)
	}
	p, err := start(name, addr, exec.Command(java, args...), opts.Log)
	if err != nil {
		return nil, err
	}
	if err := p.waitReady(ctx, func(body []byte) bool { return string(bytes.TrimSpace(body)) == "Ok" }); err != nil {
		return nil, err
	}
	return p, nil
}

// FindFirestoreJar finds the program of the Firestore emulator. It tries HIBANA_FIRESTORE_JAR, the component of an
// installed Google Cloud CLI, and the newest program that the Firebase CLI has downloaded. The gcloud command takes a
// second, so it runs only when none of the usual locations has the program. If there is no program, the error is a
// *[MissingTool].
func FindFirestoreJar(ctx context.Context) (string, error) {
	return findFirestoreJar(ctx, sdkRoots())
}

// findFirestoreJar is FindFirestoreJar with roots as the usual locations of a Google Cloud CLI.
func findFirestoreJar(ctx context.Context, roots []string) (string, error) {
	missing := &MissingTool{
		Name: "The Firestore emulator",
		Why:  "it is neither in a Google Cloud CLI nor in the cache of the Firebase CLI, and HIBANA_FIRESTORE_JAR is not set",
		Install: []string{
			"apt-get install --yes google-cloud-cli-firestore-emulator",
			"gcloud components install cloud-firestore-emulator",
			"npx firebase-tools@" + firebaseToolsVersion() + " setup:emulators:firestore",
		},
	}
	if jar := os.Getenv("HIBANA_FIRESTORE_JAR"); jar != "" {
		if !isFile(jar) {
			missing.Why = "HIBANA_FIRESTORE_JAR names " + jar + ", which is no file"
			return "", missing
		}
		return jar, nil
	}
	for _, root := range roots {
		if jar := sdkJar(root); isFile(jar) {
			return jar, nil
		}
	}
	if jar := downloadedJar(); jar != "" {
		return jar, nil
	}
	if out, err := exec.CommandContext(ctx, "gcloud", "info", "--format=value(installation.sdk_root)").
		Output(); err == nil {
		if jar := sdkJar(strings.TrimSpace(string(out))); isFile(jar) {
			return jar, nil
		}
	}
	return "", missing
}

// sdkJar returns the path of the emulator in a Google Cloud CLI.
func sdkJar(root string) string {
	return filepath.Join(root, "platform", "cloud-firestore-emulator", "cloud-firestore-emulator.jar")
}

// sdkRoots lists the possible locations of the Google Cloud CLI.
func sdkRoots() []string {
	home, _ := os.UserHomeDir()
	roots := []string{
		os.Getenv("CLOUDSDK_ROOT"),
		"/usr/lib/google-cloud-sdk", // Debian package
		filepath.Join(home, "google-cloud-sdk"),
		"/opt/google-cloud-sdk",
		"/usr/local/google-cloud-sdk",
		"/usr/share/google-cloud-sdk",
		"/opt/homebrew/share/google-cloud-sdk",
		"/usr/local/share/google-cloud-sdk",
		"/snap/google-cloud-cli/current",
		"/snap/google-cloud-sdk/current",
	}
	// gcloud in PATH is usually a link to bin/gcloud of the installation.
	if gcloud, err := exec.LookPath("gcloud"); err == nil {
		if gcloud, err = filepath.EvalSymlinks(gcloud); err == nil {
			roots = append(roots, filepath.Dir(filepath.Dir(gcloud)))
		}
	}
	return slices.DeleteFunc(roots, func(r string) bool { return !filepath.IsAbs(r) })
}

// downloadedJar returns the newest emulator that the Firebase CLI has downloaded, or "".
func downloadedJar() string {
	dir := os.Getenv("FIREBASE_EMULATORS_PATH")
	if dir == "" {
		home, _ := os.UserHomeDir()
		dir = filepath.Join(home, ".cache", "firebase", "emulators")
	}
	jars, _ := filepath.Glob(filepath.Join(dir, "cloud-firestore-emulator-*.jar"))
	if len(jars) == 0 {
		return ""
	}
	return slices.MaxFunc(jars, func(a, b string) int { return slices.Compare(versionNumbers(a), versionNumbers(b)) })
}

var numberRE = regexp.MustCompile(`\d+`)

// versionNumbers returns {1, 19, 8} for a file named cloud-firestore-emulator-v1.19.8.jar.
func versionNumbers(path string) []int {
	var version []int
	for _, s := range numberRE.FindAllString(filepath.Base(path), -1) {
		n, _ := strconv.Atoi(s)
		version = append(version, n)
	}
	return version
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
