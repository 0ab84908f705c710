//lint:file-ignore SA1019 a batch is one round trip, see store/internal/db

package verify_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/verify"
)

// victim is a user with some of everything, to whom one drift happens.
type victim struct {
	id        model.UserID
	tweets    []model.TweetID // oldest first; all have the tag of the victim, and the first has two likes and a reply
	followers []model.UserID
	follows   model.UserID  // an author
	theirs    model.TweetID // a tweet by that author, liked by the victim
	tag       string
}

// drift writes something wrong, and returns what a verification must find.
type drift struct {
	name  string
	facts func(v *victim, w *writer) // written before, so that their events are over; nil for none
	plant func(v *victim, w *writer) found
	// previews follow from the tweet as it is: verify finds that they differ, too
	previews bool
	// the whole user if nil
	scope func(v *victim, s *store.Store, o verify.Options) func(context.Context) ([]verify.Difference, error)
}

// writer writes documents as they should never be.
type writer struct {
	t   *testing.T
	ctx context.Context
	raw *firestore.Client
}

// write writes when the emulator lets it. Events of what other drifts need may hold the document.
func (w *writer) write(do func() (*firestore.WriteResult, error)) {
	w.t.Helper()
	testenv.Must(w.t, testenv.Patiently(func() error { _, err := do(); return err }))
}

func (w *writer) set(path string, field firestore.FieldPath, value any) {
	w.t.Helper()
	w.write(func() (*firestore.WriteResult, error) {
		return w.raw.Doc(path).Update(w.ctx, []firestore.Update{{FieldPath: field, Value: value}})
	})
}

func (w *writer) put(path string, data any) {
	w.t.Helper()
	w.write(func() (*firestore.WriteResult, error) { return w.raw.Doc(path).Set(w.ctx, data) })
}

// merge writes a key of a map field, and makes the document if it is not there.
func (w *writer) merge(path, field, key string, value any) {
	w.t.Helper()
	w.write(func() (*firestore.WriteResult, error) {
		return w.raw.Doc(path).Set(w.ctx, map[string]any{field: map[string]any{key: value}}, firestore.MergeAll)
	})
}

func (w *writer) delete(path string) {
	w.t.Helper()
	w.write(func() (*firestore.WriteResult, error) { return w.raw.Doc(path).Delete(w.ctx, firestore.Exists) })
}

func (w *writer) get(path string, field firestore.FieldPath) any {
	w.t.Helper()
	snap, err := w.raw.Doc(path).Get(w.ctx)
	testenv.Must(w.t, err)
	v, err := snap.DataAtPath(field)
	testenv.Must(w.t, err)
	return v
}

// count makes a count differ by so much.
func count(document func(v *victim) string, field firestore.FieldPath, dotted string, by int64) func(*victim,
	*writer) found {
	return func(v *victim, w *writer) found {
		was := w.get(document(v), field).(int64)
		w.set(document(v), field, firestore.Increment(by))
		return found{Document: document(v), Field: dotted, Have: printed(was + by), Want: printed(was)}
	}
}

func user(v *victim) string   { return "users/" + string(v.id) }
func use(v *victim) string    { return "tagUses/" + model.TagUsageKey(v.id, v.tag) }
func first(v *victim) string  { return "tweets/" + string(v.tweets[0]) }
func month(v *victim) string  { return "tweetMonths/" + model.MonthKey(v.id, v.tweets[0].Month()) }
func headOf(v *victim) string { return "heads/" + string(v.id) }
func graph(v *victim) string  { return "viewers/" + string(v.id) }

// followers is the list of the victim's followers.
func followers(v *victim) string { return "followerLists/" + string(v.id) }

// followed is the head of the author whom the victim follows.
func followed(v *victim) string { return "heads/" + string(v.follows) }

// shareBy is the position of a share, and the path of its sharer's month.
func shareBy(w *writer, by model.UserID, id model.TweetID) (position model.Position, month string) {
	share, _ := w.get("shares/"+model.ReactionKey(by, id), firestore.FieldPath{"shareId"}).(string)
	position = model.SharePosition(model.TweetID(share), id)
	return position, "shareMonths/" + model.MonthKey(by, position.Month())
}

