package tweets_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// holding makes replies of strangers to new tweets of a user wait.
func holding(t *testing.T, e *storetest.Env, uid model.UserID) {
	t.Helper()
	testenv.Must(t, e.Users.UpdateUser(t.Context(), uid, model.UserPatch{HoldReplies: new(model.HoldStrangers)}))
	e.CoolDown()
}

// answer replies to a tweet.
func answer(t *testing.T, e *storetest.Env, by model.UserID, to model.TweetID, content string) tweets.Posted {
	t.Helper()
	p, err := e.Tweets.CreateTweet(t.Context(), by, model.Draft{Content: content, ReplyTo: &to, AllowReplies: true},
		model.Request{})
	testenv.Must(t, err)
	return p
}

// heldTo returns the contents of the replies that wait for a user, and heldBy those of a user's own, newest first.
func heldTo(t *testing.T, e *storetest.Env, uid model.UserID) []string {
	t.Helper()
	page, err := e.HeldReplies.To(t.Context(), uid, model.Cursor{}, 100)
	return contentsOf(t, page, err)
}

func heldBy(t *testing.T, e *storetest.Env, uid model.UserID) []string {
	t.Helper()
	page, err := e.HeldReplies.By(t.Context(), uid, model.Cursor{}, 100)
	return contentsOf(t, page, err)
}

func contentsOf(t *testing.T, page model.Page[*model.HeldReply], err error) []string {
	t.Helper()
	testenv.Must(t, err)
	all := []string{}
	for _, h := range page.Items {
		all = append(all, h.Content)
	}
	return all
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Everybody replies to a thread that holds replies: to the root, to a reply of a stranger, and to a reply of the root's
// author that answers a stranger. The document of the author's graph makes no difference but its cost.
func TestHeldReplies(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "follower", "followed", "named", "stranger", "guest")
	testenv.Must(t, e.Graph.Follow(t.Context(), "follower", "ann"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "followed"))
	before := e.Tweet(t, "ann", "from before")
	holding(t, e, "ann")
	if p := answer(t, e, "stranger", before.ID, "x"); p.Held != nil {
		t.Error("the setting changes an earlier tweet")
	}
	for _, whole := range []bool{true, false} {
		if !whole {
			_, err := e.Raw.Doc("viewers/ann").Delete(t.Context())
			testenv.Must(t, err)
		}
		root := e.Tweet(t, "ann", "to @named_u")
		if root.RepliesHeldBy != "ann" {
			t.Fatalf("the root is held by %q", root.RepliesHeldBy)
		}
		held := answer(t, e, "guest", root.ID, "approved").Held
		approved, err := e.HeldReplies.Approve(t.Context(), "ann", held.ID)
		testenv.Must(t, err)
		own := answer(t, e, "ann", approved.ID, "thank you").Tweet
		for actor, holds := range map[model.UserID][3]bool{ // to root, to the guest's reply, to ann's answer to the guest
			"ann": {}, "followed": {}, "named": {}, "guest": {true, true, false},
			"follower": {true, true, true}, "stranger": {true, true, true},
		} {
			var got [3]bool
			for i, to := range []model.TweetID{root.ID, approved.ID, own.ID} {
				p := answer(t, e, actor, to, string(actor))
				got[i] = p.Held != nil
				if got[i] == (p.FullTweet != nil) {
					t.Errorf("%s: %+v", actor, p)
				}
				if p.Held != nil {
					testenv.Must(t, e.HeldReplies.Remove(t.Context(), "ann", p.Held.ID))
				} else if p.RepliesHeldBy != "ann" {
					t.Errorf("the reply of %s is held by %q", actor, p.RepliesHeldBy)
				}
			}
			want(t, fmt.Sprintf("whole graph %v: what waits of %s", whole, actor), got, holds)
		}
		// Nobody approves in a thread without a root.
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, root.ID))
		if p := answer(t, e, "stranger", approved.ID, "x"); p.Held != nil {
			t.Error("a reply waits for the author of a root that is gone")
		}
	}
}

