package functions_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/tweets"
)

// What people do in a history. Each act is done to the store, and to the model of the world.

func (h *history) follow(ctx context.Context, u, v model.UserID) {
	if u == v {
		return
	}
	var requested bool
	err := testenv.Patiently(func() (err error) {
		requested, err = h.store.Graph.FollowOrAsk(ctx, u, v)
		return err
	})
	if h.world.between(u, v) {
		if errs.CodeOf(err) != "not_allowed" {
			h.t.Errorf("%s follows %s beside a block: %v", u, v, err)
		}
		return
	}
	h.must(err)
	k := [2]model.UserID{u, v}
	if want := h.world.locked[v] && h.world.follows[k] == nil; requested != want {
		h.t.Errorf("%s asks to follow %s: %v, want %v", u, v, requested, want)
	}
	if requested {
		h.asked(ctx, u, v)
		return
	}
	h.answered(k)
	h.follows(ctx, u, v)
}

// answered notes that a request to follow is open no more.
func (h *history) answered(k [2]model.UserID) {
	delete(h.world.requests, k)
	h.world.gone(k[1], "followRequest", k[0], "")
}

// follows notes that u follows v by now.
func (h *history) follows(ctx context.Context, u, v model.UserID) {
	rel, err := h.store.Graph.Relationship(ctx, u, v)
	h.must(err)
	if h.world.follow(u, v, rel.CreatedAt) {
		h.world.notify(v, "follow", u, "", rel.CreatedAt)
	}
}

func (h *history) unfollow(ctx context.Context, u, v model.UserID) {
	h.must(testenv.Patiently(func() error {
		if len(h.world.underWay)%2 == 0 { // the other ends it
			return h.store.Graph.RemoveFollower(ctx, v, u)
		}
		return h.store.Graph.Unfollow(ctx, u, v)
	}))
	if k := [2]model.UserID{u, v}; h.world.requests[k] {
		h.seen.add(withdrawnRequest, 1)
		h.answered(k)
	}
	h.world.unfollow(u, v)
}

func (h *history) like(ctx context.Context, u model.UserID, id model.TweetID) {
	if err := testenv.Patiently(func() error { return h.store.Reactions.Like(ctx, u, id) }); !h.mayAct(err, u, id,
		h.lets(u, id)) {
		return
	}
	if tw := h.world.tweets[id]; !tw.likes[u] {
		tw.likes[u] = true
		like, err := h.store.Reactions.LikesBy(ctx, u, model.Cursor{}, 1)
		h.must(err)
		h.world.notify(tw.author, "like:"+string(id), u, "", like.Items[0].CreatedAt)
	}
}

// unlike takes a like back. It may be on its way to a notification.
func (h *history) unlike(ctx context.Context, u model.UserID, id model.TweetID) {
	h.must(testenv.Patiently(func() error { return h.store.Reactions.Unlike(ctx, u, id) }))
	tw := h.world.tweets[id]
	if tw.likes[u] && u != tw.author {
		h.seen.add(unlikedTweet, 1)
	}
	delete(tw.likes, u)
	h.world.gone(tw.author, "like:"+string(id), u, "")
}

func (h *history) share(ctx context.Context, u model.UserID, id model.TweetID) {
	tw := h.world.tweets[id]
	if err := testenv.Patiently(func() error { return h.store.Shares.Share(ctx, u, id) }); !h.mayAct(err, u, id,
		tw.open() && h.lets(u, id)) {
		return
	}
	if _, ok := tw.shares[u]; !ok {
		share, err := h.store.Shares.By(ctx, u, model.Cursor{}, 1)
		h.must(err)
		h.world.acts++
		tw.shares[u] = sharing{h.world.acts, share.Items[0].Position()}
		h.world.notify(tw.author, "share:"+string(id), u, "", share.Items[0].CreatedAt)
	}
}

// hide lets a reader hide what another user shares.
func (h *history) hide(ctx context.Context, reader, sharer model.UserID) {
	h.must(testenv.Patiently(func() error { return h.store.Shares.Hide(ctx, reader, sharer) }))
	h.world.hides[[2]model.UserID{reader, sharer}] = true
}

