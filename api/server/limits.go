package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
)

// Limits are the limits of callers. The zero Limits limit nothing.
type Limits struct {
	Limiter *limits.Limiter
	Gate    *limits.Gate
	// TrustedHops is the number of proxies in front of the service that set X-Forwarded-For correctly.
	TrustedHops int
}

// admit applies the limits to the caller of a request. Administrators have no limits. A caller without an account is
// limited by address. Every other caller is limited by account and address. An operation with the mark WithoutLimits
// has none either. All callers of operations with the mark AsOneVisitor are one caller.
func (s *Server) admit(c huma.Context, caller model.Caller) error {
	about, ok := aboutRequest(c.Context())
	if !ok || s.options.Limits.Limiter == nil || caller.Admin || marked(c.Operation(), WithoutLimits) {
		return nil
	}
	if about.within() {
		return about.root().act(s.hooks.Actions[c.Operation().OperationID])
	}
	if err := s.admitAddress(c); err != nil {
		return err
	}
	return s.admitHolder(c, caller)
}

// admitAddress is the part of admit for the address of a caller, whoever that is.
func (s *Server) admitAddress(c huma.Context) error {
	about, ok := aboutRequest(c.Context())
	if op := c.Operation(); !ok || s.options.Limits.Limiter == nil || marked(op, WithoutLimits) || marked(op,
		AsOneVisitor) {
		return nil
	}
	return s.hold(c.Context(), about, limits.Address, s.address(c), s.action(c.Operation()))
}

// admitHolder is the part of admit for the account of a caller, or for all visitors of an address.
func (s *Server) admitHolder(c huma.Context, caller model.Caller) error {
	about, ok := aboutRequest(c.Context())
	op := c.Operation()
	action := s.action(op)
	switch {
	case !ok || s.options.Limits.Limiter == nil || caller.Admin || marked(op, WithoutLimits):
		return nil
	case marked(op, AsOneVisitor):
		return s.hold(c.Context(), about, limits.Visitor, AsOneVisitor, action)
	case caller.UID == "" || caller.Anonymous:
		return s.hold(c.Context(), about, limits.Visitor, s.address(c), action)
	}
	err := s.hold(c.Context(), about, limits.Account, string(caller.UID), action)
	if err != nil {
		// Its address is not charged for what an account may not do: else one account would keep the others of a household
		// or a school out. Visitors are charged: who tries tokens is one of them.
		for _, h := range about.holds {
			h.Undo()
		}
	}
	return err
}

// address is the address of the caller of a request, for limits.
func (s *Server) address(c huma.Context) string {
	return limits.AddressOf(humagin.Unwrap(c).Request, s.options.Limits.TrustedHops)
}

// action is what the limits count an operation as.
func (s *Server) action(op *huma.Operation) string {
	if op.Method == http.MethodGet {
		return limits.Reading
	}
	return s.hooks.Actions[op.OperationID]
}

// act counts the action of an operation that runs within the request, or refuses the action.
func (r *request) act(action string) error {
	if action == "" || action == limits.Reading {
		return nil
	}
	if refused := limits.Act(r.holds, action); refused != nil {
		r.refused = refused
		return exhausted(refused)
	}
	return nil
}

// exhausted is the error of a request that a limit refuses.
func exhausted(refused *limits.Refusal) error {
	return &errs.Error{Kind: errs.Exhausted, Code: "limit_reached", Msg: refused.Error(), Err: refused}
}

// hold adds a hold to the request, or returns the reason for refusing it.
func (s *Server) hold(ctx context.Context, about *request, scope limits.Scope, id, action string) error {
	hold, refused := s.options.Limits.Limiter.Admit(ctx, scope, id, action)
	if refused != nil {
		about.refused = refused
		return exhausted(refused)
	}
	if hold != nil {
		about.holds = append(about.holds, hold)
	}
	return nil
}

// probe applies the limits of the address to callers of /ready, which costs a read.
func (s *Server) probe(c huma.Context, next func(huma.Context)) {
	if err := s.admit(c, model.Caller{}); err != nil {
		s.refuse(c.Context(), humagin.Unwrap(c).Writer, err)
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

// ChargeBytes charges an announced upload to the limits of bytes of the caller.
func ChargeBytes(ctx context.Context, n int64) {
	if about, ok := aboutRequest(ctx); ok {
		for _, h := range about.root().holds {
			h.ChargeBytes(n)
		}
	}
}

// ChargeAction counts the action of the request n times more.
func ChargeAction(ctx context.Context, n int64) {
	if about, ok := aboutRequest(ctx); ok {
		for _, h := range about.root().holds {
			h.ChargeAction(n)
		}
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
func (s *Server) gate(c *gin.Context) {
	ctx := c.Request.Context()
	if about, ok := aboutRequest(ctx); ok && about.within() || c.Request.URL.Path == "/health" {
		return
	}
	if !s.options.Limits.Gate.Enter(ctx) {
		s.options.Telemetry.Count(ctx, telemetry.Saturated, 1)
		s.refuse(ctx, c.Writer, saturated())
		c.Abort()
		return
	}
	about, _ := aboutRequest(ctx) // serve put it there
	defer func() {
		if !about.outside {
			s.options.Limits.Gate.Leave()
		}
	}()
	c.Next()
}

// saturated is the answer of an overloaded process. No part of the request was executed.
func saturated() error {
	return &errs.Error{Kind: errs.Unavailable, Code: "saturated",
		Msg: "There are too many requests at the moment; try again in a second."}
}
