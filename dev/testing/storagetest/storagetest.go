// Package storagetest gives tests the emulator of Cloud Storage, and each test buckets of its own.
//
// `make test` starts the emulator once, and names it in STORAGE_EMULATOR_HOST. Without the variable, as in a plain `go
// test`, the first use starts an emulator in this process, and sets the variable, because the clients read it.
package storagetest

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/dev/storage/emulator"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// Origin is the origin whose pages may upload to the buckets of tests.
const Origin = "http://web.test"

// host starts the emulator at its first use.
var host = sync.OnceValues(func() (string, error) {
	if addr := os.Getenv(storage.Env); addr != "" {
		return addr, nil
	}
	e, err := emulator.New(nil, slog.Default())
	if err != nil {
		return "", err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: e}
	go server.Serve(l)
	testenv.AtEnd(func() { server.Close() })
	return l.Addr().String(), os.Setenv(storage.Env, l.Addr().String())
})

// Host returns the host:port of the emulator.
func Host(t testing.TB) string {
	t.Helper()
	addr, err := host()
	testenv.Must(t, err)
	return addr
}

// Buckets makes the two buckets of media for a project of a test, which is a project of its own. The result is as the
// variables UPLOADS_BUCKET and MEDIA_BUCKET have them, such as gs://demo-test-uploads. The buckets are emptied when the
// test has ended, unless it failed.
func Buckets(t testing.TB, project string) (uploads, media string) {
	t.Helper()
	names := []string{project + "-uploads", project + "-media"}
	testenv.Must(t, storage.Create(t.Context(), Host(t), names[0], Origin))
	testenv.Must(t, storage.Create(t.Context(), Host(t), names[1]))
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		for _, bucket := range names {
			// The context of the test has ended by now.
			testenv.Must(t, storage.Empty(context.WithoutCancel(t.Context()), Host(t), bucket))
		}
	})
	return "gs://" + names[0], "gs://" + names[1]
}