// hideOrShow lets a reader hide what a followed user shares, or see it again.
func (h *history) hideOrShow(ctx context.Context) {
	w := h.world
	var hidden, shown [][2]model.UserID // reader, sharer
	for _, reader := range w.users {
		for _, sharer := range w.users {
			switch k := [2]model.UserID{reader, sharer}; {
			case w.hides[k]:
				hidden = append(hidden, k)
			case w.follows[k] != nil && w.shares(sharer):
				shown = append(shown, k)
			}
		}
	}
	if back := h.rng.IntN(3) == 0; back && len(hidden) > 0 {
		k := pick(h.rng, hidden)
		h.must(testenv.Patiently(func() error { return h.store.Shares.Unhide(ctx, k[0], k[1]) }))
		delete(w.hides, k)
	} else if !back && len(shown) > 0 {
		k := pick(h.rng, shown)
		h.hide(ctx, k[0], k[1])
	}
}

// mayAct reports whether a user could do something with a tweet that is not flagged. It fails the test if err is not
// what the model says: a tweet that the user may not see is unknown, and one that the user sees takes the act, or not.
func (h *history) mayAct(err error, u model.UserID, id model.TweetID, takes bool) bool {
	h.t.Helper()
	want := ""
	switch {
	case !h.world.sees(u, id):
		want = "tweet_not_found"
		h.seen.add(refusedAct, 1)
	case !takes:
		want = "not_allowed"
	}
	if err != nil && errs.CodeOf(err) == want {
		return false
	}
	h.must(err)
	if want != "" {
		h.t.Errorf("%s did something with tweet %s of %s, which is %s; want %v", u, id, h.world.tweets[id].author,
			h.world.tweets[id].doc.Visibility, want)
	}
	return true
}

// delete lets an author delete a tweet. Some keep its pictures, and may post them once more.
func (h *history) delete(ctx context.Context, id model.TweetID) {
	how := tweets.Deletion{By: h.world.tweets[id].author}
	how.KeepMedia = len(h.world.tweets[id].doc.Media) > 0 && h.rng.IntN(3) > 0
	err := testenv.Patiently(func() error { return h.store.Tweets.Delete(ctx, id, how) })
	if errs.KindOf(err) != errs.Gone { // by a try that seemed to fail
		h.must(err)
	}
	if len(h.world.tweets[id].former) > 0 {
		h.seen.add(editedAndGone, 1)
	}
	if h.world.count(func(_ model.TweetID, q *tweet) bool { return q.doc.QuoteOf == id }) > 0 {
		h.seen.add(quotedAndGone, 1)
	}
	h.seen.add(keptAndGone, len(h.world.tweets[id].kept))
	h.seen.add(votedAndGone, len(h.world.tweets[id].votes))
	if how.KeepMedia {
		h.world.release(id)
		h.seen.add(pictureLeft, 1)
	}
	h.world.delete(id)
}

// pin pins a tweet of its author, or takes the pin back.
func (h *history) pin(ctx context.Context, id model.TweetID, on bool) {
	t := h.world.tweets[id]
	if !on {
		h.must(testenv.Patiently(func() error { return h.store.Pins.Unpin(ctx, t.author, id) }))
		t.pinned = false
		return
	}
	err := testenv.Patiently(func() error { return h.store.Pins.Pin(ctx, t.author, id) })
	others := h.world.count(func(other model.TweetID, o *tweet) bool {
		return o.author == t.author && o.pinned &&
			other != id
	})
	if full := !t.pinned && others >= model.MaxPins; full != (errs.CodeOf(err) == "too_many_pins") {
		h.t.Errorf("%s pins %s beside %d others: %v", t.author, id, others, err)
	} else if !full {
		h.must(err)
		t.pinned = true
	}
}

