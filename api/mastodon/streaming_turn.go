package mastodon

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// deliver asks the native API for what is pending, and queues it. What it has done it takes from p.
//
// Cost: for posts of others that of GET /v1/tweets:batchGet; for home, a list and notifications that of their first
// page.
func (n *connection) deliver(ctx context.Context, p *pending) error {
	n.mu.Lock()
	streams := map[streamName]listening{}
	for s, is := range n.streams {
		streams[s] = *is
	}
	n.mu.Unlock()
	c := &call{Context: ctx, api: n.api, request: n.request, header: http.Header{}, params: params{}}
	if p.filters {
		n.emit(message{stream: streamName{name: "user"}, event: "filters_changed"})
		p.filters = false
	}
	steps := []func(*call, map[streamName]listening, *pending) error{
		n.readMembers, n.timelines, n.publicPosts, n.edited, n.notices, n.announcements,
	}
	for _, step := range steps {
		if err := step(c, streams, p); err != nil {
			return err
		}
	}
	n.deleted(streams, p)
	return nil
}

// announcements delivers what the administrators tell everybody, and the ids of what they tell no more. What the list
// does not have yet stays in p.
func (n *connection) announcements(c *call, streams map[streamName]listening, p *pending) error {
	s := streamName{name: "user"}
	if _, ok := streams[s]; !ok {
		p.announced, p.unannounced = nil, nil
		return nil
	}
	for _, id := range p.unannounced {
		n.emit(message{stream: s, event: "announcement.delete", payload: string(id)})
	}
	p.unannounced = nil
	if len(p.announced) == 0 {
		return nil
	}
	c.params = params{"with_dismissed": "true"}
	found, err := announcements(c)
	if err != nil {
		return err
	}
	for _, a := range found.([]Announcement) {
		id := model.AnnouncementID(a.ID)
		since, ok := p.announced[id]
		if !ok || time.Time(a.UpdatedAt).Before(since.Truncate(time.Millisecond)) {
			continue
		}
		delete(p.announced, id)
		payload, err := text(a)
		if err != nil {
			return err
		}
		n.emit(message{stream: s, event: "announcement", payload: payload})
	}
	return nil
}

// once reports whether a connection has yet to deliver an item on a stream, and notes that it does.
func (n *connection) once(s streamName, item string) bool {
	key := s.name + " " + s.of + " " + item
	if n.known.Contains(key) {
		return false
	}
	n.known.Add(key, struct{}{})
	return true
}

// has reports whether a connection has delivered an item on a stream.
func (n *connection) has(s streamName, item string) bool {
	return n.known.Contains(s.name + " " + s.of + " " + item)
}

// after is the id of the oldest post that a stream may deliver now.
func (is listening) after() string {
	at := time.Now().Add(-window)
	if is.since.After(at) {
		at = is.since
	}
	return statusID(model.OldestAt(at))
}

// update delivers new posts from the id after on, the oldest first, and returns their ids.
func (n *connection) update(s streamName, after string, all []*Status) (ids []string, err error) {
	for _, status := range slices.Backward(all) {
		if status.ID < after || !n.once(s, status.ID) {
			continue
		}
		n.cursor.post = max(n.cursor.post, status.ID)
		payload, err := text(status)
		if err != nil {
			return ids, err
		}
		n.emit(message{stream: s, event: "update", payload: payload, id: n.cursor.text()})
		ids = append(ids, status.ID)
	}
	return ids, nil
}

// readMembers reads the members of lists, where it is time.
func (n *connection) readMembers(c *call, streams map[streamName]listening, _ *pending) error {
	for s, is := range streams {
		if s.name != "list" || time.Since(is.asked) < membersFor {
			continue
		}
		var found page[nativeUser]
		switch err := c.get(native("lists", s.of, "members"), nil, &found); {
		case isGone(err), server.StatusOf(err) == http.StatusBadRequest:
			n.unsubscribe(s)
			delete(streams, s)
			continue
		case err != nil:
			return err
		}
		is.asked, is.members = time.Now(), map[model.UserID]bool{}
		for _, u := range found.Items {
			is.members[u.ID] = true
		}
		streams[s] = is
		n.mu.Lock()
		if to := n.streams[s]; to != nil {
			to.asked, to.members = is.asked, is.members
		}
		n.mu.Unlock()
	}
	return nil
}

// publicPosts delivers new posts on the public streams and those of tags.
func (n *connection) publicPosts(c *call, streams map[streamName]listening, p *pending) error {
	all, err := c.inContext(p.posts, model.FilterPublic)
	if err != nil {
		return err
	}
	for s, is := range streams {
		for _, post := range p.posts {
			if status := all[post.ID]; status != nil && s.hasPost(post, status) {
				if _, err := n.update(s, is.after(), []*Status{status}); err != nil {
					return err
				}
			}
		}
	}
	p.posts = nil
	return nil
}

// hasPost reports whether a post that everybody may see is on a public stream or that of a tag.
func (s streamName) hasPost(post model.HeardPost, status *Status) bool {
	if !s.lists(status) || s.kind() != "public" && (s.kind() != "hashtag" || !slices.Contains(post.Tags, s.of)) {
		return false
	}
	return post.Public
}

// lists reports whether the timeline of a stream has posts like one: the public timeline has no replies, and some
// streams have those of one server, or with media.
func (s streamName) lists(status *Status) bool {
	return (s.kind() != "public" || status.InReplyToID == nil) &&
		s.keeps(strings.Contains(status.Account.Acct, "@"), len(status.MediaAttachments) > 0)
}

