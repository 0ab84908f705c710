package mastodon

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// AdminAccount is the entity of an account for moderators.
type AdminAccount struct {
	ID            string   `json:"id"`
	Username      string   `json:"username"`
	Domain        *string  `json:"domain"`
	CreatedAt     stamp    `json:"created_at"`
	Email         string   `json:"email"`
	IP            *string  `json:"ip"`
	Role          any      `json:"role"`
	Confirmed     bool     `json:"confirmed"`
	Suspended     bool     `json:"suspended"`
	Silenced      bool     `json:"silenced"`
	Sensitized    bool     `json:"sensitized"`
	Disabled      bool     `json:"disabled"`
	Approved      bool     `json:"approved"`
	Locale        *string  `json:"locale"`
	InviteRequest *string  `json:"invite_request"`
	IPs           []any    `json:"ips"`
	Account       *Account `json:"account"`
}

// AdminRole is what an account may do.
type AdminRole struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Color       string `json:"color"`
	Permissions string `json:"permissions"`
	Highlighted bool   `json:"highlighted"`
}

// everybody is the role of accounts: roles are those of Firebase Auth, which nobody lists.
var everybody = AdminRole{ID: "-99", Permissions: "0"}

type nativeSignUp struct {
	UserID    model.UserID `json:"userId"`
	Username  string       `json:"username"`
	Nickname  string       `json:"nickname"`
	Reason    string       `json:"reason"`
	Email     string       `json:"email"`
	CreatedAt time.Time    `json:"createdAt"`
}

func adminAccountMethods() []Method {
	const read, write = "admin:read admin:read:accounts", "admin:write admin:write:accounts"
	const states = "an account is free, frozen (disabled) or suspended"
	const list = "pending are sign-ups; username finds one account and email one; email and ip are of sign-ups alone"
	unchanged := func(c *call) (any, error) { return c.adminAccount(c.path("id")) }
	return []Method{
		get("/api/v1/admin/accounts", read, adminAccounts).note(list),
		get("/api/v2/admin/accounts", read, adminAccounts).note(list),
		get("/api/v1/admin/accounts/:id", read, unchanged),
		post("/api/v1/admin/accounts/:id/approve", write, ofSignUp("approval")),
		post("/api/v1/admin/accounts/:id/reject", write, ofSignUp("refusal")),
		remove("/api/v1/admin/accounts/:id", write, func(*call) (any, error) {
			return nil, invalid("an administrator does not delete accounts: their owners do")
		}).off("accounts are deleted by their owners"),
		post("/api/v1/admin/accounts/:id/action", write, adminAction).note(
			"none, disable (frozen) or suspend; a text without another action is a note for moderators"),
		post("/api/v1/admin/accounts/:id/enable", write, restore("freeze")),
		post("/api/v1/admin/accounts/:id/unsuspend", write, restore("suspend")),
		post("/api/v1/admin/accounts/:id/unsilence", write, unchanged).off(states),
		post("/api/v1/admin/accounts/:id/unsensitive", write, unchanged).off(states),
	}
}

// standing is what an account may do.
//
// Cost: 1 read.
func (c *call) standing(uid string) (state string, err error) {
	var is struct{ State string }
	err = c.get(native("admin", "users", uid, "standing"), nil, &is)
	return is.State, err
}

// adminOf makes the entity of an account for moderators.
//
// Cost: that of [call.standing].
func (c *call) adminOf(a *Account) (*AdminAccount, error) {
	state, err := c.standing(a.ID)
	if err != nil {
		return nil, err
	}
	is := &AdminAccount{ID: a.ID, Username: a.Username, CreatedAt: a.CreatedAt, Role: everybody, Confirmed: true,
		Suspended: state == string(model.AccountStatusSuspended), Disabled: state == string(model.AccountStatusFrozen),
		Approved: true, IPs: []any{}, Account: a}
	if _, host, remote := strings.Cut(a.Acct, "@"); remote {
		is.Domain = &host
	}
	return is, nil
}

