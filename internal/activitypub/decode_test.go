package activitypub

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Documents beyond a limit, and those that two readers would read differently, are refused.
func TestRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want error
	}{
		"large":        {`{"type":"Note","content":"` + strings.Repeat("a", MaxBytes) + `"}`, ErrLimit},
		"deep":         {`{"type":"Note","tag":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, ErrLimit},
		"deep objects": {strings.Repeat(`{"type":"Note","object":`, 50) + `1` + strings.Repeat("}", 50), ErrLimit},
		"a long list":  {`{"type":"Note","to":[` + strings.Repeat(`"a",`, maxList) + `"a"]}`, ErrLimit},
		"many values": {`{"type":"Note","tag":[` + strings.Repeat(`[`+strings.Repeat("1,", 900)+`1],`, 30) + `1]}`,
			ErrLimit},
		"a name twice":    {`{"type":"Note","id":"https://a.example/1","id":"https://b.example/1"}`, ErrDocument},
		"twice within":    {`{"type":"Person","publicKey":{"owner":"a","owner":"b"}}`, ErrDocument},
		"two documents":   {`{"type":"Note"}{"type":"Note"}`, ErrDocument},
		"a list":          {`[{"type":"Note"}]`, ErrDocument},
		"no type":         {`{"id":"https://a.example/1"}`, ErrDocument},
		"a page":          {`<!doctype html>`, ErrDocument},
		"nothing":         {``, ErrDocument},
		"an open object":  {`{"type":"Note"`, ErrDocument},
		"no UTF-8":        {"{\"type\":\"Note\",\"content\":\"\xff\"}", ErrDocument},
		"a type of a map": {`{"type":{"a":"Note"}}`, ErrDocument},
	}
	for name, tt := range tests {
		begun := time.Now()
		if o, err := Decode([]byte(tt.text)); !errors.Is(err, tt.want) || o != nil {
			t.Errorf("%s: Decode = %v, want %v", name, err, tt.want)
		}
		if d := time.Since(begun); d > 5*time.Second {
			t.Errorf("%s took %s", name, d)
		}
	}
}

// What has a form that nobody writes is as if it were not there.
func TestForms(t *testing.T) {
	t.Parallel()
	o := decode(t, `{"type":"Note","id":7,"content":[],"to":{"a":1},"cc":[["https://a.example"],null,3],"published":"yesterday",
		"url":null,"sensitive":"yes","totalItems":-4,"width":1.5e3,"height":1e400,"votersCount":"3","focalPoint":[0,0,0],
		"publicKey":[{"publicKeyPem":7},"https://a.example/key"],"contentMap":{"":"x","fr":"oui","en":"yes","de":7},
		"icon":[[]],"object":[null,7],"endpoints":"x","inReplyTo":"`+strings.Repeat("a", 3000)+`"}`)
	if o.ID != "" || o.Content.Value != "yes" || len(o.Content.By) != 2 || o.To != nil || o.CC != nil || o.URL != nil ||
		!o.Published.IsZero() || o.Sensitive || o.TotalItems != 0 || o.Width != 1500 || o.Height != 0 || o.VotersCount != 0 ||
		o.FocalPoint != nil || o.PublicKeys != nil || o.Icon != nil || o.Object != nil || o.InReplyTo != "" {
		t.Errorf("it is %+v", o)
	}
}

// Programs ask for documents by two types; browsers and others get pages.
func TestAccepts(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"application/activity+json":                                            true,
		"application/activity+json, application/ld+json":                       true,
		`application/ld+json; profile="https://www.w3.org/ns/activitystreams"`: true,
		`text/html;q=0.9, Application/Activity+JSON;q=0.8`:                     true,
		`application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"`: false,
		"application/ld+json":                                                  false,
		"application/json":                                                     false,
		"":                                                                     false,
		"*/*":                                                                  false,
		"application/*":                                                        false,
		"application/activity+json;q=0":                                        false,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": false,
	} {
		if got := Accepts(header); got != want {
			t.Errorf("Accepts(%q) = %v, want %v", header, got, want)
		}
	}
}

// What is written here is read here, with the one context.
func TestWritten(t *testing.T) {
	t.Parallel()
	n := int64(3)
	post := Post{Context: Context, ID: "https://h.example/posts/1", Type: "Question",
		AttributedTo: "https://h.example/users/u",
		To:           []string{Public}, CC: []string{"https://h.example/users/u/followers"}, Content: "<p>a</p>",
		ContentMap: map[string]string{"ja": "<p>a</p>"}, Tag: []Tag{{"Hashtag", "https://h.example/tags/a", "#a"}},
		Attachment: []Media{{Type: "Document", MediaType: "image/webp", URL: "https://h.example/i", Width: 3}},
		Published:  Time(time.Unix(1e9, 5)), Quote: "https://h.example/posts/2", VotersCount: &n,
		OneOf: []Option{{"Note", "Yes", &Collection{Type: "Collection", TotalItems: &n}}}}
	data, err := json.Marshal(post)
	if err != nil {
		t.Fatal(err)
	}
	o := decode(t, string(data))
	if o.ID != post.ID || o.OneOf[0].Replies.Object.TotalItems != n || o.Content.By["ja"] != "<p>a</p>" ||
		o.To[0] != Public ||
		o.Published.Unix() != 1e9 || o.Quote != post.Quote || o.Attachment[0].Width != 3 || o.Tag[0].Name.Value != "#a" {
		t.Errorf("%s is read as %+v", data, o)
	}
	if !json.Valid(Context) || len(Context) > 1200 {
		t.Errorf("the context has %d bytes: %s", len(Context), Context)
	}
	if Time(time.Time{}) != "" {
		t.Error("no time has a text")
	}
}

// Decode returns for every text, and what it returns holds together.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"type":"Note","to":["a",{"id":"b"}],"contentMap":{"en":"x"}}`, `[]`, `{"type":["A","B"],"tag":[[]]}`,
		`{"publicKeyPem":"x","id":"k","owner":"o"}`, `{"type":"Note","first":{"next":"x","items":[{"type":"Note"}]}}`,
		`{"type":"Person","inbox":{"id":"x"},"icon":{"url":[{"href":"x","width":1e99}]},"focalPoint":[1,"a"]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := Decode(data)
		switch {
		case err != nil && (o != nil || !errors.Is(err, ErrLimit) && !errors.Is(err, ErrDocument)):
			t.Errorf("Decode = %v, %v", o, err)
		case err == nil && (o.Type == "" || o.Type != o.Kind[0] || len(o.ID) > maxID):
			t.Errorf("Decode = %s", fmt.Sprint(*o))
		}
	})
}
