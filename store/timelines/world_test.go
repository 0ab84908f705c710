package timelines_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// world is random users who follow each other and a tag, post, share, edit, delete, mute and block.
type world struct {
	*storetest.Env
	t      *testing.T
	rng    *rand.Rand
	wild   bool // also follows, mutes and blocks; events are late and come twice
	tweets []*model.Tweet
	events []func() error // that have not come yet
	// dan's exclusive list; empty without one
	exclusive string
}

// everybody are the users of a world. dan reads.
var everybody = []model.UserID{"ann", "bob", "cat", "stranger", "dan"}

// newWorld begins a world two days before the end of a month. dan follows three users.
func newWorld(t *testing.T, seed uint64, wild bool) *world {
	e := storetest.Open(t, store.Options{SharesPerBucket: 8, PreviewsPerBucket: 8})
	w := &world{Env: e, t: t, rng: rand.New(rand.NewPCG(seed, 0)), wild: wild}
	e.CreateUsers(t, everybody...)
	e.Clock.Set(storetest.Date(time.November, 29))
	follow(t, e, "dan", "ann", "bob", "cat")
	return w
}

func (w *world) user() model.UserID { return everybody[w.rng.IntN(len(everybody))] }

// event calls a function at once. In a wild world it may come again, or later.
func (w *world) event(do func() error) {
	w.t.Helper()
	if w.wild && w.rng.IntN(3) == 0 {
		w.events = append(w.events, do)
		return
	}
	testenv.Must(w.t, do())
	if w.wild && w.rng.IntN(4) == 0 {
		w.events = append(w.events, do)
	}
}

// settle lets all events come, in any order, and then all overflows.
func (w *world) settle() {
	w.t.Helper()
	w.rng.Shuffle(len(w.events), func(i, j int) { w.events[i], w.events[j] = w.events[j], w.events[i] })
	for _, do := range w.events {
		testenv.Must(w.t, do())
	}
	w.events = nil
	overflow(w.t, w.Env)
}

// act lets a user do something.
func (w *world) act() {
	w.t.Helper()
	ctx := w.t.Context()
	switch n := w.rng.IntN(20); {
	case n < 8 || len(w.tweets) == 0:
		visibility := []model.Audience{model.Public, model.Public, model.Followers, model.Unlisted, model.Mentioned}
		author := w.user()
		for range 1 + w.rng.IntN(2)*w.rng.IntN(6) {
			content := "x"
			if w.rng.IntN(3) == 0 {
				content = "x #spark"
			}
			tweet := w.Draft(w.t, author, model.Draft{Content: content, Visibility: visibility[w.rng.IntN(5)]})
			w.tweets = append(w.tweets, tweet)
			w.event(func() error { return w.Timelines.Deliver(ctx, tweet) })
		}
	case n < 14:
		tweet, by := w.tweet(), w.user()
		w.Clock.Add(time.Millisecond)
		if err := w.Shares.Share(ctx, by, tweet.ID); err != nil || w.Doc(w.t, "shares/"+model.ReactionKey(by,
			tweet.ID)) == nil {
			return // the user may not see the tweet, or it is gone
		}
		l := shareOf(w.t, w.Env, by, tweet.ID)
		w.event(func() error { return w.Timelines.DeliverShare(ctx, l) })
	case n < 16:
		keys := w.IDs(w.t, model.Shares)
		if len(keys) == 0 {
			return
		}
		by, id, _ := strings.Cut(keys[w.rng.IntN(len(keys))], "_")
		l := shareOf(w.t, w.Env, model.UserID(by), model.TweetID(id))
		testenv.Must(w.t, w.Shares.Unshare(ctx, l.UserID, l.TweetID))
		w.event(func() error { return w.Timelines.WithdrawShare(ctx, l) })
	case n < 17:
		tweet := w.tweet()
		if w.Doc(w.t, "tweets/"+string(tweet.ID)) == nil {
			return
		}
		before := w.now(tweet.ID)
		testenv.Must(w.t, w.Tweets.DeleteTweet(ctx, "", true, tweet.ID))
		w.event(func() error { return w.Previews.Update(ctx, tweet.ID, before, nil) })
	case n < 18:
		tweet := w.tweet()
		if before := w.now(tweet.ID); before != nil {
			testenv.Must(w.t, w.Tweets.Flag(ctx, tweet.ID, !before.IsViolative))
			after := w.now(tweet.ID)
			w.event(func() error { return w.Previews.Update(ctx, tweet.ID, before, after) })
		}
	case w.wild:
		w.turn()
	}
	if w.rng.IntN(4) == 0 {
		overflow(w.t, w.Env)
	}
}

