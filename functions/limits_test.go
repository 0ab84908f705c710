package functions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A program that a test starts is refused what is too large for Firestore: the functions remove twelve
// likes of 900 KB in more than one commit.
func TestProcessHasLimits(t *testing.T) {
	testenv.Slow(t, "10 MB of likes")
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond,
		FlushAfter: 50 * time.Millisecond}})
	raw, ctx := testenv.Client(t, s.Project), t.Context()
	for i := range 12 {
		uid := fmt.Sprint("user", i)
		_, err := s.Store.Users.CreateUser(ctx, model.UserID(uid), model.NewUser{Username: uid, Nickname: uid})
		testenv.Must(t, err)
	}
	spark, err := s.Store.Tweets.CreateTweet(ctx, "user0", model.Draft{Content: "a spark", AllowLikes: true},
		model.Request{})
	testenv.Must(t, err)
	for i := range 12 {
		uid := model.UserID(fmt.Sprint("user", i))
		testenv.Must(t, s.Store.Reactions.Like(ctx, uid, spark.ID))
		_, err := raw.Doc(model.Likes+"/"+model.ReactionKey(uid, spark.ID)).
			Update(ctx, []firestore.Update{{Path: "planted", Value: strings.Repeat("x", 900_000)}})
		testenv.Must(t, err)
	}
	stacktest.Idle(t, s)

	process, url := stacktest.Process(t, s.Project, nil, "WRITE_EVERY=50ms", "DRAIN_AFTER=50ms")
	t.Cleanup(func() { process.Process.Kill(); process.Wait() })
	s.Runner.SetFunctionsURL(url)
	testenv.Must(t, s.Store.Tweets.DeleteTweet(ctx, "user0", false, spark.ID))
	stacktest.Idle(t, s)
	left, err := raw.Collection(model.Likes).Documents(ctx).GetAll()
	testenv.Must(t, err)
	// each commit writes those of whose likes it removes
	months, err := raw.Collection(model.Reactions).Documents(ctx).GetAll()
	testenv.Must(t, err)
	commits := map[time.Time]bool{}
	for _, month := range months {
		commits[month.UpdateTime] = true
	}
	if len(left) > 0 || len(months) != 12 || len(commits) < 2 {
		t.Errorf("%d likes are left, and the months of %d users were written in %d commits, want 0, 12 and at least 2",
			len(left), len(months), len(commits))
	}
}
