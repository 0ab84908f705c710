package remote

import (
	"context"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/htmlmark"
	"github.com/hibana-sns/hibana/model"
)

// Known returns the person of an address as it is known, without a fetch: a user of this installation by the address of
// its actor, too. An unknown one is errs.NotFound.
//
// Cost: 1 read if the profile is not cached.
func (r *Remote) Known(ctx context.Context, iri string) (_ *model.User, err error) {
	defer errs.Wrap(&err, "remote.Known")
	uid, local := r.site.UserOf(iri)
	if !local {
		if err := r.checkAddress(iri); err != nil || r.site.Has(iri) {
			return nil, model.NoUser(model.RemoteUserID(iri))
		}
		uid = model.RemoteUserID(iri)
	}
	found, err := r.store.Tweets.Users(ctx, []model.UserID{uid})
	if err != nil {
		return nil, err
	}
	u := found[uid]
	if u == nil || uid.Remote() && (u.Remote == nil || u.Remote.IRI != iri) {
		return nil, model.NoUser(uid)
	}
	return u, nil
}

// Person returns the person of an address: as known, if that is fresh, or fetched and kept. A known person whose server
// does not answer stays as known. Callers at once share a fetch. The address of a page leads to the person of the page,
// if its server says so.
//
// Cost: that of Known. A fetch costs that of the installation's key and of [users.Store.PutRemote], and 2 requests to
// the server, 3 for a handle of another host.
func (r *Remote) Person(ctx context.Context, iri string) (_ *model.User, err error) {
	defer errs.Wrap(&err, "remote.Person")
	known, err := r.Known(ctx, iri)
	if errs.KindOf(err) == errs.NotFound && !r.site.Has(iri) {
		err = r.checkAddress(iri)
	}
	switch {
	case err != nil:
		return nil, err
	case known != nil && (known.Remote == nil || r.o.Now().Before(known.Remote.StaleAt)):
		return known, nil
	}
	is, err := r.fetchPerson(ctx, iri)
	if err != nil && known != nil {
		return known, nil
	}
	return is, err
}

// fetchPerson fetches a person and keeps it.
func (r *Remote) fetchPerson(ctx context.Context, iri string) (*model.User, error) {
	is, err, _ := r.flights.Do("person "+iri, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime) // others wait for it, too
		defer cancel()
		fetched, err := r.store.Federation.Fetch(ctx, iri)
		if err != nil {
			return nil, err
		}
		o, err := activitypub.Decode([]byte(fetched.JSON))
		if err != nil {
			return nil, refused(err.Error())
		}
		return r.Refresh(ctx, o, fetched.MaxAge)
	})
	if err != nil {
		return nil, err
	}
	return is.(*model.User), nil
}

// PersonOf returns the person of a handle, such as bob@example.org, by WebFinger; a user of this installation by the
// handle here.
//
// Cost: that of [Remote.Person]; 1 read for a known handle.
func (r *Remote) PersonOf(ctx context.Context, handle string) (_ *model.User, err error) {
	defer errs.Wrap(&err, "remote.PersonOf")
	name, host, ok := model.ParseHandle(handle)
	if !ok {
		return nil, errs.New(errs.Invalid, "invalid_handle", "a handle has the form name@host")
	}
	if strings.EqualFold(host, r.site.HandleDomain()) || strings.EqualFold(host, r.site.Host()) {
		uid, err := r.store.Users.UserByUsername(ctx, r.site.Username(name))
		if err != nil {
			return nil, err
		}
		return r.store.Tweets.User(ctx, uid)
	}
	uid, err := r.store.Users.UserByUsername(ctx, name+"@"+host)
	if err == nil {
		u, err := r.store.Tweets.User(ctx, uid)
		if err != nil || u.Remote == nil || r.o.Now().Before(u.Remote.StaleAt) {
			return u, err
		}
		return r.Person(ctx, u.Remote.IRI)
	} else if errs.KindOf(err) != errs.NotFound {
		return nil, err
	}
	finger, err := r.store.Federation.Finger(ctx, host, "acct:"+name+"@"+host, false)
	if err != nil {
		return nil, err
	}
	return r.Person(ctx, finger.Href)
}

// Refresh keeps a person as an actor document says, whose origin is verified: it came from its own address, or its
// person signed it. age is what the server says of how long it may be kept; 0 if nothing. A document that is not as an
// actor must be is errs.NotFound.
//
// Cost: that of [users.Store.PutRemote], and 1 request to the server of the handle, 2 for a handle of another host.
func (r *Remote) Refresh(ctx context.Context, actor *activitypub.Object, age time.Duration) (_ *model.User,
	err error) {
	defer errs.Wrap(&err, "remote.Refresh")
	p, name, err := r.personOf(actor)
	if err != nil {
		return nil, err
	}
	rule, err := r.store.Federation.Domain(ctx, hostOf(actor.ID))
	if err != nil {
		return nil, err
	}
	if rule.RejectMedia {
		p.User.Avatar, p.User.Header = "", ""
	}
	p.User.Username, p.Confirmed = r.handle(ctx, actor.ID, name)
	now := r.o.Now().UTC().Truncate(time.Microsecond)
	p.User.Remote.FetchedAt, p.User.Remote.StaleAt = now, model.StalePerson(now, age)
	if actor.Published.IsZero() || actor.Published.After(now) || actor.Published.Before(oldest) {
		p.User.CreatedAt = now
	} else {
		p.User.CreatedAt = actor.Published.Truncate(time.Microsecond)
	}
	return r.store.Users.PutRemote(ctx, p)
}