// A user whom the author of the root blocks does not get into the thread by answering others.
func TestHeldBlocked(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root")
	reply := answer(t, e, "bob", root.ID, "friend")
	held := answer(t, e, "cat", root.ID, "stranger").Held
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "cat"))
	for _, to := range []model.TweetID{root.ID, reply.ID} {
		_, err := e.Tweets.CreateTweet(t.Context(), "cat", model.Draft{Content: "x", ReplyTo: &to}, model.Request{})
		storetest.WantErr(t, err, errs.Forbidden, "not_allowed")
	}
	_, err := e.HeldReplies.Approve(t.Context(), "ann", held.ID)
	storetest.WantErr(t, err, errs.Conflict, "author_blocked")
	testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "cat"))
	_, err = e.HeldReplies.Approve(t.Context(), "ann", held.ID)
	testenv.Must(t, err)
}

// A reply that the author of the root would not see does not wait for that user.
func TestHeldUnseen(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "friend", "tom", "sam")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "friend"))
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root").ID
	friend := answer(t, e, "friend", root, "friend").ID
	reply := func(by model.UserID, to model.TweetID, content string, audience model.Audience, holds bool) model.TweetID {
		t.Helper()
		p, err := e.Tweets.CreateTweet(t.Context(), by, model.Draft{Content: content, ReplyTo: &to, AllowReplies: true,
			Visibility: audience}, model.Request{})
		testenv.Must(t, err)
		if got := p.Held != nil; got != holds {
			t.Errorf("the reply %q of %s waits: %v, want %v", content, by, got, holds)
		}
		if p.FullTweet == nil {
			return ""
		}
		return p.ID
	}
	reply("tom", root, "to ann", model.Mentioned, true)
	reply("tom", friend, "for all", model.Public, true)
	reply("tom", friend, "for tom's followers", model.Followers, false)
	reply("tom", friend, "names @ann_u", model.Mentioned, true)
	private := reply("tom", friend, "between us, @sam_u", model.Mentioned, false)
	reply("sam", private, "a secret", "", false)
	reply("sam", private, "tell @ann_u", "", true)
	want(t, "replies for ann", slices.Sorted(slices.Values(heldTo(t, e, "ann"))),
		[]string{"for all", "names @ann_u", "tell @ann_u", "to ann"})
	// No edit shows it to more people without an approval, as long as the author is a stranger.
	widen := func() error {
		_, err := e.Edits.Edit(t.Context(), "tom", private, model.TweetPatch{Visibility: new(model.Public)}, nil)
		return err
	}
	storetest.WantErr(t, widen(), errs.Invalid, "visibility_too_wide")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "tom"))
	testenv.Must(t, widen())
}

// The tweet that a held reply answers is shown to more people, or to fewer, before the approval. The reply keeps the
// audience that its author saw.
func TestHeldAudience(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	holding(t, e, "ann")
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	root, err := e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "root", AllowReplies: true,
		Visibility: model.Followers}, model.Request{})
	testenv.Must(t, err)
	show := func(to model.Audience) {
		t.Helper()
		_, err := e.Edits.Edit(t.Context(), "ann", root.ID, model.TweetPatch{Visibility: &to}, nil)
		testenv.Must(t, err)
		e.CoolDown()
	}
	held := answer(t, e, "bob", root.ID, "for few").Held
	show(model.Public)
	reply, err := e.HeldReplies.Approve(t.Context(), "ann", held.ID)
	testenv.Must(t, err)
	want(t, "the audience", reply.Visibility, model.Followers)
	held = answer(t, e, "bob", root.ID, "for all").Held
	show(model.Followers)
	_, err = e.HeldReplies.Approve(t.Context(), "ann", held.ID)
	storetest.WantErr(t, err, errs.Conflict, "held_reply_refused")
}

