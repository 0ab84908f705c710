package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/meter"
)

// answer is the result of one request.
type answer struct {
	status int // 0 if there was none
	body   []byte
	cost   meter.Counts
}

func (a answer) ok() bool { return a.status >= 200 && a.status < 300 }

// id is the id of what was made.
func (a answer) id() string {
	var made struct{ ID string }
	if !a.ok() || json.Unmarshal(a.body, &made) != nil {
		return ""
	}
	return made.ID
}

// send sends a request as a person.
func (r *run) send(ctx context.Context, who *person, method, path string, body any) (a answer) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			panic(err) // strings
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, r.API+path, sent)
	if err != nil {
		return a
	}
	req.Header.Set("Authorization", "Bearer "+who.token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return a
	}
	defer resp.Body.Close()
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		return answer{}
	}
	a.status = resp.StatusCode
	// The cost is zero for a system that shows it only to administrators.
	a.cost, _ = meter.ParseServerTiming(resp.Header.Get("Server-Timing"))
	return a
}

// must returns an error unless the answer is good.
func must(a answer, what string) error {
	switch {
	case a.ok():
		return nil
	case a.status == http.StatusTooManyRequests:
		return fmt.Errorf("%s: the limits of callers turn the load away (429); start the system with hibana dev --no-limits",
			what)
	case a.status == 0:
		return fmt.Errorf("%s: no answer", what)
	}
	return fmt.Errorf("%s: %d: %.200s", what, a.status, a.body)
}

// follows is the number of users that each user follows, as in S1.
const follows = 3

// prepare signs people in, and makes profiles, follows and a tweet of each.
func (r *run) prepare(ctx context.Context) error {
	run := fmt.Sprintf("%x", r.rand.Uint64()&0xffffff)
	r.people = make([]*person, r.Users)
	steps := []struct {
		name string
		do   func(ctx context.Context, i int) error
	}{
		{"signing in", func(ctx context.Context, i int) (err error) {
			r.people[i], err = r.signIn(ctx, fmt.Sprintf("l%s_%d", run, i))
			return err
		}},
		{"making profiles", func(ctx context.Context, i int) error {
			return must(r.send(ctx, r.people[i], http.MethodPost, "/v1/users", map[string]string{"username": r.people[i].name}),
				"a profile")
		}},
		{"following", func(ctx context.Context, i int) error {
			for n := range min(follows, r.Users-1) {
				if err := must(r.send(ctx, r.people[i], http.MethodPut, "/v1/users/"+r.people[(i+1+n*n)%r.Users].uid+"/follow",
					nil), "a follow"); err != nil {
					return err
				}
			}
			return nil
		}},
		{"posting", func(ctx context.Context, i int) error {
			a := r.send(ctx, r.people[i], http.MethodPost, "/v1/tweets", map[string]string{"content": "The first spark of " +
				r.people[i].name + "."})
			r.note(a.id())
			return must(a, "a tweet")
		}},
	}
	for _, step := range steps {
		r.Progress(fmt.Sprintf("%d people: %s", r.Users, step.name))
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(prepared)
		for i := range r.people {
			g.Go(func() error { return step.do(ctx, i) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// signIn makes an account at the Auth emulator, whose token the API checks as any other.
func (r *run) signIn(ctx context.Context, name string) (*person, error) {
	text := fmt.Sprintf(`{"email":%q,"password":"sparkler","returnSecureToken":true}`, name+"@load.example.com")
	var last error
	for _, method := range []string{"signUp", "signInWithPassword"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.Auth+"/identitytoolkit.googleapis.com/v1/accounts:"+
			method+"?key=any", strings.NewReader(text))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := r.client.Do(req)
		if err != nil {
			return nil, err
		}
		var made struct{ LocalID, IDToken string }
		err = json.NewDecoder(resp.Body).Decode(&made)
		resp.Body.Close()
		if err == nil && made.IDToken != "" {
			return &person{name: name, token: made.IDToken, uid: made.LocalID}, nil
		}
		last = errors.Join(last, fmt.Errorf("%s: %s", method, resp.Status))
	}
	return nil, fmt.Errorf("nobody can sign in at %s: %w", r.Auth, last)
}
