package cost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/model"
)

// Attack is the cost of a day of hostile accounts. Each account sends the most expensive requests one after the other,
// within the default limits of callers.
type Attack struct {
	Accounts  int          `json:"accounts"`
	Readers   int          `json:"readers"`   // active, of each account
	PerSecond int          `json:"perSecond"` // requests of all accounts
	Requests  []AttackCost `json:"requests"`
	Admitted  int64        `json:"admitted"` // requests of all accounts in the day
	Refused   int64        `json:"refused"`
	Day       Bill         `json:"day"`       // bill of the admitted requests, functions included
	Unlimited Bill         `json:"unlimited"` // bill of all requests without limits
}

// AttackCost is one kind of expensive request.
type AttackCost struct {
	Name     string `json:"name"`
	Request  Bill   `json:"request"`  // the part that the limits count
	All      Bill   `json:"all"`      // with all triggered work
	Admitted int64  `json:"admitted"` // of all accounts in the day
	action   string
	times    int // requests of one kind in a row; an undone action can be repeated
}

// attackTags are the tags of a hostile tweet: each new one is a document.
const attackTags = 10

// Assault measures the most expensive requests of an account with followers, and plays a day of them against the
// default limits. The project must be empty.
func Assault(ctx context.Context, o Options, accounts, readers, perSecond int) (_ *Attack, err error) {
	s, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	a := &Attack{Accounts: accounts, Readers: readers, PerSecond: perSecond}
	if a.Requests, err = s.ceiling(ctx, readers); err != nil {
		return nil, err
	}
	return a, a.play()
}

// play plays the day of one account, which stands for all accounts. The account knows the limits. In the first half of
// the day it sends the requests with the highest cost per read of the budget, and in the second half it reads.
func (a *Attack) play() error {
	all, err := limits.Parse("")
	if err != nil {
		return err
	}
	now := time.Date(2026, time.June, 10, 0, 0, 0, 0, time.UTC)
	l := limits.New(limits.Options{Limits: all, Now: func() time.Time { return now }})
	requests, n := 24*3600*a.PerSecond/a.Accounts, int64(a.Accounts)
	slices.SortStableFunc(a.Requests, func(x, y AttackCost) int { return cmp.Compare(y.worth(), x.worth()) })
	var cycle []Bill // without limits: one request of each kind after the other
	for _, r := range a.Requests {
		cycle = append(append(cycle, r.All), make([]Bill, r.times-1)...)
	}
	for i := range requests {
		a.Unlimited = a.Unlimited.plus(cycle[i%len(cycle)].times(n))
		now = now.Add(time.Duration(a.Accounts) * time.Second / time.Duration(a.PerSecond))
		a.Refused += n
		for j := range a.Requests {
			r := &a.Requests[j]
			if reads := r.action == limits.Reading; reads != (i >= requests/2) {
				continue
			}
			if !r.admitted(l) {
				continue
			}
			r.Admitted += n
			a.Admitted, a.Refused = a.Admitted+n, a.Refused-n
			a.Day = a.Day.plus(r.All.times(n))
			break
		}
	}
	return nil
}

// admitted sends the requests, and charges them together.
func (c AttackCost) admitted(l *limits.Limiter) bool {
	for left := c.times; left > 0; left-- {
		hold, refused := l.Admit(context.Background(), limits.Account, "attacker", c.action)
		if refused != nil {
			return false
		}
		if left == 1 {
			hold.Charge(c.Request.Reads, c.Request.Writes+c.Request.Deletes)
		}
		hold.Done(false)
	}
	return true
}

// worth returns the cost of a request per read of the budget.
func (c AttackCost) worth() float64 {
	if c.action == limits.Reading {
		return c.All.Dollars()
	}
	return c.All.Dollars() / float64(c.Request.Reads+1)
}

func (b Bill) times(n int64) Bill { return Bill{n * b.Reads, n * b.Writes, n * b.Deletes} }

