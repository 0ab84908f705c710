package oauth_test

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const (
	cb = "https://app.example/cb"
	// the example of RFC 7636
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// register makes an app.
func register(t *testing.T, e *storetest.Env) *model.OAuthApp {
	t.Helper()
	app, err := model.NewOAuthApp("App", "https://app.example", []string{cb}, "read write follow")
	testenv.Must(t, err)
	made, secret, err := e.OAuth.CreateApp(t.Context(), app, false)
	testenv.Must(t, err)
	if !made.HasSecret(secret) || made.Public() {
		t.Fatalf("the app %+v does not have the secret %q", made, secret)
	}
	e.Clock.Add(time.Millisecond)
	return made
}

// authorize is the consent of a user.
func authorize(t *testing.T, e *storetest.Env, uid model.UserID, app *model.OAuthApp, proof string) string {
	t.Helper()
	e.Clock.Add(time.Millisecond)
	code, err := e.OAuth.Authorize(t.Context(), model.OAuthCode{UserID: uid, ClientID: app.ID, RedirectURI: cb,
		Scopes: []string{"read"}, Challenge: proof})
	testenv.Must(t, err)
	return code
}

// signIn is the consent of a user and the token for it.
func signIn(t *testing.T, e *storetest.Env, uid model.UserID, app *model.OAuthApp) string {
	t.Helper()
	token, _, err := e.OAuth.Exchange(t.Context(), app, authorize(t, e, uid, app, ""), cb, "")
	testenv.Must(t, err)
	return token
}

func wantToken(t *testing.T, s *store.Store, token string, good bool) {
	t.Helper()
	_, err := s.OAuth.Token(t.Context(), token)
	if good {
		testenv.Must(t, err)
	} else {
		storetest.WantErr(t, err, errs.Unauthenticated, "invalid_token")
	}
}

// The way of an app: it registers, the user agrees, and it gets a token, at the costs that are named.
func TestCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	var app *model.OAuthApp
	var code, token, secret string
	cost := func(what string, reads, writes, deletes int64, f func(context.Context) error) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, deletes, f))
		e.Clock.Add(time.Millisecond)
	}
	cost("CreateApp", 0, 1, 0, func(ctx context.Context) (err error) {
		made, err := model.NewOAuthApp("App", "", []string{cb}, "read write")
		testenv.Must(t, err)
		app, secret, err = e.OAuth.CreateApp(ctx, made, false)
		return err
	})
	cost("App", 1, 0, 0, func(ctx context.Context) error {
		is, err := e.OAuth.App(ctx, app.ID)
		if !is.HasSecret(secret) || is.HasSecret(secret+"x") || is.Name != "App" {
			t.Errorf("the app is %+v", is)
		}
		return err
	})
	exchange := func(writes, deletes int64) { // a token more than there may be costs the read of its devices
		t.Helper()
		cost("Authorize", 1, 1, 0, func(ctx context.Context) (err error) {
			code, err = e.OAuth.Authorize(ctx, model.OAuthCode{UserID: "ann", ClientID: app.ID, RedirectURI: cb,
				Scopes: []string{"read"}, Challenge: challenge})
			return err
		})
		cost("Exchange", 2+deletes, writes, deletes, func(ctx context.Context) (err error) {
			token, _, err = e.OAuth.Exchange(ctx, app, code, cb, verifier)
			return err
		})
	}
	exchange(4, 0)
	app, err := e.OAuth.App(t.Context(), app.ID)
	testenv.Must(t, err)
	for range model.MaxAppTokens - 1 {
		exchange(3, 0)
	}
	first := e.IDs(t, model.OAuthTokens)
	exchange(3, 1)
	if n := len(e.IDs(t, model.OAuthTokens)); n != len(first) {
		t.Errorf("%d tokens, want %d", n, len(first))
	}
	cost("Token", 1, 0, 0, func(ctx context.Context) error {
		is, err := e.OAuth.Token(ctx, token)
		if err == nil && (is.UserID != "ann" || is.ClientID != app.ID || strings.Join(is.Scopes, " ") != "read" ||
			is.AuthorizedAt.IsZero() || is.AppName != "App") {
			t.Errorf("the token is %+v", is)
		}
		return err
	})
	cost("Token, cached", 0, 0, 0, func(ctx context.Context) error { _, err := e.OAuth.Token(ctx, token); return err })
	cost("TokenNow", 1, 0, 0, func(ctx context.Context) error { _, err := e.OAuth.TokenNow(ctx, token); return err })
	e.Clock.Add(time.Minute)
	cost("Token a minute later", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.OAuth.Token(ctx,
			token)
		return err
	})
	e.Clock.Add(24 * time.Hour)
	cost("Token a day later", 1, 0, 0, func(ctx context.Context) error { _, err := e.OAuth.Token(ctx, token); return err })
	used := func(what string, reads, writes int64) {
		t.Helper()
		cost(what, reads, writes, 0, func(ctx context.Context) error { return e.OAuth.Used(ctx, model.OAuthHash(token)) })
	}
	used("its use", 0, 2)
	used("its use again", 0, 0)
	e.Clock.Add(time.Minute)
	cost("Token again that day", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.OAuth.Token(ctx,
			token)
		return err
	})
	cost("Grants", 1, 0, 0, func(ctx context.Context) error {
		g, err := e.OAuth.Grants(ctx, "ann")
		one := g.Apps[string(app.ID)]
		if len(g.Apps) != 1 || one.Name != "App" || e.Clock.Now().Sub(one.LastUsedAt) > time.Hour ||
			e.Clock.Now().Sub(one.Since) < 24*time.Hour || len(one.Tokens) != model.MaxAppTokens {
			t.Errorf("the apps are %+v", g)
		}
		return err
	})
	cost("Revoke", 3, 1, 1, func(ctx context.Context) error { return e.OAuth.Revoke(ctx, app.ID, token) })
	cost("Revoke again", 1, 0, 0, func(ctx context.Context) error { return e.OAuth.Revoke(ctx, app.ID, token) })
	cost("Revoke of a text", 0, 0, 0, func(ctx context.Context) error { return e.OAuth.Revoke(ctx, app.ID, "x") })
	cost("Remove", 2, 1, model.MaxAppTokens-1, func(ctx context.Context) error {
		return e.OAuth.Remove(ctx, "ann", app.ID)
	})
	storetest.WantErr(t, e.OAuth.Remove(t.Context(), "ann", app.ID), errs.NotFound, "app_not_found")
	exchange(3, 0)
	cost("EndAll", 0, 1, 0, func(ctx context.Context) error { return e.OAuth.EndAll(ctx, "ann") })
	cost("Grants after the end", 1, 0, 0, func(ctx context.Context) error {
		g, err := e.OAuth.Grants(ctx, "ann")
		if len(g.Apps) != 0 {
			t.Errorf("the apps are %+v", g)
		}
		return err
	})
	for n := range model.MaxOwnTokens + 1 {
		cost("Issue", 1, 2, int64(n/model.MaxOwnTokens), func(ctx context.Context) (err error) {
			token, _, err = e.OAuth.Issue(ctx, app.ID, []string{"read"})
			return err
		})
	}
	e.Clock.Add(24 * time.Hour)
	cost("Token of an app a day later", 1, 0, 0, func(ctx context.Context) error {
		is, err := e.OAuth.Token(ctx, token)
		if err == nil && is.UserID != "" {
			t.Errorf("the app's token is that of %q", is.UserID)
		}
		return err
	})
	used("the use of an app's token", 0, 1)
	cost("Revoke of an app's own", 1, 0, 1, func(ctx context.Context) error { return e.OAuth.Revoke(ctx, app.ID, token) })
	wantToken(t, e.Store, token, false)
	cost("an unknown token", 1, 0, 0, func(ctx context.Context) error {
		unknown := model.NewAccessToken()
		_, err := e.OAuth.Token(ctx, unknown)
		storetest.WantErr(t, err, errs.Unauthenticated, "invalid_token")
		_, err = e.OAuth.Token(ctx, unknown)
		storetest.WantErr(t, err, errs.Unauthenticated, "invalid_token")
		return nil
	})
	cost("a text that is no token", 0, 0, 0, func(ctx context.Context) error {
		_, err := e.OAuth.Token(ctx, "hibana_at_x")
		storetest.WantErr(t, err, errs.Unauthenticated, "invalid_token")
		_, _, err = e.OAuth.Exchange(ctx, app, "../users/ann", cb, "")
		storetest.WantErr(t, err, errs.Invalid, "invalid_grant")
		return nil
	})
	e.Clock.Add(model.TokenWindow)
	if g, err := e.OAuth.Grants(t.Context(), "ann"); err != nil || len(g.Apps) != 0 {
		t.Errorf("a year later: %+v, %v", g, err)
	}
}

