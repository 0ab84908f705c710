package model

import "time"

// Caller is the user that the token of a request names: an ID token, or the access token of an app. The zero Caller is
// signed out.
type Caller struct {
	UID           UserID
	Email         string    // may be empty
	EmailVerified bool      // the user has shown to own Email
	Admin         bool      // the token has the admin claim; an administrator may do all that a moderator may
	Moderator     bool      // the token has the moderator claim
	Frozen        bool      // the user may read and leave, and not write
	Anonymous     bool      // the user has no account, and may only read and keep a cart
	SignedInAt    time.Time // when the user last showed a password or came from a provider
	IssuedAt      time.Time // when the token was made
	Provider      string    // of the sign-in, such as password and google.com

	// App is the app whose access token the request has, and Scopes are what the user lets it do. Both are empty for an ID
	// token, with which the caller may do all that the user may.
	App    ClientID
	Scopes []string
	// Token is the hash of that access token.
	Token string
}

// MayAs reports whether the caller may do what needs a scope: without an app always.
func (c Caller) MayAs(scope string) bool { return c.App == "" || Covers(c.Scopes, scope) }

// Role returns the role of the caller. A frozen account has no other powers.
func (c Caller) Role() Role {
	switch {
	case c.UID == "":
		return SignedOut
	case c.Anonymous:
		return Anonymous
	case c.Frozen:
		return Frozen
	case c.Admin:
		return Administrator
	case c.Moderator:
		return Moderator
	}
	return Member
}

// Staff reports whether the caller may do what moderators may do.
func (c Caller) Staff() bool { return c.Admin || c.Moderator }
