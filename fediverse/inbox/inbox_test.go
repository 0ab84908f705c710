package inbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/fediverse/remote"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const own = "http://hibana.test"

var site = fediverse.Site{URL: own}

// env is an installation with users here, and servers elsewhere.
type env struct {
	*storetest.Env
	in *inbox.Inbox
	of *remote.Remote
}

func open(t *testing.T, change ...func(*store.Options)) *env {
	t.Helper()
	o := store.Options{Federation: far.Options(t, own)}
	for _, f := range change {
		f(&o)
	}
	e := &env{Env: storetest.Open(t, o)}
	e.of = remote.New(remote.Options{Store: e.Store, Site: site, Now: e.Clock.Now})
	e.in = inbox.New(inbox.Options{Store: e.Store, Site: site, Now: e.Clock.Now,
		Log: slog.New(slog.DiscardHandler)})
	e.CreateUsers(t, "ann", "ben")
	return e
}

// say is an activity of an actor, as it is sent.
func say(kind, actor, id string, object any, more map[string]any) []byte {
	is := map[string]any{"type": kind, "actor": actor, "id": id, "object": object}
	maps.Copy(is, more)
	text, err := json.Marshal(is)
	if err != nil {
		panic(err)
	}
	return text
}

func object(text []byte) map[string]any {
	var is map[string]any
	if err := json.Unmarshal(text, &is); err != nil {
		panic(err)
	}
	return is
}

// arrives takes an activity as a request does whose signature held, and reports whether it concerned somebody.
func (e *env) arrives(t *testing.T, text []byte, signed time.Time) bool {
	t.Helper()
	o, err := inbox.Read(text)
	testenv.Must(t, err)
	concerns, err := e.in.Concerns(t.Context(), o)
	testenv.Must(t, err)
	if concerns {
		testenv.Must(t, e.in.Receive(t.Context(), o, text, signed))
	}
	return concerns
}

// work does what functions do with what came.
func (e *env) work(t *testing.T) {
	t.Helper()
	ids := e.IDs(t, model.IncomingActivities)
	for _, id := range ids {
		in, err := e.Federation.Incoming(t.Context(), id)
		testenv.Must(t, err)
		testenv.Must(t, e.in.Handle(t.Context(), in))
	}
}

// gets takes an activity and does what it says.
func (e *env) gets(t *testing.T, text []byte) {
	t.Helper()
	e.Clock.Add(2 * time.Second)
	e.arrives(t, text, e.Clock.Now())
	e.work(t)
}

func (e *env) follows(t *testing.T, follower, followed model.UserID) bool {
	t.Helper()
	return e.Doc(t, "relationships/"+model.RelationshipKey(follower, followed)) != nil
}

func note(iri, by string, more map[string]any) map[string]any {
	is := map[string]any{"type": "Note", "id": iri, "attributedTo": by, "content": "<p>hello</p>",
		"to": []any{activitypub.Public}}
	maps.Copy(is, more)
	return is
}

// Follows, likes and shares come and go, whatever their order: what was undone before it came has no effect, a copy
// changes nothing, and what is done again holds.
func TestActs(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	uid := model.RemoteUserID(bob)
	post := e.Tweet(t, "ann", "hello")
	for kind, is := range map[string]struct {
		object string
		doc    string
	}{
		"Follow":   {site.User("ann"), "relationships/" + model.RelationshipKey(uid, "ann")},
		"Like":     {site.Post(post.ID), "likes/" + model.ReactionKey(uid, post.ID)},
		"Announce": {site.Post(post.ID), "shares/" + model.ReactionKey(uid, post.ID)},
		"Block":    {site.User("ben"), "blocks/" + model.RelationshipKey(uid, "ben")},
	} {
		there := func(what string, want bool) {
			t.Helper()
			if got := e.Doc(t, is.doc) != nil; got != want {
				t.Errorf("%s, %s: %v, want %v", kind, what, got, want)
			}
		}
		do := func(n int) []byte { return say(kind, bob, fmt.Sprint(f.URL, "/", kind, "/", n), is.object, nil) }
		undo := func(n int) []byte {
			return say("Undo", bob, fmt.Sprint(f.URL, "/undo/", kind, "/", n), object(do(n)), nil)
		}
		e.gets(t, do(1))
		there("done", true)
		e.gets(t, do(1))
		there("twice", true)
		e.gets(t, undo(1))
		there("undone", false)
		e.gets(t, undo(1))
		there("undone twice", false)
		// the copy was signed before the undo
		e.arrives(t, do(1), e.Clock.Now().Add(-time.Minute))
		e.work(t)
		there("a late copy", false)
		e.gets(t, undo(2))
		e.gets(t, do(2))
		there("undone before it came", false)
		e.gets(t, do(3))
		e.gets(t, do(4))
		e.gets(t, undo(3))
		there("done again before it was undone", true)
		e.gets(t, undo(4))
		there("undone again", false)
		e.gets(t, do(5))
		e.gets(t, say("Undo", bob, fmt.Sprint(f.URL, "/undo/", kind, "/5"), fmt.Sprint(f.URL, "/", kind, "/5"), nil))
		there("undone by its address", false)
		e.gets(t, do(1))
		there("sent anew under its old address", true)
		e.gets(t, undo(1))
		there("undone at last", false)
	}
	e.gets(t, say("EmojiReact", bob, f.URL+"/emoji", site.Post(post.ID), map[string]any{"content": "🎉"}))
	if e.Doc(t, "likes/"+model.ReactionKey(uid, post.ID)) == nil {
		t.Error("a reaction is no like")
	}
}

