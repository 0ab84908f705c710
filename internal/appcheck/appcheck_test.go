package appcheck

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
)

const project = "demo-check"

func wantCode(t *testing.T, what string, err error, kind errs.Kind, code string) {
	t.Helper()
	if err == nil || errs.KindOf(err) != kind || errs.CodeOf(err) != code {
		t.Errorf("%s: %v, want %v %s", what, err, kind, code)
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestCheck(t *testing.T) {
	a := testenv.NewAppCheck(t, "one")
	c := New(t.Context(), project, quiet())
	stranger := a.Token(t, project, nil)
	a.SetKey(t, "one") // the former key of the name is a stranger's
	good := a.Token(t, project, nil)
	c = New(t.Context(), project, quiet())
	eventually(t, "a good token", func() bool { return c.Check(t.Context(), good) == nil })
	changed := func(set func(h, c map[string]any)) string { return a.Token(t, project, set) }
	head, _, _ := strings.Cut(changed(func(h, _ map[string]any) { h["alg"] = "none" }), ".")
	for name, token := range map[string]string{
		"nothing":         "",
		"no token":        "a.b.c",
		"another key":     stranger,
		"changed":         good[:len(good)-8] + "AAAAAAAA",
		"expired":         changed(func(_, c map[string]any) { c["exp"] = time.Now().Add(-time.Minute).Unix() }),
		"another project": a.Token(t, "other", nil),
		"an ID token":     changed(func(_, c map[string]any) { c["iss"] = "https://securetoken.google.com/" + project }),
		"no subject":      changed(func(_, c map[string]any) { delete(c, "sub") }),
		"no expiry":       changed(func(_, c map[string]any) { delete(c, "exp") }),
		"audience a text": changed(func(_, c map[string]any) { c["aud"] = "projects/" + project }),
		"unsigned":        head + "." + strings.Split(good, ".")[1] + ".",
	} {
		wantCode(t, name, c.Check(t.Context(), token), errs.Unauthenticated, "invalid_app_check")
	}
}

// A process without keys starts, says so, and has them soon after App Check is back.
func TestUnreachable(t *testing.T) {
	a := testenv.NewAppCheck(t, "one")
	a.SetDown(true)
	c := start(t.Context(), project, quiet(), 10*time.Millisecond)
	good := a.Token(t, project, nil)
	wantCode(t, "while App Check is down", c.Check(t.Context(), good), errs.Unavailable, "app_check_unavailable")
	a.SetDown(false)
	eventually(t, "a good token after App Check is back", func() bool { return c.Check(t.Context(), good) == nil })

	// Keys that are there stay while App Check is down.
	a.SetDown(true)
	unknown := a.Token(t, project, func(h, _ map[string]any) { h["kid"] = "two" })
	wantCode(t, "an unknown key", c.Check(t.Context(), unknown), errs.Unauthenticated, "invalid_app_check")
	if err := c.Check(t.Context(), good); err != nil {
		t.Errorf("a good token while App Check is down: %v", err)
	}
}

// A request does not wait for an App Check that never answers.
func TestHangs(t *testing.T) {
	a := testenv.NewAppCheck(t, "one")
	a.SetHanging(true)
	c := New(t.Context(), project, quiet())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 3 {
		wantCode(t, "while App Check hangs", c.Check(ctx, "a.b.c"), errs.Unavailable, "app_check_unavailable")
	}
	if ctx.Err() != nil {
		t.Error("a request waits for App Check")
	}
}

// App Check changes its keys now and then.
func TestNewKeys(t *testing.T) {
	a := testenv.NewAppCheck(t, "one")
	c := start(t.Context(), project, quiet(), 10*time.Millisecond)
	eventually(t, "the first key", func() bool { return c.Check(t.Context(), a.Token(t, project, nil)) == nil })
	a.SetKey(t, "two")
	eventually(t, "the second key", func() bool { return c.Check(t.Context(), a.Token(t, project, nil)) == nil })
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 600 {
		if ok() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}
