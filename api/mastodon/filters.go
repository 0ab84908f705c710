package mastodon

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Filter is the entity of keywords that the caller does not want to read.
type Filter struct {
	ID           string          `json:"id"`
	Title        string          `json:"title"`
	Context      []string        `json:"context"`
	ExpiresAt    stamp           `json:"expires_at"`
	FilterAction string          `json:"filter_action"`
	Keywords     []FilterKeyword `json:"keywords"`
	Statuses     []any           `json:"statuses"`
}

// FilterKeyword is a keyword of a filter. Its id has that of the filter before that of the keyword.
type FilterKeyword struct {
	ID        string `json:"id"`
	Keyword   string `json:"keyword"`
	WholeWord bool   `json:"whole_word"`
}

// FilterV1 is a keyword in the first version of filters.
type FilterV1 struct {
	ID           string   `json:"id"`
	Phrase       string   `json:"phrase"`
	Context      []string `json:"context"`
	WholeWord    bool     `json:"whole_word"`
	ExpiresAt    stamp    `json:"expires_at"`
	Irreversible bool     `json:"irreversible"`
}

// wholeFilter is a filter of the native API, which is read and written as a whole.
type wholeFilter struct {
	ID        string                `json:"id,omitempty"`
	Title     string                `json:"title"`
	Contexts  []model.FilterContext `json:"contexts"`
	Action    model.FilterAction    `json:"action"`
	ExpiresAt *time.Time            `json:"expiresAt,omitempty"`
	Keywords  []wholeKeyword        `json:"keywords"`
	Version   string                `json:"version,omitempty"` // as which it was read; empty for a new one
}

type wholeKeyword struct {
	ID        string `json:"id,omitempty"` // empty for a new one
	Keyword   string `json:"keyword"`
	WholeWord bool   `json:"wholeWord,omitempty"`
}

const filtersPath = "/v1/users/me/filters"

// maxExpiry is the longest time of a filter in seconds.
const maxExpiry = 100 * 365 * 24 * 60 * 60

func filterMethods() []Method {
	const read, write = "read read:filters", "write write:filters"
	const needs = "a filter has at least one keyword, and the action blur is warn"
	const noPosts = "filters have keywords alone"
	none := func(*call) (any, error) { return []any{}, nil }
	return append([]Method{
		get("/api/v2/filters", read, func(c *call) (any, error) {
			all, err := c.allFilters()
			return each(all, filterOf), err
		}),
		get("/api/v2/filters/:id", read, ofFilter(func(_ *call, f wholeFilter) (any, error) { return filterOf(f), nil })),
		post("/api/v2/filters", write, createFilter).note(needs),
		put("/api/v2/filters/:id", write, ofFilter(changeFilter)).note(needs),
		remove("/api/v2/filters/:id", write, ofFilter(func(c *call, f wholeFilter) (any, error) {
			return nil, c.removeFilter(f)
		})),
		get("/api/v2/filters/:id/keywords", read, ofFilter(func(_ *call, f wholeFilter) (any, error) {
			return filterOf(f).Keywords, nil
		})),
		post("/api/v2/filters/:id/keywords", write, ofFilter(addKeyword)),
		get("/api/v2/filters/keywords/:id", read, ofKeyword(func(_ *call, f wholeFilter, at int) (any, error) {
			return filterOf(f).Keywords[at], nil
		})),
		put("/api/v2/filters/keywords/:id", write, ofKeyword(changeKeyword)),
		remove("/api/v2/filters/keywords/:id", write, ofKeyword(removeKeyword)).note("the last one takes its filter with it"),
		get("/api/v2/filters/:id/statuses", read, none).off(noPosts),
		post("/api/v2/filters/:id/statuses", write, func(*call) (any, error) {
			return nil, invalid("a filter has keywords, and no statuses")
		}).off(noPosts),
		get("/api/v2/filters/statuses/:id", read, absent).off(noPosts),
		remove("/api/v2/filters/statuses/:id", write, absent).off(noPosts),
	}, filterV1Methods()...)
}

// allFilters reads the caller's filters, the oldest first.
//
// Cost: that of GET /v1/users/me/filters.
func (c *call) allFilters() ([]wholeFilter, error) {
	var found page[wholeFilter]
	err := c.get(filtersPath, nil, &found)
	return found.Items, err
}

