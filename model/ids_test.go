package model_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/model"
)

func TestParseUserID(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"a", "kP2vXy0c1uQb", "_", "a_b", "__a", "a__", "a.b", "...", "50%", "名前",
		strings.Repeat("火", model.MaxUserID)} {
		if got, err := model.ParseUserID(s); err != nil || string(got) != s {
			t.Errorf("ParseUserID(%q) = %q, %v", s, got, err)
		}
	}
	tests := []struct{ in, text string }{
		{"", "empty"},
		{strings.Repeat("a", model.MaxUserID+1), "128"},
		{".", ""}, {"..", ""}, {"__", ""}, {"____", ""}, {"__x__", ""},
		{"a/b", ""}, {"/", ""}, {"a\x00", ""}, {"a\nb", ""}, {"\x7f", ""}, {"\xff", ""}, {"a\xe7\x81", ""},
	}
	for _, test := range tests {
		_, err := model.ParseUserID(test.in)
		wantInvalid(t, err, "invalid_user_id", test.text)
	}
}

func FuzzParseUserID(f *testing.F) {
	for _, s := range []string{"", "alice", "..", "__a__", "a/b", "a\x00", "火", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := model.ParseUserID(s)
		if err != nil {
			wantInvalid(t, err, "invalid_user_id")
			return
		}
		wantDocumentID(t, string(id))
		if string(id) != s || utf8.RuneCountInString(s) > model.MaxUserID {
			t.Errorf("ParseUserID(%q) = %q", s, id)
		}
	})
}

func TestParseTweetID(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"000000000000000000", "ff7fffffffffffffff", "3f019a5b6c7d8e9f01"} {
		if got, err := model.ParseTweetID(s); err != nil || string(got) != s {
			t.Errorf("ParseTweetID(%q) = %q, %v", s, got, err)
		}
	}
	for _, s := range []string{
		"", "3f", "3f019a5b6c7d8e9f0", "3f019a5b6c7d8e9f011", "3F019A5B6C7D8E9F01", "3f019a5b6c7d8e9g01",
		"3f819a5b6c7d8e9f01", "3f/19a5b6c7d8e9f01", "3f019a5b6c7d8e9f0 ", "3f019a5b6c7d8e9f0é", strings.Repeat("火", 6),
	} {
		_, err := model.ParseTweetID(s)
		wantInvalid(t, err, "invalid_tweet_id", "18")
	}
}

func FuzzParseTweetID(f *testing.F) {
	for _, s := range []string{"", "3f019a5b6c7d8e9f01", "3f819a5b6c7d8e9f01", "3F019A5B6C7D8E9F01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := model.ParseTweetID(s)
		if err != nil {
			wantInvalid(t, err, "invalid_tweet_id", "18")
			return
		}
		if at := id.Time(); at.Before(time.Unix(0, 0)) || at.Location() != time.UTC {
			t.Errorf("TweetID(%q).Time() = %v", s, at)
		}
		if id.Month() != model.MonthOf(id.Time()) || id.Compare(id) != 0 {
			t.Errorf("TweetID(%q): Month() = %v, Compare with itself = %d", s, id.Month(), id.Compare(id))
		}
	})
}
