package access_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Hidden content gives the errors of an unknown tweet, at the same cost.
func TestAudience(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "fan", "bob", "addressed")
	testenv.Must(t, e.Graph.Follow(t.Context(), "fan", "ann"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob")) // a user whom ann follows sees no more for it
	const never = model.TweetID("00019a5b6c7d8e9f01")
	parent := e.Draft(t, "addressed", model.Draft{Content: "x", AllowLikes: true, AllowReplies: true})
	draft := func(a model.Audience) model.TweetID {
		return e.Draft(t, "ann", model.Draft{Content: "re", ReplyTo: &parent.ID, Visibility: a, AllowLikes: true,
			AllowReplies: true}).ID
	}
	for _, uid := range []model.UserID{"ann", "fan", "bob", "addressed"} { // the process remembers the profiles
		testenv.Must(t, e.Reactions.Like(t.Context(), uid, parent.ID))
	}
	read := func(id model.TweetID, v model.Viewer) map[string]func(context.Context) error { return reads(e, id, v) }
	act := func(id model.TweetID, uid model.UserID) map[string]func(context.Context) error {
		all := acts(e, id, uid)
		all["Edit"] = func(ctx context.Context) error {
			_, err := e.Edits.Edit(ctx, uid, id, model.TweetPatch{AllowLikes: new(false)}, nil)
			return err
		}
		return all
	}
	known := func(uid model.UserID) { // makes the process cache the profile
		t.Helper()
		_, err := e.Users.Users(t.Context(), []model.UserID{uid})
		testenv.Must(t, err)
		testenv.Must(t, e.Tweets.MayWrite(t.Context(), uid))
	}
	who := func(uid model.UserID) model.Viewer { return model.Viewer{ID: uid, Role: model.Member} }
	for _, a := range []model.Audience{model.Followers, model.Mentioned} {
		id := draft(a)
		for _, id := range []model.TweetID{never, id} {
			for name, reads := range map[string]int64{"Tweet": 3, "RequireTweet": 2, "RequireParent": 2, "Batch": 2} {
				e.CoolDown()
				storetest.WantErr(t, storetest.Costs(t, name+" of "+string(id), reads, 0, 0, read(id, who("bob"))[name]),
					errs.NotFound, "tweet_not_found")
			}
			e.CoolDown()
			storetest.WantErr(t, storetest.Costs(t, "Tweet, signed out", 2, 0, 0, read(id, model.Viewer{})["Tweet"]),
				errs.NotFound, "tweet_not_found")
			for name, do := range act(id, "bob") {
				reads := map[string]int64{"Edit": 4}[name]
				if reads == 0 {
					reads = 2
				}
				e.CoolDown()
				known("bob")
				storetest.WantErr(t, storetest.Costs(t, name+" of "+string(id), reads, 0, 0, do), errs.NotFound, "tweet_not_found")
			}
		}
		sees := map[model.UserID]bool{"ann": true, "addressed": true, "fan": a == model.Followers}
		for _, uid := range []model.UserID{"ann", "addressed", "fan"} {
			for name, do := range read(id, who(uid)) {
				if err := do(t.Context()); (err == nil) != sees[uid] {
					t.Errorf("%s of a tweet for %s by %s: %v", name, a, uid, err)
				}
			}
			if !sees[uid] {
				continue
			}
			acts := act(id, uid)
			testenv.Must(t, acts["Like"](t.Context()))
			storetest.WantErr(t, acts["Share"](t.Context()), errs.Forbidden, "not_allowed")
			reply, err := e.Tweets.CreateTweet(t.Context(), uid, model.Draft{Content: "re", ReplyTo: &id}, model.Request{})
			testenv.Must(t, err)
			if reply.Visibility != a {
				t.Errorf("a reply to a tweet for %s is for %s", a, reply.Visibility)
			}
			if uid != "ann" {
				storetest.WantErr(t, acts["DeleteTweet"](t.Context()), errs.Forbidden, "not_author")
				storetest.WantErr(t, acts["Edit"](t.Context()), errs.Forbidden, "not_author")
			}
		}
		if err := read(id, model.Viewer{ID: "bob", Role: model.Moderator})["Tweet"](t.Context()); err != nil {
			t.Errorf("a moderator reads a tweet for %s: %v", a, err)
		}
	}

	// A follower pays a read for each author. A hidden tweet costs as much as an unknown tweet.
	first, second := draft(model.Followers), draft(model.Followers)
	batch := func(uid model.UserID) func(context.Context) error {
		return func(ctx context.Context) error {
			seen, err := e.Tweets.Batch(ctx, []model.TweetID{first, second, never}, who(uid))
			if err == nil && (seen[0].Tweet == nil) != (uid == "bob") {
				t.Errorf("%s sees %+v", uid, seen[0].Tweet)
			}
			return err
		}
	}
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Batch of a stranger", 3+3, 0, 0, batch("bob")))
	e.CoolDown()
	// the unknown tweet, the relationship, the month of reactions
	testenv.Must(t, storetest.Costs(t, "Batch of a follower", 3+1+1+1, 0, 0, batch("fan")))
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Tweet of a follower", 3, 0, 0, read(first, who("fan"))["Tweet"]))
	known("fan")
	testenv.Must(t, storetest.Costs(t, "Like of a follower", 4, 2, 0, act(first, "fan")["Like"]))

	// A process does not remember former followers.
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "fan", "ann"))
	for _, do := range read(first, who("fan")) {
		storetest.WantErr(t, do(t.Context()), errs.NotFound, "tweet_not_found")
	}
	storetest.WantErr(t, act(first, "fan")["Like"](t.Context()), errs.NotFound, "tweet_not_found")
}

