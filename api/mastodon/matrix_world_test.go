package mastodon_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// callers are the columns of the matrix, each with an access token of an app. The app has one for itself. other and
// reader are the owner, or the administrator in a row for staff: other has all scopes but those of the method, and
// reader has read alone. member is the administrator, whose app has no scope of staff. All others have all scopes.
var callers = []string{"signed-out", "app", "other", "reader", "stranger", "follower", "blocked", "muted", "frozen",
	"suspended", "owner", "member", "moderator", "administrator"}

// people are the accounts behind the callers, and two more: the locked accepts followers one by one, and the asker asks
// to follow.
var people = []string{"stranger", "follower", "blocked", "muted", "frozen", "suspended", "owner", "moderator",
	"administrator", "locked", "asker"}

const (
	memberScopes = "profile read write follow push"
	allScopes    = memberScopes + " admin:read admin:write"
)

// cast are the accounts of the matrix, which all its rows share: Firebase Auth has them, and each row has a project of
// its own. Roles are those of Firebase Auth, too.
type cast struct {
	uids   map[string]string
	ids    map[string]string // ID tokens
	tokens map[string]string // access tokens
	client model.ClientID
	secret string
	email  string // of the owner
}

func newCast(t *testing.T) *cast {
	t.Helper()
	testenv.AuthHost(t)
	c := &cast{uids: map[string]string{}, ids: map[string]string{}, tokens: map[string]string{},
		client: model.NewClientID(), secret: model.NewClientSecret()}
	for _, who := range people {
		a := testenv.SignUp(t, "")
		c.uids[who], c.ids[who] = a.UID, a.IDToken
		if who == "owner" {
			c.email = a.Email
		}
	}
	auth := accounts.New(emulators.DefaultProject)
	for who, role := range map[string]model.StaffRole{"moderator": model.RoleModerator,
		"administrator": model.RoleAdministrator} {
		testenv.Must(t, auth.SetRole(t.Context(), model.UserID(c.uids[who]), role, true))
	}
	for who, claim := range map[string]string{"moderator": "moderator", "administrator": "admin"} {
		c.ids[who] = testenv.Token(emulators.DefaultProject, map[string]any{"sub": c.uids[who], claim: true})
	}
	for _, who := range callers[1:] {
		c.tokens[who] = model.NewAccessToken()
	}
	return c
}

// account is the account behind a caller of a row.
func account(who string, staff bool) string {
	switch {
	case who == "member" || staff && (who == "other" || who == "reader"):
		return "administrator"
	case who == "other" || who == "reader":
		return "owner"
	}
	return who
}

// granted are the scopes of the token of a caller, for a row of a method.
func granted(who string, m mastodon.Method) []string {
	switch who {
	case "reader":
		if m.Staff {
			return []string{"read", "admin:read"}
		}
		return []string{"read"}
	case "member", "app":
		return strings.Fields(memberScopes)
	case "other":
		var all []string
		for _, scope := range model.Scopes {
			if !slices.ContainsFunc(m.Scopes, func(s string) bool { return model.Covers([]string{scope}, s) }) {
				all = append(all, scope)
			}
		}
		return all
	}
	return strings.Fields(allScopes)
}

// stage is an API without functions, on a project of its own, with the cast of the matrix.
type stage struct {
	*env

	*cast
	db     *store.Store
	admin  *firestore.Client
	method mastodon.Method
	made   int
}

// verifier checks ID tokens. All rows share its keys.
var verifier = sync.OnceValues(func() (server.Verifier, error) {
	return idtoken.New(context.Background(), emulators.DefaultProject)
})

func newStage(t *testing.T, c *cast, m mastodon.Method) *stage {
	t.Helper()
	project := testenv.Project(t)
	uploads, files := storagetest.Buckets(t, project)
	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: testenv.FirestoreHost(t),
		Patience: time.Minute, UploadsBucket: uploads, MediaBucket: files, Meter: strict.Meter(t, meter.Options{})})
	testenv.Must(t, err)
	t.Cleanup(func() { db.Close() })
	checks, err := verifier()
	testenv.Must(t, err)
	o := api.Options{Stores: wiring.API(db), Accounts: accounts.New(emulators.DefaultProject),
		Options: server.Options{Verifier: checks, Log: slog.New(slog.DiscardHandler),
			PageTokenKey: []byte("thirty-two bytes for page tokens")}}
	withPush(&o)
	if strings.Contains(m.Path, "/streaming") {
		streams(&o)
	}
	served := httptest.NewServer(api.New(o))
	t.Cleanup(served.Close)
	s := &stage{env: &env{url: served.URL}, cast: c, db: db, admin: testenv.Client(t, project), method: m}
	s.enter(t)
	return s
}

