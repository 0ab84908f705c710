package mastodon

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// NotificationPolicy is the entity of what becomes of notifications of people whom the caller may not know.
type NotificationPolicy struct {
	NotFollowing    string        `json:"for_not_following"` // accept, filter or drop
	NotFollowers    string        `json:"for_not_followers"`
	NewAccounts     string        `json:"for_new_accounts"`
	PrivateMentions string        `json:"for_private_mentions"`
	LimitedAccounts string        `json:"for_limited_accounts"`
	Summary         PolicySummary `json:"summary"`
}

// PolicySummary counts what a policy filtered.
type PolicySummary struct {
	Requests      int `json:"pending_requests_count"`
	Notifications int `json:"pending_notifications_count"`
}

// PolicyV1 is the form of a policy in the first version.
type PolicyV1 struct {
	NotFollowing    bool          `json:"filter_not_following"`
	NotFollowers    bool          `json:"filter_not_followers"`
	NewAccounts     bool          `json:"filter_new_accounts"`
	PrivateMentions bool          `json:"filter_private_mentions"`
	Summary         PolicySummary `json:"summary"`
}

// NotificationRequest is the entity of what a policy filtered of a sender.
type NotificationRequest struct {
	ID         string   `json:"id"`
	CreatedAt  stamp    `json:"created_at"`
	UpdatedAt  stamp    `json:"updated_at"`
	Account    *Account `json:"account"`
	Count      string   `json:"notifications_count"`
	LastStatus *Status  `json:"last_status"`
}

type nativePolicy struct {
	NotFollowed     *string `json:"notFollowed,omitempty"`
	NotFollowers    *string `json:"notFollowers,omitempty"`
	NewAccounts     *string `json:"newAccounts,omitempty"`
	PrivateMentions *string `json:"privateMentions,omitempty"`
}

type nativeRequest struct {
	User   struct{ ID model.UserID } `json:"user"`
	Events []struct {
		TweetID model.TweetID `json:"tweetId"`
		At      time.Time     `json:"at"`
	} `json:"events"`
	LastAt time.Time `json:"lastAt"`
}

const (
	policyPath   = "/v1/users/me/settings/notificationPolicy"
	requestsPath = "/v1/users/me/notificationRequests"
)

func notificationRequestMethods() []Method {
	const read, write = "read read:notifications", "write write:notifications"
	const limited = "for_limited_accounts is accept: an account is visible or not"
	return []Method{
		get("/api/v1/notifications/policy", read, func(c *call) (any, error) { return c.policy(policyV1) }),
		patch("/api/v1/notifications/policy", write, func(c *call) (any, error) {
			p := nativePolicy{c.filters("filter_not_following"), c.filters("filter_not_followers"),
				c.filters("filter_new_accounts"), c.filters("filter_private_mentions")}
			return c.changePolicy(p, policyV1)
		}),
		get("/api/v2/notifications/policy", read, func(c *call) (any, error) { return c.policy(policyV2) }).note(limited),
		patch("/api/v2/notifications/policy", write, func(c *call) (any, error) {
			p, err := c.policyPatch()
			if err != nil {
				return nil, err
			}
			return c.changePolicy(p, policyV2)
		}).note(limited),
		get("/api/v1/notifications/requests", read, notificationRequests),
		get("/api/v1/notifications/requests/merged", read, func(*call) (any, error) {
			return map[string]bool{"merged": true}, nil
		}).note("always true: accepted notifications come within seconds"),
		get("/api/v1/notifications/requests/:id", read, oneRequest),
		post("/api/v1/notifications/requests/accept", write, ofRequests((*call).acceptRequest, maxAccepted)).
			note("at most 10 at once, because each of their notifications is written"),
		post("/api/v1/notifications/requests/dismiss", write, ofRequests((*call).dismissRequest, usualNotifications)).
			note("at most 40 at once"),
		post("/api/v1/notifications/requests/:id/accept", write, func(c *call) (any, error) {
			return nil, c.acceptRequest(c.path("id"))
		}),
		post("/api/v1/notifications/requests/:id/dismiss", write, func(c *call) (any, error) {
			return nil, c.dismissRequest(c.path("id"))
		}),
	}
}

// filters returns the action of a parameter of the first version; nil if it is absent.
func (c *call) filters(name string) *string {
	if !c.params.has(name) {
		return nil
	}
	if c.params.flag(name) {
		return new(string(model.SenderFilter))
	}
	return new(string(model.SenderAccept))
}

// policyPatch reads the parameters of a change.
func (c *call) policyPatch() (p nativePolicy, err error) {
	for name, to := range map[string]**string{"for_not_following": &p.NotFollowed, "for_not_followers": &p.NotFollowers,
		"for_new_accounts": &p.NewAccounts, "for_private_mentions": &p.PrivateMentions,
		"for_limited_accounts": new(*string)} {
		if !c.params.has(name) {
			continue
		}
		value := c.params.text(name)
		if !slices.Contains([]string{"accept", "filter", "drop"}, value) {
			return p, invalid("%s is accept, filter or drop", name)
		}
		*to = &value
	}
	return p, nil
}

func policyV1(p nativePolicy, s PolicySummary) any {
	on := func(action *string) bool { return action != nil && *action != string(model.SenderAccept) }
	return PolicyV1{on(p.NotFollowed), on(p.NotFollowers), on(p.NewAccounts), on(p.PrivateMentions), s}
}

