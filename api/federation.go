package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/fediverse/documents"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/httpsig"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Federation is how servers of the fediverse find and read users.
type Federation struct {
	On     bool   // they do, at Options.PublicURL
	Domain string // of handles; empty for the host of Options.PublicURL
	// SignedFetch demands a signature of whoever reads users and posts.
	SignedFetch bool
	// Inbox takes what other servers send; nil for nothing.
	Inbox *inbox.Inbox
}

// OwnKey is the address of a key of the installation's own actor.
func OwnKey(publicURL, id string) string {
	return fediverse.Key(fediverse.Site{URL: publicURL}.Own(), id)
}

// fediverse is the installation in the fediverse.
func (s *service) fediverse() fediverse.Site {
	return fediverse.Site{URL: s.PublicURL, Domain: s.Federation.Domain, Single: s.SingleUser}
}

// documents makes the documents of the installation.
func (s *service) documents() *documents.Documents {
	return documents.New(documents.Options{Site: s.fediverse(), Users: s.Users, Tweets: s.Tweets, Polls: s.Polls,
		Media: s.Media, Moderation: s.Moderation, Federation: s.Stores.Federation, Texts: htmlTexts})
}

func (s *service) federates() bool { return s.Options.Federation.On && s.PublicURL != "" }

// besidePage marks a page that leads servers to a document.
func (s *service) besidePage() []string {
	if !s.federates() {
		return nil
	}
	return []string{server.BesidePage}
}

// leadTo leads a server from a page to a document. A cache keeps the page alone: one that knows no Vary must not lead
// people there.
func leadTo(address string) *publicPage {
	return &publicPage{Status: http.StatusFound, Location: address, CacheControl: "no-store"}
}

const (
	// documentCache lets caches keep a document for some minutes: so long an edit or a deletion may not show to a server
	// that asks. Without federation of activities, servers hear of both in no other way.
	documentCache = "public, max-age=180"
	// privateCache keeps caches from giving a document to a server that did not sign.
	privateCache = "private, no-store"
	// wellKnownCache lets caches keep for an hour what changes with the configuration alone.
	wellKnownCache = "public, max-age=3600"

	// fediversePage is the number of items of a page of a collection.
	fediversePage = 20
)

// fediverseAnswer is an answer for a server of the fediverse.
type fediverseAnswer struct {
	Status       int
	ContentType  string `header:"Content-Type"`
	CacheControl string `header:"Cache-Control"`
	AllowOrigin  string `header:"Access-Control-Allow-Origin"`
	Location     string `header:"Location"`
	Body         []byte
}

// FediverseUser is the path of a user in the fediverse.
type FediverseUser struct {
	UID string `path:"uid" maxLength:"400"`
}

// FediversePost is the path of a post in the fediverse.
type FediversePost struct {
	ID string `path:"id" maxLength:"60"`
}

// CollectionPage is the page of a collection: none for the collection itself, and true or a token for a page.
type CollectionPage struct {
	Page string `query:"page" maxLength:"6000"`
}

type (
	fediverseUserPage struct {
		FediverseUser
		CollectionPage
	}
	fediversePostPage struct {
		FediversePost
		CollectionPage
	}
)

// federation adds what servers of the fediverse read, and where they write.
//
// Everybody gets what a signed-out reader may see, less the users whom moderators froze or suspended and the posts of
// locked users, as in the public pages. Posts for followers and mentioned users are not there, whoever signs.
func (s *service) federation() {
	if !s.federates() {
		return
	}
	s.wellKnown()
	s.inboxes()
	document(s, "/actor", "getOwnActor", false, func(ctx context.Context, _ *nothing) (*fediverseAnswer, error) {
		return s.ownActor(ctx)
	})
	document(s, "/users/{uid}", "getActor", true, s.actor)
	document(s, "/users/{uid}/outbox", "getOutbox", true, s.outbox)
	document(s, "/users/{uid}/followers", "getActorFollowers", true, s.actorFollowers)
	document(s, "/users/{uid}/following", "getActorFollowing", true, s.actorFollowing)
	document(s, "/users/{uid}/featured", "getFeatured", true, s.featured)
	document(s, "/posts/{id}", "getPost", true, s.fediversePost)
	document(s, "/posts/{id}/activity", "getPostActivity", true, s.postActivity)
	document(s, "/posts/{id}/replies", "getPostReplies", true, s.postReplies)
	document(s, "/posts/{id}/likes", "getPostLikes", true, func(ctx context.Context, in *FediversePost) (*fediverseAnswer,
		error) {
		return s.postCount(ctx, in, "likes", func(t *model.Tweet) int64 { return t.LikeCount })
	})
	document(s, "/posts/{id}/shares", "getPostShares", true, func(ctx context.Context, in *FediversePost) (
		*fediverseAnswer, error) {
		return s.postCount(ctx, in, "shares", func(t *model.Tweet) int64 { return t.ShareCount })
	})
}

// document adds a document of ActivityPub. Those who ask for none, and whom the web client does not answer, are led to
// the public page of the user or the post. guarded is whether [Federation.SignedFetch] holds for it.
func document[I any](s *service, path, id string, guarded bool, handler func(context.Context, *I) (*fediverseAnswer,
	error)) {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: path, OperationID: id, Tags: []string{"fediverse"}, Summary: "A document",
		Metadata: map[string]any{server.WithoutAppCheck: true, server.AsOneVisitor: true, server.ForServers: true},
		Hidden:   true,
	}, func(ctx context.Context, in *I) (*fediverseAnswer, error) {
		if !server.SentBy(ctx).Server {
			return s.pageOf(ctx, in)
		}
		guarded := guarded && s.Options.Federation.SignedFetch
		if guarded {
			if _, _, err := s.signedBy(ctx); err != nil {
				return nil, err
			}
		}
		out, err := handler(ctx, in)
		if err == nil && guarded {
			out.CacheControl = privateCache
		}
		if errs.KindOf(err) == errs.Invalid && err != nil && errs.CodeOf(err) != "invalid_page_token" {
			err = errs.New(errs.NotFound, "route_not_found", "there is no such document")
		}
		return out, err
	})
}

