package mastodon

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// postOf reads the post that the path names.
//
// Cost: that of GET /v1/tweets/{id}.
func (c *call) postOf() (*nativeTweet, error) {
	id, err := tweetOf(c.path("id"))
	if err != nil {
		return nil, err
	}
	return c.tweet(id)
}

// tweet reads a post.
//
// Cost: that of GET /v1/tweets/{id}.
func (c *call) tweet(id model.TweetID) (*nativeTweet, error) {
	var t nativeTweet
	if err := c.get(native("tweets", string(id)), url.Values{"format": {"html"}}, &t); err != nil {
		return nil, err
	}
	return &t, nil
}

// statusFrom makes the entity of a post that was read by itself.
//
// Cost: 1 read for an author who is not cached; for a quote that of [call.statuses] with the quoted post.
func (c *call) statusFrom(t *nativeTweet) (*Status, error) {
	accounts, err := c.accounts([]model.UserID{t.AuthorID})
	if err != nil {
		return nil, err
	}
	if accounts[t.AuthorID] == nil { // left a moment ago
		return nil, model.NoTweet(t.ID)
	}
	s := c.statusOf(t, accounts[t.AuthorID])
	quoted, err := c.quotes(map[model.TweetID]*nativeTweet{t.ID: t})
	s.Quote = quoted[t.ID]
	return s, err
}

// fullStatus reads the entity of one post.
//
// Cost: that of GET /v1/tweets/{id}, and that of [call.statuses] without the post itself.
func (c *call) fullStatus(id model.TweetID) (*Status, error) {
	t, err := c.tweet(id)
	if err != nil {
		return nil, err
	}
	return c.statusFrom(t)
}

// like and so on put an act of the caller into a post as it was before the act: its counts follow a second later.
func like(t *nativeTweet) {
	if !t.Liked {
		t.LikeCount++
	}
	t.Liked = true
}

func unlike(t *nativeTweet) {
	if t.Liked {
		t.LikeCount = max(t.LikeCount-1, 0)
	}
	t.Liked = false
}

func share(t *nativeTweet) {
	if !t.Shared {
		t.ShareCount++
	}
	t.Shared = true
}

func unshare(t *nativeTweet) {
	if t.Shared {
		t.ShareCount = max(t.ShareCount-1, 0)
	}
	t.Shared = false
}

// act makes a method that does something with a post. It answers with the post as it was before, in which to puts the
// act. What was taken off a post that is gone meanwhile is taken off all the same.
func act(method, what string, to func(*nativeTweet)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		id, err := tweetOf(c.path("id"))
		if err != nil {
			return nil, err
		}
		t, err := c.tweet(id)
		if err != nil && (method != http.MethodDelete || !isGone(err)) {
			return nil, err
		}
		if done := c.send(method, native("tweets", string(id), what), nil, nil); done != nil {
			return nil, done
		}
		if err != nil {
			return nil, err
		}
		if to != nil {
			to(t)
		}
		t.Bookmarked = (t.Bookmarked || what == "bookmark") && (what != "bookmark" || method == http.MethodPut)
		s, err := c.statusFrom(t)
		if err != nil {
			return nil, err
		}
		switch what {
		case "pin":
			s.Pinned = new(method == http.MethodPut)
		case "mute":
			s.Muted = method == http.MethodPut
		}
		return s, nil
	}
}

// reblog shares a post, and answers with the share.
func reblog(c *call) (any, error) {
	t, err := c.postOf()
	if err != nil {
		return nil, err
	}
	if err := c.send(http.MethodPut, native("tweets", string(t.ID), "share"), nil, nil); err != nil {
		return nil, err
	}
	share(t)
	s, err := c.statusFrom(t)
	if err != nil {
		return nil, err
	}
	at, err := c.sharedAt(t.ID)
	if err != nil {
		return nil, err
	}
	return c.shareOf(s, entry{id: t.ID, by: c.caller().UID, at: at})
}

// sharedAt is the time of the caller's share of a post, if it is among the newest of the caller's shares; else zero.
//
// Cost: that of a page of 1 share of a user, and, if that is another one, of a page of 5.
func (c *call) sharedAt(id model.TweetID) (at time.Time, err error) {
	type share struct {
		ID       model.TweetID `json:"id"`
		SharedAt time.Time     `json:"sharedAt"`
	}
	path := native("users", string(c.caller().UID), "shares")
	for _, size := range []string{"1", "5"} {
		var found page[share]
		if err := c.get(path, url.Values{"pageSize": {size}}, &found); err != nil {
			return at, err
		}
		if i := slices.IndexFunc(found.Items, func(s share) bool { return s.ID == id }); i >= 0 {
			return found.Items[i].SharedAt, nil
		}
	}
	return at, nil
}

// revokeQuote withdraws a post of the caller from one that quotes it, and answers with the latter.
func revokeQuote(c *call) (any, error) {
	id, err := tweetOf(c.path("id"))
	if err != nil {
		return nil, err
	}
	quote, err := tweetOf(c.path("quoting_status_id"))
	if err != nil {
		return nil, err
	}
	if err := c.send(http.MethodDelete, native("tweets", string(id), "quotes", string(quote)), nil, nil); err != nil {
		return nil, err
	}
	s, err := c.fullStatus(quote)
	if err == nil {
		s.Quote = &Quote{State: "revoked"}
	}
	return s, err
}

// putPolicy changes who may quote a post.
func putPolicy(c *call) (any, error) {
	t, err := c.ownPost()
	if err != nil {
		return nil, err
	}
	policy, err := c.quotePolicy()
	if err != nil {
		return nil, err
	}
	if policy != "" && t.Visibility != model.Followers && t.Visibility != model.Mentioned {
		change := map[string]any{"quotePolicy": policy}
		if err := c.send(http.MethodPatch, native("tweets", string(t.ID)), change, nil); err != nil {
			return nil, err
		}
		t.QuotePolicy = policy
	}
	return c.statusFrom(t)
}

// ownPost reads the post of the path, which is one of the caller's own.
func (c *call) ownPost() (*nativeTweet, error) {
	t, err := c.postOf()
	if err == nil && t.AuthorID != c.caller().UID {
		err = model.NoTweet(t.ID)
	}
	return t, err
}

// orNone is an error; that of an unknown post for nil.
func orNone(err error, id string) error {
	if err == nil {
		err = model.NoTweet(model.TweetID(id))
	}
	return err
}
