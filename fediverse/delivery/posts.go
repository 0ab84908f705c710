package delivery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
)

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