// ready stores the record of a finished upload.
func ready(t *testing.T, e *storetest.Env, of model.UserID, kind string) model.MediaID {
	t.Helper()
	id, now := model.NewMediaID(), e.Clock.Now()
	_, err := e.Raw.Doc("media/"+string(id)).Set(t.Context(), &model.Media{OwnerID: of, Kind: model.MediaTweet, Type: kind,
		State: model.MediaReady, CreatedAt: now, ExpireAt: now.Add(model.MediaWindow)})
	testenv.Must(t, err)
	return id
}

// Media that no tweet may have together are refused at once, and not at the approval.
func TestHeldTogether(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root").ID
	_, err := e.Tweets.CreateTweet(t.Context(), "bob", model.Draft{ReplyTo: &root, Media: []model.MediaID{
		ready(t, e, "bob", model.MediaImage), ready(t, e, "bob", model.MediaVideo)}}, model.Request{})
	storetest.WantErr(t, err, errs.Invalid, "too_many_media")
	want(t, "held replies", e.IDs(t, model.HeldReplies), []string{})
}

// TestHeldCosts counts what a thread that holds replies costs, and what one costs that holds none.
func TestHeldCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	open := e.Tweet(t, "ann", "open").ID
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root").ID
	reply := answer(t, e, "bob", root, "friend").ID
	answer(t, e, "cat", open, "the process remembers the profile")
	cost := func(what string, reads, writes int64, by model.UserID, to model.TweetID) (p tweets.Posted) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) (err error) {
			p, err = e.Tweets.CreateTweet(ctx, by, model.Draft{Content: "x", ReplyTo: &to}, model.Request{})
			return err
		}))
		return p
	}
	cost("a reply in another thread", 2, 2, "bob", open)
	cost("a friend's reply to the root", 2, 2, "bob", root)
	cost("a friend's reply to a reply", 3, 2, "bob", reply)
	cost("ann's reply to a reply", 2, 2, "ann", reply)
	held := cost("a stranger's reply to the root", 4, 1, "cat", root).Held
	cost("a stranger's reply to a reply", 6, 1, "cat", reply)
	testenv.Must(t, storetest.Costs(t, "a page", 2, 0, 0, func(ctx context.Context) error {
		_, err := e.HeldReplies.To(ctx, "ann", model.Cursor{}, 10)
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "the number", 1, 0, 0, func(ctx context.Context) error {
		n, err := e.HeldReplies.Waiting(ctx, "ann")
		want(t, "Waiting", n, int64(2))
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "an approval", 5, 2, 1, func(ctx context.Context) error {
		_, err := e.HeldReplies.Approve(ctx, "ann", held.ID)
		return err
	}))
	held = answer(t, e, "cat", root, "y").Held
	testenv.Must(t, storetest.Costs(t, "a refusal", 1, 0, 1, func(ctx context.Context) error {
		return e.HeldReplies.Remove(ctx, "ann", held.ID)
	}))
}

// The answer to a commit is lost, and the reply is refused before the client sends the commit again. The reply does not
// wait again, and the repeated request is answered as the first would have been.
func TestHeldOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root").ID
	var id string
	losses := storetest.LoseFirst(func() {
		id = e.IDs(t, model.HeldReplies)[0]
		testenv.Must(t, e.HeldReplies.Remove(t.Context(), "ann", id))
	})
	lossy := e.Again(t, store.Options{Now: e.Clock.Now, Meter: meter.Options{Below: losses.Lose}})
	ask := func() (tweets.Posted, error) {
		return lossy.Tweets.CreateTweet(t.Context(), "bob", model.Draft{Content: "x", ReplyTo: &root},
			model.Request{Key: "k", Hash: "h"})
	}
	if _, err := ask(); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("the request answers %v, want that nobody knows", err)
	}
	p, err := ask()
	testenv.Must(t, err)
	want(t, "the answer", p.Held.ID, id)
	want(t, "held replies", e.IDs(t, model.HeldReplies), []string{})
}

