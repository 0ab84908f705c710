package tweets_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/verify"
)

// ask posts a tweet with a poll of an hour.
func ask(t *testing.T, e *storetest.Env, author model.UserID, a model.Audience) *model.Tweet {
	t.Helper()
	return e.Draft(t, author, model.Draft{Content: "?", Visibility: a,
		Poll: &model.NewPoll{Options: []string{" yes", "no", "perhaps"}, Minutes: 60}})
}

// count runs the events of all existing votes.
func count(t *testing.T, e *storetest.Env) {
	t.Helper()
	snaps, err := e.Raw.Collection(model.Votes).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	for _, snap := range snaps {
		var v model.Vote
		testenv.Must(t, snap.DataTo(&v))
		e.CoolDown() // else the roll-up counts a vote later
		testenv.Must(t, e.Counters.CountVote(t.Context(), counters.IdempotencyRecord{EventID: "created " + snap.Ref.ID,
			Function: "CountVote"}, &v, 1))
	}
}

// see reads a poll for a viewer.
func see(t *testing.T, e *storetest.Env, tweet *model.Tweet, v model.Viewer) *tweets.PollResult {
	t.Helper()
	r, err := e.Polls.Of(t.Context(), v, tweet)
	testenv.Must(t, err)
	return r
}

func member(uid model.UserID) model.Viewer { return model.Viewer{ID: uid, Role: model.Member} }

// A user has one vote, and the vote stays. The author always sees the counts, other users after their vote, and
// everybody after the poll has closed.
func TestVote(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	tweet := ask(t, e, "ann", "")
	if !slices.Equal(tweet.Poll.Options, []string{"yes", "no", "perhaps"}) ||
		!tweet.Poll.ClosesAt.Equal(e.Clock.Now().Add(time.Hour)) {
		t.Errorf("poll = %+v", tweet.Poll)
	}
	vote := func(uid model.UserID, option int) func(context.Context) error {
		return func(ctx context.Context) error { _, err := e.Polls.Vote(ctx, uid, tweet.ID, option); return err }
	}
	testenv.Must(t, vote("bob", 2)(t.Context()))
	e.Tweets.RequireTweet(t.Context(), tweet.ID, member("cat")) // cached
	testenv.Must(t, storetest.Costs(t, "a vote, by a user whom the process does not know", 4, 1, 0, vote("cat", 2)))
	testenv.Must(t, storetest.Costs(t, "the same vote again", 4, 0, 0, vote("cat", 2)))
	storetest.WantErr(t, vote("cat", 1)(t.Context()), errs.Conflict, "already_voted")
	count(t, e)
	count(t, e) // events come twice
	for _, test := range []struct {
		viewer model.Viewer
		voted  int
		sees   bool
	}{{member("ann"), 0, true}, {member("cat"), 2, true}, {member("dan"), 0, false}, {model.Viewer{}, 0, false},
		{model.Viewer{ID: "mo", Role: model.Moderator}, 0, true}} {
		if r := see(t, e, tweet, test.viewer); r.Voted != test.voted || r.Closed || (r.Votes != nil) != test.sees ||
			r.Total != 2 || test.sees && !slices.Equal(r.Votes, []int64{0, 2, 0}) {
			t.Errorf("%+v sees %+v", test.viewer, r)
		}
	}
	for who, reads := range map[model.UserID]int64{"": 1, "ann": 1, "bob": 2, "dan": 2} {
		testenv.Must(t, storetest.Costs(t, fmt.Sprintf("a poll for %q", who), reads, 0, 0, func(ctx context.Context) error {
			_, err := e.Polls.Of(ctx, member(who), tweet)
			return err
		}))
	}
	_, err := e.Edits.Edit(t.Context(), "ann", tweet.ID, model.TweetPatch{Content: new("edited")}, nil)
	testenv.Must(t, err)
	e.Clock.Add(time.Hour)
	storetest.WantErr(t, vote("dan", 1)(t.Context()), errs.Conflict, "poll_closed")
	testenv.Must(t, vote("bob", 2)(t.Context())) // the answer was lost, and the poll has closed since
	after, err := e.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{})
	testenv.Must(t, err)
	for _, v := range []model.Viewer{{}, member("dan")} {
		if r := see(t, e, after.Tweet, v); !r.Closed || !slices.Equal(r.Votes, []int64{0, 2, 0}) {
			t.Errorf("after the end %+v sees %+v", v, r)
		}
	}
}

