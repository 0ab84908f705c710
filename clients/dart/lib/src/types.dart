// Generated from api/openapi.json by `go run ./clients/generate`. Do not edit.

class AIModel {
  /// Whether agents may use it
  final bool enabled;
  /// Micro-dollars for a million tokens that it reads
  final int input;
  final String label;
  /// Micro-dollars for a million tokens that it writes
  final int output;
  /// Who runs it; may be empty
  final String provider;

  const AIModel({required this.enabled, required this.input, required this.label, required this.output, required this.provider});

  factory AIModel.fromJson(Map<String, dynamic> json) => AIModel(
        enabled: json['enabled'] as bool,
        input: (json['input'] as num).toInt(),
        label: json['label'] as String,
        output: (json['output'] as num).toInt(),
        provider: json['provider'] as String,
      );
}

class Account {
  final bool administrator;
  final DateTime createdAt;
  /// In lower case
  final String email;
  final bool emailVerified;
  final bool frozen;
  final bool moderator;
  /// When the user signed in, or an app of the user got an ID token, for the last time
  final DateTime seenAt;
  /// True if the account cannot sign in
  final bool suspended;
  final String uid;
  /// The profile; absent if there is none
  final UserSummary? user;

  const Account({required this.administrator, required this.createdAt, required this.email, required this.emailVerified, required this.frozen, required this.moderator, required this.seenAt, required this.suspended, required this.uid, this.user});

  factory Account.fromJson(Map<String, dynamic> json) => Account(
        administrator: json['administrator'] as bool,
        createdAt: DateTime.parse(json['createdAt'] as String),
        email: json['email'] as String,
        emailVerified: json['emailVerified'] as bool,
        frozen: json['frozen'] as bool,
        moderator: json['moderator'] as bool,
        seenAt: DateTime.parse(json['seenAt'] as String),
        suspended: json['suspended'] as bool,
        uid: json['uid'] as String,
        user: json['user'] == null ? null : UserSummary.fromJson(json['user'] as Map<String, dynamic>),
      );
}

class AccountByEmail {
  /// In lower case or capitals
  final String email;
  /// Why, for the audit log
  final String reason;

  const AccountByEmail({required this.email, required this.reason});

  Map<String, dynamic> toJson() => {
        'email': email,
        'reason': reason,
      };
}

class ActFor {
  final String kind;
  /// Why, for the audit log
  final String reason;
  /// Id of the user to follow or block, or of the tweet to like
  final String target;

  const ActFor({required this.kind, required this.reason, required this.target});

  Map<String, dynamic> toJson() => {
        'kind': kind,
        'reason': reason,
        'target': target,
      };
}

class Action {
  final String act;
  /// What changed, as it is since; of a product what the request asks for, with its Idempotency-Key as key
  final Map<String, String>? after;
  final DateTime at;
  /// What changed, as it was; the first 280 characters of each field
  final Map<String, String>? before;
  /// The user who acted, or the name that hibana admin got
  final String by;
  final String id;
  final String? orderId;
  final String? productId;
  final String? reason;
  final String? reportId;
  /// Of a flag: the revision of the tweet that was judged
  final int? revision;
  /// command is hibana admin; user is a user about the own account, or who forwarded a report
  final String role;
  final String? tweetId;
  /// The user concerned; of a tweet, its author; of an order, its customer
  final String? userId;

  const Action({required this.act, this.after, required this.at, this.before, required this.by, required this.id, this.orderId, this.productId, this.reason, this.reportId, this.revision, required this.role, this.tweetId, this.userId});

  factory Action.fromJson(Map<String, dynamic> json) => Action(
        act: json['act'] as String,
        after: json['after'] == null ? null : {for (final x in (json['after'] as Map<String, dynamic>).entries) x.key: x.value as String},
        at: DateTime.parse(json['at'] as String),
        before: json['before'] == null ? null : {for (final x in (json['before'] as Map<String, dynamic>).entries) x.key: x.value as String},
        by: json['by'] as String,
        id: json['id'] as String,
        orderId: json['orderId'] == null ? null : json['orderId'] as String,
        productId: json['productId'] == null ? null : json['productId'] as String,
        reason: json['reason'] == null ? null : json['reason'] as String,
        reportId: json['reportId'] == null ? null : json['reportId'] as String,
        revision: json['revision'] == null ? null : (json['revision'] as num).toInt(),
        role: json['role'] as String,
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
        userId: json['userId'] == null ? null : json['userId'] as String,
      );
}

class Agent {
  /// Of a day in UTC
  final AgentSpending budget;
  /// The administrator who made it
  final String by;
  final DateTime changedAt;
  final DateTime createdAt;
  /// Day of spent; empty before the first turn
  final String day;
  /// Minutes between two turns
  final int everyMinutes;
  /// Label of an AI model
  final String model;
  /// When the next turn begins, at the earliest; null for a stopped agent
  final DateTime? nextAt;
  /// Why the last turn did nothing: budget, decider, or the code of an error
  final String? problem;
  final bool running;
  final AgentSpending spent;
  final String? stoppedBy;
  final String userId;

  const Agent({required this.budget, required this.by, required this.changedAt, required this.createdAt, required this.day, required this.everyMinutes, required this.model, this.nextAt, this.problem, required this.running, required this.spent, this.stoppedBy, required this.userId});

  factory Agent.fromJson(Map<String, dynamic> json) => Agent(
        budget: AgentSpending.fromJson(json['budget'] as Map<String, dynamic>),
        by: json['by'] as String,
        changedAt: DateTime.parse(json['changedAt'] as String),
        createdAt: DateTime.parse(json['createdAt'] as String),
        day: json['day'] as String,
        everyMinutes: (json['everyMinutes'] as num).toInt(),
        model: json['model'] as String,
        nextAt: json['nextAt'] == null ? null : DateTime.parse(json['nextAt'] as String),
        problem: json['problem'] == null ? null : json['problem'] as String,
        running: json['running'] as bool,
        spent: AgentSpending.fromJson(json['spent'] as Map<String, dynamic>),
        stoppedBy: json['stoppedBy'] == null ? null : json['stoppedBy'] as String,
        userId: json['userId'] as String,
      );
}

class AgentAct {
  final DateTime at;
  final String id;
  final String kind;
  /// The tweet that it posted
  final String? made;
  final int microDollars;
  /// Code of why it was refused
  final String? problem;
  /// begun and lost acts may have happened; stopped ones have not
  final String state;
  /// The author of that tweet, or who is followed
  final String? target;
  final String? text;
  /// Of the decision of its turn; in the turn's first act
  final int tokens;
  /// The tweet that it answers or likes
  final String? tweetId;

  const AgentAct({required this.at, required this.id, required this.kind, this.made, required this.microDollars, this.problem, required this.state, this.target, this.text, required this.tokens, this.tweetId});

  factory AgentAct.fromJson(Map<String, dynamic> json) => AgentAct(
        at: DateTime.parse(json['at'] as String),
        id: json['id'] as String,
        kind: json['kind'] as String,
        made: json['made'] == null ? null : json['made'] as String,
        microDollars: (json['microDollars'] as num).toInt(),
        problem: json['problem'] == null ? null : json['problem'] as String,
        state: json['state'] as String,
        target: json['target'] == null ? null : json['target'] as String,
        text: json['text'] == null ? null : json['text'] as String,
        tokens: (json['tokens'] as num).toInt(),
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
      );
}

class AgentSpending {
  final int? follows;
  final int? likes;
  final int? microDollars;
  /// Replies count, too
  final int? posts;
  final int? tokens;

  const AgentSpending({this.follows, this.likes, this.microDollars, this.posts, this.tokens});

  factory AgentSpending.fromJson(Map<String, dynamic> json) => AgentSpending(
        follows: json['follows'] == null ? null : (json['follows'] as num).toInt(),
        likes: json['likes'] == null ? null : (json['likes'] as num).toInt(),
        microDollars: json['microDollars'] == null ? null : (json['microDollars'] as num).toInt(),
        posts: json['posts'] == null ? null : (json['posts'] as num).toInt(),
        tokens: json['tokens'] == null ? null : (json['tokens'] as num).toInt(),
      );

  Map<String, dynamic> toJson() => {
        if (follows != null) 'follows': follows,
        if (likes != null) 'likes': likes,
        if (microDollars != null) 'microDollars': microDollars,
        if (posts != null) 'posts': posts,
        if (tokens != null) 'tokens': tokens,
      };
}

class AiModelsOutputBody {
  /// At most 200, by label
  final List<AIModel> items;

  const AiModelsOutputBody({required this.items});

  factory AiModelsOutputBody.fromJson(Map<String, dynamic> json) => AiModelsOutputBody(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) AIModel.fromJson(x as Map<String, dynamic>)],
      );
}

class Aliases {
  /// Accounts on other servers: handles, such as @bob@example.org, or addresses
  final List<String> accounts;

  const Aliases({required this.accounts});

  factory Aliases.fromJson(Map<String, dynamic> json) => Aliases(
        accounts: [for (final x in json['accounts'] as List<dynamic>? ?? const []) x as String],
      );

  Map<String, dynamic> toJson() => {
        'accounts': accounts,
      };
}

class AllTies {
  final List<Ties> items;
  /// The last uids of the request, of which the answer says nothing because the others cost enough: ask again with them. Empty for 30 uids or fewer, and with view=full for 15
  final List<String> rest;

  const AllTies({required this.items, required this.rest});

  factory AllTies.fromJson(Map<String, dynamic> json) => AllTies(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Ties.fromJson(x as Map<String, dynamic>)],
        rest: [for (final x in json['rest'] as List<dynamic>? ?? const []) x as String],
      );
}

class AltOf {
  /// What the picture shows, in words; empty for none
  final String alt;
  final String id;

  const AltOf({required this.alt, required this.id});

  Map<String, dynamic> toJson() => {
        'alt': alt,
        'id': id,
      };
}

class Announcement {
  /// Whether the caller has dismissed it
  final bool dismissed;
  /// null if there is no end
  final DateTime? endsAt;
  /// The text as safe HTML; present with format=html, unless the text is empty. Names in it are text
  final String? html;
  final String id;
  final DateTime startsAt;
  /// Markdown
  final String text;
  final String title;
  final DateTime updatedAt;

  const Announcement({required this.dismissed, this.endsAt, this.html, required this.id, required this.startsAt, required this.text, required this.title, required this.updatedAt});

  factory Announcement.fromJson(Map<String, dynamic> json) => Announcement(
        dismissed: json['dismissed'] as bool,
        endsAt: json['endsAt'] == null ? null : DateTime.parse(json['endsAt'] as String),
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        startsAt: DateTime.parse(json['startsAt'] as String),
        text: json['text'] as String,
        title: json['title'] as String,
        updatedAt: DateTime.parse(json['updatedAt'] as String),
      );
}

class AnswerAppealRequest {
  /// For the user, and for the audit log in short
  final String answer;
  final String state;

  const AnswerAppealRequest({required this.answer, required this.state});

  Map<String, dynamic> toJson() => {
        'answer': answer,
        'state': state,
      };
}

class Answered {
  final String authorId;
  /// The beginning of its text in one line, without markup; of a tweet with a content warning that of the warning
  final String excerpt;
  final String id;
  final String nickname;
  final String username;

  const Answered({required this.authorId, required this.excerpt, required this.id, required this.nickname, required this.username});

  factory Answered.fromJson(Map<String, dynamic> json) => Answered(
        authorId: json['authorId'] as String,
        excerpt: json['excerpt'] as String,
        id: json['id'] as String,
        nickname: json['nickname'] as String,
        username: json['username'] as String,
      );
}

class Appeal {
  final String act;
  /// What the moderators say; empty while the appeal is open
  final String answer;
  /// null while the appeal is open
  final DateTime? answeredAt;
  final DateTime createdAt;
  final DateTime decidedAt;
  final String decidedBy;
  final String id;
  /// Of the decision, from the audit log; the user does not see it
  final String reason;
  /// upheld: the decision stands; reversed: it was wrong, and what can be undone is undone
  final String state;
  final String text;
  final String? tweetId;
  final String userId;

  const Appeal({required this.act, required this.answer, this.answeredAt, required this.createdAt, required this.decidedAt, required this.decidedBy, required this.id, required this.reason, required this.state, required this.text, this.tweetId, required this.userId});

  factory Appeal.fromJson(Map<String, dynamic> json) => Appeal(
        act: json['act'] as String,
        answer: json['answer'] as String,
        answeredAt: json['answeredAt'] == null ? null : DateTime.parse(json['answeredAt'] as String),
        createdAt: DateTime.parse(json['createdAt'] as String),
        decidedAt: DateTime.parse(json['decidedAt'] as String),
        decidedBy: json['decidedBy'] as String,
        id: json['id'] as String,
        reason: json['reason'] as String,
        state: json['state'] as String,
        text: json['text'] as String,
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
        userId: json['userId'] as String,
      );
}

class AppealRequest {
  /// Why the decision is wrong
  final String text;

  const AppealRequest({required this.text});

  Map<String, dynamic> toJson() => {
        'text': text,
      };
}

class Author {
  final String avatar;
  final String nickname;
  final String username;

  const Author({required this.avatar, required this.nickname, required this.username});

  factory Author.fromJson(Map<String, dynamic> json) => Author(
        avatar: json['avatar'] as String,
        nickname: json['nickname'] as String,
        username: json['username'] as String,
      );
}

class AuthoredTweet {
  final bool allowLikes;
  final bool allowQuotes;
  final bool allowReplies;
  /// Of a tweet that the user shares; absent from the user's own
  final Author? author;
  final String authorId;
  /// Whether the caller keeps the tweet as a bookmark; present with view=full
  final bool? bookmarked;
  /// Markdown; present only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none
  final List<FilterHit>? filtered;
  /// Whether the tweet has media, or an image in its text
  final bool hasMedia;
  final String id;
  final int length;
  /// Present with view=full
  final int? likeCount;
  /// Whether the caller likes the tweet; present with view=full
  final bool? liked;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// The tweet's poll without what the caller chose and without counts; present with view=full if the tweet has one
  final Poll? poll;
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// As in Tweet
  final bool? quoteWithdrawn;
  /// Present with view=full
  final int? replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  final String? replyTo;
  /// How often the tweet was edited
  final int revision;
  final String rootId;
  /// Present with view=full
  final int? shareCount;
  /// Whether the caller shared the tweet; present with view=full
  final bool? shared;
  /// That the user shares the tweet, and since when; absent from the user's own
  final Sharer? sharedBy;
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  final String summary;
  final List<String> tags;
  final DateTime? updatedAt;
  final String visibility;

  const AuthoredTweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, this.author, required this.authorId, this.bookmarked, this.content, required this.createdAt, this.filtered, required this.hasMedia, required this.id, required this.length, this.likeCount, this.liked, this.media, this.poll, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.replyCount, required this.replyPolicy, this.replyTo, required this.revision, required this.rootId, this.shareCount, this.shared, this.sharedBy, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.updatedAt, required this.visibility});

  factory AuthoredTweet.fromJson(Map<String, dynamic> json) => AuthoredTweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: json['author'] == null ? null : Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] == null ? null : json['bookmarked'] as bool,
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        hasMedia: json['hasMedia'] as bool,
        id: json['id'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: json['likeCount'] == null ? null : (json['likeCount'] as num).toInt(),
        liked: json['liked'] == null ? null : json['liked'] as bool,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        replyCount: json['replyCount'] == null ? null : (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: json['shareCount'] == null ? null : (json['shareCount'] as num).toInt(),
        shared: json['shared'] == null ? null : json['shared'] as bool,
        sharedBy: json['sharedBy'] == null ? null : Sharer.fromJson(json['sharedBy'] as Map<String, dynamic>),
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] as String,
      );
}

class Authorization {
  /// In the place of an address, for an app that cannot be reached: the user copies it
  final String? code;
  /// The address of the app, with code, state and iss
  final String? redirect;

  const Authorization({this.code, this.redirect});

  factory Authorization.fromJson(Map<String, dynamic> json) => Authorization(
        code: json['code'] == null ? null : json['code'] as String,
        redirect: json['redirect'] == null ? null : json['redirect'] as String,
      );
}

class AuthorizationRequest {
  /// The client_id of the app
  final String clientId;
  /// Of PKCE. An app without a secret must send one
  final String? codeChallenge;
  /// S256: there is no other
  final String? codeChallengeMethod;
  /// One of the redirect URIs that the app registered, byte for byte
  final String redirectUri;
  /// code: there is no other
  final String responseType;
  /// The scopes, between spaces; read if absent
  final String? scope;
  /// Returned as it is
  final String? state;

  const AuthorizationRequest({required this.clientId, this.codeChallenge, this.codeChallengeMethod, required this.redirectUri, required this.responseType, this.scope, this.state});

  Map<String, dynamic> toJson() => {
        'clientId': clientId,
        if (codeChallenge != null) 'codeChallenge': codeChallenge,
        if (codeChallengeMethod != null) 'codeChallengeMethod': codeChallengeMethod,
        'redirectUri': redirectUri,
        'responseType': responseType,
        if (scope != null) 'scope': scope,
        if (state != null) 'state': state,
      };
}

class AuthorizedApp {
  final String id;
  /// To a day
  final DateTime lastUsedAt;
  final String name;
  /// What it may do
  final List<String> scopes;
  final DateTime since;
  final String? website;

  const AuthorizedApp({required this.id, required this.lastUsedAt, required this.name, required this.scopes, required this.since, this.website});

  factory AuthorizedApp.fromJson(Map<String, dynamic> json) => AuthorizedApp(
        id: json['id'] as String,
        lastUsedAt: DateTime.parse(json['lastUsedAt'] as String),
        name: json['name'] as String,
        scopes: [for (final x in json['scopes'] as List<dynamic>? ?? const []) x as String],
        since: DateTime.parse(json['since'] as String),
        website: json['website'] == null ? null : json['website'] as String,
      );
}

class AuthorizedApps {
  /// The last used first, at most 100
  final List<AuthorizedApp> items;

  const AuthorizedApps({required this.items});

  factory AuthorizedApps.fromJson(Map<String, dynamic> json) => AuthorizedApps(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) AuthorizedApp.fromJson(x as Map<String, dynamic>)],
      );
}

class Batch {
  final List<BatchItem> items;

  const Batch({required this.items});

  factory Batch.fromJson(Map<String, dynamic> json) => Batch(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) BatchItem.fromJson(x as Map<String, dynamic>)],
      );
}

class BatchItem {
  final String id;
  final String status;
  /// Present if the status is gone
  final Tombstone? tombstone;
  /// Present if the status is found
  final Tweet? tweet;

  const BatchItem({required this.id, required this.status, this.tombstone, this.tweet});

  factory BatchItem.fromJson(Map<String, dynamic> json) => BatchItem(
        id: json['id'] as String,
        status: json['status'] as String,
        tombstone: json['tombstone'] == null ? null : Tombstone.fromJson(json['tombstone'] as Map<String, dynamic>),
        tweet: json['tweet'] == null ? null : Tweet.fromJson(json['tweet'] as Map<String, dynamic>),
      );
}

class BookmarkedTweet {
  final bool allowLikes;
  /// False if quotePolicy is nobody
  final bool allowQuotes;
  /// False if replyPolicy is nobody
  final bool allowReplies;
  final Author author;
  final String authorId;
  /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
  final bool bookmarked;
  final DateTime bookmarkedAt;
  /// Further recipients; absent if there are none, and from lists
  final List<String>? cc;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
  final List<FilterHit>? filtered;
  /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
  final bool? flagged;
  /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
  final bool? folded;
  /// The content as safe HTML; a tweet read by itself has it with format=html
  final String? html;
  final String id;
  /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
  final String language;
  /// Number of characters of the content
  final int length;
  final int likeCount;
  /// True if the caller likes the tweet
  final bool liked;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// Whom the content mentions; absent if nobody
  final List<Mention>? mentions;
  /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
  final Poll? poll;
  final int quoteCount;
  /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
  final bool? quoteWithdrawn;
  /// Where the post is, if it is of another server; absent from others
  final Remote? remote;
  /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
  final String? repliesHeldBy;
  final int replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// Id of the tweet that this tweet answers; null for a root tweet
  final String? replyTo;
  /// Who wrote the tweet that this tweet answers; absent from a root tweet
  final String? replyToAuthorId;
  /// How often the tweet was edited; so many revisions are kept
  final int revision;
  /// Id of the tweet that began the thread
  final String rootId;
  final int shareCount;
  /// True if the caller shares the tweet
  final bool shared;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
  final List<String>? to;
  /// null until the first edit
  final DateTime? updatedAt;
  /// Who may see the tweet
  final String visibility;

  const BookmarkedTweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, required this.author, required this.authorId, required this.bookmarked, required this.bookmarkedAt, this.cc, this.content, required this.createdAt, this.filtered, this.flagged, this.folded, this.html, required this.id, required this.language, required this.length, required this.likeCount, required this.liked, this.media, this.mentions, this.poll, required this.quoteCount, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.remote, this.repliesHeldBy, required this.replyCount, required this.replyPolicy, this.replyTo, this.replyToAuthorId, required this.revision, required this.rootId, required this.shareCount, required this.shared, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.to, this.updatedAt, required this.visibility});

  factory BookmarkedTweet.fromJson(Map<String, dynamic> json) => BookmarkedTweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] as bool,
        bookmarkedAt: DateTime.parse(json['bookmarkedAt'] as String),
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        flagged: json['flagged'] == null ? null : json['flagged'] as bool,
        folded: json['folded'] == null ? null : json['folded'] as bool,
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        language: json['language'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: (json['likeCount'] as num).toInt(),
        liked: json['liked'] as bool,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        mentions: json['mentions'] == null ? null : [for (final x in json['mentions'] as List<dynamic>? ?? const []) Mention.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteCount: (json['quoteCount'] as num).toInt(),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        repliesHeldBy: json['repliesHeldBy'] == null ? null : json['repliesHeldBy'] as String,
        replyCount: (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        replyToAuthorId: json['replyToAuthorId'] == null ? null : json['replyToAuthorId'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: (json['shareCount'] as num).toInt(),
        shared: json['shared'] as bool,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] as String,
      );
}

class Cart {
  final List<CartItem> items;
  /// What all products that are for sale cost together, one for each currency
  final List<Total> totals;

  const Cart({required this.items, required this.totals});

  factory Cart.fromJson(Map<String, dynamic> json) => Cart(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) CartItem.fromJson(x as Map<String, dynamic>)],
        totals: [for (final x in json['totals'] as List<dynamic>? ?? const []) Total.fromJson(x as Map<String, dynamic>)],
      );
}

class CartItem {
  /// What is not as the caller has seen it: price_up, price_down, currency_changed; or keeps it from being ordered: sold_out, too_few (in stock), retired
  final List<String> changes;
  /// Absent for a product that there is not
  final Product? product;
  final String productId;
  final int quantity;

  const CartItem({required this.changes, this.product, required this.productId, required this.quantity});

  factory CartItem.fromJson(Map<String, dynamic> json) => CartItem(
        changes: [for (final x in json['changes'] as List<dynamic>? ?? const []) x as String],
        product: json['product'] == null ? null : Product.fromJson(json['product'] as Map<String, dynamic>),
        productId: json['productId'] as String,
        quantity: (json['quantity'] as num).toInt(),
      );
}

class ChangeMediaInputBody {
  /// What the picture shows, in words; empty for none
  final String alt;

  const ChangeMediaInputBody({required this.alt});

  Map<String, dynamic> toJson() => {
        'alt': alt,
      };
}

class ChangePushSubscriptionRequest {
  /// Types of notifications, by their names in Mastodon
  final List<String> alerts;

  const ChangePushSubscriptionRequest({required this.alerts});

  Map<String, dynamic> toJson() => {
        'alerts': alerts,
      };
}

class Consent {
  final DateTime consentedAt;
  final int version;

  const Consent({required this.consentedAt, required this.version});

  factory Consent.fromJson(Map<String, dynamic> json) => Consent(
        consentedAt: DateTime.parse(json['consentedAt'] as String),
        version: (json['version'] as num).toInt(),
      );
}

class ConsentInputBody {
  /// Version of the terms that the caller has read
  final int version;

  const ConsentInputBody({required this.version});

  Map<String, dynamic> toJson() => {
        'version': version,
      };
}

class Contact {
  final String? email;
  final String? userId;

  const Contact({this.email, this.userId});

  factory Contact.fromJson(Map<String, dynamic> json) => Contact(
        email: json['email'] == null ? null : json['email'] as String,
        userId: json['userId'] == null ? null : json['userId'] as String,
      );
}

class Conversation {
  /// Time of the last message
  final DateTime changedAt;
  final DateTime createdAt;
  /// Whether nobody can write any more to this conversation of two. It does not tell why
  final bool ended;
  final String id;
  /// Absent if the caller does not see it
  final LastMessage? lastMessage;
  /// All who ever were in it, also the caller
  final List<ConversationMember> members;
  /// Until when the caller gets no push; absent for no mute
  final DateTime? mutedUntil;
  final String myState;
  /// Empty without a name
  final String name;
  /// Whether it is of two users. It stays one when a user of several leaves
  final bool pair;
  /// Number of the last message that the caller has read: the last part of the ids of messages
  final int readUpTo;
  /// Who began it, while the caller has not answered
  final String? requestedBy;
  /// Messages of others after readUpTo, those of hidden users with them; 0 until the caller consents
  final int unreadCount;

  const Conversation({required this.changedAt, required this.createdAt, required this.ended, required this.id, this.lastMessage, required this.members, this.mutedUntil, required this.myState, required this.name, required this.pair, required this.readUpTo, this.requestedBy, required this.unreadCount});

  factory Conversation.fromJson(Map<String, dynamic> json) => Conversation(
        changedAt: DateTime.parse(json['changedAt'] as String),
        createdAt: DateTime.parse(json['createdAt'] as String),
        ended: json['ended'] as bool,
        id: json['id'] as String,
        lastMessage: json['lastMessage'] == null ? null : LastMessage.fromJson(json['lastMessage'] as Map<String, dynamic>),
        members: [for (final x in json['members'] as List<dynamic>? ?? const []) ConversationMember.fromJson(x as Map<String, dynamic>)],
        mutedUntil: json['mutedUntil'] == null ? null : DateTime.parse(json['mutedUntil'] as String),
        myState: json['myState'] as String,
        name: json['name'] as String,
        pair: json['pair'] as bool,
        readUpTo: (json['readUpTo'] as num).toInt(),
        requestedBy: json['requestedBy'] == null ? null : json['requestedBy'] as String,
        unreadCount: (json['unreadCount'] as num).toInt(),
      );
}

class ConversationMember {
  final String avatar;
  /// Whether the caller does not see this user in a conversation of several, because of a block in either direction; the names are empty then
  final bool hidden;
  final String id;
  final String nickname;
  /// requested: was asked for consent, and has not given it
  final String state;
  /// Empty for a deleted account, and so are nickname and avatar
  final String username;

  const ConversationMember({required this.avatar, required this.hidden, required this.id, required this.nickname, required this.state, required this.username});

  factory ConversationMember.fromJson(Map<String, dynamic> json) => ConversationMember(
        avatar: json['avatar'] as String,
        hidden: json['hidden'] as bool,
        id: json['id'] as String,
        nickname: json['nickname'] as String,
        state: json['state'] as String,
        username: json['username'] as String,
      );
}

class ConversationPatch {
  /// The caller gets no push until then; null ends the mute
  final DateTime? mutedUntil;
  /// For all members of a conversation of several; empty for none
  final String? name;

  const ConversationPatch({this.mutedUntil, this.name});

  Map<String, dynamic> toJson() => {
        if (mutedUntil != null) 'mutedUntil': mutedUntil!.toUtc().toIso8601String(),
        if (name != null) 'name': name,
      };
}

