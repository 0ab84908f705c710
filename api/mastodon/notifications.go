package mastodon

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Notification is the entity of something of which the caller is notified.
type Notification struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	GroupKey  string   `json:"group_key"`
	CreatedAt stamp    `json:"created_at"`
	Account   *Account `json:"account"`
	Status    *Status  `json:"status,omitempty"`
}

// NotificationGroup is the entity of notifications of one type about one post, or of follows.
type NotificationGroup struct {
	GroupKey         string   `json:"group_key"`
	Count            int64    `json:"notifications_count"`
	Type             string   `json:"type"`
	MostRecent       int64    `json:"most_recent_notification_id"` // see momentOf
	PageMinID        string   `json:"page_min_id,omitempty"`
	PageMaxID        string   `json:"page_max_id,omitempty"`
	LatestAt         stamp    `json:"latest_page_notification_at"`
	SampleAccountIDs []string `json:"sample_account_ids"`
	StatusID         string   `json:"status_id,omitempty"`
}

// GroupedNotifications is a page of groups, with what they name.
type GroupedNotifications struct {
	Accounts        []*Account          `json:"accounts"`
	PartialAccounts []any               `json:"partial_accounts,omitempty"`
	Statuses        []*Status           `json:"statuses"`
	Groups          []NotificationGroup `json:"notification_groups"`
}

// Count is a number of unread notifications.
type Count struct {
	Count int `json:"count"`
}

const (
	usualNotifications = 40
	maxNotifications   = 80
	usualUnread        = 100
	maxUnread          = 1_000
)

func notificationMethods() []Method {
	const read, write = "read read:notifications", "write write:notifications"
	const marks = "marks as read: notifications stay for the days that the operator keeps them"
	return append([]Method{
		get("/api/v1/notifications", read, notificationList).note(
			"of a day, the newest 10 of a kind about a post, and the newest 10 mentions, follows and replies to a post; " +
				"include_filtered is taken as false"),
		get("/api/v1/notifications/:id", read, oneNotification),
		post("/api/v1/notifications/clear", write, func(c *call) (any, error) {
			return nil, c.readAll(time.Time{})
		}).note(marks),
		post("/api/v1/notifications/:id/dismiss", write, func(c *call) (any, error) {
			return nil, c.dismiss(c.path("id"))
		}).note(marks + "; the others of its group, too"),
		post("/api/v1/notifications/dismiss", write, func(c *call) (any, error) {
			return nil, c.dismiss(c.params.text("id"))
		}).note(marks + "; removed from the documentation, and still called"),
		get("/api/v1/notifications/unread_count", read, unreadCount).note("counts groups"),
		get("/api/v2/notifications", read, notificationGroups).note(
			"a group is of one day, and has 3 of its accounts; accounts are never partial; most_recent_notification_id is a " +
				"number, and good for max_id, min_id, since_id and markers"),
		get("/api/v2/notifications/unread_count", read, unreadCount),
		get("/api/v2/notifications/:group_key", read, oneGroup),
		post("/api/v2/notifications/:group_key/dismiss", write, func(c *call) (any, error) {
			return nil, c.dismissGroup(c.path("group_key"))
		}).note(marks),
		get("/api/v2/notifications/:group_key/accounts", "read read:notifications write:notifications", groupAccounts).note(
			"the newest 10"),
	}, notificationRequestMethods()...)
}

// notificationList lists notifications, each for itself.
func notificationList(c *call) (any, error) {
	w := c.wanted(usualNotifications, maxNotifications)
	w.grouped = nil
	found, err := c.happenings(w)
	if err != nil {
		return nil, err
	}
	return c.notifications(found)
}

// notifications makes the entities of what happened. What is about a post that is gone is left out.
//
// Cost: that of [call.accounts] and [call.statuses].
func (c *call) notifications(of []happening) ([]*Notification, error) {
	accounts, statuses, err := c.namedBy(of)
	if err != nil {
		return nil, err
	}
	all := []*Notification{}
	for _, h := range of {
		n := &Notification{ID: h.id, Type: h.kind, GroupKey: h.groupKey(), CreatedAt: stamp(h.at),
			Account: accounts[h.records[0].UserID], Status: statuses[h.tweet]}
		if n.Account != nil && (h.tweet == "") == (n.Status == nil) {
			all = append(all, n)
		}
	}
	return all, nil
}

// namedBy reads the accounts and posts of what happened.
func (c *call) namedBy(of []happening) (map[model.UserID]*Account, map[model.TweetID]*Status, error) {
	var users []model.UserID
	var entries []entry
	for _, h := range of {
		for _, r := range h.sample() {
			users = append(users, r.UserID)
		}
		if h.tweet != "" {
			entries = append(entries, entry{id: h.tweet})
		}
	}
	accounts, err := c.accounts(users)
	if err != nil {
		return nil, nil, err
	}
	read, err := c.statuses(unique(entries))
	if err != nil {
		return nil, nil, err
	}
	statuses := map[model.TweetID]*Status{}
	for _, s := range read {
		if id, err := tweetOf(s.ID); err == nil {
			statuses[id] = s
		}
	}
	return accounts, statuses, nil
}

