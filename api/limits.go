package api

// Actions maps each operation with a limit of its own to its action. The limits of requests, reads and writes hold
// besides. Package limits has the numbers.
var Actions = map[string]string{
	"createTweet":                "posts",
	"editTweet":                  "posts",
	"createDraft":                "posts", // a draft becomes one tweet at most, at any number of attempts
	"deleteTweet":                "deletions",
	"createMedia":                "uploads", // and its bytes
	"changeMedia":                "likes",
	"deleteMedia":                "likes",
	"follow":                     "follows", // a relationship changes
	"unfollow":                   "follows",
	"removeFollower":             "follows",
	"subscribe":                  "follows",
	"unsubscribe":                "follows",
	"putNote":                    "likes",
	"removeNote":                 "likes",
	"moveMarkers":                "likes",
	"dismissAnnouncement":        "likes",
	"acceptFollow":               "follows",
	"refuseFollow":               "follows",
	"block":                      "blocks",
	"unblock":                    "blocks",
	"hideShares":                 "blocks",
	"showShares":                 "blocks",
	"muteUser":                   "blocks",
	"unmuteUser":                 "blocks",
	"putFilter":                  "likes",
	"removeFilter":               "likes",
	"createList":                 "likes",
	"renameList":                 "likes",
	"deleteList":                 "likes",
	"addListMember":              "likes",
	"removeListMember":           "likes",
	"like":                       "likes", // a reaction changes
	"unlike":                     "likes",
	"vote":                       "likes",
	"share":                      "shares", // they appear in the home timelines of followers
	"unshare":                    "shares",
	"fold":                       "likes",
	"unfold":                     "likes",
	"withdrawQuote":              "likes",
	"approveHeldReply":           "likes",
	"removeHeldReply":            "likes",
	"bookmark":                   "likes",
	"unbookmark":                 "likes",
	"pin":                        "likes",
	"unpin":                      "likes",
	"mute":                       "likes",
	"unmute":                     "likes",
	"changeNotificationSettings": "profiles",
	"putPushSubscription":        "likes",
	"removePushSubscription":     "likes",
	"updateUser":                 "profiles",
	"createUser":                 "signups", // of an address

	"putCartItem":    "likes",
	"removeCartItem": "likes",
	"seeCart":        "likes",
	"mergeCarts":     "likes",
	"placeOrder":     "posts",
	"cancelOrder":    "likes",

	"createReport": "reports",
	"export":       "exports",
	"leave":        "leavings",
}
