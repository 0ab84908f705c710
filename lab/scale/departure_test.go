package scale_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/verify"
)

var (
	leftTweets    = flag.Int("left-tweets", 60, "how many tweets somebody has who leaves")
	leftFollowers = flag.Int("left-followers", 20, "how many followers somebody has who leaves")
	leftLikes     = flag.Int("left-likes", 60, "how many tweets somebody likes who leaves")
)

const leaver, liked model.UserID = "leaver", "liked"

// TestDeparture lets somebody take everything along, and leave, while the process of the
// functions is killed in the middle of both. The archives have all that there was, nothing is
// left of the leaver, and others lose nothing.
func TestDeparture(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	dir := t.TempDir()
	d := &departure{requests: map[string]int{}}
	faults := eventarc.Faults{Duplicate: 2}
	if *leftTweets > 1000 {
		faults.Duplicate = 1 // none, so that the bill is that of an ordinary day; killed processes have their events repeated
	}
	d.env = start(t, store.Options{ExportBucket: dir}, faults, func(e *env) { d.env = e; d.prepare(t) })
	if *leftTweets <= 1000 {
		d.verify(t) // what prepare wrote agrees with itself
	}
	before := d.facts(t)
	d.process(t, "EXPORT_BUCKET="+dir, "STALE_AFTER=5s", "FIREBASE_AUTH_EMULATOR_HOST="+testenv.AuthHost(t))

	begun := time.Now()
	d.kill("Export", 2)
	_, err := d.Store.Exports.Ask(t.Context(), leaver)
	testenv.Must(t, err)
	var export *model.ExportWork
	d.until(t, func() bool {
		export, err = d.Store.Exports.Current(t.Context(), leaver)
		testenv.Must(t, err)
		return export.Ended()
	})
	t.Logf("exported in %.0f s, %d steps", time.Since(begun).Seconds(), d.count("Export"))
	d.checkExport(t, export)

	begun = time.Now()
	d.kill("DeleteAccount", 2, 4)
	left, err := d.Store.Users.Leave(t.Context(), leaver)
	testenv.Must(t, err)
	d.until(t, func() bool {
		left = d.accountDeletion(t, left.Receipt)
		return !left.ClearedAt.IsZero()
	})
	t.Logf("left in %.0f s, %d steps, %d passes", time.Since(begun).Seconds(), d.count("DeleteAccount"), left.Pass)
	_, err = d.raw.Doc("leavings/"+string(leaver)).
		Update(t.Context(), []firestore.Update{{Path: "clearedAt", Value: time.Now().Add(-26 * time.Hour)}})
	testenv.Must(t, err)
	d.until(t, func() bool {
		left = d.accountDeletion(t, left.Receipt)
		return left.Done
	})
	d.sweepAll(t)
	if export.Failed != "" || d.killed() != 3 {
		t.Errorf("the export failed: %q; the process was killed %d times, want 3", export.Failed, d.killed())
	}

	if remains, err := d.Store.AccountDeletions.Remains(t.Context(), leaver); err != nil || len(remains) > 0 {
		t.Errorf("the remains are %q, %v", remains, err)
	}
	if after := d.facts(t); !maps.Equal(before, after) {
		for path, was := range before {
			if after[path] != was {
				t.Errorf("%s was %.200s, and is %.200s", path, was, after[path])
			}
		}
		t.Errorf("others had %d facts, and have %d", len(before), len(after))
	}
	d.verify(t)
	d.bills.print(t)
	if leave := d.bills.of("DeleteAccount"); leave.deletes < int64(*leftTweets) {
		t.Errorf("the log says of Leave %+v", leave)
	}
}

// departure is a stack with somebody who leaves, and the functions in a process that can be
// killed.
type departure struct {
	*env
	tweets, likes []string          // ids
	texts         map[string]string // by tweet

	bills

	mu       sync.Mutex
	requests map[string]int // by function
	deaths   map[string][]int
	dead     int
	cmd      *exec.Cmd
	url      *url.URL
	again    func() (*exec.Cmd, string)
}

