package model

// Collection names, as they are in Firestore.
const (
	Users                = "users"
	UserDetails          = "userDetails"
	UserSecrets          = "userSecrets"
	Usernames            = "usernames"
	Tweets               = "tweets"
	TweetDetails         = "tweetDetails"
	Tombstones           = "tombstones"
	Drafts               = "drafts"
	HeldReplies          = "heldReplies"
	MediaRecords         = "media"
	Polls                = "polls"
	Votes                = "votes"
	Relationships        = "relationships"
	FollowRequests       = "followRequests"
	Likes                = "likes"
	Shares               = "shares"
	Bookmarks            = "bookmarks"
	PinLists             = "pins"
	QuoteWithdrawals     = "quoteWithdrawals"
	Reactions            = "reactions"
	NotificationSettings = "noticeSettings"

	NotificationRequestLists = "notificationRequests"
	DeviceLists              = "devices"
	Blocks                   = "blocks"
	MutedSharers             = "hiddenSharers"
	MutedUsers               = "mutedUsers"
	UserFilters              = "filters"
	FollowedTagLists         = "followedTags"
	PersonNotes              = "personNotes"
	Subscriptions            = "subscriptions"
	PostRuns                 = "postRuns"
	MarkerLists              = "markers"
	SignInLists              = "signIns"
	Lists                    = "lists"
	Viewers                  = "viewers"
	FollowerLists            = "followerLists"
	SuggestionLists          = "suggestions"
	Tags                     = "tags"
	TagUsages                = "tagUses"
	SearchDocs               = "searchDocs"
	Trends                   = "trends"
	Totals                   = "totals"
	TweetMonths              = "tweetMonths"
	FollowerMonths           = "followerMonths"
	ShareMonths              = "shareMonths"
	Heads                    = "heads"
	ChangeDigests            = "changeDigests"
	RollUps                  = "rollups"
	ClaimedRollUps           = "takenRollUps"
	Overflows                = "spills"
	Sweeps                   = "sweeps"
	Propagations             = "spreads"
	LinkCards                = "linkCards"
	LinkFetches              = "linkFetches"
	FieldChecks              = "fieldChecks"
	SignUps                  = "signUps"
	SignUpBlockLists         = "signUpBlocks"
	WebhookLists             = "webhooks"
	WebhookDeliveries        = "webhookDeliveries"
	CleanUps                 = "cleanups"
	AccountDeletions         = "leavings"
	Exports                  = "exports"
	Migrations               = "migrations"
	Flushes                  = "drains"
	NotificationLogs         = "eventLogs"
	DeadLetters              = "deadEvents"
	Jobs                     = "jobs"
	AccountStatuses          = "standings"
	Reports                  = "reports"
	Appeals                  = "appeals"
	AdminActions             = "adminActions"
	UserNotes                = "userNotes"
	AnnouncementLists        = "announcements"
	Invitations              = "invitations"
	AIModelLists             = "aiModels"
	Agents                   = "agents"
	AgentActs                = "agentActs"
	Instances                = "instance"
	Idempotency              = "idempotency"
	Budgets                  = "budgets"
	ProcessedEvents          = "processedEvents"
	Products                 = "products"
	Carts                    = "carts"
	StockRuns                = "stockRuns"
	Conversations            = "conversations"
	ConversationMonths       = "conversationMonths"
	Inboxes                  = "inboxes"
	MessageTermLists         = "messageTerms"
	ActorKeys                = "actorKeys"
	RemoteActors             = "apActors"
	RemoteAudiences          = "apAudiences"
	RemoteDeliveries         = "apDeliveries"
	RemoteCircuits           = "apCircuits"
	Outgoings                = "outgoing"
	IncomingActivities       = "incoming"
	Activities               = "apActivities"
	Domains                  = "apDomains"
	Purges                   = "apPurges"
	RemoteMoves              = "apMoves"
	RemotePosts              = "apPosts"
	RemoteObjects            = "apObjects"
	RemoteServers            = "apServers"
	OAuthApps                = "oauthApps"
	OAuthCodes               = "oauthCodes"
	OAuthTokens              = "oauthTokens"
	OAuthGrantLists          = "oauthGrants"

	// Orders is the subcollection of a user with the user's orders.
	Orders = "orders"

	// NotificationEvents is the subcollection of a partition of the event log.
	NotificationEvents = "events"
	// NotificationLists is the subcollection of a user with the notifications. Notifications is the subcollection of a
	// user that had a document for each, in earlier versions. Below it, Actors has a document for each user that a
	// notification counts besides those in the notification itself.
	NotificationLists = "notificationLists"
	Notifications     = "notifications"
	Actors            = "actors"
	// Shards is the subcollection of a document with a hot counter.
	Shards = "shards"
	// RemoteFacets is the subcollection of an actor of another server.
	RemoteFacets = "facets"
	// Revisions is the subcollection of a tweet that was edited.
	Revisions = "revisions"
)

// FormerCollections are the collections of version 0.1.0 that later versions neither read nor keep up: the pushed home
// timelines, and an author's newest tweets.
var FormerCollections = []string{"timelines", "followerPages", "fanouts", "homes", "wakes", "sleeps", "sleepers",
	FormerRecents}

// FormerRecents is the collection of version 0.1.0 with the newest tweets of each author.
const FormerRecents = "userRecent"

// Names of counters. Functions maintain these fields.
const (
	FollowerCount = "followerCount"
	FollowedCount = "followedCount"
	TweetCount    = "tweetCount"
	LikeCount     = "likeCount"
	ReplyCount    = "replyCount"
	ShareCount    = "shareCount"
	QuoteCount    = "quoteCount"
)

// Totaled are the collections whose number of documents is in totals/all.
var Totaled = []string{Users, Tweets, Relationships, Likes, Shares}

// Counters are the names of all counters that the documents of a collection have. So a document has at most four
// counters.
var Counters = map[string][]string{
	Users:     {FollowerCount, FollowedCount, TweetCount},
	Tweets:    {LikeCount, ReplyCount, ShareCount, QuoteCount},
	Tags:      {TweetCount},
	TagUsages: {TweetCount},
	Polls:     {VoteCounter(1), VoteCounter(2), VoteCounter(3), VoteCounter(4)},
}
