package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
)

// Bounds of a user's filters. MaxFilterBytes is the largest size of all titles and keywords together in UTF-8, so that
// the user's document of the graph, which has a copy, stays below 1 MiB.
const (
	MaxFilters        = 50
	MaxFilterKeywords = 500 // of all filters of a user
	MaxFilterTitle    = 100
	MaxFilterKeyword  = 100
	MaxFilterBytes    = 50_000
	maxFilterID       = 40
	keywordIDBytes    = 8 // of the id of a keyword
)

// FilterContext is a kind of list in which a filter acts.
type FilterContext string

// The contexts of filters.
const (
	FilterHome          FilterContext = "home" // the home timeline, and timelines of lists of people
	FilterNotifications FilterContext = "notifications"
	FilterPublic        FilterContext = "public" // the public timeline, tags, search and trends
	FilterThread        FilterContext = "thread" // threads, replies and quotes
	FilterProfile       FilterContext = "profile"
)

// FilterContexts are all contexts.
var FilterContexts = []FilterContext{FilterHome, FilterNotifications, FilterPublic, FilterThread, FilterProfile}

// FilterAction is what a filter does with a tweet.
type FilterAction string

// The actions of filters.
const (
	FilterHide FilterAction = "hide" // lists leave the tweet out
	FilterWarn FilterAction = "warn" // the tweet names the filter, and clients fold it
)

// Filters has a user's filters by their ids: filters/{uid}. A user who never had a filter has no document,
// and one who removed the last has an empty one.
type Filters struct {
	Filters map[string]Filter `firestore:"filters,omitempty"`
}

// Filter hides tweets with one of its keywords, or warns of them.
type Filter struct {
	Title    string          `firestore:"title"`
	Contexts []FilterContext `firestore:"contexts"` // sorted
	Action   FilterAction    `firestore:"action"`
	// zero for a filter without an end; an ended filter stays, and does nothing
	ExpiresAt time.Time       `firestore:"expiresAt,omitempty"`
	Keywords  []FilterKeyword `firestore:"keywords"`
	CreatedAt time.Time       `firestore:"createdAt"`
}

// FilterKeyword is a text that tweets may have. A keyword that begins with # is a tag: it matches the tag alone.
type FilterKeyword struct {
	Keyword   string `firestore:"keyword"`
	WholeWord bool   `firestore:"wholeWord"`
	ID        string `firestore:"id,omitempty"` // empty if it follows from the text, see [FilterKeyword.Name]
}

// Name is the id of a keyword, 16 hexadecimal digits. No other keyword of the filter has it, and it stays when the text
// changes.
func (k FilterKeyword) Name() string {
	if k.ID != "" {
		return k.ID
	}
	return keywordID(k.Keyword, 0)
}

// keywordID is an id that follows from a text: the first one, or a further one where others are taken.
func keywordID(text string, n int) string {
	if n > 0 {
		text += "\x00" + strconv.Itoa(n)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:keywordIDBytes])
}

// parseKeywordID checks the id of a keyword.
func parseKeywordID(id string) error {
	if b, err := hex.DecodeString(id); err != nil || len(b) != keywordIDBytes || id != strings.ToLower(id) {
		return errs.New(errs.Invalid, "invalid_filter", "the id of a keyword is %d lower-case hexadecimal digits",
			2*keywordIDBytes)
	}
	return nil
}

// named gives the keywords of a filter that have no id one: that which the same text had, or a new one.
func named(keywords, was []FilterKeyword) []FilterKeyword {
	all, taken := slices.Clone(keywords), map[string]bool{}
	for _, k := range all {
		taken[k.ID] = true
	}
	take := func(k *FilterKeyword, id string) {
		if k.ID == "" && !taken[id] {
			k.ID, taken[id] = id, true
		}
	}
	for i := range all {
		for _, old := range was {
			if old.Keyword == all[i].Keyword {
				take(&all[i], old.Name())
			}
		}
	}
	for i := range all {
		for n := 0; all[i].ID == ""; n++ {
			take(&all[i], keywordID(all[i].Keyword, n))
		}
	}
	for i := range all {
		if all[i].ID == keywordID(all[i].Keyword, 0) {
			all[i].ID = ""
		}
	}
	return all
}

// ParseFilterID checks the id of a filter, which its client chooses: 1 to 40 letters, digits, - and _ of ASCII.
func ParseFilterID(id string) (string, error) {
	other := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	if id == "" || len(id) > maxFilterID || strings.ContainsFunc(id, other) || strings.HasPrefix(id, "__") {
		return "", errs.New(errs.Invalid, "invalid_filter", "the id of a filter has 1 to %d letters, digits, - and _",
			maxFilterID)
	}
	return id, nil
}

