package oauth

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// known is a token as it was read at a time.
type known struct {
	token *model.OAuthToken
	at    time.Time
}

// errToken is the answer to a token that is unknown, revoked or expired.
func errToken() error {
	return errs.New(errs.Unauthenticated, "invalid_token", "the access token is unknown, or was revoked; sign in again")
}

// Token returns what a token is good for, as it was at most [CachedFor] ago in another process, and now in this one. An
// unknown or revoked one is errs.Unauthenticated (invalid_token). The result is shared, and must not be changed.
//
// Cost: 1 read, or nothing if it is cached.
func (s *Store) Token(ctx context.Context, token string) (_ *model.OAuthToken, err error) {
	defer errs.Wrap(&err, "oauth.Token")
	if !model.IsAccessToken(token) {
		return nil, errToken()
	}
	hash := model.OAuthHash(token)
	if s.ended.Contains(hash) || s.unknown.Contains(hash) {
		return nil, errToken()
	}
	if is, ok := s.tokens.Get(hash); ok && s.db.Now().Sub(is.at) < CachedFor && s.db.Now().Before(is.token.ExpireAt) {
		return is.token, nil
	}
	return s.read(ctx, hash)
}

// TokenNow is [Store.Token] without the cache.
//
// Cost: 1 read.
func (s *Store) TokenNow(ctx context.Context, token string) (_ *model.OAuthToken, err error) {
	defer errs.Wrap(&err, "oauth.TokenNow")
	if !model.IsAccessToken(token) {
		return nil, errToken()
	}
	return s.read(ctx, model.OAuthHash(token))
}

// read reads a token, and caches it.
func (s *Store) read(ctx context.Context, hash string) (*model.OAuthToken, error) {
	t, now := &model.OAuthToken{Hash: hash}, s.db.Time()
	found, err := s.db.Get(ctx, s.token(hash), t)
	if err != nil {
		return nil, err
	}
	if !found || !now.Before(t.ExpireAt) {
		s.tokens.Remove(hash)
		s.unknown.Add(hash, true)
		return nil, errToken()
	}
	s.tokens.Add(hash, known{t, now})
	if s.ended.Contains(hash) { // this process revoked it meanwhile
		s.tokens.Remove(hash)
		return nil, errToken()
	}
	return t, nil
}

// Used notes that a token was used, for a request that nothing refuses. The token is named by its hash; one that this
// process has not read lately is noted by a later request. A token that was revoked meanwhile is errs.Unauthenticated
// (invalid_token). Another failure is logged.
//
// While its tokens are used, an app stays: each token looks after its app once in [model.AppRenewed].
//
// Cost: nothing, but once a day 2 writes, or 1 if the token is the app's own; once in [model.AppRenewed] 1 read more,
// and 1 write if no other token did so.
func (s *Store) Used(ctx context.Context, hash string) error {
	is, ok := s.tokens.Get(hash)
	now := s.db.Time()
	if !ok || now.Sub(is.token.LastUsedAt) < model.TokenNoted {
		return nil
	}
	t := *is.token
	before := t.LastUsedAt
	t.LastUsedAt, t.ExpireAt = now, now.Add(model.TokenWindow)
	s.tokens.Add(hash, known{&t, is.at}) // so that requests at the same time do not note it, too
	if err := s.note(ctx, &t, before); db.NotFound(err) {
		s.forget(hash)
		return errToken()
	} else if err != nil {
		s.log.WarnContext(ctx, "the use of a token was not noted", "error", err)
	}
	if s.ended.Contains(hash) { // this process revoked it meanwhile
		s.tokens.Remove(hash)
		return errToken()
	}
	return nil
}

// note writes that a token is used, on the list of its user, too. before is the use that was noted before. A token that
// was revoked meanwhile stays so.
func (s *Store) note(ctx context.Context, t *model.OAuthToken, before time.Time) error {
	b := s.db.Batch()
	b.Update(s.token(t.Hash), []firestore.Update{{Path: fields.LastUsedAt, Value: t.LastUsedAt},
		{Path: fields.ExpireAt, Value: t.ExpireAt}})
	if t.UserID != "" {
		b.Update(s.grants(t.UserID), []firestore.Update{
			{FieldPath: firestore.FieldPath{fields.Apps, string(t.ClientID), fields.LastUsedAt}, Value: t.LastUsedAt}})
	}
	if t.LooksAfterApp(before) {
		app := model.OAuthApp{}
		found, err := s.db.Get(ctx, s.app(t.ClientID), &app)
		if err != nil {
			return err
		}
		if stays, renews := app.Renews(t.LastUsedAt); found && renews {
			b.Update(s.app(t.ClientID), []firestore.Update{{Path: fields.ExpireAt, Value: stays}})
		}
	}
	_, err := b.Commit(ctx)
	return err
}