// flag flags a tweet, or takes the flag back.
func (h *history) flag(ctx context.Context, id model.TweetID, flagged bool) {
	h.must(testenv.Patiently(func() error {
		return h.store.Moderation.Flag(ctx, moderation.Actor{UID: "mo", Role: model.RoleModerator}, id, flagged, nil)
	}))
	t := h.world.tweets[id]
	told := t.telling()
	t.flagged, t.hidden = flagged, true
	h.world.tells(id, told, t.telling())
	h.world.takenBack(id, "")
}

// look reads pages of a home timeline while all sorts of things are under way, from the top or from
// some tweet on. Others share, and take shares back, between the pages. No tweet is on two of them.
func (h *history) look(ctx context.Context, u model.UserID) {
	from, _ := h.world.pickTweet(h.rng)
	last := from.Position()
	if h.rng.IntN(2) == 0 {
		last = ""
	}
	seen := map[model.TweetID]bool{}
	for from, pages := timelines.Cursor(last), 1+h.rng.IntN(6); pages > 0; pages-- {
		limit := 1 + h.rng.IntN(model.MaxPageSize)
		if h.rng.IntN(3) > 0 {
			limit = 1 + h.rng.IntN(5) // most timelines are shorter than a large page
		}
		var items []timelines.Item
		var next timelines.Cursor
		h.must(testenv.Patiently(func() (err error) {
			items, next, _, err = h.store.Timelines.Home(ctx, u, "", from, limit)
			return err
		}))
		for _, item := range items {
			if last != "" && item.Position.Compare(last) >= 0 {
				h.t.Errorf("timeline of %s has %s after %s: out of order", u, item.Position, last)
			}
			if seen[item.ID] {
				h.t.Errorf("timeline of %s has %s twice, the second time at %s", u, item.ID, item.Position)
			}
			seen[item.ID], last = true, item.Position
		}
		position, _, _ := strings.Cut(string(next), "~") // behind it stands what was shown
		if len(items) > limit || next != "" && len(items) == limit && position != string(last) {
			h.t.Errorf("page of %d of the timeline of %s has %d tweets, the last is %s, and the next page begins after %s",
				limit, u, len(items), last, next)
		}
		if from = next; next == "" {
			return
		}
		if pages > 1 {
			h.shareBetweenPages(ctx, u)
		}
	}
}

// shareBetweenPages lets users whom a reader follows share something, and take a share back.
func (h *history) shareBetweenPages(ctx context.Context, reader model.UserID) {
	w := h.world
	var followed []model.UserID
	for _, v := range w.users {
		if w.follows[[2]model.UserID{reader, v}] != nil {
			followed = append(followed, v)
		}
	}
	if id, ok := w.pickPublic(h.rng); ok && len(followed) > 0 && h.rng.IntN(2) == 0 {
		h.share(ctx, pick(h.rng, followed), id)
		h.seen.add(sharedMeanwhile, 1)
	}
	if h.rng.IntN(2) == 0 {
		return
	}
	for _, id := range w.order {
		for _, v := range followed {
			if _, ok := w.tweets[id].shares[v]; ok {
				h.unshare(ctx, v, id)
				h.seen.add(unsharedMeanwhile, 1)
				return
			}
		}
	}
}

func (h *history) unshare(ctx context.Context, u model.UserID, id model.TweetID) {
	h.must(testenv.Patiently(func() error { return h.store.Shares.Unshare(ctx, u, id) }))
	delete(h.world.tweets[id].shares, u)
	h.world.takenBack(id, u)
	h.world.gone(h.world.tweets[id].author, "share:"+string(id), u, "")
}

// choose changes what a user is told: of a kind, or of a conversation. What happened before may
// be under way.
func (h *history) choose(ctx context.Context, u model.UserID) {
	h.seen.add(unwanted, 1)
	defer h.world.chose(u)
	viewer := model.Viewer{ID: u, Role: model.Member}
	if id, ok := h.world.pickPublic(h.rng); ok && h.rng.IntN(2) == 0 && h.world.sees(u, id) {
		root, act := h.world.tweets[id].doc.RootID, h.store.Settings.Mute
		if h.world.muted[u][root] {
			act = h.store.Settings.Unmute
		}
		h.must(testenv.Patiently(func() error { return act(ctx, viewer, id) }))
		h.world.muted[u][root] = !h.world.muted[u][root]
		return
	}
	kind := pick(h.rng, model.NotificationKinds)
	off := !h.world.off[u][string(kind)]
	for _, s := range h.market.sales {
		s.chose = s.chose || s.by == u && kind == model.NotificationOrder && s.ended == 0
	}
	h.must(testenv.Patiently(func() error {
		_, err := h.store.Settings.Switch(ctx, u, map[model.NotificationKind]bool{kind: !off})
		return err
	}))
	h.world.off[u][string(kind)] = off
}

