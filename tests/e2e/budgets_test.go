package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// clock runs from a midnight in the middle of a month: what is done once a day, and
// what spans two months, costs more.
type clock struct {
	start time.Time
	ahead atomic.Int64
}

func (c *clock) now() time.Time {
	return time.Date(2026, time.June, 15, 0, 0, 0, 0, time.UTC).Add(time.Since(c.start) + time.Duration(c.ahead.Load()))
}

// figures is the table of what was measured, and the table of budgets in docs/reports/prices.md.
type figures struct {
	t             *testing.T
	text, budgets strings.Builder
	*tabwriter.Writer
}

func newFigures(t *testing.T) *figures {
	f := &figures{t: t}
	f.Writer = tabwriter.NewWriter(&f.text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(f, "operation\treads\twrites\tdeletes\tbudget")
	t.Cleanup(func() {
		f.Flush()
		t.Logf("billed documents:\n%s", f.text.String())
		if !t.Failed() {
			compare(t, f.budgets.String())
		}
	})
	f.budgets.WriteString("| operation | reads | writes |\n|---|---|---|\n")
	return f
}

// unlimited stands for what has no budget.
const unlimited = -1

// check notes what an operation was billed and compares it with what it may be.
func (f *figures) check(operation string, got meter.Counts, reads, writes int64) {
	f.t.Helper()
	limit := func(n int64, of string) string {
		if n == unlimited {
			return ""
		}
		return fmt.Sprint(" ≤ ", n, of)
	}
	f.allow(operation, reads, writes)
	budget := strings.TrimSpace(limit(reads, " reads") + limit(writes, " writes"))
	fmt.Fprintf(f, "%s\t%d\t%d\t%d\t%s\n", operation, got.Reads, got.Writes, got.Deletes, budget)
	if reads != unlimited && got.Reads > reads || writes != unlimited && got.Writes > writes {
		f.t.Errorf("%s was billed %+v, budget %s", operation, got, budget)
	}
}

// allow adds a budget to the page.
func (f *figures) allow(operation string, reads, writes int64) {
	cell := func(n int64) string {
		if n == unlimited {
			return ""
		}
		return fmt.Sprint(n)
	}
	if reads != unlimited || writes != unlimited {
		fmt.Fprintf(&f.budgets, "| %s | %s | %s |\n", operation, cell(reads), cell(writes))
	}
}

// newMetered starts the whole with a cache that keeps everything until the clock is
// set, and a journal of the functions.
func newMetered(t *testing.T) (*env, *clock, *journal) {
	t.Helper()
	c, j := &clock{start: time.Now()}, newJournal()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: cacheTTL, Now: c.now}, Log: j.logger()})
	return serve(t, s), c, j
}

// pass lets time pass.
func (c *clock) pass(d time.Duration) { c.ahead.Add(int64(d)) }

// forget makes every cached document too old.
func (c *clock) forget() { c.pass(cacheTTL + time.Minute) }

// cacheTTL is longer than any of these tests runs.
const cacheTTL = 20 * time.Minute