class CreateNoteRequest {
  final String text;

  const CreateNoteRequest({required this.text});

  Map<String, dynamic> toJson() => {
        'text': text,
      };
}

class CreatedMedia {
  /// What the picture shows, in words. A post copies it, and an edit of the post changes that copy
  final String alt;
  final bool? animated;
  final String? blurhash;
  final DateTime createdAt;
  final int? durationMs;
  /// When it is deleted, unless a post, a message, a profile or a product takes it before
  final DateTime? expiresAt;
  /// Why it failed
  final String? failure;
  final int? height;
  final String id;
  final String kind;
  /// uploading: until the file has come and was looked at. ready: a post, a message, a profile or a product can take it. failed: it can not
  final String state;
  /// This and the following are there when it is ready
  final String? type;
  /// Where to send the file, by the resumable uploads of Cloud Storage
  final Upload upload;
  /// Signed until a post that everybody may see, a profile or a product, has taken it
  final MediaURLs? urls;
  /// Whether a post, a message, a profile or a product has taken it
  final bool used;
  final int? width;

  const CreatedMedia({required this.alt, this.animated, this.blurhash, required this.createdAt, this.durationMs, this.expiresAt, this.failure, this.height, required this.id, required this.kind, required this.state, this.type, required this.upload, this.urls, required this.used, this.width});

  factory CreatedMedia.fromJson(Map<String, dynamic> json) => CreatedMedia(
        alt: json['alt'] as String,
        animated: json['animated'] == null ? null : json['animated'] as bool,
        blurhash: json['blurhash'] == null ? null : json['blurhash'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        durationMs: json['durationMs'] == null ? null : (json['durationMs'] as num).toInt(),
        expiresAt: json['expiresAt'] == null ? null : DateTime.parse(json['expiresAt'] as String),
        failure: json['failure'] == null ? null : json['failure'] as String,
        height: json['height'] == null ? null : (json['height'] as num).toInt(),
        id: json['id'] as String,
        kind: json['kind'] as String,
        state: json['state'] as String,
        type: json['type'] == null ? null : json['type'] as String,
        upload: Upload.fromJson(json['upload'] as Map<String, dynamic>),
        urls: json['urls'] == null ? null : MediaURLs.fromJson(json['urls'] as Map<String, dynamic>),
        used: json['used'] as bool,
        width: json['width'] == null ? null : (json['width'] as num).toInt(),
      );
}

class Decision {
  final String act;
  /// Absent without an appeal
  final OwnAppeal? appeal;
  /// Until then the caller may appeal, once
  final DateTime appealUntil;
  final DateTime at;
  final String id;
  final String? tweetId;

  const Decision({required this.act, this.appeal, required this.appealUntil, required this.at, required this.id, this.tweetId});

  factory Decision.fromJson(Map<String, dynamic> json) => Decision(
        act: json['act'] as String,
        appeal: json['appeal'] == null ? null : OwnAppeal.fromJson(json['appeal'] as Map<String, dynamic>),
        appealUntil: DateTime.parse(json['appealUntil'] as String),
        at: DateTime.parse(json['at'] as String),
        id: json['id'] as String,
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
      );
}

class Difference {
  /// Path of the document
  final String document;
  /// Name of the field; empty for the whole document
  final String field;
  /// The value in the database; null if there is none
  final Object? have;
  /// Collection of the document
  final String kind;
  /// Version of the document when the difference was found; empty if the field is no count
  final String version;
  /// The value that follows from the source documents; null if there should be none
  final Object? want;

  const Difference({required this.document, required this.field, this.have, required this.kind, required this.version, this.want});

  factory Difference.fromJson(Map<String, dynamic> json) => Difference(
        document: json['document'] as String,
        field: json['field'] as String,
        have: json['have'] == null ? null : json['have'] as Object,
        kind: json['kind'] as String,
        version: json['version'] as String,
        want: json['want'] == null ? null : json['want'] as Object,
      );

  Map<String, dynamic> toJson() => {
        'document': document,
        'field': field,
        if (have != null) 'have': have,
        'kind': kind,
        'version': version,
        if (want != null) 'want': want,
      };
}

class Differences {
  final List<Difference> items;

  const Differences({required this.items});

  factory Differences.fromJson(Map<String, dynamic> json) => Differences(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Difference.fromJson(x as Map<String, dynamic>)],
      );
}

class Draft {
  final bool allowLikes;
  final bool allowQuotes;
  final bool allowReplies;
  /// Further recipients
  final List<String>? cc;
  /// Markdown
  final String content;
  final DateTime createdAt;
  /// Why the draft was not posted when it was due; absent otherwise, and after the next change
  final DraftFailure? failure;
  final String id;
  /// BCP 47 tag of the content's language; absent if the author gave none
  final String? language;
  /// Ids of its media. They are kept for 90 days after the last change of the draft, or after publishAt
  final List<String>? media;
  final NewPoll? poll;
  /// When the tweet is posted by itself; null for a draft that waits for the caller
  final DateTime? publishAt;
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  final String? replyTo;
  /// How often the draft was changed
  final int revision;
  /// Content warning
  final String summary;
  /// Tags beside the hashtags in the content
  final List<String> tags;
  /// Recipients, the long form of visibility, with cc; absent if the author named no users
  final List<String>? to;
  final DateTime updatedAt;
  /// Absent for the default, as in a new tweet
  final String? visibility;

  const Draft({required this.allowLikes, required this.allowQuotes, required this.allowReplies, this.cc, required this.content, required this.createdAt, this.failure, required this.id, this.language, this.media, this.poll, this.publishAt, this.quoteOf, required this.quotePolicy, required this.replyPolicy, this.replyTo, required this.revision, required this.summary, required this.tags, this.to, required this.updatedAt, this.visibility});

  factory Draft.fromJson(Map<String, dynamic> json) => Draft(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        failure: json['failure'] == null ? null : DraftFailure.fromJson(json['failure'] as Map<String, dynamic>),
        id: json['id'] as String,
        language: json['language'] == null ? null : json['language'] as String,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) x as String],
        poll: json['poll'] == null ? null : NewPoll.fromJson(json['poll'] as Map<String, dynamic>),
        publishAt: json['publishAt'] == null ? null : DateTime.parse(json['publishAt'] as String),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        revision: (json['revision'] as num).toInt(),
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] == null ? null : json['visibility'] as String,
      );
}

class DraftFailure {
  final DateTime at;
  /// What POST /v1/tweets would have answered, or account_frozen, account_suspended or too_late_to_publish
  final String code;
  final String detail;
  /// When the tweet was to be posted
  final DateTime publishAt;

  const DraftFailure({required this.at, required this.code, required this.detail, required this.publishAt});

  factory DraftFailure.fromJson(Map<String, dynamic> json) => DraftFailure(
        at: DateTime.parse(json['at'] as String),
        code: json['code'] as String,
        detail: json['detail'] as String,
        publishAt: DateTime.parse(json['publishAt'] as String),
      );
}

class EditedTweet {
  final bool? allowLikes;
  final bool? allowQuotes;
  final bool? allowReplies;
  /// Markdown; its #hashtags take the place of those of the former content
  final String? content;
  /// Why, for the audit log
  final String reason;
  /// Content warning; empty for none
  final String? summary;
  /// All tags beside the hashtags; if absent, those that the tweet has stay
  final List<String>? tags;
  /// Who may see the tweet from now on
  final String? visibility;

  const EditedTweet({this.allowLikes, this.allowQuotes, this.allowReplies, this.content, required this.reason, this.summary, this.tags, this.visibility});

  Map<String, dynamic> toJson() => {
        if (allowLikes != null) 'allowLikes': allowLikes,
        if (allowQuotes != null) 'allowQuotes': allowQuotes,
        if (allowReplies != null) 'allowReplies': allowReplies,
        if (content != null) 'content': content,
        'reason': reason,
        if (summary != null) 'summary': summary,
        if (tags != null) 'tags': tags,
        if (visibility != null) 'visibility': visibility,
      };
}

class EditedUser {
  final String? aiModel;
  final String? aiPersonality;
  /// Empty, or an https URL in ASCII without a user name
  final String? avatar;
  final bool? blockStrangers;
  /// True if a program makes the posts
  final bool? bot;
  /// An empty list, to remove all fields
  final List<ProfileField>? fields;
  /// Empty, to take the wide picture off. Uploaded pictures that are taken off are deleted at once
  final String? header;
  final String? introduction;
  /// True if the user decides who follows
  final bool? locked;
  /// The username if empty
  final String? nickname;
  final String? pronouns;
  /// Why, for the audit log
  final String reason;
  final String? username;

  const EditedUser({this.aiModel, this.aiPersonality, this.avatar, this.blockStrangers, this.bot, this.fields, this.header, this.introduction, this.locked, this.nickname, this.pronouns, required this.reason, this.username});

  Map<String, dynamic> toJson() => {
        if (aiModel != null) 'aiModel': aiModel,
        if (aiPersonality != null) 'aiPersonality': aiPersonality,
        if (avatar != null) 'avatar': avatar,
        if (blockStrangers != null) 'blockStrangers': blockStrangers,
        if (bot != null) 'bot': bot,
        if (fields != null) 'fields': [for (final x in fields!) x.toJson()],
        if (header != null) 'header': header,
        if (introduction != null) 'introduction': introduction,
        if (locked != null) 'locked': locked,
        if (nickname != null) 'nickname': nickname,
        if (pronouns != null) 'pronouns': pronouns,
        'reason': reason,
        if (username != null) 'username': username,
      };
}

class Element {
  /// Any of href, src, alt, size, language, start and user
  final Map<String, String>? attributes;
  final List<Element>? children;
  /// Name of the HTML element, hashtag or mention
  final String? tag;
  /// A text; or all of an element that has one text and nothing else
  final String? text;
  final String type;

  const Element({this.attributes, this.children, this.tag, this.text, required this.type});

  factory Element.fromJson(Map<String, dynamic> json) => Element(
        attributes: json['attributes'] == null ? null : {for (final x in (json['attributes'] as Map<String, dynamic>).entries) x.key: x.value as String},
        children: json['children'] == null ? null : [for (final x in json['children'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        tag: json['tag'] == null ? null : json['tag'] as String,
        text: json['text'] == null ? null : json['text'] as String,
        type: json['type'] as String,
      );
}

class Event {
  final DateTime at;
  /// True if one of the two users had blocked the other when the event came, the user had switched this kind off, or it was taken back by then, so that it never was on a notification; absent otherwise
  final bool? dropped;
  final DateTime expireAt;
  final String id;
  final EventPayload payload;
  /// True until the event is on a notification
  final bool pending;
  final String type;
  /// The notified user
  final String userId;
  /// True if the event was taken off its notification, since it was taken back, or the user blocked who did it; absent otherwise
  final bool? withdrawn;

  const Event({required this.at, this.dropped, required this.expireAt, required this.id, required this.payload, required this.pending, required this.type, required this.userId, this.withdrawn});

  factory Event.fromJson(Map<String, dynamic> json) => Event(
        at: DateTime.parse(json['at'] as String),
        dropped: json['dropped'] == null ? null : json['dropped'] as bool,
        expireAt: DateTime.parse(json['expireAt'] as String),
        id: json['id'] as String,
        payload: EventPayload.fromJson(json['payload'] as Map<String, dynamic>),
        pending: json['pending'] as bool,
        type: json['type'] as String,
        userId: json['userId'] as String,
        withdrawn: json['withdrawn'] == null ? null : json['withdrawn'] as bool,
      );
}

class EventPayload {
  /// The order that changed its state
  final String? orderId;
  /// The state that the order has since
  final String? orderStatus;
  /// The tweet that was quoted
  final String? quoteOf;
  /// The tweet that the reply answers
  final String? replyTo;
  /// Root tweet of the reply, or of the tweet that mentions
  final String? rootId;
  /// The tweet that was liked or shared, the reply, the quote, or the tweet that mentions
  final String? tweetId;
  /// The user who followed, liked, shared, quoted, replied or mentioned
  final String userId;

  const EventPayload({this.orderId, this.orderStatus, this.quoteOf, this.replyTo, this.rootId, this.tweetId, required this.userId});

  factory EventPayload.fromJson(Map<String, dynamic> json) => EventPayload(
        orderId: json['orderId'] == null ? null : json['orderId'] as String,
        orderStatus: json['orderStatus'] == null ? null : json['orderStatus'] as String,
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        rootId: json['rootId'] == null ? null : json['rootId'] as String,
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
        userId: json['userId'] as String,
      );
}

class Excerpt {
  final String authorId;
  /// The caller's filters that the tweet matches; absent if there are none. One that hides is of a notification from before the filter
  final List<FilterHit>? filtered;
  /// Whether text is from the summary, which is a content warning
  final bool isSummary;
  /// What the tweet shows, without markup and in one line: its first 100 characters, or those of its summary if it has one
  final String text;
  /// The newest reply, quote or mention, or the tweet that was liked, shared or edited
  final String tweetId;

  const Excerpt({required this.authorId, this.filtered, required this.isSummary, required this.text, required this.tweetId});

  factory Excerpt.fromJson(Map<String, dynamic> json) => Excerpt(
        authorId: json['authorId'] as String,
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        isSummary: json['isSummary'] as bool,
        text: json['text'] as String,
        tweetId: json['tweetId'] as String,
      );
}

class ExcerptPart {
  /// True for what q asks for
  final bool hit;
  final String text;

  const ExcerptPart({required this.hit, required this.text});

  factory ExcerptPart.fromJson(Map<String, dynamic> json) => ExcerptPart(
        hit: json['hit'] as bool,
        text: json['text'] as String,
      );
}

class Export {
  /// Zip files of JSON, which belong together; empty until the export is ready, and to a caller who must sign in again
  final List<ExportArchive> archives;
  /// When the archives are deleted
  final DateTime? expiresAt;
  /// Why there will be no archives
  final String? failure;
  /// How many items are written so far, by kind
  final Map<String, int> items;
  /// How many files of media are in no archive, because they have filled 250; their items in media have fileOmitted. Absent if there are none
  final int? omittedFiles;
  /// When the export was ready, or failed
  final DateTime? readyAt;
  /// The archives are there: sign in again, and ask with the new ID token within 5 minutes
  final bool signInAgain;
  final DateTime startedAt;
  /// writing: archives are being written. ready: they can be downloaded. failed: there will be none.
  final String state;

  const Export({required this.archives, this.expiresAt, this.failure, required this.items, this.omittedFiles, this.readyAt, required this.signInAgain, required this.startedAt, required this.state});

  factory Export.fromJson(Map<String, dynamic> json) => Export(
        archives: [for (final x in json['archives'] as List<dynamic>? ?? const []) ExportArchive.fromJson(x as Map<String, dynamic>)],
        expiresAt: json['expiresAt'] == null ? null : DateTime.parse(json['expiresAt'] as String),
        failure: json['failure'] == null ? null : json['failure'] as String,
        items: {for (final x in (json['items'] as Map<String, dynamic>).entries) x.key: (x.value as num).toInt()},
        omittedFiles: json['omittedFiles'] == null ? null : (json['omittedFiles'] as num).toInt(),
        readyAt: json['readyAt'] == null ? null : DateTime.parse(json['readyAt'] as String),
        signInAgain: json['signInAgain'] as bool,
        startedAt: DateTime.parse(json['startedAt'] as String),
        state: json['state'] as String,
      );
}

class ExportArchive {
  final int bytes;
  /// When the link expires
  final DateTime expiresAt;
  /// Where anybody who has the link can download the archive, until expiresAt; ask again for a new link
  final String url;

  const ExportArchive({required this.bytes, required this.expiresAt, required this.url});

  factory ExportArchive.fromJson(Map<String, dynamic> json) => ExportArchive(
        bytes: (json['bytes'] as num).toInt(),
        expiresAt: DateTime.parse(json['expiresAt'] as String),
        url: json['url'] as String,
      );
}

class FamiliarFollowers {
  /// False if there may be more than were found: the user has more than 200 followers, and the caller follows many
  final bool complete;
  /// How many were found
  final int count;
  /// Up to 10 of them, those whom the caller followed last first
  final List<UserSummary> items;

  const FamiliarFollowers({required this.complete, required this.count, required this.items});

  factory FamiliarFollowers.fromJson(Map<String, dynamic> json) => FamiliarFollowers(
        complete: json['complete'] as bool,
        count: (json['count'] as num).toInt(),
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) UserSummary.fromJson(x as Map<String, dynamic>)],
      );
}

class FediverseDomain {
  final DateTime at;
  final String by;
  /// With its subdomains
  final String domain;
  final String privateComment;
  final String publicComment;
  final bool rejectMedia;
  final bool rejectReports;
  final String severity;

  const FediverseDomain({required this.at, required this.by, required this.domain, required this.privateComment, required this.publicComment, required this.rejectMedia, required this.rejectReports, required this.severity});

  factory FediverseDomain.fromJson(Map<String, dynamic> json) => FediverseDomain(
        at: DateTime.parse(json['at'] as String),
        by: json['by'] as String,
        domain: json['domain'] as String,
        privateComment: json['privateComment'] as String,
        publicComment: json['publicComment'] as String,
        rejectMedia: json['rejectMedia'] as bool,
        rejectReports: json['rejectReports'] as bool,
        severity: json['severity'] as String,
      );
}

class FediverseDomainList {
  /// As Mastodon exports it: the first line names the columns, such as #domain,#severity,#reject_media,#reject_reports,#public_comment; at most 10000 rows
  final String csv;

  const FediverseDomainList({required this.csv});

  Map<String, dynamic> toJson() => {
        'csv': csv,
      };
}

class FediverseDomains {
  /// By name
  final List<FediverseDomain> items;
  /// The after of the next page; empty on the last one
  final String next;
  /// Whether only domains with the severity allow are let in
  final bool only;
  /// How many there are in all, at most 20000
  final int total;

  const FediverseDomains({required this.items, required this.next, required this.only, required this.total});

  factory FediverseDomains.fromJson(Map<String, dynamic> json) => FediverseDomains(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) FediverseDomain.fromJson(x as Map<String, dynamic>)],
        next: json['next'] as String,
        only: json['only'] as bool,
        total: (json['total'] as num).toInt(),
      );
}

class FediverseImport {
  final int added;
  /// Domains whose rule was as strict before
  final int kept;
  /// Lines that name no domain or no severity, at most 20
  final List<int> skipped;
  /// Domains that had a rule, and have a stricter one now
  final int stricter;

  const FediverseImport({required this.added, required this.kept, required this.skipped, required this.stricter});

  factory FediverseImport.fromJson(Map<String, dynamic> json) => FediverseImport(
        added: (json['added'] as num).toInt(),
        kept: (json['kept'] as num).toInt(),
        skipped: [for (final x in json['skipped'] as List<dynamic>? ?? const []) (x as num).toInt()],
        stricter: (json['stricter'] as num).toInt(),
      );
}

class FieldError {
  /// The part of the request (body, query, path or header) and its field
  final String location;
  /// What the API expects there, with the limit
  final String message;

  const FieldError({required this.location, required this.message});

  factory FieldError.fromJson(Map<String, dynamic> json) => FieldError(
        location: json['location'] as String,
        message: json['message'] as String,
      );
}

class Filter {
  /// hide: lists leave the tweet out, and a reply, quote or mention makes no notification. warn: the tweet has filtered, and clients fold it
  final String action;
  /// Where the filter acts: home has the home timeline and timelines of lists of people; public has the public timeline, and the tweets of tags, searches and trends; thread has threads, replies and quotes; profile has a user's tweets, likes, shares and pins
  final List<String> contexts;
  final DateTime createdAt;
  /// When the filter ends; absent for a filter without an end. An ended filter stays, and does nothing
  final DateTime? expiresAt;
  final String id;
  /// A tweet matches that has one of them in the first 280 characters of its content, in its content warning or in an option of its poll, or as a tag. Capitals and the widths of letters make no difference
  final List<FilterKeyword> keywords;
  final String title;
  /// For If-Match, in quotation marks; a change of the filter changes it
  final String version;

  const Filter({required this.action, required this.contexts, required this.createdAt, this.expiresAt, required this.id, required this.keywords, required this.title, required this.version});

  factory Filter.fromJson(Map<String, dynamic> json) => Filter(
        action: json['action'] as String,
        contexts: [for (final x in json['contexts'] as List<dynamic>? ?? const []) x as String],
        createdAt: DateTime.parse(json['createdAt'] as String),
        expiresAt: json['expiresAt'] == null ? null : DateTime.parse(json['expiresAt'] as String),
        id: json['id'] as String,
        keywords: [for (final x in json['keywords'] as List<dynamic>? ?? const []) FilterKeyword.fromJson(x as Map<String, dynamic>)],
        title: json['title'] as String,
        version: json['version'] as String,
      );
}

class FilterBody {
  /// hide: lists leave the tweet out, and a reply, quote or mention makes no notification. warn: the tweet has filtered, and clients fold it
  final String action;
  /// Where the filter acts: home has the home timeline and timelines of lists of people; public has the public timeline, and the tweets of tags, searches and trends; thread has threads, replies and quotes; profile has a user's tweets, likes, shares and pins
  final List<String> contexts;
  /// When the filter ends; absent for a filter without an end. An ended filter stays, and does nothing
  final DateTime? expiresAt;
  /// A tweet matches that has one of them in the first 280 characters of its content, in its content warning or in an option of its poll, or as a tag. Capitals and the widths of letters make no difference
  final List<FilterKeyword> keywords;
  final String title;

  const FilterBody({required this.action, required this.contexts, this.expiresAt, required this.keywords, required this.title});

  Map<String, dynamic> toJson() => {
        'action': action,
        'contexts': contexts,
        if (expiresAt != null) 'expiresAt': expiresAt!.toUtc().toIso8601String(),
        'keywords': [for (final x in keywords) x.toJson()],
        'title': title,
      };
}

class FilterHit {
  /// warn: a client folds the tweet, and shows the title. hide only where the caller asks for the tweet itself: lists leave such a tweet out
  final String action;
  /// Where the filter acts
  final List<String> contexts;
  /// When the filter ends; absent for a filter without an end
  final DateTime? expiresAt;
  final String filterId;
  /// The first keyword of the filter that the tweet has
  final String keyword;
  /// Title of the filter
  final String title;

  const FilterHit({required this.action, required this.contexts, this.expiresAt, required this.filterId, required this.keyword, required this.title});

  factory FilterHit.fromJson(Map<String, dynamic> json) => FilterHit(
        action: json['action'] as String,
        contexts: [for (final x in json['contexts'] as List<dynamic>? ?? const []) x as String],
        expiresAt: json['expiresAt'] == null ? null : DateTime.parse(json['expiresAt'] as String),
        filterId: json['filterId'] as String,
        keyword: json['keyword'] as String,
        title: json['title'] as String,
      );
}

class FilterKeyword {
  /// Names the keyword within its filter, and stays when its text changes. Absent in a request for a new keyword; one without an id whose text the filter has keeps the id of that
  final String? id;
  /// A text of at most 100 characters. One that begins with # must be a tag, and matches that tag alone
  final String keyword;
  /// Whether the keyword must begin and end between words. In scripts without spaces, such as Chinese, Japanese and Thai, each character is a word, but katakana stay together
  final bool? wholeWord;

  const FilterKeyword({this.id, required this.keyword, this.wholeWord});

  factory FilterKeyword.fromJson(Map<String, dynamic> json) => FilterKeyword(
        id: json['id'] == null ? null : json['id'] as String,
        keyword: json['keyword'] as String,
        wholeWord: json['wholeWord'] == null ? null : json['wholeWord'] as bool,
      );

  Map<String, dynamic> toJson() => {
        if (id != null) 'id': id,
        'keyword': keyword,
        if (wholeWord != null) 'wholeWord': wholeWord,
      };
}

class FilteredNotification {
  final DateTime at;
  /// The tweet that was liked or shared, the reply or quote, or the tweet that mentions
  final String? tweetId;
  final String type;

  const FilteredNotification({required this.at, this.tweetId, required this.type});

  factory FilteredNotification.fromJson(Map<String, dynamic> json) => FilteredNotification(
        at: DateTime.parse(json['at'] as String),
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
        type: json['type'] as String,
      );
}

class Followed {
  /// Whether the caller follows the user
  final bool following;
  /// Whether the caller asks to follow the user, who is locked and has not answered
  final bool requested;

  const Followed({required this.following, required this.requested});

  factory Followed.fromJson(Map<String, dynamic> json) => Followed(
        following: json['following'] as bool,
        requested: json['requested'] as bool,
      );
}

class FollowedTag {
  /// The tag as the caller typed it
  final String content;
  final DateTime followedAt;
  /// Key of the tag
  final String name;

  const FollowedTag({required this.content, required this.followedAt, required this.name});

  factory FollowedTag.fromJson(Map<String, dynamic> json) => FollowedTag(
        content: json['content'] as String,
        followedAt: DateTime.parse(json['followedAt'] as String),
        name: json['name'] as String,
      );
}

class FoundMessage {
  final String conversationId;
  final Message message;

  const FoundMessage({required this.conversationId, required this.message});

  factory FoundMessage.fromJson(Map<String, dynamic> json) => FoundMessage(
        conversationId: json['conversationId'] as String,
        message: Message.fromJson(json['message'] as Map<String, dynamic>),
      );
}

class FoundTweet {
  final bool allowLikes;
  /// False if quotePolicy is nobody
  final bool allowQuotes;
  /// False if replyPolicy is nobody
  final bool allowReplies;
  final Author author;
  final String authorId;
  /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
  final bool bookmarked;
  /// Further recipients; absent if there are none, and from lists
  final List<String>? cc;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// What stands around the first hit, at most 160 characters, without Markdown; the content warning comes first
  final List<ExcerptPart> excerpt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
  final List<FilterHit>? filtered;
  /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
  final bool? flagged;
  /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
  final bool? folded;
  /// The content as safe HTML; a tweet read by itself has it with format=html
  final String? html;
  final String id;
  /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
  final String language;
  /// Number of characters of the content
  final int length;
  final int likeCount;
  /// True if the caller likes the tweet
  final bool liked;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// Whom the content mentions; absent if nobody
  final List<Mention>? mentions;
  /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
  final Poll? poll;
  final int quoteCount;
  /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
  final bool? quoteWithdrawn;
  /// Where the post is, if it is of another server; absent from others
  final Remote? remote;
  /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
  final String? repliesHeldBy;
  final int replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// Id of the tweet that this tweet answers; null for a root tweet
  final String? replyTo;
  /// Who wrote the tweet that this tweet answers; absent from a root tweet
  final String? replyToAuthorId;
  /// How often the tweet was edited; so many revisions are kept
  final int revision;
  /// Id of the tweet that began the thread
  final String rootId;
  final int shareCount;
  /// True if the caller shares the tweet
  final bool shared;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
  final List<String>? to;
  /// null until the first edit
  final DateTime? updatedAt;
  /// Who may see the tweet
  final String visibility;

