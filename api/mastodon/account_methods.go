package mastodon

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

const (
	usualPeople = 40 // accounts of a page
	maxPeople   = 80
	maxIDs      = 100 // ids of a request
	maxFamiliar = 5   // of whom one request looks for familiar followers
	// snippetLength is how many characters of an introduction lists have.
	snippetLength = 280
)

func accountMethods() []Method {
	const read, write = "read read:accounts", "write write:accounts"
	return []Method{
		get("/api/v1/accounts", read, accountsByID).public().note("at most 100 ids"),
		post("/api/v1/accounts", write, refusedBecause("accounts are made on the pages of this service")).public().
			off("an account is made at Firebase Auth, by the web client"),
		post("/api/v1/emails/confirmations", "", refusedBecause("addresses are confirmed by Firebase Auth")).
			off("addresses are confirmed by Firebase Auth, by the web client"),
		get("/api/proofs", "", nil).public().off("Mastodon itself has none since 4.0"),
		get("/api/v1/accounts/verify_credentials", "profile "+read, verifyCredentials).
			note("source[privacy], source[sensitive] and source[quote_policy] are those of Mastodon: Hibana keeps none"),
		patchOwn("/api/v1/accounts/update_credentials", updateCredentials),
		get("/api/v1/profile", "profile "+read, ownProfile),
		patchOwn("/api/v1/profile", updateProfile),
		remove("/api/v1/profile/avatar", write, removePicture("avatarMedia")),
		remove("/api/v1/profile/header", write, removePicture("headerMedia")),
		get("/api/v1/accounts/lookup", read, lookupAccount).public(),
		get("/api/v1/accounts/search", read, searchAccounts).
			note("finds names by their beginning; with following among the 40 that are found first"),
		get("/api/v1/accounts/familiar_followers", "read read:follows", familiarFollowers).
			note("of the first 5 ids, at most 10 followers each"),
		get("/api/v1/accounts/:id", read, func(c *call) (any, error) { return c.fullAccount(c.path("id")) }).public(),
		get("/api/v1/accounts/:id/statuses", "read read:statuses", accountStatuses).public().
			note("exclude_replies looks at the newest 2,500 posts below max_id at most. only_media and tagged leave shares " +
				"out. " + farBack),
		get("/api/v1/accounts/:id/followers", read, peopleOf("followers")).public(),
		get("/api/v1/accounts/:id/following", read, peopleOf("following")).public(),
		get("/api/v1/accounts/:id/featured_tags", read, accountTags).public(),
		get("/api/v1/accounts/:id/lists", "read read:lists", accountLists),
		get("/api/v1/accounts/:id/identity_proofs", read, none).off("Mastodon itself has none since 3.5"),
		get("/api/v1/preferences", read, preferences).note("the defaults of Mastodon, and the language of the profile"),
	}
}

// patchOwn is the row of a method that changes the caller's profile.
func patchOwn(path string, handle func(*call) (any, error)) Method {
	m := patch(path, "write write:accounts", handle).note("indexable is discoverable; hide_collections, " +
		"attribution_domains, descriptions of pictures, tabs, and the defaults of posts but for the language are ignored. " +
		"A body without files has 4 MiB at most")
	m.Most, m.Stream = maxSmall, 2*maxPicture+maxBody
	return m
}

// none answers an empty list.
func none(*call) (any, error) { return []any{}, nil }

// refusedBecause answers what is not possible here.
func refusedBecause(why string) func(*call) (any, error) {
	return func(*call) (any, error) { return nil, errs.New(errs.Forbidden, "not_allowed", "%s", why) }
}

// accountsByID reads several accounts.
func accountsByID(c *call) (any, error) {
	ids, err := c.ids("id")
	if err != nil {
		return nil, err
	}
	return c.accountsOf(ids)
}

// ids returns a parameter that is a list of uids.
func (c *call) ids(name string) ([]model.UserID, error) {
	all := each(unique(c.params.texts(name)), func(id string) model.UserID { return model.UserID(id) })
	if len(all) > maxIDs {
		return nil, invalid("%s may have at most %d ids", name, maxIDs)
	}
	return all, nil
}

// lookupAccount finds a user by name, of this server or another.
func lookupAccount(c *call) (any, error) {
	u, err := c.named(c.params.text("acct"))
	if err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(u.Snippet) < snippetLength { // it is all of the introduction
		return c.movedAccount(u)
	}
	return c.fullAccount(string(u.ID))
}

// named reads the profile of a user by a name or handle.
//
// Cost: that of GET /v1/usernames/{username}.
func (c *call) named(handle string) (*nativeUser, error) {
	name := strings.TrimPrefix(strings.TrimSpace(handle), "@")
	if local, ok := c.site().Local(name); ok {
		name = local
	}
	if !strings.Contains(name, "@") {
		name = c.site().Username(name)
	}
	if name == "" {
		return nil, errs.New(errs.NotFound, "username_not_found", "nobody has no name")
	}
	var u nativeUser
	return &u, c.get(native("usernames", name), url.Values{"format": {"html"}}, &u)
}

