// Package inbox handles what other servers of the fediverse send: it decides what concerns somebody here, and does what
// an activity says. Activities come in any order, twice, and late, and their senders are hostile: an actor acts for
// itself, and speaks for objects of its own host alone.
//
// A request ends with a work document, see [federation.Store.Receive]. The function HandleActivity does the rest: an
// activity whose effect is there already changes nothing.
package inbox

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/fediverse/remote"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Options configure an [Inbox].
type Options struct {
	Store  *store.Store
	Remote *remote.Remote // nil for one of Store and Site
	Site   fediverse.Site
	Log    *slog.Logger     // for activities without an effect; nil for the default
	Now    func() time.Time // nil for the clock of Store
	// Followed is told of a follow of a user here that exists already: the follower's server may not have heard of the
	// answer. nil for nobody.
	Followed func(ctx context.Context, follower, followed model.UserID) error
}

// Inbox takes activities of other servers. Its methods may be called concurrently. Their errors are those of package
// errs.
type Inbox struct {
	o      Options
	store  *store.Store
	remote *remote.Remote
	site   fediverse.Site
	flags  lru.Cache[string, *rate.Limiter] // by host
}

// New returns an inbox.
func New(o Options) *Inbox {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = o.Store.Now
	}
	if o.Remote == nil {
		o.Remote = remote.New(remote.Options{Store: o.Store, Site: o.Site, Log: o.Log, Now: o.Now})
	}
	return &Inbox{o: o, store: o.Store, remote: o.Remote, site: o.Site,
		flags: lru.New[string, *rate.Limiter](flagHosts)}
}

// Limits of what an activity does.
const (
	// flagsAnHour is how many reports of a host a process takes in an hour. flagHosts is how many hosts it remembers.
	flagsAnHour, flagHosts = 30, 1_000
	// maxFlagged is how many posts and users one report names at most. Others are left out.
	maxFlagged = 5
)

func invalid(format string, args ...any) error {
	return errs.New(errs.Invalid, "invalid_activity", "the activity is not as it must be: "+format, args...)
}

func refused(format string, args ...any) error {
	return errs.New(errs.Forbidden, "activity_refused", format, args...)
}

// Read reads an activity of an actor, and checks what its document alone shows: it has an address at the actor's host,
// and an object. Errors are errs.Invalid (invalid_activity).
func Read(text []byte) (*activitypub.Object, error) {
	o, err := activitypub.Decode(text)
	switch {
	case err != nil:
		return nil, invalid("%v", err)
	case o.Actor == "" || model.HostOf(o.Actor) == "" || len(o.Actor) > model.MaxIRI:
		return nil, invalid("it has no actor")
	case o.ID == "" || len(o.ID) > model.MaxIRI:
		return nil, invalid("it has no address")
	case !SameHost(o.ID, o.Actor):
		return nil, invalid("its address is not on the host of its actor")
	case len(o.Object) == 0:
		return nil, invalid("it has no object")
	}
	return o, nil
}

// SameHost reports whether two addresses have one host. Nothing at one host speaks for another.
func SameHost(a, b string) bool {
	host := model.HostOf(a)
	return host != "" && host == model.HostOf(b)
}

// act is what an activity that can be undone does.
type act struct{ kind, actor, object string }

func (a act) key() string { return model.ActKey(a.kind, a.actor, a.object) }

// actOf is what an activity does that can be undone; ok is false for others.
func actOf(o *activitypub.Object) (a act, ok bool) {
	a = act{o.Type, o.Actor, object(o)}
	switch o.Type {
	case "EmojiReact":
		a.kind = "Like"
	case "Like", "Follow", "Block":
	case "Announce":
		if len(o.Object) > 0 && o.Object[0].Object != nil && isActivity(o.Object[0].Object) {
			return act{}, false
		}
	default:
		return act{}, false
	}
	if a.object == "" {
		return act{}, false
	}
	return a, true
}

// object is the address of the object of an activity.
func object(o *activitypub.Object) string {
	if len(o.Object) == 0 {
		return ""
	}
	return o.Object[0].ID
}

func isActivity(o *activitypub.Object) bool {
	return o.Is("Create", "Update", "Delete", "Like", "Dislike", "Undo", "Announce", "Follow", "Add", "Remove", "Block",
		"Lock", "Flag", "Move", "Accept", "Reject")
}

// OfLeaver reports whether an actor says that it is gone. Servers tell it to every server they know, and the key of its
// actor is gone, too.
func OfLeaver(o *activitypub.Object) bool { return o.Type == "Delete" && object(o) == o.Actor }

