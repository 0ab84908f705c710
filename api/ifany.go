package api

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/internal/errs"
)

// IfAny is the part of a request for something that the caller need not have. A client that asks on each visit says
// that it takes 204 for no, because browsers write every 404 into their console as an error.
type IfAny struct {
	IfAny bool `query:"ifAny" doc:"Answer 204 without a body, in the place of 404, if the caller has none"`
}

// none reports whether an error with one of some codes means that the answer is 204.
func (in IfAny) none(err error, codes ...string) bool {
	return in.IfAny && errs.KindOf(err) == errs.NotFound && slices.Contains(codes, errs.CodeOf(err))
}

// noneResponse describes the answer 204.
func noneResponse(why string) map[string]*huma.Response {
	return map[string]*huma.Response{"204": {Description: why}}
}
