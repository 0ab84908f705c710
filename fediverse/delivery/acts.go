package delivery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
)

// act is the address of something that a user does: the same for the same thing, and another for the same at another
// time.
func (d *Out) act(by model.UserID, what string, object string, at time.Time) string {
	return fmt.Sprintf("%s#%s/%s/%d", d.Site.User(by), what, url.PathEscape(object), at.UnixMicro())
}

// undo is the activity that takes another one back.
func undo(a activitypub.Activity) activitypub.Activity {
	return activitypub.Activity{ID: a.ID + "/undo", Type: "Undo", Actor: a.Actor, Published: a.Published, To: a.To,
		CC: a.CC, Object: a}
}

// telling is an activity that tells of a document of a collection, or of its end. at is when what it tells of began.
func telling(by model.UserID, ended bool, at time.Time, collection, key string) model.Outgoing {
	o := model.Outgoing{By: by, Tells: []string{collection + "/" + key}}
	if !ended {
		o.Since = at
	}
	return o
}

// remoteUser returns a user of another server to whom a user here does something; nil if one of them is gone. Who left
// does nothing more: servers hear of that by [Out.Left].
//
// Cost: 2 reads, less those that are cached.
func (d *Out) remoteUser(ctx context.Context, by, uid model.UserID) (*model.User, error) {
	found, err := d.Store.Users.Users(ctx, []model.UserID{by, uid})
	if err != nil || found[by] == nil || found[uid] == nil || found[uid].Remote == nil {
		return nil, err
	}
	return found[uid], nil
}

// remoteTweet returns a tweet of another server with its author, as remoteUser does.
//
// Cost: 1 read, and that of remoteUser.
func (d *Out) remoteTweet(ctx context.Context, by model.UserID, id model.TweetID, author model.UserID) (*model.Tweet,
	*model.User, error) {
	found, err := d.Store.Tweets.TweetsNow(ctx, []model.TweetID{id})
	if err != nil || found[id] == nil || found[id].Remote == nil {
		return nil, nil, err
	}
	u, err := d.remoteUser(ctx, by, author)
	return found[id], u, err
}

// follow is the activity by which a user here follows one of another server.
func (d *Out) follow(follower model.UserID, followed *model.User, at time.Time) activitypub.Activity {
	return activitypub.Activity{ID: fmt.Sprintf("%s/%d", d.Site.Follow(follower, followed.ID), at.UnixMicro()),
		Type: "Follow", Actor: d.Site.User(follower), Published: activitypub.Time(at), To: []string{followed.Remote.IRI},
		Object: followed.Remote.IRI}
}

// stands reports how a follow stands now.
//
// Cost: 2 reads.
func (d *Out) stands(ctx context.Context, follower, followed model.UserID) (follows, asks bool, err error) {
	follows, err = d.Store.Federation.Exists(ctx, model.Relationships, model.RelationshipKey(follower, followed))
	if err == nil {
		asks, err = d.Store.Federation.Exists(ctx, model.FollowRequests, model.FollowRequestKey(follower, followed))
	}
	return follows, asks, err
}

// FollowRequested tells the server of a remote user about a request that began or ended. An accepted request is told of
// by [Out.Followed]. The event may come late, so what holds now decides.
//
// Cost: nothing unless one of the two is remote; else 4 reads and 1 write.
func (d *Out) FollowRequested(ctx context.Context, r *model.FollowRequest, ended bool) (err error) {
	defer errs.Wrap(&err, "delivery.FollowRequested(%q, %q)", r.FollowerID, r.FollowedID)
	if r.FollowerID.Remote() == r.FollowedID.Remote() {
		return nil
	}
	follows, asks, err := d.stands(ctx, r.FollowerID, r.FollowedID)
	if err != nil {
		return err
	}
	switch {
	case r.FollowedID.Remote() && !ended && asks:
		u, err := d.remoteUser(ctx, r.FollowerID, r.FollowedID)
		if err != nil || u == nil {
			return err
		}
		o := telling(r.FollowerID, false, r.CreatedAt, model.FollowRequests,
			model.FollowRequestKey(r.FollowerID, r.FollowedID))
		o.Inboxes = []string{u.Remote.Inbox}
		return d.send(ctx, o, d.follow(r.FollowerID, u, r.CreatedAt))
	case r.FollowedID.Remote() && ended && !follows && !asks:
		return d.unfollow(ctx, r.FollowerID, r.FollowedID, r.CreatedAt)
	case r.FollowerID.Remote() && ended && !follows && !asks:
		return d.answer(ctx, "Reject", r.FollowedID, r.FollowerID, r.CreatedAt, r.CreatedAt)
	}
	return nil
}