// A code is good for the app, redirect URI and verifier that it was made for, for ten minutes, and no longer than the
// user wants.
func TestExchangeRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	app, other := register(t, e), register(t, e)
	refused := func(what string, app *model.OAuthApp, code, uri, verifier string) {
		t.Helper()
		_, _, err := e.OAuth.Exchange(t.Context(), app, code, uri, verifier)
		if errs.CodeOf(err) != "invalid_grant" {
			t.Errorf("%s: %v", what, err)
		}
	}
	code := authorize(t, e, "ann", app, challenge)
	refused("the code of another app", other, code, cb, verifier)
	refused("another redirect URI", app, code, cb+"/", verifier)
	refused("no redirect URI", app, code, "", verifier)
	refused("no verifier", app, code, cb, "")
	refused("the challenge as verifier", app, code, cb, challenge)
	refused("a token as code", app, model.NewAccessToken(), cb, verifier)
	refused("an unknown code", app, model.NewAuthorizationCode(), cb, verifier)
	token, _, err := e.OAuth.Exchange(t.Context(), app, code, cb, verifier)
	testenv.Must(t, err)
	wantToken(t, e.Store, token, true)
	refused("a verifier for a code without a challenge", app, authorize(t, e, "ann", app, ""), cb, verifier)

	late := authorize(t, e, "ann", app, "")
	e.Clock.Add(model.CodeLife)
	refused("a late code", app, late, cb, "")

	early := authorize(t, e, "ann", app, "")
	testenv.Must(t, e.OAuth.Remove(t.Context(), "ann", app.ID))
	refused("the code of an app that was removed", app, early, cb, "")
	early = authorize(t, e, "ann", app, "")
	testenv.Must(t, e.OAuth.EndAll(t.Context(), "ann"))
	refused("a code from before the end of all sessions", app, early, cb, "")
	signIn(t, e, "ann", app)
}