// Nobody acts for another: not by an embedded activity, nor by an address.
func TestForeignUndo(t *testing.T) {
	t.Parallel()
	e, f, evil := open(t), far.New(t), far.New(t)
	bob, eve, mallory := f.Actor("bob", nil), f.Actor("eve", nil), evil.Actor("mallory", nil)
	follow := say("Follow", bob, f.URL+"/1", site.User("ann"), nil)
	e.gets(t, follow)
	e.gets(t, say("Follow", eve, f.URL+"/2", site.User("ben"), nil))
	e.gets(t, say("Follow", mallory, evil.URL+"/2", site.User("ben"), nil))
	e.gets(t, say("Undo", eve, f.URL+"/3", object(follow), nil))
	e.gets(t, say("Undo", eve, f.URL+"/4", f.URL+"/1", nil))
	e.gets(t, say("Undo", mallory, evil.URL+"/3", f.URL+"/1", nil))
	e.gets(t, say("Undo", mallory, evil.URL+"/4", object(follow), nil))
	if !e.follows(t, model.RemoteUserID(bob), "ann") {
		t.Error("bob's follow was undone by another")
	}
	e.gets(t, say("Undo", bob, f.URL+"/5", f.URL+"/1", nil))
	if e.follows(t, model.RemoteUserID(bob), "ann") {
		t.Error("bob's follow was not undone by bob")
	}
}

// A follow of a locked user asks. An answer to a follow from here is that of the followed actor alone.
func TestFollowRequests(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob, eve := f.Actor("bob", nil), f.Actor("eve", nil)
	testenv.Must(t, e.Users.UpdateOwn(t.Context(), "ben", model.UserPatch{Locked: new(true)}, model.CoolDown{}))
	e.gets(t, say("Follow", bob, f.URL+"/1", site.User("ben"), nil))
	uid := model.RemoteUserID(bob)
	if e.follows(t, uid, "ben") || e.Doc(t, "followRequests/"+model.RelationshipKey(uid, "ben")) == nil {
		t.Error("a follow of a locked user did not ask")
	}
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", uid))
	mine := map[string]any{"type": "Follow", "actor": site.User("ann"), "object": bob}
	for _, a := range [][]byte{
		say("Accept", eve, f.URL+"/2", mine, nil),
		say("Accept", eve, f.URL+"/3", site.Follow("ann", uid), nil),
		say("Accept", bob, f.URL+"/4", map[string]any{"type": "Follow", "actor": site.User("ben"), "object": bob}, nil),
		say("Accept", bob, f.URL+"/5", map[string]any{"type": "Follow", "actor": site.User("ann"), "object": eve}, nil),
	} {
		e.gets(t, a)
		if e.follows(t, "ann", uid) || e.follows(t, "ben", uid) {
			t.Fatalf("%s was an answer", a)
		}
	}
	e.gets(t, say("Accept", bob, f.URL+"/6", mine, nil))
	if !e.follows(t, "ann", uid) {
		t.Error("an accepted follow is none")
	}
	e.gets(t, say("Reject", bob, f.URL+"/7", site.Follow("ann", uid), nil))
	if e.follows(t, "ann", uid) {
		t.Error("a rejected follow stays")
	}
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", uid))
	e.gets(t, say("Accept", bob, f.URL+"/8", site.Follow("ann", uid), nil))
	if !e.follows(t, "ann", uid) {
		t.Error("a follow that was accepted by its address is none")
	}
}

