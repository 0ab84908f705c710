package remote

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/federation"
	"github.com/hibana-sns/hibana/store/tweets"
)

const (
	// MaxParents is how many unknown posts above a post are fetched. The highest of them begins a thread.
	MaxParents = 10
	// fresh is how old a post is at most that notifies: so long a server tries to deliver it.
	fresh = 3 * 24 * time.Hour
)

// Receivers are the recipients of an activity, for an object that names none.
type Receivers struct{ To, CC []string }

// postTypes are the types of objects that are posts.
var postTypes = []string{"Note", "Question", "Article", "Page", "Image", "Video", "Audio", "Event"}

// IsPost reports whether an object is of a type that becomes a tweet.
func IsPost(o *activitypub.Object) bool { return o.Is(postTypes...) }

// KnownPost returns the tweet of a post, without a fetch. The address of a post of this installation is its tweet,
// whether or not that is there. A post that is not known is errs.NotFound, and one that was deleted errs.Gone.
//
// Cost: 1 read for a post of another server.
func (r *Remote) KnownPost(ctx context.Context, iri string) (_ model.TweetID, err error) {
	defer errs.Wrap(&err, "remote.KnownPost")
	if id, local := r.site.PostOf(iri); local {
		return id, nil
	}
	if r.site.Has(iri) || r.checkAddress(iri) != nil {
		return "", errs.New(errs.NotFound, "post_not_found", "this post is not known")
	}
	mark, err := r.store.Tweets.RemotePost(ctx, iri)
	switch {
	case err != nil:
		return "", err
	case mark == nil:
		return "", errs.New(errs.NotFound, "post_not_found", "this post is not known")
	case mark.Deleted:
		return "", errs.New(errs.Gone, "post_deleted", "this post was deleted")
	}
	return mark.TweetID, nil
}

// Post returns the tweet of a post, which is fetched and kept if it is not known, with its author and the posts above
// it, at most [MaxParents]. A post that is fetched notifies nobody. The errors are those of [Remote.Person], of
// KnownPost and of [tweets.Store.PostRemote].
//
// Cost: that of KnownPost; for a fetch 1 read and 1 write, that of [Remote.Person] and of Put, for each post.
func (r *Remote) Post(ctx context.Context, iri string) (_ model.TweetID, err error) {
	defer errs.Wrap(&err, "remote.Post")
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	return r.post(ctx, iri, newWalk())
}

// walk is a way up a thread.
type walk struct {
	left int
	seen map[string]bool
}

func newWalk() *walk { return &walk{MaxParents, map[string]bool{}} }

func (r *Remote) post(ctx context.Context, iri string, w *walk) (model.TweetID, error) {
	id, err := r.KnownPost(ctx, iri)
	if errs.KindOf(err) != errs.NotFound || err == nil || r.site.Has(iri) {
		return id, err
	}
	if err := r.checkAddress(iri); err != nil {
		return "", err
	}
	w.seen[iri] = true
	fetched, err := r.store.Federation.Object(ctx, iri)
	if err != nil {
		return "", err
	}
	if fetched.ID != iri { // the address was that of a page
		if id, err = r.KnownPost(ctx, fetched.ID); errs.KindOf(err) != errs.NotFound || err == nil {
			return id, err
		}
		w.seen[fetched.ID] = true
	}
	o, err := activitypub.Decode([]byte(fetched.JSON))
	if err != nil {
		return "", refused(err.Error())
	}
	if !IsPost(o) || len(o.AttributedTo) == 0 || !sameHost(o.AttributedTo[0], o.ID) {
		return "", refused("it is no post of an actor of its host")
	}
	by, err := r.Person(ctx, o.AttributedTo[0])
	if err != nil {
		return "", err
	}
	return r.put(ctx, by, o, Receivers{}, true, w)
}

// Put keeps a post of a person whose origin is verified: it came from its own address, or the person signed it. It
// makes a tweet, once, or edits the one that is there if the version is newer; a poll gets the counts of its server.
// to are the recipients of the activity with it. The posts above it are fetched, at most [MaxParents]; without them a
// reply begins a thread. While this process fetches too much, Put is errs.Unavailable: later a parent may be there.
//
// An object on another host than the person, or of another author, is errs.NotFound, and so is a post for nobody here.
// Other errors are those of [tweets.Store.PostRemote] and [tweets.Edits.EditRemote]. An older version does nothing.
//
// Cost: 1 read, 1 for each mentioned person whose profile is not cached, at most 20, and that of
// [tweets.Store.PostRemote]; for a reply and a quote 1 read each, and what its parents cost. For a known post that of
// [tweets.Edits.EditRemote], and of [tweets.Store.HearVotes] for a poll.
func (r *Remote) Put(ctx context.Context, by *model.User, o *activitypub.Object, to ...Receivers) (_ model.TweetID,
	err error) {
	defer errs.Wrap(&err, "remote.Put(%q)", by.ID)
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	var receivers Receivers
	if len(to) > 0 {
		receivers = to[0]
	}
	return r.put(ctx, by, o, receivers, false, newWalk())
}