// Followed tells the server of a remote user about a relationship that began or ended, and keeps the audience of a user
// here right.
//
// Cost: nothing unless one of the two is remote; else 4 reads, 1 for the address of a remote follow, and 1 write;
// that of [federation.Store.ReconcileAudience] for a remote follower.
func (d *Out) Followed(ctx context.Context, r *model.Relationship, ended bool) (err error) {
	defer errs.Wrap(&err, "delivery.Followed(%q, %q)", r.FollowerID, r.FollowedID)
	if r.FollowerID.Remote() == r.FollowedID.Remote() {
		return nil
	}
	if r.FollowerID.Remote() {
		if err := d.Store.Federation.ReconcileAudience(ctx, r.FollowedID, r.FollowerID); err != nil {
			return err
		}
	}
	follows, asks, err := d.stands(ctx, r.FollowerID, r.FollowedID)
	if err != nil {
		return err
	}
	switch {
	case r.FollowerID.Remote() && !ended && follows:
		return d.answer(ctx, "Accept", r.FollowedID, r.FollowerID, r.CreatedAt, r.CreatedAt)
	case r.FollowerID.Remote() && ended && !follows && !asks:
		return d.answer(ctx, "Reject", r.FollowedID, r.FollowerID, r.CreatedAt, r.CreatedAt)
	case r.FollowedID.Remote() && ended && !follows && !asks:
		return d.unfollow(ctx, r.FollowerID, r.FollowedID, r.Began())
	}
	return nil
}

// unfollow takes a follow of a remote user back. at is when it began as a request: so both have one address.
func (d *Out) unfollow(ctx context.Context, follower, followed model.UserID, at time.Time) error {
	u, err := d.remoteUser(ctx, follower, followed)
	if err != nil || u == nil {
		return err
	}
	o := telling(follower, true, at, model.Relationships, model.RelationshipKey(follower, followed))
	o.Tells = append(o.Tells, model.FollowRequests+"/"+model.FollowRequestKey(follower, followed))
	o.Inboxes = []string{u.Remote.Inbox}
	return d.send(ctx, o, undo(d.follow(follower, u, at)))
}

// Follows accepts the follow of a remote user, who follows already, once more: the server asks, so it may not have the
// first answer. It does so once a minute at most.
//
// Cost: 2 to 4 reads and 1 write.
func (d *Out) Follows(ctx context.Context, follower, followed model.UserID) (err error) {
	defer errs.Wrap(&err, "delivery.Follows(%q, %q)", follower, followed)
	if !follower.Remote() || followed.Remote() {
		return nil
	}
	r, err := d.Store.Graph.Relationship(ctx, follower, followed)
	if err != nil {
		if errs.KindOf(err) == errs.NotFound {
			return nil
		}
		return err
	}
	return d.answer(ctx, "Accept", followed, follower, r.CreatedAt, d.Now().Truncate(time.Minute))
}

// answer accepts or rejects the follow of a remote user, which began at since. at is when it does so. Who took the
// follow back hears nothing.
func (d *Out) answer(ctx context.Context, what string, by, follower model.UserID, since, at time.Time) error {
	u, err := d.remoteUser(ctx, by, follower)
	if err != nil || u == nil {
		return err
	}
	asked := activitypub.Activity{Type: "Follow", Actor: u.Remote.IRI, Object: d.Site.User(by), To: []string{},
		CC: []string{}}
	if asked.ID, err = d.Store.Federation.FollowOf(ctx, u.Remote.IRI, d.Site.User(by)); err != nil {
		return err
	}
	if asked.ID == "" {
		if what == "Reject" {
			undone, err := d.Store.Federation.FollowUndone(ctx, u.Remote.IRI, d.Site.User(by))
			if err != nil || undone {
				return err
			}
		}
		asked.ID = u.Remote.IRI + "#follows/" + url.PathEscape(d.Site.User(by))
	}
	o := telling(by, what == "Reject", since, model.Relationships, model.RelationshipKey(follower, by))
	o.Inboxes = []string{u.Remote.Inbox}
	return d.send(ctx, o, activitypub.Activity{ID: d.act(by, what, string(follower), at), Type: what,
		Actor: d.Site.User(by), Published: activitypub.Time(at), To: []string{u.Remote.IRI}, Object: asked})
}