// Posts come once, in any order of creation, change and deletion, and only from their authors.
func TestPosts(t *testing.T) {
	t.Parallel()
	e, f, evil := open(t), far.New(t), far.New(t)
	bob, mallory := f.Actor("bob", nil), evil.Actor("mallory", nil)
	for _, iri := range []string{bob, mallory, f.Actor("eve", nil)} {
		_, err := e.of.Person(t.Context(), iri)
		testenv.Must(t, err)
		testenv.Must(t, e.Graph.Follow(t.Context(), "ann", model.RemoteUserID(iri)))
		testenv.Must(t, e.Requests.Accept(t.Context(), model.RemoteUserID(iri), "ann"))
	}
	create := func(n int, more map[string]any) []byte {
		iri := fmt.Sprint(f.URL, "/posts/", n)
		return say("Create", bob, iri+"/activity", note(iri, bob, more), nil)
	}
	text := func(n int) string {
		t.Helper()
		id, err := e.of.KnownPost(t.Context(), fmt.Sprint(f.URL, "/posts/", n))
		if err != nil {
			return errs.KindOf(err).String()
		}
		is, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{ID: "ann", Role: model.Member})
		testenv.Must(t, err)
		return is.Content
	}
	want := func(what string, n int, is string) {
		t.Helper()
		if got := text(n); got != is {
			t.Errorf("%s: %q, want %q", what, got, is)
		}
	}
	e.gets(t, create(1, nil))
	e.gets(t, create(1, nil))
	want("created twice", 1, "hello")
	update := func(n int, id, content, at string) []byte {
		iri := fmt.Sprint(f.URL, "/posts/", n)
		return say("Update", bob, iri+"#"+id, note(iri, bob, map[string]any{"content": content, "updated": at}), nil)
	}
	e.gets(t, update(1, "2", "second", "2026-11-15T12:10:00Z"))
	want("changed", 1, "second")
	e.gets(t, update(1, "1", "first", "2026-11-15T12:05:00Z"))
	want("changed by an older version", 1, "second")
	e.gets(t, update(2, "1", "early", "2026-11-15T12:05:00Z"))
	e.gets(t, create(2, nil))
	want("changed before it was created", 2, "early")
	del := func(n int) []byte {
		iri := fmt.Sprint(f.URL, "/posts/", n)
		return say("Delete", bob, iri+"#delete", map[string]any{"type": "Tombstone", "id": iri}, nil)
	}
	e.gets(t, del(1))
	want("deleted", 1, "gone")
	e.gets(t, create(1, nil))
	e.gets(t, update(1, "3", "third", "2026-11-15T12:20:00Z"))
	want("late, after its deletion", 1, "gone")
	e.gets(t, del(3))
	e.gets(t, create(3, nil))
	want("deleted before it was created", 3, "gone")

	for what, a := range map[string][]byte{
		"an object of another host": say("Create", mallory, evil.URL+"/1", note(f.URL+"/posts/9", bob, nil), nil),
		"an author of another host": say("Create", mallory, evil.URL+"/2", note(evil.URL+"/posts/9", bob, nil), nil),
		"another author":            say("Create", bob, f.URL+"/9", note(f.URL+"/posts/9", f.URL+"/users/eve", nil), nil),
		"a change by another host": say("Update", mallory, evil.URL+"/3", note(f.URL+"/posts/2", bob,
			map[string]any{"content": "evil", "updated": "2026-11-15T13:00:00Z"}), nil),
		"a change by another": say("Update", f.URL+"/users/eve", f.URL+"/10", note(f.URL+"/posts/2", bob,
			map[string]any{"content": "evil", "updated": "2026-11-15T13:00:00Z"}), nil),
		"a deletion by another host": say("Delete", mallory, evil.URL+"/4", f.URL+"/posts/2", nil),
		"another's profile": say("Update", mallory, evil.URL+"/5", map[string]any{"type": "Person", "id": bob,
			"inbox": bob + "/inbox", "preferredUsername": "bob", "name": "evil"}, nil),
		"a neighbour's profile": say("Update", f.URL+"/users/eve", f.URL+"/11", map[string]any{"type": "Person", "id": bob,
			"inbox": bob + "/inbox", "preferredUsername": "bob", "name": "evil"}, nil),
		"a neighbour's post": say("Delete", f.URL+"/users/eve", f.URL+"/12", f.URL+"/posts/2", nil),
		"another's end":      say("Delete", mallory, evil.URL+"/6", bob, nil),
	} {
		e.gets(t, a)
		if got := text(9); got != "not_found" {
			t.Errorf("%s: there is %q", what, got)
		}
		want(what, 2, "early")
		if u, err := e.of.Known(t.Context(), bob); err != nil || strings.Contains(u.Nickname, "evil") {
			t.Errorf("%s: %v, %v", what, u, err)
		}
	}
}

