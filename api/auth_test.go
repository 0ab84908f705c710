package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// signUpAnonymously returns the ID token of somebody without an account.
func signUpAnonymously(t *testing.T) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+testenv.AuthHost(t)+
		"/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any", strings.NewReader(`{"returnSecureToken":true}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	var answer struct{ IDToken string }
	if err := json.Unmarshal(send(t, req).body, &answer); err != nil || answer.IDToken == "" {
		t.Fatalf("anonymous sign-up: %v", err)
	}
	return answer.IDToken
}

func TestCallers(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, root := e.join(t, "ann"), e.join(t, "rosa")
	path := "/v1/tweets/" + string(e.post(t, ann, map[string]any{"content": "x"}).ID)

	readers := []struct {
		name, header string
		reads        int64
	}{
		{"nobody", "", 1},
		{"anonymous", "Bearer " + signUpAnonymously(t), 1}, // who can have no likes, costs no read for them
		{"a user", "bearer " + ann.token, 2},
		{"loud", "BEARER  " + ann.token, 2},
	}
	for _, reader := range readers {
		var headers []string
		if reader.header != "" {
			headers = []string{"Authorization", reader.header}
		}
		got := e.do(t, "GET", path, "", nil, headers...)
		if got.status != http.StatusOK {
			t.Errorf("read as %s: %d %s", reader.name, got.status, got.body)
		}
		if c := got.cost(t); c.Reads != reader.reads {
			t.Errorf("read as %s: %d reads, want %d", reader.name, c.Reads, reader.reads)
		}
	}
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(root.id), "admin": true})
	e.do(t, "DELETE", path, root.token, nil).problem(t, http.StatusForbidden, "not_author")
	e.do(t, "DELETE", path, admin, nil).want(t, http.StatusNoContent, nil)
	p := e.do(t, "GET", path, "", nil).problem(t, http.StatusGone, "tweet_deleted")
	if p.FormerType != "tweet" || p.AuthorID != ann.id || p.DeletedAt == nil || !strings.HasSuffix(path, string(p.ID)) ||
		p.ID == "" {
		t.Errorf("tombstone = %+v", p)
	}
}

// Where posting needs a verified address, the ID token decides, after the validation.
func TestVerifiedEmail(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.RequireVerifiedEmail = true })
	ann := e.join(t, "ann")
	post := map[string]any{"content": "x"}
	e.do(t, "POST", "/v1/tweets", ann.token, post).problem(t, http.StatusForbidden, "email_not_verified")
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": " "}).
		problem(t, http.StatusBadRequest, "content_required")
	verified := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id), "email_verified": true})
	e.do(t, "POST", "/v1/tweets", verified, post).want(t, http.StatusCreated, nil)
}

// remembering verifies a token once, and then takes the token at its word, as the verifier
// does in production: only the emulator is asked about each token.
type remembering struct {
	server.Verifier
	callers sync.Map
}

func remember(v server.Verifier) server.Verifier { return &remembering{Verifier: v} }

func (r *remembering) Verify(ctx context.Context, token string) (model.Caller, error) {
	if c, ok := r.callers.Load(token); ok {
		return c.(model.Caller), nil
	}
	c, err := r.Verifier.Verify(ctx, token)
	if err == nil {
		r.callers.Store(token, c)
	}
	return c, err
}

// revive makes tokens of an account good that are older than the account, as the tokens of
// an older account would be.
func revive(t *testing.T, uid model.UserID) {
	t.Helper()
	testenv.AccountUpdate(t, map[string]any{"localId": uid, "validSince": "1"})
}
