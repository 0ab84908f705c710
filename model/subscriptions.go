package model

import "time"

// Bounds of subscriptions.
const (
	MaxSubscriptions = 50    // of one user
	MaxToldOfPost    = 1_000 // subscribers who are notified of one post, at most
)

// Subscription says that a user wants to be notified of the posts of an author whom the user follows:
// subscriptions/{uid_author}. The author does not learn of it. It holds as long as the relationship that it was made
// in: after an unfollow, and also after another follow, it says nothing.
type Subscription struct {
	UserID    UserID    `firestore:"userId"`
	AuthorID  UserID    `firestore:"authorId"`
	CreatedAt time.Time `firestore:"createdAt"`
}

// Holds reports whether the subscription was made in a relationship; nil is a missing relationship.
func (s *Subscription) Holds(r *Relationship) bool {
	return r != nil && !s.CreatedAt.Before(r.CreatedAt)
}

// PostRun asks ContinuePostRun to notify the subscribers of a post, or to withdraw that if the post is gone:
// postRuns/{tweetId}.
type PostRun struct {
	TweetID  TweetID `firestore:"tweetId"`
	AuthorID UserID  `firestore:"authorId"`
	// the last subscription that is told, or the path of the last notification event that is withdrawn; empty at first
	After     string    `firestore:"after"`
	Told      int       `firestore:"told"` // how many are done
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// TellsSubscribers reports whether subscribers of the author are notified of a tweet: a post in an audience partition,
// and a reply to a tweet of the author.
func (t *Tweet) TellsSubscribers() bool {
	return t.Imported == "" && !t.IsViolative && t.AudiencePartition() != NoAudiencePartition &&
		(t.ReplyTo == nil || t.ReplyToAuthorID == t.AuthorID)
}

// PostNotificationEvent is the notification event of a subscriber of an author. Its id follows from the tweet and the
// subscriber, so that it can be withdrawn when the tweet is gone.
func PostNotificationEvent(id TweetID, author, notified UserID) *NotificationEvent {
	n := NewNotificationEvent("post "+string(id)+" "+string(notified), NotificationPost, notified,
		NotificationEventPayload{UserID: author, TweetID: id}, id.Time())
	n.Post = id
	return n
}
