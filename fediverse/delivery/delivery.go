// Package delivery sends to other servers of the fediverse what users of this one do.
//
// What a user does is a document, whose event has a function ask this package what follows for others. An activity is
// one work document with its JSON and its place in the list of inboxes, and each step sends it to some of them. An
// inbox
// that does not take it makes a delivery, which is tried again by the clock for 3 days.
package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/fediverse/documents"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/httpsig"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/federation"
)

const (
	// RequestTime limits one request: so long a server may think.
	RequestTime = 5 * time.Second
	// startTime is for how long a step begins requests. With RequestTime it is shorter than a function has.
	startTime = 1500 * time.Millisecond
	// atOnce is how many requests a step makes at once.
	atOnce = 25
	// maxAnswer is how many bytes of an answer are read, so that its connection can be used again.
	maxAnswer = 8 << 10
	// forms is of how many hosts a process remembers that they read RFC 9421 alone.
	forms = 1_000
)

// Options configure an [Out]. Store and Site are required.
type Options struct {
	Store *store.Store
	Site  fediverse.Site
	Web   outbound.Options // of the client; redirects and the time limit are set here
	Now   func() time.Time // nil for the clock of Store
}

// Out sends what users do. Its methods may be called concurrently.
type Out struct {
	Options
	docs   *documents.Documents
	client *http.Client
	newer  lru.Cache[string, bool] // hosts that read signatures of RFC 9421 alone
}

// New returns what sends for an installation.
func New(o Options) *Out {
	o.Web.Timeout, o.Web.Redirects, o.Web.HTTPSOnly = RequestTime, 0, !o.Web.AllowLoopback
	if o.Now == nil {
		o.Now = o.Store.Now
	}
	s := o.Store
	return &Out{Options: o, client: outbound.Client(o.Web), newer: lru.New[string, bool](forms),
		docs: documents.New(documents.Options{Site: o.Site, Users: s.Users, Tweets: s.Tweets, Polls: s.Polls,
			Media: s.Media.Store, Moderation: s.Moderation, Federation: s.Federation})}
}

// Send leaves an activity of a user for inboxes; by is empty for the installation. An activity with the same id is sent
// once. Without inboxes there is nothing to do. More than [model.MaxOutgoingInboxes] are several documents.
//
// Cost: 1 write for each 150 inboxes.
func (d *Out) Send(ctx context.Context, by model.UserID, a activitypub.Activity, to []string) error {
	return d.send(ctx, model.Outgoing{By: by, Inboxes: to}, a)
}

