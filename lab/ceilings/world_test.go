package ceilings

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
)

// world is what the requests find. Each part is larger than one page.
type world struct {
	// with a profile, follows users of the present month alone, without a profile, with notifications
	viewer, fan, bare, loud testenv.Account
	hundred                 testenv.Account // follows 100 users of older tweets
	deep                    testenv.Account // follows 100 users whose heads end above the tweets of their month
	collector               testenv.Account // likes, shares and keeps each tweet that others like alone
	friend                  testenv.Account // follows 110 users who follow back
	tagger                  testenv.Account // follows as many tags as one may, each with tweets by as many authors
	wary                    testenv.Account // as friend, and mutes them in part, without a whole graph
	seeker, newcomer        testenv.Account // who has suggestions, and who has none
	anonymous, admin        string          // tokens
	essay                   model.TweetID   // long enough for a gist
	longs                   []model.TweetID // a batch of tweets that are longer than their snippets
	longTalk                model.TweetID   // the first of a thread of such tweets
	tweet, gone, own, quote model.TweetID   // own is by the viewer, and quote is of tweet
	poll                    model.TweetID   // a quote, too
	voted                   []model.TweetID // polls of ann's in which the viewer has voted
	answer                  model.TweetID   // a reply to own that quotes it
	heldThread              model.TweetID   // a quote in a thread of seldom's that holds replies
	held                    []string        // replies that wait for the viewer: one that quotes, and one with 4 pictures
	filtered                []string        // senders of the viewer's notification requests
	ids                     []model.TweetID // of tweets by ann
	crowd                   []model.TweetID // by as many users in as many months
	media                   []model.MediaID // of the viewer: to be deleted, of a tweet that is gone, and 4 for a post
	invented                string          // ids in as many months
	album                   model.TweetID   // by the viewer, with 4 pictures and their long descriptions
	// of the viewer with others: the first of 32, some of two, and the last a request of a stranger
	conversations []model.ConversationID
	app, asked    string // an app that the viewer let in, with 99 others, and its request
}

const many = 110

// crowdedText has as many tags and mentions as a tweet may have.
const crowdedText = "#a #b #c #d #e #f #g #h #i #j @user_000 @user_001 @user_002 @user_003 @user_004 @user_005 " +
	"@user_006 @user_007 @user_008 @user_009 @user_010"

