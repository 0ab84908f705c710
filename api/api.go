// Package api is the HTTP API of Hibana. Each file holds one resource: its routes, and how they render what package
// store returns. Package server is the frame around them: authentication, limits, problem documents and paging.
//
// Every answer reports its cost in the header Server-Timing. fs-reads, fs-writes and fs-deletes have the number of
// billed Firestore documents in desc, and total has the milliseconds in dur. A failure answers a problem document, see
// [Problem].
package api

import (
	"context"
	_ "embed"
	"net/http"
	"time"

	"github.com/hibana-sns/hibana/api/internal/apptokens"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/erasure"
	"github.com/hibana-sns/hibana/store/federation"
	"github.com/hibana-sns/hibana/store/graph"
	"github.com/hibana-sns/hibana/store/links"
	"github.com/hibana-sns/hibana/store/listen"
	"github.com/hibana-sns/hibana/store/media"
	"github.com/hibana-sns/hibana/store/messages"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/notifications"
	"github.com/hibana-sns/hibana/store/oauth"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/reactions"
	"github.com/hibana-sns/hibana/store/shop"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/users"
	"github.com/hibana-sns/hibana/store/verify"
)

// Stores are the parts of the database that the API uses: source documents, which the API writes, and readers of
// projections. The API cannot reach the writers of projections.
type Stores struct {
	Users              *users.Store
	Graph              *graph.Store
	Tweets             *tweets.Store
	Media              *media.Store
	Links              *links.Store
	Federation         *federation.Store
	Remote             RemoteStores // nil if no other servers are asked
	Reactions          *reactions.Store
	Edits              *tweets.Edits
	Bookmarks          *reactions.Bookmarks
	Pins               *tweets.Pins
	Devices            *notifications.Devices
	Drafts             *tweets.Drafts
	HeldReplies        *tweets.HeldReplies
	Polls              *tweets.Polls
	Shares             *reactions.Shares
	Requests           *graph.Requests
	Lists              *graph.Lists
	Messages           *messages.Store
	Threads            *tweets.Threads
	Gists              *tweets.Gists
	Tags               *discovery.Tags
	Search             *discovery.Search
	Trends             *discovery.TrendsReader
	Directory          *discovery.Directory
	Suggestions        *discovery.Suggestions
	Totals             *discovery.TotalsReader
	Mentions           *tweets.Mentions
	Settings           *notifications.Settings
	Moderation         *moderation.Store
	Shop               *shop.Store
	Orders             *shop.Orders
	Cards              *profiles.Reader
	Timelines          *timelines.Reader
	Exports            *erasure.Exports
	NotificationEvents *notifications.Reader
	Audit              *verify.Auditor
	OAuth              *oauth.Store
	Listen             *listen.Hub
	Ping               func(context.Context) error // fails if the database does not answer
}

// Accounts reads and changes accounts of Firebase Auth. Its methods may be called
// concurrently. An unknown account is errs.NotFound.
type Accounts interface {
	moderation.Accounts

	// Find returns the account with an e-mail address in lower case.
	Find(ctx context.Context, address string) (model.Account, error)

	// Create makes an account, or finds the one of an earlier request. Another account with the uid or the address is
	// errs.Exists.
	Create(ctx context.Context, n model.NewAccount) error
	// EndSessions makes Firebase Auth issue no new ID token for the sessions of an account.
	EndSessions(ctx context.Context, uid model.UserID) error

	// SendPasswordReset sends a letter to an address of an account, with a link to set another password. The link is not
	// returned.
	SendPasswordReset(ctx context.Context, address string) error
}

// Options are the parts of the API. Stores, Accounts and the required parts of server.Options are required.
type Options struct {
	Stores
	server.Options
	Accounts Accounts

	// RequireVerifiedEmail refuses posts of callers whose ID token does not have email_verified.
	RequireVerifiedEmail bool
	// CoolDown is the time that users wait between changes of the profile fields that their tweets show.
	CoolDown model.CoolDown
	// PublicURL begins the addresses of the public pages, such as https://hibana.example; without it there are none.
	PublicURL string
	// Federation is how servers of the fediverse find and read users; the zero value is not at all.
	Federation Federation
	// SingleUser is the username of the only user that the installation may have; empty for any number of users.
	SingleUser string
	// Push lists the channels by which devices get notifications; the zero value has none.
	Push Push
	// Streaming is how clients of the Mastodon API hear what is new, by connections; nil if they may not. Without Join it
	// hears by Listen of Stores.
	Streaming *mastodon.Streaming
}

// service is the API: each resource has its operations in a file of its own.
type service struct {
	*server.Server
	Options
	remote *lookUp // nil if the installation does not federate
}

// costs maps each route to the measured cost ceiling of lab/ceilings.
//
//go:embed costs.json
var costs []byte

// New returns the whole API as one handler.
func New(o Options) http.Handler {
	o.Verifier = apptokens.New(o.Verifier, o.OAuth, o.Accounts, time.Now)
	s := &service{Options: o}
	s.Server = server.New(o.Options, server.Hooks{
		Actions: Actions, Scopes: Scopes, Status: s.accountStatus, Writing: s.consented, Problem: problemOf,
		Reading: graph.Remember, Used: s.OAuth.Used,
		Ping: o.Ping,
	})
	s.remote = s.looksUp()
	s.users()
	s.userBatch()
	s.accountDeletion()
	s.exports()
	s.relationships()
	s.mutes()
	s.personNotes()
	s.subscriptions()
	s.markers()
	s.signIns()
	s.authorizations()
	s.pinnedTags()
	s.moving()
	s.announcements()
	s.instance()
	s.invitations()
	s.signUps()
	s.signUpBlocks()
	s.webhooks()
	s.domains()
	s.linkCards()
	s.appeals()
	s.trendReview()
	s.aiModels()
	s.agents()
	s.gists()
	s.filters()
	s.followedTags()
	s.followRequests()
	s.peopleLists()
	s.people()
	s.conversations()
	s.publicLists()
	s.tweets()
	s.edits()
	s.media()
	s.threads()
	s.likes()
	s.shares()
	s.answers()
	s.bookmarks()
	s.pins()
	s.drafts()
	s.heldReplies()
	s.polls()
	s.timeline()
	s.tags()
	s.search()
	s.trends()
	s.totals()
	s.mentions()
	s.notifications()
	s.settings()
	s.notificationRequests()
	s.devices()
	s.products()
	s.carts()
	s.orders()
	s.admin()
	s.actions()
	s.accountStatuses()
	s.reports()
	s.moderation()
	s.accounts()
	s.imports()
	s.verification()
	s.publicPages()
	s.nodeInfos()
	s.federation()
	mastodon.New(mastodon.Options{
		Native: s.Server, Apps: s.OAuth, Site: s.fediverse(), Streaming: s.streaming(),
	}).Register(s.Server)
	s.Describe(Codes, costs)
	return s
}

// streaming is how connections hear what is new; nil if they may not.
func (s *service) streaming() *mastodon.Streaming {
	if s.Streaming != nil && s.Streaming.Join == nil {
		s.Streaming.Join = func(ctx context.Context, uid model.UserID, hear func(model.Heard)) (mastodon.Hearing, error) {
			return s.Listen.Join(ctx, uid, hear)
		}
	}
	return s.Streaming
}

// nothing is the missing input or output of an operation.
type nothing = struct{}
