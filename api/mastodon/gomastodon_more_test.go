package mastodon_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"time"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// timelines are the calls about lists of posts, in both directions.
func (g *gopher) timelines() []step {
	posts := got[[]*client.Status](g)
	has := func(what string, all []*client.Status, err error) {
		g.Helper()
		testenv.Must(g, err)
		same(g, what+" has bob's post", slices.Contains(statusIDs(all), g.post), true)
	}
	return []step{
		{"GetTimelineHome", func() {
			g.idle(g)
			all := posts(g.ann.GetTimelineHome(g.ctx, nil))
			has("home", all, nil)
			p := &client.Pagination{Limit: 2}
			pages := posts(g.ann.GetTimelineHome(g.ctx, p))
			for p.MaxID != "" && len(pages) < 20 {
				p = &client.Pagination{Limit: 2, MaxID: p.MaxID}
				more := posts(g.ann.GetTimelineHome(g.ctx, p))
				if pages = append(pages, more...); len(more) == 0 {
					break
				}
			}
			same(g, "home, in pages of two", statusIDs(pages), statusIDs(all))
			back := posts(g.ann.GetTimelineHome(g.ctx, &client.Pagination{Limit: 1, MinID: all[2].ID}))
			same(g, "what follows a post", statusIDs(back), statusIDs(all[1:2]))
			since := posts(g.ann.GetTimelineHome(g.ctx, &client.Pagination{SinceID: all[2].ID}))
			same(g, "what is newer", statusIDs(since), statusIDs(all[:2]))
		}},
		{"GetTimelinePublic", func() {
			all, err := g.ann.GetTimelinePublic(g.ctx, true, nil)
			has("public", all, err)
		}},
		{"GetTimelineHashtag", func() {
			all, err := g.ann.GetTimelineHashtag(g.ctx, "spark", true, nil)
			has("tag", all, err)
		}},
		{"GetTimelineHashtagMultiple", func() {
			all, err := g.ann.GetTimelineHashtagMultiple(g.ctx, "glow", false, &client.TagData{Any: []string{"spark"}}, nil)
			has("tags", all, err)
			all = posts(g.ann.GetTimelineHashtagMultiple(g.ctx, "glow", false, &client.TagData{None: []string{"spark"},
				All: []string{"glow"}}, nil))
			same(g, "tag without another", statusIDs(all), []client.ID{g.mine})
		}},
		{"GetTimelineList", func() {
			all, err := g.ann.GetTimelineList(g.ctx, g.list, nil)
			has("list", all, err)
		}},
		{"GetTimelineMedia", func() { // its parameter is one of pawoo.net: a Mastodon answers with all posts
			all, err := g.bob.GetTimelineMedia(g.ctx, true, nil)
			has("public", all, err)
		}},
		{"GetTrendingStatuses", func() {
			same(g, "trends", len(posts(g.ann.GetTrendingStatuses(g.ctx, nil))), 0) // nothing counted them yet
		}},
		{"GetTimelineDirect", func() {
			d, err := g.bob.PostStatus(g.ctx, &client.Toot{Status: "@ann psst", Visibility: "direct"})
			testenv.Must(g, err)
			g.thread = d.ID
			g.idle(g)
			same(g, "direct", statusIDs(posts(g.ann.GetTimelineDirect(g.ctx, nil))), []client.ID{d.ID})
		}},
		{"GetConversations", func() {
			all := got[[]*client.Conversation](g)(g.ann.GetConversations(g.ctx, nil))
			same(g, "conversation", []any{len(all), all[0].LastStatus.ID, names(all[0].Accounts)[0]}, []any{1, g.thread, "bob"})
			g.thread = all[0].ID
		}},
		{"MarkConversationAsRead", func() { testenv.Must(g, g.ann.MarkConversationAsRead(g.ctx, g.thread)) }},
		{"DeleteConversation", func() { // is off
			if err := g.ann.DeleteConversation(g.ctx, g.thread); err == nil {
				g.Error("a conversation went away")
			}
		}},
		{"Search", func() {
			r := got[*client.Results](g)(g.ann.Search(g.ctx, "bob", true))
			same(g, "accounts", names(r.Accounts), []string{"bob"})
			r = got[*client.Results](g)(g.ann.Search(g.ctx, "#spark", false))
			same(g, "hashtags", each(r.Hashtags, func(t *client.Tag) string { return t.Name }), []string{"spark"})
		}},
	}
}