// build writes a database in which every page is full, nothing is cached, and the viewer's
// month of reactions is full, so that a page asks for the like of each tweet, and for shares and
// bookmarks.
func build(t *testing.T, e *env) *world {
	t.Helper()
	w := &world{viewer: e.account(t, "viewer"), fan: e.account(t, "fan"), bare: testenv.SignUp(t, ""),
		hundred: e.account(t, "hundred"), deep: e.account(t, "deep"), loud: e.account(t, "loud"),
		collector: e.account(t, "collector"), friend: e.account(t, "friend"), wary: e.account(t, "wary"),
		seeker: e.account(t, "seeker"), newcomer: e.account(t, "newcomer"), tagger: e.account(t, "tagger")}
	w.anonymous = visitor(t)
	w.admin = testenv.Token(emulators.DefaultProject, map[string]any{"sub": w.viewer.UID, "admin": true})
	now := time.Now().UTC()
	ann := &model.User{ID: "ann", Username: "ann", CreatedAt: now, Bot: true,
		PinnedTags: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}}
	docs := map[string]any{model.Users + "/ann": ann, model.Usernames + "/ann": model.Username{UID: "ann"},
		model.UserDetails + "/ann": model.UserDetail{}}
	newIDs := model.NewTweetIDs(func() time.Time { return now })
	old := func(months int) time.Time {
		return time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	}
	long := strings.Repeat("x", model.MaxSnippet) // with more, the text is a read of its own
	root, text, err := model.NewTweet(newIDs.Next("ann"), ann, nil, model.Draft{Content: "#go " + long, AllowLikes: true,
		AllowReplies: true})
	testenv.Must(t, err)
	w.tweet, root.Revision = root.ID, model.MaxRevisions
	docs[model.Tweets+"/"+string(root.ID)] = root
	docs[model.TweetDetails+"/"+string(root.ID)] = text
	essay, words, err := model.NewTweet(newIDs.Next("ann"), ann, nil, model.Draft{
		Content: strings.Repeat("x", model.MinGisted)})
	testenv.Must(t, err)
	w.essay, docs[model.Tweets+"/"+string(essay.ID)] = essay.ID, essay
	docs[model.TweetDetails+"/"+string(essay.ID)] = words
	for n := range 6 {
		m := &model.Media{OwnerID: model.UserID(w.viewer.UID), Kind: model.MediaTweet, State: model.MediaReady,
			Type: model.MediaImage, Sizes: map[string]model.MediaSize{model.SizeSmall: {Bytes: 1}}}
		if n == 1 {
			m.TweetID = newIDs.Next("ann")
		}
		w.media = append(w.media, model.NewMediaID())
		docs[model.MediaRecords+"/"+string(w.media[n])] = m
	}
	w.pictured(t, docs, newIDs.Next(model.UserID(w.viewer.UID)))
	w.apps(t, docs, now)
	for n := range model.MaxRevisions {
		docs[model.Tweets+"/"+string(root.ID)+"/"+model.Revisions+"/"+model.RevisionKey(n+1)] = model.Revision{
			AuthorID: "ann", Content: "#go", WrittenAt: now, ReplacedAt: now}
	}
	for i := range many {
		quote, words, err := model.NewTweet(newIDs.Next("cat"), &model.User{ID: "cat"}, nil,
			model.Draft{Content: "x" + long, Visibility: model.Followers})
		testenv.Must(t, err)
		quote.AuthorID = model.UserID(fmt.Sprintf("user_%03d", i))
		quote.Quote(root)
		docs[model.Tweets+"/"+string(quote.ID)] = quote
		docs[model.Likes+"/"+model.ReactionKey(model.UserID(w.wary.UID), quote.ID)] = model.Like{
			UserID: model.UserID(w.wary.UID), TweetID: quote.ID, AuthorID: quote.AuthorID, CreatedAt: now}
		if i == 0 {
			quote.Visibility, w.quote = model.Public, quote.ID
			docs[model.TweetDetails+"/"+string(quote.ID)] = words
			quote.DenyQuotes, quote.ReplyPolicy, quote.QuotePolicy = true, model.PolicyFollowers, model.PolicyFollowers
		}
	}
	own, detail, err := model.NewTweet(newIDs.Next(model.UserID(w.viewer.UID)),
		&model.User{ID: model.UserID(w.viewer.UID)}, nil, model.Draft{Content: "#a #b #c #d #e #f #g #h #i #j"})
	testenv.Must(t, err)
	w.own = own.ID
	docs[model.Tweets+"/"+string(own.ID)] = own
	docs[model.TweetDetails+"/"+string(own.ID)] = detail
	answer, _, err := model.NewTweet(newIDs.Next("ann"), ann, own, model.Draft{Content: "re"})
	testenv.Must(t, err)
	answer.Quote(own)
	w.answer, docs[model.Tweets+"/"+string(answer.ID)] = answer.ID, answer
	asks, question, err := model.NewTweet(newIDs.Next("ann"), ann, nil,
		model.Draft{Content: "?" + long, Poll: &model.NewPoll{Options: []string{"yes", "no"}, Minutes: model.MaxPollMinutes}})
	testenv.Must(t, err)
	asks.Quote(root)
	w.poll = asks.ID
	docs[model.Tweets+"/"+string(asks.ID)] = asks
	docs[model.TweetDetails+"/"+string(asks.ID)] = question
	docs[model.Polls+"/"+string(asks.ID)] = asks.PollCounts()
	for range model.MaxPollBatch {
		asks, _, err := model.NewTweet(newIDs.Next("ann"), ann, nil,
			model.Draft{Content: "?", Poll: &model.NewPoll{Options: []string{"yes", "no"}, Minutes: model.MaxPollMinutes}})
		testenv.Must(t, err)
		viewer := model.UserID(w.viewer.UID)
		w.voted, docs[model.Tweets+"/"+string(asks.ID)] = append(w.voted, asks.ID), asks
		docs[model.Polls+"/"+string(asks.ID)] = asks.PollCounts()
		docs[model.Votes+"/"+model.ReactionKey(viewer, asks.ID)] = model.Vote{UserID: viewer, TweetID: asks.ID,
			AuthorID: "ann", Option: 1, ClosesAt: asks.Poll.ClosesAt, CreatedAt: now}
	}
	docs[model.AnnouncementLists+"/all"] = model.Announcements{Announcements: map[string]model.Announcement{
		"maintenance": {Title: "Maintenance", StartsAt: now}}}
	docs[model.Invitations+"/AAAABBBBCCCCDDDD"] = model.Invitation{MaxUses: 1, ExpireAt: now.Add(time.Hour)}
	docs[model.Instances+"/this"] = model.Instance{Terms: model.Terms{Version: 1, Text: "Be kind.", At: now}}
	docs[model.Users+"/recluse"] = model.User{Username: "recluse", Locked: true, CreatedAt: now}
	docs[model.FollowRequests+"/"+model.FollowRequestKey("recluse", model.UserID(w.viewer.UID))] = model.FollowRequest{
		FollowerID: "recluse", FollowedID: model.UserID(w.viewer.UID), CreatedAt: now.Add(-time.Hour)}
	for i := range model.MaxRequestsTo - 1 {
		asker := model.UserID(fmt.Sprint("asker_", i))
		docs[model.FollowRequests+"/"+model.FollowRequestKey(asker, "recluse")] = model.FollowRequest{FollowerID: asker,
			FollowedID: "recluse", CreatedAt: now}
	}
	w.gone = newIDs.Next("ann")
	docs[model.Tombstones+"/"+string(w.gone)] = model.Tombstone{AuthorID: "ann", FormerType: "tweet", DeletedAt: now}
	viewer, collector, month := model.UserID(w.viewer.UID), model.UserID(w.collector.UID), model.MonthOf(now)
	wary, loud := model.UserID(w.wary.UID), model.UserID(w.loud.UID)
	mutes := func(uid, muted model.UserID, at time.Time) { // the replies alone, so that it hides nothing else
		docs[model.MutedUsers+"/"+model.MutedUserKey(uid, muted)] = model.MutedUser{UserID: uid, MutedID: muted,
			Part: model.MuteReplies, CreatedAt: at}
	}
	docs[model.DeviceLists+"/"+string(viewer)] = model.Devices{Devices: map[string]model.Device{
		"app": {Endpoint: "https://push.test/app", App: &model.DeviceApp{}, At: now},
		"old": {Endpoint: "https://push.test/old", At: now.AddDate(-1, 0, 0)}}} // from before the sessions that hold
	w.filter(docs, now)
	people(w, docs, now)
	botsOf(w, docs, now)
	heads := map[model.UserID]*model.Head{}
	head := func(uid model.UserID) *model.Head {
		if heads[uid] == nil {
			heads[uid] = new(model.NewHead(uid))
		}
		return heads[uid]
	}
	follows := map[string]map[string]any{} // of whole documents of the graph
	follow := func(reader, author string) {
		if follows[reader] == nil {
			follows[reader] = map[string]any{}
		}
		follows[reader][author] = now.AddDate(-1, 0, 0)
	}
	listed := map[string]any{} // followers of bea
	docs[model.FollowerLists+"/bea"] = map[string]any{"followers": listed, "whole": true}
	noticed := map[string]model.Notification{}
	var invented []string
	hours := map[string]model.Trending{} // three hours of 16 parts each, with tweets of 20 months
	for n := range model.TrendHours * model.TrendShards {
		hours[model.Trends+"/"+model.TrendKey(model.HourOf(now).Add(-n%model.TrendHours), n/model.TrendHours)] =
			model.Trending{}
	}
	for i := range many {
		at := now.Add(-time.Duration(i) * time.Second)
		reply, _, err := model.NewTweet(newIDs.Next("ann"), ann, root, model.Draft{Content: "#go @viewer",
			Found: map[string]model.UserID{"viewer": viewer}, AllowLikes: true, AllowReplies: true})
		testenv.Must(t, err)
		w.ids = append(w.ids, reply.ID)
		said, _, err := model.NewTweet(newIDs.Next(viewer), &model.User{ID: viewer}, nil,
			model.Draft{Content: "psst", Visibility: model.Mentioned})
		testenv.Must(t, err)
		docs[model.Tweets+"/"+string(said.ID)] = said
		docs[model.Tweets+"/"+string(reply.ID)] = reply
		head("ann").PutPreview(reply.ID, reply.Preview())
		lostNow := newIDs.Next("gone") // an entry of a tweet that is gone, newer than all that are there
		head(model.UserID(fmt.Sprint("gone_", i/model.HeadItems))).PutPreview(lostNow, reply.Preview())
		user := model.UserID(fmt.Sprintf("user_%03d", i))
		docs[model.Users+"/"+string(user)] = model.User{Username: string(user), CreatedAt: now}
		docs[model.Usernames+"/"+string(user)] = model.Username{UID: user}
		fan := fmt.Sprintf("fan_%03d", i) // whose profile no other list has shown
		docs[model.Users+"/"+fan] = model.User{Username: fan, CreatedAt: now.AddDate(-1, 0, 0)}
		listed[fan] = at
		docs[model.Relationships+"/"+model.RelationshipKey(user, "ann")] = model.Relationship{FollowerID: user,
			FollowedID: "ann", CreatedAt: at}
		docs[model.Relationships+"/"+model.RelationshipKey("ann", user)] = model.Relationship{FollowerID: "ann",
			FollowedID: user, CreatedAt: at}
		docs[model.Relationships+"/"+model.RelationshipKey(user, viewer)] = model.Relationship{FollowerID: user,
			FollowedID: viewer, CreatedAt: at}
		docs[model.Relationships+"/"+model.RelationshipKey(viewer, user)] = model.Relationship{FollowerID: viewer,
			FollowedID: user, CreatedAt: at}
		docs[model.FollowRequests+"/"+model.FollowRequestKey(user, viewer)] = model.FollowRequest{FollowerID: user,
			FollowedID: viewer, CreatedAt: at}
		for _, uid := range []model.UserID{viewer, wary, loud} {
			mutes(uid, user, at)
		}
		for _, uid := range []model.UserID{wary, model.UserID(w.friend.UID)} {
			docs[model.Relationships+"/"+model.RelationshipKey(user, uid)] = model.Relationship{FollowerID: user,
				FollowedID: uid, CreatedAt: at}
			docs[model.Relationships+"/"+model.RelationshipKey(uid, user)] = model.Relationship{FollowerID: uid,
				FollowedID: user, CreatedAt: at}
		}
		docs[model.Likes+"/"+model.ReactionKey(wary, reply.ID)] = model.Like{UserID: wary, TweetID: reply.ID, AuthorID: "ann",
			CreatedAt: at}
		follow(w.friend.UID, string(user))
		follow(w.wary.UID, string(user))
		docs[model.MutedSharers+"/"+model.MutedSharerKey(viewer, user)] = model.MutedSharer{UserID: viewer, SharerID: user,
			CreatedAt: at}
		docs[model.Likes+"/"+model.ReactionKey(user, root.ID)] = model.Like{UserID: user, TweetID: root.ID, AuthorID: "ann",
			CreatedAt: at}
		docs[model.Shares+"/"+model.ReactionKey(user, root.ID)] = model.Share{UserID: user, TweetID: root.ID, AuthorID: "ann",
			CreatedAt: at}
		docs[model.Shares+"/"+model.ReactionKey("ann", reply.ID)] = model.Share{UserID: "ann", TweetID: reply.ID,
			AuthorID: "ann", CreatedAt: at}
		docs[model.Likes+"/"+model.ReactionKey("ann", reply.ID)] = model.Like{UserID: "ann", TweetID: reply.ID,
			AuthorID: "ann", CreatedAt: at}
		for _, kind := range []model.ReactionKind{model.ReactionLike, model.ReactionShare, model.ReactionBookmark} {
			docs[kind.Collection()+"/"+model.ReactionKey(collector, reply.ID)] = model.Reaction{UserID: collector,
				TweetID: reply.ID, AuthorID: "ann", CreatedAt: at}
		}
		docs[model.Likes+"/"+model.ReactionKey(viewer, reply.ID)] = model.Like{UserID: viewer, TweetID: reply.ID,
			AuthorID: "ann", CreatedAt: at}
		// no id of crowd below
		lost := model.NewTweetIDs(func() time.Time { return old(i % 100).Add(time.Millisecond) }).Next(user)
		docs[model.Shares+"/"+model.ReactionKey("bob", lost)] = model.Share{UserID: "bob", TweetID: lost, AuthorID: "ann",
			CreatedAt: at}
		docs[model.Likes+"/"+model.ReactionKey("bob", lost)] = model.Like{UserID: "bob", TweetID: lost, AuthorID: "ann",
			CreatedAt: at}
		invented = append(invented, string(lost))
		docs[model.Bookmarks+"/"+model.ReactionKey(model.UserID(w.loud.UID), lost)] = model.Bookmark{
			UserID: model.UserID(w.loud.UID), TweetID: lost, AuthorID: "ann", CreatedAt: at}
		docs[fmt.Sprintf("%s/tag%03d", model.Tags, i)] = model.Tag{Content: "tag", TweetCount: 3}
		docs[model.TagUsages+"/"+model.TagUsageKey("ann", fmt.Sprintf("tag%03d", i))] = model.TagUsage{UserID: "ann",
			Name: fmt.Sprintf("tag%03d", i), TweetCount: 3}
		crowd, _, err := model.NewTweet(model.NewTweetIDs(func() time.Time { return old(i) }).Next(user),
			&model.User{ID: user}, nil, model.Draft{Content: "crowd"})
		testenv.Must(t, err)
		docs[model.Tweets+"/"+string(crowd.ID)] = crowd
		w.crowd = append(w.crowd, crowd.ID)
		for key, part := range hours {
			h, _ := model.TrendKeyHour(strings.TrimPrefix(key, model.Trends+"/"))
			if part.Note(h, []model.TrendUse{{Tweet: crowd.ID, Account: model.UserID(key), Fact: key, On: true,
				At: now}}); i < 20 {
				hours[key] = part
			}
		}
		docs[model.AccountStatuses+"/"+string(user)] = map[string]any{"state": "suspended", "changedAt": now}
		docs[model.SearchDocs+"/"+model.SearchKey(crowd.ID)] = discovery.DocOf(crowd, "crowd")
		docs[model.SearchDocs+"/"+model.SearchKey(reply.ID)] = discovery.DocOf(reply, "big spark")
		share := model.Share{UserID: user, TweetID: crowd.ID, AuthorID: model.UserID(fmt.Sprintf("user_%03d", (i+1)%many)),
			CreatedAt: now, ShareID: newIDs.Next(user)}
		docs[model.Shares+"/"+model.ReactionKey(user, crowd.ID)] = share
		docs[model.Relationships+"/"+model.RelationshipKey(model.UserID(w.loud.UID), user)] = model.Relationship{
			FollowerID: model.UserID(w.loud.UID), FollowedID: user, CreatedAt: now.AddDate(0, -1, 0)}
		head(user).PutShare(share.Position(), share.AuthorID)
		docs[model.Shares+"/"+model.ReactionKey("passes", crowd.ID)] = model.Share{UserID: "passes", TweetID: crowd.ID,
			AuthorID: user, CreatedAt: at}
		docs[model.Shares+"/"+model.ReactionKey("seldom", crowd.ID)] = model.Share{UserID: "seldom", TweetID: crowd.ID,
			AuthorID: user, CreatedAt: old(i)}
		docs[model.Blocks+"/"+model.BlockKey(user, model.UserID(w.loud.UID))] = model.Block{BlockerID: user,
			BlockeeID: model.UserID(w.loud.UID), CreatedAt: at}
		docs[model.TagUsages+"/"+model.TagUsageKey(user, "go")] = model.TagUsage{UserID: user, Name: "go", TweetCount: 3}
		docs[model.Blocks+"/"+model.RelationshipKey(model.UserID(w.loud.UID), user)] = model.Block{
			BlockerID: model.UserID(w.loud.UID), BlockeeID: user, CreatedAt: at}
		m := model.MonthOf(old(i))
		docs[model.TweetMonths+"/"+model.MonthKey("ann", m)] = map[string]any{"userId": "ann", "month": m,
			"tweets": map[string]any{
				string(model.NewTweetIDs(func() time.Time { return old(i) }).Next("ann")): root.Preview()}}
		docs[model.TweetMonths+"/"+model.MonthKey("seldom", m)] = map[string]any{"userId": "seldom", "month": m,
			"tweets": map[string]any{
				string(model.NewTweetIDs(func() time.Time { return old(i) }).Next("seldom")): root.Preview()}}
		docs[model.Relationships+"/"+model.RelationshipKey(model.UserID(w.fan.UID), user)] = model.Relationship{
			FollowerID: model.UserID(w.fan.UID), FollowedID: user, CreatedAt: at.AddDate(-1, 0, 0)}
		var records []model.Record
		for j := range model.NotificationRecords {
			records = append(records, model.Record{At: at, UserID: model.UserID(fmt.Sprintf("actor_%d_%d", i, j))})
		}
		quote, _, err := model.NewTweet(newIDs.Next(user), &model.User{ID: user}, nil,
			model.Draft{Content: "x", Visibility: model.Followers})
		testenv.Must(t, err)
		docs[model.Tweets+"/"+string(quote.ID)] = quote // was for everybody, when its author was notified
		records[0].TweetID = quote.ID
		term := now.Format(time.DateOnly)
		noticed["quote:"+string(reply.ID)+"_"+term] = model.Notification{
			GroupKey: "quote:" + string(reply.ID), Term: term, Records: records, CountUsers: 10, CreatedAt: now,
			UpdatedAt: at, ExpireAt: now.AddDate(0, 1, 0)}
		if i < 100 { // of the readers who follow 100
			follow(w.hundred.UID, "author_"+string(user))
			head("author_"+user).PutPreview(reply.ID, reply.Preview())
			follow(w.deep.UID, "busy_"+string(user))
			busy := "busy_" + user
			head(busy).Cut(now)
			docs[model.TweetMonths+"/"+model.MonthKey(busy, month)] = map[string]any{"userId": busy, "month": month,
				"tweets": map[string]any{string(reply.ID): reply.Preview()}}
		}
	}
	for _, reader := range []string{w.viewer.UID, w.collector.UID} {
		for i := 0; reader == w.viewer.UID && i <= many/model.HeadItems; i++ {
			follow(reader, fmt.Sprint("gone_", i))
		}
		follow(reader, "ann")
	}
	docs[fmt.Sprintf("%s/%s/%s/%s", model.Users, w.loud.UID, model.NotificationLists, model.NewestList)] =
		model.NotificationList{Notifications: noticed, ExpireAt: now.AddDate(0, 1, 0)}
	// Wary and loud follow, mute and block too many users for one document of the graph.
	for i := range many {
		follow(w.loud.UID, fmt.Sprintf("user_%03d", i))
	}
	for reader, all := range follows {
		partial := reader == w.wary.UID || reader == w.loud.UID
		docs[model.Viewers+"/"+reader] = map[string]any{"follows": all, "size": len(all), "limited": partial,
			"complete": !partial, "copies": true}
	}
	w.tags(t, docs, now)
	w.texts(t, docs, now)
	// All members of the first lists have written for followers and for everybody, and the owners follow them. Wary
	// mutes them, in part.
	members := map[string][]model.UserID{}
	for i := range model.MaxListMembers {
		member := model.UserID(fmt.Sprintf("member_%02d", i))
		members["open"] = append(members["open"], member)
		members["blocked"] = append(members["blocked"], model.UserID(fmt.Sprintf("user_%03d", i)))
		docs[model.Users+"/"+string(member)] = model.User{Username: string(member), CreatedAt: now}
		tweet, _, err := model.NewTweet(newIDs.Next(member), &model.User{ID: member}, nil,
			model.Draft{Content: "x", Visibility: model.Followers})
		testenv.Must(t, err)
		docs[model.Tweets+"/"+string(tweet.ID)] = tweet
		docs[model.TweetMonths+"/"+model.MonthKey(member, month)] = map[string]any{"userId": member, "month": month,
			"followers": true, "tweets": map[string]any{}}
		docs[model.FollowerMonths+"/"+model.MonthKey(member, month)] = map[string]any{"userId": member, "month": month,
			"tweets": map[string]any{string(tweet.ID): tweet.Preview()}}
		for _, uid := range []model.UserID{viewer, wary} {
			docs[model.Relationships+"/"+model.RelationshipKey(uid, member)] = model.Relationship{FollowerID: uid,
				FollowedID: member, CreatedAt: now}
		}
		docs[model.Likes+"/"+model.ReactionKey(wary, tweet.ID)] = model.Like{UserID: wary, TweetID: tweet.ID,
			AuthorID: member, CreatedAt: now}
		mutes(wary, member, now)
	}
	for i := range model.MaxLists {
		for owner, kind := range map[model.UserID]string{viewer: "open", wary: "open", loud: "blocked"} {
			visibility := model.ListVisibility("")
			if i == 3 {
				visibility = model.PublicList
			}
			docs[model.Lists+"/"+model.ListKey(owner, model.NewListID(owner, fmt.Sprint(i)))] = model.PeopleList{UserID: owner,
				Title: "x", Visibility: visibility, Members: members[kind][:model.MaxListMembers-i%2], CreatedAt: now}
		}
	}
	// The newest tweets of this author were flagged a moment ago, so that even a first page asks the months.
	flagged := map[string]any{}
	for i := range model.RecentTweets {
		preview := root.Preview()
		preview.IsViolative = true
		flagged[string(model.NewTweetIDs(func() time.Time { return old(i) }).Next("seldom"))] = preview
	}
	docs[model.Users+"/passes"] = model.User{Username: "passes", Nickname: "Passes"}
	docs[model.Heads+"/seldom"] = map[string]any{"tweets": flagged}
	for uid, h := range heads {
		docs[model.Heads+"/"+string(uid)] = headDoc(h)
	}
	docs[model.Users+"/seldom"] = model.User{Username: "seldom", Nickname: "Seldom"}
	w.invented = strings.Join(invented[:100], ",")
	for key, part := range hours {
		docs[key] = part
	}
	for _, uid := range []model.UserID{"ann", model.UserID(w.viewer.UID)} {
		pins := model.Pins{UserID: uid}
		for _, id := range invented[:model.MaxPins] {
			pins.Tweets = append(pins.Tweets, model.Pinned{TweetID: model.TweetID(id), PinnedAt: now})
		}
		docs[model.PinLists+"/"+string(uid)] = pins
	}
	for i := range model.MaxDrafts {
		uid := model.UserID(w.loud.UID)
		docs[model.Drafts+"/"+model.DraftKey(uid, model.NewDraftID(uid, fmt.Sprint(i)))] = model.SavedDraft{
			UserID: uid, CreatedAt: now, Draft: model.Draft{Content: crowdedText, ReplyTo: &w.tweet, QuoteOf: w.ids[0]}}
	}
	for _, uid := range []model.UserID{viewer, collector, wary, loud} {
		docs[model.Reactions+"/"+model.MonthKey(uid, month)] = map[string]any{"userId": uid, "month": month, "full": true,
			"sharesFull": true, "bookmarksFull": true, "seenAt": now}
	}
	for i := range model.MaxSubscriptions { // at the limit, and the first holds no more
		author := model.UserID(fmt.Sprintf("user_%03d", i))
		if i == 0 {
			author = "seldom"
		}
		docs[model.Subscriptions+"/"+model.SubscriptionKey(viewer, author)] = model.Subscription{UserID: viewer,
			AuthorID: author, CreatedAt: now}
	}
	w.holds(t, docs, now)
	w.converse(docs, model.UserID(w.viewer.UID), now)
	testenv.Must(t, e.store.Users.UpdateUser(t.Context(), viewer, model.UserPatch{HoldReplies: new(model.HoldStrangers)}))
	cart := model.Cart{Items: map[string]int64{}, UpdatedAt: now, ExpireAt: new(now.AddDate(0, 1, 0))} // a guest's
	for n := range many {
		id := model.NewProductID("ann", fmt.Sprint(n))
		docs[model.Products+"/"+string(id)] = model.Product{ProductDraft: model.ProductDraft{Name: "x",
			Price: model.Price{Amount: 1, Currency: "JPY"}}, NameLower: "x", Active: true}
		if n > 0 && n < model.MaxCartItems {
			cart.Items[string(id)] = 1
		}
	}
	for n := range many {
		o := model.Order{UserID: viewer, Items: []model.OrderItem{{ProductID: model.NewProductID("ann", "0"), Quantity: 1}},
			CreatedAt: old(1)}
		if o.Become(model.OrderCancelled, old(1), viewer); n == 1 {
			o.Become(model.OrderPending, old(1), viewer)
		}
		docs[fmt.Sprintf("%s/%s/%s/%018x", model.Users, viewer, model.Orders, n)] = o
	}
	docs[model.Carts+"/"+guestOf(t, w.anonymous)] = cart
	e.put(t, docs)
	return w
}

