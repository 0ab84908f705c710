package access_test

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A deleted tweet that not everybody could see is unknown, except to its author and moderators. So its id reveals no
// more than before.
func TestDeletedHiddenTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "fan")
	testenv.Must(t, e.Graph.Follow(t.Context(), "fan", "ann"))
	forFollowers := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: model.Followers}).ID
	flagged := e.Tweet(t, "ann", "a spark").ID
	testenv.Must(t, e.Tweets.Flag(t.Context(), flagged, true))
	seen := e.Tweet(t, "ann", "a spark").ID
	ids := []model.TweetID{forFollowers, flagged, seen}
	for _, id := range ids {
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
	}
	for _, viewer := range []model.Viewer{
		{}, {ID: "fan", Role: model.Member}, {ID: "ann", Role: model.Anonymous},
		{ID: "ann", Role: model.Member}, {ID: "fan", Role: model.Moderator},
	} {
		knows := viewer.Account() == "ann" || viewer.Role == model.Moderator
		batch, err := e.Tweets.Batch(t.Context(), ids, viewer)
		testenv.Must(t, err)
		for i, id := range ids {
			kind, code := errs.NotFound, "tweet_not_found"
			if knows || id == seen {
				kind, code = errs.Gone, "tweet_deleted"
			}
			_, err := e.Tweets.Tweet(t.Context(), id, viewer)
			storetest.WantErr(t, err, kind, code)
			storetest.WantErr(t, e.Tweets.RequireTweet(t.Context(), id, viewer), kind, code)
			if told := batch[i].Tombstone != nil; told != (kind == errs.Gone) {
				t.Errorf("%v is told of tweet %d: %v", viewer, i, told)
			}
		}
	}
	for _, id := range ids[:2] {
		err := e.Reactions.Like(t.Context(), "fan", id)
		storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")
		storetest.WantErr(t, e.Tweets.DeleteTweet(t.Context(), "fan", false, id), errs.NotFound, "tweet_not_found")
		storetest.WantErr(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id), errs.Gone, "tweet_deleted")
	}
}
