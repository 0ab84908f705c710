//lint:file-ignore SA1019 a batch is one round trip, see store/internal/db

package functions_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/local/eventarc"
	"github.com/hibana-sns/hibana/internal/local/stack"
	"github.com/hibana-sns/hibana/internal/testing/stacktest"
	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/facts"
)

var (
	seed      = flag.Uint64("seed", 0, "replay the history of this seed only")
	histories = flag.Int("histories", 10, "how many random histories; from 10 on, every ingredient must occur in them")
	steps     = flag.Int("steps", 45, "how many steps a history has")
	frozen    = flag.Duration("frozen", 2*time.Second, "for how long a process is frozen; Cloud Run freezes for as long as no request comes")
)

// TestHistories runs random histories while events are duplicated, reordered, delayed and
// lost, and functions are killed and frozen. Events of work documents are lost for good, and
// so are answers to commits that happened. A function that is late runs beside its next
// delivery. The clocks of the API and of the functions are 3 s apart. Some histories go over
// the end of a month. Then nothing that the triggers derived may
// differ from the facts, as `hibana verify` sees it, nor from a sequential model. Over all
// histories everything must have occurred that they are meant to mix. A thousand of them
// are part of `make soak`.
//
// One that fails says how to replay it.
func TestHistories(t *testing.T) {
	first, n := rand.Uint64N(1<<32)+1, *histories
	if *seed != 0 {
		first, n = *seed, 1
	}
	seen := &ingredients{occurred: map[string]int{}}
	for i := range n {
		seed := first + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("replay: go test ./functions -run TestHistories -seed %d -steps %d", seed, *steps)
				}
			})
			runHistory(t, seed, *steps, seen)
		})
	}
	t.Cleanup(func() { seen.check(t) }) // after all histories
}

func runHistory(t *testing.T, seed uint64, steps int, seen *ingredients) {
	rng := rand.New(rand.NewPCG(seed, 0))
	o := store.Options{
		CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond, DrainAfter: 50 * time.Millisecond, StaleAfter: staleAfter,
	}
	ahead, kills := time.Duration(0), seed%5 == 0
	if seed%6 == 1 && !kills { // a process of its own has the calendar's clock
		now := time.Now().UTC()
		ahead = time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC).Sub(now) - 15*time.Second
	}
	clock := func(apart time.Duration) func() time.Time {
		return func() time.Time { return time.Now().Add(ahead + apart) }
	}
	losses := storetest.LoseAnswers(seed, 0.05)
	o.Meter.Below = losses.Lose
	o.Now = clock(0)
	if seed%2 == 0 {
		o.FollowersPerPage = 3 // so that pages are split and fan-outs continued
	}
	if seed%3 != 0 {
		o.PullAbove = 3 // so that authors cross the threshold, both ways
	}
	if seed%4 < 3 {
		o.EntriesPerBucket, o.CardsPerBucket = 8, 5 // so that buckets spill
	}
	deadline := 10 * time.Second
	if seed%2 == 0 && !kills { // in a process of its own a spread waits for 4 s
		deadline = 2 * time.Second
	}
	s := stacktest.Run(t, stack.Options{
		Store: o,
		Faults: &eventarc.Faults{
			Seed: seed, Duplicate: 3, Delay: 200 * time.Millisecond, Drop: 0.1,
			Lose: 0.1, Losable: func(t eventarc.Trigger) bool { return slices.Contains(workPatterns, t.Document) },
		},
		AckDeadline: deadline,
	})
	if kills {
		killAndRestart(t, s, o, rng.Uint64(), seen)
	}
	o.Now = clock(3 * time.Second)
	h := &history{
		t: t, stack: s, store: openAPI(t, s.Project, o), now: o.Now, begun: o.Now(), kills: kills, losses: losses,
		raw: testenv.Client(t, s.Project), rng: rng, world: newWorld(10, o.Now), seen: seen, pullAbove: o.PullAbove,
	}
	for _, u := range h.world.users {
		_, err := h.store.Facts.CreateUser(t.Context(), u, facts.NewUser{Username: string(u), Nickname: string(u)})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range steps {
		if i%crowdEvery == crowdEvery-1 {
			h.crowd(t.Context(), pick(rng, h.world.users))
		} else {
			h.step()
		}
	}
	h.heal()
	h.compare()
	h.note()
	clear(h.world.asleep) // the comparison looked at their timelines, which are rebuilt now
	h.heal()
	h.compare()
}

