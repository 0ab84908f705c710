package mastodon

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/hibana-sns/hibana/model"
)

// Suggestion is somebody whom the caller may want to follow.
type Suggestion struct {
	Source  string   `json:"source"`
	Sources []string `json:"sources"`
	Account *Account `json:"account"`
}

type nativeSuggestion struct {
	User struct {
		ID model.UserID `json:"id"`
	} `json:"user"`
	Reason struct {
		FollowedBy []struct{} `json:"followedBy"`
		Tags       []string   `json:"tags"`
	} `json:"reason"`
}

// maxSuggested is how many people are suggested at most.
const maxSuggested = 20

func suggestionMethods() []Method {
	return []Method{
		get("/api/v2/suggestions", "read read:accounts", suggestions).note("at most 20"),
		get("/api/v1/suggestions", "read read:accounts", func(c *call) (any, error) {
			all, err := c.suggestions()
			return each(all, func(s Suggestion) *Account { return s.Account }), err
		}).note("at most 20"),
		remove("/api/v1/suggestions/:id", "write write:accounts", func(c *call) (any, error) {
			return nil, c.send(http.MethodDelete, native("suggestions", c.path("id")), nil, nil)
		}).note("with read alone, as the documentation has it, an app changes nothing"),
		get("/api/v1/directory", "read read:accounts", directory).public().
			note("active has those with the most followers first; users of other servers are in no directory"),
	}
}

func suggestions(c *call) (any, error) { return c.suggestions() }

// suggestions lists people whom the caller may want to follow.
//
// Cost: that of GET /v1/suggestions, and that of [call.accounts].
func (c *call) suggestions() ([]Suggestion, error) {
	var found page[nativeSuggestion]
	query := url.Values{"limit": {strconv.Itoa(c.limit(maxSuggested, maxSuggested))}}
	if err := c.get("/v1/suggestions", query, &found); err != nil {
		return nil, err
	}
	accounts, err := c.accounts(each(found.Items, func(s nativeSuggestion) model.UserID { return s.User.ID }))
	all := []Suggestion{}
	for _, s := range found.Items {
		is := Suggestion{Source: "global", Sources: []string{}, Account: accounts[s.User.ID]}
		if len(s.Reason.FollowedBy) > 0 {
			is.Sources = append(is.Sources, "friends_of_friends")
		}
		if len(s.Reason.Tags) > 0 {
			is.Sources = append(is.Sources, "similar_to_recently_followed")
		}
		if len(is.Sources) == 0 {
			is.Sources = []string{"most_followed"}
		}
		if is.Account != nil {
			all = append(all, is)
		}
	}
	return all, err
}

// directory lists the people who want to be found.
func directory(c *call) (any, error) {
	order := "popular"
	if c.params.text("order") == "new" {
		order = "new"
	}
	found, err := walked[struct{ ID model.UserID }](c, "/v1/directory", url.Values{"order": {order}}, c.offset(),
		c.limit(usualPeople, maxPeople))
	if err != nil {
		return nil, err
	}
	return c.accountsOf(each(found, func(u struct{ ID model.UserID }) model.UserID { return u.ID }))
}
