package model

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

const (
	// OutOfBand is the redirect URI of an app that cannot be reached: the user copies the code.
	OutOfBand = "urn:ietf:wg:oauth:2.0:oob"

	// MaxAppName is how many characters the name of an app has.
	MaxAppName = 60
	// MaxAppWebsite is how many bytes the address of its website has.
	MaxAppWebsite = 500
	// MaxRedirectURIs is how many redirect URIs an app has.
	MaxRedirectURIs = 10
	// MaxRedirectURI is how many bytes each has.
	MaxRedirectURI = 1_000

	// MaxApps is how many apps a user may let in.
	MaxApps = 100
	// MaxAppTokens is how many tokens of one app a user has: the oldest go.
	MaxAppTokens = 10
	// MaxUserTokens is how many tokens of all apps a user has: the oldest go.
	MaxUserTokens = 200
	// MaxOwnTokens is how many tokens an app has for itself: the oldest go.
	MaxOwnTokens = 5

	// CodeLife is for how long an authorization code can be exchanged.
	CodeLife = 10 * time.Minute
	// CodeWindow is how long a code is kept, to recognize its second use.
	CodeWindow = 24 * time.Hour
	// AppWindow is how long an app is kept that nobody lets in.
	AppWindow = 30 * 24 * time.Hour
	// AuthorizedAppWindow is how long an app is kept since it last got a token, or a token of it was last used. It is
	// longer than TokenWindow and AppRenewed together, so that no app goes before its tokens.
	AuthorizedAppWindow = 400 * 24 * time.Hour
	// AppRenewed is how often the end of an app is moved at most while its tokens are used.
	AppRenewed = 14 * 24 * time.Hour
	// TokenWindow is how long a token is kept that nobody uses.
	TokenWindow = 365 * 24 * time.Hour
	// TokenNoted is how often a use is noted at most.
	TokenNoted = 24 * time.Hour
)

// ClientID names an app.
type ClientID string

var clientID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// ParseClientID checks the form of the id of an app.
func ParseClientID(s string) (ClientID, error) {
	if !clientID.MatchString(s) {
		return "", errs.New(errs.NotFound, "app_not_found", "there is no app with this client_id")
	}
	return ClientID(s), nil
}

// OAuthApp is an app that asks users to let it in: oauthApps/{client}. Anybody may register one, so all it says of
// itself is a claim.
type OAuthApp struct {
	ID           ClientID  `firestore:"-"`
	Name         string    `firestore:"name"`              // at most MaxAppName characters
	Website      string    `firestore:"website,omitempty"` // at most MaxAppWebsite bytes
	RedirectURIs []string  `firestore:"redirectUris"`      // 1 to MaxRedirectURIs
	Scopes       []string  `firestore:"scopes"`            // what it may ask for
	SecretHash   string    `firestore:"secretHash,omitempty"`
	Tokens       []string  `firestore:"tokens,omitempty"` // hashes of the tokens for itself, oldest first
	CreatedAt    time.Time `firestore:"createdAt"`
	ExpireAt     time.Time `firestore:"expireAt"`
}

// Public reports whether an app has no secret. Such an app proves with PKCE that it asked for a code.
func (a *OAuthApp) Public() bool { return a.SecretHash == "" }

// HasSecret reports whether a secret is the app's.
func (a *OAuthApp) HasSecret(secret string) bool {
	return a.SecretHash != "" && subtle.ConstantTimeCompare([]byte(OAuthHash(secret)), []byte(a.SecretHash)) == 1
}

// Renews returns until when an app stays that is used at a time, and whether that must be written: the end moves by
// [AppRenewed] at least.
func (a *OAuthApp) Renews(at time.Time) (until time.Time, renews bool) {
	until = at.Add(AuthorizedAppWindow)
	return until, until.Sub(a.ExpireAt) >= AppRenewed
}

// Redirects reports whether a redirect URI is registered. It compares bytes: another spelling of the same address is
// another address.
func (a *OAuthApp) Redirects(uri string) bool { return slices.Contains(a.RedirectURIs, uri) }

// ScopesFor reads the scopes that an app asks for, between spaces: none stand for read, or for all of an app without
// read. A scope that the app has not registered is errs.Invalid (invalid_scope).
func (a *OAuthApp) ScopesFor(text string) ([]string, error) {
	scopes, err := ParseScopes(text)
	switch {
	case err != nil || CoverAll(a.Scopes, scopes):
		return scopes, err
	case strings.TrimSpace(text) == "":
		return a.Scopes, nil
	}
	return nil, errs.New(errs.Invalid, "invalid_scope", "the app has not registered all of the scopes %s",
		strings.Join(scopes, " "))
}

