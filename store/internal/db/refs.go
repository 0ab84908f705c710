package db

import (
	"strconv"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Doc names a document of a top-level collection.
func (d *DB) Doc(collection, id string) *firestore.DocumentRef {
	return d.Client.Collection(collection).Doc(id)
}

// User names a profile.
func (d *DB) User(uid model.UserID) *firestore.DocumentRef { return d.Doc(model.Users, string(uid)) }

// Instance names the document of the instance.
func (d *DB) Instance() *firestore.DocumentRef { return d.Doc(model.Instances, "this") }

// SignUpBlocks names the list of domains and networks from which nobody signs up.
func (d *DB) SignUpBlocks() *firestore.DocumentRef { return d.Doc(model.SignUpBlockLists, "all") }

// Webhooks names the list of webhooks.
func (d *DB) Webhooks() *firestore.DocumentRef { return d.Doc(model.WebhookLists, "all") }

// WebhookDelivery names an event on its way to a webhook.
func (d *DB) WebhookDelivery(id string) *firestore.DocumentRef {
	return d.Doc(model.WebhookDeliveries, id)
}

// SignUp names the sign-up of a user that waits for approval.
func (d *DB) SignUp(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.SignUps, string(uid))
}

// SignUpsThatWait finds the sign-ups that wait for approval at a time.
func (d *DB) SignUpsThatWait(now time.Time) firestore.Query {
	return d.Client.Collection(model.SignUps).Where(fields.WaitsSince, ">", now.Add(-model.SignUpWindow))
}

// Invitation names an invitation.
func (d *DB) Invitation(code model.InvitationCode) *firestore.DocumentRef {
	return d.Doc(model.Invitations, string(code))
}

// AIModels names the document of all AI models.
func (d *DB) AIModels() *firestore.DocumentRef { return d.Doc(model.AIModelLists, "all") }

// GistDay names what gists took in a day.
func (d *DB) GistDay() *firestore.DocumentRef { return d.Doc(model.AIModelLists, "gists") }

// Agent names the agent of a user.
func (d *DB) Agent(uid model.UserID) *firestore.DocumentRef { return d.Doc(model.Agents, string(uid)) }

// Tweet names a tweet.
func (d *DB) Tweet(id model.TweetID) *firestore.DocumentRef { return d.Doc(model.Tweets, string(id)) }

// Media names the record of an upload.
func (d *DB) Media(id model.MediaID) *firestore.DocumentRef {
	return d.Doc(model.MediaRecords, string(id))
}

// Revision names revision n of a tweet.
func (d *DB) Revision(id model.TweetID, n int) *firestore.DocumentRef {
	return d.Tweet(id).Collection(model.Revisions).Doc(model.RevisionKey(n))
}

// Tag names a tag.
func (d *DB) Tag(name string) *firestore.DocumentRef { return d.Doc(model.Tags, name) }

// TagUsage names a user's usages of a tag.
func (d *DB) TagUsage(uid model.UserID, tag string) *firestore.DocumentRef {
	return d.Doc(model.TagUsages, model.TagUsageKey(uid, tag))
}

// Relationship names the relationship in which follower follows followed.
func (d *DB) Relationship(follower, followed model.UserID) *firestore.DocumentRef {
	return d.Doc(model.Relationships, model.RelationshipKey(follower, followed))
}

// FollowRequest names the request of follower to follow followed.
func (d *DB) FollowRequest(follower, followed model.UserID) *firestore.DocumentRef {
	return d.Doc(model.FollowRequests, model.FollowRequestKey(follower, followed))
}

// Block names the block of blockee by blocker.
func (d *DB) Block(blocker, blockee model.UserID) *firestore.DocumentRef {
	return d.Doc(model.Blocks, model.BlockKey(blocker, blockee))
}

// MutedSharer names the mute of a sharer by a user.
func (d *DB) MutedSharer(uid, sharer model.UserID) *firestore.DocumentRef {
	return d.Doc(model.MutedSharers, model.MutedSharerKey(uid, sharer))
}

// MutedUser names the mute of a user by another.
func (d *DB) MutedUser(uid, muted model.UserID) *firestore.DocumentRef {
	return d.Doc(model.MutedUsers, model.MutedUserKey(uid, muted))
}

// UserFilters names a user's filters.
func (d *DB) UserFilters(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.UserFilters, string(uid))
}

// FollowedTags names the tags that a user follows.
func (d *DB) FollowedTags(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.FollowedTagLists, string(uid))
}

// Subscription names the subscription of a user to an author.
func (d *DB) Subscription(uid, author model.UserID) *firestore.DocumentRef {
	return d.Doc(model.Subscriptions, model.SubscriptionKey(uid, author))
}

// PersonNote names the note of a user on another.
func (d *DB) PersonNote(uid, about model.UserID) *firestore.DocumentRef {
	return d.Doc(model.PersonNotes, model.PersonNoteKey(uid, about))
}

// Viewer names a reader's document of the graph.
func (d *DB) Viewer(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.Viewers, string(uid))
}

// FollowerList names the list of a user's newest followers.
func (d *DB) FollowerList(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.FollowerLists, string(uid))
}

// Suggestions names the people whom a user may want to follow.
func (d *DB) Suggestions(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.SuggestionLists, string(uid))
}

// Share names a user's share of a tweet.
func (d *DB) Share(uid model.UserID, id model.TweetID) *firestore.DocumentRef {
	return d.Doc(model.Shares, model.ReactionKey(uid, id))
}

// ReactionMonth names a user's reactions to the tweets of a month.
func (d *DB) ReactionMonth(uid model.UserID, m model.Month) *firestore.DocumentRef {
	return d.Doc(model.Reactions, model.MonthKey(uid, m))
}

// Head names the newest posts and shares of a user.
func (d *DB) Head(uid model.UserID) *firestore.DocumentRef { return d.Doc(model.Heads, string(uid)) }

// NotificationRequests names the requests of a user's notification policy.
func (d *DB) NotificationRequests(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.NotificationRequestLists, string(uid))
}

// NotificationSettings names a user's notification settings.
func (d *DB) NotificationSettings(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.NotificationSettings, string(uid))
}

// AccountDeletion names the work document of an account deletion.
func (d *DB) AccountDeletion(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.AccountDeletions, string(uid))
}

// Export names the work document of a user's export.
func (d *DB) Export(uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.Exports, string(uid))
}

// Keyed is the query for the documents of a collection with a composite key that begins with a user, in the order of
// their ids.
func (d *DB) Keyed(collection string, uid model.UserID) firestore.Query {
	prefix := model.MonthKey(uid, "")
	return d.Client.Collection(collection).OrderBy(firestore.DocumentID, firestore.Asc).
		StartAt(prefix).EndBefore(prefix[:len(prefix)-1] + "`") // the character after the underscore
}

// Notification names a user's notification.
func (d *DB) Notification(uid model.UserID, key string) *firestore.DocumentRef {
	return d.User(uid).Collection(model.Notifications).Doc(key)
}

// NotificationEvents names a partition of the event log.
func (d *DB) NotificationEvents(partition string) *firestore.CollectionRef {
	return d.Doc(model.NotificationLogs, partition).Collection(model.NotificationEvents)
}

// Shard names shard n of a counted document.
func Shard(parent *firestore.DocumentRef, n int) *firestore.DocumentRef {
	return parent.Collection(model.Shards).Doc(strconv.Itoa(n))
}