// prepare writes what the API and the functions would have written in the course of years:
// all is older than what home timelines show, and no month overflows.
func (d *departure) prepare(t *testing.T) {
	t.Helper()
	d.texts = map[string]string{}
	b := d.raw.BulkWriter(t.Context())
	set := func(path string, doc any) {
		_, err := b.Set(d.raw.Doc(path), doc)
		testenv.Must(t, err)
	}
	long := time.Now().Add(-4000 * day).UTC().Truncate(time.Second)
	fans := names("fan", *leftFollowers)
	user := func(uid model.UserID, u model.User) {
		u.Username, u.Nickname, u.NicknameLower, u.Snippet, u.CreatedAt = string(uid), "N", "n", "sparks", long
		set(model.Users+"/"+string(uid), u)
		set(model.UserDetails+"/"+string(uid), model.UserDetail{Introduction: "sparks"})
		set(model.UserSecrets+"/"+string(uid), model.UserSecret{Email: string(uid) + "@example.com"})
		set(model.Usernames+"/"+string(uid), model.Username{UID: uid})
	}
	follow := func(follower, followed model.UserID) {
		set(model.Relationships+"/"+model.RelationshipKey(follower, followed), model.Relationship{FollowerID: follower,
			FollowedID: followed, CreatedAt: long})
	}
	like := func(uid model.UserID, id model.TweetID, author model.UserID) {
		set(model.Likes+"/"+model.ReactionKey(uid, id), model.Like{UserID: uid, TweetID: id, AuthorID: author,
			CreatedAt: id.Time()})
	}

	authored := d.author(t, set, leaver, *leftTweets, func(i int) int64 {
		if i < len(fans) {
			return 1
		}
		return 0
	})
	theirs := d.author(t, set, liked, *leftLikes, func(int) int64 { return 1 })
	for i, id := range authored {
		d.tweets = append(d.tweets, string(id))
		if i < len(fans) {
			like(fans[i], id, leaver)
			set(model.Reactions+"/"+model.MonthKey(fans[i], id.Month()), map[string]any{
				"userId": fans[i], "month": id.Month(), "tweets": map[string]any{string(id): true}, "size": 1,
			})
		}
	}
	months := map[model.Month]map[string]any{}
	for _, id := range theirs {
		d.likes = append(d.likes, string(id))
		like(leaver, id, liked)
		if months[id.Month()] == nil {
			months[id.Month()] = map[string]any{}
		}
		months[id.Month()][string(id)] = true
	}
	for m, tweets := range months {
		set(model.Reactions+"/"+model.MonthKey(leaver, m), map[string]any{"userId": leaver, "month": m, "tweets": tweets,
			"size": len(tweets)})
	}

	user(leaver, model.User{FollowerCount: int64(len(fans)), FollowedCount: 1, TweetCount: int64(*leftTweets)})
	user(liked, model.User{FollowerCount: 1, TweetCount: int64(*leftLikes)})
	follow(leaver, liked)
	for _, fan := range fans {
		user(fan, model.User{FollowedCount: 1})
		follow(fan, leaver)
		set(model.Heads+"/"+string(fan), headOf(fan, nil))
	}
	b.End()
}

// perMonth is how many tweets an author has in a month: fewer than would overflow.
const perMonth = 140

// author writes tweets of an author, with what follows from them. Each tenth has a tag of the author's own.
func (d *departure) author(t *testing.T, set func(string, any), author model.UserID, n int,
	likes func(int) int64) (ids []model.TweetID) {
	t.Helper()
	newest := time.Now().UTC().Add(-70 * day)
	var at time.Time
	next := model.NewTweetIDs(func() time.Time { return at })
	previews := map[model.Month]map[string]any{}
	var recent []*model.Tweet
	for i := range n {
		month := (n - 1) / perMonth // months ago, of the oldest
		at = time.Date(newest.Year(), newest.Month()-time.Month(month-i/perMonth), 3, 0, i%perMonth, 0, 0, time.UTC)
		draft := model.Draft{Content: fmt.Sprintf("spark %d of %s", i, author), AllowLikes: true, AllowReplies: true}
		if i%10 == 0 {
			draft.Tags = []string{string(author)}
		}
		tweet, detail, err := model.NewTweet(next.Next(author), &model.User{ID: author, Username: string(author),
			Nickname: "N"}, nil, draft)
		testenv.Must(t, err)
		tweet.LikeCount, tweet.ChangedAt = likes(i), at
		set(model.Tweets+"/"+string(tweet.ID), tweet)
		set(model.TweetDetails+"/"+string(tweet.ID), detail)
		set(model.SearchDocs+"/"+model.SearchKey(tweet.ID), discovery.DocOf(tweet, detail.Content))
		ids = append(ids, tweet.ID)
		d.texts[string(tweet.ID)] = detail.Content
		if previews[tweet.ID.Month()] == nil {
			previews[tweet.ID.Month()] = map[string]any{}
		}
		previews[tweet.ID.Month()][string(tweet.ID)] = tweet.Preview()
		recent = append(recent, tweet)
	}
	for m, tweets := range previews {
		set(model.TweetMonths+"/"+model.MonthKey(author, m), map[string]any{"userId": author, "month": m, "tweets": tweets,
			"size": len(tweets)})
	}
	set(model.Heads+"/"+string(author), headOf(author, recent))
	uses := int64((n + 9) / 10)
	set(model.Tags+"/"+string(author), map[string]any{"content": string(author), "tweetCount": uses})
	set(model.TagUsages+"/"+model.TagUsageKey(author, string(author)), map[string]any{"userId": author,
		"tag": string(author), "content": string(author), "tweetCount": uses})
	return ids
}