// Blocked tells the server of a remote user that a user here blocks that user, or does no more.
//
// Cost: nothing unless a user here blocks a remote one; else 3 reads and 1 write.
func (d *Out) Blocked(ctx context.Context, b *model.Block, ended bool) (err error) {
	defer errs.Wrap(&err, "delivery.Blocked(%q, %q)", b.BlockerID, b.BlockeeID)
	if b.BlockerID.Remote() || !b.BlockeeID.Remote() {
		return nil
	}
	blocks, err := d.Store.Federation.Exists(ctx, model.Blocks, model.BlockKey(b.BlockerID, b.BlockeeID))
	if err != nil || blocks == ended {
		return err
	}
	u, err := d.remoteUser(ctx, b.BlockerID, b.BlockeeID)
	if err != nil || u == nil {
		return err
	}
	a := activitypub.Activity{ID: d.act(b.BlockerID, "blocks", string(u.ID), b.CreatedAt), Type: "Block",
		Actor: d.Site.User(b.BlockerID), Published: activitypub.Time(b.CreatedAt), To: []string{u.Remote.IRI},
		Object: u.Remote.IRI}
	if ended {
		a = undo(a)
	}
	o := telling(b.BlockerID, ended, b.CreatedAt, model.Blocks, model.BlockKey(b.BlockerID, b.BlockeeID))
	o.Inboxes = []string{u.Remote.Inbox}
	return d.send(ctx, o, a)
}

// Liked tells the server of a remote author about a like, or its end.
//
// Cost: nothing unless the author is remote and the other user is not; else 4 reads and 1 write.
func (d *Out) Liked(ctx context.Context, l *model.Like, ended bool) (err error) {
	defer errs.Wrap(&err, "delivery.Liked(%q, %q)", l.UserID, l.TweetID)
	if l.UserID.Remote() || !l.AuthorID.Remote() {
		return nil
	}
	likes, err := d.Store.Federation.Exists(ctx, model.Likes, model.ReactionKey(l.UserID, l.TweetID))
	if err != nil || likes == ended {
		return err
	}
	t, u, err := d.remoteTweet(ctx, l.UserID, l.TweetID, l.AuthorID)
	if err != nil || u == nil {
		return err
	}
	a := activitypub.Activity{ID: d.act(l.UserID, "likes", string(l.TweetID), l.CreatedAt), Type: "Like",
		Actor: d.Site.User(l.UserID), Published: activitypub.Time(l.CreatedAt), To: []string{u.Remote.IRI},
		Object: t.Remote.IRI}
	if ended {
		a = undo(a)
	}
	o := telling(l.UserID, ended, l.CreatedAt, model.Likes, model.ReactionKey(l.UserID, l.TweetID))
	o.Inboxes = []string{u.Remote.Inbox}
	return d.send(ctx, o, a)
}