// told are the calls about what somebody is told of.
func (g *gopher) told() []step {
	many := got[[]*client.Notification](g)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	testenv.Must(g, err)
	on, off := client.Sbool(true), client.Sbool(false)
	alerts := func(p *client.PushSubscription, err error) []bool {
		g.Helper()
		testenv.Must(g, err)
		same(g, "endpoint", p.Endpoint, "https://push.example.com/a")
		same(g, "whether there is a key", p.ServerKey != "", true)
		return []bool{bool(*p.Alerts.Follow), bool(*p.Alerts.Mention), bool(*p.Alerts.Reblog)}
	}
	var mention client.ID
	return []step{
		{"GetNotifications", func() {
			p := &client.Pagination{Limit: 1}
			all := many(g.ann.GetNotifications(g.ctx, p))
			same(g, "the newest", []any{all[0].Type, all[0].Account.ID}, []any{"mention", g.bobID})
			mention = all[0].ID
			next := many(g.ann.GetNotifications(g.ctx, &client.Pagination{Limit: 1, MaxID: p.MaxID}))
			same(g, "whether the next one is another", next[0].ID != mention, true)
			back := many(g.ann.GetNotifications(g.ctx, &client.Pagination{Limit: 1, MinID: next[0].ID}))
			same(g, "the way back", back[0].ID, mention)
		}},
		{"GetNotification", func() {
			n := got[*client.Notification](g)(g.ann.GetNotification(g.ctx, mention))
			same(g, "notification", []any{n.ID, n.Type, strings.Contains(n.Status.Content, "psst")},
				[]any{mention, "mention", true})
		}},
		{"DismissNotification", func() { testenv.Must(g, g.ann.DismissNotification(g.ctx, mention)) }},
		{"ClearNotifications", func() {
			testenv.Must(g, g.ann.ClearNotifications(g.ctx))
			var unread struct{ Count int }
			g.ask(g, g.ann, "GET /api/v1/notifications/unread_count", nil).want(g, http.StatusOK, &unread)
			same(g, "unread", unread.Count, 0)
		}},
		{"AddPushSubscription", func() {
			same(g, "alerts", alerts(g.ann.AddPushSubscription(g.ctx, "https://push.example.com/a", key.PublicKey,
				make([]byte, 16), client.PushAlerts{Follow: &on, Mention: &on, Reblog: &off})), []bool{true, true, false})
		}},
		{"GetPushSubscription", func() {
			same(g, "alerts", alerts(g.ann.GetPushSubscription(g.ctx)), []bool{true, true, false})
		}},
		{"UpdatePushSubscription", func() {
			same(g, "alerts", alerts(g.ann.UpdatePushSubscription(g.ctx, &client.PushAlerts{Reblog: &on}))[2], true)
		}},
		{"RemovePushSubscription", func() {
			testenv.Must(g, g.ann.RemovePushSubscription(g.ctx))
			_, err := g.ann.GetPushSubscription(g.ctx)
			g.refused(err, http.StatusNotFound)
		}},
	}
}

