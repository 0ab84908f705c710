package cost

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// The operations of a day with messages, beside those of any other day. Each has the requests that the web client sends
// for it.
const (
	talksView      = "conversations"
	talkOpen       = "conversation opened" // in the list: its messages, and a listener to them
	talkRead       = "messages read"       // up to the last one, and what is unread then
	messageSend    = "message to one"
	messageToMany  = "message to seven"
	messageReact   = "reaction to a message"
	unreadTalks    = "unread conversations"            // counted
	unreadNews     = "unread conversations, new since" // each two minutes while somebody looks
	markersView    = "markers"
	markHome       = "home page, marked"
	announcedView  = "announcements"
	suggestionView = "suggestions"
	tagFollow      = "tag follow"
	listView       = "list and its tweets"
)

// talkingDay is how often each of so many users does each of these operations on a day. Home pages add to it markHome,
// announcedView and unreadNews.
var talkingDay = []struct {
	operation string
	times     int
	of        int // one user of so many does the operation
}{
	{talksView, 3, 1}, {talkOpen, 4, 1}, {talkRead, 4, 1}, {messageSend, 5, 1}, {messageToMany, 1, 1},
	{messageReact, 1, 1}, {unreadTalks, 3, 1}, {unreadNews, 0, 1}, {markersView, 3, 1}, {markHome, 0, 1},
	{announcedView, 0, 1}, {suggestionView, 3, 1}, {tagFollow, 1, 20}, {listView, 1, 1},
}

const (
	leastTalking = 9                      // users: a group has 8
	groupOf      = 8                      // users of a conversation of several
	talkHeard    = 1                      // changes that a listener to messages hears
	unreadPause  = 2 * time.Minute        // between two questions of the web client while somebody looks
	markPause    = 15 * time.Second       // after which it marks the newest tweet that was in the window
	unreadCounts = 5                      // it counts anew with each so many questions
	listMembers  = 6                      // of a user's list
	talkTimes    = 24 * time.Hour         // in which the operations are spread
	visit        = newsAVisit * newsPause // how long a home page is visible
)

// talks is what a run knows of conversations. Its choices have random numbers of their own, so that a day has the same
// other operations with messages and without.
type talks struct {
	rand   *rand.Rand
	pairs  [][]string        // by user: ids of conversations of two
	groups [][]string        // by user
	lists  []string          // by user
	last   map[string]string // by conversation: its last message
	since  map[int]string    // by user: when the client counted
	asked  map[int]int       // by user: how often it asked since then
}

func newTalks(users int, seed uint64) *talks {
	return &talks{rand: rand.New(rand.NewPCG(seed, 0x74616c6b)), pairs: make([][]string, users),
		groups: make([][]string, users), lists: make([]string, users), last: map[string]string{},
		since: map[int]string{}, asked: map[int]int{}}
}

// any chooses a conversation of a user.
func (t *talks) any(user int) string {
	all := append(append([]string{}, t.pairs[user]...), t.groups[user]...)
	return all[t.rand.IntN(len(all))]
}

// today lists the operations of a day, in any order.
func (t *talks) today(users int) (all []operation) {
	if t == nil {
		return nil
	}
	for user := range users {
		for _, p := range talkingDay {
			for range p.times {
				if user%p.of == p.of-1 {
					all = append(all, operation{user, p.operation, time.Duration(t.rand.Int64N(int64(talkTimes)))})
				}
			}
		}
	}
	return all
}

// beside lists what the web client asks beside home pages.
func (t *talks) beside(day []operation) (all []operation) {
	if t == nil {
		return nil
	}
	for _, op := range day {
		if op.name != homeView {
			continue
		}
		add := func(name string, after time.Duration) {
			all = append(all, operation{op.user, name, min(op.at+after, talkTimes-1)})
		}
		add(announcedView, 0)
		add(markHome, markPause)
		for after := unreadPause; after <= visit; after += unreadPause {
			add(unreadNews, after)
		}
	}
	return all
}

// meet makes the conversations and the lists of all users: two users have one with each other, and eight have one.
func (r *run) meet(ctx context.Context) error {
	users := len(r.names)
	begin := func(user int, text string, others ...int) (string, error) {
		ids := make([]string, len(others))
		for i, other := range others {
			ids[i] = r.names[other%users]
		}
		var made struct{ ID string }
		_, err := r.call(ctx, r.names[user], http.MethodPost, "/v1/conversations",
			map[string]any{"memberIds": ids, "text": text}, &made)
		for _, id := range ids {
			if err == nil {
				_, err = r.call(ctx, id, http.MethodPost, "/v1/conversations/"+made.ID+"/accept", nil, nil)
			}
		}
		return made.ID, err
	}
	err := r.Count("conversations", users, func(done func()) error {
		for user := range users {
			for _, other := range []int{user + 1, user + 3} {
				id, err := begin(user, "A first spark for one.", other)
				if err != nil {
					return err
				}
				r.talks.pairs[user] = append(r.talks.pairs[user], id)
				r.talks.pairs[other%users] = append(r.talks.pairs[other%users], id)
			}
			if user%groupOf == 0 {
				var others []int
				for n := 1; n < groupOf; n++ {
					others = append(others, user+n)
				}
				id, err := begin(user, "A first spark for all.", others...)
				if err != nil {
					return err
				}
				for _, member := range append(others, user) {
					r.talks.groups[member%users] = append(r.talks.groups[member%users], id)
				}
			}
			if err := r.keepList(ctx, user); err != nil {
				return err
			}
			done()
		}
		return r.Idle(ctx)
	})
	r.Functions.take()
	return err
}

