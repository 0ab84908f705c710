package bounds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestGrants writes the largest documents of apps, codes and tokens.
func TestLargestGrants(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uid := model.UserID(strings.Repeat("u", 128))
	var redirects []string
	for i := range model.MaxRedirectURIs {
		redirects = append(redirects, fmt.Sprintf("https://a.example/%02d", i)+strings.Repeat("x", model.MaxRedirectURI-20))
	}
	made, err := model.NewOAuthApp(wide(model.MaxAppName), "https://a.example/"+strings.Repeat("w",
		model.MaxAppWebsite-18), redirects, strings.Join(model.Scopes, " "))
	testenv.Must(t, err)
	var app *model.OAuthApp
	signIn := func() {
		e.Clock.Add(time.Millisecond)
		code, err := e.OAuth.Authorize(t.Context(), model.OAuthCode{UserID: uid, ClientID: app.ID,
			RedirectURI: redirects[0], Scopes: model.Scopes, Challenge: model.OAuthHash("x")})
		testenv.Must(t, err)
		_, _, err = e.OAuth.Exchange(t.Context(), app, code, redirects[0], strings.Repeat("x", 43))
		if err == nil {
			t.Error("a wrong verifier was taken")
		}
		code, err = e.OAuth.Authorize(t.Context(), model.OAuthCode{UserID: uid, ClientID: app.ID,
			RedirectURI: redirects[0], Scopes: model.Scopes})
		testenv.Must(t, err)
		_, _, err = e.OAuth.Exchange(t.Context(), app, code, redirects[0], "")
		testenv.Must(t, err)
	}
	for range model.MaxApps {
		app, _, err = e.OAuth.CreateApp(t.Context(), made, false)
		testenv.Must(t, err)
		for range model.MaxUserTokens / model.MaxApps {
			signIn()
		}
	}
	for range model.MaxOwnTokens {
		_, _, err := e.OAuth.Issue(t.Context(), app.ID, model.Scopes)
		testenv.Must(t, err)
	}
	for _, name := range []string{model.OAuthApps, model.OAuthCodes, model.OAuthTokens, model.OAuthGrantLists} {
		most, largest := model.Row(name).Bound.Bytes, 0
		snaps, err := e.Raw.Collection(name).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		for _, snap := range snaps {
			largest = max(largest, sizeOf(snap))
		}
		if largest > most || largest < most/2 {
			t.Errorf("%s: %d bytes, bound %d", name, largest, most)
		}
		t.Logf("%s: %d bytes", name, largest)
	}
}
