// Package limits limits the usage of one account or one address: billed reads and writes, requests, and actions such as
// posts. A request is admitted before it runs, and charged with its bill when it is over. A request may therefore
// overdraw a budget, and the next request waits.
//
// A limit per minute or hour is a token bucket: it starts full and refills at an even pace. A limit per day counts from
// midnight to midnight, UTC. Each process counts on its own. An account that has used a tenth of a daily limit is
// shared with the other processes through a [Ledger].
package limits

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Scope is the kind of holder of a limit.
type Scope uint8

// The scopes.
const (
	Account Scope = iota // a user with an account, on every address
	Visitor              // an address, for all its callers without an account
	Address              // an address, for all its callers
	scopes
)

// prefixes precede the names of the limits of a scope.
var prefixes = [scopes]string{Account: "", Visitor: "visitor-", Address: "address-"}

// The limited quantities besides actions.
const (
	Requests = "requests"
	Parallel = "parallel" // requests at the same time
	Reads    = "reads"    // documents that Firestore bills as read
	Writes   = "writes"   // documents that Firestore bills as written or deleted
	Bytes    = "bytes"    // of announced uploads
)

const day = 24 * time.Hour

// Limit is one limit of a scope.
type Limit struct {
	Scope  Scope
	What   string        // Requests, Parallel, Reads, Writes, or an action
	Quota  int64         // at least 1
	Window time.Duration // a minute, an hour or a day; 0 for Parallel
}

// Name returns the name of the limit for clients, such as "reads-day" and "visitor-requests-minute".
func (l Limit) Name() string {
	name := prefixes[l.Scope] + l.What
	if l.Window == 0 {
		return name
	}
	return name + "-" + windowName(l.Window)
}

// String returns the limit in words: "300 posts a day".
func (l Limit) String() string {
	if l.Window == 0 {
		return fmt.Sprintf("%d requests at the same time", l.Quota)
	}
	article := "a"
	if l.Window == time.Hour {
		article = "an"
	}
	return fmt.Sprintf("%d %s %s %s", l.Quota, l.What, article, windowName(l.Window))
}

// action reports whether the limit counts one kind of action.
func (l Limit) action() bool {
	return l.What != Requests && l.What != Parallel && l.What != Reads && l.What != Writes && l.What != Bytes
}

const (
	// shareFrom is the divisor of a daily limit above which an account is shared. An account that used less is never
	// written.
	shareFrom = 10
	// shareStep is the divisor of a daily limit by which an account's usage must grow before it is shared again.
	shareStep = 100
	// ShareEvery is the shortest interval at which a process shares one account.
	ShareEvery = 2 * time.Second
	// shareTimeout is the time that a request waits for the ledger. Then the process uses its own counts.
	shareTimeout = time.Second
)

// Ledger shares the daily usage of accounts between processes.
type Ledger interface {
	// Share writes the counts of this process, and returns the sum of the counts of the other processes. used has the
	// counts of the whole day by limited quantity.
	Share(ctx context.Context, account string, day time.Time, used map[string]int64) (others map[string]int64, err error)
}

// MaxHolders is the number of accounts, visitors or addresses that a process remembers.
const MaxHolders = 20_000

// Options are the parts of a Limiter.
type Options struct {
	Limits []Limit
	Ledger Ledger           // nil if this is the only process
	Now    func() time.Time // time.Now if nil
	Max    int              // number of accounts, visitors and addresses to remember, each; MaxHolders if 0
	Log    *slog.Logger     // for failures of the ledger; slog.Default() if nil
}

// Limiter applies the limits to all accounts and addresses. It is safe for concurrent use. A nil Limiter admits
// everything.
type Limiter struct {
	Options
	scopes [scopes]holders
}

// holders are the accounts or addresses of a scope.
type holders struct {
	limits []Limit
	texts  []text     // of each limit
	mu     sync.Mutex // locked before that of a holder
	of     map[string]*holder
}