  const FoundTweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, required this.author, required this.authorId, required this.bookmarked, this.cc, this.content, required this.createdAt, required this.excerpt, this.filtered, this.flagged, this.folded, this.html, required this.id, required this.language, required this.length, required this.likeCount, required this.liked, this.media, this.mentions, this.poll, required this.quoteCount, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.remote, this.repliesHeldBy, required this.replyCount, required this.replyPolicy, this.replyTo, this.replyToAuthorId, required this.revision, required this.rootId, required this.shareCount, required this.shared, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.to, this.updatedAt, required this.visibility});

  factory FoundTweet.fromJson(Map<String, dynamic> json) => FoundTweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] as bool,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        excerpt: [for (final x in json['excerpt'] as List<dynamic>? ?? const []) ExcerptPart.fromJson(x as Map<String, dynamic>)],
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        flagged: json['flagged'] == null ? null : json['flagged'] as bool,
        folded: json['folded'] == null ? null : json['folded'] as bool,
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        language: json['language'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: (json['likeCount'] as num).toInt(),
        liked: json['liked'] as bool,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        mentions: json['mentions'] == null ? null : [for (final x in json['mentions'] as List<dynamic>? ?? const []) Mention.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteCount: (json['quoteCount'] as num).toInt(),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        repliesHeldBy: json['repliesHeldBy'] == null ? null : json['repliesHeldBy'] as String,
        replyCount: (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        replyToAuthorId: json['replyToAuthorId'] == null ? null : json['replyToAuthorId'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: (json['shareCount'] as num).toInt(),
        shared: json['shared'] as bool,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] as String,
      );
}

class Gist {
  /// Label of the model
  final String model;
  /// Plain text of at most 600 characters. A model wrote it, and it may be wrong
  final String text;

  const Gist({required this.model, required this.text});

  factory Gist.fromJson(Map<String, dynamic> json) => Gist(
        model: json['model'] as String,
        text: json['text'] as String,
      );
}

class HeldNotice {
  final DateTime createdAt;
  /// When it is deleted, unless it is approved before
  final DateTime expiresAt;
  /// Always true: the reply is no tweet yet
  final bool held;
  /// Id of the held reply
  final String id;

  const HeldNotice({required this.createdAt, required this.expiresAt, required this.held, required this.id});

  factory HeldNotice.fromJson(Map<String, dynamic> json) => HeldNotice(
        createdAt: DateTime.parse(json['createdAt'] as String),
        expiresAt: DateTime.parse(json['expiresAt'] as String),
        held: json['held'] as bool,
        id: json['id'] as String,
      );
}

class HeldReply {
  /// The author's profile as it is now
  final Author author;
  final String authorId;
  /// Further recipients
  final List<String>? cc;
  /// Markdown
  final String content;
  final DateTime createdAt;
  final DateTime expiresAt;
  final String id;
  /// Its pictures, or its video, with signed addresses
  final List<TweetMedia>? media;
  /// Its poll opens when the reply is approved
  final NewPoll? poll;
  final String? quoteOf;
  /// Id of the tweet that it answers, which may be gone by now
  final String replyTo;
  /// Who approves or refuses it
  final String rootAuthorId;
  final String rootId;
  /// Content warning
  final String summary;
  /// Tags beside the hashtags in the content
  final List<String> tags;
  /// Recipients, the long form of visibility, with cc; absent if the author named no users
  final List<String>? to;
  /// Who will see the tweet
  final String? visibility;

  const HeldReply({required this.author, required this.authorId, this.cc, required this.content, required this.createdAt, required this.expiresAt, required this.id, this.media, this.poll, this.quoteOf, required this.replyTo, required this.rootAuthorId, required this.rootId, required this.summary, required this.tags, this.to, this.visibility});

  factory HeldReply.fromJson(Map<String, dynamic> json) => HeldReply(
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        expiresAt: DateTime.parse(json['expiresAt'] as String),
        id: json['id'] as String,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : NewPoll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        replyTo: json['replyTo'] as String,
        rootAuthorId: json['rootAuthorId'] as String,
        rootId: json['rootId'] as String,
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        visibility: json['visibility'] == null ? null : json['visibility'] as String,
      );
}

class HomePage {
  final List<HomeTweet> items;
  /// The after of the next question, which asks for what is newer than this page and what mutes and filters leave out of it; empty if there is nothing on the timeline
  final String newest;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const HomePage({required this.items, required this.newest, required this.nextPageToken});

  factory HomePage.fromJson(Map<String, dynamic> json) => HomePage(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) HomeTweet.fromJson(x as Map<String, dynamic>)],
        newest: json['newest'] as String,
        nextPageToken: json['nextPageToken'] as String,
      );
}

class HomeStruct {
  /// The newest tweet that the caller has seen
  final String lastReadId;
  /// The version that the client has read: if the marker has another by now, and would move, the answer is 409 marker_conflict. 0 or absent if it does not matter
  final int? version;

  const HomeStruct({required this.lastReadId, this.version});

  Map<String, dynamic> toJson() => {
        'lastReadId': lastReadId,
        if (version != null) 'version': version,
      };
}

class HomeTweet {
  final bool allowLikes;
  /// False if quotePolicy is nobody
  final bool allowQuotes;
  /// False if replyPolicy is nobody
  final bool allowReplies;
  final Author author;
  final String authorId;
  /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
  final bool bookmarked;
  /// Further recipients; absent if there are none, and from lists
  final List<String>? cc;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
  final List<FilterHit>? filtered;
  /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
  final bool? flagged;
  /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
  final bool? folded;
  /// The content as safe HTML; a tweet read by itself has it with format=html
  final String? html;
  final String id;
  /// What the tweet answers; absent from a tweet that answers none, and where what it answers is gone or hidden from the caller
  final Answered? inReplyTo;
  /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
  final String language;
  /// Number of characters of the content
  final int length;
  final int likeCount;
  /// True if the caller likes the tweet
  final bool liked;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// Whom the content mentions; absent if nobody
  final List<Mention>? mentions;
  /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
  final Poll? poll;
  final int quoteCount;
  /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
  final bool? quoteWithdrawn;
  /// Where the post is, if it is of another server; absent from others
  final Remote? remote;
  /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
  final String? repliesHeldBy;
  final int replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// Id of the tweet that this tweet answers; null for a root tweet
  final String? replyTo;
  /// Who wrote the tweet that this tweet answers; absent from a root tweet
  final String? replyToAuthorId;
  /// How often the tweet was edited; so many revisions are kept
  final int revision;
  /// Id of the tweet that began the thread
  final String rootId;
  final int shareCount;
  /// True if the caller shares the tweet
  final bool shared;
  /// Who brought the tweet here; absent from a tweet that stands at its own time
  final Sharer? sharedBy;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
  final List<String>? to;
  /// null until the first edit
  final DateTime? updatedAt;
  /// Key of the followed tag by which the tweet came; absent from a tweet that comes by its author or a share
  final String? viaTag;
  /// Who may see the tweet
  final String visibility;