// searchAccounts finds people by name.
func searchAccounts(c *call) (any, error) {
	if !c.params.has("q") {
		return nil, invalid("q is missing")
	}
	return c.peopleNamed(c.params.text("q"), c.offset(), c.limit(usualPeople, maxPeople))
}

// peopleNamed finds people by name; with resolve also those of other servers, who are asked.
//
// Cost: that of GET /v1/search/users, of a search for people alone that finds nobody that of [call.named], with
// following that of GET /v1/relationships, and that of [call.accounts].
func (c *call) peopleNamed(q string, offset, limit int) ([]*Account, error) {
	if local, ok := c.site().Local(strings.TrimPrefix(q, "@")); ok {
		q = "@" + local
	}
	query := url.Values{"q": {q}}
	if c.params.flag("resolve") && c.caller().UID != "" {
		query.Set("resolve", "true")
	}
	found, err := walked[struct{ ID model.UserID }](c, "/v1/search/users", query, offset, limit)
	if isBad(err) {
		return []*Account{}, nil // no name begins so
	}
	if err != nil {
		return nil, err
	}
	ids := each(found, func(u struct{ ID model.UserID }) model.UserID { return u.ID })
	whole := c.params.text("type") == "accounts" || strings.HasPrefix(q, "@") // not each search for words
	if len(ids) == 0 && offset == 0 && whole && c.caller().UID != "" {
		// Whoever the caller blocks is found by the whole name, to be unblocked.
		switch u, err := c.named(q); {
		case err == nil:
			ids = append(ids, u.ID)
		case !isGone(err) && !isBad(err):
			return nil, err
		}
	}
	if c.params.flag("following") && len(ids) > 0 {
		ties, err := c.ties(ids[:min(len(ids), maxPage)], "basic")
		if err != nil {
			return nil, err
		}
		ids = ids[:0]
		for _, t := range ties {
			if t.Following {
				ids = append(ids, t.ID)
			}
		}
	}
	return c.accountsOf(ids)
}

// FamiliarFollowers are followers of a user whom the caller follows.
type FamiliarFollowers struct {
	ID       string     `json:"id"`
	Accounts []*Account `json:"accounts"`
}

// familiarFollowers lists who follows users, among those whom the caller follows.
func familiarFollowers(c *call) (any, error) {
	ids, err := c.ids("id")
	if err != nil {
		return nil, err
	}
	var all []model.UserID
	of := map[model.UserID][]model.UserID{}
	for _, id := range ids[:min(len(ids), maxFamiliar)] {
		var found page[struct{ ID model.UserID }]
		if err := c.get(native("users", string(id), "familiarFollowers"), nil, &found); isGone(err) {
			continue
		} else if err != nil {
			return nil, err
		}
		for _, u := range found.Items {
			of[id], all = append(of[id], u.ID), append(all, u.ID)
		}
	}
	accounts, err := c.accounts(all)
	if err != nil {
		return nil, err
	}
	return each(ids, func(id model.UserID) FamiliarFollowers {
		f := FamiliarFollowers{string(id), []*Account{}}
		for _, who := range of[id] {
			if accounts[who] != nil {
				f.Accounts = append(f.Accounts, accounts[who])
			}
		}
		return f
	}), nil
}

// nativePerson is a user of a native list.
type nativePerson struct {
	User struct {
		ID model.UserID `json:"id"`
	} `json:"user"`
	nativeMuting
}

// people answers with a page of a native list of people.
//
// Cost: that of the native page, and that of [call.accounts].
func (c *call) people(path string) (any, error) {
	found, err := listed[nativePerson](c, path, nil, usualPeople, maxPeople)
	if err != nil {
		return nil, err
	}
	return c.accountsOf(each(found, func(p nativePerson) model.UserID { return p.User.ID }))
}

// peopleOf makes a method that lists followers, or whom a user follows.
func peopleOf(list string) func(*call) (any, error) {
	return func(c *call) (any, error) { return c.people(native("users", c.path("id"), list)) }
}

// preferences has the defaults of new posts.
func preferences(c *call) (any, error) {
	var u nativeUser
	if err := c.get("/v1/users/me", nil, &u); err != nil {
		return nil, err
	}
	return map[string]any{
		"posting:default:visibility": "public", "posting:default:sensitive": false,
		"posting:default:language": textOrNil(u.Language), "posting:default:quote_policy": "public",
		"reading:expand:media": "default", "reading:expand:spoilers": false, "reading:autoplay:gifs": false,
	}, nil
}

// isBad reports whether an operation failed because of what the client typed.
func isBad(err error) bool {
	if err == nil {
		return false
	}
	status := server.StatusOf(err)
	return status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
}
