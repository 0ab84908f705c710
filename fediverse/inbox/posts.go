package inbox

import (
	"context"
	"slices"
	"strings"

	"github.com/hibana-sns/hibana/fediverse/remote"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// create keeps a post, or a vote. The activity's actor must be an author of the post, and their host that of the post:
// nobody writes in the name of another.
func (in *Inbox) create(ctx context.Context, o *activitypub.Object) error {
	is := o.Object[0].Object
	if is == nil { // an address alone: its host says what it is
		if !SameHost(object(o), o.Actor) {
			return refused("it names a post of another host")
		}
		_, err := in.remote.Post(ctx, object(o))
		return err
	}
	if err := in.speaks(o, is); err != nil {
		return err
	}
	by, err := in.remote.Person(ctx, o.Actor)
	if err != nil {
		return err
	}
	if id, option, ok, err := in.vote(ctx, by.ID, is); ok || err != nil {
		if err == nil {
			_, err = in.store.Polls.Vote(ctx, by.ID, id, option)
		}
		return err
	}
	if !remote.IsPost(is) {
		return invalid("it is no post")
	}
	_, err = in.remote.Put(ctx, by, is, remote.Receivers{To: o.To, CC: o.CC})
	return err
}

// speaks returns an error unless the actor of an activity may say what an object is.
func (in *Inbox) speaks(o, is *activitypub.Object) error {
	switch {
	case is.ID == "" || len(is.ID) > model.MaxIRI:
		return invalid("its object has no address")
	case !SameHost(is.ID, o.Actor):
		return refused("its object is on another host than its actor")
	case is.IsActor() && is.ID != o.Actor:
		return refused("its object is another actor")
	case !is.IsActor() && !slices.Contains(is.AttributedTo, o.Actor):
		return refused("its object is of another author")
	}
	return nil
}

// vote finds the option of a poll here that an object chooses: a note with a name and without a text, which answers the
// poll. ok is false for anything else.
func (in *Inbox) vote(ctx context.Context, by model.UserID, is *activitypub.Object) (id model.TweetID, option int,
	ok bool, err error) {
	if is.Type != "Note" || is.Name.Value == "" || is.Content.Value != "" || is.InReplyTo == "" {
		return "", 0, false, nil
	}
	if id, ok = in.site.PostOf(is.InReplyTo); !ok {
		return "", 0, false, nil
	}
	t, err := in.store.Tweets.Tweet(ctx, id, model.Viewer{ID: by, Role: model.Member})
	if err != nil {
		return "", 0, true, err
	}
	if t.Poll == nil {
		return "", 0, false, nil
	}
	for i, text := range t.Poll.Options {
		if strings.TrimSpace(text) == strings.TrimSpace(is.Name.Value) {
			return id, i + 1, true, nil
		}
	}
	return "", 0, true, errs.New(errs.Invalid, "no_such_option", "the poll has no such option")
}

// update changes a post, or a profile. One that is not known is kept as it is now.
func (in *Inbox) update(ctx context.Context, o *activitypub.Object) error {
	is := o.Object[0].Object
	if is == nil {
		return in.fetched(ctx, o.Actor, object(o))
	}
	if err := in.speaks(o, is); err != nil {
		return err
	}
	if is.IsActor() {
		_, err := in.remote.Refresh(ctx, is, 0)
		return err
	}
	if !remote.IsPost(is) {
		return invalid("it is no post")
	}
	by, err := in.remote.Person(ctx, o.Actor)
	if err != nil {
		return err
	}
	_, err = in.remote.Put(ctx, by, is, remote.Receivers{To: o.To, CC: o.CC})
	return err
}

// fetched keeps a post or a profile as its server has it now.
func (in *Inbox) fetched(ctx context.Context, actor, iri string) error {
	if !SameHost(iri, actor) {
		return refused("it names something of another host")
	}
	found, err := in.store.Federation.Fetch(ctx, iri)
	if err != nil {
		return err
	}
	is, err := activitypub.Decode([]byte(found.JSON))
	switch {
	case err != nil || !SameHost(is.ID, iri):
		return invalid("its object is not as it must be")
	case is.IsActor():
		_, err = in.remote.Refresh(ctx, is, found.MaxAge)
		return err
	case !remote.IsPost(is) || len(is.AttributedTo) == 0 || !SameHost(is.AttributedTo[0], is.ID):
		return invalid("its object is no post")
	}
	by, err := in.remote.Person(ctx, is.AttributedTo[0])
	if err != nil {
		return err
	}
	_, err = in.remote.Put(ctx, by, is)
	return err
}

// delete removes a post of the actor, or the actor itself, also before they came.
func (in *Inbox) delete(ctx context.Context, o *activitypub.Object) error {
	iri := object(o)
	if iri == o.Actor {
		return in.remote.RemovePerson(ctx, iri)
	}
	if !SameHost(iri, o.Actor) {
		return refused("it deletes something of another host")
	}
	by, err := in.remote.Known(ctx, o.Actor)
	if err != nil {
		return err
	}
	return in.remote.Remove(ctx, by, iri)
}

// announced takes an activity that a group passes on, as Lemmy does. Whoever passes it on says nothing of it: a post
// that was made or changed is read at its own host.
func (in *Inbox) announced(ctx context.Context, o *activitypub.Object) error {
	is := o.Object[0].Object
	if is == nil || len(is.Object) == 0 || !is.Is("Create", "Update") {
		return nil
	}
	iri := object(is)
	if !SameHost(iri, is.Actor) {
		return refused("the activity that it passes on speaks for another host")
	}
	if in.site.Has(iri) {
		return nil // it is from here
	}
	if is.Type == "Create" {
		_, err := in.remote.Post(ctx, iri)
		return err
	}
	if known, err := in.knownPost(ctx, iri); err != nil || !known {
		return err
	}
	return in.fetched(ctx, is.Actor, iri)
}
