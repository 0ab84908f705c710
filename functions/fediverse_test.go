package functions_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/inboxes"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

const fediverseURL = "http://hibana.test"

// fedi is an installation with its functions, and users of another server.
type fedi struct {
	*stack.Stack
	db   *store.Store // of the API
	raw  *firestore.Client
	keys map[string]string // by address, as others know them
	t    *testing.T
}

func federated(t *testing.T, faults *eventarc.Faults) *fedi {
	t.Helper()
	site := fediverse.Site{URL: fediverseURL}
	project := testenv.Project(t)
	options := func() store.Options {
		return store.Options{CacheTTL: time.Millisecond, WriteEvery: time.Millisecond, FlushAfter: time.Millisecond,
			Federation: far.Options(t, fediverseURL)}
	}
	e := &fedi{t: t, db: openAPI(t, project, options()), raw: testenv.Client(t, project), keys: map[string]string{}}
	e.Stack = stacktest.Run(t, stack.Options{Project: project, Store: options(), Faults: faults,
		Out: func(s *store.Store) *delivery.Out {
			return delivery.New(delivery.Options{Store: s, Site: site, Web: outbound.Options{AllowLoopback: true}})
		}})
	return e
}

func (e *fedi) user(uid model.UserID) string {
	e.t.Helper()
	_, err := e.db.Users.CreateUser(e.t.Context(), uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
	testenv.Must(e.t, err)
	actor := fediverseURL + "/users/" + url.PathEscape(string(uid))
	k, err := e.db.Federation.Key(e.t.Context(), uid)
	testenv.Must(e.t, err)
	e.keys[fediverse.Key(actor, k.ID)] = k.PEM
	return actor
}

func (e *fedi) server() *inboxes.Server {
	return inboxes.New(e.t, func(_ context.Context, id string) (string, error) {
		if pem := e.keys[id]; pem != "" {
			return pem, nil
		}
		return "", fmt.Errorf("nobody has the key %s", id)
	})
}

func (e *fedi) person(s *inboxes.Server, name string) *model.User {
	e.t.Helper()
	iri := s.URL + "/users/" + name
	u, err := e.db.Users.PutRemote(e.t.Context(), model.RemotePerson{User: model.User{ID: model.RemoteUserID(iri),
		Username: name + "@far.example", Nickname: name, Remote: &model.RemoteUser{IRI: iri, URL: iri, Inbox: iri + "/inbox",
			SharedInbox: s.URL + "/inbox", FetchedAt: time.Now(), StaleAt: time.Now().Add(time.Hour)}}})
	testenv.Must(e.t, err)
	return u
}

func (e *fedi) put(collection, id string, doc any) {
	e.t.Helper()
	_, err := e.raw.Collection(collection).Doc(id).Set(e.t.Context(), doc)
	testenv.Must(e.t, err)
}

// What a user does reaches other servers, signed by the user, even if each event comes several times: posts, edits and
// deletions, follows and answers to follows, likes, shares, votes, blocks, and the end of the account.
func TestFediverse(t *testing.T) {
	t.Parallel()
	e := federated(t, &eventarc.Faults{Seed: 7, Duplicate: 1})
	ctx := t.Context()
	ann := e.user("ann")
	other := e.server()
	bob := e.person(other, "bob")

	// A local post of which nobody else hears.
	_, err := e.db.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "alone"}, model.Request{})
	testenv.Must(t, err)

	// Follows.
	requested, err := e.db.Graph.FollowOrAsk(ctx, "ann", bob.ID)
	testenv.Must(t, err)
	if !requested {
		t.Fatal("a remote user is followed without asking")
	}
	follow := other.Has(t, "Follow")
	if follow.Path != "/users/bob/inbox" || follow.Actor != ann || follow.Object.Object[0].ID != bob.Remote.IRI {
		t.Errorf("the follow is %s", follow.Body)
	}
	testenv.Must(t, e.db.Requests.Accept(ctx, bob.ID, "ann"))
	stacktest.Idle(t, e.Stack)
	testenv.Must(t, e.db.Graph.Unfollow(ctx, "ann", bob.ID))
	if is := other.Has(t, "Undo"); is.Object.Object[0].Object.Type != "Follow" || is.Object.Object[0].Object.Actor != ann {
		t.Errorf("the end of a follow is %s", is.Body)
	}
	testenv.Must(t, e.db.Graph.Follow(ctx, bob.ID, "ann"))
	if is := other.Has(t, "Accept"); is.Object.Object[0].Object.Actor != bob.Remote.IRI ||
		is.Object.Object[0].Object.Object[0].ID != ann {
		t.Errorf("the answer is %s", is.Body)
	}

	// Posts.
	made, err := e.db.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "hello **you**"}, model.Request{})
	testenv.Must(t, err)
	create := other.Has(t, "Create")
	note := create.Object.Object[0].Object
	if create.Path != "/inbox" || note.ID != fediverseURL+"/posts/"+string(made.ID) ||
		note.Content.Value != "<p>hello <strong>you</strong></p>" || !slices.Equal(note.To, []string{activitypub.Public}) ||
		!slices.Equal(create.To, note.To) || !slices.Equal(create.CC, []string{ann + "/followers"}) {
		t.Errorf("the post is %s", create.Body)
	}
	_, err = e.db.Edits.Edit(ctx, "ann", made.ID, model.TweetPatch{Content: new("hello all")}, nil)
	testenv.Must(t, err)
	if is := other.Has(t, "Update"); is.Object.Object[0].Object.Content.Value != "<p>hello all</p>" ||
		is.Object.Object[0].Object.Updated.IsZero() {
		t.Errorf("the edit is %s", is.Body)
	}
	narrow, err := e.db.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "friends", Visibility: model.Followers},
		model.Request{})
	testenv.Must(t, err)
	if is := other.Has(t, "Create"); !slices.Equal(is.To, []string{ann + "/followers"}) || strings.Contains(is.Body,
		activitypub.Public) || is.Object.Object[0].ID != fediverseURL+"/posts/"+string(narrow.ID) {
		t.Errorf("the post for followers is %s", is.Body)
	}
	testenv.Must(t, e.db.Tweets.DeleteTweet(ctx, "ann", false, narrow.ID))
	if is := other.Has(t, "Delete"); is.Object.Object[0].ID != fediverseURL+"/posts/"+string(narrow.ID) ||
		strings.Contains(is.Body, activitypub.Public) {
		t.Errorf("the deletion is %s", is.Body)
	}

	// Posts of others.
	remote := model.Tweet{ID: "0000000000000000aa", AuthorID: bob.ID, Visibility: model.Public, AllowLikes: true,
		RootID: "0000000000000000aa", CreatedAt: time.Now(), PublicShard: -1,
		Poll:   &model.Poll{Options: []string{"tea", "coffee"}, ClosesAt: time.Now().Add(time.Hour)},
		Remote: &model.RemotePost{IRI: other.URL + "/notes/1", URL: other.URL + "/notes/1"}}
	e.put(model.Tweets, string(remote.ID), remote)
	e.put(model.Polls, string(remote.ID), remote.PollCounts())
	at := time.Now().UTC().Truncate(time.Microsecond)
	key := model.ReactionKey("ann", remote.ID)
	e.put(model.Likes, key, model.Like{UserID: "ann", TweetID: remote.ID, AuthorID: bob.ID, CreatedAt: at})
	like := other.Has(t, "Like")
	if like.Path != "/users/bob/inbox" || like.Object.Object[0].ID != remote.Remote.IRI {
		t.Errorf("the like is %s", like.Body)
	}
	_, err = e.raw.Collection(model.Likes).Doc(key).Delete(ctx)
	testenv.Must(t, err)
	if is := other.Has(t, "Undo"); is.Object.Object[0].ID != like.ID {
		t.Errorf("the end of the like is %s", is.Body)
	}
	e.put(model.Shares, key, model.Share{UserID: "ann", TweetID: remote.ID, AuthorID: bob.ID, CreatedAt: at})
	if is := other.Has(t, "Announce"); is.Path != "/inbox" || is.Object.Object[0].ID != remote.Remote.IRI ||
		!slices.Contains(is.CC, bob.Remote.IRI) {
		t.Errorf("the share is %s", is.Body)
	}
	e.put(model.Votes, key, model.Vote{UserID: "ann", TweetID: remote.ID, AuthorID: bob.ID, Option: 2,
		ClosesAt: remote.Poll.ClosesAt, CreatedAt: at})
	if is := other.Has(t, "Create"); is.Object.Object[0].Object.Name.Value != "coffee" ||
		is.Object.Object[0].Object.InReplyTo != remote.Remote.IRI || is.Object.Object[0].Object.Content.Value != "" {
		t.Errorf("the vote is %s", is.Body)
	}

	// Blocks end follows.
	testenv.Must(t, e.db.Graph.Block(ctx, "ann", bob.ID))
	if is := other.Has(t, "Block"); is.Object.Object[0].ID != bob.Remote.IRI {
		t.Errorf("the block is %s", is.Body)
	}
	if is := other.Has(t, "Reject"); is.Object.Object[0].Object.Type != "Follow" {
		t.Errorf("the end of a follower is %s", is.Body)
	}
	testenv.Must(t, e.db.Graph.Unblock(ctx, "ann", bob.ID))
	if is := other.Has(t, "Undo"); is.Object.Object[0].Object.Type != "Block" {
		t.Errorf("the end of the block is %s", is.Body)
	}

	// The account.
	testenv.Must(t, e.db.Graph.Follow(ctx, bob.ID, "ann"))
	other.Has(t, "Accept")
	testenv.Must(t, e.db.Users.SetAliases(ctx, "ann", []string{"https://old.example/ann"}))
	testenv.Must(t, e.db.Users.SetMovedTo(ctx, "ann", "https://new.example/ann"))
	testenv.Must(t, e.db.Federation.ActorChanged(ctx, "ann"))
	if is := other.Has(t, "Update").Object.Object[0].Object; is.ID != ann || is.MovedTo != "https://new.example/ann" ||
		!slices.Equal(is.AlsoKnownAs, []string{"https://old.example/ann"}) {
		t.Errorf("the changed actor is %+v", is)
	}
	testenv.Must(t, e.db.Federation.ActorMoved(ctx, "ann"))
	if is := other.Has(t, "Move"); is.Object.Object[0].ID != ann || is.Target.ID != "https://new.example/ann" {
		t.Errorf("the move is %s", is.Body)
	}
	stacktest.Idle(t, e.Stack)
	for _, is := range other.Take() {
		if !slices.Contains([]string{"Accept", "Create", "Reject"}, is.Type) {
			t.Errorf("something else came: %s", is.Body)
		}
	}
	_, err = e.db.Users.Leave(ctx, "ann")
	testenv.Must(t, err)
	if is := other.Has(t, "Delete"); is.Object.Object[0].ID != ann {
		t.Errorf("the end of the account is %s", is.Body)
	}
	stacktest.Idle(t, e.Stack)
	for _, is := range other.Take() {
		t.Errorf("after the account came %s", is.Body)
	}
}