// spark is a content with some hashtags.
func (h *history) spark(what string) (content string, tags []string) {
	for _, tag := range []string{"go", "Firestore", "火花"} {
		if h.rng.IntN(3) == 0 {
			what += " #" + tag
			tags = append(tags, strings.ToLower(tag))
		}
	}
	return what, tags
}

// edit changes the text of a tweet, and with it the tags, and sometimes the audience. Every
// other edit names the version that it changes.
func (h *history) edit(ctx context.Context, id model.TweetID) {
	t := h.world.tweets[id]
	content, tags := h.spark(fmt.Sprint("edit ", len(t.former)+1))
	content, named := h.naming(content, t.told)
	var from []int
	if h.rng.IntN(2) == 0 {
		from = []int{t.doc.Revision}
	}
	patch := model.TweetPatch{Content: &content}
	if h.rng.IntN(3) == 0 {
		patch.ReplyPolicy, patch.QuotePolicy = new(pick(h.rng, policies)), new(pick(h.rng, policies))
	}
	tooWide, wantCode := false, "visibility_too_wide"
	if h.rng.IntN(2) == 0 {
		patch.Visibility = new(pick(h.rng, audiences))
		parent := t.doc.ReplyTo
		refused := h.tooWide(parent, *patch.Visibility) || parent != nil && !h.world.sees(t.author, *parent)
		if parent != nil { // nobody approved it for more people
			holder, barred := h.world.waits(t.author, id)
			if refused = refused || holder != ""; barred {
				wantCode = "not_allowed"
			}
		}
		tooWide = refused && width[*patch.Visibility] > width[t.doc.Visibility]
	}
	var edited *tweets.FullTweet
	err := testenv.Patiently(func() (err error) {
		edited, err = h.store.Edits.Edit(ctx, t.author, id, patch, from)
		return err
	})
	if tooWide && errs.CodeOf(err) == wantCode {
		return
	}
	h.must(err)
	if tooWide {
		h.t.Errorf("the reply %s became %s, although %s is narrower, hidden or gone, or its replies wait", id,
			*patch.Visibility, *t.doc.ReplyTo)
	}
	if patch.Visibility != nil && *patch.Visibility != t.doc.Visibility {
		h.seen.add(otherAudience, 1)
	}
	t.hidden = t.hidden || edited.Visibility == model.Mentioned
	if edited.Visibility != model.Public {
		tags = nil // no list has them
	}
	if got := slices.Sorted(maps.Keys(edited.Tags)); !slices.Equal(got, slices.Sorted(slices.Values(tags))) {
		h.t.Errorf("%q has the tags %q, want %q", content, got, tags)
	}
	for tag := range t.doc.Tags {
		if !slices.Contains(tags, tag) {
			h.seen.add(takenTag, 1)
		}
	}
	told := t.telling()
	t.former, t.content, t.doc = append(t.former, t.content), content, edited.Tweet
	h.world.tells(id, told, t.telling())
	if !t.open() {
		h.world.takenBack(id, "")
	}
	h.world.notifyEdit(t, *edited.UpdatedAt)
	h.mentioned(t, named, *edited.UpdatedAt)
}

// naming adds a name to some contents, of a user whom the tweet has not named.
func (h *history) naming(content string, told map[model.UserID]bool) (string, model.UserID) {
	if u := pick(h.rng, h.world.users); h.rng.IntN(3) == 0 && !told[u] {
		return content + " with @" + strings.ToUpper(string(u)), u
	}
	return content, ""
}

