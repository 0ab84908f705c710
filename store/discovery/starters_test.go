package discovery_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/discovery"
)

// People of the directory follow if too few candidates may be shown, however many there are.
func TestStartersInPlace(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "pop")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "pop", model.UserPatch{Discoverable: new(true)}))
	follow(t, e, "ann", "bob")
	for n := range model.SuggestFew + 1 {
		uid := model.UserID(fmt.Sprint("locked", n))
		e.CreateUsers(t, uid)
		follow(t, e, "bob", uid)
		testenv.Must(t, e.Users.UpdateUser(t.Context(), uid, model.UserPatch{Locked: new(true)}))
	}
	suggested(t, e.Store, "ann")
	compute(t, e, 1)
	if people, _ := e.Doc(t, "suggestions/ann")["people"].([]any); len(people) <= model.SuggestFew {
		t.Fatalf("%d candidates, the test needs more", len(people))
	}
	wantSuggested(t, e.Again(t, store.Options{}), "ann", "pop")
}

// If the profiles of users of a tag cannot be read, the question fails.
func TestStartersFail(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "bob", model.UserPatch{Discoverable: new(true)}))
	e.Counts(t, "ann", "tweetCount", 1)
	for _, uid := range []model.UserID{"ann", "cat"} {
		_, err := e.Raw.Doc("tagUses/"+model.TagUsageKey(uid, "go")).Set(t.Context(),
			model.TagUsage{UserID: uid, Name: "go", Content: "go", TweetCount: 1})
		testenv.Must(t, err)
	}
	s := e.Again(t, store.Options{Meter: meter.Options{BelowReads: failReads("users/cat")}})
	all, err := s.Suggestions.For(t.Context(), viewerOf("ann"), "", 10)
	if err == nil {
		t.Errorf("suggestions = %+v, want the failure", all)
	}
	wantSuggested(t, e.Store, "ann", "cat #go", "bob")
}

// A new account gets the popular people of the directory, those of its language first, and nobody who is not in it.
func TestStarters(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "shy")
	for uid, language := range map[model.UserID]string{"bob": "en", "cat": "ja", "dan": "en"} {
		testenv.Must(t, e.Users.UpdateUser(t.Context(), uid, model.UserPatch{Discoverable: new(true), Language: &language}))
	}
	e.Counts(t, "bob", model.FollowerCount, 5)
	e.Counts(t, "dan", model.FollowerCount, 9)
	e.Counts(t, "shy", model.FollowerCount, 99)
	all := func(language string) (ids []model.UserID) {
		found, err := e.Suggestions.For(t.Context(), viewerOf("ann"), language, 10)
		testenv.Must(t, err)
		for _, f := range found {
			ids = append(ids, f.ID)
		}
		return ids
	}
	if diff := cmp.Diff([]model.UserID{"cat", "dan", "bob"}, all("ja")); diff != "" {
		t.Errorf("people for a new account (-want +got):\n%s", diff)
	}
	testenv.Must(t, storetest.Costs(t, "a new account, cached", 4, 0, 0, func(ctx context.Context) error {
		_, err := e.Suggestions.For(ctx, viewerOf("ann"), "ja", 10)
		return err
	}))
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "dan", model.UserPatch{Discoverable: new(false)}))
	e.Clock.Add(2 * time.Minute)
	if diff := cmp.Diff([]model.UserID{"bob", "cat"}, all("en")); diff != "" {
		t.Errorf("after one opted out (-want +got):\n%s", diff)
	}
	testenv.Must(t, e.Moderation.EndSessions(t.Context(), "bob")) // which leaves bob free
	for _, tests := range []struct {
		order    discovery.DirectoryOrder
		language string
		want     []model.UserID
	}{{discovery.DirectoryPopular, "", []model.UserID{"bob", "cat"}},
		{discovery.DirectoryNew, "", []model.UserID{"cat", "bob"}},
		{discovery.DirectoryNew, "ja", []model.UserID{"cat"}}, {discovery.DirectoryNew, "fr", nil}} {
		var got []model.UserID
		for from := (model.Cursor{}); ; {
			page, err := e.Directory.List(t.Context(), tests.order, tests.language, from, 1)
			testenv.Must(t, err)
			for _, u := range page.Items {
				got = append(got, u.ID)
			}
			if from = page.Next; from.IsZero() {
				break
			}
		}
		if diff := cmp.Diff(tests.want, got); diff != "" {
			t.Errorf("directory %s %q (-want +got):\n%s", tests.order, tests.language, diff)
		}
	}
}