// tags adds the tags that tagger follows. One author has written the newest tweets of each, so a home page looks at
// more.
func (w *world) tags(t *testing.T, docs map[string]any, now time.Time) {
	t.Helper()
	newIDs := model.NewTweetIDs(func() time.Time { return now.Add(-time.Hour) })
	followed := model.FollowedTags{Tags: map[string]model.FollowedTag{}}
	for n := range model.MaxFollowedTags {
		tag := fmt.Sprint("followed", n)
		followed.Tags[tag] = model.FollowedTag{Content: tag, FollowedAt: now}
		for i := range model.FollowedTagReads {
			author := model.UserID(fmt.Sprintf("tagged_%d_%02d", n, min(i, model.FollowedTagReads/2)))
			docs[model.Users+"/"+string(author)] = model.User{Username: string(author), CreatedAt: now}
			tweet, _, err := model.NewTweet(newIDs.Next(author), &model.User{ID: author}, nil, model.Draft{Content: "#" + tag})
			testenv.Must(t, err)
			docs[model.Tweets+"/"+string(tweet.ID)] = tweet
		}
	}
	docs[model.FollowedTagLists+"/"+w.tagger.UID] = followed
	docs[model.Viewers+"/"+w.tagger.UID] = map[string]any{"followedTags": followed.Tags, "complete": true, "copies": true}
}