func TestReadingBudgets(t *testing.T) {
	t.Parallel()
	e, c, _ := newMetered(t)
	f := newFigures(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.follow(t, bob, ann)
	e.idle(t)
	var made []tweet
	for i := range 30 {
		made = append(made, e.post(t, ann, fmt.Sprint("tweet ", i), tweet{}))
	}
	e.like(t, bob, made[29])
	e.idle(t)

	c.forget()
	first := e.do(t, bob, "GET /v1/timeline", nil).want(t, http.StatusOK, nil) // enqueues the sweep of the day
	f.check("home page of 20, cold, first of the day", first.cost(t), 24, unlimited)
	c.forget()
	var home list[tweet]
	cold := e.do(t, bob, "GET /v1/timeline", nil).want(t, http.StatusOK, &home)
	warm := e.do(t, bob, "GET /v1/timeline", nil).want(t, http.StatusOK, nil)
	same(t, "home page", ids(home.Items), newest(made[10:]...))
	if !home.Items[0].Liked || home.Items[1].Liked {
		t.Error("the home page does not tell what bob likes")
	}
	f.check("home page of 20, cold", cold.cost(t), 24, 0)
	f.check("home page of 20, cached", warm.cost(t), 2, 0)

	c.forget()
	var tweets list[tweet]
	profile := e.do(t, bob, "GET /v1/users/"+ann.id, nil).want(t, http.StatusOK, nil).cost(t)
	page := e.do(t, bob, "GET /v1/users/"+ann.id+"/tweets", nil).want(t, http.StatusOK, &tweets).cost(t)
	same(t, "profile page", ids(tweets.Items), newest(made[10:]...))
	// the user, the caller's graph twice, whether the user follows the caller, and the head
	f.check("profile page: user and 20 tweets", profile.Add(page), 5, 0)
}

func TestLikeBudgets(t *testing.T) {
	t.Parallel()
	e, c, j := newMetered(t)
	f := newFigures(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	for _, state := range []string{"cold", "cached"} {
		made := e.post(t, ann, "like me #go", tweet{})
		e.idle(t)
		c.forget()
		if state == "cached" {
			items[batchItem](t, e, bob, "/v1/tweets:batchGet?ids="+made.ID)
		}
		for i, request := range []string{"PUT", "DELETE"} {
			j.reset()
			name := []string{"like", "unlike"}[i] + ", " + state + ": "
			begun := time.Now()
			// the tweet, and the graphs of its author and of bob
			f.check(name+"API", e.do(t, bob, request+" /v1/tweets/"+made.ID+"/like", nil).want(t, http.StatusNoContent,
				nil).cost(t), int64(3-3*i), 2)
			e.idle(t)
			paid := j.take(t)
			// the notifications; of an unlike also the notification event
			if i == 1 || time.Since(begun) < time.Second { // an event that is 2 s late also reads who blocks whom
				f.check(name+"LikeChanged", paid["LikeChanged"], int64(1+i), 3)
			} else {
				f.allow(name+"LikeChanged", 1, 3)
				t.Logf("%sthe machine is too slow for the budget of LikeChanged", name)
			}
			if _, ok := paid["LikeChanged"]; !ok {
				t.Errorf("LikeChanged did not hear of the %s", name)
			}
			delete(paid, "LikeChanged")
			f.check(name+"others", paid.sum(), 0, 0)
			if got := e.tweet(t, bob, made); got.LikeCount != 1-i || got.Liked != (i == 0) {
				t.Errorf("%slikeCount = %d and liked = %v", name, got.LikeCount, got.Liked)
			}
			c.pass(time.Minute) // a counter that moves twice a second costs otherwise
		}
	}
}

func TestFollowBudgets(t *testing.T) {
	t.Parallel()
	e, c, j := newMetered(t)
	f := newFigures(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	e.idle(t)
	for _, act := range []struct {
		name, method       string
		by                 person
		status             int
		api, reads, writes int64
	}{
		// The functions read the list of followers, the relationship and the notification requests; the rest is for the count
		// and the notification.
		{"first follow", "PUT", bob, http.StatusOK, 4, 7, 7}, {"follow", "PUT", cat, http.StatusOK, 4, 6, 6},
		{"unfollow", "DELETE", cat, http.StatusNoContent, 0, 4, 6},
	} {
		c.pass(time.Minute) // a counter that moves twice a second costs otherwise
		j.reset()
		done := e.do(t, act.by, act.method+" /v1/users/"+ann.id+"/follow", nil).want(t, act.status, nil)
		f.check(act.name+": API", done.cost(t), act.api, 2)
		e.idle(t)
		f.check(act.name+": triggers", j.take(t).sum(), act.reads, act.writes)
	}
	c.forget()
	path := "GET /v1/users/" + ann.id + "/followers"
	cold := e.do(t, cat, path, nil).want(t, http.StatusOK, nil)
	var page list[relative]
	warm := e.do(t, cat, path, nil).want(t, http.StatusOK, &page)
	same(t, "ann's followers", names(page.Items), []string{"bob"})
	// the list, the caller's graph, and the profile
	f.check("followers, one profile not cached", cold.cost(t), 3, 0)
	f.check("followers, profiles cached", warm.cost(t), 2, 0)
}

func TestPostingBudgets(t *testing.T) {
	t.Parallel()
	e, c, j := newMetered(t)
	f := newFigures(t)
	crowds := []int{0, 1, 50}
	authors := make([]person, len(crowds))
	for i, followers := range crowds {
		authors[i] = e.join(t, fmt.Sprint("author_", followers))
	}
	e.post(t, authors[0], "#used already", tweet{})
	crowd := followers(t, e.stack.Store, "reader", crowds[len(crowds)-1])
	for i, n := range crowds {
		follow(t, e.stack.Store, crowd[:n], authors[i])
	}
	e.idle(t)
	j.reset()
	for i, n := range crowds {
		for _, content := range []string{"a spark", "a #used spark"} {
			e.idle(t)
			j.reset()
			c.forget()
			var made tweet
			begun := time.Now()
			a := e.do(t, authors[i], "POST /v1/tweets", map[string]any{"content": content}, "Idempotency-Key",
				fmt.Sprintf("%x", content)).want(t, http.StatusCreated, &made)
			e.idle(t)
			name, reads, writes := post(n, len(made.Tags))
			f.check(name+"API", a.cost(t), unlimited, 3)
			if bill := j.take(t).sum(); time.Since(begun) < 9*time.Second { // an event that is 10 s late reads more
				f.check(name+"triggers", bill, reads, writes)
			} else {
				f.allow(name+"triggers", reads, writes)
				t.Logf("%sthe machine is too slow for the budget of triggers", name)
			}
			for at := 0; at < n; at += 1 + n/20 { // about 20 of the readers
				reader := crowd[at]
				home, _, _, err := e.stack.Store.Timelines.Home(t.Context(), reader, "", "", 1)
				if err != nil {
					t.Fatal(err)
				}
				if len(home) != 1 || string(home[0].ID) != made.ID {
					t.Fatalf("%snot the newest in the timeline of %s", name, reader)
				}
			}
		}
	}
}

// post returns the name of a post's figures, and the budget of its triggers.
func post(followers, tags int) (name string, reads, writes int64) {
	return fmt.Sprintf("post to %d followers, tags %d: ", followers, tags), 3, int64(5 + 2*tags)
}

// followers makes profiles straight in the database.
func followers(t testing.TB, s *store.Store, name string, n int) []model.UserID {
	t.Helper()
	made := make([]model.UserID, n)
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(8)
	for i := range made {
		made[i] = model.UserID(fmt.Sprintf("%s_%d", name, i))
		g.Go(func() error {
			_, err := s.Users.CreateUser(ctx, made[i], model.NewUser{Username: string(made[i]), Nickname: name})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	return made
}

// follow makes them follow somebody.
func follow(t testing.TB, s *store.Store, who []model.UserID, whom person) {
	t.Helper()
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(8)
	for _, uid := range who {
		g.Go(func() error { return s.Graph.Follow(ctx, uid, model.UserID(whom.id)) })
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
}

// A conversation opens for 3 reads, and a message has 3 writes with its functions, also among 32 users.
func TestMessageBudgets(t *testing.T) {
	t.Parallel()
	e, c, j := newMetered(t)
	f := newFigures(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	others := followers(t, e.stack.Store, "member", model.MaxConversationMembers-2)
	follow(t, e.stack.Store, append([]model.UserID{model.UserID(bob.id)}, others...), ann)
	e.idle(t)
	all := []string{bob.id}
	for _, uid := range others {
		all = append(all, string(uid))
	}
	for i, members := range [][]string{all[:1], all} {
		name := fmt.Sprintf("conversation of %d: ", len(members)+1)
		var talk struct{ ID string }
		e.do(t, ann, "POST /v1/conversations", map[string]any{"memberIds": members, "text": "hello"}).want(t,
			http.StatusCreated, &talk)
		e.idle(t)
		path := "/v1/conversations/" + talk.ID
		var before, is struct {
			Count     int
			At        string
			Unchanged bool
		}
		c.forget()
		e.do(t, bob, "GET /v1/conversations/unreadCount", nil).want(t, http.StatusOK, &before)
		c.pass(2 * time.Minute)
		e.do(t, bob, "GET /v1/conversations/unreadCount?since="+before.At, nil).want(t, http.StatusOK, &before)
		f.check(name+"nothing new since the last count", e.do(t, bob, "GET /v1/conversations/unreadCount?since="+before.At,
			nil).want(t, http.StatusOK, &is).cost(t), 1, 0)
		if !is.Unchanged {
			t.Errorf("%swithout a new message the answer is %+v", name, is)
		}

		j.reset()
		var sent struct{ ID string }
		f.check(name+"message: API", e.do(t, ann, "POST "+path+"/messages", map[string]any{"text": "a spark"}).want(t,
			http.StatusCreated, &sent).cost(t), int64(3-i), 2) // of two, a block is read anew
		e.idle(t)
		f.check(name+"message: triggers", j.take(t).sum(), 2, 1)
		e.do(t, bob, "GET /v1/conversations/unreadCount?since="+is.At, nil).want(t, http.StatusOK, &is)
		if is.Unchanged || is.Count == 0 {
			t.Errorf("%safter a message the answer is %+v", name, is)
		}
		f.check(name+"opened", e.do(t, bob, "GET "+path+"/messages", nil).want(t, http.StatusOK, nil).cost(t), 3, 0)
		f.check(name+"who is in it", e.do(t, bob, "GET "+path, nil).want(t, http.StatusOK, nil).cost(t), 3, 0)
		f.check(name+"read", e.do(t, bob, "PUT "+path+"/read", map[string]string{"messageId": sent.ID}).want(t,
			http.StatusNoContent, nil).cost(t), 1, 1)
		f.check(name+"reaction: API", e.do(t, bob, "PUT "+path+"/messages/"+sent.ID+"/reaction",
			map[string]string{"emoji": "🎇"}).want(t, http.StatusNoContent, nil).cost(t), 3, 1)
		e.idle(t)
		f.check(name+"reaction: triggers", j.take(t).sum(), 0, 0)
	}
}