// mentioned notes that a tweet names a user, and nobody else. Beside a block a name is text.
func (h *history) mentioned(t *tweet, u model.UserID, at time.Time) {
	t.told[u] = u != ""
	if h.world.between(t.author, u) {
		h.seen.add(barredAct, 1)
		u = ""
	}
	if _, ok := t.doc.Mentions[string(u)]; ok != (u != "") || len(t.doc.Mentions) > 1 {
		h.t.Errorf("%q mentions %v, want %q", t.content, t.doc.Mentions, u)
	}
	if t.mentions != "" && t.mentions != u {
		h.world.gone(t.mentions, "mention", t.author, t.doc.ID)
	}
	t.mentions = u
	if u == "" {
		return
	}
	h.world.notify(u, "mention", t.author, t.doc.ID, at)
}

func (h *history) tweet(ctx context.Context, author model.UserID, parent *model.TweetID) {
	content, _ := h.spark("a spark")
	content, named := h.naming(content, nil)
	draft := model.Draft{Content: content, ReplyTo: parent, AllowLikes: true, AllowReplies: true}
	if id, ok := h.world.pickPublic(h.rng); ok && parent == nil && h.rng.IntN(4) == 0 {
		draft.QuoteOf = id
	}
	if h.rng.IntN(3) > 0 {
		draft.Visibility = pick(h.rng, audiences)
	}
	draft.AllowReplies, draft.ReplyPolicy = pick(h.rng, policies).Stored()
	allowQuotes, quotes := pick(h.rng, policies).Stored()
	draft.DenyQuotes, draft.QuotePolicy = !allowQuotes, quotes
	if h.rng.IntN(3) == 0 {
		draft.Poll = &model.NewPoll{Options: []string{"yes", "no", "perhaps"}, Minutes: model.MaxPollMinutes}
	}
	var t tweets.Posted
	refused, asDraft := "", h.rng.IntN(4) == 0
	if parent == nil && !asDraft && h.rng.IntN(4) > 0 { // a reply may have to wait, with its media
		draft.Media, refused = h.attach(ctx, author)
	}
	h.posts++
	request := model.Request{Key: fmt.Sprint("post ", h.posts), Hash: "post"} // a try may succeed and seem to fail
	err := testenv.Patiently(func() (err error) {
		if asDraft {
			t, err = h.postDraft(ctx, author, draft, request)
		} else {
			t, err = h.store.Tweets.CreateTweet(ctx, author, draft, request)
		}
		return err
	})
	if errs.CodeOf(err) == refused && refused != "" {
		return
	}
	if parent != nil && h.world.sees(author, *parent) && h.letsReply(author, *parent) &&
		h.tooWide(parent, draft.Visibility) {
		if errs.CodeOf(err) != "visibility_too_wide" {
			h.t.Errorf("a reply to %s with visibility %q: %v", *parent, draft.Visibility, err)
		}
		return
	}
	if parent != nil && !h.mayAct(err, author, *parent, h.letsReply(author, *parent)) {
		return
	}
	if quoted := h.world.tweets[draft.QuoteOf]; quoted != nil && !h.mayAct(err, author, draft.QuoteOf,
		h.letsQuote(author, draft.QuoteOf)) {
		return
	}
	if parent != nil && h.wait(t, err, heldReply{author: author, parent: *parent, draft: draft, named: named}) {
		return
	}
	if h.must(err); refused != "" {
		h.t.Errorf("a post with %v is not refused with %s", draft.Media, refused)
	}
	h.posted(author, parent, draft, named, t.FullTweet)
}