// Clean returns a filter in the form in which it is kept. A filter that breaks a rule is errs.Invalid.
func (f Filter) Clean() (Filter, error) {
	invalid := func(format string, args ...any) (Filter, error) {
		return Filter{}, errs.New(errs.Invalid, "invalid_filter", format, args...)
	}
	var err error
	if f.Title, err = cleanText("the title of the filter", strings.TrimSpace(f.Title), MaxFilterTitle); err != nil {
		return Filter{}, err
	}
	if f.ExpiresAt, err = KeptTime("invalid_filter", "expiresAt", f.ExpiresAt); err != nil {
		return Filter{}, err
	}
	f.Contexts = slices.Compact(slices.Sorted(slices.Values(f.Contexts)))
	for _, c := range f.Contexts {
		if !slices.Contains(FilterContexts, c) {
			return invalid("%q is no context of a filter", Snippet(string(c), maxQuoted))
		}
	}
	switch {
	case !hasVisible(f.Title):
		return invalid("a filter needs a title")
	case len(f.Contexts) == 0:
		return invalid("a filter needs a context")
	case f.Action != FilterHide && f.Action != FilterWarn:
		return invalid("the action of a filter is hide or warn")
	case len(f.Keywords) == 0:
		return invalid("a filter needs a keyword")
	case len(f.Keywords) > MaxFilterKeywords:
		return invalid("a user's filters have at most %d keywords", MaxFilterKeywords)
	}
	f.Keywords = slices.Clone(f.Keywords)
	seen := map[string]bool{}
	for i, k := range f.Keywords {
		if k.ID != "" {
			if err := parseKeywordID(k.ID); err != nil {
				return Filter{}, err
			}
			if seen[k.ID] {
				return invalid("two keywords have the id %s", k.ID)
			}
			seen[k.ID] = true
		}
		if k.Keyword, err = cleanText("a keyword", strings.TrimSpace(k.Keyword), MaxFilterKeyword); err != nil {
			return Filter{}, err
		}
		folded := k.fold()
		if key, fit := words.Tag(folded.text); folded.tag && (!fit || key != folded.text) {
			return invalid("the keyword %q begins with #, and is no tag", k.Keyword)
		}
		if folded.text == "" {
			return invalid("the keyword %q shows nothing", k.Keyword)
		}
		f.Keywords[i] = k
	}
	return f, nil
}

// Put adds or replaces a filter, and returns whether that changes anything. A replaced filter keeps its CreatedAt, and
// a keyword without an id keeps the one that the same text had. More than [MaxFilters],
// [MaxFilterKeywords] or [MaxFilterBytes] are errs.Conflict.
func (fs *Filters) Put(id string, f Filter) (changed bool, err error) {
	was, there := fs.Filters[id]
	f.Keywords = named(f.Keywords, was.Keywords)
	if there {
		if f.CreatedAt = was.CreatedAt; was.equal(f) {
			return false, nil
		}
	}
	all := maps.Clone(fs.Filters)
	if all == nil {
		all = map[string]Filter{}
	}
	all[id] = f
	keywords, bytes := 0, 0
	for _, f := range all {
		bytes += len(f.Title)
		keywords += len(f.Keywords)
		for _, k := range f.Keywords {
			bytes += len(k.Keyword)
		}
	}
	switch {
	case len(all) > MaxFilters:
		err = errs.New(errs.Conflict, "too_many_filters", "a user has at most %d filters", MaxFilters)
	case keywords > MaxFilterKeywords:
		err = errs.New(errs.Conflict, "too_many_filters", "a user's filters have at most %d keywords", MaxFilterKeywords)
	case bytes > MaxFilterBytes:
		err = errs.New(errs.Conflict, "too_many_filters", "the titles and keywords of a user's filters have at most %d bytes",
			MaxFilterBytes)
	default:
		fs.Filters = all
	}
	return err == nil, err
}

func (f Filter) equal(o Filter) bool {
	return f.Title == o.Title && f.Action == o.Action && slices.Equal(f.Contexts, o.Contexts) &&
		f.ExpiresAt.Equal(o.ExpiresAt) && slices.Equal(f.Keywords, o.Keywords) && f.CreatedAt.Equal(o.CreatedAt)
}

// EqualFilters reports whether two users' filters are the same.
func EqualFilters(a, b map[string]Filter) bool { return maps.EqualFunc(a, b, Filter.equal) }