// turn changes dan's graph.
func (w *world) turn() {
	w.t.Helper()
	ctx, other := w.t.Context(), everybody[w.rng.IntN(4)]
	w.Clock.Add(time.Millisecond)
	var err error
	switch w.rng.IntN(13) {
	case 0, 1, 2:
		_ = w.Graph.Follow(ctx, "dan", other) // fails beside a block
	case 3:
		err = w.Graph.Unfollow(ctx, "dan", other)
	case 4:
		err = w.Shares.Hide(ctx, "dan", other)
	case 5:
		err = w.Shares.Unhide(ctx, "dan", other)
	case 6:
		err = w.Graph.Block(ctx, other, "dan")
		w.event(func() error { return w.Viewers.Block(ctx, other, "dan") })
	case 7:
		err = w.Graph.Unblock(ctx, other, "dan")
		w.event(func() error { return w.Viewers.Block(ctx, other, "dan") })
	case 8, 9:
		err = w.Graph.FollowTag(ctx, "dan", "Spark")
	case 10:
		err = w.Graph.UnfollowTag(ctx, "dan", "spark")
	case 11, 12:
		err = w.exclude(other)
	}
	testenv.Must(w.t, err)
}

// exclude puts a user on dan's exclusive list, or takes the user off it.
func (w *world) exclude(other model.UserID) error {
	if w.exclusive == "" {
		l, err := w.Lists.Create(w.t.Context(), "dan", model.ListPatch{Title: new("x"), Exclusive: new(true)},
			model.Request{})
		if err != nil {
			return err
		}
		w.exclusive = l.ID
	}
	if l, err := w.Lists.List(w.t.Context(), "dan", w.exclusive); err != nil || l.Has(other) || len(l.Members) > 1 {
		return errors.Join(err, w.Lists.Remove(w.t.Context(), "dan", w.exclusive, other))
	}
	if err := w.Lists.Add(w.t.Context(), "dan", w.exclusive, other); errs.KindOf(err) != errs.Forbidden { // a block
		return err
	}
	return nil
}

func (w *world) tweet() *model.Tweet { return w.tweets[w.rng.IntN(len(w.tweets))] }

// now reads a tweet; it is nil if it is gone.
func (w *world) now(id model.TweetID) *model.Tweet {
	w.t.Helper()
	if w.Doc(w.t, "tweets/"+string(id)) == nil {
		return nil
	}
	snap, err := w.Raw.Doc("tweets/" + string(id)).Get(w.t.Context())
	testenv.Must(w.t, err)
	tweet := &model.Tweet{ID: id}
	testenv.Must(w.t, snap.DataTo(tweet))
	return tweet
}

// shown is a tweet at its position in a home timeline.
type shown struct {
	ID       model.TweetID
	Position model.Position
	By       model.UserID
}