// posted notes a new tweet.
func (h *history) posted(author model.UserID, parent *model.TweetID, draft model.Draft, named model.UserID,
	t *tweets.FullTweet) {
	want := draft.Visibility
	switch {
	case want != "":
	case parent != nil:
		want = h.world.tweets[*parent].doc.Visibility
	default:
		want = model.Public
	}
	if t.Visibility != want {
		h.t.Errorf("tweet %s has visibility %s, want %s", t.ID, t.Visibility, want)
	}
	h.world.add(t.Tweet, draft.Content)
	h.attached(t.Tweet, draft.Media)
	h.tellSubscribers(t.Tweet)
	h.mentioned(h.world.tweets[t.ID], named, t.CreatedAt)
	if parent != nil {
		h.world.notify(h.world.tweets[*parent].author, "reply:"+string(*parent), author, t.ID, t.CreatedAt)
	}
	if quoted := h.world.tweets[draft.QuoteOf]; quoted != nil && h.world.tweets[t.ID].open() {
		h.world.notify(quoted.author, "quote:"+string(draft.QuoteOf), author, t.ID, t.CreatedAt)
	}
}

// postDraft posts a tweet as a draft that two processes post at once. A draft that is refused
// stays.
func (h *history) postDraft(ctx context.Context, author model.UserID, d model.Draft,
	r model.Request) (none tweets.Posted, _ error) {
	saved, err := h.store.Drafts.Save(ctx, author, model.SavedDraft{Draft: d}, r)
	if err != nil {
		return none, err
	}
	h.seen.add(postedDraft, 1)
	var posted [2]tweets.Posted
	failures := testenv.AtOnce(len(posted), func(i int) (err error) {
		posted[i], err = []*store.Store{h.store, h.stack.Store}[i].Drafts.Publish(ctx, author, saved.ID)
		return err
	})
	left, err := h.store.Drafts.Of(ctx, author, model.Cursor{}, 10)
	h.must(err)
	const gone = "draft_not_found"
	switch {
	case errs.CodeOf(failures[0]) == gone && errs.CodeOf(failures[1]) == gone && len(left.Items) == 0:
		return h.unknownPosted(ctx, author, d), nil // the commit of one of them happened, and seemed to fail
	case failures[0] == nil && failures[1] == nil:
		h.t.Errorf("a draft was posted as %+v and %+v", posted[0], posted[1])
	case failures[0] == nil || failures[1] == nil:
		lost, won := failures[0], posted[1]
		if lost == nil {
			lost, won = failures[1], posted[0]
		}
		if code := errs.CodeOf(lost); code != gone || len(left.Items) > 0 {
			h.t.Errorf("the second of two processes that post a draft: %v; %d drafts are left", lost, len(left.Items))
		}
		return won, nil
	case len(left.Items) != 1:
		h.t.Errorf("%d drafts are left of one that was refused: %v, %v", len(left.Items), failures[0], failures[1])
	}
	h.must(h.store.Drafts.Delete(ctx, author, saved.ID))
	return none, failures[0]
}

// unknownPosted is what became of a draft, and the model does not know.
func (h *history) unknownPosted(ctx context.Context, author model.UserID, d model.Draft) tweets.Posted {
	page, err := h.store.HeldReplies.By(ctx, author, model.Cursor{}, model.MaxHeldTo)
	h.must(err)
	for _, r := range page.Items {
		if h.world.held[r.ID] == nil && r.Content == d.Content {
			return tweets.Posted{Held: r}
		}
	}
	return tweets.Posted{FullTweet: h.unknown(ctx, author)}
}

// unknown is the tweet of an author that the model does not know.
func (h *history) unknown(ctx context.Context, author model.UserID) *tweets.FullTweet {
	snaps, err := h.raw.Collection(model.Tweets).Where("authorId", "==", author).Documents(ctx).GetAll()
	h.must(err)
	for _, snap := range snaps {
		if id := model.TweetID(snap.Ref.ID); h.world.tweets[id] == nil {
			t, err := h.store.Tweets.Tweet(ctx, id, model.Viewer{ID: author, Role: model.Member})
			h.must(err)
			return t
		}
	}
	h.t.Fatalf("a draft of %s was posted, and there is no tweet", author)
	return nil
}

// tooWide reports whether a reply to a tweet may not have an audience.
func (h *history) tooWide(parent *model.TweetID, a model.Audience) bool {
	if parent == nil || a == "" {
		return false
	}
	t := h.world.tweets[*parent]
	return t == nil || width[a] > width[t.doc.Visibility]
}