// staleAfter is the age of a work document from which on its event counts as lost.
const staleAfter = time.Second

// workPatterns are the patterns of work documents, whose events may be lost for good.
var workPatterns = func() (patterns []string) {
	for _, collection := range works {
		patterns = append(patterns, collection+"/{id}")
	}
	return patterns
}()

// works are the collections of work documents. The document of a sweep stays.
var works = []string{
	model.Drains, model.FanOuts, model.RollUps, model.TakenRollUps, model.Spills, model.Wakes, model.Sleeps, model.Spreads, model.CleanUps,
}

// openAPI opens the store of another process than the functions'.
func openAPI(t *testing.T, project string, o store.Options) *store.Store {
	t.Helper()
	o.Emulator, o.Meter = testenv.FirestoreHost(t), stacktest.Meter(t, o.Meter)
	s, err := store.Open(t.Context(), project, "", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// heal waits until all work is done, also the work whose event was lost: a sweep asks for
// it again.
func (h *history) heal() {
	h.t.Helper()
	for range 20 {
		h.idle()
		left := 0
		for _, work := range works {
			left += len(h.ids(work))
		}
		if left == 0 {
			return
		}
		time.Sleep(staleAfter)
		h.askSweep(h.t.Context())
	}
}

// history does one random thing after the other, to the store and to the model.
type history struct {
	t     *testing.T
	stack *stack.Stack
	store *store.Store // the API's
	raw   *firestore.Client
	now   func() time.Time // the API's clock
	begun time.Time
	kills bool
	rng   *rand.Rand
	world *world
	away  []model.UserID // who was put to sleep last
	seen  *ingredients

	losses *storetest.Losses

	compared int // how often everything was compared

	crowds    []int // what they do next
	pullAbove int   // followers above which an author is pulled
}

func (h *history) step() {
	ctx := h.t.Context()
	w := h.world
	u, v := pick(h.rng, w.users), pick(h.rng, w.users)
	switch n := h.rng.IntN(153); {
	case n >= 149:
		h.choose(ctx, u)
	case n >= 146:
		if id, ok := w.pickTweet(h.rng); ok {
			h.pin(ctx, id, n > 146)
		}
	case n >= 143:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(h.retry(func() error { return h.store.Bookmarks.Unbookmark(ctx, u, id) }))
			delete(w.tweets[id].kept, u)
		}
	case n >= 138:
		if id, ok := w.pickPublic(h.rng); ok {
			err := h.retry(func() error {
				return h.store.Bookmarks.Bookmark(ctx, model.Viewer{ID: u, Role: model.Member}, id)
			})
			if h.mayAct(err, u, id, true) {
				w.tweets[id].kept[u] = true
			}
		}
	case n >= 126:
		if id, ok := w.pickPublic(h.rng); ok {
			h.edit(ctx, id)
		}
	case n >= 120:
		if id, ok := w.pickTweet(h.rng); ok {
			h.flag(ctx, id, !w.tweets[id].flagged)
		}
	case n < 22:
		h.follow(ctx, u, v)
	case n < 34:
		h.unfollow(ctx, u, v)
	case n < 58:
		h.tweet(ctx, u, nil)
	case n < 68:
		if parent, ok := w.pickPublic(h.rng); ok {
			h.tweet(ctx, u, &parent)
		}
	case n < 84:
		if id, ok := w.pickPublic(h.rng); ok {
			h.like(ctx, u, id)
		}
	case n < 89:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(h.retry(func() error { return h.store.Facts.Unlike(ctx, u, id) }))
			delete(w.tweets[id].likes, u)
		}
	case n < 93:
		if id, ok := w.pickPublic(h.rng); ok {
			h.share(ctx, u, id)
		}
	case n < 95:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(h.retry(func() error { return h.store.Shares.Unshare(ctx, u, id) }))
			delete(w.tweets[id].shares, u)
		}
	case n < 100:
		if id, ok := w.pickTweet(h.rng); ok {
			h.delete(ctx, id)
		}
	case n < 114:
		if len(h.away) > 0 && h.rng.IntN(3) == 0 {
			u = pick(h.rng, h.away)
		}
		h.look(ctx, u)
	case n < 116 && !h.kills: // a process that is killed lives too short to let a profile grow old in caches
		nickname := fmt.Sprint("nickname ", h.rng.IntN(100))
		h.must(h.retry(func() error { return h.store.Facts.UpdateUser(ctx, u, facts.UserPatch{Nickname: &nickname}) }))
	default:
		h.sleep(ctx)
	}
}

