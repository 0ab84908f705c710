package functions_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// world is the sequential model: what is, if everything happened at once and in
// order.
type world struct {
	users   []model.UserID
	follows map[[2]model.UserID]*follow // follower, followed
	tweets  map[model.TweetID]*tweet
	uploads map[model.MediaID]*upload

	hides    map[[2]model.UserID]bool // reader, sharer
	mutes    map[[2]model.UserID]model.MutePart
	locked   map[model.UserID]bool
	requests map[[2]model.UserID]bool // follower, followed

	blocks map[[2]model.UserID]bool // blocker, blockee
	// what leaves the blocker's notifications unless the blocker unblocks before
	accountDeletion map[[2]model.UserID][]*told
	order           []model.TweetID // of tweets, those that exist, for picking

	underWay []*told          // what users should be told, and may not have been told yet
	unsure   []*told          // what users may have been told, or not, or at one time or another
	heard    []*told          // what users were told, or would have been before it was taken back
	edits    map[string]*told // what tells users of edits, by tweet, user and day

	off   map[model.UserID]map[string]bool        // kinds of notification events that a user switched off
	muted map[model.UserID]map[model.TweetID]bool // conversations, by their roots

	holds map[model.UserID]bool // new threads hold replies of strangers
	held  map[string]*heldReply

	choices choices
	talks   talks
	watches watches
	senders senders

	acts int              // how many shares and follows there were
	now  func() time.Time // the API's clock
}

type tweet struct {
	author model.UserID
	doc    *model.Tweet
	likes  map[model.UserID]bool
	shares map[model.UserID]sharing
	kept   map[model.UserID]bool // bookmarked by
	votes  map[model.UserID]int  // in the poll, by option
	pinned bool

	mentions model.UserID          // nobody, or one user
	told     map[model.UserID]bool // whom it names, or did
	content  string
	former   []string // what the content was before each edit

	heldBy  model.UserID // for whose approval replies of strangers wait
	folded  bool         // hidden in its thread
	flagged bool
	hidden  bool // in no list of its author's tweets once: flagged, or for the mentioned
}

// audiences are those that people choose, most of them everybody.
var audiences = []model.Audience{model.Public, model.Public, model.Public, model.Public, model.Unlisted,
	model.Followers, model.Followers, model.Mentioned}

// width is how many people an audience has, the more the wider.
var width = map[model.Audience]int{model.Mentioned: 1, model.Followers: 2, model.Unlisted: 3, model.Public: 4}

// open reports whether everybody may see the tweet.
func (t *tweet) open() bool { return !t.flagged && width[t.doc.Visibility] > 2 }

// listed reports whether the tweet is in lists of its author's tweets, of those who may see it.
func (t *tweet) listed() bool { return !t.flagged && width[t.doc.Visibility] > 1 }

// sees reports whether a user may see a tweet.
func (w *world) sees(u model.UserID, id model.TweetID) bool {
	t := w.tweets[id]
	switch {
	case t.open(), t.author == u:
		return true
	case t.flagged:
		return false
	case t.doc.ReplyTo != nil && t.doc.ReplyToAuthorID == u, t.mentions == u:
		return true
	}
	return t.doc.Visibility == model.Followers && w.follows[[2]model.UserID{u, t.author}] != nil
}

// sharing is a share.
type sharing struct {
	act      int
	position model.Position
}

type follow struct {
	act int
	at  time.Time
}

// told is one thing that a user is told, perhaps.
type told struct {
	kind     model.NotificationKind
	to, by   model.UserID
	groupKey string
	tweet    model.TweetID     // the reply, quote or mention; for other kinds empty
	status   model.OrderStatus // of an order
	at       []time.Time       // one of these
	wanted   bool              // by what the user chose then
	filtered bool              // not wanted because of the policy alone, and in the requests
	either   bool              // the user chose otherwise while this was under way, or it was taken back
	gone     bool              // the source document is deleted
	settled  bool              // of a post: all that was under way has come
}

// preview is a notification of the model.
type preview struct {
	users  map[model.UserID]bool
	newest map[model.Record]bool // by user and reply, with the latest time
	tweets int64
}

