package limits

import (
	"fmt"
	"strconv"
	"time"
)

// Hold is an admitted request. A nil Hold counts nothing.
type Hold struct {
	limiter *Limiter
	holder  *holder
	action  string
	day     int64 // of the start
	without bool  // the request was given back

	reads, writes int64 // charged so far
}

// Act counts an action of a request that was admitted without one, for each of its holders, or refuses the action: then
// none of them is charged, so that an account that is refused takes nothing from the others of its address. Of several
// actions, Done gives the last one back.
func Act(holds []*Hold, action string) *Refusal {
	for i, h := range holds {
		before := h.named()
		refused := h.act(action)
		if refused == nil {
			continue
		}
		for _, earlier := range holds[:i] {
			earlier.unact(action, before)
		}
		return refused
	}
	return nil
}

// named is the action of the hold.
func (h *Hold) named() string {
	if h == nil {
		return ""
	}
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	return h.action
}

func (h *Hold) act(action string) *Refusal {
	if h == nil {
		return nil
	}
	now := h.limiter.Now()
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	h.holder.roll(now)
	for i, limit := range h.holder.limits {
		if !limit.action() || limit.What != action {
			continue
		}
		if h.holder.left(i, now) < 1 {
			return h.refusal(i, now)
		}
	}
	for i, limit := range h.holder.limits {
		if limit.action() && limit.What == action {
			h.holder.take(i, 1, now)
		}
	}
	h.action = action
	return nil
}

// unact takes an action back. before is the one before it.
func (h *Hold) unact(action, before string) {
	if h == nil {
		return
	}
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	h.giveBack(func(l Limit) bool { return l.action() && l.What == action })
	h.action = before
}

// giveBack gives 1 back to some of the limits, unless a new day began. The caller holds the mutex of the holder.
func (h *Hold) giveBack(to func(Limit) bool) {
	now := h.limiter.Now()
	h.holder.roll(now)
	for i, limit := range h.holder.limits {
		if to(limit) && (limit.Window != day || h.day == h.holder.day) {
			h.holder.take(i, -1, now)
		}
	}
}

// Undo gives back that a request was admitted, with its action, because another holder refuses the request. The bill
// and the place of the request stay until Done.
func (h *Hold) Undo() {
	if h == nil {
		return
	}
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	if h.without {
		return
	}
	h.giveBack(func(l Limit) bool { return l.What == Requests || l.action() && l.What == h.action })
	h.without = true
}

// refusal is that of a limit of the holder.
func (h *Hold) refusal(i int, now time.Time) *Refusal {
	limit, wait := h.holder.limits[i], h.holder.wait(i, 1, now)
	r := &Refusal{Limit: limit, RetryAfter: wait, FullAt: now.Add(h.holder.wait(i, float64(limit.Quota), now))}
	r.Policy, r.State = h.fields(now)
	return r
}

// Charge charges the bill of the request so far to the budgets.
func (h *Hold) Charge(reads, writes int64) {
	if h == nil {
		return
	}
	now := h.limiter.Now()
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	h.holder.roll(now)
	for i, limit := range h.holder.limits {
		switch limit.What {
		case Reads:
			h.holder.take(i, reads-h.reads, now)
		case Writes:
			h.holder.take(i, writes-h.writes, now)
		}
	}
	h.reads, h.writes = reads, writes
}

// ChargeBytes charges an announced upload. The last one before the limit may exceed it.
func (h *Hold) ChargeBytes(n int64) {
	if h == nil {
		return
	}
	now := h.limiter.Now()
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	h.holder.roll(now)
	for i, limit := range h.holder.limits {
		if limit.What == Bytes {
			h.holder.take(i, n, now)
		}
	}
}

// ChargeAction counts the action of the request n times more, or with a negative n fewer, unless a new day began. The
// last request before the limit may exceed it.
func (h *Hold) ChargeAction(n int64) {
	if h == nil {
		return
	}
	now := h.limiter.Now()
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	h.holder.roll(now)
	for i, limit := range h.holder.limits {
		if limit.action() && limit.What == h.action && (n > 0 || limit.Window != day || h.day == h.holder.day) {
			h.holder.take(i, n, now)
		}
	}
}

// Done ends the request. If the request did nothing, Done gives its action back.
func (h *Hold) Done(nothing bool) {
	if h == nil {
		return
	}
	now := h.limiter.Now()
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	h.holder.roll(now)
	for i, limit := range h.holder.limits {
		if limit.What == Parallel || nothing && !h.without && limit.action() && limit.What == h.action &&
			(limit.Window != day || h.day == h.holder.day) {
			h.holder.take(i, -1, now)
		}
	}
}

// Fields returns the values of the headers RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers-11,
// for the limits that the request uses. r is the remainder, and t is the number of seconds until the limit is full
// again. If nothing is left, t is the number of seconds until something is left, as in Retry-After.
func (h *Hold) Fields() (policy, state string) {
	if h == nil {
		return "", ""
	}
	now := h.limiter.Now()
	h.holder.mu.Lock()
	defer h.holder.mu.Unlock()
	h.holder.roll(now)
	return h.fields(now)
}

func (h *Hold) fields(now time.Time) (policy, state string) {
	var p, s []byte
	for i, l := range h.holder.limits {
		if !concerns(l, h.action) {
			continue
		}
		if len(p) > 0 {
			p, s = append(p, ", "...), append(s, ", "...)
		}
		left, until := h.holder.left(i, now), float64(l.Quota)
		if left < 1 {
			until = 1
		}
		text := h.holder.texts[i]
		p = append(p, text.policy...)
		s = strconv.AppendInt(append(append(s, text.name...), ";r="...), max(0, int64(left)), 10)
		s = strconv.AppendInt(append(s, ";t="...), Seconds(h.holder.wait(i, until, now)), 10)
	}
	return string(p), string(s)
}

// text is the constant part of a limit's headers.
type text struct {
	name   string // quoted
	policy string
}

func textOf(l Limit) text {
	t := text{name: strconv.Quote(l.Name())}
	t.policy = fmt.Sprintf("%s;q=%d", t.name, l.Quota)
	switch {
	case l.Window == 0:
		t.policy += `;qu="concurrent-requests"`
		return t
	case l.What != Requests:
		t.policy += fmt.Sprintf(";qu=%q", l.What)
	}
	t.policy += fmt.Sprintf(";w=%d", int64(l.Window/time.Second))
	return t
}
