// Package documents makes the documents by which servers of the fediverse know what is here: actors, posts, and the
// activities of users. The API answers with them, and functions send them.
package documents

import (
	"context"
	"html"
	"net/url"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/markdown/render"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/federation"
	"github.com/hibana-sns/hibana/store/media"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/users"
)

// Texts renders texts as safe HTML.
type Texts interface {
	HTML(*tweets.FullTweet) string
	Introduction(string) string
}

// Options are the parts of a database that documents are made of. All but Texts are required.
type Options struct {
	Site       fediverse.Site
	Users      *users.Store
	Tweets     *tweets.Store
	Polls      *tweets.Polls
	Media      *media.Store
	Moderation *moderation.Store
	Federation *federation.Store
	Texts      Texts // such as a cache; if nil, each text is rendered anew
}

// Documents makes documents. Its methods may be called concurrently.
type Documents struct{ o Options }

// New returns documents of an installation.
func New(o Options) *Documents {
	if o.Texts == nil {
		o.Texts = plain{}
	}
	return &Documents{o}
}

// Site is the installation.
func (d *Documents) Site() fediverse.Site { return d.o.Site }

// plain renders each text anew.
type plain struct{}

func (plain) HTML(t *tweets.FullTweet) string { return render.HTML(t.Nodes(t.Content)) }
func (plain) Introduction(introduction string) string {
	return render.HTML(model.IntroductionNodes(introduction))
}

// UserIRI is the address of the actor that a user is: here, or on another server.
func (d *Documents) UserIRI(u *model.User) string {
	if u.Remote != nil {
		return u.Remote.IRI
	}
	return d.o.Site.User(u.ID)
}

// UserIRIs are the addresses of actors, without those of other servers that are gone.
//
// Cost: 1 read for each user of another server whose profile is not cached.
func (d *Documents) UserIRIs(ctx context.Context, uids []model.UserID) ([]string, error) {
	var remote []model.UserID
	for _, uid := range uids {
		if uid.Remote() {
			remote = append(remote, uid)
		}
	}
	var known map[model.UserID]*model.User
	if len(remote) > 0 {
		var err error
		if known, err = d.o.Users.Listed(ctx, remote); err != nil {
			return nil, err
		}
	}
	all := make([]string, 0, len(uids))
	for _, uid := range uids {
		switch u := known[uid]; {
		case !uid.Remote():
			all = append(all, d.o.Site.User(uid))
		case u != nil:
			all = append(all, d.UserIRI(u))
		}
	}
	return all, nil
}

// TweetIRI is the address of the post that a tweet is: here, or on another server.
func (d *Documents) TweetIRI(t *model.Tweet) string {
	if t.Remote != nil {
		return t.Remote.IRI
	}
	return d.o.Site.Post(t.ID)
}

// TweetIRIOf is the address of a post of which the author is known; empty for one of another server that is gone.
//
// Cost: 1 read for a post of another server.
func (d *Documents) TweetIRIOf(ctx context.Context, id model.TweetID, author model.UserID) (string, error) {
	if !author.Remote() {
		return d.o.Site.Post(id), nil
	}
	found, err := d.o.Tweets.TweetsNow(ctx, []model.TweetID{id})
	if err != nil || found[id] == nil {
		return "", err
	}
	return d.TweetIRI(found[id]), nil
}

// profile is the page of a user for people.
func (d *Documents) profile(u *model.User) string {
	if u.Remote != nil {
		return u.Remote.URL
	}
	return d.o.Site.URL + "/@" + url.PathEscape(u.Username)
}

// Handle is the name of a user in the fediverse: @name@domain.
func (d *Documents) Handle(u *model.User) string {
	if u.Remote != nil {
		return "@" + u.Username // which has the domain
	}
	return "@" + d.o.Site.Name(u.Username) + "@" + d.o.Site.HandleDomain()
}

// Own is the actor of the installation itself, which signs its requests.
//
// Cost: that of [federation.Store.Key].
func (d *Documents) Own(ctx context.Context) (*activitypub.Actor, error) {
	key, err := d.o.Federation.Key(ctx, "")
	if err != nil {
		return nil, err
	}
	site := d.o.Site
	id := site.Own()
	return &activitypub.Actor{Context: activitypub.Context, ID: id, Type: "Application",
		PreferredUsername: site.OwnName(), Name: site.HandleDomain(), URL: site.URL + "/",
		Inbox: site.SharedInbox(), Outbox: fediverse.Of(id, "outbox"), ManuallyApprovesFollowers: true,
		Endpoints:  &activitypub.Endpoints{SharedInbox: site.SharedInbox()},
		PublicKey:  activitypub.PublicKey{ID: fediverse.Key(id, key.ID), Owner: id, PEM: key.PEM},
		Attachment: []activitypub.PropertyValue{}, AlsoKnownAs: []string{}}, nil
}

// Actor is the actor that a user of this installation is.
//
// Cost: 1 read for the whole texts, and that of [federation.Store.Key].
func (d *Documents) Actor(ctx context.Context, u *model.User) (*activitypub.Actor, error) {
	detail, err := d.o.Users.Detail(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	key, err := d.o.Federation.Key(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	site := d.o.Site
	id := site.User(u.ID)
	a := &activitypub.Actor{Context: activitypub.Context, ID: id, Type: "Person",
		PreferredUsername: site.Name(u.Username), Name: u.Nickname,
		Summary: site.HTML(d.o.Texts.Introduction(detail.Introduction), nil), URL: d.profile(u),
		Inbox: fediverse.Of(id, "inbox"), Outbox: fediverse.Of(id, "outbox"), Followers: fediverse.Of(id, "followers"),
		Following: fediverse.Of(id, "following"), Featured: fediverse.Of(id, "featured"),
		Endpoints:                 &activitypub.Endpoints{SharedInbox: site.SharedInbox()},
		PublicKey:                 activitypub.PublicKey{ID: fediverse.Key(id, key.ID), Owner: id, PEM: key.PEM},
		ManuallyApprovesFollowers: u.Locked, Discoverable: u.Discoverable, Indexable: u.Discoverable && !u.Locked,
		Published: activitypub.Time(u.CreatedAt), Icon: d.image(u.Avatar), Image: d.image(u.Header),
		Attachment: []activitypub.PropertyValue{}, AlsoKnownAs: append([]string{}, detail.Aliases...), MovedTo: u.MovedTo}
	if u.Bot {
		a.Type = "Service"
	}
	for _, f := range detail.Fields {
		value := html.EscapeString(f.Value)
		if link := html.EscapeString(f.Link()); link != "" {
			value = `<a href="` + link + `" rel="me nofollow noopener noreferrer" target="_blank">` + value + `</a>`
		}
		a.Attachment = append(a.Attachment, activitypub.PropertyValue{Type: "PropertyValue",
			Name: html.EscapeString(f.Name), Value: value})
	}
	return a, nil
}

func (d *Documents) image(of string) *activitypub.Image {
	if of == "" {
		return nil
	}
	return &activitypub.Image{Type: "Image", URL: d.address(d.o.Media.Address(of))}
}

// address completes an address within the service.
func (d *Documents) address(of string) string {
	if len(of) > 1 && of[0] == '/' && of[1] != '/' {
		return d.o.Site.URL + of
	}
	return of
}
