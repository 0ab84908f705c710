package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

var (
	keyEscaper   = strings.NewReplacer("%", "%25", "_", "%5F", "/", "%2F")
	keyUnescaper = strings.NewReplacer("%25", "%", "%5F", "_", "%2F", "/")
)

// key escapes a user id for a composite key. In the key an underscore is always a separator.
func key(id UserID) string { return keyEscaper.Replace(string(id)) }

// KeyUser is the user id at the beginning of a composite key: the first argument of RelationshipKey, FollowRequestKey,
// BlockKey, ReactionKey, TagUsageKey, MonthKey, IdempotencyKey, ReportKey, FollowerPageKey or HashedFollowerPageKey.
// The key of an overflow document begins with the user of the bucket.
func KeyUser(key string) UserID {
	user, _, _ := strings.Cut(key, "_")
	return UserID(keyUnescaper.Replace(user))
}

// RelationshipKey names the relationship in which follower follows followed.
func RelationshipKey(follower, followed UserID) string { return key(follower) + "_" + key(followed) }

// FollowRequestKey names the request of follower to follow followed.
func FollowRequestKey(follower, followed UserID) string { return RelationshipKey(follower, followed) }

// BlockKey names the block of blockee by blocker.
func BlockKey(blocker, blockee UserID) string { return key(blocker) + "_" + key(blockee) }

// MutedUserKey names the mute of a user by another.
func MutedUserKey(user, muted UserID) string { return key(user) + "_" + key(muted) }

// SubscriptionKey names the subscription of a user to the posts of an author.
func SubscriptionKey(user, author UserID) string { return key(user) + "_" + key(author) }

// PersonNoteKey names the note of a user on another.
func PersonNoteKey(user, about UserID) string { return key(user) + "_" + key(about) }

// MutedSharerKey names the mute of a sharer by a user.
func MutedSharerKey(user, sharer UserID) string { return key(user) + "_" + key(sharer) }

// ReactionKey names the like, share or bookmark of one tweet by one user.
func ReactionKey(user UserID, tweet TweetID) string { return key(user) + "_" + string(tweet) }

// TagUsageKey names the usages of one tag by one user.
func TagUsageKey(user UserID, tag string) string { return key(user) + "_" + keyEscaper.Replace(tag) }

// SplitTagUsageKey returns the arguments of TagUsageKey.
func SplitTagUsageKey(key string) (user UserID, tag string) {
	_, escaped, _ := strings.Cut(key, "_")
	return KeyUser(key), keyUnescaper.Replace(escaped)
}

// MonthKey names the bucket of one user and month, in tweetMonths, shareMonths, timelines and reactions.
func MonthKey(user UserID, month Month) string { return key(user) + "_" + string(month) }

// IdempotencyKey names the record of a request that one user may repeat.
func IdempotencyKey(user UserID, requestKey string) string { return key(user) + "_" + requestKey }

// ReportKey names the report of a tweet, or of a user, by one user. The tweet is empty in the
// report of a user.
func ReportKey(reporter, reported UserID, tweet TweetID) string {
	if tweet != "" {
		return key(reporter) + "_tweet_" + string(tweet)
	}
	return key(reporter) + "_user_" + key(reported)
}

// MessageReportKey names the report of a message by one user.
func MessageReportKey(reporter UserID, conversation ConversationID, message MessageID) string {
	return key(reporter) + "_message_" + string(conversation) + "_" + string(message)
}

// IdempotencyRecordKey names the idempotency record of an event and a function.
func IdempotencyRecordKey(eventID, function string) string {
	return keyEscaper.Replace(eventID) + "_" + function
}

// CountMark names an event and a function in a document that has the function's count: 64 bits of a hash, as 16
// hexadecimal digits. A document has few marks, so two events do not share one.
func CountMark(eventID, function string) string {
	sum := sha256.Sum256([]byte(IdempotencyRecordKey(eventID, function)))
	return hex.EncodeToString(sum[:8])
}

// OverflowKey names the work document for the overflow of a bucket.
func OverflowKey(collection, bucket string) string {
	return collection + "_" + keyEscaper.Replace(bucket)
}

// BucketPageKey names overflow document n of a bucket.
func BucketPageKey(bucket, n string) string { return bucket + "_" + n }

// RollUpKey names the work document for the roll-up of a document's shards.
func RollUpKey(collection, id string) string { return collection + "_" + keyEscaper.Replace(id) }

// ClaimedRollUpKey names the record of a roll-up whose work document was written at a time.
func ClaimedRollUpKey(collection, id string, written time.Time) string {
	return fmt.Sprintf("%s_%d", RollUpKey(collection, id), written.UnixMicro())
}