// oldest is a time before the first server of the fediverse.
var oldest = time.Date(2008, time.January, 1, 0, 0, 0, 0, time.UTC)

// personOf is what a profile takes of an actor, and the name that the actor prefers.
func (r *Remote) personOf(o *activitypub.Object) (p model.RemotePerson, name string, err error) {
	if err := r.checkAddress(o.ID); err != nil {
		return p, "", err
	}
	switch {
	case r.site.Has(o.ID):
		return p, "", refused("it is on this server")
	case strings.Contains(o.ID, "#"):
		return p, "", refused("it is a part of a document")
	case !o.IsActor():
		return p, "", refused("it is no actor")
	case len(o.Inbox) > model.MaxIRI || !sameHost(o.Inbox, o.ID):
		return p, "", refused("its inbox is on another host")
	}
	same := func(address string) string {
		if len(address) > model.MaxIRI || !sameHost(address, o.ID) {
			return ""
		}
		return address
	}
	uid := model.RemoteUserID(o.ID)
	// Nobody suggests or lists people of other servers, whatever their servers say of Discoverable. Conversations do not
	// go to other servers.
	p.User = model.User{ID: uid, Locked: o.ManuallyApproves, Bot: o.Bot, NotSuggested: true,
		MessagesFrom: model.MessagesFromNobody, Avatar: imageOf(o.Icon), Header: imageOf(o.Image),
		Remote: &model.RemoteUser{IRI: o.ID, Realm: model.RealmOf(o.ID), URL: o.ID, Inbox: o.Inbox,
			SharedInbox: same(o.SharedInbox),
			Followers:   same(o.Followers)}}
	for _, link := range o.URL {
		if page := same(link.Href); page != "" && (link.MediaType == "" || link.MediaType == "text/html") {
			p.User.Remote.URL = page
			break
		}
	}
	if r.checkAddress(o.MovedTo) == nil {
		p.User.Remote.MovedTo = o.MovedTo
	}
	if name = strings.ToLower(o.PreferredUsername); !fits(name, hostOf(o.ID)) {
		name = string(uid[:nameDigits]) // what its server calls the actor is no name in a handle
	}
	p.User.Nickname = model.FitLine(htmlmark.Plain(o.Name.Value), model.MaxNickname)
	if p.User.Nickname == "" {
		p.User.Nickname = model.FitLine(name, model.MaxNickname)
	}
	p.User.NicknameLower = model.NormalizeNickname(p.User.Nickname)
	text, _ := htmlmark.Convert(o.Summary.Value, htmlmark.Options{Limit: model.MaxRemoteIntroduction})
	p.Detail = model.UserDetail{Introduction: model.FitText(text), Fields: fieldsOf(o)}
	p.User.HasFields = len(p.Detail.Fields) > 0
	p.User.Introduce(p.Detail.Introduction)
	return p, name, nil
}

// nameDigits is how much of an id stands for a name.
const nameDigits = len("ap-") + 8

func fits(name, host string) bool {
	_, err := model.RemoteUsername(name, host)
	return err == nil
}

// imageOf is the address of the first picture that a profile can show: of https, and of the web.
func imageOf(links []activitypub.Link) string {
	for _, link := range links {
		if is := model.FitAvatar(link.Href); is != "" && (link.MediaType == "" ||
			strings.HasPrefix(link.MediaType, "image/")) {
			return is
		}
	}
	return ""
}

// fieldsOf are the lines of a profile. A line with nothing but a link is the address.
func fieldsOf(o *activitypub.Object) (all []model.ProfileField) {
	for _, a := range o.Attachment {
		if a.Type != "PropertyValue" || len(all) == model.MaxProfileFields {
			continue
		}
		value := htmlmark.Link(a.Value)
		if value == "" || len(value) > model.MaxFieldValue {
			value = htmlmark.Plain(a.Value)
		}
		f := model.ProfileField{Name: model.FitLine(htmlmark.Plain(a.Name.Value), model.MaxFieldName),
			Value: model.FitLine(value, model.MaxFieldValue)}
		if f.Name != "" && f.Value != "" {
			all = append(all, f)
		}
	}
	return all
}

// handle is the handle of an actor, and whether the server of the handle confirms it: by WebFinger it names the actor.
// The host of the actor may name a handle of another host, which then has to confirm it, too. Without a confirmation
// the handle has the actor's own host.
func (r *Remote) handle(ctx context.Context, iri, name string) (username string, confirmed bool) {
	host := hostOf(iri)
	username = name + "@" + host
	finger, err := r.store.Federation.Finger(ctx, host, "acct:"+username, false)
	if err != nil || finger.Href != iri {
		return username, false
	}
	other, domain, ok := model.ParseHandle(finger.Subject)
	if !ok || other+"@"+domain == username {
		return username, true
	}
	if domain == host { // it has another name, and confirms no other
		return username, false
	}
	if domain == strings.ToLower(r.site.HandleDomain()) || domain == strings.ToLower(r.site.Host()) {
		return username, false
	}
	if finger, err = r.store.Federation.Finger(ctx, domain, "acct:"+other+"@"+domain, false); err != nil ||
		finger.Href != iri {
		return username, false
	}
	return other + "@" + domain, true
}