func policyV2(p nativePolicy, s PolicySummary) any {
	is := func(action *string) string {
		if action == nil {
			return string(model.SenderAccept)
		}
		return *action
	}
	return NotificationPolicy{is(p.NotFollowed), is(p.NotFollowers), is(p.NewAccounts), is(p.PrivateMentions),
		string(model.SenderAccept), s}
}

// policy answers with the caller's policy in a form.
//
// Cost: 2 reads, and 1 for each sender with a request whose profile is not cached.
func (c *call) policy(form func(nativePolicy, PolicySummary) any) (any, error) {
	var p nativePolicy
	if err := c.get(policyPath, nil, &p); err != nil {
		return nil, err
	}
	return c.withSummary(p, form)
}

func (c *call) withSummary(p nativePolicy, form func(nativePolicy, PolicySummary) any) (any, error) {
	all, _, err := c.requests("", model.MaxNotificationRequests)
	if err != nil {
		return nil, err
	}
	var s PolicySummary
	for _, r := range all {
		s.Requests++
		s.Notifications += len(r.Events)
	}
	return form(p, s), nil
}

func (c *call) changePolicy(p nativePolicy, form func(nativePolicy, PolicySummary) any) (any, error) {
	if p == (nativePolicy{}) {
		return c.policy(form)
	}
	if err := c.send(http.MethodPatch, policyPath, p, &p); err != nil {
		return nil, err
	}
	return c.withSummary(p, form)
}

// requests reads native requests from a place on, until there are enough of them. Their pages may be short.
func (c *call) requests(token string, enough int) (all []nativeRequest, next string, err error) {
	query := url.Values{}
	for range mostNotificationPages {
		query.Set("pageSize", strconv.Itoa(enough-len(all)))
		query.Set("pageToken", token)
		var found page[nativeRequest]
		if err := c.get(requestsPath, query, &found); err != nil {
			return nil, "", err
		}
		all, token = append(all, found.Items...), found.NextPageToken
		if token == "" || len(all) >= enough {
			break
		}
	}
	return all, token, nil
}

func notificationRequests(c *call) (any, error) {
	if c.params.has("min_id") || c.params.has("since_id") {
		return []*NotificationRequest{}, nil
	}
	found, next, err := c.requests(c.params.text("max_id"), c.limit(usualNotifications, maxNotifications))
	if err != nil {
		return nil, err
	}
	c.pages(next)
	return c.requestsOf(found)
}

// requestsOf makes the entities of requests.
func (c *call) requestsOf(found []nativeRequest) ([]*NotificationRequest, error) {
	accounts, err := c.accounts(each(found, func(r nativeRequest) model.UserID { return r.User.ID }))
	if err != nil {
		return nil, err
	}
	last := func(r nativeRequest) model.TweetID {
		for _, e := range r.Events {
			if e.TweetID != "" {
				return e.TweetID
			}
		}
		return ""
	}
	var entries []entry
	for _, r := range found {
		if id := last(r); id != "" {
			entries = append(entries, entry{id: id})
		}
	}
	statuses, err := c.statuses(unique(entries))
	if err != nil {
		return nil, err
	}
	all := []*NotificationRequest{}
	for _, r := range found {
		if accounts[r.User.ID] == nil || len(r.Events) == 0 {
			continue
		}
		n := &NotificationRequest{ID: string(r.User.ID), CreatedAt: stamp(r.Events[len(r.Events)-1].At),
			UpdatedAt: stamp(r.LastAt), Account: accounts[r.User.ID], Count: strconv.Itoa(len(r.Events))}
		if id := last(r); id != "" {
			if i := slices.IndexFunc(statuses, func(s *Status) bool { return s.ID == statusID(id) }); i >= 0 {
				n.LastStatus = statuses[i]
			}
		}
		all = append(all, n)
	}
	return all, nil
}

// oneRequest answers with the request of a sender: its id is that of the sender.
func oneRequest(c *call) (any, error) {
	found, _, err := c.requests("", model.MaxNotificationRequests)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(found, func(r nativeRequest) bool { return string(r.User.ID) == c.path("id") })
	if i < 0 {
		return nil, noNotification()
	}
	all, err := c.requestsOf(found[i : i+1])
	if err != nil || len(all) == 0 {
		return nil, cmp.Or(err, noNotification())
	}
	return all[0], nil
}

func (c *call) acceptRequest(uid string) error {
	return c.send(http.MethodPost, native("users", "me", "notificationRequests", uid, "accept"), nil, nil)
}

func (c *call) dismissRequest(uid string) error {
	return c.send(http.MethodDelete, native("users", "me", "notificationRequests", uid), nil, nil)
}

// maxAccepted is how many notification requests one request accepts.
const maxAccepted = 10

// ofRequests makes a method that does something with several requests. One that is gone makes no difference.
func ofRequests(act func(*call, string) error, most int) func(*call) (any, error) {
	return func(c *call) (any, error) {
		ids := unique(c.params.texts("id"))
		if len(ids) > most {
			return nil, invalid("a request names at most %d notification requests", most)
		}
		for _, id := range ids {
			if err := act(c, id); err != nil && !isGone(err) {
				return nil, err
			}
		}
		return nil, nil
	}
}
