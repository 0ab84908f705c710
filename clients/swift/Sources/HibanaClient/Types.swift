// Generated from api/openapi.json by `go run ./clients/generate`. Do not edit.
import Foundation

extension Hibana {
    public struct AIModel: Decodable, Sendable {
        /// Whether agents may use it
        public var enabled: Bool
        /// Micro-dollars for a million tokens that it reads
        public var input: Int
        public var label: String
        /// Micro-dollars for a million tokens that it writes
        public var output: Int
        /// Who runs it; may be empty
        public var provider: String
    }

    public struct Account: Decodable, Sendable {
        public var administrator: Bool
        public var createdAt: Date
        /// In lower case
        public var email: String
        public var emailVerified: Bool
        public var frozen: Bool
        public var moderator: Bool
        /// When the user signed in, or an app of the user got an ID token, for the last time
        public var seenAt: Date
        /// True if the account cannot sign in
        public var suspended: Bool
        public var uid: String
        /// The profile; absent if there is none
        public var user: UserSummary?
    }

    public struct AccountByEmail: Encodable, Sendable {
        /// In lower case or capitals
        public var email: String
        /// Why, for the audit log
        public var reason: String

        public init(email: String, reason: String) {
            self.email = email
            self.reason = reason
        }
    }

    public struct ActFor: Encodable, Sendable {
        public var kind: String
        /// Why, for the audit log
        public var reason: String
        /// Id of the user to follow or block, or of the tweet to like
        public var target: String

        public init(kind: String, reason: String, target: String) {
            self.kind = kind
            self.reason = reason
            self.target = target
        }
    }

    public struct Action: Decodable, Sendable {
        public var act: String
        /// What changed, as it is since; of a product what the request asks for, with its Idempotency-Key as key
        public var after: [String: String]?
        public var at: Date
        /// What changed, as it was; the first 280 characters of each field
        public var before: [String: String]?
        /// The user who acted, or the name that hibana admin got
        public var by: String
        public var id: String
        public var orderId: String?
        public var productId: String?
        public var reason: String?
        public var reportId: String?
        /// Of a flag: the revision of the tweet that was judged
        public var revision: Int?
        /// command is hibana admin; user is a user about the own account, or who forwarded a report
        public var role: String
        public var tweetId: String?
        /// The user concerned; of a tweet, its author; of an order, its customer
        public var userId: String?
    }

    public struct Agent: Decodable, Sendable {
        /// Of a day in UTC
        public var budget: AgentSpending
        /// The administrator who made it
        public var by: String
        public var changedAt: Date
        public var createdAt: Date
        /// Day of spent; empty before the first turn
        public var day: String
        /// Minutes between two turns
        public var everyMinutes: Int
        /// Label of an AI model
        public var model: String
        /// When the next turn begins, at the earliest; null for a stopped agent
        public var nextAt: Date?
        /// Why the last turn did nothing: budget, decider, or the code of an error
        public var problem: String?
        public var running: Bool
        public var spent: AgentSpending
        public var stoppedBy: String?
        public var userId: String
    }

    public struct AgentAct: Decodable, Sendable {
        public var at: Date
        public var id: String
        public var kind: String
        /// The tweet that it posted
        public var made: String?
        public var microDollars: Int
        /// Code of why it was refused
        public var problem: String?
        /// begun and lost acts may have happened; stopped ones have not
        public var state: String
        /// The author of that tweet, or who is followed
        public var target: String?
        public var text: String?
        /// Of the decision of its turn; in the turn's first act
        public var tokens: Int
        /// The tweet that it answers or likes
        public var tweetId: String?
    }

    public struct AgentSpending: Codable, Sendable {
        public var follows: Int?
        public var likes: Int?
        public var microDollars: Int?
        /// Replies count, too
        public var posts: Int?
        public var tokens: Int?

        public init(follows: Int? = nil, likes: Int? = nil, microDollars: Int? = nil, posts: Int? = nil, tokens: Int? = nil) {
            self.follows = follows
            self.likes = likes
            self.microDollars = microDollars
            self.posts = posts
            self.tokens = tokens
        }
    }

    public struct AiModelsOutputBody: Decodable, Sendable {
        /// At most 200, by label
        public var items: [AIModel]
    }

    public struct Aliases: Codable, Sendable {
        /// Accounts on other servers: handles, such as @bob@example.org, or addresses
        public var accounts: [String]

        public init(accounts: [String]) {
            self.accounts = accounts
        }
    }

    public struct AllTies: Decodable, Sendable {
        public var items: [Ties]
        /// The last uids of the request, of which the answer says nothing because the others cost enough: ask again with them. Empty for 30 uids or fewer, and with view=full for 15
        public var rest: [String]
    }

    public struct AltOf: Encodable, Sendable {
        /// What the picture shows, in words; empty for none
        public var alt: String
        public var id: String

        public init(alt: String, id: String) {
            self.alt = alt
            self.id = id
        }
    }

    public struct Announcement: Decodable, Sendable {
        /// Whether the caller has dismissed it
        public var dismissed: Bool
        /// null if there is no end
        public var endsAt: Date?
        /// The text as safe HTML; present with format=html, unless the text is empty. Names in it are text
        public var html: String?
        public var id: String
        public var startsAt: Date
        /// Markdown
        public var text: String
        public var title: String
        public var updatedAt: Date
    }

    public struct AnswerAppealRequest: Encodable, Sendable {
        /// For the user, and for the audit log in short
        public var answer: String
        public var state: String

        public init(answer: String, state: String) {
            self.answer = answer
            self.state = state
        }
    }

    public struct Answered: Decodable, Sendable {
        public var authorId: String
        /// The beginning of its text in one line, without markup; of a tweet with a content warning that of the warning
        public var excerpt: String
        public var id: String
        public var nickname: String
        public var username: String
    }

    public struct Appeal: Decodable, Sendable {
        public var act: String
        /// What the moderators say; empty while the appeal is open
        public var answer: String
        /// null while the appeal is open
        public var answeredAt: Date?
        public var createdAt: Date
        public var decidedAt: Date
        public var decidedBy: String
        public var id: String
        /// Of the decision, from the audit log; the user does not see it
        public var reason: String
        /// upheld: the decision stands; reversed: it was wrong, and what can be undone is undone
        public var state: String
        public var text: String
        public var tweetId: String?
        public var userId: String
    }

    public struct AppealRequest: Encodable, Sendable {
        /// Why the decision is wrong
        public var text: String

        public init(text: String) {
            self.text = text
        }
    }

    public struct Author: Decodable, Sendable {
        public var avatar: String
        public var nickname: String
        public var username: String
    }

    public struct AuthoredTweet: Decodable, Sendable {
        public var allowLikes: Bool
        public var allowQuotes: Bool
        public var allowReplies: Bool
        /// Of a tweet that the user shares; absent from the user's own
        public var author: Author?
        public var authorId: String
        /// Whether the caller keeps the tweet as a bookmark; present with view=full
        public var bookmarked: Bool?
        /// Markdown; present only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none
        public var filtered: [FilterHit]?
        /// Whether the tweet has media, or an image in its text
        public var hasMedia: Bool
        public var id: String
        public var length: Int
        /// Present with view=full
        public var likeCount: Int?
        /// Whether the caller likes the tweet; present with view=full
        public var liked: Bool?
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// The tweet's poll without what the caller chose and without counts; present with view=full if the tweet has one
        public var poll: Poll?
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// As in Tweet
        public var quoteWithdrawn: Bool?
        /// Present with view=full
        public var replyCount: Int?
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        public var replyTo: String?
        /// How often the tweet was edited
        public var revision: Int
        public var rootId: String
        /// Present with view=full
        public var shareCount: Int?
        /// Whether the caller shared the tweet; present with view=full
        public var shared: Bool?
        /// That the user shares the tweet, and since when; absent from the user's own
        public var sharedBy: Sharer?
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        public var summary: String
        public var tags: [String]
        public var updatedAt: Date?
        public var visibility: String
    }

    public struct Authorization: Decodable, Sendable {
        /// In the place of an address, for an app that cannot be reached: the user copies it
        public var code: String?
        /// The address of the app, with code, state and iss
        public var redirect: String?
    }

    public struct AuthorizationRequest: Encodable, Sendable {
        /// The client_id of the app
        public var clientId: String
        /// Of PKCE. An app without a secret must send one
        public var codeChallenge: String?
        /// S256: there is no other
        public var codeChallengeMethod: String?
        /// One of the redirect URIs that the app registered, byte for byte
        public var redirectUri: String
        /// code: there is no other
        public var responseType: String
        /// The scopes, between spaces; read if absent
        public var scope: String?
        /// Returned as it is
        public var state: String?

        public init(clientId: String, codeChallenge: String? = nil, codeChallengeMethod: String? = nil, redirectUri: String, responseType: String, scope: String? = nil, state: String? = nil) {
            self.clientId = clientId
            self.codeChallenge = codeChallenge
            self.codeChallengeMethod = codeChallengeMethod
            self.redirectUri = redirectUri
            self.responseType = responseType
            self.scope = scope
            self.state = state
        }
    }

    public struct AuthorizedApp: Decodable, Sendable {
        public var id: String
        /// To a day
        public var lastUsedAt: Date
        public var name: String
        /// What it may do
        public var scopes: [String]
        public var since: Date
        public var website: String?
    }

    public struct AuthorizedApps: Decodable, Sendable {
        /// The last used first, at most 100
        public var items: [AuthorizedApp]
    }

    public struct Batch: Decodable, Sendable {
        public var items: [BatchItem]
    }

    public struct BatchItem: Decodable, Sendable {
        public var id: String
        public var status: String
        /// Present if the status is gone
        public var tombstone: Tombstone?
        /// Present if the status is found
        public var tweet: Tweet?
    }

    public struct BookmarkedTweet: Decodable, Sendable {
        public var allowLikes: Bool
        /// False if quotePolicy is nobody
        public var allowQuotes: Bool
        /// False if replyPolicy is nobody
        public var allowReplies: Bool
        public var author: Author
        public var authorId: String
        /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
        public var bookmarked: Bool
        public var bookmarkedAt: Date
        /// Further recipients; absent if there are none, and from lists
        public var cc: [String]?
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
        public var filtered: [FilterHit]?
        /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
        public var flagged: Bool?
        /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
        public var folded: Bool?
        /// The content as safe HTML; a tweet read by itself has it with format=html
        public var html: String?
        public var id: String
        /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
        public var language: String
        /// Number of characters of the content
        public var length: Int
        public var likeCount: Int
        /// True if the caller likes the tweet
        public var liked: Bool
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// Whom the content mentions; absent if nobody
        public var mentions: [Mention]?
        /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
        public var poll: Poll?
        public var quoteCount: Int
        /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
        public var quoteWithdrawn: Bool?
        /// Where the post is, if it is of another server; absent from others
        public var remote: Remote?
        /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
        public var repliesHeldBy: String?
        public var replyCount: Int
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// Id of the tweet that this tweet answers; null for a root tweet
        public var replyTo: String?
        /// Who wrote the tweet that this tweet answers; absent from a root tweet
        public var replyToAuthorId: String?
        /// How often the tweet was edited; so many revisions are kept
        public var revision: Int
        /// Id of the tweet that began the thread
        public var rootId: String
        public var shareCount: Int
        /// True if the caller shares the tweet
        public var shared: Bool
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
        public var to: [String]?
        /// null until the first edit
        public var updatedAt: Date?
        /// Who may see the tweet
        public var visibility: String
    }

    public struct Cart: Decodable, Sendable {
        public var items: [CartItem]
        /// What all products that are for sale cost together, one for each currency
        public var totals: [Total]
    }

    public struct CartItem: Decodable, Sendable {
        /// What is not as the caller has seen it: price_up, price_down, currency_changed; or keeps it from being ordered: sold_out, too_few (in stock), retired
        public var changes: [String]
        /// Absent for a product that there is not
        public var product: Product?
        public var productId: String
        public var quantity: Int
    }

    public struct ChangeMediaInputBody: Encodable, Sendable {
        /// What the picture shows, in words; empty for none
        public var alt: String

        public init(alt: String) {
            self.alt = alt
        }
    }

    public struct ChangePushSubscriptionRequest: Encodable, Sendable {
        /// Types of notifications, by their names in Mastodon
        public var alerts: [String]

        public init(alerts: [String]) {
            self.alerts = alerts
        }
    }

    public struct Consent: Decodable, Sendable {
        public var consentedAt: Date
        public var version: Int
    }

    public struct ConsentInputBody: Encodable, Sendable {
        /// Version of the terms that the caller has read
        public var version: Int

        public init(version: Int) {
            self.version = version
        }
    }

    public struct Contact: Decodable, Sendable {
        public var email: String?
        public var userId: String?
    }

    public struct Conversation: Decodable, Sendable {
        /// Time of the last message
        public var changedAt: Date
        public var createdAt: Date
        /// Whether nobody can write any more to this conversation of two. It does not tell why
        public var ended: Bool
        public var id: String
        /// Absent if the caller does not see it
        public var lastMessage: LastMessage?
        /// All who ever were in it, also the caller
        public var members: [ConversationMember]
        /// Until when the caller gets no push; absent for no mute
        public var mutedUntil: Date?
        public var myState: String
        /// Empty without a name
        public var name: String
        /// Whether it is of two users. It stays one when a user of several leaves
        public var pair: Bool
        /// Number of the last message that the caller has read: the last part of the ids of messages
        public var readUpTo: Int
        /// Who began it, while the caller has not answered
        public var requestedBy: String?
        /// Messages of others after readUpTo, those of hidden users with them; 0 until the caller consents
        public var unreadCount: Int
    }

    public struct ConversationMember: Decodable, Sendable {
        public var avatar: String
        /// Whether the caller does not see this user in a conversation of several, because of a block in either direction; the names are empty then
        public var hidden: Bool
        public var id: String
        public var nickname: String
        /// requested: was asked for consent, and has not given it
        public var state: String
        /// Empty for a deleted account, and so are nickname and avatar
        public var username: String
    }

    public struct ConversationPatch: Encodable, Sendable {
        /// The caller gets no push until then; null ends the mute
        public var mutedUntil: Date?
        /// For all members of a conversation of several; empty for none
        public var name: String?

        public init(mutedUntil: Date? = nil, name: String? = nil) {
            self.mutedUntil = mutedUntil
            self.name = name
        }
    }

    public struct CreateNoteRequest: Encodable, Sendable {
        public var text: String

        public init(text: String) {
            self.text = text
        }
    }

    public struct CreatedMedia: Decodable, Sendable {
        /// What the picture shows, in words. A post copies it, and an edit of the post changes that copy
        public var alt: String
        public var animated: Bool?
        public var blurhash: String?
        public var createdAt: Date
        public var durationMs: Int?
        /// When it is deleted, unless a post, a message, a profile or a product takes it before
        public var expiresAt: Date?
        /// Why it failed
        public var failure: String?
        public var height: Int?
        public var id: String
        public var kind: String
        /// uploading: until the file has come and was looked at. ready: a post, a message, a profile or a product can take it. failed: it can not
        public var state: String
        /// This and the following are there when it is ready
        public var type: String?
        /// Where to send the file, by the resumable uploads of Cloud Storage
        public var upload: Upload
        /// Signed until a post that everybody may see, a profile or a product, has taken it
        public var urls: MediaURLs?
        /// Whether a post, a message, a profile or a product has taken it
        public var used: Bool
        public var width: Int?
    }

    public struct Decision: Decodable, Sendable {
        public var act: String
        /// Absent without an appeal
        public var appeal: OwnAppeal?
        /// Until then the caller may appeal, once
        public var appealUntil: Date
        public var at: Date
        public var id: String
        public var tweetId: String?
    }

    public struct Difference: Codable, Sendable {
        /// Path of the document
        public var document: String
        /// Name of the field; empty for the whole document
        public var field: String
        /// The value in the database; null if there is none
        public var have: JSON?
        /// Collection of the document
        public var kind: String
        /// Version of the document when the difference was found; empty if the field is no count
        public var version: String
        /// The value that follows from the source documents; null if there should be none
        public var want: JSON?

        public init(document: String, field: String, have: JSON? = nil, kind: String, version: String, want: JSON? = nil) {
            self.document = document
            self.field = field
            self.have = have
            self.kind = kind
            self.version = version
            self.want = want
        }
    }

    public struct Differences: Decodable, Sendable {
        public var items: [Difference]
    }