// NewOAuthApp checks what an app says of itself, and returns it as it is stored. Mistakes are errs.Invalid, with the
// codes invalid_app, invalid_redirect_uri and invalid_scope.
func NewOAuthApp(name, website string, redirects []string, scopes string) (OAuthApp, error) {
	a := OAuthApp{Website: website}
	var err error
	if a.Name, err = cleanText("client_name", strings.TrimSpace(name), MaxAppName); err != nil {
		return a, err
	}
	if !hasVisible(a.Name) || strings.ContainsFunc(a.Name, isUnfit) {
		return a, errs.New(errs.Invalid, "invalid_app", "client_name must show something, on one line, in one direction")
	}
	if website != "" && (len(website) > MaxAppWebsite || !isWebsite(website)) {
		return a, errs.New(errs.Invalid, "invalid_app", "website must be an address of the web of at most %d bytes",
			MaxAppWebsite)
	}
	for _, uri := range redirects {
		if uri = strings.TrimSpace(uri); uri == "" || slices.Contains(a.RedirectURIs, uri) {
			continue
		}
		if len(a.RedirectURIs) >= MaxRedirectURIs {
			return a, invalidRedirect("an app has at most %d redirect URIs", MaxRedirectURIs)
		}
		if err := validRedirect(uri); err != nil {
			return a, err
		}
		a.RedirectURIs = append(a.RedirectURIs, uri)
	}
	if len(a.RedirectURIs) == 0 {
		return a, invalidRedirect("redirect_uris must have an address")
	}
	a.Scopes, err = ParseScopes(scopes)
	return a, err
}

func isWebsite(s string) bool {
	u, err := url.Parse(s)
	return err == nil && isPrintable(s) && (u.Scheme == "https" || u.Scheme == "http") && isHost(u.Hostname()) &&
		u.User == nil
}

func invalidRedirect(text string, args ...any) error {
	return errs.New(errs.Invalid, "invalid_redirect_uri", text, args...)
}

var (
	redirectScheme = regexp.MustCompile(`^[a-z][a-z0-9+.-]{0,60}$`)
	redirectHost   = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62}))*$`)

	// badSchemes are those of addresses that a browser runs, opens from a disk, or hands to another program as a command.
	badSchemes = []string{"javascript", "data", "file", "vbscript", "blob", "about", "filesystem", "view-source", "ws",
		"wss", "ftp", "mailto", "tel", "sms", "intent", "android-app", "chrome", "chrome-extension", "moz-extension",
		"resource", "jar", "livescript", "mocha", "ms-appx", "content", "urn", "search-ms", "ms-msdt"}

	// answerNames are the parameters that the answer to an app has.
	answerNames = []string{"code", "state", "iss", "error", "error_description"}
)

// isHost reports whether a text is the name of a host as browsers write it.
func isHost(s string) bool { return len(s) <= 253 && redirectHost.MatchString(s) }

// validRedirect checks a redirect URI: https, http on the machine itself, an app's own scheme, or [OutOfBand]. Nothing
// in it may be read in two ways.
func validRedirect(uri string) error {
	if uri == OutOfBand {
		return nil
	}
	if len(uri) > MaxRedirectURI {
		return invalidRedirect("a redirect URI has at most %d bytes", MaxRedirectURI)
	}
	u, err := url.Parse(uri)
	if err != nil || !isPrintable(uri) || strings.ContainsAny(uri, "#\\\"<>^`{|}") {
		return invalidRedirect("%q is no redirect URI: it must be an address in ASCII without a fragment", Snippet(uri, 60))
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil || slices.ContainsFunc(answerNames, query.Has) {
		return invalidRedirect("the query of a redirect URI must not have %s", strings.Join(answerNames, ", "))
	}
	scheme, _, _ := strings.Cut(uri, ":")
	if u.User != nil || slices.ContainsFunc(strings.Split(u.Path, "/"), func(part string) bool {
		return part == "." || part == ".."
	}) {
		return invalidRedirect("a redirect URI has no user, and no . or .. in its path")
	}
	host, port := u.Hostname(), u.Port()
	switch {
	case !redirectScheme.MatchString(u.Scheme) || slices.Contains(badSchemes, u.Scheme):
		return invalidRedirect("a redirect URI must not begin with %q", Snippet(scheme, 20))
	case u.Scheme == "http":
		ip, _ := netip.ParseAddr(host)
		if host != "localhost" && host != "127.0.0.1" && ip != netip.IPv6Loopback() {
			return invalidRedirect("a redirect URI with http is on localhost, 127.0.0.1 or [::1]")
		}
	case u.Scheme == "https":
		if !isHost(host) || scheme != "https" || u.Opaque != "" || strings.HasSuffix(u.Host, ":") || port == "0" {
			return invalidRedirect("a redirect URI with https names a host, in lower case, without a dot at its end")
		}
	}
	return nil
}