func (r *Remote) put(ctx context.Context, by *model.User, o *activitypub.Object, to Receivers, quiet bool,
	w *walk) (model.TweetID, error) {
	if err := r.checkPost(by, o); err != nil {
		return "", err
	}
	mark, err := r.store.Tweets.RemotePost(ctx, o.ID)
	if err != nil {
		return "", err
	}
	rule, err := r.store.Federation.Domain(ctx, hostOf(o.ID))
	if err != nil {
		return "", err
	}
	if rule.Suspended() {
		return "", refused("its server is suspended")
	}
	if rule.RejectMedia {
		is := *o
		is.Attachment, is.Image, is.Icon = nil, nil, nil
		o = &is
	}
	n := &note{Object: o, by: by, page: r.pageOf(o)}
	if len(o.To)+len(o.CC) == 0 {
		n.To, n.CC = to.To, to.CC
	}
	if mark != nil && (mark.TweetID != "" || mark.AuthorID == by.ID) {
		return r.change(ctx, n, mark)
	}
	if err := r.resolve(ctx, n); err != nil {
		return "", err
	}
	p := tweets.RemoteTweet{Remote: model.RemotePost{IRI: o.ID, URL: n.page}, Author: by, Updated: o.Updated}
	now := r.o.Now()
	if p.At = o.Published; p.At.UnixMilli() < 1 || p.At.After(now) {
		p.At = now
	}
	p.Quiet = quiet || now.Sub(p.At) > fresh
	d := model.Draft{AllowLikes: true, AllowReplies: true, Visibility: n.audience()}
	if rule.Silenced() {
		if d.Visibility == model.Public {
			d.Visibility = model.Unlisted
		}
		if p.Quiet, err = r.strange(ctx, n); err != nil {
			return "", err
		}
	}
	if d.Visibility == model.Mentioned && len(n.local) == 0 {
		return "", refused("it is for nobody here")
	}
	parent, localParent, err := r.parent(ctx, n, w)
	if err != nil {
		return "", err
	}
	if o.Quote != "" {
		if d.QuoteOf, err = r.KnownPost(ctx, o.Quote); err != nil && errs.KindOf(err) == errs.Unavailable {
			return "", err
		}
	}
	p.Poll, p.Votes = n.poll(now)
	for {
		n.quoted, n.orphan = d.QuoteOf != "", o.InReplyTo != "" && parent == ""
		if d.ReplyTo = nil; parent != "" {
			d.ReplyTo = &parent
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
		d.Content, d.Tags = n.content(p.Poll != nil)
		d.Summary, d.Language = n.warning(), n.language()
		if p.Draft, err = d.Clean(); err != nil {
			return "", err
		}
		id, made, err := r.store.Tweets.PostRemote(ctx, p)
		if err == nil && !made { // another version was written meanwhile
			if mark, err = r.store.Tweets.RemotePost(ctx, o.ID); err != nil || mark == nil {
				return id, err
			}
			return r.change(ctx, n, mark)
		}
		if kind := errs.KindOf(err); err != nil && parent != "" && !localParent && errs.CodeOf(err) != "post_deleted" &&
			errs.CodeOf(err) != "reply_not_approved" &&
			(kind == errs.Forbidden || kind == errs.NotFound || kind == errs.Gone) {
			parent = "" // nobody here knows whether its author may see the parent
			continue
		}
		return id, err
	}
}

// strange reports whether one of the users here whom a post of a silenced server names does not follow its author. Then
// the post notifies nobody.
//
// Cost: 1 read for each user.
func (r *Remote) strange(ctx context.Context, n *note) (bool, error) {
	for _, u := range n.local {
		_, err := r.store.Graph.Relationship(ctx, u.ID, n.by.ID)
		if errs.KindOf(err) == errs.NotFound && err != nil {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// checkPost refuses an object that is no post of a person.
func (r *Remote) checkPost(by *model.User, o *activitypub.Object) error {
	switch {
	case by.Remote == nil || r.checkAddress(o.ID) != nil:
		return refused("it has no address")
	case !sameHost(o.ID, by.Remote.IRI):
		return refused("it is on another host than its author")
	case !slices.Contains(o.AttributedTo, by.Remote.IRI):
		return refused("it is of another author")
	case !IsPost(o):
		return refused("it is no post")
	case o.Name.Value != "" && o.Content.Value == "" && o.InReplyTo != "" && o.Is("Note"):
		return refused("it is a vote")
	}
	return nil
}

// pageOf is the page of a post for people.
func (r *Remote) pageOf(o *activitypub.Object) string {
	for _, link := range o.URL {
		if len(link.Href) <= model.MaxIRI && sameHost(link.Href, o.ID) &&
			(link.MediaType == "" || link.MediaType == "text/html") {
			return link.Href
		}
	}
	return o.ID
}

// parent returns the tweet that a post answers; empty for none. local is whether it is of this installation.
func (r *Remote) parent(ctx context.Context, n *note, w *walk) (_ model.TweetID, local bool, err error) {
	if n.InReplyTo == "" {
		return "", false, nil
	}
	w.seen[n.ID] = true
	id, err := r.KnownPost(ctx, n.InReplyTo)
	_, local = r.site.PostOf(n.InReplyTo)
	if err == nil || local {
		return id, local, err
	}
	if errs.KindOf(err) != errs.NotFound || w.left == 0 || w.seen[n.InReplyTo] || r.site.Has(n.InReplyTo) {
		if kind := errs.KindOf(err); kind == errs.NotFound || kind == errs.Gone {
			err = nil
		}
		return "", false, err
	}
	w.left--
	if id, err = r.post(ctx, n.InReplyTo, w); errors.Is(err, federation.ErrBusy) {
		return "", false, err // the same later
	} else if err != nil {
		return "", false, nil // the reply stands without it
	}
	return id, false, nil
}

// change writes a newer version of a known post. Its audience becomes narrower if that of the version is, and never
// wider.
func (r *Remote) change(ctx context.Context, n *note, mark *model.RemotePostMark) (model.TweetID, error) {
	switch {
	case mark.AuthorID != n.by.ID:
		return "", errs.New(errs.Forbidden, "not_author", "this post is of another author")
	case mark.Deleted:
		return "", errs.New(errs.Gone, "post_deleted", "this post was deleted")
	}
	if n.Updated.Before(mark.UpdatedAt) { // its votes are older, too
		return mark.TweetID, nil
	}
	poll, votes := n.poll(r.o.Now())
	if votes != nil || !n.Closed.IsZero() {
		same := n.Updated.Equal(mark.UpdatedAt)
		if err := r.store.Tweets.HearVotes(ctx, mark.TweetID, votes, n.Closed, same); err != nil {
			return "", err
		}
	}
	if !n.Updated.After(mark.UpdatedAt) || n.Updated.After(r.o.Now().Add(clocksApart)) {
		return mark.TweetID, nil
	}
	if err := r.resolve(ctx, n); err != nil {
		return "", err
	}
	if n.Quote != "" {
		_, err := r.KnownPost(ctx, n.Quote)
		n.quoted = err == nil
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	content, tags := n.content(poll != nil)
	summary := n.warning()
	patch := model.TweetPatch{Content: &content, Summary: &summary, Tags: &tags}
	if len(n.To)+len(n.CC) > 0 {
		audience := n.audience()
		patch.Narrow = &audience
	}
	return mark.TweetID, r.store.Edits.EditRemote(ctx, n.by.ID, n.ID, patch, n.Updated)
}

// clocksApart is how far the clock of another server may be ahead.
const clocksApart = 10 * time.Minute

// Remove deletes a post for its author, also before it came: then it does not come for [model.RemoteStoneWindow]. A
// post on another host than its author is errs.NotFound, and one of another author errs.Forbidden.
//
// Cost: that of [tweets.Store.RemoveRemote].
func (r *Remote) Remove(ctx context.Context, by *model.User, iri string) (err error) {
	defer errs.Wrap(&err, "remote.Remove(%q)", by.ID)
	if by.Remote == nil || r.checkAddress(iri) != nil || !sameHost(iri, by.Remote.IRI) {
		return refused("it is on another host than its author")
	}
	return r.store.Tweets.RemoveRemote(ctx, by.ID, iri)
}

// RemovePerson begins the deletion of a person of another server with all that is here of it, as of every user who
// leaves. A person who is not known, or who leaves already, is no error. The caller has verified that the person is
// gone.
//
// Cost: 1 read, and that of [users.Store.Leave].
func (r *Remote) RemovePerson(ctx context.Context, iri string) (err error) {
	defer errs.Wrap(&err, "remote.RemovePerson")
	uid := model.RemoteUserID(iri)
	if r.site.Has(iri) {
		return refused("it is on this server")
	}
	if _, err = r.store.Users.Leave(ctx, uid); errs.KindOf(err) == errs.NotFound && err != nil {
		return nil
	}
	return err
}
