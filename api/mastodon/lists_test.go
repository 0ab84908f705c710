package mastodon_test

import (
	"net/http"
	"testing"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

type list struct {
	ID            string
	Title         string
	RepliesPolicy string `json:"replies_policy"`
	Exclusive     bool
}

// A list is made, changed and deleted, with its members, and an account says which lists it is on.
func TestLists(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid, dan := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid"), e.join(t, "dan")
	made, err := ann.CreateList(t.Context(), "friends")
	testenv.Must(t, err)
	var changed list
	e.ask(t, ann, "PUT /api/v1/lists/"+string(made.ID), map[string]any{"title": "people",
		"replies_policy": "none", "exclusive": true}).
		want(t, http.StatusOK, &changed)
	same(t, "the list", changed, list{string(made.ID), "people", "none", true})
	testenv.Must(t, ann.AddToList(t.Context(), made.ID, client.ID(bob.id), client.ID(cid.id)))
	members, err := ann.GetListAccounts(t.Context(), made.ID)
	testenv.Must(t, err)
	same(t, "members", names(members), []string{"cid", "bob"})
	testenv.Must(t, ann.AddToList(t.Context(), made.ID, client.ID(dan.id)))
	for query, want := range map[string][]string{"limit=2": {dan.id, cid.id}, "limit=0": {dan.id, cid.id, bob.id},
		"limit=1&max_id=" + dan.id: {cid.id}, "limit=1&min_id=" + bob.id: {cid.id}, "limit=1&since_id=" + bob.id: {dan.id},
		"min_id=" + dan.id: {}, "max_id=" + bob.id: {}, "max_id=x": {}, "min_id=x": {}} {
		var page []struct{ ID string }
		e.ask(t, ann, "GET /api/v1/lists/"+string(made.ID)+"/accounts?"+query, nil).want(t, http.StatusOK, &page)
		same(t, "members with "+query, each(page, func(a struct{ ID string }) string { return a.ID }), want)
	}
	testenv.Must(t, ann.RemoveFromList(t.Context(), made.ID, client.ID(dan.id)))
	testenv.Must(t, ann.RemoveFromList(t.Context(), made.ID, client.ID(bob.id)))
	for who, want := range map[string]int{bob.id: 0, cid.id: 1, "nobody": 0} {
		on, err := ann.GetAccountLists(t.Context(), client.ID(who))
		testenv.Must(t, err)
		same(t, "lists of "+who, len(on), want)
	}
	e.ask(t, bob, "GET /api/v1/lists/"+changed.ID, nil).want(t, http.StatusNotFound, nil)
	e.ask(t, ann, "GET /api/v1/lists/12", nil).want(t, http.StatusNotFound, nil)
	e.ask(t, ann, "GET /api/v1/timelines/list/12", nil).want(t, http.StatusNotFound, nil)
	for path, body := range map[string]any{"POST /api/v1/lists": map[string]any{},
		"PUT /api/v1/lists/" + changed.ID:                map[string]any{"replies_policy": "x"},
		"POST /api/v1/lists/" + changed.ID + "/accounts": map[string]any{}} {
		e.ask(t, ann, path, body).want(t, http.StatusUnprocessableEntity, nil)
	}
	testenv.Must(t, ann.DeleteList(t.Context(), made.ID))
	all, err := ann.GetLists(t.Context())
	testenv.Must(t, err)
	same(t, "lists", len(all), 0)
}