// Version names what the filter says, with 16 hexadecimal digits: a filter that says something else has another one.
func (f Filter) Version() string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%q %q %q %d", f.Title, f.Contexts, f.Action, f.ExpiresAt.UnixMicro())
	for _, k := range f.Keywords {
		_, _ = fmt.Fprintf(sum, " %q %t %s", k.Keyword, k.WholeWord, k.Name())
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// In returns an error if the user's filter of an id is in none of some versions. Without versions each one will do.
func (fs *Filters) In(id string, versions []string) error {
	f, there := fs.Filters[id]
	if len(versions) == 0 || there && slices.Contains(versions, f.Version()) {
		return nil
	}
	return errs.New(errs.Outdated, "filter_changed", "filter %q was changed or removed since you read it", id)
}

// IDs are the ids of the filters, the oldest filter first.
func (fs *Filters) IDs() []string {
	ids := slices.Sorted(maps.Keys(fs.Filters))
	slices.SortStableFunc(ids, func(a, b string) int {
		return fs.Filters[a].CreatedAt.Compare(fs.Filters[b].CreatedAt)
	})
	return ids
}

// FilterText is what a filter sees of a tweet.
type FilterText struct {
	Texts []string // the text or its beginning, the content warning, and the options of a poll
	Tags  []string
}

// FilterHit says which filter a tweet matches, and by which of its keywords, as the user typed it.
type FilterHit struct {
	FilterID string       `json:"filterId"`
	Title    string       `json:"title"`
	Action   FilterAction `json:"action"`
	Keyword  string       `json:"keyword"`

	Contexts  []FilterContext `json:"contexts"`
	ExpiresAt *time.Time      `json:"expiresAt,omitempty"` // nil for a filter without an end
}

// Matcher finds the filters that tweets match. It is made for one time, and may be used concurrently.
type Matcher struct{ filters []matching }

type matching struct {
	hit      FilterHit
	contexts []FilterContext
	keywords func() []matchingKeyword // folded when a text is first compared with them
}

type matchingKeyword struct {
	typed, text string // text is folded
	whole, tag  bool
}

// Matcher returns the filters that have not ended at a time.
func (fs *Filters) Matcher(at time.Time) *Matcher {
	m := &Matcher{}
	for _, id := range fs.IDs() {
		f := fs.Filters[id]
		if !f.ExpiresAt.IsZero() && !at.Before(f.ExpiresAt) {
			continue
		}
		hit := FilterHit{FilterID: id, Title: f.Title, Action: f.Action, Contexts: f.Contexts}
		if !f.ExpiresAt.IsZero() {
			hit.ExpiresAt = &f.ExpiresAt
		}
		m.filters = append(m.filters, matching{hit, f.Contexts, sync.OnceValue(f.fold)})
	}
	return m
}

// fold returns the filter's keywords in the form in which they are compared, each once.
func (f Filter) fold() (all []matchingKeyword) {
	seen := map[matchingKeyword]bool{}
	for _, k := range f.Keywords {
		if folded := k.fold(); !seen[folded] {
			seen[folded] = true
			folded.typed = k.Keyword
			all = append(all, folded)
		}
	}
	return all
}

// fold returns the form in which keywords are compared, without what the user typed. Invisible characters and spaces
// around the keyword make no difference.
func (k FilterKeyword) fold() matchingKeyword {
	shown := strings.TrimSpace(words.Shown(k.Keyword))
	if tag := words.TrimHash(shown); tag != shown {
		return matchingKeyword{text: words.Fold(tag), tag: true}
	}
	return matchingKeyword{text: words.Fold(shown), whole: k.WholeWord}
}

// Acts reports whether a filter acts in a context.
func (m *Matcher) Acts(in FilterContext) bool {
	return m != nil && slices.ContainsFunc(m.filters, func(f matching) bool { return slices.Contains(f.contexts, in) })
}

// Hides reports whether a filter hides tweets in a context.
func (m *Matcher) Hides(in FilterContext) bool {
	return m != nil && slices.ContainsFunc(m.filters, func(f matching) bool {
		return f.hit.Action == FilterHide && slices.Contains(f.contexts, in)
	})
}

// Match returns the filters that a text matches in a context, the oldest filter first, each with its first keyword that
// the text has.
func (m *Matcher) Match(text FilterText, in FilterContext) (hits []FilterHit) {
	if !m.Acts(in) {
		return nil
	}
	texts, tags := foldEach(text.Texts, words.TextOf), foldEach(text.Tags, words.Fold)
	for _, f := range m.filters {
		if !slices.Contains(f.contexts, in) {
			continue
		}
		for _, k := range f.keywords() {
			has := k.tag && slices.Contains(tags, k.text) || !k.tag && slices.ContainsFunc(texts, func(text *words.Text) bool {
				return text.Contains(k.text, k.whole)
			})
			if has {
				hit := f.hit
				hit.Keyword = k.typed
				hits = append(hits, hit)
				break
			}
		}
	}
	return hits
}

func foldEach[F any](texts []string, fold func(string) F) []F {
	folded := make([]F, len(texts))
	for i, text := range texts {
		folded[i] = fold(text)
	}
	return folded
}

// Hidden reports whether one of some filters hides.
func Hidden(hits []FilterHit) bool {
	return slices.ContainsFunc(hits, func(h FilterHit) bool { return h.Action == FilterHide })
}

// FilterText is what filters see of a tweet in a list: the first [MaxSnippet] characters of its text.
func (t *Tweet) FilterText() FilterText {
	text := FilterText{Texts: []string{t.Snippet, t.Summary}, Tags: t.TagNames()}
	if t.Poll != nil {
		text.Texts = append(text.Texts, t.Poll.Options...)
	}
	return text
}

// FilterText is what filters see of a tweet in the list of its author. A preview has no poll.
func (p *TweetPreview) FilterText() FilterText {
	return FilterText{Texts: []string{p.Snippet, p.Summary}, Tags: p.Tags}
}
