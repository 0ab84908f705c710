package mastodon_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// gopher is the world of the methods of go-mastodon: ann calls them, and bob, cid and an app now and then.
type gopher struct {
	*world
	*testing.T
	ctx               context.Context
	ann, bob, cid     person
	annID, bobID      client.ID
	cidID             client.ID
	post, mine, reply client.ID // by bob, by ann, by bob to ann's
	list, filter      client.ID
	poll, thread      client.ID
	app               *client.Application
	seen              *driven
}

// step is a call of one method of the client.
type step struct {
	of   string // name of the method in Go
	call func()
}

// got fails the test for an error, and returns the value.
func got[V any](g *gopher) func(V, error) V {
	return func(v V, err error) V {
		g.Helper()
		testenv.Must(g, err)
		return v
	}
}

// refused fails the test unless an error is an answer with a status.
func (g *gopher) refused(err error, status int) {
	g.Helper()
	var answer *client.APIError
	if !errors.As(err, &answer) || answer.StatusCode != status {
		g.Errorf("the client got %v, want status %d", err, status)
	}
}

// relation asserts what an act answers.
func (g *gopher) relation(r *client.Relationship, err error) *client.Relationship {
	g.Helper()
	testenv.Must(g, err)
	same(g, "account of the relationship", r.ID, g.bobID)
	return r
}

func statusIDs(all []*client.Status) []client.ID {
	return each(all, func(s *client.Status) client.ID { return s.ID })
}

// go-mastodon calls every method that it has, each of which answers what the client reads.
func TestGoMastodon(t *testing.T) {
	t.Parallel()
	seen := &driven{}
	w := newWorld(t, streams)
	g := &gopher{world: w, T: t, ctx: t.Context(), ann: w.people["ann"], bob: w.people["bob"], cid: w.people["cid"],
		post: client.ID(w.ids["post"]), list: client.ID(w.ids["list"]), seen: seen}
	g.annID, g.bobID, g.cidID = client.ID(g.ann.id), client.ID(g.bob.id), client.ID(g.cid.id)
	for _, p := range []person{g.ann, g.bob, g.cid} {
		p.Client.Client.Transport = seen
	}
	called := map[string]bool{}
	for _, s := range slices.Concat(g.apps(), g.accounts(), g.follows(), g.statuses(), g.acts(), g.timelines(), g.told(),
		g.lists(), g.rest(), g.streams()) {
		called[s.of] = true
		s.call()
		if t.Failed() {
			t.Fatalf("%s failed", s.of)
		}
	}
	own := reflect.TypeFor[*http.Client]()
	for _, of := range []reflect.Type{reflect.TypeFor[*client.Client](), reflect.TypeFor[*client.WSClient]()} {
		for i := range of.NumMethod() {
			name := of.Method(i).Name
			if _, promoted := own.MethodByName(name); !promoted && !called[name] && name != "Dial" && name != "DialContext" {
				t.Errorf("%s of %s was not called", name, of)
			}
		}
	}
	seen.compare(t, "go-mastodon.txt")
}

