package mastodon

import (
	"net/http"
	"net/url"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Relationship is what stands between the caller and a user. Whether the user blocks the caller is never told.
type Relationship struct {
	ID                  string   `json:"id"`
	Following           bool     `json:"following"`
	ShowingReblogs      bool     `json:"showing_reblogs"`
	Notifying           bool     `json:"notifying"`
	Languages           []string `json:"languages"`
	FollowedBy          bool     `json:"followed_by"`
	Blocking            bool     `json:"blocking"`
	BlockedBy           bool     `json:"blocked_by"`
	Muting              bool     `json:"muting"`
	MutingNotifications bool     `json:"muting_notifications"`
	MutingExpiresAt     stamp    `json:"muting_expires_at"`
	Requested           bool     `json:"requested"`
	RequestedBy         bool     `json:"requested_by"`
	DomainBlocking      bool     `json:"domain_blocking"`
	Endorsed            bool     `json:"endorsed"`
	Note                string   `json:"note"`
}

// MutedAccount is a user whom the caller mutes.
type MutedAccount struct {
	*Account

	MuteExpiresAt stamp `json:"mute_expires_at"`
}

type nativeTies struct {
	ID          model.UserID  `json:"id"`
	Following   bool          `json:"following"`
	Requested   bool          `json:"requested"`
	FollowedBy  bool          `json:"followedBy"`
	Blocking    bool          `json:"blocking"`
	Muting      *nativeMuting `json:"muting"`
	HidesShares bool          `json:"hidesShares"`
	Notify      bool          `json:"notify"`
	RequestedBy bool          `json:"requestedBy"`
	Note        string        `json:"note"`
}

type nativeMuting struct {
	Part              model.MutePart `json:"part"`
	HideNotifications bool           `json:"hideNotifications"`
	Until             *time.Time     `json:"until"`
}

// hides reports whether a mute of a native list hides the user: some hide only shares or replies, and some have ended.
func (m *nativeMuting) hides() bool {
	return m != nil && m.Part == model.MuteAll && (m.Until == nil || m.Until.After(time.Now()))
}

func relationshipMethods() []Method {
	const follows, blocks, mutes = "follow write write:follows", "follow write write:blocks", "follow write write:mutes"
	const account = "/api/v1/accounts/:id/"
	const noEndorsements = "a profile of Hibana has no people to recommend"
	return []Method{
		get("/api/v1/accounts/relationships", "follow read read:follows", relationships).
			note("at most 100 ids; blocked_by is always false: whether somebody blocks the caller is never told"),
		post(account+"follow", follows, follow).
			note("languages are ignored; notify of somebody who has to accept the follow is, too"),
		post(account+"unfollow", follows, toUser(http.MethodDelete, "follow")),
		post(account+"remove_from_followers", follows, ofMine(http.MethodDelete, "followers")),
		post(account+"block", blocks, toUser(http.MethodPut, "block")),
		post(account+"unblock", blocks, toUser(http.MethodDelete, "block")),
		post(account+"mute", mutes, mute),
		post(account+"unmute", mutes, toUser(http.MethodDelete, "mute")),
		post(account+"note", "write write:accounts", putNote),
		post(account+"pin", "write write:accounts", refusedBecause(noEndorsements)).off(noEndorsements),
		post(account+"endorse", "write write:accounts", refusedBecause(noEndorsements)).off(noEndorsements),
		post(account+"unpin", "write write:accounts", unendorse).off(noEndorsements),
		post(account+"unendorse", "write write:accounts", unendorse).off(noEndorsements),
		get(account+"endorsements", "read read:accounts", none).public().off(noEndorsements),
		get("/api/v1/endorsements", "read read:accounts", none).off(noEndorsements),
		get("/api/v1/blocks", "follow read read:blocks", func(c *call) (any, error) {
			return c.people("/v1/users/me/blocks")
		}),
		get("/api/v1/mutes", "follow read read:mutes", mutedAccounts).
			note("without mutes of shares or replies alone, which Mastodon has not"),
		get("/api/v1/follow_requests", "follow read read:follows", func(c *call) (any, error) {
			return c.people("/v1/users/me/followRequests")
		}),
		post("/api/v1/follow_requests/:id/authorize", follows, ofMine(http.MethodPut, "followRequests")),
		post("/api/v1/follow_requests/:id/reject", follows, ofMine(http.MethodDelete, "followRequests")),
		get("/api/v1/domain_blocks", "follow read read:blocks", none).off(noDomainBlocks),
		post("/api/v1/domain_blocks", blocks, refusedBecause(noDomainBlocks)).off(noDomainBlocks),
		remove("/api/v1/domain_blocks", blocks, func(*call) (any, error) { return nil, nil }).off(noDomainBlocks),
	}
}

const noDomainBlocks = "domains are blocked by administrators, for everybody"

// ties reads what stands between the caller and users, with view=full also what the caller keeps of them.
//
// Cost: that of GET /v1/relationships, which is asked again for those that it leaves.
func (c *call) ties(ids []model.UserID, view string) ([]nativeTies, error) {
	var all []nativeTies
	for len(ids) > 0 {
		var found struct {
			Items []nativeTies
			Rest  []model.UserID
		}
		query := url.Values{"view": {view}, "ids": each(ids, func(id model.UserID) string { return string(id) })}
		if err := c.get("/v1/relationships", query, &found); err != nil {
			return nil, err
		}
		all = append(all, found.Items...)
		if len(found.Rest) >= len(ids) {
			break
		}
		ids = found.Rest
	}
	return all, nil
}

func relationshipOf(t nativeTies) *Relationship {
	hides := t.Muting.hides()
	r := &Relationship{ID: string(t.ID), Following: t.Following, Notifying: t.Notify, FollowedBy: t.FollowedBy,
		Blocking: t.Blocking, Requested: t.Requested, RequestedBy: t.RequestedBy, Note: t.Note, Muting: hides,
		MutingNotifications: hides && t.Muting.HideNotifications}
	r.ShowingReblogs = (t.Following || t.Requested) && !t.HidesShares &&
		(t.Muting == nil || t.Muting.Part != model.MuteShares)
	if hides && t.Muting.Until != nil {
		r.MutingExpiresAt = stamp(*t.Muting.Until)
	}
	return r
}

// relationships says what stands between the caller and users.
func relationships(c *call) (any, error) {
	ids, err := c.ids("id")
	if err != nil {
		return nil, err
	}
	all, err := c.ties(ids, "full")
	return each(all, relationshipOf), err
}

// relationship says what stands between the caller and a user.
func (c *call) relationship(id string) (*Relationship, error) {
	all, err := c.ties([]model.UserID{model.UserID(id)}, "full")
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return relationshipOf(all[0]), nil
}

// toUser makes a method that does something with a user, and answers with the relationship.
func toUser(verb, what string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		if err := c.send(verb, native("users", c.path("id"), what), nil, nil); err != nil {
			return nil, err
		}
		return c.relationship(c.path("id"))
	}
}