// Shared tells the remote followers of a user here, and a remote author, about a share, or its end.
//
// Cost: nothing for a share of a remote user; 1 read if nobody else is remote; else 3 to 5 reads and 1 write.
func (d *Out) Shared(ctx context.Context, l *model.Share, ended bool) (err error) {
	defer errs.Wrap(&err, "delivery.Shared(%q, %q)", l.UserID, l.TweetID)
	if l.UserID.Remote() {
		return nil
	}
	has, err := d.Store.Federation.HasAudience(ctx, l.UserID)
	if err != nil || !has && !l.AuthorID.Remote() {
		return err
	}
	shares, err := d.Store.Federation.Exists(ctx, model.Shares, model.ReactionKey(l.UserID, l.TweetID))
	if err != nil || shares == ended {
		return err
	}
	actor := d.Site.User(l.UserID)
	author := d.Site.User(l.AuthorID)
	o := telling(l.UserID, ended, l.CreatedAt, model.Shares, model.ReactionKey(l.UserID, l.TweetID))
	if !ended {
		o.Tweet, o.Audience = l.TweetID, model.Unlisted // and goes out while everybody may read it
	}
	if has {
		o.Of = l.UserID
	}
	post := d.Site.Post(l.TweetID)
	if l.AuthorID.Remote() {
		t, u, err := d.remoteTweet(ctx, l.UserID, l.TweetID, l.AuthorID)
		if err != nil || u == nil {
			return err
		}
		post, author, o.Inboxes = t.Remote.IRI, u.Remote.IRI, []string{u.Remote.DeliverTo()}
	}
	a := activitypub.Activity{ID: d.act(l.UserID, "shares", string(l.TweetID), l.CreatedAt), Type: "Announce",
		Actor: actor, Published: activitypub.Time(l.CreatedAt), To: []string{activitypub.Public},
		CC: []string{fediverse.Of(actor, "followers"), author}, Object: post}
	if ended {
		a = undo(a)
	}
	return d.send(ctx, o, a)
}

// Voted tells the server of a remote author about a vote in a poll.
//
// Cost: nothing unless the author is remote and the other user is not; else 3 reads and 1 write.
func (d *Out) Voted(ctx context.Context, v *model.Vote) (err error) {
	defer errs.Wrap(&err, "delivery.Voted(%q, %q)", v.UserID, v.TweetID)
	if v.UserID.Remote() || !v.AuthorID.Remote() {
		return nil
	}
	t, u, err := d.remoteTweet(ctx, v.UserID, v.TweetID, v.AuthorID)
	if err != nil || u == nil || t.Poll == nil || v.Option < 1 || v.Option > len(t.Poll.Options) {
		return err
	}
	id, actor := d.act(v.UserID, "votes", string(v.TweetID), v.CreatedAt), d.Site.User(v.UserID)
	return d.Send(ctx, v.UserID, activitypub.Activity{ID: id + "/activity", Type: "Create", Actor: actor,
		Published: activitypub.Time(v.CreatedAt), To: []string{u.Remote.IRI}, Object: activitypub.Vote{ID: id, Type: "Note",
			Name: t.Poll.Options[v.Option-1], AttributedTo: actor, InReplyTo: t.Remote.IRI, To: []string{u.Remote.IRI},
			Published: activitypub.Time(v.CreatedAt)}}, []string{u.Remote.Inbox})
}

// recipients are those of what a user here posted: the inboxes of remote users whom it addresses, the addresses of all
// whom it addresses, and whether remote followers get it.
//
// Cost: 1 read for the audience, unless the post is for named users alone; 1 for each user whom it addresses, unless
// none of them is remote, and the audience is empty.
func (d *Out) recipients(ctx context.Context, t *model.Tweet) (inboxes, addressed []string, has bool, err error) {
	if t.Visibility != model.Mentioned {
		if has, err = d.Store.Federation.HasAudience(ctx, t.AuthorID); err != nil {
			return nil, nil, false, err
		}
	}
	remote := t.Answers() && t.ReplyToAuthorID.Remote() || t.QuoteOfAuthorID.Remote()
	for uid := range t.Mentions {
		remote = remote || model.UserID(uid).Remote()
	}
	if !remote && !has {
		return nil, nil, false, nil
	}
	users, err := d.docs.Addressed(ctx, t)
	if err != nil {
		return nil, nil, has, err
	}
	add := func(u *model.User) {
		if u != nil && u.Remote != nil && !slices.Contains(inboxes, u.Remote.DeliverTo()) {
			inboxes = append(inboxes, u.Remote.DeliverTo())
		}
	}
	for _, u := range users {
		if u != nil {
			addressed = append(addressed, d.docs.UserIRI(u))
		}
		add(u)
	}
	if t.QuoteOfAuthorID.Remote() && (t.Visibility == model.Public || t.Visibility == model.Unlisted) {
		u, err := d.remoteUser(ctx, t.AuthorID, t.QuoteOfAuthorID)
		if err != nil {
			return nil, nil, has, err
		}
		add(u)
	}
	slices.Sort(inboxes)
	slices.Sort(addressed)
	return inboxes, addressed, has, nil
}

