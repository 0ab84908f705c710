package mastodon

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/hibana-sns/hibana/model"
)

// Conversation is a thread of posts for the users whom they mention.
type Conversation struct {
	ID         string     `json:"id"`
	Unread     bool       `json:"unread"`
	Accounts   []*Account `json:"accounts"`
	LastStatus *Status    `json:"last_status"`
}

// directPages is the number of native pages, of maxPage posts each, in which direct posts are looked for: of those that
// mention the caller, and of the caller's own.
const directPages = 2

func conversationMethods() []Method {
	const write = "write write:conversations"
	return []Method{
		get("/api/v1/conversations", "read read:statuses", listConversations).
			note("the threads of the newest direct posts, among the 80 newest that mention the caller and 80 of the caller's " +
				"own. unread is false"),
		post("/api/v1/conversations/:id/read", write, readConversation).
			note("changes nothing: a conversation has no mark"),
		remove("/api/v1/conversations/:id", write, func(c *call) (any, error) {
			return nil, model.NoTweet(model.TweetID(c.path("id")))
		}).off("a thread of direct posts cannot be hidden: mute it, or delete one's own posts"),
	}
}

// direct lists direct posts to and by the caller, newest first.
//
// Cost: that of directPages pages of mentions, and as many of posts for mentioned users, or until it has cost
// goOnReads.
func (c *call) direct() ([]*nativeTweet, error) {
	var all []*nativeTweet
	for _, list := range []string{"mentions", "mentioned"} {
		query := url.Values{"format": {"html"}, "pageSize": {strconv.Itoa(maxPage)}}
		for n := 0; n < directPages; n++ {
			var found page[*nativeTweet]
			if err := c.get(native("users", "me", list), query, &found); err != nil {
				return nil, err
			}
			for _, t := range found.Items {
				if t.Visibility == model.Mentioned {
					all = append(all, t)
				}
			}
			if found.NextPageToken == "" || !c.mayGoOn() {
				break
			}
			query.Set("pageToken", found.NextPageToken)
		}
	}
	slices.SortStableFunc(all, func(a, b *nativeTweet) int { return b.ID.Compare(a.ID) })
	return slices.CompactFunc(all, func(a, b *nativeTweet) bool { return a.ID == b.ID }), nil
}

// conversations are the threads of direct posts whose newest post is within bounds, the one with the newest first. It
// links the pages by these posts. Without a limit there are no bounds.
func (c *call) conversations(b bounds) ([]*Conversation, error) {
	posts, err := c.direct()
	if err != nil {
		return nil, err
	}
	var roots []model.TweetID
	var last []entry
	people, everybody := map[model.TweetID][]model.UserID{}, []model.UserID{}
	for _, t := range posts {
		if !slices.Contains(roots, t.RootID) {
			roots, last = append(roots, t.RootID), append(last, entryOf(t, ofTweets))
		}
		in := append(people[t.RootID], t.AuthorID)
		for _, m := range t.Mentions {
			in = append(in, m.UserID)
		}
		people[t.RootID] = in
	}
	if b.limit > 0 {
		roots, last = c.conversationPage(b, roots, last)
	}
	for _, root := range roots {
		people[root] = slices.DeleteFunc(unique(people[root]), func(uid model.UserID) bool { return uid == c.caller().UID })
		everybody = append(everybody, people[root]...)
	}
	accounts, err := c.accounts(everybody)
	if err != nil {
		return nil, err
	}
	statuses, err := c.statuses(last)
	if err != nil {
		return nil, err
	}
	all := []*Conversation{}
	for i, root := range roots {
		is := &Conversation{ID: statusID(root), Accounts: []*Account{}}
		for _, uid := range people[root] {
			if a := accounts[uid]; a != nil {
				is.Accounts = append(is.Accounts, a)
			}
		}
		at := slices.IndexFunc(statuses, func(s *Status) bool { return s.ID == last[i].statusID() })
		if at < 0 { // its author left a moment ago
			continue
		}
		is.LastStatus = statuses[at]
		all = append(all, is)
	}
	return all, nil
}

// conversationPage cuts a page out of threads and their newest posts, and links to its neighbors.
func (c *call) conversationPage(b bounds, roots []model.TweetID, last []entry) (_ []model.TweetID, _ []entry) {
	var of []model.TweetID
	var within []entry
	for i, e := range last {
		if id := e.statusID(); id > max(b.since, b.after) && (b.maxID == "" || id < b.maxID) {
			of, within = append(of, roots[i]), append(within, e)
		}
	}
	if n := len(within); n > b.limit {
		from := 0
		if b.after != "" {
			from = n - b.limit
		}
		of, within = of[from:from+b.limit], within[from:from+b.limit]
		c.link("next", "max_id", within[b.limit-1].statusID())
	}
	if len(within) > 0 {
		c.link("prev", "min_id", within[0].statusID())
	}
	return of, within
}

func listConversations(c *call) (any, error) { return c.conversations(c.bounds()) }

func readConversation(c *call) (any, error) {
	all, err := c.conversations(bounds{})
	if err != nil {
		return nil, err
	}
	for _, is := range all {
		if is.ID == c.path("id") {
			return is, nil
		}
	}
	return nil, model.NoTweet(model.TweetID(c.path("id")))
}

// directTimeline lists the newest direct posts.
func directTimeline(c *call) (any, error) {
	posts, err := c.direct()
	if err != nil {
		return nil, err
	}
	b, s := c.bounds(), stretch{}
	for _, t := range posts {
		e := entryOf(t, ofTweets)
		if id := e.statusID(); id > max(b.since, b.after) && (b.maxID == "" || id < b.maxID) {
			s.entries = append(s.entries, e)
		}
	}
	return c.paged(s, b)
}
