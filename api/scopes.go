package api

import "github.com/hibana-sns/hibana/api/server"

// Scopes maps each operation to what a token of an app needs for it: one of the scopes between spaces, or nothing more
// than to be a token, or more than any app has. The scopes are those of Mastodon, see [model.Scopes]. An operation that
// is missing is for no app, and TestScopes fails. An operation for a role needs the role besides.
var Scopes = scopesOf(map[string][]string{
	server.AnyScope: {"getInstance", "listAIModels", "getTotals", "listProducts", "getProduct", "getPush",
		"listAnnouncements", "getLinkCard"},

	"read:accounts profile": {"getMe"},
	"read:accounts": {"getUser", "batchGetUsers", "getUserByUsername", "listDirectory", "listSuggestions",
		"listPinnedTags",
		"listUserTags", "getNote"},
	"read:statuses": {"getTweet", "batchGetTweets", "listPublicTweets", "listUserTweets", "listReplies", "listRevisions",
		"getRevision", "getThread", "listLikes", "listShares", "listQuotes", "listUserShares", "listPins", "getTimeline",
		"listTagTweets", "listTags", "getTag", "listTagUsers", "listTrends", "getMarkers", "listMentioned", "listMentions",
		"getMedia", "getMediaFile", "listDrafts", "getDraft", "listOwnHeldReplies", "listHeldReplies",
		"listConversations", "getConversation", "listMessages", "searchMessages", "countUnreadConversations"},
	"read:favourites": {"listUserLikes"},
	"read:bookmarks":  {"listBookmarks"},
	"read:blocks":     {"listBlocks"},
	"read:mutes":      {"listMutes", "listHiddenSharers"},
	"read:filters":    {"listFilters"},
	"read:follows": {"listFollowers", "listFollowing", "getRelationship", "listRelationships", "listFollowRequests",
		"listFamiliarFollowers", "getSubscription", "listFollowedTags"},
	"read:lists": {"listLists", "getList", "listListMembers", "getListTimeline", "listUserLists", "getUserList",
		"listUserListMembers", "getUserListTimeline"},
	"read:notifications": {"listNotifications", "countUnreadNotifications", "listNotificationRequests",
		"getNotificationPolicy", "getNotificationSettings"},
	"read:search": {"searchTweets", "searchUsers"},

	"write:accounts": {"updateUser", "putNote", "removeNote", "dismissSuggestion", "dismissAnnouncement"},
	"write:statuses": {"createTweet", "editTweet", "deleteTweet", "share", "unshare", "pin", "unpin", "vote",
		"createDraft", "changeDraft", "deleteDraft", "publishDraft", "fold", "unfold", "withdrawQuote", "approveHeldReply",
		"removeHeldReply", "moveMarkers", "createConversation", "sendMessage", "deleteMessage", "reactToMessage",
		"unreactToMessage"},
	"write:conversations": {"changeConversation", "clearConversation", "acceptConversation", "refuseConversation",
		"leaveConversation", "readConversation"},
	"write:favourites": {"like", "unlike"},
	"write:bookmarks":  {"bookmark", "unbookmark"},
	"write:blocks":     {"block", "unblock"},
	"write:mutes":      {"mute", "unmute", "muteUser", "unmuteUser", "hideShares", "showShares"},
	"write:filters":    {"putFilter", "removeFilter"},
	"write:follows": {"follow", "unfollow", "removeFollower", "acceptFollow", "refuseFollow", "followTag",
		"unfollowTag", "subscribe", "unsubscribe", "followList"},
	"write:lists": {"createList", "updateList", "deleteList", "addListMember", "removeListMember"},
	"write:media": {"createMedia", "changeMedia", "deleteMedia"},
	"write:notifications": {"readNotification", "readNotifications", "acceptNotificationRequest",
		"unacceptNotificationRequest", "dismissNotificationRequest", "changeNotificationPolicy",
		"changeNotificationSettings"},
	"write:reports": {"createReport"},
	"push":          {"putPushSubscription", "changePushSubscription", "removePushSubscription", "listPushSubscriptions"},

	"admin:read:accounts":      {"listUsers", "findAccount", "getStanding", "listNotes", "listBlockers", "listSignUps"},
	"admin:read:reports":       {"listReports", "listAppeals"},
	"admin:read:domain_blocks": {"listFediverseDomains"},
	"admin:read:ip_blocks":     {"listSignUpBlocks"},
	"admin:read":               {"listActions", "listAllAnnouncements", "listInvitations", "getTrendReview"},
	"admin:write:accounts": {"freezeUser", "unfreezeUser", "suspendUser", "unsuspendUser", "createNote", "approveSignUp",
		"refuseSignUp"},
	"admin:write:reports":       {"resolveReport", "answerAppeal"},
	"admin:write:domain_blocks": {"putFediverseDomain", "removeFediverseDomain"},
	"admin:write:ip_blocks":     {"blockSignUps", "unblockSignUps"},
	"admin:write": {"flagTweet", "unflagTweet", "putAnnouncement", "removeAnnouncement", "reviewTag", "reviewTweet",
		"needTrendReview"},

	// What ends an account or takes it elsewhere, lets others in, tells of sessions, spends money, or acts in the name of
	// others. A person does this here, after a sign-in.
	server.NotForApps: {
		"createUser", "leave", "getLeaving", "export", "getExport", "getAliases", "putAliases", "moveAway", "consent",
		"tellOfSignIn", "signOutEverywhere", "listSignIns", "getSignUp", "takeBackSignUp", "listDecisions", "appeal",
		"getAgent", "runAgent", "listOwnAgentActs", "gist",
		"listApps", "getAuthorizationRequest", "authorizeApp", "removeApp",
		"getCart", "removeCartItem", "putCartItem", "mergeCarts", "seeCart", "listOrders", "placeOrder", "getOrder",
		"cancelOrder", "createProduct", "changeProduct", "restockProduct", "listAllOrders", "cancelOrderOf", "shipOrder",
		"listAgents", "putAgent", "listAgentActs", "removeAIModel", "putAIModel", "getEvent", "importFediverseDomains",
		"changeInstance", "invite", "uninvite", "auditTimeline", "editAnyTweet", "editUser", "importUser", "importTweet",
		"actFor", "resetPassword", "verifyTweet", "repairTweet", "verifyUser", "repairUser", "listWebhooks", "addWebhook",
		"removeWebhook", "changeWebhook", "pingWebhook", "renewWebhookSecret",
	},
})

// scopesOf turns a table by scopes into one by operations.
func scopesOf(by map[string][]string) map[string]string {
	of := map[string]string{}
	for scopes, operations := range by {
		for _, one := range operations {
			if _, twice := of[one]; twice {
				panic("api: " + one + " has two rows of scopes")
			}
			of[one] = scopes
		}
	}
	return of
}