// lists are the calls about lists and filters.
func (g *gopher) lists() []step {
	one, many := got[*client.List](g), got[[]*client.List](g)
	titles := func(all []*client.List) []string { return each(all, func(l *client.List) string { return l.Title }) }
	var made *client.List
	filter := got[*client.Filter](g)
	return []step{
		{"CreateList", func() {
			made = one(g.ann.CreateList(g.ctx, "news"))
			same(g, "title", made.Title, "news")
		}},
		{"RenameList", func() { same(g, "title", one(g.ann.RenameList(g.ctx, made.ID, "more news")).Title, "more news") }},
		{"GetList", func() {
			same(g, "list", *one(g.ann.GetList(g.ctx, made.ID)), client.List{ID: made.ID, Title: "more news"})
		}},
		{"GetLists", func() {
			all := titles(many(g.ann.GetLists(g.ctx)))
			slices.Sort(all)
			same(g, "lists", all, []string{"friends", "more news"})
		}},
		{"AddToList", func() { testenv.Must(g, g.ann.AddToList(g.ctx, made.ID, g.bobID, g.cidID)) }},
		{"RemoveFromList", func() { testenv.Must(g, g.ann.RemoveFromList(g.ctx, made.ID, g.cidID)) }},
		{"GetListAccounts", func() { // with limit=0, which asks for all
			same(g, "members", names(got[[]*client.Account](g)(g.ann.GetListAccounts(g.ctx, made.ID))), []string{"bob"})
			testenv.Must(g, g.ann.AddToList(g.ctx, made.ID, g.cidID))
			all := names(got[[]*client.Account](g)(g.ann.GetListAccounts(g.ctx, made.ID)))
			slices.Sort(all)
			same(g, "all members", all, []string{"bob", "cid"})
		}},
		{"GetAccountLists", func() {
			same(g, "lists with cid", titles(many(g.ann.GetAccountLists(g.ctx, g.cidID))), []string{"more news"})
		}},
		{"DeleteList", func() {
			testenv.Must(g, g.ann.DeleteList(g.ctx, made.ID))
			_, err := g.ann.GetList(g.ctx, made.ID)
			g.refused(err, http.StatusNotFound)
		}},
		{"CreateFilter", func() {
			f := filter(g.ann.CreateFilter(g.ctx, &client.Filter{Phrase: "goal", Context: []string{"home", "thread"},
				WholeWord: true, ExpiresAt: time.Now().Add(time.Hour)}))
			same(g, "filter", []any{f.Phrase, f.Context, f.WholeWord, time.Until(f.ExpiresAt) > 50*time.Minute},
				[]any{"goal", []string{"home", "thread"}, true, true})
			g.filter = f.ID
		}},
		{"GetFilter", func() { same(g, "phrase", filter(g.ann.GetFilter(g.ctx, g.filter)).Phrase, "goal") }},
		{"GetFilters", func() {
			all := got[[]*client.Filter](g)(g.ann.GetFilters(g.ctx))
			same(g, "filters", each(all, func(f *client.Filter) client.ID { return f.ID }), []client.ID{g.filter})
		}},
		{"UpdateFilter", func() {
			f := filter(g.ann.UpdateFilter(g.ctx, g.filter, &client.Filter{Phrase: "goals", Context: []string{"public"}}))
			same(g, "filter", []any{f.Phrase, f.Context, f.WholeWord}, []any{"goals", []string{"public"}, false})
			g.filter = f.ID
		}},
		{"DeleteFilter", func() {
			testenv.Must(g, g.ann.DeleteFilter(g.ctx, g.filter))
			same(g, "filters", len(got[[]*client.Filter](g)(g.ann.GetFilters(g.ctx))), 0)
		}},
	}
}

// rest are the calls about tags, reports and the installation.
func (g *gopher) rest() []step {
	tag, tags := got[*client.FollowedTag](g), got[[]*client.FollowedTag](g)
	said := func(all []*client.FollowedTag) []string {
		return each(all, func(t *client.FollowedTag) string { return t.Name })
	}
	return []step{
		{"TagInfo", func() {
			t := tag(g.ann.TagInfo(g.ctx, "spark"))
			same(g, "tag", []any{t.Name, t.Following, t.URL != ""}, []any{"spark", false, true})
		}},
		{"TagFollow", func() { same(g, "following", tag(g.ann.TagFollow(g.ctx, "spark")).Following, true) }},
		{"TagsFollowed", func() { same(g, "followed", said(tags(g.ann.TagsFollowed(g.ctx, nil))), []string{"spark"}) }},
		{"GetFollowedTags", func() { same(g, "followed", said(tags(g.ann.GetFollowedTags(g.ctx, nil))), []string{"spark"}) }},
		{"TagUnfollow", func() { same(g, "following", tag(g.ann.TagUnfollow(g.ctx, "spark")).Following, false) }},
		{"Report", func() {
			r := got[*client.Report](g)(g.ann.Report(g.ctx, g.bobID, []client.ID{g.post}, "too many sparks"))
			same(g, "report", []any{r.ID != "", r.ActionTaken}, []any{true, false})
		}},
		{"GetReports", func() { // Mastodon has not had it since 3.0
			_, err := g.ann.GetReports(g.ctx)
			g.refused(err, http.StatusMethodNotAllowed)
		}},
		{"GetInstance", func() {
			i := got[*client.Instance](g)(g.ann.GetInstance(g.ctx))
			most := (*i.GetConfig().Statuses)["max_characters"]
			same(g, "instance", []bool{i.URI != "", i.Title != "", strings.HasPrefix(i.Version, "4."), most != nil,
				strings.HasPrefix(i.URLs["streaming_api"], "ws")}, []bool{true, true, true, true, true})
		}},
		{"GetInstanceActivity", func() {
			same(g, "weeks", len(got[[]*client.WeeklyActivity](g)(g.ann.GetInstanceActivity(g.ctx))), 0)
		}},
		{"GetInstancePeers", func() {
			same(g, "peers", got[[]string](g)(g.ann.GetInstancePeers(g.ctx)), []string{})
		}},
	}
}