// The votes for an option that many choose are in shards, under the counter's whole name, until a roll-up moves them
// into the map.
func TestHotVotes(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Millisecond})
	e.CreateUsers(t, "ann")
	tweet := ask(t, e, "ann", "")
	const voters = 40 // within a second of the process: the later ones find the counter busy
	for n := range voters {
		uid := model.UserID(fmt.Sprint("voter_", n))
		testenv.Must(t, e.Counters.CountVote(t.Context(), counters.IdempotencyRecord{EventID: string(uid),
			Function: "CountVote"}, &model.Vote{UserID: uid, TweetID: tweet.ID, Option: 2, CreatedAt: tweet.CreatedAt,
			ClosesAt: tweet.Poll.ClosesAt}, 1))
	}
	poll := "polls/" + string(tweet.ID)
	shards, err := e.Raw.Collection(poll + "/shards").Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	in := int64(0)
	for _, shard := range shards {
		n, _ := shard.Data()["votes.2"].(int64)
		in += n
	}
	if in == 0 {
		t.Errorf("no vote is in a shard: %d shards", len(shards))
	}
	_, err = e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Polls, ID: string(tweet.ID)})
	testenv.Must(t, err)
	// Another roll-up may have claimed the work.
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		doc := e.Doc(t, poll)
		if diff := cmp.Diff(map[string]any{"2": int64(voters)}, doc["votes"]); diff == "" {
			if rolled, _ := doc["rolled"].(map[string]any); rolled["votes.2"] != in {
				t.Errorf("rolled is %v, want %d of votes.2", doc["rolled"], in)
			}
			return
		} else if time.Now().After(end) {
			t.Fatalf("votes (-want +got):\n%s", diff)
		}
	}
}

// The clock of the database decides whether a poll has closed. The clock of the process may be behind or ahead.
func TestVoteByTheClockOfTheDatabase(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	tweet := ask(t, e, "ann", "")
	process := func(apart time.Duration) *store.Store {
		return e.Again(t, store.Options{Now: func() time.Time { return e.Clock.Now().Add(apart) }})
	}
	behind, ahead := process(-30*time.Minute), process(90*time.Minute)
	closed := func(s *store.Store) bool {
		t.Helper()
		r, err := s.Polls.Of(t.Context(), member("bob"), tweet)
		testenv.Must(t, err)
		return r.Closed
	}
	if closed(ahead) {
		t.Error("a process that is ahead shows an open poll as closed")
	}
	e.Clock.Add(time.Hour)
	if !closed(behind) {
		t.Error("a process that is behind shows a closed poll as open")
	}
	_, err := behind.Polls.Vote(t.Context(), "bob", tweet.ID, 1)
	storetest.WantErr(t, err, errs.Conflict, "poll_closed")
	if got := e.IDs(t, model.Votes); len(got) > 0 {
		t.Errorf("votes in a closed poll: %v", got)
	}
	e.Clock.Add(-time.Minute)
	if _, err := ahead.Polls.Vote(t.Context(), "bob", tweet.ID, 1); err != nil {
		t.Errorf("a process that is ahead refuses a vote in an open poll: %v", err)
	}
}

// A user who may not like the author's tweets may not vote. Nobody learns of a hidden poll, and authors do not vote in
// their own polls.
func TestVoteRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "shy")
	open, narrow, flagged, gone := ask(t, e, "ann", ""), ask(t, e, "ann", model.Followers), ask(t, e, "ann", ""),
		ask(t, e, "ann", "")
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	testenv.Must(t, e.Tweets.Flag(t.Context(), flagged.ID, true))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, gone.ID))
	closed := ask(t, e, "shy", "")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "shy", model.UserPatch{BlockStrangers: new(true)}))
	tests := []struct {
		by     model.UserID
		id     model.TweetID
		option int
		kind   errs.Kind
		code   string
	}{
		{"bob", open.ID, 1, errs.Forbidden, "not_allowed"},
		{"cat", closed.ID, 1, errs.Forbidden, "not_allowed"},
		{"ann", open.ID, 1, errs.Forbidden, "own_poll"},
		{"cat", narrow.ID, 1, errs.NotFound, "tweet_not_found"},
		{"cat", flagged.ID, 1, errs.NotFound, "tweet_not_found"},
		{"cat", gone.ID, 1, errs.Gone, "tweet_deleted"},
		{"cat", open.ID, 4, errs.Invalid, "invalid_option"},
		{"cat", open.ID, 0, errs.Invalid, "invalid_option"},
		{"cat", e.Tweet(t, "ann", "x").ID, 1, errs.Conflict, "no_poll"},
		{"nobody", open.ID, 1, errs.Forbidden, "profile_required"},
	}
	for _, test := range tests {
		_, err := e.Polls.Vote(t.Context(), test.by, test.id, test.option)
		storetest.WantErr(t, err, test.kind, test.code)
	}
	if got := e.IDs(t, model.Votes); len(got) > 0 {
		t.Errorf("refused votes = %v", got)
	}
	testenv.Must(t, e.Graph.Follow(t.Context(), "cat", "ann"))
	_, err := e.Polls.Vote(t.Context(), "cat", narrow.ID, 1)
	testenv.Must(t, err)
}

