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

// Project returns the id of a new empty project in the Firestore emulator. The id is
// "demo-", the name of the test as far as it fits, and random characters. The project's
// documents are deleted when the test has ended. If the test failed, the documents stay for
// the developer to look at.
//
// The triggers of the project see that deletion. The emulator sends events one at a time for
// all projects (10,000 events took 15 s), and cannot remove a trigger. So a test that
// registered triggers replaces them before it ends, by triggers of the same ids with a
// pattern that nothing matches.
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
		// The context of the test has ended by now.
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
		case http.StatusConflict, 499: // transactions or listeners of a killed process still hold locks
			t.Logf("the documents of %s are left in the emulator: %s", id, resp.Status)
		default:
			t.Errorf("delete the documents of %s: %s", id, resp.Status)
		}
	})
	return id
}

// Client returns a plain client of a project in the Firestore emulator. The client sees
// documents as they are. The client is closed when the test has ended.
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