// A post of somebody whom nobody follows comes if it names somebody here, and else nothing is written.
func TestConcerns(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	post := e.Tweet(t, "ann", "hello")
	now := e.Clock.Now()
	for what, is := range map[string]struct {
		more map[string]any
		want bool
	}{
		"to nobody here": {nil, false},
		"to ann":         {map[string]any{"to": []any{site.User("ann")}}, true},
		"of ann": {map[string]any{"tag": []any{map[string]any{"type": "Mention", "href": site.User("ann"),
			"name": "@ann"}}}, true},
		"in answer to ann": {map[string]any{"inReplyTo": site.Post(post.ID)}, true},
		"with ann's post":  {map[string]any{"quote": site.Post(post.ID)}, true},
		"to another":       {map[string]any{"inReplyTo": f.URL + "/unknown"}, false},
	} {
		iri := f.URL + "/" + strings.ReplaceAll(what, " ", "-")
		if got := e.arrives(t, say("Create", bob, iri+"#c", note(iri, bob, is.more), nil), now); got != is.want {
			t.Errorf("a post %s concerns somebody: %v", what, got)
		}
	}
	if n := len(e.IDs(t, model.Activities)); n != 4 {
		t.Errorf("there are %d notes of 4 activities", n)
	}
	for _, a := range [][]byte{say("Like", bob, f.URL+"/1", f.URL+"/unknown", nil),
		say("Announce", bob, f.URL+"/2", f.URL+"/unknown", nil), say("Update", bob, f.URL+"/3", f.URL+"/x", nil),
		say("Move", bob, f.URL+"/4", bob, map[string]any{"target": f.URL + "/y"}),
		say("Flag", bob, f.URL+"/5", []any{f.URL + "/z"}, nil), say("Follow", bob, f.URL+"/6", own+"/users/", nil),
		say("Accept", bob, f.URL+"/7", f.URL+"/f", nil)} {
		if e.arrives(t, a, now) {
			t.Errorf("%s concerns somebody", a)
		}
	}
}

// A group of Lemmy passes on what it did not write: the post is read at its own host, and a lie of the group is none.
func TestAnnouncedActivity(t *testing.T) {
	t.Parallel()
	e, f, lemmy := open(t), far.New(t), far.New(t)
	bob, group := f.Actor("bob", nil), lemmy.Actor("group", map[string]any{"type": "Group"})
	_, err := e.of.Person(t.Context(), group)
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", model.RemoteUserID(group)))
	testenv.Must(t, e.Requests.Accept(t.Context(), model.RemoteUserID(group), "ann"))
	iri := f.PutObject("/posts/1", note(f.URL+"/posts/1", bob, nil))
	lie := note(iri, bob, map[string]any{"content": "a lie"})
	e.gets(t, say("Announce", group, lemmy.URL+"/1", map[string]any{"type": "Create", "actor": bob, "id": f.URL + "/c",
		"object": lie}, nil))
	id, err := e.of.KnownPost(t.Context(), iri)
	testenv.Must(t, err)
	read := func() string {
		t.Helper()
		is, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{})
		testenv.Must(t, err)
		return is.Content
	}
	if got := read(); got != "hello" {
		t.Errorf("the post is %q", got)
	}
	e.gets(t, say("Announce", group, lemmy.URL+"/2", map[string]any{"type": "Update", "actor": bob, "id": f.URL + "/u",
		"object": note(iri, bob, map[string]any{"content": "a lie", "updated": "2026-11-15T13:00:00Z"})}, nil))
	if got := read(); got != "hello" {
		t.Errorf("after a lie the post is %q", got)
	}
	e.gets(t, say("Announce", group, lemmy.URL+"/3", map[string]any{"type": "Create", "actor": lemmy.URL + "/users/x",
		"id": lemmy.URL + "/c", "object": note(f.URL+"/posts/2", bob, nil)}, nil))
	if f.Asked("/posts/2") != 0 {
		t.Error("an activity that speaks for another host was believed")
	}
}

