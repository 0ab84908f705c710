package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Redirect URIs are those of servers, apps and the machine itself, without anything that two programs may read in two
// ways.
func TestRedirectURIs(t *testing.T) {
	t.Parallel()
	good := []string{
		"https://elk.zone/api/mstdn.example/oauth/https%3A%2F%2Felk.zone", "https://phanpy.social/", "https://a.example",
		"https://xn--bcher-kva.example/cb?keep=1", "https://a.example:8443/cb", "https://a.example/a..b/c",
		"icecubesapp://", "ivory://auth", "com.tapbots.Ivory:/request_token", "oauth2redirect://com.keylesspalace.tusky/",
		"http://localhost", "http://localhost:8080/cb", "http://127.0.0.1:3000/", "http://[::1]:1/cb", OutOfBand,
	}
	for _, uri := range good {
		if app, err := NewOAuthApp("App", "", []string{uri}, ""); err != nil || !app.Redirects(uri) {
			t.Errorf("%q: %v", uri, err)
		}
	}
	bad := []string{
		"javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "DATA:,x", "file:///etc/x",
		"vbscript:x", "blob:https://a.example/x", "about:blank", "intent://x#Intent;end", "view-source:https://a.example",
		"https://a.example/#x", "https://a.example#", "icecubesapp://#x", "https://user@host.example/",
		"https://a.example@b.example/", "https://a.example:pw@b.example/", "https://a.example\\@b.example/",
		"https://a.example./cb", "https://A.example/", "HTTPS://a.example/", "https://a.example/../cb",
		"https://a.example/x/%2e%2e/cb", "https://a.example/./cb", "https://", "https:///cb", "https:a.example",
		"https://a..b/",
		"https://a.example:/cb", "https://a.example:0/", "https://a.example:x/", "https://exämple.com/",
		"https://a.example/\u202e",
		"https://a.example/ x", "https://a.example/\nx", "http://a.example/cb", "http://localhost.evil.example/",
		"http://127.0.0.1.evil.example/", "http://127.1/", "http://0/", "//a.example/cb", "/cb", "a.example", "cb",
		"https://a.example/cb?code=x", "https://a.example/cb?a=1&state=x", "https://a.example/cb?%73tate=x",
		"https://a.example/?a;b", "https://a.example/%zz", "urn:ietf:wg:oauth:2.0:oob:auto", "URN:ietf:wg:oauth:2.0:oob",
		"https://[::1]/", "https://a_b.example/", "https://" + strings.Repeat("a", MaxRedirectURI),
		"https://a%2eexample/", "https://a.example%00.b.example/", "ws://a.example/", "mailto:a@example.com",
	}
	for _, uri := range bad {
		if _, err := NewOAuthApp("App", "", []string{uri}, ""); errs.CodeOf(err) != "invalid_redirect_uri" {
			t.Errorf("%q: %v", uri, err)
		}
	}
	app, err := NewOAuthApp("App", "", []string{" https://a.example/cb ", "https://a.example/cb", "", "b://"}, "")
	if err != nil || !slices.Equal(app.RedirectURIs, []string{"https://a.example/cb", "b://"}) {
		t.Errorf("%q, %v", app.RedirectURIs, err)
	}
	for _, other := range []string{"https://a.example/cb/", "https://a.example/cb?x", "https://a.example/CB",
		"https://a.example/cb/../evil", "https://a.example/cbx", "https://a.example:443/cb", "https://a.example", ""} {
		if app.Redirects(other) {
			t.Errorf("%q is taken for %q", other, app.RedirectURIs[0])
		}
	}
	for _, none := range [][]string{nil, {""}, {" "}, strings.Split(strings.Repeat("a://x,", 0), ",")} {
		if _, err := NewOAuthApp("App", "", none, ""); errs.CodeOf(err) != "invalid_redirect_uri" {
			t.Errorf("%q: %v", none, err)
		}
	}
	var many []string
	for i := range MaxRedirectURIs + 1 {
		many = append(many, fmt.Sprintf("app%d://", i))
	}
	if _, err := NewOAuthApp("App", "", many, ""); errs.CodeOf(err) != "invalid_redirect_uri" {
		t.Errorf("%d redirect URIs: %v", len(many), err)
	}
}