// Concurrent callers share their reads of visible tweets. Each caller pays in full for a hidden or unknown tweet,
// whatever other callers read.
func TestHiddenAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	draft := func(a model.Audience) model.TweetID {
		return e.Draft(t, "ann", model.Draft{Content: "x", Visibility: a}).ID
	}
	flagged := draft(model.Public)
	testenv.Must(t, e.Tweets.Flag(t.Context(), flagged, true))
	for name, id := range map[string]model.TweetID{"followers": draft(model.Followers),
		"mentioned": draft(model.Mentioned), "flagged": flagged, "never": "00019a5b6c7d8e9f01"} {
		for _, v := range []model.Viewer{{}, {ID: "bob", Role: model.Member}} {
			for _, way := range []string{"RequireTweet", "RequireParent", "Batch"} {
				e.CoolDown()
				m := meter.New()
				const callers = 10
				for _, err := range testenv.AtOnce(callers,
					func(int) error { return reads(e, id, v)[way](meter.With(t.Context(), m)) }) {
					storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")
				}
				if got := m.Reads(); got != 2*callers {
					t.Errorf("%s, %s by %q: %d callers at once cost %d reads, want 2 each", name, way, v.ID, callers, got)
				}
			}
		}
	}
}

// A change of visibility by another process is late by at most the age of the cache. A new tweet is visible at once in
// the process that posted it, even if a caller requested its id before.
func TestHiddenIsNotRemembered(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	first := e.Tweet(t, "ann", "x").ID
	next := first[:len(first)-1] + "e"
	if next == first {
		next = first[:len(first)-1] + "d"
	}
	for range 2 {
		storetest.WantErr(t, e.Tweets.RequireTweet(t.Context(), next, model.Viewer{}), errs.NotFound, "tweet_not_found")
	}
	other := e.Again(t, store.Options{})
	snap, err := e.Raw.Doc("tweets/" + string(first)).Get(t.Context())
	testenv.Must(t, err)
	_, err = e.Raw.Doc("tweets/"+string(next)).Create(t.Context(), snap.Data())
	testenv.Must(t, err)
	for _, process := range []*store.Store{e.Store, other} {
		testenv.Must(t, process.Tweets.RequireTweet(t.Context(), next, model.Viewer{}))
	}

	// If another process shows a tweet to everybody, a caller sees it at once, even if this process's copy hides it.
	narrow := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: model.Mentioned}).ID
	storetest.WantErr(t, e.Tweets.RequireTweet(t.Context(), narrow, model.Viewer{}), errs.NotFound, "tweet_not_found")
	_, err = other.Edits.Edit(t.Context(), "ann", narrow, model.TweetPatch{Visibility: new(model.Public)}, nil)
	testenv.Must(t, err)
	testenv.Must(t, e.Tweets.RequireTweet(t.Context(), narrow, model.Viewer{}))
	testenv.Must(t, storetest.Costs(t, "shown, and cached", 0, 0, 0, reads(e, narrow, model.Viewer{})["RequireTweet"]))
}

// reads returns the ways to read a tweet by its id.
func reads(e *storetest.Env, id model.TweetID, v model.Viewer) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Tweet":         func(ctx context.Context) error { _, err := e.Tweets.Tweet(ctx, id, v); return err },
		"RequireTweet":  func(ctx context.Context) error { return e.Tweets.RequireTweet(ctx, id, v) },
		"RequireParent": func(ctx context.Context) error { return e.Tweets.RequireParent(ctx, id, v) },
		"Batch": func(ctx context.Context) error {
			seen, err := e.Tweets.Batch(ctx, []model.TweetID{id}, v)
			if err == nil && seen[0].Tweet == nil {
				err = model.NoTweet(id)
			}
			return err
		},
	}
}

// acts returns the ways in which a member may act on a tweet.
func acts(e *storetest.Env, id model.TweetID, uid model.UserID) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Like":  func(ctx context.Context) error { return e.Reactions.Like(ctx, uid, id) },
		"Share": func(ctx context.Context) error { return e.Shares.Share(ctx, uid, id) },
		"Reply": func(ctx context.Context) error {
			_, err := e.Tweets.CreateTweet(ctx, uid, model.Draft{Content: "re", ReplyTo: &id}, model.Request{})
			return err
		},
		"DeleteTweet": func(ctx context.Context) error { return e.Tweets.DeleteTweet(ctx, uid, false, id) },
	}
}