// filterOf makes the entity of a filter.
func filterOf(f wholeFilter) Filter {
	is := Filter{ID: f.ID, Title: f.Title, Context: each(f.Contexts, contextName), FilterAction: string(f.Action),
		Statuses: []any{}, Keywords: each(f.Keywords, func(k wholeKeyword) FilterKeyword {
			return FilterKeyword{f.keywordID(k), k.Keyword, k.WholeWord}
		})}
	if f.ExpiresAt != nil {
		is.ExpiresAt = stamp(*f.ExpiresAt)
	}
	return is
}

// filterResult makes the entity of a filter that a post matches.
func filterResult(f nativeFilter) FilterResult {
	is := FilterResult{Filter: FilterName{ID: f.FilterID, Title: f.Title, FilterAction: string(f.Action),
		Context: each(f.Contexts, contextName)}, KeywordMatches: []string{f.Keyword}, StatusMatches: []string{}}
	if f.ExpiresAt != nil {
		is.Filter.ExpiresAt = stamp(*f.ExpiresAt)
	}
	return is
}

// keywordID is the id of a keyword of the filter.
func (f wholeFilter) keywordID(k wholeKeyword) string { return f.ID + "." + k.ID }

// keywordAt is the place of the keyword of an id; -1 for none.
func (f wholeFilter) keywordAt(id string) int {
	return slices.IndexFunc(f.Keywords, func(k wholeKeyword) bool { return f.keywordID(k) == id })
}

func contextName(c model.FilterContext) string {
	if c == model.FilterProfile {
		return "account"
	}
	return string(c)
}

// contexts reads the contexts of a filter.
func (c *call) contexts() (all []model.FilterContext, err error) {
	for _, name := range unique(c.params.texts("context")) {
		is := model.FilterContext(name)
		if name == "account" {
			is = model.FilterProfile
		}
		if !slices.Contains([]model.FilterContext{model.FilterHome, model.FilterNotifications, model.FilterPublic,
			model.FilterThread, model.FilterProfile}, is) {
			return nil, invalid("context[] has home, notifications, public, thread or account")
		}
		all = append(all, is)
	}
	return all, nil
}

// filterAttempts is how often a filter is read and written again that others change at the same time, as apps do that
// add several keywords at once.
const filterAttempts = 10

// untilUnchanged repeats a method of filters that others changed since it read them.
func untilUnchanged(do func(*call) (any, error)) func(*call) (any, error) {
	return func(c *call) (is any, err error) {
		for range filterAttempts {
			if is, err = do(c); err == nil || server.CodeOf(err) != "filter_changed" {
				break
			}
		}
		return is, err
	}
}

// ofFilter makes a method of the filter that the path names.
func ofFilter(do func(*call, wholeFilter) (any, error)) func(*call) (any, error) {
	return untilUnchanged(func(c *call) (any, error) {
		all, err := c.allFilters()
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(f wholeFilter) bool { return f.ID == c.path("id") })
		if i < 0 {
			return nil, notHere()
		}
		return do(c, all[i])
	})
}

// ofKeyword makes a method of the keyword that the path names.
func ofKeyword(do func(*call, wholeFilter, int) (any, error)) func(*call) (any, error) {
	return untilUnchanged(func(c *call) (any, error) {
		all, err := c.allFilters()
		if err != nil {
			return nil, err
		}
		id := c.path("id")
		for _, f := range all {
			if i := f.keywordAt(id); i >= 0 {
				return do(c, f, i)
			}
		}
		return nil, notHere()
	})
}

// expiry sets when a filter ends, if the request says so.
func (c *call) expiry(f *wholeFilter) error {
	if _, ok := c.params["expires_in"]; !ok {
		return nil
	}
	if f.ExpiresAt = nil; c.params.text("expires_in") == "" {
		return nil
	}
	seconds, ok := whole(c.params.text("expires_in"))
	if !ok || seconds < 0 || seconds > maxExpiry {
		return invalid("expires_in has seconds, at most %d", maxExpiry)
	}
	if seconds > 0 {
		f.ExpiresAt = new(time.Now().Add(time.Duration(seconds) * time.Second).UTC().Truncate(time.Millisecond))
	}
	return nil
}

