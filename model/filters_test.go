package model_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// filterCases are testdata/filters.json, which the test of the TypeScript client reads too.
type filterCases struct {
	Now   time.Time
	Cases []struct {
		Name, Keyword, Text string
		Whole, Match        bool
		Tags                []string
		Contexts            []model.FilterContext
		ExpiresAt           time.Time
	}
}

func TestFilterCases(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/filters.json")
	if err != nil {
		t.Fatal(err)
	}
	var all filterCases
	if err := json.Unmarshal(text, &all); err != nil || len(all.Cases) < 40 {
		t.Fatalf("%d cases, %v", len(all.Cases), err)
	}
	for _, c := range all.Cases {
		f := model.Filter{Title: "t", Contexts: c.Contexts, Action: model.FilterWarn, ExpiresAt: c.ExpiresAt,
			Keywords: []model.FilterKeyword{{Keyword: "nothing of it"}, {Keyword: c.Keyword, WholeWord: c.Whole}}}
		if len(c.Contexts) == 0 {
			f.Contexts = []model.FilterContext{model.FilterHome}
		}
		m := (&model.Filters{Filters: map[string]model.Filter{"f": f}}).Matcher(all.Now)
		var want []model.FilterHit
		if c.Match {
			want = []model.FilterHit{{FilterID: "f", Title: "t", Action: model.FilterWarn, Keyword: c.Keyword,
				Contexts: f.Contexts}}
			if !c.ExpiresAt.IsZero() {
				want[0].ExpiresAt = &c.ExpiresAt
			}
		}
		got := m.Match(model.FilterText{Texts: []string{"before", c.Text}, Tags: c.Tags}, model.FilterHome)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
	}
}

// A list in which a filter does not act costs nothing for the filter's keywords.
func TestFiltersFoldLate(t *testing.T) {
	f := model.Filter{Title: "t", Contexts: []model.FilterContext{model.FilterHome}, Action: model.FilterWarn}
	for i := range model.MaxFilterKeywords {
		f.Keywords = append(f.Keywords, model.FilterKeyword{Keyword: fmt.Sprint("É", i)})
	}
	graph := &model.ViewerGraph{Filters: map[string]model.Filter{"f": f}}
	allocations := func(in model.FilterContext) float64 {
		return testing.AllocsPerRun(5, func() {
			graph.Quiet("ann", time.Unix(1, 0)).Filters("bob", model.FilterText{Texts: []string{"é1"}}, in)
		})
	}
	if home, thread := allocations(model.FilterHome), allocations(model.FilterThread); home < 500 || thread > 50 {
		t.Errorf("%.0f allocations where the filter acts, and %.0f elsewhere", home, thread)
	}
}

