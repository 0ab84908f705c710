// Package oauth keeps the apps of others that users let in: apps, authorization codes and access tokens. Secrets are
// kept as hashes. Who calls with a token, and what that is good for, is decided in package api.
package oauth

import (
	"context"
	"log/slog"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Store keeps apps, codes and tokens. Its methods may be called concurrently. Their errors are those of package errs.
type Store struct {
	db      *db.DB
	silence Silence
	log     *slog.Logger
	tokens  lru.Cache[string, known] // by hash
	ended   lru.Cache[string, bool]  // hashes of tokens that this process revoked
	unknown lru.Cache[string, bool]  // hashes of tokens that were not there
}

// CachedFor is how old the knowledge of a token may be. A token that another process revoked is good for as long.
const CachedFor = time.Minute

// cached is how many tokens a process caches, and how many it remembers to be no tokens.
const cached = 10_000

// Silence removes, in a transaction, the devices that apps registered for notifications by some tokens of a user, by
// the hashes of these: a token that ends takes its devices along. It reads at once, for 1 read, and returns what
// writes, 1 write if there is such a device.
type Silence func(tx *firestore.Transaction, uid model.UserID, tokens []string) (write func() error, err error)

// New returns the store of a database. Only packages below store have a [db.DB].
func New(d *db.DB, silence Silence, log *slog.Logger) *Store {
	return &Store{db: d, silence: silence, log: log, tokens: lru.New[string, known](cached),
		ended: lru.New[string, bool](cached), unknown: lru.New[string, bool](cached)}
}

// CreateApp registers an app, and returns its secret. A public app has none. CreateApp sets ID, SecretHash and the
// times.
//
// Cost: 1 write.
func (s *Store) CreateApp(ctx context.Context, app model.OAuthApp, public bool) (_ *model.OAuthApp, secret string,
	err error) {
	defer errs.Wrap(&err, "oauth.CreateApp")
	app.ID, app.CreatedAt = model.NewClientID(), s.db.Time()
	app.ExpireAt = app.CreatedAt.Add(model.AppWindow)
	if !public {
		secret = model.NewClientSecret()
		app.SecretHash = model.OAuthHash(secret)
	}
	return &app, secret, s.db.CreateOnce(ctx, s.app(app.ID), app)
}

// App reads an app. An unknown one is errs.NotFound (app_not_found), and so is one that has expired.
//
// Cost: 1 read.
func (s *Store) App(ctx context.Context, id model.ClientID) (_ *model.OAuthApp, err error) {
	defer errs.Wrap(&err, "oauth.App(%q)", id)
	app := &model.OAuthApp{ID: id}
	found, err := s.db.Get(ctx, s.app(id), app)
	if err == nil && (!found || s.db.Now().After(app.ExpireAt)) {
		err = errAppNotFound()
	}
	return app, err
}

func errAppNotFound() error {
	return errs.New(errs.NotFound, "app_not_found", "there is no app with this client_id")
}

// Authorize keeps the consent of a user to an app, and returns a code for the app. One app more than [model.MaxApps] is
// errs.Conflict (too_many_apps). The caller has checked the code against the app. Authorize sets AuthorizedAt and
// ExpireAt.
//
// Cost: 1 read and 1 write.
func (s *Store) Authorize(ctx context.Context, c model.OAuthCode) (code string, err error) {
	defer errs.Wrap(&err, "oauth.Authorize(%q, %q)", c.UserID, c.ClientID)
	var g model.OAuthGrants
	if _, err := s.db.Get(ctx, s.grants(c.UserID), &g); err != nil {
		return "", err
	}
	if err := g.MayAdd(c.ClientID, s.db.Now()); err != nil {
		return "", err
	}
	code = model.NewAuthorizationCode()
	c.AuthorizedAt, c.ExpireAt = time.Time{}, s.db.Time().Add(model.CodeWindow)
	return code, s.db.CreateOnce(ctx, s.code(code), c)
}

// errGrant is the answer to a code that is not good, for whatever reason: nothing tells whether it ever was.
func errGrant() error {
	return errs.New(errs.Invalid, "invalid_grant", "the code is unknown, used or expired, or belongs to another app, "+
		"redirect_uri or code_verifier")
}

// Exchange gives an app a token for a code, once. The caller has checked that it is the app who asks. A code that is
// not good for this app, redirect URI and verifier is errs.Invalid (invalid_grant). A code that comes a second time
// ends the token of the first time, because one of the two holders stole it.
//
// Cost: 2 reads and 3 writes; 1 write more for an app that was not let in lately. Where tokens are too many 1 delete
// each, 1 read, and 1 write if one of them has a device. A used code: 1 read, and what end costs.
func (s *Store) Exchange(ctx context.Context, app *model.OAuthApp, code, redirectURI, verifier string) (_ string,
	_ *model.OAuthToken, err error) {
	defer errs.Wrap(&err, "oauth.Exchange(%q)", app.ID)
	if !model.IsAuthorizationCode(code) {
		return "", nil, errGrant()
	}
	token := model.NewAccessToken()
	t := model.OAuthToken{Hash: model.OAuthHash(token), ClientID: app.ID, AppName: app.Name, AppWebsite: app.Website}
	var used *model.OAuthCode
	var gone []string
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		used, gone = nil, nil
		var c model.OAuthCode
		found, err := db.GetIn(tx, s.code(code), &c)
		switch now := s.db.Now(); {
		case err != nil:
			return err
		case !found || c.ClientID != app.ID:
			return errGrant()
		case c.Token != "":
			used = &c
			return errGrant()
		case now.Sub(c.AuthorizedAt) >= model.CodeLife || c.RedirectURI != redirectURI || !c.Proves(verifier):
			return errGrant()
		}
		var g model.OAuthGrants
		if _, err := db.GetIn(tx, s.grants(c.UserID), &g); err != nil {
			return err
		}
		if !c.AuthorizedAt.After(g.EndedAt) {
			return errGrant()
		}
		now := s.db.Time()
		t.UserID, t.Scopes, t.AuthorizedAt = c.UserID, c.Scopes, c.AuthorizedAt
		t.LastUsedAt, t.ExpireAt = now, now.Add(model.TokenWindow)
		if gone, err = g.Add(&t, now); err != nil {
			return err
		}
		return s.writeToken(tx, app, s.code(code), &t, &g, gone)
	}, s.db.Made(s.token(t.Hash)))
	if used != nil {
		if err := s.end(ctx, used.UserID, app.ID, used.Token); err != nil {
			return "", nil, err
		}
	}
	if err != nil {
		return "", nil, err
	}
	s.forget(gone...)
	return token, &t, nil
}