// noShare is the position of a share that nobody made, in the month of one.
func noShare(v *victim) model.Position { return model.SharePosition(v.tweets[0], v.theirs) }

func reactions(v *victim) string {
	return "reactions/" + model.MonthKey(v.id, v.theirs.Month())
}

// list is the list of notifications.
func list(v *victim) string { return user(v) + "/notificationLists/newest" }

// in is the path of a field of a notification in its list.
func in(key string, field ...string) firestore.FieldPath {
	return append(firestore.FieldPath{"notifications", key}, field...)
}

// likes is the id of the notification of the likes of the first tweet.
func likes(v *victim) string {
	n := model.NewNotificationEvent("", model.NotificationLike, v.id, model.NotificationEventPayload{TweetID: v.tweets[0]},
		v.tweets[0].Time())
	zone, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		panic(err)
	}
	return n.NotificationKey(zone)
}

// notificationEvent finds the notification event of what somebody did to a tweet, or to a user where id is empty.
func notificationEvent(w *writer, somebody model.UserID, id model.TweetID) (path string,
	data map[string]any) {
	snaps, err := w.raw.CollectionGroup("events").Documents(w.ctx).GetAll()
	testenv.Must(w.t, err)
	for _, snap := range snaps {
		about, _ := snap.DataAtPath(firestore.FieldPath{"payload", "tweetId"})
		tweet, _ := about.(string) // a request to follow is about none
		by, _ := snap.DataAtPath(firestore.FieldPath{"payload", "userId"})
		if tweet == string(id) && by == string(somebody) {
			return "eventLogs/" + snap.Ref.Parent.Parent.ID + "/events/" + snap.Ref.ID, snap.Data()
		}
	}
	w.t.Fatal("no such notice")
	return "", nil
}

