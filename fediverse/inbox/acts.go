package inbox

import (
	"context"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// doAct does what can be undone, and undoes it if it was undone meanwhile: an Undo that came first found nothing to
// undo.
//
// Cost: that of the act, and 1 read.
func (in *Inbox) doAct(ctx context.Context, m *model.Incoming, a act) error {
	if err := in.put(ctx, a); err != nil {
		return err
	}
	note, err := in.store.Federation.Noted(ctx, m.ID)
	if err != nil || note == nil || note.UndoneAt.IsZero() {
		return err
	}
	if holds, err := in.store.Federation.Holds(ctx, a.key()); err != nil || holds {
		return err
	}
	return in.withdraw(ctx, a)
}

// put does a like, a share, a follow or a block. All of them change nothing if they are there.
func (in *Inbox) put(ctx context.Context, a act) error {
	if a.kind == "Follow" || a.kind == "Block" {
		uid, local := in.site.UserOf(a.object)
		if !local {
			return refused("it is of nobody here")
		}
		by, err := in.remote.Person(ctx, a.actor)
		if err != nil {
			return err
		}
		if a.kind == "Block" {
			return in.store.Graph.Block(ctx, by.ID, uid)
		}
		return in.follow(ctx, by.ID, uid)
	}
	by, err := in.remote.Person(ctx, a.actor)
	if err != nil {
		return err
	}
	if a.kind == "Like" {
		id, err := in.remote.KnownPost(ctx, a.object)
		if err != nil {
			return err
		}
		return in.store.Reactions.Like(ctx, by.ID, id)
	}
	id, err := in.sharedPost(ctx, by, a.object)
	if err != nil {
		return err
	}
	return in.store.Shares.Share(ctx, by.ID, id)
}

// sharedPost returns a post that a person shares. One that is not known is fetched if somebody here follows the person.
func (in *Inbox) sharedPost(ctx context.Context, by *model.User, iri string) (model.TweetID, error) {
	id, err := in.remote.KnownPost(ctx, iri)
	if err == nil || unknown(err) != nil {
		return id, err
	}
	followed, missing := in.store.Graph.FollowedHere(ctx, by.ID)
	if missing != nil || !followed {
		if missing == nil {
			missing = err
		}
		return "", missing
	}
	return in.remote.Post(ctx, iri)
}

// follow makes a person follow a user here, or ask to. Of a follow that is there Options.Followed hears.
func (in *Inbox) follow(ctx context.Context, follower, followed model.UserID) error {
	_, made, err := in.store.Graph.FollowAlso(ctx, follower, followed, nil)
	if err != nil || made || in.o.Followed == nil {
		return err
	}
	if _, err := in.store.Graph.Relationship(ctx, follower, followed); err != nil {
		return unknown(err) // a request waits
	}
	return in.o.Followed(ctx, follower, followed)
}

// undo undoes an activity of its actor, that came or did not come yet: a mark keeps it from having an effect later.
// What did the same before that activity ends with it. An activity that did not come under its address ends what did
// the same before the Undo: some servers, such as Lemmy, embed an activity under another address than they sent it.
//
// Another activity that does the same may hold: a server that likes, unlikes and likes again may be heard in another
// order.
//
// Cost: 1 read and 1 write for the mark; for an act 1 read for each activity that does the same, at least 1, 1 write
// for each that ends with it, and that of undoing, with 1 read after it.
func (in *Inbox) undo(ctx context.Context, m *model.Incoming, o *activitypub.Object) error {
	undone := o.Object[0]
	if undone.ID != "" && !SameHost(undone.ID, o.Actor) {
		return refused("it undoes an activity of another host")
	}
	var a act
	if is := undone.Object; is != nil && is.Type != "" {
		if is.Actor != "" && is.Actor != o.Actor {
			return refused("it undoes an activity of another actor")
		}
		a, _ = actOf(is)
		a.actor = o.Actor
	}
	until := m.SignedAt
	if undone.ID != "" {
		of := ""
		if a.object != "" {
			of = a.key()
		}
		was, err := in.store.Federation.Undone(ctx, model.ActivityKey(o.Actor, undone.ID), of, m.SignedAt)
		if err != nil {
			return err
		}
		if a.object == "" {
			a = act{was.Kind, o.Actor, was.Object}
		}
		// One that did not come has no time: an earlier attempt to handle the Undo left its mark.
		if was.Of == a.key() && !was.SignedAt.IsZero() && was.SignedAt.Before(until) {
			until = was.SignedAt
		}
	}
	if a.object == "" { // nothing that has an effect, or nothing that came
		return nil
	}
	holds, err := in.store.Federation.End(ctx, a.key(), until, m.SignedAt)
	if err != nil || holds {
		return err
	}
	return in.withdraw(ctx, a)
}

// withdraw undoes an act of which no activity holds.
func (in *Inbox) withdraw(ctx context.Context, a act) error {
	for range 2 {
		if err := in.remove(ctx, a); err != nil {
			return err
		}
		// One that came after the look, and found the act there, relies on it.
		if holds, err := in.store.Federation.Holds(ctx, a.key()); err != nil || !holds {
			return err
		}
		if err := in.put(ctx, a); err != nil {
			return err
		}
		if holds, err := in.store.Federation.Holds(ctx, a.key()); err != nil || holds {
			return err
		}
	}
	return nil
}

// remove removes a like, a share, a follow or a block. All of them change nothing if they are not there.
func (in *Inbox) remove(ctx context.Context, a act) error {
	by, err := in.remote.Known(ctx, a.actor)
	if err != nil {
		return unknown(err) // then there is nothing of the person
	}
	switch a.kind {
	case "Follow", "Block":
		uid, local := in.site.UserOf(a.object)
		if !local {
			return nil
		}
		if a.kind == "Block" {
			return in.store.Graph.Unblock(ctx, by.ID, uid)
		}
		return in.store.Graph.RemoveFollower(ctx, uid, by.ID)
	}
	id, err := in.remote.KnownPost(ctx, a.object)
	if err != nil {
		return unknown(err)
	}
	if a.kind == "Like" {
		return in.store.Reactions.Unlike(ctx, by.ID, id)
	}
	return in.store.Shares.Unshare(ctx, by.ID, id)
}

// flag reports what a server reports of users and posts here, with its actor as the reporter. A second report of the
// same by that actor changes nothing.
//
// Cost: for each of 5 at most that of [moderation.Store.Report].
func (in *Inbox) flag(ctx context.Context, o *activitypub.Object) error {
	host := model.HostOf(o.Actor)
	rule, err := in.store.Federation.Domain(ctx, host)
	if err != nil || rule.RejectReports {
		return err
	}
	if !in.mayFlag(host) {
		return refused("%s sends too many reports", host)
	}
	by, err := in.remote.Person(ctx, o.Actor)
	if err != nil {
		return err
	}
	text := model.Snippet(model.FitText(o.Content.Value), model.MaxReportText)
	var posts, users []moderation.NewReport
	for _, r := range o.Object {
		if id, ok := in.site.PostOf(r.ID); ok {
			posts = append(posts, moderation.NewReport{TweetID: id, Reason: "other", Text: text})
		} else if uid, ok := in.site.UserOf(r.ID); ok {
			users = append(users, moderation.NewReport{UserID: uid, Reason: "other", Text: text})
		}
	}
	if len(posts) == 0 { // a report of posts names their author, too
		posts = users
	}
	for _, r := range posts[:min(len(posts), maxFlagged)] {
		// What is final, such as that a post is gone, ends one report: the next one may hold.
		if err := in.store.Moderation.Report(ctx, by.ID, r); err != nil && Again(err) {
			return err
		}
	}
	return nil
}

// mayFlag counts a report of a host.
func (in *Inbox) mayFlag(host string) bool {
	l, ok := in.flags.Get(host)
	if !ok {
		l = rate.NewLimiter(rate.Every(time.Hour/flagsAnHour), flagsAnHour)
		in.flags.Add(host, l)
	}
	return l.AllowN(in.o.Now(), 1)
}

// reported is a post or a user.
type reported struct {
	tweet model.TweetID
	user  model.UserID
}

// move makes the followers here of an account follow the one that it moved to. The new account must say that it is the
// former one, too, as its own host has it now.
//
// Cost: that of [remote.Remote.Refresh], 1 read, and 2 writes.
func (in *Inbox) move(ctx context.Context, o *activitypub.Object) error {
	if object(o) != o.Actor {
		return refused("it moves another account than its actor's")
	}
	target := o.Target.ID
	if target == "" || target == o.Actor || len(target) > model.MaxIRI {
		return invalid("it has no target")
	}
	from, err := in.remote.Known(ctx, o.Actor)
	if err != nil {
		return err
	}
	if in.site.Has(target) {
		return in.moveHere(ctx, o, from, target)
	}
	if err := in.store.Federation.RefuseSuspended(ctx, target); err != nil {
		return err
	}
	fetched, err := in.store.Federation.Fetch(ctx, target)
	if err != nil {
		return err
	}
	is, err := activitypub.Decode([]byte(fetched.JSON))
	if err != nil || !is.IsActor() || is.ID != target {
		return refused("its target is no account")
	}
	if !slices.Contains(is.AlsoKnownAs, o.Actor) {
		return refused("its target does not say to be the same account")
	}
	to, err := in.remote.Refresh(ctx, is, fetched.MaxAge)
	if err != nil {
		return err
	}
	return in.moveTo(ctx, o, from, to)
}

// moveTo makes the followers of an account follow another one, unless they were moved within [model.MoveWindow].
//
// Cost: 1 read and 2 writes.
func (in *Inbox) moveTo(ctx context.Context, o *activitypub.Object, from, to *model.User) error {
	if err := in.store.Federation.Moves(ctx, o.Actor, o.ID); err != nil {
		return err
	}
	return in.store.Graph.AskMove(ctx, from.ID, to.ID)
}

// moveHere moves an account to that of a user here, who names it as an alias.
//
// Cost: 2 reads, and that of moveTo.
func (in *Inbox) moveHere(ctx context.Context, o *activitypub.Object, from *model.User, target string) error {
	to, err := in.remote.Known(ctx, target)
	if err != nil {
		return err
	}
	detail, err := in.store.Users.Detail(ctx, to.ID)
	if err != nil {
		return err
	}
	if !slices.Contains(detail.Aliases, o.Actor) {
		return refused("its target does not say to be the same account")
	}
	return in.moveTo(ctx, o, from, to)
}
