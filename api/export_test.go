package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// Actions is the table of actions, for tests.
var Actions = actions

// Codes are the codes of problem documents, for tests.
var Codes = codes

// Described is what a handler of New says of itself, for tests.
func Described(h http.Handler) *huma.OpenAPI { return h.(*service).OpenAPI() }