// holds adds replies that wait: for the viewer as many as may, and by the viewer a page.
func (w *world) holds(t *testing.T, docs map[string]any, now time.Time) {
	t.Helper()
	viewer := model.UserID(w.viewer.UID)
	root, _, err := model.NewTweet(model.NewTweetIDs(func() time.Time { return now }).Next("seldom"),
		&model.User{ID: "seldom", HoldReplies: model.HoldStrangers}, nil, model.Draft{Content: "x"})
	testenv.Must(t, err)
	docs[model.Tweets+"/"+string(root.ID)] = root
	reply, _, err := model.NewTweet(model.NewTweetIDs(func() time.Time { return now }).Next("user_000"),
		&model.User{ID: "user_000"}, root, model.Draft{Content: "x", ReplyPolicy: model.PolicyFollowers, DenyQuotes: true,
			QuotePolicy: model.PolicyFollowers})
	testenv.Must(t, err)
	w.heldThread, docs[model.Tweets+"/"+string(reply.ID)] = reply.ID, reply
	add := func(by model.UserID, d model.Draft, to model.UserID) *model.HeldReply {
		h := model.NewHeldReply(by, d, &model.Tweet{RepliesHeldBy: to, RootID: w.tweet}, now)
		docs[model.HeldReplies+"/"+h.ID] = h
		return h
	}
	quote := add(model.UserID(w.loud.UID), model.Draft{Content: crowdedText, ReplyTo: &w.tweet, QuoteOf: w.ids[0]}, viewer)
	pictures := add("user_001", model.Draft{ReplyTo: &w.tweet}, viewer)
	for range model.MaxMedia {
		id := model.NewMediaID()
		pictures.Media = append(pictures.Media, id)
		docs[model.MediaRecords+"/"+string(id)] = &model.Media{OwnerID: "user_001", Kind: model.MediaTweet,
			State: model.MediaReady, ExpireAt: pictures.MediaUntil()}
	}
	w.held = []string{quote.ID, pictures.ID}
	for n := range model.MaxHeldTo - 2 {
		add(model.UserID(fmt.Sprintf("user_%03d", n%many)), model.Draft{Content: "x", ReplyTo: &w.tweet}, viewer)
	}
	for range model.MaxHeldFrom {
		add(viewer, model.Draft{Content: "x", ReplyTo: &w.tweet}, "ann")
	}
}

