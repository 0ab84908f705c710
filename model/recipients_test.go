package model

import (
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

func TestAudienceOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		to, cc []string
		want   Audience
		users  []UserID
	}{
		{[]string{"public"}, nil, Public, nil},
		{[]string{PublicCollection}, []string{"followers", "bob"}, Public, []UserID{"bob"}},
		{[]string{"followers"}, []string{"public"}, Unlisted, nil},
		{[]string{"followers", "bob"}, []string{PublicCollection}, Unlisted, []UserID{"bob"}},
		{[]string{"followers"}, []string{"bob", "bob"}, Followers, []UserID{"bob"}},
		{[]string{"bob"}, []string{"followers"}, Followers, []UserID{"bob"}},
		{[]string{"bob"}, []string{"cat"}, Mentioned, []UserID{"bob", "cat"}},
	} {
		got, users, err := AudienceOf(tt.to, tt.cc)
		if err != nil || got != tt.want || !slices.Equal(users, tt.users) {
			t.Errorf("AudienceOf(%q, %q) = %s %q, %v; want %s %q", tt.to, tt.cc, got, users, err, tt.want, tt.users)
		}
	}
	for _, bad := range [][2][]string{{}, {nil, {"public"}}, {{"bob"}, {"public"}}, {{"a/b"}, nil}, {{""}, nil},
		{{"https://example.com/users/bob"}, nil}} {
		if a, _, err := AudienceOf(bad[0], bad[1]); errs.CodeOf(err) != "invalid_recipients" {
			t.Errorf("AudienceOf(%q) = %s, %v; want invalid_recipients", bad, a, err)
		}
	}
}

// The recipients of a tweet have its audience again.
func TestRecipients(t *testing.T) {
	t.Parallel()
	for _, a := range Audiences {
		parent := TweetID("x")
		tweet := &Tweet{AuthorID: "ann", Visibility: a, Mentions: map[string]time.Time{"bob": {}}, ReplyTo: &parent,
			ReplyToAuthorID: "cat"}
		to, cc := tweet.Recipients()
		got, users, err := AudienceOf(to, cc)
		if err != nil || got != a || !slices.Equal(users, []UserID{"bob", "cat"}) {
			t.Errorf("recipients %q, %q of a tweet for %s mean %s %q, %v", to, cc, a, got, users, err)
		}
		if err := tweet.isFor(users); err != nil {
			t.Error(err)
		}
		if err := tweet.isFor([]UserID{"dan"}); errs.CodeOf(err) != "not_addressed" {
			t.Errorf("a tweet is for dan: %v", err)
		}
	}
}
