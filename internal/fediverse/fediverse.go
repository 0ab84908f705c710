// Package fediverse makes the addresses by which servers of the fediverse know what is here. They have ids alone, so a
// rename changes none of them.
package fediverse

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Me is the name of the only user of an installation for one.
const Me = "me"

// Site is an installation in the fediverse.
type Site struct {
	URL    string // origin of all addresses, such as https://hibana.example
	Domain string // of handles, if it is not the host of URL
	Single string // the username of the only user, whose name is Me; empty for any number
}

// Host is the host of all addresses, with its port.
func (s Site) Host() string {
	_, host, _ := strings.Cut(s.URL, "://")
	return host
}

// Scheme is http or https.
func (s Site) Scheme() string {
	scheme, _, _ := strings.Cut(s.URL, "://")
	return scheme
}

// HandleDomain is the domain of handles.
func (s Site) HandleDomain() string {
	if s.Domain != "" {
		return s.Domain
	}
	return s.Host()
}

// Name is the name of a user in handles: the username, or Me for the only user.
func (s Site) Name(username string) string {
	if s.Single != "" && username == s.Single {
		return Me
	}
	return username
}

// Username is the username of a name in a handle. So the only user has both names.
func (s Site) Username(name string) string {
	if s.Single != "" && name == Me {
		return s.Single
	}
	return name
}

// Local is the username of a handle of this installation, such as ann@hibana.example, whether or not somebody has it;
// ok
// is false for a handle of another host.
func (s Site) Local(handle string) (username string, ok bool) {
	name, host, ok := strings.Cut(handle, "@")
	if !ok || !strings.EqualFold(host, s.HandleDomain()) && !strings.EqualFold(host, s.Host()) {
		return "", false
	}
	return s.Username(name), true
}

// Account is the address of a handle: acct:name@domain.
func (s Site) Account(name string) string { return "acct:" + name + "@" + s.HandleDomain() }

// OwnName is the name of the installation itself in its handle: the domain, without a port, which servers refuse in a
// name.
func (s Site) OwnName() string {
	u := url.URL{Host: s.HandleDomain()}
	return u.Hostname()
}

// Own is the actor of the installation itself, which signs its requests, and the name of that actor.
func (s Site) Own() string { return s.URL + "/actor" }

// SharedInbox is where activities for several users go.
func (s Site) SharedInbox() string { return s.URL + "/inbox" }

// User is the actor that a user is.
func (s Site) User(uid model.UserID) string { return s.URL + "/users/" + url.PathEscape(string(uid)) }

// UserOf is the user that an actor of this installation is; ok is false for another address.
func (s Site) UserOf(actor string) (uid model.UserID, ok bool) {
	id, ok := strings.CutPrefix(actor, s.URL+"/users/")
	if !ok {
		return "", false
	}
	id, err := url.PathUnescape(id)
	if err != nil {
		return "", false
	}
	uid, err = model.ParseUserID(id)
	return uid, err == nil && s.User(uid) == actor
}

// PostOf is the post of an address of this installation; ok is false for another address.
func (s Site) PostOf(post string) (id model.TweetID, ok bool) {
	of, ok := strings.CutPrefix(post, s.URL+"/posts/")
	if !ok {
		return "", false
	}
	id, err := model.ParseTweetID(of)
	return id, err == nil
}

// Has reports whether an address is on this installation.
func (s Site) Has(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, s.Host())
}

// Follow is the activity by which a user follows another.
func (s Site) Follow(follower, followed model.UserID) string {
	return s.User(follower) + "#follows/" + url.PathEscape(string(followed))
}

// FollowedAt is when the follow of an address of this installation began; zero for an address without a time.
func (s Site) FollowedAt(activity string) time.Time {
	_, id, _ := strings.Cut(activity, "#follows/")
	_, at, _ := strings.Cut(id, "/")
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil || !s.Has(activity) {
		return time.Time{}
	}
	return time.UnixMicro(micros)
}

// FollowOf is the follower and the followed user of an activity of this installation, which may have its time at its
// end;
// ok is false for another address.
func (s Site) FollowOf(activity string) (follower, followed model.UserID, ok bool) {
	of, id, ok := strings.Cut(activity, "#follows/")
	if !ok {
		return "", "", false
	}
	id, _, _ = strings.Cut(id, "/")
	if id, err := url.PathUnescape(id); err == nil {
		followed = model.UserID(id)
	}
	follower, ok = s.UserOf(of)
	return follower, followed, ok && followed != ""
}

// Of is a part of a user or a post, such as followers.
func Of(id, part string) string { return id + "/" + part }

// Key is a key of an actor.
func Key(actor, id string) string { return actor + "#key-" + id }

// Post is a post.
func (s Site) Post(id model.TweetID) string { return s.URL + "/posts/" + string(id) }

// Tag is the page of a tag.
func (s Site) Tag(key string) string { return s.URL + "/tags/" + url.PathEscape(key) }

// HTML makes links within the service links of anywhere, and gives those of tags and users the classes by which servers
// know them. pages has the page of each user who is mentioned.
func (s Site) HTML(html string, pages map[model.UserID]string) string {
	var names []string
	for uid, page := range pages {
		names = append(names, `href="/users/`+url.PathEscape(string(uid))+`" class="mention"`,
			`href="`+page+`" class="u-url mention"`)
	}
	names = append(names, `class="hashtag"`, `class="mention hashtag" rel="tag"`)
	html = strings.NewReplacer(names...).Replace(html)
	// In a text quotation marks are escaped, so this is nowhere but in attributes.
	return strings.NewReplacer(`href="/`, `href="`+s.URL+`/`, `src="/`, `src="`+s.URL+`/`).Replace(html)
}
