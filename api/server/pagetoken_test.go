package server

import (
	"bytes"
	"encoding/base64"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

var testTokens = newPageTokens(bytes.Repeat([]byte("k"), 32))

func TestPageTokens(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 12, 0, 0, 123456000, time.UTC)
	for _, want := range []model.Cursor{{At: at, ID: "a_b"}, {Count: 7, ID: "火花"}} {
		var got model.Cursor
		token := testTokens.Seal("list", want)
		if again := testTokens.Seal("list", want); again != token {
			t.Errorf("one place has two tokens, %s and %s", token, again)
		}
		if raw, err := tokenEncoding.DecodeString(token); err != nil || bytes.Contains(raw, []byte(want.ID)) {
			t.Errorf("the token of %v tells its place: %q, %v", want, raw, err)
		}
		if err := testTokens.Open("list", token, &got); err != nil || got != want {
			t.Errorf("open(seal(%v)) = %v, %v", want, got, err)
		}
		for name, open := range map[string]func(*model.Cursor) error{
			"another list":  func(c *model.Cursor) error { return testTokens.Open("lists", token, c) },
			"another key":   func(c *model.Cursor) error { return newPageTokens([]byte("x")).Open("list", token, c) },
			"more":          func(c *model.Cursor) error { return testTokens.Open("list", token+"AA", c) },
			"less":          func(c *model.Cursor) error { return testTokens.Open("list", token[:len(token)-4], c) },
			"a part of it":  func(c *model.Cursor) error { return testTokens.Open("list", token[:16], c) },
			"padded base64": func(c *model.Cursor) error { return testTokens.Open("list", token+"=", c) },
		} {
			var place model.Cursor
			if err := open(&place); errs.CodeOf(err) != "invalid_page_token" || errs.KindOf(err) != errs.Invalid ||
				place != (model.Cursor{}) {
				t.Errorf("%s: error %v, place %v", name, err, place)
			}
		}
	}
	before := model.TweetID("aa0000000000000001")
	if err := testTokens.Open("list", "", &before); err != nil || before != "aa0000000000000001" {
		t.Errorf("the empty token: %v, %v", before, err)
	}
	var huge model.Cursor
	if err := testTokens.Open("list", testTokens.Seal("list", string(bytes.Repeat([]byte("x"), maxPageToken))),
		&huge); errs.CodeOf(err) != "invalid_page_token" {
		t.Errorf("an oversized token: %v", err)
	}
}

// No token opens a list but the one that seal made for it, letter by letter.
func FuzzPageToken(f *testing.F) {
	want := model.Cursor{Count: 7, ID: "go"}
	token := testTokens.Seal("tags", want)
	f.Add("tags", token)
	f.Add("tag", token)
	f.Add("tags", token+"=")
	f.Add("tags", base64.RawURLEncoding.EncodeToString(make([]byte, 40)))
	f.Add("tags", "%00")
	f.Fuzz(func(t *testing.T, list, attempt string) {
		var got model.Cursor
		err := testTokens.Open(list, attempt, &got)
		switch {
		case attempt == "":
			if err != nil || got != (model.Cursor{}) {
				t.Errorf("open(%q, %q) = %v, %v", list, attempt, got, err)
			}
		case list == "tags" && attempt == token:
			if err != nil || got != want {
				t.Errorf("open(%q, %q) = %v, %v", list, attempt, got, err)
			}
		case errs.CodeOf(err) != "invalid_page_token" || got != (model.Cursor{}):
			t.Errorf("open(%q, %q) = %v, %v", list, attempt, got, err)
		}
	})
}
