package main

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// Where the extras of the seed happen, by username.
var (
	starterPack = []string{"sora", "clara", "aoi", "jonas", "eva", "mei", "felix"}
	codeFriends = []string{"ren", "alice", "taro", "david", "haru", "grace"}
)

// chat is a conversation that the first person begins, as who says what.
type chat struct {
	with  []string
	name  string
	lines []line
}

type line struct{ by, text string }

var chats = []chat{
	{[]string{"aoi"}, "", []line{{"hana", "明日の通し、十七時でどうですか?"}, {"aoi", "大丈夫です! ばち、見つかりました。"}, {"hana", "どこに?"},
		{"aoi", "背中に差していました……"}, {"hana", "笑いすぎて星がこぼれました。"}}},
	{[]string{"jonas", "clara", "aoi"}, "Saturday / 土曜の本番",
		[]line{{"hana", "明日の段取りです。質問はここで!"}, {"jonas", "Eight bars, then the gong. Nobody moves."},
			{"clara", "Nobody moves is my favorite instruction."}, {"aoi", "了解です。息も止めます。"},
			{"hana", "導火線は二本用意しました。よろしくお願いします!"}, {"jonas", "よろしく! (I practiced)"}}},
	{[]string{"felix"}, "", []line{{"felix", "「たまや」 — before the boom, or after?"}, {"hana", "開いた瞬間です。音より先に。"},
		{"felix", "So I answer a sound that I have not heard yet. Beautiful."}}},
}

// who is the person with a username.
func who(name string) int {
	return slices.IndexFunc(people, func(p person) bool { return p.username == name })
}

// friends are the people to whom the first person writes.
func friends() (all []int) {
	for _, c := range chats {
		for _, name := range c.with {
			all = append(all, who(name))
		}
	}
	return all
}

// extras are what a network has beside tweets: lists, conversations, a scheduled post, an announcement, an order,
// and for the moderators a report, an appeal and a sign-up. A repetition finds the lists and does nothing.
func (w *writer) extras(ctx context.Context) error {
	call := func(by int, method, path string, body, answer any) error {
		return w.c.call(ctx, w.tokens[by], method, path, "", body, answer)
	}
	var lists struct{ Items []any }
	if err := call(0, http.MethodGet, "/v1/lists", nil, &lists); err != nil || len(lists.Items) > 0 {
		return err
	}
	for _, list := range []struct {
		title, description, visibility string
		members                        []string
	}{
		{"はじめての花火 / Begin here", "People who look up. Follow them all, and your evenings are full.", "public", starterPack},
		{"コードの人たち", "", "private", codeFriends},
	} {
		var made struct{ ID string }
		if err := call(0, http.MethodPost, "/v1/lists", map[string]any{"title": list.title, "description": list.description,
			"visibility": list.visibility}, &made); err != nil {
			return err
		}
		for _, name := range list.members {
			if err := call(0, http.MethodPut, "/v1/lists/"+made.ID+"/members/"+w.uids[who(name)], nil, nil); err != nil {
				return err
			}
		}
	}
	for _, c := range chats {
		if err := w.talk(c, call); err != nil {
			return err
		}
	}
	if err := call(0, http.MethodPost, "/v1/drafts", map[string]any{"content": "おはようございます。片付けも花火のうち。 #花火",
		"publishAt": time.Now().Add(30 * time.Hour).UTC().Format(time.RFC3339)}, nil); err != nil {
		return err
	}
	if err := call(who("clara"), http.MethodPost, "/v1/reports", map[string]any{"userId": w.uids[who("ben")],
		"reason": "other", "text": "He bought one bucket. The rule says one for every ten meters."}, nil); err != nil {
		return err
	}
	if err := w.care(ctx); err != nil {
		return err
	}
	if err := w.order(ctx); err != nil {
		return err
	}
	return w.admin.send(ctx, http.MethodPut, "/v1/admin/announcements/saturday", map[string]any{
		"title": "土曜は花火の日 / Fireworks on Saturday",
		"text": "The shop closes at noon, the river opens at five. Bring a blanket.\n\n" +
			"お店は正午まで、河川敷は十七時から。毛布をお忘れなく。"}, nil)
}

// Who gives the moderators work. Neither of them is among the people of the seed.
var (
	dealer = person{"rocketdeals", "Rocket Deals", "Rockets at half price. No papers, no questions."}
	waiter = person{"nagisa", "なぎさ", "海辺の町で花火の写真を撮っています。"}
)

// waiterMail is a host whose sign-ups an administrator approves.
const waiterMail = "mail.example.net"

// care leaves an appeal against a hidden tweet, and a sign-up that waits.
func (w *writer) care(ctx context.Context) error {
	token, _, err := w.c.signUp(ctx, dealer)
	if err != nil {
		return err
	}
	var offer struct{ ID string }
	if err := w.c.call(ctx, token, http.MethodPost, "/v1/tweets", "", map[string]string{
		"content": "Rockets at half price! No papers, no questions, no refunds. Write to me today."}, &offer); err != nil {
		return err
	}
	if err := w.admin.send(ctx, http.MethodPut, "/v1/admin/tweets/"+offer.ID+"/flag", map[string]any{
		"reason": "Sells fireworks without papers."}, nil); err != nil {
		return err
	}
	var decisions struct{ Items []struct{ ID string } }
	if err := w.c.call(ctx, token, http.MethodGet, "/v1/users/me/decisions", "", nil, &decisions); err != nil {
		return err
	}
	for _, d := range decisions.Items {
		if err := w.c.call(ctx, token, http.MethodPut, "/v1/users/me/decisions/"+d.ID+"/appeal", "", map[string]string{
			"text": "It was a joke about my cousin. All my rockets have papers, and I ask many questions."}, nil); err != nil {
			return err
		}
	}
	if err := w.admin.send(ctx, http.MethodPut, "/v1/admin/sign-up-blocks?of="+waiterMail, map[string]any{
		"severity": "approval", "comment": "Many addresses of one evening."}, nil); err != nil {
		return err
	}
	if token, _, err = w.c.signIn(ctx, waiter.username+"@"+waiterMail); err != nil {
		return err
	}
	return w.c.call(ctx, token, http.MethodPost, "/v1/users", "", map[string]string{"username": waiter.username,
		"nickname": waiter.nickname, "introduction": waiter.introduction,
		"reason": "花さんの写真を見て来ました。夏の夜の海も見てほしいです。"}, nil)
}

// talk begins a conversation of the first person and writes its lines.
func (w *writer) talk(c chat, call func(int, string, string, any, any) error) error {
	var members []string
	for _, name := range c.with {
		members = append(members, w.uids[who(name)])
	}
	var made struct{ ID string }
	if err := call(0, http.MethodPost, "/v1/conversations", map[string]any{"memberIds": members, "name": c.name,
		"text": c.lines[0].text}, &made); err != nil {
		return err
	}
	for _, l := range c.lines[1:] {
		if err := call(who(l.by), http.MethodPost, "/v1/conversations/"+made.ID+"/messages",
			map[string]string{"text": l.text}, nil); err != nil {
			return err
		}
	}
	return nil
}