// The name of an app shows something, and turns no text around it.
func TestAppNames(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"Ice Cubes": "", " Tusky ": "", "アイコン": "", strings.Repeat("𝕏", MaxAppName): "",
		"": "invalid_app", " ": "invalid_app", "\u200b": "invalid_app", "\u2800": "invalid_app", "a\nb": "invalid_app",
		"evil\u202eppa": "invalid_app", "a\u2066b": "invalid_app", "Hi\u00adbana": "invalid_app", "a\u200bb": "invalid_app",
		"a\x00": "invalid_app", "a\xff": "invalid_text", strings.Repeat("a", MaxAppName+1): "too_long",
	} {
		if _, err := NewOAuthApp(name, "", []string{"a://"}, ""); errs.CodeOf(err) != code && (err != nil || code != "") {
			t.Errorf("%q: %v, want %q", name, err, code)
		}
	}
	for _, website := range []string{"javascript:alert(1)", "https://", "x", "https://u@a.example", "data:,",
		"https://a b",
		"https://exämple.com", "https://a.example/" + strings.Repeat("x", MaxAppWebsite)} {
		if _, err := NewOAuthApp("App", website, []string{"a://"}, ""); errs.CodeOf(err) != "invalid_app" {
			t.Errorf("website %q: %v", website, err)
		}
	}
	for _, website := range []string{"", "https://tusky.app", "http://a.example/x?y#z"} {
		if _, err := NewOAuthApp("App", website, []string{"a://"}, ""); err != nil {
			t.Errorf("website %q: %v", website, err)
		}
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "read", " read  write ": "read write", "read read": "read", "read:accounts\nprofile": "read:accounts profile",
		"admin:read:accounts": "admin:read:accounts",
	} {
		if got, err := ParseScopes(text); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"root", "READ", "read:", "read:accounts:x", "admin", "read,write", "write:me",
		"read\x00",
		strings.Repeat("read ", 1000)} {
		if _, err := ParseScopes(text); errs.CodeOf(err) != "invalid_scope" {
			t.Errorf("%q: %v", text, err)
		}
	}
	tests := []struct {
		granted, scope string
		want           bool
	}{
		{"read", "read:statuses", true}, {"read", "read", true}, {"read:statuses", "read", false},
		{"read", "write:statuses", false}, {"read", "admin:read:accounts", false}, {"read", "admin:read", false},
		{"admin:read", "admin:read:accounts", true}, {"admin:read", "admin:write:accounts", false},
		{"admin:read", "read:accounts", false}, {"follow", "write:follows", true}, {"follow", "read:mutes", true},
		{"follow", "write:statuses", false}, {"follow", "read", false}, {"write", "push", false}, {"write", "follow", false},
		{"profile", "read:accounts", false}, {"read", "profile", false}, {"read", "read:unknown", false}, {"", "", false},
		{"write:follows", "follow", false},
	}
	for _, test := range tests {
		if got := Covers(strings.Fields(test.granted), test.scope); got != test.want {
			t.Errorf("%q covers %q: %t", test.granted, test.scope, got)
		}
	}
	for granted, asked := range map[string]string{"read write": "follow", "read write push": "read:me write:media push",
		"follow": "write:blocks"} {
		if !CoverAll(strings.Fields(granted), strings.Fields(asked)) {
			t.Errorf("%q does not have %q", granted, asked)
		}
	}
	for granted, asked := range map[string]string{"read": "read write", "write": "follow", "read:statuses": "read",
		"": "profile"} {
		if CoverAll(strings.Fields(granted), strings.Fields(asked)) {
			t.Errorf("%q has %q", granted, asked)
		}
	}
}

