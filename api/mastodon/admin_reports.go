package mastodon

import (
	"net/http"
	"net/url"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// AdminReport is the entity of a report for moderators.
type AdminReport struct {
	ID            string        `json:"id"`
	ActionTaken   bool          `json:"action_taken"`
	ActionTakenAt stamp         `json:"action_taken_at"`
	Category      string        `json:"category"`
	Comment       string        `json:"comment"`
	Forwarded     bool          `json:"forwarded"`
	CreatedAt     stamp         `json:"created_at"`
	UpdatedAt     stamp         `json:"updated_at"`
	Account       *AdminAccount `json:"account"`
	TargetAccount *AdminAccount `json:"target_account"`
	Assigned      *AdminAccount `json:"assigned_account"`
	ActionTakenBy *AdminAccount `json:"action_taken_by_account"`
	Statuses      []*Status     `json:"statuses"`
	Rules         []Rule        `json:"rules"`
}

type nativeReport struct {
	ID         string        `json:"id"`
	ReporterID model.UserID  `json:"reporterId"`
	UserID     model.UserID  `json:"userId"`
	TweetID    model.TweetID `json:"tweetId"`
	Reason     string        `json:"reason"`
	Text       string        `json:"text"`
	CreatedAt  time.Time     `json:"createdAt"`
	Open       bool          `json:"open"`
	Forwarded  bool          `json:"forwarded"`
	Resolution *struct {
		By model.UserID `json:"by"`
		At time.Time    `json:"at"`
	} `json:"resolution"`
}

func adminReportMethods() []Method {
	const read, write = "admin:read admin:read:reports", "admin:write admin:write:reports"
	const nobody, once = "reports are assigned to nobody", "a report has a decision, and no way back to the queue"
	refuse := func(why string) func(*call) (any, error) {
		return func(*call) (any, error) { return nil, invalid("%s", why) }
	}
	return []Method{
		get("/api/v1/admin/reports", read, adminReports).note("open ones, oldest first: resolved ones are in the audit log"),
		get("/api/v1/admin/reports/:id", read, oneReport).note("an open one"),
		put("/api/v1/admin/reports/:id", write, refuse("the category of a report is that of its author")).
			off("the category of a report is that of its author"),
		post("/api/v1/admin/reports/:id/assign_to_self", write, refuse(nobody)).off(nobody),
		post("/api/v1/admin/reports/:id/unassign", write, refuse(nobody)).off(nobody),
		post("/api/v1/admin/reports/:id/resolve", write, func(c *call) (any, error) {
			var r nativeReport
			if err := c.resolveReport(c.path("id"), "dismissed", &r); err != nil {
				return nil, err
			}
			return c.firstReport([]nativeReport{r})
		}).note("nothing was done about it; an action with its report_id says that something was"),
		post("/api/v1/admin/reports/:id/reopen", write, refuse(once)).off(once),
	}
}

// resolveReport decides on a report.
func (c *call) resolveReport(id, decision string, out any) error {
	return c.send(http.MethodPut, native("admin", "reports", id),
		map[string]string{"decision": decision, "note": because}, out)
}

func adminReports(c *call) (any, error) {
	if c.params.flag("resolved") {
		return []*AdminReport{}, nil
	}
	found, err := listed[nativeReport](c, "/v1/admin/reports", nil, usualAdmin, maxAdmin)
	if err != nil {
		return nil, err
	}
	var some []nativeReport
	by, of := c.params.text("account_id"), c.params.text("target_account_id")
	for _, r := range found {
		if (by == "" || string(r.ReporterID) == by) && (of == "" || string(r.UserID) == of) {
			some = append(some, r)
		}
	}
	return c.reportsOf(some)
}

// oneReport looks for a report among the open ones.
func oneReport(c *call) (any, error) {
	query := url.Values{"pageSize": {"100"}}
	for range mostPages {
		var found page[nativeReport]
		if err := c.get("/v1/admin/reports", query, &found); err != nil {
			return nil, err
		}
		for _, r := range found.Items {
			if r.ID == c.path("id") {
				return c.firstReport([]nativeReport{r})
			}
		}
		if found.NextPageToken == "" {
			break
		}
		query.Set("pageToken", found.NextPageToken)
	}
	return nil, notHere()
}

func (c *call) firstReport(of []nativeReport) (any, error) {
	all, err := c.reportsOf(of)
	if err == nil && len(all) == 0 {
		err = notHere()
	}
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// reportsOf makes the entities of reports. One whose author or target is gone is left out.
//
// Cost: that of [call.statuses], and 2 reads for each account.
func (c *call) reportsOf(of []nativeReport) ([]*AdminReport, error) {
	var users []model.UserID
	var entries []entry
	for _, r := range of {
		users = append(users, r.ReporterID, r.UserID)
		if r.Resolution != nil {
			users = append(users, r.Resolution.By)
		}
		if r.TweetID != "" {
			entries = append(entries, entry{id: r.TweetID})
		}
	}
	accounts, err := c.adminsOf(users)
	if err != nil {
		return nil, err
	}
	statuses, err := c.statuses(unique(entries))
	if err != nil {
		return nil, err
	}
	all := []*AdminReport{}
	for _, r := range of {
		is := &AdminReport{ID: r.ID, ActionTaken: !r.Open, Category: categoryOf(r.Reason), Comment: r.Text,
			Forwarded: r.Forwarded, CreatedAt: stamp(r.CreatedAt), UpdatedAt: stamp(r.CreatedAt),
			Account: accounts[r.ReporterID], TargetAccount: accounts[r.UserID], Statuses: []*Status{}, Rules: []Rule{}}
		if d := r.Resolution; d != nil {
			is.ActionTakenAt, is.UpdatedAt, is.ActionTakenBy = stamp(d.At), stamp(d.At), accounts[d.By]
		}
		for _, s := range statuses {
			if r.TweetID != "" && s.ID == statusID(r.TweetID) {
				is.Statuses = append(is.Statuses, s)
			}
		}
		if is.Account != nil && is.TargetAccount != nil {
			all = append(all, is)
		}
	}
	return all, nil
}

// categoryOf is the category of a native reason.
func categoryOf(reason string) string {
	switch reason {
	case "spam":
		return "spam"
	case "illegal":
		return "legal"
	}
	return "other"
}
