package mastodon

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/hibana-sns/hibana/model"
)

// List is the entity of a list of people.
type List struct {
	ID            string `json:"id"`
	Title         string `json:"title"`
	RepliesPolicy string `json:"replies_policy"`
	Exclusive     bool   `json:"exclusive"`
}

type nativeList struct {
	ID            string `json:"id"`
	Title         string `json:"title"`
	RepliesPolicy string `json:"repliesPolicy"`
	Exclusive     bool   `json:"exclusive"`
}

func listOf(l nativeList) List { return List(l) }

func listMethods() []Method {
	const read, write = "read read:lists", "write write:lists"
	return []Method{
		get("/api/v1/lists", read, lists),
		get("/api/v1/lists/:id", read, func(c *call) (any, error) { return c.list(c.path("id")) }),
		post("/api/v1/lists", write, createList).note("at most 50 lists"),
		put("/api/v1/lists/:id", write, updateList),
		remove("/api/v1/lists/:id", write, func(c *call) (any, error) {
			return nil, c.send(http.MethodDelete, native("lists", c.path("id")), nil, nil)
		}),
		get("/api/v1/lists/:id/accounts", read, listAccounts).note("all, who are 30 at most, on one page"),
		post("/api/v1/lists/:id/accounts", write, changeMembers(http.MethodPut)).
			note("at most 30 accounts; the caller need not follow them"),
		remove("/api/v1/lists/:id/accounts", write, changeMembers(http.MethodDelete)),
	}
}

// lists lists the caller's lists.
func lists(c *call) (any, error) { return c.lists(nil) }

func (c *call) lists(query url.Values) (any, error) {
	var found page[nativeList]
	if err := c.get("/v1/lists", query, &found); err != nil {
		return nil, err
	}
	return each(found.Items, listOf), nil
}

// accountLists lists the caller's lists that have a user.
func accountLists(c *call) (any, error) { return c.lists(url.Values{"member": {c.path("id")}}) }

// list reads a list of the caller.
func (c *call) list(id string) (any, error) {
	var l nativeList
	if err := c.get(native("lists", id), nil, &l); err != nil {
		return nil, err
	}
	return listOf(l), nil
}

// listFields are the parameters of a list for the native API.
func (c *call) listFields() map[string]any {
	fields := map[string]any{}
	for name, to := range map[string]string{"title": "title", "replies_policy": "repliesPolicy"} {
		if c.params.has(name) {
			fields[to] = c.params.text(name)
		}
	}
	if c.params.has("exclusive") {
		fields["exclusive"] = c.params.flag("exclusive")
	}
	return fields
}

func createList(c *call) (any, error) {
	fields := c.listFields()
	if fields["title"] == nil {
		return nil, invalid("a list needs a title")
	}
	var l nativeList
	if err := c.do(http.MethodPost, "/v1/lists", c.idempotency(""), fields, &l); err != nil {
		return nil, err
	}
	return listOf(l), nil
}

func updateList(c *call) (any, error) {
	if fields := c.listFields(); len(fields) > 0 {
		if err := c.send(http.MethodPatch, native("lists", c.path("id")), fields, nil); err != nil {
			return nil, err
		}
	}
	return c.list(c.path("id"))
}

// listAccounts lists the members of a list, all of whom are on one native page. A limit of 0 is none.
func listAccounts(c *call) (any, error) {
	var found page[struct{ ID model.UserID }]
	if err := c.get(native("lists", c.path("id"), "members"), nil, &found); err != nil {
		return nil, err
	}
	ids := each(found.Items, func(u struct{ ID model.UserID }) model.UserID { return u.ID })
	limit := c.limit(usualPeople, maxPeople)
	if c.params.text("limit") == "0" {
		limit = len(ids)
	}
	return c.accountsOf(c.between(ids, limit))
}

// between is the part of a whole list between max_id, since_id and min_id, with links to its neighbors. Nothing follows
// on an id that the list does not have.
func (c *call) between(ids []model.UserID, limit int) []model.UserID {
	at := func(name string) int { return slices.Index(ids, model.UserID(c.params.text(name))) }
	from, to := 0, len(ids)
	if c.params.has("max_id") {
		if from = at("max_id") + 1; from == 0 {
			from = to
		}
	}
	for _, name := range []string{"since_id", "min_id"} {
		if c.params.has(name) {
			to = max(at(name), 0)
		}
	}
	from = min(from, to)
	if c.params.has("min_id") {
		from = max(from, to-limit)
	} else {
		to = min(to, from+limit)
	}
	if part := ids[from:to]; len(part) > 0 {
		if to < len(ids) {
			c.link("next", "max_id", string(ids[to-1]))
		}
		c.link("prev", "min_id", string(ids[from]))
	}
	return ids[from:to]
}

// maxMembers is how many accounts a request puts on a list: as many as a list has.
const maxMembers = 30

// changeMembers makes a method that puts accounts on a list, or takes them off.
//
// Cost: that of the native operation for each account.
func changeMembers(verb string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		ids, err := c.ids("account_ids")
		if err != nil {
			return nil, err
		}
		if len(ids) == 0 || len(ids) > maxMembers {
			return nil, invalid("account_ids must have 1 to %d accounts", maxMembers)
		}
		for _, id := range ids {
			if err := c.send(verb, native("lists", c.path("id"), "members", string(id)), nil, nil); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
}