// A held reply expires: it can neither be read nor approved, before its document is deleted.
func TestHeldExpires(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	holding(t, e, "ann")
	p := answer(t, e, "bob", e.Tweet(t, "ann", "root").ID, "x")
	e.Clock.Add(model.HeldReplyWindow)
	want(t, "replies for ann", heldTo(t, e, "ann"), []string{})
	want(t, "replies by bob", heldBy(t, e, "bob"), []string{})
	_, err := e.HeldReplies.Approve(t.Context(), "ann", p.Held.ID)
	storetest.WantErr(t, err, errs.NotFound, "held_reply_not_found")
}

// So many replies of one author, and so many of all, may wait for a user.
func TestHeldLimits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	holding(t, e, "ann")
	holding(t, e, "dan")
	root := e.Tweet(t, "ann", "root")
	fill := func(by model.UserID, n int) {
		for from := 0; from < n; from += 500 {
			b := e.Raw.Batch()
			for range min(500, n-from) {
				h := model.NewHeldReply(by, model.Draft{Content: "x", ReplyTo: &root.ID}, root, e.Clock.Now())
				b.Set(e.Raw.Doc("heldReplies/"+h.ID), h)
			}
			_, err := b.Commit(t.Context())
			testenv.Must(t, err)
		}
	}
	refused := func(by model.UserID) {
		t.Helper()
		_, err := e.Tweets.CreateTweet(t.Context(), by, model.Draft{Content: "x", ReplyTo: &root.ID}, model.Request{})
		storetest.WantErr(t, err, errs.Conflict, "too_many_held_replies")
	}
	fill("bob", model.MaxHeldFrom-1)
	answer(t, e, "bob", root.ID, "the last")
	refused("bob")
	answer(t, e, "bob", e.Tweet(t, "dan", "another's").ID, "x")
	answer(t, e, "cat", root.ID, "another")
	fill("somebody", model.MaxHeldTo-model.MaxHeldFrom-2)
	answer(t, e, "cat", root.ID, "the last of all")
	refused("cat")
	page, err := e.HeldReplies.To(t.Context(), "ann", model.Cursor{}, 1)
	testenv.Must(t, err)
	testenv.Must(t, e.HeldReplies.Remove(t.Context(), "ann", page.Items[0].ID))
	answer(t, e, "cat", root.ID, "room again")
}

// A request that is repeated, with the same key, gets the same answer, also when the reply was refused meanwhile. Two
// at once hold one reply.
func TestHeldRepeated(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root").ID
	other := e.Again(t, store.Options{Now: e.Clock.Now})
	var held [4]*model.HeldReply
	ask := func(s *store.Store, hash string) (*model.HeldReply, error) {
		p, err := s.Tweets.CreateTweet(t.Context(), "bob", model.Draft{Content: "x", ReplyTo: &root},
			model.Request{Key: "k", Hash: hash})
		if err == nil && p.FullTweet != nil {
			t.Errorf("posted %+v", p.FullTweet)
		}
		return p.Held, err
	}
	for _, err := range testenv.AtOnce(len(held), func(i int) (err error) {
		held[i], err = ask([]*store.Store{e.Store, other}[i%2], "h")
		return err
	}) {
		testenv.Must(t, err)
	}
	if got := e.IDs(t, model.HeldReplies); len(got) != 1 {
		t.Errorf("%d replies wait, want 1", len(got))
	}
	testenv.Must(t, e.HeldReplies.Remove(t.Context(), "bob", held[0].ID))
	again, err := ask(e.Store, "h")
	testenv.Must(t, err)
	for _, h := range append(held[1:], again) {
		if h.ID != held[0].ID || !h.CreatedAt.Equal(held[0].CreatedAt) || !h.ExpireAt.Equal(held[0].ExpireAt) {
			t.Errorf("the answers are %+v and %+v", held[0], h)
		}
	}
	_, err = ask(e.Store, "another")
	storetest.WantErr(t, err, errs.Conflict, "idempotency_key_reused")
	// The key is free again after its time, for a tweet as well.
	e.Clock.Add(model.IdempotencyWindow + time.Hour)
	p, err := e.Tweets.CreateTweet(t.Context(), "bob", model.Draft{Content: "y"}, model.Request{Key: "k", Hash: "h2"})
	testenv.Must(t, err)
	if doc := e.Doc(t, "idempotency/bob_k"); doc["tweetId"] != string(p.ID) || doc["heldReply"] != nil {
		t.Errorf("the record is %v", doc)
	}
}