// Ten concurrent votes of one user, for all options, leave one vote, even if answers to commits are lost. It is counted
// once, and verify agrees.
func TestVotesAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	losses := storetest.LoseAnswers(1, 0.5)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	tweet := ask(t, e, "ann", "")
	won := map[int]bool{}
	chosen := make([]bool, 10)
	for i, err := range testenv.AtOnce(10, func(i int) error {
		_, err := lossy.Polls.Vote(t.Context(), "bob", tweet.ID,
			1+i%3)
		return err
	}) {
		if chosen[i] = err == nil; chosen[i] {
			won[1+i%3] = true
		} else {
			storetest.WantErr(t, err, errs.Conflict, "already_voted")
		}
	}
	count(t, e)
	r := see(t, e, tweet, member("bob"))
	if len(won) != 1 || !won[r.Voted] || r.Votes[0]+r.Votes[1]+r.Votes[2] != 1 || r.Votes[r.Voted-1] != 1 {
		t.Errorf("options %v were taken, and the poll is %+v", won, r)
	}
	wantAgreed(t, e, tweet.ID)
}

func wantAgreed(t *testing.T, e *storetest.Env, id model.TweetID) {
	t.Helper()
	ds, err := e.Audit.Tweet(t.Context(), id, verify.Options{})
	testenv.Must(t, err)
	for _, d := range ds {
		if d.Kind == model.Polls || d.Kind == model.Votes {
			t.Errorf("verify: %s %s is %v, want %v", d.Document, d.Field, d.Have, d.Want)
		}
	}
}

// write puts a vote for the first option into the database, with its own time.
func write(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID, closesAt, at time.Time) {
	t.Helper()
	_, err := e.Raw.Doc(model.Votes+"/"+model.ReactionKey(uid, id)).Set(t.Context(), map[string]any{
		"userId": uid, "tweetId": id, "authorId": "ann", "option": 1, "closesAt": closesAt, "createdAt": at,
	})
	testenv.Must(t, err)
}

// A vote that arrives after the poll closed is not counted and is deleted. So is a vote in a poll that is gone. Its
// deletion is not counted either.
func TestLateVote(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	tweet := ask(t, e, "ann", "")
	_, err := e.Polls.Vote(t.Context(), "bob", tweet.ID, 1)
	testenv.Must(t, err)
	count(t, e)
	put := func(uid model.UserID, id model.TweetID, at time.Time) *model.Vote {
		write(t, e, uid, id, tweet.Poll.ClosesAt, at)
		return &model.Vote{UserID: uid, TweetID: id, AuthorID: "ann", Option: 1, ClosesAt: tweet.Poll.ClosesAt, CreatedAt: at}
	}
	late := put("cat", tweet.ID, tweet.Poll.ClosesAt)
	testenv.Must(t, storetest.Costs(t, "a late vote", 0, 0, 1, func(ctx context.Context) error {
		return e.Counters.CountVote(ctx, counters.IdempotencyRecord{EventID: "late", Function: "CountVote"}, late, 1)
	}))
	testenv.Must(t, storetest.Costs(t, "its deletion", 0, 0, 0, func(ctx context.Context) error {
		return e.Counters.CountVote(ctx, counters.IdempotencyRecord{EventID: "late and gone", Function: "CountVote"}, late,
			-1)
	}))
	if got := e.IDs(t, model.Votes); len(got) != 1 || !slices.Equal(see(t, e, tweet, member("ann")).Votes,
		[]int64{1, 0, 0}) {
		t.Errorf("votes %v, counted %v", got, see(t, e, tweet, member("ann")).Votes)
	}
	wantAgreed(t, e, tweet.ID)

	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	if e.Doc(t, "polls/"+string(tweet.ID)) != nil {
		t.Error("the counts outlive their tweet")
	}
	testenv.Must(t, e.Counters.CleanUp(t.Context(), tweet.ID, tweet))
	e.CoolDown() // a hot counter would find out at its roll-up
	crossed := put("cat", tweet.ID, tweet.CreatedAt)
	testenv.Must(t, e.Counters.CountVote(t.Context(), counters.IdempotencyRecord{EventID: "crossed",
		Function: "CountVote"}, crossed, 1))
	if got := e.IDs(t, model.Votes); len(got) > 0 {
		t.Errorf("votes in a poll that is gone = %v", got)
	}
}