// Concerns reports whether an activity has an effect here, as far as what is known without a fetch tells. Others are
// dropped, and nothing is written.
//
//   - A follow, a block, a report: of a user here, or of a post here.
//   - An answer to a follow: of a follower here.
//   - A post: its author has a follower here, or it names a user here, or answers or quotes a known post.
//   - A like, a share: of a known post; a share by somebody who has a follower here.
//   - A deletion, another profile, an Undo: of a known person.
//   - A move: of somebody who has a follower here.
//
// A deletion by somebody unknown leaves no mark, so a post of an unknown author that comes after its deletion is kept.
//
// Cost: 2 reads at most: the person, and a relationship or the document of a post.
func (in *Inbox) Concerns(ctx context.Context, o *activitypub.Object) (_ bool, err error) {
	defer errs.Wrap(&err, "inbox.Concerns(%s)", o.Type)
	switch o.Type {
	case "Follow", "Block":
		_, local := in.site.UserOf(object(o))
		return local, nil
	case "Flag":
		return slices.ContainsFunc(o.Object, func(r activitypub.Ref) bool { return in.site.Has(r.ID) }), nil
	case "Accept", "Reject":
		_, _, ok := in.followIn(o.Object[0], o.Actor)
		return ok, nil
	case "Like", "EmojiReact":
		return in.knownPost(ctx, object(o))
	case "Announce":
		if ok, err := in.knownPost(ctx, object(o)); ok || err != nil {
			return ok, err
		}
		return in.followed(ctx, o.Actor)
	case "Create":
		is := o.Object[0].Object
		if is == nil {
			return in.followed(ctx, o.Actor)
		}
		if in.names(is) || in.names(o) {
			return true, nil
		}
		for _, post := range []string{is.InReplyTo, is.Quote} {
			if ok, err := in.knownPost(ctx, post); ok || err != nil {
				return ok, err
			}
		}
		return in.followed(ctx, o.Actor)
	case "Update", "Delete", "Undo":
		return in.known(ctx, o.Actor)
	case "Move":
		return in.followed(ctx, o.Actor)
	}
	return false, nil
}

// names reports whether a post is addressed to a user here, or names one.
func (in *Inbox) names(o *activitypub.Object) bool {
	local := func(iri string) bool { _, ok := in.site.UserOf(iri); return ok }
	return slices.ContainsFunc(o.To, local) || slices.ContainsFunc(o.CC, local) ||
		slices.ContainsFunc(o.Tag, func(t *activitypub.Object) bool { return t.Type == "Mention" && local(t.Href) })
}

// knownPost reports whether a post is one of this installation, or known.
func (in *Inbox) knownPost(ctx context.Context, iri string) (bool, error) {
	if iri == "" {
		return false, nil
	}
	if in.site.Has(iri) {
		_, ok := in.site.PostOf(iri)
		return ok, nil
	}
	_, err := in.remote.KnownPost(ctx, iri)
	return err == nil, unknown(err)
}

func (in *Inbox) known(ctx context.Context, iri string) (bool, error) {
	_, err := in.remote.Known(ctx, iri)
	return err == nil, unknown(err)
}

// followed reports whether somebody here follows an actor.
func (in *Inbox) followed(ctx context.Context, iri string) (bool, error) {
	u, err := in.remote.Known(ctx, iri)
	if err != nil {
		return false, unknown(err)
	}
	return in.store.Graph.FollowedHere(ctx, u.ID)
}

// unknown is nil for an error that says that something is not there.
func unknown(err error) error {
	if kind := errs.KindOf(err); err != nil && (kind == errs.NotFound || kind == errs.Gone) {
		return nil
	}
	return err
}

// followIn finds the follow by a user here that an actor answers: by its address, or by what it says.
func (in *Inbox) followIn(r activitypub.Ref, actor string) (follower, followed model.UserID, ok bool) {
	followed = model.RemoteUserID(actor)
	if is := r.Object; is != nil && is.Type == "Follow" {
		follower, ok = in.site.UserOf(is.Actor)
		return follower, followed, ok && object(is) == actor
	}
	follower, of, ok := in.site.FollowOf(r.ID)
	return follower, followed, ok && of == followed
}

// former reports whether an answer is to a follow that ended: another one began since. An answer that does not name the
// follow by its address is to the present one.
//
// Cost: 2 reads for an answer with an address.
func (in *Inbox) former(ctx context.Context, answered activitypub.Ref, follower, followed model.UserID) (bool, error) {
	at := in.site.FollowedAt(answered.ID)
	if at.IsZero() {
		return false, nil
	}
	began, err := in.store.Requests.Began(ctx, follower, followed)
	return !began.IsZero() && !began.Equal(at), err
}

