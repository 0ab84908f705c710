package callers_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/callers"
	"github.com/hibana-sns/hibana/internal/errs"
)

const account, host = "hibana-triggers@p.iam.gserviceaccount.com", "hibana-functions-1.asia-northeast1.run.app"

// TestCheck: only a token that Google signed lately, for an account that may call and for this service, is good.
func TestCheck(t *testing.T) {
	t.Parallel()
	google, other := testenv.NewGoogle(t), testenv.NewGoogle(t)
	checker, err := callers.New(t.Context(), []string{account}, "", google.Client())
	testenv.Must(t, err)
	named, err := callers.New(t.Context(), []string{account}, "https://functions.internal/", google.Client())
	testenv.Must(t, err)
	sign := func(change func(header, claims map[string]any)) string {
		return "Bearer " + google.Token(t, account, "https://"+host, change)
	}
	set := func(name string, value any) string {
		return sign(func(_, claims map[string]any) { claims[name] = value })
	}
	good := sign(nil)
	parts := strings.Split(good, ".")
	for name, test := range map[string]struct {
		authorization string
		ok            bool
	}{
		"good":                        {good, true},
		"made out to a path":          {set("aud", "https://"+host+"/LikeChanged?x=y"), true},
		"made out to the root":        {set("aud", "https://"+host+"?__GCP_CloudEventsMode=CE_PUBSUB_BINDING"), true},
		"another issuer name":         {set("iss", "accounts.google.com"), true},
		"none":                        {"", false},
		"no bearer":                   {strings.TrimPrefix(good, "Bearer "), false},
		"no token":                    {"Bearer x", false},
		"another service":             {set("aud", "https://hibana-api-1.asia-northeast1.run.app"), false},
		"a host that begins alike":    {set("aud", "https://"+host+".evil.example"), false},
		"a port":                      {set("aud", "https://"+host+":8080"), false},
		"no audience":                 {set("aud", ""), false},
		"another account":             {set("email", "hibana-api@p.iam.gserviceaccount.com"), false},
		"no account":                  {set("email", nil), false},
		"an address nobody confirmed": {set("email_verified", false), false},
		"another issuer":              {set("iss", "https://securetoken.google.com/p"), false},
		"expired":                     {set("exp", time.Now().Add(-time.Minute).Unix()), false},
		"another key":                 {"Bearer " + other.Token(t, account, "https://"+host, nil), false},
		"unsigned":                    {sign(func(header, _ map[string]any) { header["alg"] = "none" }), false},
		"signature of another": {strings.Join([]string{parts[0], strings.Split(set("email", "x@y"), ".")[1], parts[2]},
			"."), false},
	} {
		r := httptest.NewRequest(http.MethodPost, "https://"+host+"/LikeChanged", nil)
		if test.authorization != "" {
			r.Header.Set("Authorization", test.authorization)
		}
		if err := checker.Check(r); (err == nil) != test.ok || err != nil && errs.KindOf(err) != errs.Unauthenticated {
			t.Errorf("%s: %v, want good: %t", name, err, test.ok)
		}
		// By name, the host of the request counts for nothing.
		if err := named.Check(r); err == nil {
			t.Errorf("%s: good for another service", name)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "https://"+host+"/LikeChanged", nil)
	r.Header.Set("Authorization", set("aud", "https://functions.internal/LikeChanged"))
	if err := named.Check(r); err != nil {
		t.Errorf("made out to the name: %v", err)
	}
	if _, err := callers.New(t.Context(), nil, "", google.Client()); err == nil {
		t.Error("a checker without accounts")
	}
	// Without the keys nobody is let in.
	google.Down()
	late, err := callers.New(t.Context(), []string{account}, "", google.Client())
	testenv.Must(t, err)
	r = httptest.NewRequest(http.MethodPost, "https://"+host+"/LikeChanged", nil)
	r.Header.Set("Authorization", good)
	if err := late.Check(r); err == nil {
		t.Error("good without keys")
	}
}