  const HomeTweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, required this.author, required this.authorId, required this.bookmarked, this.cc, this.content, required this.createdAt, this.filtered, this.flagged, this.folded, this.html, required this.id, this.inReplyTo, required this.language, required this.length, required this.likeCount, required this.liked, this.media, this.mentions, this.poll, required this.quoteCount, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.remote, this.repliesHeldBy, required this.replyCount, required this.replyPolicy, this.replyTo, this.replyToAuthorId, required this.revision, required this.rootId, required this.shareCount, required this.shared, this.sharedBy, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.to, this.updatedAt, this.viaTag, required this.visibility});

  factory HomeTweet.fromJson(Map<String, dynamic> json) => HomeTweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] as bool,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        flagged: json['flagged'] == null ? null : json['flagged'] as bool,
        folded: json['folded'] == null ? null : json['folded'] as bool,
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        inReplyTo: json['inReplyTo'] == null ? null : Answered.fromJson(json['inReplyTo'] as Map<String, dynamic>),
        language: json['language'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: (json['likeCount'] as num).toInt(),
        liked: json['liked'] as bool,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        mentions: json['mentions'] == null ? null : [for (final x in json['mentions'] as List<dynamic>? ?? const []) Mention.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteCount: (json['quoteCount'] as num).toInt(),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        repliesHeldBy: json['repliesHeldBy'] == null ? null : json['repliesHeldBy'] as String,
        replyCount: (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        replyToAuthorId: json['replyToAuthorId'] == null ? null : json['replyToAuthorId'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: (json['shareCount'] as num).toInt(),
        shared: json['shared'] as bool,
        sharedBy: json['sharedBy'] == null ? null : Sharer.fromJson(json['sharedBy'] as Map<String, dynamic>),
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        viaTag: json['viaTag'] == null ? null : json['viaTag'] as String,
        visibility: json['visibility'] as String,
      );
}

class ImportedTweet {
  final bool? allowLikes;
  final bool? allowQuotes;
  final bool? allowReplies;
  /// Markdown; its #hashtags become tags
  final String content;
  /// Id of an imported tweet, which also says its time: the first 2 digits of the SHA-256 of the uid, and 16 that are a zero bit, 43 bits of Unix milliseconds and 20 bits of any value. It is not of the future. An imported tweet notifies nobody. A new tweet of this moment if absent; only a request with an id can be repeated
  final String? id;
  /// BCP 47 tag of the content's language
  final String? language;
  /// Id of the tweet that this tweet quotes
  final String? quoteOf;
  /// Why, for the audit log
  final String reason;
  /// Id of the tweet that this tweet answers
  final String? replyTo;
  /// Content warning
  final String? summary;
  /// Tags of at most 50 characters each; at most 10 tags together with the hashtags
  final List<String>? tags;
  /// As in a new tweet of the user
  final String? visibility;

  const ImportedTweet({this.allowLikes, this.allowQuotes, this.allowReplies, required this.content, this.id, this.language, this.quoteOf, required this.reason, this.replyTo, this.summary, this.tags, this.visibility});

  Map<String, dynamic> toJson() => {
        if (allowLikes != null) 'allowLikes': allowLikes,
        if (allowQuotes != null) 'allowQuotes': allowQuotes,
        if (allowReplies != null) 'allowReplies': allowReplies,
        'content': content,
        if (id != null) 'id': id,
        if (language != null) 'language': language,
        if (quoteOf != null) 'quoteOf': quoteOf,
        'reason': reason,
        if (replyTo != null) 'replyTo': replyTo,
        if (summary != null) 'summary': summary,
        if (tags != null) 'tags': tags,
        if (visibility != null) 'visibility': visibility,
      };
}

class ImportedUser {
  final String? aiModel;
  final String? aiPersonality;
  /// Empty, or an https URL in ASCII without a user name
  final String? avatar;
  final bool? blockStrangers;
  /// Address to sign in with; if absent, nobody can sign in
  final String? email;
  /// True if the address needs no confirmation
  final bool? emailVerified;
  /// Markdown
  final String? introduction;
  /// True if the user decides who follows
  final bool? locked;
  /// The username if absent
  final String? nickname;
  /// Password for the address; a random one that nobody knows if absent. A repetition does not change it, and no answer and no log has it
  final String? password;
  /// Why, for the audit log
  final String reason;
  /// Uid of the account; a new one if absent. Only a request with one can be repeated
  final String? uid;
  /// a–z, 0–9 and _
  final String username;

  const ImportedUser({this.aiModel, this.aiPersonality, this.avatar, this.blockStrangers, this.email, this.emailVerified, this.introduction, this.locked, this.nickname, this.password, required this.reason, this.uid, required this.username});

  Map<String, dynamic> toJson() => {
        if (aiModel != null) 'aiModel': aiModel,
        if (aiPersonality != null) 'aiPersonality': aiPersonality,
        if (avatar != null) 'avatar': avatar,
        if (blockStrangers != null) 'blockStrangers': blockStrangers,
        if (email != null) 'email': email,
        if (emailVerified != null) 'emailVerified': emailVerified,
        if (introduction != null) 'introduction': introduction,
        if (locked != null) 'locked': locked,
        if (nickname != null) 'nickname': nickname,
        if (password != null) 'password': password,
        'reason': reason,
        if (uid != null) 'uid': uid,
        'username': username,
      };
}

class Instance {
  /// Whether an administrator approves each sign-up without an invitation
  final bool approvalNeeded;
  final Contact contact;
  /// Markdown
  final String description;
  /// The description as safe HTML; present with format=html, unless it is empty
  final String? descriptionHtml;
  /// Whether users and posts of other servers of the fediverse are here, and those of here on them
  final bool federation;
  /// Whether a sign-up needs an invitation: 403 invitation_required otherwise
  final bool invitationNeeded;
  /// BCP 47 tags, the main one first
  final List<String> languages;
  final InstanceLimits limits;
  /// Empty until an administrator sets it
  final String name;
  /// Plain texts
  final List<String> rules;
  /// Absent without terms
  final Terms? terms;
  /// Whether users must consent to the terms before they write: 403 terms_required otherwise
  final bool termsNeeded;
  /// null until the first change
  final DateTime? updatedAt;
  /// Version of the software
  final String version;

  const Instance({required this.approvalNeeded, required this.contact, required this.description, this.descriptionHtml, required this.federation, required this.invitationNeeded, required this.languages, required this.limits, required this.name, required this.rules, this.terms, required this.termsNeeded, this.updatedAt, required this.version});

  factory Instance.fromJson(Map<String, dynamic> json) => Instance(
        approvalNeeded: json['approvalNeeded'] as bool,
        contact: Contact.fromJson(json['contact'] as Map<String, dynamic>),
        description: json['description'] as String,
        descriptionHtml: json['descriptionHtml'] == null ? null : json['descriptionHtml'] as String,
        federation: json['federation'] as bool,
        invitationNeeded: json['invitationNeeded'] as bool,
        languages: [for (final x in json['languages'] as List<dynamic>? ?? const []) x as String],
        limits: InstanceLimits.fromJson(json['limits'] as Map<String, dynamic>),
        name: json['name'] as String,
        rules: [for (final x in json['rules'] as List<dynamic>? ?? const []) x as String],
        terms: json['terms'] == null ? null : Terms.fromJson(json['terms'] as Map<String, dynamic>),
        termsNeeded: json['termsNeeded'] as bool,
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        version: json['version'] as String,
      );
}

class InstanceLimits {
  /// Characters of a tweet
  final int content;
  /// Members of a conversation
  final int conversationMembers;
  /// Drafts of a user
  final int drafts;
  final int filters;
  final int followedTags;
  final int imageBytes;
  final int introduction;
  final int listMembers;
  /// Lists of a user
  final int lists;
  final int maxPollMinutes;
  /// Pictures of a tweet
  final int media;
  /// Characters that describe a picture
  final int mediaAlt;
  /// Users whom a tweet mentions
  final int mentions;
  /// Characters of a message
  final int message;
  final int minPollMinutes;
  final int nickname;
  /// Tags on a profile
  final int pinnedTags;
  /// Pinned tweets of a user
  final int pins;
  /// Characters of an option
  final int pollOption;
  final int pollOptions;
  /// Edits of a tweet
  final int revisions;
  final int summary;
  /// Tags of a tweet
  final int tags;
  final int videoBytes;

  const InstanceLimits({required this.content, required this.conversationMembers, required this.drafts, required this.filters, required this.followedTags, required this.imageBytes, required this.introduction, required this.listMembers, required this.lists, required this.maxPollMinutes, required this.media, required this.mediaAlt, required this.mentions, required this.message, required this.minPollMinutes, required this.nickname, required this.pinnedTags, required this.pins, required this.pollOption, required this.pollOptions, required this.revisions, required this.summary, required this.tags, required this.videoBytes});

  factory InstanceLimits.fromJson(Map<String, dynamic> json) => InstanceLimits(
        content: (json['content'] as num).toInt(),
        conversationMembers: (json['conversationMembers'] as num).toInt(),
        drafts: (json['drafts'] as num).toInt(),
        filters: (json['filters'] as num).toInt(),
        followedTags: (json['followedTags'] as num).toInt(),
        imageBytes: (json['imageBytes'] as num).toInt(),
        introduction: (json['introduction'] as num).toInt(),
        listMembers: (json['listMembers'] as num).toInt(),
        lists: (json['lists'] as num).toInt(),
        maxPollMinutes: (json['maxPollMinutes'] as num).toInt(),
        media: (json['media'] as num).toInt(),
        mediaAlt: (json['mediaAlt'] as num).toInt(),
        mentions: (json['mentions'] as num).toInt(),
        message: (json['message'] as num).toInt(),
        minPollMinutes: (json['minPollMinutes'] as num).toInt(),
        nickname: (json['nickname'] as num).toInt(),
        pinnedTags: (json['pinnedTags'] as num).toInt(),
        pins: (json['pins'] as num).toInt(),
        pollOption: (json['pollOption'] as num).toInt(),
        pollOptions: (json['pollOptions'] as num).toInt(),
        revisions: (json['revisions'] as num).toInt(),
        summary: (json['summary'] as num).toInt(),
        tags: (json['tags'] as num).toInt(),
        videoBytes: (json['videoBytes'] as num).toInt(),
      );
}

class InstancePatch {
  /// True if a sign-up without an invitation waits for an administrator
  final bool? approvalNeeded;
  /// Empty for none
  final String? contactEmail;
  /// Id of a user; empty for none
  final String? contactUser;
  /// Markdown
  final String? description;
  /// True if nobody signs up without an invitation
  final bool? invitationNeeded;
  /// BCP 47 tags; an empty list removes all
  final List<String>? languages;
  final String? name;
  /// Plain texts of 500 characters; an empty list removes all
  final List<String>? rules;
  /// True if the new text says the same, so that the version stays
  final bool? sameTerms;
  /// Markdown; empty for none. Another text is a new version, to which users consent anew
  final String? terms;
  /// True if users must consent to the terms before they write
  final bool? termsNeeded;

  const InstancePatch({this.approvalNeeded, this.contactEmail, this.contactUser, this.description, this.invitationNeeded, this.languages, this.name, this.rules, this.sameTerms, this.terms, this.termsNeeded});

  Map<String, dynamic> toJson() => {
        if (approvalNeeded != null) 'approvalNeeded': approvalNeeded,
        if (contactEmail != null) 'contactEmail': contactEmail,
        if (contactUser != null) 'contactUser': contactUser,
        if (description != null) 'description': description,
        if (invitationNeeded != null) 'invitationNeeded': invitationNeeded,
        if (languages != null) 'languages': languages,
        if (name != null) 'name': name,
        if (rules != null) 'rules': rules,
        if (sameTerms != null) 'sameTerms': sameTerms,
        if (terms != null) 'terms': terms,
        if (termsNeeded != null) 'termsNeeded': termsNeeded,
      };
}

class Invitation {
  /// The administrator who made it
  final String by;
  /// Whoever has it may sign up
  final String code;
  final DateTime createdAt;
  final DateTime expireAt;
  final int maxUses;
  final String note;
  /// How many people have signed up by it
  final int uses;

  const Invitation({required this.by, required this.code, required this.createdAt, required this.expireAt, required this.maxUses, required this.note, required this.uses});

  factory Invitation.fromJson(Map<String, dynamic> json) => Invitation(
        by: json['by'] as String,
        code: json['code'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        expireAt: DateTime.parse(json['expireAt'] as String),
        maxUses: (json['maxUses'] as num).toInt(),
        note: json['note'] as String,
        uses: (json['uses'] as num).toInt(),
      );
}

class LastMessage {
  final String authorId;
  final DateTime createdAt;
  /// First 100 characters
  final String excerpt;
  final bool hasMedia;
  final String id;
  final bool takenBack;

  const LastMessage({required this.authorId, required this.createdAt, required this.excerpt, required this.hasMedia, required this.id, required this.takenBack});

  factory LastMessage.fromJson(Map<String, dynamic> json) => LastMessage(
        authorId: json['authorId'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        excerpt: json['excerpt'] as String,
        hasMedia: json['hasMedia'] as bool,
        id: json['id'] as String,
        takenBack: json['takenBack'] as bool,
      );
}

class Leaving {
  /// When nothing was left
  final DateTime? clearedAt;
  final DateTime? endedAt;
  /// Names the account deletion; anyone who has it may read how far the deletion is
  final String id;
  /// About how many documents were removed so far, by collection
  final Map<String, int> removed;
  final DateTime startedAt;
  /// removing: documents are being removed. checking: nothing is left, and a last pass follows a day later. done: the account deletion is complete.
  final String state;

  const Leaving({this.clearedAt, this.endedAt, required this.id, required this.removed, required this.startedAt, required this.state});

  factory Leaving.fromJson(Map<String, dynamic> json) => Leaving(
        clearedAt: json['clearedAt'] == null ? null : DateTime.parse(json['clearedAt'] as String),
        endedAt: json['endedAt'] == null ? null : DateTime.parse(json['endedAt'] as String),
        id: json['id'] as String,
        removed: {for (final x in (json['removed'] as Map<String, dynamic>).entries) x.key: (x.value as num).toInt()},
        startedAt: DateTime.parse(json['startedAt'] as String),
        state: json['state'] as String,
      );
}

class LikedTweet {
  final bool allowLikes;
  /// False if quotePolicy is nobody
  final bool allowQuotes;
  /// False if replyPolicy is nobody
  final bool allowReplies;
  final Author author;
  final String authorId;
  /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
  final bool bookmarked;
  /// Further recipients; absent if there are none, and from lists
  final List<String>? cc;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
  final List<FilterHit>? filtered;
  /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
  final bool? flagged;
  /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
  final bool? folded;
  /// The content as safe HTML; a tweet read by itself has it with format=html
  final String? html;
  final String id;
  /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
  final String language;
  /// Number of characters of the content
  final int length;
  final int likeCount;
  /// True if the caller likes the tweet
  final bool liked;
  final DateTime likedAt;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// Whom the content mentions; absent if nobody
  final List<Mention>? mentions;
  /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
  final Poll? poll;
  final int quoteCount;
  /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
  final bool? quoteWithdrawn;
  /// Where the post is, if it is of another server; absent from others
  final Remote? remote;
  /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
  final String? repliesHeldBy;
  final int replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// Id of the tweet that this tweet answers; null for a root tweet
  final String? replyTo;
  /// Who wrote the tweet that this tweet answers; absent from a root tweet
  final String? replyToAuthorId;
  /// How often the tweet was edited; so many revisions are kept
  final int revision;
  /// Id of the tweet that began the thread
  final String rootId;
  final int shareCount;
  /// True if the caller shares the tweet
  final bool shared;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
  final List<String>? to;
  /// null until the first edit
  final DateTime? updatedAt;
  /// Who may see the tweet
  final String visibility;

  const LikedTweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, required this.author, required this.authorId, required this.bookmarked, this.cc, this.content, required this.createdAt, this.filtered, this.flagged, this.folded, this.html, required this.id, required this.language, required this.length, required this.likeCount, required this.liked, required this.likedAt, this.media, this.mentions, this.poll, required this.quoteCount, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.remote, this.repliesHeldBy, required this.replyCount, required this.replyPolicy, this.replyTo, this.replyToAuthorId, required this.revision, required this.rootId, required this.shareCount, required this.shared, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.to, this.updatedAt, required this.visibility});

  factory LikedTweet.fromJson(Map<String, dynamic> json) => LikedTweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] as bool,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        flagged: json['flagged'] == null ? null : json['flagged'] as bool,
        folded: json['folded'] == null ? null : json['folded'] as bool,
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        language: json['language'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: (json['likeCount'] as num).toInt(),
        liked: json['liked'] as bool,
        likedAt: DateTime.parse(json['likedAt'] as String),
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        mentions: json['mentions'] == null ? null : [for (final x in json['mentions'] as List<dynamic>? ?? const []) Mention.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteCount: (json['quoteCount'] as num).toInt(),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        repliesHeldBy: json['repliesHeldBy'] == null ? null : json['repliesHeldBy'] as String,
        replyCount: (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        replyToAuthorId: json['replyToAuthorId'] == null ? null : json['replyToAuthorId'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: (json['shareCount'] as num).toInt(),
        shared: json['shared'] as bool,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] as String,
      );
}

class LinkCard {
  final String? author;
  /// At most 500 characters
  final String? description;
  final DateTime fetchedAt;
  /// Host of the address
  final String host;
  /// BCP 47 tag
  final String? language;
  /// Absent from a page without
  final LinkPicture? picture;
  final String? siteName;
  /// At most 200 characters
  final String title;
  /// Address of the page, as its card has it: without a fragment
  final String url;

  const LinkCard({this.author, this.description, required this.fetchedAt, required this.host, this.language, this.picture, this.siteName, required this.title, required this.url});

  factory LinkCard.fromJson(Map<String, dynamic> json) => LinkCard(
        author: json['author'] == null ? null : json['author'] as String,
        description: json['description'] == null ? null : json['description'] as String,
        fetchedAt: DateTime.parse(json['fetchedAt'] as String),
        host: json['host'] as String,
        language: json['language'] == null ? null : json['language'] as String,
        picture: json['picture'] == null ? null : LinkPicture.fromJson(json['picture'] as Map<String, dynamic>),
        siteName: json['siteName'] == null ? null : json['siteName'] as String,
        title: json['title'] as String,
        url: json['url'] as String,
      );
}

class LinkCardFound {
  /// Absent if the address has none, or not yet
  final LinkCard? card;

  const LinkCardFound({this.card});

  factory LinkCardFound.fromJson(Map<String, dynamic> json) => LinkCardFound(
        card: json['card'] == null ? null : LinkCard.fromJson(json['card'] as Map<String, dynamic>),
      );
}

class LinkPicture {
  final String contentType;
  /// The file in base64, at most 48 KiB before that
  final String data;
  /// At most 400
  final int height;
  /// At most 400
  final int width;

  const LinkPicture({required this.contentType, required this.data, required this.height, required this.width});

  factory LinkPicture.fromJson(Map<String, dynamic> json) => LinkPicture(
        contentType: json['contentType'] as String,
        data: json['data'] as String,
        height: (json['height'] as num).toInt(),
        width: (json['width'] as num).toInt(),
      );
}

class ListAction {
  final List<Action> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListAction({required this.items, required this.nextPageToken});

  factory ListAction.fromJson(Map<String, dynamic> json) => ListAction(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Action.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListAgent {
  final List<Agent> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListAgent({required this.items, required this.nextPageToken});

  factory ListAgent.fromJson(Map<String, dynamic> json) => ListAgent(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Agent.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListAgentAct {
  final List<AgentAct> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListAgentAct({required this.items, required this.nextPageToken});

  factory ListAgentAct.fromJson(Map<String, dynamic> json) => ListAgentAct(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) AgentAct.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListAnnouncement {
  final List<Announcement> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListAnnouncement({required this.items, required this.nextPageToken});

  factory ListAnnouncement.fromJson(Map<String, dynamic> json) => ListAnnouncement(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Announcement.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListAppeal {
  final List<Appeal> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListAppeal({required this.items, required this.nextPageToken});

  factory ListAppeal.fromJson(Map<String, dynamic> json) => ListAppeal(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Appeal.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListAuthoredTweet {
  final List<AuthoredTweet> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListAuthoredTweet({required this.items, required this.nextPageToken});

  factory ListAuthoredTweet.fromJson(Map<String, dynamic> json) => ListAuthoredTweet(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) AuthoredTweet.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListBookmarkedTweet {
  final List<BookmarkedTweet> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListBookmarkedTweet({required this.items, required this.nextPageToken});

  factory ListBookmarkedTweet.fromJson(Map<String, dynamic> json) => ListBookmarkedTweet(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) BookmarkedTweet.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListChange {
  /// Plain text for those who see a public list, of at most 500 characters
  final String? description;
  /// Whether the caller's home timeline leaves out what the members write and share. 5 lists at most are exclusive; beyond that the answer is 409 too_many_exclusive_lists
  final bool? exclusive;
  /// Which replies of members the timeline has: to users whom its reader follows, to members of the list, which is the default, or none. Replies of members to themselves and to the reader are always there
  final String? repliesPolicy;
  /// Plain text that shows something, of 1 to 60 characters
  final String? title;
  /// private, which is the default: nobody else learns of the list. public: everybody may read it and its members, but for those with a block between them and the caller
  final String? visibility;

  const ListChange({this.description, this.exclusive, this.repliesPolicy, this.title, this.visibility});

  Map<String, dynamic> toJson() => {
        if (description != null) 'description': description,
        if (exclusive != null) 'exclusive': exclusive,
        if (repliesPolicy != null) 'repliesPolicy': repliesPolicy,
        if (title != null) 'title': title,
        if (visibility != null) 'visibility': visibility,
      };
}

class ListConversation {
  final List<Conversation> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListConversation({required this.items, required this.nextPageToken});

  factory ListConversation.fromJson(Map<String, dynamic> json) => ListConversation(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Conversation.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListDecision {
  final List<Decision> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListDecision({required this.items, required this.nextPageToken});

  factory ListDecision.fromJson(Map<String, dynamic> json) => ListDecision(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Decision.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListDraft {
  final List<Draft> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListDraft({required this.items, required this.nextPageToken});

  factory ListDraft.fromJson(Map<String, dynamic> json) => ListDraft(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Draft.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListFilter {
  final List<Filter> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListFilter({required this.items, required this.nextPageToken});

  factory ListFilter.fromJson(Map<String, dynamic> json) => ListFilter(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Filter.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListFollowedTag {
  final List<FollowedTag> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListFollowedTag({required this.items, required this.nextPageToken});

  factory ListFollowedTag.fromJson(Map<String, dynamic> json) => ListFollowedTag(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) FollowedTag.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListFoundMessage {
  final List<FoundMessage> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListFoundMessage({required this.items, required this.nextPageToken});

  factory ListFoundMessage.fromJson(Map<String, dynamic> json) => ListFoundMessage(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) FoundMessage.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListFoundTweet {
  final List<FoundTweet> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListFoundTweet({required this.items, required this.nextPageToken});

  factory ListFoundTweet.fromJson(Map<String, dynamic> json) => ListFoundTweet(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) FoundTweet.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListHeldReply {
  final List<HeldReply> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListHeldReply({required this.items, required this.nextPageToken});

  factory ListHeldReply.fromJson(Map<String, dynamic> json) => ListHeldReply(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) HeldReply.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListInvitation {
  final List<Invitation> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListInvitation({required this.items, required this.nextPageToken});

  factory ListInvitation.fromJson(Map<String, dynamic> json) => ListInvitation(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Invitation.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListLikedTweet {
  final List<LikedTweet> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListLikedTweet({required this.items, required this.nextPageToken});

  factory ListLikedTweet.fromJson(Map<String, dynamic> json) => ListLikedTweet(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) LikedTweet.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListMemberFollow {
  final List<MemberFollow> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListMemberFollow({required this.items, required this.nextPageToken});

  factory ListMemberFollow.fromJson(Map<String, dynamic> json) => ListMemberFollow(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) MemberFollow.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListMutedPerson {
  final List<MutedPerson> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListMutedPerson({required this.items, required this.nextPageToken});

  factory ListMutedPerson.fromJson(Map<String, dynamic> json) => ListMutedPerson(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) MutedPerson.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListNote {
  final List<Note> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListNote({required this.items, required this.nextPageToken});

  factory ListNote.fromJson(Map<String, dynamic> json) => ListNote(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Note.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListNotification {
  final List<Notification> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListNotification({required this.items, required this.nextPageToken});

  factory ListNotification.fromJson(Map<String, dynamic> json) => ListNotification(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Notification.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListNotificationRequest {
  final List<NotificationRequest> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListNotificationRequest({required this.items, required this.nextPageToken});

  factory ListNotificationRequest.fromJson(Map<String, dynamic> json) => ListNotificationRequest(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) NotificationRequest.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListOrder {
  final List<Order> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListOrder({required this.items, required this.nextPageToken});

  factory ListOrder.fromJson(Map<String, dynamic> json) => ListOrder(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Order.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListPeopleList {
  final List<PeopleList> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListPeopleList({required this.items, required this.nextPageToken});

  factory ListPeopleList.fromJson(Map<String, dynamic> json) => ListPeopleList(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) PeopleList.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListPerson {
  final List<Person> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListPerson({required this.items, required this.nextPageToken});

  factory ListPerson.fromJson(Map<String, dynamic> json) => ListPerson(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Person.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListPinnedTag {
  final List<PinnedTag> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListPinnedTag({required this.items, required this.nextPageToken});

  factory ListPinnedTag.fromJson(Map<String, dynamic> json) => ListPinnedTag(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) PinnedTag.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListPinnedTweet {
  final List<PinnedTweet> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListPinnedTweet({required this.items, required this.nextPageToken});

  factory ListPinnedTweet.fromJson(Map<String, dynamic> json) => ListPinnedTweet(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) PinnedTweet.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListProduct {
  final List<Product> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListProduct({required this.items, required this.nextPageToken});

  factory ListProduct.fromJson(Map<String, dynamic> json) => ListProduct(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Product.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListPushSubscription {
  final List<PushSubscription> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListPushSubscription({required this.items, required this.nextPageToken});

  factory ListPushSubscription.fromJson(Map<String, dynamic> json) => ListPushSubscription(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) PushSubscription.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListReport {
  final List<Report> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListReport({required this.items, required this.nextPageToken});

  factory ListReport.fromJson(Map<String, dynamic> json) => ListReport(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Report.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListRevision {
  final List<Revision> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListRevision({required this.items, required this.nextPageToken});

  factory ListRevision.fromJson(Map<String, dynamic> json) => ListRevision(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Revision.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListSharedTweet {
  final List<SharedTweet> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListSharedTweet({required this.items, required this.nextPageToken});

  factory ListSharedTweet.fromJson(Map<String, dynamic> json) => ListSharedTweet(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) SharedTweet.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListSignUp {
  final List<SignUp> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListSignUp({required this.items, required this.nextPageToken});

  factory ListSignUp.fromJson(Map<String, dynamic> json) => ListSignUp(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) SignUp.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListTag {
  final List<Tag> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListTag({required this.items, required this.nextPageToken});

  factory ListTag.fromJson(Map<String, dynamic> json) => ListTag(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Tag.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListTagUser {
  final List<TagUser> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListTagUser({required this.items, required this.nextPageToken});

  factory ListTagUser.fromJson(Map<String, dynamic> json) => ListTagUser(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) TagUser.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListTweet {
  final List<Tweet> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListTweet({required this.items, required this.nextPageToken});

  factory ListTweet.fromJson(Map<String, dynamic> json) => ListTweet(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Tweet.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListUsedTag {
  final List<UsedTag> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListUsedTag({required this.items, required this.nextPageToken});

  factory ListUsedTag.fromJson(Map<String, dynamic> json) => ListUsedTag(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) UsedTag.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListUser {
  final List<User> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListUser({required this.items, required this.nextPageToken});

  factory ListUser.fromJson(Map<String, dynamic> json) => ListUser(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) User.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class ListUserSummary {
  final List<UserSummary> items;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const ListUserSummary({required this.items, required this.nextPageToken});

  factory ListUserSummary.fromJson(Map<String, dynamic> json) => ListUserSummary(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) UserSummary.fromJson(x as Map<String, dynamic>)],
        nextPageToken: json['nextPageToken'] as String,
      );
}

class Marker {
  /// The newest tweet that the caller has seen; it may be gone
  final String lastReadId;
  final DateTime updatedAt;
  /// How often the marker has moved, from 1
  final int version;

  const Marker({required this.lastReadId, required this.updatedAt, required this.version});

  factory Marker.fromJson(Map<String, dynamic> json) => Marker(
        lastReadId: json['lastReadId'] as String,
        updatedAt: DateTime.parse(json['updatedAt'] as String),
        version: (json['version'] as num).toInt(),
      );
}

class Markers {
  /// Of the home timeline; absent until a device has marked it
  final Marker? home;

  const Markers({this.home});

  factory Markers.fromJson(Map<String, dynamic> json) => Markers(
        home: json['home'] == null ? null : Marker.fromJson(json['home'] as Map<String, dynamic>),
      );
}

class Media {
  /// What the picture shows, in words. A post copies it, and an edit of the post changes that copy
  final String alt;
  final bool? animated;
  final String? blurhash;
  final DateTime createdAt;
  final int? durationMs;
  /// When it is deleted, unless a post, a message, a profile or a product takes it before
  final DateTime? expiresAt;
  /// Why it failed
  final String? failure;
  final int? height;
  final String id;
  final String kind;
  /// uploading: until the file has come and was looked at. ready: a post, a message, a profile or a product can take it. failed: it can not
  final String state;
  /// This and the following are there when it is ready
  final String? type;
  /// Signed until a post that everybody may see, a profile or a product, has taken it
  final MediaURLs? urls;
  /// Whether a post, a message, a profile or a product has taken it
  final bool used;
  final int? width;

  const Media({required this.alt, this.animated, this.blurhash, required this.createdAt, this.durationMs, this.expiresAt, this.failure, this.height, required this.id, required this.kind, required this.state, this.type, this.urls, required this.used, this.width});

  factory Media.fromJson(Map<String, dynamic> json) => Media(
        alt: json['alt'] as String,
        animated: json['animated'] == null ? null : json['animated'] as bool,
        blurhash: json['blurhash'] == null ? null : json['blurhash'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        durationMs: json['durationMs'] == null ? null : (json['durationMs'] as num).toInt(),
        expiresAt: json['expiresAt'] == null ? null : DateTime.parse(json['expiresAt'] as String),
        failure: json['failure'] == null ? null : json['failure'] as String,
        height: json['height'] == null ? null : (json['height'] as num).toInt(),
        id: json['id'] as String,
        kind: json['kind'] as String,
        state: json['state'] as String,
        type: json['type'] == null ? null : json['type'] as String,
        urls: json['urls'] == null ? null : MediaURLs.fromJson(json['urls'] as Map<String, dynamic>),
        used: json['used'] as bool,
        width: json['width'] == null ? null : (json['width'] as num).toInt(),
      );
}

class MediaURLs {
  /// At most 1600 x 1600 pixels; of an image, or the poster of a video
  final String? large;
  /// The video, or the moving image
  final String? original;
  /// At most 400 x 400 pixels; of an image, or the poster of a video
  final String? small;

  const MediaURLs({this.large, this.original, this.small});

  factory MediaURLs.fromJson(Map<String, dynamic> json) => MediaURLs(
        large: json['large'] == null ? null : json['large'] as String,
        original: json['original'] == null ? null : json['original'] as String,
        small: json['small'] == null ? null : json['small'] as String,
      );
}

class MemberFollow {
  /// Of a skipped member the code that following answers, such as not_allowed or follow_limit
  final String? reason;
  /// followed; requested: the user is locked, and has to accept; already: the caller follows the user; skipped
  final String result;
  final UserSummary user;

  const MemberFollow({this.reason, required this.result, required this.user});

  factory MemberFollow.fromJson(Map<String, dynamic> json) => MemberFollow(
        reason: json['reason'] == null ? null : json['reason'] as String,
        result: json['result'] as String,
        user: UserSummary.fromJson(json['user'] as Map<String, dynamic>),
      );
}

class Mention {
  final String userId;
  /// The name in the text, in lower case
  final String username;

  const Mention({required this.userId, required this.username});

  factory Mention.fromJson(Map<String, dynamic> json) => Mention(
        userId: json['userId'] as String,
        username: json['username'] as String,
      );
}

class MergeInputBody {
  /// The ID token of the guest that the caller was before
  final String guestToken;

  const MergeInputBody({required this.guestToken});

  Map<String, dynamic> toJson() => {
        'guestToken': guestToken,
      };
}

class Message {
  final String authorId;
  final DateTime createdAt;
  /// Ids of a conversation compare as texts, by time
  final String id;
  /// Pictures, or a video, with signed addresses, which are good for an hour at least
  final List<TweetMedia>? media;
  final List<MessageReaction> reactions;
  /// The message of the conversation that it answers
  final String? replyTo;
  /// The author took it back: it has neither text nor media
  final bool takenBack;
  /// Plain text
  final String text;

  const Message({required this.authorId, required this.createdAt, required this.id, this.media, required this.reactions, this.replyTo, required this.takenBack, required this.text});

  factory Message.fromJson(Map<String, dynamic> json) => Message(
        authorId: json['authorId'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        id: json['id'] as String,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        reactions: [for (final x in json['reactions'] as List<dynamic>? ?? const []) MessageReaction.fromJson(x as Map<String, dynamic>)],
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        takenBack: json['takenBack'] as bool,
        text: json['text'] as String,
      );
}

class MessageList {
  final List<Message> items;
  /// Path of the Firestore document with these messages, to which a client may listen
  final String listen;
  /// Id of the newest message of the conversation, also of one that the caller does not see. A client that shows the first page marks this one as read
  final String newestId;
  /// The pageToken of the next page; empty at the end of the list
  final String nextPageToken;

  const MessageList({required this.items, required this.listen, required this.newestId, required this.nextPageToken});

  factory MessageList.fromJson(Map<String, dynamic> json) => MessageList(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Message.fromJson(x as Map<String, dynamic>)],
        listen: json['listen'] as String,
        newestId: json['newestId'] as String,
        nextPageToken: json['nextPageToken'] as String,
      );
}

class MessageReaction {
  final String emoji;
  final List<String> userIds;

  const MessageReaction({required this.emoji, required this.userIds});

  factory MessageReaction.fromJson(Map<String, dynamic> json) => MessageReaction(
        emoji: json['emoji'] as String,
        userIds: [for (final x in json['userIds'] as List<dynamic>? ?? const []) x as String],
      );
}

class MessageText {
  /// Ids of ready uploads of the kind tweet: up to 4 pictures, or one video
  final List<String>? mediaIds;
  /// Id of a message of the conversation
  final String? replyTo;
  /// Plain text; required without media
  final String? text;

  const MessageText({this.mediaIds, this.replyTo, this.text});

  Map<String, dynamic> toJson() => {
        if (mediaIds != null) 'mediaIds': mediaIds,
        if (replyTo != null) 'replyTo': replyTo,
        if (text != null) 'text': text,
      };
}

class Move {
  /// The new account: a handle, such as @bob@example.org, or an address
  final String account;

  const Move({required this.account});

  Map<String, dynamic> toJson() => {
        'account': account,
      };
}

class MoveMarkersRequest {
  final HomeStruct? home;

  const MoveMarkersRequest({this.home});

  Map<String, dynamic> toJson() => {
        if (home != null) 'home': home!.toJson(),
      };
}

class MutedPerson {
  final DateTime createdAt;
  /// Whether the caller gets no notifications of what the mute hides; with all also of likes and follows
  final bool hideNotifications;
  /// What the mute hides
  final String part;
  /// When the mute ends; null for never
  final DateTime? until;
  final UserSummary user;

  const MutedPerson({required this.createdAt, required this.hideNotifications, required this.part, this.until, required this.user});

  factory MutedPerson.fromJson(Map<String, dynamic> json) => MutedPerson(
        createdAt: DateTime.parse(json['createdAt'] as String),
        hideNotifications: json['hideNotifications'] as bool,
        part: json['part'] as String,
        until: json['until'] == null ? null : DateTime.parse(json['until'] as String),
        user: UserSummary.fromJson(json['user'] as Map<String, dynamic>),
      );
}

class Muting {
  /// Whether the caller gets no notifications of what the mute hides; with all also of likes and follows
  final bool hideNotifications;
  /// What the mute hides
  final String part;
  /// When the mute ends; null for never
  final DateTime? until;

  const Muting({required this.hideNotifications, required this.part, this.until});

  factory Muting.fromJson(Map<String, dynamic> json) => Muting(
        hideNotifications: json['hideNotifications'] as bool,
        part: json['part'] as String,
        until: json['until'] == null ? null : DateTime.parse(json['until'] as String),
      );
}

class NamedUser {
  final String id;
  final String nickname;
  final String username;

  const NamedUser({required this.id, required this.nickname, required this.username});

  factory NamedUser.fromJson(Map<String, dynamic> json) => NamedUser(
        id: json['id'] as String,
        nickname: json['nickname'] as String,
        username: json['username'] as String,
      );
}

class NeedTrendReviewRequest {
  final bool needed;

  const NeedTrendReviewRequest({required this.needed});

  Map<String, dynamic> toJson() => {
        'needed': needed,
      };
}

class NewAIModel {
  /// Whether agents may use it
  final bool? enabled;
  /// Micro-dollars for a million tokens
  final int? input;
  /// Micro-dollars for a million tokens
  final int? output;
  final String? provider;

  const NewAIModel({this.enabled, this.input, this.output, this.provider});

  Map<String, dynamic> toJson() => {
        if (enabled != null) 'enabled': enabled,
        if (input != null) 'input': input,
        if (output != null) 'output': output,
        if (provider != null) 'provider': provider,
      };
}

class NewAgent {
  /// Of a day in UTC; what is absent is 0
  final AgentSpending budget;
  final int? everyMinutes;
  /// Label of an enabled AI model
  final String model;
  final bool? running;

  const NewAgent({required this.budget, this.everyMinutes, required this.model, this.running});

  Map<String, dynamic> toJson() => {
        'budget': budget.toJson(),
        if (everyMinutes != null) 'everyMinutes': everyMinutes,
        'model': model,
        if (running != null) 'running': running,
      };
}

class NewAnnouncement {
  /// Absent for no end
  final DateTime? endsAt;
  /// Now if absent
  final DateTime? startsAt;
  /// Markdown
  final String? text;
  final String title;

  const NewAnnouncement({this.endsAt, this.startsAt, this.text, required this.title});

  Map<String, dynamic> toJson() => {
        if (endsAt != null) 'endsAt': endsAt!.toUtc().toIso8601String(),
        if (startsAt != null) 'startsAt': startsAt!.toUtc().toIso8601String(),
        if (text != null) 'text': text,
        'title': title,
      };
}

class NewConversation {
  /// Ids of ready uploads of the kind tweet: up to 4 pictures, or one video
  final List<String>? mediaIds;
  /// The others, each once, without the caller
  final List<String> memberIds;
  /// Of a conversation of several; plain text
  final String? name;
  /// Id of a message of the conversation
  final String? replyTo;
  /// Plain text; required without media
  final String? text;

  const NewConversation({this.mediaIds, required this.memberIds, this.name, this.replyTo, this.text});

  Map<String, dynamic> toJson() => {
        if (mediaIds != null) 'mediaIds': mediaIds,
        'memberIds': memberIds,
        if (name != null) 'name': name,
        if (replyTo != null) 'replyTo': replyTo,
        if (text != null) 'text': text,
      };
}

class NewDraft {
  final bool? allowLikes;
  /// Short for quotePolicy: everybody or nobody
  final bool? allowQuotes;
  /// Short for replyPolicy: everybody or nobody
  final bool? allowReplies;
  /// Further recipients, as in to
  final List<String>? cc;
  /// Markdown; its #hashtags become tags. It may be empty or absent if there are media
  final String? content;
  /// BCP 47 tag of the content's language; if absent, the script tells it where one language has that script for itself
  final String? language;
  /// Ids of up to 4 ready pictures, or of one video, that the caller uploaded as tweet, in order. A post takes each for itself
  final List<String>? media;
  /// A question with options, of which each voter chooses one; no edit changes it
  final NewPoll? poll;
  /// When to post the tweet: a time to come, within 366 days. Without it the draft waits
  final DateTime? publishAt;
  /// Id of the tweet that this tweet quotes: one that everybody may see, or one of the caller's own
  final String? quoteOf;
  /// Who may quote, as in replyPolicy, but only followers for followers. The author always may. It prevails over allowQuotes
  final String? quotePolicy;
  /// Who may reply: everybody who may see the tweet; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom it mentions, unless it is nobody. It is for replies to this tweet alone: a reply has a policy of its own. It prevails over allowReplies
  final String? replyPolicy;
  /// Id of the tweet that this tweet answers
  final String? replyTo;
  /// Content warning
  final String? summary;
  /// Tags of at most 50 characters each; at most 10 tags together with the hashtags
  final List<String>? tags;
  /// Recipients, the long form of visibility, with cc: public (also as https://www.w3.org/ns/activitystreams#Public), followers, and ids of users whom the content mentions or the tweet answers. public in to is public; followers in to and public in cc unlisted; followers alone followers; users alone mentioned
  final List<String>? to;
  /// Who may see the tweet: everybody; everybody, but no list for everybody has it; the author's followers; the author of the tweet that it answers. By default public, or what the tweet has that it answers. A reply cannot be shown to more people than that tweet
  final String? visibility;

  const NewDraft({this.allowLikes, this.allowQuotes, this.allowReplies, this.cc, this.content, this.language, this.media, this.poll, this.publishAt, this.quoteOf, this.quotePolicy, this.replyPolicy, this.replyTo, this.summary, this.tags, this.to, this.visibility});

  Map<String, dynamic> toJson() => {
        if (allowLikes != null) 'allowLikes': allowLikes,
        if (allowQuotes != null) 'allowQuotes': allowQuotes,
        if (allowReplies != null) 'allowReplies': allowReplies,
        if (cc != null) 'cc': cc,
        if (content != null) 'content': content,
        if (language != null) 'language': language,
        if (media != null) 'media': media,
        if (poll != null) 'poll': poll!.toJson(),
        if (publishAt != null) 'publishAt': publishAt!.toUtc().toIso8601String(),
        if (quoteOf != null) 'quoteOf': quoteOf,
        if (quotePolicy != null) 'quotePolicy': quotePolicy,
        if (replyPolicy != null) 'replyPolicy': replyPolicy,
        if (replyTo != null) 'replyTo': replyTo,
        if (summary != null) 'summary': summary,
        if (tags != null) 'tags': tags,
        if (to != null) 'to': to,
        if (visibility != null) 'visibility': visibility,
      };
}

class NewFediverseDomain {
  /// For administrators
  final String? privateComment;
  final String? publicComment;
  /// Posts from there have no pictures, videos and sounds
  final bool? rejectMedia;
  /// Reports from there are dropped
  final bool? rejectReports;
  final String severity;

  const NewFediverseDomain({this.privateComment, this.publicComment, this.rejectMedia, this.rejectReports, required this.severity});

  Map<String, dynamic> toJson() => {
        if (privateComment != null) 'privateComment': privateComment,
        if (publicComment != null) 'publicComment': publicComment,
        if (rejectMedia != null) 'rejectMedia': rejectMedia,
        if (rejectReports != null) 'rejectReports': rejectReports,
        'severity': severity,
      };
}

class NewInvitation {
  /// For how many days it is good
  final int? days;
  /// How many people may sign up by it
  final int? maxUses;
  /// For administrators
  final String? note;

  const NewInvitation({this.days, this.maxUses, this.note});

  Map<String, dynamic> toJson() => {
        if (days != null) 'days': days,
        if (maxUses != null) 'maxUses': maxUses,
        if (note != null) 'note': note,
      };
}

class NewList {
  /// Plain text for those who see a public list, of at most 500 characters
  final String? description;
  /// Whether the caller's home timeline leaves out what the members write and share. 5 lists at most are exclusive; beyond that the answer is 409 too_many_exclusive_lists
  final bool? exclusive;
  /// Which replies of members the timeline has: to users whom its reader follows, to members of the list, which is the default, or none. Replies of members to themselves and to the reader are always there
  final String? repliesPolicy;
  /// Plain text that shows something, of 1 to 60 characters
  final String title;
  /// private, which is the default: nobody else learns of the list. public: everybody may read it and its members, but for those with a block between them and the caller
  final String? visibility;

  const NewList({this.description, this.exclusive, this.repliesPolicy, required this.title, this.visibility});

  Map<String, dynamic> toJson() => {
        if (description != null) 'description': description,
        if (exclusive != null) 'exclusive': exclusive,
        if (repliesPolicy != null) 'repliesPolicy': repliesPolicy,
        'title': title,
        if (visibility != null) 'visibility': visibility,
      };
}

class NewMedia {
  /// What the picture shows, in words
  final String? alt;
  /// Size of the file: at most 10 MiB, and 30 MiB of a video
  final int bytes;
  /// What the file is: image/jpeg, image/png, image/webp, image/gif, or for a post video/mp4. The bytes decide in the end
  final String contentType;
  /// What it is for
  final String? kind;
  /// Of a video: the id of an upload of the caller, a picture that shows it until it plays. The video gets a copy. One that is not ready a minute after its announcement, or that no one can see, is left out
  final String? poster;

  const NewMedia({this.alt, required this.bytes, required this.contentType, this.kind, this.poster});

  Map<String, dynamic> toJson() => {
        if (alt != null) 'alt': alt,
        'bytes': bytes,
        'contentType': contentType,
        if (kind != null) 'kind': kind,
        if (poster != null) 'poster': poster,
      };
}

class NewMute {
  final bool? hideNotifications;
  /// all hides the user's tweets and shares, and the user; shares and replies hide those alone
  final String? part;
  /// How long the mute lasts; absent for a mute without an end
  final int? seconds;

  const NewMute({this.hideNotifications, this.part, this.seconds});

  Map<String, dynamic> toJson() => {
        if (hideNotifications != null) 'hideNotifications': hideNotifications,
        if (part != null) 'part': part,
        if (seconds != null) 'seconds': seconds,
      };
}

class NewPoll {
  /// How long the poll takes votes, from the tweet's time on
  final int minutes;
  /// Texts of 1 to 80 characters, no two the same
  final List<String> options;

  const NewPoll({required this.minutes, required this.options});

  factory NewPoll.fromJson(Map<String, dynamic> json) => NewPoll(
        minutes: (json['minutes'] as num).toInt(),
        options: [for (final x in json['options'] as List<dynamic>? ?? const []) x as String],
      );

  Map<String, dynamic> toJson() => {
        'minutes': minutes,
        'options': options,
      };
}

class NewPrice {
  final Price price;
  final String productId;

  const NewPrice({required this.price, required this.productId});

  factory NewPrice.fromJson(Map<String, dynamic> json) => NewPrice(
        price: Price.fromJson(json['price'] as Map<String, dynamic>),
        productId: json['productId'] as String,
      );
}

class NewProduct {
  /// Plain text, at most 5000 characters
  final String? description;
  /// An https URL
  final String? image;
  /// Id of an upload of the caller, of kind product, which is the image instead
  final String? imageMedia;
  /// 1 to 100 characters
  final String name;
  final Price price;
  /// Pieces in stock
  final int stock;

  const NewProduct({this.description, this.image, this.imageMedia, required this.name, required this.price, required this.stock});

  Map<String, dynamic> toJson() => {
        if (description != null) 'description': description,
        if (image != null) 'image': image,
        if (imageMedia != null) 'imageMedia': imageMedia,
        'name': name,
        'price': price.toJson(),
        'stock': stock,
      };
}

class NewReport {
  /// With messageId the reported message, in place of tweetId and userId. Moderators get a copy of it, and see no other message
  final String? conversationId;
  /// Whether the server of the reported user gets the report, too: its text, and not who reports. Only for users and tweets of other servers; 400 not_remote for others. A suspended server gets nothing
  final bool? forward;
  final String? messageId;
  final String reason;
  /// What is wrong, for moderators
  final String? text;
  /// The reported tweet; either this or userId
  final String? tweetId;
  /// The reported user; either this or tweetId
  final String? userId;

  const NewReport({this.conversationId, this.forward, this.messageId, required this.reason, this.text, this.tweetId, this.userId});

  Map<String, dynamic> toJson() => {
        if (conversationId != null) 'conversationId': conversationId,
        if (forward != null) 'forward': forward,
        if (messageId != null) 'messageId': messageId,
        'reason': reason,
        if (text != null) 'text': text,
        if (tweetId != null) 'tweetId': tweetId,
        if (userId != null) 'userId': userId,
      };
}

class NewSignUpBlock {
  /// For administrators
  final String? comment;
  /// For how many days; 0 for ever
  final int? days;
  final String? severity;

  const NewSignUpBlock({this.comment, this.days, this.severity});

  Map<String, dynamic> toJson() => {
        if (comment != null) 'comment': comment,
        if (days != null) 'days': days,
        if (severity != null) 'severity': severity,
      };
}

class NewTweet {
  final bool? allowLikes;
  /// Short for quotePolicy: everybody or nobody
  final bool? allowQuotes;
  /// Short for replyPolicy: everybody or nobody
  final bool? allowReplies;
  /// Further recipients, as in to
  final List<String>? cc;
  /// Markdown; its #hashtags become tags. It may be empty or absent if there are media
  final String? content;
  /// BCP 47 tag of the content's language; if absent, the script tells it where one language has that script for itself
  final String? language;
  /// Ids of up to 4 ready pictures, or of one video, that the caller uploaded as tweet, in order. A post takes each for itself
  final List<String>? media;
  /// A question with options, of which each voter chooses one; no edit changes it
  final NewPoll? poll;
  /// Id of the tweet that this tweet quotes: one that everybody may see, or one of the caller's own
  final String? quoteOf;
  /// Who may quote, as in replyPolicy, but only followers for followers. The author always may. It prevails over allowQuotes
  final String? quotePolicy;
  /// Who may reply: everybody who may see the tweet; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom it mentions, unless it is nobody. It is for replies to this tweet alone: a reply has a policy of its own. It prevails over allowReplies
  final String? replyPolicy;
  /// Id of the tweet that this tweet answers
  final String? replyTo;
  /// Content warning
  final String? summary;
  /// Tags of at most 50 characters each; at most 10 tags together with the hashtags
  final List<String>? tags;
  /// Recipients, the long form of visibility, with cc: public (also as https://www.w3.org/ns/activitystreams#Public), followers, and ids of users whom the content mentions or the tweet answers. public in to is public; followers in to and public in cc unlisted; followers alone followers; users alone mentioned
  final List<String>? to;
  /// Who may see the tweet: everybody; everybody, but no list for everybody has it; the author's followers; the author of the tweet that it answers. By default public, or what the tweet has that it answers. A reply cannot be shown to more people than that tweet
  final String? visibility;

  const NewTweet({this.allowLikes, this.allowQuotes, this.allowReplies, this.cc, this.content, this.language, this.media, this.poll, this.quoteOf, this.quotePolicy, this.replyPolicy, this.replyTo, this.summary, this.tags, this.to, this.visibility});

  Map<String, dynamic> toJson() => {
        if (allowLikes != null) 'allowLikes': allowLikes,
        if (allowQuotes != null) 'allowQuotes': allowQuotes,
        if (allowReplies != null) 'allowReplies': allowReplies,
        if (cc != null) 'cc': cc,
        if (content != null) 'content': content,
        if (language != null) 'language': language,
        if (media != null) 'media': media,
        if (poll != null) 'poll': poll!.toJson(),
        if (quoteOf != null) 'quoteOf': quoteOf,
        if (quotePolicy != null) 'quotePolicy': quotePolicy,
        if (replyPolicy != null) 'replyPolicy': replyPolicy,
        if (replyTo != null) 'replyTo': replyTo,
        if (summary != null) 'summary': summary,
        if (tags != null) 'tags': tags,
        if (to != null) 'to': to,
        if (visibility != null) 'visibility': visibility,
      };
}

class NewUser {
  final String? aiModel;
  final String? aiPersonality;
  /// Empty, or an https URL in ASCII without a user name
  final String? avatar;
  final bool? blockStrangers;
  /// True if a program makes the posts
  final bool? bot;
  /// Markdown
  final String? introduction;
  /// Code of the invitation to sign up by; needed if the instance says invitationNeeded
  final String? invitation;
  /// True if the user decides who follows
  final bool? locked;
  /// The username if absent. One character at least can be seen; none controls the text around it
  final String? nickname;
  /// Why the user wants to join, for the administrators who approve it; only if the instance says approvalNeeded
  final String? reason;
  /// Version of the terms to which the user consents; needed if the instance says termsNeeded
  final int? termsVersion;
  /// a–z, 0–9 and _
  final String username;

  const NewUser({this.aiModel, this.aiPersonality, this.avatar, this.blockStrangers, this.bot, this.introduction, this.invitation, this.locked, this.nickname, this.reason, this.termsVersion, required this.username});

  Map<String, dynamic> toJson() => {
        if (aiModel != null) 'aiModel': aiModel,
        if (aiPersonality != null) 'aiPersonality': aiPersonality,
        if (avatar != null) 'avatar': avatar,
        if (blockStrangers != null) 'blockStrangers': blockStrangers,
        if (bot != null) 'bot': bot,
        if (introduction != null) 'introduction': introduction,
        if (invitation != null) 'invitation': invitation,
        if (locked != null) 'locked': locked,
        if (nickname != null) 'nickname': nickname,
        if (reason != null) 'reason': reason,
        if (termsVersion != null) 'termsVersion': termsVersion,
        'username': username,
      };
}

class NewWebhook {
  final String? description;
  final List<String> events;
  /// An https address of the public internet
  final String url;

  const NewWebhook({this.description, required this.events, required this.url});

  Map<String, dynamic> toJson() => {
        if (description != null) 'description': description,
        'events': events,
        'url': url,
      };
}

class Note {
  final DateTime at;
  final String by;
  final String id;
  final String text;
  final String userId;

  const Note({required this.at, required this.by, required this.id, required this.text, required this.userId});

  factory Note.fromJson(Map<String, dynamic> json) => Note(
        at: DateTime.parse(json['at'] as String),
        by: json['by'] as String,
        id: json['id'] as String,
        text: json['text'] as String,
        userId: json['userId'] as String,
      );
}

class Notification {
  /// Number of replies or quotes, or of tweets that mention the caller; 0 for other slots
  final int countTweets;
  /// Number of different users who acted
  final int countUsers;
  /// Time of the first that happened
  final DateTime createdAt;
  /// The beginning of what the notification is about; absent for follows and orders, and if the tweet is gone or hidden from the caller by now
  final Excerpt? excerpt;
  final String id;
  /// False again when something is added
  final bool isRead;
  /// The newest 10 of what happened
  final List<Record> records;
  /// What the notification collects: follow, followRequest, mention, like:{tweetId}, share:{tweetId}, quote:{tweetId}, reply:{tweetId}, edit:{tweetId}, of a tweet that the caller shares, poll:{tweetId}, of a poll that has ended, or order:{orderId}, of an order of the caller
  final String slot;
  /// The day of the events
  final String term;
  /// Time of the last that happened
  final DateTime updatedAt;

  const Notification({required this.countTweets, required this.countUsers, required this.createdAt, this.excerpt, required this.id, required this.isRead, required this.records, required this.slot, required this.term, required this.updatedAt});

  factory Notification.fromJson(Map<String, dynamic> json) => Notification(
        countTweets: (json['countTweets'] as num).toInt(),
        countUsers: (json['countUsers'] as num).toInt(),
        createdAt: DateTime.parse(json['createdAt'] as String),
        excerpt: json['excerpt'] == null ? null : Excerpt.fromJson(json['excerpt'] as Map<String, dynamic>),
        id: json['id'] as String,
        isRead: json['isRead'] as bool,
        records: [for (final x in json['records'] as List<dynamic>? ?? const []) Record.fromJson(x as Map<String, dynamic>)],
        slot: json['slot'] as String,
        term: json['term'] as String,
        updatedAt: DateTime.parse(json['updatedAt'] as String),
      );
}

class NotificationPolicy {
  /// Users who are let through whatever the policy says, the last accepted first; at most 200
  final List<String> acceptedSenders;
  /// Of accounts that were younger than 30 days at that time
  final String newAccounts;
  /// Of people whom the caller does not follow
  final String notFollowed;
  /// Of people who do not follow the caller
  final String notFollowers;
  /// Of mentions in tweets for mentioned users alone, by people whom the caller does not follow, that answer no tweet of the caller
  final String privateMentions;

  const NotificationPolicy({required this.acceptedSenders, required this.newAccounts, required this.notFollowed, required this.notFollowers, required this.privateMentions});

  factory NotificationPolicy.fromJson(Map<String, dynamic> json) => NotificationPolicy(
        acceptedSenders: [for (final x in json['acceptedSenders'] as List<dynamic>? ?? const []) x as String],
        newAccounts: json['newAccounts'] as String,
        notFollowed: json['notFollowed'] as String,
        notFollowers: json['notFollowers'] as String,
        privateMentions: json['privateMentions'] as String,
      );
}

class NotificationPolicyPatch {
  final String? newAccounts;
  final String? notFollowed;
  final String? notFollowers;
  final String? privateMentions;

  const NotificationPolicyPatch({this.newAccounts, this.notFollowed, this.notFollowers, this.privateMentions});

  Map<String, dynamic> toJson() => {
        if (newAccounts != null) 'newAccounts': newAccounts,
        if (notFollowed != null) 'notFollowed': notFollowed,
        if (notFollowers != null) 'notFollowers': notFollowers,
        if (privateMentions != null) 'privateMentions': privateMentions,
      };
}

class NotificationRequest {
  /// The newest 15 at most, the newest first
  final List<FilteredNotification> events;
  /// When the newest happened
  final DateTime lastAt;
  /// The sender
  final UserSummary user;

  const NotificationRequest({required this.events, required this.lastAt, required this.user});

  factory NotificationRequest.fromJson(Map<String, dynamic> json) => NotificationRequest(
        events: [for (final x in json['events'] as List<dynamic>? ?? const []) FilteredNotification.fromJson(x as Map<String, dynamic>)],
        lastAt: DateTime.parse(json['lastAt'] as String),
        user: UserSummary.fromJson(json['user'] as Map<String, dynamic>),
      );
}

class NotificationSettings {
  /// Whether the caller gets notifications of edits of tweets that the caller shares
  final bool edit;
  /// Whether the caller gets notifications of follows
  final bool follow;
  /// Whether the caller gets notifications of requests to follow
  final bool followRequest;
  /// Whether the caller gets notifications of likes
  final bool like;
  /// Whether the caller gets notifications of mentions; a reply to the caller that mentions the caller counts as a reply, or as a mention if reply is false
  final bool mention;
  /// Root tweets of the conversations that the caller has muted, the last muted first; at most 500
  final List<String> mutedConversations;
  /// Whether the caller gets notifications of changes of the caller's orders
  final bool order;
  /// Whether the caller gets notifications that polls of the caller, or with a vote of the caller, have ended
  final bool poll;
  /// Whether the caller gets notifications of the posts of people to whom the caller subscribes
  final bool post;
  /// Whether the caller gets notifications of quotes
  final bool quote;
  /// Whether the caller gets notifications of replies
  final bool reply;
  /// Whether the caller gets notifications of shares
  final bool share;

  const NotificationSettings({required this.edit, required this.follow, required this.followRequest, required this.like, required this.mention, required this.mutedConversations, required this.order, required this.poll, required this.post, required this.quote, required this.reply, required this.share});

  factory NotificationSettings.fromJson(Map<String, dynamic> json) => NotificationSettings(
        edit: json['edit'] as bool,
        follow: json['follow'] as bool,
        followRequest: json['followRequest'] as bool,
        like: json['like'] as bool,
        mention: json['mention'] as bool,
        mutedConversations: [for (final x in json['mutedConversations'] as List<dynamic>? ?? const []) x as String],
        order: json['order'] as bool,
        poll: json['poll'] as bool,
        post: json['post'] as bool,
        quote: json['quote'] as bool,
        reply: json['reply'] as bool,
        share: json['share'] as bool,
      );
}

class Order {
  final DateTime createdAt;
  /// The e-mail address of a guest, until 30 days after the order was closed
  final String? email;
  /// Whether the customer had no profile
  final bool? guest;
  /// Every state of the order, oldest first
  final List<OrderChange> history;
  final String id;
  final List<OrderItem> items;
  /// Of a rejected order
  final OrderReason? reason;
  /// When the open order of a guest is cancelled unless it was shipped; up to a day later
  final DateTime? shipBy;
  /// pending until the stock was looked at, which takes a second or two
  final String status;
  final Total total;
  final String userId;

  const Order({required this.createdAt, this.email, this.guest, required this.history, required this.id, required this.items, this.reason, this.shipBy, required this.status, required this.total, required this.userId});

  factory Order.fromJson(Map<String, dynamic> json) => Order(
        createdAt: DateTime.parse(json['createdAt'] as String),
        email: json['email'] == null ? null : json['email'] as String,
        guest: json['guest'] == null ? null : json['guest'] as bool,
        history: [for (final x in json['history'] as List<dynamic>? ?? const []) OrderChange.fromJson(x as Map<String, dynamic>)],
        id: json['id'] as String,
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) OrderItem.fromJson(x as Map<String, dynamic>)],
        reason: json['reason'] == null ? null : OrderReason.fromJson(json['reason'] as Map<String, dynamic>),
        shipBy: json['shipBy'] == null ? null : DateTime.parse(json['shipBy'] as String),
        status: json['status'] as String,
        total: Total.fromJson(json['total'] as Map<String, dynamic>),
        userId: json['userId'] as String,
      );
}

class OrderChange {
  final DateTime at;
  /// The customer or administrator; absent for the shop itself
  final String? by;
  final String status;

  const OrderChange({required this.at, this.by, required this.status});

  factory OrderChange.fromJson(Map<String, dynamic> json) => OrderChange(
        at: DateTime.parse(json['at'] as String),
        by: json['by'] == null ? null : json['by'] as String,
        status: json['status'] as String,
      );
}

class OrderItem {
  /// URL of a small picture of the product when it was ordered; absent for none. It may be gone
  final String? image;
  final String name;
  final String productId;
  final int quantity;
  /// In minor units of the total's currency
  final int unitPrice;

  const OrderItem({this.image, required this.name, required this.productId, required this.quantity, required this.unitPrice});

  factory OrderItem.fromJson(Map<String, dynamic> json) => OrderItem(
        image: json['image'] == null ? null : json['image'] as String,
        name: json['name'] as String,
        productId: json['productId'] as String,
        quantity: (json['quantity'] as num).toInt(),
        unitPrice: (json['unitPrice'] as num).toInt(),
      );
}

class OrderReason {
  /// guest_share: orders of guests hold as many pieces as they may
  final String code;
  final String productId;

  const OrderReason({required this.code, required this.productId});

  factory OrderReason.fromJson(Map<String, dynamic> json) => OrderReason(
        code: json['code'] as String,
        productId: json['productId'] as String,
      );
}

class OwnAppeal {
  /// What the moderators say; empty while the appeal is open
  final String answer;
  /// null while the appeal is open
  final DateTime? answeredAt;
  final DateTime createdAt;
  /// upheld: the decision stands; reversed: it was wrong, and what can be undone is undone
  final String state;
  final String text;

  const OwnAppeal({required this.answer, this.answeredAt, required this.createdAt, required this.state, required this.text});

  factory OwnAppeal.fromJson(Map<String, dynamic> json) => OwnAppeal(
        answer: json['answer'] as String,
        answeredAt: json['answeredAt'] == null ? null : DateTime.parse(json['answeredAt'] as String),
        createdAt: DateTime.parse(json['createdAt'] as String),
        state: json['state'] as String,
        text: json['text'] as String,
      );
}

class PeopleList {
  final DateTime createdAt;
  /// Plain text
  final String description;
  /// Whether the owner's home timeline leaves the members out; only the owner sees it
  final bool? exclusive;
  final String id;
  final int memberCount;
  final String ownerId;
  final String repliesPolicy;
  final String title;
  final String visibility;

  const PeopleList({required this.createdAt, required this.description, this.exclusive, required this.id, required this.memberCount, required this.ownerId, required this.repliesPolicy, required this.title, required this.visibility});

  factory PeopleList.fromJson(Map<String, dynamic> json) => PeopleList(
        createdAt: DateTime.parse(json['createdAt'] as String),
        description: json['description'] as String,
        exclusive: json['exclusive'] == null ? null : json['exclusive'] as bool,
        id: json['id'] as String,
        memberCount: (json['memberCount'] as num).toInt(),
        ownerId: json['ownerId'] as String,
        repliesPolicy: json['repliesPolicy'] as String,
        title: json['title'] as String,
        visibility: json['visibility'] as String,
      );
}

class Person {
  final DateTime createdAt;
  final UserSummary user;

  const Person({required this.createdAt, required this.user});

  factory Person.fromJson(Map<String, dynamic> json) => Person(
        createdAt: DateTime.parse(json['createdAt'] as String),
        user: UserSummary.fromJson(json['user'] as Map<String, dynamic>),
      );
}

class PersonNote {
  /// Empty if there is no note
  final String text;
  /// null if there is no note
  final DateTime? updatedAt;

  const PersonNote({required this.text, this.updatedAt});

  factory PersonNote.fromJson(Map<String, dynamic> json) => PersonNote(
        text: json['text'] as String,
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
      );
}

class PinnedTag {
  /// The tag as the user spells it
  final String label;
  /// The key of the tag
  final String tag;
  /// How many tweets of the user have the tag
  final int tweetCount;

  const PinnedTag({required this.label, required this.tag, required this.tweetCount});

  factory PinnedTag.fromJson(Map<String, dynamic> json) => PinnedTag(
        label: json['label'] as String,
        tag: json['tag'] as String,
        tweetCount: (json['tweetCount'] as num).toInt(),
      );
}

class PinnedTweet {
  final bool allowLikes;
  /// False if quotePolicy is nobody
  final bool allowQuotes;
  /// False if replyPolicy is nobody
  final bool allowReplies;
  final Author author;
  final String authorId;
  /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
  final bool bookmarked;
  /// Further recipients; absent if there are none, and from lists
  final List<String>? cc;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
  final List<FilterHit>? filtered;
  /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
  final bool? flagged;
  /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
  final bool? folded;
  /// The content as safe HTML; a tweet read by itself has it with format=html
  final String? html;
  final String id;
  /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
  final String language;
  /// Number of characters of the content
  final int length;
  final int likeCount;
  /// True if the caller likes the tweet
  final bool liked;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// Whom the content mentions; absent if nobody
  final List<Mention>? mentions;
  final DateTime pinnedAt;
  /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
  final Poll? poll;
  final int quoteCount;
  /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
  final bool? quoteWithdrawn;
  /// Where the post is, if it is of another server; absent from others
  final Remote? remote;
  /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
  final String? repliesHeldBy;
  final int replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// Id of the tweet that this tweet answers; null for a root tweet
  final String? replyTo;
  /// Who wrote the tweet that this tweet answers; absent from a root tweet
  final String? replyToAuthorId;
  /// How often the tweet was edited; so many revisions are kept
  final int revision;
  /// Id of the tweet that began the thread
  final String rootId;
  final int shareCount;
  /// True if the caller shares the tweet
  final bool shared;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
  final List<String>? to;
  /// null until the first edit
  final DateTime? updatedAt;
  /// Who may see the tweet
  final String visibility;

  const PinnedTweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, required this.author, required this.authorId, required this.bookmarked, this.cc, this.content, required this.createdAt, this.filtered, this.flagged, this.folded, this.html, required this.id, required this.language, required this.length, required this.likeCount, required this.liked, this.media, this.mentions, required this.pinnedAt, this.poll, required this.quoteCount, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.remote, this.repliesHeldBy, required this.replyCount, required this.replyPolicy, this.replyTo, this.replyToAuthorId, required this.revision, required this.rootId, required this.shareCount, required this.shared, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.to, this.updatedAt, required this.visibility});

  factory PinnedTweet.fromJson(Map<String, dynamic> json) => PinnedTweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] as bool,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        flagged: json['flagged'] == null ? null : json['flagged'] as bool,
        folded: json['folded'] == null ? null : json['folded'] as bool,
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        language: json['language'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: (json['likeCount'] as num).toInt(),
        liked: json['liked'] as bool,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        mentions: json['mentions'] == null ? null : [for (final x in json['mentions'] as List<dynamic>? ?? const []) Mention.fromJson(x as Map<String, dynamic>)],
        pinnedAt: DateTime.parse(json['pinnedAt'] as String),
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteCount: (json['quoteCount'] as num).toInt(),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        repliesHeldBy: json['repliesHeldBy'] == null ? null : json['repliesHeldBy'] as String,
        replyCount: (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        replyToAuthorId: json['replyToAuthorId'] == null ? null : json['replyToAuthorId'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: (json['shareCount'] as num).toInt(),
        shared: json['shared'] as bool,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] as String,
      );
}

class PlaceOrderInputBody {
  /// Where the shop reaches the customer; needed without a profile. Kept in lower case, at most 100 characters
  final String? email;
  /// All that is in the cart, as the caller was shown it
  final List<WantedItem> items;

  const PlaceOrderInputBody({this.email, required this.items});

  Map<String, dynamic> toJson() => {
        if (email != null) 'email': email,
        'items': [for (final x in items) x.toJson()],
      };
}

class Poll {
  final bool closed;
  final DateTime closesAt;
  final List<PollOption> options;
  /// How many users voted, for everybody; absent from a list but a batch with polls=true
  final int? total;
  /// The option that the caller chose, from 1 on; absent if there is none, and from a list but a batch with polls=true
  final int? voted;

  const Poll({required this.closed, required this.closesAt, required this.options, this.total, this.voted});

  factory Poll.fromJson(Map<String, dynamic> json) => Poll(
        closed: json['closed'] as bool,
        closesAt: DateTime.parse(json['closesAt'] as String),
        options: [for (final x in json['options'] as List<dynamic>? ?? const []) PollOption.fromJson(x as Map<String, dynamic>)],
        total: json['total'] == null ? null : (json['total'] as num).toInt(),
        voted: json['voted'] == null ? null : (json['voted'] as num).toInt(),
      );
}

class PollOption {
  final String text;
  /// How often it was chosen. The tweet's author sees it always, others when they have voted or the poll has closed; absent until then, and from a list but a batch with polls=true
  final int? votes;

  const PollOption({required this.text, this.votes});

  factory PollOption.fromJson(Map<String, dynamic> json) => PollOption(
        text: json['text'] as String,
        votes: json['votes'] == null ? null : (json['votes'] as num).toInt(),
      );
}

class Price {
  /// In minor units of the currency: yen, or cents
  final int amount;
  /// ISO 4217
  final String currency;

  const Price({required this.amount, required this.currency});

  factory Price.fromJson(Map<String, dynamic> json) => Price(
        amount: (json['amount'] as num).toInt(),
        currency: json['currency'] as String,
      );

  Map<String, dynamic> toJson() => {
        'amount': amount,
        'currency': currency,
      };
}

class Problem {
  /// Author of the deleted tweet
  final String? authorId;
  /// What went wrong, for programs; never changes. * `account_exists`: Another account has the uid or the e-mail address. * `account_frozen`: The account may read and leave, and not write. * `account_not_found`: Firebase Auth has no such account. * `account_suspended`: The account is suspended. * `activity_refused`: The activity has no effect: its actor may not do that. * `address_blocked`: Nobody signs up from this network. * `agent_stopped`: An administrator stopped the agent. * `already_exists`: What the request would make is there already. * `already_voted`: The caller has chosen another option of the poll; a vote stays. * `announcement_not_found`: No such announcement shows now. * `anonymous`: Anonymous users may only read, and keep a cart. * `app_check_required`: The service wants an App Check token. * `app_check_unavailable`: App Check cannot be reached at the moment; try again. * `app_not_found`: There is no such app, or the caller did not let it in. * `appeal_answered`: The appeal has another answer. * `appeal_exists`: The caller appealed against this decision before, with another text. * `appeal_not_found`: No such appeal. * `author_blocked`: The caller blocks the author of the reply. * `author_may_not_post`: The author of the reply may not post at the moment. * `cart_changed`: The cart is not what the caller orders; read it again. * `cart_full`: The cart has as many products as it may; take one out first. * `comment_too_long`: The comment is too long. * `concurrent_rename`: Another request renamed the same user at that moment; try again. * `conflict`: Another request changed the same thing at that moment; try again. * `content_required`: The content shows nothing. * `conversation_not_found`: The caller has no such conversation. * `conversation_of_two`: Only conversations of several have a name, and can be left. * `data_not_kept`: The source documents that a repair would need have expired. * `decision_not_found`: No such decision about the caller, or none against which an appeal is possible. * `domain_blocked`: The instance does not federate with this domain. * `draft_changed`: The draft was changed since the caller read it. * `draft_not_found`: The caller has no such draft; a scheduled one may have been posted. * `email_domain_blocked`: Nobody signs up with an e-mail address of this domain. * `email_not_verified`: The caller must verify the e-mail address first. * `email_required`: A guest orders with an e-mail address. * `email_too_long`: The e-mail address of the account has more than 100 characters; sign in with another. * `empty_order`: The order has no product, or more than an order may have. * `empty_patch`: The change changes nothing. * `empty_query`: The query has nothing to look for. * `event_not_found`: No such notification event, or it has expired. * `events_required`: A webhook is told of at least one event. * `exhausted`: Too much of something; try again later. * `expired_token`: The ID token has expired; get a new one. * `export_limit`: One export a day; nextAt tells when. * `export_not_found`: There is no export, or it has expired. * `exports_off`: The service makes no exports. * `federation_off`: The instance does not federate. * `filter_changed`: The filter was changed or removed since the caller read it. * `follow_limit`: The caller follows as many users as one may. * `follower_limit`: The user has as many followers as one may. * `forbidden`: The caller may not do this. * `gist_budget`: No tokens are left for gists today. * `gist_pending`: There is no gist yet: the model writes, or it failed less than an hour ago. * `gone`: What the request names was deleted. * `held_reply_not_found`: No such reply waits for the caller; it may have been approved, refused or withdrawn. * `held_reply_refused`: The author of the reply may not post it any more. * `idempotency_key_reused`: The key was used for a different request. * `internal`: A fault of the service. The log of the service has it. * `invalid`: The request breaks a rule that the detail names. * `invalid_action`: The action is not accept, filter or drop. * `invalid_activity`: The activity is not as it must be. * `invalid_agent`: The agent has the wrong form; the detail says what. * `invalid_ai_model`: The AI model has the wrong form; the detail says what. * `invalid_announcement`: The announcement has the wrong form; the detail says what. * `invalid_app`: What an app says of itself has the wrong form; the detail says what. * `invalid_app_check`: The App Check token is not good. * `invalid_avatar`: The avatar is not an https URL. * `invalid_block`: The text is neither a domain nor a network. * `invalid_challenge`: The challenge of PKCE is missing or has another form than S256. * `invalid_client`: The app is unknown, or its secret is another one. * `invalid_conversation_id`: Not the form of the id of a conversation. * `invalid_conversation_name`: The name of the conversation shows nothing, or it is of two. * `invalid_device_id`: The id of a push subscription has the wrong form. * `invalid_domain`: The text is no domain. * `invalid_domains`: The text is no list of domains. * `invalid_draft_id`: Not the form of the id of a draft. * `invalid_email`: Not the form of an e-mail address. * `invalid_emoji`: A reaction is one emoji. * `invalid_event_id`: Not the form of the id of a notification event. * `invalid_filter`: The filter has the wrong form; the detail says what. * `invalid_grant`: The authorization code is unknown, used or expired, or belongs to another app. * `invalid_guest_token`: The guest's token is not the ID token of a guest of this project, or has expired. * `invalid_handle`: Not the form of a handle with a host. * `invalid_held_reply_id`: Not the form of the id of a held reply. * `invalid_hold`: No such setting of whose replies wait for approval. * `invalid_if_match`: If-Match has something else than tags of this tweet. * `invalid_image`: The image is no https URL that browsers would take. * `invalid_instance`: A field of the instance has the wrong form; the detail says what. * `invalid_invitation`: The new invitation has the wrong form; the detail says what. * `invalid_language`: Not a BCP 47 language tag, such as ja, en or pt-BR. * `invalid_link`: Not the address of a page that may have a card. * `invalid_list`: A field of the list has a value that there is not; the detail says which. * `invalid_list_id`: Not the form of the id of a list. * `invalid_list_title`: The title of the list shows nothing. * `invalid_media_id`: Not the form of the id of media. * `invalid_members`: Nobody, too many, a user twice, or the caller among the members. * `invalid_message_id`: Not the form of the id of a message. * `invalid_messages_from`: No such setting of who may write. * `invalid_network`: The text is no network. * `invalid_nickname`: The nickname has characters that it may not have, or none that can be seen. * `invalid_notification_id`: Not the form of the id of a notification. * `invalid_option`: The poll has no such option. * `invalid_order_id`: Not the form of the id of an order. * `invalid_page_token`: The page token is not one of this list. * `invalid_policy`: No such policy of who may reply or quote. * `invalid_poll`: The poll has too few or too many options, options that are the same or show nothing, or lasts too short or too long. * `invalid_price`: The price has an amount out of range, or no currency of ISO 4217. * `invalid_product_id`: Not the form of the id of a product. * `invalid_product_name`: The name of a product is empty, or has spaces at its ends. * `invalid_profile_field`: A field or the pronouns of a profile have characters that they may not have, or none that can be seen. * `invalid_publish_at`: The time to post a draft has passed, or is too far ahead. * `invalid_push_subscription`: The push subscription has the wrong form; the detail says what. * `invalid_quantity`: So many pieces of a product a cart does not take. * `invalid_query`: The query has a filter that there is not, or one that is not filled in. * `invalid_reason`: No such reason of a report. * `invalid_recipients`: The recipients in to and cc have no meaning, or another one than visibility. * `invalid_redirect_uri`: The redirect URI is not one of the app, or has a form that is not taken. * `invalid_request`: A part of the request has the wrong form; errors lists the parts. * `invalid_scope`: There is no such scope, or the app has not registered it. * `invalid_severity`: There is no such severity of a domain. * `invalid_stock`: So many pieces of a product there cannot be. * `invalid_tag`: Not the form of a tag. * `invalid_text`: The text has characters that it may not have. * `invalid_token`: The ID token is not one of this project. * `invalid_tweet_id`: Not the form of a tweet id. * `invalid_user_id`: Not the form of a user id. * `invalid_username`: Not the form of a username. * `invalid_visibility`: No such visibility. * `invalid_webhook_url`: The address is none of the public internet that begins with https. * `invitation_invalid`: The invitation is unknown, used up, or expired. * `invitation_required`: Nobody signs up without an invitation. * `leaving`: The user's account is being deleted. * `leaving_not_found`: No such account deletion, or its record has expired. * `limit_reached`: A limit of the account or the address is reached; limit names it, fullAt and nextAt tell when it has room. * `link_card_not_found`: There is no card of this address. * `list_not_found`: There is no such list, or it is private, or there is a block between the caller and its owner. * `marker_conflict`: Another device moved the marker since the caller read it. * `media_damaged`: The file is not what its type demands. * `media_failed`: The file cannot be shown; upload another. * `media_in_use`: A post, a message or a profile has the media already. * `media_not_found`: There are no such media of the caller, or no such file. * `media_not_ready`: A picture takes long to be looked at; try again. Only by Mastodon's API. * `media_off`: The installation takes no media. * `media_processing`: The file has not come yet, or is being looked at; try again in some seconds. * `media_too_large`: The file is larger than one of its type may be. * `media_too_old`: The media go before the tweet is posted; upload them again. * `media_type_unsupported`: The file is of a type that is not taken. * `message_not_found`: The conversation has no such message that the caller sees. * `method_not_allowed`: The path does not take the method; the header Allow has those that it takes. * `mixed_currencies`: The products have prices in several currencies; order them one after the other. * `moved_lately`: The account moved within the last 7 days. * `no_actor_key`: The user has no key for the fediverse yet. * `no_address`: The account has no e-mail address. * `no_agent`: The user has no agent. * `no_gists`: The installation writes no gists. * `no_poll`: The tweet has no poll. * `no_remote_actor`: There is no actor of another server at the address. * `no_remote_messages`: A member has an account on another server, which messages do not reach. * `no_request`: The caller has accepted the conversation. * `no_such_option`: The poll has no such option. * `not_a_bot`: The profile does not say that the user is a bot. * `not_a_reply`: The tweet answers none, so that no thread could hide it. * `not_addressed`: The tweet neither mentions nor answers a user in to or cc. * `not_admin`: For administrators only. * `not_allowed`: The other user, or the service, does not allow it. The code does not tell why. * `not_an_alias`: The new account does not name this one as its own. * `not_author`: Only the author may do this. * `not_following`: The one does not follow the other. * `not_for_apps`: No app may do this for a user; the user does it here. * `not_found`: What the request names is not there. * `not_in_fediverse`: There is nothing of the fediverse at the address. * `not_mirrored`: The account status was changed here, and not yet in Firebase Auth; send the request again. * `not_moderator`: For moderators and administrators only. * `not_ready`: The database does not answer the probe. * `not_remote`: Only a report about a user or post of another server can be forwarded to it. * `not_thread_author`: Only the author of the thread's first tweet may do this, as long as that tweet is there. * `not_you`: Only the user in the path may do this. * `note_required`: The note is empty. * `notification_not_found`: No such notification of the caller. * `notification_request_not_found`: No such notification request of the caller. * `one_filter`: The list takes one filter at a time. * `one_target`: A report is of one user or one tweet. * `order_not_found`: There is no such order. * `order_state`: The order has a state in which that cannot be done; the detail names it. * `outdated`: The thing has changed since the caller read it. * `own_account`: Moderators do not change their own account status. * `own_domain`: The domain is the instance's own. * `own_poll`: Nobody votes in a poll of their own. * `part_too_short`: A part of a word in the query has fewer than three characters. * `poll_closed`: The poll takes no votes any more. * `post_deleted`: The post of another server was deleted. * `post_not_found`: The post of another server is not known here. * `prices_changed`: Prices are not as the caller has seen them; prices has the new ones. * `product_changed`: The product was changed since the caller read it. * `product_not_found`: There is no such product. * `product_retired`: The product is sold no more. * `product_twice`: The order names a product twice. * `profile_required`: The caller must make a profile first. * `push_off`: The server sends nothing to devices of this kind. * `push_subscription_not_found`: The caller has no such push subscription of an app. * `quote_not_found`: The one tweet does not quote the other. * `range_not_satisfiable`: The file has no such part. * `reason_required`: An act of a moderator needs a reason. * `recent_sign_in_required`: The caller must have signed in within the last minutes. * `remote_unavailable`: The server of the actor does not answer. * `remote_user`: The user has an account on another server, which alone changes the profile. * `reply_not_approved`: A reply of another server waits for approval, or finds no room to wait. * `report_not_found`: No such report. * `request_limit`: The caller asks as many users to follow them as one may, or the user is asked by as many. * `request_not_found`: The user does not ask to follow the caller. * `request_pending`: The conversation waits for consent: 5 messages without pictures until then. * `reserved_username`: The username looks like a name of the service. * `revision_not_found`: The tweet has no such revision. * `revoked_token`: The session of the ID token was ended; sign in again. * `route_not_found`: No such path. * `saturated`: Too many requests at the moment; try again in a second. * `scope_required`: The access token of the app does not have the scope that this needs. * `self_block`: Nobody blocks themselves. * `self_follow`: Nobody follows themselves. * `self_hide`: Nobody hides what they share themselves. * `self_mute`: Nobody mutes themselves. * `self_note`: A note is about somebody else. * `self_report`: Nobody reports themselves. * `sign_up_changed`: The user sent another sign-up meanwhile; look at it again. * `sign_up_not_found`: No sign-up of the user waits for approval. * `sign_up_refused`: An administrator refused the sign-up. * `signature_required`: Servers of the fediverse must sign what they read. * `single_user`: The instance is for one person, and nobody else signs up. * `standing_changed`: Another moderator changed the account status at that moment; read it again. * `standings_unknown`: The account status cannot be read at the moment; try again. * `stock_out_of_range`: The stock of the product would be below zero, or too large. * `stray_revision`: A revision stands below no tweet; it is not repaired alone. * `tag_not_found`: No tweet has the tag. * `terms_changed`: The terms have another version now; read them again. * `terms_required`: The caller must consent to the terms first. * `text_required`: The text is empty. * `timeout`: The body took too long to arrive. * `too_large`: The body is larger than the API takes. * `too_late`: The hour in which a message can be taken back is over. * `too_late_to_appeal`: The decision is more than 20 days old. * `too_late_to_publish`: Why a scheduled draft was not posted: its time was more than a day ago when the job ran. * `too_long`: A text is longer than its limit. * `too_many_accepted_senders`: The caller lets as many senders through as one may; take one back first. * `too_many_activities`: The server sends too many activities; it may send again after a while. * `too_many_ai_models`: There are as many AI models as there may be. * `too_many_aliases`: A user has 10 other accounts at most. * `too_many_announcements`: There are as many announcements as there may be; remove one first. * `too_many_apps`: The caller lets in as many apps as possible; remove one first. * `too_many_blocks`: There are as many domains and networks as there may be; remove one. * `too_many_devices`: The caller has the largest number of devices; remove one first. * `too_many_domains`: There are as many domains as there may be; remove some. * `too_many_drafts`: The caller has as many drafts as one may; post or delete one first. * `too_many_edits`: The tweet was edited as often as it may be. * `too_many_exclusive_lists`: The caller has as many exclusive lists as one may; change one first. * `too_many_filters`: The caller has as many filters or keywords as one may; remove some first. * `too_many_followed_tags`: The caller follows as many tags as one may; unfollow one first. * `too_many_held_replies`: As many replies wait for the approval of the thread's author as may. * `too_many_hidden_messages`: The caller has deleted as many single messages as one may. * `too_many_ids`: More ids than one request may name. * `too_many_list_members`: The list has as many members as it may; remove one first. * `too_many_lists`: The caller has as many lists as one may; delete one first. * `too_many_media`: A post has at most 4 pictures, each once, or one video. * `too_many_mutes`: The caller has muted as many conversations, or as many users, as one may. * `too_many_orders`: The caller has as many orders that were not shipped yet as one may; wait, or cancel one. * `too_many_pieces`: The order of a guest has more pieces than it may; order fewer, or make a profile. * `too_many_pinned_tags`: More tags than a profile shows. * `too_many_pins`: The profile has as many pinned tweets as it may; unpin one first. * `too_many_rows`: The list has more rows than are imported at once. * `too_many_sign_ups`: As many sign-ups wait for an administrator as may wait. * `too_many_subscriptions`: The posts of as many users make notifications as may; take one back first. * `too_many_tags`: More tags than a tweet may have. * `too_many_webhooks`: There are as many webhooks as there may be; remove one. * `too_old_to_edit`: The tweet is older than a tweet that may be edited. * `too_short`: The tweet is too short for a gist. * `trend_review_full`: There are decisions about 200 tags already. * `tweet_changed`: The tweet was edited or deleted while the model wrote. * `tweet_deleted`: The tweet was deleted; the document has its tombstone. * `tweet_edited`: The tweet was edited since the caller read it. * `tweet_exists`: Another request made a tweet with the id. * `tweet_not_found`: No such tweet, or none that the caller may see. * `two_avatars`: Only one of avatar and avatarMedia may be given. * `two_images`: Only one of image and imageMedia of a product may be given. * `two_snapshots_needed`: The user or tweet changed between two looks; repair again. * `unauthenticated`: The request needs a sign-in. * `unauthorized_client`: The token belongs to another app. * `unavailable`: The database does not answer at the moment; try again. The change may have happened. * `unknown_ai_model`: There is no AI model of that name, or agents may not use it. * `unknown_event`: There is no such event of webhooks. * `unsupported_grant_type`: There are tokens for codes, and for apps themselves, alone. * `unsupported_media_type`: The body is not application/json. * `unsupported_response_type`: The app asks for another answer than a code. * `upload_broken`: A file did not reach the storage; try again. Only by Mastodon's API. * `user_exists`: The caller has a profile already. * `user_frozen`: The other user's account is frozen. * `user_not_found`: No such user. * `user_suspended`: The other user's account is suspended. * `username_not_found`: Nobody has the username. * `username_taken`: Somebody has the username. * `visibility_too_wide`: A reply cannot be shown to more people than the tweet that it answers. * `webhook_not_found`: There is no such webhook. * `webhook_off`: The webhook is switched off. * `wrong_media_kind`: The media were uploaded for something else.
  final String code;
  /// Time of the deletion
  final DateTime? deletedAt;
  /// What went wrong, for people
  final String detail;
  /// The invalid parts of the request, at most 20; only with the code invalid_request
  final List<FieldError>? errors;
  /// Type of the deleted document
  final String? formerType;
  /// Time from which on the limit is as if nothing had been used
  final DateTime? fullAt;
  /// Id of the deleted tweet
  final String? id;
  /// Name of the limit that is reached; only with the codes limit_reached and export_limit
  final String? limit;
  /// Time from which on the same change is possible; only for the limits renames, usernames and exports
  final DateTime? nextAt;
  /// What products cost now whose prices the caller has not seen; only with the code prices_changed
  final List<NewPrice>? prices;
  final int status;
  /// The status in words
  final String title;
  /// Always about:blank; the code tells more
  final String type;

  const Problem({this.authorId, required this.code, this.deletedAt, required this.detail, this.errors, this.formerType, this.fullAt, this.id, this.limit, this.nextAt, this.prices, required this.status, required this.title, required this.type});

  factory Problem.fromJson(Map<String, dynamic> json) => Problem(
        authorId: json['authorId'] == null ? null : json['authorId'] as String,
        code: json['code'] as String,
        deletedAt: json['deletedAt'] == null ? null : DateTime.parse(json['deletedAt'] as String),
        detail: json['detail'] as String,
        errors: json['errors'] == null ? null : [for (final x in json['errors'] as List<dynamic>? ?? const []) FieldError.fromJson(x as Map<String, dynamic>)],
        formerType: json['formerType'] == null ? null : json['formerType'] as String,
        fullAt: json['fullAt'] == null ? null : DateTime.parse(json['fullAt'] as String),
        id: json['id'] == null ? null : json['id'] as String,
        limit: json['limit'] == null ? null : json['limit'] as String,
        nextAt: json['nextAt'] == null ? null : DateTime.parse(json['nextAt'] as String),
        prices: json['prices'] == null ? null : [for (final x in json['prices'] as List<dynamic>? ?? const []) NewPrice.fromJson(x as Map<String, dynamic>)],
        status: (json['status'] as num).toInt(),
        title: json['title'] as String,
        type: json['type'] as String,
      );
}

class Product {
  /// false for a product that is sold no more
  final bool active;
  /// Pieces that can be ordered; what an order holds is not among them
  final int amountInStock;
  final DateTime createdAt;
  /// Plain text
  final String description;
  final String id;
  /// URL, of an uploaded picture that of its large size; empty for none
  final String image;
  final String name;
  /// Absent unless the image is an uploaded picture
  final ProductPicture? picture;
  final Price price;
  /// Time of the last change by an administrator
  final DateTime updatedAt;
  /// How often administrators changed the product; stock does not count
  final int version;

  const Product({required this.active, required this.amountInStock, required this.createdAt, required this.description, required this.id, required this.image, required this.name, this.picture, required this.price, required this.updatedAt, required this.version});

  factory Product.fromJson(Map<String, dynamic> json) => Product(
        active: json['active'] as bool,
        amountInStock: (json['amountInStock'] as num).toInt(),
        createdAt: DateTime.parse(json['createdAt'] as String),
        description: json['description'] as String,
        id: json['id'] as String,
        image: json['image'] as String,
        name: json['name'] as String,
        picture: json['picture'] == null ? null : ProductPicture.fromJson(json['picture'] as Map<String, dynamic>),
        price: Price.fromJson(json['price'] as Map<String, dynamic>),
        updatedAt: DateTime.parse(json['updatedAt'] as String),
        version: (json['version'] as num).toInt(),
      );
}

class ProductPatch {
  /// false retires the product: nobody can order it, and orders that wait for it are rejected
  final bool? active;
  final String? description;
  /// An https URL; it takes the place of an uploaded picture
  final String? image;
  /// What the uploaded picture shows, in words
  final String? imageAlt;
  /// Id of an upload of the caller, of kind product, which is the image from now on; empty to remove the picture
  final String? imageMedia;
  final String? name;
  final Price? price;

  const ProductPatch({this.active, this.description, this.image, this.imageAlt, this.imageMedia, this.name, this.price});

  Map<String, dynamic> toJson() => {
        if (active != null) 'active': active,
        if (description != null) 'description': description,
        if (image != null) 'image': image,
        if (imageAlt != null) 'imageAlt': imageAlt,
        if (imageMedia != null) 'imageMedia': imageMedia,
        if (name != null) 'name': name,
        if (price != null) 'price': price!.toJson(),
      };
}

class ProductPicture {
  /// What the picture shows, in words
  final String alt;
  /// A few colors to be shown until the picture is there (blurha.sh)
  final String blurhash;
  final int height;
  final String id;
  final MediaURLs urls;
  /// Of the large size, in pixels
  final int width;

  const ProductPicture({required this.alt, required this.blurhash, required this.height, required this.id, required this.urls, required this.width});

  factory ProductPicture.fromJson(Map<String, dynamic> json) => ProductPicture(
        alt: json['alt'] as String,
        blurhash: json['blurhash'] as String,
        height: (json['height'] as num).toInt(),
        id: json['id'] as String,
        urls: MediaURLs.fromJson(json['urls'] as Map<String, dynamic>),
        width: (json['width'] as num).toInt(),
      );
}

class ProfileField {
  /// One character at least can be seen
  final String name;
  /// A text, or one https link
  final String value;

  const ProfileField({required this.name, required this.value});

  Map<String, dynamic> toJson() => {
        'name': name,
        'value': value,
      };
}

class ProfileFieldItem {
  /// True if the value is a link. Show it with rel="me nofollow noopener"
  final bool link;
  final String name;
  final String value;
  /// When the page of the link linked to this profile with rel=me; absent if it did not
  final DateTime? verifiedAt;

  const ProfileFieldItem({required this.link, required this.name, required this.value, this.verifiedAt});

  factory ProfileFieldItem.fromJson(Map<String, dynamic> json) => ProfileFieldItem(
        link: json['link'] as bool,
        name: json['name'] as String,
        value: json['value'] as String,
        verifiedAt: json['verifiedAt'] == null ? null : DateTime.parse(json['verifiedAt'] as String),
      );
}

class PushApp {
  /// The types of notifications, by their names in Mastodon, of which the app is told
  final List<String> alerts;
  /// Address at the push service of the app
  final String? endpoint;
  /// Language of the messages; en if absent
  final String? language;
  /// Whether the app reads the encoding aesgcm, and not aes128gcm
  final bool? legacy;

  const PushApp({required this.alerts, this.endpoint, this.language, this.legacy});

  factory PushApp.fromJson(Map<String, dynamic> json) => PushApp(
        alerts: [for (final x in json['alerts'] as List<dynamic>? ?? const []) x as String],
        endpoint: json['endpoint'] == null ? null : json['endpoint'] as String,
        language: json['language'] == null ? null : json['language'] as String,
        legacy: json['legacy'] == null ? null : json['legacy'] as bool,
      );

  Map<String, dynamic> toJson() => {
        'alerts': alerts,
        if (endpoint != null) 'endpoint': endpoint,
        if (language != null) 'language': language,
        if (legacy != null) 'legacy': legacy,
      };
}

class PushBody {
  /// Of an app for Mastodon, which gets messages in the form of Mastodon: access_token (empty), preferred_locale, notification_id, notification_type, icon, title, body
  final PushApp? app;
  /// Address at the push service of the browser: https, and the name of a public host
  final String? endpoint;
  /// Browsers say it; it makes no difference
  final double? expirationTime;
  /// Registration token of an app, instead of endpoint and keys
  final String? fcmToken;
  final PushBodyKeysStruct? keys;

  const PushBody({this.app, this.endpoint, this.expirationTime, this.fcmToken, this.keys});

  Map<String, dynamic> toJson() => {
        if (app != null) 'app': app!.toJson(),
        if (endpoint != null) 'endpoint': endpoint,
        if (expirationTime != null) 'expirationTime': expirationTime,
        if (fcmToken != null) 'fcmToken': fcmToken,
        if (keys != null) 'keys': keys!.toJson(),
      };
}

class PushBodyKeysStruct {
  /// Secret of the browser, 16 bytes as base64url
  final String auth;
  /// Public key of the browser, 65 bytes as base64url
  final String p256dh;

  const PushBodyKeysStruct({required this.auth, required this.p256dh});

  Map<String, dynamic> toJson() => {
        'auth': auth,
        'p256dh': p256dh,
      };
}

class PushSubscription {
  /// Present for an app for Mastodon alone
  final PushApp? app;
  /// When it was registered last
  final DateTime at;
  final String id;
  final String kind;

  const PushSubscription({this.app, required this.at, required this.id, required this.kind});

  factory PushSubscription.fromJson(Map<String, dynamic> json) => PushSubscription(
        app: json['app'] == null ? null : PushApp.fromJson(json['app'] as Map<String, dynamic>),
        at: DateTime.parse(json['at'] as String),
        id: json['id'] as String,
        kind: json['kind'] as String,
      );
}

class PushWays {
  /// Whether apps get notifications by Firebase Cloud Messaging
  final bool fcm;
  /// The applicationServerKey of a web push subscription, 65 bytes as base64url
  final String? vapidPublicKey;
  /// Whether browsers get notifications
  final bool webPush;

  const PushWays({required this.fcm, this.vapidPublicKey, required this.webPush});

  factory PushWays.fromJson(Map<String, dynamic> json) => PushWays(
        fcm: json['fcm'] as bool,
        vapidPublicKey: json['vapidPublicKey'] == null ? null : json['vapidPublicKey'] as String,
        webPush: json['webPush'] as bool,
      );
}

class PutItemInputBody {
  final int quantity;

  const PutItemInputBody({required this.quantity});

  Map<String, dynamic> toJson() => {
        'quantity': quantity,
      };
}

class PutNoteRequest {
  final String text;

  const PutNoteRequest({required this.text});

  Map<String, dynamic> toJson() => {
        'text': text,
      };
}

class ReactToMessageRequest {
  final String emoji;

  const ReactToMessageRequest({required this.emoji});

  Map<String, dynamic> toJson() => {
        'emoji': emoji,
      };
}

class ReadConversationRequest {
  final String messageId;

  const ReadConversationRequest({required this.messageId});

  Map<String, dynamic> toJson() => {
        'messageId': messageId,
      };
}

class ReadTag {
  /// The tag as its first author typed it
  final String content;
  /// Whether the caller follows the tag; absent without a signed-in caller
  final bool? isFollowing;
  /// Key of the tag
  final String name;
  final int tweetCount;

  const ReadTag({required this.content, this.isFollowing, required this.name, required this.tweetCount});

  factory ReadTag.fromJson(Map<String, dynamic> json) => ReadTag(
        content: json['content'] as String,
        isFollowing: json['isFollowing'] == null ? null : json['isFollowing'] as bool,
        name: json['name'] as String,
        tweetCount: (json['tweetCount'] as num).toInt(),
      );
}

class Reason {
  /// Why, for the audit log
  final String reason;

  const Reason({required this.reason});

  Map<String, dynamic> toJson() => {
        'reason': reason,
      };
}

class Record {
  final DateTime at;
  /// What became of the order; of a notification of an order alone
  final String? orderStatus;
  /// The reply or quote, or the tweet that mentions the caller
  final String? tweetId;
  /// Present in the newest 3 records, of users who have a profile
  final UserSummary? user;
  /// The user who followed, liked, shared, quoted, replied, mentioned, edited or changed the order; the caller for what the shop does by itself
  final String userId;

  const Record({required this.at, this.orderStatus, this.tweetId, this.user, required this.userId});

  factory Record.fromJson(Map<String, dynamic> json) => Record(
        at: DateTime.parse(json['at'] as String),
        orderStatus: json['orderStatus'] == null ? null : json['orderStatus'] as String,
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
        user: json['user'] == null ? null : UserSummary.fromJson(json['user'] as Map<String, dynamic>),
        userId: json['userId'] as String,
      );
}

class RefusedSignUp {
  /// For the user
  final String? answer;

  const RefusedSignUp({this.answer});

  Map<String, dynamic> toJson() => {
        if (answer != null) 'answer': answer,
      };
}

class Relationship {
  final DateTime createdAt;
  final String followedId;
  final String followerId;

  const Relationship({required this.createdAt, required this.followedId, required this.followerId});

  factory Relationship.fromJson(Map<String, dynamic> json) => Relationship(
        createdAt: DateTime.parse(json['createdAt'] as String),
        followedId: json['followedId'] as String,
        followerId: json['followerId'] as String,
      );
}

class Remote {
  /// Host of the server
  final String host;
  /// Address of the original page
  final String url;

  const Remote({required this.host, required this.url});

  factory Remote.fromJson(Map<String, dynamic> json) => Remote(
        host: json['host'] as String,
        url: json['url'] as String,
      );
}

class Repair {
  /// Path of the document
  final String document;
  /// Name of the field; empty for the whole document
  final String field;
  /// The value in the database; null if there is none
  final Object? have;
  /// Collection of the document
  final String kind;
  /// False if the difference needs a person
  final bool repaired;
  /// Version of the document when the difference was found; empty if the field is no count
  final String version;
  /// The value that follows from the source documents; null if there should be none
  final Object? want;

  const Repair({required this.document, required this.field, this.have, required this.kind, required this.repaired, required this.version, this.want});

  factory Repair.fromJson(Map<String, dynamic> json) => Repair(
        document: json['document'] as String,
        field: json['field'] as String,
        have: json['have'] == null ? null : json['have'] as Object,
        kind: json['kind'] as String,
        repaired: json['repaired'] as bool,
        version: json['version'] as String,
        want: json['want'] == null ? null : json['want'] as Object,
      );
}

class RepairTweetRequest {
  /// The items of an earlier answer to GET on the same path without settle. These take the place of the first snapshot
  final List<Difference>? against;

  const RepairTweetRequest({this.against});

  Map<String, dynamic> toJson() => {
        if (against != null) 'against': [for (final x in against!) x.toJson()],
      };
}

class RepairUserRequest {
  /// The items of an earlier answer to GET on the same path without settle. These take the place of the first snapshot
  final List<Difference>? against;

  const RepairUserRequest({this.against});

  Map<String, dynamic> toJson() => {
        if (against != null) 'against': [for (final x in against!) x.toJson()],
      };
}

class Repairs {
  final List<Repair> items;

  const Repairs({required this.items});

  factory Repairs.fromJson(Map<String, dynamic> json) => Repairs(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Repair.fromJson(x as Map<String, dynamic>)],
      );
}

class Report {
  final DateTime createdAt;
  /// Whether the server of the reported user got it
  final bool? forwarded;
  final String id;
  /// The reported message as it was then; absent from other reports
  final ReportedMessage? message;
  final bool open;
  /// Open reports of the tweet, or of the user and the user's tweets; only with counts=true
  final int? openReports;
  final String reason;
  final String reporterId;
  /// Absent from an open report
  final Resolution? resolution;
  final String text;
  /// Absent from the report of a user or message
  final String? tweetId;
  /// The reported user, or the author of the reported tweet
  final String userId;

  const Report({required this.createdAt, this.forwarded, required this.id, this.message, required this.open, this.openReports, required this.reason, required this.reporterId, this.resolution, required this.text, this.tweetId, required this.userId});

  factory Report.fromJson(Map<String, dynamic> json) => Report(
        createdAt: DateTime.parse(json['createdAt'] as String),
        forwarded: json['forwarded'] == null ? null : json['forwarded'] as bool,
        id: json['id'] as String,
        message: json['message'] == null ? null : ReportedMessage.fromJson(json['message'] as Map<String, dynamic>),
        open: json['open'] as bool,
        openReports: json['openReports'] == null ? null : (json['openReports'] as num).toInt(),
        reason: json['reason'] as String,
        reporterId: json['reporterId'] as String,
        resolution: json['resolution'] == null ? null : Resolution.fromJson(json['resolution'] as Map<String, dynamic>),
        text: json['text'] as String,
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
        userId: json['userId'] as String,
      );
}

class ReportedMessage {
  final String conversationId;
  final DateTime createdAt;
  /// Its pictures or video as they were then, as long as they are not deleted
  final List<TweetMedia>? media;
  final String messageId;
  final String text;

  const ReportedMessage({required this.conversationId, required this.createdAt, this.media, required this.messageId, required this.text});

  factory ReportedMessage.fromJson(Map<String, dynamic> json) => ReportedMessage(
        conversationId: json['conversationId'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        messageId: json['messageId'] as String,
        text: json['text'] as String,
      );
}

class RequestedAuthorization {
  /// True if the user let this app in before
  final bool allowed;
  /// The address that tells the app that the user does not agree; absent for an app that cannot be reached
  final String? cancel;
  /// What the app calls itself: a claim of whoever registered it
  final String name;
  /// Where the answer goes, which tells more than the name
  final String redirectUri;
  final List<String> scopes;
  /// A claim, too
  final String? website;

  const RequestedAuthorization({required this.allowed, this.cancel, required this.name, required this.redirectUri, required this.scopes, this.website});

  factory RequestedAuthorization.fromJson(Map<String, dynamic> json) => RequestedAuthorization(
        allowed: json['allowed'] as bool,
        cancel: json['cancel'] == null ? null : json['cancel'] as String,
        name: json['name'] as String,
        redirectUri: json['redirectUri'] as String,
        scopes: [for (final x in json['scopes'] as List<dynamic>? ?? const []) x as String],
        website: json['website'] == null ? null : json['website'] as String,
      );
}

class Resolution {
  final DateTime at;
  final String by;
  final String decision;
  final String note;

  const Resolution({required this.at, required this.by, required this.decision, required this.note});

  factory Resolution.fromJson(Map<String, dynamic> json) => Resolution(
        at: DateTime.parse(json['at'] as String),
        by: json['by'] as String,
        decision: json['decision'] as String,
        note: json['note'] as String,
      );
}

class ResolveReportRequest {
  /// acted: something was done about it; dismissed: there is nothing to do
  final String decision;
  /// Why, for the audit log
  final String? note;

  const ResolveReportRequest({required this.decision, this.note});

  Map<String, dynamic> toJson() => {
        'decision': decision,
        if (note != null) 'note': note,
      };
}

class RestockInputBody {
  /// How many come into stock; below 0 they are taken out
  final int pieces;

  const RestockInputBody({required this.pieces});

  Map<String, dynamic> toJson() => {
        'pieces': pieces,
      };
}

class ReviewedTrend {
  /// The tag as one of its authors typed it
  final String? content;
  /// True if more than 64 uses an hour make useCount an estimate
  final bool estimated;
  /// Key of the tag; absent for a tweet
  final String? tag;
  /// Absent for a tag
  final String? tweetId;
  /// Number of accounts in this hour and each of the two before; an account counts once an hour
  final int useCount;
  /// How many would be usual, by the last days
  final double usualCount;

  const ReviewedTrend({this.content, required this.estimated, this.tag, this.tweetId, required this.useCount, required this.usualCount});

  factory ReviewedTrend.fromJson(Map<String, dynamic> json) => ReviewedTrend(
        content: json['content'] == null ? null : json['content'] as String,
        estimated: json['estimated'] as bool,
        tag: json['tag'] == null ? null : json['tag'] as String,
        tweetId: json['tweetId'] == null ? null : json['tweetId'] as String,
        useCount: (json['useCount'] as num).toInt(),
        usualCount: (json['usualCount'] as num).toDouble(),
      );
}

class Revision {
  final bool allowLikes;
  final bool allowQuotes;
  final bool allowReplies;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  /// The content as safe HTML; present where the content is asked for with format=html. It links the mentions of the tweet as it is now
  final String? html;
  /// Number of characters of the content
  final int length;
  /// 1 for the tweet as it was posted; revision n is what edit n replaced
  final int number;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// When the next version took its place
  final DateTime replacedAt;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  final String visibility;
  /// When the author wrote this version
  final DateTime writtenAt;

  const Revision({required this.allowLikes, required this.allowQuotes, required this.allowReplies, this.content, this.html, required this.length, required this.number, required this.quotePolicy, required this.replacedAt, required this.replyPolicy, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, required this.visibility, required this.writtenAt});

  factory Revision.fromJson(Map<String, dynamic> json) => Revision(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        content: json['content'] == null ? null : json['content'] as String,
        html: json['html'] == null ? null : json['html'] as String,
        length: (json['length'] as num).toInt(),
        number: (json['number'] as num).toInt(),
        quotePolicy: json['quotePolicy'] as String,
        replacedAt: DateTime.parse(json['replacedAt'] as String),
        replyPolicy: json['replyPolicy'] as String,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        visibility: json['visibility'] as String,
        writtenAt: DateTime.parse(json['writtenAt'] as String),
      );
}

class RunAgent {
  /// false stops the agent: when the answer is there, no act begins any more
  final bool running;

  const RunAgent({required this.running});

  Map<String, dynamic> toJson() => {
        'running': running,
      };
}

class SeeCartInputBody {
  /// The prices that the caller was shown, by the ids of their products
  final Map<String, Price> prices;

  const SeeCartInputBody({required this.prices});

  Map<String, dynamic> toJson() => {
        'prices': {for (final x in prices.entries) x.key: x.value.toJson()},
      };
}

class SettingsPatch {
  final bool? edit;
  final bool? follow;
  final bool? followRequest;
  final bool? like;
  final bool? mention;
  final bool? order;
  final bool? poll;
  final bool? post;
  final bool? quote;
  final bool? reply;
  final bool? share;

  const SettingsPatch({this.edit, this.follow, this.followRequest, this.like, this.mention, this.order, this.poll, this.post, this.quote, this.reply, this.share});

  Map<String, dynamic> toJson() => {
        if (edit != null) 'edit': edit,
        if (follow != null) 'follow': follow,
        if (followRequest != null) 'followRequest': followRequest,
        if (like != null) 'like': like,
        if (mention != null) 'mention': mention,
        if (order != null) 'order': order,
        if (poll != null) 'poll': poll,
        if (post != null) 'post': post,
        if (quote != null) 'quote': quote,
        if (reply != null) 'reply': reply,
        if (share != null) 'share': share,
      };
}

class SharedTweet {
  final bool allowLikes;
  /// False if quotePolicy is nobody
  final bool allowQuotes;
  /// False if replyPolicy is nobody
  final bool allowReplies;
  final Author author;
  final String authorId;
  /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
  final bool bookmarked;
  /// Further recipients; absent if there are none, and from lists
  final List<String>? cc;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
  final List<FilterHit>? filtered;
  /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
  final bool? flagged;
  /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
  final bool? folded;
  /// The content as safe HTML; a tweet read by itself has it with format=html
  final String? html;
  final String id;
  /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
  final String language;
  /// Number of characters of the content
  final int length;
  final int likeCount;
  /// True if the caller likes the tweet
  final bool liked;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// Whom the content mentions; absent if nobody
  final List<Mention>? mentions;
  /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
  final Poll? poll;
  final int quoteCount;
  /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
  final bool? quoteWithdrawn;
  /// Where the post is, if it is of another server; absent from others
  final Remote? remote;
  /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
  final String? repliesHeldBy;
  final int replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// Id of the tweet that this tweet answers; null for a root tweet
  final String? replyTo;
  /// Who wrote the tweet that this tweet answers; absent from a root tweet
  final String? replyToAuthorId;
  /// How often the tweet was edited; so many revisions are kept
  final int revision;
  /// Id of the tweet that began the thread
  final String rootId;
  final int shareCount;
  /// True if the caller shares the tweet
  final bool shared;
  final DateTime sharedAt;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
  final List<String>? to;
  /// null until the first edit
  final DateTime? updatedAt;
  /// Who may see the tweet
  final String visibility;

  const SharedTweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, required this.author, required this.authorId, required this.bookmarked, this.cc, this.content, required this.createdAt, this.filtered, this.flagged, this.folded, this.html, required this.id, required this.language, required this.length, required this.likeCount, required this.liked, this.media, this.mentions, this.poll, required this.quoteCount, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.remote, this.repliesHeldBy, required this.replyCount, required this.replyPolicy, this.replyTo, this.replyToAuthorId, required this.revision, required this.rootId, required this.shareCount, required this.shared, required this.sharedAt, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.to, this.updatedAt, required this.visibility});

  factory SharedTweet.fromJson(Map<String, dynamic> json) => SharedTweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] as bool,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        flagged: json['flagged'] == null ? null : json['flagged'] as bool,
        folded: json['folded'] == null ? null : json['folded'] as bool,
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        language: json['language'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: (json['likeCount'] as num).toInt(),
        liked: json['liked'] as bool,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        mentions: json['mentions'] == null ? null : [for (final x in json['mentions'] as List<dynamic>? ?? const []) Mention.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteCount: (json['quoteCount'] as num).toInt(),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        repliesHeldBy: json['repliesHeldBy'] == null ? null : json['repliesHeldBy'] as String,
        replyCount: (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        replyToAuthorId: json['replyToAuthorId'] == null ? null : json['replyToAuthorId'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: (json['shareCount'] as num).toInt(),
        shared: json['shared'] as bool,
        sharedAt: DateTime.parse(json['sharedAt'] as String),
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] as String,
      );
}

class Sharer {
  final String avatar;
  final String id;
  final String nickname;
  /// About how many other followed users share the tweet, with those of whom the caller mutes shares alone; 0 in a list of one user's
  final int others;
  final DateTime sharedAt;
  final String username;

  const Sharer({required this.avatar, required this.id, required this.nickname, required this.others, required this.sharedAt, required this.username});

  factory Sharer.fromJson(Map<String, dynamic> json) => Sharer(
        avatar: json['avatar'] as String,
        id: json['id'] as String,
        nickname: json['nickname'] as String,
        others: (json['others'] as num).toInt(),
        sharedAt: DateTime.parse(json['sharedAt'] as String),
        username: json['username'] as String,
      );
}

class SignIn {
  /// In whole seconds
  final DateTime at;
  /// True for the sign-in of this request's ID token
  final bool current;
  /// True if the caller signed out everywhere since. A sign-in that ended otherwise is not marked: Firebase Auth does not tell
  final bool ended;
  /// The family of the browser, or app; empty if unknown
  final String program;
  /// What the caller signed in with
  final String provider;
  /// The family of the system, from the User-Agent header of the request that told of the sign-in; empty if unknown
  final String system;

  const SignIn({required this.at, required this.current, required this.ended, required this.program, required this.provider, required this.system});

  factory SignIn.fromJson(Map<String, dynamic> json) => SignIn(
        at: DateTime.parse(json['at'] as String),
        current: json['current'] as bool,
        ended: json['ended'] as bool,
        program: json['program'] as String,
        provider: json['provider'] as String,
        system: json['system'] as String,
      );
}

class SignIns {
  /// Newest first, at most 20
  final List<SignIn> items;

  const SignIns({required this.items});

  factory SignIns.fromJson(Map<String, dynamic> json) => SignIns(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) SignIn.fromJson(x as Map<String, dynamic>)],
      );
}

class SignUp {
  /// What the administrator says who refused
  final String? answer;
  /// When the user sent it last, perhaps with changes
  final DateTime askedAt;
  final DateTime createdAt;
  /// For administrators
  final String? email;
  /// When nobody remembers it any more
  final DateTime expireAt;
  final String introduction;
  final String nickname;
  /// Why the user wants to join
  final String reason;
  final String state;
  final String userId;
  final String username;

  const SignUp({this.answer, required this.askedAt, required this.createdAt, this.email, required this.expireAt, required this.introduction, required this.nickname, required this.reason, required this.state, required this.userId, required this.username});

  factory SignUp.fromJson(Map<String, dynamic> json) => SignUp(
        answer: json['answer'] == null ? null : json['answer'] as String,
        askedAt: DateTime.parse(json['askedAt'] as String),
        createdAt: DateTime.parse(json['createdAt'] as String),
        email: json['email'] == null ? null : json['email'] as String,
        expireAt: DateTime.parse(json['expireAt'] as String),
        introduction: json['introduction'] as String,
        nickname: json['nickname'] as String,
        reason: json['reason'] as String,
        state: json['state'] as String,
        userId: json['userId'] as String,
        username: json['username'] as String,
      );
}

class SignUpBlock {
  final DateTime at;
  final String by;
  final String comment;
  /// null for never
  final DateTime? expireAt;
  final String kind;
  /// A domain, with its subdomains, or a network
  final String of;
  final String severity;

  const SignUpBlock({required this.at, required this.by, required this.comment, this.expireAt, required this.kind, required this.of, required this.severity});

  factory SignUpBlock.fromJson(Map<String, dynamic> json) => SignUpBlock(
        at: DateTime.parse(json['at'] as String),
        by: json['by'] as String,
        comment: json['comment'] as String,
        expireAt: json['expireAt'] == null ? null : DateTime.parse(json['expireAt'] as String),
        kind: json['kind'] as String,
        of: json['of'] as String,
        severity: json['severity'] as String,
      );
}

class SignUpBlocks {
  /// Domains first, then networks, by name; at most 500
  final List<SignUpBlock> items;

  const SignUpBlocks({required this.items});

  factory SignUpBlocks.fromJson(Map<String, dynamic> json) => SignUpBlocks(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) SignUpBlock.fromJson(x as Map<String, dynamic>)],
      );
}

class Standing {
  /// The moderator who changed it last
  final String? by;
  /// null if no moderator ever changed it
  final DateTime? changedAt;
  final String reason;
  /// frozen: may read and leave, and not write; suspended: may do nothing
  final String state;
  final String userId;

  const Standing({this.by, this.changedAt, required this.reason, required this.state, required this.userId});

  factory Standing.fromJson(Map<String, dynamic> json) => Standing(
        by: json['by'] == null ? null : json['by'] as String,
        changedAt: json['changedAt'] == null ? null : DateTime.parse(json['changedAt'] as String),
        reason: json['reason'] as String,
        state: json['state'] as String,
        userId: json['userId'] as String,
      );
}

class Subscription {
  /// Whether the posts of the user make notifications for the caller
  final bool notify;

  const Subscription({required this.notify});

  factory Subscription.fromJson(Map<String, dynamic> json) => Subscription(
        notify: json['notify'] as bool,
      );
}

class Suggestion {
  final SuggestionReason reason;
  final UserSummary user;

  const Suggestion({required this.reason, required this.user});

  factory Suggestion.fromJson(Map<String, dynamic> json) => Suggestion(
        reason: SuggestionReason.fromJson(json['reason'] as Map<String, dynamic>),
        user: UserSummary.fromJson(json['user'] as Map<String, dynamic>),
      );
}

class SuggestionReason {
  /// Up to 3 users whom the caller follows, and who follow the person
  final List<NamedUser> followedBy;
  /// Language that both write; absent if they differ, or do not say
  final String? language;
  /// About how many more of those whom the caller follows do
  final int others;
  /// Up to 3 tags that both use
  final List<String> tags;

  const SuggestionReason({required this.followedBy, this.language, required this.others, required this.tags});

  factory SuggestionReason.fromJson(Map<String, dynamic> json) => SuggestionReason(
        followedBy: [for (final x in json['followedBy'] as List<dynamic>? ?? const []) NamedUser.fromJson(x as Map<String, dynamic>)],
        language: json['language'] == null ? null : json['language'] as String,
        others: (json['others'] as num).toInt(),
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
      );
}

class Suggestions {
  final List<Suggestion> items;

  const Suggestions({required this.items});

  factory Suggestions.fromJson(Map<String, dynamic> json) => Suggestions(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Suggestion.fromJson(x as Map<String, dynamic>)],
      );
}

class Tag {
  /// The tag as its first author typed it
  final String content;
  /// Key of the tag
  final String name;
  final int tweetCount;

  const Tag({required this.content, required this.name, required this.tweetCount});

  factory Tag.fromJson(Map<String, dynamic> json) => Tag(
        content: json['content'] as String,
        name: json['name'] as String,
        tweetCount: (json['tweetCount'] as num).toInt(),
      );
}

class TagTrend {
  /// The tag as one of its authors typed it
  final String content;
  /// True if more than 64 uses an hour make useCount an estimate
  final bool estimated;
  /// Key of the tag
  final String name;
  /// Number of accounts in this hour and each of the two before; an account counts once an hour
  final int useCount;
  /// How many would be usual, by the last days
  final double usualCount;

  const TagTrend({required this.content, required this.estimated, required this.name, required this.useCount, required this.usualCount});

  factory TagTrend.fromJson(Map<String, dynamic> json) => TagTrend(
        content: json['content'] as String,
        estimated: json['estimated'] as bool,
        name: json['name'] as String,
        useCount: (json['useCount'] as num).toInt(),
        usualCount: (json['usualCount'] as num).toDouble(),
      );
}

class TagUser {
  /// The user's newest tweet with the tag that everybody sees; present by newest
  final Tweet? tweet;
  /// Number of the user's public tweets with the tag; present by tweetCount
  final int? tweetCount;
  final UserSummary user;

  const TagUser({this.tweet, this.tweetCount, required this.user});

  factory TagUser.fromJson(Map<String, dynamic> json) => TagUser(
        tweet: json['tweet'] == null ? null : Tweet.fromJson(json['tweet'] as Map<String, dynamic>),
        tweetCount: json['tweetCount'] == null ? null : (json['tweetCount'] as num).toInt(),
        user: UserSummary.fromJson(json['user'] as Map<String, dynamic>),
      );
}

class Terms {
  /// Time of the version
  final DateTime at;
  /// The text as safe HTML; present with format=html
  final String? html;
  /// Markdown
  final String text;
  /// Grows with each text to which users have to consent anew
  final int version;

  const Terms({required this.at, this.html, required this.text, required this.version});

  factory Terms.fromJson(Map<String, dynamic> json) => Terms(
        at: DateTime.parse(json['at'] as String),
        html: json['html'] == null ? null : json['html'] as String,
        text: json['text'] as String,
        version: (json['version'] as num).toInt(),
      );
}

class Thread {
  /// The tweets above, from the root of the thread down to the parent; empty for a page that does not begin at the first reply
  final List<BatchItem> ancestors;
  /// Id of a tweet below the first ancestor that is left out, with those between the two; its own thread shows more of them
  final String? gap;
  final ThreadNode tweet;

  const Thread({required this.ancestors, this.gap, required this.tweet});

  factory Thread.fromJson(Map<String, dynamic> json) => Thread(
        ancestors: [for (final x in json['ancestors'] as List<dynamic>? ?? const []) BatchItem.fromJson(x as Map<String, dynamic>)],
        gap: json['gap'] == null ? null : json['gap'] as String,
        tweet: ThreadNode.fromJson(json['tweet'] as Map<String, dynamic>),
      );
}

class ThreadNode {
  final String id;
  /// The pageToken with which the thread of this tweet, or the list of its replies, goes on; of an unknown tweet the thread alone. Empty if all replies are shown
  final String nextPageToken;
  /// Some of the replies, oldest first
  final List<ThreadNode> replies;
  final String status;
  /// Present if the status is gone
  final Tombstone? tombstone;
  /// Present if the status is found
  final Tweet? tweet;

  const ThreadNode({required this.id, required this.nextPageToken, required this.replies, required this.status, this.tombstone, this.tweet});

  factory ThreadNode.fromJson(Map<String, dynamic> json) => ThreadNode(
        id: json['id'] as String,
        nextPageToken: json['nextPageToken'] as String,
        replies: [for (final x in json['replies'] as List<dynamic>? ?? const []) ThreadNode.fromJson(x as Map<String, dynamic>)],
        status: json['status'] as String,
        tombstone: json['tombstone'] == null ? null : Tombstone.fromJson(json['tombstone'] as Map<String, dynamic>),
        tweet: json['tweet'] == null ? null : Tweet.fromJson(json['tweet'] as Map<String, dynamic>),
      );
}

class Ties {
  /// Whether the caller blocks the user
  final bool blocking;
  /// Whether the user follows the caller
  final bool followedBy;
  /// Whether the caller follows the user
  final bool following;
  /// Whether the caller hides what the user shares; this and the following are there with view=full, and absent for no
  final bool? hidesShares;
  final String id;
  /// The caller's mute of the user; absent if there is none, or if it has ended
  final Muting? muting;
  /// The caller's private note on the user
  final String? note;
  /// Whether the posts of the user make notifications for the caller
  final bool? notify;
  /// Whether the caller asks to follow the user, who has not answered
  final bool requested;
  /// Whether the user asks to follow the caller, who has not answered
  final bool? requestedBy;

  const Ties({required this.blocking, required this.followedBy, required this.following, this.hidesShares, required this.id, this.muting, this.note, this.notify, required this.requested, this.requestedBy});

  factory Ties.fromJson(Map<String, dynamic> json) => Ties(
        blocking: json['blocking'] as bool,
        followedBy: json['followedBy'] as bool,
        following: json['following'] as bool,
        hidesShares: json['hidesShares'] == null ? null : json['hidesShares'] as bool,
        id: json['id'] as String,
        muting: json['muting'] == null ? null : Muting.fromJson(json['muting'] as Map<String, dynamic>),
        note: json['note'] == null ? null : json['note'] as String,
        notify: json['notify'] == null ? null : json['notify'] as bool,
        requested: json['requested'] as bool,
        requestedBy: json['requestedBy'] == null ? null : json['requestedBy'] as bool,
      );
}

class TimelineAudit {
  /// Tweets that the timeline shows more than once
  final List<String> duplicate;
  /// Tweets that the timeline shows and should not
  final List<String> extra;
  /// Tweets that the timeline should show and does not
  final List<String> missing;

  const TimelineAudit({required this.duplicate, required this.extra, required this.missing});

  factory TimelineAudit.fromJson(Map<String, dynamic> json) => TimelineAudit(
        duplicate: [for (final x in json['duplicate'] as List<dynamic>? ?? const []) x as String],
        extra: [for (final x in json['extra'] as List<dynamic>? ?? const []) x as String],
        missing: [for (final x in json['missing'] as List<dynamic>? ?? const []) x as String],
      );
}

class Tombstone {
  final String authorId;
  final DateTime deletedAt;
  final String formerType;
  final String id;

  const Tombstone({required this.authorId, required this.deletedAt, required this.formerType, required this.id});

  factory Tombstone.fromJson(Map<String, dynamic> json) => Tombstone(
        authorId: json['authorId'] as String,
        deletedAt: DateTime.parse(json['deletedAt'] as String),
        formerType: json['formerType'] as String,
        id: json['id'] as String,
      );
}

class Total {
  /// In minor units of the currency
  final int amount;
  final String currency;

  const Total({required this.amount, required this.currency});

  factory Total.fromJson(Map<String, dynamic> json) => Total(
        amount: (json['amount'] as num).toInt(),
        currency: json['currency'] as String,
      );
}

class Totals {
  /// When the oldest of the totals was counted: two minutes ago, or longer if there is much to count
  final DateTime at;
  final int likes;
  /// Number of follows
  final int relationships;
  final int shares;
  /// Of all audiences, replies and quotes too
  final int tweets;
  final int users;

  const Totals({required this.at, required this.likes, required this.relationships, required this.shares, required this.tweets, required this.users});

  factory Totals.fromJson(Map<String, dynamic> json) => Totals(
        at: DateTime.parse(json['at'] as String),
        likes: (json['likes'] as num).toInt(),
        relationships: (json['relationships'] as num).toInt(),
        shares: (json['shares'] as num).toInt(),
        tweets: (json['tweets'] as num).toInt(),
        users: (json['users'] as num).toInt(),
      );
}

class TrendDecisionBody {
  /// undecided takes a decision back
  final String decision;

  const TrendDecisionBody({required this.decision});

  Map<String, dynamic> toJson() => {
        'decision': decision,
      };
}

class TrendReview {
  /// Tags that may be trends; with the refused ones at most 200
  final List<String> allowed;
  /// Whether a tag or tweet is a trend only after an administrator allowed it
  final bool needed;
  /// Tags that never are trends
  final List<String> refused;
  /// The tags and tweets that are trends, of all languages together
  final List<ReviewedTrend> shown;
  /// At most 50 tags and 50 tweets that rise and wait for a decision
  final List<ReviewedTrend> waiting;

  const TrendReview({required this.allowed, required this.needed, required this.refused, required this.shown, required this.waiting});

  factory TrendReview.fromJson(Map<String, dynamic> json) => TrendReview(
        allowed: [for (final x in json['allowed'] as List<dynamic>? ?? const []) x as String],
        needed: json['needed'] as bool,
        refused: [for (final x in json['refused'] as List<dynamic>? ?? const []) x as String],
        shown: [for (final x in json['shown'] as List<dynamic>? ?? const []) ReviewedTrend.fromJson(x as Map<String, dynamic>)],
        waiting: [for (final x in json['waiting'] as List<dynamic>? ?? const []) ReviewedTrend.fromJson(x as Map<String, dynamic>)],
      );
}

class Trends {
  /// When this was counted, about two minutes ago at most
  final DateTime at;
  /// The language that was asked for, without region and script
  final String? language;
  /// At most 10
  final List<TagTrend> tags;
  /// At most 10
  final List<TweetTrend> tweets;

  const Trends({required this.at, this.language, required this.tags, required this.tweets});

  factory Trends.fromJson(Map<String, dynamic> json) => Trends(
        at: DateTime.parse(json['at'] as String),
        language: json['language'] == null ? null : json['language'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) TagTrend.fromJson(x as Map<String, dynamic>)],
        tweets: [for (final x in json['tweets'] as List<dynamic>? ?? const []) TweetTrend.fromJson(x as Map<String, dynamic>)],
      );
}

class Tweet {
  final bool allowLikes;
  /// False if quotePolicy is nobody
  final bool allowQuotes;
  /// False if replyPolicy is nobody
  final bool allowReplies;
  final Author author;
  final String authorId;
  /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
  final bool bookmarked;
  /// Further recipients; absent if there are none, and from lists
  final List<String>? cc;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
  final List<FilterHit>? filtered;
  /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
  final bool? flagged;
  /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
  final bool? folded;
  /// The content as safe HTML; a tweet read by itself has it with format=html
  final String? html;
  final String id;
  /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
  final String language;
  /// Number of characters of the content
  final int length;
  final int likeCount;
  /// True if the caller likes the tweet
  final bool liked;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// Whom the content mentions; absent if nobody
  final List<Mention>? mentions;
  /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
  final Poll? poll;
  final int quoteCount;
  /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
  final bool? quoteWithdrawn;
  /// Where the post is, if it is of another server; absent from others
  final Remote? remote;
  /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
  final String? repliesHeldBy;
  final int replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// Id of the tweet that this tweet answers; null for a root tweet
  final String? replyTo;
  /// Who wrote the tweet that this tweet answers; absent from a root tweet
  final String? replyToAuthorId;
  /// How often the tweet was edited; so many revisions are kept
  final int revision;
  /// Id of the tweet that began the thread
  final String rootId;
  final int shareCount;
  /// True if the caller shares the tweet
  final bool shared;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
  final List<String>? to;
  /// null until the first edit
  final DateTime? updatedAt;
  /// Who may see the tweet
  final String visibility;

  const Tweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, required this.author, required this.authorId, required this.bookmarked, this.cc, this.content, required this.createdAt, this.filtered, this.flagged, this.folded, this.html, required this.id, required this.language, required this.length, required this.likeCount, required this.liked, this.media, this.mentions, this.poll, required this.quoteCount, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.remote, this.repliesHeldBy, required this.replyCount, required this.replyPolicy, this.replyTo, this.replyToAuthorId, required this.revision, required this.rootId, required this.shareCount, required this.shared, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.to, this.updatedAt, required this.visibility});

  factory Tweet.fromJson(Map<String, dynamic> json) => Tweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] as bool,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        flagged: json['flagged'] == null ? null : json['flagged'] as bool,
        folded: json['folded'] == null ? null : json['folded'] as bool,
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        language: json['language'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: (json['likeCount'] as num).toInt(),
        liked: json['liked'] as bool,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        mentions: json['mentions'] == null ? null : [for (final x in json['mentions'] as List<dynamic>? ?? const []) Mention.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteCount: (json['quoteCount'] as num).toInt(),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        repliesHeldBy: json['repliesHeldBy'] == null ? null : json['repliesHeldBy'] as String,
        replyCount: (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        replyToAuthorId: json['replyToAuthorId'] == null ? null : json['replyToAuthorId'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: (json['shareCount'] as num).toInt(),
        shared: json['shared'] as bool,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] as String,
      );
}

class TweetMedia {
  /// What the picture shows, in words; lists have the first 300 characters at most
  final String alt;
  /// True if the description is longer than alt: the tweet by itself has all of it; absent otherwise
  final bool? altCut;
  /// True for an image that moves; small and large stand still
  final bool? animated;
  /// A few colors to be shown until the picture is there (blurha.sh); empty for a video without a poster
  final String blurhash;
  /// Of a video
  final int? durationMs;
  final int height;
  final String id;
  final String type;
  /// Where everybody may see the tweet, they are short and stay; otherwise they are signed, and good for an hour at least: read the tweet again for new ones
  final MediaURLs urls;
  /// Of the largest size, in pixels
  final int width;

  const TweetMedia({required this.alt, this.altCut, this.animated, required this.blurhash, this.durationMs, required this.height, required this.id, required this.type, required this.urls, required this.width});

  factory TweetMedia.fromJson(Map<String, dynamic> json) => TweetMedia(
        alt: json['alt'] as String,
        altCut: json['altCut'] == null ? null : json['altCut'] as bool,
        animated: json['animated'] == null ? null : json['animated'] as bool,
        blurhash: json['blurhash'] as String,
        durationMs: json['durationMs'] == null ? null : (json['durationMs'] as num).toInt(),
        height: (json['height'] as num).toInt(),
        id: json['id'] as String,
        type: json['type'] as String,
        urls: MediaURLs.fromJson(json['urls'] as Map<String, dynamic>),
        width: (json['width'] as num).toInt(),
      );
}

class TweetPatch {
  final bool? allowLikes;
  /// Short for quotePolicy, as allowReplies
  final bool? allowQuotes;
  /// Short for replyPolicy: false is nobody; true is everybody, or leaves a policy that lets some users reply
  final bool? allowReplies;
  /// Markdown; its #hashtags take the place of those of the former content. A tweet with media may have an empty one
  final String? content;
  /// New descriptions of media that the tweet has; the media themselves stay
  final List<AltOf>? media;
  /// Who may quote from now on. It prevails over allowQuotes
  final String? quotePolicy;
  /// Who may reply from now on. It prevails over allowReplies
  final String? replyPolicy;
  /// Content warning; empty for none
  final String? summary;
  /// All tags beside the hashtags, at most 10 together with them; if absent, those that the tweet has stay
  final List<String>? tags;
  /// Who may see the tweet from now on; a reply may be shown to no more people than the tweet that it answers
  final String? visibility;

  const TweetPatch({this.allowLikes, this.allowQuotes, this.allowReplies, this.content, this.media, this.quotePolicy, this.replyPolicy, this.summary, this.tags, this.visibility});

  Map<String, dynamic> toJson() => {
        if (allowLikes != null) 'allowLikes': allowLikes,
        if (allowQuotes != null) 'allowQuotes': allowQuotes,
        if (allowReplies != null) 'allowReplies': allowReplies,
        if (content != null) 'content': content,
        if (media != null) 'media': [for (final x in media!) x.toJson()],
        if (quotePolicy != null) 'quotePolicy': quotePolicy,
        if (replyPolicy != null) 'replyPolicy': replyPolicy,
        if (summary != null) 'summary': summary,
        if (tags != null) 'tags': tags,
        if (visibility != null) 'visibility': visibility,
      };
}

class TweetTrend {
  /// True if more than 64 uses an hour make useCount an estimate
  final bool estimated;
  final Tweet tweet;
  /// Number of accounts in this hour and each of the two before; an account counts once an hour
  final int useCount;
  /// How many would be usual, by the last days
  final double usualCount;

  const TweetTrend({required this.estimated, required this.tweet, required this.useCount, required this.usualCount});

  factory TweetTrend.fromJson(Map<String, dynamic> json) => TweetTrend(
        estimated: json['estimated'] as bool,
        tweet: Tweet.fromJson(json['tweet'] as Map<String, dynamic>),
        useCount: (json['useCount'] as num).toInt(),
        usualCount: (json['usualCount'] as num).toDouble(),
      );
}

class UnreadConversations {
  /// since of the next request
  final DateTime at;
  /// Conversations with unread messages, among the 1,000 that changed last
  final int count;
  /// Conversations that wait for the caller's consent, up to 100
  final int requests;
  /// Nothing was counted, and count and requests are 0: the counts of the answer that had since still hold
  final bool unchanged;

  const UnreadConversations({required this.at, required this.count, required this.requests, required this.unchanged});

  factory UnreadConversations.fromJson(Map<String, dynamic> json) => UnreadConversations(
        at: DateTime.parse(json['at'] as String),
        count: (json['count'] as num).toInt(),
        requests: (json['requests'] as num).toInt(),
        unchanged: json['unchanged'] as bool,
      );
}

class UnreadCount {
  final int count;

  const UnreadCount({required this.count});

  factory UnreadCount.fromJson(Map<String, dynamic> json) => UnreadCount(
        count: (json['count'] as num).toInt(),
      );
}

class Upload {
  /// Until then the upload can begin
  final DateTime expires;
  /// To be sent as they are
  final Map<String, String> headers;
  final String method;
  final String url;

  const Upload({required this.expires, required this.headers, required this.method, required this.url});

  factory Upload.fromJson(Map<String, dynamic> json) => Upload(
        expires: DateTime.parse(json['expires'] as String),
        headers: {for (final x in (json['headers'] as Map<String, dynamic>).entries) x.key: x.value as String},
        method: json['method'] as String,
        url: json['url'] as String,
      );
}

class UsedTag {
  /// The tag as the user typed it
  final String content;
  /// Key of the tag
  final String name;
  /// Number of the user's tweets with the tag
  final int tweetCount;

  const UsedTag({required this.content, required this.name, required this.tweetCount});

  factory UsedTag.fromJson(Map<String, dynamic> json) => UsedTag(
        content: json['content'] as String,
        name: json['name'] as String,
        tweetCount: (json['tweetCount'] as num).toInt(),
      );
}

class User {
  final String aiModel;
  final String? aiPersonality;
  final String avatar;
  /// True if only people that this user follows may like and reply
  final bool blockStrangers;
  /// Whether the caller blocks this user
  final bool? blocking;
  /// True if the user says that a program makes the posts
  final bool bot;
  final DateTime createdAt;
  /// True if this user wants to be in the directory
  final bool discoverable;
  final String? email;
  /// At most 4 lines of the profile; absent if there are none
  final List<ProfileFieldItem>? fields;
  /// How many ask to follow the caller, up to 1,000; present in GET /v1/users/me while locked
  final int? followRequests;
  /// Whether this user follows the caller
  final bool? followedBy;
  final int followedCount;
  final int followerCount;
  /// Whether the caller follows this user. This and the next three are present if the caller has an account and reads somebody else's profile; whether the user blocks the caller is never told
  final bool? following;
  /// Address of the wide picture; absent from a profile without
  final String? header;
  /// How many replies wait for the caller's approval, up to 1,000; present in GET /v1/users/me while holdReplies is not off
  final int? heldReplies;
  /// Whose replies in this user's new threads wait for this user's approval: nobody's, or those of strangers
  final String holdReplies;
  final String id;
  /// Markdown
  final String? introduction;
  /// The introduction as safe HTML; present with format=html, where the introduction is, unless that is empty. Names in it are text
  final String? introductionHtml;
  /// Language that this user writes, as two or three letters; absent if the user does not say
  final String? language;
  /// True if this user decides who follows: following makes a request, which the user accepts or refuses
  final bool locked;
  /// Who may begin a conversation with the caller; present in GET /v1/users/me
  final String? messagesFrom;
  /// The address of the account to which the user moved; absent from most
  final String? movedTo;
  /// The id of that account here, present with movedTo; GET /v1/users/{uid} is 404 for one that this server has not met
  final String? movedToId;
  /// The caller's mute of this user; absent if there is none, or if it has ended
  final Muting? muting;
  final String nickname;
  /// True if nobody gets this user as a suggestion; present in GET and PATCH /v1/users/me
  final bool? notSuggested;
  /// Tags that this user shows on the profile, as the user spells them, at most 10; absent if there are none
  final List<String>? pinnedTags;
  final String? pronouns;
  /// Where the account is, if it is on another server: counts and lists of it are what this server knows; absent from others
  final Remote? remote;
  /// Whether the caller asks to follow this user, who has not answered
  final bool? requested;
  /// First 280 characters of the introduction
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Version of the terms to which the caller consented last, 0 for none; present in GET /v1/users/me
  final int? termsVersion;
  final int tweetCount;
  /// null until the first edit
  final DateTime? updatedAt;
  final String username;

  const User({required this.aiModel, this.aiPersonality, required this.avatar, required this.blockStrangers, this.blocking, required this.bot, required this.createdAt, required this.discoverable, this.email, this.fields, this.followRequests, this.followedBy, required this.followedCount, required this.followerCount, this.following, this.header, this.heldReplies, required this.holdReplies, required this.id, this.introduction, this.introductionHtml, this.language, required this.locked, this.messagesFrom, this.movedTo, this.movedToId, this.muting, required this.nickname, this.notSuggested, this.pinnedTags, this.pronouns, this.remote, this.requested, required this.snippet, this.snippetHtml, this.snippetTree, this.termsVersion, required this.tweetCount, this.updatedAt, required this.username});

  factory User.fromJson(Map<String, dynamic> json) => User(
        aiModel: json['aiModel'] as String,
        aiPersonality: json['aiPersonality'] == null ? null : json['aiPersonality'] as String,
        avatar: json['avatar'] as String,
        blockStrangers: json['blockStrangers'] as bool,
        blocking: json['blocking'] == null ? null : json['blocking'] as bool,
        bot: json['bot'] as bool,
        createdAt: DateTime.parse(json['createdAt'] as String),
        discoverable: json['discoverable'] as bool,
        email: json['email'] == null ? null : json['email'] as String,
        fields: json['fields'] == null ? null : [for (final x in json['fields'] as List<dynamic>? ?? const []) ProfileFieldItem.fromJson(x as Map<String, dynamic>)],
        followRequests: json['followRequests'] == null ? null : (json['followRequests'] as num).toInt(),
        followedBy: json['followedBy'] == null ? null : json['followedBy'] as bool,
        followedCount: (json['followedCount'] as num).toInt(),
        followerCount: (json['followerCount'] as num).toInt(),
        following: json['following'] == null ? null : json['following'] as bool,
        header: json['header'] == null ? null : json['header'] as String,
        heldReplies: json['heldReplies'] == null ? null : (json['heldReplies'] as num).toInt(),
        holdReplies: json['holdReplies'] as String,
        id: json['id'] as String,
        introduction: json['introduction'] == null ? null : json['introduction'] as String,
        introductionHtml: json['introductionHtml'] == null ? null : json['introductionHtml'] as String,
        language: json['language'] == null ? null : json['language'] as String,
        locked: json['locked'] as bool,
        messagesFrom: json['messagesFrom'] == null ? null : json['messagesFrom'] as String,
        movedTo: json['movedTo'] == null ? null : json['movedTo'] as String,
        movedToId: json['movedToId'] == null ? null : json['movedToId'] as String,
        muting: json['muting'] == null ? null : Muting.fromJson(json['muting'] as Map<String, dynamic>),
        nickname: json['nickname'] as String,
        notSuggested: json['notSuggested'] == null ? null : json['notSuggested'] as bool,
        pinnedTags: json['pinnedTags'] == null ? null : [for (final x in json['pinnedTags'] as List<dynamic>? ?? const []) x as String],
        pronouns: json['pronouns'] == null ? null : json['pronouns'] as String,
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        requested: json['requested'] == null ? null : json['requested'] as bool,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        termsVersion: json['termsVersion'] == null ? null : (json['termsVersion'] as num).toInt(),
        tweetCount: (json['tweetCount'] as num).toInt(),
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        username: json['username'] as String,
      );
}

class UserBatch {
  final List<User> items;

  const UserBatch({required this.items});

  factory UserBatch.fromJson(Map<String, dynamic> json) => UserBatch(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) User.fromJson(x as Map<String, dynamic>)],
      );
}

class UserPatch {
  final String? aiModel;
  final String? aiPersonality;
  /// Empty, or an https URL in ASCII without a user name
  final String? avatar;
  /// Id of a ready upload of the kind avatar, whose address becomes the avatar; empty for none. It excludes avatar
  final String? avatarMedia;
  final bool? blockStrangers;
  /// True if a program makes the posts
  final bool? bot;
  /// True to be in the directory, which everybody reads
  final bool? discoverable;
  /// Lines of the profile, in this order; an empty list for none. The page of a link is asked whether it links to the profile with rel=me
  final List<ProfileField>? fields;
  /// Id of a ready upload of the kind header, whose address becomes the header; empty for none
  final String? headerMedia;
  /// Whose replies wait for approval in threads that the user begins from now on. Threads from before stay as they are
  final String? holdReplies;
  final String? introduction;
  /// BCP 47 tag of the language that the user writes, of which the first part is kept; empty for none
  final String? language;
  /// True if the user decides who follows. Whoever follows already stays; requests that are open when it becomes false stay until they are answered
  final bool? locked;
  /// Who may begin a conversation with the user; the messages of strangers are requests. Conversations that began before go on
  final String? messagesFrom;
  final String? nickname;
  /// True if nobody shall get the user as a suggestion
  final bool? notSuggested;
  /// Tags to show on the profile, in this order and spelling; an empty list for none. A spelling of more than 50 characters gives way to the key of its tag
  final List<String>? pinnedTags;
  /// Empty for none
  final String? pronouns;
  final String? username;

  const UserPatch({this.aiModel, this.aiPersonality, this.avatar, this.avatarMedia, this.blockStrangers, this.bot, this.discoverable, this.fields, this.headerMedia, this.holdReplies, this.introduction, this.language, this.locked, this.messagesFrom, this.nickname, this.notSuggested, this.pinnedTags, this.pronouns, this.username});

  Map<String, dynamic> toJson() => {
        if (aiModel != null) 'aiModel': aiModel,
        if (aiPersonality != null) 'aiPersonality': aiPersonality,
        if (avatar != null) 'avatar': avatar,
        if (avatarMedia != null) 'avatarMedia': avatarMedia,
        if (blockStrangers != null) 'blockStrangers': blockStrangers,
        if (bot != null) 'bot': bot,
        if (discoverable != null) 'discoverable': discoverable,
        if (fields != null) 'fields': [for (final x in fields!) x.toJson()],
        if (headerMedia != null) 'headerMedia': headerMedia,
        if (holdReplies != null) 'holdReplies': holdReplies,
        if (introduction != null) 'introduction': introduction,
        if (language != null) 'language': language,
        if (locked != null) 'locked': locked,
        if (messagesFrom != null) 'messagesFrom': messagesFrom,
        if (nickname != null) 'nickname': nickname,
        if (notSuggested != null) 'notSuggested': notSuggested,
        if (pinnedTags != null) 'pinnedTags': pinnedTags,
        if (pronouns != null) 'pronouns': pronouns,
        if (username != null) 'username': username,
      };
}

class UserSummary {
  final String avatar;
  /// True if the user says that a program makes the posts
  final bool? bot;
  final int followedCount;
  final int followerCount;
  final String id;
  final String nickname;
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  final int tweetCount;
  final String username;

  const UserSummary({required this.avatar, this.bot, required this.followedCount, required this.followerCount, required this.id, required this.nickname, required this.snippet, this.snippetHtml, this.snippetTree, required this.tweetCount, required this.username});

  factory UserSummary.fromJson(Map<String, dynamic> json) => UserSummary(
        avatar: json['avatar'] as String,
        bot: json['bot'] == null ? null : json['bot'] as bool,
        followedCount: (json['followedCount'] as num).toInt(),
        followerCount: (json['followerCount'] as num).toInt(),
        id: json['id'] as String,
        nickname: json['nickname'] as String,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        tweetCount: (json['tweetCount'] as num).toInt(),
        username: json['username'] as String,
      );
}

class VoteInputBody {
  /// The option to choose, from 1 on
  final int option;

  const VoteInputBody({required this.option});

  Map<String, dynamic> toJson() => {
        'option': option,
      };
}

class WantedItem {
  /// The price of one piece that the caller was shown
  final Price price;
  final String productId;
  final int quantity;

  const WantedItem({required this.price, required this.productId, required this.quantity});

  Map<String, dynamic> toJson() => {
        'price': price.toJson(),
        'productId': productId,
        'quantity': quantity,
      };
}

class Webhook {
  /// When it was added
  final DateTime at;
  /// The administrator who added it
  final String by;
  final String description;
  final bool enabled;
  final List<String> events;
  /// The first failure after the last success; null if the last attempt succeeded
  final DateTime? failingSince;
  /// Why the last attempt failed; empty if it did not
  final String failure;
  /// When it was switched off because it failed for 3 days; null if it was not
  final DateTime? gaveUpAt;
  final String id;
  /// The key of the signatures, in the answer to the request that made it
  final String? secret;
  /// The HTTP status of the last answer; 0 without one
  final int status;
  /// The time of the last attempt; null for none
  final DateTime? triedAt;
  final String url;

  const Webhook({required this.at, required this.by, required this.description, required this.enabled, required this.events, this.failingSince, required this.failure, this.gaveUpAt, required this.id, this.secret, required this.status, this.triedAt, required this.url});

  factory Webhook.fromJson(Map<String, dynamic> json) => Webhook(
        at: DateTime.parse(json['at'] as String),
        by: json['by'] as String,
        description: json['description'] as String,
        enabled: json['enabled'] as bool,
        events: [for (final x in json['events'] as List<dynamic>? ?? const []) x as String],
        failingSince: json['failingSince'] == null ? null : DateTime.parse(json['failingSince'] as String),
        failure: json['failure'] as String,
        gaveUpAt: json['gaveUpAt'] == null ? null : DateTime.parse(json['gaveUpAt'] as String),
        id: json['id'] as String,
        secret: json['secret'] == null ? null : json['secret'] as String,
        status: (json['status'] as num).toInt(),
        triedAt: json['triedAt'] == null ? null : DateTime.parse(json['triedAt'] as String),
        url: json['url'] as String,
      );
}

class WebhookPatch {
  final String? description;
  /// A webhook that is switched off is told nothing; what waits for it waits for 7 days
  final bool? enabled;
  final List<String>? events;
  final String? url;

  const WebhookPatch({this.description, this.enabled, this.events, this.url});

  Map<String, dynamic> toJson() => {
        if (description != null) 'description': description,
        if (enabled != null) 'enabled': enabled,
        if (events != null) 'events': events,
        if (url != null) 'url': url,
      };
}

class Webhooks {
  /// Oldest first; at most 10
  final List<Webhook> items;

  const Webhooks({required this.items});

  factory Webhooks.fromJson(Map<String, dynamic> json) => Webhooks(
        items: [for (final x in json['items'] as List<dynamic>? ?? const []) Webhook.fromJson(x as Map<String, dynamic>)],
      );
}

class WholeTweet {
  final bool allowLikes;
  /// False if quotePolicy is nobody
  final bool allowQuotes;
  /// False if replyPolicy is nobody
  final bool allowReplies;
  final Author author;
  final String authorId;
  /// True if the caller keeps the tweet as a bookmark; nobody else learns of it
  final bool bookmarked;
  /// Further recipients; absent if there are none, and from lists
  final List<String>? cc;
  /// Markdown; a list has it only if the snippet is the whole content
  final String? content;
  final DateTime createdAt;
  /// The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none, and from a tweet that is read by itself without context and quotes none
  final List<FilterHit>? filtered;
  /// True if moderators have hidden the tweet; only its author, moderators and administrators see it; absent otherwise
  final bool? flagged;
  /// True for a reply that the author of the thread's first tweet hides: clients show it folded; absent otherwise
  final bool? folded;
  /// The content as safe HTML; a tweet read by itself has it with format=html
  final String? html;
  final String id;
  /// BCP 47 tag of the content's language: what its author gave, or what the script tells; und if unknown
  final String language;
  /// Number of characters of the content
  final int length;
  final int likeCount;
  /// True if the caller likes the tweet
  final bool liked;
  /// Its pictures, or its video; absent from a tweet without
  final List<TweetMedia>? media;
  /// Whom the content mentions; absent if nobody
  final List<Mention>? mentions;
  /// The tweet's poll; absent from a tweet without one. A list has it without what the caller chose and without counts; a tweet read by itself has both, and so has a batch with polls=true
  final Poll? poll;
  final int quoteCount;
  /// Id of the tweet that this tweet quotes, which may be gone, or hidden from the caller; null for a tweet that quotes none
  final String? quoteOf;
  /// Who may quote the tweet; the author always may
  final String quotePolicy;
  /// True if the tweet quoted another whose author has withdrawn it: quoteOf is null then; absent otherwise
  final bool? quoteWithdrawn;
  /// The tweet that this tweet quotes: found; gone; or unknown, if the caller may not see it. Present in a quote
  final BatchItem? quoted;
  /// Where the post is, if it is of another server; absent from others
  final Remote? remote;
  /// Id of the user for whose approval replies of strangers wait: the author of the thread's first tweet; absent if none waits
  final String? repliesHeldBy;
  final int replyCount;
  /// Who may reply: everybody; the author's followers; whom the author follows; whom the tweet mentions; nobody. The author always may, and whom the tweet mentions or answers, unless it is nobody. Replies to a reply follow the policy of that reply
  final String replyPolicy;
  /// Id of the tweet that this tweet answers; null for a root tweet
  final String? replyTo;
  /// Who wrote the tweet that this tweet answers; absent from a root tweet
  final String? replyToAuthorId;
  /// How often the tweet was edited; so many revisions are kept
  final int revision;
  /// Id of the tweet that began the thread
  final String rootId;
  final int shareCount;
  /// True if the caller shares the tweet
  final bool shared;
  /// First 280 characters of the content
  final String snippet;
  /// The snippet as safe HTML; present with format=html, unless the text is empty
  final String? snippetHtml;
  /// The snippet as a tree of elements and texts; present with format=tree, unless the text is empty
  final List<Element>? snippetTree;
  /// Content warning
  final String summary;
  final List<String> tags;
  /// Recipients, the long form of visibility: public, followers and ids of users; present in a tweet that is read by itself
  final List<String>? to;
  /// null until the first edit
  final DateTime? updatedAt;
  /// Who may see the tweet
  final String visibility;

  const WholeTweet({required this.allowLikes, required this.allowQuotes, required this.allowReplies, required this.author, required this.authorId, required this.bookmarked, this.cc, this.content, required this.createdAt, this.filtered, this.flagged, this.folded, this.html, required this.id, required this.language, required this.length, required this.likeCount, required this.liked, this.media, this.mentions, this.poll, required this.quoteCount, this.quoteOf, required this.quotePolicy, this.quoteWithdrawn, this.quoted, this.remote, this.repliesHeldBy, required this.replyCount, required this.replyPolicy, this.replyTo, this.replyToAuthorId, required this.revision, required this.rootId, required this.shareCount, required this.shared, required this.snippet, this.snippetHtml, this.snippetTree, required this.summary, required this.tags, this.to, this.updatedAt, required this.visibility});

  factory WholeTweet.fromJson(Map<String, dynamic> json) => WholeTweet(
        allowLikes: json['allowLikes'] as bool,
        allowQuotes: json['allowQuotes'] as bool,
        allowReplies: json['allowReplies'] as bool,
        author: Author.fromJson(json['author'] as Map<String, dynamic>),
        authorId: json['authorId'] as String,
        bookmarked: json['bookmarked'] as bool,
        cc: json['cc'] == null ? null : [for (final x in json['cc'] as List<dynamic>? ?? const []) x as String],
        content: json['content'] == null ? null : json['content'] as String,
        createdAt: DateTime.parse(json['createdAt'] as String),
        filtered: json['filtered'] == null ? null : [for (final x in json['filtered'] as List<dynamic>? ?? const []) FilterHit.fromJson(x as Map<String, dynamic>)],
        flagged: json['flagged'] == null ? null : json['flagged'] as bool,
        folded: json['folded'] == null ? null : json['folded'] as bool,
        html: json['html'] == null ? null : json['html'] as String,
        id: json['id'] as String,
        language: json['language'] as String,
        length: (json['length'] as num).toInt(),
        likeCount: (json['likeCount'] as num).toInt(),
        liked: json['liked'] as bool,
        media: json['media'] == null ? null : [for (final x in json['media'] as List<dynamic>? ?? const []) TweetMedia.fromJson(x as Map<String, dynamic>)],
        mentions: json['mentions'] == null ? null : [for (final x in json['mentions'] as List<dynamic>? ?? const []) Mention.fromJson(x as Map<String, dynamic>)],
        poll: json['poll'] == null ? null : Poll.fromJson(json['poll'] as Map<String, dynamic>),
        quoteCount: (json['quoteCount'] as num).toInt(),
        quoteOf: json['quoteOf'] == null ? null : json['quoteOf'] as String,
        quotePolicy: json['quotePolicy'] as String,
        quoteWithdrawn: json['quoteWithdrawn'] == null ? null : json['quoteWithdrawn'] as bool,
        quoted: json['quoted'] == null ? null : BatchItem.fromJson(json['quoted'] as Map<String, dynamic>),
        remote: json['remote'] == null ? null : Remote.fromJson(json['remote'] as Map<String, dynamic>),
        repliesHeldBy: json['repliesHeldBy'] == null ? null : json['repliesHeldBy'] as String,
        replyCount: (json['replyCount'] as num).toInt(),
        replyPolicy: json['replyPolicy'] as String,
        replyTo: json['replyTo'] == null ? null : json['replyTo'] as String,
        replyToAuthorId: json['replyToAuthorId'] == null ? null : json['replyToAuthorId'] as String,
        revision: (json['revision'] as num).toInt(),
        rootId: json['rootId'] as String,
        shareCount: (json['shareCount'] as num).toInt(),
        shared: json['shared'] as bool,
        snippet: json['snippet'] as String,
        snippetHtml: json['snippetHtml'] == null ? null : json['snippetHtml'] as String,
        snippetTree: json['snippetTree'] == null ? null : [for (final x in json['snippetTree'] as List<dynamic>? ?? const []) Element.fromJson(x as Map<String, dynamic>)],
        summary: json['summary'] as String,
        tags: [for (final x in json['tags'] as List<dynamic>? ?? const []) x as String],
        to: json['to'] == null ? null : [for (final x in json['to'] as List<dynamic>? ?? const []) x as String],
        updatedAt: json['updatedAt'] == null ? null : DateTime.parse(json['updatedAt'] as String),
        visibility: json['visibility'] as String,
      );
}
