package inbox_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// request is an activity on its way, signed at a time.
type request struct {
	text   []byte
	signed time.Time
}

// history is what the people of another server do, and what should be here in the end.
type history struct {
	rand   *rand.Rand
	now    time.Time
	server string
	people []string
	sent   []request
	n      int

	acts  map[string][]byte // what holds, by kind, person and object
	posts map[string]string // the text of each post; empty for one that was deleted
	by    map[string]string // authors of posts
}

func (h *history) id(kind string) string {
	h.n++
	return fmt.Sprint(h.server, "/", kind, "/", h.n)
}

func (h *history) send(text []byte) {
	h.now = h.now.Add(2 * time.Second)
	h.sent = append(h.sent, request{text, h.now})
}

// step lets somebody do something.
func (h *history) step(objects map[string][]string) {
	actor := h.people[h.rand.IntN(len(h.people))]
	switch h.rand.IntN(5) {
	case 0, 1, 2: // an act, or its end
		kinds := slices.Sorted(maps.Keys(objects))
		kind := kinds[h.rand.IntN(len(kinds))]
		of := objects[kind][h.rand.IntN(len(objects[kind]))]
		key := kind + " " + actor + " " + of
		if is := h.acts[key]; is != nil {
			delete(h.acts, key)
			var undone any = object(is)
			if h.rand.IntN(3) == 0 {
				undone = object(is)["id"]
			}
			h.send(say("Undo", actor, h.id("undo"), undone, nil))
			return
		}
		h.acts[key] = say(kind, actor, h.id(kind), of, nil)
		h.send(h.acts[key])
	case 3: // a post
		iri := h.id("posts")
		h.posts[iri], h.by[iri] = "hello", actor
		h.send(say("Create", actor, iri+"#create", note(iri, actor, nil), nil))
	case 4: // a change or a deletion
		all := slices.Sorted(maps.Keys(h.posts))
		if len(all) == 0 {
			return
		}
		iri := all[h.rand.IntN(len(all))]
		if h.posts[iri] == "" {
			return
		}
		if h.rand.IntN(2) == 0 {
			h.posts[iri] = ""
			h.send(say("Delete", h.by[iri], iri+"#delete", map[string]any{"type": "Tombstone", "id": iri}, nil))
			return
		}
		h.n++
		h.posts[iri] = fmt.Sprint("version ", h.n)
		h.send(say("Update", h.by[iri], fmt.Sprint(iri, "#update-", h.n), note(iri, h.by[iri], map[string]any{
			"content": h.posts[iri], "updated": h.now.Format(time.RFC3339)}), nil))
	}
}

// Whatever the order in which activities come, how often and how late, the documents in the end are those of a world in
// which each came once and in its turn.
func TestHistories(t *testing.T) {
	testenv.Slow(t, "histories of three people")
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e, f := open(t), far.New(t)
			h := &history{rand: rand.New(rand.NewPCG(seed, 1)), now: e.Clock.Now(), server: f.URL,
				acts: map[string][]byte{}, posts: map[string]string{}, by: map[string]string{}}
			for _, name := range []string{"bob", "cho", "dan"} {
				iri := f.Actor(name, nil)
				h.people = append(h.people, iri)
				_, err := e.of.Person(t.Context(), iri)
				testenv.Must(t, err)
				testenv.Must(t, e.Graph.Follow(t.Context(), "ann", model.RemoteUserID(iri)))
				testenv.Must(t, e.Requests.Accept(t.Context(), model.RemoteUserID(iri), "ann"))
			}
			first, second := site.Post(e.Tweet(t, "ann", "one").ID), site.Post(e.Tweet(t, "ben", "two").ID)
			objects := map[string][]string{"Follow": {site.User("ann"), site.User("ben")}, "Like": {first, second},
				"Announce": {first, second}}
			for range 80 {
				h.step(objects)
			}
			e.Clock.Set(h.now)
			// Each comes once at least. Some come twice, as they were sent, and some were lost and are signed anew. Up to 30
			// places they are out of order.
			var all []request
			place := map[int]int{}
			for i, r := range h.sent {
				for range 1 + h.rand.IntN(2) {
					place[len(all)] = 2*i + h.rand.IntN(30)
					all = append(all, r)
				}
			}
			order := slices.Sorted(maps.Keys(place))
			slices.SortStableFunc(order, func(a, b int) int { return place[a] - place[b] })
			for n, i := range order {
				e.Clock.Add(time.Second)
				e.arrives(t, all[i].text, all[i].signed)
				if n%(1+h.rand.IntN(6)) == 0 {
					e.work(t)
				}
			}
			e.work(t)
			e.compare(t, h, objects)
		})
	}
}

// compare compares the documents with those of the model.
func (e *env) compare(t *testing.T, h *history, objects map[string][]string) {
	t.Helper()
	for kind, of := range objects {
		for _, actor := range h.people {
			for _, o := range of {
				uid, want := model.RemoteUserID(actor), h.acts[kind+" "+actor+" "+o] != nil
				path := ""
				switch user, _ := site.UserOf(o); kind {
				case "Follow":
					path = "relationships/" + model.RelationshipKey(uid, user)
				default:
					id, _ := site.PostOf(o)
					path = map[string]string{"Like": "likes/", "Announce": "shares/"}[kind] + model.ReactionKey(uid, id)
				}
				if got := e.Doc(t, path) != nil; got != want {
					t.Errorf("%s of %s by %s: %v, want %v", kind, o, actor, got, want)
				}
			}
		}
	}
	there := 0
	for iri, want := range h.posts {
		got := ""
		id, err := e.of.KnownPost(t.Context(), iri)
		if err == nil {
			is, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{})
			testenv.Must(t, err)
			got = is.Content
			there++
		} else if errs.KindOf(err) != errs.Gone {
			t.Errorf("%s: %v", iri, err)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", iri, got, want)
		}
	}
	if n := len(e.IDs(t, model.Tweets)); n != there+2 {
		t.Errorf("there are %d tweets, want %d", n, there+2)
	}
}
