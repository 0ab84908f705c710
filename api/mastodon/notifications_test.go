package mastodon_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

type groups struct {
	Accounts []struct{ ID, Acct string }
	Statuses []struct{ ID string }
	Groups   []group `json:"notification_groups"`
}

type group struct {
	Key    string   `json:"group_key"`
	Count  int      `json:"notifications_count"`
	Type   string   `json:"type"`
	Recent int64    `json:"most_recent_notification_id"`
	Sample []string `json:"sample_account_ids"`
}

// told is what a notification says in short.
func told(n *client.Notification) string {
	text := n.Type + " by " + n.Account.Acct
	if n.Status != nil {
		text += " of " + strings.TrimSuffix(strings.TrimPrefix(n.Status.Content, "<p>"), "</p>")
	}
	return text
}

// Notifications come in the order of their times, once each on the pages of max_id, since_id and min_id, of the types
// and the account that a client asks for; in groups there is one of a post's likes, which moves up with another like.
func TestNotifications(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	first, second := e.post(t, bob, "first"), e.post(t, bob, "second")
	like := func(who person, id string) {
		e.ask(t, who, "PUT /v1/tweets/"+id+"/like", nil).want(t, http.StatusNoContent, nil)
	}
	like(ann, first)
	e.post(t, cid, "hi bob1 is not @bob")
	like(cid, second)
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	e.post(t, ann, "and @bob again")
	like(cid, first)
	e.ask(t, cid, "PUT /v1/tweets/"+first+"/share", nil).want(t, http.StatusNoContent, nil)
	e.idle(t)

	all, err := bob.GetNotifications(t.Context(), nil)
	testenv.Must(t, err)
	got := each(all, told)
	for i, want := range []string{"reblog by cid of first", "favourite by cid of first", "mention by ann of",
		"follow by ann",
		"favourite by cid of second", "mention by cid of", "favourite by ann of first"} {
		if len(got) != 7 || !strings.HasPrefix(got[i], want) {
			t.Fatalf("the notifications are %q, want %q at %d", got, want, i)
		}
	}
	ids := each(all, func(n *client.Notification) string { return string(n.ID) })
	if !slices.IsSortedFunc(ids, func(a, b string) int { return strings.Compare(b, a) }) || len(ids[0]) != len(ids[6]) {
		t.Errorf("ids do not sort: %q", ids)
	}
	some := func(p client.Pagination) []string {
		found, err := bob.GetNotifications(t.Context(), &p)
		testenv.Must(t, err)
		return each(found, func(n *client.Notification) string { return string(n.ID) })
	}
	var walked []string
	for below := ""; len(walked) < 20; {
		page := some(client.Pagination{Limit: 3, MaxID: client.ID(below)})
		walked = append(walked, page...)
		if len(page) == 0 {
			break
		}
		below = page[len(page)-1]
	}
	same(t, "the pages", walked, ids)
	same(t, "since", some(client.Pagination{SinceID: client.ID(ids[2])}), ids[:2])
	same(t, "what follows", some(client.Pagination{MinID: client.ID(ids[4]), Limit: 2}), ids[2:4])

	typed := func(query string) []string {
		var found []*client.Notification
		e.ask(t, bob, "GET /api/v1/notifications?"+query, nil).want(t, http.StatusOK, &found)
		return each(found, func(n *client.Notification) string { return string(n.ID) })
	}
	same(t, "mentions", typed("types[]=mention"), []string{ids[2], ids[5]})
	same(t, "without", typed("exclude_types[]=mention&exclude_types[]=favourite"), []string{ids[0], ids[3]})
	same(t, "of ann", typed("account_id="+ann.id), []string{ids[2], ids[3], ids[6]})
	one, err := bob.GetNotification(t.Context(), client.ID(ids[2]))
	testenv.Must(t, err)
	same(t, "one", told(one), got[2])
	groupedNotifications(t, e, bob, ids)
	readNotifications(t, e, bob, ids)
}

func groupedNotifications(t *testing.T, e *env, bob person, ids []string) {
	t.Helper()
	var found groups
	e.ask(t, bob, "GET /api/v2/notifications", nil).want(t, http.StatusOK, &found)
	kinds := each(found.Groups, func(g group) string { return fmt.Sprint(g.Type, g.Count) })
	same(t, "groups", kinds, []string{"reblog1", "favourite2", "mention1", "follow1", "favourite1", "mention1"})
	micros, err := strconv.ParseInt(ids[1][:14], 16, 64)
	testenv.Must(t, err)
	if g := found.Groups[1]; g.Recent != micros || len(g.Sample) != 2 || len(found.Accounts) != 2 ||
		len(found.Statuses) != 4 {
		t.Errorf("the group of likes is %+v of %+v", g, found)
	}
	var one groups
	e.ask(t, bob, "GET /api/v2/notifications/"+found.Groups[1].Key, nil).want(t, http.StatusOK, &one)
	same(t, "one group", one.Groups[0].Recent, micros)
	for query, want := range map[string][]string{"max_id=": ids[2:], "since_id=": ids[:1], "min_id=": ids[:1]} {
		var some []*client.Notification
		e.ask(t, bob, fmt.Sprint("GET /api/v1/notifications?", query, micros), nil).want(t, http.StatusOK, &some)
		same(t, query, each(some, func(n *client.Notification) string { return string(n.ID) }), want)
	}
	var accounts []struct{ Acct string }
	e.ask(t, bob, "GET /api/v2/notifications/"+found.Groups[1].Key+"/accounts", nil).
		want(t, http.StatusOK, &accounts)
	same(t, "accounts", accounts, []struct{ Acct string }{{"cid"}, {"ann"}})
	var next groups
	e.ask(t, bob, "GET /api/v2/notifications?grouped_types[]=follow&max_id="+ids[0], nil).want(t, http.StatusOK, &next)
	same(t, "ungrouped", len(next.Groups), 6)
}

func readNotifications(t *testing.T, e *env, bob person, ids []string) {
	t.Helper()
	unread := func(query string) (n struct{ Count int }) {
		e.ask(t, bob, "GET /api/v2/notifications/unread_count"+query, nil).want(t, http.StatusOK, &n)
		return n
	}
	counts := []int{unread("").Count, unread("?types[]=favourite").Count, unread("?limit=1").Count}
	same(t, "unread", counts, []int{5, 2, 1})
	// A marker is a position: what is not after it is read.
	micros, err := strconv.ParseInt(ids[4][:14], 16, 64)
	testenv.Must(t, err)
	for _, to := range []any{micros, ids[3]} {
		e.ask(t, bob, "POST /api/v1/markers", map[string]any{"notifications": map[string]any{"last_read_id": to}}).
			want(t, http.StatusOK, nil)
		same(t, "after the marker", unread("").Count, map[bool]int{true: 3, false: 4}[to == ids[3]])
	}
	var m struct {
		Notifications struct {
			LastReadID string `json:"last_read_id"`
		}
	}
	e.ask(t, bob, "GET /api/v1/markers?timeline[]=notifications", nil).want(t, http.StatusOK, &m)
	same(t, "the marker", m.Notifications.LastReadID, ids[3])
	testenv.Must(t, bob.ClearNotifications(t.Context()))
	same(t, "after all are read", unread("").Count, 0)
}