func (h *history) follow(ctx context.Context, u, v model.UserID) {
	if u == v {
		return
	}
	h.must(h.retry(func() error { return h.store.Facts.Follow(ctx, u, v) }))
	rel, err := h.store.Facts.Relationship(ctx, u, v)
	h.must(err)
	if h.world.follow(u, v) {
		h.world.notify(v, "follow", u, "", rel.CreatedAt)
	}
}

func (h *history) unfollow(ctx context.Context, u, v model.UserID) {
	h.must(h.retry(func() error { return h.store.Facts.Unfollow(ctx, u, v) }))
	h.world.unfollow(u, v)
}

func (h *history) like(ctx context.Context, u model.UserID, id model.TweetID) {
	if err := h.retry(func() error { return h.store.Facts.Like(ctx, u, id) }); !h.mayAct(err, u, id, true) {
		return
	}
	if tw := h.world.tweets[id]; !tw.likes[u] {
		tw.likes[u] = true
		like, err := h.store.Facts.LikesBy(ctx, u, model.Cursor{}, 1)
		h.must(err)
		h.world.notify(tw.author, "like:"+string(id), u, "", like.Items[0].CreatedAt)
	}
}

func (h *history) share(ctx context.Context, u model.UserID, id model.TweetID) {
	tw := h.world.tweets[id]
	if err := h.retry(func() error { return h.store.Shares.Share(ctx, u, id) }); !h.mayAct(err, u, id, tw.open()) {
		return
	}
	if !tw.shares[u] {
		tw.shares[u] = true
		share, err := h.store.Shares.By(ctx, u, model.Cursor{}, 1)
		h.must(err)
		h.world.notify(tw.author, "share:"+string(id), u, "", share.Items[0].CreatedAt)
	}
}

// mayAct tells whether a user could do something with a tweet that is not flagged. It fails
// the test if err is not what the model says: a tweet that the user may not see is unknown,
// and one that the user sees takes the act, or not.
func (h *history) mayAct(err error, u model.UserID, id model.TweetID, takes bool) bool {
	h.t.Helper()
	want := ""
	switch {
	case !h.world.sees(u, id):
		want = "tweet_not_found"
		h.seen.add(refusedAct, 1)
	case !takes:
		want = "not_allowed"
	}
	if err != nil && errs.CodeOf(err) == want {
		return false
	}
	h.must(err)
	if want != "" {
		h.t.Errorf("%s did something with tweet %s of %s, which is %s; want %v", u, id, h.world.tweets[id].author, h.world.tweets[id].doc.Visibility, want)
	}
	return true
}

func (h *history) delete(ctx context.Context, id model.TweetID) {
	h.must(h.retry(func() error { return h.store.Facts.DeleteTweet(ctx, h.world.tweets[id].author, false, id) }))
	if len(h.world.tweets[id].former) > 0 {
		h.seen.add(editedAndGone, 1)
	}
	if h.world.count(func(_ model.TweetID, q *tweet) bool { return q.doc.QuoteOf == id }) > 0 {
		h.seen.add(quotedAndGone, 1)
	}
	h.seen.add(keptAndGone, len(h.world.tweets[id].kept))
	h.world.delete(id)
}

// pin pins a tweet of its author, or takes the pin back.
func (h *history) pin(ctx context.Context, id model.TweetID, on bool) {
	t := h.world.tweets[id]
	if !on {
		h.must(h.retry(func() error { return h.store.Pins.Unpin(ctx, t.author, id) }))
		t.pinned = false
		return
	}
	err := h.retry(func() error { return h.store.Pins.Pin(ctx, t.author, id) })
	others := h.world.count(func(other model.TweetID, o *tweet) bool { return o.author == t.author && o.pinned && other != id })
	if full := !t.pinned && others >= model.MaxPins; full != (errs.CodeOf(err) == "too_many_pins") {
		h.t.Errorf("%s pins %s beside %d others: %v", t.author, id, others, err)
	} else if !full {
		h.must(err)
		t.pinned = true
	}
}

