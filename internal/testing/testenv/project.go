package testenv

import (
	"context"
	"crypto/rand"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
)

// maxProjectID is the length limit of a project id, in bytes.
const maxProjectID = 30

var notInProjectID = regexp.MustCompile(`[^a-z0-9]+`)

// Project gives the id of a new empty project in the Firestore emulator, "demo-", the name of the test as far as it fits, and
// something random. Its documents are deleted when the test has ended, but stay to be looked at if it failed.
//
// Triggers see that deletion. The emulator sends its events one at a time for all projects (10,000 took 15 s), and it cannot remove
// a trigger; a test that registered some replaces them, before it ends, by ones of the same id with a pattern that nothing matches.
func Project(t testing.TB) string {
	t.Helper()
	host := FirestoreHost(t)
	random := "-" + strings.ToLower(rand.Text()[:8])
	id := "demo-" + strings.Trim(notInProjectID.ReplaceAllString(strings.ToLower(t.Name()), "-"), "-")
	id = strings.TrimRight(id[:min(len(id), maxProjectID-len(random))], "-") + random
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("project %s is kept in the emulator at %s", id, host)
			return
		}
		// The test's own context has ended by now.
		req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodDelete,
			"http://"+host+"/emulator/v1/projects/"+id+"/databases/(default)/documents", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		switch resp.StatusCode {
		case http.StatusOK:
		case http.StatusConflict: // a process that was killed still holds locks
			t.Logf("the documents of %s are left in the emulator: %s", id, resp.Status)
		default:
			t.Errorf("delete the documents of %s: %s", id, resp.Status)
		}
	})
	return id
}

// Client gives a plain client of a project in the Firestore emulator, which sees documents as they are. It is closed when the test
// has ended.
func Client(t testing.TB, project string) *firestore.Client {
	t.Helper()
	FirestoreHost(t) // sets the variable that the client reads
	client, err := firestore.NewClient(context.WithoutCancel(t.Context()), project)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}
