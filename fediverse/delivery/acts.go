package delivery

import (
	"context"
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
// Cost: nothing unless one of the two is remote; else 4 reads and 1 write; that of again for a follow of a remote user
// that ended here.
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
// that of [federation.Store.ReconcileAudience] for a remote follower, and that of again if the follow ended here.
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
// first answer. It does so once a minute at most for each follow by its address: who unfollows and follows again within
// a minute waits for an answer to the last one.
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
	follows, err := d.Store.Federation.FollowsOf(ctx, u.Remote.IRI, d.Site.User(by))
	if err != nil {
		return err
	}
	if len(follows) == 0 {
		if what == "Reject" {
			undone, err := d.Store.Federation.FollowUndone(ctx, u.Remote.IRI, d.Site.User(by))
			if err != nil || undone {
				return err
			}
		}
		follows = []string{u.Remote.IRI + "#follows/" + url.PathEscape(d.Site.User(by))}
	} else if what == "Reject" {
		if again, err := d.again(ctx, u, by, follows); err != nil || again {
			return err
		}
	}
	o := telling(by, what == "Reject", since, model.Relationships, model.RelationshipKey(follower, by))
	if what == "Reject" {
		o.Tells = append(o.Tells, model.FollowRequests+"/"+model.FollowRequestKey(follower, by))
	}
	o.Inboxes = []string{u.Remote.Inbox}
	for _, asked.ID = range follows {
		of := string(follower)
		if at != since || len(follows) > 1 {
			of += "/" + model.RemoteActorKey(asked.ID)[:16]
		}
		if err := d.send(ctx, o, activitypub.Activity{ID: d.act(by, what, of, at), Type: what,
			Actor: d.Site.User(by), Published: activitypub.Time(at), To: []string{u.Remote.IRI}, Object: asked}); err != nil {
			return err
		}
	}
	return nil
}

// again reports whether a remote user, whose follow ended, follows or asks once more. A follow is known from when
// it comes, and has its effect a moment later: meanwhile again is errs.Unavailable, so that the event comes again.
// Else the end of a follow that was taken back would reject the next one.
//
// Cost: 1 read for each of the follows that hold, and 2 more.
func (d *Out) again(ctx context.Context, follower *model.User, followed model.UserID, follows []string) (bool,
	error) {
	for _, address := range follows {
		key := model.ActivityKey(follower.Remote.IRI, address)
		waits, err := d.Store.Federation.Exists(ctx, model.IncomingActivities, key)
		if err != nil {
			return false, err
		}
		if waits {
			return false, errs.New(errs.Unavailable, "", "a follow of %q is not handled yet", follower.ID)
		}
	}
	following, asks, err := d.stands(ctx, follower.ID, followed)
	return following || asks, err
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
// the activity has the key and the inboxes. at is when the deletion began: an account may be made and deleted
// again.
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
		ID: fmt.Sprintf("%s#delete/%d", actor, at.UnixMicro()), Type: "Delete", Actor: actor,
		Published: activitypub.Time(at),
		To:        []string{activitypub.Public}, Object: actor})
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