// Whoever comes second with a code ends what the first one got; another app that knows the code ends nothing.
func TestReplay(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	elsewhere := e.Again(t, store.Options{})
	app, other := register(t, e), register(t, e)
	kept := signIn(t, e, "ann", app)
	code := authorize(t, e, "ann", app, "")
	token, _, err := e.OAuth.Exchange(t.Context(), app, code, cb, "")
	testenv.Must(t, err)
	wantToken(t, e.Store, token, true)
	wantToken(t, elsewhere, token, true)
	_, _, err = e.OAuth.Exchange(t.Context(), other, code, cb, "")
	storetest.WantErr(t, err, errs.Invalid, "invalid_grant")
	wantToken(t, e.Store, token, true)
	testenv.Must(t, storetest.Costs(t, "a used code", 3, 1, 1, func(ctx context.Context) error {
		_, _, err := e.OAuth.Exchange(ctx, app, code, "https://elsewhere.example", "")
		storetest.WantErr(t, err, errs.Invalid, "invalid_grant")
		return nil
	}))
	wantToken(t, e.Store, token, false) // at once
	wantToken(t, elsewhere, token, true)
	_, err = elsewhere.OAuth.TokenNow(t.Context(), token)
	storetest.WantErr(t, err, errs.Unauthenticated, "invalid_token")
	wantToken(t, elsewhere, token, false)
	wantToken(t, e.Store, kept, true)
	_, _, err = e.OAuth.Exchange(t.Context(), app, code, cb, "")
	storetest.WantErr(t, err, errs.Invalid, "invalid_grant")
}

// Of two who exchange a code at the same moment at most one has a token that stays.
func TestExchangeAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	app := register(t, e)
	code := authorize(t, e, "ann", app, "")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { _, _, _ = e.OAuth.Exchange(t.Context(), app, code, cb, "") })
	}
	all.Wait()
	tokens := e.IDs(t, model.OAuthTokens)
	g, err := e.OAuth.Grants(t.Context(), "ann")
	testenv.Must(t, err)
	if len(tokens) > 0 || len(g.Apps) > 0 { // a second one came
		t.Errorf("after four exchanges of a code there are the tokens %v, and %+v", tokens, g)
	}
}

