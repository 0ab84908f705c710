package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"sync"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
	"github.com/swaggest/swgui/v5emb"
	"golang.org/x/text/unicode/norm"
)

const securityScheme = "firebase"

const about = `A social network backend on Cloud Firestore.

The caller signs in with Firebase Auth and sends the ID token as ` + "`Authorization: Bearer`" + `. ` +
	`Most reads need no token.

A service may also ask for the App Check token of your app, as ` + "`X-Firebase-AppCheck`" + `: without a good one the answer is 401 app_check_required or invalid_app_check.

A failure answers a problem document (RFC 9457). Clients branch on its ` + "`code`" + `, which never changes.

A list answers ` + "`{items, nextPageToken}`" + `. A page token is good for its own list only.

Every account and every address may use so much: the headers ` + "`RateLimit-Policy`" + ` and ` + "`RateLimit`" +
	` of the IETF draft tell what is left.
Beyond that the answer is 429 limit_reached, with ` + "`Retry-After`" + `.

Every answer tells its cost in the header ` + "`Server-Timing`" + `: fs-reads, fs-writes and fs-deletes have the number of billed Firestore
documents in ` + "`desc`" + `, and total has the milliseconds in ` + "`dur`" + `.

The ` + "`x-cost`" + ` of an operation is the bill of its most expensive known request: maxReads documents read, and maxWrites written or deleted.
Most requests cost less. A busy server may read up to a tenth more, or 2 documents.`

// description configures huma. The pages of huma are off, because they load scripts from other hosts. The OpenAPI
// routes of huma are off too, because they are not safe for concurrent calls.
func description() huma.Config {
	c := huma.DefaultConfig("Hibana", "1")
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil // no $schema field in answers
	c.Info.Description = about
	c.Servers = []*huma.Server{{URL: "/", Description: "The server that answers this document"}}
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		securityScheme: {Type: "http", Scheme: "bearer", BearerFormat: "JWT",
			Description: "The Firebase ID token of the caller"},
	}
	c.OnAddOperation = []huma.AddOpFunc{func(_ *huma.OpenAPI, op *huma.Operation) {
		delete(op.Responses, "422") // an invalid request is 400 in this API
	}}
	format := huma.DefaultJSONFormat
	format.Unmarshal = func(data []byte, v any) error {
		if !utf8.Valid(data) { // Go would replace the invalid bytes
			return errors.New("the body is not UTF-8")
		}
		err := inWords(json.Unmarshal(data, v))
		if tree, ok := v.(*any); ok { // the tree that huma validates; package model cleans the struct
			*tree = inNFC(*tree)
		}
		return err
	}
	c.Formats = map[string]huma.Format{"application/json": format, "json": format}
	return c
}

// inWords rewrites an error of Go's decoder in the terms of JSON.
func inWords(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case !ok:
		return err
	case wrong.Field == "":
		return errors.New("a number is too large")
	case wrong.Type.Kind() >= reflect.Int && wrong.Type.Kind() <= reflect.Int64:
		return fmt.Errorf("%s: expected an integer of at most 64 bits", wrong.Field)
	}
	return fmt.Errorf("%s: not what is expected there", wrong.Field)
}

// inNFC converts the texts of a decoded body to NFC, the form in which lengths are counted.
func inNFC(v any) any {
	switch v := v.(type) {
	case string:
		return norm.NFC.String(v)
	case []any:
		for i := range v {
			v[i] = inNFC(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = inNFC(v[name])
		}
	}
	return v
}

// docs adds the OpenAPI documents and a page to browse them. The binary contains every file that the page loads.
func (s *Server) docs() {
	serve := func(path, contentType string, text func() ([]byte, error)) {
		once := sync.OnceValues(func() (*document, error) {
			text, err := text()
			if err != nil {
				return nil, err
			}
			return newDocument(text)
		})
		s.engine.GET(path, func(c *gin.Context) {
			d, err := once()
			if err != nil {
				s.refuse(c.Request.Context(), c.Writer, err)
				return
			}
			about, _ := aboutRequest(c.Request.Context())
			about.public, about.document = true, d
			c.Header("Content-Type", contentType)
			c.Status(http.StatusOK)
		})
	}
	about := extending(s.api.OpenAPI())
	serve("/openapi.json", "application/json", func() ([]byte, error) { return json.MarshalIndent(about, "", "  ") })
	serve("/openapi-3.0.json", "application/json", func() ([]byte, error) {
		text, err := s.api.OpenAPI().Downgrade()
		if err != nil {
			return nil, err
		}
		var lines bytes.Buffer
		err = json.Indent(&lines, text, "", "  ")
		return lines.Bytes(), err
	})
	serve("/openapi.yaml", "application/yaml", about.YAML)

	ui := gin.WrapH(v5emb.New("Hibana", "/openapi.json", "/docs"))
	for _, path := range []string{"/docs", "/docs/*asset"} {
		s.engine.GET(path, func(c *gin.Context) {
			public(c)
			if c.Param("asset") != "" {
				c.Header("Cache-Control", "max-age=3600")
			}
			c.Header("Content-Security-Policy", docsPolicy)
			ui(c)
		})
	}
}

// public marks the answer as the same for every caller.
func public(c *gin.Context) {
	if about, ok := aboutRequest(c.Request.Context()); ok {
		about.public = true
	}
}