// inContext reads posts as a list in a context shows them to the caller.
func (c *call) inContext(posts []model.HeardPost, of model.FilterContext) (map[model.TweetID]*Status, error) {
	all := map[model.TweetID]*Status{}
	if len(posts) == 0 {
		return all, nil
	}
	var found struct{ Items []nativeBatch }
	query := url.Values{"format": {"html"}, "context": {string(of)},
		"ids": each(posts, func(p model.HeardPost) string { return string(p.ID) })}
	if err := c.get("/v1/tweets:batchGet", query, &found); err != nil {
		return nil, err
	}
	var entries []entry
	for _, item := range found.Items {
		if item.Tweet != nil {
			entries = append(entries, entry{id: item.ID, tweet: item.Tweet})
		}
	}
	statuses, err := c.statuses(entries)
	if err != nil {
		return nil, err
	}
	for _, s := range statuses {
		for _, e := range entries {
			if s.ID == statusID(e.id) {
				all[e.id] = s
			}
		}
	}
	return all, nil
}

// edited delivers posts that were edited to the streams that have them, see [pending.agedEdits].
func (n *connection) edited(c *call, streams map[streamName]listening, p *pending) error {
	edits, left := p.agedEdits()
	for _, of := range []model.FilterContext{model.FilterHome, model.FilterPublic} {
		var asked []model.HeardPost
		for _, e := range edits {
			for s := range streams {
				if s.context() == of && n.mayHave(s, streams[s], e) {
					asked = append(asked, e.HeardPost)
					break
				}
			}
		}
		all, err := c.inContext(asked, of)
		if err != nil {
			return err
		}
		for _, e := range edits {
			status := all[e.ID]
			if status == nil {
				continue
			}
			payload, err := text(status)
			if err != nil {
				return err
			}
			for s, is := range streams {
				if s.context() == of && n.mayHave(s, is, e) && (s.lists(status) || n.has(s, status.ID)) {
					n.emit(message{stream: s, event: "status.update", payload: payload})
				}
			}
		}
	}
	p.edits = left
	return nil
}

// context is the context in which filters act on a stream.
func (s streamName) context() model.FilterContext {
	if s.kind() == "public" || s.kind() == "hashtag" {
		return model.FilterPublic
	}
	return model.FilterHome
}

// mayHave reports whether a stream may have a post that was edited or deleted.
func (n *connection) mayHave(s streamName, is listening, post change) bool {
	if n.has(s, statusID(post.ID)) {
		return true
	}
	switch s.kind() {
	case "user":
		return s.name == "user" && post.followed && !post.hidden
	case "list":
		return is.members[post.author] && !post.hidden
	case "public":
		return post.Public
	case "hashtag":
		return post.Public && slices.Contains(post.Tags, s.of)
	}
	return false
}

// deleted delivers the ids of deleted posts to the streams that may have them. An id says nothing of the post.
func (n *connection) deleted(streams map[streamName]listening, p *pending) {
	for _, post := range p.gone {
		for s, is := range streams {
			if n.mayHave(s, is, post) {
				n.emit(message{stream: s, event: "delete", payload: statusID(post.ID)})
			}
		}
	}
	p.gone = nil
	s := streamName{name: "user"}
	if _, ok := streams[s]; ok {
		for _, id := range p.unshared {
			n.emit(message{stream: s, event: "delete", payload: id})
		}
	}
	p.unshared = nil
}

// notices delivers new notifications and conversations, as their methods list them.
func (n *connection) notices(c *call, streams map[streamName]listening, p *pending) error {
	if p.notices {
		for s, is := range streams {
			var err error
			switch s.name {
			case "user", "user:notification":
				if c.caller().MayAs("read:notifications") {
					err = n.items(c, s, is, "/api/v1/notifications", "notification")
				}
			case "direct":
				err = n.items(c, s, is, "/api/v1/conversations", "conversation")
			}
			if err != nil {
				return err
			}
		}
	}
	p.notices = false
	return nil
}

// item is what a stream reads of a notification or a conversation.
type item struct {
	ID         string    `json:"id"`
	CreatedAt  time.Time `json:"created_at"`
	LastStatus *struct {
		ID        string    `json:"id"`
		CreatedAt time.Time `json:"created_at"`
	} `json:"last_status"`
}

// items delivers what a method lists and the stream has yet to deliver.
func (n *connection) items(c *call, s streamName, is listening, path, event string) error {
	i := slices.IndexFunc(n.api.methods, func(m Method) bool { return m.Path == path && m.Verb == http.MethodGet })
	if i < 0 || n.api.methods[i].handle == nil {
		return nil
	}
	c.params = params{"limit": "20"}
	found, err := n.api.methods[i].handle(c)
	if err != nil {
		return err
	}
	all, err := json.Marshal(found)
	if err != nil {
		return err
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(all, &raw); err != nil {
		return err
	}
	for _, one := range slices.Backward(raw) {
		var about item
		if err := json.Unmarshal(one, &about); err != nil {
			return err
		}
		id, at := about.ID, about.CreatedAt
		if about.LastStatus != nil {
			id, at = id+" "+about.LastStatus.ID, about.LastStatus.CreatedAt
		}
		if at.Before(is.since) || !n.once(s, id) {
			continue
		}
		if at.After(n.cursor.notice) {
			n.cursor.notice = at
		}
		n.emit(message{stream: s, event: event, payload: string(one), id: n.cursor.text()})
	}
	return nil
}