// streams are the calls that hear what is new, of each way: of HTTP and of WebSockets.
func (g *gopher) streams() []step {
	hears := func(of, text string, opens func(context.Context) (chan client.Event, error)) step {
		return step{of, func() { g.hears(text, opens) }}
	}
	ws := g.ann.NewWSClient()
	const plain, tagged, direct = "live", "live #spark", "@ann live"
	return []step{
		{"NewWSClient", func() { same(g, "whether there is a client", ws != nil, true) }},
		hears("StreamingUser", plain, g.ann.StreamingUser),
		hears("StreamingDirect", direct, g.ann.StreamingDirect),
		hears("StreamingList", plain, func(ctx context.Context) (chan client.Event, error) {
			return g.ann.StreamingList(ctx, g.list)
		}),
		hears("StreamingPublic", plain, func(ctx context.Context) (chan client.Event, error) {
			return g.ann.StreamingPublic(ctx, true)
		}),
		hears("StreamingPublic", plain, func(ctx context.Context) (chan client.Event, error) {
			return g.ann.StreamingPublic(ctx, false)
		}),
		hears("StreamingHashtag", tagged, func(ctx context.Context) (chan client.Event, error) {
			return g.ann.StreamingHashtag(ctx, "spark", true)
		}),
		hears("StreamingHashtag", tagged, func(ctx context.Context) (chan client.Event, error) {
			return g.ann.StreamingHashtag(ctx, "spark", false)
		}),
		hears("StreamingWSUser", plain, ws.StreamingWSUser),
		{"StreamingWSUser", func() { g.seen.request(http.MethodGet, "/api/v1/streaming") }}, // heard a moment ago
		hears("StreamingWSDirect", direct, ws.StreamingWSDirect),
		hears("StreamingWSPublic", plain, func(ctx context.Context) (chan client.Event, error) {
			return ws.StreamingWSPublic(ctx, true)
		}),
		hears("StreamingWSHashtag", tagged, func(ctx context.Context) (chan client.Event, error) {
			return ws.StreamingWSHashtag(ctx, "spark", false)
		}),
		{"StreamingWSList", func() { // the client sends the id as tag, by which no Mastodon knows a list
			ctx, stop := context.WithTimeout(g.ctx, 20*time.Second)
			defer stop()
			events := got[chan client.Event](g)(ws.StreamingWSList(ctx, g.list))
			if e, ok := (<-events).(*client.ErrorEvent); !ok || !strings.Contains(e.Error(), "bad handshake") {
				g.Errorf("the stream said %v", e)
			}
		}},
	}
}

// hears opens a stream, on which one of some posts of bob arrives.
func (g *gopher) hears(text string, opens func(context.Context) (chan client.Event, error)) {
	g.Helper()
	ctx, stop := context.WithTimeout(g.ctx, time.Minute)
	events, err := opens(ctx)
	testenv.Must(g, err)
	defer func() {
		stop()
		for ok := true; ok; { // the client blocks on events that nobody takes
			_, ok = <-events
		}
	}()
	visibility := "public"
	if strings.HasPrefix(text, "@") {
		visibility = "direct"
	}
	made := map[client.ID]bool{}
	for {
		s, err := g.bob.PostStatus(ctx, &client.Toot{Status: text, Visibility: visibility})
		testenv.Must(g, err)
		made[s.ID] = true
		for wait := time.After(200 * time.Millisecond); wait != nil; {
			select {
			case e := <-events:
				switch e := e.(type) {
				case *client.UpdateEvent:
					if made[e.Status.ID] {
						same(g, "author", e.Status.Account.ID, g.bobID)
						return
					}
				case *client.ConversationEvent:
					if made[e.Conversation.LastStatus.ID] {
						return
					}
				case *client.ErrorEvent: // a busy machine may hear too late what is new, and the client asks again
					if !strings.Contains(e.Error(), "503") {
						g.Fatalf("the stream said %v", e.Err)
					}
				}
			case <-wait:
				wait = nil
			}
		}
	}
}
