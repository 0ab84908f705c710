package erasure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/sealed"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/federation"
)

// An export has no key of the fediverse, and an account deletion removes the keys of the user, the former ones too, and
// nobody else's.
func TestActorKeys(t *testing.T) {
	t.Parallel()
	box, err := sealed.New(t.Context(), sealed.Options{Secret: []byte(strings.Repeat("s", 32))})
	testenv.Must(t, err)
	o := store.Options{Federation: federation.Options{Box: box}, ExportBucket: t.TempDir(), LeavePause: time.Nanosecond}
	e := storetest.Open(t, o)
	const other = model.UserID(leaver + "_now") // its key begins alike
	e.CreateUsers(t, leaver, other)
	key := func(uid model.UserID) string {
		t.Helper()
		k, err := e.Federation.Key(t.Context(), uid)
		testenv.Must(t, err)
		return k.ID
	}
	former := key(leaver)
	testenv.Must(t, e.Federation.Rotate(t.Context(), leaver))
	key(leaver)
	key(other)
	key("")
	if ids := e.IDs(t, model.ActorKeys); len(ids) != 4 || !slices.Contains(ids, model.FormerActorKeyKey(leaver, former)) {
		t.Fatalf("there are the keys %v", ids)
	}
	exportsMust(e.Exports.Ask(t.Context(), leaver))
	exportsSteps(t, e, e.Store, leaver, nil)
	w, _ := work(t, e, leaver)
	items, archives := download(t, e.Store, &w)
	if text := fmt.Sprint(items); archives == 0 || strings.Contains(text, "PUBLIC KEY") || strings.Contains(text, former) {
		t.Errorf("the export has a key: %s", text)
	}
	exportsMust(e.Users.Leave(t.Context(), leaver))
	steps(t, e, e.Store, leaver)
	if ids := e.IDs(t, model.ActorKeys); len(ids) != 2 || !slices.Contains(ids, model.ActorKeyKey("")) ||
		!slices.Contains(ids, model.ActorKeyKey(other)) {
		t.Errorf("after the account deletion there are the keys %v", ids)
	}
}
