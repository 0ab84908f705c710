package users_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// sites are pages that answer what a test sets.
type sites struct {
	mu     sync.Mutex
	links  map[string]string // the username to which a page links
	down   bool
	asked  int
	during func() // at the next request
}

func (s *sites) verify(_ context.Context, link, username string, _ model.UserID) (bool, error) {
	s.mu.Lock()
	do := s.during
	s.during = nil
	s.asked++
	is, down := s.links[link] == username, s.down
	s.mu.Unlock()
	if do != nil {
		do()
	}
	if down {
		return false, errors.New("down")
	}
	return is, nil
}

const (
	siteA = "https://a.example"
	siteB = "https://b.example"
)

// linked are fields with the links.
func linked(links ...string) *[]model.ProfileField {
	all := []model.ProfileField{}
	for _, l := range links {
		all = append(all, model.ProfileField{Name: "Site", Value: l})
	}
	return &all
}

type verifying struct {
	*storetest.Env
	*sites
}

func openVerifying(t *testing.T) verifying {
	t.Helper()
	s := &sites{links: map[string]string{siteA: "ann_u"}}
	e := storetest.Open(t, store.Options{VerifyLink: s.verify})
	e.CreateUsers(t, "ann")
	return verifying{e, s}
}

// event delivers an event of the check.
func (v verifying) event(t *testing.T) func() {
	t.Helper()
	return func() { testenv.Must(t, v.Fields.VerifyFields(t.Context(), "ann")) }
}

func (v verifying) set(t *testing.T, links ...string) {
	t.Helper()
	v.Clock.Add(time.Second)
	testenv.Must(t, v.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Fields: linked(links...)}))
}

// want checks which links are verified, how many requests there were, and how many proofs the profile has.
func (v verifying) want(t *testing.T, name string, asked, proofs int, links ...string) {
	t.Helper()
	u, err := v.Users.FullUser(t.Context(), "ann")
	testenv.Must(t, err)
	var got []string
	for _, f := range u.Fields {
		if !u.VerifiedAt(f, u.Username).IsZero() {
			got = append(got, f.Value)
		}
	}
	if !slices.Equal(got, links) || v.asked != asked || len(u.Proofs) != proofs || u.HasFields != (len(u.Fields) > 0) {
		t.Errorf("%s: %q verified after %d requests, with %d proofs, want %q, %d and %d", name, got, v.asked, len(u.Proofs),
			links, asked, proofs)
	}
}

// Links are verified once a day, whatever happens to the events; another value and another name are not.
func TestVerifyFields(t *testing.T) {
	t.Parallel()
	v := openVerifying(t)
	v.set(t, siteA, "a text", siteB, siteA)
	old := v.event(t)
	old()
	v.want(t, "first", 2, 2, siteA, siteA)
	old()
	v.want(t, "a repetition", 2, 2, siteA, siteA)
	v.Clock.Add(model.FieldRetry)
	old()
	v.want(t, "later", 3, 2, siteA, siteA)

	v.set(t, siteB)
	v.want(t, "another value", 3, 2)
	old()
	v.want(t, "the event of the former value", 3, 2)
	v.Clock.Add(model.FieldRetry)
	v.links[siteB] = "ann_u"
	old()
	v.want(t, "the present value", 4, 1, siteB)

	check := v.Raw.Doc("fieldChecks/ann")
	_, err := check.Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, v.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Username: new("anna")}))
	v.want(t, "another name", 4, 1)
	if v.Doc(t, "fieldChecks/ann") == nil {
		t.Error("a rename has no link verified")
	}
	v.event(t)()
	v.want(t, "asked for another name", 5, 1)
	testenv.Must(t, v.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Username: new("ann_u")}))
	v.event(t)()
	v.want(t, "asked for the former name", 6, 1, siteB)

	v.Clock.Add(model.FieldTrust)
	v.down = true
	v.event(t)()
	v.want(t, "a page that is down", 7, 1, siteB)
	v.down, v.links[siteB] = false, ""
	v.event(t)()
	v.want(t, "within a day", 7, 1, siteB)
	v.Clock.Add(model.FieldTrust)
	v.event(t)()
	v.want(t, "a page without the link", 8, 1)

	event := v.event(t)
	v.set(t)
	event()
	v.want(t, "no fields", 8, 1)
}

// A change and a rename while a page is asked leave no proof of what is no longer there.
func TestVerifyFieldsMeanwhile(t *testing.T) {
	t.Parallel()
	v := openVerifying(t)
	v.set(t, siteA)
	event := v.event(t)
	v.during = func() { v.set(t, siteB) }
	event()
	v.want(t, "another value meanwhile", 1, 0)
	v.set(t, siteA)
	v.during = func() {
		testenv.Must(t, v.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Username: new("anna")}))
	}
	event()
	v.want(t, "another name meanwhile", 2, 0)
	v.during = event // another process
	v.links[siteA] = "anna"
	event()
	v.want(t, "two at once", 4, 1, siteA)

	v.Clock.Add(model.FieldTrust)
	verify := func(ctx context.Context) error { return v.Fields.VerifyFields(ctx, "ann") }
	testenv.Must(t, storetest.Costs(t, "a check", 4, 1, 0, verify))
	testenv.Must(t, storetest.Costs(t, "nothing due", 2, 0, 0, verify))
	v.during = func() {
		for _, path := range []string{"userDetails/ann", "users/ann"} {
			_, err := v.Raw.Doc(path).Delete(t.Context())
			testenv.Must(t, err)
		}
	}
	v.Clock.Add(model.FieldTrust)
	event()
	event()
	if v.Doc(t, "userDetails/ann") != nil {
		t.Error("the details of a user who is gone are there again")
	}
}
