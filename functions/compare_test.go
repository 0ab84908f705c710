package functions_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/verify"
)

// compare fails the test for every projection that differs from the facts or from
// the model, and for work that is left.
func (h *history) compare() {
	t, s, w := h.t, h.store, h.world
	t.Helper()
	found, err := s.Audit.All(t.Context(), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found {
		t.Errorf("verify: %s %s is %v, want %v", d.Document, d.Field, d.Have, d.Want)
	}
	for _, work := range works {
		if left := h.ids(work); len(left) > 0 {
			t.Errorf("%s are left: %v", work, left)
		}
	}
	h.lookUp()
	for _, u := range w.users {
		compareUser(t, s, w, u)
		compareRequests(t, s, w, u)
		compareBuckets(t, s, w, u)
		compareVisibility(t, s, w, u)
		compareNotifications(t, s, w, u)
	}
	for _, u := range w.users {
		h.compareTimeline(u)
	}
	h.comparePublic()
	h.compareHeld()
	tags, revisions := map[string]int64{}, 0
	for id, tw := range w.tweets {
		got, err := s.Tweets.Tweet(t.Context(), id, model.Viewer{ID: "admin", Role: model.Administrator})
		if err != nil {
			t.Errorf("tweet %s: %v", id, err)
			continue
		}
		replies := w.count(func(_ model.TweetID, r *tweet) bool { return r.doc.ReplyTo != nil && *r.doc.ReplyTo == id })
		if likes := int64(len(tw.likes)); got.LikeCount != likes || got.ReplyCount != replies {
			t.Errorf("tweet %s has likeCount %d and replyCount %d, want %d and %d", id, got.LikeCount, got.ReplyCount, likes,
				replies)
		}
		if shares := int64(len(tw.shares)); got.ShareCount != shares {
			t.Errorf("tweet %s has shareCount %d, want %d", id, got.ShareCount, shares)
		}
		if quotes := w.count(func(_ model.TweetID, q *tweet) bool { return q.doc.QuoteOf == id }); got.QuoteCount != quotes {
			t.Errorf("tweet %s has quoteCount %d, want %d", id, got.QuoteCount, quotes)
		}
		if got.RepliesHeldBy != tw.heldBy {
			t.Errorf("tweet %s holds replies for %q, want %q", id, got.RepliesHeldBy, tw.heldBy)
		}
		if got.Folded != tw.folded || got.QuoteOf != tw.doc.QuoteOf || got.WithdrawnQuote != tw.doc.WithdrawnQuote {
			t.Errorf("tweet %s is folded: %v, and quotes %q, withdrawn %q; want %v, %q and %q", id, got.Folded, got.QuoteOf,
				got.WithdrawnQuote, tw.folded, tw.doc.QuoteOf, tw.doc.WithdrawnQuote)
		}
		for tag := range tw.doc.Tags {
			tags[tag]++
		}
		h.compareRevisions(got, tw)
		revisions += len(tw.former)
	}
	// Those of deleted tweets are gone.
	left, err := h.raw.CollectionGroup(model.Revisions).Documents(t.Context()).GetAll()
	h.must(err)
	if len(left) != revisions {
		t.Errorf("there are %d revisions, want %d", len(left), revisions)
	}
	h.compareTotals()
	h.comparePlaces()
	h.compareBookmarks()
	h.comparePolls()
	h.comparePins()
	h.compareBlocks()
	h.compareViewers()
	h.compareFollowers()
	h.compareShares()
	h.compareQuotes()
	h.compareMentions()
	h.compareSearch()
	h.compareShop()
	h.compareMedia()
	h.compareTalks()
	h.compareWatches()
	h.compareFiltered()
	page, err := s.Tags.List(t.Context(), model.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, tag := range page.Items {
		got[tag.Name] = tag.TweetCount
	}
	if diff := cmp.Diff(tags, got); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
}

// compareRevisions compares what a tweet is, and what it was before each edit.
func (h *history) compareRevisions(got *tweets.FullTweet, want *tweet) {
	h.t.Helper()
	if got.Content != want.content || got.Revision != len(want.former) {
		h.t.Errorf("tweet %s says %q after %d edits, want %q after %d", got.ID, got.Content, got.Revision, want.content,
			len(want.former))
	}
	for i, content := range want.former {
		r, err := h.store.Edits.Revision(h.t.Context(), got.ID, i+1)
		if err != nil || r.Content != content {
			h.t.Errorf("revision %d of tweet %s is %+v, %v, want %q", i+1, got.ID, r, err, content)
		}
	}
}

// comparePlaces compares which deleted replies keep their places in threads: all that have replies.
func (h *history) comparePlaces() {
	h.t.Helper()
	answered := map[model.TweetID]bool{}
	for _, t := range h.world.tweets {
		if t.doc.ReplyTo != nil {
			answered[*t.doc.ReplyTo] = true
		}
	}
	snaps, err := h.raw.Collection(model.Tombstones).Documents(h.t.Context()).GetAll()
	h.must(err)
	for _, snap := range snaps {
		var stone model.Tombstone
		h.must(snap.DataTo(&stone))
		if id := model.TweetID(snap.Ref.ID); stone.ReplyTo != "" && answered[id] {
			h.seen.add(answeredAndGone, 1)
			if stone.RepliedAt == nil {
				h.t.Errorf("the deleted reply %s was answered, and has no place in its thread", id)
			}
		}
	}
}

// compareTotals compares how much there is.
func (h *history) compareTotals() {
	h.t.Helper()
	w := h.world
	want := map[string]int64{model.Users: int64(len(w.talkers())), model.Tweets: int64(len(w.tweets)),
		model.Relationships: int64(len(w.follows))}
	for _, tw := range w.tweets {
		want[model.Likes] += int64(len(tw.likes))
		want[model.Shares] += int64(len(tw.shares))
	}
	totals := *h.store.Totals
	totals.Due = func(model.Total) bool { return true }
	h.must(totals.CountDue(h.t.Context(), func() bool { return false }))
	var is model.TotalCounts
	snap, err := h.raw.Doc("totals/all").Get(h.t.Context())
	h.must(err)
	h.must(snap.DataTo(&is))
	for name, n := range want {
		if got := is.Of[name].Count; got != n {
			h.t.Errorf("the total of %s is %d, want %d", name, got, n)
		}
	}
}

// ids lists the documents of a collection.
func (h *history) ids(collection string) (ids []string) {
	h.t.Helper()
	refs, err := h.raw.Collection(collection).DocumentRefs(h.t.Context()).GetAll()
	if err != nil {
		h.t.Fatal(err)
	}
	for _, ref := range refs {
		ids = append(ids, ref.ID)
	}
	return ids
}

func compareUser(t *testing.T, s *store.Store, w *world, uid model.UserID) {
	t.Helper()
	got, err := s.Users.User(t.Context(), uid)
	if err != nil {
		t.Fatal(err)
	}
	var want model.User
	wantUses := map[string]int64{}
	for k := range w.follows {
		if k[0] == uid {
			want.FollowedCount++
		}
		if k[1] == uid {
			want.FollowerCount++
		}
	}
	for _, id := range w.by(uid) {
		want.TweetCount++
		for tag := range w.tweets[id].doc.Tags {
			wantUses[tag]++
		}
	}
	counts := func(u *model.User) []int64 { return []int64{u.FollowerCount, u.FollowedCount, u.TweetCount} }
	if got.Locked != w.locked[uid] {
		t.Errorf("%s is locked %v, want %v", uid, got.Locked, w.locked[uid])
	}
	if diff := cmp.Diff(counts(&want), counts(got)); diff != "" {
		t.Errorf("counts of %s (-want +got):\n%s", uid, diff)
	}
	page, err := s.Tags.UsedBy(t.Context(), uid, model.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string]int64{}
	for _, u := range page.Items {
		uses[u.Name] = u.TweetCount
	}
	if diff := cmp.Diff(wantUses, uses); diff != "" {
		t.Errorf("tags that %s uses (-want +got):\n%s", uid, diff)
	}
}

func compareBuckets(t *testing.T, s *store.Store, w *world, uid model.UserID) {
	t.Helper()
	want := []profiles.PreviewOf{}
	for _, id := range w.by(uid) {
		if w.tweets[id].open() {
			want = append(want, profiles.PreviewOf{ID: id, TweetPreview: w.tweets[id].doc.Preview()})
		}
	}
	all, next, err := s.Previews.TweetsBy(t.Context(), model.Viewer{}, uid, "", 1000)
	if err != nil || next != "" {
		t.Fatal(next, err)
	}
	if diff := cmp.Diff(want, append([]profiles.PreviewOf{}, all...)); diff != "" {
		t.Errorf("months of %s (-want +got):\n%s", uid, diff)
	}
	recent, _, err := s.Previews.TweetsBy(t.Context(), model.Viewer{}, uid, "", model.RecentTweets)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[:min(len(want), model.RecentTweets)], append([]profiles.PreviewOf{}, recent...)); diff != "" {
		t.Errorf("recent tweets of %s (-want +got):\n%s", uid, diff)
	}
}

// compareVisibility compares which tweets a user may see: each by itself, and on every profile.
func compareVisibility(t *testing.T, s *store.Store, w *world, u model.UserID) {
	t.Helper()
	viewer := model.Viewer{ID: u, Role: model.Member}
	seen, err := s.Tweets.Batch(t.Context(), w.order, viewer)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range seen {
		if got, want := found.Tweet != nil, w.sees(u, found.ID); got != want {
			t.Errorf("%s sees tweet %s %v, want %v", u, found.ID, got, want)
		}
	}
	for _, author := range w.users {
		for _, limit := range []int{model.RecentTweets, 1000} {
			var want, got []model.TweetID
			for _, id := range w.by(author) {
				t := w.tweets[id]
				// What is for followers is on a profile for followers, and not for whom it addresses.
				sees := t.open() || author == u || w.follows[[2]model.UserID{u, author}] != nil
				if t.listed() && sees && len(want) < limit {
					want = append(want, id)
				}
			}
			items, _, err := s.Previews.TweetsBy(t.Context(), viewer, author, "", limit)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range items {
				got = append(got, item.ID)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d tweets of %s for %s (-want +got):\n%s", limit, author, u, diff)
			}
		}
		compareProfile(t, s, w, viewer, author)
	}
}

// compareProfile compares the pages of tweets and shares of an author, as a viewer sees them.
func compareProfile(t *testing.T, s *store.Store, w *world, viewer model.Viewer, author model.UserID) {
	t.Helper()
	type entry struct {
		id model.TweetID
		at time.Time // of the share
	}
	want, got := map[entry]int{}, map[entry]int{}
	for id, t := range w.tweets {
		sees := t.open() || author == viewer.ID || w.follows[[2]model.UserID{viewer.ID, author}] != nil
		by, shared := t.shares[author]
		switch {
		case t.author == author && t.listed() && sees:
			want[entry{id: id}]++
		case t.author != author && shared && t.open() && !w.between(viewer.ID, t.author) &&
			(viewer.ID == author || !w.hides[[2]model.UserID{viewer.ID, author}] && !w.between(viewer.ID, author) &&
				w.mutes[[2]model.UserID{viewer.ID, t.author}] != model.MuteAll):
			want[entry{id, by.position.Time()}]++
		}
	}
	var last time.Time
	for from := (model.Cursor{}); ; {
		page, err := s.Shares.Profile(t.Context(), viewer, author, from, model.RecentTweets)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Items {
			at := e.SharedAt
			if got[entry{e.ID(), at.UTC()}]++; e.Shared == nil {
				at = e.Own.ID.Time()
			}
			if !last.IsZero() && at.After(last) {
				t.Errorf("the profile of %s has %s after older entries", author, e.ID())
			}
			last = at
		}
		if from = page.Next; from.IsZero() {
			break
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(entry{})); diff != "" {
		t.Errorf("profile of %s for %s (-want +got):\n%s", author, viewer.ID, diff)
	}
}

// comparePublic compares the lists that everybody gets.
func (h *history) comparePublic() {
	h.t.Helper()
	public := func(has func(*tweet) bool) []model.TweetID {
		some := maps.Clone(h.world.tweets)
		maps.DeleteFunc(some, func(_ model.TweetID, t *tweet) bool {
			return t.flagged || t.doc.Visibility != model.Public || !has(t)
		})
		return model.Newest(some, 0)
	}
	compare := func(what string, want []model.TweetID, got model.Page[*model.Tweet], err error) {
		h.t.Helper()
		h.must(err)
		var ids []model.TweetID
		for _, t := range got.Items {
			if !t.IsViolative { // a list of a tag leaves it out later
				ids = append(ids, t.ID)
			}
		}
		slices.SortFunc(ids, func(a, b model.TweetID) int { return b.Compare(a) }) // two may have one time
		if diff := cmp.Diff(want, ids); diff != "" {
			h.t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	h.compared++
	got, err := h.store.Tweets.Public(h.t.Context(), true, model.Cursor{}, 1000+h.compared) // a page that no cache has
	compare("the public timeline", public(func(*tweet) bool { return true }), got, err)
	got, err = h.store.Tags.Tweets(h.t.Context(), "go", model.Cursor{}, 1000)
	compare("the tag go", public(func(t *tweet) bool { return !t.doc.Tags["go"].IsZero() }), got, err)
}

// line is where a tweet stands in a home timeline, and who brought it there.
type line struct {
	position model.Position
	by       model.UserID
	sharers  int
}

func (h *history) compareTimeline(uid model.UserID) {
	t, w := h.t, h.world
	t.Helper()
	var seen []model.TweetID
	var positions []model.Position
	limit := 1 + h.rng.IntN(model.MaxPageSize)
	if h.rng.IntN(2) == 0 {
		limit = 1 + h.rng.IntN(7) // most timelines are shorter than a large page
	}
	for before := timelines.Cursor(""); ; {
		var items []timelines.Item
		var next timelines.Cursor
		h.must(testenv.Patiently(func() (err error) {
			items, next, _, err = h.store.Timelines.Home(t.Context(), uid, "", before, limit)
			return err
		}))
		for _, item := range items {
			seen, positions = append(seen, item.ID), append(positions, item.Position)
			if tw := w.tweets[item.ID]; tw != nil {
				want, sharers := line{item.ID.Position(), "", 0}, w.sharers(uid, item.ID)
				if newest := model.Newest(sharers, 1); len(newest) > 0 {
					want = line{newest[0], sharers[newest[0]], len(sharers)}
					h.seen.add(sharedTweet, 1)
				}
				if got := (line{item.Position, item.SharedBy, item.Sharers}); got.position != want.position ||
					got.by != want.by {
					t.Errorf("timeline of %s: tweet %s stands at %v, want %v", uid, item.ID, got, want)
				}
			}
			var want model.ViewerState
			if tw := w.tweets[item.ID]; tw != nil {
				_, shared := tw.shares[uid]
				want = model.ViewerState{Liked: tw.likes[uid], Shared: shared, Bookmarked: tw.kept[uid]}
			}
			if item.ViewerState != want {
				t.Errorf("timeline of %s: the reader's marks of tweet %s are %v, want %v", uid, item.ID, item.ViewerState, want)
			}
		}
		if before = next; next == "" {
			break
		}
	}
	if !slices.IsSortedFunc(positions, func(a, b model.Position) int { return b.Compare(a) }) {
		t.Errorf("timeline of %s is not newest first: %v", uid, positions)
	}
	since := map[model.UserID]time.Time{}
	for from := (model.Cursor{}); ; {
		page, err := h.store.Graph.Following(t.Context(), uid, from, 100)
		h.must(err)
		for _, rel := range page.Items {
			since[rel.FollowedID] = rel.CreatedAt
		}
		if from = page.Next; from.IsZero() {
			break
		}
	}
	want := w.timeline(uid, since)
	for i, id := range seen {
		if slices.Contains(seen[:i], id) {
			t.Errorf("timeline of %s has %s twice by pages of %d", uid, id, limit)
		}
		if !want[id] {
			t.Errorf("timeline of %s has %s, which should not be there", uid, id)
		}
		delete(want, id)
	}
	for id := range want {
		t.Errorf("timeline of %s lacks %s; %s", uid, id, h.whyLacking(uid, id))
	}
	if a, err := h.store.Audit.AuditTimeline(t.Context(), uid, verify.Options{}); err != nil ||
		len(a.Missing)+len(a.Extra)+len(a.Duplicate) > 0 {
		t.Errorf("the audit of the timeline of %s: %+v, %v", uid, a, err)
	}
}

// whyLacking tells what there is to know of a tweet that a home timeline lacks: how the tweet is, whether the merge has
// it, and whether a look shows it once no cache may be old.
func (h *history) whyLacking(uid model.UserID, id model.TweetID) string {
	shown, err := h.store.Timelines.Shown(h.t.Context(), uid)
	has := slices.ContainsFunc(shown, func(e timelines.ShownEntry) bool { return e.Position == id.Position() })
	time.Sleep(readcache.Every + time.Second)
	items, _, _, again := h.store.Timelines.Home(h.t.Context(), uid, "", "", 100)
	later := slices.ContainsFunc(items, func(i timelines.Item) bool { return i.ID == id })
	tw := h.world.tweets[id]
	return fmt.Sprintf("merged %v %v, shown later %v %v; by %s, for %s, flagged %v, hidden once %v, shared by %v",
		has, err, later, again, tw.doc.AuthorID, tw.doc.Visibility, tw.flagged, tw.hidden, h.world.sharers(uid, id))
}

// lookUp asks the event log what became of what users may have been told, or not: both are
// right. verify compares the notifications with the log.
func (h *history) lookUp() {
	h.t.Helper()
	logged := map[model.UserID][]model.NotificationEvent{}
	for _, n := range h.world.unsure {
		if n.gone {
			continue
		}
		if logged[n.to] == nil {
			q := h.raw.Collection(model.NotificationLogs).Doc(model.NotificationEventPartitionOf(n.to)).
				Collection(model.NotificationEvents).Where("userId", "==", n.to)
			snaps, err := q.Documents(h.t.Context()).GetAll()
			h.must(err)
			logged[n.to] = []model.NotificationEvent{}
			for _, snap := range snaps {
				var in model.NotificationEvent
				h.must(snap.DataTo(&in))
				logged[n.to] = append(logged[n.to], in)
			}
		}
		i := slices.IndexFunc(logged[n.to], func(in model.NotificationEvent) bool {
			return in.GroupKey() == n.groupKey && in.Payload.UserID == n.by &&
				(n.tweet == "" || in.Payload.TweetID == n.tweet) &&
				slices.ContainsFunc(n.at, in.At.Equal)
		})
		switch {
		case i >= 0 && !logged[n.to][i].Dropped && !logged[n.to][i].Withdrawn:
			n.at = []time.Time{logged[n.to][i].At}
			h.world.heard = append(h.world.heard, n)
		case i >= 0 && logged[n.to][i].Filtered:
			n.at = []time.Time{logged[n.to][i].At}
			h.world.senders.filtered = append(h.world.senders.filtered, n)
		case !n.either:
			h.t.Errorf("%s was not told of the %s by %s at %v", n.to, n.groupKey, n.by, n.at)
		}
		h.seen.add(underWay, 1)
	}
	h.world.unsure = nil
}

func compareNotifications(t *testing.T, s *store.Store, w *world, uid model.UserID) {
	t.Helper()
	type seen struct {
		Records       []model.Record
		Users, Tweets int64
		IsRead        bool
	}
	got, want := map[string]seen{}, map[string]seen{}
	for from := (model.Cursor{}); ; {
		page, _, err := s.NotificationEvents.Notifications(t.Context(), uid, nil, from, 50)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range page.Items {
			got[n.ID] = seen{n.Records, n.CountUsers, n.CountTweets, n.IsRead}
		}
		if from = page.Next; from.IsZero() {
			break
		}
	}
	for key, c := range w.previews(uid) {
		records := slices.SortedFunc(maps.Keys(c.newest), model.CompareRecords)
		want[key] = seen{records[:min(len(records), model.NotificationRecords)], int64(len(c.users)), c.tweets, false}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notifications of %s (-want +got):\n%s", uid, diff)
	}
	unread, err := s.NotificationEvents.Unread(t.Context(), uid)
	if err != nil {
		t.Fatal(err)
	}
	if unread != int64(len(want)) {
		t.Errorf("%s has %d unread notifications, want %d", uid, unread, len(want))
	}
}