// want computes a home timeline from the source documents, newest first.
func (w *world) want(uid model.UserID) []shown {
	w.t.Helper()
	oldest := w.Clock.Now().Add(-model.TimelineWindow)
	has := func(collection string, a, b model.UserID) map[string]any {
		return w.Doc(w.t, collection+"/"+string(a)+"_"+string(b))
	}
	excluded := map[model.UserID]bool{}
	if w.exclusive != "" {
		l, err := w.Lists.List(w.t.Context(), uid, w.exclusive)
		testenv.Must(w.t, err)
		for _, member := range l.Members {
			excluded[member] = member != uid
		}
	}
	since := map[model.UserID]time.Time{}
	for _, other := range everybody {
		if rel := has(model.Relationships, uid, other); rel != nil {
			since[other] = rel["createdAt"].(time.Time)
		}
	}
	at, by, there := map[model.TweetID]model.Position{}, map[model.TweetID]model.UserID{}, map[model.TweetID]*model.Tweet{}
	earlier := map[model.UserID]int{}
	for _, tweet := range slices.Backward(w.tweets) {
		is := w.now(tweet.ID)
		if is == nil || is.AudiencePartition() == model.NoAudiencePartition {
			continue
		}
		if there[is.ID] = is; excluded[is.AuthorID] {
			continue
		}
		followed, follows := since[is.AuthorID]
		if is.ID.Time().Before(oldest) || !follows && is.AuthorID != uid {
			continue
		}
		if follows && is.ID.Time().Before(followed) {
			if earlier[is.AuthorID]++; earlier[is.AuthorID] > model.RecentTweets {
				continue
			}
		}
		at[is.ID] = is.ID.Position()
	}
	blocked := func(a, b model.UserID) bool {
		return has(model.Blocks, a, b) != nil || has(model.Blocks, b, a) != nil
	}
	tags, err := w.Graph.FollowedTags(w.t.Context(), uid)
	testenv.Must(w.t, err)
	if len(tags.Tags) > 0 {
		var pick model.TagPick
		for _, tweet := range slices.Backward(w.tweets) {
			is := w.now(tweet.ID)
			if is == nil || there[is.ID] == nil || is.AudiencePartition() != model.OpenAudiencePartition ||
				is.Tags["spark"].IsZero() || is.ID.Time().Before(w.Clock.Now().Add(-model.FollowedTagWindow)) {
				continue
			}
			if pick.Take(is.AuthorID) && !excluded[is.AuthorID] && !blocked(uid, is.AuthorID) && at[is.ID] == "" {
				at[is.ID] = is.ID.Position()
			}
		}
	}
	for _, key := range w.IDs(w.t, model.Shares) {
		sharer, id, _ := strings.Cut(key, "_")
		l := shareOf(w.t, w.Env, model.UserID(sharer), model.TweetID(id))
		p, is := l.Position(), there[l.TweetID]
		followed, follows := since[l.UserID]
		if is == nil || is.AudiencePartition() != model.OpenAudiencePartition || !follows || p.Time().Before(followed) ||
			p.Time().Before(oldest) || excluded[l.UserID] || has(model.MutedSharers, uid, l.UserID) != nil ||
			has(model.Blocks, uid, is.AuthorID) != nil || has(model.Blocks, is.AuthorID, uid) != nil {
			continue
		}
		if at[l.TweetID] == "" || p.Compare(at[l.TweetID]) > 0 {
			at[l.TweetID], by[l.TweetID] = p, l.UserID
		}
	}
	var all []shown
	for id, p := range at {
		all = append(all, shown{id, p, by[id]})
	}
	slices.SortFunc(all, func(a, b shown) int { return b.Position.Compare(a.Position) })
	return all
}

// Users do random things, and their events come late, twice and in any order. When all have come, a walk with pages of
// any size shows exactly what the source documents say, and the audit agrees. That holds while tweets leave the window.
func TestHomeOfARandomWorld(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	w := newWorld(t, seed, true)
	steps := 60
	if testenv.RunsSlow() {
		steps = 300
	}
	for round := range 4 {
		for range steps {
			if w.rng.IntN(3) > 0 { // some have the same millisecond
				w.Clock.Add(time.Duration(w.rng.IntN(30)) * time.Minute)
			}
			w.act()
		}
		w.settle()
		w.Clock.Add(time.Hour + time.Minute) // a deleted tweet is heard of
		want := w.want("dan")
		for _, n := range []int{1, 2 + w.rng.IntN(30), 100} {
			var got []shown
			for _, i := range pages(t, w.Store, "dan", sizes(n), func() {}) {
				got = append(got, shown{i.ID, i.Position, i.SharedBy})
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("round %d, by pages of %d (-want +got):\n%s", round, n, diff)
			}
		}
		if a, err := w.Audit.AuditTimeline(t.Context(), "dan", verify.Options{}); err != nil ||
			len(a.Missing)+len(a.Extra)+len(a.Duplicate) > 0 {
			t.Errorf("round %d: the audit finds %+v, %v", round, a, err)
		}
		t.Logf("round %d: %d of %d tweets", round, len(want), len(w.tweets))
		w.Clock.Add(time.Duration(5+w.rng.IntN(10)) * 24 * time.Hour)
	}
}
