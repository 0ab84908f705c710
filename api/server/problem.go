package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/model"
)

// Problem is the answer to a request that failed, application/problem+json of RFC 9457.
// Clients branch on Code, which never changes.
type Problem struct {
	Type   string       `json:"type" doc:"Always about:blank; the code tells more" example:"about:blank"`
	Title  string       `json:"title" doc:"The status in words" example:"Not Found"`
	Status int          `json:"status" example:"404"`
	Detail string       `json:"detail" doc:"What went wrong, for people" example:"there is no user \"ann\""`
	Code   string       `json:"code" doc:"What went wrong, for programs; never changes" example:"user_not_found"`
	Errors []FieldError `json:"errors,omitempty" nullable:"false" doc:"The invalid parts of the request, at most 20; only with the code invalid_request"`

	Limit  string     `json:"limit,omitempty" doc:"Name of the limit that is reached; only with the codes limit_reached and export_limit" example:"posts-day"`
	FullAt *time.Time `json:"fullAt,omitempty" doc:"Time from which on the limit is as if nothing had been used"`
	NextAt *time.Time `json:"nextAt,omitempty" doc:"Time from which on the same change is possible; only for the limits renames, usernames and exports"`

	retryAfter time.Duration // 0 if the client may repeat the request at once, or never
}

// Failure is a problem document: a *Problem, or a pointer to a struct that embeds Problem and adds members.
type Failure interface {
	huma.StatusError
	problem() *Problem
}

// FieldError is one invalid part of a request.
type FieldError struct {
	Location string `json:"location" doc:"The part of the request (body, query, path or header) and its field" example:"body.content"`
	Message  string `json:"message" doc:"What the API expects there, with the limit" example:"expected length <= 65535"`
}

func (p *Problem) problem() *Problem { return p }

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of problem documents.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders returns the challenge that a 401 requires (RFC 6750, section 3), and Retry-After if a later request may
// succeed.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.Status == http.StatusUnauthorized {
		challenge := `Bearer realm="hibana"`
		if p.Code != errs.Unauthenticated.String() && !strings.HasSuffix(p.Code, "app_check") &&
			p.Code != "app_check_required" {
			challenge += `, error="invalid_token"`
		}
		h.Set("WWW-Authenticate", challenge)
	}
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(limits.Seconds(p.retryAfter), 10))
	}
	return h
}

func newProblem(status int, code, detail string) *Problem {
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code, Detail: detail}
}

// problemOf returns the public part of an error.
func problemOf(err error) *Problem {
	if p, ok := errors.AsType[*passed](err); ok {
		return new(*p.problem)
	}
	p := newProblem(statuses[errs.KindOf(err)], errs.CodeOf(err), errs.PublicText(err))
	if r, ok := errors.AsType[*limits.Refusal](err); ok {
		p.Limit, p.FullAt, p.retryAfter = r.Limit.Name(), nextSecond(r.FullAt), max(r.RetryAfter, time.Second)
	} else if r, ok := errors.AsType[*model.TooSoon](err); ok {
		p.Limit, p.FullAt, p.NextAt, p.retryAfter = r.Limit, nextSecond(r.FullAt), nextSecond(r.At), max(r.Wait, time.Second)
	} else if r, ok := errors.AsType[*model.NotYet](err); ok {
		p.retryAfter = r.Wait
	} else if p.Status == http.StatusServiceUnavailable || p.Status == http.StatusTooManyRequests {
		p.retryAfter = time.Second
	}
	return p
}

// nextSecond rounds a time up, so that a client does not come too early.
func nextSecond(t time.Time) *time.Time { return new(t.UTC().Truncate(time.Second).Add(time.Second)) }

const maxFieldErrors = 20

// requestProblem is the problem of a request that huma refuses before the handler runs, by 400 or 422. An error of huma
// holds the sent value, also in its text. The answer therefore names only its location.
func requestProblem(op *huma.Operation, msg string, causes []error) *Problem {
	p := newProblem(http.StatusBadRequest, "invalid_request", msg)
	for _, cause := range causes[:min(len(causes), maxFieldErrors)] {
		var e FieldError
		if d, ok := cause.(huma.ErrorDetailer); ok {
			detail := d.ErrorDetail()
			e = FieldError{Location: model.Snippet(detail.Location, 100), Message: model.Snippet(detail.Message, 300)}
		} else {
			e.Message = model.Snippet(cause.Error(), 300)
		}
		if bounds := limitsOf(op, e.Location); bounds != "" {
			e.Message = bounds
		}
		p.Errors = append(p.Errors, e)
	}
	if len(p.Errors) > 0 {
		p.Detail = strings.TrimPrefix(p.Errors[0].Location+": "+p.Errors[0].Message, ": ")
	}
	return p
}

// limitsOf names the limits of a numeric parameter. The message of huma names one of them at most.
func limitsOf(op *huma.Operation, location string) string {
	if op == nil {
		return ""
	}
	for _, p := range op.Parameters {
		if p.In+"."+p.Name == location && p.Schema.Minimum != nil {
			if p.Schema.Maximum == nil {
				return fmt.Sprintf("%s must be a whole number of at least %v", p.Name, *p.Schema.Minimum)
			}
			return fmt.Sprintf("%s must be a whole number from %v to %v", p.Name, *p.Schema.Minimum, *p.Schema.Maximum)
		}
	}
	return ""
}

// failure returns the public part of an error with the members that a resource adds, and notes it in the log line.
func (s *Server) failure(ctx context.Context, err error) Failure {
	p := problemOf(err)
	note(ctx, p, err)
	if s.hooks.Problem == nil {
		return p
	}
	return s.hooks.Problem(*p, err)
}

// write sends a problem document outside of huma's operations.
func write(w http.ResponseWriter, f Failure) {
	p := f.problem()
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(f)
}

// refuse sends a failure outside of huma's operations.
func (s *Server) refuse(ctx context.Context, w http.ResponseWriter, err error) {
	send(ctx, w, s.failure(ctx, err))
}

// send sends a problem in the form of the protocol of the request.
func send(ctx context.Context, w http.ResponseWriter, f Failure) {
	if about, ok := aboutRequest(ctx); ok && about.fails != nil {
		about.fails(w, *f.problem())
		return
	}
	write(w, f)
}

// fail answers a request that has no operation.
func fail(c *gin.Context, p *Problem) {
	note(c.Request.Context(), p, nil)
	send(c.Request.Context(), c.Writer, p)
}
