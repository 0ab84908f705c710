package functions_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/linkcard"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Events of posts with links come several times, late and in any order, and functions die with their answers: every
// link of a public post gets its card, a page is fetched once for all posts of a minute, and nobody learns of the links
// of other posts. Sites that do not answer hold up no count.
func TestLinkCards(t *testing.T) {
	t.Parallel()
	var fetched, told, dying atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/secret"):
			told.Add(1)
		case strings.HasPrefix(r.URL.Path, "/page"):
			fetched.Add(1)
			w.Header().Set("Cache-Control", "max-age=86400")
			_, _ = io.WriteString(w, "<html><title>Title of "+r.URL.Path+"</title>")
		default:
			http.Error(w, "no", http.StatusTeapot)
		}
	}))
	t.Cleanup(site.Close)
	fetcher := linkcard.New(outbound.Client(outbound.Options{AllowLoopback: true}))
	s := stacktest.Run(t, stack.Options{
		Faults: &eventarc.Faults{Seed: 7, Duplicate: 3, Delay: 20 * time.Millisecond, Drop: 0.3},
		Store: store.Options{CacheTTL: time.Millisecond, WriteEvery: 20 * time.Millisecond,
			FetchLink: func(ctx context.Context, address string) (model.LinkPage, error) {
				page, err := fetcher.Fetch(ctx, address)
				if dying.Add(1)%3 == 1 {
					return page, context.Canceled // the process ends between the fetch and the write
				}
				return page, err
			}},
	})
	ctx, db := t.Context(), s.Store
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := db.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	post := func(by model.UserID, visibility model.Audience, path string) model.TweetID {
		t.Helper()
		made, err := db.Tweets.CreateTweet(ctx, by, model.Draft{Content: "look at [this](" + site.URL + path + ")",
			Visibility: visibility, AllowLikes: true}, model.Request{})
		testenv.Must(t, err)
		return made.ID
	}
	card := func(path, want string) {
		t.Helper()
		got := ""
		if c, err := db.Links.Card(ctx, site.URL+path); err == nil {
			got = c.Title
		}
		if got != want {
			t.Errorf("the card of %s is %q, want %q", path, got, want)
		}
	}
	for n := range 4 {
		post("ann", model.Public, fmt.Sprintf("/page%d", n))
		post("bob", model.Unlisted, fmt.Sprintf("/page%d", n))
	}
	post("ann", model.Followers, "/secret1")
	post("ann", model.Mentioned, "/secret2")
	post("bob", model.Public, "/broken")
	narrow := post("bob", model.Followers, "/page9")
	other := post("bob", model.Public, "/page0")
	stacktest.Idle(t, s)
	for n := range 4 {
		card(fmt.Sprintf("/page%d", n), fmt.Sprintf("Title of /page%d", n))
	}
	for _, path := range []string{"/secret1", "/secret2", "/broken", "/page9"} {
		card(path, "")
	}
	edit := func(id model.TweetID, p model.TweetPatch) {
		t.Helper()
		_, err := db.Edits.Edit(ctx, "bob", id, p, nil)
		testenv.Must(t, err)
	}
	before := dying.Load()
	edit(other, model.TweetPatch{Content: new("the same [page](" + site.URL + "/page0)")})
	stacktest.Idle(t, s)
	if n := dying.Load() - before; n != 0 {
		t.Errorf("an edit that keeps the link fetched %d pages", n)
	}
	edit(other, model.TweetPatch{Content: new("another [page](" + site.URL + "/page7)")})
	edit(narrow, model.TweetPatch{Visibility: new(model.Public)})
	testenv.Must(t, db.Tweets.DeleteTweet(ctx, "bob", false, narrow)) // its card comes or not, and does no harm
	stacktest.Idle(t, s)
	card("/page7", "Title of /page7")
	card("/page0", "Title of /page0")
	if told.Load() != 0 {
		t.Errorf("sites were told of %d links of posts that not everybody may see", told.Load())
	}
	if left, err := db.Migrations.Unfinished(ctx); err != nil || left[model.LinkFetches] != 0 {
		t.Errorf("%d work documents are left, %v", left[model.LinkFetches], err)
	}
	if n := fetched.Load(); n < 5 || n > 30 {
		t.Errorf("6 pages were fetched %d times", n)
	}
	ann, err := db.Users.User(ctx, "ann")
	testenv.Must(t, err)
	if ann.TweetCount != 6 {
		t.Errorf("ann has %d tweets, want 6", ann.TweetCount)
	}
}