// flag flags a tweet, or takes the flag back.
func (h *history) flag(ctx context.Context, id model.TweetID, flagged bool) {
	h.must(h.retry(func() error { return h.store.Facts.Flag(ctx, id, flagged) }))
	t := h.world.tweets[id]
	t.flagged, t.hidden = flagged, true
}

// look reads a page of a home timeline while all sorts of things are under way.
func (h *history) look(ctx context.Context, u model.UserID) {
	before, _ := h.world.pickTweet(h.rng)
	if h.rng.IntN(2) == 0 {
		before = ""
	}
	limit := 1 + h.rng.IntN(20)
	var items []facts.Seen
	var next model.TweetID
	h.must(h.retry(func() (err error) {
		items, next, err = h.store.Timelines.Home(ctx, u, before, limit)
		return err
	}))
	delete(h.world.asleep, u)
	last := before
	for _, item := range items {
		if last != "" && item.ID.Compare(last) >= 0 {
			h.t.Errorf("timeline of %s has %s after %s: twice, or out of order", u, item.ID, last)
		}
		last = item.ID
	}
	if len(items) > limit || next != "" && next != last {
		h.t.Errorf("page of %d of the timeline of %s has %d tweets, the last is %s, and the next page begins after %s", limit, u, len(items), last, next)
	}
}

// crowdEvery is how many steps there are from one crowd to the next.
const crowdEvery = 15

// What a crowd does. Each happens once before any happens again, in any order; but nobody
// leaves before somebody came.
const (
	crowdFollows = iota
	crowdLeaves
	crowdLikes
	crowdLikesWhatIsDeleted
	authorWritesALot
	authorEditsALot
	crowds
)

// crowd lets many things happen at once, so that counters are hot, and authors become
// large, or small again.
func (h *history) crowd(ctx context.Context, u model.UserID) {
	if len(h.crowds) == 0 {
		h.crowds = h.rng.Perm(crowds)
		first, second := slices.Index(h.crowds, crowdFollows), slices.Index(h.crowds, crowdLeaves)
		h.crowds[min(first, second)], h.crowds[max(first, second)] = crowdFollows, crowdLeaves
	}
	what := h.crowds[0]
	h.crowds = h.crowds[1:]
	id, ok := h.world.pickPublic(h.rng)
	switch what {
	case authorWritesALot:
		for range model.RecentTweets {
			h.tweet(ctx, u, nil)
		}
		h.delete(ctx, h.world.by(u)[0])
		h.follow(ctx, pick(h.rng, h.world.users), u)
		return
	case authorEditsALot: // faster than events come
		for range 6 {
			if ok {
				h.edit(ctx, id)
			}
		}
		if ok && h.rng.IntN(3) == 0 {
			h.delete(ctx, id)
		}
		return
	case crowdLeaves:
		u = h.world.mostFollowed()
	}
	for _, v := range h.world.users {
		switch {
		case what == crowdFollows:
			h.follow(ctx, v, u)
		case what == crowdLeaves:
			h.unfollow(ctx, v, u)
		case ok:
			h.like(ctx, v, id)
		}
	}
	switch {
	case what == crowdFollows:
		h.tweet(ctx, u, nil)
	case what == crowdLikesWhatIsDeleted && ok:
		h.delete(ctx, id)
	}
}

// choose changes what a user is told: of a kind, or of a conversation. What happened before
// has been delivered.
func (h *history) choose(ctx context.Context, u model.UserID) {
	h.heal()
	h.seen.add(unwanted, 1)
	viewer := model.Viewer{ID: u, Role: model.Member}
	if id, ok := h.world.pickPublic(h.rng); ok && h.rng.IntN(2) == 0 && h.world.sees(u, id) {
		root, act := h.world.tweets[id].doc.RootID, h.store.Settings.Mute
		if h.world.muted[u][root] {
			act = h.store.Settings.Unmute
		}
		h.must(h.retry(func() error { return act(ctx, viewer, id) }))
		h.world.muted[u][root] = !h.world.muted[u][root]
		return
	}
	kind := pick(h.rng, model.NoticeKinds)
	off := !h.world.off[u][string(kind)]
	h.must(h.retry(func() error {
		_, err := h.store.Settings.Switch(ctx, u, map[model.NoticeKind]bool{kind: !off})
		return err
	}))
	h.world.off[u][string(kind)] = off
}

