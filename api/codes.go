package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// codes has the meaning of every code of a problem document. A code never changes its meaning
// and is never used again for another.
var codes = map[string]string{
	// Kinds of failures without a more precise code.
	"not_found":       "What the request names is not there.",
	"gone":            "What the request names was deleted.",
	"already_exists":  "What the request would make is there already.",
	"invalid":         "The request breaks a rule that the detail names.",
	"unauthenticated": "The request needs a sign-in.",
	"forbidden":       "The caller may not do this.",
	"conflict":        "Another request changed the same thing at that moment; try again.",
	"outdated":        "The thing has changed since the caller read it.",
	"exhausted":       "Too much of something; try again later.",
	"unavailable":     "The database does not answer at the moment; try again. The change may have happened.",
	"internal":        "A fault of the service. The log of the service has it.",

	// The request.
	"invalid_request":           "A part of the request has the wrong form; errors lists the parts.",
	"too_large":                 "The body is larger than the API takes.",
	"unsupported_media_type":    "The body is not application/json.",
	"timeout":                   "The body took too long to arrive.",
	"route_not_found":           "No such path.",
	"method_not_allowed":        "The path does not take the method; the header Allow has those that it takes.",
	"invalid_page_token":        "The page token is not one of this list.",
	"invalid_tweet_id":          "Not the form of a tweet id.",
	"invalid_user_id":           "Not the form of a user id.",
	"invalid_notification_id":   "Not the form of the id of a notification.",
	"invalid_event_id":          "Not the form of the id of a notice.",
	"invalid_if_match":          "If-Match has something else than tags of this tweet.",
	"too_many_ids":              "More ids than one request may name.",
	"too_many_devices":          "The caller has as many devices as may be told of notifications; remove one first.",
	"invalid_push_subscription": "The push subscription has the wrong form; the detail says what.",
	"invalid_device_id":         "The id of a push subscription has the wrong form.",
	"push_off":                  "The server sends nothing to devices of this kind.",
	"too_many_pins":             "The profile has as many pinned tweets as it may; unpin one first.",
	"empty_query":               "The query has nothing to look for.",
	"invalid_query":             "The query has a filter that there is not, or one that is not filled in.",
	"one_filter":                "The list takes one filter at a time.",
	"one_target":                "A report is of one user or one tweet.",

	// Signing in.
	"invalid_token":           "The ID token is not one of this project.",
	"expired_token":           "The ID token has expired; get a new one.",
	"revoked_token":           "The session of the ID token was ended; sign in again.",
	"recent_sign_in_required": "The caller must have signed in within the last minutes.",
	"app_check_required":      "The service wants an App Check token.",
	"invalid_app_check":       "The App Check token is not good.",
	"app_check_unavailable":   "App Check cannot be reached at the moment; try again.",
	"anonymous":               "Anonymous users may only read, and keep a cart.",
	"profile_required":        "The caller must make a profile first.",
	"email_not_verified":      "The caller must verify the e-mail address first.",
	"account_frozen":          "The account may read and leave, and not write.",
	"account_suspended":       "The account is suspended.",
	"not_admin":               "For administrators only.",
	"not_moderator":           "For moderators and administrators only.",
	"not_you":                 "For the user only, whom the path names.",
	"standings_unknown":       "Whether the account is frozen cannot be told at the moment; try again.",

	// Users.
	"user_not_found":     "No such user.",
	"user_exists":        "The caller has a profile already.",
	"username_not_found": "Nobody has the username.",
	"username_taken":     "Somebody has the username.",
	"reserved_username":  "The username looks like a name of the service.",
	"invalid_username":   "Not the form of a username.",
	"invalid_nickname":   "The nickname has characters that it may not have, or none that can be seen.",
	"invalid_avatar":     "The avatar is not an https URL.",
	"invalid_text":       "The text has characters that it may not have.",
	"too_long":           "A text is longer than its limit.",
	"empty_patch":        "The change changes nothing.",
	"concurrent_rename":  "Another request renamed the same user at that moment; try again.",
	"user_frozen":        "The other user's account is frozen.",
	"user_suspended":     "The other user's account is suspended.",
	"leaving":            "The user is leaving.",
	"leaving_not_found":  "No such leaving, or one that has been forgotten.",
	"exports_off":        "The service makes no exports.",
	"export_not_found":   "There is no export, or it has expired.",
	"export_limit":       "One export a day; nextAt tells when.",

	// Relationships.
	"self_follow":       "Nobody follows themselves.",
	"self_block":        "Nobody blocks themselves.",
	"self_hide":         "Nobody hides what they share themselves.",
	"self_report":       "Nobody reports themselves.",
	"not_following":     "The one does not follow the other.",
	"request_limit":     "The caller asks as many users to follow them as one may, or the user is asked by as many.",
	"request_not_found": "The user does not ask to follow the caller.",
	"follow_limit":      "The caller follows as many users as one may.",
	"follower_limit":    "The user has as many followers as one may.",
	"not_allowed":       "The other user, or the service, does not allow it. The code does not tell why.",

	// Lists of people.
	"list_not_found":        "The caller has no such list.",
	"invalid_list_id":       "Not the form of the id of a list.",
	"invalid_list_title":    "The title of the list shows nothing.",
	"too_many_lists":        "The caller has as many lists as one may; delete one first.",
	"too_many_list_members": "The list has as many members as it may; remove one first.",

	// Tweets.
	"tweet_not_found":        "No such tweet, or none that the caller may see.",
	"tweet_deleted":          "The tweet was deleted; the document has its tombstone.",
	"invalid_visibility":     "No such visibility.",
	"visibility_too_wide":    "A reply cannot be shown to more people than the tweet that it answers.",
	"tweet_edited":           "The tweet was edited since the caller read it.",
	"not_author":             "Only the author may do this.",
	"content_required":       "The content shows nothing.",
	"too_many_tags":          "More tags than a tweet may have.",
	"invalid_tag":            "Not the form of a tag.",
	"invalid_language":       "Not a BCP 47 language tag, such as ja, en or pt-BR.",
	"tag_not_found":          "No tweet has the tag.",
	"idempotency_key_reused": "The key was used for a different request.",
	"too_old_to_edit":        "The tweet is older than a tweet that may be edited.",
	"too_many_edits":         "The tweet was edited as often as it may be.",
	"revision_not_found":     "The tweet has no such revision.",

	// Polls.
	"invalid_poll": "The poll has too few or too many options, options that are the same or show nothing, or lasts " +
		"too short or too long.",
	"invalid_option": "The poll has no such option.",
	"no_poll":        "The tweet has no poll.",
	"own_poll":       "Nobody votes in a poll of their own.",
	"already_voted":  "The caller has chosen another option of the poll; a vote stays.",
	"poll_closed":    "The poll takes no votes any more.",

	// Drafts.
	"draft_not_found":     "The caller has no such draft; a scheduled one may have been posted.",
	"draft_changed":       "The draft was changed since the caller read it.",
	"invalid_draft_id":    "Not the form of the id of a draft.",
	"invalid_publish_at":  "The time to post a draft has passed, or is too far ahead.",
	"too_many_drafts":     "The caller has as many drafts as one may; post or delete one first.",
	"too_late_to_publish": "Why a scheduled draft was not posted: nobody looked for it for a day.",

	// Notifications and events.
	"notification_not_found": "No such notification of the caller.",
	"too_many_mutes":         "The caller has muted as many conversations as one may.",
	"event_not_found":        "No such notice, or one that has been forgotten.",

	// The shop.
	"invalid_product_id":   "Not the form of the id of a product.",
	"invalid_product_name": "The name of a product is empty, or has spaces at its ends.",
	"invalid_price":        "The price has an amount out of range, or no currency of ISO 4217.",
	"invalid_image":        "The image is no https URL that browsers would take.",
	"invalid_stock":        "So many pieces of a product there cannot be.",
	"invalid_quantity":     "So many pieces of a product a cart does not take.",
	"invalid_guest_token":  "The guest's token is not the ID token of a guest of this project, or has expired.",
	"product_not_found":    "There is no such product.",
	"product_changed":      "The product was changed since the caller read it.",
	"product_retired":      "The product is sold no more.",
	"stock_out_of_range":   "The stock of the product would be below zero, or too large.",
	"invalid_order_id":     "Not the form of the id of an order.",
	"order_not_found":      "There is no such order.",
	"empty_order":          "The order has no product, or more than an order may have.",
	"product_twice":        "The order names a product twice.",
	"cart_changed":         "The cart is not what the caller orders; read it again.",
	"prices_changed":       "Prices are not as the caller has seen them; prices has the new ones.",
	"mixed_currencies":     "The products have prices in several currencies; order them one after the other.",
	"too_many_orders":      "The caller has as many orders that were not shipped yet as one may; wait, or cancel one.",
	"order_state":          "The order has a state in which that cannot be done; the detail names it.",
	"cart_full":            "The cart has as many products as it may; take one out first.",

	// Moderation.
	"invalid_reason":    "No such reason of a report.",
	"reason_required":   "An act of a moderator needs a reason.",
	"note_required":     "The note is empty.",
	"report_not_found":  "No such report.",
	"own_account":       "Moderators do not change their own standing.",
	"account_not_found": "Firebase Auth has no such account.",
	"standing_changed":  "Another moderator changed the standing at that moment; read it again.",
	"not_mirrored":      "The standing was changed, and Firebase Auth has not heard of it; send the request again.",

	// Limits.
	"limit_reached": "A limit of the account or the address is reached; limit names it, fullAt and nextAt tell when it " +
		"has room.",
	"saturated": "Too many requests at the moment; try again in a second.",
	"not_ready": "The database does not answer the probe.",

	// Verification.
	"two_snapshots_needed": "The user or tweet changed between two looks; repair again.",
	"stray_revision":       "A revision stands below no tweet; it is not repaired alone.",
	"data_not_kept":        "The facts that a repair would need are no longer kept.",
}

// describeCodes adds the list of codes to the schema of problem documents.
func (s *server) describeCodes() {
	names := slices.Sorted(maps.Keys(codes))
	var text strings.Builder
	text.WriteString("What went wrong, for programs; never changes.\n")
	for _, name := range names {
		fmt.Fprintf(&text, "\n* `%s`: %s", name, codes[name])
	}
	problem := s.api.OpenAPI().Components.Schemas.Map()["Problem"]
	code := *problem.Properties["code"]
	code.Description, code.Enum = text.String(), nil
	for _, name := range names {
		code.Enum = append(code.Enum, name)
	}
	problem.Properties["code"] = &code
}
