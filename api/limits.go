package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

// actions maps each operation with a limit of its own to its action. The limits of requests, reads and writes hold
// besides. Package limits has the numbers.
var actions = map[string]string{
	"createTweet":                "posts",
	"editTweet":                  "posts",
	"createDraft":                "posts", // a draft becomes one tweet at most, at any number of attempts
	"deleteTweet":                "deletions",
	"follow":                     "follows", // a relationship changes
	"unfollow":                   "follows",
	"acceptFollow":               "follows",
	"refuseFollow":               "follows",
	"block":                      "blocks",
	"unblock":                    "blocks",
	"hideShares":                 "blocks",
	"showShares":                 "blocks",
	"createList":                 "likes",
	"renameList":                 "likes",
	"deleteList":                 "likes",
	"addListMember":              "likes",
	"removeListMember":           "likes",
	"like":                       "likes", // a reaction changes
	"unlike":                     "likes",
	"vote":                       "likes",
	"share":                      "shares", // followers' home timelines change
	"unshare":                    "shares",
	"bookmark":                   "likes",
	"unbookmark":                 "likes",
	"pin":                        "likes",
	"unpin":                      "likes",
	"mute":                       "likes",
	"unmute":                     "likes",
	"changeNotificationSettings": "profiles",
	"putPushSubscription":        "likes",
	"removePushSubscription":     "likes",
	"updateUser":                 "profiles",
	"createUser":                 "signups", // of an address

	"putCartItem":    "likes",
	"removeCartItem": "likes",
	"seeCart":        "likes",
	"mergeCarts":     "likes",
	"placeOrder":     "posts",
	"cancelOrder":    "likes",

	"createReport": "reports",
	"export":       "exports",
	"leave":        "leavings",
}

// Limits are the limits of callers. The zero Limits limit nothing.
type Limits struct {
	Limiter *limits.Limiter
	Gate    *limits.Gate
	// TrustedHops is the number of proxies in front of the service that set X-Forwarded-For correctly.
	TrustedHops int
}

// admit applies the limits to the caller of a request. Administrators have no limits. A caller without an account is
// limited by address. Every other caller is limited by account and address.
func (s *server) admit(c huma.Context, caller Caller) error {
	about, ok := aboutRequest(c.Context())
	if !ok || s.Limits.Limiter == nil || caller.Admin {
		return nil
	}
	r := humagin.Unwrap(c).Request
	address := limits.AddressOf(r, s.Limits.TrustedHops)
	action := actions[c.Operation().OperationID]
	if c.Operation().Method == http.MethodGet {
		action = limits.Reading
	}
	if err := s.hold(c.Context(), about, limits.Address, address, action); err != nil {
		return err
	}
	if caller.UID == "" || caller.Anonymous {
		return s.hold(c.Context(), about, limits.Visitor, address, action)
	}
	return s.hold(c.Context(), about, limits.Account, string(caller.UID), action)
}

// hold adds a hold to the request, or returns the reason for refusing it.
func (s *server) hold(ctx context.Context, about *request, scope limits.Scope, id, action string) error {
	hold, refused := s.Limits.Limiter.Admit(ctx, scope, id, action)
	if refused != nil {
		about.refused = refused
		return &errs.Error{Kind: errs.Exhausted, Code: "limit_reached", Msg: refused.Error(), Err: refused}
	}
	if hold != nil {
		about.holds = append(about.holds, hold)
	}
	return nil
}

// probe applies the limits of the address to callers of /ready, which costs a read.
func (s *server) probe(c huma.Context, next func(huma.Context)) {
	if err := s.admit(c, Caller{}); err != nil {
		refuse(c.Context(), humagin.Unwrap(c).Writer, err)
		return
	}
	next(c)
}

// charge charges the reads and writes billed so far to the request's holds.
func (r *request) charge(reads, writes int64) {
	for _, h := range r.holds {
		h.Charge(reads, writes)
	}
}

// tell sets the headers about limits. They describe the limits that refused the request, else the account's limits,
// else the address's limits for a caller without an account.
func (r *request) tell(h http.Header) {
	var policy, state string
	switch n := len(r.holds); {
	case r.refused != nil:
		policy, state = r.refused.Policy, r.refused.State
	case n > 0:
		policy, state = r.holds[n-1].Fields()
	}
	if policy != "" {
		h.Set("RateLimit-Policy", policy)
		h.Set("RateLimit", state)
	}
}

// gate refuses a request if too many are running. A probe passes, because a busy process must not be killed.
func (s *server) gate(c *gin.Context) {
	ctx := c.Request.Context()
	if c.Request.URL.Path == "/health" {
		return
	}
	if !s.Limits.Gate.Enter(ctx) {
		s.Telemetry.Count(ctx, telemetry.Saturated, 1)
		refuse(ctx, c.Writer, saturated())
		c.Abort()
		return
	}
	about, _ := aboutRequest(ctx) // serve put it there
	defer func() {
		if !about.outside {
			s.Limits.Gate.Leave()
		}
	}()
	c.Next()
}

// saturated is the answer of an overloaded process. No part of the request was executed.
func saturated() error {
	return &errs.Error{Kind: errs.Unavailable, Code: "saturated",
		Msg: "There are too many requests at the moment; try again in a second."}
}
