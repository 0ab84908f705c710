package model

import (
	"fmt"
	"strings"
)

var (
	keyEscaper   = strings.NewReplacer("%", "%25", "_", "%5F", "/", "%2F")
	keyUnescaper = strings.NewReplacer("%25", "%", "%5F", "_", "%2F", "/")
)

// key escapes a user id so that it can stand beside others in a composite key:
// an underscore then only ever separates.
func key(id UserID) string { return keyEscaper.Replace(string(id)) }

// KeyUser is the user id with which a composite key begins: the first argument of
// RelationshipKey, BlockKey, ReactionKey, MonthKey, IdempotencyKey, FollowerPageKey or
// HashedFollowerPageKey. Overflow documents of a bucket have its user, too.
func KeyUser(key string) UserID {
	user, _, _ := strings.Cut(key, "_")
	return UserID(keyUnescaper.Replace(user))
}

// RelationshipKey names the document that says that follower follows followed.
func RelationshipKey(follower, followed UserID) string { return key(follower) + "_" + key(followed) }

// BlockKey names the document that says that blocker blocks blockee.
func BlockKey(blocker, blockee UserID) string { return key(blocker) + "_" + key(blockee) }

// ReactionKey names one user's like, share or bookmark of one tweet.
func ReactionKey(user UserID, tweet TweetID) string { return key(user) + "_" + string(tweet) }

// MonthKey names one user's bucket of a month, in tweetMonths, timelines and reactions.
func MonthKey(user UserID, month Month) string { return key(user) + "_" + string(month) }

// IdempotencyKey names the record of a request that one user may repeat.
func IdempotencyKey(user UserID, requestKey string) string { return key(user) + "_" + requestKey }

// FollowerPageKey names an author's first page of followers, which also tells
// how many hashed pages there are.
func FollowerPageKey(author UserID) string { return key(author) }

// HashedFollowerPageKey names page n, below FollowerPageCount, of an author
// whose followers outgrew one document.
func HashedFollowerPageKey(author UserID, n int) string {
	return fmt.Sprintf("%s_%02d", key(author), n)
}

// FollowerPage is the hashed page that holds follower.
func FollowerPage(follower UserID) int { return int(hashByte(string(follower))) % FollowerPageCount }

// FanOutKind is what a fan-out does for each follower.
type FanOutKind string

// The kinds of fan-outs.
const (
	FanOutPush     FanOutKind = "push"     // delivers the tweet
	FanOutPull     FanOutKind = "pull"     // tells that the month of the tweet is pulled
	FanOutWithdraw FanOutKind = "withdraw" // takes the tweet back
)

// Valid tells whether there are fan-outs of the kind.
func (k FanOutKind) Valid() bool {
	return k == FanOutPush || k == FanOutPull || k == FanOutWithdraw
}

// FanOutKey names the work document for page n of a tweet's fan-out.
func FanOutKey(tweet TweetID, n int, kind FanOutKind) string {
	return fmt.Sprintf("%s_%02d_%s", tweet, n, kind)
}

// EffectKey names the record that an event had its effect through a function.
func EffectKey(eventID, function string) string {
	return keyEscaper.Replace(eventID) + "_" + function
}

// SpillKey names the work document that asks for a bucket to be spilt.
func SpillKey(collection, bucket string) string { return collection + "_" + keyEscaper.Replace(bucket) }

// BucketPageKey names overflow document n of a bucket.
func BucketPageKey(bucket string, n int) string { return fmt.Sprintf("%s_%d", bucket, n) }

// RollUpKey names the work document that asks for a counted document's shards to be
// added up.
func RollUpKey(collection, id string) string { return collection + "_" + keyEscaper.Replace(id) }