// apps are the calls of an app on its way in.
func (g *gopher) apps() []step {
	const back = "urn:ietf:wg:oauth:2.0:oob"
	let := func() *client.Client {
		c := client.NewClient(&client.Config{Server: g.url, ClientID: g.app.ClientID, ClientSecret: g.app.ClientSecret})
		c.Transport = g.seen
		return c
	}
	code := func() string {
		var out struct{ Redirect, Code string }
		g.ask(g, g.ann, "POST /v1/authorizations", map[string]any{"responseType": "code", "clientId": g.app.ClientID,
			"redirectUri": "https://app.example/cb", "scope": "read write"}).want(g, http.StatusCreated, &out)
		at, err := url.Parse(out.Redirect)
		testenv.Must(g, err)
		return at.Query().Get("code")
	}
	user := func(c *client.Client) {
		g.Helper()
		same(g, "who the token is of", got[*client.Account](g)(c.GetAccountCurrentUser(g.ctx)).ID, g.annID)
	}
	return []step{
		{"RegisterApp", func() {
			g.app = got[*client.Application](g)(client.RegisterApp(g.ctx, &client.AppConfig{Server: g.url, ClientName: "Go",
				Client: http.Client{Transport: g.seen}, Scopes: "read write follow push",
				RedirectURIs: "https://app.example/cb\n" + back, Website: "https://app.example"}))
			same(g, "whether the app has a secret", g.app.ClientID != "" && g.app.ClientSecret != "", true)
		}},
		{"GetAppAccessToken", func() {
			c := let()
			testenv.Must(g, c.GetAppAccessToken(g.ctx, back))
			app := got[*client.ApplicationVerification](g)(c.VerifyAppCredentials(g.ctx))
			same(g, "app", []string{app.Name, app.Website}, []string{"Go", "https://app.example"})
			same(g, "whether there is a key for push", app.VapidKey != "", true)
		}},
		{"VerifyAppCredentials", func() {
			_, err := let().VerifyAppCredentials(g.ctx)
			g.refused(err, http.StatusUnauthorized)
		}},
		{"AuthenticateApp", func() {
			c := let()
			testenv.Must(g, c.AuthenticateApp(g.ctx))
			_, err := c.GetTimelineHome(g.ctx, nil) // an app alone is nobody
			g.refused(err, http.StatusUnauthorized)
		}},
		{"Authenticate", func() {
			g.refused(let().Authenticate(g.ctx, "ann", "secret"), http.StatusBadRequest)
		}},
		{"GetUserAccessToken", func() {
			c, once := let(), code()
			testenv.Must(g, c.GetUserAccessToken(g.ctx, once, "https://app.example/cb"))
			user(c)
			g.refused(c.GetUserAccessToken(g.ctx, once, "https://app.example/cb"), http.StatusBadRequest)
		}},
		{"AuthenticateToken", func() {
			c := let()
			testenv.Must(g, c.AuthenticateToken(g.ctx, code(), "https://app.example/cb"))
			user(c)
		}},
	}
}