// sleep makes it a month since some users looked at their home timelines, and asks for a
// sweep. What happened before has had its effects.
func (h *history) sleep(ctx context.Context) {
	h.idle()
	h.away = nil
	for range 1 + h.rng.IntN(4) {
		u := pick(h.rng, h.world.users)
		seen := h.now().Add(-model.SleepAfter - 48*time.Hour)
		month := model.MonthOf(h.now())
		if !h.world.asleep[u] {
			err := h.retry(func() error {
				b := h.raw.Batch()
				b.Update(h.raw.Collection(model.Homes).Doc(string(u)), []firestore.Update{{Path: "seenAt", Value: seen}})
				b.Set(h.raw.Collection(model.Reactions).Doc(model.MonthKey(u, month)),
					map[string]any{"userId": u, "month": month, "seenAt": seen}, firestore.MergeAll)
				_, err := b.Commit(ctx)
				return err
			})
			if status.Code(err) == codes.NotFound { // still being woken: the event may be lost
				continue
			}
			h.must(err)
		}
		h.world.asleep[u] = true
		h.away = append(h.away, u)
	}
	h.askSweep(ctx)
}

func (h *history) askSweep(ctx context.Context) {
	h.must(h.retry(func() error {
		_, _, err := h.raw.Collection(model.Sweeps).Add(ctx, model.SweepWork{ExpireAt: h.now().Add(48 * time.Hour)})
		return err
	}))
}

// idle waits until all that happened has had its effects.
func (h *history) idle() {
	h.t.Helper()
	stacktest.Idle(h.t, h.stack)
	h.world.settle()
}

// spark is a content with some hashtags.
func (h *history) spark(what string) (content string, tags []string) {
	for _, tag := range []string{"go", "Firestore", "火花"} {
		if h.rng.IntN(3) == 0 {
			what += " #" + tag
			tags = append(tags, strings.ToLower(tag))
		}
	}
	return what, tags
}

// edit changes the text of a tweet, and with it the tags, and sometimes the audience. Every
// other edit names the version that it changes.
func (h *history) edit(ctx context.Context, id model.TweetID) {
	t := h.world.tweets[id]
	content, tags := h.spark(fmt.Sprint("edit ", len(t.former)+1))
	content, mentioned := h.naming(content, t.told)
	var from []int
	if h.rng.IntN(2) == 0 {
		from = []int{t.doc.Revision}
	}
	patch := model.TweetPatch{Content: &content}
	tooWide := false
	if h.rng.IntN(2) == 0 {
		patch.Visibility = new(pick(h.rng, audiences))
		tooWide = h.tooWide(t.doc.ReplyTo, *patch.Visibility) && width[*patch.Visibility] > width[t.doc.Visibility]
	}
	var edited *facts.FullTweet
	err := h.retry(func() (err error) {
		edited, err = h.store.Edits.Edit(ctx, t.author, id, patch, from)
		return err
	})
	if tooWide && errs.CodeOf(err) == "visibility_too_wide" {
		return
	}
	h.must(err)
	if tooWide {
		h.t.Errorf("the reply %s became %s, although %s is narrower or gone", id, *patch.Visibility, *t.doc.ReplyTo)
	}
	if patch.Visibility != nil && *patch.Visibility != t.doc.Visibility {
		h.seen.add(otherAudience, 1)
	}
	t.hidden = t.hidden || edited.Visibility == model.Mentioned
	if edited.Visibility != model.Public {
		tags = nil // no list has them
	}
	if got := slices.Sorted(maps.Keys(edited.Tags)); !slices.Equal(got, slices.Sorted(slices.Values(tags))) {
		h.t.Errorf("%q has the tags %q, want %q", content, got, tags)
	}
	for tag := range t.doc.Tags {
		if !slices.Contains(tags, tag) {
			h.seen.add(takenTag, 1)
		}
	}
	t.former, t.content, t.doc = append(t.former, t.content), content, edited.Tweet
	h.mentioned(t, mentioned, *edited.UpdatedAt)
}