func newWorld(users int, now func() time.Time) *world {
	w := &world{now: now, edits: map[string]*told{}, follows: map[[2]model.UserID]*follow{},
		hides: map[[2]model.UserID]bool{}, mutes: map[[2]model.UserID]model.MutePart{},
		locked: map[model.UserID]bool{}, requests: map[[2]model.UserID]bool{},
		blocks: map[[2]model.UserID]bool{}, accountDeletion: map[[2]model.UserID][]*told{},
		holds: map[model.UserID]bool{}, held: map[string]*heldReply{},
		tweets: map[model.TweetID]*tweet{}, uploads: map[model.MediaID]*upload{}, off: map[model.UserID]map[string]bool{},
		muted: map[model.UserID]map[model.TweetID]bool{}, choices: newChoices(), talks: newTalks(), watches: newWatches(),
		senders: newSenders()}
	for i := range users {
		u := model.UserID(fmt.Sprintf("user_%d", i))
		w.users, w.off[u], w.muted[u] = append(w.users, u), map[string]bool{}, map[model.TweetID]bool{}
	}
	return w
}

// follow reports whether it is new.
func (w *world) follow(u, v model.UserID, at time.Time) bool {
	k := [2]model.UserID{u, v}
	if w.follows[k] != nil {
		return false
	}
	w.acts++
	w.follows[k] = &follow{act: w.acts, at: at}
	w.chose(u)
	return true
}

var tokyo = time.FixedZone("", 9*60*60)

// notify notes that a user is told something, or would be if the user wanted.
func (w *world) notify(notified model.UserID, groupKey string, by model.UserID, reply model.TweetID, at time.Time) {
	if notified == by {
		return
	}
	kind, _, _ := strings.Cut(groupKey, ":")
	n := &told{kind: model.NotificationKind(kind), to: notified, by: by, groupKey: groupKey, tweet: reply,
		at: []time.Time{at}}
	n.wanted, n.filtered = w.wants(n), w.filters(n)
	w.underWay = append(w.underWay, n)
}

// wants reports whether a user wants to be told something, by what the user chose and whom one of the two blocks.
func (w *world) wants(n *told) bool { return w.allows(n) && w.action(n) == model.SenderAccept }

// filters reports whether something comes to a user's requests.
func (w *world) filters(n *told) bool { return w.allows(n) && w.action(n) == model.SenderFilter }

// allows is wants without the policy about senders. A reply that mentions whom it answers is told as a reply, or else
// as a mention.
func (w *world) allows(n *told) bool {
	reply := n.tweet != "" && w.tweets[n.tweet] != nil && w.tweets[n.tweet].doc.ReplyTo != nil &&
		w.tweets[n.tweet].doc.ReplyToAuthorID == n.to
	switch {
	case n.kind != model.NotificationOrder && (w.between(n.to, n.by) || w.silences(n)):
		return false
	case w.off[n.to][string(n.kind)], n.kind == model.NotificationMention && reply &&
		!w.off[n.to][string(model.NotificationReply)]:
		return false
	case n.kind.CountsTweets() && n.kind != model.NotificationQuote && w.tweets[n.tweet] != nil:
		return !w.muted[n.to][w.tweets[n.tweet].doc.RootID]
	}
	return true
}

// silences reports whether a mute keeps away what a user would be told.
func (w *world) silences(n *told) bool {
	switch w.mutes[[2]model.UserID{n.to, n.by}] {
	case model.MuteAll:
		return true
	case model.MuteShares:
		return n.kind == model.NotificationShare
	case model.MuteReplies:
		return n.kind == model.NotificationReply || n.kind == model.NotificationMention && w.tweets[n.tweet] != nil &&
			answersOther(w.tweets[n.tweet])
	}
	return false
}

// mutesTweet reports whether a user's home timeline leaves out a tweet, whoever shares it.
func (w *world) mutesTweet(u model.UserID, t *tweet) bool {
	part := w.mutes[[2]model.UserID{u, t.author}]
	return part == model.MuteAll || part == model.MuteReplies && answersOther(t)
}

// answersOther reports whether a tweet is a reply to somebody else than its author.
func answersOther(t *tweet) bool { return t.doc.ReplyTo != nil && t.doc.ReplyToAuthorID != t.author }

// hidesShares reports whether a user does not see what another shares.
func (w *world) hidesShares(u, sharer model.UserID) bool {
	k := [2]model.UserID{u, sharer}
	return w.hides[k] || w.mutes[k] == model.MuteAll || w.mutes[k] == model.MuteShares
}

// chose notes that a user chose otherwise. What is under way to the user comes by the one
// choice or by the other.
func (w *world) chose(u model.UserID) {
	for _, n := range w.underWay {
		if n.to == u && (n.wanted != w.wants(n) || n.filtered != w.filters(n)) {
			n.either = true
		}
	}
}