// pageOf leads to the public page at the address of a document.
//
// Cost: that of the page's user, and of the post.
func (s *service) pageOf(ctx context.Context, in any) (*fediverseAnswer, error) {
	lead := func(address string) *fediverseAnswer {
		return &fediverseAnswer{Status: http.StatusFound, Location: address, CacheControl: "no-store"}
	}
	post := func(id string) (*fediverseAnswer, error) {
		t, u, err := s.ownTweet(ctx, id)
		if err != nil {
			return nil, err
		}
		return lead(s.site().Post(u.Username, t.ID)), nil
	}
	user := func(uid string) (*fediverseAnswer, error) {
		u, err := s.fediverseUser(ctx, uid)
		if err != nil {
			return nil, err
		}
		return lead(s.site().Profile(u.Username)), nil
	}
	switch in := in.(type) {
	case *FediverseUser:
		return user(in.UID)
	case *fediverseUserPage:
		return user(in.UID)
	case *FediversePost:
		return post(in.ID)
	case *fediversePostPage:
		return post(in.ID)
	}
	return lead(s.PublicURL + "/"), nil
}

// fediverseUser returns a user who is in the fediverse. Others are errs.NotFound.
//
// Cost: 1 read, and 1 if the profile is not cached.
func (s *service) fediverseUser(ctx context.Context, id string) (*model.User, error) {
	uid, err := model.ParseUserID(id)
	if err != nil {
		return nil, err
	}
	if uid.Remote() { // its own server speaks for it
		return nil, model.NoUser(uid)
	}
	return s.shownUser(ctx, uid)
}

// ownTweet is publicTweet of a user of this installation. A post of another server is errs.NotFound: that one speaks
// for it.
func (s *service) ownTweet(ctx context.Context, id string) (*tweets.FullTweet, *model.User, error) {
	t, u, err := s.publicTweet(ctx, id)
	if err == nil && t.Remote != nil {
		return nil, nil, model.NoTweet(t.ID)
	}
	return t, u, err
}

// answered is the answer with a document.
func answered(status int, document any) (*fediverseAnswer, error) {
	body, err := json.Marshal(document)
	return &fediverseAnswer{Status: status, ContentType: activitypub.ContentType + "; charset=utf-8",
		CacheControl: documentCache, Body: body}, err
}

// unsigned is the error of a request without a signature that holds.
func unsigned(why error) error {
	return &errs.Error{Kind: errs.Unauthenticated, Code: "signature_required",
		Msg: "this server answers to signed requests of other servers alone: " + why.Error(), Err: why}
}

// errNoKey marks a signature whose key is nobody's.
var errNoKey = errors.New("its key is not one of its actor's, or did not make it")

// signedBy returns the address of the actor who signed the request, and when. The signature must be for this server,
// whatever host a proxy names, so one for another server is not good here. It must be of the body, too.
//
// A key counts if the actor of its own host says that it is its key. A signature that a known key did not make has the
// actor fetched anew: it may have another key since.
//
// Cost: that of [federation.Store.Actor], of [federation.Store.Refetch] if the known key does not fit, and of
// [federation.Store.Keep].
func (s *service) signedBy(ctx context.Context) (by string, at time.Time, err error) {
	sent := server.SentBy(ctx)
	site := s.fediverse()
	m := &httpsig.Message{Method: sent.Method, Scheme: site.Scheme(), Authority: site.Host(), Target: sent.Target,
		Header: sent.Header, Body: sent.Body}
	sig, err := httpsig.Parse(m, time.Now())
	if err != nil {
		return "", at, unsigned(err)
	}
	address, _, _ := strings.Cut(sig.KeyID, "#")
	actor, err := s.Stores.Federation.Actor(ctx, address)
	if err == nil {
		if err = checkSignature(sig, actor); err != nil {
			if actor, err = s.Stores.Federation.Refetch(ctx, address); err == nil {
				err = checkSignature(sig, actor)
			}
		}
	}
	switch {
	case err == nil:
		return actor.ID, sig.At, s.Stores.Federation.Keep(ctx, actor)
	case errs.KindOf(err) == errs.NotFound, errors.Is(err, httpsig.ErrWrong), errors.Is(err, httpsig.ErrKey):
		return "", at, unsigned(errNoKey)
	}
	return "", at, err
}

// checkSignature checks a signature by the key of an actor that it names.
func checkSignature(sig *httpsig.Signature, actor *model.RemoteActor) error {
	k := actor.Key(sig.KeyID)
	if k == nil {
		return httpsig.ErrKey
	}
	key, err := httpsig.ParseKey(k.Text)
	if err != nil {
		if key, err = httpsig.ParseMultikey(k.Text); err != nil {
			return err
		}
	}
	return sig.Verify(key)
}

// deleted returns the time at which a post was deleted, if err is of one of which everybody may know.
func deleted(err error) (time.Time, bool) {
	d, ok := errors.AsType[*tweets.Deleted](err)
	if !ok {
		return time.Time{}, false
	}
	return d.DeletedAt, true
}