// New returns a limiter without any usage.
func New(o Options) *Limiter {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Max == 0 {
		o.Max = MaxHolders
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	l := &Limiter{Options: o}
	for s := range l.scopes {
		l.scopes[s].of = map[string]*holder{}
	}
	for _, limit := range o.Limits {
		all := &l.scopes[limit.Scope]
		all.limits, all.texts = append(all.limits, limit), append(all.texts, textOf(limit))
	}
	return l
}

// holder is the usage of an account or an address.
type holder struct {
	limits []Limit
	texts  []text // of each limit

	mu       sync.Mutex
	states   []state // of each limit
	day      int64   // the day of the counts, by number
	parallel int64
	sharing  bool      // a request is calling the ledger
	sharedAt time.Time // when a request last called the ledger
}

// state is a holder's usage of one limit.
type state struct {
	bucket *rate.Limiter // of a minute or an hour; nil while it is full
	used   int64         // today, counted by this process
	others int64         // today, counted by the other processes
	shared int64         // what this process last wrote to the ledger
}

// holder returns the holder with an id. A new holder may evict an old one.
func (l *Limiter) holder(s Scope, id string, now time.Time) *holder {
	all := &l.scopes[s]
	all.mu.Lock()
	defer all.mu.Unlock()
	h := all.of[id]
	if h == nil {
		if len(all.of) >= l.Max {
			all.evict(l.Max, now)
		}
		h = &holder{limits: all.limits, texts: all.texts, states: make([]state, len(all.limits)), day: dayNumber(now)}
		all.of[id] = h
	}
	return h
}

// Remembered returns the number of holders of a scope that the process remembers.
func (l *Limiter) Remembered(s Scope) int {
	all := &l.scopes[s]
	all.mu.Lock()
	defer all.mu.Unlock()
	return len(all.of)
}

// sample is the number of holders that evict compares.
const sample = 32

// evict removes unused holders among a sample. If every holder of the sample has usage, it removes the holder that used
// the smallest part of a limit. That holder starts again from zero. An attack from very many addresses therefore makes
// the process forget, and never makes it grow.
func (all *holders) evict(most int, now time.Time) {
	looked, least, whom := 0, 0.0, ""
	for id, h := range all.of { // the iteration starts at a random holder
		h.mu.Lock()
		used, busy := h.part(now), h.parallel > 0
		h.mu.Unlock()
		switch {
		case busy:
		case used == 0:
			delete(all.of, id)
		case whom == "" || used < least:
			least, whom = used, id
		}
		if looked++; looked == sample {
			break
		}
	}
	if len(all.of) >= most && whom != "" {
		delete(all.of, whom)
	}
}

// part returns the largest used part of a limit.
func (h *holder) part(now time.Time) (most float64) {
	h.roll(now)
	for i, l := range h.limits {
		if l.Window > 0 {
			most = max(most, 1-h.left(i, now)/float64(l.Quota))
		}
	}
	return most
}

func dayNumber(t time.Time) int64 { return t.Unix() / int64(day/time.Second) }

// midnight returns the end of the day of now.
func midnight(now time.Time) time.Time {
	return time.Unix((dayNumber(now)+1)*int64(day/time.Second), 0).UTC()
}

// roll starts a new day.
func (h *holder) roll(now time.Time) {
	today := dayNumber(now)
	if today == h.day {
		return
	}
	h.day = today
	for i := range h.states {
		s := &h.states[i]
		s.used, s.others, s.shared = 0, 0, 0
	}
}

// left returns the remainder of a limit. It is negative if requests overdrew the limit.
func (h *holder) left(i int, now time.Time) float64 {
	l, s := h.limits[i], &h.states[i]
	switch {
	case l.Window == 0:
		return float64(l.Quota - h.parallel)
	case l.Window == day:
		return float64(l.Quota - s.used - s.others)
	case s.bucket == nil:
		return float64(l.Quota)
	}
	return s.bucket.TokensAt(now)
}

// take uses n of a limit, even if less is left. A negative n gives back.
func (h *holder) take(i int, n int64, now time.Time) {
	l, s := h.limits[i], &h.states[i]
	switch {
	case n == 0:
	case l.Window == 0:
		h.parallel += n
	case l.Window == day:
		s.used = max(0, s.used+n)
	default:
		if s.bucket == nil {
			s.bucket = rate.NewLimiter(rate.Limit(float64(l.Quota)/l.Window.Seconds()), int(l.Quota))
		}
		if n < 0 {
			s.bucket.AllowN(now, int(n)) // a bucket never holds more than its quota
		}
		for ; n > 0; n -= min(n, l.Quota) { // a reservation may be at most the quota
			s.bucket.ReserveN(now, int(min(n, l.Quota)))
		}
	}
}

// wait returns the time until n of a limit are available again.
func (h *holder) wait(i int, n float64, now time.Time) time.Duration {
	missing := n - h.left(i, now)
	switch l := h.limits[i]; {
	case missing <= 0:
		return 0
	case l.Window == 0:
		return time.Second
	case l.Window == day:
		return midnight(now).Sub(now)
	default:
		return time.Duration(missing / float64(l.Quota) * float64(l.Window))
	}
}

// Reading is the action of a request that writes nothing. It is admitted even if the budget of writes is used up.
const Reading = "reading"

// Uploading is the action to which limits of bytes apply.
const Uploading = "uploads"

// concerns reports whether a request with an action uses the limit.
func concerns(l Limit, action string) bool {
	if l.action() {
		return l.What == action
	}
	if l.What == Bytes {
		return action == Uploading
	}
	return l.What != Writes || action != Reading
}

// Admit admits a request of an account or address, or refuses it. action names the request's action; it may be empty or
// unlimited. An admitted request ends with [Hold.Done].
// Cost: none below a tenth of each daily limit; above, 1 read and 1 write per hundredth of a limit, at most every 2
// seconds.
func (l *Limiter) Admit(ctx context.Context, s Scope, id, action string) (*Hold, *Refusal) {
	if l == nil || len(l.scopes[s].limits) == 0 {
		return nil, nil
	}
	now := l.Now()
	h := l.holder(s, id, now)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.roll(now)
	if s == Account && l.Ledger != nil && h.due(now) {
		l.share(ctx, id, h, now)
	}
	worst := -1
	for i, limit := range h.limits {
		if concerns(limit, action) && h.left(i, now) < 1 && (worst < 0 || h.wait(i, 1, now) > h.wait(worst, 1, now)) {
			worst = i
		}
	}
	hold := &Hold{limiter: l, holder: h, action: action, day: h.day}
	if worst >= 0 {
		return nil, hold.refusal(worst, now)
	}
	for i, limit := range h.limits {
		if limit.What == Requests || limit.What == Parallel || limit.action() && limit.What == action {
			h.take(i, 1, now)
		}
	}
	return hold, nil
}

// Refusal is the error of a request that a limit refuses.
type Refusal struct {
	Limit         Limit
	RetryAfter    time.Duration // until the limit admits a request
	FullAt        time.Time     // when the limit is unused again
	Policy, State string        // as [Hold.Fields] returns
}

// Error names the limit and the time at which it is full again.
func (r *Refusal) Error() string {
	return fmt.Sprintf("The limit %s is reached: %s. It is full again at %s.", r.Limit.Name(), r.Limit,
		r.FullAt.UTC().Format(time.RFC3339))
}

// Seconds rounds a duration up to whole seconds, for headers.
func Seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// due reports whether the usage of an account must be shared now.
func (h *holder) due(now time.Time) bool {
	if h.sharing || now.Sub(h.sharedAt) < ShareEvery {
		return false
	}
	for i, l := range h.limits {
		if s := h.states[i]; l.Window == day && s.used*shareFrom >= l.Quota && s.used-s.shared >= max(1, l.Quota/shareStep) {
			return true
		}
	}
	return false
}

// share writes the usage of an account to the ledger, and reads the counts of the other processes. Other requests of
// the account continue meanwhile. A failure is logged, and the process counts alone until the next time.
func (l *Limiter) share(ctx context.Context, id string, h *holder, now time.Time) {
	h.sharing, h.sharedAt = true, now
	used := map[string]int64{}
	for i, limit := range h.limits {
		if limit.Window == day && h.states[i].used > 0 {
			used[limit.What] = h.states[i].used
		}
	}
	today := h.day
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	others, err := l.Ledger.Share(ctx, id, midnight(now).Add(-day), used)
	cancel()
	h.mu.Lock()
	h.sharing = false
	h.roll(now)
	if err != nil {
		l.Log.WarnContext(ctx, "a budget was not shared", "error", err)
		return
	}
	if h.day != today {
		return // the day ended during the call
	}
	for i, limit := range h.limits {
		if limit.Window == day {
			h.states[i].others, h.states[i].shared = others[limit.What], used[limit.What]
		}
	}
}
