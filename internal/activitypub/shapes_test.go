package activitypub

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pem stands for a key in PEM.
const pem = "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n"

func decode(t *testing.T, text string) *Object {
	t.Helper()
	o, err := Decode([]byte(strings.ReplaceAll(text, "PEM", strings.ReplaceAll(pem, "\n", `\n`))))
	if err != nil {
		t.Fatalf("Decode: %v of\n%s", err, text)
	}
	return o
}

// Actors in the forms of six servers are read.
func TestActors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want Object // the fields that are compared
	}{
		"Mastodon": {`{"@context":["https://www.w3.org/ns/activitystreams","https://w3id.org/security/v1",{"toot":"x"}],
			"id":"https://m.example/users/ann","type":"Person","following":"https://m.example/users/ann/following",
			"followers":"https://m.example/users/ann/followers","inbox":"https://m.example/users/ann/inbox",
			"outbox":"https://m.example/users/ann/outbox","featured":"https://m.example/users/ann/collections/featured",
			"featuredTags":"https://m.example/users/ann/collections/tags","preferredUsername":"ann","name":"Ann",
			"summary":"<p>Hi</p>","url":"https://m.example/@ann","manuallyApprovesFollowers":true,"discoverable":true,
			"indexable":false,"published":"2023-01-02T00:00:00Z","memorial":false,
			"publicKey":{"id":"https://m.example/users/ann#main-key","owner":"https://m.example/users/ann",
			"publicKeyPem":"PEM"},
			"tag":[{"type":"Emoji","id":"https://m.example/emojis/1","name":":a:","icon":{"type":"Image",
			"url":"https://m.example/a.png"}}],
			"attachment":[{"type":"PropertyValue","name":"Site","value":"<a href=\"https://ann.example\">x</a>"}],
			"endpoints":{"sharedInbox":"https://m.example/inbox"},
			"icon":{"type":"Image","mediaType":"image/png","url":"https://m.example/i.png"},
			"alsoKnownAs":["https://old.example/users/ann"]}`,
			Object{ID: "https://m.example/users/ann", Type: "Person", PreferredUsername: "ann", Name: Text{Value: "Ann"},
				Inbox: "https://m.example/users/ann/inbox", SharedInbox: "https://m.example/inbox", ManuallyApproves: true,
				Featured:   "https://m.example/users/ann/collections/featured",
				PublicKeys: []Key{{"https://m.example/users/ann#main-key", "https://m.example/users/ann", pem}},
				Icon:       []Link{{Href: "https://m.example/i.png", MediaType: "image/png"}},
				URL:        []Link{{Href: "https://m.example/@ann"}}, AlsoKnownAs: []string{"https://old.example/users/ann"}}},
		"GoToSocial": {`{"@context":["https://www.w3.org/ns/activitystreams","https://w3id.org/security/v1"],
			"discoverable":true,"endpoints":{"sharedInbox":"https://g.example/sharedInbox"},
			"featured":"https://g.example/users/bea/collections/featured","followers":"https://g.example/users/bea/followers",
			"following":"https://g.example/users/bea/following",
			"icon":{"mediaType":"image/webp","name":"A cat","type":"Image","url":"https://g.example/f/i.webp"},
			"id":"https://g.example/users/bea","inbox":"https://g.example/users/bea/inbox",
			"manuallyApprovesFollowers":false,"name":"Bea","outbox":"https://g.example/users/bea/outbox",
			"preferredUsername":"bea","publicKey":{"id":"https://g.example/users/bea/main-key",
			"owner":"https://g.example/users/bea","publicKeyPem":"PEM"},"published":"2024-05-06T07:08:09Z","summary":"",
			"tag":[],"type":"Person","url":["https://g.example/@bea"]}`,
			Object{ID: "https://g.example/users/bea", Type: "Person", PreferredUsername: "bea", Name: Text{Value: "Bea"},
				Inbox: "https://g.example/users/bea/inbox", SharedInbox: "https://g.example/sharedInbox",
				Featured:   "https://g.example/users/bea/collections/featured",
				PublicKeys: []Key{{"https://g.example/users/bea/main-key", "https://g.example/users/bea", pem}},
				Icon:       []Link{{Href: "https://g.example/f/i.webp", MediaType: "image/webp"}},
				URL:        []Link{{Href: "https://g.example/@bea"}}}},
		"GoToSocial, the key alone": {`{"@context":["https://w3id.org/security/v1","https://www.w3.org/ns/activitystreams"],
			"id":"https://g.example/users/bea","preferredUsername":"bea",
			"publicKey":{"id":"https://g.example/users/bea/main-key",
			"owner":"https://g.example/users/bea","publicKeyPem":"PEM"},"type":"Person"}`,
			Object{ID: "https://g.example/users/bea", Type: "Person", PreferredUsername: "bea",
				PublicKeys: []Key{{"https://g.example/users/bea/main-key", "https://g.example/users/bea", pem}}}},
		"Misskey": {`{"@context":["https://www.w3.org/ns/activitystreams",{"Key":"sec:Key"}],"type":"Person",
			"id":"https://k.example/users/9abc","inbox":"https://k.example/users/9abc/inbox",
			"outbox":"https://k.example/users/9abc/outbox","followers":"https://k.example/users/9abc/followers",
			"following":"https://k.example/users/9abc/following","featured":"https://k.example/users/9abc/collections/featured",
			"sharedInbox":"https://k.example/inbox","endpoints":{"sharedInbox":"https://k.example/inbox"},
			"url":"https://k.example/@cho","preferredUsername":"cho","name":null,"summary":null,"_misskey_summary":null,
			"icon":{"type":"Image","url":"https://k.example/i","sensitive":false,"name":null},"image":null,
			"backgroundUrl":null,"tag":[],"manuallyApprovesFollowers":false,"discoverable":true,
			"publicKey":{"id":"https://k.example/users/9abc#main-key","type":"Key","owner":"https://k.example/users/9abc",
			"publicKeyPem":"PEM"},"isCat":true,"vcard:bday":"2000-01-01"}`,
			Object{ID: "https://k.example/users/9abc", Type: "Person", PreferredUsername: "cho",
				Inbox: "https://k.example/users/9abc/inbox", SharedInbox: "https://k.example/inbox",
				Featured:   "https://k.example/users/9abc/collections/featured",
				PublicKeys: []Key{{"https://k.example/users/9abc#main-key", "https://k.example/users/9abc", pem}},
				Icon:       []Link{{Href: "https://k.example/i"}}, URL: []Link{{Href: "https://k.example/@cho"}}}},
		"Pleroma": {`{"@context":["https://www.w3.org/ns/activitystreams","https://p.example/schemas/litepub-0.1.jsonld",
			{"@language":"und"}],"alsoKnownAs":[],"attachment":[],"capabilities":{"acceptsChatMessages":true},
			"discoverable":false,"endpoints":{"oauthAuthorizationEndpoint":"https://p.example/oauth/authorize",
			"sharedInbox":"https://p.example/inbox"},"featured":"https://p.example/users/dee/collections/featured",
			"followers":"https://p.example/users/dee/followers","id":"https://p.example/users/dee",
			"inbox":"https://p.example/users/dee/inbox","manuallyApprovesFollowers":false,"name":"dee",
			"outbox":"https://p.example/users/dee/outbox","preferredUsername":"dee","publicKey":{
			"id":"https://p.example/users/dee#main-key","owner":"https://p.example/users/dee","publicKeyPem":"PEM"},
			"summary":"","tag":[],"type":"Service","url":"https://p.example/users/dee","vcard:bday":null}`,
			Object{ID: "https://p.example/users/dee", Type: "Service", PreferredUsername: "dee", Name: Text{Value: "dee"},
				Inbox: "https://p.example/users/dee/inbox", SharedInbox: "https://p.example/inbox",
				Featured:   "https://p.example/users/dee/collections/featured",
				PublicKeys: []Key{{"https://p.example/users/dee#main-key", "https://p.example/users/dee", pem}},
				URL:        []Link{{Href: "https://p.example/users/dee"}}}},
		"Lemmy, a community": {`{"@context":["https://join-lemmy.org/context.json","https://www.w3.org/ns/activitystreams"],
			"type":"Group","id":"https://l.example/c/cats","preferredUsername":"cats","inbox":"https://l.example/c/cats/inbox",
			"followers":"https://l.example/c/cats/followers","publicKey":{"id":"https://l.example/c/cats#main-key",
			"owner":"https://l.example/c/cats","publicKeyPem":"PEM"},"name":"Cats","summary":"<p>cats</p>",
			"source":{"content":"cats","mediaType":"text/markdown"},"sensitive":false,
			"attributedTo":"https://l.example/c/cats/moderators","postingRestrictedToMods":false,
			"outbox":"https://l.example/c/cats/outbox","endpoints":{"sharedInbox":"https://l.example/inbox"},
			"featured":"https://l.example/c/cats/featured","language":[{"identifier":"en","name":"English"}],
			"published":"2023-06-07T08:09:10.123456Z"}`,
			Object{ID: "https://l.example/c/cats", Type: "Group", PreferredUsername: "cats", Name: Text{Value: "Cats"},
				Inbox: "https://l.example/c/cats/inbox", SharedInbox: "https://l.example/inbox",
				Featured:   "https://l.example/c/cats/featured",
				PublicKeys: []Key{{"https://l.example/c/cats#main-key", "https://l.example/c/cats", pem}}}},
		"PeerTube, a channel": {`{"@context":["https://www.w3.org/ns/activitystreams","https://w3id.org/security/v1",
			{"RsaSignature2017":"https://w3id.org/security#RsaSignature2017"}],"type":"Group",
			"id":"https://v.example/video-channels/eve","following":"https://v.example/video-channels/eve/following",
			"followers":"https://v.example/video-channels/eve/followers","inbox":"https://v.example/video-channels/eve/inbox",
			"outbox":"https://v.example/video-channels/eve/outbox","preferredUsername":"eve",
			"url":[{"type":"Link","mediaType":"text/html","href":"https://v.example/c/eve"},
			{"type":"Link","mediaType":"application/atom+xml","href":"https://v.example/feeds/videos.xml"}],"name":"Eve",
			"endpoints":{"sharedInbox":"https://v.example/inbox"},"publicKey":{
			"id":"https://v.example/video-channels/eve#main-key","owner":"https://v.example/video-channels/eve",
			"publicKeyPem":"PEM"},"icon":[{"type":"Image","mediaType":"image/png","height":48,"width":48,
			"url":"https://v.example/s.png"},{"type":"Image","mediaType":"image/png","height":120,"width":120,
			"url":"https://v.example/l.png"}],"summary":null,"support":null,
			"attributedTo":[{"type":"Person","id":"https://v.example/accounts/eve"}]}`,
			Object{ID: "https://v.example/video-channels/eve", Type: "Group", PreferredUsername: "eve",
				Name:  Text{Value: "Eve"},
				Inbox: "https://v.example/video-channels/eve/inbox", SharedInbox: "https://v.example/inbox",
				PublicKeys: []Key{{"https://v.example/video-channels/eve#main-key", "https://v.example/video-channels/eve", pem}},
				Icon: []Link{{Href: "https://v.example/s.png", MediaType: "image/png"},
					{Href: "https://v.example/l.png", MediaType: "image/png"}},
				URL: []Link{{Href: "https://v.example/c/eve", MediaType: "text/html"},
					{Href: "https://v.example/feeds/videos.xml", MediaType: "application/atom+xml"}},
				AttributedTo: []string{"https://v.example/accounts/eve"}}},
		"a Multikey": {`{"id":"https://h.example/u","type":["Person","https://h.example/ns#Cat"],
			"inbox":{"type":"OrderedCollection","id":"https://h.example/u/inbox"},"preferredUsername":"u",
			"assertionMethod":[{"id":"https://h.example/u#ed","type":"Multikey","controller":"https://h.example/u",
			"publicKeyMultibase":"z6Mk"},"https://h.example/u#other"]}`,
			Object{ID: "https://h.example/u", Type: "Person", PreferredUsername: "u", Inbox: "https://h.example/u/inbox",
				Multikeys: []Key{{"https://h.example/u#ed", "https://h.example/u", "z6Mk"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := decode(t, tt.text)
			got := Object{ID: o.ID, Type: o.Type, PreferredUsername: o.PreferredUsername, Name: o.Name, Inbox: o.Inbox,
				SharedInbox: o.SharedInbox, Featured: o.Featured, PublicKeys: o.PublicKeys, Multikeys: o.Multikeys,
				Icon: o.Icon, URL: o.URL, AlsoKnownAs: o.AlsoKnownAs, ManuallyApproves: o.ManuallyApproves}
			for i := range got.Icon {
				got.Icon[i].Width, got.Icon[i].Height = 0, 0
			}
			if o.Type == "Group" && o.ID == "https://v.example/video-channels/eve" {
				got.AttributedTo = o.AttributedTo
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if o.IsActor() != (tt.want.Inbox != "") {
				t.Errorf("IsActor() = %v", o.IsActor())
			}
		})
	}
}

// Posts in the forms of six servers are read.
func TestPosts(t *testing.T) {
	t.Parallel()
	note := decode(t, `{"@context":["https://www.w3.org/ns/activitystreams",{"ostatus":"http://ostatus.org#"}],
		"id":"https://m.example/users/ann/statuses/1","type":"Note","summary":"Rain","inReplyTo":null,
		"published":"2024-01-02T03:04:05Z","url":"https://m.example/@ann/1","attributedTo":"https://m.example/users/ann",
		"to":["https://www.w3.org/ns/activitystreams#Public"],
		"cc":["https://m.example/users/ann/followers","https://g.example/users/bea"],"sensitive":true,
		"atomUri":"x","conversation":"tag:m.example,2024:objectId=1:objectType=Conversation",
		"content":"<p>Wet</p>","contentMap":{"en":"<p>Wet</p>","fr":"<p>Mouill&eacute;</p>"},
		"updated":"2024-01-02T04:00:00Z",
		"attachment":[{"type":"Document","mediaType":"image/png","url":"https://m.example/f.png","name":"A cloud",
		"blurhash":"UBL","focalPoint":[0.5,-0.25],"width":640,"height":480}],
		"tag":[{"type":"Mention","href":"https://g.example/users/bea","name":"@bea@g.example"},
		{"type":"Hashtag","href":"https://m.example/tags/rain","name":"#rain"}],
		"quote":"https://g.example/users/bea/statuses/2",
		"replies":{"id":"https://m.example/users/ann/statuses/1/replies","type":"Collection",
		"first":{"type":"CollectionPage",
		"next":"https://m.example/n","partOf":"https://m.example/users/ann/statuses/1/replies",
		"items":["https://a.example/1"]}},
		"likes":{"id":"https://m.example/users/ann/statuses/1/likes","type":"Collection","totalItems":7}}`)
	if !note.Sensitive || note.Summary.Value != "Rain" || note.Content.By["fr"] != "<p>Mouill&eacute;</p>" ||
		!cmp.Equal(note.To, []string{Public}) || len(note.CC) != 2 ||
		note.Quote != "https://g.example/users/bea/statuses/2" ||
		!note.Published.Equal(time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)) || note.InReplyTo != "" ||
		note.Updated.IsZero() || len(note.Tag) != 2 || note.Tag[0].Type != "Mention" ||
		note.Tag[0].Href != "https://g.example/users/bea" || note.Tag[1].Name.Value != "#rain" ||
		note.Likes.Object.TotalItems != 7 || note.Replies.Object.First.Object.Items[0].ID != "https://a.example/1" {
		t.Errorf("a note of Mastodon is %+v", note)
	}
	if f := note.Attachment[0]; f.URL[0].Href != "https://m.example/f.png" || f.Name.Value != "A cloud" ||
		f.Width != 640 ||
		f.Blurhash != "UBL" || !cmp.Equal(f.FocalPoint, []float64{0.5, -0.25}) || f.MediaType != "image/png" {
		t.Errorf("its attachment is %+v", f)
	}

	question := decode(t, `{"@context":"https://www.w3.org/ns/activitystreams",
	"id":"https://g.example/users/bea/statuses/3",
		"type":"Question","content":"<p>Tea?</p>","contentMap":{"en":"<p>Tea?</p>"},
		"to":"https://www.w3.org/ns/activitystreams#Public",
		"cc":"https://g.example/users/bea/followers","endTime":"2024-02-03T00:00:00Z","votersCount":3,
		"attributedTo":"https://g.example/users/bea","published":"2024-02-02T00:00:00+09:00",
		"oneOf":[{"type":"Note","name":"Yes","replies":{"type":"Collection","totalItems":2}},
		{"type":"Note","name":"No","replies":{"type":"Collection","totalItems":1}}],"tag":{"type":"Hashtag","name":"#tea",
		"href":"https://g.example/tags/tea"},"attachment":[]}`)
	if len(question.OneOf) != 2 || question.OneOf[0].Replies.Object.TotalItems != 2 || question.VotersCount != 3 ||
		question.EndTime.IsZero() || !cmp.Equal(question.CC, []string{"https://g.example/users/bea/followers"}) ||
		len(question.Tag) != 1 || question.Published.Hour() != 15 {
		t.Errorf("a question of GoToSocial is %+v", question)
	}

	quoting := decode(t, `{"@context":["https://www.w3.org/ns/activitystreams"],"id":"https://k.example/notes/1",
	"type":"Note",
		"attributedTo":"https://k.example/users/9abc","summary":null,"content":"<p>look</p>","_misskey_content":"look",
		"source":{"content":"look","mediaType":"text/x.misskeymarkdown"},
		"_misskey_quote":"https://m.example/users/ann/statuses/1",
		"quoteUrl":"https://m.example/users/ann/statuses/1","published":"2024-03-04T05:06:07.890Z","to":["as:Public"],
		"cc":[],
		"inReplyTo":{"id":"https://m.example/users/ann/statuses/1","type":"Note"},"attachment":[],"sensitive":false,
		"tag":[]}`)
	if quoting.Quote != "https://m.example/users/ann/statuses/1" || !cmp.Equal(quoting.To, []string{Public}) ||
		quoting.InReplyTo != "https://m.example/users/ann/statuses/1" {
		t.Errorf("a note of Misskey is %+v", quoting)
	}

	article := decode(t, `{"@context":"https://www.w3.org/ns/activitystreams","actor":"https://p.example/users/dee",
		"attributedTo":["https://p.example/users/dee"],"id":"https://p.example/objects/1","type":"Article","name":"On tea",
		"content":"<h1>Tea</h1>","contentMap":{"und":"<h1>Tea</h1>"},"published":"2024-04-05T06:07:08.000000Z",
		"to":["Public"],"cc":[],"tag":["https://p.example/tags/tea"],"attachment":[{"type":"Document",
		"mediaType":"image/jpeg",
		"url":[{"type":"Link","href":"https://p.example/i.jpg","mediaType":"image/jpeg","width":10,"height":20}],
		"name":""}]}`)
	if article.Type != "Article" || article.Name.Value != "On tea" ||
		article.Tag[0].Href != "https://p.example/tags/tea" ||
		article.Attachment[0].URL[0] != (Link{"https://p.example/i.jpg", "image/jpeg", "", 10, 20}) ||
		!cmp.Equal(article.To, []string{Public}) || !cmp.Equal(article.AttributedTo,
		[]string{"https://p.example/users/dee"}) {
		t.Errorf("an article of Pleroma is %+v", article)
	}

	page := decode(t, `{"@context":["https://join-lemmy.org/context.json"],"type":"Page","id":"https://l.example/post/1",
		"attributedTo":"https://l.example/u/fay","to":["https://l.example/c/cats",
		"https://www.w3.org/ns/activitystreams#Public"],
		"name":"A cat","cc":[],"content":"<p>meow</p>","mediaType":"text/html","source":{"content":"meow",
		"mediaType":"text/markdown"},
		"attachment":[{"href":"https://cats.example/1","mediaType":"text/html; charset=utf-8","type":"Link"}],
		"image":{"type":"Image","url":"https://l.example/i.png"},"sensitive":false,"language":{"identifier":"en",
		"name":"English"},
		"audience":"https://l.example/c/cats","tag":[],"published":"2024-05-06T07:08:09.1Z"}`)
	if page.Type != "Page" || page.Attachment[0].Href != "https://cats.example/1" || page.Image[0].Href == "" ||
		page.MediaType != "text/html" || len(page.To) != 2 {
		t.Errorf("a page of Lemmy is %+v", page)
	}

	video := decode(t, `{"@context":["https://www.w3.org/ns/activitystreams",{"pt":"https://joinpeertube.org/ns#"}],
		"to":["https://www.w3.org/ns/activitystreams#Public"],"cc":["https://v.example/accounts/eve/followers"],
		"type":"Video",
		"id":"https://v.example/videos/watch/1","name":"Waves","duration":"PT61S","uuid":"u",
		"category":{"identifier":"1","name":"x"},
		"views":12,"sensitive":false,"waitTranscoding":true,"state":1,"commentsEnabled":true,
		"published":"2024-06-07T08:09:10.111Z",
		"content":"water","mediaType":"text/markdown","icon":[{"type":"Image","url":"https://v.example/t.jpg",
		"mediaType":"image/jpeg","width":280,"height":157}],"url":[{"type":"Link","mediaType":"text/html",
		"href":"https://v.example/w/1"},{"type":"Link","mediaType":"video/mp4","href":"https://v.example/1.mp4","height":720,
		"size":1000,"fps":30,"tag":[]}],"attributedTo":[{"type":"Person","id":"https://v.example/accounts/eve"},
		{"type":"Group","id":"https://v.example/video-channels/eve"}],"likes":"https://v.example/videos/watch/1/likes"}`)
	if video.Duration != "PT61S" || len(video.URL) != 2 || video.URL[1].MediaType != "video/mp4" ||
		video.URL[1].Height != 720 ||
		!cmp.Equal(video.AttributedTo, []string{"https://v.example/accounts/eve", "https://v.example/video-channels/eve"}) ||
		video.Likes.ID != "https://v.example/videos/watch/1/likes" || video.Icon[0].Width != 280 {
		t.Errorf("a video of PeerTube is %+v", video)
	}
}

// Activities name their actor and object by address, or hold them.
func TestActivities(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, kind, actor, object, inner string }{
		{`{"id":"https://m.example/1","type":"Follow","actor":"https://m.example/users/ann",
		"object":"https://h.example/users/u"}`,
			"Follow", "https://m.example/users/ann", "https://h.example/users/u", ""},
		{`{"id":"https://g.example/2","type":"Accept","actor":"https://g.example/users/bea",
		"object":{"id":"https://h.example/f",
			"type":"Follow","actor":"https://h.example/users/u","object":"https://g.example/users/bea"},
			"to":"https://h.example/users/u"}`, "Accept", "https://g.example/users/bea", "https://h.example/f", "Follow"},
		{`{"id":"https://k.example/3","type":"Like","actor":"https://k.example/users/9abc",
		"object":"https://h.example/posts/1",
			"content":"👍","_misskey_reaction":"👍","tag":[]}`, "Like", "https://k.example/users/9abc",
			"https://h.example/posts/1", ""},
		{`{"id":"https://p.example/4","type":"EmojiReact","actor":"https://p.example/users/dee",
		"object":"https://h.example/posts/1",
			"content":"🔥","to":["https://h.example/users/u"],"cc":[]}`, "EmojiReact", "https://p.example/users/dee",
			"https://h.example/posts/1", ""},
		{`{"id":"https://m.example/5","type":"Delete","actor":"https://m.example/users/ann","object":{
			"id":"https://m.example/users/ann/statuses/1","type":"Tombstone","atomUri":"x"},
			"signature":{"type":"RsaSignature2017"}}`,
			"Delete", "https://m.example/users/ann", "https://m.example/users/ann/statuses/1", "Tombstone"},
		{`{"id":"https://l.example/6","type":"Announce","actor":"https://l.example/c/cats",
		"object":{"id":"https://l.example/7",
			"type":"Create","actor":"https://l.example/u/fay","object":{"id":"https://l.example/post/1","type":"Page"}}}`,
			"Announce", "https://l.example/c/cats", "https://l.example/7", "Create"},
		{`{"id":"https://m.example/8","type":"Move","actor":{"id":"https://m.example/users/ann","type":"Person"},
			"object":"https://m.example/users/ann","target":"https://h.example/users/u"}`, "Move",
			"https://m.example/users/ann",
			"https://m.example/users/ann", ""},
		{`{"id":"https://m.example/9","type":"Flag","actor":"https://m.example/actor","content":"spam",
			"object":["https://h.example/users/u","https://h.example/posts/1"]}`, "Flag", "https://m.example/actor",
			"https://h.example/users/u", ""},
	}
	for _, tt := range tests {
		o := decode(t, tt.text)
		inner := ""
		if in := o.Object[0].Object; in != nil {
			inner = in.Type
		}
		if o.Type != tt.kind || o.Actor != tt.actor || o.Object[0].ID != tt.object || inner != tt.inner {
			t.Errorf("%s: %s by %s of %s, an %q", tt.kind, o.Type, o.Actor, o.Object[0].ID, inner)
		}
	}
}
