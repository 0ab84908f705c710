package model

import (
	"time"

	"github.com/hibana-sns/hibana/internal/words"
)

// Limits of requests on which code depends. Package api has the other limits in the tags of its types. Lengths are in
// characters (Unicode code points) of a text in NFC, not bytes.
const (
	MaxContent = 65_535
	MaxSummary = 500
	MaxSnippet = 280
	// MaxSnippetTree is how many bytes a snippet with its structure has in the compact form. A
	// preview has it too, and a month has many previews.
	MaxSnippetTree = 1_600
	MaxEditTold    = 100 // users who share a tweet and are notified of an edit, the last who shared it
	MaxExcerpt     = 100 // characters of a tweet on a notification
	// MaxPreviewText is how many bytes the texts of a preview have together: summary, snippet, snippet tree and tags have
	// 6,720 at most, and the descriptions of media get the rest.
	MaxPreviewText = 6_800

	MaxMedia       = 4        // pictures of a post
	MaxAlt         = 1_500    // characters that describe a picture
	MaxEmbeddedAlt = 300      // of them in lists
	MaxImageBytes  = 10 << 20 // of an upload, as package media takes them
	MaxVideoBytes  = 30 << 20 // Cloud Run sends no answer above 32 MiB whose size is known

	MaxTags      = 10
	MaxTagLength = words.MaxTag
	MaxTagTyped  = 200 // characters of a pinned tag in a request, with those that its key leaves out
	MaxMuted     = 500 // conversations that a user has muted

	MaxAcceptedSenders      = 200 // senders whom a user lets through the notification policy
	MaxNotificationRequests = 100 // senders in the requests of a user
	MaxFilteredEvents       = 15  // notification events of a sender in the requests; one request writes them all
	MaxPrice                = 999_999_999
	MaxProductName          = 100
	// MaxProductDescription is plain text.
	MaxProductDescription = 5_000
	MaxStock              = 1_000_000 // pieces of a product
	MaxCartItems          = 50        // products in a cart, and so in an order
	MaxQuantity           = 99        // pieces of a product in a cart

	// MaxOpenOrders is how many pending or confirmed orders one user may have, so that no user reserves the stock without
	// end. MostOpenOrders is the largest value that an operator may set: an account deletion cancels them in one commit
	// after the other, and finds them again in each pass.
	MaxOpenOrders  = 20
	MostOpenOrders = 100

	// MaxGuestOrders is how many pending or confirmed orders a guest may have, and MaxGuestPieces how many pieces one of
	// them. An anonymous sign-in is free, so all guests together hold at most one of GuestShare pieces of a product that
	// are not sold.
	MaxGuestOrders = 3
	MaxGuestPieces = 10
	GuestShare     = 2

	MaxMentions = 10 // a tweet mentions the first of its names
	MinUsername = 3
	MaxUsername = 20
	MaxNickname = 50
	MaxAvatar   = 2_048 // browsers and proxies take URLs of that length

	MaxIntroduction  = 65_535
	MaxAIModel       = 50
	MaxAIPersonality = 65_535

	maxUserID = 128 // Firebase Auth's own limit

	// MaxRevisions is how often a tweet may be edited. The revisions of a tweet are read, and
	// deleted, together.
	MaxRevisions = 100

	MaxIdempotencyKey = 64
	MaxDrafts         = 100 // of a user, scheduled ones with them
	MinPollOptions    = 2
	MaxPollOptions    = 4 // each is a counter
	MaxPollOption     = 80
	MinPollMinutes    = 5
	MaxPollMinutes    = 7 * 24 * 60
	MaxDraftPage      = 20 // a draft may have 264 KB
	// MaxHeldFrom is how many replies of one author wait for one user at most, and MaxHeldTo how many of all authors. A
	// held reply is as large as a draft.
	MaxHeldFrom        = 20
	MaxHeldTo          = 1_000
	MaxHeldPage        = 20
	MaxCountedRequests = 1_000 // follow requests of a user that a count has
	MaxBatch           = 50    // ids in one batch request; an id that is gone costs two reads
	// MaxPollBatch is how many ids a batch request may have that asks for votes and counts: 2 reads more for each poll.
	MaxPollBatch = 20
	MaxPageSize  = 100

	// Pages whose items cost more than one read have fewer items than MaxPageSize. So no request costs more than 120
	// reads, viewer state of saturated months excepted (docs/reports/costs.md).
	MaxJoinedPage  = 50 // a tweet and its like, or a relationship and its user
	MaxHomePage    = 40 // the same, and tweets that are gone
	MaxNewestUsers = 25 // a tweet, its like, its author and the author's newest tweets
	// a like, its tweet, and the viewer's like; a quote, whether the viewer follows its author, and the viewer's like
	MaxLikesPage    = 30
	MaxFullPreviews = 30 // a preview, its tweet, and the viewer's state of it
	// a notification, NotificationActors users, the tweet of the excerpt, and whether its reader follows the author
	MaxNotificationPage = 20
	NotificationActors  = 3

	// A reader without a whole graph gets shorter pages, because each user on a page may cost a read more: a block or a
	// mute. Such a reader has too many follows, mutes and blocks for one document.
	MaxPartialPage     = 20
	MaxPartialList     = 10 // tweets on a page of a list of people, which also reads 30 authors
	MaxPartialThread   = 10 // replies to the tweet itself
	PartialThreadReads = 25
	MaxPartialTies     = 30 // users in one step of a request for relationships; each may cost three reads

	// MaxSearchTerms limits the search terms of a tweet, MaxSearchText the characters of its text that are searched, and
	// MaxTermLength the characters of a word in its term.
	MaxSearchTerms = 1_000
	// MaxSearchParts limits the parts of words, of three characters, by which a search finds a tweet. They are the first
	// of the text, and no part of MaxSearchTerms. MaxTitleTerms limits the terms of a title, and MaxTitle its characters.
	MaxSearchParts = 400
	MaxTitleTerms  = 40
	MaxTitle       = 200
	MaxSearchText  = 10_000
	MaxTermLength  = 40
	MaxSearchQuery = 200
	// MaxSearchPage is how many tweets a page of a search has, and MaxFollowedSearchPage how many if the viewer's follows
	// have to be read. SearchReads is how many documents it reads to find them.
	MaxSearchPage         = 10
	MaxFollowedSearchPage = 6
	SearchReads           = 18

	// MaxAncestors is how many tweets a thread shows above one. ThreadReads is how many reads the tweets below it cost.
	MaxAncestors     = 8
	ThreadReads      = 45
	MaxThreadReplies = 20 // to the tweet itself; each may have 1 tombstone besides
	ThreadBranch     = 3  // to a reply, until the reader opens it
	MaxThreadDepth   = 6
)

