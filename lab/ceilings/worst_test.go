package ceilings

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
)

// maxReads and maxWrites are the largest bill of one request of any caller.
const maxReads, maxWrites = 120, 20

// mostMarked is what a page of tweets may be billed whose viewer likes, shares and keeps each of
// them, in months that are full of all three. At 50 shares a day it takes 40 days to fill one.
const mostMarked = 220

// input is a bad request of a route: the most expensive one that is known.
type input struct {
	route, what string
	target      string // the path of the route if empty
	token, body string
	status      int   // 200 if 0
	most        int64 // what a request may be billed instead of maxReads, if its route promises less
	once        int64 // what a request may be billed instead of maxReads, if it is rarely dear
}

// world is what the requests find. Each part is larger than one page.
type world struct {
	// with a profile, away for long, without a profile, with notifications
	viewer, dormantFollower, bare, loud testenv.Account
	collector                           testenv.Account // likes, shares and keeps each tweet that others like alone
	anonymous, admin                    string          // tokens
	tweet, gone, own, quote             model.TweetID   // own is by the viewer, and quote is of tweet
	poll                                model.TweetID   // a quote, too
	ids                                 []model.TweetID // of tweets by ann
	invented                            string          // ids in as many months
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
	w := &world{viewer: e.account(t, "viewer"), dormantFollower: e.account(t, "sleeper"), bare: testenv.SignUp(t, ""),
		loud: e.account(t, "loud"), collector: e.account(t, "collector")}
	w.anonymous = visitor(t)
	w.admin = testenv.Token(emulators.DefaultProject, map[string]any{"sub": w.viewer.UID, "admin": true})
	now := time.Now().UTC()
	ann := &model.User{ID: "ann", Username: "ann", CreatedAt: now}
	docs := map[string]any{model.Users + "/ann": ann, model.Usernames + "/ann": model.Username{UID: "ann"},
		model.UserDetails + "/ann": model.UserDetail{}}
	newIDs := model.NewTweetIDs(func() time.Time { return now })
	old := func(months int) time.Time {
		return time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	}
	root, _, err := model.NewTweet(newIDs.Next("ann"), ann, nil, model.Draft{Content: "#go", AllowLikes: true,
		AllowReplies: true})
	testenv.Must(t, err)
	w.tweet, root.Revision = root.ID, model.MaxRevisions
	docs[model.Tweets+"/"+string(root.ID)] = root
	docs[model.TweetDetails+"/"+string(root.ID)] = model.TweetDetail{Content: "#go"}
	for n := range model.MaxRevisions {
		docs[model.Tweets+"/"+string(root.ID)+"/"+model.Revisions+"/"+model.RevisionKey(n+1)] = model.Revision{
			AuthorID: "ann", Content: "#go", WrittenAt: now, ReplacedAt: now}
	}
	for i := range many {
		quote, _, err := model.NewTweet(newIDs.Next("cat"), &model.User{ID: "cat"}, nil,
			model.Draft{Content: "x", Visibility: model.Followers})
		testenv.Must(t, err)
		quote.AuthorID = model.UserID(fmt.Sprintf("user_%03d", i))
		quote.Quote(root)
		docs[model.Tweets+"/"+string(quote.ID)] = quote
		if i == 0 {
			quote.Visibility, w.quote = model.Public, quote.ID
		}
	}
	own, detail, err := model.NewTweet(newIDs.Next(model.UserID(w.viewer.UID)),
		&model.User{ID: model.UserID(w.viewer.UID)}, nil, model.Draft{Content: "#a #b #c #d #e #f #g #h #i #j"})
	testenv.Must(t, err)
	w.own = own.ID
	docs[model.Tweets+"/"+string(own.ID)] = own
	docs[model.TweetDetails+"/"+string(own.ID)] = detail
	asks, _, err := model.NewTweet(newIDs.Next("ann"), ann, nil,
		model.Draft{Content: "?", Poll: &model.NewPoll{Options: []string{"yes", "no"}, Minutes: model.MaxPollMinutes}})
	testenv.Must(t, err)
	asks.Quote(root)
	w.poll = asks.ID
	docs[model.Tweets+"/"+string(asks.ID)] = asks
	docs[model.Polls+"/"+string(asks.ID)] = asks.PollCounts()
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
	timeline, passedOn := map[string]any{}, map[string]any{}
	followed := map[string]model.TweetID{}
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
		timeline[string(newIDs.Next("ann"))] = "ann" // an entry of a tweet that is gone, newer than all that are there
		user := model.UserID(fmt.Sprintf("user_%03d", i))
		docs[model.Users+"/"+string(user)] = model.User{Username: string(user), CreatedAt: now}
		docs[model.Usernames+"/"+string(user)] = model.Username{UID: user}
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
		passedOn[string(share.Position())] = user
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
		followed[string(user)] = reply.ID
		docs[model.UserRecents+"/"+string(user)] = map[string]any{"tweets": map[string]any{string(reply.ID): reply.Preview()}}
		docs[model.Relationships+"/"+model.RelationshipKey(model.UserID(w.dormantFollower.UID), user)] = model.Relationship{
			FollowerID: model.UserID(w.dormantFollower.UID), FollowedID: user, CreatedAt: at.AddDate(-1, 0, 0)}
		var records []model.Record
		for j := range model.NotificationRecords {
			records = append(records, model.Record{At: at, UserID: model.UserID(fmt.Sprintf("actor_%d_%d", i, j))})
		}
		quote, _, err := model.NewTweet(newIDs.Next(user), &model.User{ID: user}, nil,
			model.Draft{Content: "x", Visibility: model.Followers})
		testenv.Must(t, err)
		docs[model.Tweets+"/"+string(quote.ID)] = quote // was for everybody, when its author was notified
		records[0].TweetID = quote.ID
		docs[fmt.Sprintf("%s/%s/%s/quote:%s_2026-01-01", model.Users, w.loud.UID, model.Notifications, reply.ID)] =
			model.Notification{
				GroupKey: "quote:" + string(reply.ID), Term: "2026-01-01", Records: records, CountUsers: 10, CreatedAt: now,
				UpdatedAt: at, ExpireAt: now.AddDate(0, 1, 0)}
		for j := range 2 { // months of the dormant follower's list, so that the newest follows are not all
			docs[model.UserRecents+fmt.Sprintf("/far_%03d_%d", i, j)] = map[string]any{
				"tweets": map[string]any{string(reply.ID): reply.Preview()}}
			followed[fmt.Sprintf("far_%03d_%d", i, j)] = reply.ID
		}
	}
	// All members of the first list have written for followers and for everybody, and the owner follows them.
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
		docs[model.Relationships+"/"+model.RelationshipKey(viewer, member)] = model.Relationship{FollowerID: viewer,
			FollowedID: member, CreatedAt: now}
	}
	for i := range model.MaxLists {
		for owner, kind := range map[model.UserID]string{viewer: "open", model.UserID(w.loud.UID): "blocked"} {
			docs[model.Lists+"/"+model.ListKey(owner, model.NewListID(owner, fmt.Sprint(i)))] = model.PeopleList{UserID: owner,
				Title: "x", Members: members[kind][:model.MaxListMembers-i%2], CreatedAt: now}
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
	docs[model.UserRecents+"/seldom"] = map[string]any{"tweets": flagged}
	docs[model.Users+"/seldom"] = model.User{Username: "seldom", Nickname: "Seldom"}
	for _, id := range w.ids {
		timeline[string(id)] = "ann"
	}
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
	for _, uid := range []model.UserID{viewer, collector} {
		docs[model.Timelines+"/"+model.MonthKey(uid, month)] = map[string]any{"userId": uid, "month": month,
			"entries": timeline, "expireAt": now.AddDate(0, 2, 0)}
	}
	docs[model.Timelines+"/"+model.MonthKey(model.UserID(w.loud.UID), month)] = map[string]any{"userId": w.loud.UID,
		"month": month, "shares": passedOn, "expireAt": now.AddDate(0, 2, 0)}
	for _, uid := range []model.UserID{viewer, collector, model.UserID(w.loud.UID)} {
		docs[model.Reactions+"/"+model.MonthKey(uid, month)] = map[string]any{"userId": uid, "month": month, "full": true,
			"sharesFull": true, "bookmarksFull": true, "seenAt": now}
	}
	docs[model.DormantFollowers+"/"+w.dormantFollower.UID] = model.DormantFollower{
		UserID: model.UserID(w.dormantFollower.UID), Since: now.AddDate(0, -2, 0), Pages: 1}
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
	docs[model.DormantFollowers+"/"+model.DormantFollowerPageKey(model.UserID(w.dormantFollower.UID), 0)] =
		model.DormantFollowerPage{UserID: model.UserID(w.dormantFollower.UID), Authors: followed}
	e.put(t, docs)
	_, err = e.raw.Doc(model.Homes + "/" + w.dormantFollower.UID).Delete(t.Context())
	testenv.Must(t, err)
	return w
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

// wanted orders 50 products, at prices that they have not.
func wanted() string {
	var items []string
	for n := range model.MaxCartItems {
		items = append(items, fmt.Sprintf(`{"productId":"%s","quantity":%d,"price":{"amount":9,"currency":"JPY"}}`,
			model.NewProductID("ann", fmt.Sprint(n)), 1+98*max(0, 1-n)))
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

// inputs are the most expensive requests. Requests that only read come before the first that writes.
func inputs(w *world) []input {
	ids := func(all []model.TweetID) string {
		text := make([]string, len(all))
		for i, id := range all {
			text[i] = string(id)
		}
		return url.QueryEscape(strings.Join(text, ","))
	}
	viewer, tweet := w.viewer.IDToken, "/v1/tweets/"+string(w.tweet)
	long := strings.Repeat("x", model.MaxContent)
	product := func(n int) string { return "/v1/products/" + string(model.NewProductID("ann", fmt.Sprint(n))) }
	draft := func(n int) string { return "/v1/drafts/" + model.NewDraftID(model.UserID(w.loud.UID), fmt.Sprint(n)) }
	list := func(owner testenv.Account, n int) string {
		return "/v1/lists/" + model.NewListID(model.UserID(owner.UID), fmt.Sprint(n))
	}
	return []input{
		{route: "GET /v1/lists/{id}/timeline", what: "30 members, all for followers, full month", target: list(w.viewer, 0) +
			"/timeline?pageSize=100", token: viewer},
		{route: "GET /v1/lists/{id}/timeline", what: "30 members, each blocks the owner and is blocked", target: list(w.loud,
			0) + "/timeline?pageSize=100", token: w.loud.IDToken},
		{route: "GET /v1/lists/{id}/members", what: "30 members", target: list(w.viewer, 0) + "/members", token: viewer},
		{route: "GET /v1/lists", what: "50 lists", token: viewer},
		{route: "GET /v1/lists/{id}", target: list(w.viewer, 0), token: viewer},
		{route: "GET /v1/tweets:batchGet", what: "invented ids, signed out", target: "?ids=" + batch(w.invented)},
		{route: "GET /v1/tweets:batchGet", what: "invented ids in as many months", target: "?ids=" + batch(w.invented),
			token: viewer},
		{route: "GET /v1/tweets:batchGet", what: "ids, a full month of reactions", target: "?ids=" +
			ids(w.ids[:model.MaxBatch]), token: viewer},
		{route: "GET /v1/tweets", what: "public timeline", target: "?replies=true&pageSize=100", token: viewer},
		{route: "GET /v1/tweets:batchGet", what: "each liked, shared and kept in full months", target: "?ids=" +
			ids(w.ids[:model.MaxBatch]), token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets", what: "each liked, shared and kept in full months", target: "?replies=true&pageSize=100",
			token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets/{id}/replies", what: "each liked, shared and kept in full months", target: tweet +
			"/replies?pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets/{id}/thread", what: "each liked, shared and kept in full months", target: tweet +
			"/thread?pageSize=100&depth=6", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tags/{tag}/tweets", what: "each liked, shared and kept in full months",
			target: "/v1/tags/go/tweets?replies=true&pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/users/{uid}/likes", what: "each liked, shared and kept in full months",
			target: "/v1/users/ann/likes?pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/users/{uid}/shares", what: "each liked, shared and kept in full months",
			target: "/v1/users/ann/shares?pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/users/me/bookmarks", what: "each liked, shared and kept in full months", target: "?pageSize=100",
			token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/search/tweets", what: "each liked, shared and kept in full months",
			target: "?q=from:ann+spark&pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/timeline", what: "each liked, shared and kept in full months", target: "?pageSize=100",
			token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets/{id}", what: "full month", target: tweet, token: viewer},
		{route: "GET /v1/tweets/{id}", what: "a quote, full month", target: "/v1/tweets/" + string(w.quote), token: viewer},
		{route: "GET /v1/tweets/{id}", what: "deleted", target: "/v1/tweets/" + string(w.gone), token: viewer,
			status: http.StatusGone},
		{route: "GET /v1/tweets/{id}/replies", what: "full month", target: tweet + "/replies?pageSize=100", token: viewer},
		{route: "GET /v1/tweets/{id}/thread", what: "full month", target: tweet + "/thread?pageSize=100&depth=6",
			token: viewer},
		{route: "GET /v1/tweets/{id}/likes", what: "a page of users", target: tweet + "/likes?pageSize=100", token: viewer},
		{route: "GET /v1/tweets/{id}/shares", what: "a page of users", target: tweet + "/shares?pageSize=100", token: viewer},
		{route: "GET /v1/tweets/{id}/quotes", what: "for followers of as many authors", target: tweet +
			"/quotes?pageSize=100", token: viewer},
		{route: "GET /v1/tweets/{id}/revisions", what: "edited 100 times", target: tweet + "/revisions?pageSize=100",
			token: viewer},
		{route: "GET /v1/tweets/{id}/revisions/{number}", target: tweet + "/revisions/100", token: viewer},
		{route: "GET /v1/tags", what: "a page", target: "?pageSize=100"},
		{route: "GET /v1/tags/{tag}", target: "/v1/tags/tag001"},
		{route: "GET /v1/users/me/mentioned", what: "full month", target: "/v1/users/me/mentioned?pageSize=100",
			token: viewer},
		{route: "GET /v1/users/me/mentions", what: "full month", target: "/v1/users/me/mentions?pageSize=100", token: viewer},
		{route: "GET /v1/tags/{tag}/tweets", what: "full month", target: "/v1/tags/go/tweets?replies=true&pageSize=100",
			token: viewer},
		{route: "GET /v1/search/tweets", what: "of one shard, full month", target: "?q=from:ann+spark&pageSize=100",
			token: viewer},
		{route: "GET /v1/search/tweets", what: "one tweet a month", target: "?q=crowd&pageSize=100", token: viewer},
		{route: "GET /v1/search/tweets", what: "no tweet has the phrase", target: "?q=%22spark+big%22&pageSize=100"},
		{route: "GET /v1/search/tweets", what: "of people whom the caller follows",
			target: "?q=crowd&following=true&pageSize=100", token: w.dormantFollower.IDToken},
		{route: "GET /v1/totals", target: ""},
		{route: "GET /v1/trends", what: "48 parts, full month", target: "", token: viewer},
		{route: "GET /v1/search/users", what: "a page", target: "?q=user&pageSize=100"},
		{route: "GET /v1/tags/{tag}/users", what: "a page", target: "/v1/tags/go/users?pageSize=100", token: viewer},
		{route: "GET /v1/tags/{tag}/users", what: "newest", target: "/v1/tags/go/users?orderBy=newest&pageSize=100",
			token: viewer},
		{route: "GET /v1/users/me/blocks", what: "a page", target: "?pageSize=100", token: w.loud.IDToken},
		{route: "GET /v1/users/me/hiddenSharers", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/users/me/followRequests", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/tags", what: "a page", target: "/v1/users/ann/tags?pageSize=100"},
		{route: "GET /v1/users/{uid}", what: "full", target: "/v1/users/ann?view=full", token: viewer},
		{route: "GET /v1/users/me", what: "another e-mail address than before", token: viewer},
		{route: "GET /v1/usernames/{username}", target: "/v1/usernames/ann", token: viewer},
		{route: "GET /v1/users/{uid}/followers", what: "a page of users", target: "/v1/users/ann/followers?pageSize=100"},
		{route: "GET /v1/users/{uid}/following", what: "a page of users", target: "/v1/users/ann/following?pageSize=100"},
		{route: "GET /v1/users/{uid}/tweets", what: "one tweet a month",
			target: "/v1/users/ann/tweets?pageSize=100&ownOnly=true"},
		{route: "GET /v1/users/{uid}/tweets", what: "one tweet a month, full",
			target: "/v1/users/seldom/tweets?pageSize=100&ownOnly=true&view=full", token: viewer},
		{route: "GET /v1/users/{uid}/tweets", what: "one tweet a month, and shares",
			target: "/v1/users/seldom/tweets?pageSize=100", token: viewer, most: 40},
		{route: "GET /v1/users/{uid}/tweets", what: "nothing but shares", target: "/v1/users/passes/tweets", token: viewer,
			most: 40},
		{route: "GET /v1/users/{uid}/tweets", what: "nothing but shares, of authors who all block and are blocked",
			target: "/v1/users/passes/tweets", token: w.loud.IDToken, most: 40},
		{route: "GET /v1/users/{uid}/tweets", what: "nothing but shares, full month",
			target: "/v1/users/passes/tweets?view=full", token: viewer},
		{route: "GET /v1/users/{uid}/tweets", what: "none with an image", target: "/v1/users/seldom/tweets?mediaOnly=true",
			token: viewer},
		{route: "GET /v1/users/{uid}/likes", what: "full month", target: "/v1/users/ann/likes?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/likes", what: "deleted tweets of many months",
			target: "/v1/users/bob/likes?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/shares", what: "full month", target: "/v1/users/ann/shares?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/shares", what: "deleted tweets of many months",
			target: "/v1/users/bob/shares?pageSize=100", token: viewer},
		{route: "GET /v1/relationships", what: "100 who follow each other", target: "?ids=" + together(""), token: viewer},
		{route: "GET /v1/relationships", what: "50 strangers, then 50 who follow each other", target: "?ids=" +
			together("stranger"), token: viewer},
		{route: "GET /v1/relationships/{followerId}/{followedId}", target: "/v1/relationships/user_001/ann"},
		{route: "GET /v1/timeline", what: "deleted tweets, full month", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/timeline", what: "shares by as many users, full month", target: "?pageSize=100",
			token: w.loud.IDToken},
		{route: "GET /v1/timeline", what: "away for long, follows 330", target: "?pageSize=100",
			token: w.dormantFollower.IDToken, once: 300},
		{route: "GET /v1/timeline", what: "without a profile", token: w.bare.IDToken},
		{route: "GET /v1/timeline", what: "without an account", token: w.anonymous},
		{route: "GET /v1/notifications", what: "10 actors each, quotes by as many authors", target: "?pageSize=100",
			token: w.loud.IDToken},
		{route: "GET /v1/notifications/unreadCount", token: w.loud.IDToken},
		{route: "GET /health"}, {route: "GET /ready"},

		{route: "PUT /v1/notifications/{id}/read", target: "/v1/notifications/quote:" + string(w.ids[0]) + "_2026-01-01/read",
			token: w.loud.IDToken, status: http.StatusNoContent},
		{route: "PUT /v1/notifications/read", what: "109 unread", token: w.loud.IDToken, status: http.StatusNoContent},
		{route: "POST /v1/users", what: "longest", body: `{"username":"somebody_new","introduction":"` + long + `"}`,
			token: w.bare.IDToken, status: http.StatusCreated},
		{route: "PATCH /v1/users/{uid}", what: "everything", target: "/v1/users/me",
			body:  `{"username":"viewer_2","nickname":"V","avatar":"https://example.com/a","introduction":"` + long + `"}`,
			token: viewer},
		{route: "PUT /v1/users/{uid}/follow", target: "/v1/users/ann/follow", token: viewer},
		{route: "PUT /v1/users/{uid}/follow", what: "a user whom 4,999 ask", target: "/v1/users/recluse/follow",
			token: viewer},
		{route: "PUT /v1/users/me/followRequests/{uid}", target: "/v1/users/me/followRequests/recluse", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/me/followRequests/{uid}", target: "/v1/users/me/followRequests/user_001", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/{uid}/follow", target: "/v1/users/ann/follow", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/users/{uid}/block", target: "/v1/users/ann/block", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/users/{uid}/block", target: "/v1/users/ann/block", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/users/{uid}/hideShares", target: "/v1/users/ann/hideShares", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/{uid}/hideShares", target: "/v1/users/ann/hideShares", token: viewer,
			status: http.StatusNoContent},
		{route: "POST /v1/reports", what: "longest", body: `{"tweetId":"` + string(w.tweet) + `","reason":"spam","text":"` +
			strings.Repeat("ä", 1000) + `"}`, token: viewer, status: http.StatusNoContent},
		{route: "POST /v1/tweets", what: "a reply that quotes, with 10 tags and 10 mentions", body: `{"content":"` +
			crowdedText + `","replyTo":"` + string(w.tweet) + `","quoteOf":"` + string(w.ids[0]) + `"}`, token: viewer,
			status: http.StatusCreated},
		{route: "PATCH /v1/tweets/{id}", what: "10 tags for 10 others, 10 mentions, full month", target: "/v1/tweets/" +
			string(w.own),
			body: `{"content":"#k #l #m #n #o #p #q #r #s #t @user_000 @user_001 @user_002 @user_003 @user_004 @user_005 @user_006 @user_007 @user_008 @user_009"}`, token: viewer},
		{route: "PUT /v1/tweets/{id}/like", target: tweet + "/like", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/like", target: tweet + "/like", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/share", target: tweet + "/share", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/share", target: tweet + "/share", token: viewer, status: http.StatusNoContent},
		{route: "GET /v1/users/{uid}/pins", what: "of tweets that are gone", target: "/v1/users/ann/pins", token: viewer},
		{route: "PUT /v1/tweets/{id}/pin", what: "5 pins", target: "/v1/tweets/" + string(w.own) + "/pin", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/pin", target: "/v1/tweets/" + string(w.own) + "/pin", token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/bookmark", target: tweet + "/bookmark", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/bookmark", target: tweet + "/bookmark", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/vote", target: "/v1/tweets/" + string(w.poll) + "/vote", body: `{"option":2}`,
			token: viewer},
		{route: "GET /v1/tweets/{id}", what: "a poll that quotes, full month", target: "/v1/tweets/" + string(w.poll),
			token: viewer},
		{route: "POST /v1/drafts", what: "without a cached profile", body: `{"content":"` + long + `","publishAt":"` +
			time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `"}`, token: viewer, status: http.StatusCreated},
		{route: "GET /v1/drafts", what: "a page", target: "?pageSize=100", token: w.loud.IDToken},
		{route: "GET /v1/drafts/{id}", target: draft(0), token: w.loud.IDToken},
		{route: "PUT /v1/drafts/{id}", what: "longest", target: draft(0), body: `{"content":"` + long + `"}`,
			token: w.loud.IDToken},
		{route: "POST /v1/drafts/{id}/publish", what: "a reply that quotes, with 10 tags and 10 mentions", target: draft(1) +
			"/publish", token: w.loud.IDToken, status: http.StatusCreated},
		{route: "DELETE /v1/drafts/{id}", target: draft(2), token: w.loud.IDToken, status: http.StatusNoContent},
		{route: "POST /v1/lists", what: "without a cached profile", body: `{"title":"x"}`, token: w.collector.IDToken,
			status: http.StatusCreated},
		{route: "PATCH /v1/lists/{id}", target: list(w.viewer, 1), body: `{"title":"y"}`, token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/lists/{id}/members/{uid}", target: list(w.viewer, 1) + "/members/seldom", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/lists/{id}/members/{uid}", target: list(w.viewer, 1) + "/members/seldom", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/lists/{id}", target: list(w.viewer, 2), token: viewer, status: http.StatusNoContent},
		{route: "GET /v1/products", what: "a page", target: "?sort=price&pageSize=100"},
		{route: "GET /v1/products/{id}", target: product(0)},
		{route: "POST /v1/products", body: `{"name":"x","price":{"amount":1,"currency":"JPY"},"stock":1}`, token: w.admin,
			status: http.StatusCreated},
		{route: "PATCH /v1/products/{id}", target: product(0), body: `{"name":"other"}`, token: w.admin},
		{route: "POST /v1/products/{id}/restock", target: product(0) + "/restock", body: `{"pieces":1}`, token: w.admin},
		{route: "PUT /v1/cart/items/{id}", what: "one more product", target: strings.Replace(product(0), "products",
			"cart/items", 1), body: `{"quantity":99}`, token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/cart/seen", target: "/v1/cart/seen", body: `{"prices":{"` + strings.TrimPrefix(product(0),
			"/v1/products/") + `":{"amount":2,"currency":"JPY"}}}`, token: viewer, status: http.StatusNoContent},
		{route: "POST /v1/cart/merge", what: "50 products", target: "/v1/cart/merge", body: `{"guestToken":"` + w.anonymous +
			`"}`, token: viewer},
		{route: "GET /v1/cart", what: "50 products", token: viewer},
		{route: "POST /v1/orders", what: "50 products, prices that changed", body: wanted(), token: viewer,
			status: http.StatusConflict},
		{route: "GET /v1/orders", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/orders/{id}", what: "that hangs", target: "/v1/orders/" + fmt.Sprintf("%018x", 1), token: viewer},
		{route: "POST /v1/orders/{id}/cancel", target: "/v1/orders/" + fmt.Sprintf("%018x", 1) + "/cancel", token: viewer},
		{route: "DELETE /v1/cart/items/{id}", target: strings.Replace(product(0), "products", "cart/items", 1), token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/mute", target: tweet + "/mute", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/mute", target: tweet + "/mute", token: viewer, status: http.StatusNoContent},
		{route: "GET /v1/users/me/settings/notifications", target: "/v1/users/me/settings/notifications", token: viewer},
		{route: "PATCH /v1/users/me/settings/notifications", target: "/v1/users/me/settings/notifications",
			body: `{"like":false,"reply":false}`, token: viewer},
		{route: "GET /v1/push"}, {route: "GET /v1/users/me/pushSubscriptions", token: viewer},
		{route: "PUT /v1/users/me/pushSubscriptions/{id}", target: "/v1/users/me/pushSubscriptions/phone",
			body: `{"fcmToken":"` + strings.Repeat("x", 1000) + `"}`, token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/users/me/pushSubscriptions/{id}", target: "/v1/users/me/pushSubscriptions/phone", token: viewer,
			status: http.StatusNoContent},
		{route: "GET /v1/users/me/bookmarks", what: "of tweets that are gone", target: "?pageSize=100",
			token: w.loud.IDToken},
		{route: "POST /v1/users/me/export", what: "right after sign-in", token: w.loud.IDToken, status: http.StatusAccepted},
		{route: "GET /v1/users/me/export", token: w.loud.IDToken, status: http.StatusOK},
		{route: "DELETE /v1/users/me", what: "right after sign-in", token: w.loud.IDToken, status: http.StatusAccepted},
		{route: "GET /v1/leavings/{id}", what: "unknown", target: "/v1/leavings/" + strings.Repeat("0", 64), token: viewer,
			status: http.StatusNotFound},
		{route: "DELETE /v1/tweets/{id}", what: "by an administrator", target: tweet, token: w.admin,
			status: http.StatusNoContent},
	}
}

// together are as many users as one request may ask for. Each follows the viewer, and the viewer follows each, but for
// the first half if another name is given.
func together(half string) string {
	var ids []string
	for i := range 100 {
		name := "user"
		if i < 50 && half != "" {
			name = half
		}
		ids = append(ids, fmt.Sprintf("%s_%03d", name, i))
	}
	return url.QueryEscape(strings.Join(ids, ","))
}

// batch is the largest batch of the ids.
func batch(ids string) string {
	all := strings.Split(ids, ",")
	return url.QueryEscape(strings.Join(all[:min(len(all), model.MaxBatch)], ","))
}

// Administrators' routes may read all of a user. Nobody else can call them.
func forAdministrators(route string) bool { return strings.Contains(route, " /v1/admin/") }

// TestCeiling measures the worst input of every route, holds it to maxReads and maxWrites, and compares it
// with the table of the report. With -update it writes the table instead, in which rows that hold stay as they are.
func TestCeiling(t *testing.T) {
	testenv.Slow(t, "the most expensive request of every route")
	t.Parallel()
	e := newEnv(t)
	w := build(t, e)
	all := inputs(w)
	for _, route := range e.routes(t) {
		if !forAdministrators(route) && !slices.ContainsFunc(all, func(in input) bool { return in.route == route }) {
			t.Errorf("%s has no worst input here; give it the one that is billed most", route)
		}
	}
	promised := promises(t)
	var measured, table strings.Builder
	table.WriteString("| route | input | reads | writes and deletes | events |\n|---|---|---|---|---|\n")
	for _, in := range all {
		method, path, _ := strings.Cut(in.route, " ")
		target := in.target
		if target == "" || target[0] == '?' {
			target = path + target
		}
		status := in.status
		if status == 0 {
			status = http.StatusOK
		}
		b, _ := e.do(t, method, target, in.token, in.body, status)
		if b.reads > max(cmp.Or(in.most, maxReads), in.once) || b.writes+b.deletes > maxWrites {
			t.Errorf("%s (%s) is billed %d reads and %d writes; no request may take more than %d and %d",
				in.route, in.what, b.reads, b.writes+b.deletes, maxReads, maxWrites)
		}
		row := rowOf(in.route, in.what)
		p, ok := promised[row]
		now := promise{b.reads, b.writes + b.deletes, b.events}
		if !ok || !within(now[0], p[0]) || now[1] > p[1] || now[2] > p[2] {
			if !*update {
				t.Errorf("%s is billed %d reads, %d writes and deletes, and %d events; %s says %v", row, now[0], now[1], now[2],
					report, p)
			}
			p = now
		}
		fmt.Fprintf(&measured, "| `%s` | %s | %d | %d | %d |\n", in.route, in.what, now[0], now[1], now[2])
		fmt.Fprintf(&table, "| `%s` | %s | %d | %d | %d |\n", in.route, in.what, p[0], p[1], p[2])
		delete(promised, row)
	}
	t.Logf("worst requests:\n%s", &measured)
	if *update {
		write(t, table.String())
		return
	}
	for row := range promised {
		t.Errorf("%s has a row of %s, which is no input here", report, row)
	}
}
