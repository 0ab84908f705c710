// Generated from api/openapi.json by `go run ./clients/generate`. Do not edit.
package org.hibana.client

import java.time.Instant

data class AIModel(
    /** Whether agents may use it */
    val enabled: Boolean,
    /** Micro-dollars for a million tokens that it reads */
    val input: Long,
    val label: String,
    /** Micro-dollars for a million tokens that it writes */
    val output: Long,
    /** Who runs it; may be empty */
    val provider: String,
) {
    companion object {
        internal fun from(json: Any?): AIModel {
            val o = fields(json)
            return AIModel(
                enabled = flag(o["enabled"]),
                input = whole(o["input"]),
                label = text(o["label"]),
                output = whole(o["output"]),
                provider = text(o["provider"]),
            )
        }
    }
}

data class Account(
    val administrator: Boolean,
    val createdAt: Instant,
    /** In lower case */
    val email: String,
    val emailVerified: Boolean,
    val frozen: Boolean,
    val moderator: Boolean,
    /** When the user signed in, or an app of the user got an ID token, for the last time */
    val seenAt: Instant,
    /** True if the account cannot sign in */
    val suspended: Boolean,
    val uid: String,
    /** The profile; absent if there is none */
    val user: UserSummary? = null,
) {
    companion object {
        internal fun from(json: Any?): Account {
            val o = fields(json)
            return Account(
                administrator = flag(o["administrator"]),
                createdAt = time(o["createdAt"]),
                email = text(o["email"]),
                emailVerified = flag(o["emailVerified"]),
                frozen = flag(o["frozen"]),
                moderator = flag(o["moderator"]),
                seenAt = time(o["seenAt"]),
                suspended = flag(o["suspended"]),
                uid = text(o["uid"]),
                user = o["user"]?.let { value -> UserSummary.from(value) },
            )
        }
    }
}

data class AccountByEmail(
    /** In lower case or capitals */
    val email: String,
    /** Why, for the audit log */
    val reason: String,
) {
    internal fun json(): Map<String, Any> = present(
        "email" to email,
        "reason" to reason,
    )
}

data class ActFor(
    val kind: String,
    /** Why, for the audit log */
    val reason: String,
    /** Id of the user to follow or block, or of the tweet to like */
    val target: String,
) {
    internal fun json(): Map<String, Any> = present(
        "kind" to kind,
        "reason" to reason,
        "target" to target,
    )
}

data class Action(
    val act: String,
    /** What changed, as it is since; of a product what the request asks for, with its Idempotency-Key as key */
    val after: Map<String, String>? = null,
    val at: Instant,
    /** What changed, as it was; the first 280 characters of each field */
    val before: Map<String, String>? = null,
    /** The user who acted, or the name that hibana admin got */
    val by: String,
    val id: String,
    val orderId: String? = null,
    val productId: String? = null,
    val reason: String? = null,
    val reportId: String? = null,
    /** Of a flag: the revision of the tweet that was judged */
    val revision: Long? = null,
    /** command is hibana admin; user is a user about the own account, or who forwarded a report */
    val role: String,
    val tweetId: String? = null,
    /** The user concerned; of a tweet, its author; of an order, its customer */
    val userId: String? = null,
) {
    companion object {
        internal fun from(json: Any?): Action {
            val o = fields(json)
            return Action(
                act = text(o["act"]),
                after = o["after"]?.let { value -> map(value) { text(it) } },
                at = time(o["at"]),
                before = o["before"]?.let { value -> map(value) { text(it) } },
                by = text(o["by"]),
                id = text(o["id"]),
                orderId = o["orderId"]?.let { value -> text(value) },
                productId = o["productId"]?.let { value -> text(value) },
                reason = o["reason"]?.let { value -> text(value) },
                reportId = o["reportId"]?.let { value -> text(value) },
                revision = o["revision"]?.let { value -> whole(value) },
                role = text(o["role"]),
                tweetId = o["tweetId"]?.let { value -> text(value) },
                userId = o["userId"]?.let { value -> text(value) },
            )
        }
    }
}

data class Agent(
    /** Of a day in UTC */
    val budget: AgentSpending,
    /** The administrator who made it */
    val by: String,
    val changedAt: Instant,
    val createdAt: Instant,
    /** Day of spent; empty before the first turn */
    val day: String,
    /** Minutes between two turns */
    val everyMinutes: Long,
    /** Label of an AI model */
    val model: String,
    /** When the next turn begins, at the earliest; null for a stopped agent */
    val nextAt: Instant? = null,
    /** Why the last turn did nothing: budget, decider, or the code of an error */
    val problem: String? = null,
    val running: Boolean,
    val spent: AgentSpending,
    val stoppedBy: String? = null,
    val userId: String,
) {
    companion object {
        internal fun from(json: Any?): Agent {
            val o = fields(json)
            return Agent(
                budget = AgentSpending.from(o["budget"]),
                by = text(o["by"]),
                changedAt = time(o["changedAt"]),
                createdAt = time(o["createdAt"]),
                day = text(o["day"]),
                everyMinutes = whole(o["everyMinutes"]),
                model = text(o["model"]),
                nextAt = o["nextAt"]?.let { value -> time(value) },
                problem = o["problem"]?.let { value -> text(value) },
                running = flag(o["running"]),
                spent = AgentSpending.from(o["spent"]),
                stoppedBy = o["stoppedBy"]?.let { value -> text(value) },
                userId = text(o["userId"]),
            )
        }
    }
}

data class AgentAct(
    val at: Instant,
    val id: String,
    val kind: String,
    /** The tweet that it posted */
    val made: String? = null,
    val microDollars: Long,
    /** Code of why it was refused */
    val problem: String? = null,
    /** begun and lost acts may have happened; stopped ones have not */
    val state: String,
    /** The author of that tweet, or who is followed */
    val target: String? = null,
    val text: String? = null,
    /** Of the decision of its turn; in the turn's first act */
    val tokens: Long,
    /** The tweet that it answers or likes */
    val tweetId: String? = null,
) {
    companion object {
        internal fun from(json: Any?): AgentAct {
            val o = fields(json)
            return AgentAct(
                at = time(o["at"]),
                id = text(o["id"]),
                kind = text(o["kind"]),
                made = o["made"]?.let { value -> text(value) },
                microDollars = whole(o["microDollars"]),
                problem = o["problem"]?.let { value -> text(value) },
                state = text(o["state"]),
                target = o["target"]?.let { value -> text(value) },
                text = o["text"]?.let { value -> text(value) },
                tokens = whole(o["tokens"]),
                tweetId = o["tweetId"]?.let { value -> text(value) },
            )
        }
    }
}

data class AgentSpending(
    val follows: Long? = null,
    val likes: Long? = null,
    val microDollars: Long? = null,
    /** Replies count, too */
    val posts: Long? = null,
    val tokens: Long? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "follows" to follows,
        "likes" to likes,
        "microDollars" to microDollars,
        "posts" to posts,
        "tokens" to tokens,
    )

    companion object {
        internal fun from(json: Any?): AgentSpending {
            val o = fields(json)
            return AgentSpending(
                follows = o["follows"]?.let { value -> whole(value) },
                likes = o["likes"]?.let { value -> whole(value) },
                microDollars = o["microDollars"]?.let { value -> whole(value) },
                posts = o["posts"]?.let { value -> whole(value) },
                tokens = o["tokens"]?.let { value -> whole(value) },
            )
        }
    }
}

data class AiModelsOutputBody(
    /** At most 200, by label */
    val items: List<AIModel>,
) {
    companion object {
        internal fun from(json: Any?): AiModelsOutputBody {
            val o = fields(json)
            return AiModelsOutputBody(
                items = list(o["items"]) { AIModel.from(it) },
            )
        }
    }
}

data class Aliases(
    /** Accounts on other servers: handles, such as @bob@example.org, or addresses */
    val accounts: List<String>,
) {
    internal fun json(): Map<String, Any> = present(
        "accounts" to accounts,
    )

    companion object {
        internal fun from(json: Any?): Aliases {
            val o = fields(json)
            return Aliases(
                accounts = list(o["accounts"]) { text(it) },
            )
        }
    }
}

data class AllTies(
    val items: List<Ties>,
    /** The last uids of the request, of which the answer says nothing because the others cost enough: ask again with them. Empty for 30 uids or fewer, and with view=full for 15 */
    val rest: List<String>,
) {
    companion object {
        internal fun from(json: Any?): AllTies {
            val o = fields(json)
            return AllTies(
                items = list(o["items"]) { Ties.from(it) },
                rest = list(o["rest"]) { text(it) },
            )
        }
    }
}

data class AltOf(
    /** What the picture shows, in words; empty for none */
    val alt: String,
    val id: String,
) {
    internal fun json(): Map<String, Any> = present(
        "alt" to alt,
        "id" to id,
    )
}

data class Announcement(
    /** Whether the caller has dismissed it */
    val dismissed: Boolean,
    /** null if there is no end */
    val endsAt: Instant? = null,
    /** The text as safe HTML; present with format=html, unless the text is empty. Names in it are text */
    val html: String? = null,
    val id: String,
    val startsAt: Instant,
    /** Markdown */
    val text: String,
    val title: String,
    val updatedAt: Instant,
) {
    companion object {
        internal fun from(json: Any?): Announcement {
            val o = fields(json)
            return Announcement(
                dismissed = flag(o["dismissed"]),
                endsAt = o["endsAt"]?.let { value -> time(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                startsAt = time(o["startsAt"]),
                text = text(o["text"]),
                title = text(o["title"]),
                updatedAt = time(o["updatedAt"]),
            )
        }
    }
}

data class AnswerAppealRequest(
    /** For the user, and for the audit log in short */
    val answer: String,
    val state: String,
) {
    internal fun json(): Map<String, Any> = present(
        "answer" to answer,
        "state" to state,
    )
}

data class Answered(
    val authorId: String,
    /** The beginning of its text in one line, without markup; of a tweet with a content warning that of the warning */
    val excerpt: String,
    val id: String,
    val nickname: String,
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): Answered {
            val o = fields(json)
            return Answered(
                authorId = text(o["authorId"]),
                excerpt = text(o["excerpt"]),
                id = text(o["id"]),
                nickname = text(o["nickname"]),
                username = text(o["username"]),
            )
        }
    }
}

data class Appeal(
    val act: String,
    /** What the moderators say; empty while the appeal is open */
    val answer: String,
    /** null while the appeal is open */
    val answeredAt: Instant? = null,
    val createdAt: Instant,
    val decidedAt: Instant,
    val decidedBy: String,
    val id: String,
    /** Of the decision, from the audit log; the user does not see it */
    val reason: String,
    /** upheld: the decision stands; reversed: it was wrong, and what can be undone is undone */
    val state: String,
    val text: String,
    val tweetId: String? = null,
    val userId: String,
) {
    companion object {
        internal fun from(json: Any?): Appeal {
            val o = fields(json)
            return Appeal(
                act = text(o["act"]),
                answer = text(o["answer"]),
                answeredAt = o["answeredAt"]?.let { value -> time(value) },
                createdAt = time(o["createdAt"]),
                decidedAt = time(o["decidedAt"]),
                decidedBy = text(o["decidedBy"]),
                id = text(o["id"]),
                reason = text(o["reason"]),
                state = text(o["state"]),
                text = text(o["text"]),
                tweetId = o["tweetId"]?.let { value -> text(value) },
                userId = text(o["userId"]),
            )
        }
    }
}

data class AppealRequest(
    /** Why the decision is wrong */
    val text: String,
) {
    internal fun json(): Map<String, Any> = present(
        "text" to text,
    )
}

data class Author(
    val avatar: String,
    val nickname: String,
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): Author {
            val o = fields(json)
            return Author(
                avatar = text(o["avatar"]),
                nickname = text(o["nickname"]),
                username = text(o["username"]),
            )
        }
    }
}

data class AuthoredTweet(
    val allowLikes: Boolean,
    val allowQuotes: Boolean,
    val allowReplies: Boolean,
    /** Of a tweet that the user shares; absent from the user's own */
    val author: Author? = null,
    val authorId: String,
    /** Whether the caller keeps the tweet as a bookmark; present with view=full */
    val bookmarked: Boolean? = null,
    /** Markdown; present only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none */
    val filtered: List<FilterHit>? = null,
    /** Whether the tweet has media, or an image in its text */
    val hasMedia: Boolean,
    val id: String,
    val length: Long,
    /** Present with view=full */
    val likeCount: Long? = null,
    /** Whether the caller likes the tweet; present with view=full */
    val liked: Boolean? = null,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** The tweet's poll without what the caller chose and without counts; present with view=full if the tweet has one */
    val poll: Poll? = null,
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** As in Tweet */
    val quoteWithdrawn: Boolean? = null,
    /** Present with view=full */
    val replyCount: Long? = null,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    val replyTo: String? = null,
    /** How often the tweet was edited */
    val revision: Long,
    val rootId: String,
    /** Present with view=full */
    val shareCount: Long? = null,
    /** Whether the caller shared the tweet; present with view=full */
    val shared: Boolean? = null,
    /** That the user shares the tweet, and since when; absent from the user's own */
    val sharedBy: Sharer? = null,
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    val summary: String,
    val tags: List<String>,
    val updatedAt: Instant? = null,
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): AuthoredTweet {
            val o = fields(json)
            return AuthoredTweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = o["author"]?.let { value -> Author.from(value) },
                authorId = text(o["authorId"]),
                bookmarked = o["bookmarked"]?.let { value -> flag(value) },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                hasMedia = flag(o["hasMedia"]),
                id = text(o["id"]),
                length = whole(o["length"]),
                likeCount = o["likeCount"]?.let { value -> whole(value) },
                liked = o["liked"]?.let { value -> flag(value) },
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                replyCount = o["replyCount"]?.let { value -> whole(value) },
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = o["shareCount"]?.let { value -> whole(value) },
                shared = o["shared"]?.let { value -> flag(value) },
                sharedBy = o["sharedBy"]?.let { value -> Sharer.from(value) },
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class Authorization(
    /** In the place of an address, for an app that cannot be reached: the user copies it */
    val code: String? = null,
    /** The address of the app, with code, state and iss */
    val redirect: String? = null,
) {
    companion object {
        internal fun from(json: Any?): Authorization {
            val o = fields(json)
            return Authorization(
                code = o["code"]?.let { value -> text(value) },
                redirect = o["redirect"]?.let { value -> text(value) },
            )
        }
    }
}

data class AuthorizationRequest(
    /** The client_id of the app */
    val clientId: String,
    /** Of PKCE. An app without a secret must send one */
    val codeChallenge: String? = null,
    /** S256: there is no other */
    val codeChallengeMethod: String? = null,
    /** One of the redirect URIs that the app registered, byte for byte */
    val redirectUri: String,
    /** code: there is no other */
    val responseType: String,
    /** The scopes, between spaces; read if absent */
    val scope: String? = null,
    /** Returned as it is */
    val state: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "clientId" to clientId,
        "codeChallenge" to codeChallenge,
        "codeChallengeMethod" to codeChallengeMethod,
        "redirectUri" to redirectUri,
        "responseType" to responseType,
        "scope" to scope,
        "state" to state,
    )
}

data class AuthorizedApp(
    val id: String,
    /** To a day */
    val lastUsedAt: Instant,
    val name: String,
    /** What it may do */
    val scopes: List<String>,
    val since: Instant,
    val website: String? = null,
) {
    companion object {
        internal fun from(json: Any?): AuthorizedApp {
            val o = fields(json)
            return AuthorizedApp(
                id = text(o["id"]),
                lastUsedAt = time(o["lastUsedAt"]),
                name = text(o["name"]),
                scopes = list(o["scopes"]) { text(it) },
                since = time(o["since"]),
                website = o["website"]?.let { value -> text(value) },
            )
        }
    }
}

data class AuthorizedApps(
    /** The last used first, at most 100 */
    val items: List<AuthorizedApp>,
) {
    companion object {
        internal fun from(json: Any?): AuthorizedApps {
            val o = fields(json)
            return AuthorizedApps(
                items = list(o["items"]) { AuthorizedApp.from(it) },
            )
        }
    }
}

data class Batch(
    val items: List<BatchItem>,
) {
    companion object {
        internal fun from(json: Any?): Batch {
            val o = fields(json)
            return Batch(
                items = list(o["items"]) { BatchItem.from(it) },
            )
        }
    }
}

data class BatchItem(
    val id: String,
    val status: String,
    /** Present if the status is gone */
    val tombstone: Tombstone? = null,
    /** Present if the status is found */
    val tweet: Tweet? = null,
) {
    companion object {
        internal fun from(json: Any?): BatchItem {
            val o = fields(json)
            return BatchItem(
                id = text(o["id"]),
                status = text(o["status"]),
                tombstone = o["tombstone"]?.let { value -> Tombstone.from(value) },
                tweet = o["tweet"]?.let { value -> Tweet.from(value) },
            )
        }
    }
}