// send leaves an activity.
func (d *Out) send(ctx context.Context, o model.Outgoing, a activitypub.Activity) error {
	a.Context = activitypub.Context
	if a.To == nil {
		a.To = []string{}
	}
	if a.CC == nil {
		a.CC = []string{}
	}
	body, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if post, ok := a.Object.(*activitypub.Post); ok && len(body) > model.MaxOutgoingBody {
		a.Object = post.ID // whoever wants it fetches it
		if body, err = json.Marshal(a); err != nil {
			return err
		}
	}
	o.What, o.Body = a.Type, body
	inboxes := o.Inboxes
	for i := 0; i == 0 || i < len(inboxes); i += model.MaxOutgoingInboxes {
		part := o
		part.ID = model.OutgoingID(a.ID)
		if i > 0 {
			part.ID, part.Of = model.OutgoingID(fmt.Sprintf("%s %d", a.ID, i)), ""
		}
		part.Inboxes = inboxes[i:min(i+model.MaxOutgoingInboxes, len(inboxes))]
		if err := d.Store.Federation.Enqueue(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// SendNext does the next step of an activity, see [federation.Store.SendNext].
func (d *Out) SendNext(ctx context.Context, o *model.Outgoing) error {
	return d.Store.Federation.SendNext(ctx, o, d.post)
}

// SendDue tries the deliveries that are due, see [federation.Store.SendDue].
func (d *Out) SendDue(ctx context.Context, over func() bool) (int, error) {
	return d.Store.Federation.SendDue(ctx, over, d.post)
}

// post sends an activity to inboxes, some at once. One that hangs holds up no other; those for which there is no time
// are not asked. A failure of this installation is an error, and no outcome of another server.
func (d *Out) post(ctx context.Context, o *model.Outgoing, inboxes []string) ([]federation.Outcome, error) {
	all := make([]federation.Outcome, len(inboxes))
	for i, inbox := range inboxes {
		all[i] = federation.Outcome{Inbox: inbox}
	}
	body, key, err := d.ready(ctx, o)
	if err != nil {
		if errs.KindOf(err) != errs.NotFound {
			return nil, err
		}
		for i := range all { // without the user there is no key
			all[i].Asked, all[i].Err, all[i].Gone = true, err, true
		}
		return all, nil
	}
	for i, inbox := range inboxes {
		host := model.HostOf(inbox)
		rule, err := d.Store.Federation.Domain(ctx, host)
		if err != nil {
			return nil, err
		}
		if rule.Suspended() || host == d.Site.Host() {
			all[i].Asked, all[i].Err, all[i].Gone = true, errNothing, true
		}
	}
	begun := time.Now()
	places := make(chan struct{}, atOnce)
	var group safely.Group
	for i, inbox := range inboxes {
		if all[i].Asked {
			continue
		}
		places <- struct{}{}
		if time.Since(begun) > startTime || ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			defer func() { <-places }()
			all[i] = d.ask(ctx, inbox, body, key)
			return nil
		})
	}
	return all, group.Wait()
}

// errNothing is the failure of an activity of which there is nothing to say any more.
var errNothing = errors.New("there is nothing to send any more")

// ready returns the body of an activity and the key that signs it.
func (d *Out) ready(ctx context.Context, o *model.Outgoing) ([]byte, httpsig.Key, error) {
	signs, err := d.Store.Federation.KeyOf(ctx, o)
	if err != nil {
		return nil, httpsig.Key{}, err
	}
	actor := d.Site.Own()
	if o.By != "" {
		actor = d.Site.User(o.By)
	}
	key := httpsig.Key{ID: fediverse.Key(actor, signs.ID), Private: signs.Private}
	if len(o.Body) > 0 {
		return o.Body, key, nil
	}
	// The present profile.
	full, err := d.Store.Users.FullUser(ctx, o.By)
	if err != nil {
		return nil, key, err
	}
	if o.What == "Move" {
		if full.MovedTo == "" {
			return nil, key, model.NoUser(o.By) // the user is back
		}
		body, err := json.Marshal(activitypub.Activity{Context: activitypub.Context,
			ID: fmt.Sprintf("%s#moves/%d", actor, o.CreatedAt.UnixMicro()), Type: "Move", Actor: actor,
			Published: activitypub.Time(o.CreatedAt), To: []string{fediverse.Of(actor, "followers")}, Object: actor,
			Target: full.MovedTo})
		return body, key, err
	}
	is, err := d.docs.Actor(ctx, &full.User)
	if err != nil {
		return nil, key, err
	}
	status, err := d.Store.Moderation.AccountStatus(ctx, o.By)
	if err != nil {
		return nil, key, err
	}
	is.Suspended = status.State != model.AccountStatusFree // its pages and posts are not shown here
	is.Context = nil
	body, err := json.Marshal(activitypub.Activity{Context: activitypub.Context,
		ID: fmt.Sprintf("%s#updates/%d", actor, o.CreatedAt.UnixMicro()), Type: "Update", Actor: actor,
		Published: activitypub.Time(o.CreatedAt), To: []string{activitypub.Public}, CC: []string{is.Followers}, Object: is})
	return body, key, err
}

// ask sends a body to an inbox. A server that refuses the signature of the draft is asked once more with one of RFC
// 9421.
func (d *Out) ask(ctx context.Context, inbox string, body []byte, key httpsig.Key) (is federation.Outcome) {
	is = federation.Outcome{Inbox: inbox, Asked: true}
	host := model.HostOf(inbox)
	ctx, cancel := context.WithTimeout(ctx, RequestTime)
	defer cancel()
	form := httpsig.Draft
	if newer, _ := d.newer.Get(host); newer {
		form = httpsig.RFC9421
	}
	is.Status, is.Err = d.request(ctx, inbox, body, key, form)
	if is.Status == http.StatusUnauthorized {
		other := httpsig.RFC9421
		if form == other {
			other = httpsig.Draft
		}
		status, err := d.request(ctx, inbox, body, key, other)
		if err == nil {
			d.newer.Add(host, other == httpsig.RFC9421)
			is.Status, is.Err = status, nil
		}
	}
	is.Gone = is.Err != nil && (refused(is.Status) || errors.Is(is.Err, outbound.ErrForbidden))
	return is
}

// refused reports whether no attempt will be better: the inbox is gone, or its server takes no such activity.
func refused(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return status >= 400 && status < 500
}

func (d *Out) request(ctx context.Context, inbox string, body []byte, key httpsig.Key, form httpsig.Form) (int,
	error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, inbox, strings.NewReader(string(body)))
	if err != nil {
		return 0, errors.Join(err, outbound.ErrForbidden)
	}
	r.Header.Set("Content-Type", activitypub.ContentType)
	r.Header.Set("Accept", activitypub.ContentType)
	if err := httpsig.Sign(httpsig.Of(r, body), key, form, time.Now()); err != nil {
		return 0, err
	}
	answer, err := d.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, _, _ = outbound.Read(answer.Body, maxAnswer)
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return answer.StatusCode, fmt.Errorf("its server answered %d", answer.StatusCode)
	}
	return answer.StatusCode, nil
}
