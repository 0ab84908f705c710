package mastodon

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// aged is when what a process had read before is read anew: a list, and a post, may be as they were 2 s ago (CacheTTL
// of store.Options).
const aged = 2500 * time.Millisecond

// sought is what a timeline of a stream should have by what was heard. It is asked for at once, and once more when the
// process has cached nothing from before.
type sought struct {
	posts  []model.TweetID
	others int       // posts that not everybody sees, and shares: what is heard has no ids of them
	heard  time.Time // when something was heard last; zero for a check
	asked  time.Time // when the timeline was read last; zero if it was not
}

// seek notes that the timeline of a stream should have something new.
func (p *pending) seek(s streamName, what model.Heard) {
	is := sought{heard: time.Now(), posts: each(what.Posts, func(post model.HeardPost) model.TweetID { return post.ID })}
	if what.Others {
		is.others = 1
	}
	p.add(s, is)
}

// add takes over what is sought for a stream.
func (p *pending) add(s streamName, more sought) {
	all := maps.Clone(p.sought) // hear has a copy of what is pending
	if all == nil {
		all = map[streamName]sought{}
	}
	is := all[s]
	is.posts = newestOf(slices.Concat(is.posts, more.posts))
	is.others += more.others
	if more.heard.After(is.heard) {
		is.heard = more.heard
	}
	if more.asked.After(is.asked) {
		is.asked = more.asked
	}
	all[s], p.sought = is, all
}

// due is when a timeline is asked for: at once, if something was heard since it was read.
func (is sought) due() time.Time {
	if is.heard.IsZero() || is.asked.Before(is.heard) {
		return time.Time{}
	}
	return is.heard.Add(aged)
}

// timelines delivers what is new on the home timeline and those of lists. What they do not have yet stays in p.
func (n *connection) timelines(c *call, streams map[streamName]listening, p *pending) error {
	for s, is := range p.sought {
		path, o, timeline := s.timeline()
		to, ok := streams[s]
		if !ok || !timeline {
			delete(p.sought, s)
			continue
		}
		if time.Now().Before(is.due()) {
			continue
		}
		is.asked = time.Now()
		found, err := n.page(c, s, to, path, o)
		if err != nil && !isGone(err) {
			return err
		}
		is.posts = slices.DeleteFunc(slices.Clone(is.posts), func(id model.TweetID) bool {
			if n.has(s, statusID(id)) {
				found = slices.DeleteFunc(found, func(one string) bool { return one == statusID(id) })
				return true
			}
			return false
		})
		is.others -= len(found)
		if err != nil || len(is.posts) == 0 && is.others <= 0 || is.asked.After(is.heard.Add(aged)) {
			delete(p.sought, s)
			continue
		}
		p.sought[s] = is
	}
	return nil
}

// agedEdits are the edits that what the process shows has by now, and those left for a later turn.
func (p *pending) agedEdits() (all, left []change) {
	at := time.Now().Add(-aged)
	for _, e := range p.edits {
		if e.heard.After(at) {
			left = append(left, e)
		} else {
			all = append(all, e)
		}
	}
	return all, left
}

// next is when the first of what a turn left is due; zero if it left nothing.
func (p *pending) next() (at time.Time) {
	sooner := func(one time.Time) {
		if at.IsZero() || one.Before(at) {
			at = one
		}
	}
	for _, is := range p.sought {
		sooner(is.due())
	}
	for _, e := range p.edits {
		sooner(e.heard.Add(aged))
	}
	return at
}

// page delivers what a list of posts has since the beginning of a stream, and returns the ids of what is new.
func (n *connection) page(c *call, s streamName, is listening, path string, o order) ([]string, error) {
	after := is.after()
	c.params = params{"since_id": after, "limit": "40"}
	found, err := c.timeline(path, url.Values{}, o)
	if err != nil {
		return nil, err
	}
	return n.update(s, after, found.([]*Status))
}
