package server

import (
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
)

// setGlobals sets the options that huma (2.37) and gin (1.12) have only for the whole process. The options do not
// depend on one API, so several APIs of one process share them. The first call of New sets them. An import sets
// nothing: a program that only names a type of this package keeps its own settings.
var setGlobals = sync.OnceFunc(func() {
	// gin.Engine has no mode of its own. The other modes print each route to
	// standard output, between the lines of the log.
	gin.SetMode(gin.ReleaseMode)

	// "Content" is an unknown field: huma.Validate reads this variable and takes no
	// option. Go's decoder would store Content in the field of content.
	huma.ValidateStrictCasing = true

	// huma's errors become problems here. huma.Config.Transformers of one API come
	// too late: huma.WriteErr takes the status from the error before it calls them,
	// and 422 is 400 here. huma.Register also describes the type that NewError
	// returns as the answer to every failure.
	huma.NewError = func(_ int, msg string, errs ...error) huma.StatusError {
		return requestProblem(nil, msg, errs)
	}
	huma.NewErrorWithContext = func(c huma.Context, _ int, msg string, errs ...error) huma.StatusError {
		p := requestProblem(c.Operation(), msg, errs)
		note(c.Context(), p, nil)
		return p
	}
})