// Posted tells other servers about a post of a user here, as it is now: remote followers, and the remote users whom it
// addresses.
//
// Cost: nothing for a post of a remote user, and 1 read if nobody else is remote. Else 3 reads more, those of
// [documents.Documents.Post], and 1 write.
func (d *Out) Posted(ctx context.Context, t *model.Tweet) error {
	if t.AuthorID.Remote() || t.Imported != "" || t.IsViolative {
		return nil
	}
	return d.tell(ctx, t, told{what: "Create", id: d.Site.Post(t.ID) + "/activity", at: t.CreatedAt})
}

// Edited tells other servers about an edit of a post of a user here, as Posted does. before is the version that the
// edit
// replaced, and n the number of the revision. Those who may read the post no more hear that it is gone, unless their
// server has others who may.
//
// Cost: 1 read more than Posted. A post that became narrower costs that of the recipients before, and 1 or 2 writes; 1
// read for each part of the audience, if it names fewer users.
func (d *Out) Edited(ctx context.Context, before *model.Tweet, n int) error {
	if before.AuthorID.Remote() {
		return nil
	}
	found, err := d.Store.Tweets.TweetsNow(ctx, []model.TweetID{before.ID})
	now := found[before.ID]
	if err != nil || now == nil || now.IsViolative {
		return err
	}
	id := fmt.Sprintf("%s#updates/%d", d.Site.Post(now.ID), n)
	return errors.Join(d.tell(ctx, now, told{what: "Update", id: id}), d.narrowed(ctx, before, now, n))
}

// narrowed tells those who could read a post before an edit, and may not now, that it is gone.
func (d *Out) narrowed(ctx context.Context, before, now *model.Tweet, n int) (err error) {
	defer errs.Wrap(&err, "delivery.narrowed(%q)", now.ID)
	if open(now.Visibility) {
		return nil
	}
	had, _, hadFollowers, err := d.recipients(ctx, before)
	if err != nil || len(had) == 0 && !hadFollowers {
		return err
	}
	have, _, haveFollowers, err := d.recipients(ctx, now)
	if err != nil {
		return err
	}
	at := *cmp.Or(now.UpdatedAt, &now.CreatedAt)
	followers := fediverse.Of(d.Site.User(now.AuthorID), "followers")
	gone := activitypub.Activity{ID: fmt.Sprintf("%s#narrowed/%d", d.Site.Post(now.ID), n), Type: "Delete",
		Actor: d.Site.User(now.AuthorID), Published: activitypub.Time(at), To: []string{followers},
		Object: d.docs.Tombstone(now.ID, at)}
	if hadFollowers && !haveFollowers && len(have) <= model.MaxOutgoingInboxes {
		// Those that it names have been asked: they keep the post.
		if err := d.send(ctx, model.Outgoing{By: now.AuthorID, Of: now.AuthorID, Inboxes: have, Asked: len(have)},
			gone); err != nil {
			return err
		}
	}
	lost := slices.DeleteFunc(had, func(inbox string) bool { return slices.Contains(have, inbox) })
	if len(lost) > 0 && haveFollowers {
		audience, err := d.Store.Federation.Audience(ctx, now.AuthorID)
		if err != nil {
			return err
		}
		lost = slices.DeleteFunc(lost, func(inbox string) bool { return slices.Contains(audience, inbox) })
	}
	if len(lost) == 0 {
		return nil
	}
	gone.ID += "/named"
	return d.send(ctx, model.Outgoing{By: now.AuthorID, Inboxes: lost}, gone)
}

// open reports whether everybody may read a post of an audience.
func open(a model.Audience) bool { return a == "" || a == model.Public || a == model.Unlisted }

// told is what others hear of a post, under an address.
type told struct {
	what, id string
	at       time.Time // zero for the time of the last edit
	also     []string  // inboxes of others than followers, and those whom the post addresses
	alone    bool      // nobody but also
}