// Reports of a server become reports of its actor, and not more than a bound; a domain may be denied them.
func TestFlag(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	actor := f.Actor("actor", map[string]any{"type": "Application"})
	var posts []any
	for range 7 {
		posts = append(posts, site.Post(e.Tweet(t, "ann", "bad").ID))
	}
	flag := say("Flag", actor, f.URL+"/1", append([]any{site.User("ann")}, posts...), map[string]any{"content": "spam"})
	e.gets(t, flag)
	e.gets(t, say("Flag", actor, f.URL+"/2", append([]any{site.User("ann")}, posts...), nil))
	if n := len(e.IDs(t, model.Reports)); n != 5 {
		t.Errorf("there are %d reports, want 5", n)
	}
	for i := range 60 {
		e.gets(t, say("Flag", actor, fmt.Sprint(f.URL, "/many/", i), site.Post(e.Tweet(t, "ben", "x").ID), nil))
	}
	if n := len(e.IDs(t, model.Reports)); n < 30 || n > 5+32 {
		t.Errorf("there are %d reports after 60, want 30 or so", n)
	}
}

// A vote chooses an option by its name.
func TestVote(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	poll := e.Draft(t, "ann", model.Draft{Content: "which?", Visibility: model.Public, AllowReplies: true,
		AllowLikes: true,
		Poll:       &model.NewPoll{Options: []string{"tea", "milk"}, Minutes: 60}})
	vote := func(n int, name string) []byte {
		iri := fmt.Sprint(f.URL, "/votes/", n)
		return say("Create", bob, iri+"#c", map[string]any{"type": "Note", "id": iri, "attributedTo": bob, "name": name,
			"inReplyTo": site.Post(poll.ID), "to": []any{site.User("ann")}}, nil)
	}
	e.gets(t, vote(1, "coffee"))
	e.gets(t, vote(2, "milk"))
	e.gets(t, vote(3, "tea"))
	if votes := e.IDs(t, model.Votes); len(votes) != 1 || e.Doc(t, "votes/"+votes[0])["option"] != int64(2) {
		t.Errorf("the votes are %v", votes)
	}
}

// An account that says to be the former one, too, gets the followers of this installation, and no other account does.
func TestMove(t *testing.T) {
	t.Parallel()
	e, f, other := open(t), far.New(t), far.New(t)
	bob := f.Actor("bob", nil)
	uid := model.RemoteUserID(bob)
	_, err := e.of.Person(t.Context(), bob)
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", uid))
	testenv.Must(t, e.Requests.Accept(t.Context(), uid, "ann"))
	thief := other.Actor("thief", nil)
	target := other.Actor("bob", map[string]any{"alsoKnownAs": []any{bob}})
	move := func(actor, of, to string, n int) []byte {
		return say("Move", actor, fmt.Sprint(actor, "/move/", n), of, map[string]any{"target": to})
	}
	for _, a := range [][]byte{move(bob, bob, thief, 1), move(target, bob, target, 2)} {
		e.gets(t, a)
		if ids := e.IDs(t, model.RemoteMoves); len(ids) != 0 {
			t.Errorf("%s moves %v", a, ids)
		}
	}
	e.Clock.Add(10 * time.Minute)
	e.gets(t, move(bob, bob, target, 3))
	work := model.RemoteMove{ID: string(uid), From: uid, To: model.RemoteUserID(target)}
	testenv.Must(t, e.Graph.Move(t.Context(), &work))
	if e.follows(t, "ann", uid) || e.Doc(t, "followRequests/"+model.RelationshipKey("ann", work.To)) == nil {
		t.Error("ann did not move along")
	}
}