// headOf returns the document of an author's head, with the newest of some tweets.
func headOf(author model.UserID, tweets []*model.Tweet) map[string]any {
	h := model.NewHead(author)
	for _, tweet := range tweets {
		h.PutTweet(tweet.ID, tweet)
	}
	h.Trim()
	previews := map[string]any{}
	for id, preview := range h.Tweets {
		previews[string(id)] = preview
	}
	doc := map[string]any{"tweets": previews, "whole": h.Whole, "changeShard": h.ChangeShard,
		"changedAt": firestore.ServerTimestamp}
	if !h.Whole {
		doc["since"] = h.Since
	}
	return doc
}

// process puts the functions into a process of their own, behind a door that counts and
// kills.
func (d *departure) process(t *testing.T, environment ...string) {
	t.Helper()
	d.again = func() (*exec.Cmd, string) { return stacktest.Process(t, d.project, &d.bills, environment...) }
	d.deaths = map[string][]int{}
	d.restart(t)
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		name := strings.TrimPrefix(r.URL.Path, "/")
		d.requests[name]++
		due := slices.Contains(d.deaths[name], d.requests[name])
		cmd, to := d.cmd, d.url
		d.mu.Unlock()
		if due {
			time.AfterFunc(time.Duration(rand.IntN(30))*time.Millisecond, func() { cmd.Process.Kill() })
			defer d.buried(t, cmd)
		}
		proxy := httputil.NewSingleHostReverseProxy(to)
		proxy.ErrorLog, proxy.ErrorHandler = nil, func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.cmd.Process.Kill()
		d.cmd.Wait()
	})
	t.Cleanup(door.Close)
	d.Runner.SetFunctionsURL(door.URL)
}

// until waits until long work is done. The runner may be idle between two of its steps.
func (d *departure) until(t *testing.T, done func() bool) {
	t.Helper()
	for !done() {
		if t.Context().Err() != nil || d.failed() {
			t.Fatalf("the work does not end: %q", d.bills.errors)
		}
		time.Sleep(100 * time.Millisecond)
	}
	d.idle(t)
}

func (d *departure) restart(t *testing.T) {
	t.Helper()
	cmd, at := d.again()
	to, err := url.Parse(at)
	testenv.Must(t, err)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cmd, d.url = cmd, to
}

// restarted waits until a killed process is gone, and starts another.
func (d *departure) buried(t *testing.T, cmd *exec.Cmd) {
	cmd.Wait()
	d.restart(t)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead++
}

// kill lets the process be killed during some requests to a function, counted from its first.
func (d *departure) kill(function string, requests ...int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.deaths[function] = append(d.deaths[function], requests...)
}

func (d *departure) count(function string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.requests[function]
}

func (d *departure) killed() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

func (d *departure) accountDeletion(t *testing.T, receipt string) *model.DeletionWork {
	t.Helper()
	w, err := d.Store.Users.AccountDeletion(t.Context(), receipt)
	testenv.Must(t, err)
	return w
}

// sweepAll asks for lost work again until there is none: a killed process leaves roll-ups
// that it took.
func (d *departure) sweepAll(t *testing.T) {
	t.Helper()
	for n := range 60 {
		left := 0
		for _, collection := range []string{model.RollUps, model.ClaimedRollUps, model.Flushes, model.CleanUps} {
			refs, err := d.raw.Collection(collection).DocumentRefs(t.Context()).GetAll()
			testenv.Must(t, err)
			left += len(refs)
		}
		if left == 0 {
			return
		}
		time.Sleep(2 * time.Second)
		_, err := d.raw.Doc(fmt.Sprintf("%s/again%d", model.Sweeps, n)).Set(t.Context(), model.SweepWork{})
		testenv.Must(t, err)
		d.idle(t)
	}
	t.Error("work is left for ever")
}