// notifyEdit notes that those are told of an edit who share the tweet, once a day. Of an edit that
// hides the tweet they may be told if another one shows it again before the first is handled.
func (w *world) notifyEdit(t *tweet, at time.Time) {
	for u := range t.shares {
		if u == t.author {
			continue
		}
		key := string(t.doc.ID) + " " + string(u) + " " + at.In(tokyo).Format(time.DateOnly)
		if n := w.edits[key]; n != nil {
			n.at = append(n.at, at)
			if n.gone { // by a block; if nobody was told of the edits before it, this one may be told
				n.gone, n.either = false, true
			}
			continue
		}
		n := &told{kind: model.NotificationEdit, to: u, by: t.author, groupKey: "edit:" + string(t.doc.ID),
			at: []time.Time{at}}
		n.wanted, n.either = w.wants(n), !t.open()
		w.edits[key] = n
		w.underWay = append(w.underWay, n)
	}
}

// takenBack notes that those who share a tweet, or one of them, may not be told any more of the
// edits that are under way.
func (w *world) takenBack(id model.TweetID, sharer model.UserID) {
	for _, n := range w.underWay {
		if n.kind == model.NotificationEdit && n.groupKey == "edit:"+string(id) && (sharer == "" || n.to == sharer) {
			n.either = true
		}
	}
}

// gone notes that a fact is: a user is told no more that another did something in a slot. A reply,
// quote or mention is named by its tweet.
func (w *world) gone(notified model.UserID, groupKey string, by model.UserID, reply model.TweetID) {
	for _, all := range [][]*told{w.underWay, w.unsure, w.heard, w.senders.filtered} {
		for _, n := range all {
			n.gone = n.gone || n.to == notified && n.groupKey == groupKey && n.by == by && n.tweet == reply
		}
	}
}

// goneWith notes that everything is that was told of a tweet, and of its likes and shares.
func (w *world) goneWith(id model.TweetID) {
	for _, all := range [][]*told{w.underWay, w.unsure, w.heard, w.senders.filtered} {
		for _, n := range all {
			n.gone = n.gone || n.tweet == id || n.groupKey == "like:"+string(id) || n.groupKey == "share:"+string(id)
		}
	}
}

// delivered notes that everything under way has come.
func (w *world) delivered() {
	for _, n := range w.underWay {
		switch {
		case n.gone:
		case n.either, n.kind == model.NotificationEdit && n.wanted: // which edit came first decides about the time
			w.unsure = append(w.unsure, n)
		case n.wanted:
			w.heard = append(w.heard, n)
		case n.filtered:
			w.senders.filtered = append(w.senders.filtered, n)
		}
	}
	w.underWay = nil
}

// previews returns a user's notifications, by group key and day.
func (w *world) previews(uid model.UserID) map[string]*preview {
	previews := map[string]*preview{}
	for _, n := range w.heard {
		if n.to != uid || n.gone {
			continue
		}
		key := n.groupKey + "_" + n.at[0].In(tokyo).Format(time.DateOnly)
		if previews[key] == nil {
			previews[key] = &preview{users: map[model.UserID]bool{}, newest: map[model.Record]bool{}}
		}
		previews[key].put(n)
	}
	return previews
}

// put adds a notification event to the notification.
func (c *preview) put(n *told) {
	c.users[n.by] = true
	if n.tweet != "" {
		c.tweets++
	}
	for r := range c.newest {
		if r.UserID == n.by && r.TweetID == n.tweet && r.OrderStatus == n.status {
			delete(c.newest, r)
		}
	}
	c.newest[model.Record{At: n.at[0].UTC(), UserID: n.by, TweetID: n.tweet, OrderStatus: n.status}] = true
}

func (w *world) unfollow(u, v model.UserID) {
	delete(w.follows, [2]model.UserID{u, v})
	w.chose(u)
	w.unsubscribe(u, v)
	w.gone(v, "follow", u, "")
}

func (w *world) add(t *model.Tweet, content string) {
	var holder model.UserID
	switch {
	case t.ReplyTo != nil:
		holder = w.tweets[*t.ReplyTo].heldBy
	case w.holds[t.AuthorID]:
		holder = t.AuthorID
	}
	w.tweets[t.ID] = &tweet{author: t.AuthorID, doc: t, content: content, hidden: t.Visibility == model.Mentioned,
		heldBy: holder, told: map[model.UserID]bool{}, likes: map[model.UserID]bool{}, shares: map[model.UserID]sharing{},
		kept: map[model.UserID]bool{}, votes: map[model.UserID]int{}}
	w.order = append(w.order, t.ID)
}