// Sizes, times and limits of documents, and of the work on them.
const (
	// RecentTweets is the number of earlier tweets that a follow brings into the follower's home timeline.
	RecentTweets = 20

	// HeadItems is the largest number of posts and shares in a user's head. With fewer than HeadRefill a function fills
	// the head up from the user's months and shares.
	HeadItems  = 40
	HeadRefill = 20

	// ListedFollowers is the largest number of followers in a user's list of followers. A follower takes 137 bytes at
	// most, and some 37 usually.
	ListedFollowers = 200

	// TimelineWindow is the age of the oldest tweets in a home timeline. Older entries
	// are not shown, and a month of shares expires.
	TimelineWindow = 30 * 24 * time.Hour

	// IdempotencyWindow is how long the database keeps an Idempotency-Key.
	IdempotencyWindow = 24 * time.Hour

	// DedupeWindow is how long the database keeps an idempotency record. Eventarc redelivers an event for at most 24
	// hours.
	DedupeWindow = 24 * time.Hour

	// QuoteWithdrawalWindow is how long the database keeps the record of a withdrawn quote. Its event is delivered for at
	// most 24 hours; the quote itself says that it is withdrawn.
	QuoteWithdrawalWindow = 7 * 24 * time.Hour

	// HeldReplyWindow is how long a reply waits for approval at most.
	HeldReplyWindow = 30 * 24 * time.Hour

	// WorkWindow is how long a work document lives after its last write. The daily sweep, which enqueues lost work again,
	// must come before.
	WorkWindow = 7 * 24 * time.Hour

	// MaxSchedule is how far ahead a tweet may be scheduled.
	MaxSchedule = 366 * 24 * time.Hour

	// MaxLate is how late a scheduled tweet is posted at most. Later its text may be wrong, so
	// its draft stays.
	MaxLate = 24 * time.Hour

	// MediaWindow is how long an upload stays that no post, message and profile uses. UploadWindow is how long its
	// signed address can begin an upload. DraftMediaWindow is how long media of a draft stay after their upload, or after
	// the time to post.
	MediaWindow      = 24 * time.Hour
	UploadWindow     = time.Hour
	DraftMediaWindow = 90 * 24 * time.Hour

	// GuestCartWindow is how long the cart of a guest is kept after its last use.
	GuestCartWindow = 30 * 24 * time.Hour

	// GuestOrderWindow is how long the order of a guest may wait to be shipped. The next sweep then cancels it.
	GuestOrderWindow = 72 * time.Hour

	// GuestEmailWindow is how long a closed order keeps the e-mail address of its guest. The next sweep then removes it.
	GuestEmailWindow = 30 * 24 * time.Hour

	// DueShards is the number of parts of the index of due drafts. Users choose the same full hours, so all drafts of one
	// hour would be at one position of the index. Each part accepts about 500 writes a second.
	DueShards = 16

	// PollReconciles is how long after the end of a poll its users are notified: until then votes in time are counted. A
	// poll that ended MaxLate ago notifies no user.
	PollReconciles = time.Minute

	// PublicShards is the number of parts of the public timeline's index. Each part accepts about 500 new tweets a second.
	PublicShards = 4

	// ChangeShards is the number of parts of the index of changed tweets, and of that of changed heads. Each part accepts
	// about 500 changes a second: likes, replies, shares and new tweets. A query names all parts, and may name 30.
	ChangeShards = 16

	// ListedTrust is how old the counts of a profile in a list may be. With an hour most of the cost of a list of
	// followers would be profiles that were read before. The web client shows no counts in lists.
	ListedTrust = 12 * time.Hour

	// CacheBytes is about how many bytes the caches of a process use. The garbage collector needs as many again. So an
	// instance of 512 MiB is half full.
	CacheBytes = 128 << 20

	// MinShards is the number of shards that a hot counter has at first. The number doubles as
	// the counter gets hotter.
	MinShards = 8
	// MaxShards is the number of shards that a counter has at most.
	MaxShards = 128

	// SharesPerBucket is the number of shares in a full month of a user. An overflow moves the older half of a fuller
	// bucket to overflow pages.
	SharesPerBucket = 150
	// PreviewsPerBucket is the same for the post previews of an author.
	PreviewsPerBucket = 110

	// ReactionsPerMonth is the number of likes in a saturated month of reactions, and of shares, and of bookmarks. For a
	// user who likes more tweets of one month, the likes of a page cost reads.
	ReactionsPerMonth = 2_000

	// MaxViewerEntries is how many entries a reader's document of the graph has at most. An entry takes 137 bytes at most,
	// so 1 MiB has room for 2,600 more.
	MaxViewerEntries = 5_000
	// MaxFollows is how many users one user may follow. The reader's document has room for all of them.
	MaxFollows = MaxViewerEntries
	// MaxFollowers is how many followers one user may have.
	MaxFollowers = 200_000

	// MaxRequestsBy is how many open follow requests one user may have made. MaxRequestsTo is how many one user may have
	// received. Each 1,000 cost a read when one more is made.
	MaxRequestsBy = 1_000
	MaxRequestsTo = 5_000
)