data class BookmarkedTweet(
    val allowLikes: Boolean,
    /** False if quotePolicy is nobody */
    val allowQuotes: Boolean,
    /** False if replyPolicy is nobody */
    val allowReplies: Boolean,
    val author: Author,
    val authorId: String,
    /** True if the caller keeps the tweet as a bookmark; nobody else learns of it */
    val bookmarked: Boolean,
    val bookmarkedAt: Instant,
    /** Further recipients; absent if there are none, and from lists */
    val cc: List<String>? = null,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none */
    val filtered: List<FilterHit>? = null,
    /** True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise */
    val flagged: Boolean? = null,
    /** True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise */
    val folded: Boolean? = null,
    /** The content as safe HTML; a tweet read by itself has it with format=html */
    val html: String? = null,
    val id: String,
    /** BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown */
    val language: String,
    /** Number of characters of the content */
    val length: Long,
    val likeCount: Long,
    /** True if the caller likes the tweet */
    val liked: Boolean,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** Whom the content mentions; absent if nobody */
    val mentions: List<Mention>? = null,
    /** The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true */
    val poll: Poll? = null,
    val quoteCount: Long,
    /** Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none */
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise */
    val quoteWithdrawn: Boolean? = null,
    /** Where the post is, if it is of another server; absent from others */
    val remote: Remote? = null,
    /** Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits */
    val repliesHeldBy: String? = null,
    val replyCount: Long,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** Id of the tweet that this tweet answers; null for a root tweet */
    val replyTo: String? = null,
    /** Who wrote the tweet that this tweet answers; absent from a root tweet */
    val replyToAuthorId: String? = null,
    /** How often the tweet was edited; so many revisions are kept */
    val revision: Long,
    /** Id of the tweet that began the thread */
    val rootId: String,
    val shareCount: Long,
    /** True if the caller shares the tweet */
    val shared: Boolean,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    /** Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself */
    val to: List<String>? = null,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    /** Who may see the tweet */
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): BookmarkedTweet {
            val o = fields(json)
            return BookmarkedTweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                bookmarked = flag(o["bookmarked"]),
                bookmarkedAt = time(o["bookmarkedAt"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                flagged = o["flagged"]?.let { value -> flag(value) },
                folded = o["folded"]?.let { value -> flag(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                language = text(o["language"]),
                length = whole(o["length"]),
                likeCount = whole(o["likeCount"]),
                liked = flag(o["liked"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                mentions = o["mentions"]?.let { value -> list(value) { Mention.from(it) } },
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteCount = whole(o["quoteCount"]),
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                repliesHeldBy = o["repliesHeldBy"]?.let { value -> text(value) },
                replyCount = whole(o["replyCount"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                replyToAuthorId = o["replyToAuthorId"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = whole(o["shareCount"]),
                shared = flag(o["shared"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class Cart(
    val items: List<CartItem>,
    /** What all products that are for sale cost together, one for each currency */
    val totals: List<Total>,
) {
    companion object {
        internal fun from(json: Any?): Cart {
            val o = fields(json)
            return Cart(
                items = list(o["items"]) { CartItem.from(it) },
                totals = list(o["totals"]) { Total.from(it) },
            )
        }
    }
}

data class CartItem(
    /** What is not as the caller has seen it: price_up, price_down, currency_changed; or keeps it from being ordered: sold_out, too_few (in stock), retired */
    val changes: List<String>,
    /** Absent for a product that there is not */
    val product: Product? = null,
    val productId: String,
    val quantity: Long,
) {
    companion object {
        internal fun from(json: Any?): CartItem {
            val o = fields(json)
            return CartItem(
                changes = list(o["changes"]) { text(it) },
                product = o["product"]?.let { value -> Product.from(value) },
                productId = text(o["productId"]),
                quantity = whole(o["quantity"]),
            )
        }
    }
}

data class ChangeMediaInputBody(
    /** What the picture shows, in words; empty for none */
    val alt: String,
) {
    internal fun json(): Map<String, Any> = present(
        "alt" to alt,
    )
}

data class ChangePushSubscriptionRequest(
    /** Types of notifications, by their names in Mastodon */
    val alerts: List<String>,
) {
    internal fun json(): Map<String, Any> = present(
        "alerts" to alerts,
    )
}

data class Consent(
    val consentedAt: Instant,
    val version: Long,
) {
    companion object {
        internal fun from(json: Any?): Consent {
            val o = fields(json)
            return Consent(
                consentedAt = time(o["consentedAt"]),
                version = whole(o["version"]),
            )
        }
    }
}

data class ConsentInputBody(
    /** Version of the terms that the caller has read */
    val version: Long,
) {
    internal fun json(): Map<String, Any> = present(
        "version" to version,
    )
}

data class Contact(
    val email: String? = null,
    val userId: String? = null,
) {
    companion object {
        internal fun from(json: Any?): Contact {
            val o = fields(json)
            return Contact(
                email = o["email"]?.let { value -> text(value) },
                userId = o["userId"]?.let { value -> text(value) },
            )
        }
    }
}

data class Conversation(
    /** Time of the last message */
    val changedAt: Instant,
    val createdAt: Instant,
    /** Whether nobody can write any more to this conversation of two. It does not tell why */
    val ended: Boolean,
    val id: String,
    /** Absent if the caller does not see it */
    val lastMessage: LastMessage? = null,
    /** All who ever were in it, also the caller */
    val members: List<ConversationMember>,
    /** Until when the caller gets no push; absent for no mute */
    val mutedUntil: Instant? = null,
    val myState: String,
    /** Empty without a name */
    val name: String,
    /** Whether it is of two users. It stays one when a user of several leaves */
    val pair: Boolean,
    /** Number of the last message that the caller has read: the last part of the ids of messages */
    val readUpTo: Long,
    /** Who began it, while the caller has not answered */
    val requestedBy: String? = null,
    /** Messages of others after readUpTo, those of hidden users with them; 0 until the caller consents */
    val unreadCount: Long,
) {
    companion object {
        internal fun from(json: Any?): Conversation {
            val o = fields(json)
            return Conversation(
                changedAt = time(o["changedAt"]),
                createdAt = time(o["createdAt"]),
                ended = flag(o["ended"]),
                id = text(o["id"]),
                lastMessage = o["lastMessage"]?.let { value -> LastMessage.from(value) },
                members = list(o["members"]) { ConversationMember.from(it) },
                mutedUntil = o["mutedUntil"]?.let { value -> time(value) },
                myState = text(o["myState"]),
                name = text(o["name"]),
                pair = flag(o["pair"]),
                readUpTo = whole(o["readUpTo"]),
                requestedBy = o["requestedBy"]?.let { value -> text(value) },
                unreadCount = whole(o["unreadCount"]),
            )
        }
    }
}

data class ConversationMember(
    val avatar: String,
    /** Whether the caller does not see this user in a conversation of several, because of a block in either direction; the names are empty then */
    val hidden: Boolean,
    val id: String,
    val nickname: String,
    /** requested: was asked for consent, and has not given it */
    val state: String,
    /** Empty for a deleted account, and so are nickname and avatar */
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): ConversationMember {
            val o = fields(json)
            return ConversationMember(
                avatar = text(o["avatar"]),
                hidden = flag(o["hidden"]),
                id = text(o["id"]),
                nickname = text(o["nickname"]),
                state = text(o["state"]),
                username = text(o["username"]),
            )
        }
    }
}

data class ConversationPatch(
    /** The caller gets no push until then; null ends the mute */
    val mutedUntil: Instant? = null,
    /** For all members of a conversation of several; empty for none */
    val name: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "mutedUntil" to mutedUntil?.toString(),
        "name" to name,
    )
}

data class CreateNoteRequest(
    val text: String,
) {
    internal fun json(): Map<String, Any> = present(
        "text" to text,
    )
}

data class CreatedMedia(
    /** What the picture shows, in words. A post copies it, and an edit of the post changes that copy */
    val alt: String,
    val animated: Boolean? = null,
    val blurhash: String? = null,
    val createdAt: Instant,
    val durationMs: Long? = null,
    /** When it is deleted, unless a post, a message, a profile or a product takes it before */
    val expiresAt: Instant? = null,
    /** Why it failed */
    val failure: String? = null,
    val height: Long? = null,
    val id: String,
    val kind: String,
    /** uploading: until the file has come and was looked at. ready: a post, a message, a profile or a product can take it. failed: it can not */
    val state: String,
    /** This and the following are there when it is ready */
    val type: String? = null,
    /** Where to send the file, by the resumable uploads of Cloud Storage */
    val upload: Upload,
    /** Signed until a post that everybody may see, a profile or a product, has taken it */
    val urls: MediaURLs? = null,
    /** Whether a post, a message, a profile or a product has taken it */
    val used: Boolean,
    val width: Long? = null,
) {
    companion object {
        internal fun from(json: Any?): CreatedMedia {
            val o = fields(json)
            return CreatedMedia(
                alt = text(o["alt"]),
                animated = o["animated"]?.let { value -> flag(value) },
                blurhash = o["blurhash"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                durationMs = o["durationMs"]?.let { value -> whole(value) },
                expiresAt = o["expiresAt"]?.let { value -> time(value) },
                failure = o["failure"]?.let { value -> text(value) },
                height = o["height"]?.let { value -> whole(value) },
                id = text(o["id"]),
                kind = text(o["kind"]),
                state = text(o["state"]),
                type = o["type"]?.let { value -> text(value) },
                upload = Upload.from(o["upload"]),
                urls = o["urls"]?.let { value -> MediaURLs.from(value) },
                used = flag(o["used"]),
                width = o["width"]?.let { value -> whole(value) },
            )
        }
    }
}

data class Decision(
    val act: String,
    /** Absent without an appeal */
    val appeal: OwnAppeal? = null,
    /** Until then the caller may appeal, once */
    val appealUntil: Instant,
    val at: Instant,
    val id: String,
    val tweetId: String? = null,
) {
    companion object {
        internal fun from(json: Any?): Decision {
            val o = fields(json)
            return Decision(
                act = text(o["act"]),
                appeal = o["appeal"]?.let { value -> OwnAppeal.from(value) },
                appealUntil = time(o["appealUntil"]),
                at = time(o["at"]),
                id = text(o["id"]),
                tweetId = o["tweetId"]?.let { value -> text(value) },
            )
        }
    }
}

data class Difference(
    /** Path of the document */
    val document: String,
    /** Name of the field; empty for the whole document */
    val field: String,
    /** The value in the database; null if there is none */
    val have: Any? = null,
    /** Collection of the document */
    val kind: String,
    /** Version of the document when the difference was found; empty if the field is no count */
    val version: String,
    /** The value that follows from the source documents; null if there should be none */
    val want: Any? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "document" to document,
        "field" to field,
        "have" to have,
        "kind" to kind,
        "version" to version,
        "want" to want,
    )

    companion object {
        internal fun from(json: Any?): Difference {
            val o = fields(json)
            return Difference(
                document = text(o["document"]),
                field = text(o["field"]),
                have = o["have"]?.let { value -> value },
                kind = text(o["kind"]),
                version = text(o["version"]),
                want = o["want"]?.let { value -> value },
            )
        }
    }
}

data class Differences(
    val items: List<Difference>,
) {
    companion object {
        internal fun from(json: Any?): Differences {
            val o = fields(json)
            return Differences(
                items = list(o["items"]) { Difference.from(it) },
            )
        }
    }
}

data class Draft(
    val allowLikes: Boolean,
    val allowQuotes: Boolean,
    val allowReplies: Boolean,
    /** Further recipients */
    val cc: List<String>? = null,
    /** Markdown */
    val content: String,
    val createdAt: Instant,
    /** Why the draft was not posted when it was due; absent otherwise, and after the next change */
    val failure: DraftFailure? = null,
    val id: String,
    /** BCP 47 tag of the content's language; absent if the author gave none */
    val language: String? = null,
    /** Ids of its media. They are kept for 90 days after the last change of the draft, or after publishAt */
    val media: List<String>? = null,
    val poll: NewPoll? = null,
    /** When the tweet is posted by itself; null for a draft that waits for the caller */
    val publishAt: Instant? = null,
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    val replyTo: String? = null,
    /** How often the draft was changed */
    val revision: Long,
    /** Content warning */
    val summary: String,
    /** Tags beside the hashtags in the content */
    val tags: List<String>,
    /** Recipients, the long form of visibility, with cc; absent if the author named no users */
    val to: List<String>? = null,
    val updatedAt: Instant,
    /** Absent for the default, as in a new tweet */
    val visibility: String? = null,
) {
    companion object {
        internal fun from(json: Any?): Draft {
            val o = fields(json)
            return Draft(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = text(o["content"]),
                createdAt = time(o["createdAt"]),
                failure = o["failure"]?.let { value -> DraftFailure.from(value) },
                id = text(o["id"]),
                language = o["language"]?.let { value -> text(value) },
                media = o["media"]?.let { value -> list(value) { text(it) } },
                poll = o["poll"]?.let { value -> NewPoll.from(value) },
                publishAt = o["publishAt"]?.let { value -> time(value) },
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = time(o["updatedAt"]),
                visibility = o["visibility"]?.let { value -> text(value) },
            )
        }
    }
}

data class DraftFailure(
    val at: Instant,
    /** What POST /v1/tweets would have answered, or account_frozen, account_suspended or too_late_to_publish */
    val code: String,
    val detail: String,
    /** When the tweet was to be posted */
    val publishAt: Instant,
) {
    companion object {
        internal fun from(json: Any?): DraftFailure {
            val o = fields(json)
            return DraftFailure(
                at = time(o["at"]),
                code = text(o["code"]),
                detail = text(o["detail"]),
                publishAt = time(o["publishAt"]),
            )
        }
    }
}

data class EditedTweet(
    val allowLikes: Boolean? = null,
    val allowQuotes: Boolean? = null,
    val allowReplies: Boolean? = null,
    /** Markdown; its #hashtags take the place of those of the former content */
    val content: String? = null,
    /** Why, for the audit log */
    val reason: String,
    /** Content warning; empty for none */
    val summary: String? = null,
    /** All tags beside the hashtags; if absent, those that the tweet has stay */
    val tags: List<String>? = null,
    /** Who may see the tweet from now on */
    val visibility: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "allowLikes" to allowLikes,
        "allowQuotes" to allowQuotes,
        "allowReplies" to allowReplies,
        "content" to content,
        "reason" to reason,
        "summary" to summary,
        "tags" to tags,
        "visibility" to visibility,
    )
}

data class EditedUser(
    val aiModel: String? = null,
    val aiPersonality: String? = null,
    /** Empty, or an https URL in ASCII without a user name */
    val avatar: String? = null,
    val blockStrangers: Boolean? = null,
    /** True if a program makes the posts */
    val bot: Boolean? = null,
    /** An empty list, to remove all fields */
    val fields: List<ProfileField>? = null,
    /** Empty, to take the wide picture off. Uploaded pictures that are taken off are deleted at once */
    val header: String? = null,
    val introduction: String? = null,
    /** True if the user decides who follows */
    val locked: Boolean? = null,
    /** The username if empty */
    val nickname: String? = null,
    val pronouns: String? = null,
    /** Why, for the audit log */
    val reason: String,
    val username: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "aiModel" to aiModel,
        "aiPersonality" to aiPersonality,
        "avatar" to avatar,
        "blockStrangers" to blockStrangers,
        "bot" to bot,
        "fields" to fields?.map { it.json() },
        "header" to header,
        "introduction" to introduction,
        "locked" to locked,
        "nickname" to nickname,
        "pronouns" to pronouns,
        "reason" to reason,
        "username" to username,
    )
}

data class Element(
    /** Any of href, src, alt, size, language, start and user */
    val attributes: Map<String, String>? = null,
    val children: List<Element>? = null,
    /** Name of the HTML element, hashtag or mention */
    val tag: String? = null,
    /** A text; or all of an element that has one text and nothing else */
    val text: String? = null,
    val type: String,
) {
    companion object {
        internal fun from(json: Any?): Element {
            val o = fields(json)
            return Element(
                attributes = o["attributes"]?.let { value -> map(value) { text(it) } },
                children = o["children"]?.let { value -> list(value) { Element.from(it) } },
                tag = o["tag"]?.let { value -> text(value) },
                text = o["text"]?.let { value -> text(value) },
                type = text(o["type"]),
            )
        }
    }
}

data class Event(
    val at: Instant,
    /** True if one of the two users had blocked the other when the event came, the user had switched this kind off, or it was taken back by then, so that it never was on a notification; absent otherwise */
    val dropped: Boolean? = null,
    val expireAt: Instant,
    val id: String,
    val payload: EventPayload,
    /** True until the event is on a notification */
    val pending: Boolean,
    val type: String,
    /** The notified user */
    val userId: String,
    /** True if the event was taken off its notification, since it was taken back, or the user blocked who did it; absent otherwise */
    val withdrawn: Boolean? = null,
) {
    companion object {
        internal fun from(json: Any?): Event {
            val o = fields(json)
            return Event(
                at = time(o["at"]),
                dropped = o["dropped"]?.let { value -> flag(value) },
                expireAt = time(o["expireAt"]),
                id = text(o["id"]),
                payload = EventPayload.from(o["payload"]),
                pending = flag(o["pending"]),
                type = text(o["type"]),
                userId = text(o["userId"]),
                withdrawn = o["withdrawn"]?.let { value -> flag(value) },
            )
        }
    }
}

data class EventPayload(
    /** The order that changed its state */
    val orderId: String? = null,
    /** The state that the order has since */
    val orderStatus: String? = null,
    /** The tweet that was quoted */
    val quoteOf: String? = null,
    /** The tweet that the reply answers */
    val replyTo: String? = null,
    /** Root tweet of the reply, or of the tweet that mentions */
    val rootId: String? = null,
    /** The tweet that was liked or shared, the reply, the quote, or the tweet that mentions */
    val tweetId: String? = null,
    /** The user who followed, liked, shared, quoted, replied or mentioned */
    val userId: String,
) {
    companion object {
        internal fun from(json: Any?): EventPayload {
            val o = fields(json)
            return EventPayload(
                orderId = o["orderId"]?.let { value -> text(value) },
                orderStatus = o["orderStatus"]?.let { value -> text(value) },
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                replyTo = o["replyTo"]?.let { value -> text(value) },
                rootId = o["rootId"]?.let { value -> text(value) },
                tweetId = o["tweetId"]?.let { value -> text(value) },
                userId = text(o["userId"]),
            )
        }
    }
}

data class Excerpt(
    val authorId: String,
    /** The caller's filters that the tweet matches; absent if there are none. One that hides is of a notification from before the filter */
    val filtered: List<FilterHit>? = null,
    /** Whether text is from the summary, which is a content warning */
    val isSummary: Boolean,
    /** What the tweet shows, without markup and in one line: its first 100 characters, or those of its summary if it has one */
    val text: String,
    /** The newest reply, quote or mention, or the tweet that was liked, shared or edited */
    val tweetId: String,
) {
    companion object {
        internal fun from(json: Any?): Excerpt {
            val o = fields(json)
            return Excerpt(
                authorId = text(o["authorId"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                isSummary = flag(o["isSummary"]),
                text = text(o["text"]),
                tweetId = text(o["tweetId"]),
            )
        }
    }
}

data class ExcerptPart(
    /** True for what q asks for */
    val hit: Boolean,
    val text: String,
) {
    companion object {
        internal fun from(json: Any?): ExcerptPart {
            val o = fields(json)
            return ExcerptPart(
                hit = flag(o["hit"]),
                text = text(o["text"]),
            )
        }
    }
}

data class Export(
    /** Zip files of JSON, which belong together; empty until the export is ready, and to a caller who must sign in again */
    val archives: List<ExportArchive>,
    /** When the archives are deleted */
    val expiresAt: Instant? = null,
    /** Why there will be no archives */
    val failure: String? = null,
    /** How many items are written so far, by kind */
    val items: Map<String, Long>,
    /** How many files of media are in no archive, because they have filled 250; their items in media have fileOmitted. Absent if there are none */
    val omittedFiles: Long? = null,
    /** When the export was ready, or failed */
    val readyAt: Instant? = null,
    /** The archives are there: sign in again, and ask with the new ID token within 5 minutes */
    val signInAgain: Boolean,
    val startedAt: Instant,
    /** writing: archives are being written. ready: they can be downloaded. failed: there will be none. */
    val state: String,
) {
    companion object {
        internal fun from(json: Any?): Export {
            val o = fields(json)
            return Export(
                archives = list(o["archives"]) { ExportArchive.from(it) },
                expiresAt = o["expiresAt"]?.let { value -> time(value) },
                failure = o["failure"]?.let { value -> text(value) },
                items = map(o["items"]) { whole(it) },
                omittedFiles = o["omittedFiles"]?.let { value -> whole(value) },
                readyAt = o["readyAt"]?.let { value -> time(value) },
                signInAgain = flag(o["signInAgain"]),
                startedAt = time(o["startedAt"]),
                state = text(o["state"]),
            )
        }
    }
}

data class ExportArchive(
    val bytes: Long,
    /** When the link expires */
    val expiresAt: Instant,
    /** Where anybody who has the link can download the archive, until expiresAt; ask again for a new link */
    val url: String,
) {
    companion object {
        internal fun from(json: Any?): ExportArchive {
            val o = fields(json)
            return ExportArchive(
                bytes = whole(o["bytes"]),
                expiresAt = time(o["expiresAt"]),
                url = text(o["url"]),
            )
        }
    }
}

data class FamiliarFollowers(
    /** False if there may be more than were found: the user has more than 200 followers, and the caller follows many */
    val complete: Boolean,
    /** How many were found */
    val count: Long,
    /** Up to 10 of them, those whom the caller followed last first */
    val items: List<UserSummary>,
) {
    companion object {
        internal fun from(json: Any?): FamiliarFollowers {
            val o = fields(json)
            return FamiliarFollowers(
                complete = flag(o["complete"]),
                count = whole(o["count"]),
                items = list(o["items"]) { UserSummary.from(it) },
            )
        }
    }
}

data class FediverseDomain(
    val at: Instant,
    val by: String,
    /** With its subdomains */
    val domain: String,
    val privateComment: String,
    val publicComment: String,
    val rejectMedia: Boolean,
    val rejectReports: Boolean,
    val severity: String,
) {
    companion object {
        internal fun from(json: Any?): FediverseDomain {
            val o = fields(json)
            return FediverseDomain(
                at = time(o["at"]),
                by = text(o["by"]),
                domain = text(o["domain"]),
                privateComment = text(o["privateComment"]),
                publicComment = text(o["publicComment"]),
                rejectMedia = flag(o["rejectMedia"]),
                rejectReports = flag(o["rejectReports"]),
                severity = text(o["severity"]),
            )
        }
    }
}

data class FediverseDomainList(
    /** As Mastodon exports it: the first line names the columns, such as #domain,#severity,#reject_media,#reject_reports,#public_comment; at most 10000 rows */
    val csv: String,
) {
    internal fun json(): Map<String, Any> = present(
        "csv" to csv,
    )
}

data class FediverseDomains(
    /** By name */
    val items: List<FediverseDomain>,
    /** The after of the next page; empty on the last one */
    val next: String,
    /** Whether only domains with the severity allow are let in */
    val only: Boolean,
    /** How many there are in all, at most 20000 */
    val total: Long,
) {
    companion object {
        internal fun from(json: Any?): FediverseDomains {
            val o = fields(json)
            return FediverseDomains(
                items = list(o["items"]) { FediverseDomain.from(it) },
                next = text(o["next"]),
                only = flag(o["only"]),
                total = whole(o["total"]),
            )
        }
    }
}

data class FediverseImport(
    val added: Long,
    /** Domains whose rule was as strict before */
    val kept: Long,
    /** Lines that name no domain or no severity, at most 20 */
    val skipped: List<Long>,
    /** Domains that had a rule, and have a stricter one now */
    val stricter: Long,
) {
    companion object {
        internal fun from(json: Any?): FediverseImport {
            val o = fields(json)
            return FediverseImport(
                added = whole(o["added"]),
                kept = whole(o["kept"]),
                skipped = list(o["skipped"]) { whole(it) },
                stricter = whole(o["stricter"]),
            )
        }
    }
}

data class FieldError(
    /** The part of the request (body, query, path or header) and its field */
    val location: String,
    /** What the API expects there, with the limit */
    val message: String,
) {
    companion object {
        internal fun from(json: Any?): FieldError {
            val o = fields(json)
            return FieldError(
                location = text(o["location"]),
                message = text(o["message"]),
            )
        }
    }
}

data class Filter(
    /** hide: lists leave the tweet out, and a reply, quote or mention makes no notification. warn: the tweet has filtered, and clients fold it */
    val action: String,
    /** Where the filter acts: home has the home timeline and timelines of lists of people; public has the public timeline, and the tweets of tags, searches and trends; thread has threads, replies and quotes; profile has a user's tweets, likes, shares and pins */
    val contexts: List<String>,
    val createdAt: Instant,
    /** When the filter ends; absent for a filter without an end. An ended filter stays, and does nothing */
    val expiresAt: Instant? = null,
    val id: String,
    /** A tweet matches that has one of them in the first 280 characters of its content, in its content warning or in an option of its poll, or as a tag. Capitals and the widths of letters make no difference */
    val keywords: List<FilterKeyword>,
    val title: String,
    /** For If-Match, in quotation marks; a change of the filter changes it */
    val version: String,
) {
    companion object {
        internal fun from(json: Any?): Filter {
            val o = fields(json)
            return Filter(
                action = text(o["action"]),
                contexts = list(o["contexts"]) { text(it) },
                createdAt = time(o["createdAt"]),
                expiresAt = o["expiresAt"]?.let { value -> time(value) },
                id = text(o["id"]),
                keywords = list(o["keywords"]) { FilterKeyword.from(it) },
                title = text(o["title"]),
                version = text(o["version"]),
            )
        }
    }
}

data class FilterBody(
    /** hide: lists leave the tweet out, and a reply, quote or mention makes no notification. warn: the tweet has filtered, and clients fold it */
    val action: String,
    /** Where the filter acts: home has the home timeline and timelines of lists of people; public has the public timeline, and the tweets of tags, searches and trends; thread has threads, replies and quotes; profile has a user's tweets, likes, shares and pins */
    val contexts: List<String>,
    /** When the filter ends; absent for a filter without an end. An ended filter stays, and does nothing */
    val expiresAt: Instant? = null,
    /** A tweet matches that has one of them in the first 280 characters of its content, in its content warning or in an option of its poll, or as a tag. Capitals and the widths of letters make no difference */
    val keywords: List<FilterKeyword>,
    val title: String,
) {
    internal fun json(): Map<String, Any> = present(
        "action" to action,
        "contexts" to contexts,
        "expiresAt" to expiresAt?.toString(),
        "keywords" to keywords.map { it.json() },
        "title" to title,
    )
}

data class FilterHit(
    /** warn: a client folds the tweet, and shows the title. hide only where the caller asks for the tweet itself: lists leave such a tweet out */
    val action: String,
    /** Where the filter acts */
    val contexts: List<String>,
    /** When the filter ends; absent for a filter without an end */
    val expiresAt: Instant? = null,
    val filterId: String,
    /** The first keyword of the filter that the tweet has */
    val keyword: String,
    /** Title of the filter */
    val title: String,
) {
    companion object {
        internal fun from(json: Any?): FilterHit {
            val o = fields(json)
            return FilterHit(
                action = text(o["action"]),
                contexts = list(o["contexts"]) { text(it) },
                expiresAt = o["expiresAt"]?.let { value -> time(value) },
                filterId = text(o["filterId"]),
                keyword = text(o["keyword"]),
                title = text(o["title"]),
            )
        }
    }
}

data class FilterKeyword(
    /** Names the keyword within its filter, and stays when its text changes. Absent in a request for a new keyword; one without an id whose text the filter has keeps the id of that */
    val id: String? = null,
    /** A text of at most 100 characters. One that begins with # must be a tag, and matches that tag alone */
    val keyword: String,
    /** Whether the keyword must begin and end between words. In scripts without spaces, such as Chinese, Japanese and Thai, each character is a word, but katakana stay together */
    val wholeWord: Boolean? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "id" to id,
        "keyword" to keyword,
        "wholeWord" to wholeWord,
    )

    companion object {
        internal fun from(json: Any?): FilterKeyword {
            val o = fields(json)
            return FilterKeyword(
                id = o["id"]?.let { value -> text(value) },
                keyword = text(o["keyword"]),
                wholeWord = o["wholeWord"]?.let { value -> flag(value) },
            )
        }
    }
}

data class FilteredNotification(
    val at: Instant,
    /** The tweet that was liked or shared, the reply or quote, or the tweet that mentions */
    val tweetId: String? = null,
    val type: String,
) {
    companion object {
        internal fun from(json: Any?): FilteredNotification {
            val o = fields(json)
            return FilteredNotification(
                at = time(o["at"]),
                tweetId = o["tweetId"]?.let { value -> text(value) },
                type = text(o["type"]),
            )
        }
    }
}

data class Followed(
    /** Whether the caller follows the user */
    val following: Boolean,
    /** Whether the caller asks to follow the user, who is locked and has not answered */
    val requested: Boolean,
) {
    companion object {
        internal fun from(json: Any?): Followed {
            val o = fields(json)
            return Followed(
                following = flag(o["following"]),
                requested = flag(o["requested"]),
            )
        }
    }
}

data class FollowedTag(
    /** The tag as the caller typed it */
    val content: String,
    val followedAt: Instant,
    /** Key of the tag */
    val name: String,
) {
    companion object {
        internal fun from(json: Any?): FollowedTag {
            val o = fields(json)
            return FollowedTag(
                content = text(o["content"]),
                followedAt = time(o["followedAt"]),
                name = text(o["name"]),
            )
        }
    }
}

data class FoundMessage(
    val conversationId: String,
    val message: Message,
) {
    companion object {
        internal fun from(json: Any?): FoundMessage {
            val o = fields(json)
            return FoundMessage(
                conversationId = text(o["conversationId"]),
                message = Message.from(o["message"]),
            )
        }
    }
}

data class FoundTweet(
    val allowLikes: Boolean,
    /** False if quotePolicy is nobody */
    val allowQuotes: Boolean,
    /** False if replyPolicy is nobody */
    val allowReplies: Boolean,
    val author: Author,
    val authorId: String,
    /** True if the caller keeps the tweet as a bookmark; nobody else learns of it */
    val bookmarked: Boolean,
    /** Further recipients; absent if there are none, and from lists */
    val cc: List<String>? = null,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** What stands around the first hit, at most 160 characters, without Markdown; the content warning comes first */
    val excerpt: List<ExcerptPart>,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none */
    val filtered: List<FilterHit>? = null,
    /** True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise */
    val flagged: Boolean? = null,
    /** True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise */
    val folded: Boolean? = null,
    /** The content as safe HTML; a tweet read by itself has it with format=html */
    val html: String? = null,
    val id: String,
    /** BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown */
    val language: String,
    /** Number of characters of the content */
    val length: Long,
    val likeCount: Long,
    /** True if the caller likes the tweet */
    val liked: Boolean,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** Whom the content mentions; absent if nobody */
    val mentions: List<Mention>? = null,
    /** The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true */
    val poll: Poll? = null,
    val quoteCount: Long,
    /** Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none */
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise */
    val quoteWithdrawn: Boolean? = null,
    /** Where the post is, if it is of another server; absent from others */
    val remote: Remote? = null,
    /** Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits */
    val repliesHeldBy: String? = null,
    val replyCount: Long,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** Id of the tweet that this tweet answers; null for a root tweet */
    val replyTo: String? = null,
    /** Who wrote the tweet that this tweet answers; absent from a root tweet */
    val replyToAuthorId: String? = null,
    /** How often the tweet was edited; so many revisions are kept */
    val revision: Long,
    /** Id of the tweet that began the thread */
    val rootId: String,
    val shareCount: Long,
    /** True if the caller shares the tweet */
    val shared: Boolean,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    /** Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself */
    val to: List<String>? = null,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    /** Who may see the tweet */
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): FoundTweet {
            val o = fields(json)
            return FoundTweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                bookmarked = flag(o["bookmarked"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                excerpt = list(o["excerpt"]) { ExcerptPart.from(it) },
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                flagged = o["flagged"]?.let { value -> flag(value) },
                folded = o["folded"]?.let { value -> flag(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                language = text(o["language"]),
                length = whole(o["length"]),
                likeCount = whole(o["likeCount"]),
                liked = flag(o["liked"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                mentions = o["mentions"]?.let { value -> list(value) { Mention.from(it) } },
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteCount = whole(o["quoteCount"]),
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                repliesHeldBy = o["repliesHeldBy"]?.let { value -> text(value) },
                replyCount = whole(o["replyCount"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                replyToAuthorId = o["replyToAuthorId"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = whole(o["shareCount"]),
                shared = flag(o["shared"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class Gist(
    /** Label of the model */
    val model: String,
    /** Plain text of at most 600 characters. A model wrote it, and it may be wrong */
    val text: String,
) {
    companion object {
        internal fun from(json: Any?): Gist {
            val o = fields(json)
            return Gist(
                model = text(o["model"]),
                text = text(o["text"]),
            )
        }
    }
}

data class HeldNotice(
    val createdAt: Instant,
    /** When it is deleted, unless it is approved before */
    val expiresAt: Instant,
    /** Always true: the reply is no tweet yet */
    val held: Boolean,
    /** Id of the held reply */
    val id: String,
) {
    companion object {
        internal fun from(json: Any?): HeldNotice {
            val o = fields(json)
            return HeldNotice(
                createdAt = time(o["createdAt"]),
                expiresAt = time(o["expiresAt"]),
                held = flag(o["held"]),
                id = text(o["id"]),
            )
        }
    }
}

data class HeldReply(
    /** The author's profile as it is now */
    val author: Author,
    val authorId: String,
    /** Further recipients */
    val cc: List<String>? = null,
    /** Markdown */
    val content: String,
    val createdAt: Instant,
    val expiresAt: Instant,
    val id: String,
    /** Its pictures, or its video, with signed addresses */
    val media: List<TweetMedia>? = null,
    /** Its poll opens when the reply is approved */
    val poll: NewPoll? = null,
    val quoteOf: String? = null,
    /** Id of the tweet that it answers, which may be gone by now */
    val replyTo: String,
    /** Who approves or refuses it */
    val rootAuthorId: String,
    val rootId: String,
    /** Content warning */
    val summary: String,
    /** Tags beside the hashtags in the content */
    val tags: List<String>,
    /** Recipients, the long form of visibility, with cc; absent if the author named no users */
    val to: List<String>? = null,
    /** Who will see the tweet */
    val visibility: String? = null,
) {
    companion object {
        internal fun from(json: Any?): HeldReply {
            val o = fields(json)
            return HeldReply(
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = text(o["content"]),
                createdAt = time(o["createdAt"]),
                expiresAt = time(o["expiresAt"]),
                id = text(o["id"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                poll = o["poll"]?.let { value -> NewPoll.from(value) },
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                replyTo = text(o["replyTo"]),
                rootAuthorId = text(o["rootAuthorId"]),
                rootId = text(o["rootId"]),
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                visibility = o["visibility"]?.let { value -> text(value) },
            )
        }
    }
}

data class HomePage(
    val items: List<HomeTweet>,
    /** The after of the next question, which asks for what is newer than this page and what mutes and filters leave out of it; empty if there is nothing on the timeline */
    val newest: String,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): HomePage {
            val o = fields(json)
            return HomePage(
                items = list(o["items"]) { HomeTweet.from(it) },
                newest = text(o["newest"]),
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class HomeStruct(
    /** The newest tweet that the caller has seen */
    val lastReadId: String,
    /** The version that the client has read: if the marker has another by now, and would move, the answer is 409 marker_conflict. 0 or absent if it does not matter */
    val version: Long? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "lastReadId" to lastReadId,
        "version" to version,
    )
}

data class HomeTweet(
    val allowLikes: Boolean,
    /** False if quotePolicy is nobody */
    val allowQuotes: Boolean,
    /** False if replyPolicy is nobody */
    val allowReplies: Boolean,
    val author: Author,
    val authorId: String,
    /** True if the caller keeps the tweet as a bookmark; nobody else learns of it */
    val bookmarked: Boolean,
    /** Further recipients; absent if there are none, and from lists */
    val cc: List<String>? = null,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none */
    val filtered: List<FilterHit>? = null,
    /** True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise */
    val flagged: Boolean? = null,
    /** True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise */
    val folded: Boolean? = null,
    /** The content as safe HTML; a tweet read by itself has it with format=html */
    val html: String? = null,
    val id: String,
    /** What the tweet answers; absent from a tweet that answers none, and where what it answers is gone or hidden from the caller */
    val inReplyTo: Answered? = null,
    /** BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown */
    val language: String,
    /** Number of characters of the content */
    val length: Long,
    val likeCount: Long,
    /** True if the caller likes the tweet */
    val liked: Boolean,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** Whom the content mentions; absent if nobody */
    val mentions: List<Mention>? = null,
    /** The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true */
    val poll: Poll? = null,
    val quoteCount: Long,
    /** Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none */
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise */
    val quoteWithdrawn: Boolean? = null,
    /** Where the post is, if it is of another server; absent from others */
    val remote: Remote? = null,
    /** Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits */
    val repliesHeldBy: String? = null,
    val replyCount: Long,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** Id of the tweet that this tweet answers; null for a root tweet */
    val replyTo: String? = null,
    /** Who wrote the tweet that this tweet answers; absent from a root tweet */
    val replyToAuthorId: String? = null,
    /** How often the tweet was edited; so many revisions are kept */
    val revision: Long,
    /** Id of the tweet that began the thread */
    val rootId: String,
    val shareCount: Long,
    /** True if the caller shares the tweet */
    val shared: Boolean,
    /** Who brought the tweet here; absent from a tweet that stands at its own time */
    val sharedBy: Sharer? = null,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    /** Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself */
    val to: List<String>? = null,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    /** Key of the followed tag by which the tweet came; absent from a tweet that comes by its author or a share */
    val viaTag: String? = null,
    /** Who may see the tweet */
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): HomeTweet {
            val o = fields(json)
            return HomeTweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                bookmarked = flag(o["bookmarked"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                flagged = o["flagged"]?.let { value -> flag(value) },
                folded = o["folded"]?.let { value -> flag(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                inReplyTo = o["inReplyTo"]?.let { value -> Answered.from(value) },
                language = text(o["language"]),
                length = whole(o["length"]),
                likeCount = whole(o["likeCount"]),
                liked = flag(o["liked"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                mentions = o["mentions"]?.let { value -> list(value) { Mention.from(it) } },
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteCount = whole(o["quoteCount"]),
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                repliesHeldBy = o["repliesHeldBy"]?.let { value -> text(value) },
                replyCount = whole(o["replyCount"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                replyToAuthorId = o["replyToAuthorId"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = whole(o["shareCount"]),
                shared = flag(o["shared"]),
                sharedBy = o["sharedBy"]?.let { value -> Sharer.from(value) },
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                viaTag = o["viaTag"]?.let { value -> text(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class ImportedTweet(
    val allowLikes: Boolean? = null,
    val allowQuotes: Boolean? = null,
    val allowReplies: Boolean? = null,
    /** Markdown; its #hashtags become tags */
    val content: String,
    /** Id of an imported tweet, which also says its time: the first 2 digits of the SHA-256 of the uid, and 16 that are a zero bit, 43 bits of Unix milliseconds and 20 bits of any value. It is not of the future. An imported tweet notifies nobody. A new tweet of this moment if absent; only a request with an id can be repeated */
    val id: String? = null,
    /** BCP 47 tag of the content's language */
    val language: String? = null,
    /** Id of the tweet that this tweet quotes */
    val quoteOf: String? = null,
    /** Why, for the audit log */
    val reason: String,
    /** Id of the tweet that this tweet answers */
    val replyTo: String? = null,
    /** Content warning */
    val summary: String? = null,
    /** Tags of at most 50 characters each; at most 10 tags together with the hashtags */
    val tags: List<String>? = null,
    /** As in a new tweet of the user */
    val visibility: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "allowLikes" to allowLikes,
        "allowQuotes" to allowQuotes,
        "allowReplies" to allowReplies,
        "content" to content,
        "id" to id,
        "language" to language,
        "quoteOf" to quoteOf,
        "reason" to reason,
        "replyTo" to replyTo,
        "summary" to summary,
        "tags" to tags,
        "visibility" to visibility,
    )
}

data class ImportedUser(
    val aiModel: String? = null,
    val aiPersonality: String? = null,
    /** Empty, or an https URL in ASCII without a user name */
    val avatar: String? = null,
    val blockStrangers: Boolean? = null,
    /** Address to sign in with; if absent, nobody can sign in */
    val email: String? = null,
    /** True if the address needs no confirmation */
    val emailVerified: Boolean? = null,
    /** Markdown */
    val introduction: String? = null,
    /** True if the user decides who follows */
    val locked: Boolean? = null,
    /** The username if absent */
    val nickname: String? = null,
    /** Password for the address; a random one that nobody knows if absent. A repetition does not change it, and no answer and no log has it */
    val password: String? = null,
    /** Why, for the audit log */
    val reason: String,
    /** Uid of the account; a new one if absent. Only a request with one can be repeated */
    val uid: String? = null,
    /** a–z, 0–9 and _ */
    val username: String,
) {
    internal fun json(): Map<String, Any> = present(
        "aiModel" to aiModel,
        "aiPersonality" to aiPersonality,
        "avatar" to avatar,
        "blockStrangers" to blockStrangers,
        "email" to email,
        "emailVerified" to emailVerified,
        "introduction" to introduction,
        "locked" to locked,
        "nickname" to nickname,
        "password" to password,
        "reason" to reason,
        "uid" to uid,
        "username" to username,
    )
}

data class Instance(
    /** Whether an administrator approves each sign-up without an invitation */
    val approvalNeeded: Boolean,
    val contact: Contact,
    /** Markdown */
    val description: String,
    /** The description as safe HTML; present with format=html, unless it is empty */
    val descriptionHtml: String? = null,
    /** Whether users and posts of other servers of the fediverse are here, and those of here on them */
    val federation: Boolean,
    /** Whether a sign-up needs an invitation: 403 invitation_required otherwise */
    val invitationNeeded: Boolean,
    /** BCP 47 tags, the main one first */
    val languages: List<String>,
    val limits: InstanceLimits,
    /** Empty until an administrator sets it */
    val name: String,
    /** Plain texts */
    val rules: List<String>,
    /** Absent without terms */
    val terms: Terms? = null,
    /** Whether users must consent to the terms before they write: 403 terms_required otherwise */
    val termsNeeded: Boolean,
    /** null until the first change */
    val updatedAt: Instant? = null,
    /** Version of the software */
    val version: String,
) {
    companion object {
        internal fun from(json: Any?): Instance {
            val o = fields(json)
            return Instance(
                approvalNeeded = flag(o["approvalNeeded"]),
                contact = Contact.from(o["contact"]),
                description = text(o["description"]),
                descriptionHtml = o["descriptionHtml"]?.let { value -> text(value) },
                federation = flag(o["federation"]),
                invitationNeeded = flag(o["invitationNeeded"]),
                languages = list(o["languages"]) { text(it) },
                limits = InstanceLimits.from(o["limits"]),
                name = text(o["name"]),
                rules = list(o["rules"]) { text(it) },
                terms = o["terms"]?.let { value -> Terms.from(value) },
                termsNeeded = flag(o["termsNeeded"]),
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                version = text(o["version"]),
            )
        }
    }
}

data class InstanceLimits(
    /** Characters of a tweet */
    val content: Long,
    /** Members of a conversation */
    val conversationMembers: Long,
    /** Drafts of a user */
    val drafts: Long,
    val filters: Long,
    val followedTags: Long,
    val imageBytes: Long,
    val introduction: Long,
    val listMembers: Long,
    /** Lists of a user */
    val lists: Long,
    val maxPollMinutes: Long,
    /** Pictures of a tweet */
    val media: Long,
    /** Characters that describe a picture */
    val mediaAlt: Long,
    /** Users whom a tweet mentions */
    val mentions: Long,
    /** Characters of a message */
    val message: Long,
    val minPollMinutes: Long,
    val nickname: Long,
    /** Tags on a profile */
    val pinnedTags: Long,
    /** Pinned tweets of a user */
    val pins: Long,
    /** Characters of an option */
    val pollOption: Long,
    val pollOptions: Long,
    /** Edits of a tweet */
    val revisions: Long,
    val summary: Long,
    /** Tags of a tweet */
    val tags: Long,
    val videoBytes: Long,
) {
    companion object {
        internal fun from(json: Any?): InstanceLimits {
            val o = fields(json)
            return InstanceLimits(
                content = whole(o["content"]),
                conversationMembers = whole(o["conversationMembers"]),
                drafts = whole(o["drafts"]),
                filters = whole(o["filters"]),
                followedTags = whole(o["followedTags"]),
                imageBytes = whole(o["imageBytes"]),
                introduction = whole(o["introduction"]),
                listMembers = whole(o["listMembers"]),
                lists = whole(o["lists"]),
                maxPollMinutes = whole(o["maxPollMinutes"]),
                media = whole(o["media"]),
                mediaAlt = whole(o["mediaAlt"]),
                mentions = whole(o["mentions"]),
                message = whole(o["message"]),
                minPollMinutes = whole(o["minPollMinutes"]),
                nickname = whole(o["nickname"]),
                pinnedTags = whole(o["pinnedTags"]),
                pins = whole(o["pins"]),
                pollOption = whole(o["pollOption"]),
                pollOptions = whole(o["pollOptions"]),
                revisions = whole(o["revisions"]),
                summary = whole(o["summary"]),
                tags = whole(o["tags"]),
                videoBytes = whole(o["videoBytes"]),
            )
        }
    }
}

data class InstancePatch(
    /** True if a sign-up without an invitation waits for an administrator */
    val approvalNeeded: Boolean? = null,
    /** Empty for none */
    val contactEmail: String? = null,
    /** Id of a user; empty for none */
    val contactUser: String? = null,
    /** Markdown */
    val description: String? = null,
    /** True if nobody signs up without an invitation */
    val invitationNeeded: Boolean? = null,
    /** BCP 47 tags; an empty list removes all */
    val languages: List<String>? = null,
    val name: String? = null,
    /** Plain texts of 500 characters; an empty list removes all */
    val rules: List<String>? = null,
    /** True if the new text says the same, so that the version stays */
    val sameTerms: Boolean? = null,
    /** Markdown; empty for none. Another text is a new version, to which users consent anew */
    val terms: String? = null,
    /** True if users must consent to the terms before they write */
    val termsNeeded: Boolean? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "approvalNeeded" to approvalNeeded,
        "contactEmail" to contactEmail,
        "contactUser" to contactUser,
        "description" to description,
        "invitationNeeded" to invitationNeeded,
        "languages" to languages,
        "name" to name,
        "rules" to rules,
        "sameTerms" to sameTerms,
        "terms" to terms,
        "termsNeeded" to termsNeeded,
    )
}

data class Invitation(
    /** The administrator who made it */
    val by: String,
    /** Whoever has it may sign up */
    val code: String,
    val createdAt: Instant,
    val expireAt: Instant,
    val maxUses: Long,
    val note: String,
    /** How many people have signed up by it */
    val uses: Long,
) {
    companion object {
        internal fun from(json: Any?): Invitation {
            val o = fields(json)
            return Invitation(
                by = text(o["by"]),
                code = text(o["code"]),
                createdAt = time(o["createdAt"]),
                expireAt = time(o["expireAt"]),
                maxUses = whole(o["maxUses"]),
                note = text(o["note"]),
                uses = whole(o["uses"]),
            )
        }
    }
}

data class LastMessage(
    val authorId: String,
    val createdAt: Instant,
    /** First 100 characters */
    val excerpt: String,
    val hasMedia: Boolean,
    val id: String,
    val takenBack: Boolean,
) {
    companion object {
        internal fun from(json: Any?): LastMessage {
            val o = fields(json)
            return LastMessage(
                authorId = text(o["authorId"]),
                createdAt = time(o["createdAt"]),
                excerpt = text(o["excerpt"]),
                hasMedia = flag(o["hasMedia"]),
                id = text(o["id"]),
                takenBack = flag(o["takenBack"]),
            )
        }
    }
}

data class Leaving(
    /** When nothing was left */
    val clearedAt: Instant? = null,
    val endedAt: Instant? = null,
    /** Names the account deletion; anyone who has it may read how far the deletion is */
    val id: String,
    /** About how many documents were removed so far, by collection */
    val removed: Map<String, Long>,
    val startedAt: Instant,
    /** removing: documents are being removed. checking: nothing is left, and a last pass follows a day later. done: the account deletion is complete. */
    val state: String,
) {
    companion object {
        internal fun from(json: Any?): Leaving {
            val o = fields(json)
            return Leaving(
                clearedAt = o["clearedAt"]?.let { value -> time(value) },
                endedAt = o["endedAt"]?.let { value -> time(value) },
                id = text(o["id"]),
                removed = map(o["removed"]) { whole(it) },
                startedAt = time(o["startedAt"]),
                state = text(o["state"]),
            )
        }
    }
}

data class LikedTweet(
    val allowLikes: Boolean,
    /** False if quotePolicy is nobody */
    val allowQuotes: Boolean,
    /** False if replyPolicy is nobody */
    val allowReplies: Boolean,
    val author: Author,
    val authorId: String,
    /** True if the caller keeps the tweet as a bookmark; nobody else learns of it */
    val bookmarked: Boolean,
    /** Further recipients; absent if there are none, and from lists */
    val cc: List<String>? = null,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none */
    val filtered: List<FilterHit>? = null,
    /** True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise */
    val flagged: Boolean? = null,
    /** True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise */
    val folded: Boolean? = null,
    /** The content as safe HTML; a tweet read by itself has it with format=html */
    val html: String? = null,
    val id: String,
    /** BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown */
    val language: String,
    /** Number of characters of the content */
    val length: Long,
    val likeCount: Long,
    /** True if the caller likes the tweet */
    val liked: Boolean,
    val likedAt: Instant,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** Whom the content mentions; absent if nobody */
    val mentions: List<Mention>? = null,
    /** The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true */
    val poll: Poll? = null,
    val quoteCount: Long,
    /** Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none */
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise */
    val quoteWithdrawn: Boolean? = null,
    /** Where the post is, if it is of another server; absent from others */
    val remote: Remote? = null,
    /** Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits */
    val repliesHeldBy: String? = null,
    val replyCount: Long,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** Id of the tweet that this tweet answers; null for a root tweet */
    val replyTo: String? = null,
    /** Who wrote the tweet that this tweet answers; absent from a root tweet */
    val replyToAuthorId: String? = null,
    /** How often the tweet was edited; so many revisions are kept */
    val revision: Long,
    /** Id of the tweet that began the thread */
    val rootId: String,
    val shareCount: Long,
    /** True if the caller shares the tweet */
    val shared: Boolean,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    /** Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself */
    val to: List<String>? = null,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    /** Who may see the tweet */
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): LikedTweet {
            val o = fields(json)
            return LikedTweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                bookmarked = flag(o["bookmarked"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                flagged = o["flagged"]?.let { value -> flag(value) },
                folded = o["folded"]?.let { value -> flag(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                language = text(o["language"]),
                length = whole(o["length"]),
                likeCount = whole(o["likeCount"]),
                liked = flag(o["liked"]),
                likedAt = time(o["likedAt"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                mentions = o["mentions"]?.let { value -> list(value) { Mention.from(it) } },
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteCount = whole(o["quoteCount"]),
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                repliesHeldBy = o["repliesHeldBy"]?.let { value -> text(value) },
                replyCount = whole(o["replyCount"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                replyToAuthorId = o["replyToAuthorId"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = whole(o["shareCount"]),
                shared = flag(o["shared"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class LinkCard(
    val author: String? = null,
    /** At most 500 characters */
    val description: String? = null,
    val fetchedAt: Instant,
    /** Host of the address */
    val host: String,
    /** BCP 47 tag */
    val language: String? = null,
    /** Absent from a page without */
    val picture: LinkPicture? = null,
    val siteName: String? = null,
    /** At most 200 characters */
    val title: String,
    /** Address of the page, as its card has it: without a fragment */
    val url: String,
) {
    companion object {
        internal fun from(json: Any?): LinkCard {
            val o = fields(json)
            return LinkCard(
                author = o["author"]?.let { value -> text(value) },
                description = o["description"]?.let { value -> text(value) },
                fetchedAt = time(o["fetchedAt"]),
                host = text(o["host"]),
                language = o["language"]?.let { value -> text(value) },
                picture = o["picture"]?.let { value -> LinkPicture.from(value) },
                siteName = o["siteName"]?.let { value -> text(value) },
                title = text(o["title"]),
                url = text(o["url"]),
            )
        }
    }
}

data class LinkCardFound(
    /** Absent if the address has none, or not yet */
    val card: LinkCard? = null,
) {
    companion object {
        internal fun from(json: Any?): LinkCardFound {
            val o = fields(json)
            return LinkCardFound(
                card = o["card"]?.let { value -> LinkCard.from(value) },
            )
        }
    }
}

data class LinkPicture(
    val contentType: String,
    /** The file in base64, at most 48 KiB before that */
    val data: String,
    /** At most 400 */
    val height: Long,
    /** At most 400 */
    val width: Long,
) {
    companion object {
        internal fun from(json: Any?): LinkPicture {
            val o = fields(json)
            return LinkPicture(
                contentType = text(o["contentType"]),
                data = text(o["data"]),
                height = whole(o["height"]),
                width = whole(o["width"]),
            )
        }
    }
}

data class ListAction(
    val items: List<Action>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListAction {
            val o = fields(json)
            return ListAction(
                items = list(o["items"]) { Action.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListAgent(
    val items: List<Agent>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListAgent {
            val o = fields(json)
            return ListAgent(
                items = list(o["items"]) { Agent.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListAgentAct(
    val items: List<AgentAct>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListAgentAct {
            val o = fields(json)
            return ListAgentAct(
                items = list(o["items"]) { AgentAct.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListAnnouncement(
    val items: List<Announcement>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListAnnouncement {
            val o = fields(json)
            return ListAnnouncement(
                items = list(o["items"]) { Announcement.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListAppeal(
    val items: List<Appeal>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListAppeal {
            val o = fields(json)
            return ListAppeal(
                items = list(o["items"]) { Appeal.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListAuthoredTweet(
    val items: List<AuthoredTweet>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListAuthoredTweet {
            val o = fields(json)
            return ListAuthoredTweet(
                items = list(o["items"]) { AuthoredTweet.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListBookmarkedTweet(
    val items: List<BookmarkedTweet>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListBookmarkedTweet {
            val o = fields(json)
            return ListBookmarkedTweet(
                items = list(o["items"]) { BookmarkedTweet.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListChange(
    /** Plain text for those who see a public list, of at most 500 characters */
    val description: String? = null,
    /** Whether the caller's home timeline leaves out what the members write and share. 5 lists at most are exclusive; beyond that the answer is 409 too_many_exclusive_lists */
    val exclusive: Boolean? = null,
    /** Which replies of members the timeline has: to users whom its reader follows, to members of the list, which is the default, or none. Replies of members to themselves and to the reader are always there */
    val repliesPolicy: String? = null,
    /** Plain text that shows something, of 1 to 60 characters */
    val title: String? = null,
    /** private, which is the default: nobody else learns of the list. public: everybody may read it and its members, but for those with a block between them and the caller */
    val visibility: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "description" to description,
        "exclusive" to exclusive,
        "repliesPolicy" to repliesPolicy,
        "title" to title,
        "visibility" to visibility,
    )
}

data class ListConversation(
    val items: List<Conversation>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListConversation {
            val o = fields(json)
            return ListConversation(
                items = list(o["items"]) { Conversation.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListDecision(
    val items: List<Decision>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListDecision {
            val o = fields(json)
            return ListDecision(
                items = list(o["items"]) { Decision.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListDraft(
    val items: List<Draft>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListDraft {
            val o = fields(json)
            return ListDraft(
                items = list(o["items"]) { Draft.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListFilter(
    val items: List<Filter>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListFilter {
            val o = fields(json)
            return ListFilter(
                items = list(o["items"]) { Filter.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListFollowedTag(
    val items: List<FollowedTag>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListFollowedTag {
            val o = fields(json)
            return ListFollowedTag(
                items = list(o["items"]) { FollowedTag.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListFoundMessage(
    val items: List<FoundMessage>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListFoundMessage {
            val o = fields(json)
            return ListFoundMessage(
                items = list(o["items"]) { FoundMessage.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListFoundTweet(
    val items: List<FoundTweet>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListFoundTweet {
            val o = fields(json)
            return ListFoundTweet(
                items = list(o["items"]) { FoundTweet.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListHeldReply(
    val items: List<HeldReply>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListHeldReply {
            val o = fields(json)
            return ListHeldReply(
                items = list(o["items"]) { HeldReply.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListInvitation(
    val items: List<Invitation>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListInvitation {
            val o = fields(json)
            return ListInvitation(
                items = list(o["items"]) { Invitation.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListLikedTweet(
    val items: List<LikedTweet>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListLikedTweet {
            val o = fields(json)
            return ListLikedTweet(
                items = list(o["items"]) { LikedTweet.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListMemberFollow(
    val items: List<MemberFollow>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListMemberFollow {
            val o = fields(json)
            return ListMemberFollow(
                items = list(o["items"]) { MemberFollow.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListMutedPerson(
    val items: List<MutedPerson>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListMutedPerson {
            val o = fields(json)
            return ListMutedPerson(
                items = list(o["items"]) { MutedPerson.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListNote(
    val items: List<Note>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListNote {
            val o = fields(json)
            return ListNote(
                items = list(o["items"]) { Note.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListNotification(
    val items: List<Notification>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListNotification {
            val o = fields(json)
            return ListNotification(
                items = list(o["items"]) { Notification.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListNotificationRequest(
    val items: List<NotificationRequest>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListNotificationRequest {
            val o = fields(json)
            return ListNotificationRequest(
                items = list(o["items"]) { NotificationRequest.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListOrder(
    val items: List<Order>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListOrder {
            val o = fields(json)
            return ListOrder(
                items = list(o["items"]) { Order.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListPeopleList(
    val items: List<PeopleList>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListPeopleList {
            val o = fields(json)
            return ListPeopleList(
                items = list(o["items"]) { PeopleList.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListPerson(
    val items: List<Person>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListPerson {
            val o = fields(json)
            return ListPerson(
                items = list(o["items"]) { Person.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListPinnedTag(
    val items: List<PinnedTag>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListPinnedTag {
            val o = fields(json)
            return ListPinnedTag(
                items = list(o["items"]) { PinnedTag.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListPinnedTweet(
    val items: List<PinnedTweet>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListPinnedTweet {
            val o = fields(json)
            return ListPinnedTweet(
                items = list(o["items"]) { PinnedTweet.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListProduct(
    val items: List<Product>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListProduct {
            val o = fields(json)
            return ListProduct(
                items = list(o["items"]) { Product.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListPushSubscription(
    val items: List<PushSubscription>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListPushSubscription {
            val o = fields(json)
            return ListPushSubscription(
                items = list(o["items"]) { PushSubscription.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListReport(
    val items: List<Report>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListReport {
            val o = fields(json)
            return ListReport(
                items = list(o["items"]) { Report.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListRevision(
    val items: List<Revision>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListRevision {
            val o = fields(json)
            return ListRevision(
                items = list(o["items"]) { Revision.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListSharedTweet(
    val items: List<SharedTweet>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListSharedTweet {
            val o = fields(json)
            return ListSharedTweet(
                items = list(o["items"]) { SharedTweet.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListSignUp(
    val items: List<SignUp>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListSignUp {
            val o = fields(json)
            return ListSignUp(
                items = list(o["items"]) { SignUp.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListTag(
    val items: List<Tag>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListTag {
            val o = fields(json)
            return ListTag(
                items = list(o["items"]) { Tag.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListTagUser(
    val items: List<TagUser>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListTagUser {
            val o = fields(json)
            return ListTagUser(
                items = list(o["items"]) { TagUser.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListTweet(
    val items: List<Tweet>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListTweet {
            val o = fields(json)
            return ListTweet(
                items = list(o["items"]) { Tweet.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListUsedTag(
    val items: List<UsedTag>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListUsedTag {
            val o = fields(json)
            return ListUsedTag(
                items = list(o["items"]) { UsedTag.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListUser(
    val items: List<User>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListUser {
            val o = fields(json)
            return ListUser(
                items = list(o["items"]) { User.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class ListUserSummary(
    val items: List<UserSummary>,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): ListUserSummary {
            val o = fields(json)
            return ListUserSummary(
                items = list(o["items"]) { UserSummary.from(it) },
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class Marker(
    /** The newest tweet that the caller has seen; it may be gone */
    val lastReadId: String,
    val updatedAt: Instant,
    /** How often the marker has moved, from 1 */
    val version: Long,
) {
    companion object {
        internal fun from(json: Any?): Marker {
            val o = fields(json)
            return Marker(
                lastReadId = text(o["lastReadId"]),
                updatedAt = time(o["updatedAt"]),
                version = whole(o["version"]),
            )
        }
    }
}

data class Markers(
    /** Of the home timeline; absent until a device has marked it */
    val home: Marker? = null,
) {
    companion object {
        internal fun from(json: Any?): Markers {
            val o = fields(json)
            return Markers(
                home = o["home"]?.let { value -> Marker.from(value) },
            )
        }
    }
}

data class Media(
    /** What the picture shows, in words. A post copies it, and an edit of the post changes that copy */
    val alt: String,
    val animated: Boolean? = null,
    val blurhash: String? = null,
    val createdAt: Instant,
    val durationMs: Long? = null,
    /** When it is deleted, unless a post, a message, a profile or a product takes it before */
    val expiresAt: Instant? = null,
    /** Why it failed */
    val failure: String? = null,
    val height: Long? = null,
    val id: String,
    val kind: String,
    /** uploading: until the file has come and was looked at. ready: a post, a message, a profile or a product can take it. failed: it can not */
    val state: String,
    /** This and the following are there when it is ready */
    val type: String? = null,
    /** Signed until a post that everybody may see, a profile or a product, has taken it */
    val urls: MediaURLs? = null,
    /** Whether a post, a message, a profile or a product has taken it */
    val used: Boolean,
    val width: Long? = null,
) {
    companion object {
        internal fun from(json: Any?): Media {
            val o = fields(json)
            return Media(
                alt = text(o["alt"]),
                animated = o["animated"]?.let { value -> flag(value) },
                blurhash = o["blurhash"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                durationMs = o["durationMs"]?.let { value -> whole(value) },
                expiresAt = o["expiresAt"]?.let { value -> time(value) },
                failure = o["failure"]?.let { value -> text(value) },
                height = o["height"]?.let { value -> whole(value) },
                id = text(o["id"]),
                kind = text(o["kind"]),
                state = text(o["state"]),
                type = o["type"]?.let { value -> text(value) },
                urls = o["urls"]?.let { value -> MediaURLs.from(value) },
                used = flag(o["used"]),
                width = o["width"]?.let { value -> whole(value) },
            )
        }
    }
}

data class MediaURLs(
    /** At most 1600 x 1600 pixels; of an image, or the poster of a video */
    val large: String? = null,
    /** The video, or the moving image */
    val original: String? = null,
    /** At most 400 x 400 pixels; of an image, or the poster of a video */
    val small: String? = null,
) {
    companion object {
        internal fun from(json: Any?): MediaURLs {
            val o = fields(json)
            return MediaURLs(
                large = o["large"]?.let { value -> text(value) },
                original = o["original"]?.let { value -> text(value) },
                small = o["small"]?.let { value -> text(value) },
            )
        }
    }
}

data class MemberFollow(
    /** Of a skipped member the code that following answers, such as not_allowed or follow_limit */
    val reason: String? = null,
    /** followed; requested: the user is locked, and has to accept; already: the caller follows the user; skipped */
    val result: String,
    val user: UserSummary,
) {
    companion object {
        internal fun from(json: Any?): MemberFollow {
            val o = fields(json)
            return MemberFollow(
                reason = o["reason"]?.let { value -> text(value) },
                result = text(o["result"]),
                user = UserSummary.from(o["user"]),
            )
        }
    }
}

data class Mention(
    val userId: String,
    /** The name in the text, in lower case */
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): Mention {
            val o = fields(json)
            return Mention(
                userId = text(o["userId"]),
                username = text(o["username"]),
            )
        }
    }
}

data class MergeInputBody(
    /** The ID token of the guest that the caller was before */
    val guestToken: String,
) {
    internal fun json(): Map<String, Any> = present(
        "guestToken" to guestToken,
    )
}

data class Message(
    val authorId: String,
    val createdAt: Instant,
    /** Ids of a conversation compare as texts, by time */
    val id: String,
    /** Pictures, or a video, with signed addresses, which are good for an hour at least */
    val media: List<TweetMedia>? = null,
    val reactions: List<MessageReaction>,
    /** The message of the conversation that it answers */
    val replyTo: String? = null,
    /** The author took it back: it has neither text nor media */
    val takenBack: Boolean,
    /** Plain text */
    val text: String,
) {
    companion object {
        internal fun from(json: Any?): Message {
            val o = fields(json)
            return Message(
                authorId = text(o["authorId"]),
                createdAt = time(o["createdAt"]),
                id = text(o["id"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                reactions = list(o["reactions"]) { MessageReaction.from(it) },
                replyTo = o["replyTo"]?.let { value -> text(value) },
                takenBack = flag(o["takenBack"]),
                text = text(o["text"]),
            )
        }
    }
}

data class MessageList(
    val items: List<Message>,
    /** Path of the Firestore document with these messages, to which a client may listen */
    val listen: String,
    /** Id of the newest message of the conversation, also of one that the caller does not see. A client that shows the first page marks this one as read */
    val newestId: String,
    /** The pageToken of the next page; empty at the end of the list */
    val nextPageToken: String,
) {
    companion object {
        internal fun from(json: Any?): MessageList {
            val o = fields(json)
            return MessageList(
                items = list(o["items"]) { Message.from(it) },
                listen = text(o["listen"]),
                newestId = text(o["newestId"]),
                nextPageToken = text(o["nextPageToken"]),
            )
        }
    }
}

data class MessageReaction(
    val emoji: String,
    val userIds: List<String>,
) {
    companion object {
        internal fun from(json: Any?): MessageReaction {
            val o = fields(json)
            return MessageReaction(
                emoji = text(o["emoji"]),
                userIds = list(o["userIds"]) { text(it) },
            )
        }
    }
}

data class MessageText(
    /** Ids of ready uploads of the kind tweet: up to 4 pictures, or one video */
    val mediaIds: List<String>? = null,
    /** Id of a message of the conversation */
    val replyTo: String? = null,
    /** Plain text; required without media */
    val text: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "mediaIds" to mediaIds,
        "replyTo" to replyTo,
        "text" to text,
    )
}

data class Move(
    /** The new account: a handle, such as @bob@example.org, or an address */
    val account: String,
) {
    internal fun json(): Map<String, Any> = present(
        "account" to account,
    )
}

data class MoveMarkersRequest(
    val home: HomeStruct? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "home" to home?.json(),
    )
}

data class MutedPerson(
    val createdAt: Instant,
    /** Whether the caller gets no notifications of what the mute hides; with all also of likes and follows */
    val hideNotifications: Boolean,
    /** What the mute hides */
    val part: String,
    /** When the mute ends; null for never */
    val until: Instant? = null,
    val user: UserSummary,
) {
    companion object {
        internal fun from(json: Any?): MutedPerson {
            val o = fields(json)
            return MutedPerson(
                createdAt = time(o["createdAt"]),
                hideNotifications = flag(o["hideNotifications"]),
                part = text(o["part"]),
                until = o["until"]?.let { value -> time(value) },
                user = UserSummary.from(o["user"]),
            )
        }
    }
}

data class Muting(
    /** Whether the caller gets no notifications of what the mute hides; with all also of likes and follows */
    val hideNotifications: Boolean,
    /** What the mute hides */
    val part: String,
    /** When the mute ends; null for never */
    val until: Instant? = null,
) {
    companion object {
        internal fun from(json: Any?): Muting {
            val o = fields(json)
            return Muting(
                hideNotifications = flag(o["hideNotifications"]),
                part = text(o["part"]),
                until = o["until"]?.let { value -> time(value) },
            )
        }
    }
}

data class NamedUser(
    val id: String,
    val nickname: String,
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): NamedUser {
            val o = fields(json)
            return NamedUser(
                id = text(o["id"]),
                nickname = text(o["nickname"]),
                username = text(o["username"]),
            )
        }
    }
}

data class NeedTrendReviewRequest(
    val needed: Boolean,
) {
    internal fun json(): Map<String, Any> = present(
        "needed" to needed,
    )
}

data class NewAIModel(
    /** Whether agents may use it */
    val enabled: Boolean? = null,
    /** Micro-dollars for a million tokens */
    val input: Long? = null,
    /** Micro-dollars for a million tokens */
    val output: Long? = null,
    val provider: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "enabled" to enabled,
        "input" to input,
        "output" to output,
        "provider" to provider,
    )
}

data class NewAgent(
    /** Of a day in UTC; what is absent is 0 */
    val budget: AgentSpending,
    val everyMinutes: Long? = null,
    /** Label of an enabled AI model */
    val model: String,
    val running: Boolean? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "budget" to budget.json(),
        "everyMinutes" to everyMinutes,
        "model" to model,
        "running" to running,
    )
}

data class NewAnnouncement(
    /** Absent for no end */
    val endsAt: Instant? = null,
    /** Now if absent */
    val startsAt: Instant? = null,
    /** Markdown */
    val text: String? = null,
    val title: String,
) {
    internal fun json(): Map<String, Any> = present(
        "endsAt" to endsAt?.toString(),
        "startsAt" to startsAt?.toString(),
        "text" to text,
        "title" to title,
    )
}

data class NewConversation(
    /** Ids of ready uploads of the kind tweet: up to 4 pictures, or one video */
    val mediaIds: List<String>? = null,
    /** The others, each once, without the caller */
    val memberIds: List<String>,
    /** Of a conversation of several; plain text */
    val name: String? = null,
    /** Id of a message of the conversation */
    val replyTo: String? = null,
    /** Plain text; required without media */
    val text: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "mediaIds" to mediaIds,
        "memberIds" to memberIds,
        "name" to name,
        "replyTo" to replyTo,
        "text" to text,
    )
}

data class NewDraft(
    val allowLikes: Boolean? = null,
    /** Short for quotePolicy: everybody or nobody */
    val allowQuotes: Boolean? = null,
    /** Short for replyPolicy: everybody or nobody */
    val allowReplies: Boolean? = null,
    /** Further recipients, as in to */
    val cc: List<String>? = null,
    /** Markdown; its #hashtags become tags. It may be empty or absent if there are media */
    val content: String? = null,
    /** BCP 47 tag of the content's language; if absent, the script tells it where one language has that script for itself */
    val language: String? = null,
    /** Ids of up to 4 ready pictures, or of one video, that the caller uploaded as tweet, in order. A post takes each for itself */
    val media: List<String>? = null,
    /** A question with options, of which each voter chooses one; no edit changes it */
    val poll: NewPoll? = null,
    /** When to post the tweet: a time to come, within 366 days. Without it the draft waits */
    val publishAt: Instant? = null,
    /** Id of the tweet that this tweet quotes: one that everybody may see, or one of the caller's own */
    val quoteOf: String? = null,
    /** Who may quote, as in replyPolicy, but only followers for followers. The author always may. It prevails over allowQuotes */
    val quotePolicy: String? = null,
    /** Who may reply: everybody who may see the tweet; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom it mentions, unless it is nobody. It is for replies to this tweet alone: a reply has a policy of its own. It prevails over allowReplies */
    val replyPolicy: String? = null,
    /** Id of the tweet that this tweet answers */
    val replyTo: String? = null,
    /** Content warning */
    val summary: String? = null,
    /** Tags of at most 50 characters each; at most 10 tags together with the hashtags */
    val tags: List<String>? = null,
    /** Recipients, the long form of visibility, with cc: public (also as https://www.w3.org/ns/activitystreams#Public), followers, and ids of users whom the content mentions or the tweet answers. public in to is public; followers in to and public in cc unlisted; followers alone followers; users alone mentioned */
    val to: List<String>? = null,
    /** Who may see the tweet: everybody; everybody, but no list for everybody has it; the author's followers; the author of the tweet that it answers. By default public, or what the tweet has that it answers. A reply cannot be shown to more people than that tweet */
    val visibility: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "allowLikes" to allowLikes,
        "allowQuotes" to allowQuotes,
        "allowReplies" to allowReplies,
        "cc" to cc,
        "content" to content,
        "language" to language,
        "media" to media,
        "poll" to poll?.json(),
        "publishAt" to publishAt?.toString(),
        "quoteOf" to quoteOf,
        "quotePolicy" to quotePolicy,
        "replyPolicy" to replyPolicy,
        "replyTo" to replyTo,
        "summary" to summary,
        "tags" to tags,
        "to" to to,
        "visibility" to visibility,
    )
}

data class NewFediverseDomain(
    /** For administrators */
    val privateComment: String? = null,
    val publicComment: String? = null,
    /** Posts from there have no pictures, videos and sounds */
    val rejectMedia: Boolean? = null,
    /** Reports from there are dropped */
    val rejectReports: Boolean? = null,
    val severity: String,
) {
    internal fun json(): Map<String, Any> = present(
        "privateComment" to privateComment,
        "publicComment" to publicComment,
        "rejectMedia" to rejectMedia,
        "rejectReports" to rejectReports,
        "severity" to severity,
    )
}

data class NewInvitation(
    /** For how many days it is good */
    val days: Long? = null,
    /** How many people may sign up by it */
    val maxUses: Long? = null,
    /** For administrators */
    val note: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "days" to days,
        "maxUses" to maxUses,
        "note" to note,
    )
}

data class NewList(
    /** Plain text for those who see a public list, of at most 500 characters */
    val description: String? = null,
    /** Whether the caller's home timeline leaves out what the members write and share. 5 lists at most are exclusive; beyond that the answer is 409 too_many_exclusive_lists */
    val exclusive: Boolean? = null,
    /** Which replies of members the timeline has: to users whom its reader follows, to members of the list, which is the default, or none. Replies of members to themselves and to the reader are always there */
    val repliesPolicy: String? = null,
    /** Plain text that shows something, of 1 to 60 characters */
    val title: String,
    /** private, which is the default: nobody else learns of the list. public: everybody may read it and its members, but for those with a block between them and the caller */
    val visibility: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "description" to description,
        "exclusive" to exclusive,
        "repliesPolicy" to repliesPolicy,
        "title" to title,
        "visibility" to visibility,
    )
}

data class NewMedia(
    /** What the picture shows, in words */
    val alt: String? = null,
    /** Size of the file: at most 10 MiB, and 30 MiB of a video */
    val bytes: Long,
    /** What the file is: image/jpeg, image/png, image/webp, image/gif, or for a post video/mp4. The bytes decide in the end */
    val contentType: String,
    /** What it is for */
    val kind: String? = null,
    /** Of a video: the id of an upload of the caller, a picture that shows it until it plays. The video gets a copy. One that is not ready a minute after its announcement, or that no one can see, is left out */
    val poster: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "alt" to alt,
        "bytes" to bytes,
        "contentType" to contentType,
        "kind" to kind,
        "poster" to poster,
    )
}

data class NewMute(
    val hideNotifications: Boolean? = null,
    /** all hides the user's tweets and shares, and the user; shares and replies hide those alone */
    val part: String? = null,
    /** How long the mute lasts; absent for a mute without an end */
    val seconds: Long? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "hideNotifications" to hideNotifications,
        "part" to part,
        "seconds" to seconds,
    )
}

data class NewPoll(
    /** How long the poll takes votes, from the tweet's time on */
    val minutes: Long,
    /** Texts of 1 to 80 characters, no two the same */
    val options: List<String>,
) {
    internal fun json(): Map<String, Any> = present(
        "minutes" to minutes,
        "options" to options,
    )

    companion object {
        internal fun from(json: Any?): NewPoll {
            val o = fields(json)
            return NewPoll(
                minutes = whole(o["minutes"]),
                options = list(o["options"]) { text(it) },
            )
        }
    }
}

data class NewPrice(
    val price: Price,
    val productId: String,
) {
    companion object {
        internal fun from(json: Any?): NewPrice {
            val o = fields(json)
            return NewPrice(
                price = Price.from(o["price"]),
                productId = text(o["productId"]),
            )
        }
    }
}

data class NewProduct(
    /** Plain text, at most 5000 characters */
    val description: String? = null,
    /** An https URL */
    val image: String? = null,
    /** Id of an upload of the caller, of kind product, which is the image instead */
    val imageMedia: String? = null,
    /** 1 to 100 characters */
    val name: String,
    val price: Price,
    /** Pieces in stock */
    val stock: Long,
) {
    internal fun json(): Map<String, Any> = present(
        "description" to description,
        "image" to image,
        "imageMedia" to imageMedia,
        "name" to name,
        "price" to price.json(),
        "stock" to stock,
    )
}

data class NewReport(
    /** With messageId the reported message, in place of tweetId and userId. Moderators get a copy of it, and see no other message */
    val conversationId: String? = null,
    /** Whether the server of the reported user gets the report, too: its text, and not who reports. Only for users and tweets of other servers; 400 not_remote for others. A suspended server gets nothing */
    val forward: Boolean? = null,
    val messageId: String? = null,
    val reason: String,
    /** What is wrong, for moderators */
    val text: String? = null,
    /** The reported tweet; either this or userId */
    val tweetId: String? = null,
    /** The reported user; either this or tweetId */
    val userId: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "conversationId" to conversationId,
        "forward" to forward,
        "messageId" to messageId,
        "reason" to reason,
        "text" to text,
        "tweetId" to tweetId,
        "userId" to userId,
    )
}

data class NewSignUpBlock(
    /** For administrators */
    val comment: String? = null,
    /** For how many days; 0 for ever */
    val days: Long? = null,
    val severity: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "comment" to comment,
        "days" to days,
        "severity" to severity,
    )
}

data class NewTweet(
    val allowLikes: Boolean? = null,
    /** Short for quotePolicy: everybody or nobody */
    val allowQuotes: Boolean? = null,
    /** Short for replyPolicy: everybody or nobody */
    val allowReplies: Boolean? = null,
    /** Further recipients, as in to */
    val cc: List<String>? = null,
    /** Markdown; its #hashtags become tags. It may be empty or absent if there are media */
    val content: String? = null,
    /** BCP 47 tag of the content's language; if absent, the script tells it where one language has that script for itself */
    val language: String? = null,
    /** Ids of up to 4 ready pictures, or of one video, that the caller uploaded as tweet, in order. A post takes each for itself */
    val media: List<String>? = null,
    /** A question with options, of which each voter chooses one; no edit changes it */
    val poll: NewPoll? = null,
    /** Id of the tweet that this tweet quotes: one that everybody may see, or one of the caller's own */
    val quoteOf: String? = null,
    /** Who may quote, as in replyPolicy, but only followers for followers. The author always may. It prevails over allowQuotes */
    val quotePolicy: String? = null,
    /** Who may reply: everybody who may see the tweet; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom it mentions, unless it is nobody. It is for replies to this tweet alone: a reply has a policy of its own. It prevails over allowReplies */
    val replyPolicy: String? = null,
    /** Id of the tweet that this tweet answers */
    val replyTo: String? = null,
    /** Content warning */
    val summary: String? = null,
    /** Tags of at most 50 characters each; at most 10 tags together with the hashtags */
    val tags: List<String>? = null,
    /** Recipients, the long form of visibility, with cc: public (also as https://www.w3.org/ns/activitystreams#Public), followers, and ids of users whom the content mentions or the tweet answers. public in to is public; followers in to and public in cc unlisted; followers alone followers; users alone mentioned */
    val to: List<String>? = null,
    /** Who may see the tweet: everybody; everybody, but no list for everybody has it; the author's followers; the author of the tweet that it answers. By default public, or what the tweet has that it answers. A reply cannot be shown to more people than that tweet */
    val visibility: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "allowLikes" to allowLikes,
        "allowQuotes" to allowQuotes,
        "allowReplies" to allowReplies,
        "cc" to cc,
        "content" to content,
        "language" to language,
        "media" to media,
        "poll" to poll?.json(),
        "quoteOf" to quoteOf,
        "quotePolicy" to quotePolicy,
        "replyPolicy" to replyPolicy,
        "replyTo" to replyTo,
        "summary" to summary,
        "tags" to tags,
        "to" to to,
        "visibility" to visibility,
    )
}

data class NewUser(
    val aiModel: String? = null,
    val aiPersonality: String? = null,
    /** Empty, or an https URL in ASCII without a user name */
    val avatar: String? = null,
    val blockStrangers: Boolean? = null,
    /** True if a program makes the posts */
    val bot: Boolean? = null,
    /** Markdown */
    val introduction: String? = null,
    /** Code of the invitation to sign up by; needed if the instance says invitationNeeded */
    val invitation: String? = null,
    /** True if the user decides who follows */
    val locked: Boolean? = null,
    /** The username if absent. One character at least can be seen; none controls the text around it */
    val nickname: String? = null,
    /** Why the user wants to join, for the administrators who approve it; only if the instance says approvalNeeded */
    val reason: String? = null,
    /** Version of the terms to which the user consents; needed if the instance says termsNeeded */
    val termsVersion: Long? = null,
    /** a–z, 0–9 and _ */
    val username: String,
) {
    internal fun json(): Map<String, Any> = present(
        "aiModel" to aiModel,
        "aiPersonality" to aiPersonality,
        "avatar" to avatar,
        "blockStrangers" to blockStrangers,
        "bot" to bot,
        "introduction" to introduction,
        "invitation" to invitation,
        "locked" to locked,
        "nickname" to nickname,
        "reason" to reason,
        "termsVersion" to termsVersion,
        "username" to username,
    )
}

data class NewWebhook(
    val description: String? = null,
    val events: List<String>,
    /** An https address of the public internet */
    val url: String,
) {
    internal fun json(): Map<String, Any> = present(
        "description" to description,
        "events" to events,
        "url" to url,
    )
}

data class Note(
    val at: Instant,
    val by: String,
    val id: String,
    val text: String,
    val userId: String,
) {
    companion object {
        internal fun from(json: Any?): Note {
            val o = fields(json)
            return Note(
                at = time(o["at"]),
                by = text(o["by"]),
                id = text(o["id"]),
                text = text(o["text"]),
                userId = text(o["userId"]),
            )
        }
    }
}

data class Notification(
    /** Number of replies or quotes, or of tweets that mention the caller; 0 for other slots */
    val countTweets: Long,
    /** Number of different users who acted */
    val countUsers: Long,
    /** Time of the first that happened */
    val createdAt: Instant,
    /** The beginning of what the notification is about; absent for follows and orders, and if the tweet is gone or hidden from the caller by now */
    val excerpt: Excerpt? = null,
    val id: String,
    /** False again when something is added */
    val isRead: Boolean,
    /** The newest 10 of what happened */
    val records: List<Record>,
    /** What the notification collects: follow, followRequest, mention, like:{tweetId}, share:{tweetId}, quote:{tweetId}, reply:{tweetId}, edit:{tweetId}, of a tweet that the caller shares, poll:{tweetId}, of a poll that has ended, or order:{orderId}, of an order of the caller */
    val slot: String,
    /** The day of the events */
    val term: String,
    /** Time of the last that happened */
    val updatedAt: Instant,
) {
    companion object {
        internal fun from(json: Any?): Notification {
            val o = fields(json)
            return Notification(
                countTweets = whole(o["countTweets"]),
                countUsers = whole(o["countUsers"]),
                createdAt = time(o["createdAt"]),
                excerpt = o["excerpt"]?.let { value -> Excerpt.from(value) },
                id = text(o["id"]),
                isRead = flag(o["isRead"]),
                records = list(o["records"]) { Record.from(it) },
                slot = text(o["slot"]),
                term = text(o["term"]),
                updatedAt = time(o["updatedAt"]),
            )
        }
    }
}

data class NotificationPolicy(
    /** Users who are let through whatever the policy says, the last accepted first; at most 200 */
    val acceptedSenders: List<String>,
    /** Of accounts that were younger than 30 days at that time */
    val newAccounts: String,
    /** Of people whom the caller does not follow */
    val notFollowed: String,
    /** Of people who do not follow the caller */
    val notFollowers: String,
    /** Of mentions in tweets for mentioned users alone, by people whom the caller does not follow, that answer no tweet of the caller */
    val privateMentions: String,
) {
    companion object {
        internal fun from(json: Any?): NotificationPolicy {
            val o = fields(json)
            return NotificationPolicy(
                acceptedSenders = list(o["acceptedSenders"]) { text(it) },
                newAccounts = text(o["newAccounts"]),
                notFollowed = text(o["notFollowed"]),
                notFollowers = text(o["notFollowers"]),
                privateMentions = text(o["privateMentions"]),
            )
        }
    }
}

data class NotificationPolicyPatch(
    val newAccounts: String? = null,
    val notFollowed: String? = null,
    val notFollowers: String? = null,
    val privateMentions: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "newAccounts" to newAccounts,
        "notFollowed" to notFollowed,
        "notFollowers" to notFollowers,
        "privateMentions" to privateMentions,
    )
}

data class NotificationRequest(
    /** The newest 15 at most, the newest first */
    val events: List<FilteredNotification>,
    /** When the newest happened */
    val lastAt: Instant,
    /** The sender */
    val user: UserSummary,
) {
    companion object {
        internal fun from(json: Any?): NotificationRequest {
            val o = fields(json)
            return NotificationRequest(
                events = list(o["events"]) { FilteredNotification.from(it) },
                lastAt = time(o["lastAt"]),
                user = UserSummary.from(o["user"]),
            )
        }
    }
}

data class NotificationSettings(
    /** Whether the caller gets notifications of edits of tweets that the caller shares */
    val edit: Boolean,
    /** Whether the caller gets notifications of follows */
    val follow: Boolean,
    /** Whether the caller gets notifications of requests to follow */
    val followRequest: Boolean,
    /** Whether the caller gets notifications of likes */
    val like: Boolean,
    /** Whether the caller gets notifications of mentions; a reply to the caller that mentions the caller counts as a reply, or as a mention if reply is false */
    val mention: Boolean,
    /** Root tweets of the conversations that the caller has muted, the last muted first; at most 500 */
    val mutedConversations: List<String>,
    /** Whether the caller gets notifications of changes of the caller's orders */
    val order: Boolean,
    /** Whether the caller gets notifications that polls of the caller, or with a vote of the caller, have ended */
    val poll: Boolean,
    /** Whether the caller gets notifications of the posts of people to whom the caller subscribes */
    val post: Boolean,
    /** Whether the caller gets notifications of quotes */
    val quote: Boolean,
    /** Whether the caller gets notifications of replies */
    val reply: Boolean,
    /** Whether the caller gets notifications of shares */
    val share: Boolean,
) {
    companion object {
        internal fun from(json: Any?): NotificationSettings {
            val o = fields(json)
            return NotificationSettings(
                edit = flag(o["edit"]),
                follow = flag(o["follow"]),
                followRequest = flag(o["followRequest"]),
                like = flag(o["like"]),
                mention = flag(o["mention"]),
                mutedConversations = list(o["mutedConversations"]) { text(it) },
                order = flag(o["order"]),
                poll = flag(o["poll"]),
                post = flag(o["post"]),
                quote = flag(o["quote"]),
                reply = flag(o["reply"]),
                share = flag(o["share"]),
            )
        }
    }
}

data class Order(
    val createdAt: Instant,
    /** The e-mail address of a guest, until 30 days after the order was closed */
    val email: String? = null,
    /** Whether the customer had no profile */
    val guest: Boolean? = null,
    /** Every state of the order, oldest first */
    val history: List<OrderChange>,
    val id: String,
    val items: List<OrderItem>,
    /** Of a rejected order */
    val reason: OrderReason? = null,
    /** When the open order of a guest is cancelled unless it was shipped; up to a day later */
    val shipBy: Instant? = null,
    /** pending until the stock was looked at, which takes a second or two */
    val status: String,
    val total: Total,
    val userId: String,
) {
    companion object {
        internal fun from(json: Any?): Order {
            val o = fields(json)
            return Order(
                createdAt = time(o["createdAt"]),
                email = o["email"]?.let { value -> text(value) },
                guest = o["guest"]?.let { value -> flag(value) },
                history = list(o["history"]) { OrderChange.from(it) },
                id = text(o["id"]),
                items = list(o["items"]) { OrderItem.from(it) },
                reason = o["reason"]?.let { value -> OrderReason.from(value) },
                shipBy = o["shipBy"]?.let { value -> time(value) },
                status = text(o["status"]),
                total = Total.from(o["total"]),
                userId = text(o["userId"]),
            )
        }
    }
}

data class OrderChange(
    val at: Instant,
    /** The customer or administrator; absent for the shop itself */
    val by: String? = null,
    val status: String,
) {
    companion object {
        internal fun from(json: Any?): OrderChange {
            val o = fields(json)
            return OrderChange(
                at = time(o["at"]),
                by = o["by"]?.let { value -> text(value) },
                status = text(o["status"]),
            )
        }
    }
}

data class OrderItem(
    /** URL of a small picture of the product when it was ordered; absent for none. It may be gone */
    val image: String? = null,
    val name: String,
    val productId: String,
    val quantity: Long,
    /** In minor units of the total's currency */
    val unitPrice: Long,
) {
    companion object {
        internal fun from(json: Any?): OrderItem {
            val o = fields(json)
            return OrderItem(
                image = o["image"]?.let { value -> text(value) },
                name = text(o["name"]),
                productId = text(o["productId"]),
                quantity = whole(o["quantity"]),
                unitPrice = whole(o["unitPrice"]),
            )
        }
    }
}

data class OrderReason(
    /** guest_share: orders of guests hold as many pieces as they may */
    val code: String,
    val productId: String,
) {
    companion object {
        internal fun from(json: Any?): OrderReason {
            val o = fields(json)
            return OrderReason(
                code = text(o["code"]),
                productId = text(o["productId"]),
            )
        }
    }
}

data class OwnAppeal(
    /** What the moderators say; empty while the appeal is open */
    val answer: String,
    /** null while the appeal is open */
    val answeredAt: Instant? = null,
    val createdAt: Instant,
    /** upheld: the decision stands; reversed: it was wrong, and what can be undone is undone */
    val state: String,
    val text: String,
) {
    companion object {
        internal fun from(json: Any?): OwnAppeal {
            val o = fields(json)
            return OwnAppeal(
                answer = text(o["answer"]),
                answeredAt = o["answeredAt"]?.let { value -> time(value) },
                createdAt = time(o["createdAt"]),
                state = text(o["state"]),
                text = text(o["text"]),
            )
        }
    }
}

data class PeopleList(
    val createdAt: Instant,
    /** Plain text */
    val description: String,
    /** Whether the owner's home timeline leaves the members out; only the owner sees it */
    val exclusive: Boolean? = null,
    val id: String,
    val memberCount: Long,
    val ownerId: String,
    val repliesPolicy: String,
    val title: String,
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): PeopleList {
            val o = fields(json)
            return PeopleList(
                createdAt = time(o["createdAt"]),
                description = text(o["description"]),
                exclusive = o["exclusive"]?.let { value -> flag(value) },
                id = text(o["id"]),
                memberCount = whole(o["memberCount"]),
                ownerId = text(o["ownerId"]),
                repliesPolicy = text(o["repliesPolicy"]),
                title = text(o["title"]),
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class Person(
    val createdAt: Instant,
    val user: UserSummary,
) {
    companion object {
        internal fun from(json: Any?): Person {
            val o = fields(json)
            return Person(
                createdAt = time(o["createdAt"]),
                user = UserSummary.from(o["user"]),
            )
        }
    }
}

data class PersonNote(
    /** Empty if there is no note */
    val text: String,
    /** null if there is no note */
    val updatedAt: Instant? = null,
) {
    companion object {
        internal fun from(json: Any?): PersonNote {
            val o = fields(json)
            return PersonNote(
                text = text(o["text"]),
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
            )
        }
    }
}

data class PinnedTag(
    /** The tag as the user spells it */
    val label: String,
    /** The key of the tag */
    val tag: String,
    /** How many tweets of the user have the tag */
    val tweetCount: Long,
) {
    companion object {
        internal fun from(json: Any?): PinnedTag {
            val o = fields(json)
            return PinnedTag(
                label = text(o["label"]),
                tag = text(o["tag"]),
                tweetCount = whole(o["tweetCount"]),
            )
        }
    }
}

data class PinnedTweet(
    val allowLikes: Boolean,
    /** False if quotePolicy is nobody */
    val allowQuotes: Boolean,
    /** False if replyPolicy is nobody */
    val allowReplies: Boolean,
    val author: Author,
    val authorId: String,
    /** True if the caller keeps the tweet as a bookmark; nobody else learns of it */
    val bookmarked: Boolean,
    /** Further recipients; absent if there are none, and from lists */
    val cc: List<String>? = null,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none */
    val filtered: List<FilterHit>? = null,
    /** True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise */
    val flagged: Boolean? = null,
    /** True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise */
    val folded: Boolean? = null,
    /** The content as safe HTML; a tweet read by itself has it with format=html */
    val html: String? = null,
    val id: String,
    /** BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown */
    val language: String,
    /** Number of characters of the content */
    val length: Long,
    val likeCount: Long,
    /** True if the caller likes the tweet */
    val liked: Boolean,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** Whom the content mentions; absent if nobody */
    val mentions: List<Mention>? = null,
    val pinnedAt: Instant,
    /** The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true */
    val poll: Poll? = null,
    val quoteCount: Long,
    /** Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none */
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise */
    val quoteWithdrawn: Boolean? = null,
    /** Where the post is, if it is of another server; absent from others */
    val remote: Remote? = null,
    /** Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits */
    val repliesHeldBy: String? = null,
    val replyCount: Long,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** Id of the tweet that this tweet answers; null for a root tweet */
    val replyTo: String? = null,
    /** Who wrote the tweet that this tweet answers; absent from a root tweet */
    val replyToAuthorId: String? = null,
    /** How often the tweet was edited; so many revisions are kept */
    val revision: Long,
    /** Id of the tweet that began the thread */
    val rootId: String,
    val shareCount: Long,
    /** True if the caller shares the tweet */
    val shared: Boolean,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    /** Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself */
    val to: List<String>? = null,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    /** Who may see the tweet */
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): PinnedTweet {
            val o = fields(json)
            return PinnedTweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                bookmarked = flag(o["bookmarked"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                flagged = o["flagged"]?.let { value -> flag(value) },
                folded = o["folded"]?.let { value -> flag(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                language = text(o["language"]),
                length = whole(o["length"]),
                likeCount = whole(o["likeCount"]),
                liked = flag(o["liked"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                mentions = o["mentions"]?.let { value -> list(value) { Mention.from(it) } },
                pinnedAt = time(o["pinnedAt"]),
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteCount = whole(o["quoteCount"]),
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                repliesHeldBy = o["repliesHeldBy"]?.let { value -> text(value) },
                replyCount = whole(o["replyCount"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                replyToAuthorId = o["replyToAuthorId"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = whole(o["shareCount"]),
                shared = flag(o["shared"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class PlaceOrderInputBody(
    /** Where the shop reaches the customer; needed without a profile. Kept in lower case, at most 100 characters */
    val email: String? = null,
    /** All that is in the cart, as the caller was shown it */
    val items: List<WantedItem>,
) {
    internal fun json(): Map<String, Any> = present(
        "email" to email,
        "items" to items.map { it.json() },
    )
}

data class Poll(
    val closed: Boolean,
    val closesAt: Instant,
    val options: List<PollOption>,
    /** How many users voted, for everybody; absent from a list but a batch with polls=true */
    val total: Long? = null,
    /** The option that the caller chose, from 1 on; absent if there is none, and from a list but a batch with polls=true */
    val voted: Long? = null,
) {
    companion object {
        internal fun from(json: Any?): Poll {
            val o = fields(json)
            return Poll(
                closed = flag(o["closed"]),
                closesAt = time(o["closesAt"]),
                options = list(o["options"]) { PollOption.from(it) },
                total = o["total"]?.let { value -> whole(value) },
                voted = o["voted"]?.let { value -> whole(value) },
            )
        }
    }
}

data class PollOption(
    val text: String,
    /** How often it was chosen. The tweet's author sees it always, others when they have voted or the poll has closed; absent until then, and from a list but a batch with polls=true */
    val votes: Long? = null,
) {
    companion object {
        internal fun from(json: Any?): PollOption {
            val o = fields(json)
            return PollOption(
                text = text(o["text"]),
                votes = o["votes"]?.let { value -> whole(value) },
            )
        }
    }
}

data class Price(
    /** In minor units of the currency: yen, or cents */
    val amount: Long,
    /** ISO 4217 */
    val currency: String,
) {
    internal fun json(): Map<String, Any> = present(
        "amount" to amount,
        "currency" to currency,
    )

    companion object {
        internal fun from(json: Any?): Price {
            val o = fields(json)
            return Price(
                amount = whole(o["amount"]),
                currency = text(o["currency"]),
            )
        }
    }
}

data class Problem(
    /** Author of the deleted tweet */
    val authorId: String? = null,
    /** What went wrong, for programs; never changes. * `account_exists`: Another account has the uid or the e-mail address. * `account_frozen`: The account may read and leave, and not write. * `account_not_found`: Firebase Auth has no such account. * `account_suspended`: The account is suspended. * `activity_refused`: The activity has no effect: its actor may not do that. * `address_blocked`: Nobody signs up from this network. * `agent_stopped`: An administrator stopped the agent. * `already_exists`: What the request would make is there already. * `already_voted`: The caller has chosen another option of the poll; a vote stays. * `announcement_not_found`: No such announcement shows now. * `anonymous`: Anonymous users may only read, and keep a cart. * `app_check_required`: The service wants an App Check token. * `app_check_unavailable`: App Check cannot be reached at the moment; try again. * `app_not_found`: There is no such app, or the caller did not let it in. * `appeal_answered`: The appeal has another answer. * `appeal_exists`: The caller appealed against this decision before, with another text. * `appeal_not_found`: No such appeal. * `author_blocked`: The caller blocks the author of the reply. * `author_may_not_post`: The author of the reply may not post at the moment. * `cart_changed`: The cart is not what the caller orders; read it again. * `cart_full`: The cart has as many products as it may; take one out first. * `comment_too_long`: The comment is too long. * `concurrent_rename`: Another request renamed the same user at that moment; try again. * `conflict`: Another request changed the same thing at that moment; try again. * `content_required`: The content shows nothing. * `conversation_not_found`: The caller has no such conversation. * `conversation_of_two`: Only conversations of several have a name, and can be left. * `data_not_kept`: The source documents that a repair would need have expired. * `decision_not_found`: No such decision about the caller, or none against which an appeal is possible. * `domain_blocked`: The instance does not federate with this domain. * `draft_changed`: The draft was changed since the caller read it. * `draft_not_found`: The caller has no such draft; a scheduled one may have been posted. * `email_domain_blocked`: Nobody signs up with an e-mail address of this domain. * `email_not_verified`: The caller must verify the e-mail address first. * `email_required`: A guest orders with an e-mail address. * `email_too_long`: The e-mail address of the account has more than 100 characters; sign in with another. * `empty_order`: The order has no product, or more than an order may have. * `empty_patch`: The change changes nothing. * `empty_query`: The query has nothing to look for. * `event_not_found`: No such notification event, or it has expired. * `events_required`: A webhook is told of at least one event. * `exhausted`: Too much of something; try again later. * `expired_token`: The ID token has expired; get a new one. * `export_limit`: One export a day; nextAt tells when. * `export_not_found`: There is no export, or it has expired. * `exports_off`: The service makes no exports. * `federation_off`: The instance does not federate. * `filter_changed`: The filter was changed or removed since the caller read it. * `follow_limit`: The caller follows as many users as one may. * `follower_limit`: The user has as many followers as one may. * `forbidden`: The caller may not do this. * `gist_budget`: No tokens are left for gists today. * `gist_pending`: There is no gist yet: the model writes, or it failed less than an hour ago. * `gone`: What the request names was deleted. * `held_reply_not_found`: No such reply waits for the caller; it may have been approved, refused or withdrawn. * `held_reply_refused`: The author of the reply may not post it any more. * `idempotency_key_reused`: The key was used for a different request. * `internal`: A fault of the service. The log of the service has it. * `invalid`: The request breaks a rule that the detail names. * `invalid_action`: The action is not accept, filter or drop. * `invalid_activity`: The activity is not as it must be. * `invalid_agent`: The agent has the wrong form; the detail says what. * `invalid_ai_model`: The AI model has the wrong form; the detail says what. * `invalid_announcement`: The announcement has the wrong form; the detail says what. * `invalid_app`: What an app says of itself has the wrong form; the detail says what. * `invalid_app_check`: The App Check token is not good. * `invalid_avatar`: The avatar is not an https URL. * `invalid_block`: The text is neither a domain nor a network. * `invalid_challenge`: The challenge of PKCE is missing or has another form than S256. * `invalid_client`: The app is unknown, or its secret is another one. * `invalid_conversation_id`: Not the form of the id of a conversation. * `invalid_conversation_name`: The name of the conversation shows nothing, or it is of two. * `invalid_device_id`: The id of a push subscription has the wrong form. * `invalid_domain`: The text is no domain. * `invalid_domains`: The text is no list of domains. * `invalid_draft_id`: Not the form of the id of a draft. * `invalid_email`: Not the form of an e-mail address. * `invalid_emoji`: A reaction is one emoji. * `invalid_event_id`: Not the form of the id of a notification event. * `invalid_filter`: The filter has the wrong form; the detail says what. * `invalid_grant`: The authorization code is unknown, used or expired, or belongs to another app. * `invalid_guest_token`: The guest's token is not the ID token of a guest of this project, or has expired. * `invalid_handle`: Not the form of a handle with a host. * `invalid_held_reply_id`: Not the form of the id of a held reply. * `invalid_hold`: No such setting of whose replies wait for approval. * `invalid_if_match`: If-Match has something else than tags of this tweet. * `invalid_image`: The image is no https URL that browsers would take. * `invalid_instance`: A field of the instance has the wrong form; the detail says what. * `invalid_invitation`: The new invitation has the wrong form; the detail says what. * `invalid_language`: Not a BCP 47 language tag, such as ja, en or pt-BR. * `invalid_link`: Not the address of a page that may have a card. * `invalid_list`: A field of the list has a value that there is not; the detail says which. * `invalid_list_id`: Not the form of the id of a list. * `invalid_list_title`: The title of the list shows nothing. * `invalid_media_id`: Not the form of the id of media. * `invalid_members`: Nobody, too many, a user twice, or the caller among the members. * `invalid_message_id`: Not the form of the id of a message. * `invalid_messages_from`: No such setting of who may write. * `invalid_network`: The text is no network. * `invalid_nickname`: The nickname has characters that it may not have, or none that can be seen. * `invalid_notification_id`: Not the form of the id of a notification. * `invalid_option`: The poll has no such option. * `invalid_order_id`: Not the form of the id of an order. * `invalid_page_token`: The page token is not one of this list. * `invalid_policy`: No such policy of who may reply or quote. * `invalid_poll`: The poll has too few or too many options, options that are the same or show nothing, or lasts too short or too long. * `invalid_price`: The price has an amount out of range, or no currency of ISO 4217. * `invalid_product_id`: Not the form of the id of a product. * `invalid_product_name`: The name of a product is empty, or has spaces at its ends. * `invalid_profile_field`: A field or the pronouns of a profile have characters that they may not have, or none that can be seen. * `invalid_publish_at`: The time to post a draft has passed, or is too far ahead. * `invalid_push_subscription`: The push subscription has the wrong form; the detail says what. * `invalid_quantity`: So many pieces of a product a cart does not take. * `invalid_query`: The query has a filter that there is not, or one that is not filled in. * `invalid_reason`: No such reason of a report. * `invalid_recipients`: The recipients in to and cc have no meaning, or another one than visibility. * `invalid_redirect_uri`: The redirect URI is not one of the app, or has a form that is not taken. * `invalid_request`: A part of the request has the wrong form; errors lists the parts. * `invalid_scope`: There is no such scope, or the app has not registered it. * `invalid_severity`: There is no such severity of a domain. * `invalid_stock`: So many pieces of a product there cannot be. * `invalid_tag`: Not the form of a tag. * `invalid_text`: The text has characters that it may not have. * `invalid_token`: The ID token is not one of this project. * `invalid_tweet_id`: Not the form of a tweet id. * `invalid_user_id`: Not the form of a user id. * `invalid_username`: Not the form of a username. * `invalid_visibility`: No such visibility. * `invalid_webhook_url`: The address is none of the public internet that begins with https. * `invitation_invalid`: The invitation is unknown, used up, or expired. * `invitation_required`: Nobody signs up without an invitation. * `leaving`: The user's account is being deleted. * `leaving_not_found`: No such account deletion, or its record has expired. * `limit_reached`: A limit of the account or the address is reached; limit names it, fullAt and nextAt tell when it has room. * `link_card_not_found`: There is no card of this address. * `list_not_found`: There is no such list, or it is private, or there is a block between the caller and its owner. * `marker_conflict`: Another device moved the marker since the caller read it. * `media_damaged`: The file is not what its type demands. * `media_failed`: The file cannot be shown; upload another. * `media_in_use`: A post, a message or a profile has the media already. * `media_not_found`: There are no such media of the caller, or no such file. * `media_not_ready`: A picture takes long to be looked at; try again. Only by Mastodon's API. * `media_off`: The installation takes no media. * `media_processing`: The file has not come yet, or is being looked at; try again in some seconds. * `media_too_large`: The file is larger than one of its type may be. * `media_too_old`: The media go before the tweet is posted; upload them again. * `media_type_unsupported`: The file is of a type that is not taken. * `message_not_found`: The conversation has no such message that the caller sees. * `method_not_allowed`: The path does not take the method; the header Allow has those that it takes. * `mixed_currencies`: The products have prices in several currencies; order them one after the other. * `moved_lately`: The account moved within the last 7 days. * `no_actor_key`: The user has no key for the fediverse yet. * `no_address`: The account has no e-mail address. * `no_agent`: The user has no agent. * `no_gists`: The installation writes no gists. * `no_poll`: The tweet has no poll. * `no_remote_actor`: There is no actor of another server at the address. * `no_remote_messages`: A member has an account on another server, which messages do not reach. * `no_request`: The caller has accepted the conversation. * `no_such_option`: The poll has no such option. * `not_a_bot`: The profile does not say that the user is a bot. * `not_a_reply`: The tweet answers none, so that no thread could hide it. * `not_addressed`: The tweet neither mentions nor answers a user in to or cc. * `not_admin`: For administrators only. * `not_allowed`: The other user, or the service, does not allow it. The code does not tell why. * `not_an_alias`: The new account does not name this one as its own. * `not_author`: Only the author may do this. * `not_following`: The one does not follow the other. * `not_for_apps`: No app may do this for a user; the user does it here. * `not_found`: What the request names is not there. * `not_in_fediverse`: There is nothing of the fediverse at the address. * `not_mirrored`: The account status was changed here, and not yet in Firebase Auth; send the request again. * `not_moderator`: For moderators and administrators only. * `not_ready`: The database does not answer the probe. * `not_remote`: Only a report about a user or post of another server can be forwarded to it. * `not_thread_author`: Only the author of the thread's first tweet may do this, as long as that tweet is there. * `not_you`: Only the user in the path may do this. * `note_required`: The note is empty. * `notification_not_found`: No such notification of the caller. * `notification_request_not_found`: No such notification request of the caller. * `one_filter`: The list takes one filter at a time. * `one_target`: A report is of one user or one tweet. * `order_not_found`: There is no such order. * `order_state`: The order has a state in which that cannot be done; the detail names it. * `outdated`: The thing has changed since the caller read it. * `own_account`: Moderators do not change their own account status. * `own_domain`: The domain is the instance's own. * `own_poll`: Nobody votes in a poll of their own. * `part_too_short`: A part of a word in the query has fewer than three characters. * `poll_closed`: The poll takes no votes any more. * `post_deleted`: The post of another server was deleted. * `post_not_found`: The post of another server is not known here. * `prices_changed`: Prices are not as the caller has seen them; prices has the new ones. * `product_changed`: The product was changed since the caller read it. * `product_not_found`: There is no such product. * `product_retired`: The product is sold no more. * `product_twice`: The order names a product twice. * `profile_required`: The caller must make a profile first. * `push_off`: The server sends nothing to devices of this kind. * `push_subscription_not_found`: The caller has no such push subscription of an app. * `quote_not_found`: The one tweet does not quote the other. * `range_not_satisfiable`: The file has no such part. * `reason_required`: An act of a moderator needs a reason. * `recent_sign_in_required`: The caller must have signed in within the last minutes. * `remote_unavailable`: The server of the actor does not answer. * `remote_user`: The user has an account on another server, which alone changes the profile. * `reply_not_approved`: A reply of another server waits for approval, or finds no room to wait. * `report_not_found`: No such report. * `request_limit`: The caller asks as many users to follow them as one may, or the user is asked by as many. * `request_not_found`: The user does not ask to follow the caller. * `request_pending`: The conversation waits for consent: 5 messages without pictures until then. * `reserved_username`: The username looks like a name of the service. * `revision_not_found`: The tweet has no such revision. * `revoked_token`: The session of the ID token was ended; sign in again. * `route_not_found`: No such path. * `saturated`: Too many requests at the moment; try again in a second. * `scope_required`: The access token of the app does not have the scope that this needs. * `self_block`: Nobody blocks themselves. * `self_follow`: Nobody follows themselves. * `self_hide`: Nobody hides what they share themselves. * `self_mute`: Nobody mutes themselves. * `self_note`: A note is about somebody else. * `self_report`: Nobody reports themselves. * `sign_up_changed`: The user sent another sign-up meanwhile; look at it again. * `sign_up_not_found`: No sign-up of the user waits for approval. * `sign_up_refused`: An administrator refused the sign-up. * `signature_required`: Servers of the fediverse must sign what they read. * `single_user`: The instance is for one person, and nobody else signs up. * `standing_changed`: Another moderator changed the account status at that moment; read it again. * `standings_unknown`: The account status cannot be read at the moment; try again. * `stock_out_of_range`: The stock of the product would be below zero, or too large. * `stray_revision`: A revision stands below no tweet; it is not repaired alone. * `tag_not_found`: No tweet has the tag. * `terms_changed`: The terms have another version now; read them again. * `terms_required`: The caller must consent to the terms first. * `text_required`: The text is empty. * `timeout`: The body took too long to arrive. * `too_large`: The body is larger than the API takes. * `too_late`: The hour in which a message can be taken back is over. * `too_late_to_appeal`: The decision is more than 20 days old. * `too_late_to_publish`: Why a scheduled draft was not posted: its time was more than a day ago when the job ran. * `too_long`: A text is longer than its limit. * `too_many_accepted_senders`: The caller lets as many senders through as one may; take one back first. * `too_many_activities`: The server sends too many activities; it may send again after a while. * `too_many_ai_models`: There are as many AI models as there may be. * `too_many_aliases`: A user has 10 other accounts at most. * `too_many_announcements`: There are as many announcements as there may be; remove one first. * `too_many_apps`: The caller lets in as many apps as possible; remove one first. * `too_many_blocks`: There are as many domains and networks as there may be; remove one. * `too_many_devices`: The caller has the largest number of devices; remove one first. * `too_many_domains`: There are as many domains as there may be; remove some. * `too_many_drafts`: The caller has as many drafts as one may; post or delete one first. * `too_many_edits`: The tweet was edited as often as it may be. * `too_many_exclusive_lists`: The caller has as many exclusive lists as one may; change one first. * `too_many_filters`: The caller has as many filters or keywords as one may; remove some first. * `too_many_followed_tags`: The caller follows as many tags as one may; unfollow one first. * `too_many_held_replies`: As many replies wait for the approval of the thread's author as may. * `too_many_hidden_messages`: The caller has deleted as many single messages as one may. * `too_many_ids`: More ids than one request may name. * `too_many_list_members`: The list has as many members as it may; remove one first. * `too_many_lists`: The caller has as many lists as one may; delete one first. * `too_many_media`: A post has at most 4 pictures, each once, or one video. * `too_many_mutes`: The caller has muted as many conversations, or as many users, as one may. * `too_many_orders`: The caller has as many orders that were not shipped yet as one may; wait, or cancel one. * `too_many_pieces`: The order of a guest has more pieces than it may; order fewer, or make a profile. * `too_many_pinned_tags`: More tags than a profile shows. * `too_many_pins`: The profile has as many pinned tweets as it may; unpin one first. * `too_many_rows`: The list has more rows than are imported at once. * `too_many_sign_ups`: As many sign-ups wait for an administrator as may wait. * `too_many_subscriptions`: The posts of as many users make notifications as may; take one back first. * `too_many_tags`: More tags than a tweet may have. * `too_many_webhooks`: There are as many webhooks as there may be; remove one. * `too_old_to_edit`: The tweet is older than a tweet that may be edited. * `too_short`: The tweet is too short for a gist. * `trend_review_full`: There are decisions about 200 tags already. * `tweet_changed`: The tweet was edited or deleted while the model wrote. * `tweet_deleted`: The tweet was deleted; the document has its tombstone. * `tweet_edited`: The tweet was edited since the caller read it. * `tweet_exists`: Another request made a tweet with the id. * `tweet_not_found`: No such tweet, or none that the caller may see. * `two_avatars`: Only one of avatar and avatarMedia may be given. * `two_images`: Only one of image and imageMedia of a product may be given. * `two_snapshots_needed`: The user or tweet changed between two looks; repair again. * `unauthenticated`: The request needs a sign-in. * `unauthorized_client`: The token belongs to another app. * `unavailable`: The database does not answer at the moment; try again. The change may have happened. * `unknown_ai_model`: There is no AI model of that name, or agents may not use it. * `unknown_event`: There is no such event of webhooks. * `unsupported_grant_type`: There are tokens for codes, and for apps themselves, alone. * `unsupported_media_type`: The body is not application/json. * `unsupported_response_type`: The app asks for another answer than a code. * `upload_broken`: A file did not reach the storage; try again. Only by Mastodon's API. * `user_exists`: The caller has a profile already. * `user_frozen`: The other user's account is frozen. * `user_not_found`: No such user. * `user_suspended`: The other user's account is suspended. * `username_not_found`: Nobody has the username. * `username_taken`: Somebody has the username. * `visibility_too_wide`: A reply cannot be shown to more people than the tweet that it answers. * `webhook_not_found`: There is no such webhook. * `webhook_off`: The webhook is switched off. * `wrong_media_kind`: The media were uploaded for something else. */
    val code: String,
    /** Time of the deletion */
    val deletedAt: Instant? = null,
    /** What went wrong, for people */
    val detail: String,
    /** The invalid parts of the request, at most 20; only with the code invalid_request */
    val errors: List<FieldError>? = null,
    /** Type of the deleted document */
    val formerType: String? = null,
    /** Time from which on the limit is as if nothing had been used */
    val fullAt: Instant? = null,
    /** Id of the deleted tweet */
    val id: String? = null,
    /** Name of the limit that is reached; only with the codes limit_reached and export_limit */
    val limit: String? = null,
    /** Time from which on the same change is possible; only for the limits renames, usernames and exports */
    val nextAt: Instant? = null,
    /** What products cost now whose prices the caller has not seen; only with the code prices_changed */
    val prices: List<NewPrice>? = null,
    val status: Long,
    /** The status in words */
    val title: String,
    /** Always about:blank; the code tells more */
    val type: String,
) {
    companion object {
        internal fun from(json: Any?): Problem {
            val o = fields(json)
            return Problem(
                authorId = o["authorId"]?.let { value -> text(value) },
                code = text(o["code"]),
                deletedAt = o["deletedAt"]?.let { value -> time(value) },
                detail = text(o["detail"]),
                errors = o["errors"]?.let { value -> list(value) { FieldError.from(it) } },
                formerType = o["formerType"]?.let { value -> text(value) },
                fullAt = o["fullAt"]?.let { value -> time(value) },
                id = o["id"]?.let { value -> text(value) },
                limit = o["limit"]?.let { value -> text(value) },
                nextAt = o["nextAt"]?.let { value -> time(value) },
                prices = o["prices"]?.let { value -> list(value) { NewPrice.from(it) } },
                status = whole(o["status"]),
                title = text(o["title"]),
                type = text(o["type"]),
            )
        }
    }
}

data class Product(
    /** false for a product that is sold no more */
    val active: Boolean,
    /** Pieces that can be ordered; what an order holds is not among them */
    val amountInStock: Long,
    val createdAt: Instant,
    /** Plain text */
    val description: String,
    val id: String,
    /** URL, of an uploaded picture that of its large size; empty for none */
    val image: String,
    val name: String,
    /** Absent unless the image is an uploaded picture */
    val picture: ProductPicture? = null,
    val price: Price,
    /** Time of the last change by an administrator */
    val updatedAt: Instant,
    /** How often administrators changed the product; stock does not count */
    val version: Long,
) {
    companion object {
        internal fun from(json: Any?): Product {
            val o = fields(json)
            return Product(
                active = flag(o["active"]),
                amountInStock = whole(o["amountInStock"]),
                createdAt = time(o["createdAt"]),
                description = text(o["description"]),
                id = text(o["id"]),
                image = text(o["image"]),
                name = text(o["name"]),
                picture = o["picture"]?.let { value -> ProductPicture.from(value) },
                price = Price.from(o["price"]),
                updatedAt = time(o["updatedAt"]),
                version = whole(o["version"]),
            )
        }
    }
}

data class ProductPatch(
    /** false retires the product: nobody can order it, and orders that wait for it are rejected */
    val active: Boolean? = null,
    val description: String? = null,
    /** An https URL; it takes the place of an uploaded picture */
    val image: String? = null,
    /** What the uploaded picture shows, in words */
    val imageAlt: String? = null,
    /** Id of an upload of the caller, of kind product, which is the image from now on; empty to remove the picture */
    val imageMedia: String? = null,
    val name: String? = null,
    val price: Price? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "active" to active,
        "description" to description,
        "image" to image,
        "imageAlt" to imageAlt,
        "imageMedia" to imageMedia,
        "name" to name,
        "price" to price?.json(),
    )
}

data class ProductPicture(
    /** What the picture shows, in words */
    val alt: String,
    /** A few colors to be shown until the picture is there (blurha.sh) */
    val blurhash: String,
    val height: Long,
    val id: String,
    val urls: MediaURLs,
    /** Of the large size, in pixels */
    val width: Long,
) {
    companion object {
        internal fun from(json: Any?): ProductPicture {
            val o = fields(json)
            return ProductPicture(
                alt = text(o["alt"]),
                blurhash = text(o["blurhash"]),
                height = whole(o["height"]),
                id = text(o["id"]),
                urls = MediaURLs.from(o["urls"]),
                width = whole(o["width"]),
            )
        }
    }
}

data class ProfileField(
    /** One character at least can be seen */
    val name: String,
    /** A text, or one https link */
    val value: String,
) {
    internal fun json(): Map<String, Any> = present(
        "name" to name,
        "value" to value,
    )
}

data class ProfileFieldItem(
    /** True if the value is a link. Show it with rel="me nofollow noopener" */
    val link: Boolean,
    val name: String,
    val value: String,
    /** When the page of the link linked to this profile with rel=me; absent if it did not */
    val verifiedAt: Instant? = null,
) {
    companion object {
        internal fun from(json: Any?): ProfileFieldItem {
            val o = fields(json)
            return ProfileFieldItem(
                link = flag(o["link"]),
                name = text(o["name"]),
                value = text(o["value"]),
                verifiedAt = o["verifiedAt"]?.let { value -> time(value) },
            )
        }
    }
}

data class PushApp(
    /** The types of notifications, by their names in Mastodon, of which the app is told */
    val alerts: List<String>,
    /** Address at the push service of the app */
    val endpoint: String? = null,
    /** Language of the messages; en if absent */
    val language: String? = null,
    /** Whether the app reads the encoding aesgcm, and not aes128gcm */
    val legacy: Boolean? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "alerts" to alerts,
        "endpoint" to endpoint,
        "language" to language,
        "legacy" to legacy,
    )

    companion object {
        internal fun from(json: Any?): PushApp {
            val o = fields(json)
            return PushApp(
                alerts = list(o["alerts"]) { text(it) },
                endpoint = o["endpoint"]?.let { value -> text(value) },
                language = o["language"]?.let { value -> text(value) },
                legacy = o["legacy"]?.let { value -> flag(value) },
            )
        }
    }
}

data class PushBody(
    /** Of an app for Mastodon, which gets messages in the form of Mastodon: access_token (empty), preferred_locale, notification_id, notification_type, icon, title, body */
    val app: PushApp? = null,
    /** Address at the push service of the browser: https, and the name of a public host */
    val endpoint: String? = null,
    /** Browsers say it; it makes no difference */
    val expirationTime: Double? = null,
    /** Registration token of an app, instead of endpoint and keys */
    val fcmToken: String? = null,
    val keys: PushBodyKeysStruct? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "app" to app?.json(),
        "endpoint" to endpoint,
        "expirationTime" to expirationTime,
        "fcmToken" to fcmToken,
        "keys" to keys?.json(),
    )
}

data class PushBodyKeysStruct(
    /** Secret of the browser, 16 bytes as base64url */
    val auth: String,
    /** Public key of the browser, 65 bytes as base64url */
    val p256dh: String,
) {
    internal fun json(): Map<String, Any> = present(
        "auth" to auth,
        "p256dh" to p256dh,
    )
}

data class PushSubscription(
    /** Present for an app for Mastodon alone */
    val app: PushApp? = null,
    /** When it was registered last */
    val at: Instant,
    val id: String,
    val kind: String,
) {
    companion object {
        internal fun from(json: Any?): PushSubscription {
            val o = fields(json)
            return PushSubscription(
                app = o["app"]?.let { value -> PushApp.from(value) },
                at = time(o["at"]),
                id = text(o["id"]),
                kind = text(o["kind"]),
            )
        }
    }
}

data class PushWays(
    /** Whether apps get notifications by Firebase Cloud Messaging */
    val fcm: Boolean,
    /** The applicationServerKey of a web push subscription, 65 bytes as base64url */
    val vapidPublicKey: String? = null,
    /** Whether browsers get notifications */
    val webPush: Boolean,
) {
    companion object {
        internal fun from(json: Any?): PushWays {
            val o = fields(json)
            return PushWays(
                fcm = flag(o["fcm"]),
                vapidPublicKey = o["vapidPublicKey"]?.let { value -> text(value) },
                webPush = flag(o["webPush"]),
            )
        }
    }
}

data class PutItemInputBody(
    val quantity: Long,
) {
    internal fun json(): Map<String, Any> = present(
        "quantity" to quantity,
    )
}

data class PutNoteRequest(
    val text: String,
) {
    internal fun json(): Map<String, Any> = present(
        "text" to text,
    )
}

data class ReactToMessageRequest(
    val emoji: String,
) {
    internal fun json(): Map<String, Any> = present(
        "emoji" to emoji,
    )
}

data class ReadConversationRequest(
    val messageId: String,
) {
    internal fun json(): Map<String, Any> = present(
        "messageId" to messageId,
    )
}

data class ReadTag(
    /** The tag as its first author typed it */
    val content: String,
    /** Whether the caller follows the tag; absent without a signed-in caller */
    val isFollowing: Boolean? = null,
    /** Key of the tag */
    val name: String,
    val tweetCount: Long,
) {
    companion object {
        internal fun from(json: Any?): ReadTag {
            val o = fields(json)
            return ReadTag(
                content = text(o["content"]),
                isFollowing = o["isFollowing"]?.let { value -> flag(value) },
                name = text(o["name"]),
                tweetCount = whole(o["tweetCount"]),
            )
        }
    }
}

data class Reason(
    /** Why, for the audit log */
    val reason: String,
) {
    internal fun json(): Map<String, Any> = present(
        "reason" to reason,
    )
}

data class Record(
    val at: Instant,
    /** What became of the order; of a notification of an order alone */
    val orderStatus: String? = null,
    /** The reply or quote, or the tweet that mentions the caller */
    val tweetId: String? = null,
    /** Present in the newest 3 records, of users who have a profile */
    val user: UserSummary? = null,
    /** The user who followed, liked, shared, quoted, replied, mentioned, edited or changed the order; the caller for what the shop does by itself */
    val userId: String,
) {
    companion object {
        internal fun from(json: Any?): Record {
            val o = fields(json)
            return Record(
                at = time(o["at"]),
                orderStatus = o["orderStatus"]?.let { value -> text(value) },
                tweetId = o["tweetId"]?.let { value -> text(value) },
                user = o["user"]?.let { value -> UserSummary.from(value) },
                userId = text(o["userId"]),
            )
        }
    }
}

data class RefusedSignUp(
    /** For the user */
    val answer: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "answer" to answer,
    )
}

data class Relationship(
    val createdAt: Instant,
    val followedId: String,
    val followerId: String,
) {
    companion object {
        internal fun from(json: Any?): Relationship {
            val o = fields(json)
            return Relationship(
                createdAt = time(o["createdAt"]),
                followedId = text(o["followedId"]),
                followerId = text(o["followerId"]),
            )
        }
    }
}

data class Remote(
    /** Host of the server */
    val host: String,
    /** Address of the original page */
    val url: String,
) {
    companion object {
        internal fun from(json: Any?): Remote {
            val o = fields(json)
            return Remote(
                host = text(o["host"]),
                url = text(o["url"]),
            )
        }
    }
}

data class Repair(
    /** Path of the document */
    val document: String,
    /** Name of the field; empty for the whole document */
    val field: String,
    /** The value in the database; null if there is none */
    val have: Any? = null,
    /** Collection of the document */
    val kind: String,
    /** False if the difference needs a person */
    val repaired: Boolean,
    /** Version of the document when the difference was found; empty if the field is no count */
    val version: String,
    /** The value that follows from the source documents; null if there should be none */
    val want: Any? = null,
) {
    companion object {
        internal fun from(json: Any?): Repair {
            val o = fields(json)
            return Repair(
                document = text(o["document"]),
                field = text(o["field"]),
                have = o["have"]?.let { value -> value },
                kind = text(o["kind"]),
                repaired = flag(o["repaired"]),
                version = text(o["version"]),
                want = o["want"]?.let { value -> value },
            )
        }
    }
}

data class RepairTweetRequest(
    /** The items of an earlier answer to GET on the same path without settle. These take the place of the first snapshot */
    val against: List<Difference>? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "against" to against?.map { it.json() },
    )
}

data class RepairUserRequest(
    /** The items of an earlier answer to GET on the same path without settle. These take the place of the first snapshot */
    val against: List<Difference>? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "against" to against?.map { it.json() },
    )
}

data class Repairs(
    val items: List<Repair>,
) {
    companion object {
        internal fun from(json: Any?): Repairs {
            val o = fields(json)
            return Repairs(
                items = list(o["items"]) { Repair.from(it) },
            )
        }
    }
}

data class Report(
    val createdAt: Instant,
    /** Whether the server of the reported user got it */
    val forwarded: Boolean? = null,
    val id: String,
    /** The reported message as it was then; absent from other reports */
    val message: ReportedMessage? = null,
    val open: Boolean,
    /** Open reports of the tweet, or of the user and the user's tweets; only with counts=true */
    val openReports: Long? = null,
    val reason: String,
    val reporterId: String,
    /** Absent from an open report */
    val resolution: Resolution? = null,
    val text: String,
    /** Absent from the report of a user or message */
    val tweetId: String? = null,
    /** The reported user, or the author of the reported tweet */
    val userId: String,
) {
    companion object {
        internal fun from(json: Any?): Report {
            val o = fields(json)
            return Report(
                createdAt = time(o["createdAt"]),
                forwarded = o["forwarded"]?.let { value -> flag(value) },
                id = text(o["id"]),
                message = o["message"]?.let { value -> ReportedMessage.from(value) },
                open = flag(o["open"]),
                openReports = o["openReports"]?.let { value -> whole(value) },
                reason = text(o["reason"]),
                reporterId = text(o["reporterId"]),
                resolution = o["resolution"]?.let { value -> Resolution.from(value) },
                text = text(o["text"]),
                tweetId = o["tweetId"]?.let { value -> text(value) },
                userId = text(o["userId"]),
            )
        }
    }
}

data class ReportedMessage(
    val conversationId: String,
    val createdAt: Instant,
    /** Its pictures or video as they were then, as long as they are not deleted */
    val media: List<TweetMedia>? = null,
    val messageId: String,
    val text: String,
) {
    companion object {
        internal fun from(json: Any?): ReportedMessage {
            val o = fields(json)
            return ReportedMessage(
                conversationId = text(o["conversationId"]),
                createdAt = time(o["createdAt"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                messageId = text(o["messageId"]),
                text = text(o["text"]),
            )
        }
    }
}

data class RequestedAuthorization(
    /** True if the user let this app in before */
    val allowed: Boolean,
    /** The address that tells the app that the user does not agree; absent for an app that cannot be reached */
    val cancel: String? = null,
    /** What the app calls itself: a claim of whoever registered it */
    val name: String,
    /** Where the answer goes, which tells more than the name */
    val redirectUri: String,
    val scopes: List<String>,
    /** A claim, too */
    val website: String? = null,
) {
    companion object {
        internal fun from(json: Any?): RequestedAuthorization {
            val o = fields(json)
            return RequestedAuthorization(
                allowed = flag(o["allowed"]),
                cancel = o["cancel"]?.let { value -> text(value) },
                name = text(o["name"]),
                redirectUri = text(o["redirectUri"]),
                scopes = list(o["scopes"]) { text(it) },
                website = o["website"]?.let { value -> text(value) },
            )
        }
    }
}

data class Resolution(
    val at: Instant,
    val by: String,
    val decision: String,
    val note: String,
) {
    companion object {
        internal fun from(json: Any?): Resolution {
            val o = fields(json)
            return Resolution(
                at = time(o["at"]),
                by = text(o["by"]),
                decision = text(o["decision"]),
                note = text(o["note"]),
            )
        }
    }
}

data class ResolveReportRequest(
    /** acted: something was done about it; dismissed: there is nothing to do */
    val decision: String,
    /** Why, for the audit log */
    val note: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "decision" to decision,
        "note" to note,
    )
}

data class RestockInputBody(
    /** How many come into stock; below 0 they are taken out */
    val pieces: Long,
) {
    internal fun json(): Map<String, Any> = present(
        "pieces" to pieces,
    )
}

data class ReviewedTrend(
    /** The tag as one of its authors typed it */
    val content: String? = null,
    /** True if more than 64 uses an hour make useCount an estimate */
    val estimated: Boolean,
    /** Key of the tag; absent for a tweet */
    val tag: String? = null,
    /** Absent for a tag */
    val tweetId: String? = null,
    /** Number of accounts in this hour and each of the two before; an account counts once an hour */
    val useCount: Long,
    /** How many would be usual, by the last days */
    val usualCount: Double,
) {
    companion object {
        internal fun from(json: Any?): ReviewedTrend {
            val o = fields(json)
            return ReviewedTrend(
                content = o["content"]?.let { value -> text(value) },
                estimated = flag(o["estimated"]),
                tag = o["tag"]?.let { value -> text(value) },
                tweetId = o["tweetId"]?.let { value -> text(value) },
                useCount = whole(o["useCount"]),
                usualCount = real(o["usualCount"]),
            )
        }
    }
}

data class Revision(
    val allowLikes: Boolean,
    val allowQuotes: Boolean,
    val allowReplies: Boolean,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    /** The content as safe HTML; present where the content is asked for with format=html. It links the mentions of the tweet as it is now */
    val html: String? = null,
    /** Number of characters of the content */
    val length: Long,
    /** 1 for the tweet as it was posted; revision n is what edit n replaced */
    val number: Long,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** When the next version took its place */
    val replacedAt: Instant,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    val visibility: String,
    /** When the author wrote this version */
    val writtenAt: Instant,
) {
    companion object {
        internal fun from(json: Any?): Revision {
            val o = fields(json)
            return Revision(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                content = o["content"]?.let { value -> text(value) },
                html = o["html"]?.let { value -> text(value) },
                length = whole(o["length"]),
                number = whole(o["number"]),
                quotePolicy = text(o["quotePolicy"]),
                replacedAt = time(o["replacedAt"]),
                replyPolicy = text(o["replyPolicy"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                visibility = text(o["visibility"]),
                writtenAt = time(o["writtenAt"]),
            )
        }
    }
}

data class RunAgent(
    /** false stops the agent: when the answer is there, no act begins any more */
    val running: Boolean,
) {
    internal fun json(): Map<String, Any> = present(
        "running" to running,
    )
}

data class SeeCartInputBody(
    /** The prices that the caller was shown, by the ids of their products */
    val prices: Map<String, Price>,
) {
    internal fun json(): Map<String, Any> = present(
        "prices" to prices.mapValues { it.value.json() },
    )
}

data class SettingsPatch(
    val edit: Boolean? = null,
    val follow: Boolean? = null,
    val followRequest: Boolean? = null,
    val like: Boolean? = null,
    val mention: Boolean? = null,
    val order: Boolean? = null,
    val poll: Boolean? = null,
    val post: Boolean? = null,
    val quote: Boolean? = null,
    val reply: Boolean? = null,
    val share: Boolean? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "edit" to edit,
        "follow" to follow,
        "followRequest" to followRequest,
        "like" to like,
        "mention" to mention,
        "order" to order,
        "poll" to poll,
        "post" to post,
        "quote" to quote,
        "reply" to reply,
        "share" to share,
    )
}

data class SharedTweet(
    val allowLikes: Boolean,
    /** False if quotePolicy is nobody */
    val allowQuotes: Boolean,
    /** False if replyPolicy is nobody */
    val allowReplies: Boolean,
    val author: Author,
    val authorId: String,
    /** True if the caller keeps the tweet as a bookmark; nobody else learns of it */
    val bookmarked: Boolean,
    /** Further recipients; absent if there are none, and from lists */
    val cc: List<String>? = null,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none */
    val filtered: List<FilterHit>? = null,
    /** True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise */
    val flagged: Boolean? = null,
    /** True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise */
    val folded: Boolean? = null,
    /** The content as safe HTML; a tweet read by itself has it with format=html */
    val html: String? = null,
    val id: String,
    /** BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown */
    val language: String,
    /** Number of characters of the content */
    val length: Long,
    val likeCount: Long,
    /** True if the caller likes the tweet */
    val liked: Boolean,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** Whom the content mentions; absent if nobody */
    val mentions: List<Mention>? = null,
    /** The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true */
    val poll: Poll? = null,
    val quoteCount: Long,
    /** Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none */
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise */
    val quoteWithdrawn: Boolean? = null,
    /** Where the post is, if it is of another server; absent from others */
    val remote: Remote? = null,
    /** Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits */
    val repliesHeldBy: String? = null,
    val replyCount: Long,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** Id of the tweet that this tweet answers; null for a root tweet */
    val replyTo: String? = null,
    /** Who wrote the tweet that this tweet answers; absent from a root tweet */
    val replyToAuthorId: String? = null,
    /** How often the tweet was edited; so many revisions are kept */
    val revision: Long,
    /** Id of the tweet that began the thread */
    val rootId: String,
    val shareCount: Long,
    /** True if the caller shares the tweet */
    val shared: Boolean,
    val sharedAt: Instant,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    /** Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself */
    val to: List<String>? = null,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    /** Who may see the tweet */
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): SharedTweet {
            val o = fields(json)
            return SharedTweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                bookmarked = flag(o["bookmarked"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                flagged = o["flagged"]?.let { value -> flag(value) },
                folded = o["folded"]?.let { value -> flag(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                language = text(o["language"]),
                length = whole(o["length"]),
                likeCount = whole(o["likeCount"]),
                liked = flag(o["liked"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                mentions = o["mentions"]?.let { value -> list(value) { Mention.from(it) } },
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteCount = whole(o["quoteCount"]),
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                repliesHeldBy = o["repliesHeldBy"]?.let { value -> text(value) },
                replyCount = whole(o["replyCount"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                replyToAuthorId = o["replyToAuthorId"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = whole(o["shareCount"]),
                shared = flag(o["shared"]),
                sharedAt = time(o["sharedAt"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class Sharer(
    val avatar: String,
    val id: String,
    val nickname: String,
    /** About how many other followed users share the tweet, with those of whom the caller mutes shares alone; 0 in a list of one user's */
    val others: Long,
    val sharedAt: Instant,
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): Sharer {
            val o = fields(json)
            return Sharer(
                avatar = text(o["avatar"]),
                id = text(o["id"]),
                nickname = text(o["nickname"]),
                others = whole(o["others"]),
                sharedAt = time(o["sharedAt"]),
                username = text(o["username"]),
            )
        }
    }
}

data class SignIn(
    /** In whole seconds */
    val at: Instant,
    /** True for the sign-in of this request's ID token */
    val current: Boolean,
    /** True if the caller signed out everywhere since. A sign-in that ended otherwise is not marked: Firebase Auth does not tell */
    val ended: Boolean,
    /** The family of the browser, or app; empty if unknown */
    val program: String,
    /** What the caller signed in with */
    val provider: String,
    /** The family of the system, from the User-Agent header of the request that told of the sign-in; empty if unknown */
    val system: String,
) {
    companion object {
        internal fun from(json: Any?): SignIn {
            val o = fields(json)
            return SignIn(
                at = time(o["at"]),
                current = flag(o["current"]),
                ended = flag(o["ended"]),
                program = text(o["program"]),
                provider = text(o["provider"]),
                system = text(o["system"]),
            )
        }
    }
}

data class SignIns(
    /** Newest first, at most 20 */
    val items: List<SignIn>,
) {
    companion object {
        internal fun from(json: Any?): SignIns {
            val o = fields(json)
            return SignIns(
                items = list(o["items"]) { SignIn.from(it) },
            )
        }
    }
}

data class SignUp(
    /** What the administrator says who refused */
    val answer: String? = null,
    /** When the user sent it last, perhaps with changes */
    val askedAt: Instant,
    val createdAt: Instant,
    /** For administrators */
    val email: String? = null,
    /** When nobody remembers it any more */
    val expireAt: Instant,
    val introduction: String,
    val nickname: String,
    /** Why the user wants to join */
    val reason: String,
    val state: String,
    val userId: String,
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): SignUp {
            val o = fields(json)
            return SignUp(
                answer = o["answer"]?.let { value -> text(value) },
                askedAt = time(o["askedAt"]),
                createdAt = time(o["createdAt"]),
                email = o["email"]?.let { value -> text(value) },
                expireAt = time(o["expireAt"]),
                introduction = text(o["introduction"]),
                nickname = text(o["nickname"]),
                reason = text(o["reason"]),
                state = text(o["state"]),
                userId = text(o["userId"]),
                username = text(o["username"]),
            )
        }
    }
}

data class SignUpBlock(
    val at: Instant,
    val by: String,
    val comment: String,
    /** null for never */
    val expireAt: Instant? = null,
    val kind: String,
    /** A domain, with its subdomains, or a network */
    val of: String,
    val severity: String,
) {
    companion object {
        internal fun from(json: Any?): SignUpBlock {
            val o = fields(json)
            return SignUpBlock(
                at = time(o["at"]),
                by = text(o["by"]),
                comment = text(o["comment"]),
                expireAt = o["expireAt"]?.let { value -> time(value) },
                kind = text(o["kind"]),
                of = text(o["of"]),
                severity = text(o["severity"]),
            )
        }
    }
}

data class SignUpBlocks(
    /** Domains first, then networks, by name; at most 500 */
    val items: List<SignUpBlock>,
) {
    companion object {
        internal fun from(json: Any?): SignUpBlocks {
            val o = fields(json)
            return SignUpBlocks(
                items = list(o["items"]) { SignUpBlock.from(it) },
            )
        }
    }
}

data class Standing(
    /** The moderator who changed it last */
    val by: String? = null,
    /** null if no moderator ever changed it */
    val changedAt: Instant? = null,
    val reason: String,
    /** frozen: may read and leave, and not write; suspended: may do nothing */
    val state: String,
    val userId: String,
) {
    companion object {
        internal fun from(json: Any?): Standing {
            val o = fields(json)
            return Standing(
                by = o["by"]?.let { value -> text(value) },
                changedAt = o["changedAt"]?.let { value -> time(value) },
                reason = text(o["reason"]),
                state = text(o["state"]),
                userId = text(o["userId"]),
            )
        }
    }
}

data class Subscription(
    /** Whether the posts of the user make notifications for the caller */
    val notify: Boolean,
) {
    companion object {
        internal fun from(json: Any?): Subscription {
            val o = fields(json)
            return Subscription(
                notify = flag(o["notify"]),
            )
        }
    }
}

data class Suggestion(
    val reason: SuggestionReason,
    val user: UserSummary,
) {
    companion object {
        internal fun from(json: Any?): Suggestion {
            val o = fields(json)
            return Suggestion(
                reason = SuggestionReason.from(o["reason"]),
                user = UserSummary.from(o["user"]),
            )
        }
    }
}

data class SuggestionReason(
    /** Up to 3 users whom the caller follows, and who follow the person */
    val followedBy: List<NamedUser>,
    /** Language that both write; absent if they differ, or do not say */
    val language: String? = null,
    /** About how many more of those whom the caller follows do */
    val others: Long,
    /** Up to 3 tags that both use */
    val tags: List<String>,
) {
    companion object {
        internal fun from(json: Any?): SuggestionReason {
            val o = fields(json)
            return SuggestionReason(
                followedBy = list(o["followedBy"]) { NamedUser.from(it) },
                language = o["language"]?.let { value -> text(value) },
                others = whole(o["others"]),
                tags = list(o["tags"]) { text(it) },
            )
        }
    }
}

data class Suggestions(
    val items: List<Suggestion>,
) {
    companion object {
        internal fun from(json: Any?): Suggestions {
            val o = fields(json)
            return Suggestions(
                items = list(o["items"]) { Suggestion.from(it) },
            )
        }
    }
}

data class Tag(
    /** The tag as its first author typed it */
    val content: String,
    /** Key of the tag */
    val name: String,
    val tweetCount: Long,
) {
    companion object {
        internal fun from(json: Any?): Tag {
            val o = fields(json)
            return Tag(
                content = text(o["content"]),
                name = text(o["name"]),
                tweetCount = whole(o["tweetCount"]),
            )
        }
    }
}

data class TagTrend(
    /** The tag as one of its authors typed it */
    val content: String,
    /** True if more than 64 uses an hour make useCount an estimate */
    val estimated: Boolean,
    /** Key of the tag */
    val name: String,
    /** Number of accounts in this hour and each of the two before; an account counts once an hour */
    val useCount: Long,
    /** How many would be usual, by the last days */
    val usualCount: Double,
) {
    companion object {
        internal fun from(json: Any?): TagTrend {
            val o = fields(json)
            return TagTrend(
                content = text(o["content"]),
                estimated = flag(o["estimated"]),
                name = text(o["name"]),
                useCount = whole(o["useCount"]),
                usualCount = real(o["usualCount"]),
            )
        }
    }
}

data class TagUser(
    /** The user's newest tweet with the tag that everybody sees; present by newest */
    val tweet: Tweet? = null,
    /** Number of the user's public tweets with the tag; present by tweetCount */
    val tweetCount: Long? = null,
    val user: UserSummary,
) {
    companion object {
        internal fun from(json: Any?): TagUser {
            val o = fields(json)
            return TagUser(
                tweet = o["tweet"]?.let { value -> Tweet.from(value) },
                tweetCount = o["tweetCount"]?.let { value -> whole(value) },
                user = UserSummary.from(o["user"]),
            )
        }
    }
}

data class Terms(
    /** Time of the version */
    val at: Instant,
    /** The text as safe HTML; present with format=html */
    val html: String? = null,
    /** Markdown */
    val text: String,
    /** Grows with each text to which users have to consent anew */
    val version: Long,
) {
    companion object {
        internal fun from(json: Any?): Terms {
            val o = fields(json)
            return Terms(
                at = time(o["at"]),
                html = o["html"]?.let { value -> text(value) },
                text = text(o["text"]),
                version = whole(o["version"]),
            )
        }
    }
}

data class Thread(
    /** The tweets above, from the root of the thread down to the parent; empty for a page that does not begin at the first reply */
    val ancestors: List<BatchItem>,
    /** Id of a tweet below the first ancestor that is left out, with those between the two; its own thread shows more of them */
    val gap: String? = null,
    val tweet: ThreadNode,
) {
    companion object {
        internal fun from(json: Any?): Thread {
            val o = fields(json)
            return Thread(
                ancestors = list(o["ancestors"]) { BatchItem.from(it) },
                gap = o["gap"]?.let { value -> text(value) },
                tweet = ThreadNode.from(o["tweet"]),
            )
        }
    }
}

data class ThreadNode(
    val id: String,
    /** The pageToken with which the thread of this tweet, or the list of its replies, goes on; of an unknown tweet the thread alone. Empty if all replies are shown */
    val nextPageToken: String,
    /** Some of the replies, oldest first */
    val replies: List<ThreadNode>,
    val status: String,
    /** Present if the status is gone */
    val tombstone: Tombstone? = null,
    /** Present if the status is found */
    val tweet: Tweet? = null,
) {
    companion object {
        internal fun from(json: Any?): ThreadNode {
            val o = fields(json)
            return ThreadNode(
                id = text(o["id"]),
                nextPageToken = text(o["nextPageToken"]),
                replies = list(o["replies"]) { ThreadNode.from(it) },
                status = text(o["status"]),
                tombstone = o["tombstone"]?.let { value -> Tombstone.from(value) },
                tweet = o["tweet"]?.let { value -> Tweet.from(value) },
            )
        }
    }
}

data class Ties(
    /** Whether the caller blocks the user */
    val blocking: Boolean,
    /** Whether the user follows the caller */
    val followedBy: Boolean,
    /** Whether the caller follows the user */
    val following: Boolean,
    /** Whether the caller hides what the user shares; this and the following are there with view=full, and absent for no */
    val hidesShares: Boolean? = null,
    val id: String,
    /** The caller's mute of the user; absent if there is none, or if it has ended */
    val muting: Muting? = null,
    /** The caller's private note on the user */
    val note: String? = null,
    /** Whether the posts of the user make notifications for the caller */
    val notify: Boolean? = null,
    /** Whether the caller asks to follow the user, who has not answered */
    val requested: Boolean,
    /** Whether the user asks to follow the caller, who has not answered */
    val requestedBy: Boolean? = null,
) {
    companion object {
        internal fun from(json: Any?): Ties {
            val o = fields(json)
            return Ties(
                blocking = flag(o["blocking"]),
                followedBy = flag(o["followedBy"]),
                following = flag(o["following"]),
                hidesShares = o["hidesShares"]?.let { value -> flag(value) },
                id = text(o["id"]),
                muting = o["muting"]?.let { value -> Muting.from(value) },
                note = o["note"]?.let { value -> text(value) },
                notify = o["notify"]?.let { value -> flag(value) },
                requested = flag(o["requested"]),
                requestedBy = o["requestedBy"]?.let { value -> flag(value) },
            )
        }
    }
}

data class TimelineAudit(
    /** Tweets that the timeline shows more than once */
    val duplicate: List<String>,
    /** Tweets that the timeline shows and should not */
    val extra: List<String>,
    /** Tweets that the timeline should show and does not */
    val missing: List<String>,
) {
    companion object {
        internal fun from(json: Any?): TimelineAudit {
            val o = fields(json)
            return TimelineAudit(
                duplicate = list(o["duplicate"]) { text(it) },
                extra = list(o["extra"]) { text(it) },
                missing = list(o["missing"]) { text(it) },
            )
        }
    }
}

data class Tombstone(
    val authorId: String,
    val deletedAt: Instant,
    val formerType: String,
    val id: String,
) {
    companion object {
        internal fun from(json: Any?): Tombstone {
            val o = fields(json)
            return Tombstone(
                authorId = text(o["authorId"]),
                deletedAt = time(o["deletedAt"]),
                formerType = text(o["formerType"]),
                id = text(o["id"]),
            )
        }
    }
}

data class Total(
    /** In minor units of the currency */
    val amount: Long,
    val currency: String,
) {
    companion object {
        internal fun from(json: Any?): Total {
            val o = fields(json)
            return Total(
                amount = whole(o["amount"]),
                currency = text(o["currency"]),
            )
        }
    }
}

data class Totals(
    /** When the oldest of the totals was counted: two minutes ago, or longer if there is much to count */
    val at: Instant,
    val likes: Long,
    /** Number of follows */
    val relationships: Long,
    val shares: Long,
    /** Of all audiences, replies and quotes too */
    val tweets: Long,
    val users: Long,
) {
    companion object {
        internal fun from(json: Any?): Totals {
            val o = fields(json)
            return Totals(
                at = time(o["at"]),
                likes = whole(o["likes"]),
                relationships = whole(o["relationships"]),
                shares = whole(o["shares"]),
                tweets = whole(o["tweets"]),
                users = whole(o["users"]),
            )
        }
    }
}

data class TrendDecisionBody(
    /** undecided takes a decision back */
    val decision: String,
) {
    internal fun json(): Map<String, Any> = present(
        "decision" to decision,
    )
}

data class TrendReview(
    /** Tags that may be trends; with the refused ones at most 200 */
    val allowed: List<String>,
    /** Whether a tag or tweet is a trend only after an administrator allowed it */
    val needed: Boolean,
    /** Tags that never are trends */
    val refused: List<String>,
    /** The tags and tweets that are trends, of all languages together */
    val shown: List<ReviewedTrend>,
    /** At most 50 tags and 50 tweets that rise and wait for a decision */
    val waiting: List<ReviewedTrend>,
) {
    companion object {
        internal fun from(json: Any?): TrendReview {
            val o = fields(json)
            return TrendReview(
                allowed = list(o["allowed"]) { text(it) },
                needed = flag(o["needed"]),
                refused = list(o["refused"]) { text(it) },
                shown = list(o["shown"]) { ReviewedTrend.from(it) },
                waiting = list(o["waiting"]) { ReviewedTrend.from(it) },
            )
        }
    }
}

data class Trends(
    /** When this was counted, about two minutes ago at most */
    val at: Instant,
    /** The language that was asked for, without region and script */
    val language: String? = null,
    /** At most 10 */
    val tags: List<TagTrend>,
    /** At most 10 */
    val tweets: List<TweetTrend>,
) {
    companion object {
        internal fun from(json: Any?): Trends {
            val o = fields(json)
            return Trends(
                at = time(o["at"]),
                language = o["language"]?.let { value -> text(value) },
                tags = list(o["tags"]) { TagTrend.from(it) },
                tweets = list(o["tweets"]) { TweetTrend.from(it) },
            )
        }
    }
}

data class Tweet(
    val allowLikes: Boolean,
    /** False if quotePolicy is nobody */
    val allowQuotes: Boolean,
    /** False if replyPolicy is nobody */
    val allowReplies: Boolean,
    val author: Author,
    val authorId: String,
    /** True if the caller keeps the tweet as a bookmark; nobody else learns of it */
    val bookmarked: Boolean,
    /** Further recipients; absent if there are none, and from lists */
    val cc: List<String>? = null,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none */
    val filtered: List<FilterHit>? = null,
    /** True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise */
    val flagged: Boolean? = null,
    /** True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise */
    val folded: Boolean? = null,
    /** The content as safe HTML; a tweet read by itself has it with format=html */
    val html: String? = null,
    val id: String,
    /** BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown */
    val language: String,
    /** Number of characters of the content */
    val length: Long,
    val likeCount: Long,
    /** True if the caller likes the tweet */
    val liked: Boolean,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** Whom the content mentions; absent if nobody */
    val mentions: List<Mention>? = null,
    /** The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true */
    val poll: Poll? = null,
    val quoteCount: Long,
    /** Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none */
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise */
    val quoteWithdrawn: Boolean? = null,
    /** Where the post is, if it is of another server; absent from others */
    val remote: Remote? = null,
    /** Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits */
    val repliesHeldBy: String? = null,
    val replyCount: Long,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** Id of the tweet that this tweet answers; null for a root tweet */
    val replyTo: String? = null,
    /** Who wrote the tweet that this tweet answers; absent from a root tweet */
    val replyToAuthorId: String? = null,
    /** How often the tweet was edited; so many revisions are kept */
    val revision: Long,
    /** Id of the tweet that began the thread */
    val rootId: String,
    val shareCount: Long,
    /** True if the caller shares the tweet */
    val shared: Boolean,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    /** Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself */
    val to: List<String>? = null,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    /** Who may see the tweet */
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): Tweet {
            val o = fields(json)
            return Tweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                bookmarked = flag(o["bookmarked"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                flagged = o["flagged"]?.let { value -> flag(value) },
                folded = o["folded"]?.let { value -> flag(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                language = text(o["language"]),
                length = whole(o["length"]),
                likeCount = whole(o["likeCount"]),
                liked = flag(o["liked"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                mentions = o["mentions"]?.let { value -> list(value) { Mention.from(it) } },
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteCount = whole(o["quoteCount"]),
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                repliesHeldBy = o["repliesHeldBy"]?.let { value -> text(value) },
                replyCount = whole(o["replyCount"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                replyToAuthorId = o["replyToAuthorId"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = whole(o["shareCount"]),
                shared = flag(o["shared"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}

data class TweetMedia(
    /** What the picture shows, in words; lists have the first 300 characters at most */
    val alt: String,
    /** True if the description is longer than alt: the tweet by itself has all of it; absent otherwise */
    val altCut: Boolean? = null,
    /** True for an image that moves; small and large stand still */
    val animated: Boolean? = null,
    /** A few colors to be shown until the picture is there (blurha.sh); empty for a video without a poster */
    val blurhash: String,
    /** Of a video */
    val durationMs: Long? = null,
    val height: Long,
    val id: String,
    val type: String,
    /** Where everybody may see the tweet, they are short and stay; otherwise they are signed, and good for an hour at least: read the tweet again for new ones */
    val urls: MediaURLs,
    /** Of the largest size, in pixels */
    val width: Long,
) {
    companion object {
        internal fun from(json: Any?): TweetMedia {
            val o = fields(json)
            return TweetMedia(
                alt = text(o["alt"]),
                altCut = o["altCut"]?.let { value -> flag(value) },
                animated = o["animated"]?.let { value -> flag(value) },
                blurhash = text(o["blurhash"]),
                durationMs = o["durationMs"]?.let { value -> whole(value) },
                height = whole(o["height"]),
                id = text(o["id"]),
                type = text(o["type"]),
                urls = MediaURLs.from(o["urls"]),
                width = whole(o["width"]),
            )
        }
    }
}

data class TweetPatch(
    val allowLikes: Boolean? = null,
    /** Short for quotePolicy, as allowReplies */
    val allowQuotes: Boolean? = null,
    /** Short for replyPolicy: false is nobody; true is everybody, or leaves a policy that lets some users reply */
    val allowReplies: Boolean? = null,
    /** Markdown; its #hashtags take the place of those of the former content. A tweet with media may have an empty one */
    val content: String? = null,
    /** New descriptions of media that the tweet has; the media themselves stay */
    val media: List<AltOf>? = null,
    /** Who may quote from now on. It prevails over allowQuotes */
    val quotePolicy: String? = null,
    /** Who may reply from now on. It prevails over allowReplies */
    val replyPolicy: String? = null,
    /** Content warning; empty for none */
    val summary: String? = null,
    /** All tags beside the hashtags, at most 10 together with them; if absent, those that the tweet has stay */
    val tags: List<String>? = null,
    /** Who may see the tweet from now on; a reply may be shown to no more people than the tweet that it answers */
    val visibility: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "allowLikes" to allowLikes,
        "allowQuotes" to allowQuotes,
        "allowReplies" to allowReplies,
        "content" to content,
        "media" to media?.map { it.json() },
        "quotePolicy" to quotePolicy,
        "replyPolicy" to replyPolicy,
        "summary" to summary,
        "tags" to tags,
        "visibility" to visibility,
    )
}

data class TweetTrend(
    /** True if more than 64 uses an hour make useCount an estimate */
    val estimated: Boolean,
    val tweet: Tweet,
    /** Number of accounts in this hour and each of the two before; an account counts once an hour */
    val useCount: Long,
    /** How many would be usual, by the last days */
    val usualCount: Double,
) {
    companion object {
        internal fun from(json: Any?): TweetTrend {
            val o = fields(json)
            return TweetTrend(
                estimated = flag(o["estimated"]),
                tweet = Tweet.from(o["tweet"]),
                useCount = whole(o["useCount"]),
                usualCount = real(o["usualCount"]),
            )
        }
    }
}

data class UnreadConversations(
    /** since of the next request */
    val at: Instant,
    /** Conversations with unread messages, among the 1,000 that changed last */
    val count: Long,
    /** Conversations that wait for the caller's consent, up to 100 */
    val requests: Long,
    /** Nothing was counted, and count and requests are 0: the counts of the answer that had since still hold */
    val unchanged: Boolean,
) {
    companion object {
        internal fun from(json: Any?): UnreadConversations {
            val o = fields(json)
            return UnreadConversations(
                at = time(o["at"]),
                count = whole(o["count"]),
                requests = whole(o["requests"]),
                unchanged = flag(o["unchanged"]),
            )
        }
    }
}

data class UnreadCount(
    val count: Long,
) {
    companion object {
        internal fun from(json: Any?): UnreadCount {
            val o = fields(json)
            return UnreadCount(
                count = whole(o["count"]),
            )
        }
    }
}

data class Upload(
    /** Until then the upload can begin */
    val expires: Instant,
    /** To be sent as they are */
    val headers: Map<String, String>,
    val method: String,
    val url: String,
) {
    companion object {
        internal fun from(json: Any?): Upload {
            val o = fields(json)
            return Upload(
                expires = time(o["expires"]),
                headers = map(o["headers"]) { text(it) },
                method = text(o["method"]),
                url = text(o["url"]),
            )
        }
    }
}

data class UsedTag(
    /** The tag as the user typed it */
    val content: String,
    /** Key of the tag */
    val name: String,
    /** Number of the user's tweets with the tag */
    val tweetCount: Long,
) {
    companion object {
        internal fun from(json: Any?): UsedTag {
            val o = fields(json)
            return UsedTag(
                content = text(o["content"]),
                name = text(o["name"]),
                tweetCount = whole(o["tweetCount"]),
            )
        }
    }
}

data class User(
    val aiModel: String,
    val aiPersonality: String? = null,
    val avatar: String,
    /** True if only people that this user follows may like and reply */
    val blockStrangers: Boolean,
    /** Whether the caller blocks this user */
    val blocking: Boolean? = null,
    /** True if the user says that a program makes the posts */
    val bot: Boolean,
    val createdAt: Instant,
    /** True if this user wants to be in the directory */
    val discoverable: Boolean,
    val email: String? = null,
    /** At most 4 lines of the profile; absent if there are none */
    val fields: List<ProfileFieldItem>? = null,
    /** How many ask to follow the caller, up to 1,000; present in GET /v1/users/me while locked */
    val followRequests: Long? = null,
    /** Whether this user follows the caller */
    val followedBy: Boolean? = null,
    val followedCount: Long,
    val followerCount: Long,
    /** Whether the caller follows this user. This and the next three are present if the caller has an account and reads somebody else's profile; whether the user blocks the caller is never told */
    val following: Boolean? = null,
    /** Address of the wide picture; absent from a profile without */
    val header: String? = null,
    /** How many replies wait for the caller's approval, up to 1,000; present in GET /v1/users/me while holdReplies is not off */
    val heldReplies: Long? = null,
    /** Whose replies in this user's new threads wait for this user's approval: nobody's, or those of strangers */
    val holdReplies: String,
    val id: String,
    /** Markdown */
    val introduction: String? = null,
    /** The introduction as safe HTML; present with format=html, where the introduction is, unless that is empty. Names in it are text */
    val introductionHtml: String? = null,
    /** Language that this user writes, as two or three letters; absent if the user does not say */
    val language: String? = null,
    /** True if this user decides who follows: following makes a request, which the user accepts or refuses */
    val locked: Boolean,
    /** Who may begin a conversation with the caller; present in GET /v1/users/me */
    val messagesFrom: String? = null,
    /** The address of the account to which the user moved; absent from most */
    val movedTo: String? = null,
    /** The id of that account here, present with movedTo; GET /v1/users/{uid} is 404 for one that this server has not met */
    val movedToId: String? = null,
    /** The caller's mute of this user; absent if there is none, or if it has ended */
    val muting: Muting? = null,
    val nickname: String,
    /** True if nobody gets this user as a suggestion; present in GET and PATCH /v1/users/me */
    val notSuggested: Boolean? = null,
    /** Tags that this user shows on the profile, as the user spells them, at most 10; absent if there are none */
    val pinnedTags: List<String>? = null,
    val pronouns: String? = null,
    /** Where the account is, if it is on another server: counts and lists of it are what this server knows; absent from others */
    val remote: Remote? = null,
    /** Whether the caller asks to follow this user, who has not answered */
    val requested: Boolean? = null,
    /** First 280 characters of the introduction */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Version of the terms to which the caller consented last, 0 for none; present in GET /v1/users/me */
    val termsVersion: Long? = null,
    val tweetCount: Long,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): User {
            val o = fields(json)
            return User(
                aiModel = text(o["aiModel"]),
                aiPersonality = o["aiPersonality"]?.let { value -> text(value) },
                avatar = text(o["avatar"]),
                blockStrangers = flag(o["blockStrangers"]),
                blocking = o["blocking"]?.let { value -> flag(value) },
                bot = flag(o["bot"]),
                createdAt = time(o["createdAt"]),
                discoverable = flag(o["discoverable"]),
                email = o["email"]?.let { value -> text(value) },
                fields = o["fields"]?.let { value -> list(value) { ProfileFieldItem.from(it) } },
                followRequests = o["followRequests"]?.let { value -> whole(value) },
                followedBy = o["followedBy"]?.let { value -> flag(value) },
                followedCount = whole(o["followedCount"]),
                followerCount = whole(o["followerCount"]),
                following = o["following"]?.let { value -> flag(value) },
                header = o["header"]?.let { value -> text(value) },
                heldReplies = o["heldReplies"]?.let { value -> whole(value) },
                holdReplies = text(o["holdReplies"]),
                id = text(o["id"]),
                introduction = o["introduction"]?.let { value -> text(value) },
                introductionHtml = o["introductionHtml"]?.let { value -> text(value) },
                language = o["language"]?.let { value -> text(value) },
                locked = flag(o["locked"]),
                messagesFrom = o["messagesFrom"]?.let { value -> text(value) },
                movedTo = o["movedTo"]?.let { value -> text(value) },
                movedToId = o["movedToId"]?.let { value -> text(value) },
                muting = o["muting"]?.let { value -> Muting.from(value) },
                nickname = text(o["nickname"]),
                notSuggested = o["notSuggested"]?.let { value -> flag(value) },
                pinnedTags = o["pinnedTags"]?.let { value -> list(value) { text(it) } },
                pronouns = o["pronouns"]?.let { value -> text(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                requested = o["requested"]?.let { value -> flag(value) },
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                termsVersion = o["termsVersion"]?.let { value -> whole(value) },
                tweetCount = whole(o["tweetCount"]),
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                username = text(o["username"]),
            )
        }
    }
}

data class UserBatch(
    val items: List<User>,
) {
    companion object {
        internal fun from(json: Any?): UserBatch {
            val o = fields(json)
            return UserBatch(
                items = list(o["items"]) { User.from(it) },
            )
        }
    }
}

data class UserPatch(
    val aiModel: String? = null,
    val aiPersonality: String? = null,
    /** Empty, or an https URL in ASCII without a user name */
    val avatar: String? = null,
    /** Id of a ready upload of the kind avatar, whose address becomes the avatar; empty for none. It excludes avatar */
    val avatarMedia: String? = null,
    val blockStrangers: Boolean? = null,
    /** True if a program makes the posts */
    val bot: Boolean? = null,
    /** True to be in the directory, which everybody reads */
    val discoverable: Boolean? = null,
    /** Lines of the profile, in this order; an empty list for none. The page of a link is asked whether it links to the profile with rel=me */
    val fields: List<ProfileField>? = null,
    /** Id of a ready upload of the kind header, whose address becomes the header; empty for none */
    val headerMedia: String? = null,
    /** Whose replies wait for approval in threads that the user begins from now on. Threads from before stay as they are */
    val holdReplies: String? = null,
    val introduction: String? = null,
    /** BCP 47 tag of the language that the user writes, of which the first part is kept; empty for none */
    val language: String? = null,
    /** True if the user decides who follows. Whoever follows already stays; requests that are open when it becomes false stay until they are answered */
    val locked: Boolean? = null,
    /** Who may begin a conversation with the user; the messages of strangers are requests. Conversations that began before go on */
    val messagesFrom: String? = null,
    val nickname: String? = null,
    /** True if nobody shall get the user as a suggestion */
    val notSuggested: Boolean? = null,
    /** Tags to show on the profile, in this order and spelling; an empty list for none. A spelling of more than 50 characters gives way to the key of its tag */
    val pinnedTags: List<String>? = null,
    /** Empty for none */
    val pronouns: String? = null,
    val username: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "aiModel" to aiModel,
        "aiPersonality" to aiPersonality,
        "avatar" to avatar,
        "avatarMedia" to avatarMedia,
        "blockStrangers" to blockStrangers,
        "bot" to bot,
        "discoverable" to discoverable,
        "fields" to fields?.map { it.json() },
        "headerMedia" to headerMedia,
        "holdReplies" to holdReplies,
        "introduction" to introduction,
        "language" to language,
        "locked" to locked,
        "messagesFrom" to messagesFrom,
        "nickname" to nickname,
        "notSuggested" to notSuggested,
        "pinnedTags" to pinnedTags,
        "pronouns" to pronouns,
        "username" to username,
    )
}

data class UserSummary(
    val avatar: String,
    /** True if the user says that a program makes the posts */
    val bot: Boolean? = null,
    val followedCount: Long,
    val followerCount: Long,
    val id: String,
    val nickname: String,
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    val tweetCount: Long,
    val username: String,
) {
    companion object {
        internal fun from(json: Any?): UserSummary {
            val o = fields(json)
            return UserSummary(
                avatar = text(o["avatar"]),
                bot = o["bot"]?.let { value -> flag(value) },
                followedCount = whole(o["followedCount"]),
                followerCount = whole(o["followerCount"]),
                id = text(o["id"]),
                nickname = text(o["nickname"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                tweetCount = whole(o["tweetCount"]),
                username = text(o["username"]),
            )
        }
    }
}

data class VoteInputBody(
    /** The option to choose, from 1 on */
    val option: Long,
) {
    internal fun json(): Map<String, Any> = present(
        "option" to option,
    )
}

data class WantedItem(
    /** The price of one piece that the caller was shown */
    val price: Price,
    val productId: String,
    val quantity: Long,
) {
    internal fun json(): Map<String, Any> = present(
        "price" to price.json(),
        "productId" to productId,
        "quantity" to quantity,
    )
}

data class Webhook(
    /** When it was added */
    val at: Instant,
    /** The administrator who added it */
    val by: String,
    val description: String,
    val enabled: Boolean,
    val events: List<String>,
    /** The first failure after the last success; null if the last attempt succeeded */
    val failingSince: Instant? = null,
    /** Why the last attempt failed; empty if it did not */
    val failure: String,
    /** When it was switched off because it failed for 3 days; null if it was not */
    val gaveUpAt: Instant? = null,
    val id: String,
    /** The key of the signatures, in the answer to the request that made it */
    val secret: String? = null,
    /** The HTTP status of the last answer; 0 without one */
    val status: Long,
    /** The time of the last attempt; null for none */
    val triedAt: Instant? = null,
    val url: String,
) {
    companion object {
        internal fun from(json: Any?): Webhook {
            val o = fields(json)
            return Webhook(
                at = time(o["at"]),
                by = text(o["by"]),
                description = text(o["description"]),
                enabled = flag(o["enabled"]),
                events = list(o["events"]) { text(it) },
                failingSince = o["failingSince"]?.let { value -> time(value) },
                failure = text(o["failure"]),
                gaveUpAt = o["gaveUpAt"]?.let { value -> time(value) },
                id = text(o["id"]),
                secret = o["secret"]?.let { value -> text(value) },
                status = whole(o["status"]),
                triedAt = o["triedAt"]?.let { value -> time(value) },
                url = text(o["url"]),
            )
        }
    }
}

data class WebhookPatch(
    val description: String? = null,
    /** A webhook that is switched off is told nothing; what waits for it waits for 7 days */
    val enabled: Boolean? = null,
    val events: List<String>? = null,
    val url: String? = null,
) {
    internal fun json(): Map<String, Any> = present(
        "description" to description,
        "enabled" to enabled,
        "events" to events,
        "url" to url,
    )
}

data class Webhooks(
    /** Oldest first; at most 10 */
    val items: List<Webhook>,
) {
    companion object {
        internal fun from(json: Any?): Webhooks {
            val o = fields(json)
            return Webhooks(
                items = list(o["items"]) { Webhook.from(it) },
            )
        }
    }
}

data class WholeTweet(
    val allowLikes: Boolean,
    /** False if quotePolicy is nobody */
    val allowQuotes: Boolean,
    /** False if replyPolicy is nobody */
    val allowReplies: Boolean,
    val author: Author,
    val authorId: String,
    /** True if the caller keeps the tweet as a bookmark; nobody else learns of it */
    val bookmarked: Boolean,
    /** Further recipients; absent if there are none, and from lists */
    val cc: List<String>? = null,
    /** Markdown; a list has it only if the snippet is the whole content */
    val content: String? = null,
    val createdAt: Instant,
    /** The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none */
    val filtered: List<FilterHit>? = null,
    /** True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise */
    val flagged: Boolean? = null,
    /** True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise */
    val folded: Boolean? = null,
    /** The content as safe HTML; a tweet read by itself has it with format=html */
    val html: String? = null,
    val id: String,
    /** BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown */
    val language: String,
    /** Number of characters of the content */
    val length: Long,
    val likeCount: Long,
    /** True if the caller likes the tweet */
    val liked: Boolean,
    /** Its pictures, or its video; absent from a tweet without */
    val media: List<TweetMedia>? = null,
    /** Whom the content mentions; absent if nobody */
    val mentions: List<Mention>? = null,
    /** The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true */
    val poll: Poll? = null,
    val quoteCount: Long,
    /** Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none */
    val quoteOf: String? = null,
    /** Who may quote the tweet; the author always may */
    val quotePolicy: String,
    /** True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise */
    val quoteWithdrawn: Boolean? = null,
    /** The tweet that this tweet quotes: found; gone; or unknown, if the caller may not see it. Present in a quote */
    val quoted: BatchItem? = null,
    /** Where the post is, if it is of another server; absent from others */
    val remote: Remote? = null,
    /** Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits */
    val repliesHeldBy: String? = null,
    val replyCount: Long,
    /** Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply */
    val replyPolicy: String,
    /** Id of the tweet that this tweet answers; null for a root tweet */
    val replyTo: String? = null,
    /** Who wrote the tweet that this tweet answers; absent from a root tweet */
    val replyToAuthorId: String? = null,
    /** How often the tweet was edited; so many revisions are kept */
    val revision: Long,
    /** Id of the tweet that began the thread */
    val rootId: String,
    val shareCount: Long,
    /** True if the caller shares the tweet */
    val shared: Boolean,
    /** First 280 characters of the content */
    val snippet: String,
    /** The snippet as safe HTML; present with format=html, unless the text is empty */
    val snippetHtml: String? = null,
    /** The snippet as a tree of elements and texts; present with format=tree, unless the text is empty */
    val snippetTree: List<Element>? = null,
    /** Content warning */
    val summary: String,
    val tags: List<String>,
    /** Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself */
    val to: List<String>? = null,
    /** null until the first edit */
    val updatedAt: Instant? = null,
    /** Who may see the tweet */
    val visibility: String,
) {
    companion object {
        internal fun from(json: Any?): WholeTweet {
            val o = fields(json)
            return WholeTweet(
                allowLikes = flag(o["allowLikes"]),
                allowQuotes = flag(o["allowQuotes"]),
                allowReplies = flag(o["allowReplies"]),
                author = Author.from(o["author"]),
                authorId = text(o["authorId"]),
                bookmarked = flag(o["bookmarked"]),
                cc = o["cc"]?.let { value -> list(value) { text(it) } },
                content = o["content"]?.let { value -> text(value) },
                createdAt = time(o["createdAt"]),
                filtered = o["filtered"]?.let { value -> list(value) { FilterHit.from(it) } },
                flagged = o["flagged"]?.let { value -> flag(value) },
                folded = o["folded"]?.let { value -> flag(value) },
                html = o["html"]?.let { value -> text(value) },
                id = text(o["id"]),
                language = text(o["language"]),
                length = whole(o["length"]),
                likeCount = whole(o["likeCount"]),
                liked = flag(o["liked"]),
                media = o["media"]?.let { value -> list(value) { TweetMedia.from(it) } },
                mentions = o["mentions"]?.let { value -> list(value) { Mention.from(it) } },
                poll = o["poll"]?.let { value -> Poll.from(value) },
                quoteCount = whole(o["quoteCount"]),
                quoteOf = o["quoteOf"]?.let { value -> text(value) },
                quotePolicy = text(o["quotePolicy"]),
                quoteWithdrawn = o["quoteWithdrawn"]?.let { value -> flag(value) },
                quoted = o["quoted"]?.let { value -> BatchItem.from(value) },
                remote = o["remote"]?.let { value -> Remote.from(value) },
                repliesHeldBy = o["repliesHeldBy"]?.let { value -> text(value) },
                replyCount = whole(o["replyCount"]),
                replyPolicy = text(o["replyPolicy"]),
                replyTo = o["replyTo"]?.let { value -> text(value) },
                replyToAuthorId = o["replyToAuthorId"]?.let { value -> text(value) },
                revision = whole(o["revision"]),
                rootId = text(o["rootId"]),
                shareCount = whole(o["shareCount"]),
                shared = flag(o["shared"]),
                snippet = text(o["snippet"]),
                snippetHtml = o["snippetHtml"]?.let { value -> text(value) },
                snippetTree = o["snippetTree"]?.let { value -> list(value) { Element.from(it) } },
                summary = text(o["summary"]),
                tags = list(o["tags"]) { text(it) },
                to = o["to"]?.let { value -> list(value) { text(it) } },
                updatedAt = o["updatedAt"]?.let { value -> time(value) },
                visibility = text(o["visibility"]),
            )
        }
    }
}
