package quotas_test

import (
	"fmt"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/quotas"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// limited is a client whose commits have Firestore's limits.
func limited(t *testing.T, project string) *firestore.Client {
	t.Helper()
	o := strict.Meter(t, meter.Options{})
	o.Below = quotas.New(testenv.FirestoreHost(t), o.Indexes).Below(nil)
	opts, err := meter.ClientOptions(testenv.FirestoreHost(t), o)
	testenv.Must(t, err)
	client, err := firestore.NewClient(t.Context(), project, opts...)
	testenv.Must(t, err)
	t.Cleanup(func() { client.Close() })
	return client
}

// want checks whether a commit is refused, and why.
func want(t *testing.T, what string, err error, why string) {
	t.Helper()
	switch {
	case why == "" && err != nil:
		t.Errorf("%s: %v", what, err)
	case why != "" && (status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), why)):
		t.Errorf("%s: error %v, want one with %q", what, err, why)
	}
}

func TestDeletions(t *testing.T) {
	t.Parallel()
	project := testenv.Project(t)
	raw, client := testenv.Client(t, project), limited(t, project)
	big := strings.Repeat("x", 1_000_000) // 1 MB, and two entries of 1.5 KB: 10 of them are fewer than 10 MiB
	var refs []*firestore.DocumentRef
	for n := range 11 {
		ref := raw.Doc(fmt.Sprint("somewhere/", n))
		_, err := ref.Set(t.Context(), map[string]any{"text": big})
		testenv.Must(t, err)
		refs = append(refs, ref)
	}
	remove := func(refs []*firestore.DocumentRef) error {
		b := client.Batch() //lint:ignore SA1019 as package db
		for _, ref := range refs {
			b.Delete(client.Doc(strings.SplitN(ref.Path, "/documents/", 2)[1]))
		}
		_, err := b.Commit(t.Context())
		return err
	}
	want(t, "11 MB", remove(refs), "Transaction too big")
	want(t, "10 MB", remove(refs[:10]), "")
	want(t, "what is gone", remove(refs), "")
}

func TestIndexEntries(t *testing.T) {
	t.Parallel()
	client := limited(t, testenv.Project(t))
	terms := func(from, n int) map[string]any {
		all := map[string]any{}
		for i := range n {
			all[fmt.Sprintf("t%05d", from+i)] = true
		}
		return map[string]any{"map": all}
	}
	ref := client.Doc("somewhere/one") // two entries for a term, and for the map
	_, err := ref.Set(t.Context(), terms(0, 20_000))
	want(t, "20,000 terms", err, "too many index entries")
	_, err = ref.Set(t.Context(), terms(0, 19_999))
	want(t, "19,999 terms", err, "")
	for i := 0; i < 20_000 && err == nil; i += 5_000 {
		_, err = client.Doc("somewhere/other").Set(t.Context(), terms(i, 5_000), firestore.MergeAll)
	}
	want(t, "4 times 5,000 terms", err, "too many index entries")
	_, err = client.Doc("viewers/one").Set(t.Context(), terms(0, 30_000))
	want(t, "30,000 terms without an index", err, "")
}

func TestTransforms(t *testing.T) {
	t.Parallel()
	client := limited(t, testenv.Project(t))
	increments := func(n int) map[string]any {
		all := map[string]any{}
		for i := range n {
			all[fmt.Sprint("f", i)] = firestore.Increment(1)
		}
		return all
	}
	_, err := client.Doc("somewhere/one").Set(t.Context(), increments(501), firestore.MergeAll)
	want(t, "501 increments", err, "501 transforms")
	_, err = client.Doc("somewhere/one").Set(t.Context(), increments(500), firestore.MergeAll)
	want(t, "500 increments", err, "")
}