func (d *Out) tell(ctx context.Context, t *model.Tweet, is told) (err error) {
	defer errs.Wrap(&err, "delivery.tell(%q, %s)", t.ID, is.what)
	var inboxes []string
	has := false
	if !is.alone {
		if inboxes, _, has, err = d.recipients(ctx, t); err != nil {
			return err
		}
	}
	for _, inbox := range is.also {
		if !slices.Contains(inboxes, inbox) {
			inboxes = append(inboxes, inbox)
		}
	}
	if len(inboxes) == 0 && !has {
		return nil
	}
	full, err := d.Store.Tweets.Tweet(ctx, t.ID, model.Viewer{ID: t.AuthorID, Role: model.Member})
	if kind := errs.KindOf(err); err != nil && (kind == errs.NotFound || kind == errs.Gone) {
		return nil
	}
	if err != nil {
		return err
	}
	by, err := d.Store.Users.User(ctx, t.AuthorID)
	if errs.KindOf(err) == errs.NotFound && err != nil {
		return nil
	}
	if err != nil {
		return err
	}
	post, err := d.docs.Post(ctx, full, by)
	if err != nil {
		return err
	}
	o := model.Outgoing{By: t.AuthorID, Tweet: t.ID, Audience: cmp.Or(full.Visibility, model.Public),
		Inboxes: inboxes}
	if has && full.Visibility != model.Mentioned {
		o.Of = t.AuthorID
	}
	if is.at.IsZero() && full.UpdatedAt != nil {
		is.at = *full.UpdatedAt
	}
	return d.send(ctx, o, activitypub.Activity{ID: is.id, Type: is.what, Actor: post.AttributedTo,
		Published: activitypub.Time(is.at), To: post.To, CC: post.CC, Object: post})
}

// PollEnded tells other servers the counts of an ended poll of a user here: remote followers, those whom the post
// addresses, and remote voters. A poll of many is told in several calls, of some voters each; the last one tells the
// others, too. Voters hear of posts that are for everybody alone.
//
// Cost: nothing for a poll of a remote user, and 1 read if nobody else is remote. Else that of Posted, and 1 read for
// each voter whose profile is not cached.
func (d *Out) PollEnded(ctx context.Context, t *model.Tweet, voters []model.UserID, last bool) (err error) {
	defer errs.Wrap(&err, "delivery.PollEnded(%q)", t.ID)
	if t.AuthorID.Remote() || t.Imported != "" || t.IsViolative || t.Poll == nil {
		return nil
	}
	is := told{what: "Update", id: d.Site.Post(t.ID) + "#updates/poll", at: t.Poll.ClosesAt, alone: !last}
	if len(voters) > 0 && (t.Visibility == model.Public || t.Visibility == model.Unlisted) {
		users, err := d.Store.Users.Users(ctx, append([]model.UserID{t.AuthorID}, voters...))
		if err != nil || users[t.AuthorID] == nil {
			return err
		}
		for _, uid := range voters {
			if u := users[uid]; u != nil && u.Remote != nil && !users[t.AuthorID].Locked {
				is.also = append(is.also, u.Remote.DeliverTo())
			}
		}
		slices.Sort(is.also)
		is.also = slices.Compact(is.also)
	}
	if !last {
		is.id += "/" + model.OutgoingID(fmt.Sprint(voters)) // each part is an activity
	}
	return d.tell(ctx, t, is)
}