// keepList makes a list of some whom a user follows.
func (r *run) keepList(ctx context.Context, user int) error {
	var made struct{ ID string }
	me := r.names[user]
	if _, err := r.callKeyed(ctx, me, http.MethodPost, "/v1/lists", "list", map[string]string{"title": "Sparks"},
		&made); err != nil {
		return err
	}
	r.talks.lists[user] = made.ID
	for _, whom := range r.follows[user][:min(listMembers, len(r.follows[user]))] {
		if _, err := r.call(ctx, me, http.MethodPut, "/v1/lists/"+made.ID+"/members/"+r.names[whom], nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// talked performs an operation of this file. ok is false for any other.
func (r *run) talked(ctx context.Context, op operation, n int) (b Bill, would func(baseline) Bill, ok bool, err error) {
	me := r.names[op.user]
	bill := func(is Bill) func(baseline) Bill { return func(baseline) Bill { return is } }
	get := func(path string, answer any) error {
		of, err := r.call(ctx, me, http.MethodGet, path, nil, answer)
		b = b.plus(of)
		return err
	}
	send := func(method, path string, body, answer any) error {
		of, err := r.call(ctx, me, method, path, body, answer)
		b = b.plus(of)
		return err
	}
	var page struct{ Items []struct{ ID string } }
	switch op.name {
	case talksView:
		err = get("/v1/conversations", &page)
		would = bill(Bill{Reads: int64(max(1, len(page.Items)))})
	case talkOpen:
		err = get("/v1/conversations/"+r.talks.any(op.user)+"/messages", &page)
		b.Reads += 1 + talkHeard
		would = bill(Bill{Reads: 1 + int64(min(homePage, len(page.Items))) + talkHeard})
	case talkRead:
		id := r.talks.any(op.user)
		if last := r.talks.last[id]; last != "" {
			err = send(http.MethodPut, "/v1/conversations/"+id+"/read", map[string]string{"messageId": last}, nil)
		}
		err = errors.Join(err, r.countTalks(ctx, op.user, &b))
		would = bill(Bill{Writes: 1})
	case messageSend, messageToMany:
		all := r.talks.pairs[op.user]
		if op.name == messageToMany {
			all = r.talks.groups[op.user]
		}
		id := all[r.talks.rand.IntN(len(all))]
		var made struct{ ID string }
		err = send(http.MethodPost, "/v1/conversations/"+id+"/messages",
			map[string]string{"text": fmt.Sprintf("Spark %d is for you alone, until tomorrow.", n)}, &made)
		r.talks.last[id] = made.ID
		would = bill(Bill{Reads: 2, Writes: 2}) // the conversation, a block; the message, the conversation
	case messageReact:
		id := r.talks.any(op.user)
		if last := r.talks.last[id]; last != "" {
			err = send(http.MethodPut, "/v1/conversations/"+id+"/messages/"+last+"/reaction",
				map[string]string{"emoji": "🎇"}, nil)
		}
		would = bill(Bill{Reads: 1, Writes: 1})
	case unreadTalks:
		err = r.countTalks(ctx, op.user, &b)
		would = bill(Bill{Reads: int64(len(r.talks.pairs[op.user]))}) // a listener
	case unreadNews:
		err = r.askTalks(ctx, op.user, &b)
		would = bill(Bill{})
	case markersView:
		err = get("/v1/users/me/markers", nil)
		would = bill(Bill{Reads: 1})
	case markHome:
		would = bill(Bill{Reads: 1, Writes: 1})
		if seen := r.top[op.user]; seen != "" {
			err = send(http.MethodPatch, "/v1/users/me/markers", map[string]any{"home": map[string]string{"lastReadId": seen}},
				nil)
		}
	case announcedView:
		err = get("/v1/announcements?format=html", nil)
		would = bill(Bill{Reads: 1})
	case suggestionView:
		err = get("/v1/suggestions?limit=10&language=en", &page)
		would = bill(Bill{Reads: 1 + int64(len(page.Items))})
	case tagFollow:
		err = send(http.MethodPut, fmt.Sprintf("/v1/tags/tag%d/follow", r.talks.rand.IntN(popularOfTags)), nil, nil)
		would = bill(Bill{Writes: 1})
	case listView:
		path := "/v1/users/" + me + "/lists/" + r.talks.lists[op.user]
		var shown tweetList
		err = errors.Join(get(path, nil), get("/v1/lists/"+r.talks.lists[op.user]+"/timeline", &shown))
		would = func(l baseline) Bill { return l.home(shown.Items).plus(Bill{Reads: 1}) }
	default:
		return b, nil, false, nil
	}
	return b, would, true, err
}

// unreadAnswer is what the API counts.
type unreadAnswer struct {
	At        string
	Unchanged bool
}

// countTalks counts what is unread.
func (r *run) countTalks(ctx context.Context, user int, b *Bill) error {
	var is unreadAnswer
	of, err := r.call(ctx, r.names[user], http.MethodGet, "/v1/conversations/unreadCount", nil, &is)
	*b = b.plus(of)
	r.talks.since[user], r.talks.asked[user] = is.At, 0
	return err
}

// askTalks asks whether something is new since the count, as the web client does.
func (r *run) askTalks(ctx context.Context, user int, b *Bill) error {
	if r.talks.since[user] == "" || r.talks.asked[user] >= unreadCounts {
		return r.countTalks(ctx, user, b)
	}
	var is unreadAnswer
	of, err := r.call(ctx, r.names[user], http.MethodGet,
		"/v1/conversations/unreadCount?since="+url.QueryEscape(r.talks.since[user]), nil, &is)
	*b = b.plus(of)
	r.talks.since[user] = is.At
	if r.talks.asked[user]++; !is.Unchanged {
		r.talks.asked[user] = 0
	}
	return err
}
