package tweets_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// lossy opens a second store on a database. The store loses the answers to its commits with the given probability.
func lossy(t *testing.T, e *storetest.Env, probability float64) (*tweets.Edits, *storetest.Losses) {
	t.Helper()
	losses := storetest.LoseAnswers(1, probability)
	return e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}}).Edits, losses
}

// content returns a patch of a tweet's text.
func content(text string) model.TweetPatch { return model.TweetPatch{Content: &text} }

func TestEditTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	posted := e.Clock.Now()
	tweet := e.Draft(t, "ann", model.Draft{Content: "#Go", Summary: "s", Tags: []string{"news"}, AllowLikes: true,
		AllowReplies: true})
	testenv.Must(t, e.Reactions.Like(t.Context(), "ann", tweet.ID))
	path := "tweets/" + string(tweet.ID)
	_, err := e.Raw.Doc(path).Update(t.Context(), []firestore.Update{{Path: "likeCount", Value: 1}})
	testenv.Must(t, err)
	e.Clock.Add(time.Hour)
	testenv.Must(t, e.Reactions.Like(t.Context(), "ann", tweet.ID)) // the process remembers the profile
	edit := func(p model.TweetPatch, from ...int) (got *tweets.FullTweet, do func(context.Context) error) {
		got = &tweets.FullTweet{}
		return got, func(ctx context.Context) error {
			edited, err := e.Edits.Edit(ctx, "ann", tweet.ID, p, from)
			if err == nil {
				*got = *edited
			}
			return err
		}
	}
	// same compares the result of an edit with a later read.
	same := func(got *tweets.FullTweet) {
		t.Helper()
		is, err := e.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{ID: "ann", Role: model.Member})
		testenv.Must(t, err)
		for _, x := range []*tweets.FullTweet{got, is} {
			x.ChangedAt, x.Version, x.ReadAt = time.Time{}, time.Time{}, time.Time{}
		}
		if diff := cmp.Diff(is, got); diff != "" {
			t.Errorf("the answer is not the tweet (-tweet +answer):\n%s", diff)
		}
	}
	p := model.TweetPatch{Content: new("#Rust"), AllowReplies: new(false)}
	got, do := edit(p, 0)
	testenv.Must(t, storetest.Costs(t, "EditTweet", 3, 3, 0, do))
	if !got.Liked || got.LikeCount != 1 || got.Revision != 1 || !got.UpdatedAt.Equal(e.Clock.Now()) ||
		got.Content != "#Rust" || got.AllowReplies || !got.AllowLikes {
		t.Errorf("EditTweet = %+v", got)
	}
	same(got)
	if stamp := e.Doc(t, path)["changedAt"]; stamp != e.Clock.Now() {
		t.Errorf("the edited tweet has the stamp %v, want %v", stamp, e.Clock.Now())
	}
	if got := e.Doc(t, path)["rootTags"].(map[string]any); len(got) != 2 || got["rust"] != posted ||
		got["news"] != posted {
		t.Errorf("rootTags = %v, want rust and news of %v", got, posted)
	}

	// A repeated edit, with or without its If-Match, finds nothing to change.
	for _, from := range [][]int{nil, {0}, {1}} {
		got, do := edit(p, from...)
		testenv.Must(t, storetest.Costs(t, "EditTweet, again", 3, 0, 0, do))
		same(got)
	}
	_, do = edit(content("#C"), 0, 7)
	storetest.WantErr(t, storetest.Costs(t, "EditTweet, outdated", 3, 0, 0, do), errs.Outdated, "tweet_edited")
	edited := e.Clock.Now()
	e.Clock.Add(time.Second)
	got, do = edit(model.TweetPatch{Summary: new("other"), Tags: &[]string{}}, 0, 1)
	testenv.Must(t, storetest.Costs(t, "EditTweet, the same content", 3, 3, 0, do))
	same(got)

	want := []*model.Revision{
		{Number: 1, AuthorID: "ann", Content: "#Go", Summary: "s", Snippet: "#Go", Length: 3, Tags: []string{"go", "news"},
			AllowLikes: true, AllowReplies: true, WrittenAt: posted, ReplacedAt: edited},
		{Number: 2, AuthorID: "ann", Content: "#Rust", Summary: "s", Snippet: "#Rust", Length: 5,
			Tags: []string{"news", "rust"}, AllowLikes: true, WrittenAt: edited, ReplacedAt: e.Clock.Now()},
	}
	for _, w := range want {
		testenv.Must(t, storetest.Costs(t, "Revision", 1, 0, 0, func(ctx context.Context) error {
			r, err := e.Edits.Revision(ctx, tweet.ID, w.Number)
			if err != nil || r.EditID == "" {
				t.Errorf("revision %d = %+v", w.Number, r)
				return err
			}
			r.EditID, r.Change = "", nil // random, and see TestVersions
			if diff := cmp.Diff(w, r); diff != "" {
				t.Errorf("revision %d (-want +got):\n%s", w.Number, diff)
			}
			return err
		}))
		w.Content, w.AuthorID = "", ""
	}
	list := func(after, limit int, reads int64, want []*model.Revision, wantNext int) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Revisions", reads, 0, 0, func(ctx context.Context) error {
			got, next, err := e.Edits.Revisions(ctx, tweet.ID, after, limit)
			if diff := cmp.Diff(want, got); diff != "" || next != wantNext {
				t.Errorf("revisions after %d, next %d (-want +got):\n%s", after, next, diff)
			}
			return err
		}))
	}
	list(0, 10, 2, want, 0)
	list(0, 1, 1, want[:1], 1)
	list(1, 1, 1, want[1:], 2)
	list(2, 1, 1, nil, 0)
	_, err = e.Edits.Revision(t.Context(), tweet.ID, 3)
	storetest.WantErr(t, err, errs.NotFound, "revision_not_found")

	// Other refusals leave no revision.
	_, err = e.Edits.Edit(t.Context(), "bob", tweet.ID, content("mine"), nil)
	storetest.WantErr(t, err, errs.Forbidden, "not_author")
	_, err = e.Edits.Edit(t.Context(), "ann", tweet.ID, content(" "), nil)
	storetest.WantErr(t, err, errs.Invalid, "content_required")
	_, err = e.Edits.Edit(t.Context(), "nobody", tweet.ID, content("x"), nil)
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
	testenv.Must(t, e.Tweets.Flag(t.Context(), tweet.ID, true))
	_, err = e.Edits.Edit(t.Context(), "ann", tweet.ID, content("x"), nil)
	storetest.WantErr(t, err, errs.Forbidden, "not_allowed")
	_, err = e.Edits.Edit(t.Context(), "bob", tweet.ID, content("x"), nil)
	storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	_, err = e.Edits.Edit(t.Context(), "ann", tweet.ID, content("x"), nil)
	storetest.WantGone(t, err, tweet.ID, "ann")
	if got := e.IDs(t, path+"/revisions"); !slices.Equal(got, []string{"000001", "000002"}) {
		t.Errorf("revisions = %v", got)
	}
	_, err = e.Edits.Edit(t.Context(), "ann", "0000000000000000aa", content("x"), nil)
	storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")
}