// writeToken writes a token for a code with all that follows, in the transaction of an exchange.
func (s *Store) writeToken(tx *firestore.Transaction, app *model.OAuthApp, code *firestore.DocumentRef,
	t *model.OAuthToken, g *model.OAuthGrants, gone []string) error {
	silence := func() error { return nil }
	if len(gone) > 0 {
		var err error
		if silence, err = s.silence(tx, t.UserID, gone); err != nil {
			return err
		}
	}
	if err := tx.Update(code, []firestore.Update{{Path: fields.Token, Value: t.Hash}}); err != nil {
		return err
	}
	if err := tx.Create(s.token(t.Hash), t); err != nil {
		return err
	}
	if err := tx.Set(s.grants(t.UserID), g); err != nil {
		return err
	}
	for _, hash := range gone {
		if err := tx.Delete(s.token(hash)); err != nil {
			return err
		}
	}
	if err := silence(); err != nil {
		return err
	}
	if stays, renews := app.Renews(t.LastUsedAt); renews {
		return tx.Update(s.app(app.ID), []firestore.Update{{Path: fields.ExpireAt, Value: stays}})
	}
	return nil
}

// Issue gives an app a token for itself, with which it is nobody. The caller has checked that it is the app who asks,
// and that it may have the scopes. Beyond [model.MaxOwnTokens] the oldest goes.
//
// Cost: 1 read and 2 writes; 1 delete if it has too many.
func (s *Store) Issue(ctx context.Context, id model.ClientID, scopes []string) (_ string, _ *model.OAuthToken,
	err error) {
	defer errs.Wrap(&err, "oauth.Issue(%q)", id)
	token := model.NewAccessToken()
	t := model.OAuthToken{Hash: model.OAuthHash(token), ClientID: id, Scopes: scopes}
	var gone []string
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		gone = nil
		var app model.OAuthApp
		found, err := db.GetIn(tx, s.app(id), &app)
		if err != nil {
			return err
		}
		if !found || s.db.Now().After(app.ExpireAt) {
			return errAppNotFound()
		}
		now := s.db.Time()
		t.AppName, t.AppWebsite, t.AuthorizedAt, t.LastUsedAt = app.Name, app.Website, now, now
		t.ExpireAt = now.Add(model.TokenWindow)
		app.Tokens = append(app.Tokens, t.Hash)
		if most := len(app.Tokens) - model.MaxOwnTokens; most > 0 {
			gone, app.Tokens = app.Tokens[:most], app.Tokens[most:]
		}
		for _, hash := range gone {
			if err := tx.Delete(s.token(hash)); err != nil {
				return err
			}
		}
		if err := tx.Create(s.token(t.Hash), t); err != nil {
			return err
		}
		changes := []firestore.Update{{Path: fields.Tokens, Value: app.Tokens}}
		if stays, renews := app.Renews(now); renews {
			changes = append(changes, firestore.Update{Path: fields.ExpireAt, Value: stays})
		}
		return tx.Update(s.app(id), changes)
	}, s.db.Made(s.token(t.Hash)))
	if err != nil {
		return "", nil, err
	}
	s.forget(gone...)
	return token, &t, nil
}

func (s *Store) app(id model.ClientID) *firestore.DocumentRef {
	return s.db.Doc(model.OAuthApps, string(id))
}

func (s *Store) code(code string) *firestore.DocumentRef {
	return s.db.Doc(model.OAuthCodes, model.OAuthHash(code))
}

func (s *Store) token(hash string) *firestore.DocumentRef { return s.db.Doc(model.OAuthTokens, hash) }

func (s *Store) grants(uid model.UserID) *firestore.DocumentRef {
	return s.db.Doc(model.OAuthGrantLists, string(uid))
}