// A filter is kept in one form, within its bounds.
func TestFilterBounds(t *testing.T) {
	t.Parallel()
	word := func(n int) model.FilterKeyword { return model.FilterKeyword{Keyword: strings.Repeat("火", n)} }
	good := model.Filter{Title: " a ", Contexts: []model.FilterContext{"thread", "home", "thread"}, Action: "hide",
		Keywords: []model.FilterKeyword{{Keyword: " cafe\u0301 "}}}
	clean, err := good.Clean()
	want := model.Filter{Title: "a", Contexts: []model.FilterContext{"home", "thread"}, Action: "hide",
		Keywords: []model.FilterKeyword{{Keyword: "caf\u00e9"}}}
	if diff := cmp.Diff(want, clean); diff != "" || err != nil {
		t.Errorf("Clean (-want +got):\n%s%v", diff, err)
	}
	for what, change := range map[string]func(*model.Filter){
		"no title":          func(f *model.Filter) { f.Title = " " },
		"a long title":      func(f *model.Filter) { f.Title = strings.Repeat("a", 101) },
		"no context":        func(f *model.Filter) { f.Contexts = nil },
		"another context":   func(f *model.Filter) { f.Contexts = []model.FilterContext{"account"} },
		"another action":    func(f *model.Filter) { f.Action = "fold" },
		"no keyword":        func(f *model.Filter) { f.Keywords = nil },
		"an empty keyword":  func(f *model.Filter) { f.Keywords = []model.FilterKeyword{{Keyword: "\u200b"}} },
		"a hash alone":      func(f *model.Filter) { f.Keywords = []model.FilterKeyword{{Keyword: "#\u200b"}} },
		"two hashes":        func(f *model.Filter) { f.Keywords = []model.FilterKeyword{{Keyword: "##a"}} },
		"a space in a tag":  func(f *model.Filter) { f.Keywords = []model.FilterKeyword{{Keyword: "# x"}} },
		"a tag of signs":    func(f *model.Filter) { f.Keywords = []model.FilterKeyword{{Keyword: "\ufeff#!"}} },
		"a long keyword":    func(f *model.Filter) { f.Keywords = []model.FilterKeyword{word(101)} },
		"too many keywords": func(f *model.Filter) { f.Keywords = make([]model.FilterKeyword, 501) },
	} {
		f := good
		change(&f)
		if _, err := f.Clean(); errs.KindOf(err) != errs.Invalid {
			t.Errorf("%s: %v", what, err)
		}
	}
	var fs model.Filters
	put := func(id string, keywords ...model.FilterKeyword) error {
		f := clean
		f.Keywords = slices.Clone(keywords)
		_, err := fs.Put(id, f)
		return err
	}
	for i := range model.MaxFilters {
		if err := put(fmt.Sprint(i), word(1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := put("51", word(1)); errs.KindOf(err) != errs.Conflict {
		t.Errorf("a filter too many: %v", err)
	}
	many := make([]model.FilterKeyword, model.MaxFilterKeywords-model.MaxFilters+2)
	for i := range many {
		many[i] = word(1)
	}
	if err := put("0", many...); errs.KindOf(err) != errs.Conflict {
		t.Errorf("a keyword too many: %v", err)
	}
	if err := put("0", many[1:]...); err != nil {
		t.Errorf("as many keywords as may be: %v", err)
	}
	for i := range many {
		many[i] = word(40)
	}
	if err := put("0", many[1:]...); errs.KindOf(err) != errs.Conflict {
		t.Errorf("too many bytes: %v", err)
	}
}

// A mute hides its part until it ends, and its notifications if it says so.
func TestMuteParts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	event := func(kind model.NotificationKind, replyTo model.TweetID) *model.NotificationEvent {
		return &model.NotificationEvent{Type: kind, Payload: model.NotificationEventPayload{ReplyTo: replyTo}}
	}
	like, share, order := event("like", ""), event("share", ""), event("order", "")
	reply, mention, former := event("reply", "x"), event("mention", ""), event("mention", "x")
	// Bob answers Cat, and himself, and mentions Ann.
	answer := &model.Tweet{ID: "0000000000000000aa", AuthorID: "bob", ReplyTo: new(model.TweetID("00000000000000000a")),
		ReplyToAuthorID: "cat", Mentions: map[string]time.Time{"ann": now}}
	mentionInReply := model.MentionNotificationEvent(answer, "ann")
	thread := *answer
	thread.ReplyToAuthorID = "bob"
	mentionInThread := model.MentionNotificationEvent(&thread, "ann")
	for _, test := range []struct {
		part                 model.MutePart
		all, shares, replies bool
		silences, lets       []*model.NotificationEvent
	}{
		{model.MuteAll, true, true, true, []*model.NotificationEvent{like, share, reply, mention, mentionInReply,
			former}, []*model.NotificationEvent{order}},
		{model.MuteShares, false, true, false, []*model.NotificationEvent{share},
			[]*model.NotificationEvent{like, reply, mention, order}},
		{model.MuteReplies, false, false, true, []*model.NotificationEvent{reply, mentionInReply, former},
			[]*model.NotificationEvent{like, share, mention, mentionInThread, order}},
	} {
		for _, until := range []time.Time{{}, now.Add(time.Second)} {
			m := (&model.MutedUser{Part: test.part, Until: until, HideNotifications: true}).Mute()
			loud := (&model.MutedUser{Part: test.part, Until: until}).Mute()
			if m.HidesAll(now) != test.all || m.HidesShares(now) != test.shares || m.HidesReplies(now) != test.replies ||
				m.Part() != test.part || !m.Until().Equal(until) || !m.HidesNotifications() || loud.HidesNotifications() {
				t.Errorf("%s until %v: %d", test.part, until, m)
			}
			for _, n := range test.silences {
				if !m.Silences(n, now) || loud.Silences(n, now) {
					t.Errorf("%s: a %s", test.part, n.Type)
				}
			}
			for _, n := range test.lets {
				if m.Silences(n, now) {
					t.Errorf("%s silences a %s", test.part, n.Type)
				}
			}
			if end := now.Add(time.Second); !until.IsZero() && (m.Holds(end) || m.HidesAll(end) || m.HidesShares(end) ||
				m.HidesReplies(end) || m.Silences(reply, end)) {
				t.Errorf("%s holds at its end", test.part)
			}
		}
	}
}

// A mute of replies leaves what its user adds to own tweets.
func TestMuteThreads(t *testing.T) {
	t.Parallel()
	mute := (&model.MutedUser{Part: model.MuteReplies}).Mute()
	quiet := (&model.ViewerGraph{Muted: map[model.UserID]model.Mute{"bob": mute}}).Quiet("ann", time.Unix(1, 0))
	for answered, hides := range map[model.UserID]bool{"cat": true, "ann": true, "bob": false} {
		reply := &model.Tweet{AuthorID: "bob", ReplyTo: new(model.TweetID("00000000000000000a")), ReplyToAuthorID: answered}
		if quiet.HidesTweet(reply) != hides {
			t.Errorf("a reply to %s is hidden: %t", answered, !hides)
		}
	}
}

// TestFilterPictures looks for what filters see of a reply without text: its content warning.
func TestFilterPictures(t *testing.T) {
	t.Parallel()
	reply := &model.Tweet{ID: "0000000000000000aa", AuthorID: "bob", ReplyTo: new(model.TweetID("00000000000000000a")),
		ReplyToAuthorID: "ann", Summary: "the finale", Media: []model.TweetMedia{{}}}
	n := reply.ReplyNotificationEvent()
	if n.About == nil {
		t.Fatal("a reply of pictures alone has no text for filters")
	}
	filters := &model.Filters{Filters: map[string]model.Filter{"f": {Action: model.FilterHide,
		Contexts: model.FilterContexts, Keywords: []model.FilterKeyword{{Keyword: "finale"}}}}}
	quiet := (&model.ViewerGraph{Filters: filters.Filters}).Quiet("ann", time.Unix(1, 0))
	if !quiet.Silences(n) {
		t.Error("a filter does not see the content warning of a reply of pictures alone")
	}
	reply.Media, reply.Summary = nil, ""
	if n := reply.ReplyNotificationEvent(); n.About != nil {
		t.Errorf("a version without its text has the text %+v for filters", n.About)
	}
}
