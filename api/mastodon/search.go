package mastodon

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Search is what a search finds.
type Search struct {
	Accounts []*Account `json:"accounts"`
	Statuses []*Status  `json:"statuses"`
	Hashtags any        `json:"hashtags"`
}

// foundPost is a post that a search of the native API finds.
type foundPost = *nativeTweet

func searchMethods() []Method {
	const scopes = "read read:search"
	const differs = "names and hashtags are found by their beginning; max_id, min_id and exclude_unreviewed are ignored"
	return []Method{
		get("/api/v2/search", scopes, func(c *call) (any, error) {
			s, err := c.search()
			return s, err
		}).public().note(differs),
		get("/api/v1/search", scopes, func(c *call) (any, error) {
			s, err := c.search()
			if err != nil {
				return nil, err
			}
			tags, _ := s.Hashtags.([]*Tag)
			s.Hashtags = each(tags, func(t *Tag) string { return t.Name })
			return s, nil
		}).note(differs),
	}
}

// search finds people, posts and hashtags. The address of a person or a post finds that alone.
//
// Cost: that of [call.peopleNamed], [call.postsWith] and [call.tagsNamed]; of an address, that of what it finds.
func (c *call) search() (*Search, error) {
	q, kind := strings.TrimSpace(c.params.text("q")), c.params.text("type")
	s := &Search{Accounts: []*Account{}, Statuses: []*Status{}, Hashtags: []*Tag{}}
	if q == "" {
		return nil, invalid("q is missing")
	}
	if kind != "" && !slices.Contains([]string{"accounts", "statuses", "hashtags"}, kind) {
		return nil, invalid("type is accounts, statuses or hashtags")
	}
	limit, offset := c.limit(usualPage, maxPage), 0
	if kind != "" {
		offset = c.offset()
	}
	if strings.HasPrefix(q, "https://") || strings.HasPrefix(q, "http://") {
		if offset > 0 {
			return s, nil
		}
		return s, c.resolve(s, q, kind)
	}
	var err error
	if kind == "" && c.params.text("account_id") == "" || kind == "accounts" {
		if s.Accounts, err = c.peopleNamed(q, offset, limit); err != nil {
			return nil, err
		}
	}
	if kind == "" || kind == "statuses" {
		if s.Statuses, err = c.postsWith(q, offset, limit); err != nil {
			return nil, err
		}
	}
	if kind == "" || kind == "hashtags" {
		if s.Hashtags, err = c.tagsNamed(q, offset, limit); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// postsWith finds posts by what they have. A query that Hibana does not understand finds none.
//
// Cost: that of GET /v1/search/tweets, mostPages at most, and of [call.statuses].
func (c *call) postsWith(q string, offset, limit int) ([]*Status, error) {
	typed, err := c.translated(q)
	if isGone(err) {
		return []*Status{}, nil // by nobody
	}
	if err != nil {
		return nil, err
	}
	found, err := walked[foundPost](c, "/v1/search/tweets", url.Values{"q": {typed}, "format": {"html"}}, offset, limit)
	if isBad(err) {
		return []*Status{}, nil
	}
	if err != nil {
		return nil, err
	}
	return c.statuses(each(found, func(t foundPost) entry { return entry{id: t.ID, tweet: t} }))
}

// translated writes the operators of Mastodon as those of Hibana: from:me, from:@name, before:, after: and during:. in:
// is left out, because a search finds public posts alone.
//
// Cost: 2 reads for from:me and account_id.
func (c *call) translated(q string) (string, error) {
	var all []string
	names := map[string]string{} // by id: a text may say from:me any number of times
	by := func(id string) error {
		if names[id] == "" {
			var u nativeUser
			if err := c.get(native("users", id), nil, &u); err != nil {
				return err
			}
			names[id] = u.Username
		}
		all = append(all, "from:"+names[id])
		return nil
	}
	if id := c.params.text("account_id"); id != "" {
		if err := by(id); err != nil {
			return "", err
		}
	}
	for word := range strings.FieldsSeq(q) {
		name, value, _ := strings.Cut(word, ":")
		switch {
		case word == "from:me":
			if err := by("me"); err != nil {
				return "", err
			}
		case name == "from":
			value = strings.TrimPrefix(value, "@")
			if local, ok := c.site().Local(value); ok {
				value = local
			}
			all = append(all, "from:"+c.site().Username(value))
		case name == "before":
			all = append(all, "until:"+value)
		case name == "after":
			all = append(all, "since:"+dayAfter(value))
		case name == "during":
			all = append(all, "since:"+value, "until:"+dayAfter(value))
		case name == "in" && value != "":
		default:
			all = append(all, word)
		}
	}
	return strings.Join(all, " "), nil
}

// dayAfter is the day that follows on a day; a text that is no day stays as it is.
func dayAfter(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return date(t.AddDate(0, 0, 1))
}

// knownTags is how many of the most used tags a search for tags looks at.
const knownTags = 100

// tagsNamed finds the tag with a name, and among those that are used most the ones that begin so.
//
// Cost: that of GET /v1/tags/{tag} and GET /v1/tags, whose first page callers share.
func (c *call) tagsNamed(q string, offset, limit int) ([]*Tag, error) {
	key, err := model.NormalizeTag(strings.TrimPrefix(q, "#"))
	if err != nil {
		return []*Tag{}, nil // no tag can be so
	}
	var all []nativeTag
	var exact nativeTag
	switch err := c.get(native("tags", key), nil, &exact); {
	case err == nil:
		all = append(all, exact)
	case !isGone(err):
		return nil, err
	}
	var most page[nativeTag]
	if err := c.get("/v1/tags", url.Values{"pageSize": {strconv.Itoa(knownTags)}}, &most); err != nil {
		return nil, err
	}
	for _, t := range most.Items {
		if strings.HasPrefix(t.Name, key) && t.Name != key {
			all = append(all, t)
		}
	}
	return each(part(all, offset, limit), func(t nativeTag) *Tag {
		t.UseCount = 0
		return c.tag(t)
	}), nil
}

// resolve finds the person or post of an address: of this service, or with resolve of another server, which is asked.
// Without either s stays as it is.
func (c *call) resolve(s *Search, address, kind string) error {
	if c.site().Has(address) {
		err := c.local(s, address, kind)
		if isGone(err) || isBad(err) {
			return nil
		}
		return err
	}
	if !c.params.flag("resolve") || c.caller().UID == "" {
		return nil
	}
	query := url.Values{"q": {address}, "resolve": {"true"}, "format": {"html"}}
	if kind == "" || kind == "accounts" {
		var found page[struct{ ID model.UserID }]
		err := c.get("/v1/search/users", query, &found)
		if err != nil && !isBad(err) {
			return err
		}
		ids := each(found.Items, func(u struct{ ID model.UserID }) model.UserID { return u.ID })
		if s.Accounts, err = c.accountsOf(ids); err != nil || len(ids) > 0 {
			return err
		}
	}
	if kind == "" || kind == "statuses" {
		var found page[foundPost]
		err := c.get("/v1/search/tweets", query, &found)
		if err != nil && !isBad(err) {
			return err
		}
		s.Statuses, err = c.statuses(each(found.Items, func(t foundPost) entry { return entry{id: t.ID, tweet: t} }))
		return err
	}
	return nil
}

// local finds the person or post of an address of this service: that of a page, or of the fediverse.
func (c *call) local(s *Search, address, kind string) error {
	at, err := url.Parse(address)
	if err != nil {
		return errs.New(errs.Invalid, "invalid_request", "not an address")
	}
	first, rest, _ := strings.Cut(strings.Trim(at.Path, "/"), "/")
	post, user := "", ""
	switch name, page := strings.CutPrefix(first, "@"); {
	case page && rest != "":
		post = rest
	case page:
		u, err := c.named(name)
		if err != nil {
			return err
		}
		user = string(u.ID)
	case first == "posts" || first == "tweets":
		post = rest
	case first == "users":
		user = rest
	}
	if post != "" && kind != "accounts" && kind != "hashtags" {
		id, err := model.ParseTweetID(post)
		if err != nil {
			return err
		}
		status, err := c.fullStatus(id)
		if err != nil {
			return err
		}
		s.Statuses = []*Status{status}
	}
	if user != "" && kind != "statuses" && kind != "hashtags" {
		a, err := c.fullAccount(user)
		if err != nil {
			return err
		}
		s.Accounts = []*Account{a}
	}
	return nil
}