func TestEditLimits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{MaxEdits: 2, EditWithin: time.Hour})
	e.CreateUsers(t, "ann")
	tweet := e.Tweet(t, "ann", "x")
	edit := func(text string) error {
		_, err := e.Edits.Edit(t.Context(), "ann", tweet.ID, content(text), nil)
		return err
	}
	testenv.Must(t, edit("1"))
	e.Clock.Add(time.Hour)
	testenv.Must(t, edit("2"))
	storetest.WantErr(t, edit("3"), errs.Forbidden, "too_many_edits")
	testenv.Must(t, edit("2"))                                                           // repeated
	for what, from := range map[string][]int{"edited often": nil, "edited since": {1}} { // no name is read
		err := storetest.Costs(t, what, 3, 0, 0, func(ctx context.Context) error {
			_, err := e.Edits.Edit(ctx, "ann", tweet.ID, content("@bob and @cat"), from)
			return err
		})
		if err == nil {
			t.Errorf("%s: the edit is not refused", what)
		}
	}
	e.Clock.Add(time.Second)
	storetest.WantErr(t, edit("3"), errs.Forbidden, "too_old_to_edit")
	testenv.Must(t, edit("2"))
	if got := e.Doc(t, "tweets/"+string(tweet.ID))["snippet"]; got != "2" {
		t.Errorf("the tweet says %q, want 2", got)
	}
	// No configuration allows more than model.MaxRevisions.
	other := e.Again(t, store.Options{MaxEdits: model.MaxRevisions + 1})
	_, err := e.Raw.Doc("tweets/"+string(tweet.ID)).
		Update(t.Context(), []firestore.Update{{Path: "revision", Value: model.MaxRevisions}})
	testenv.Must(t, err)
	_, err = other.Edits.Edit(t.Context(), "ann", tweet.ID, content("4"), nil)
	storetest.WantErr(t, err, errs.Forbidden, "too_many_edits")
}

// Concurrent edits of one tweet come from two processes that lose half of the answers. Each successful edit has its
// revision, the revisions are a chain, and no edit is lost or doubled.
func TestEditsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet := e.Tweet(t, "ann", "posted")
	stores := make([]*tweets.Edits, 2)
	for i := range stores {
		stores[i], _ = lossy(t, e, 0.5)
	}
	const n = 12
	want := []string{"posted"}
	for i, err := range testenv.AtOnce(n, func(i int) error {
		_, err := stores[i%2].Edit(t.Context(), "ann", tweet.ID, content(fmt.Sprint("edit ", i)), nil)
		return err
	}) {
		testenv.Must(t, err)
		want = append(want, fmt.Sprint("edit ", i))
	}
	is, err := e.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{})
	testenv.Must(t, err)
	got := []string{is.Content}
	writtenAt := *is.UpdatedAt
	for k := is.Revision; k > 0; k-- {
		r, err := e.Edits.Revision(t.Context(), tweet.ID, k)
		testenv.Must(t, err)
		got = append(got, r.Content)
		if !r.ReplacedAt.Equal(writtenAt) {
			t.Errorf("revision %d was replaced at %v, and the next version written at %v", k, r.ReplacedAt, writtenAt)
		}
		writtenAt = r.WrittenAt
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || is.Revision != n {
		t.Errorf("%d edits made the versions %q, want %q", is.Revision, got, want)
	}
	if left := e.IDs(t, "tweets/"+string(tweet.ID)+"/revisions"); len(left) != n {
		t.Errorf("there are the revisions %v, want %d", left, n)
	}
	// Of edits of one version exactly one succeeds.
	succeeded := 0
	for _, err := range testenv.AtOnce(6, func(i int) error {
		_, err := stores[i%2].Edit(t.Context(), "ann", tweet.ID, content(fmt.Sprint("race ", i)), []int{n})
		return err
	}) {
		if err == nil {
			succeeded++
		} else {
			storetest.WantErr(t, err, errs.Outdated, "tweet_edited")
		}
	}
	if succeeded != 1 {
		t.Errorf("%d of 6 edits of one version succeeded, want 1", succeeded)
	}
}