var drifts = []drift{
	{name: "stray revisions", plant: func(v *victim, w *writer) found {
		path := "tweets/00" + string(v.theirs)[2:] + "/revisions"
		for _, n := range []string{"/000001", "/000002"} {
			w.put(path+n, map[string]any{"authorId": v.id})
		}
		return found{path, "", "2", nil, false}
	}},
	{name: "stray revisions of a tweet", plant: func(v *victim, w *writer) found {
		path := "tweets/01" + string(v.theirs)[2:] + "/revisions"
		w.put(path+"/000001", map[string]any{"authorId": v.id})
		return found{path, "", "1", nil, false}
	}, scope: func(v *victim, s *store.Store, o verify.Options) func(context.Context) ([]verify.Difference, error) {
		return func(ctx context.Context) ([]verify.Difference, error) {
			return s.Audit.Tweet(ctx, model.TweetID("01"+string(v.theirs)[2:]), o)
		}
	}},
	{name: "followerCount", plant: count(user, firestore.FieldPath{"followerCount"}, "followerCount", 3)},
	{name: "followedCount", plant: count(user, firestore.FieldPath{"followedCount"}, "followedCount", -1)},
	{name: "tweetCount", plant: count(user, firestore.FieldPath{"tweetCount"}, "tweetCount", 1)},
	{name: "tag use", plant: count(use, firestore.FieldPath{"tweetCount"}, "tweetCount", 7)},
	{name: "tag use of no tweet", plant: func(v *victim, w *writer) found {
		never := "tagUses/" + model.TagUsageKey(v.id, "never")
		w.put(never, model.TagUsage{UserID: v.id, Name: "never", Content: "never", TweetCount: 1})
		return found{never, "tweetCount", "1", "0", false}
	}},
	{name: "missing tag use", plant: func(v *victim, w *writer) found {
		w.delete(use(v))
		return found{use(v), "tweetCount", nil, fmt.Sprint(len(v.tweets)), false}
	}},
	{name: "missing tag use, with too much in its shards", plant: func(v *victim, w *writer) found {
		w.put(use(v)+unusedShard, map[string]any{"tweetCount": 9})
		w.delete(use(v))
		return found{use(v), "tweetCount", nil, fmt.Sprint(len(v.tweets)), false}
	}},
	{name: "lost roll-up of a new tag use", plant: func(v *victim, w *writer) found {
		shards, err := w.raw.Collection(use(v) + "/shards").DocumentRefs(w.ctx).GetAll() // of the tag, which was hot
		testenv.Must(w.t, err)
		b := w.raw.Batch()
		for _, shard := range shards {
			b.Delete(shard)
		}
		b.Set(w.raw.Doc(use(v)+unusedShard), map[string]any{"tweetCount": len(v.tweets)})
		b.Delete(w.raw.Doc(use(v)))
		_, err = b.Commit(w.ctx)
		testenv.Must(w.t, err)
		return found{use(v), "rolled.tweetCount", "0", fmt.Sprint(len(v.tweets)), false}
	}},
	{name: "likeCount", plant: count(first, firestore.FieldPath{"likeCount"}, "likeCount", 5)},
	{name: "replyCount", plant: count(first, firestore.FieldPath{"replyCount"}, "replyCount", -1)},
	{name: "shareCount", plant: count(first, firestore.FieldPath{"shareCount"}, "shareCount", 2)},
	{name: "quoteCount", plant: count(first, firestore.FieldPath{"quoteCount"}, "quoteCount", 3)},
	{name: "shard too many", plant: func(v *victim, w *writer) found {
		w.put(first(v)+unusedShard, map[string]any{"likeCount": 4})
		return found{first(v), "likeCount", "6", "2", false}
	}},
	{name: "lost roll-up", plant: func(v *victim, w *writer) found {
		b := w.raw.Batch()
		b.Set(w.raw.Doc(first(v)+unusedShard), map[string]any{"likeCount": 1})
		b.Update(w.raw.Doc(first(v)), []firestore.Update{{Path: "likeCount", Value: firestore.Increment(-1)}})
		_, err := b.Commit(w.ctx)
		testenv.Must(w.t, err)
		return found{first(v), "rolled.likeCount", "1", "2", false}
	}},
	{name: "author copy", plant: func(v *victim, w *writer) found {
		w.set(first(v), firestore.FieldPath{"author", "nickname"}, "somebody else")
		return found{first(v), "author.nickname", "somebody else", string(v.id), false}
	}},
	{name: "snippet", previews: true, plant: func(v *victim, w *writer) found {
		w.set(first(v), firestore.FieldPath{"snippet"}, "something else")
		return found{first(v), "snippet", "something else", "a spark", false}
	}},
	{name: "snippet with its structure", previews: true, plant: func(v *victim, w *writer) found {
		w.set(first(v), firestore.FieldPath{"snippetTree"}, `[{"T":"script","X":"a spark"}]`)
		return found{first(v), "snippetTree", `[{"T":"script","X":"a spark"}]`, "", false}
	}},
	{name: "length of one tweet", previews: true, plant: func(v *victim, w *writer) found {
		w.set(first(v), firestore.FieldPath{"length"}, 1)
		return found{first(v), "length", "1", "7", false}
	}, scope: func(v *victim, s *store.Store, o verify.Options) func(context.Context) ([]verify.Difference, error) {
		return func(ctx context.Context) ([]verify.Difference, error) { return s.Audit.Tweet(ctx, v.tweets[0], o) }
	}},
	{name: "tag", plant: func(v *victim, w *writer) found {
		return count(func(v *victim) string { return "tags/" + v.tag }, firestore.FieldPath{"tweetCount"}, "tweetCount", 2)(v,
			w)
	}, scope: tag},
	{name: "missing tag", plant: func(v *victim, w *writer) found {
		w.delete("tags/" + v.tag)
		return found{"tags/" + v.tag, "tweetCount", nil, fmt.Sprint(len(v.tweets)), false}
	}, scope: tag},
	{name: "missing card in month", plant: func(v *victim, w *writer) found {
		w.set(month(v), firestore.FieldPath{"tweets", string(v.tweets[0])}, firestore.Delete)
		return found{month(v), "tweets." + string(v.tweets[0]), nil, "card", false}
	}},
	{name: "other card in month", plant: func(v *victim, w *writer) found {
		w.set(month(v), firestore.FieldPath{"tweets", string(v.tweets[1]), "snippet"}, "something else")
		return found{month(v), "tweets." + string(v.tweets[1]) + ".snippet", "something else", "a spark", false}
	}},
	{name: "stray card in month", plant: func(v *victim, w *writer) found {
		ids := model.NewTweetIDs(v.tweets[0].Time)
		id := ids.Next(v.id)
		if id == v.tweets[0] { // another generator of the same millisecond, one time in 256
			id = ids.Next(v.id)
		}
		w.set(month(v), firestore.FieldPath{"tweets", string(id)}, model.TweetPreview{Snippet: "gone"})
		return found{month(v), "tweets." + string(id), "card", nil, false}
	}},
	{name: "card of one tweet", plant: func(v *victim, w *writer) found {
		w.set(month(v), firestore.FieldPath{"tweets", string(v.tweets[0]), "allowLikes"}, false)
		return found{month(v), "tweets." + string(v.tweets[0]) + ".allowLikes", "false", "true", false}
	}, scope: func(v *victim, s *store.Store, o verify.Options) func(context.Context) ([]verify.Difference, error) {
		return func(ctx context.Context) ([]verify.Difference, error) { return s.Audit.Tweet(ctx, v.tweets[0], o) }
	}},
	{name: "card in another month", plant: func(v *victim, w *writer) found {
		id, before := v.tweets[0], v.tweets[0].Month().Prev()
		other := "tweetMonths/" + model.MonthKey(v.id, before)
		preview := w.get(month(v), firestore.FieldPath{"tweets", string(id)})
		w.put(other, map[string]any{"userId": v.id, "month": before, "tweets": map[string]any{string(id): preview}})
		return found{other, "tweets." + string(id), "card", nil, false}
	}},
	{name: "missing recent", plant: func(v *victim, w *writer) found {
		w.set(headOf(v), firestore.FieldPath{"tweets", string(v.tweets[0])}, firestore.Delete)
		return found{headOf(v), "tweets." + string(v.tweets[0]), nil, "card", false}
	}},
	{name: "stray recent", plant: func(v *victim, w *writer) found {
		w.set(headOf(v), firestore.FieldPath{"tweets", string(v.theirs)},
			model.TweetPreview{Snippet: "not mine"})
		return found{headOf(v), "tweets." + string(v.theirs), "card", nil, false}
	}},
	{name: "head in another shard", plant: func(v *victim, w *writer) found {
		w.set(headOf(v), firestore.FieldPath{"changeShard"}, -1)
		return found{headOf(v), "changeShard", "-1", printed(model.NewHead(v.id).ChangeShard), false}
	}},
	{name: "missing share in a head", plant: func(v *victim, w *writer) found {
		position, _ := shareBy(w, v.id, v.theirs)
		w.set(headOf(v), firestore.FieldPath{"shares", string(position)}, firestore.Delete)
		return found{headOf(v), "shares." + string(position), nil, string(v.follows), false}
	}},
	{name: "withdrawn share in a head", plant: func(v *victim, w *writer) found {
		w.set(headOf(v), firestore.FieldPath{"shares", string(noShare(v))}, v.follows)
		return found{headOf(v), "shares." + string(noShare(v)), string(v.follows), nil, false}
	}},
	{name: "post for followers that is none in a head", plant: func(v *victim, w *writer) found {
		w.set(headOf(v), firestore.FieldPath{"forFollowers", string(v.theirs)}, true)
		return found{headOf(v), "forFollowers." + string(v.theirs), "true", nil, false}
	}},
	{name: "short head that says that there are older posts", plant: func(v *victim, w *writer) found {
		w.write(func() (*firestore.WriteResult, error) {
			return w.raw.Doc(headOf(v)).Update(w.ctx, []firestore.Update{{Path: "whole", Value: false},
				{Path: "since", Value: v.theirs.Time().Add(-time.Hour)}})
		})
		return found{headOf(v), "whole", "false", "true", false}
	}},
	{name: "missing head", plant: func(v *victim, w *writer) found {
		w.delete(headOf(v))
		return found{headOf(v), "", nil, "head", false}
	}},
	{name: "head without a time of its change", plant: func(v *victim, w *writer) found {
		w.set(headOf(v), firestore.FieldPath{"changedAt"}, firestore.Delete)
		return found{headOf(v), "changedAt", nil, "time", false}
	}},
	{name: "tweet that is missing on a home page", plant: func(v *victim, w *writer) found {
		w.set(followed(v), firestore.FieldPath{"tweets", string(v.theirs)}, firestore.Delete)
		return found{followed(v), "home." + string(v.theirs), nil, "1", false}
	}},
	{name: "share that is missing on a home page", plant: func(v *victim, w *writer) found {
		position, _ := shareBy(w, v.follows, v.tweets[3])
		w.set(followed(v), firestore.FieldPath{"shares", string(position)}, firestore.Delete)
		return found{followed(v), "home." + string(position), nil, "1", false}
	}},
	{name: "tweet of a stranger on a home page", plant: func(v *victim, w *writer) found {
		w.merge(followed(v), "tweets", string(v.tweets[0]), model.TweetPreview{Snippet: "not theirs"})
		return found{followed(v), "home." + string(v.tweets[0]), "1", nil, false}
	}},
	{name: "withdrawn share on a home page", plant: func(v *victim, w *writer) found {
		position := model.SharePosition(v.theirs, v.tweets[0])
		w.merge(followed(v), "shares", string(position), v.id)
		return found{followed(v), "home." + string(position), "1", nil, false}
	}},
	{name: "month that does not say that there are shares", plant: func(v *victim, w *writer) found {
		w.set(month(v), firestore.FieldPath{"shares"}, firestore.Delete)
		return found{month(v), "shares", "false", "true", false}
	}},
	{name: "missing share in its month", plant: func(v *victim, w *writer) found {
		position, month := shareBy(w, v.id, v.theirs)
		w.set(month, firestore.FieldPath{"shares", string(position)}, firestore.Delete)
		return found{month, "shares." + string(position), nil, string(v.follows), false}
	}},
	{name: "share that was taken back in its month", plant: func(v *victim, w *writer) found {
		_, month := shareBy(w, v.id, v.theirs)
		w.merge(month, "shares", string(noShare(v)), v.follows)
		return found{month, "shares." + string(noShare(v)), string(v.follows), nil, false}
	}},
	{name: "countUsers", plant: func(v *victim, w *writer) found {
		was := w.get(list(v), in(likes(v), "countUsers")).(int64) // another drift may refuse a like
		w.set(list(v), in(likes(v), "countUsers"), firestore.Increment(1))
		return found{list(v), "notifications/" + likes(v) + "/countUsers", printed(was + 1), printed(was), false}
	}},
	{name: "records", plant: func(v *victim, w *writer) found {
		was := w.get(list(v), in(likes(v), "records"))
		w.set(list(v), in(likes(v), "records"), []any{})
		if len(was.([]any)) != 2 {
			w.t.Errorf("the notification has the records %v", was)
		}
		return found{list(v), "notifications/" + likes(v) + "/records", "[]", anything, false}
	}},
	{name: "missing notification", plant: func(v *victim, w *writer) found {
		w.set(list(v), in(likes(v)), firestore.Delete)
		return found{list(v), "notifications/" + likes(v), nil, "card", false}
	}},
	{name: "notification of nothing", plant: func(v *victim, w *writer) found {
		at := v.tweets[0].Time()
		w.set(list(v), in("like:x_2026-11-20"), model.Notification{CreatedAt: at,
			ExpireAt: at.Add(model.NotificationWindow)})
		return found{list(v), "notifications/like:x_2026-11-20", "card", nil, false}
	}},
	{name: "document of an earlier version", plant: func(v *victim, w *writer) found {
		data := w.get(list(v), in(likes(v)))
		w.put(user(v)+"/notifications/"+likes(v), data)
		return found{user(v) + "/notifications/" + likes(v), "", "card", nil, false}
	}},
	{name: "unread of a day that left the newest list", plant: func(v *victim, w *writer) found {
		day := v.tweets[0].Time().AddDate(0, 0, -3).Format(time.DateOnly)
		w.set(list(v), firestore.FieldPath{"days", day}, model.ListedDay{Parts: 1, Unread: 3})
		return found{list(v), "days/" + day + "/unread", "3", "0", false}
	}},
	{name: "missing actor", plant: func(v *victim, w *writer) found {
		w.set(list(v), in(likes(v), "actors", string(v.followers[0])), firestore.Delete)
		return found{list(v), "notifications/" + likes(v) + "/actors/" + string(v.followers[0]), nil, "true", false}
	}},
	{name: "stray actor", plant: func(v *victim, w *writer) found {
		w.put(user(v)+"/notifications/"+likes(v)+"/actors/ghost", map[string]any{"expireAt": v.tweets[0].Time()})
		return found{list(v), "notifications/" + likes(v) + "/actors/ghost", "true", nil, false}
	}},
	{name: "missing notice", plant: func(v *victim, w *writer) found {
		path, data := notificationEvent(w, v.followers[0], v.tweets[0])
		w.delete(path)
		at := data["at"].(time.Time)
		n := model.FactNotificationEvent(model.NotificationLike, v.id, model.NotificationEventPayload{UserID: v.followers[0],
			TweetID: v.tweets[0]}, at)
		partition, _ := model.NotificationEventPartition(n.ID)
		return found{"eventLogs/" + partition + "/events/" + n.ID, "", nil, "event", false}
	}},
	{name: "missing notice of a share", plant: func(v *victim, w *writer) found {
		path, data := notificationEvent(w, v.followers[2], v.tweets[1])
		w.delete(path)
		at := data["at"].(time.Time)
		n := model.FactNotificationEvent(model.NotificationShare, v.id, model.NotificationEventPayload{UserID: v.followers[2],
			TweetID: v.tweets[1]}, at)
		partition, _ := model.NotificationEventPartition(n.ID)
		return found{"eventLogs/" + partition + "/events/" + n.ID, "", nil, "event", false}
	}},
	{name: "missing notice of a request to follow", facts: func(v *victim, w *writer) {
		r := model.FollowRequest{FollowerID: "asker", FollowedID: v.id, CreatedAt: v.tweets[0].Time()}
		w.put("followRequests/"+model.FollowRequestKey("asker", v.id), r)
	}, plant: func(v *victim, w *writer) found {
		path, _ := notificationEvent(w, "asker", "")
		w.delete(path)
		n := model.FactNotificationEvent(model.NotificationFollowRequest, v.id, model.NotificationEventPayload{
			UserID: "asker"}, v.tweets[0].Time())
		partition, _ := model.NotificationEventPartition(n.ID)
		return found{"eventLogs/" + partition + "/events/" + n.ID, "", nil, "event", false}
	}},
	{name: "notice that nobody drains", facts: func(v *victim, w *writer) {
		r := model.FollowRequest{FollowerID: "asker", FollowedID: v.id, CreatedAt: v.tweets[0].Time()}
		w.put("followRequests/"+model.FollowRequestKey("asker", v.id), r)
	}, plant: func(v *victim, w *writer) found {
		n := model.NewNotificationEvent("planted", model.NotificationFollowRequest, v.id, model.NotificationEventPayload{
			UserID: "asker"}, v.tweets[0].Time())
		partition, _ := model.NotificationEventPartition(n.ID)
		path := "eventLogs/" + partition + "/events/" + n.ID
		w.put(path, n)
		return found{path, "pending", "true", nil, false}
	}},
	{name: "missing search document", plant: func(v *victim, w *writer) found {
		w.delete(searched(v))
		return found{searched(v), "", nil, anything, false}
	}},
	{name: "search document of another text", plant: func(v *victim, w *writer) found {
		was := w.digest(searched(v))
		w.set(searched(v), firestore.FieldPath{"terms", "=planted"}, true)
		return found{searched(v), "", w.digest(searched(v)), was, false}
	}},
	{name: "search document of no tweet", plant: func(v *victim, w *writer) found {
		path := "searchDocs/" + model.SearchKey("00"+v.tweets[0][2:])
		w.put(path, model.SearchDoc{AuthorID: v.id, Terms: map[string]bool{"=planted": true}, Text: "planted"})
		return found{path, "", w.digest(path), nil, false}
	}},
	{name: "missing search document of one tweet", plant: func(v *victim, w *writer) found {
		w.delete(searched(v))
		return found{searched(v), "", nil, anything, false}
	}, scope: func(v *victim, s *store.Store, o verify.Options) func(context.Context) ([]verify.Difference, error) {
		return func(ctx context.Context) ([]verify.Difference, error) { return s.Audit.Tweet(ctx, v.tweets[0], o) }
	}},
	{name: "search document of one tweet that is gone", plant: func(v *victim, w *writer) found {
		path := "searchDocs/" + model.SearchKey("01"+v.tweets[0][2:])
		w.put(path, model.SearchDoc{AuthorID: v.id, Terms: map[string]bool{"=planted": true}, Text: "planted"})
		return found{path, "", w.digest(path), nil, false}
	}, scope: func(v *victim, s *store.Store, o verify.Options) func(context.Context) ([]verify.Difference, error) {
		return func(ctx context.Context) ([]verify.Difference, error) {
			return s.Audit.Tweet(ctx, "01"+v.tweets[0][2:], o)
		}
	}},
	{name: "missing reaction", plant: func(v *victim, w *writer) found {
		w.set(reactions(v), firestore.FieldPath{"tweets", string(v.theirs)}, firestore.Delete)
		return found{reactions(v), "tweets." + string(v.theirs), "false", "true", false}
	}},
	{name: "stray reaction", plant: func(v *victim, w *writer) found {
		w.set(reactions(v), firestore.FieldPath{"tweets", string(v.tweets[1])}, true)
		return found{reactions(v), "tweets." + string(v.tweets[1]), "true", "false", false}
	}},
	// as one from before months had bookmarks
	{name: "reaction that misses a bookmark", plant: func(v *victim, w *writer) found {
		author := w.get("tweets/"+string(v.theirs), firestore.FieldPath{"authorId"}).(string)
		w.put("bookmarks/"+model.ReactionKey(v.id, v.theirs), model.Bookmark{UserID: v.id, TweetID: v.theirs,
			AuthorID: model.UserID(author), CreatedAt: time.Now()})
		return found{reactions(v), "bookmarks." + string(v.theirs), "false", "true", false}
	}},
	{name: "reaction with a share that is not", plant: func(v *victim, w *writer) found {
		w.merge(reactions(v), "shares", string(v.tweets[1]), true)
		return found{reactions(v), "shares." + string(v.tweets[1]), "true", "false", false}
	}},
	{name: "a follow that the graph of the reader has", plant: func(v *victim, w *writer) found {
		at := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
		w.merge(graph(v), "follows", "ghost", at)
		return found{graph(v), "follows.ghost", printed(at), nil, false}
	}},
	{name: "a follow that the graph of the reader lacks", plant: func(v *victim, w *writer) found {
		field := firestore.FieldPath{"follows", string(v.follows)}
		since := w.get(graph(v), field)
		w.set(graph(v), field, firestore.Delete)
		return found{graph(v), "follows." + string(v.follows), nil, printed(since), false}
	}},
	{name: "a follow since another time in the graph of the reader", plant: func(v *victim, w *writer) found {
		field, since := firestore.FieldPath{"follows", string(v.follows)}, v.tweets[0].Time()
		was := w.get(graph(v), field)
		w.set(graph(v), field, since)
		return found{graph(v), "follows." + string(v.follows), printed(since), printed(was), false}
	}},
	{name: "a mute that the graph of the reader has", plant: func(v *victim, w *writer) found {
		w.merge(graph(v), "mutes", "ghost", true)
		return found{graph(v), "mutes.ghost", "true", nil, false}
	}},
	{name: "other settings in the graph of the reader", plant: func(v *victim, w *writer) found {
		w.set(graph(v), firestore.FieldPath{"choice", "off"}, []string{"like"})
		return found{graph(v), "choice", "{[like] map[] <nil> map[]}", "{[] map[] <nil> map[]}", false}
	}},
	{name: "another blockStrangers in the graph of the reader", plant: func(v *victim, w *writer) found {
		w.set(graph(v), firestore.FieldPath{"blockStrangers"}, true)
		return found{graph(v), "blockStrangers", "true", "false", false}
	}},
	{name: "a graph of the reader without the settings", plant: func(v *victim, w *writer) found {
		w.set(graph(v), firestore.FieldPath{"choice"}, firestore.Delete)
		return found{graph(v), "choice", nil, "{[] map[] <nil> map[]}", false}
	}},
	{name: "a graph of the reader without blockStrangers", plant: func(v *victim, w *writer) found {
		w.set(graph(v), firestore.FieldPath{"blockStrangers"}, firestore.Delete)
		return found{graph(v), "blockStrangers", nil, "false", false}
	}},
	{name: "a block that the graph of the reader has", plant: func(v *victim, w *writer) found {
		w.merge(graph(v), "blocks", "ghost", true)
		return found{graph(v), "blocks.ghost", "true", nil, false}
	}},
	{name: "a blocker whom the graph of the reader has", plant: func(v *victim, w *writer) found {
		w.merge(graph(v), "blockedBy", "ghost", true)
		return found{graph(v), "blockedBy.ghost", "true", nil, false}
	}},
	{name: "a partial graph with room", plant: func(v *victim, w *writer) found {
		w.set(graph(v), firestore.FieldPath{"limited"}, true)
		return found{graph(v), "partial", "true", "false", false}
	}},
	{name: "a follower whom the list has", plant: func(v *victim, w *writer) found {
		at := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
		w.merge(followers(v), "followers", "ghost", at)
		return found{followers(v), "followers.ghost", printed(at), nil, false}
	}},
	{name: "a follower whom the list lacks", plant: func(v *victim, w *writer) found {
		field := firestore.FieldPath{"followers", string(v.followers[1])}
		since := w.get(followers(v), field)
		w.set(followers(v), field, firestore.Delete)
		return found{followers(v), "followers." + string(v.followers[1]), nil, printed(since), false}
	}},
	{name: "a follower since another time in the list", plant: func(v *victim, w *writer) found {
		field, since := firestore.FieldPath{"followers", string(v.followers[0])}, v.tweets[0].Time()
		was := w.get(followers(v), field)
		w.set(followers(v), field, since)
		return found{followers(v), "followers." + string(v.followers[0]), printed(since), printed(was), false}
	}},
	{name: "a short list of followers that is not whole", plant: func(v *victim, w *writer) found {
		w.set(followers(v), firestore.FieldPath{"whole"}, false)
		return found{followers(v), "whole", "false", "true", false}
	}},
	{name: "missing username", plant: func(v *victim, w *writer) found {
		w.delete("usernames/" + string(v.id))
		return found{"usernames/" + string(v.id), "uid", nil, string(v.id), false}
	}},
	{name: "username of nobody", plant: func(v *victim, w *writer) found {
		w.set("usernames/"+string(v.id), firestore.FieldPath{"uid"}, "ghost")
		return found{"usernames/" + string(v.id), "uid", "ghost", string(v.id), false}
	}},
	{name: "second username", plant: func(v *victim, w *writer) found {
		w.put("usernames/other_"+string(v.id), map[string]any{"uid": v.id})
		return found{"usernames/other_" + string(v.id), "uid", string(v.id), nil, false}
	}},
}

// strays are drifts that only the audit of everything finds.
var strays = []drift{
	{name: "stray shards", plant: func(v *victim, w *writer) found {
		w.put("tweets/00"+string(v.theirs)[2:]+"/shards/1", map[string]any{"likeCount": 1})
		return found{"tweets/00" + string(v.theirs)[2:] + "/shards", "", "true", nil, false}
	}, scope: everything},
}

// anything stands for a value that is not compared.
const anything = "anything"

// searched is the document by which a search finds the victim's first tweet.
func searched(v *victim) string { return "searchDocs/" + model.SearchKey(v.tweets[0]) }

// digest is what a verification says of such a document.
func (w *writer) digest(path string) string {
	w.t.Helper()
	snap, err := w.raw.Doc(path).Get(w.ctx)
	testenv.Must(w.t, err)
	var d model.SearchDoc
	testenv.Must(w.t, snap.DataTo(&d))
	return discovery.Digest(&d).(string)
}