// An answer that is lost gives a token once.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	app := register(t, e)
	code := authorize(t, e, "ann", app, "")
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	token, _, err := lossy.OAuth.Exchange(t.Context(), app, code, cb, "")
	testenv.Must(t, err)
	wantToken(t, e.Store, token, true)
	own, _, err := lossy.OAuth.Issue(t.Context(), app.ID, []string{"read"})
	testenv.Must(t, err)
	wantToken(t, e.Store, own, true)
	testenv.Must(t, lossy.OAuth.Revoke(t.Context(), app.ID, token))
	testenv.Must(t, lossy.OAuth.Revoke(t.Context(), app.ID, own))
	code = authorize(t, e, "ann", app, "")
	token, _, err = lossy.OAuth.Exchange(t.Context(), app, code, cb, "")
	testenv.Must(t, err)
	wantToken(t, lossy, token, true)
	testenv.Must(t, lossy.OAuth.Remove(t.Context(), "ann", app.ID))
	wantToken(t, lossy, token, false)
	testenv.Must(t, lossy.OAuth.EndAll(t.Context(), "ann"))
	if losses.Count() == 0 || len(e.IDs(t, model.OAuthTokens)) != 0 {
		t.Errorf("%d answers were lost, and there are the tokens %v", losses.Count(), e.IDs(t, model.OAuthTokens))
	}
}

// Apps end their own tokens alone, and an app that nobody let in for long is gone.
func TestApps(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	app, other := register(t, e), register(t, e)
	token := signIn(t, e, "ann", app)
	own, _, err := e.OAuth.Issue(t.Context(), app.ID, []string{"read"})
	testenv.Must(t, err)
	for _, theirs := range []string{token, own} {
		storetest.WantErr(t, e.OAuth.Revoke(t.Context(), other.ID, theirs), errs.Forbidden, "unauthorized_client")
		wantToken(t, e.Store, theirs, true)
	}
	ben := signIn(t, e, "ben", app)
	testenv.Must(t, e.OAuth.Remove(t.Context(), "ann", app.ID))
	wantToken(t, e.Store, token, false)
	wantToken(t, e.Store, ben, true)
	e.Clock.Add(model.AppWindow + time.Second)
	_, err = e.OAuth.App(t.Context(), app.ID)
	testenv.Must(t, err)
	_, err = e.OAuth.App(t.Context(), other.ID)
	storetest.WantErr(t, err, errs.NotFound, "app_not_found")
	e.Clock.Add(model.TokenWindow)
	wantToken(t, e.Store, ben, false) // though the document may still be there
	public, secret, err := e.OAuth.CreateApp(t.Context(), model.OAuthApp{Name: "x"}, true)
	if err != nil || secret != "" || !public.Public() || public.HasSecret("") {
		t.Errorf("a public app has the secret %q: %v", secret, err)
	}
}

// browser is a web push subscription, which an app registers by a token.
func browser(t *testing.T, name, token string) model.Device {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	testenv.Must(t, err)
	return model.Device{Endpoint: "https://push.example.com/" + name, Token: model.OAuthHash(token),
		P256dh: base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()),
		Auth:   base64.RawURLEncoding.EncodeToString(make([]byte, 16))}
}