    public struct Draft: Decodable, Sendable {
        public var allowLikes: Bool
        public var allowQuotes: Bool
        public var allowReplies: Bool
        /// Further recipients
        public var cc: [String]?
        /// Markdown
        public var content: String
        public var createdAt: Date
        /// Why the draft was not posted when it was due; absent otherwise, and after the next change
        public var failure: DraftFailure?
        public var id: String
        /// BCP 47 tag of the content's language; absent if the author gave none
        public var language: String?
        /// Ids of its media. They are kept for 90 days after the last change of the draft, or after publishAt
        public var media: [String]?
        public var poll: NewPoll?
        /// When the tweet is posted by itself; null for a draft that waits for the caller
        public var publishAt: Date?
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        public var replyTo: String?
        /// How often the draft was changed
        public var revision: Int
        /// Content warning
        public var summary: String
        /// Tags beside the hashtags in the content
        public var tags: [String]
        /// Recipients, the long form of visibility, with cc; absent if the author named no users
        public var to: [String]?
        public var updatedAt: Date
        /// Absent for the default, as in a new tweet
        public var visibility: String?
    }

    public struct DraftFailure: Decodable, Sendable {
        public var at: Date
        /// What POST /v1/tweets would have answered, or account_frozen, account_suspended or too_late_to_publish
        public var code: String
        public var detail: String
        /// When the tweet was to be posted
        public var publishAt: Date
    }

    public struct EditedTweet: Encodable, Sendable {
        public var allowLikes: Bool?
        public var allowQuotes: Bool?
        public var allowReplies: Bool?
        /// Markdown; its #hashtags take the place of those of the former content
        public var content: String?
        /// Why, for the audit log
        public var reason: String
        /// Content warning; empty for none
        public var summary: String?
        /// All tags beside the hashtags; if absent, those that the tweet has stay
        public var tags: [String]?
        /// Who may see the tweet from now on
        public var visibility: String?

        public init(allowLikes: Bool? = nil, allowQuotes: Bool? = nil, allowReplies: Bool? = nil, content: String? = nil, reason: String, summary: String? = nil, tags: [String]? = nil, visibility: String? = nil) {
            self.allowLikes = allowLikes
            self.allowQuotes = allowQuotes
            self.allowReplies = allowReplies
            self.content = content
            self.reason = reason
            self.summary = summary
            self.tags = tags
            self.visibility = visibility
        }
    }

    public struct EditedUser: Encodable, Sendable {
        public var aiModel: String?
        public var aiPersonality: String?
        /// Empty, or an https URL in ASCII without a user name
        public var avatar: String?
        public var blockStrangers: Bool?
        /// True if a program makes the posts
        public var bot: Bool?
        /// An empty list, to remove all fields
        public var fields: [ProfileField]?
        /// Empty, to take the wide picture off. Uploaded pictures that are taken off are deleted at once
        public var header: String?
        public var introduction: String?
        /// True if the user decides who follows
        public var locked: Bool?
        /// The username if empty
        public var nickname: String?
        public var pronouns: String?
        /// Why, for the audit log
        public var reason: String
        public var username: String?

        public init(aiModel: String? = nil, aiPersonality: String? = nil, avatar: String? = nil, blockStrangers: Bool? = nil, bot: Bool? = nil, fields: [ProfileField]? = nil, header: String? = nil, introduction: String? = nil, locked: Bool? = nil, nickname: String? = nil, pronouns: String? = nil, reason: String, username: String? = nil) {
            self.aiModel = aiModel
            self.aiPersonality = aiPersonality
            self.avatar = avatar
            self.blockStrangers = blockStrangers
            self.bot = bot
            self.fields = fields
            self.header = header
            self.introduction = introduction
            self.locked = locked
            self.nickname = nickname
            self.pronouns = pronouns
            self.reason = reason
            self.username = username
        }
    }

    public struct Element: Decodable, Sendable {
        /// Any of href, src, alt, size, language, start and user
        public var attributes: [String: String]?
        public var children: [Element]?
        /// Name of the HTML element, hashtag or mention
        public var tag: String?
        /// A text; or all of an element that has one text and nothing else
        public var text: String?
        public var type: String
    }

    public struct Event: Decodable, Sendable {
        public var at: Date
        /// True if one of the two users had blocked the other when the event came, the user had switched this kind off, or it was taken back by then, so that it never was on a notification; absent otherwise
        public var dropped: Bool?
        public var expireAt: Date
        public var id: String
        public var payload: EventPayload
        /// True until the event is on a notification
        public var pending: Bool
        public var type: String
        /// The notified user
        public var userId: String
        /// True if the event was taken off its notification, since it was taken back, or the user blocked who did it; absent otherwise
        public var withdrawn: Bool?
    }

    public struct EventPayload: Decodable, Sendable {
        /// The order that changed its state
        public var orderId: String?
        /// The state that the order has since
        public var orderStatus: String?
        /// The tweet that was quoted
        public var quoteOf: String?
        /// The tweet that the reply answers
        public var replyTo: String?
        /// Root tweet of the reply, or of the tweet that mentions
        public var rootId: String?
        /// The tweet that was liked or shared, the reply, the quote, or the tweet that mentions
        public var tweetId: String?
        /// The user who followed, liked, shared, quoted, replied or mentioned
        public var userId: String
    }

    public struct Excerpt: Decodable, Sendable {
        public var authorId: String
        /// The caller's filters that the tweet matches; absent if there are none. One that hides is of a notification from before the filter
        public var filtered: [FilterHit]?
        /// Whether text is from the summary, which is a content warning
        public var isSummary: Bool
        /// What the tweet shows, without markup and in one line: its first 100 characters, or those of its summary if it has one
        public var text: String
        /// The newest reply, quote or mention, or the tweet that was liked, shared or edited
        public var tweetId: String
    }

    public struct ExcerptPart: Decodable, Sendable {
        /// True for what q asks for
        public var hit: Bool
        public var text: String
    }

    public struct Export: Decodable, Sendable {
        /// Zip files of JSON, which belong together; empty until the export is ready, and to a caller who must sign in again
        public var archives: [ExportArchive]
        /// When the archives are deleted
        public var expiresAt: Date?
        /// Why there will be no archives
        public var failure: String?
        /// How many items are written so far, by kind
        public var items: [String: Int]
        /// How many files of media are in no archive, because they have filled 250; their items in media have fileOmitted. Absent if there are none
        public var omittedFiles: Int?
        /// When the export was ready, or failed
        public var readyAt: Date?
        /// The archives are there: sign in again, and ask with the new ID token within 5 minutes
        public var signInAgain: Bool
        public var startedAt: Date
        /// writing: archives are being written. ready: they can be downloaded. failed: there will be none.
        public var state: String
    }

    public struct ExportArchive: Decodable, Sendable {
        public var bytes: Int
        /// When the link expires
        public var expiresAt: Date
        /// Where anybody who has the link can download the archive, until expiresAt; ask again for a new link
        public var url: String
    }

    public struct FamiliarFollowers: Decodable, Sendable {
        /// False if there may be more than were found: the user has more than 200 followers, and the caller follows many
        public var complete: Bool
        /// How many were found
        public var count: Int
        /// Up to 10 of them, those whom the caller followed last first
        public var items: [UserSummary]
    }

    public struct FediverseDomain: Decodable, Sendable {
        public var at: Date
        public var by: String
        /// With its subdomains
        public var domain: String
        public var privateComment: String
        public var publicComment: String
        public var rejectMedia: Bool
        public var rejectReports: Bool
        public var severity: String
    }

    public struct FediverseDomainList: Encodable, Sendable {
        /// As Mastodon exports it: the first line names the columns, such as #domain,#severity,#reject_media,#reject_reports,#public_comment; at most 10000 rows
        public var csv: String

        public init(csv: String) {
            self.csv = csv
        }
    }

    public struct FediverseDomains: Decodable, Sendable {
        /// By name
        public var items: [FediverseDomain]
        /// The after of the next page; empty on the last one
        public var next: String
        /// Whether only domains with the severity allow are let in
        public var only: Bool
        /// How many there are in all, at most 20000
        public var total: Int
    }

    public struct FediverseImport: Decodable, Sendable {
        public var added: Int
        /// Domains whose rule was as strict before
        public var kept: Int
        /// Lines that name no domain or no severity, at most 20
        public var skipped: [Int]
        /// Domains that had a rule, and have a stricter one now
        public var stricter: Int
    }

    public struct FieldError: Decodable, Sendable {
        /// The part of the request (body, query, path or header) and its field
        public var location: String
        /// What the API expects there, with the limit
        public var message: String
    }

    public struct Filter: Decodable, Sendable {
        /// hide: lists leave the tweet out, and a reply, quote or mention makes no notification. warn: the tweet has filtered, and clients fold it
        public var action: String
        /// Where the filter acts: home has the home timeline and timelines of lists of people; public has the public timeline, and the tweets of tags, searches and trends; thread has threads, replies and quotes; profile has a user's tweets, likes, shares and pins
        public var contexts: [String]
        public var createdAt: Date
        /// When the filter ends; absent for a filter without an end. An ended filter stays, and does nothing
        public var expiresAt: Date?
        public var id: String
        /// A tweet matches that has one of them in the first 280 characters of its content, in its content warning or in an option of its poll, or as a tag. Capitals and the widths of letters make no difference
        public var keywords: [FilterKeyword]
        public var title: String
        /// For If-Match, in quotation marks; a change of the filter changes it
        public var version: String
    }

    public struct FilterBody: Encodable, Sendable {
        /// hide: lists leave the tweet out, and a reply, quote or mention makes no notification. warn: the tweet has filtered, and clients fold it
        public var action: String
        /// Where the filter acts: home has the home timeline and timelines of lists of people; public has the public timeline, and the tweets of tags, searches and trends; thread has threads, replies and quotes; profile has a user's tweets, likes, shares and pins
        public var contexts: [String]
        /// When the filter ends; absent for a filter without an end. An ended filter stays, and does nothing
        public var expiresAt: Date?
        /// A tweet matches that has one of them in the first 280 characters of its content, in its content warning or in an option of its poll, or as a tag. Capitals and the widths of letters make no difference
        public var keywords: [FilterKeyword]
        public var title: String

        public init(action: String, contexts: [String], expiresAt: Date? = nil, keywords: [FilterKeyword], title: String) {
            self.action = action
            self.contexts = contexts
            self.expiresAt = expiresAt
            self.keywords = keywords
            self.title = title
        }
    }

    public struct FilterHit: Decodable, Sendable {
        /// warn: a client folds the tweet, and shows the title. hide only where the caller asks for the tweet itself: lists leave such a tweet out
        public var action: String
        /// Where the filter acts
        public var contexts: [String]
        /// When the filter ends; absent for a filter without an end
        public var expiresAt: Date?
        public var filterId: String
        /// The first keyword of the filter that the tweet has
        public var keyword: String
        /// Title of the filter
        public var title: String
    }

    public struct FilterKeyword: Codable, Sendable {
        /// Names the keyword within its filter, and stays when its text changes. Absent in a request for a new keyword; one without an id whose text the filter has keeps the id of that
        public var id: String?
        /// A text of at most 100 characters. One that begins with # must be a tag, and matches that tag alone
        public var keyword: String
        /// Whether the keyword must begin and end between words. In scripts without spaces, such as Chinese, Japanese and Thai, each character is a word, but katakana stay together
        public var wholeWord: Bool?

        public init(id: String? = nil, keyword: String, wholeWord: Bool? = nil) {
            self.id = id
            self.keyword = keyword
            self.wholeWord = wholeWord
        }
    }

    public struct FilteredNotification: Decodable, Sendable {
        public var at: Date
        /// The tweet that was liked or shared, the reply or quote, or the tweet that mentions
        public var tweetId: String?
        public var type: String
    }

    public struct Followed: Decodable, Sendable {
        /// Whether the caller follows the user
        public var following: Bool
        /// Whether the caller asks to follow the user, who is locked and has not answered
        public var requested: Bool
    }

    public struct FollowedTag: Decodable, Sendable {
        /// The tag as the caller typed it
        public var content: String
        public var followedAt: Date
        /// Key of the tag
        public var name: String
    }

    public struct FoundMessage: Decodable, Sendable {
        public var conversationId: String
        public var message: Message
    }

    public struct FoundTweet: Decodable, Sendable {
        public var allowLikes: Bool
        /// False if quotePolicy is nobody
        public var allowQuotes: Bool
        /// False if replyPolicy is nobody
        public var allowReplies: Bool
        public var author: Author
        public var authorId: String
        /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
        public var bookmarked: Bool
        /// Further recipients; absent if there are none, and from lists
        public var cc: [String]?
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// What stands around the first hit, at most 160 characters, without Markdown; the content warning comes first
        public var excerpt: [ExcerptPart]
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
        public var filtered: [FilterHit]?
        /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
        public var flagged: Bool?
        /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
        public var folded: Bool?
        /// The content as safe HTML; a tweet read by itself has it with format=html
        public var html: String?
        public var id: String
        /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
        public var language: String
        /// Number of characters of the content
        public var length: Int
        public var likeCount: Int
        /// True if the caller likes the tweet
        public var liked: Bool
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// Whom the content mentions; absent if nobody
        public var mentions: [Mention]?
        /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
        public var poll: Poll?
        public var quoteCount: Int
        /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
        public var quoteWithdrawn: Bool?
        /// Where the post is, if it is of another server; absent from others
        public var remote: Remote?
        /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
        public var repliesHeldBy: String?
        public var replyCount: Int
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// Id of the tweet that this tweet answers; null for a root tweet
        public var replyTo: String?
        /// Who wrote the tweet that this tweet answers; absent from a root tweet
        public var replyToAuthorId: String?
        /// How often the tweet was edited; so many revisions are kept
        public var revision: Int
        /// Id of the tweet that began the thread
        public var rootId: String
        public var shareCount: Int
        /// True if the caller shares the tweet
        public var shared: Bool
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
        public var to: [String]?
        /// null until the first edit
        public var updatedAt: Date?
        /// Who may see the tweet
        public var visibility: String
    }

    public struct Gist: Decodable, Sendable {
        /// Label of the model
        public var model: String
        /// Plain text of at most 600 characters. A model wrote it, and it may be wrong
        public var text: String
    }

    public struct HeldNotice: Decodable, Sendable {
        public var createdAt: Date
        /// When it is deleted, unless it is approved before
        public var expiresAt: Date
        /// Always true: the reply is no tweet yet
        public var held: Bool
        /// Id of the held reply
        public var id: String
    }

    public struct HeldReply: Decodable, Sendable {
        /// The author's profile as it is now
        public var author: Author
        public var authorId: String
        /// Further recipients
        public var cc: [String]?
        /// Markdown
        public var content: String
        public var createdAt: Date
        public var expiresAt: Date
        public var id: String
        /// Its pictures, or its video, with signed addresses
        public var media: [TweetMedia]?
        /// Its poll opens when the reply is approved
        public var poll: NewPoll?
        public var quoteOf: String?
        /// Id of the tweet that it answers, which may be gone by now
        public var replyTo: String
        /// Who approves or refuses it
        public var rootAuthorId: String
        public var rootId: String
        /// Content warning
        public var summary: String
        /// Tags beside the hashtags in the content
        public var tags: [String]
        /// Recipients, the long form of visibility, with cc; absent if the author named no users
        public var to: [String]?
        /// Who will see the tweet
        public var visibility: String?
    }

    public struct HomePage: Decodable, Sendable {
        public var items: [HomeTweet]
        /// The after of the next question, which asks for what is newer than this page and what mutes and filters leave out of it; empty if there is nothing on the timeline
        public var newest: String
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct HomeStruct: Encodable, Sendable {
        /// The newest tweet that the caller has seen
        public var lastReadId: String
        /// The version that the client has read: if the marker has another by now, and would move, the answer is 409 marker_conflict. 0 or absent if it does not matter
        public var version: Int?

        public init(lastReadId: String, version: Int? = nil) {
            self.lastReadId = lastReadId
            self.version = version
        }
    }

