package tweets_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// paged reads a list of a user, page by page.
func paged(t *testing.T, read func(context.Context, model.UserID, model.Cursor, int) (model.Page[*model.Tweet], error),
	uid model.UserID, limit int) (ids []model.TweetID) {
	t.Helper()
	for from := (model.Cursor{}); ; {
		page, err := read(t.Context(), uid, from, limit)
		testenv.Must(t, err)
		for _, tweet := range page.Items {
			ids = append(ids, tweet.ID)
		}
		if from = page.Next; from.IsZero() {
			return ids
		}
	}
}

// named creates users whose usernames are reserved.
func named(t *testing.T, e *storetest.Env, names ...string) {
	t.Helper()
	for _, name := range names {
		_, err := e.Users.CreateUser(t.Context(), model.UserID("uid_"+name), model.NewUser{Username: name})
		testenv.Must(t, err)
	}
}

// A user is mentioned unless one of the two blocks the other. Each name costs a read, and the name of another user
// costs two more.
func TestMentionable(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	named(t, e, "ann", "bob", "cat", "dan", "eve")
	testenv.Must(t, e.Graph.Block(t.Context(), "uid_cat", "uid_ann"))
	testenv.Must(t, e.Graph.Block(t.Context(), "uid_ann", "uid_dan"))
	_, err := e.Raw.Doc("usernames/gone").Set(t.Context(), model.Username{HeldUntil: e.Clock.Now()})
	testenv.Must(t, err)
	e.Tweet(t, "uid_ann", "the profile is cached")
	testenv.Must(t, storetest.Costs(t, "a tweet of 7 names", 7+2*4, 2, 0, func(ctx context.Context) error {
		tweet, err := e.Tweets.CreateTweet(ctx, "uid_ann", model.Draft{Content: "@ann @bob @cat @dan @eve @gone @nobody"},
			model.Request{})
		if err != nil {
			return err
		}
		if diff := cmp.Diff(map[string]model.UserID{"ann": "uid_ann", "bob": "uid_bob", "eve": "uid_eve"},
			tweet.MentionNames); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		return err
	}))
}

// A text mentions people of other servers who are known by their handles, and users here by handle, too. One user costs
// as much by two names as by one.
func TestFarNames(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{LocalHandle: func(handle string) (string, bool) {
		return strings.CutSuffix(handle, "@here.example")
	}})
	named(t, e, "ann", "bob", "cat")
	testenv.Must(t, e.Graph.Block(t.Context(), "uid_cat", "uid_ann"))
	far := model.RemoteUserID("https://social.example/users/dan")
	_, err := e.Raw.Doc("usernames/dan@social.example").Set(t.Context(), model.Username{UID: far})
	testenv.Must(t, err)
	e.Tweet(t, "uid_ann", "the profile is cached")
	var id model.TweetID
	testenv.Must(t, storetest.Costs(t, "a tweet with handles", 5+2*3, 2, 0, func(ctx context.Context) error {
		tweet, err := e.Tweets.CreateTweet(ctx, "uid_ann", model.Draft{Content: "@Bob@here.example @bob @cat@here.example " +
			"@Dan@Social.example @eve@social.example @bob@social.example @__init__@here.example"}, model.Request{})
		if err != nil {
			return err
		}
		id = tweet.ID
		if diff := cmp.Diff(map[string]model.UserID{"bob": "uid_bob", "bob@here.example": "uid_bob",
			"dan@social.example": far}, tweet.MentionNames); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if len(tweet.Mentions) != 2 {
			t.Errorf("the tweet mentions %v", tweet.Mentions)
		}
		return err
	}))
	edited, err := e.Edits.Edit(t.Context(), "uid_ann", id, model.TweetPatch{Content: new("@dan@social.example")}, nil)
	testenv.Must(t, err)
	if diff := cmp.Diff(map[string]model.UserID{"dan@social.example": far}, edited.MentionNames); diff != "" {
		t.Errorf("after an edit (-want +got):\n%s", diff)
	}
	other := storetest.Open(t, store.Options{})
	named(t, other, "ann")
	if made := other.Tweet(t, "uid_ann", "@ann@here.example"); made.Mentions != nil {
		t.Errorf("without a host of its own an installation knows %v", made.MentionNames)
	}
}

// A text is no name if no document may be called so, even if it looks like a name.
func TestNoName(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	named(t, e, "ann")
	e.Tweet(t, "uid_ann", "the profile is cached")
	for _, content := range []string{"@____", "@__ab__は x", "a @__INIT__ of a class"} {
		var id model.TweetID
		testenv.Must(t, storetest.Costs(t, content, 0, 2, 0, func(ctx context.Context) error {
			made, err := e.Tweets.CreateTweet(ctx, "uid_ann", model.Draft{Content: content}, model.Request{})
			if err != nil {
				return err
			}
			if id = made.ID; made.Mentions != nil || made.MentionNames != nil {
				t.Errorf("%q mentions %v", content, made.MentionNames)
			}
			return nil
		}))
		testenv.Must(t, storetest.Costs(t, "an edit to "+content, 3, 3, 0, func(ctx context.Context) error {
			made, err := e.Edits.Edit(ctx, "uid_ann", id, model.TweetPatch{Content: new(content + "!")}, nil)
			if err == nil && (made.Content != content+"!" || made.Mentions != nil) {
				t.Errorf("the edit says %q and mentions %v", made.Content, made.MentionNames)
			}
			return err
		}))
	}
}