// headDoc is the document of a head.
func headDoc(h *model.Head) map[string]any {
	tweets, shares := map[string]any{}, map[string]any{}
	for id, preview := range h.Tweets {
		tweets[string(id)] = preview
	}
	for position, author := range h.Shares {
		shares[string(position)] = author
	}
	doc := map[string]any{"tweets": tweets, "shares": shares, "whole": h.Whole, "changeShard": h.ChangeShard}
	if !h.Whole {
		doc["since"] = h.Since
	}
	return doc
}

// guestOf is the uid in an ID token.
func guestOf(t *testing.T, token string) string {
	t.Helper()
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	testenv.Must(t, err)
	var claims struct{ Sub string }
	testenv.Must(t, json.Unmarshal(payload, &claims))
	return claims.Sub
}

// filter writes the viewer's notification requests, as many as there may be.
func (w *world) filter(docs map[string]any, now time.Time) {
	var requests model.NotificationRequests
	viewer := model.UserID(w.viewer.UID)
	for i := range model.MaxNotificationRequests {
		sender := model.UserID(fmt.Sprintf("user_%03d", i))
		w.filtered = append(w.filtered, string(sender))
		for second := range model.MaxFilteredEvents {
			n := model.FactNotificationEvent(model.NotificationFollow, viewer, model.NotificationEventPayload{UserID: sender},
				now.Add(-time.Duration(second+1)*time.Second))
			n.Pending, n.Dropped, n.Filtered = false, true, true
			partition, _ := model.NotificationEventPartition(n.ID)
			docs[model.NotificationLogs+"/"+partition+"/"+model.NotificationEvents+"/"+n.ID] = *n
			requests.Add(n)
		}
	}
	docs[model.NotificationRequestLists+"/"+string(viewer)] = requests
}