    public struct HomeTweet: Decodable, Sendable {
        public var allowLikes: Bool
        /// False if quotePolicy is nobody
        public var allowQuotes: Bool
        /// False if replyPolicy is nobody
        public var allowReplies: Bool
        public var author: Author
        public var authorId: String
        /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
        public var bookmarked: Bool
        /// Further recipients; absent if there are none, and from lists
        public var cc: [String]?
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
        public var filtered: [FilterHit]?
        /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
        public var flagged: Bool?
        /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
        public var folded: Bool?
        /// The content as safe HTML; a tweet read by itself has it with format=html
        public var html: String?
        public var id: String
        /// What the tweet answers; absent from a tweet that answers none, and where what it answers is gone or hidden from the caller
        public var inReplyTo: Answered?
        /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
        public var language: String
        /// Number of characters of the content
        public var length: Int
        public var likeCount: Int
        /// True if the caller likes the tweet
        public var liked: Bool
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// Whom the content mentions; absent if nobody
        public var mentions: [Mention]?
        /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
        public var poll: Poll?
        public var quoteCount: Int
        /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
        public var quoteWithdrawn: Bool?
        /// Where the post is, if it is of another server; absent from others
        public var remote: Remote?
        /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
        public var repliesHeldBy: String?
        public var replyCount: Int
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// Id of the tweet that this tweet answers; null for a root tweet
        public var replyTo: String?
        /// Who wrote the tweet that this tweet answers; absent from a root tweet
        public var replyToAuthorId: String?
        /// How often the tweet was edited; so many revisions are kept
        public var revision: Int
        /// Id of the tweet that began the thread
        public var rootId: String
        public var shareCount: Int
        /// True if the caller shares the tweet
        public var shared: Bool
        /// Who brought the tweet here; absent from a tweet that stands at its own time
        public var sharedBy: Sharer?
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
        public var to: [String]?
        /// null until the first edit
        public var updatedAt: Date?
        /// Key of the followed tag by which the tweet came; absent from a tweet that comes by its author or a share
        public var viaTag: String?
        /// Who may see the tweet
        public var visibility: String
    }

    public struct ImportedTweet: Encodable, Sendable {
        public var allowLikes: Bool?
        public var allowQuotes: Bool?
        public var allowReplies: Bool?
        /// Markdown; its #hashtags become tags
        public var content: String
        /// Id of an imported tweet, which also says its time: the first 2 digits of the SHA-256 of the uid, and 16 that are a zero bit, 43 bits of Unix milliseconds and 20 bits of any value. It is not of the future. An imported tweet notifies nobody. A new tweet of this moment if absent; only a request with an id can be repeated
        public var id: String?
        /// BCP 47 tag of the content's language
        public var language: String?
        /// Id of the tweet that this tweet quotes
        public var quoteOf: String?
        /// Why, for the audit log
        public var reason: String
        /// Id of the tweet that this tweet answers
        public var replyTo: String?
        /// Content warning
        public var summary: String?
        /// Tags of at most 50 characters each; at most 10 tags together with the hashtags
        public var tags: [String]?
        /// As in a new tweet of the user
        public var visibility: String?

        public init(allowLikes: Bool? = nil, allowQuotes: Bool? = nil, allowReplies: Bool? = nil, content: String, id: String? = nil, language: String? = nil, quoteOf: String? = nil, reason: String, replyTo: String? = nil, summary: String? = nil, tags: [String]? = nil, visibility: String? = nil) {
            self.allowLikes = allowLikes
            self.allowQuotes = allowQuotes
            self.allowReplies = allowReplies
            self.content = content
            self.id = id
            self.language = language
            self.quoteOf = quoteOf
            self.reason = reason
            self.replyTo = replyTo
            self.summary = summary
            self.tags = tags
            self.visibility = visibility
        }
    }

    public struct ImportedUser: Encodable, Sendable {
        public var aiModel: String?
        public var aiPersonality: String?
        /// Empty, or an https URL in ASCII without a user name
        public var avatar: String?
        public var blockStrangers: Bool?
        /// Address to sign in with; if absent, nobody can sign in
        public var email: String?
        /// True if the address needs no confirmation
        public var emailVerified: Bool?
        /// Markdown
        public var introduction: String?
        /// True if the user decides who follows
        public var locked: Bool?
        /// The username if absent
        public var nickname: String?
        /// Password for the address; a random one that nobody knows if absent. A repetition does not change it, and no answer and no log has it
        public var password: String?
        /// Why, for the audit log
        public var reason: String
        /// Uid of the account; a new one if absent. Only a request with one can be repeated
        public var uid: String?
        /// a–z, 0–9 and _
        public var username: String

        public init(aiModel: String? = nil, aiPersonality: String? = nil, avatar: String? = nil, blockStrangers: Bool? = nil, email: String? = nil, emailVerified: Bool? = nil, introduction: String? = nil, locked: Bool? = nil, nickname: String? = nil, password: String? = nil, reason: String, uid: String? = nil, username: String) {
            self.aiModel = aiModel
            self.aiPersonality = aiPersonality
            self.avatar = avatar
            self.blockStrangers = blockStrangers
            self.email = email
            self.emailVerified = emailVerified
            self.introduction = introduction
            self.locked = locked
            self.nickname = nickname
            self.password = password
            self.reason = reason
            self.uid = uid
            self.username = username
        }
    }

    public struct Instance: Decodable, Sendable {
        /// Whether an administrator approves each sign-up without an invitation
        public var approvalNeeded: Bool
        public var contact: Contact
        /// Markdown
        public var description: String
        /// The description as safe HTML; present with format=html, unless it is empty
        public var descriptionHtml: String?
        /// Whether users and posts of other servers of the fediverse are here, and those of here on them
        public var federation: Bool
        /// Whether a sign-up needs an invitation: 403 invitation_required otherwise
        public var invitationNeeded: Bool
        /// BCP 47 tags, the main one first
        public var languages: [String]
        public var limits: InstanceLimits
        /// Empty until an administrator sets it
        public var name: String
        /// Plain texts
        public var rules: [String]
        /// Absent without terms
        public var terms: Terms?
        /// Whether users must consent to the terms before they write: 403 terms_required otherwise
        public var termsNeeded: Bool
        /// null until the first change
        public var updatedAt: Date?
        /// Version of the software
        public var version: String
    }

    public struct InstanceLimits: Decodable, Sendable {
        /// Characters of a tweet
        public var content: Int
        /// Members of a conversation
        public var conversationMembers: Int
        /// Drafts of a user
        public var drafts: Int
        public var filters: Int
        public var followedTags: Int
        public var imageBytes: Int
        public var introduction: Int
        public var listMembers: Int
        /// Lists of a user
        public var lists: Int
        public var maxPollMinutes: Int
        /// Pictures of a tweet
        public var media: Int
        /// Characters that describe a picture
        public var mediaAlt: Int
        /// Users whom a tweet mentions
        public var mentions: Int
        /// Characters of a message
        public var message: Int
        public var minPollMinutes: Int
        public var nickname: Int
        /// Tags on a profile
        public var pinnedTags: Int
        /// Pinned tweets of a user
        public var pins: Int
        /// Characters of an option
        public var pollOption: Int
        public var pollOptions: Int
        /// Edits of a tweet
        public var revisions: Int
        public var summary: Int
        /// Tags of a tweet
        public var tags: Int
        public var videoBytes: Int
    }

    public struct InstancePatch: Encodable, Sendable {
        /// True if a sign-up without an invitation waits for an administrator
        public var approvalNeeded: Bool?
        /// Empty for none
        public var contactEmail: String?
        /// Id of a user; empty for none
        public var contactUser: String?
        /// Markdown
        public var description: String?
        /// True if nobody signs up without an invitation
        public var invitationNeeded: Bool?
        /// BCP 47 tags; an empty list removes all
        public var languages: [String]?
        public var name: String?
        /// Plain texts of 500 characters; an empty list removes all
        public var rules: [String]?
        /// True if the new text says the same, so that the version stays
        public var sameTerms: Bool?
        /// Markdown; empty for none. Another text is a new version, to which users consent anew
        public var terms: String?
        /// True if users must consent to the terms before they write
        public var termsNeeded: Bool?

        public init(approvalNeeded: Bool? = nil, contactEmail: String? = nil, contactUser: String? = nil, description: String? = nil, invitationNeeded: Bool? = nil, languages: [String]? = nil, name: String? = nil, rules: [String]? = nil, sameTerms: Bool? = nil, terms: String? = nil, termsNeeded: Bool? = nil) {
            self.approvalNeeded = approvalNeeded
            self.contactEmail = contactEmail
            self.contactUser = contactUser
            self.description = description
            self.invitationNeeded = invitationNeeded
            self.languages = languages
            self.name = name
            self.rules = rules
            self.sameTerms = sameTerms
            self.terms = terms
            self.termsNeeded = termsNeeded
        }
    }

    public struct Invitation: Decodable, Sendable {
        /// The administrator who made it
        public var by: String
        /// Whoever has it may sign up
        public var code: String
        public var createdAt: Date
        public var expireAt: Date
        public var maxUses: Int
        public var note: String
        /// How many people have signed up by it
        public var uses: Int
    }

    public struct LastMessage: Decodable, Sendable {
        public var authorId: String
        public var createdAt: Date
        /// First 100 characters
        public var excerpt: String
        public var hasMedia: Bool
        public var id: String
        public var takenBack: Bool
    }

    public struct Leaving: Decodable, Sendable {
        /// When nothing was left
        public var clearedAt: Date?
        public var endedAt: Date?
        /// Names the account deletion; anyone who has it may read how far the deletion is
        public var id: String
        /// About how many documents were removed so far, by collection
        public var removed: [String: Int]
        public var startedAt: Date
        /// removing: documents are being removed. checking: nothing is left, and a last pass follows a day later. done: the account deletion is complete.
        public var state: String
    }

    public struct LikedTweet: Decodable, Sendable {
        public var allowLikes: Bool
        /// False if quotePolicy is nobody
        public var allowQuotes: Bool
        /// False if replyPolicy is nobody
        public var allowReplies: Bool
        public var author: Author
        public var authorId: String
        /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
        public var bookmarked: Bool
        /// Further recipients; absent if there are none, and from lists
        public var cc: [String]?
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
        public var filtered: [FilterHit]?
        /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
        public var flagged: Bool?
        /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
        public var folded: Bool?
        /// The content as safe HTML; a tweet read by itself has it with format=html
        public var html: String?
        public var id: String
        /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
        public var language: String
        /// Number of characters of the content
        public var length: Int
        public var likeCount: Int
        /// True if the caller likes the tweet
        public var liked: Bool
        public var likedAt: Date
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// Whom the content mentions; absent if nobody
        public var mentions: [Mention]?
        /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
        public var poll: Poll?
        public var quoteCount: Int
        /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
        public var quoteWithdrawn: Bool?
        /// Where the post is, if it is of another server; absent from others
        public var remote: Remote?
        /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
        public var repliesHeldBy: String?
        public var replyCount: Int
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// Id of the tweet that this tweet answers; null for a root tweet
        public var replyTo: String?
        /// Who wrote the tweet that this tweet answers; absent from a root tweet
        public var replyToAuthorId: String?
        /// How often the tweet was edited; so many revisions are kept
        public var revision: Int
        /// Id of the tweet that began the thread
        public var rootId: String
        public var shareCount: Int
        /// True if the caller shares the tweet
        public var shared: Bool
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
        public var to: [String]?
        /// null until the first edit
        public var updatedAt: Date?
        /// Who may see the tweet
        public var visibility: String
    }

    public struct LinkCard: Decodable, Sendable {
        public var author: String?
        /// At most 500 characters
        public var description: String?
        public var fetchedAt: Date
        /// Host of the address
        public var host: String
        /// BCP 47 tag
        public var language: String?
        /// Absent from a page without
        public var picture: LinkPicture?
        public var siteName: String?
        /// At most 200 characters
        public var title: String
        /// Address of the page, as its card has it: without a fragment
        public var url: String
    }

    public struct LinkCardFound: Decodable, Sendable {
        /// Absent if the address has none, or not yet
        public var card: LinkCard?
    }

    public struct LinkPicture: Decodable, Sendable {
        public var contentType: String
        /// The file in base64, at most 48 KiB before that
        public var data: String
        /// At most 400
        public var height: Int
        /// At most 400
        public var width: Int
    }