func oneNotification(c *call) (any, error) {
	h, err := c.happeningOf(c.path("id"))
	if err != nil {
		return nil, err
	}
	all, err := c.notifications([]happening{h})
	if err == nil && len(all) == 0 {
		return nil, noNotification()
	}
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// notificationGroups lists notifications in groups.
func notificationGroups(c *call) (any, error) {
	w := c.wanted(usualNotifications, maxNotifications)
	found, err := c.happenings(w)
	if err != nil {
		return nil, err
	}
	return c.groups(found, true)
}

// groups makes the entity of groups.
//
// Cost: that of [call.accounts], for the newest [sampleAccounts] of each group, and of [call.statuses].
func (c *call) groups(of []happening, ofPage bool) (*GroupedNotifications, error) {
	accounts, statuses, err := c.namedBy(of)
	if err != nil {
		return nil, err
	}
	all := &GroupedNotifications{Accounts: []*Account{}, Statuses: []*Status{}, Groups: []NotificationGroup{}}
	if c.params.text("expand_accounts") == "partial_avatars" {
		all.PartialAccounts = []any{}
	}
	named := map[string]bool{}
	for _, h := range of {
		g := NotificationGroup{GroupKey: h.groupKey(), Count: h.count, Type: h.kind, MostRecent: h.at.UnixMicro(),
			LatestAt:         stamp(h.at),
			SampleAccountIDs: []string{}}
		if ofPage {
			g.PageMinID, g.PageMaxID = h.id, h.id
		}
		status := statuses[h.tweet]
		if accounts[h.records[0].UserID] == nil || (h.tweet == "") != (status == nil) {
			continue
		}
		for _, r := range h.sample() {
			if a := accounts[r.UserID]; a != nil {
				g.SampleAccountIDs = append(g.SampleAccountIDs, a.ID)
				if !named[a.ID] {
					named[a.ID] = true
					all.Accounts = append(all.Accounts, a)
				}
			}
		}
		if status != nil {
			if g.StatusID = status.ID; !named[status.ID] {
				named[status.ID] = true
				all.Statuses = append(all.Statuses, status)
			}
		}
		all.Groups = append(all.Groups, g)
	}
	return all, nil
}

func oneGroup(c *call) (any, error) {
	h, err := c.groupOf(c.path("group_key"))
	if err != nil {
		return nil, err
	}
	return c.groups([]happening{h}, false)
}

func groupAccounts(c *call) (any, error) {
	h, err := c.groupOf(c.path("group_key"))
	if err != nil {
		return nil, err
	}
	uids := each(h.records, func(r nativeRecord) model.UserID { return r.UserID })
	accounts, err := c.accounts(uids)
	if err != nil {
		return nil, err
	}
	return inOrder(accounts, unique(uids)), nil
}

// inOrder returns accounts in the order of some ids, without those that are gone.
func inOrder(accounts map[model.UserID]*Account, ids []model.UserID) []*Account {
	all := []*Account{}
	for _, id := range ids {
		if a := accounts[id]; a != nil {
			all = append(all, a)
		}
	}
	return all
}

// unreadCount counts the groups with unread notifications, up to the limit.
func unreadCount(c *call) (any, error) {
	w := c.wanted(usualUnread, maxUnread)
	n, query := 0, url.Values{"filter": {"unread"}}
	err := c.readNotifications(query, func(found *nativeNotification) bool {
		if len(found.happenings(w)) > 0 {
			n++
		}
		return n < w.limit
	})
	return Count{n}, err
}

// readAll marks notifications as read whose last event is not after a time; all for the zero time.
func (c *call) readAll(until time.Time) error {
	path := "/v1/notifications/read"
	if !until.IsZero() {
		path += "?" + url.Values{"until": {until.UTC().Format(time.RFC3339Nano)}}.Encode()
	}
	for range mostPages {
		header, err := c.answer(http.MethodPut, path, nil, nil, nil)
		if err != nil {
			return err
		}
		if more, _ := strconv.ParseBool(header.Get("Hibana-More")); !more {
			break
		}
	}
	return nil
}

// dismiss marks the group of a notification as read.
func (c *call) dismiss(id string) error {
	p, ok := parsePlace(id)
	if !ok {
		return noNotification()
	}
	return c.send(http.MethodPut, native("notifications", p.native(), "read"), nil, nil)
}

func (c *call) dismissGroup(key string) error {
	p, ok := parseGroupKey(key)
	if !ok {
		return noNotification()
	}
	return c.send(http.MethodPut, native("notifications", p.native(), "read"), nil, nil)
}
