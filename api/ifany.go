package api

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/internal/errs"
)

// IfAny is the part of a request for something that the caller need not have. A client that asks on each visit says
// that it takes 204 for no, because browsers write every 404 into their console as an error.
type IfAny struct {
	IfAny bool `query:"ifAny" doc:"Answer 204 without a body, in the place of 404, if the caller has none"`
}

// none reports whether an error with a code means that the answer is 204.
func (in IfAny) none(err error, code string) bool {
	return in.IfAny && errs.KindOf(err) == errs.NotFound && errs.CodeOf(err) == code
}

// noneResponse describes the answer 204.
func noneResponse(why string) map[string]*huma.Response {
	return map[string]*huma.Response{"204": {Description: why}}
}