// What moderators do reaches other servers: a flagged post is deleted there, and a suspended account is suspended
// there,
// both ways.
func TestFediverseModeration(t *testing.T) {
	t.Parallel()
	e := federated(t, &eventarc.Faults{Seed: 7, Duplicate: 1})
	ctx := t.Context()
	ann := e.user("ann")
	e.user("zoe")
	other := e.server()
	bob := e.person(other, "bob")
	testenv.Must(t, e.db.Graph.Follow(ctx, bob.ID, "ann"))
	other.Has(t, "Accept")
	made, err := e.db.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "hello"}, model.Request{})
	testenv.Must(t, err)
	other.Has(t, "Create")
	by := moderation.Actor{UID: "zoe", Role: model.RoleAdministrator, Reason: "test"}
	testenv.Must(t, e.db.Moderation.Flag(ctx, by, made.ID, true, nil))
	if is := other.Has(t, "Delete"); is.Actor != ann || is.Object.Object[0].ID != fediverseURL+"/posts/"+string(made.ID) {
		t.Errorf("of the flag came %s", is.Body)
	}
	stacktest.Idle(t, e.Stack)
	other.Take()
	testenv.Must(t, e.db.Moderation.Flag(ctx, by, made.ID, false, nil))
	stacktest.Idle(t, e.Stack)
	for _, is := range other.Take() {
		t.Errorf("of the end of the flag came %s", is.Body)
	}
	for _, act := range []model.Act{model.ActSuspend, model.ActUnsuspend} {
		stacktest.Idle(t, e.Stack)
		other.Take()
		_, err = e.db.Moderation.SetAccountStatus(ctx, by, "ann", act)
		testenv.Must(t, err)
		if is := other.Has(t, "Update"); is.Object.Object[0].ID != ann ||
			strings.Contains(is.Body, `"suspended":true`) != (act == model.ActSuspend) {
			t.Errorf("of %s came %s", act, is.Body)
		}
	}
}