// What cannot be read now is tried again for an hour, and what a rule refuses is not.
func TestAgain(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	f.Close()
	e.arrives(t, say("Follow", bob, f.URL+"/1", site.User("ann"), nil), e.Clock.Now())
	id := e.IDs(t, model.IncomingActivities)[0]
	in, err := e.Federation.Incoming(t.Context(), id)
	testenv.Must(t, err)
	storetest.WantErr(t, e.in.Handle(t.Context(), in), errs.Unavailable, "remote_unavailable")
	e.Clock.Add(model.ActivityPatience + time.Second)
	testenv.Must(t, e.in.Handle(t.Context(), in))
	if ids := e.IDs(t, model.IncomingActivities); len(ids) != 0 {
		t.Errorf("after an hour %v wait", ids)
	}
	g := far.New(t)
	cho := g.Actor("cho", nil)
	e.gets(t, say("Follow", cho, g.URL+"/1", site.User("ann"), nil))
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", model.RemoteUserID(cho)))
	post := e.Tweet(t, "ann", "hello")
	e.gets(t, say("Like", cho, g.URL+"/2", site.Post(post.ID), nil))
	e.gets(t, say("Follow", cho, g.URL+"/3", site.User("ann"), nil))
	e.gets(t, say("Create", cho, g.URL+"/4", note(g.URL+"/p", cho, map[string]any{"inReplyTo": site.Post(post.ID)}), nil))
	if e.follows(t, model.RemoteUserID(cho), "ann") || len(e.IDs(t, model.Likes)) > 0 ||
		len(e.IDs(t, model.IncomingActivities)) > 0 {
		t.Errorf("whom ann blocks likes %v", e.IDs(t, model.Likes))
	}
	for _, id := range e.IDs(t, model.Activities) {
		if e.Doc(t, "apActivities/"+id)["live"] == true && e.Doc(t, "apActivities/"+id)["kind"] == "Like" {
			t.Error("a refused like is live")
		}
	}
}

// Each kind costs what docs/model/federation.md says.
func TestCosts(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	_, err := e.of.Person(t.Context(), bob)
	testenv.Must(t, err)
	_, err = e.Federation.Domain(t.Context(), f.Host)
	testenv.Must(t, err)
	post := e.Tweet(t, "ann", "hello")
	for _, tt := range []struct {
		what       string
		text       []byte
		came, does [3]int64 // reads, writes, deletes
	}{
		{"Follow", say("Follow", bob, f.URL+"/1", site.User("ann"), nil), [3]int64{0, 2, 0}, [3]int64{6, 2, 2}},
		{"Like", say("Like", bob, f.URL+"/2", site.Post(post.ID), nil), [3]int64{0, 2, 0}, [3]int64{5, 2, 1}},
		{"Announce", say("Announce", bob, f.URL+"/3", site.Post(post.ID), nil), [3]int64{0, 2, 0}, [3]int64{5, 2, 1}},
		{"Undo", say("Undo", bob, f.URL+"/4", object(say("Like", bob, f.URL+"/2", site.Post(post.ID), nil)), nil),
			[3]int64{1, 2, 0}, [3]int64{4, 2, 2}},
		{"Create", say("Create", bob, f.URL+"/5", note(f.URL+"/p", bob, map[string]any{"inReplyTo": site.Post(post.ID)}),
			nil), [3]int64{0, 2, 0}, [3]int64{7, 3, 1}},
		{"Delete", say("Delete", bob, f.URL+"/6", f.URL+"/p", nil), [3]int64{0, 2, 0}, [3]int64{4, 2, 3}},
	} {
		e.Clock.Add(time.Second)
		_ = storetest.Costs(t, tt.what+" came", tt.came[0], tt.came[1], tt.came[2], func(ctx context.Context) error {
			o, err := inbox.Read(tt.text)
			testenv.Must(t, err)
			_, err = e.in.Concerns(ctx, o)
			testenv.Must(t, err)
			return e.in.Receive(ctx, o, tt.text, e.Clock.Now())
		})
		in, err := e.Federation.Incoming(t.Context(), e.IDs(t, model.IncomingActivities)[0])
		testenv.Must(t, err)
		_ = storetest.Costs(t, tt.what, tt.does[0], tt.does[1], tt.does[2], func(ctx context.Context) error {
			return e.in.Handle(ctx, in)
		})
	}
}