func TestPKCE(t *testing.T) {
	t.Parallel()
	// the example of RFC 7636
	verifier, challenge := "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	with, without := OAuthCode{Challenge: challenge}, OAuthCode{}
	for _, test := range []struct {
		code     *OAuthCode
		verifier string
		want     bool
	}{
		{&with, verifier, true}, {&with, "", false}, {&with, challenge, false}, {&with, verifier + "x", false},
		{&without, "", true}, {&without, verifier, false},
	} {
		if got := test.code.Proves(test.verifier); got != test.want {
			t.Errorf("%q proves %+v: %t", test.verifier, test.code, got)
		}
	}
	for _, bad := range [][2]string{{challenge, "plain"}, {challenge, ""}, {"", "S256"}, {verifier + "x", "S256"},
		{challenge, "s256"}, {challenge[:42], "S256"}, {challenge[:42] + "=", "S256"}} {
		if _, err := ParseChallenge(bad[0], bad[1]); errs.CodeOf(err) != "invalid_challenge" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	token, code := NewAccessToken(), NewAuthorizationCode()
	if !IsAccessToken(token) || IsAccessToken(code) || !IsAuthorizationCode(code) || token == NewAccessToken() {
		t.Errorf("%q and %q", token, code)
	}
	for _, bad := range []string{"", "hibana_at_", token + "A", token[:len(token)-1], token[:len(token)-1] + "=",
		strings.ToUpper(token), "eyJhbGciOiJub25lIn0.e30.", token[:len(token)-1] + "\n"} {
		if IsAccessToken(bad) {
			t.Errorf("%q is a token", bad)
		}
	}
	secret := NewClientSecret()
	app := OAuthApp{SecretHash: OAuthHash(secret)}
	if !app.HasSecret(secret) || app.HasSecret("") || app.HasSecret(app.SecretHash) || (&OAuthApp{}).HasSecret("") {
		t.Error("the secret of an app is not its secret alone")
	}
	for _, id := range []string{"", "a", strings.ToLower(string(NewClientID())), "../../users/ann",
		string(NewClientID()) + "/x"} {
		if _, err := ParseClientID(id); errs.CodeOf(err) != "app_not_found" {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// The list of a user's apps has bounds, the oldest tokens go, and apps whose tokens expired, too.
func TestGrants(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)
	var g OAuthGrants
	add := func(app, token int) ([]string, error) {
		now = now.Add(time.Second)
		return g.Add(&OAuthToken{Hash: fmt.Sprintf("%d/%d", app, token), ClientID: ClientID(fmt.Sprint(app)),
			Scopes: []string{"read"}}, now)
	}
	for token := range MaxAppTokens + 1 {
		gone, err := add(0, token)
		if err != nil || (len(gone) == 1) != (token == MaxAppTokens) {
			t.Fatalf("token %d: %v goes, %v", token, gone, err)
		}
	}
	for app := 1; app < MaxApps; app++ {
		for token := range 2 {
			if _, err := add(app, token); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := g.tokens(); n != MaxUserTokens || len(g.Apps) != MaxApps {
		t.Errorf("%d tokens of %d apps", n, len(g.Apps))
	}
	if err := g.MayAdd("more", now); errs.CodeOf(err) != "too_many_apps" {
		t.Errorf("an app too many: %v", err)
	}
	if _, err := add(MaxApps, 0); errs.CodeOf(err) != "too_many_apps" {
		t.Errorf("an app too many: %v", err)
	}
	if g.Drop("1", "2/0") || !g.Drop("1", "1/0") || g.Drop("1", "1/0") || !g.Drop("1", "1/1") {
		t.Error("a token goes not once")
	}
	if _, there := g.Apps["1"]; there {
		t.Error("an app without tokens stays")
	}
	now = now.Add(TokenWindow + TokenNoted + time.Second)
	if _, err := add(500, 0); err != nil || len(g.Apps) != 1 {
		t.Errorf("%d apps a year later, %v", len(g.Apps), err)
	}
}