// fill puts what a request says into a filter.
func (c *call) fill(f *wholeFilter) error {
	if c.params.has("title") {
		f.Title = c.params.text("title")
	}
	if c.params.has("context") {
		var err error
		if f.Contexts, err = c.contexts(); err != nil {
			return err
		}
	}
	switch action := c.params.text("filter_action"); action {
	case "":
	case "hide":
		f.Action = model.FilterHide
	case "warn", "blur":
		f.Action = model.FilterWarn
	default:
		return invalid("filter_action is warn, hide or blur")
	}
	for _, k := range c.params.objects("keywords_attributes") {
		if err := f.change(k); err != nil {
			return err
		}
	}
	return c.expiry(f)
}

// change adds, changes or removes a keyword.
func (f *wholeFilter) change(k params) error {
	at := -1
	if id := k.text("id"); id != "" {
		if at = f.keywordAt(id); at < 0 {
			return notHere()
		}
	}
	if k.flag("_destroy") {
		if at >= 0 {
			f.Keywords = slices.Delete(f.Keywords, at, at+1)
		}
		return nil
	}
	_, err := f.putKeyword(at, k)
	return err
}

// putKeyword adds a keyword, or replaces one, and returns its place. A keyword is in a filter once.
func (f *wholeFilter) putKeyword(at int, k params) (int, error) {
	var is wholeKeyword
	if at >= 0 {
		is = f.Keywords[at]
	}
	if k.has("keyword") {
		is.Keyword = k.text("keyword")
	}
	if k.has("whole_word") {
		is.WholeWord = k.flag("whole_word")
	}
	if strings.TrimSpace(is.Keyword) == "" {
		return 0, invalid("a keyword is missing")
	}
	if at < 0 {
		at = len(f.Keywords)
		f.Keywords = append(f.Keywords, wholeKeyword{})
	}
	f.Keywords[at] = is
	for i, other := range f.Keywords {
		if i != at && other.Keyword == is.Keyword {
			f.Keywords = slices.Delete(f.Keywords, i, i+1)
			if i < at {
				at--
			}
			break
		}
	}
	return at, nil
}

// putFilter writes a filter, and returns it as it is then. One that has changed since it was read is filter_changed.
func (c *call) putFilter(f wholeFilter) (is wholeFilter, err error) {
	switch {
	case f.Title == "":
		return is, invalid("title is missing")
	case len(f.Contexts) == 0:
		return is, invalid("context[] is missing")
	case len(f.Keywords) == 0:
		return is, invalid("keywords_attributes[][keyword] is missing: a filter has at least one")
	}
	id, as := f.ID, f.asRead()
	f.ID, f.Version = "", ""
	err = c.do(http.MethodPut, native("users", "me", "filters", id), as, f, &is)
	return is, err
}

// removeFilter removes a filter. One that has changed since it was read is filter_changed.
func (c *call) removeFilter(f wholeFilter) error {
	return c.do(http.MethodDelete, native("users", "me", "filters", f.ID), f.asRead(), nil, nil)
}

// asRead is the header of a request that changes a filter as it was read.
func (f wholeFilter) asRead() http.Header {
	if f.Version == "" {
		return nil
	}
	return http.Header{"If-Match": {`"` + f.Version + `"`}}
}

// newFilterID is the id of a new filter.
func newFilterID() string { return strings.ToLower(rand.Text()) }

func createFilter(c *call) (any, error) {
	f := wholeFilter{ID: newFilterID(), Action: model.FilterWarn}
	if err := c.fill(&f); err != nil {
		return nil, err
	}
	f, err := c.putFilter(f)
	return filterOf(f), err
}

func changeFilter(c *call, f wholeFilter) (any, error) {
	if err := c.fill(&f); err != nil {
		return nil, err
	}
	f, err := c.putFilter(f)
	return filterOf(f), err
}

// answerKeyword adds or replaces a keyword, and answers with it.
func (c *call) answerKeyword(f wholeFilter, at int) (any, error) {
	at, err := f.putKeyword(at, c.params)
	if err != nil {
		return nil, err
	}
	if f, err = c.putFilter(f); err != nil {
		return nil, err
	}
	return filterOf(f).Keywords[at], nil
}

func addKeyword(c *call, f wholeFilter) (any, error) { return c.answerKeyword(f, -1) }

func changeKeyword(c *call, f wholeFilter, at int) (any, error) { return c.answerKeyword(f, at) }

// removeKeyword removes a keyword, and a filter that has no other.
func removeKeyword(c *call, f wholeFilter, at int) (any, error) {
	if len(f.Keywords) == 1 {
		return nil, c.removeFilter(f)
	}
	f.Keywords = slices.Delete(f.Keywords, at, at+1)
	_, err := c.putFilter(f)
	return nil, err
}