// ofMine makes a method that does something with a user in a list of the caller, and answers with the relationship.
func ofMine(verb, list string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		if err := c.send(verb, native("users", "me", list, c.path("id")), nil, nil); err != nil {
			return nil, err
		}
		return c.relationship(c.path("id"))
	}
}

// follow follows a user, or asks to. reblogs and notify change what the caller gets of the user.
//
// Cost: that of PUT /v1/users/{uid}/follow and GET /v1/relationships, and of what changes.
func follow(c *call) (any, error) {
	id := c.path("id")
	if err := c.send(http.MethodPut, native("users", id, "follow"), nil, nil); err != nil {
		return nil, err
	}
	r, err := c.relationship(id)
	if err != nil || r == nil {
		return nil, err
	}
	if show := c.params.flag("reblogs"); c.params.has("reblogs") && show != r.ShowingReblogs {
		if err := c.set(!show, native("users", id, "hideShares")); err != nil {
			return nil, err
		}
		r.ShowingReblogs = show
	}
	if notify := c.params.flag("notify"); c.params.has("notify") && notify != r.Notifying && r.Following {
		if err := c.set(notify, native("users", id, "notify")); err != nil {
			return nil, err
		}
		r.Notifying = notify
	}
	return r, nil
}

// set puts something there, or takes it away.
func (c *call) set(there bool, path string) error {
	if there {
		return c.send(http.MethodPut, path, nil, nil)
	}
	return c.send(http.MethodDelete, path, nil, nil)
}

// longestMute is the longest mute that ends, in seconds.
const longestMute = 31_622_400

func mute(c *call) (any, error) {
	body := map[string]any{"hideNotifications": !c.params.has("notifications") || c.params.flag("notifications")}
	if seconds := c.params.number("duration", 0); seconds > 0 {
		body["seconds"] = min(seconds, longestMute)
	}
	if err := c.send(http.MethodPut, native("users", c.path("id"), "mute"), body, nil); err != nil {
		return nil, err
	}
	return c.relationship(c.path("id"))
}

func putNote(c *call) (any, error) {
	body := map[string]any{"text": c.params.text("comment")}
	if err := c.send(http.MethodPut, native("users", c.path("id"), "note"), body, nil); err != nil {
		return nil, err
	}
	return c.relationship(c.path("id"))
}

// unendorse has nothing to take back.
func unendorse(c *call) (any, error) { return c.relationship(c.path("id")) }

// mutedAccounts lists whom the caller mutes.
func mutedAccounts(c *call) (any, error) {
	found, err := listed(c, "/v1/users/me/mutes", nil, usualPeople, maxPeople, func(p nativePerson) bool {
		return p.hides()
	})
	if err != nil {
		return nil, err
	}
	accounts, err := c.accounts(each(found, func(p nativePerson) model.UserID { return p.User.ID }))
	all := []MutedAccount{}
	for _, p := range found {
		a := MutedAccount{Account: accounts[p.User.ID]}
		if p.Until != nil {
			a.MuteExpiresAt = stamp(*p.Until)
		}
		if a.Account != nil {
			all = append(all, a)
		}
	}
	return all, err
}
