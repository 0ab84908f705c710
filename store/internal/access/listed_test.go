package access_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// listed returns the listed profiles of ann and bob.
func listed(t *testing.T, e *storetest.Env) map[model.UserID]*model.User {
	t.Helper()
	users, err := e.Users.Listed(t.Context(), []model.UserID{"ann", "bob"})
	testenv.Must(t, err)
	return users
}

// costsListed checks how many reads the list costs.
func costsListed(t *testing.T, e *storetest.Env, what string, reads int64) {
	t.Helper()
	testenv.Must(t, storetest.Costs(t, what, reads, 0, 0, func(ctx context.Context) error {
		_, err := e.Users.Listed(ctx, []model.UserID{"ann", "bob"})
		return err
	}))
}

func TestListedProfilesAreKept(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	costsListed(t, e, "the first list", 2)
	e.Clock.Add(4 * time.Minute)
	costsListed(t, e, "a list within five minutes", 0)
	e.Clock.Add(2 * time.Minute)
	costsListed(t, e, "the first list after five minutes: the process begins to listen", 2)
	for range 3 {
		e.Clock.Add(6 * time.Minute)
		costsListed(t, e, "a list after five minutes: what was edited and deleted", 2)
		costsListed(t, e, "the same list again", 0)
	}
}

func TestEditsOfListedProfilesAreHeard(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	listed(t, e)
	e.Clock.Add(6 * time.Minute)
	listed(t, e)
	other := e.Again(t, store.Options{})
	testenv.Must(t, other.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Introduction: new("sparks")}))
	_, err := other.Users.Leave(t.Context(), "bob")
	testenv.Must(t, err)
	if u := listed(t, e); u["ann"].Snippet != "" || u["bob"] == nil {
		t.Errorf("listed = %v at once, want the cached profiles", u)
	}
	e.Clock.Add(6 * time.Minute)
	costsListed(t, e, "what was edited and deleted, and bob, who is gone", 3)
	if u := listed(t, e); u["ann"].Snippet != "sparks" || u["bob"] != nil {
		t.Errorf("listed = %v after five minutes, want the new introduction, and no bob", u)
	}
}

// Counts change without an edit.
func TestCountsOfListedProfiles(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	listed(t, e)
	_, err := e.Raw.Doc("users/ann").Update(t.Context(), []firestore.Update{{Path: "followerCount", Value: 7}})
	testenv.Must(t, err)
	for age := time.Duration(0); age <= model.ListedTrust; age += 6 * time.Minute {
		e.Clock.Add(6 * time.Minute)
		listed(t, e)
	}
	if got := listed(t, e)["ann"].FollowerCount; got != 7 {
		t.Errorf("followerCount = %d after %v, want 7", got, model.ListedTrust)
	}
}

func TestEditIsListedAtOnceInItsProcess(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	listed(t, e)
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("Annie")}))
	if got := listed(t, e)["ann"].Nickname; got != "Annie" {
		t.Errorf("nickname = %q, want Annie", got)
	}
}

// An edit and a deletion by a process whose clock is behind are heard.
func TestEditsByLateClocksAreHeard(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	listed(t, e)
	e.Clock.Add(6 * time.Minute)
	listed(t, e)
	behind := e.Again(t, store.Options{Now: func() time.Time { return e.Clock.Now().Add(-50 * time.Second) }})
	e.Clock.Add(time.Second)
	testenv.Must(t, behind.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Introduction: new("sparks")}))
	_, err := behind.Users.Leave(t.Context(), "bob")
	testenv.Must(t, err)
	e.Clock.Add(6 * time.Minute)
	if u := listed(t, e); u["ann"].Snippet != "sparks" || u["bob"] != nil {
		t.Errorf("listed = %v, want the new introduction, and no bob", u)
	}
}