// set writes a document as it may be in a database.
func (s *stage) set(t *testing.T, path string, doc any) {
	t.Helper()
	_, err := s.admin.Doc(path).Set(t.Context(), doc)
	testenv.Must(t, err)
}

// enter makes the profiles and tokens, and what stands between the callers and the owner.
func (s *stage) enter(t *testing.T) {
	t.Helper()
	now := time.Now()
	for _, who := range people {
		// The names of the roles are reserved.
		name := strings.NewReplacer("moderator", "maud", "administrator", "ada").Replace(who)
		_, err := s.db.Users.CreateUser(t.Context(), model.UserID(s.uids[who]), model.NewUser{Username: name, Nickname: who,
			Locked: who == "locked"})
		testenv.Must(t, err)
	}
	batch := s.admin.BulkWriter(t.Context())
	set := func(path string, doc any) {
		_, err := batch.Set(s.admin.Doc(path), doc)
		testenv.Must(t, err)
	}
	set(model.OAuthApps+"/"+string(s.client), model.OAuthApp{Name: "App", RedirectURIs: []string{"app://"},
		Scopes: strings.Fields(memberScopes), SecretHash: model.OAuthHash(s.secret), CreatedAt: now,
		ExpireAt: now.Add(time.Hour)})
	for who, token := range s.tokens {
		uid := model.UserID(s.uids[account(who, s.method.Staff)])
		if who == "app" {
			uid = ""
		}
		set(model.OAuthTokens+"/"+model.OAuthHash(token), model.OAuthToken{UserID: uid, ClientID: s.client, AppName: "App",
			Scopes: granted(who, s.method), AuthorizedAt: now, LastUsedAt: now, ExpireAt: now.Add(time.Hour)})
	}
	for who, state := range map[string]model.AccountStatusState{"frozen": model.AccountStatusFrozen,
		"suspended": model.AccountStatusSuspended} {
		set(model.AccountStatuses+"/"+s.uids[who], model.AccountStatus{State: state, Reason: "x", By: "x"})
	}
	set("tags/spark", model.Tag{Content: "spark", TweetCount: 1})
	set("announcements/all", model.Announcements{Announcements: map[string]model.Announcement{"maintenance": {Title: "x",
		StartsAt: now.Add(-time.Hour)}}})
	set("instance/this", model.Instance{ApprovalNeeded: true, Terms: model.Terms{Version: 1, Text: "x", At: now}})
	batch.End()
	id := func(who string) model.UserID { return model.UserID(s.uids[who]) }
	testenv.Must(t, s.db.Graph.Follow(t.Context(), id("follower"), id("owner")))
	testenv.Must(t, s.db.Graph.Block(t.Context(), id("owner"), id("blocked")))
	testenv.Must(t, s.db.Shares.Hide(t.Context(), id("owner"), id("muted")))
}

// as is one of the cast, by an ID token.
func (s *stage) as(who string) person { return person{id: s.uids[who], token: s.ids[who]} }

// add makes something by the native API, and returns its id.
func (s *stage) add(t *testing.T, by, what string, body any) string {
	t.Helper()
	s.made++
	method, path, _ := strings.Cut(what, " ")
	text, err := json.Marshal(body)
	testenv.Must(t, err)
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, bytes.NewReader(text))
	testenv.Must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", fmt.Sprint("key-", s.made))
	r.Header.Set("Authorization", "Bearer "+s.ids[by])
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(t, err)
	a := read(t, resp)
	if a.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s: %s %s", what, a.Status, a.text)
	}
	var made struct{ ID string }
	if len(a.text) > 0 {
		testenv.Must(t, json.Unmarshal(a.text, &made))
	}
	return made.ID
}