// RedirectTo returns a redirect URI with parameters added to its query.
func RedirectTo(uri string, values url.Values) string {
	join := "?"
	if strings.Contains(uri, "?") {
		join = "&"
	}
	return uri + join + values.Encode()
}

// OAuthCode is a user's consent to an app, until the app exchanges it for a token: oauthCodes/{hash of the code}.
type OAuthCode struct {
	UserID       UserID    `firestore:"userId"`
	ClientID     ClientID  `firestore:"clientId"`
	RedirectURI  string    `firestore:"redirectUri"`
	Scopes       []string  `firestore:"scopes"`
	Challenge    string    `firestore:"challenge,omitempty"` // of PKCE, S256; empty without
	AuthorizedAt time.Time `firestore:"authorizedAt,serverTimestamp"`
	Token        string    `firestore:"token,omitempty"` // hash of the token that was issued for it
	ExpireAt     time.Time `firestore:"expireAt"`
}

// OAuthToken is an access token of an app: oauthTokens/{hash of the token}.
type OAuthToken struct {
	Hash         string    `firestore:"-"`
	UserID       UserID    `firestore:"userId,omitempty"` // empty for a token of the app for itself
	ClientID     ClientID  `firestore:"clientId"`
	AppName      string    `firestore:"appName"`
	AppWebsite   string    `firestore:"appWebsite,omitempty"`
	Scopes       []string  `firestore:"scopes"`
	AuthorizedAt time.Time `firestore:"authorizedAt"`         // when the user agreed
	LastUsedAt   time.Time `firestore:"lastUsedAt,omitempty"` // to a day
	ExpireAt     time.Time `firestore:"expireAt"`
}

// LooksAfterApp reports whether the use of a token at its LastUsedAt is the first one in a stretch of [AppRenewed],
// since the user agreed; before is the use before.
func (t *OAuthToken) LooksAfterApp(before time.Time) bool {
	return t.LastUsedAt.Sub(t.AuthorizedAt)/AppRenewed != before.Sub(t.AuthorizedAt)/AppRenewed
}

// OAuthGrants are the apps that a user let in: oauthGrants/{uid}.
type OAuthGrants struct {
	Apps map[string]OAuthGrant `firestore:"apps,omitempty"` // by client id, at most MaxApps
	// when the user last took a right back: codes from before count no more
	EndedAt time.Time `firestore:"endedAt,omitempty"`
}

// OAuthGrant is an app that a user let in.
type OAuthGrant struct {
	Name       string       `firestore:"name"`
	Website    string       `firestore:"website,omitempty"`
	Scopes     []string     `firestore:"scopes"` // of all its tokens
	Since      time.Time    `firestore:"since"`
	LastUsedAt time.Time    `firestore:"lastUsedAt"` // to a day
	Tokens     []OAuthGiven `firestore:"tokens"`     // oldest first, at most MaxAppTokens
}

// OAuthGiven is a token that an app got.
type OAuthGiven struct {
	Hash string    `firestore:"hash"`
	At   time.Time `firestore:"at"`
}

// Prune takes out the apps whose tokens have expired.
func (g *OAuthGrants) Prune(now time.Time) {
	for id, one := range g.Apps {
		if now.Sub(one.LastUsedAt) > TokenWindow+TokenNoted || len(one.Tokens) == 0 {
			delete(g.Apps, id)
		}
	}
}

// Add adds a token of an app, and returns the hashes of the tokens that go for it. One app more than [MaxApps] is
// errs.Conflict (too_many_apps).
func (g *OAuthGrants) Add(t *OAuthToken, at time.Time) (gone []string, err error) {
	g.Prune(at)
	one, had := g.Apps[string(t.ClientID)]
	if !had && len(g.Apps) >= MaxApps {
		return nil, errTooManyApps()
	}
	if !had {
		one.Since = at
	}
	one.Name, one.Website, one.LastUsedAt = t.AppName, t.AppWebsite, at
	one.Scopes = JoinScopes(one.Scopes, t.Scopes)
	for len(one.Tokens) >= MaxAppTokens {
		gone, one.Tokens = append(gone, one.Tokens[0].Hash), one.Tokens[1:]
	}
	one.Tokens = append(slices.Clone(one.Tokens), OAuthGiven{t.Hash, at})
	if g.Apps == nil {
		g.Apps = map[string]OAuthGrant{}
	}
	g.Apps[string(t.ClientID)] = one
	for g.tokens() > MaxUserTokens {
		gone = append(gone, g.dropOldest())
	}
	return gone, nil
}