// apps lets as many apps in as a user may, one of them with as many tokens as it may have.
func (w *world) apps(t *testing.T, docs map[string]any, now time.Time) {
	t.Helper()
	var g model.OAuthGrants
	for n := range model.MaxApps {
		id := model.NewClientID()
		tokens := 1
		if n == 0 {
			w.app, tokens = string(id), model.MaxAppTokens
			w.asked = fmt.Sprintf(`{"responseType":"code","clientId":%q,"redirectUri":"app://"}`, id)
			docs[model.OAuthApps+"/"+w.app] = model.OAuthApp{Name: "App", RedirectURIs: []string{"app://"},
				Scopes: []string{"read"}, SecretHash: "x", CreatedAt: now, ExpireAt: now.Add(model.AppWindow)}
		}
		for range tokens {
			token := model.OAuthToken{Hash: model.OAuthHash(model.NewAccessToken()), UserID: model.UserID(w.viewer.UID),
				ClientID: id, Scopes: []string{"read"}, AuthorizedAt: now, LastUsedAt: now, ExpireAt: now.Add(model.TokenWindow)}
			docs[model.OAuthTokens+"/"+token.Hash] = token
			_, err := g.Add(&token, now)
			testenv.Must(t, err)
		}
	}
	docs[model.OAuthGrantLists+"/"+w.viewer.UID] = g
}