// Revoke ends a token of an app. The caller has checked that it is the app who asks. A token of another app is
// errs.Forbidden (unauthorized_client). A text that is no token of any app is no error.
//
// Cost: 1 read, and what end costs; nothing for a text of another form.
func (s *Store) Revoke(ctx context.Context, app model.ClientID, token string) (err error) {
	defer errs.Wrap(&err, "oauth.Revoke(%q)", app)
	if !model.IsAccessToken(token) {
		return nil
	}
	var t model.OAuthToken
	hash := model.OAuthHash(token)
	found, err := s.db.Get(ctx, s.token(hash), &t)
	switch {
	case err != nil || !found:
		return err
	case t.ClientID != app:
		return errs.New(errs.Forbidden, "unauthorized_client", "the token belongs to another app")
	case t.UserID == "":
		defer s.forget(hash)
		return s.db.DeleteOnce(ctx, s.token(hash))
	}
	return s.end(ctx, t.UserID, app, hash)
}

// end ends one token of a user, with the devices that the app registered by it.
//
// Cost: 2 reads, 1 write and 1 delete; 1 write more if there is such a device.
func (s *Store) end(ctx context.Context, uid model.UserID, app model.ClientID, hash string) error {
	err := s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var g model.OAuthGrants
		if _, err := db.GetIn(tx, s.grants(uid), &g); err != nil {
			return err
		}
		silence, err := s.silence(tx, uid, []string{hash})
		if err != nil {
			return err
		}
		if g.Drop(app, hash) {
			at := firestore.FieldPath{fields.Apps, string(app)}
			change := firestore.Update{FieldPath: at, Value: firestore.Delete}
			if left, ok := g.Apps[string(app)]; ok {
				change = firestore.Update{FieldPath: append(at, fields.Tokens), Value: left.Tokens}
			}
			if err := tx.Update(s.grants(uid), []firestore.Update{change}); err != nil {
				return err
			}
		}
		if err := silence(); err != nil {
			return err
		}
		return tx.Delete(s.token(hash))
	}, s.db.Gone(s.token(hash)))
	if err == nil {
		s.forget(hash)
	}
	return err
}

// Grants reads the apps that a user let in.
//
// Cost: 1 read.
func (s *Store) Grants(ctx context.Context, uid model.UserID) (_ *model.OAuthGrants, err error) {
	defer errs.Wrap(&err, "oauth.Grants(%q)", uid)
	g := &model.OAuthGrants{}
	_, err = s.db.Get(ctx, s.grants(uid), g)
	g.Prune(s.db.Now())
	return g, err
}

// Remove ends all tokens and codes of an app of a user, with the devices that the app registered by them. An app that
// the user did not let in is errs.NotFound (app_not_found).
//
// Cost: 2 reads and 1 write, and 1 delete for each token; 1 write more if there is such a device.
func (s *Store) Remove(ctx context.Context, uid model.UserID, app model.ClientID) (err error) {
	defer errs.Wrap(&err, "oauth.Remove(%q, %q)", uid, app)
	var gone []string
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var g model.OAuthGrants
		if _, err := db.GetIn(tx, s.grants(uid), &g); err != nil {
			return err
		}
		if gone = g.Hashes(app); len(gone) == 0 {
			return errAppNotFound()
		}
		silence, err := s.silence(tx, uid, gone)
		if err != nil {
			return err
		}
		if err := silence(); err != nil {
			return err
		}
		for _, hash := range gone {
			if err := tx.Delete(s.token(hash)); err != nil {
				return err
			}
		}
		return tx.Update(s.grants(uid), []firestore.Update{{Path: fields.EndedAt, Value: firestore.ServerTimestamp},
			{FieldPath: firestore.FieldPath{fields.Apps, string(app)}, Value: firestore.Delete}})
	}, func(ctx context.Context) (bool, error) {
		g, err := s.Grants(ctx, uid)
		_, there := g.Apps[string(app)]
		return err == nil && !there, err
	})
	if err == nil {
		s.forget(gone...)
	}
	return err
}

// EndAll empties the list of a user's apps, and ends their codes. The tokens are refused because the user's sessions
// ended, see package apptokens: the caller ends those, too. So a user with many apps costs no more than one without.
//
// Cost: 1 write.
func (s *Store) EndAll(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "oauth.EndAll(%q)", uid)
	_, err = s.grants(uid).Set(ctx, map[string]any{fields.EndedAt: firestore.ServerTimestamp})
	return err
}

// forget makes this process refuse tokens at once.
func (s *Store) forget(hashes ...string) {
	for _, hash := range hashes {
		s.ended.Add(hash, true)
		s.tokens.Remove(hash)
	}
}