// facts are all source documents of others, without counts and changedAt.
func (d *departure) facts(t *testing.T) map[string]string {
	t.Helper()
	var mu sync.Mutex
	all := map[string]string{}
	for _, collection := range []string{
		model.Users, model.UserDetails, model.UserSecrets, model.Usernames, model.Tweets, model.TweetDetails,
		model.Relationships, model.Likes, model.Shares, model.Blocks,
	} {
		testenv.Must(t, d.each(t.Context(), collection, func(snap *firestore.DocumentSnapshot) error {
			data := snap.Data()
			for _, derived := range []string{"likeCount", "shareCount", "replyCount", "followerCount", "followedCount",
				"tweetCount", "rolled", "rolledAt", "changedAt"} {
				delete(data, derived)
			}
			text, path := fmt.Sprint(data), collection+"/"+snap.Ref.ID
			mu.Lock()
			defer mu.Unlock()
			if !strings.Contains(path+text, string(leaver)) {
				all[path] = text
			}
			return nil
		}))
	}
	return all
}

// verify compares projections with their source documents: of everybody. Where there are many, of some,
// because the emulator looks at all documents for each query; but no like must be counted any
// more.
func (d *departure) verify(t *testing.T) {
	t.Helper()
	report := func(found []verify.Difference, err error) {
		t.Helper()
		testenv.Must(t, err)
		for _, diff := range found[:min(len(found), 10)] {
			t.Errorf("verify finds %+v", diff)
		}
	}
	if *leftTweets <= 1000 {
		report(d.Store.Audit.All(t.Context(), verify.Options{}))
		return
	}
	for _, uid := range append(names("fan", min(5, *leftFollowers)), leaver) {
		report(d.Store.Audit.User(t.Context(), uid, verify.Options{}))
	}
	testenv.Must(t, d.each(t.Context(), model.Tweets, func(snap *firestore.DocumentSnapshot) error {
		if n := snap.Data()[model.LikeCount]; n != int64(0) {
			t.Errorf("%s has %v likes, want none", snap.Ref.Path, n)
		}
		return nil
	}))
}

// checkExport downloads the archives, and compares them with the source documents.
func (d *departure) checkExport(t *testing.T, w *model.ExportWork) {
	t.Helper()
	archives, err := d.Store.Exports.Archives(context.WithoutCancel(t.Context()), w)
	testenv.Must(t, err)
	got, texts, bytesOf := map[string][]string{}, 0, int64(0)
	for _, a := range archives {
		rec := httptest.NewRecorder()
		d.Store.Objects.ServeHTTP(rec, httptest.NewRequest("GET", a.URL, nil))
		z, err := zip.NewReader(bytes.NewReader(rec.Body.Bytes()), int64(rec.Body.Len()))
		testenv.Must(t, err)
		bytesOf += a.Bytes
		for _, f := range z.File {
			r, err := f.Open()
			testenv.Must(t, err)
			data, err := io.ReadAll(r)
			testenv.Must(t, err)
			section, _, many := strings.Cut(strings.TrimSuffix(f.Name, ".json"), "-")
			if !many {
				continue
			}
			var items []struct{ ID, TweetID, UserID, Content string }
			testenv.Must(t, json.Unmarshal(data, &items))
			for _, item := range items {
				got[section] = append(got[section], item.ID+item.TweetID+item.UserID)
				if section == "tweets" && item.Content == d.texts[item.ID] {
					texts++
				}
			}
		}
	}
	fans := []string{}
	for _, fan := range names("fan", *leftFollowers) {
		fans = append(fans, string(fan))
	}
	for section, want := range map[string][]string{"tweets": d.tweets, "likes": d.likes, "followers": fans,
		"following": {string(liked)}} {
		slices.Sort(got[section])
		want = slices.Sorted(slices.Values(want))
		if !slices.Equal(got[section], want) {
			t.Errorf("the export has %d %s, want %d, or not the same", len(got[section]), section, len(want))
		}
	}
	if texts != *leftTweets {
		t.Errorf("%d texts are right, want %d", texts, *leftTweets)
	}
	t.Logf("%d archives of %d parts, %d bytes", len(archives), w.Files, bytesOf)
}