    public struct ListAction: Decodable, Sendable {
        public var items: [Action]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListAgent: Decodable, Sendable {
        public var items: [Agent]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListAgentAct: Decodable, Sendable {
        public var items: [AgentAct]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListAnnouncement: Decodable, Sendable {
        public var items: [Announcement]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListAppeal: Decodable, Sendable {
        public var items: [Appeal]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListAuthoredTweet: Decodable, Sendable {
        public var items: [AuthoredTweet]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListBookmarkedTweet: Decodable, Sendable {
        public var items: [BookmarkedTweet]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListChange: Encodable, Sendable {
        /// Plain text for those who see a public list, of at most 500 characters
        public var description: String?
        /// Whether the caller's home timeline leaves out what the members write and share. 5 lists at most are exclusive; beyond that the answer is 409 too_many_exclusive_lists
        public var exclusive: Bool?
        /// Which replies of members the timeline has: to users whom its reader follows, to members of the list, which is the default, or none. Replies of members to themselves and to the reader are always there
        public var repliesPolicy: String?
        /// Plain text that shows something, of 1 to 60 characters
        public var title: String?
        /// private, which is the default: nobody else learns of the list. public: everybody may read it and its members, but for those with a block between them and the caller
        public var visibility: String?

        public init(description: String? = nil, exclusive: Bool? = nil, repliesPolicy: String? = nil, title: String? = nil, visibility: String? = nil) {
            self.description = description
            self.exclusive = exclusive
            self.repliesPolicy = repliesPolicy
            self.title = title
            self.visibility = visibility
        }
    }

    public struct ListConversation: Decodable, Sendable {
        public var items: [Conversation]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListDecision: Decodable, Sendable {
        public var items: [Decision]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListDraft: Decodable, Sendable {
        public var items: [Draft]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListFilter: Decodable, Sendable {
        public var items: [Filter]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListFollowedTag: Decodable, Sendable {
        public var items: [FollowedTag]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListFoundMessage: Decodable, Sendable {
        public var items: [FoundMessage]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListFoundTweet: Decodable, Sendable {
        public var items: [FoundTweet]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListHeldReply: Decodable, Sendable {
        public var items: [HeldReply]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListInvitation: Decodable, Sendable {
        public var items: [Invitation]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListLikedTweet: Decodable, Sendable {
        public var items: [LikedTweet]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListMemberFollow: Decodable, Sendable {
        public var items: [MemberFollow]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListMutedPerson: Decodable, Sendable {
        public var items: [MutedPerson]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListNote: Decodable, Sendable {
        public var items: [Note]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListNotification: Decodable, Sendable {
        public var items: [Notification]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListNotificationRequest: Decodable, Sendable {
        public var items: [NotificationRequest]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListOrder: Decodable, Sendable {
        public var items: [Order]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListPeopleList: Decodable, Sendable {
        public var items: [PeopleList]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListPerson: Decodable, Sendable {
        public var items: [Person]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListPinnedTag: Decodable, Sendable {
        public var items: [PinnedTag]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListPinnedTweet: Decodable, Sendable {
        public var items: [PinnedTweet]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListProduct: Decodable, Sendable {
        public var items: [Product]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListPushSubscription: Decodable, Sendable {
        public var items: [PushSubscription]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListReport: Decodable, Sendable {
        public var items: [Report]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListRevision: Decodable, Sendable {
        public var items: [Revision]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListSharedTweet: Decodable, Sendable {
        public var items: [SharedTweet]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListSignUp: Decodable, Sendable {
        public var items: [SignUp]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListTag: Decodable, Sendable {
        public var items: [Tag]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListTagUser: Decodable, Sendable {
        public var items: [TagUser]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListTweet: Decodable, Sendable {
        public var items: [Tweet]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListUsedTag: Decodable, Sendable {
        public var items: [UsedTag]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListUser: Decodable, Sendable {
        public var items: [User]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct ListUserSummary: Decodable, Sendable {
        public var items: [UserSummary]
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct Marker: Decodable, Sendable {
        /// The newest tweet that the caller has seen; it may be gone
        public var lastReadId: String
        public var updatedAt: Date
        /// How often the marker has moved, from 1
        public var version: Int
    }

    public struct Markers: Decodable, Sendable {
        /// Of the home timeline; absent until a device has marked it
        public var home: Marker?
    }

    public struct Media: Decodable, Sendable {
        /// What the picture shows, in words. A post copies it, and an edit of the post changes that copy
        public var alt: String
        public var animated: Bool?
        public var blurhash: String?
        public var createdAt: Date
        public var durationMs: Int?
        /// When it is deleted, unless a post, a message, a profile or a product takes it before
        public var expiresAt: Date?
        /// Why it failed
        public var failure: String?
        public var height: Int?
        public var id: String
        public var kind: String
        /// uploading: until the file has come and was looked at. ready: a post, a message, a profile or a product can take it. failed: it can not
        public var state: String
        /// This and the following are there when it is ready
        public var type: String?
        /// Signed until a post that everybody may see, a profile or a product, has taken it
        public var urls: MediaURLs?
        /// Whether a post, a message, a profile or a product has taken it
        public var used: Bool
        public var width: Int?
    }

    public struct MediaURLs: Decodable, Sendable {
        /// At most 1600 x 1600 pixels; of an image, or the poster of a video
        public var large: String?
        /// The video, or the moving image
        public var original: String?
        /// At most 400 x 400 pixels; of an image, or the poster of a video
        public var small: String?
    }

    public struct MemberFollow: Decodable, Sendable {
        /// Of a skipped member the code that following answers, such as not_allowed or follow_limit
        public var reason: String?
        /// followed; requested: the user is locked, and has to accept; already: the caller follows the user; skipped
        public var result: String
        public var user: UserSummary
    }

    public struct Mention: Decodable, Sendable {
        public var userId: String
        /// The name in the text, in lower case
        public var username: String
    }

    public struct MergeInputBody: Encodable, Sendable {
        /// The ID token of the guest that the caller was before
        public var guestToken: String

        public init(guestToken: String) {
            self.guestToken = guestToken
        }
    }

    public struct Message: Decodable, Sendable {
        public var authorId: String
        public var createdAt: Date
        /// Ids of a conversation compare as texts, by time
        public var id: String
        /// Pictures, or a video, with signed addresses, which are good for an hour at least
        public var media: [TweetMedia]?
        public var reactions: [MessageReaction]
        /// The message of the conversation that it answers
        public var replyTo: String?
        /// The author took it back: it has neither text nor media
        public var takenBack: Bool
        /// Plain text
        public var text: String
    }

    public struct MessageList: Decodable, Sendable {
        public var items: [Message]
        /// Path of the Firestore document with these messages, to which a client may listen
        public var listen: String
        /// Id of the newest message of the conversation, also of one that the caller does not see. A client that shows the first page marks this one as read
        public var newestId: String
        /// The pageToken of the next page; empty at the end of the list
        public var nextPageToken: String
    }

    public struct MessageReaction: Decodable, Sendable {
        public var emoji: String
        public var userIds: [String]
    }

    public struct MessageText: Encodable, Sendable {
        /// Ids of ready uploads of the kind tweet: up to 4 pictures, or one video
        public var mediaIds: [String]?
        /// Id of a message of the conversation
        public var replyTo: String?
        /// Plain text; required without media
        public var text: String?

        public init(mediaIds: [String]? = nil, replyTo: String? = nil, text: String? = nil) {
            self.mediaIds = mediaIds
            self.replyTo = replyTo
            self.text = text
        }
    }

    public struct Move: Encodable, Sendable {
        /// The new account: a handle, such as @bob@example.org, or an address
        public var account: String

        public init(account: String) {
            self.account = account
        }
    }

    public struct MoveMarkersRequest: Encodable, Sendable {
        public var home: HomeStruct?

        public init(home: HomeStruct? = nil) {
            self.home = home
        }
    }

    public struct MutedPerson: Decodable, Sendable {
        public var createdAt: Date
        /// Whether the caller gets no notifications of what the mute hides; with all also of likes and follows
        public var hideNotifications: Bool
        /// What the mute hides
        public var part: String
        /// When the mute ends; null for never
        public var until: Date?
        public var user: UserSummary
    }

    public struct Muting: Decodable, Sendable {
        /// Whether the caller gets no notifications of what the mute hides; with all also of likes and follows
        public var hideNotifications: Bool
        /// What the mute hides
        public var part: String
        /// When the mute ends; null for never
        public var until: Date?
    }

    public struct NamedUser: Decodable, Sendable {
        public var id: String
        public var nickname: String
        public var username: String
    }

    public struct NeedTrendReviewRequest: Encodable, Sendable {
        public var needed: Bool

        public init(needed: Bool) {
            self.needed = needed
        }
    }

    public struct NewAIModel: Encodable, Sendable {
        /// Whether agents may use it
        public var enabled: Bool?
        /// Micro-dollars for a million tokens
        public var input: Int?
        /// Micro-dollars for a million tokens
        public var output: Int?
        public var provider: String?

        public init(enabled: Bool? = nil, input: Int? = nil, output: Int? = nil, provider: String? = nil) {
            self.enabled = enabled
            self.input = input
            self.output = output
            self.provider = provider
        }
    }

    public struct NewAgent: Encodable, Sendable {
        /// Of a day in UTC; what is absent is 0
        public var budget: AgentSpending
        public var everyMinutes: Int?
        /// Label of an enabled AI model
        public var model: String
        public var running: Bool?

        public init(budget: AgentSpending, everyMinutes: Int? = nil, model: String, running: Bool? = nil) {
            self.budget = budget
            self.everyMinutes = everyMinutes
            self.model = model
            self.running = running
        }
    }

    public struct NewAnnouncement: Encodable, Sendable {
        /// Absent for no end
        public var endsAt: Date?
        /// Now if absent
        public var startsAt: Date?
        /// Markdown
        public var text: String?
        public var title: String

        public init(endsAt: Date? = nil, startsAt: Date? = nil, text: String? = nil, title: String) {
            self.endsAt = endsAt
            self.startsAt = startsAt
            self.text = text
            self.title = title
        }
    }

    public struct NewConversation: Encodable, Sendable {
        /// Ids of ready uploads of the kind tweet: up to 4 pictures, or one video
        public var mediaIds: [String]?
        /// The others, each once, without the caller
        public var memberIds: [String]
        /// Of a conversation of several; plain text
        public var name: String?
        /// Id of a message of the conversation
        public var replyTo: String?
        /// Plain text; required without media
        public var text: String?

        public init(mediaIds: [String]? = nil, memberIds: [String], name: String? = nil, replyTo: String? = nil, text: String? = nil) {
            self.mediaIds = mediaIds
            self.memberIds = memberIds
            self.name = name
            self.replyTo = replyTo
            self.text = text
        }
    }

    public struct NewDraft: Encodable, Sendable {
        public var allowLikes: Bool?
        /// Short for quotePolicy: everybody or nobody
        public var allowQuotes: Bool?
        /// Short for replyPolicy: everybody or nobody
        public var allowReplies: Bool?
        /// Further recipients, as in to
        public var cc: [String]?
        /// Markdown; its #hashtags become tags. It may be empty or absent if there are media
        public var content: String?
        /// BCP 47 tag of the content's language; if absent, the script tells it where one language has that script for itself
        public var language: String?
        /// Ids of up to 4 ready pictures, or of one video, that the caller uploaded as tweet, in order. A post takes each for itself
        public var media: [String]?
        /// A question with options, of which each voter chooses one; no edit changes it
        public var poll: NewPoll?
        /// When to post the tweet: a time to come, within 366 days. Without it the draft waits
        public var publishAt: Date?
        /// Id of the tweet that this tweet quotes: one that everybody may see, or one of the caller's own
        public var quoteOf: String?
        /// Who may quote, as in replyPolicy, but only followers for followers. The author always may. It prevails over allowQuotes
        public var quotePolicy: String?
        /// Who may reply: everybody who may see the tweet; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom it mentions, unless it is nobody. It is for replies to this tweet alone: a reply has a policy of its own. It prevails over allowReplies
        public var replyPolicy: String?
        /// Id of the tweet that this tweet answers
        public var replyTo: String?
        /// Content warning
        public var summary: String?
        /// Tags of at most 50 characters each; at most 10 tags together with the hashtags
        public var tags: [String]?
        /// Recipients, the long form of visibility, with cc: public (also as https://www.w3.org/ns/activitystreams#Public), followers, and ids of users whom the content mentions or the tweet answers. public in to is public; followers in to and public in cc unlisted; followers alone followers; users alone mentioned
        public var to: [String]?
        /// Who may see the tweet: everybody; everybody, but no list for everybody has it; the author's followers; the author of the tweet that it answers. By default public, or what the tweet has that it answers. A reply cannot be shown to more people than that tweet
        public var visibility: String?

        public init(allowLikes: Bool? = nil, allowQuotes: Bool? = nil, allowReplies: Bool? = nil, cc: [String]? = nil, content: String? = nil, language: String? = nil, media: [String]? = nil, poll: NewPoll? = nil, publishAt: Date? = nil, quoteOf: String? = nil, quotePolicy: String? = nil, replyPolicy: String? = nil, replyTo: String? = nil, summary: String? = nil, tags: [String]? = nil, to: [String]? = nil, visibility: String? = nil) {
            self.allowLikes = allowLikes
            self.allowQuotes = allowQuotes
            self.allowReplies = allowReplies
            self.cc = cc
            self.content = content
            self.language = language
            self.media = media
            self.poll = poll
            self.publishAt = publishAt
            self.quoteOf = quoteOf
            self.quotePolicy = quotePolicy
            self.replyPolicy = replyPolicy
            self.replyTo = replyTo
            self.summary = summary
            self.tags = tags
            self.to = to
            self.visibility = visibility
        }
    }

    public struct NewFediverseDomain: Encodable, Sendable {
        /// For administrators
        public var privateComment: String?
        public var publicComment: String?
        /// Posts from there have no pictures, videos and sounds
        public var rejectMedia: Bool?
        /// Reports from there are dropped
        public var rejectReports: Bool?
        public var severity: String

        public init(privateComment: String? = nil, publicComment: String? = nil, rejectMedia: Bool? = nil, rejectReports: Bool? = nil, severity: String) {
            self.privateComment = privateComment
            self.publicComment = publicComment
            self.rejectMedia = rejectMedia
            self.rejectReports = rejectReports
            self.severity = severity
        }
    }

    public struct NewInvitation: Encodable, Sendable {
        /// For how many days it is good
        public var days: Int?
        /// How many people may sign up by it
        public var maxUses: Int?
        /// For administrators
        public var note: String?

        public init(days: Int? = nil, maxUses: Int? = nil, note: String? = nil) {
            self.days = days
            self.maxUses = maxUses
            self.note = note
        }
    }

    public struct NewList: Encodable, Sendable {
        /// Plain text for those who see a public list, of at most 500 characters
        public var description: String?
        /// Whether the caller's home timeline leaves out what the members write and share. 5 lists at most are exclusive; beyond that the answer is 409 too_many_exclusive_lists
        public var exclusive: Bool?
        /// Which replies of members the timeline has: to users whom its reader follows, to members of the list, which is the default, or none. Replies of members to themselves and to the reader are always there
        public var repliesPolicy: String?
        /// Plain text that shows something, of 1 to 60 characters
        public var title: String
        /// private, which is the default: nobody else learns of the list. public: everybody may read it and its members, but for those with a block between them and the caller
        public var visibility: String?

        public init(description: String? = nil, exclusive: Bool? = nil, repliesPolicy: String? = nil, title: String, visibility: String? = nil) {
            self.description = description
            self.exclusive = exclusive
            self.repliesPolicy = repliesPolicy
            self.title = title
            self.visibility = visibility
        }
    }

    public struct NewMedia: Encodable, Sendable {
        /// What the picture shows, in words
        public var alt: String?
        /// Size of the file: at most 10 MiB, and 30 MiB of a video
        public var bytes: Int
        /// What the file is: image/jpeg, image/png, image/webp, image/gif, or for a post video/mp4. The bytes decide in the end
        public var contentType: String
        /// What it is for
        public var kind: String?
        /// Of a video: the id of an upload of the caller, a picture that shows it until it plays. The video gets a copy. One that is not ready a minute after its announcement, or that no one can see, is left out
        public var poster: String?

        public init(alt: String? = nil, bytes: Int, contentType: String, kind: String? = nil, poster: String? = nil) {
            self.alt = alt
            self.bytes = bytes
            self.contentType = contentType
            self.kind = kind
            self.poster = poster
        }
    }

    public struct NewMute: Encodable, Sendable {
        public var hideNotifications: Bool?
        /// all hides the user's tweets and shares, and the user; shares and replies hide those alone
        public var part: String?
        /// How long the mute lasts; absent for a mute without an end
        public var seconds: Int?

        public init(hideNotifications: Bool? = nil, part: String? = nil, seconds: Int? = nil) {
            self.hideNotifications = hideNotifications
            self.part = part
            self.seconds = seconds
        }
    }

    public struct NewPoll: Codable, Sendable {
        /// How long the poll takes votes, from the tweet's time on
        public var minutes: Int
        /// Texts of 1 to 80 characters, no two the same
        public var options: [String]

        public init(minutes: Int, options: [String]) {
            self.minutes = minutes
            self.options = options
        }
    }

    public struct NewPrice: Decodable, Sendable {
        public var price: Price
        public var productId: String
    }

    public struct NewProduct: Encodable, Sendable {
        /// Plain text, at most 5000 characters
        public var description: String?
        /// An https URL
        public var image: String?
        /// Id of an upload of the caller, of kind product, which is the image instead
        public var imageMedia: String?
        /// 1 to 100 characters
        public var name: String
        public var price: Price
        /// Pieces in stock
        public var stock: Int

        public init(description: String? = nil, image: String? = nil, imageMedia: String? = nil, name: String, price: Price, stock: Int) {
            self.description = description
            self.image = image
            self.imageMedia = imageMedia
            self.name = name
            self.price = price
            self.stock = stock
        }
    }

    public struct NewReport: Encodable, Sendable {
        /// With messageId the reported message, in place of tweetId and userId. Moderators get a copy of it, and see no other message
        public var conversationId: String?
        /// Whether the server of the reported user gets the report, too: its text, and not who reports. Only for users and tweets of other servers; 400 not_remote for others. A suspended server gets nothing
        public var forward: Bool?
        public var messageId: String?
        public var reason: String
        /// What is wrong, for moderators
        public var text: String?
        /// The reported tweet; either this or userId
        public var tweetId: String?
        /// The reported user; either this or tweetId
        public var userId: String?

        public init(conversationId: String? = nil, forward: Bool? = nil, messageId: String? = nil, reason: String, text: String? = nil, tweetId: String? = nil, userId: String? = nil) {
            self.conversationId = conversationId
            self.forward = forward
            self.messageId = messageId
            self.reason = reason
            self.text = text
            self.tweetId = tweetId
            self.userId = userId
        }
    }

    public struct NewSignUpBlock: Encodable, Sendable {
        /// For administrators
        public var comment: String?
        /// For how many days; 0 for ever
        public var days: Int?
        public var severity: String?

        public init(comment: String? = nil, days: Int? = nil, severity: String? = nil) {
            self.comment = comment
            self.days = days
            self.severity = severity
        }
    }

    public struct NewTweet: Encodable, Sendable {
        public var allowLikes: Bool?
        /// Short for quotePolicy: everybody or nobody
        public var allowQuotes: Bool?
        /// Short for replyPolicy: everybody or nobody
        public var allowReplies: Bool?
        /// Further recipients, as in to
        public var cc: [String]?
        /// Markdown; its #hashtags become tags. It may be empty or absent if there are media
        public var content: String?
        /// BCP 47 tag of the content's language; if absent, the script tells it where one language has that script for itself
        public var language: String?
        /// Ids of up to 4 ready pictures, or of one video, that the caller uploaded as tweet, in order. A post takes each for itself
        public var media: [String]?
        /// A question with options, of which each voter chooses one; no edit changes it
        public var poll: NewPoll?
        /// Id of the tweet that this tweet quotes: one that everybody may see, or one of the caller's own
        public var quoteOf: String?
        /// Who may quote, as in replyPolicy, but only followers for followers. The author always may. It prevails over allowQuotes
        public var quotePolicy: String?
        /// Who may reply: everybody who may see the tweet; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom it mentions, unless it is nobody. It is for replies to this tweet alone: a reply has a policy of its own. It prevails over allowReplies
        public var replyPolicy: String?
        /// Id of the tweet that this tweet answers
        public var replyTo: String?
        /// Content warning
        public var summary: String?
        /// Tags of at most 50 characters each; at most 10 tags together with the hashtags
        public var tags: [String]?
        /// Recipients, the long form of visibility, with cc: public (also as https://www.w3.org/ns/activitystreams#Public), followers, and ids of users whom the content mentions or the tweet answers. public in to is public; followers in to and public in cc unlisted; followers alone followers; users alone mentioned
        public var to: [String]?
        /// Who may see the tweet: everybody; everybody, but no list for everybody has it; the author's followers; the author of the tweet that it answers. By default public, or what the tweet has that it answers. A reply cannot be shown to more people than that tweet
        public var visibility: String?

        public init(allowLikes: Bool? = nil, allowQuotes: Bool? = nil, allowReplies: Bool? = nil, cc: [String]? = nil, content: String? = nil, language: String? = nil, media: [String]? = nil, poll: NewPoll? = nil, quoteOf: String? = nil, quotePolicy: String? = nil, replyPolicy: String? = nil, replyTo: String? = nil, summary: String? = nil, tags: [String]? = nil, to: [String]? = nil, visibility: String? = nil) {
            self.allowLikes = allowLikes
            self.allowQuotes = allowQuotes
            self.allowReplies = allowReplies
            self.cc = cc
            self.content = content
            self.language = language
            self.media = media
            self.poll = poll
            self.quoteOf = quoteOf
            self.quotePolicy = quotePolicy
            self.replyPolicy = replyPolicy
            self.replyTo = replyTo
            self.summary = summary
            self.tags = tags
            self.to = to
            self.visibility = visibility
        }
    }

    public struct NewUser: Encodable, Sendable {
        public var aiModel: String?
        public var aiPersonality: String?
        /// Empty, or an https URL in ASCII without a user name
        public var avatar: String?
        public var blockStrangers: Bool?
        /// True if a program makes the posts
        public var bot: Bool?
        /// Markdown
        public var introduction: String?
        /// Code of the invitation to sign up by; needed if the instance says invitationNeeded
        public var invitation: String?
        /// True if the user decides who follows
        public var locked: Bool?
        /// The username if absent. One character at least can be seen; none controls the text around it
        public var nickname: String?
        /// Why the user wants to join, for the administrators who approve it; only if the instance says approvalNeeded
        public var reason: String?
        /// Version of the terms to which the user consents; needed if the instance says termsNeeded
        public var termsVersion: Int?
        /// a–z, 0–9 and _
        public var username: String

        public init(aiModel: String? = nil, aiPersonality: String? = nil, avatar: String? = nil, blockStrangers: Bool? = nil, bot: Bool? = nil, introduction: String? = nil, invitation: String? = nil, locked: Bool? = nil, nickname: String? = nil, reason: String? = nil, termsVersion: Int? = nil, username: String) {
            self.aiModel = aiModel
            self.aiPersonality = aiPersonality
            self.avatar = avatar
            self.blockStrangers = blockStrangers
            self.bot = bot
            self.introduction = introduction
            self.invitation = invitation
            self.locked = locked
            self.nickname = nickname
            self.reason = reason
            self.termsVersion = termsVersion
            self.username = username
        }
    }

    public struct NewWebhook: Encodable, Sendable {
        public var description: String?
        public var events: [String]
        /// An https address of the public internet
        public var url: String

        public init(description: String? = nil, events: [String], url: String) {
            self.description = description
            self.events = events
            self.url = url
        }
    }

    public struct Note: Decodable, Sendable {
        public var at: Date
        public var by: String
        public var id: String
        public var text: String
        public var userId: String
    }

    public struct Notification: Decodable, Sendable {
        /// Number of replies or quotes, or of tweets that mention the caller; 0 for other slots
        public var countTweets: Int
        /// Number of different users who acted
        public var countUsers: Int
        /// Time of the first that happened
        public var createdAt: Date
        /// The beginning of what the notification is about; absent for follows and orders, and if the tweet is gone or hidden from the caller by now
        public var excerpt: Excerpt?
        public var id: String
        /// False again when something is added
        public var isRead: Bool
        /// The newest 10 of what happened
        public var records: [Record]
        /// What the notification collects: follow, followRequest, mention, like:{tweetId}, share:{tweetId}, quote:{tweetId}, reply:{tweetId}, edit:{tweetId}, of a tweet that the caller shares, poll:{tweetId}, of a poll that has ended, or order:{orderId}, of an order of the caller
        public var slot: String
        /// The day of the events
        public var term: String
        /// Time of the last that happened
        public var updatedAt: Date
    }

    public struct NotificationPolicy: Decodable, Sendable {
        /// Users who are let through whatever the policy says, the last accepted first; at most 200
        public var acceptedSenders: [String]
        /// Of accounts that were younger than 30 days at that time
        public var newAccounts: String
        /// Of people whom the caller does not follow
        public var notFollowed: String
        /// Of people who do not follow the caller
        public var notFollowers: String
        /// Of mentions in tweets for mentioned users alone, by people whom the caller does not follow, that answer no tweet of the caller
        public var privateMentions: String
    }

    public struct NotificationPolicyPatch: Encodable, Sendable {
        public var newAccounts: String?
        public var notFollowed: String?
        public var notFollowers: String?
        public var privateMentions: String?

        public init(newAccounts: String? = nil, notFollowed: String? = nil, notFollowers: String? = nil, privateMentions: String? = nil) {
            self.newAccounts = newAccounts
            self.notFollowed = notFollowed
            self.notFollowers = notFollowers
            self.privateMentions = privateMentions
        }
    }

    public struct NotificationRequest: Decodable, Sendable {
        /// The newest 15 at most, the newest first
        public var events: [FilteredNotification]
        /// When the newest happened
        public var lastAt: Date
        /// The sender
        public var user: UserSummary
    }

    public struct NotificationSettings: Decodable, Sendable {
        /// Whether the caller gets notifications of edits of tweets that the caller shares
        public var edit: Bool
        /// Whether the caller gets notifications of follows
        public var follow: Bool
        /// Whether the caller gets notifications of requests to follow
        public var followRequest: Bool
        /// Whether the caller gets notifications of likes
        public var like: Bool
        /// Whether the caller gets notifications of mentions; a reply to the caller that mentions the caller counts as a reply, or as a mention if reply is false
        public var mention: Bool
        /// Root tweets of the conversations that the caller has muted, the last muted first; at most 500
        public var mutedConversations: [String]
        /// Whether the caller gets notifications of changes of the caller's orders
        public var order: Bool
        /// Whether the caller gets notifications that polls of the caller, or with a vote of the caller, have ended
        public var poll: Bool
        /// Whether the caller gets notifications of the posts of people to whom the caller subscribes
        public var post: Bool
        /// Whether the caller gets notifications of quotes
        public var quote: Bool
        /// Whether the caller gets notifications of replies
        public var reply: Bool
        /// Whether the caller gets notifications of shares
        public var share: Bool
    }

    public struct Order: Decodable, Sendable {
        public var createdAt: Date
        /// The e-mail address of a guest, until 30 days after the order was closed
        public var email: String?
        /// Whether the customer had no profile
        public var guest: Bool?
        /// Every state of the order, oldest first
        public var history: [OrderChange]
        public var id: String
        public var items: [OrderItem]
        /// Of a rejected order
        public var reason: OrderReason?
        /// When the open order of a guest is cancelled unless it was shipped; up to a day later
        public var shipBy: Date?
        /// pending until the stock was looked at, which takes a second or two
        public var status: String
        public var total: Total
        public var userId: String
    }

    public struct OrderChange: Decodable, Sendable {
        public var at: Date
        /// The customer or administrator; absent for the shop itself
        public var by: String?
        public var status: String
    }

    public struct OrderItem: Decodable, Sendable {
        /// URL of a small picture of the product when it was ordered; absent for none. It may be gone
        public var image: String?
        public var name: String
        public var productId: String
        public var quantity: Int
        /// In minor units of the total's currency
        public var unitPrice: Int
    }

    public struct OrderReason: Decodable, Sendable {
        /// guest_share: orders of guests hold as many pieces as they may
        public var code: String
        public var productId: String
    }

    public struct OwnAppeal: Decodable, Sendable {
        /// What the moderators say; empty while the appeal is open
        public var answer: String
        /// null while the appeal is open
        public var answeredAt: Date?
        public var createdAt: Date
        /// upheld: the decision stands; reversed: it was wrong, and what can be undone is undone
        public var state: String
        public var text: String
    }

    public struct PeopleList: Decodable, Sendable {
        public var createdAt: Date
        /// Plain text
        public var description: String
        /// Whether the owner's home timeline leaves the members out; only the owner sees it
        public var exclusive: Bool?
        public var id: String
        public var memberCount: Int
        public var ownerId: String
        public var repliesPolicy: String
        public var title: String
        public var visibility: String
    }

    public struct Person: Decodable, Sendable {
        public var createdAt: Date
        public var user: UserSummary
    }

    public struct PersonNote: Decodable, Sendable {
        /// Empty if there is no note
        public var text: String
        /// null if there is no note
        public var updatedAt: Date?
    }

    public struct PinnedTag: Decodable, Sendable {
        /// The tag as the user spells it
        public var label: String
        /// The key of the tag
        public var tag: String
        /// How many tweets of the user have the tag
        public var tweetCount: Int
    }

    public struct PinnedTweet: Decodable, Sendable {
        public var allowLikes: Bool
        /// False if quotePolicy is nobody
        public var allowQuotes: Bool
        /// False if replyPolicy is nobody
        public var allowReplies: Bool
        public var author: Author
        public var authorId: String
        /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
        public var bookmarked: Bool
        /// Further recipients; absent if there are none, and from lists
        public var cc: [String]?
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
        public var filtered: [FilterHit]?
        /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
        public var flagged: Bool?
        /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
        public var folded: Bool?
        /// The content as safe HTML; a tweet read by itself has it with format=html
        public var html: String?
        public var id: String
        /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
        public var language: String
        /// Number of characters of the content
        public var length: Int
        public var likeCount: Int
        /// True if the caller likes the tweet
        public var liked: Bool
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// Whom the content mentions; absent if nobody
        public var mentions: [Mention]?
        public var pinnedAt: Date
        /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
        public var poll: Poll?
        public var quoteCount: Int
        /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
        public var quoteWithdrawn: Bool?
        /// Where the post is, if it is of another server; absent from others
        public var remote: Remote?
        /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
        public var repliesHeldBy: String?
        public var replyCount: Int
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// Id of the tweet that this tweet answers; null for a root tweet
        public var replyTo: String?
        /// Who wrote the tweet that this tweet answers; absent from a root tweet
        public var replyToAuthorId: String?
        /// How often the tweet was edited; so many revisions are kept
        public var revision: Int
        /// Id of the tweet that began the thread
        public var rootId: String
        public var shareCount: Int
        /// True if the caller shares the tweet
        public var shared: Bool
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
        public var to: [String]?
        /// null until the first edit
        public var updatedAt: Date?
        /// Who may see the tweet
        public var visibility: String
    }

    public struct PlaceOrderInputBody: Encodable, Sendable {
        /// Where the shop reaches the customer; needed without a profile. Kept in lower case, at most 100 characters
        public var email: String?
        /// All that is in the cart, as the caller was shown it
        public var items: [WantedItem]

        public init(email: String? = nil, items: [WantedItem]) {
            self.email = email
            self.items = items
        }
    }

    public struct Poll: Decodable, Sendable {
        public var closed: Bool
        public var closesAt: Date
        public var options: [PollOption]
        /// How many users voted, for everybody; absent from a list but a batch with polls=true
        public var total: Int?
        /// The option that the caller chose, from 1 on; absent if there is none, and from a list but a batch with polls=true
        public var voted: Int?
    }

    public struct PollOption: Decodable, Sendable {
        public var text: String
        /// How often it was chosen. The tweet's author sees it always, others when they have voted or the poll has closed; absent until then, and from a list but a batch with polls=true
        public var votes: Int?
    }

    public struct Price: Codable, Sendable {
        /// In minor units of the currency: yen, or cents
        public var amount: Int
        /// ISO 4217
        public var currency: String

        public init(amount: Int, currency: String) {
            self.amount = amount
            self.currency = currency
        }
    }

    public struct Problem: Decodable, Sendable {
        /// Author of the deleted tweet
        public var authorId: String?
        /// What went wrong, for programs; never changes. * `account_exists`: Another account has the uid or the e-mail address. * `account_frozen`: The account may read and leave, and not write. * `account_not_found`: Firebase Auth has no such account. * `account_suspended`: The account is suspended. * `activity_refused`: The activity has no effect: its actor may not do that. * `address_blocked`: Nobody signs up from this network. * `agent_stopped`: An administrator stopped the agent. * `already_exists`: What the request would make is there already. * `already_voted`: The caller has chosen another option of the poll; a vote stays. * `announcement_not_found`: No such announcement shows now. * `anonymous`: Anonymous users may only read, and keep a cart. * `app_check_required`: The service wants an App Check token. * `app_check_unavailable`: App Check cannot be reached at the moment; try again. * `app_not_found`: There is no such app, or the caller did not let it in. * `appeal_answered`: The appeal has another answer. * `appeal_exists`: The caller appealed against this decision before, with another text. * `appeal_not_found`: No such appeal. * `author_blocked`: The caller blocks the author of the reply. * `author_may_not_post`: The author of the reply may not post at the moment. * `cart_changed`: The cart is not what the caller orders; read it again. * `cart_full`: The cart has as many products as it may; take one out first. * `comment_too_long`: The comment is too long. * `concurrent_rename`: Another request renamed the same user at that moment; try again. * `conflict`: Another request changed the same thing at that moment; try again. * `content_required`: The content shows nothing. * `conversation_not_found`: The caller has no such conversation. * `conversation_of_two`: Only conversations of several have a name, and can be left. * `data_not_kept`: The source documents that a repair would need have expired. * `decision_not_found`: No such decision about the caller, or none against which an appeal is possible. * `domain_blocked`: The instance does not federate with this domain. * `draft_changed`: The draft was changed since the caller read it. * `draft_not_found`: The caller has no such draft; a scheduled one may have been posted. * `email_domain_blocked`: Nobody signs up with an e-mail address of this domain. * `email_not_verified`: The caller must verify the e-mail address first. * `email_required`: A guest orders with an e-mail address. * `email_too_long`: The e-mail address of the account has more than 100 characters; sign in with another. * `empty_order`: The order has no product, or more than an order may have. * `empty_patch`: The change changes nothing. * `empty_query`: The query has nothing to look for. * `event_not_found`: No such notification event, or it has expired. * `events_required`: A webhook is told of at least one event. * `exhausted`: Too much of something; try again later. * `expired_token`: The ID token has expired; get a new one. * `export_limit`: One export a day; nextAt tells when. * `export_not_found`: There is no export, or it has expired. * `exports_off`: The service makes no exports. * `federation_off`: The instance does not federate. * `filter_changed`: The filter was changed or removed since the caller read it. * `follow_limit`: The caller follows as many users as one may. * `follower_limit`: The user has as many followers as one may. * `forbidden`: The caller may not do this. * `gist_budget`: No tokens are left for gists today. * `gist_pending`: There is no gist yet: the model writes, or it failed less than an hour ago. * `gone`: What the request names was deleted. * `held_reply_not_found`: No such reply waits for the caller; it may have been approved, refused or withdrawn. * `held_reply_refused`: The author of the reply may not post it any more. * `idempotency_key_reused`: The key was used for a different request. * `internal`: A fault of the service. The log of the service has it. * `invalid`: The request breaks a rule that the detail names. * `invalid_action`: The action is not accept, filter or drop. * `invalid_activity`: The activity is not as it must be. * `invalid_agent`: The agent has the wrong form; the detail says what. * `invalid_ai_model`: The AI model has the wrong form; the detail says what. * `invalid_announcement`: The announcement has the wrong form; the detail says what. * `invalid_app`: What an app says of itself has the wrong form; the detail says what. * `invalid_app_check`: The App Check token is not good. * `invalid_avatar`: The avatar is not an https URL. * `invalid_block`: The text is neither a domain nor a network. * `invalid_challenge`: The challenge of PKCE is missing or has another form than S256. * `invalid_client`: The app is unknown, or its secret is another one. * `invalid_conversation_id`: Not the form of the id of a conversation. * `invalid_conversation_name`: The name of the conversation shows nothing, or it is of two. * `invalid_device_id`: The id of a push subscription has the wrong form. * `invalid_domain`: The text is no domain. * `invalid_domains`: The text is no list of domains. * `invalid_draft_id`: Not the form of the id of a draft. * `invalid_email`: Not the form of an e-mail address. * `invalid_emoji`: A reaction is one emoji. * `invalid_event_id`: Not the form of the id of a notification event. * `invalid_filter`: The filter has the wrong form; the detail says what. * `invalid_grant`: The authorization code is unknown, used or expired, or belongs to another app. * `invalid_guest_token`: The guest's token is not the ID token of a guest of this project, or has expired. * `invalid_handle`: Not the form of a handle with a host. * `invalid_held_reply_id`: Not the form of the id of a held reply. * `invalid_hold`: No such setting of whose replies wait for approval. * `invalid_if_match`: If-Match has something else than tags of this tweet. * `invalid_image`: The image is no https URL that browsers would take. * `invalid_instance`: A field of the instance has the wrong form; the detail says what. * `invalid_invitation`: The new invitation has the wrong form; the detail says what. * `invalid_language`: Not a BCP 47 language tag, such as ja, en or pt-BR. * `invalid_link`: Not the address of a page that may have a card. * `invalid_list`: A field of the list has a value that there is not; the detail says which. * `invalid_list_id`: Not the form of the id of a list. * `invalid_list_title`: The title of the list shows nothing. * `invalid_media_id`: Not the form of the id of media. * `invalid_members`: Nobody, too many, a user twice, or the caller among the members. * `invalid_message_id`: Not the form of the id of a message. * `invalid_messages_from`: No such setting of who may write. * `invalid_network`: The text is no network. * `invalid_nickname`: The nickname has characters that it may not have, or none that can be seen. * `invalid_notification_id`: Not the form of the id of a notification. * `invalid_option`: The poll has no such option. * `invalid_order_id`: Not the form of the id of an order. * `invalid_page_token`: The page token is not one of this list. * `invalid_policy`: No such policy of who may reply or quote. * `invalid_poll`: The poll has too few or too many options, options that are the same or show nothing, or lasts too short or too long. * `invalid_price`: The price has an amount out of range, or no currency of ISO 4217. * `invalid_product_id`: Not the form of the id of a product. * `invalid_product_name`: The name of a product is empty, or has spaces at its ends. * `invalid_profile_field`: A field or the pronouns of a profile have characters that they may not have, or none that can be seen. * `invalid_publish_at`: The time to post a draft has passed, or is too far ahead. * `invalid_push_subscription`: The push subscription has the wrong form; the detail says what. * `invalid_quantity`: So many pieces of a product a cart does not take. * `invalid_query`: The query has a filter that there is not, or one that is not filled in. * `invalid_reason`: No such reason of a report. * `invalid_recipients`: The recipients in to and cc have no meaning, or another one than visibility. * `invalid_redirect_uri`: The redirect URI is not one of the app, or has a form that is not taken. * `invalid_request`: A part of the request has the wrong form; errors lists the parts. * `invalid_scope`: There is no such scope, or the app has not registered it. * `invalid_severity`: There is no such severity of a domain. * `invalid_stock`: So many pieces of a product there cannot be. * `invalid_tag`: Not the form of a tag. * `invalid_text`: The text has characters that it may not have. * `invalid_token`: The ID token is not one of this project. * `invalid_tweet_id`: Not the form of a tweet id. * `invalid_user_id`: Not the form of a user id. * `invalid_username`: Not the form of a username. * `invalid_visibility`: No such visibility. * `invalid_webhook_url`: The address is none of the public internet that begins with https. * `invitation_invalid`: The invitation is unknown, used up, or expired. * `invitation_required`: Nobody signs up without an invitation. * `leaving`: The user's account is being deleted. * `leaving_not_found`: No such account deletion, or its record has expired. * `limit_reached`: A limit of the account or the address is reached; limit names it, fullAt and nextAt tell when it has room. * `link_card_not_found`: There is no card of this address. * `list_not_found`: There is no such list, or it is private, or there is a block between the caller and its owner. * `marker_conflict`: Another device moved the marker since the caller read it. * `media_damaged`: The file is not what its type demands. * `media_failed`: The file cannot be shown; upload another. * `media_in_use`: A post, a message or a profile has the media already. * `media_not_found`: There are no such media of the caller, or no such file. * `media_not_ready`: A picture takes long to be looked at; try again. Only by Mastodon's API. * `media_off`: The installation takes no media. * `media_processing`: The file has not come yet, or is being looked at; try again in some seconds. * `media_too_large`: The file is larger than one of its type may be. * `media_too_old`: The media go before the tweet is posted; upload them again. * `media_type_unsupported`: The file is of a type that is not taken. * `message_not_found`: The conversation has no such message that the caller sees. * `method_not_allowed`: The path does not take the method; the header Allow has those that it takes. * `mixed_currencies`: The products have prices in several currencies; order them one after the other. * `moved_lately`: The account moved within the last 7 days. * `no_actor_key`: The user has no key for the fediverse yet. * `no_address`: The account has no e-mail address. * `no_agent`: The user has no agent. * `no_gists`: The installation writes no gists. * `no_poll`: The tweet has no poll. * `no_remote_actor`: There is no actor of another server at the address. * `no_remote_messages`: A member has an account on another server, which messages do not reach. * `no_request`: The caller has accepted the conversation. * `no_such_option`: The poll has no such option. * `not_a_bot`: The profile does not say that the user is a bot. * `not_a_reply`: The tweet answers none, so that no thread could hide it. * `not_addressed`: The tweet neither mentions nor answers a user in to or cc. * `not_admin`: For administrators only. * `not_allowed`: The other user, or the service, does not allow it. The code does not tell why. * `not_an_alias`: The new account does not name this one as its own. * `not_author`: Only the author may do this. * `not_following`: The one does not follow the other. * `not_for_apps`: No app may do this for a user; the user does it here. * `not_found`: What the request names is not there. * `not_in_fediverse`: There is nothing of the fediverse at the address. * `not_mirrored`: The account status was changed here, and not yet in Firebase Auth; send the request again. * `not_moderator`: For moderators and administrators only. * `not_ready`: The database does not answer the probe. * `not_remote`: Only a report about a user or post of another server can be forwarded to it. * `not_thread_author`: Only the author of the thread's first tweet may do this, as long as that tweet is there. * `not_you`: Only the user in the path may do this. * `note_required`: The note is empty. * `notification_not_found`: No such notification of the caller. * `notification_request_not_found`: No such notification request of the caller. * `one_filter`: The list takes one filter at a time. * `one_target`: A report is of one user or one tweet. * `order_not_found`: There is no such order. * `order_state`: The order has a state in which that cannot be done; the detail names it. * `outdated`: The thing has changed since the caller read it. * `own_account`: Moderators do not change their own account status. * `own_domain`: The domain is the instance's own. * `own_poll`: Nobody votes in a poll of their own. * `part_too_short`: A part of a word in the query has fewer than three characters. * `poll_closed`: The poll takes no votes any more. * `post_deleted`: The post of another server was deleted. * `post_not_found`: The post of another server is not known here. * `prices_changed`: Prices are not as the caller has seen them; prices has the new ones. * `product_changed`: The product was changed since the caller read it. * `product_not_found`: There is no such product. * `product_retired`: The product is sold no more. * `product_twice`: The order names a product twice. * `profile_required`: The caller must make a profile first. * `push_off`: The server sends nothing to devices of this kind. * `push_subscription_not_found`: The caller has no such push subscription of an app. * `quote_not_found`: The one tweet does not quote the other. * `range_not_satisfiable`: The file has no such part. * `reason_required`: An act of a moderator needs a reason. * `recent_sign_in_required`: The caller must have signed in within the last minutes. * `remote_unavailable`: The server of the actor does not answer. * `remote_user`: The user has an account on another server, which alone changes the profile. * `reply_not_approved`: A reply of another server waits for approval, or finds no room to wait. * `report_not_found`: No such report. * `request_limit`: The caller asks as many users to follow them as one may, or the user is asked by as many. * `request_not_found`: The user does not ask to follow the caller. * `request_pending`: The conversation waits for consent: 5 messages without pictures until then. * `reserved_username`: The username looks like a name of the service. * `revision_not_found`: The tweet has no such revision. * `revoked_token`: The session of the ID token was ended; sign in again. * `route_not_found`: No such path. * `saturated`: Too many requests at the moment; try again in a second. * `scope_required`: The access token of the app does not have the scope that this needs. * `self_block`: Nobody blocks themselves. * `self_follow`: Nobody follows themselves. * `self_hide`: Nobody hides what they share themselves. * `self_mute`: Nobody mutes themselves. * `self_note`: A note is about somebody else. * `self_report`: Nobody reports themselves. * `sign_up_changed`: The user sent another sign-up meanwhile; look at it again. * `sign_up_not_found`: No sign-up of the user waits for approval. * `sign_up_refused`: An administrator refused the sign-up. * `signature_required`: Servers of the fediverse must sign what they read. * `single_user`: The instance is for one person, and nobody else signs up. * `standing_changed`: Another moderator changed the account status at that moment; read it again. * `standings_unknown`: The account status cannot be read at the moment; try again. * `stock_out_of_range`: The stock of the product would be below zero, or too large. * `stray_revision`: A revision stands below no tweet; it is not repaired alone. * `tag_not_found`: No tweet has the tag. * `terms_changed`: The terms have another version now; read them again. * `terms_required`: The caller must consent to the terms first. * `text_required`: The text is empty. * `timeout`: The body took too long to arrive. * `too_large`: The body is larger than the API takes. * `too_late`: The hour in which a message can be taken back is over. * `too_late_to_appeal`: The decision is more than 20 days old. * `too_late_to_publish`: Why a scheduled draft was not posted: its time was more than a day ago when the job ran. * `too_long`: A text is longer than its limit. * `too_many_accepted_senders`: The caller lets as many senders through as one may; take one back first. * `too_many_activities`: The server sends too many activities; it may send again after a while. * `too_many_ai_models`: There are as many AI models as there may be. * `too_many_aliases`: A user has 10 other accounts at most. * `too_many_announcements`: There are as many announcements as there may be; remove one first. * `too_many_apps`: The caller lets in as many apps as possible; remove one first. * `too_many_blocks`: There are as many domains and networks as there may be; remove one. * `too_many_devices`: The caller has the largest number of devices; remove one first. * `too_many_domains`: There are as many domains as there may be; remove some. * `too_many_drafts`: The caller has as many drafts as one may; post or delete one first. * `too_many_edits`: The tweet was edited as often as it may be. * `too_many_exclusive_lists`: The caller has as many exclusive lists as one may; change one first. * `too_many_filters`: The caller has as many filters or keywords as one may; remove some first. * `too_many_followed_tags`: The caller follows as many tags as one may; unfollow one first. * `too_many_held_replies`: As many replies wait for the approval of the thread's author as may. * `too_many_hidden_messages`: The caller has deleted as many single messages as one may. * `too_many_ids`: More ids than one request may name. * `too_many_list_members`: The list has as many members as it may; remove one first. * `too_many_lists`: The caller has as many lists as one may; delete one first. * `too_many_media`: A post has at most 4 pictures, each once, or one video. * `too_many_mutes`: The caller has muted as many conversations, or as many users, as one may. * `too_many_orders`: The caller has as many orders that were not shipped yet as one may; wait, or cancel one. * `too_many_pieces`: The order of a guest has more pieces than it may; order fewer, or make a profile. * `too_many_pinned_tags`: More tags than a profile shows. * `too_many_pins`: The profile has as many pinned tweets as it may; unpin one first. * `too_many_rows`: The list has more rows than are imported at once. * `too_many_sign_ups`: As many sign-ups wait for an administrator as may wait. * `too_many_subscriptions`: The posts of as many users make notifications as may; take one back first. * `too_many_tags`: More tags than a tweet may have. * `too_many_webhooks`: There are as many webhooks as there may be; remove one. * `too_old_to_edit`: The tweet is older than a tweet that may be edited. * `too_short`: The tweet is too short for a gist. * `trend_review_full`: There are decisions about 200 tags already. * `tweet_changed`: The tweet was edited or deleted while the model wrote. * `tweet_deleted`: The tweet was deleted; the document has its tombstone. * `tweet_edited`: The tweet was edited since the caller read it. * `tweet_exists`: Another request made a tweet with the id. * `tweet_not_found`: No such tweet, or none that the caller may see. * `two_avatars`: Only one of avatar and avatarMedia may be given. * `two_images`: Only one of image and imageMedia of a product may be given. * `two_snapshots_needed`: The user or tweet changed between two looks; repair again. * `unauthenticated`: The request needs a sign-in. * `unauthorized_client`: The token belongs to another app. * `unavailable`: The database does not answer at the moment; try again. The change may have happened. * `unknown_ai_model`: There is no AI model of that name, or agents may not use it. * `unknown_event`: There is no such event of webhooks. * `unsupported_grant_type`: There are tokens for codes, and for apps themselves, alone. * `unsupported_media_type`: The body is not application/json. * `unsupported_response_type`: The app asks for another answer than a code. * `upload_broken`: A file did not reach the storage; try again. Only by Mastodon's API. * `user_exists`: The caller has a profile already. * `user_frozen`: The other user's account is frozen. * `user_not_found`: No such user. * `user_suspended`: The other user's account is suspended. * `username_not_found`: Nobody has the username. * `username_taken`: Somebody has the username. * `visibility_too_wide`: A reply cannot be shown to more people than the tweet that it answers. * `webhook_not_found`: There is no such webhook. * `webhook_off`: The webhook is switched off. * `wrong_media_kind`: The media were uploaded for something else.
        public var code: String
        /// Time of the deletion
        public var deletedAt: Date?
        /// What went wrong, for people
        public var detail: String
        /// The invalid parts of the request, at most 20; only with the code invalid_request
        public var errors: [FieldError]?
        /// Type of the deleted document
        public var formerType: String?
        /// Time from which on the limit is as if nothing had been used
        public var fullAt: Date?
        /// Id of the deleted tweet
        public var id: String?
        /// Name of the limit that is reached; only with the codes limit_reached and export_limit
        public var limit: String?
        /// Time from which on the same change is possible; only for the limits renames, usernames and exports
        public var nextAt: Date?
        /// What products cost now whose prices the caller has not seen; only with the code prices_changed
        public var prices: [NewPrice]?
        public var status: Int
        /// The status in words
        public var title: String
        /// Always about:blank; the code tells more
        public var type: String
    }

    public struct Product: Decodable, Sendable {
        /// false for a product that is sold no more
        public var active: Bool
        /// Pieces that can be ordered; what an order holds is not among them
        public var amountInStock: Int
        public var createdAt: Date
        /// Plain text
        public var description: String
        public var id: String
        /// URL, of an uploaded picture that of its large size; empty for none
        public var image: String
        public var name: String
        /// Absent unless the image is an uploaded picture
        public var picture: ProductPicture?
        public var price: Price
        /// Time of the last change by an administrator
        public var updatedAt: Date
        /// How often administrators changed the product; stock does not count
        public var version: Int
    }

    public struct ProductPatch: Encodable, Sendable {
        /// false retires the product: nobody can order it, and orders that wait for it are rejected
        public var active: Bool?
        public var description: String?
        /// An https URL; it takes the place of an uploaded picture
        public var image: String?
        /// What the uploaded picture shows, in words
        public var imageAlt: String?
        /// Id of an upload of the caller, of kind product, which is the image from now on; empty to remove the picture
        public var imageMedia: String?
        public var name: String?
        public var price: Price?

        public init(active: Bool? = nil, description: String? = nil, image: String? = nil, imageAlt: String? = nil, imageMedia: String? = nil, name: String? = nil, price: Price? = nil) {
            self.active = active
            self.description = description
            self.image = image
            self.imageAlt = imageAlt
            self.imageMedia = imageMedia
            self.name = name
            self.price = price
        }
    }

    public struct ProductPicture: Decodable, Sendable {
        /// What the picture shows, in words
        public var alt: String
        /// A few colors to be shown until the picture is there (blurha.sh)
        public var blurhash: String
        public var height: Int
        public var id: String
        public var urls: MediaURLs
        /// Of the large size, in pixels
        public var width: Int
    }

    public struct ProfileField: Encodable, Sendable {
        /// One character at least can be seen
        public var name: String
        /// A text, or one https link
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public struct ProfileFieldItem: Decodable, Sendable {
        /// True if the value is a link. Show it with rel="me nofollow noopener"
        public var link: Bool
        public var name: String
        public var value: String
        /// When the page of the link linked to this profile with rel=me; absent if it did not
        public var verifiedAt: Date?
    }

    public struct PushApp: Codable, Sendable {
        /// The types of notifications, by their names in Mastodon, of which the app is told
        public var alerts: [String]
        /// Address at the push service of the app
        public var endpoint: String?
        /// Language of the messages; en if absent
        public var language: String?
        /// Whether the app reads the encoding aesgcm, and not aes128gcm
        public var legacy: Bool?

        public init(alerts: [String], endpoint: String? = nil, language: String? = nil, legacy: Bool? = nil) {
            self.alerts = alerts
            self.endpoint = endpoint
            self.language = language
            self.legacy = legacy
        }
    }

    public struct PushBody: Encodable, Sendable {
        /// Of an app for Mastodon, which gets messages in the form of Mastodon: access_token (empty), preferred_locale, notification_id, notification_type, icon, title, body
        public var app: PushApp?
        /// Address at the push service of the browser: https, and the name of a public host
        public var endpoint: String?
        /// Browsers say it; it makes no difference
        public var expirationTime: Double?
        /// Registration token of an app, instead of endpoint and keys
        public var fcmToken: String?
        public var keys: PushBodyKeysStruct?

        public init(app: PushApp? = nil, endpoint: String? = nil, expirationTime: Double? = nil, fcmToken: String? = nil, keys: PushBodyKeysStruct? = nil) {
            self.app = app
            self.endpoint = endpoint
            self.expirationTime = expirationTime
            self.fcmToken = fcmToken
            self.keys = keys
        }
    }

    public struct PushBodyKeysStruct: Encodable, Sendable {
        /// Secret of the browser, 16 bytes as base64url
        public var auth: String
        /// Public key of the browser, 65 bytes as base64url
        public var p256dh: String

        public init(auth: String, p256dh: String) {
            self.auth = auth
            self.p256dh = p256dh
        }
    }

    public struct PushSubscription: Decodable, Sendable {
        /// Present for an app for Mastodon alone
        public var app: PushApp?
        /// When it was registered last
        public var at: Date
        public var id: String
        public var kind: String
    }

    public struct PushWays: Decodable, Sendable {
        /// Whether apps get notifications by Firebase Cloud Messaging
        public var fcm: Bool
        /// The applicationServerKey of a web push subscription, 65 bytes as base64url
        public var vapidPublicKey: String?
        /// Whether browsers get notifications
        public var webPush: Bool
    }

    public struct PutItemInputBody: Encodable, Sendable {
        public var quantity: Int

        public init(quantity: Int) {
            self.quantity = quantity
        }
    }

    public struct PutNoteRequest: Encodable, Sendable {
        public var text: String

        public init(text: String) {
            self.text = text
        }
    }

    public struct ReactToMessageRequest: Encodable, Sendable {
        public var emoji: String

        public init(emoji: String) {
            self.emoji = emoji
        }
    }

    public struct ReadConversationRequest: Encodable, Sendable {
        public var messageId: String

        public init(messageId: String) {
            self.messageId = messageId
        }
    }

    public struct ReadTag: Decodable, Sendable {
        /// The tag as its first author typed it
        public var content: String
        /// Whether the caller follows the tag; absent without a signed-in caller
        public var isFollowing: Bool?
        /// Key of the tag
        public var name: String
        public var tweetCount: Int
    }

    public struct Reason: Encodable, Sendable {
        /// Why, for the audit log
        public var reason: String

        public init(reason: String) {
            self.reason = reason
        }
    }

    public struct Record: Decodable, Sendable {
        public var at: Date
        /// What became of the order; of a notification of an order alone
        public var orderStatus: String?
        /// The reply or quote, or the tweet that mentions the caller
        public var tweetId: String?
        /// Present in the newest 3 records, of users who have a profile
        public var user: UserSummary?
        /// The user who followed, liked, shared, quoted, replied, mentioned, edited or changed the order; the caller for what the shop does by itself
        public var userId: String
    }

    public struct RefusedSignUp: Encodable, Sendable {
        /// For the user
        public var answer: String?

        public init(answer: String? = nil) {
            self.answer = answer
        }
    }

    public struct Relationship: Decodable, Sendable {
        public var createdAt: Date
        public var followedId: String
        public var followerId: String
    }

    public struct Remote: Decodable, Sendable {
        /// Host of the server
        public var host: String
        /// Address of the original page
        public var url: String
    }

    public struct Repair: Decodable, Sendable {
        /// Path of the document
        public var document: String
        /// Name of the field; empty for the whole document
        public var field: String
        /// The value in the database; null if there is none
        public var have: JSON?
        /// Collection of the document
        public var kind: String
        /// False if the difference needs a person
        public var repaired: Bool
        /// Version of the document when the difference was found; empty if the field is no count
        public var version: String
        /// The value that follows from the source documents; null if there should be none
        public var want: JSON?
    }

    public struct RepairTweetRequest: Encodable, Sendable {
        /// The items of an earlier answer to GET on the same path without settle. These take the place of the first snapshot
        public var against: [Difference]?

        public init(against: [Difference]? = nil) {
            self.against = against
        }
    }

    public struct RepairUserRequest: Encodable, Sendable {
        /// The items of an earlier answer to GET on the same path without settle. These take the place of the first snapshot
        public var against: [Difference]?

        public init(against: [Difference]? = nil) {
            self.against = against
        }
    }

    public struct Repairs: Decodable, Sendable {
        public var items: [Repair]
    }

    public struct Report: Decodable, Sendable {
        public var createdAt: Date
        /// Whether the server of the reported user got it
        public var forwarded: Bool?
        public var id: String
        /// The reported message as it was then; absent from other reports
        public var message: ReportedMessage?
        public var open: Bool
        /// Open reports of the tweet, or of the user and the user's tweets; only with counts=true
        public var openReports: Int?
        public var reason: String
        public var reporterId: String
        /// Absent from an open report
        public var resolution: Resolution?
        public var text: String
        /// Absent from the report of a user or message
        public var tweetId: String?
        /// The reported user, or the author of the reported tweet
        public var userId: String
    }

    public struct ReportedMessage: Decodable, Sendable {
        public var conversationId: String
        public var createdAt: Date
        /// Its pictures or video as they were then, as long as they are not deleted
        public var media: [TweetMedia]?
        public var messageId: String
        public var text: String
    }

    public struct RequestedAuthorization: Decodable, Sendable {
        /// True if the user let this app in before
        public var allowed: Bool
        /// The address that tells the app that the user does not agree; absent for an app that cannot be reached
        public var cancel: String?
        /// What the app calls itself: a claim of whoever registered it
        public var name: String
        /// Where the answer goes, which tells more than the name
        public var redirectUri: String
        public var scopes: [String]
        /// A claim, too
        public var website: String?
    }

    public struct Resolution: Decodable, Sendable {
        public var at: Date
        public var by: String
        public var decision: String
        public var note: String
    }

    public struct ResolveReportRequest: Encodable, Sendable {
        /// acted: something was done about it; dismissed: there is nothing to do
        public var decision: String
        /// Why, for the audit log
        public var note: String?

        public init(decision: String, note: String? = nil) {
            self.decision = decision
            self.note = note
        }
    }

    public struct RestockInputBody: Encodable, Sendable {
        /// How many come into stock; below 0 they are taken out
        public var pieces: Int

        public init(pieces: Int) {
            self.pieces = pieces
        }
    }

    public struct ReviewedTrend: Decodable, Sendable {
        /// The tag as one of its authors typed it
        public var content: String?
        /// True if more than 64 uses an hour make useCount an estimate
        public var estimated: Bool
        /// Key of the tag; absent for a tweet
        public var tag: String?
        /// Absent for a tag
        public var tweetId: String?
        /// Number of accounts in this hour and each of the two before; an account counts once an hour
        public var useCount: Int
        /// How many would be usual, by the last days
        public var usualCount: Double
    }

    public struct Revision: Decodable, Sendable {
        public var allowLikes: Bool
        public var allowQuotes: Bool
        public var allowReplies: Bool
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        /// The content as safe HTML; present where the content is asked for with format=html. It links the mentions of the tweet as it is now
        public var html: String?
        /// Number of characters of the content
        public var length: Int
        /// 1 for the tweet as it was posted; revision n is what edit n replaced
        public var number: Int
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// When the next version took its place
        public var replacedAt: Date
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        public var visibility: String
        /// When the author wrote this version
        public var writtenAt: Date
    }

    public struct RunAgent: Encodable, Sendable {
        /// false stops the agent: when the answer is there, no act begins any more
        public var running: Bool

        public init(running: Bool) {
            self.running = running
        }
    }

    public struct SeeCartInputBody: Encodable, Sendable {
        /// The prices that the caller was shown, by the ids of their products
        public var prices: [String: Price]

        public init(prices: [String: Price]) {
            self.prices = prices
        }
    }

    public struct SettingsPatch: Encodable, Sendable {
        public var edit: Bool?
        public var follow: Bool?
        public var followRequest: Bool?
        public var like: Bool?
        public var mention: Bool?
        public var order: Bool?
        public var poll: Bool?
        public var post: Bool?
        public var quote: Bool?
        public var reply: Bool?
        public var share: Bool?

        public init(edit: Bool? = nil, follow: Bool? = nil, followRequest: Bool? = nil, like: Bool? = nil, mention: Bool? = nil, order: Bool? = nil, poll: Bool? = nil, post: Bool? = nil, quote: Bool? = nil, reply: Bool? = nil, share: Bool? = nil) {
            self.edit = edit
            self.follow = follow
            self.followRequest = followRequest
            self.like = like
            self.mention = mention
            self.order = order
            self.poll = poll
            self.post = post
            self.quote = quote
            self.reply = reply
            self.share = share
        }
    }

    public struct SharedTweet: Decodable, Sendable {
        public var allowLikes: Bool
        /// False if quotePolicy is nobody
        public var allowQuotes: Bool
        /// False if replyPolicy is nobody
        public var allowReplies: Bool
        public var author: Author
        public var authorId: String
        /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
        public var bookmarked: Bool
        /// Further recipients; absent if there are none, and from lists
        public var cc: [String]?
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
        public var filtered: [FilterHit]?
        /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
        public var flagged: Bool?
        /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
        public var folded: Bool?
        /// The content as safe HTML; a tweet read by itself has it with format=html
        public var html: String?
        public var id: String
        /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
        public var language: String
        /// Number of characters of the content
        public var length: Int
        public var likeCount: Int
        /// True if the caller likes the tweet
        public var liked: Bool
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// Whom the content mentions; absent if nobody
        public var mentions: [Mention]?
        /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
        public var poll: Poll?
        public var quoteCount: Int
        /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
        public var quoteWithdrawn: Bool?
        /// Where the post is, if it is of another server; absent from others
        public var remote: Remote?
        /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
        public var repliesHeldBy: String?
        public var replyCount: Int
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// Id of the tweet that this tweet answers; null for a root tweet
        public var replyTo: String?
        /// Who wrote the tweet that this tweet answers; absent from a root tweet
        public var replyToAuthorId: String?
        /// How often the tweet was edited; so many revisions are kept
        public var revision: Int
        /// Id of the tweet that began the thread
        public var rootId: String
        public var shareCount: Int
        /// True if the caller shares the tweet
        public var shared: Bool
        public var sharedAt: Date
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
        public var to: [String]?
        /// null until the first edit
        public var updatedAt: Date?
        /// Who may see the tweet
        public var visibility: String
    }

    public struct Sharer: Decodable, Sendable {
        public var avatar: String
        public var id: String
        public var nickname: String
        /// About how many other followed users share the tweet, with those of whom the caller mutes shares alone; 0 in a list of one user's
        public var others: Int
        public var sharedAt: Date
        public var username: String
    }

    public struct SignIn: Decodable, Sendable {
        /// In whole seconds
        public var at: Date
        /// True for the sign-in of this request's ID token
        public var current: Bool
        /// True if the caller signed out everywhere since. A sign-in that ended otherwise is not marked: Firebase Auth does not tell
        public var ended: Bool
        /// The family of the browser, or app; empty if unknown
        public var program: String
        /// What the caller signed in with
        public var provider: String
        /// The family of the system, from the User-Agent header of the request that told of the sign-in; empty if unknown
        public var system: String
    }

    public struct SignIns: Decodable, Sendable {
        /// Newest first, at most 20
        public var items: [SignIn]
    }

    public struct SignUp: Decodable, Sendable {
        /// What the administrator says who refused
        public var answer: String?
        /// When the user sent it last, perhaps with changes
        public var askedAt: Date
        public var createdAt: Date
        /// For administrators
        public var email: String?
        /// When nobody remembers it any more
        public var expireAt: Date
        public var introduction: String
        public var nickname: String
        /// Why the user wants to join
        public var reason: String
        public var state: String
        public var userId: String
        public var username: String
    }

    public struct SignUpBlock: Decodable, Sendable {
        public var at: Date
        public var by: String
        public var comment: String
        /// null for never
        public var expireAt: Date?
        public var kind: String
        /// A domain, with its subdomains, or a network
        public var of: String
        public var severity: String
    }

    public struct SignUpBlocks: Decodable, Sendable {
        /// Domains first, then networks, by name; at most 500
        public var items: [SignUpBlock]
    }

    public struct Standing: Decodable, Sendable {
        /// The moderator who changed it last
        public var by: String?
        /// null if no moderator ever changed it
        public var changedAt: Date?
        public var reason: String
        /// frozen: may read and leave, and not write; suspended: may do nothing
        public var state: String
        public var userId: String
    }

    public struct Subscription: Decodable, Sendable {
        /// Whether the posts of the user make notifications for the caller
        public var notify: Bool
    }

    public struct Suggestion: Decodable, Sendable {
        public var reason: SuggestionReason
        public var user: UserSummary
    }

    public struct SuggestionReason: Decodable, Sendable {
        /// Up to 3 users whom the caller follows, and who follow the person
        public var followedBy: [NamedUser]
        /// Language that both write; absent if they differ, or do not say
        public var language: String?
        /// About how many more of those whom the caller follows do
        public var others: Int
        /// Up to 3 tags that both use
        public var tags: [String]
    }

    public struct Suggestions: Decodable, Sendable {
        public var items: [Suggestion]
    }

    public struct Tag: Decodable, Sendable {
        /// The tag as its first author typed it
        public var content: String
        /// Key of the tag
        public var name: String
        public var tweetCount: Int
    }

    public struct TagTrend: Decodable, Sendable {
        /// The tag as one of its authors typed it
        public var content: String
        /// True if more than 64 uses an hour make useCount an estimate
        public var estimated: Bool
        /// Key of the tag
        public var name: String
        /// Number of accounts in this hour and each of the two before; an account counts once an hour
        public var useCount: Int
        /// How many would be usual, by the last days
        public var usualCount: Double
    }

    public struct TagUser: Decodable, Sendable {
        /// The user's newest tweet with the tag that everybody sees; present by newest
        public var tweet: Tweet?
        /// Number of the user's public tweets with the tag; present by tweetCount
        public var tweetCount: Int?
        public var user: UserSummary
    }

    public struct Terms: Decodable, Sendable {
        /// Time of the version
        public var at: Date
        /// The text as safe HTML; present with format=html
        public var html: String?
        /// Markdown
        public var text: String
        /// Grows with each text to which users have to consent anew
        public var version: Int
    }

    public struct Thread: Decodable, Sendable {
        /// The tweets above, from the root of the thread down to the parent; empty for a page that does not begin at the first reply
        public var ancestors: [BatchItem]
        /// Id of a tweet below the first ancestor that is left out, with those between the two; its own thread shows more of them
        public var gap: String?
        public var tweet: ThreadNode
    }

    public struct ThreadNode: Decodable, Sendable {
        public var id: String
        /// The pageToken with which the thread of this tweet, or the list of its replies, goes on; of an unknown tweet the thread alone. Empty if all replies are shown
        public var nextPageToken: String
        /// Some of the replies, oldest first
        public var replies: [ThreadNode]
        public var status: String
        /// Present if the status is gone
        public var tombstone: Tombstone?
        /// Present if the status is found
        public var tweet: Tweet?
    }

    public struct Ties: Decodable, Sendable {
        /// Whether the caller blocks the user
        public var blocking: Bool
        /// Whether the user follows the caller
        public var followedBy: Bool
        /// Whether the caller follows the user
        public var following: Bool
        /// Whether the caller hides what the user shares; this and the following are there with view=full, and absent for no
        public var hidesShares: Bool?
        public var id: String
        /// The caller's mute of the user; absent if there is none, or if it has ended
        public var muting: Muting?
        /// The caller's private note on the user
        public var note: String?
        /// Whether the posts of the user make notifications for the caller
        public var notify: Bool?
        /// Whether the caller asks to follow the user, who has not answered
        public var requested: Bool
        /// Whether the user asks to follow the caller, who has not answered
        public var requestedBy: Bool?
    }

    public struct TimelineAudit: Decodable, Sendable {
        /// Tweets that the timeline shows more than once
        public var duplicate: [String]
        /// Tweets that the timeline shows and should not
        public var extra: [String]
        /// Tweets that the timeline should show and does not
        public var missing: [String]
    }

    public struct Tombstone: Decodable, Sendable {
        public var authorId: String
        public var deletedAt: Date
        public var formerType: String
        public var id: String
    }

    public struct Total: Decodable, Sendable {
        /// In minor units of the currency
        public var amount: Int
        public var currency: String
    }

    public struct Totals: Decodable, Sendable {
        /// When the oldest of the totals was counted: two minutes ago, or longer if there is much to count
        public var at: Date
        public var likes: Int
        /// Number of follows
        public var relationships: Int
        public var shares: Int
        /// Of all audiences, replies and quotes too
        public var tweets: Int
        public var users: Int
    }

    public struct TrendDecisionBody: Encodable, Sendable {
        /// undecided takes a decision back
        public var decision: String

        public init(decision: String) {
            self.decision = decision
        }
    }

    public struct TrendReview: Decodable, Sendable {
        /// Tags that may be trends; with the refused ones at most 200
        public var allowed: [String]
        /// Whether a tag or tweet is a trend only after an administrator allowed it
        public var needed: Bool
        /// Tags that never are trends
        public var refused: [String]
        /// The tags and tweets that are trends, of all languages together
        public var shown: [ReviewedTrend]
        /// At most 50 tags and 50 tweets that rise and wait for a decision
        public var waiting: [ReviewedTrend]
    }

    public struct Trends: Decodable, Sendable {
        /// When this was counted, about two minutes ago at most
        public var at: Date
        /// The language that was asked for, without region and script
        public var language: String?
        /// At most 10
        public var tags: [TagTrend]
        /// At most 10
        public var tweets: [TweetTrend]
    }

    public struct Tweet: Decodable, Sendable {
        public var allowLikes: Bool
        /// False if quotePolicy is nobody
        public var allowQuotes: Bool
        /// False if replyPolicy is nobody
        public var allowReplies: Bool
        public var author: Author
        public var authorId: String
        /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
        public var bookmarked: Bool
        /// Further recipients; absent if there are none, and from lists
        public var cc: [String]?
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
        public var filtered: [FilterHit]?
        /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
        public var flagged: Bool?
        /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
        public var folded: Bool?
        /// The content as safe HTML; a tweet read by itself has it with format=html
        public var html: String?
        public var id: String
        /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
        public var language: String
        /// Number of characters of the content
        public var length: Int
        public var likeCount: Int
        /// True if the caller likes the tweet
        public var liked: Bool
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// Whom the content mentions; absent if nobody
        public var mentions: [Mention]?
        /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
        public var poll: Poll?
        public var quoteCount: Int
        /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
        public var quoteWithdrawn: Bool?
        /// Where the post is, if it is of another server; absent from others
        public var remote: Remote?
        /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
        public var repliesHeldBy: String?
        public var replyCount: Int
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// Id of the tweet that this tweet answers; null for a root tweet
        public var replyTo: String?
        /// Who wrote the tweet that this tweet answers; absent from a root tweet
        public var replyToAuthorId: String?
        /// How often the tweet was edited; so many revisions are kept
        public var revision: Int
        /// Id of the tweet that began the thread
        public var rootId: String
        public var shareCount: Int
        /// True if the caller shares the tweet
        public var shared: Bool
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
        public var to: [String]?
        /// null until the first edit
        public var updatedAt: Date?
        /// Who may see the tweet
        public var visibility: String
    }

    public struct TweetMedia: Decodable, Sendable {
        /// What the picture shows, in words; lists have the first 300 characters at most
        public var alt: String
        /// True if the description is longer than alt: the tweet by itself has all of it; absent otherwise
        public var altCut: Bool?
        /// True for an image that moves; small and large stand still
        public var animated: Bool?
        /// A few colors to be shown until the picture is there (blurha.sh); empty for a video without a poster
        public var blurhash: String
        /// Of a video
        public var durationMs: Int?
        public var height: Int
        public var id: String
        public var type: String
        /// Where everybody may see the tweet, they are short and stay; otherwise they are signed, and good for an hour at least: read the tweet again for new ones
        public var urls: MediaURLs
        /// Of the largest size, in pixels
        public var width: Int
    }

    public struct TweetPatch: Encodable, Sendable {
        public var allowLikes: Bool?
        /// Short for quotePolicy, as allowReplies
        public var allowQuotes: Bool?
        /// Short for replyPolicy: false is nobody; true is everybody, or leaves a policy that lets some users reply
        public var allowReplies: Bool?
        /// Markdown; its #hashtags take the place of those of the former content. A tweet with media may have an empty one
        public var content: String?
        /// New descriptions of media that the tweet has; the media themselves stay
        public var media: [AltOf]?
        /// Who may quote from now on. It prevails over allowQuotes
        public var quotePolicy: String?
        /// Who may reply from now on. It prevails over allowReplies
        public var replyPolicy: String?
        /// Content warning; empty for none
        public var summary: String?
        /// All tags beside the hashtags, at most 10 together with them; if absent, those that the tweet has stay
        public var tags: [String]?
        /// Who may see the tweet from now on; a reply may be shown to no more people than the tweet that it answers
        public var visibility: String?

        public init(allowLikes: Bool? = nil, allowQuotes: Bool? = nil, allowReplies: Bool? = nil, content: String? = nil, media: [AltOf]? = nil, quotePolicy: String? = nil, replyPolicy: String? = nil, summary: String? = nil, tags: [String]? = nil, visibility: String? = nil) {
            self.allowLikes = allowLikes
            self.allowQuotes = allowQuotes
            self.allowReplies = allowReplies
            self.content = content
            self.media = media
            self.quotePolicy = quotePolicy
            self.replyPolicy = replyPolicy
            self.summary = summary
            self.tags = tags
            self.visibility = visibility
        }
    }

    public struct TweetTrend: Decodable, Sendable {
        /// True if more than 64 uses an hour make useCount an estimate
        public var estimated: Bool
        public var tweet: Tweet
        /// Number of accounts in this hour and each of the two before; an account counts once an hour
        public var useCount: Int
        /// How many would be usual, by the last days
        public var usualCount: Double
    }

    public struct UnreadConversations: Decodable, Sendable {
        /// since of the next request
        public var at: Date
        /// Conversations with unread messages, among the 1,000 that changed last
        public var count: Int
        /// Conversations that wait for the caller's consent, up to 100
        public var requests: Int
        /// Nothing was counted, and count and requests are 0: the counts of the answer that had since still hold
        public var unchanged: Bool
    }

    public struct UnreadCount: Decodable, Sendable {
        public var count: Int
    }

    public struct Upload: Decodable, Sendable {
        /// Until then the upload can begin
        public var expires: Date
        /// To be sent as they are
        public var headers: [String: String]
        public var method: String
        public var url: String
    }

    public struct UsedTag: Decodable, Sendable {
        /// The tag as the user typed it
        public var content: String
        /// Key of the tag
        public var name: String
        /// Number of the user's tweets with the tag
        public var tweetCount: Int
    }

    public struct User: Decodable, Sendable {
        public var aiModel: String
        public var aiPersonality: String?
        public var avatar: String
        /// True if only people that this user follows may like and reply
        public var blockStrangers: Bool
        /// Whether the caller blocks this user
        public var blocking: Bool?
        /// True if the user says that a program makes the posts
        public var bot: Bool
        public var createdAt: Date
        /// True if this user wants to be in the directory
        public var discoverable: Bool
        public var email: String?
        /// At most 4 lines of the profile; absent if there are none
        public var fields: [ProfileFieldItem]?
        /// How many ask to follow the caller, up to 1,000; present in GET /v1/users/me while locked
        public var followRequests: Int?
        /// Whether this user follows the caller
        public var followedBy: Bool?
        public var followedCount: Int
        public var followerCount: Int
        /// Whether the caller follows this user. This and the next three are present if the caller has an account and reads somebody else's profile; whether the user blocks the caller is never told
        public var following: Bool?
        /// Address of the wide picture; absent from a profile without
        public var header: String?
        /// How many replies wait for the caller's approval, up to 1,000; present in GET /v1/users/me while holdReplies is not off
        public var heldReplies: Int?
        /// Whose replies in this user's new threads wait for this user's approval: nobody's, or those of strangers
        public var holdReplies: String
        public var id: String
        /// Markdown
        public var introduction: String?
        /// The introduction as safe HTML; present with format=html, where the introduction is, unless that is empty. Names in it are text
        public var introductionHtml: String?
        /// Language that this user writes, as two or three letters; absent if the user does not say
        public var language: String?
        /// True if this user decides who follows: following makes a request, which the user accepts or refuses
        public var locked: Bool
        /// Who may begin a conversation with the caller; present in GET /v1/users/me
        public var messagesFrom: String?
        /// The address of the account to which the user moved; absent from most
        public var movedTo: String?
        /// The id of that account here, present with movedTo; GET /v1/users/{uid} is 404 for one that this server has not met
        public var movedToId: String?
        /// The caller's mute of this user; absent if there is none, or if it has ended
        public var muting: Muting?
        public var nickname: String
        /// True if nobody gets this user as a suggestion; present in GET and PATCH /v1/users/me
        public var notSuggested: Bool?
        /// Tags that this user shows on the profile, as the user spells them, at most 10; absent if there are none
        public var pinnedTags: [String]?
        public var pronouns: String?
        /// Where the account is, if it is on another server: counts and lists of it are what this server knows; absent from others
        public var remote: Remote?
        /// Whether the caller asks to follow this user, who has not answered
        public var requested: Bool?
        /// First 280 characters of the introduction
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Version of the terms to which the caller consented last, 0 for none; present in GET /v1/users/me
        public var termsVersion: Int?
        public var tweetCount: Int
        /// null until the first edit
        public var updatedAt: Date?
        public var username: String
    }

    public struct UserBatch: Decodable, Sendable {
        public var items: [User]
    }

    public struct UserPatch: Encodable, Sendable {
        public var aiModel: String?
        public var aiPersonality: String?
        /// Empty, or an https URL in ASCII without a user name
        public var avatar: String?
        /// Id of a ready upload of the kind avatar, whose address becomes the avatar; empty for none. It excludes avatar
        public var avatarMedia: String?
        public var blockStrangers: Bool?
        /// True if a program makes the posts
        public var bot: Bool?
        /// True to be in the directory, which everybody reads
        public var discoverable: Bool?
        /// Lines of the profile, in this order; an empty list for none. The page of a link is asked whether it links to the profile with rel=me
        public var fields: [ProfileField]?
        /// Id of a ready upload of the kind header, whose address becomes the header; empty for none
        public var headerMedia: String?
        /// Whose replies wait for approval in threads that the user begins from now on. Threads from before stay as they are
        public var holdReplies: String?
        public var introduction: String?
        /// BCP 47 tag of the language that the user writes, of which the first part is kept; empty for none
        public var language: String?
        /// True if the user decides who follows. Whoever follows already stays; requests that are open when it becomes false stay until they are answered
        public var locked: Bool?
        /// Who may begin a conversation with the user; the messages of strangers are requests. Conversations that began before go on
        public var messagesFrom: String?
        public var nickname: String?
        /// True if nobody shall get the user as a suggestion
        public var notSuggested: Bool?
        /// Tags to show on the profile, in this order and spelling; an empty list for none. A spelling of more than 50 characters gives way to the key of its tag
        public var pinnedTags: [String]?
        /// Empty for none
        public var pronouns: String?
        public var username: String?

        public init(aiModel: String? = nil, aiPersonality: String? = nil, avatar: String? = nil, avatarMedia: String? = nil, blockStrangers: Bool? = nil, bot: Bool? = nil, discoverable: Bool? = nil, fields: [ProfileField]? = nil, headerMedia: String? = nil, holdReplies: String? = nil, introduction: String? = nil, language: String? = nil, locked: Bool? = nil, messagesFrom: String? = nil, nickname: String? = nil, notSuggested: Bool? = nil, pinnedTags: [String]? = nil, pronouns: String? = nil, username: String? = nil) {
            self.aiModel = aiModel
            self.aiPersonality = aiPersonality
            self.avatar = avatar
            self.avatarMedia = avatarMedia
            self.blockStrangers = blockStrangers
            self.bot = bot
            self.discoverable = discoverable
            self.fields = fields
            self.headerMedia = headerMedia
            self.holdReplies = holdReplies
            self.introduction = introduction
            self.language = language
            self.locked = locked
            self.messagesFrom = messagesFrom
            self.nickname = nickname
            self.notSuggested = notSuggested
            self.pinnedTags = pinnedTags
            self.pronouns = pronouns
            self.username = username
        }
    }

    public struct UserSummary: Decodable, Sendable {
        public var avatar: String
        /// True if the user says that a program makes the posts
        public var bot: Bool?
        public var followedCount: Int
        public var followerCount: Int
        public var id: String
        public var nickname: String
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        public var tweetCount: Int
        public var username: String
    }

    public struct VoteInputBody: Encodable, Sendable {
        /// The option to choose, from 1 on
        public var option: Int

        public init(option: Int) {
            self.option = option
        }
    }

    public struct WantedItem: Encodable, Sendable {
        /// The price of one piece that the caller was shown
        public var price: Price
        public var productId: String
        public var quantity: Int

        public init(price: Price, productId: String, quantity: Int) {
            self.price = price
            self.productId = productId
            self.quantity = quantity
        }
    }

    public struct Webhook: Decodable, Sendable {
        /// When it was added
        public var at: Date
        /// The administrator who added it
        public var by: String
        public var description: String
        public var enabled: Bool
        public var events: [String]
        /// The first failure after the last success; null if the last attempt succeeded
        public var failingSince: Date?
        /// Why the last attempt failed; empty if it did not
        public var failure: String
        /// When it was switched off because it failed for 3 days; null if it was not
        public var gaveUpAt: Date?
        public var id: String
        /// The key of the signatures, in the answer to the request that made it
        public var secret: String?
        /// The HTTP status of the last answer; 0 without one
        public var status: Int
        /// The time of the last attempt; null for none
        public var triedAt: Date?
        public var url: String
    }

    public struct WebhookPatch: Encodable, Sendable {
        public var description: String?
        /// A webhook that is switched off is told nothing; what waits for it waits for 7 days
        public var enabled: Bool?
        public var events: [String]?
        public var url: String?

        public init(description: String? = nil, enabled: Bool? = nil, events: [String]? = nil, url: String? = nil) {
            self.description = description
            self.enabled = enabled
            self.events = events
            self.url = url
        }
    }

    public struct Webhooks: Decodable, Sendable {
        /// Oldest first; at most 10
        public var items: [Webhook]
    }

    public struct WholeTweet: Decodable, Sendable {
        public var allowLikes: Bool
        /// False if quotePolicy is nobody
        public var allowQuotes: Bool
        /// False if replyPolicy is nobody
        public var allowReplies: Bool
        public var author: Author
        public var authorId: String
        /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
        public var bookmarked: Bool
        /// Further recipients; absent if there are none, and from lists
        public var cc: [String]?
        /// Markdown; a list has it only if the snippet is the whole content
        public var content: String?
        public var createdAt: Date
        /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
        public var filtered: [FilterHit]?
        /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
        public var flagged: Bool?
        /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
        public var folded: Bool?
        /// The content as safe HTML; a tweet read by itself has it with format=html
        public var html: String?
        public var id: String
        /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
        public var language: String
        /// Number of characters of the content
        public var length: Int
        public var likeCount: Int
        /// True if the caller likes the tweet
        public var liked: Bool
        /// Its pictures, or its video; absent from a tweet without
        public var media: [TweetMedia]?
        /// Whom the content mentions; absent if nobody
        public var mentions: [Mention]?
        /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
        public var poll: Poll?
        public var quoteCount: Int
        /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
        public var quoteOf: String?
        /// Who may quote the tweet; the author always may
        public var quotePolicy: String
        /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
        public var quoteWithdrawn: Bool?
        /// The tweet that this tweet quotes: found; gone; or unknown, if the caller may not see it. Present in a quote
        public var quoted: BatchItem?
        /// Where the post is, if it is of another server; absent from others
        public var remote: Remote?
        /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
        public var repliesHeldBy: String?
        public var replyCount: Int
        /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
        public var replyPolicy: String
        /// Id of the tweet that this tweet answers; null for a root tweet
        public var replyTo: String?
        /// Who wrote the tweet that this tweet answers; absent from a root tweet
        public var replyToAuthorId: String?
        /// How often the tweet was edited; so many revisions are kept
        public var revision: Int
        /// Id of the tweet that began the thread
        public var rootId: String
        public var shareCount: Int
        /// True if the caller shares the tweet
        public var shared: Bool
        /// First 280 characters of the content
        public var snippet: String
        /// The snippet as safe HTML; present with format=html, unless the text is empty
        public var snippetHtml: String?
        /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
        public var snippetTree: [Element]?
        /// Content warning
        public var summary: String
        public var tags: [String]
        /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
        public var to: [String]?
        /// null until the first edit
        public var updatedAt: Date?
        /// Who may see the tweet
        public var visibility: String
    }
}