// ceiling measures the requests of an attack.
func (s *system) ceiling(ctx context.Context, readers int) (all []AttackCost, err error) {
	const author, victim = "attacker", "victim"
	for _, user := range []string{author, victim} {
		if err := s.join(ctx, user); err != nil {
			return nil, err
		}
	}
	err = s.all(ctx, "readers", readers, func(ctx context.Context, i int) error {
		reader := fmt.Sprintf("reader_%d", i)
		if err := s.join(ctx, reader); err != nil {
			return err
		}
		return s.follow(ctx, reader, author)
	})
	if err != nil {
		return nil, err
	}
	target, _, err := s.post(ctx, victim, "a spark", "")
	if err != nil {
		return nil, err
	}
	var tags, ids []string
	for i := range attackTags {
		tags = append(tags, fmt.Sprint("tag", i))
	}
	for i := range model.MaxBatch {
		ids = append(ids, fmt.Sprintf("00%016x", i+1))
	}
	var made struct{ ID string }
	tweet, user := "/v1/tweets/"+target, "/v1/users/"+victim
	for _, r := range []struct {
		name, action, method, path string
		body, answer               any
	}{
		{"a reply with 10 new tags", "posts", http.MethodPost, "/v1/tweets", map[string]any{"content": "x", "replyTo": target,
			"tags": tags}, &made},
		{"its deletion", "deletions", http.MethodDelete, "/v1/tweets/", nil, nil},
		{"follow", "follows", http.MethodPut, user + "/follow", nil, nil},
		{"unfollow", "follows", http.MethodDelete, user + "/follow", nil, nil},
		{"block", "blocks", http.MethodPut, user + "/block", nil, nil},
		{"unblock", "blocks", http.MethodDelete, user + "/block", nil, nil},
		{"like", "likes", http.MethodPut, tweet + "/like", nil, nil},
		{"unlike", "likes", http.MethodDelete, tweet + "/like", nil, nil},
		{"share", "shares", http.MethodPut, tweet + "/share", nil, nil},
		{"unshare", "shares", http.MethodDelete, tweet + "/share", nil, nil},
		{"another nickname", "profiles", http.MethodPatch, "/v1/users/me", map[string]any{"nickname": "x"}, nil},
		{fmt.Sprintf("%d invented ids", model.MaxBatch), limits.Reading, http.MethodGet, "/v1/tweets:batchGet?ids=" +
			strings.Join(ids, ","), nil, nil},
		{"100 followers", limits.Reading, http.MethodGet, "/v1/users/me/followers?pageSize=100", nil, nil},
		{"a home page of 100", limits.Reading, http.MethodGet, "/v1/timeline?pageSize=100", nil, nil},
	} {
		if r.action == "deletions" {
			r.path += made.ID
		}
		s.Functions.advance(10 * time.Minute)
		s.Functions.take()
		c := AttackCost{Name: r.name, action: r.action, times: 1}
		if c.Request, err = s.call(ctx, author, r.method, r.path, r.body, r.answer); err != nil {
			return nil, err
		}
		if err := s.Idle(ctx); err != nil {
			return nil, err
		}
		functions, expired := s.Functions.take()
		c.All = c.Request.plus(Bill{Deletes: expired})
		for _, f := range functions {
			c.All = c.All.plus(f.Bill)
		}
		if undone := strings.HasPrefix(r.name, "un"); undone {
			do := &all[len(all)-1]
			do.Name, do.times = do.Name+", "+r.name, 2
			do.Request, do.All = do.Request.plus(c.Request), do.All.plus(c.All)
			continue
		}
		all = append(all, c)
	}
	return all, nil
}

// JSON writes the attack as one JSON object.
func (a *Attack) JSON(w io.Writer) error { return writeJSON(w, a) }

// Print writes the attack as a table.
func (a *Attack) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d accounts send %d requests a second for a day. Each account has %d followers.\n\n",
		a.Accounts, a.PerSecond, a.Readers)
	t := newTable(w)
	fmt.Fprintln(t, "request\treads\twrites\tdeletes\twith functions: reads\twrites\tdeletes\tadmitted in the day\t$\t")
	for _, r := range a.Requests {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.2f\t\n", r.Name, r.Request.mean(1), r.All.mean(1), r.Admitted,
			r.All.times(r.Admitted).Dollars())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nAdmitted: %d requests, refused: %d.\nThe day costs $%.2f. Without limits it would cost "+
		"$%.2f.\n",
		a.Admitted, a.Refused, a.Day.Dollars(), a.Unlimited.Dollars())
	return err
}