// If a reply is refused, its names are read nevertheless, and the read is charged: no read follows the answer.
func TestRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	named(t, e, "ann", "bob", "cat", "dan", "eve")
	shut := e.Draft(t, "uid_bob", model.Draft{Content: "nobody replies"})
	e.Tweet(t, "uid_ann", "the profile is cached")
	for range 5 {
		for id, reads := range map[model.TweetID]int64{shut.ID: 2, "20261115_ABCDEF": 2} {
			err := storetest.Costs(t, "a refused reply to "+string(id), reads+5+4*2, 0, 0, func(ctx context.Context) error {
				_, err := e.Tweets.CreateTweet(ctx, "uid_ann", model.Draft{Content: "@ann @bob @cat @dan @eve", ReplyTo: &id},
					model.Request{})
				return err
			})
			if err == nil {
				t.Errorf("a reply to %s is not refused", id)
			}
		}
	}
}

// A tweet mentions users in its own commit. They find it, newest mention first, even after a rename.
func TestMentionsOf(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	named(t, e, "ann", "bob", "cat")
	var ids []model.TweetID
	for i := range 3 {
		e.CoolDown()
		ids = append(ids, e.Draft(t, "uid_ann", model.Draft{Content: fmt.Sprint("@Bob ", i)}).ID)
	}
	e.CoolDown()
	edited := e.Draft(t, "uid_ann", model.Draft{Content: "nobody"})
	last := e.Draft(t, "uid_bob", model.Draft{Content: "@cat @bob"})
	e.CoolDown()
	e.Users.Users(t.Context(), []model.UserID{"uid_ann"})
	testenv.Must(t, storetest.Costs(t, "an edit that mentions", 3+1+2, 3, 0, func(ctx context.Context) error {
		_, err := e.Edits.Edit(ctx, "uid_ann", edited.ID, model.TweetPatch{Content: new("@bob!")}, nil)
		return err
	}))
	want := []model.TweetID{edited.ID, last.ID, ids[2], ids[1], ids[0]}
	for limit := 1; limit <= 5; limit++ {
		if got := paged(t, e.Mentions.Of, "uid_bob", limit); !slices.Equal(got, want) {
			t.Errorf("mentions of bob, %d at a time: %v, want %v", limit, got, want)
		}
	}
	testenv.Must(t, storetest.Costs(t, "Mentions", 5, 0, 0, func(ctx context.Context) error {
		_, err := e.Mentions.Of(ctx, "uid_bob", model.Cursor{}, 20)
		return err
	}))
	// Bob is Rob now, and Bob is free. An edited tweet still mentions the same user.
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "uid_bob", model.UserPatch{Username: new("rob")}))
	after, err := e.Edits.Edit(t.Context(), "uid_ann", ids[0], model.TweetPatch{Content: new("@bob again")}, nil)
	testenv.Must(t, err)
	if diff := cmp.Diff(map[string]model.UserID{"bob": "uid_bob"}, after.MentionNames); diff != "" {
		t.Errorf("after the rename (-want +got):\n%s", diff)
	}
	// The tweet mentions nobody any more, and the field is gone.
	_, err = e.Edits.Edit(t.Context(), "uid_ann", ids[1], model.TweetPatch{Content: new("x")}, nil)
	testenv.Must(t, err)
	snap, err := e.Raw.Doc("tweets/" + string(ids[1])).Get(t.Context())
	testenv.Must(t, err)
	if _, err := snap.DataAtPath(firestore.FieldPath{"mentions"}); err == nil {
		t.Error("a tweet that mentions nobody has mentions")
	}
}

// An author's tweets for the mentioned alone are in a list of their own, newest first, without other tweets.
func TestWrittenFor(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	named(t, e, "ann", "bob")
	var want []model.TweetID
	for _, a := range append(model.Audiences, model.Mentioned, model.Mentioned) {
		e.CoolDown()
		if id := e.Draft(t, "uid_ann", model.Draft{Content: "psst @bob", Visibility: a}).ID; a == model.Mentioned {
			want = append([]model.TweetID{id}, want...)
		}
	}
	e.Draft(t, "uid_bob", model.Draft{Content: "psst @ann", Visibility: model.Mentioned})
	for limit := 1; limit <= 3; limit++ {
		if got := paged(t, e.Mentions.WrittenFor, "uid_ann", limit); !slices.Equal(got, want) {
			t.Errorf("%d at a time: %v, want %v", limit, got, want)
		}
	}
	testenv.Must(t, storetest.Costs(t, "WrittenFor", 3, 0, 0, func(ctx context.Context) error {
		_, err := e.Mentions.WrittenFor(ctx, "uid_ann", model.Cursor{}, 20)
		return err
	}))
}