// accounts are the calls about profiles.
func (g *gopher) accounts() []step {
	one, many := got[*client.Account](g), got[[]*client.Account](g)
	return []step{
		{"GetAccountCurrentUser", func() {
			a := one(g.ann.GetAccountCurrentUser(g.ctx))
			same(g, "own account", []string{a.Acct, a.DisplayName, *a.Source.Privacy}, []string{"ann", "ANN", "public"})
		}},
		{"GetAccount", func() {
			a := one(g.ann.GetAccount(g.ctx, g.bobID))
			same(g, "account", []any{a.ID, a.Acct, a.FollowersCount, a.StatusesCount}, []any{g.bobID, "bob", int64(1), int64(1)})
		}},
		{"AccountLookup", func() {
			same(g, "found", one(g.ann.AccountLookup(g.ctx, "bob")).ID, g.bobID)
			_, err := g.ann.AccountLookup(g.ctx, "nobody")
			g.refused(err, http.StatusNotFound)
		}},
		{"AccountUpdate", func() {
			name, note, yes := "Ann A.", "Sparks & more", true
			fields := []client.Field{{Name: "Tea", Value: "green"}}
			a := one(g.ann.AccountUpdate(g.ctx, &client.Profile{DisplayName: &name, Note: &note, Locked: &yes,
				Fields: &fields, Avatar: "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture())}))
			same(g, "profile", []any{a.DisplayName, *a.Source.Note, a.Locked, a.Fields[0].Name, a.Fields[0].Value},
				[]any{name, note, true, "Tea", "green"})
		}},
		{"AccountsSearch", func() {
			same(g, "found", names(many(g.ann.AccountsSearch(g.ctx, "bo", 5))), []string{"bob"})
		}},
		{"AccountsSearchResolve", func() {
			same(g, "found", names(many(g.ann.AccountsSearchResolve(g.ctx, "@bob", 5, true))), []string{"bob"})
		}},
		{"GetEndorsements", func() {
			same(g, "recommended", len(many(g.ann.GetEndorsements(g.ctx, nil))), 0)
		}},
	}
}

// follows are the calls about what people are to each other. ann has to accept followers.
func (g *gopher) follows() []step {
	many := got[[]*client.Account](g)
	asks := func(p person) {
		g.Helper()
		r := got[*client.Relationship](g)(p.AccountFollow(g.ctx, g.annID))
		same(g, "follow of a locked account", []bool{r.Following, r.Requested}, []bool{false, true})
	}
	return []step{
		{"AccountUnfollow", func() {
			same(g, "following", g.relation(g.ann.AccountUnfollow(g.ctx, g.bobID)).Following, false)
		}},
		{"AccountFollow", func() { same(g, "following", g.relation(g.ann.AccountFollow(g.ctx, g.bobID)).Following, true) }},
		{"AccountBlock", func() { same(g, "blocking", g.relation(g.ann.AccountBlock(g.ctx, g.bobID)).Blocking, true) }},
		{"GetBlocks", func() { same(g, "blocked", names(many(g.ann.GetBlocks(g.ctx, nil))), []string{"bob"}) }},
		{"AccountUnblock", func() { same(g, "blocking", g.relation(g.ann.AccountUnblock(g.ctx, g.bobID)).Blocking, false) }},
		{"AccountMute", func() { same(g, "muting", g.relation(g.ann.AccountMute(g.ctx, g.bobID)).Muting, true) }},
		{"GetMutes", func() { same(g, "muted", names(many(g.ann.GetMutes(g.ctx, nil))), []string{"bob"}) }},
		{"AccountUnmute", func() { same(g, "muting", g.relation(g.ann.AccountUnmute(g.ctx, g.bobID)).Muting, false) }},
		{"GetFollowRequests", func() {
			asks(g.bob)
			asks(g.cid)
			p := &client.Pagination{Limit: 1}
			pages := names(many(g.ann.GetFollowRequests(g.ctx, p)))
			pages = append(pages, names(many(g.ann.GetFollowRequests(g.ctx, &client.Pagination{Limit: 1, MaxID: p.MaxID})))...)
			same(g, "who asks, in pages of one", pages, []string{"cid", "bob"})
		}},
		{"FollowRequestAuthorize", func() { testenv.Must(g, g.ann.FollowRequestAuthorize(g.ctx, g.bobID)) }},
		{"FollowRequestReject", func() {
			testenv.Must(g, g.ann.FollowRequestReject(g.ctx, g.cidID))
			same(g, "who asks", len(many(g.ann.GetFollowRequests(g.ctx, nil))), 0)
		}},
		{"GetAccountFollowers", func() {
			// blocking ended the follows; the one of bob was accepted
			g.relation(g.ann.AccountFollow(g.ctx, g.bobID))
			g.idle(g)
			same(g, "followers", names(many(g.ann.GetAccountFollowers(g.ctx, g.annID, nil))), []string{"bob"})
		}},
		{"GetAccountFollowing", func() {
			same(g, "following", names(many(g.ann.GetAccountFollowing(g.ctx, g.annID, nil))), []string{"bob"})
		}},
		{"GetAccountRelationships", func() {
			all := got[[]*client.Relationship](g)(g.ann.GetAccountRelationships(g.ctx, []string{g.bob.id, g.cid.id}))
			same(g, "relationships", each(all, func(r *client.Relationship) bool { return r.Following && r.FollowedBy }),
				[]bool{true, false})
		}},
		{"FollowRemoteUser", func() { // Mastodon has not had it since 3.0
			_, err := g.ann.FollowRemoteUser(g.ctx, "bob@example.com")
			g.refused(err, http.StatusNotFound)
		}},
	}
}

// statuses are the calls about posts, and their media.
func (g *gopher) statuses() []step {
	one := got[*client.Status](g)
	file := filepath.Join(g.TempDir(), "gray.png")
	testenv.Must(g, os.WriteFile(file, picture(), 0o600))
	var media []client.ID
	has := func(a *client.Attachment, err error) {
		g.Helper()
		testenv.Must(g, err)
		same(g, "picture", []any{a.Type, a.Meta.Original.Width, a.Meta.Original.Height}, []any{"image", int64(30), int64(20)})
		media = append(media, a.ID)
	}
	return []step{
		{"UploadMedia", func() { has(g.ann.UploadMedia(g.ctx, file)) }},
		{"UploadMediaFromBytes", func() { has(g.ann.UploadMediaFromBytes(g.ctx, picture())) }},
		{"UploadMediaFromReader", func() { has(g.ann.UploadMediaFromReader(g.ctx, bytes.NewReader(picture()))) }},
		{"UploadMediaFromMedia", func() {
			has(g.ann.UploadMediaFromMedia(g.ctx, &client.Media{File: bytes.NewReader(picture()), Description: "Gray",
				Focus: "0.5,0.5"}))
		}},
		{"PostStatus", func() {
			s := one(g.ann.PostStatus(g.ctx, &client.Toot{Status: "Look, @bob #glow", MediaIDs: media, Language: "en",
				SpoilerText: "a picture", Sensitive: true}))
			g.mine = s.ID
			same(g, "post", []any{s.Account.ID, s.SpoilerText, s.Sensitive, s.Visibility, len(s.Mentions), s.Tags[0].Name},
				[]any{g.annID, "a picture", true, "public", 1, "glow"})
			same(g, "media", each(s.MediaAttachments, func(a client.Attachment) client.ID { return a.ID }), media)
			same(g, "description", s.MediaAttachments[3].Description, "Gray")
			r := one(g.bob.PostStatus(g.ctx, &client.Toot{Status: "@ann I see", InReplyToID: g.mine}))
			g.reply = r.ID
			same(g, "reply", []any{r.InReplyToID, r.InReplyToAccountID}, []any{string(g.mine), g.ann.id})
		}},
		{"UpdateStatus", func() {
			s := one(g.bob.UpdateStatus(g.ctx, &client.Toot{Status: "@ann I see it"}, g.reply))
			same(g, "edited", strings.Contains(s.Content, "I see it") && s.EditedAt.After(s.CreatedAt), true)
		}},
		{"GetStatus", func() {
			g.idle(g)
			s := one(g.bob.GetStatus(g.ctx, g.mine))
			same(g, "post", []any{s.ID, s.RepliesCount, s.Favourited, s.Reblogged}, []any{g.mine, int64(1), false, false})
		}},
		{"GetStatusContext", func() {
			up := got[*client.Context](g)(g.ann.GetStatusContext(g.ctx, g.reply))
			down := got[*client.Context](g)(g.ann.GetStatusContext(g.ctx, g.mine))
			same(g, "thread", [][]client.ID{statusIDs(up.Ancestors), statusIDs(down.Descendants)},
				[][]client.ID{{g.mine}, {g.reply}})
		}},
		{"GetStatusCard", func() {
			same(g, "card", *got[*client.Card](g)(g.ann.GetStatusCard(g.ctx, g.mine)), client.Card{})
		}},
		{"GetStatusSource", func() {
			s := got[*client.Source](g)(g.ann.GetStatusSource(g.ctx, g.mine))
			same(g, "source", *s, client.Source{ID: g.mine, Text: "Look, @bob #glow", SpoilerText: "a picture"})
		}},
		{"GetStatusHistory", func() {
			all := got[[]*client.StatusHistory](g)(g.ann.GetStatusHistory(g.ctx, g.reply))
			same(g, "versions", len(all), 2)
			same(g, "the last one", strings.Contains(all[1].Content, "I see it") && all[1].Account.ID == g.bobID, true)
		}},
		{"GetAccountStatuses", func() {
			p := &client.Pagination{Limit: 1}
			all := got[[]*client.Status](g)(g.ann.GetAccountStatuses(g.ctx, g.bobID, p))
			all = append(all, got[[]*client.Status](g)(g.ann.GetAccountStatuses(g.ctx, g.bobID,
				&client.Pagination{Limit: 1, MaxID: p.MaxID}))...)
			same(g, "posts, in pages of one", statusIDs(all), []client.ID{g.reply, g.post})
		}},
		{"GetAccountPinnedStatuses", func() {
			g.ask(g, g.ann, "POST /api/v1/statuses/"+string(g.mine)+"/pin", nil).want(g, http.StatusOK, nil)
			same(g, "pinned", statusIDs(got[[]*client.Status](g)(g.bob.GetAccountPinnedStatuses(g.ctx, g.annID))),
				[]client.ID{g.mine})
		}},
	}
}

// acts are the calls of those who read a post.
func (g *gopher) acts() []step {
	one, posts, people := got[*client.Status](g), got[[]*client.Status](g), got[[]*client.Account](g)
	return []step{
		{"Favourite", func() { same[any](g, "favourited", one(g.ann.Favourite(g.ctx, g.post)).Favourited, true) }},
		{"Bookmark", func() { same[any](g, "bookmarked", one(g.ann.Bookmark(g.ctx, g.post)).Bookmarked, true) }},
		{"Reblog", func() {
			s := one(g.ann.Reblog(g.ctx, g.post))
			same(g, "share", []any{s.Account.ID, s.Reblog.ID, s.Reblog.Reblogged}, []any{g.annID, g.post, true})
		}},
		{"GetFavourites", func() {
			same(g, "favourites", statusIDs(posts(g.ann.GetFavourites(g.ctx, nil))), []client.ID{g.post})
		}},
		{"GetBookmarks", func() {
			same(g, "bookmarks", statusIDs(posts(g.ann.GetBookmarks(g.ctx, nil))), []client.ID{g.post})
		}},
		{"GetFavouritedBy", func() {
			same(g, "who likes", names(people(g.bob.GetFavouritedBy(g.ctx, g.post, nil))), []string{"ann"})
		}},
		{"GetRebloggedBy", func() {
			same(g, "who shared", names(people(g.bob.GetRebloggedBy(g.ctx, g.post, nil))), []string{"ann"})
		}},
		{"GetNotificationsExclude", func() {
			g.idle(g)
			all := got[[]*client.Notification](g)(g.bob.GetNotificationsExclude(g.ctx, &[]string{"mention", "follow"}, nil))
			kinds := each(all, func(n *client.Notification) string { return n.Type + " " + string(n.Status.ID) })
			same(g, "notifications", kinds, []string{"reblog " + string(g.post), "favourite " + string(g.post)})
		}},
		{"Unfavourite", func() { same[any](g, "favourited", one(g.ann.Unfavourite(g.ctx, g.post)).Favourited, false) }},
		{"Unbookmark", func() { same[any](g, "bookmarked", one(g.ann.Unbookmark(g.ctx, g.post)).Bookmarked, false) }},
		{"Unreblog", func() { same[any](g, "reblogged", one(g.ann.Unreblog(g.ctx, g.post)).Reblogged, false) }},
		{"GetPoll", func() {
			s := one(g.bob.PostStatus(g.ctx, &client.Toot{Status: "Tea?", Poll: &client.TootPoll{
				Options: []string{"yes", "no"}, ExpiresInSeconds: 600}}))
			p := got[*client.Poll](g)(g.ann.GetPoll(g.ctx, s.Poll.ID))
			g.poll = p.ID
			same(g, "poll", []any{p.Options[1].Title, p.Multiple, p.Voted, p.Expired}, []any{"no", false, false, false})
		}},
		{"PollVote", func() {
			p := got[*client.Poll](g)(g.ann.PollVote(g.ctx, g.poll, 1))
			same(g, "vote", []any{p.Voted, p.OwnVotes[0], p.Options[1].VotesCount}, []any{true, 1, int64(1)})
			_, err := g.ann.PollVote(g.ctx, g.poll, 0)
			g.refused(err, http.StatusUnprocessableEntity)
		}},
		{"DeleteStatus", func() {
			s := one(g.ann.PostStatus(g.ctx, &client.Toot{Status: "gone soon"}))
			testenv.Must(g, g.ann.DeleteStatus(g.ctx, s.ID))
			_, err := g.ann.GetStatus(g.ctx, s.ID)
			g.refused(err, http.StatusNotFound)
		}},
	}
}