// Deleted tells other servers that a post of a user here is gone. Those of a user who leaves go with the user. A post
// that was edited may have had more readers, so remote followers hear of it whatever its audience is now. The
// deletion of
// an import goes out, too, though the import did not: servers may have fetched it, or got it by an edit.
//
// Cost: nothing for a post of a remote user, and 1 read if nobody else is remote. Else 1 or more reads for users, and 1
// write.
func (d *Out) Deleted(ctx context.Context, t *model.Tweet, at time.Time) (err error) {
	defer errs.Wrap(&err, "delivery.Deleted(%q)", t.ID)
	if t.AuthorID.Remote() {
		return nil
	}
	ever := *t
	if t.Revision > 0 {
		ever.Visibility = model.Public
	}
	inboxes, addressed, has, err := d.recipients(ctx, &ever)
	if err != nil || len(inboxes) == 0 && !has {
		return err
	}
	by, err := d.Store.Users.Users(ctx, []model.UserID{t.AuthorID})
	if err != nil || by[t.AuthorID] == nil {
		return err
	}
	o := model.Outgoing{By: t.AuthorID, Inboxes: inboxes}
	if has {
		o.Of = t.AuthorID
	}
	to, cc := d.docs.Recipients(t.Visibility, by[t.AuthorID], addressed)
	if t.Revision > 0 && !open(t.Visibility) { // followers do not learn whom it named
		to, cc = d.docs.Recipients(model.Followers, by[t.AuthorID], nil)
	}
	return d.send(ctx, o, activitypub.Activity{ID: d.Site.Post(t.ID) + "#delete", Type: "Delete",
		Actor: d.Site.User(t.AuthorID), Published: activitypub.Time(at), To: to, CC: cc, Object: d.docs.Tombstone(t.ID, at)})
}

// StateChanged tells the remote followers of a user here whether the user is suspended, by the present profile.
//
// Cost: nothing for a remote user; else that of [federation.Store.ActorChanged].
func (d *Out) StateChanged(ctx context.Context, uid model.UserID) error {
	if uid.Remote() {
		return nil
	}
	return d.Store.Federation.ActorChanged(ctx, uid)
}

// leftFollowed is how many of the people whom a user follows, the newest, are looked at for servers that hear of the
// account's end.
const leftFollowed = 1_000

// Left tells other servers that a user here deletes the account: those of all remote followers, and of people whom the
// user followed, with [model.MaxOutgoingInboxes] inboxes at most. It must come before the key and the relationships go:
// the activity has the key and the inboxes.
//
// Cost: 2 reads if nobody else is remote; else 1 read more, 1 for each remote person whom the user followed, at most
// 1,000, and 1 write for each 150 inboxes. A user whose graph is not whole costs 1 read for each followed user, too.
func (d *Out) Left(ctx context.Context, uid model.UserID, at time.Time) (err error) {
	defer errs.Wrap(&err, "delivery.Left(%q)", uid)
	if uid.Remote() {
		return nil
	}
	inboxes, err := d.Store.Federation.Audience(ctx, uid)
	if err != nil {
		return err
	}
	followed, err := d.followedInboxes(ctx, uid)
	if err != nil {
		return err
	}
	for _, inbox := range followed {
		if !slices.Contains(inboxes, inbox) {
			inboxes = append(inboxes, inbox)
		}
	}
	if len(inboxes) == 0 {
		return nil
	}
	key, err := d.Store.Federation.SealedKey(ctx, uid)
	if errs.KindOf(err) == errs.NotFound && err != nil {
		return nil // an earlier event did it, or nobody knows a key
	}
	if err != nil {
		return err
	}
	actor := d.Site.User(uid)
	return d.send(ctx, model.Outgoing{By: uid, Inboxes: inboxes, Key: key}, activitypub.Activity{
		ID: actor + "#delete", Type: "Delete", Actor: actor, Published: activitypub.Time(at),
		To: []string{activitypub.Public}, Object: actor})
}

// followedInboxes are the inboxes of people of other servers whom a user follows.
func (d *Out) followedInboxes(ctx context.Context, uid model.UserID) (inboxes []string, err error) {
	page, err := d.Store.Graph.Following(ctx, uid, model.Cursor{}, leftFollowed)
	if err != nil {
		return nil, err
	}
	var remote []model.UserID
	for _, r := range page.Items {
		if r.FollowedID.Remote() {
			remote = append(remote, r.FollowedID)
		}
	}
	if len(remote) == 0 {
		return nil, nil
	}
	users, err := d.Store.Users.Users(ctx, remote)
	if err != nil {
		return nil, err
	}
	for _, other := range remote {
		if u := users[other]; u != nil && u.Remote != nil && len(inboxes) < model.MaxOutgoingInboxes &&
			!slices.Contains(inboxes, u.Remote.DeliverTo()) {
			inboxes = append(inboxes, u.Remote.DeliverTo())
		}
	}
	return inboxes, nil
}