// A token that somebody ends takes the devices along that were registered by it, and no others.
func TestTokensTakeDevices(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	app, other := register(t, e), register(t, e)
	have := func(after string, want ...string) {
		t.Helper()
		devices, err := e.Devices.Of(t.Context(), "ann")
		testenv.Must(t, err)
		if got := slices.Sorted(maps.Keys(devices)); !slices.Equal(got, want) {
			t.Errorf("after %s there are the devices %q, want %q", after, got, want)
		}
	}
	put := func(id, token string) {
		t.Helper()
		testenv.Must(t, e.Devices.Put(t.Context(), "ann", id, browser(t, id, token)))
	}
	one, two, others := signIn(t, e, "ann", app), signIn(t, e, "ann", app), signIn(t, e, "ann", other)
	testenv.Must(t, e.Devices.Put(t.Context(), "ann", "own", model.Device{FCMToken: "own"}))
	put("1", one)
	put("1b", one)
	put("2", two)
	put("3", others)
	testenv.Must(t, e.OAuth.Revoke(t.Context(), app.ID, one))
	have("the end of a token", "2", "3", "own")
	// A request that another process still lets in comes after the end.
	err := e.Devices.Put(t.Context(), "ann", "late", browser(t, "late", one))
	storetest.WantErr(t, err, errs.Unauthenticated, "invalid_token")
	have("a device that came late", "2", "3", "own")
	testenv.Must(t, e.OAuth.Remove(t.Context(), "ann", app.ID))
	have("the end of an app", "3", "own")

	code := authorize(t, e, "ann", app, "")
	stolen, _, err := e.OAuth.Exchange(t.Context(), app, code, cb, "")
	testenv.Must(t, err)
	put("4", stolen)
	_, _, err = e.OAuth.Exchange(t.Context(), app, code, cb, "")
	storetest.WantErr(t, err, errs.Invalid, "invalid_grant")
	have("a code that came twice", "3", "own")

	put("5", signIn(t, e, "ann", app))
	for range model.MaxAppTokens {
		signIn(t, e, "ann", app)
	}
	have("too many tokens", "3", "own")
}

// A token that is good for nothing, as its session has ended, is not noted as used.
func TestUsed(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	app := register(t, e)
	token := signIn(t, e, "ann", app)
	hash := model.OAuthHash(token)
	testenv.Must(t, e.OAuth.Used(t.Context(), "unknown"))
	e.Clock.Add(25 * time.Hour)
	wantToken(t, e.Store, token, true)
	elsewhere := e.Again(t, store.Options{})
	testenv.Must(t, elsewhere.OAuth.Revoke(t.Context(), app.ID, token))
	storetest.WantErr(t, e.OAuth.Used(t.Context(), hash), errs.Unauthenticated, "invalid_token")
	wantToken(t, e.Store, token, false)
	if tokens := e.IDs(t, model.OAuthTokens); len(tokens) > 0 {
		t.Errorf("a revoked token is there again: %v", tokens)
	}
}

// An app stays while a token of it is used, at 1 read and 1 write in two weeks, and no token outlives its app.
func TestAppStays(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	app, owned := register(t, e), register(t, e)
	token := signIn(t, e, "ann", app)
	own, _, err := e.OAuth.Issue(t.Context(), owned.ID, []string{"read"})
	testenv.Must(t, err)
	use := func(token string) meter.Counts {
		t.Helper()
		wantToken(t, e.Store, token, true)
		m := meter.New()
		testenv.Must(t, e.OAuth.Used(meter.With(t.Context(), m), model.OAuthHash(token)))
		return m.Snapshot()
	}
	var daily, all meter.Counts
	for day := range 28 {
		e.Clock.Add(24*time.Hour + time.Minute)
		is := use(token)
		all.Reads, all.Writes = all.Reads+is.Reads, all.Writes+is.Writes
		if day == 0 {
			daily = is
		}
	}
	if daily != (meter.Counts{Writes: 2}) || all.Reads != 2 || all.Writes != 28*2+2 {
		t.Errorf("a day costs %+v, and 28 days %+v", daily, all)
	}
	use(own)
	for range 4 { // the longest pause that a token survives
		e.Clock.Add(model.TokenWindow - time.Hour)
		use(token)
		use(own)
		for _, id := range []model.ClientID{app.ID, owned.ID} {
			_, err := e.OAuth.App(t.Context(), id)
			testenv.Must(t, err)
		}
	}
	e.Clock.Add(model.TokenWindow)
	wantToken(t, e.Store, token, false)
	e.Clock.Add(model.AuthorizedAppWindow - model.TokenWindow + time.Hour)
	_, err = e.OAuth.App(t.Context(), app.ID)
	storetest.WantErr(t, err, errs.NotFound, "app_not_found")
	if model.AuthorizedAppWindow < model.TokenWindow+model.TokenNoted+2*model.AppRenewed {
		t.Error("a token outlives its app")
	}
}