// adminsOf makes the entities of accounts by uid.
func (c *call) adminsOf(uids []model.UserID) (map[model.UserID]*AdminAccount, error) {
	accounts, err := c.accounts(uids)
	if err != nil {
		return nil, err
	}
	all := map[model.UserID]*AdminAccount{}
	for uid, a := range accounts {
		if all[uid], err = c.adminOf(a); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// signUpOf makes the entity of a sign-up.
func (c *call) signUpOf(s nativeSignUp) *AdminAccount {
	a := c.account(&nativeUser{ID: s.UserID, Username: s.Username, Nickname: s.Nickname, CreatedAt: s.CreatedAt})
	return &AdminAccount{ID: a.ID, Username: a.Username, CreatedAt: stamp(s.CreatedAt), Email: s.Email, Role: everybody,
		Confirmed: true, InviteRequest: textOrNil(s.Reason), IPs: []any{}, Account: a}
}

// adminAccount reads an account, or a sign-up that waits.
func (c *call) adminAccount(uid string) (*AdminAccount, error) {
	a, err := c.fullAccount(uid)
	if err == nil {
		return c.adminOf(a)
	}
	if !isMissing(err) {
		return nil, err
	}
	query := url.Values{"pageSize": {"100"}}
	for range mostPages {
		var found page[nativeSignUp]
		if c.get("/v1/admin/sign-ups", query, &found) != nil { // a moderator does not see them
			break
		}
		for _, s := range found.Items {
			if string(s.UserID) == uid {
				return c.signUpOf(s), nil
			}
		}
		if found.NextPageToken == "" {
			break
		}
		query.Set("pageToken", found.NextPageToken)
	}
	return nil, err
}

// adminStatus is which accounts a client asks for: active, pending, disabled or suspended; empty for all.
func (c *call) adminStatus() string {
	if is := c.params.text("status"); is != "" {
		return is
	}
	for _, name := range []string{"active", "pending", "disabled", "silenced", "suspended", "sensitized"} {
		if c.params.flag(name) {
			return name
		}
	}
	return ""
}

func adminAccounts(c *call) (any, error) {
	status := c.adminStatus()
	switch {
	case c.params.has("ip") || status == "silenced" || status == "sensitized" || c.params.flag("staff"):
		return []*AdminAccount{}, nil
	case status == "pending":
		found, err := listed[nativeSignUp](c, "/v1/admin/sign-ups", nil, usualAdmin, maxAdmin)
		return each(found, c.signUpOf), err
	case c.params.text("email") != "":
		return c.accountByEmail()
	}
	name := c.params.text("username") + c.params.text("display_name")
	path, query := "/v1/users", url.Values{"format": {"html"}}
	if name != "" {
		path = "/v1/search/users"
		query.Set("q", name)
	}
	found, err := listed[struct {
		ID model.UserID `json:"id"`
	}](c, path, query, usualAdmin, maxAdmin)
	if err != nil {
		return nil, err
	}
	ids := each(found, func(u struct {
		ID model.UserID `json:"id"`
	}) model.UserID {
		return u.ID
	})
	accounts, err := c.accounts(ids) // lists have no times
	if err != nil {
		return nil, err
	}
	origin, domain := c.params.text("origin"), strings.ToLower(c.params.text("by_domain"))
	all := []*AdminAccount{}
	for _, id := range ids {
		a := accounts[id]
		if a == nil {
			continue
		}
		_, host, remote := strings.Cut(a.Acct, "@")
		if (origin == "local" || c.params.flag("local")) && remote || (origin == "remote" || c.params.flag("remote")) &&
			!remote || domain != "" && host != domain {
			continue
		}
		is, err := c.adminOf(a)
		if err != nil {
			return nil, err
		}
		if status == "" || status == "active" && !is.Suspended && !is.Disabled || status == "disabled" && is.Disabled ||
			status == "suspended" && is.Suspended {
			all = append(all, is)
		}
	}
	return all, nil
}

// accountByEmail finds the account with an address. The audit log has it.
func (c *call) accountByEmail() (any, error) {
	var found struct{ UID string }
	err := c.send(http.MethodPost, "/v1/admin/users:byEmail",
		map[string]string{"email": c.params.text("email"), "reason": because}, &found)
	switch {
	case isMissing(err) || err == nil && found.UID == "":
		return []*AdminAccount{}, nil
	case err != nil:
		return nil, err
	}
	a, err := c.adminAccount(found.UID)
	if isMissing(err) {
		return []*AdminAccount{}, nil
	}
	if err != nil {
		return nil, err
	}
	a.Email = c.params.text("email")
	return []*AdminAccount{a}, nil
}

// ofSignUp makes a method that decides on a sign-up, and answers with the account, which is no more after a refusal.
func ofSignUp(decision string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		a, err := c.adminAccount(c.path("id"))
		if err != nil {
			return nil, err
		}
		var body any
		if decision == "refusal" {
			body = struct{}{}
		}
		if err := c.send(http.MethodPut, native("admin", "sign-ups", a.ID, decision), body, nil); err != nil {
			return nil, err
		}
		a.Approved = decision == "approval"
		return a, nil
	}
}

// restore makes a method that takes a measure back.
func restore(measure string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		path := native("admin", "users", c.path("id"), measure) + "?" + url.Values{"reason": {because}}.Encode()
		if err := c.send(http.MethodDelete, path, nil, nil); err != nil {
			return nil, err
		}
		return c.adminAccount(c.path("id"))
	}
}

// adminAction acts on an account, and resolves the report from which a moderator does it.
func adminAction(c *call) (any, error) {
	uid, text := c.path("id"), c.params.text("text")
	measures := map[string]string{"disable": "freeze", "suspend": "suspend"}
	kind := c.params.text("type")
	switch {
	case measures[kind] != "":
		reason := text
		if reason == "" {
			reason = because
		}
		path := native("admin", "users", uid, measures[kind])
		if err := c.send(http.MethodPut, path, map[string]string{"reason": reason}, nil); err != nil {
			return nil, err
		}
	case kind == "none" && text != "":
		err := c.send(http.MethodPost, native("admin", "users", uid, "notes"), map[string]string{"text": text}, nil)
		if err != nil {
			return nil, err
		}
	case kind == "none":
		if _, err := c.fullAccount(uid); err != nil {
			return nil, err
		}
	case slices.Contains([]string{"silence", "sensitive"}, kind):
		return nil, invalid("an account is free, disabled or suspended here, and not silenced or sensitive")
	default:
		return nil, invalid("type is none, disable or suspend")
	}
	if id := c.params.text("report_id"); id != "" {
		return nil, c.resolveReport(id, "acted", nil)
	}
	return nil, nil
}