// MayAdd is the error of an app more than [MaxApps], or nil.
func (g *OAuthGrants) MayAdd(id ClientID, now time.Time) error {
	g.Prune(now)
	if _, had := g.Apps[string(id)]; !had && len(g.Apps) >= MaxApps {
		return errTooManyApps()
	}
	return nil
}

func errTooManyApps() error {
	return errs.New(errs.Conflict, "too_many_apps", "a user lets in at most %d apps; remove one first", MaxApps)
}

func (g *OAuthGrants) tokens() (n int) {
	for _, one := range g.Apps {
		n += len(one.Tokens)
	}
	return n
}

// dropOldest takes out the oldest token, and its app if that has no other.
func (g *OAuthGrants) dropOldest() string {
	var of string
	for id, one := range g.Apps {
		if of == "" || one.Tokens[0].At.Before(g.Apps[of].Tokens[0].At) {
			of = id
		}
	}
	one := g.Apps[of]
	hash := one.Tokens[0].Hash
	if one.Tokens = one.Tokens[1:]; len(one.Tokens) == 0 {
		delete(g.Apps, of)
	} else {
		g.Apps[of] = one
	}
	return hash
}

// Drop takes out one token of an app, and the app if that was its last. It returns whether the token was there.
func (g *OAuthGrants) Drop(id ClientID, hash string) bool {
	one, ok := g.Apps[string(id)]
	n := len(one.Tokens)
	one.Tokens = slices.DeleteFunc(slices.Clone(one.Tokens), func(t OAuthGiven) bool { return t.Hash == hash })
	switch {
	case !ok || len(one.Tokens) == n:
		return false
	case len(one.Tokens) == 0:
		delete(g.Apps, string(id))
	default:
		g.Apps[string(id)] = one
	}
	return true
}

// Hashes returns the hashes of all tokens of an app, or of all apps if the id is empty.
func (g *OAuthGrants) Hashes(of ClientID) (all []string) {
	for id, one := range g.Apps {
		if of == "" || id == string(of) {
			for _, t := range one.Tokens {
				all = append(all, t.Hash)
			}
		}
	}
	return all
}

// The beginnings of secrets, by which they are recognized where they should not be.
const (
	tokenPrefix  = "hibana_at_"
	codePrefix   = "hibana_ac_"
	secretPrefix = "hibana_cs_"
)

// secretBytes is how many random bytes a secret has.
const secretBytes = 32

func newSecret(prefix string) string {
	random := make([]byte, secretBytes)
	rand.Read(random) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(random)
}

// NewAccessToken makes a token with 256 random bits, as NewAuthorizationCode and NewClientSecret do.
func NewAccessToken() string { return newSecret(tokenPrefix) }

// NewAuthorizationCode makes an authorization code.
func NewAuthorizationCode() string { return newSecret(codePrefix) }

// NewClientSecret makes the secret of an app.
func NewClientSecret() string { return newSecret(secretPrefix) }

// NewClientID makes the id of an app.
func NewClientID() ClientID { return ClientID(rand.Text()) }

// IsAccessToken reports whether a text may be an access token of an app, by its form. ID tokens are not.
func IsAccessToken(s string) bool { return isSecret(s, tokenPrefix) }

// IsAuthorizationCode reports whether a text may be an authorization code, by its form.
func IsAuthorizationCode(s string) bool { return isSecret(s, codePrefix) }

// LooksLikeAccessToken reports whether a text begins as an access token does.
func LooksLikeAccessToken(s string) bool { return strings.HasPrefix(s, tokenPrefix) }

func isSecret(s, prefix string) bool {
	text, ok := strings.CutPrefix(s, prefix)
	random, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return ok && err == nil && len(random) == secretBytes
}

// OAuthHash is what is stored of a secret, and the id of its document.
func OAuthHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

var (
	pkceChallenge = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
	pkceVerifier  = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)
)

// ParseChallenge checks a challenge of PKCE and its method. Only S256 is known: plain shows the secret.
func ParseChallenge(challenge, method string) (string, error) {
	if challenge == "" && method == "" {
		return "", nil
	}
	if method != "S256" || !pkceChallenge.MatchString(challenge) {
		return "", errs.New(errs.Invalid, "invalid_challenge", "code_challenge must be a SHA-256 in base64url, with the "+
			"code_challenge_method S256")
	}
	return challenge, nil
}

// Proves reports whether a verifier of PKCE is that of the code's challenge. A verifier without a challenge proves
// nothing: somebody took the challenge out of the request.
func (c *OAuthCode) Proves(verifier string) bool {
	if c.Challenge == "" || verifier == "" {
		return c.Challenge == verifier
	}
	return pkceVerifier.MatchString(verifier) &&
		subtle.ConstantTimeCompare([]byte(OAuthHash(verifier)), []byte(c.Challenge)) == 1
}