// Verify finds and corrects wrong counts and votes that do not count.
func TestVerifyPoll(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	tweet := ask(t, e, "ann", "")
	_, err := e.Polls.Vote(t.Context(), "bob", tweet.ID, 3)
	testenv.Must(t, err)
	for id, closesAt := range map[model.TweetID]time.Time{tweet.ID: tweet.Poll.ClosesAt,
		"0000000000000000aa": tweet.Poll.ClosesAt.Add(time.Hour)} {
		write(t, e, "cat", id, closesAt, tweet.Poll.ClosesAt)
	}
	_, err = e.Raw.Doc("polls/"+string(tweet.ID)+"/shards/5").Set(t.Context(), map[string]any{"votes.2": 4})
	testenv.Must(t, err)
	ds, err := e.Audit.User(t.Context(), "ann", verify.Options{Repair: true, Wait: func(context.Context) error {
		return nil
	}})
	testenv.Must(t, err)
	found := []string{}
	for _, d := range ds {
		if d.Kind == model.Polls || d.Kind == model.Votes {
			found = append(found, d.Document+" "+d.Field)
			if !d.Repaired {
				t.Errorf("%+v is not mended", d)
			}
		}
	}
	slices.Sort(found)
	want := []string{"polls/" + string(tweet.ID) + " votes.2", "polls/" + string(tweet.ID) + " votes.3",
		"votes/cat_0000000000000000aa ", "votes/cat_" + string(tweet.ID) + " "}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	if r := see(t, e, tweet, member("ann")); !slices.Equal(r.Votes, []int64{0, 0, 1}) || len(e.IDs(t, model.Votes)) != 1 {
		t.Errorf("mended: %v, votes %v", r.Votes, e.IDs(t, model.Votes))
	}
	wantAgreed(t, e, tweet.ID)
}

// The deletion of a tweet deletes its votes, also of many users and in several steps, and the shards of their counts.
func TestVotesOfDeletedTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{StepTime: time.Nanosecond})
	doomed, stays := model.TweetID("0000000000000000aa"), model.TweetID("0000000000000000ab")
	b := e.Raw.BulkWriter(t.Context())
	for i := range 450 { // more than go into two steps
		for _, id := range []model.TweetID{doomed, stays} {
			if id == doomed || i < 3 {
				_, err := b.Create(e.Raw.Doc(fmt.Sprintf("votes/user%d_%s", i, id)), map[string]any{"userId": "u", "tweetId": id})
				testenv.Must(t, err)
			}
		}
	}
	b.End()
	_, err := e.Raw.Doc("polls/"+string(doomed)+"/shards/5").Set(t.Context(), map[string]any{"votes.2": 4})
	testenv.Must(t, err)
	testenv.Must(t, e.Counters.CleanUp(t.Context(), doomed, &model.Tweet{ID: doomed, Poll: &model.Poll{}}))
	steps := 1
	for ; ; steps++ {
		snap, err := e.Raw.Doc(model.CleanUps + "/" + string(doomed)).Get(t.Context())
		if err != nil {
			break
		}
		var work model.CleanUpWork
		testenv.Must(t, snap.DataTo(&work))
		work.WrittenAt = snap.UpdateTime
		testenv.Must(t, e.Counters.ContinueCleanUp(t.Context(), work))
	}
	if got := e.IDs(t, model.Votes); len(got) != 3 || steps != 3 || len(e.IDs(t, "polls/"+string(doomed)+"/shards")) > 0 {
		t.Errorf("%d votes after %d steps, want those of the other tweet after 3", len(got), steps)
	}
}
