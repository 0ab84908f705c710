package emulator

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hibana-sns/hibana/dev/storage"
)

// entry returns the first entry of the request's bucket that allows its origin to use a method; nil if none does.
func (e *Emulator) entry(r *http.Request, method string) *storage.CORS {
	name, _ := object(r.URL)
	b, origin := e.bucket(name), r.Header.Get("Origin")
	if b == nil || origin == "" {
		return nil
	}
	for i := range b.cors {
		if b.cors[i].Allows(origin, method) {
			return &b.cors[i]
		}
	}
	return nil
}

// allow lets a page of an allowed origin read the answer.
func (e *Emulator) allow(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Origin")
	if c := e.entry(r, r.Method); c != nil {
		w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
		w.Header().Set("Access-Control-Expose-Headers", strings.Join(c.ResponseHeader, ", "))
	}
}

// preflight answers 200 in any case. Only the headers say what is allowed.
func (e *Emulator) preflight(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Origin")
	c := e.entry(r, r.Header.Get("Access-Control-Request-Method"))
	if c == nil {
		return
	}
	var headers []string
	for name := range strings.SplitSeq(r.Header.Get("Access-Control-Request-Headers"), ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.ContainsFunc(c.ResponseHeader, func(have string) bool { return strings.EqualFold(have, name) }) {
			return
		}
		headers = append(headers, name)
	}
	w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	w.Header().Set("Access-Control-Allow-Methods", strings.Join(c.Method, ", "))
	w.Header().Set("Access-Control-Allow-Headers", strings.Join(headers, ", "))
	w.Header().Set("Access-Control-Max-Age", strconv.Itoa(c.MaxAgeSeconds))
}