// A draft that is posted, by hand or when it is due, becomes a held reply.
func TestHeldDrafts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root").ID
	reply := saying("by hand")
	reply.ReplyTo = &root
	p, err := e.Drafts.Publish(t.Context(), "bob", save(t, e, "bob", reply).ID)
	testenv.Must(t, err)
	if p.Held == nil {
		t.Errorf("posted %+v", p.Tweet)
	}
	reply.Content = "due"
	save(t, e, "bob", in(e, reply, time.Minute))
	e.Clock.Add(time.Minute)
	due(t, e.Store, tweets.Published{Published: 1})
	want(t, "replies by bob", heldBy(t, e, "bob"), []string{"due", "by hand"})
	want(t, "drafts", contents(t, e, "bob", 10), []string(nil))
	for range model.MaxHeldFrom - 2 {
		answer(t, e, "bob", root, "x")
	}
	save(t, e, "bob", in(e, reply, time.Minute))
	e.Clock.Add(time.Minute)
	due(t, e.Store, tweets.Published{Refused: 1})
}

// A process loses the answer to every commit. Each act happens once.
func TestHeldLostAnswers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	holding(t, e, "ann")
	root := e.Tweet(t, "ann", "root").ID
	lossy, losses := e.Lossy(t, 1)
	for _, key := range []string{"", "k"} {
		p, err := lossy.Tweets.CreateTweet(t.Context(), "bob", model.Draft{Content: "x", ReplyTo: &root},
			model.Request{Key: key, Hash: "h"})
		testenv.Must(t, err)
		want(t, "held replies", e.IDs(t, model.HeldReplies), []string{p.Held.ID})
		made, err := lossy.HeldReplies.Approve(t.Context(), "ann", p.Held.ID)
		testenv.Must(t, err)
		replies, err := e.Tweets.Replies(t.Context(), root, model.Cursor{}, 10)
		testenv.Must(t, err)
		if len(replies.Items) != 1 || replies.Items[0].ID != made.ID {
			t.Errorf("%d replies", len(replies.Items))
		}
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "bob", false, made.ID))
		p = answer(t, e, "bob", root, "y")
		testenv.Must(t, lossy.HeldReplies.Remove(t.Context(), "ann", p.Held.ID))
		want(t, "held replies", e.IDs(t, model.HeldReplies), []string{})
	}
	if losses.Count() < 6 {
		t.Errorf("%d answers were lost, want 6", losses.Count())
	}
}

// The setting is written and removed, and a rename leaves it.
func TestHoldSetting(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	for _, to := range []model.Hold{model.HoldStrangers, model.HoldNobody} {
		testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{HoldReplies: &to}))
		testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("A " + to.String())}))
		doc := e.Doc(t, "users/ann")
		if is, _ := doc["holdReplies"].(string); is != string(to) {
			t.Errorf("the profile is %v", doc)
		}
		if root := e.Tweet(t, "ann", "x"); (root.RepliesHeldBy == "ann") != (to == model.HoldStrangers) {
			t.Errorf("with %s the root is held by %q", to, root.RepliesHeldBy)
		}
	}
}