// Receive takes an activity whose signature held, see [federation.Store.Receive].
//
// Cost: that of [federation.Store.Receive].
func (in *Inbox) Receive(ctx context.Context, o *activitypub.Object, text []byte, signed time.Time) (err error) {
	defer errs.Wrap(&err, "inbox.Receive(%s)", o.Type)
	m := &model.Incoming{ID: model.ActivityKey(o.Actor, o.ID), Address: o.ID, Actor: o.Actor,
		Host: model.HostOf(o.Actor), SignedAt: signed}
	if err := m.Pack(text); err != nil {
		return err
	}
	note := model.Activity{Kind: o.Type}
	if a, ok := actOf(o); ok {
		note.Of, note.Kind, note.Object = a.key(), a.kind, a.object
		if a.kind == "Follow" {
			note.Address = o.ID
		}
	}
	_, err = in.store.Federation.Receive(ctx, m, note)
	return err
}

// Handle does what an activity says, and removes its work document. It returns an error for what may succeed later: the
// database or a server does not answer, or an account is being deleted. The event comes again then, for
// [model.ActivityPatience]. Whatever else is wrong is final: the activity has no effect, and the log says why. Without
// its work document Handle does nothing: a copy of the event may come when somebody here ended the effect.
//
// Cost: 1 read, 1 delete, and that of what the activity does: docs/model/federation.md has a table.
func (in *Inbox) Handle(ctx context.Context, m *model.Incoming) (err error) {
	defer errs.Wrap(&err, "inbox.Handle(%q)", m.ID)
	if m, err = in.store.Federation.Incoming(ctx, m.ID); err != nil || m == nil {
		return err
	}
	of, failure := in.do(ctx, m)
	if failure != nil {
		if Again(failure) && in.o.Now().Sub(m.ReceivedAt) < model.ActivityPatience {
			return failure
		}
		in.o.Log.InfoContext(ctx, "an activity has no effect", "host", m.Host, "kind", of.kind, "error", failure)
		if of.object != "" {
			if err := in.store.Federation.Refused(ctx, m.ID); err != nil {
				return err
			}
		}
	}
	return in.store.Federation.Handled(ctx, m.ID)
}

// Again reports whether what failed may succeed later.
func Again(err error) bool {
	return slices.Contains([]errs.Kind{errs.Unavailable, errs.Internal, errs.Outdated}, errs.KindOf(err)) ||
		errs.CodeOf(err) == "leaving"
}

// do does what an activity says, and returns what it does if it can be undone.
func (in *Inbox) do(ctx context.Context, m *model.Incoming) (of act, err error) {
	text, err := m.Text()
	if err != nil {
		return of, invalid("%v", err)
	}
	o, err := Read(text)
	if err != nil {
		return of, err
	}
	of, _ = actOf(o)
	if o.Actor != m.Actor {
		return of, refused("its actor is not who sent it")
	}
	if err := in.store.Federation.RefuseSuspended(ctx, o.Actor); err != nil { // suspended meanwhile
		return of, err
	}
	switch o.Type {
	case "Follow", "Like", "EmojiReact", "Block":
		return of, in.doAct(ctx, m, of)
	case "Announce":
		if of.object != "" {
			return of, in.doAct(ctx, m, of)
		}
		return of, in.announced(ctx, o)
	case "Undo":
		return of, in.undo(ctx, m, o)
	case "Accept":
		if follower, followed, ok := in.followIn(o.Object[0], o.Actor); ok {
			if former, err := in.former(ctx, o.Object[0], follower, followed); err != nil || former {
				return of, err
			}
			return of, in.store.Requests.Accept(ctx, followed, follower)
		}
	case "Reject":
		if follower, followed, ok := in.followIn(o.Object[0], o.Actor); ok {
			if former, err := in.former(ctx, o.Object[0], follower, followed); err != nil || former {
				return of, err
			}
			return of, in.store.Graph.RemoveFollower(ctx, followed, follower)
		}
	case "Create":
		return of, in.create(ctx, o)
	case "Update":
		return of, in.update(ctx, o)
	case "Delete":
		return of, in.delete(ctx, o)
	case "Flag":
		return of, in.flag(ctx, o)
	case "Move":
		return of, in.move(ctx, o)
	}
	return of, nil
}

// RemoveUser removes a user of another server, with the user's posts, follows, likes and shares.
//
// Cost: that of [remote.Remote.RemovePerson].
func (in *Inbox) RemoveUser(ctx context.Context, u *model.User) (err error) {
	defer errs.Wrap(&err, "inbox.RemoveUser(%q)", u.ID)
	return unknown(in.remote.RemovePerson(ctx, u.Remote.IRI))
}