// release makes the uploads of a tweet those of none.
func (w *world) release(id model.TweetID) {
	for _, u := range w.uploads {
		if u.tweet == id {
			u.tweet = ""
		}
	}
}

func (w *world) delete(id model.TweetID) {
	w.takenBack(id, "")
	w.goneWith(id)
	delete(w.tweets, id)
	maps.DeleteFunc(w.uploads, func(_ model.MediaID, u *upload) bool { return u.tweet == id })
	w.order = slices.DeleteFunc(w.order, func(other model.TweetID) bool { return other == id })
}

// reconcile records that every event had its effect.
func (w *world) reconcile() {
	clear(w.talks.doubt)
	for k, all := range w.accountDeletion {
		for _, n := range all {
			n.gone = true
		}
		delete(w.accountDeletion, k)
	}
}

func (w *world) pickTweet(rng *rand.Rand) (model.TweetID, bool) {
	if len(w.order) == 0 {
		return "", false
	}
	return pick(rng, w.order), true
}

// pickPublic picks a tweet that is not flagged.
func (w *world) pickPublic(rng *rand.Rand) (model.TweetID, bool) {
	id, ok := w.pickTweet(rng)
	return id, ok && !w.tweets[id].flagged
}

// pick picks one of some tweets.
func (w *world) pick(rng *rand.Rand, of func(*tweet) bool) (model.TweetID, bool) {
	some := slices.DeleteFunc(slices.Clone(w.order), func(id model.TweetID) bool { return !of(w.tweets[id]) })
	if len(some) == 0 {
		return "", false
	}
	return pick(rng, some), true
}

// by lists what an author has written, newest first.
func (w *world) by(author model.UserID) []model.TweetID {
	own := maps.Clone(w.tweets)
	maps.DeleteFunc(own, func(_ model.TweetID, t *tweet) bool { return t.author != author })
	return model.Newest(own, 0)
}

// mostFollowed is the user with the most followers.
func (w *world) mostFollowed() model.UserID {
	followers := map[model.UserID]int{}
	for k := range w.follows {
		followers[k[1]]++
	}
	return slices.MaxFunc(w.users, func(a, b model.UserID) int { return followers[a] - followers[b] })
}

func (w *world) count(what func(id model.TweetID, t *tweet) bool) (n int64) {
	for id, t := range w.tweets {
		if what(id, t) {
			n++
		}
	}
	return n
}

// sharers are the users who brought a tweet to a user's home timeline, and where it stands for
// each.
func (w *world) sharers(u model.UserID, id model.TweetID) map[model.Position]model.UserID {
	return w.broughtBy(u, id, false)
}

// broughtBy lists the users who brought a tweet to a user's home timeline, or would if the user
// did not hide what they share.
func (w *world) broughtBy(u model.UserID, id model.TweetID, hidden bool) map[model.Position]model.UserID {
	all := map[model.Position]model.UserID{}
	for by, s := range w.tweets[id].shares {
		k := [2]model.UserID{u, by}
		if f := w.follows[k]; f != nil && f.act < s.act && w.tweets[id].open() && w.hidesShares(u, by) == hidden &&
			!w.leavesOut(u, by) &&
			!w.between(u, w.tweets[id].author) && w.mutes[[2]model.UserID{u, w.tweets[id].author}] != model.MuteAll {
			all[s.position] = by
		}
	}
	return all
}

// shares reports whether a user shares something.
func (w *world) shares(u model.UserID) bool {
	return w.count(func(_ model.TweetID, t *tweet) bool { _, ok := t.shares[u]; return ok }) > 0
}

// timeline returns the tweets that a home timeline shows. since says when the reader followed each author. Of the
// tweets from before a follow it shows the newest twenty.
func (w *world) timeline(u model.UserID, since map[model.UserID]time.Time) map[model.TweetID]bool {
	shown := map[model.TweetID]bool{}
	for _, id := range w.by(u) {
		shown[id] = true
	}
	for k := range w.follows {
		if k[0] != u || w.leavesOut(u, k[1]) {
			continue
		}
		earlier := 0
		for _, id := range w.by(k[1]) {
			if !w.tweets[id].listed() {
				continue
			}
			if id.Time().Before(since[k[1]]) {
				earlier++
			}
			if earlier <= model.RecentTweets {
				shown[id] = true
			}
		}
	}
	for _, id := range w.tagged(u) {
		shown[id] = true
	}
	for id, t := range w.tweets {
		if len(w.sharers(u, id)) > 0 {
			shown[id] = true
		}
		if !t.listed() || w.mutesTweet(u, t) {
			delete(shown, id)
		}
	}
	return shown
}