// The answer to the commit is lost, so the client commits again, and gets the error that its own revision exists.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet := e.Tweet(t, "ann", "x")
	s, losses := lossy(t, e, 1)
	got, err := s.Edit(t.Context(), "ann", tweet.ID, content("once"), []int{0})
	testenv.Must(t, err)
	if losses.Count() == 0 {
		t.Error("no answer was lost")
	}
	if left := e.IDs(t, "tweets/"+string(tweet.ID)+"/revisions"); got.Content != "once" || got.Revision != 1 ||
		len(left) != 1 {
		t.Errorf("Edit = %+v, and there are the revisions %v", got, left)
	}
	_, err = s.Edit(t.Context(), "ann", tweet.ID, content("twice"), []int{0})
	storetest.WantErr(t, err, errs.Outdated, "tweet_edited")
}

// The answer to the commit of a new tweet is lost, and the tweet is edited before the client commits again. The tweet
// is there once.
func TestEditedBeforeRepeatedCommit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	losses := storetest.LoseFirst(func() {
		for _, id := range e.IDs(t, model.Tweets) {
			_, err := e.Edits.Edit(t.Context(), "ann", model.TweetID(id), content("edited"), nil)
			testenv.Must(t, err)
		}
	})
	s := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}}).Tweets
	tweet, err := s.CreateTweet(t.Context(), "ann", model.Draft{Content: "x"}, model.Request{})
	testenv.Must(t, err)
	if ids := e.IDs(t, model.Tweets); losses.SentAgain() != 1 || len(ids) != 1 || ids[0] != string(tweet.ID) {
		t.Errorf("the tweets are %v, and %d commits were sent again; want %s alone, and 1", ids, losses.SentAgain(), tweet.ID)
	}
}

// A revision without an edit of the tweet stops edits, and does not make them try forever.
func TestStrayRevision(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet := e.Tweet(t, "ann", "x")
	_, err := e.Raw.Doc("tweets/"+string(tweet.ID)+"/revisions/000001").
		Create(t.Context(), model.Revision{Content: "of another"})
	testenv.Must(t, err)
	_, err = e.Edits.Edit(t.Context(), "ann", tweet.ID, content("y"), nil)
	storetest.WantErr(t, err, errs.Conflict, "stray_revision")
}

// The tweet and its text are read at two moments, with another edit between. The revision has the former text of the
// tweet.
func TestTornRead(t *testing.T) {
	t.Parallel()
	for _, first := range []string{model.Tweets, model.TweetDetails} {
		for what, p := range map[string]model.TweetPatch{"text": content("last"), "summary": {Summary: new("last")}} {
			t.Run(first+" first, "+what, func(t *testing.T) {
				t.Parallel()
				e := storetest.Open(t, store.Options{})
				e.CreateUsers(t, "ann")
				tweet := e.Tweet(t, "ann", "posted")
				edits := 0
				torn := storetest.TearRead(first, func() {
					edits++
					_, err := e.Edits.Edit(t.Context(), "ann", tweet.ID, content("between"), nil)
					testenv.Must(t, err)
				})
				s := e.Again(t, store.Options{Meter: meter.Options{BelowReads: torn}}).Edits
				got, err := s.Edit(t.Context(), "ann", tweet.ID, p, nil)
				testenv.Must(t, err)
				if edits != 1 {
					t.Fatalf("%d edits came in between, want 1", edits)
				}
				is, err := e.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{})
				testenv.Must(t, err)
				last := "last"
				if p.Content == nil {
					last = "between"
				}
				if got.Content != last || is.Content != last || is.Revision != 2 {
					t.Errorf("the answer is %q, and the tweet %q with %d revisions, want %q and 2", got.Content, is.Content,
						is.Revision, last)
				}
				for n, want := range map[int]string{1: "posted", 2: "between"} {
					r, err := e.Edits.Revision(t.Context(), tweet.ID, n)
					testenv.Must(t, err)
					if r.Content != want {
						t.Errorf("revision %d is %q, want %q", n, r.Content, want)
					}
				}
			})
		}
	}
}