// naming adds a mention to some contents, of a user whom the tweet has not mentioned.
func (h *history) naming(content string, told map[model.UserID]bool) (string, model.UserID) {
	if u := pick(h.rng, h.world.users); h.rng.IntN(3) == 0 && !told[u] {
		return content + " with @" + strings.ToUpper(string(u)), u
	}
	return content, ""
}

// mentioned notes that a tweet mentions a user, and nobody else.
func (h *history) mentioned(t *tweet, u model.UserID, at time.Time) {
	if _, ok := t.doc.Mentions[string(u)]; ok != (u != "") || len(t.doc.Mentions) > 1 {
		h.t.Errorf("%q mentions %v, want %q", t.content, t.doc.Mentions, u)
	}
	t.mentions = u
	if u == "" {
		return
	}
	t.told[u] = true
	if u != t.author && u != t.doc.ReplyToAuthorID {
		h.world.notify(u, "mention", t.author, t.doc.ID, at)
	}
}

func (h *history) tweet(ctx context.Context, author model.UserID, parent *model.TweetID) {
	content, _ := h.spark("a spark")
	content, mentioned := h.naming(content, nil)
	draft := model.Draft{Content: content, ReplyTo: parent, AllowLikes: true, AllowReplies: true}
	if id, ok := h.world.pickPublic(h.rng); ok && parent == nil && h.rng.IntN(4) == 0 {
		draft.QuoteOf = id
	}
	if h.rng.IntN(3) > 0 {
		draft.Visibility = pick(h.rng, audiences)
	}
	var t *facts.FullTweet
	err := h.retry(func() (err error) {
		t, err = h.store.Facts.CreateTweet(ctx, author, draft, facts.Request{})
		return err
	})
	if parent != nil && h.world.sees(author, *parent) && h.tooWide(parent, draft.Visibility) {
		if errs.CodeOf(err) != "visibility_too_wide" {
			h.t.Errorf("a reply to %s with visibility %q: %v", *parent, draft.Visibility, err)
		}
		return
	}
	if parent != nil && !h.mayAct(err, author, *parent, true) {
		return
	}
	if quoted := h.world.tweets[draft.QuoteOf]; quoted != nil && !h.mayAct(err, author, draft.QuoteOf, quoted.open() || quoted.author == author) {
		return
	}
	h.must(err)
	want := draft.Visibility
	switch {
	case want != "":
	case parent != nil:
		want = h.world.tweets[*parent].doc.Visibility
	default:
		want = model.Public
	}
	if t.Visibility != want {
		h.t.Errorf("tweet %s has visibility %s, want %s", t.ID, t.Visibility, want)
	}
	h.world.add(t.Tweet, content)
	h.mentioned(h.world.tweets[t.ID], mentioned, t.CreatedAt)
	if parent != nil {
		h.world.notify(h.world.tweets[*parent].author, "reply:"+string(*parent), author, t.ID, t.CreatedAt)
	}
	if quoted := h.world.tweets[draft.QuoteOf]; quoted != nil && h.world.tweets[t.ID].open() {
		h.world.notify(quoted.author, "quote:"+string(draft.QuoteOf), author, t.ID, t.CreatedAt)
	}
}

// tooWide tells whether a reply to a tweet may not have an audience.
func (h *history) tooWide(parent *model.TweetID, a model.Audience) bool {
	if parent == nil || a == "" {
		return false
	}
	t := h.world.tweets[*parent]
	return t == nil || width[a] > width[t.doc.Visibility]
}

// retry tries again while the database is unavailable, as a client does. A function that
// was killed in the middle of a transaction holds its locks until they time out.
func (h *history) retry(do func() error) (err error) {
	for until := time.Now().Add(10 * time.Minute); time.Now().Before(until); {
		if err = do(); errs.KindOf(err) != errs.Unavailable {
			break
		}
	}
	return err
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("%v (%v)", err, errs.KindOf(err))
	}
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
