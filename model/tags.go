package model

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown"
)

// Tag is a tag: tags/{tag}. The tag is in use while TweetCount is above zero.
type Tag struct {
	Name       string `firestore:"-"`
	Content    string `firestore:"content"` // the tag as its first author typed it
	TweetCount int64  `firestore:"tweetCount"`
}

// TagUse tells how many tweets of a user have a tag: tagUses/{uid}_{tag}. The user uses the
// tag while TweetCount is above zero.
type TagUse struct {
	UserID     UserID `firestore:"userId"`
	Name       string `firestore:"tag"`
	Content    string `firestore:"content"` // the tag as the user typed it in one of them
	TweetCount int64  `firestore:"tweetCount"`
}

var tagForm = regexp.MustCompile(`^[\p{L}\p{M}\p{N}_-]+$`)

// NormalizeTag turns a tag as typed, with or without its #, into its key. The key is in
// NFKC and lower case, so that "＃Go" and "go" are one tag. A tag has at most
// MaxTagLength letters, digits, marks, _ and -. Any other text is errs.Invalid.
func NormalizeTag(typed string) (string, error) {
	tag := normalize(trimHash(typed))
	if n := utf8.RuneCountInString(tag); n == 0 || n > MaxTagLength {
		return "", errs.New(errs.Invalid, "invalid_tag", "a tag has %d characters; it needs 1 to %d", n, MaxTagLength)
	}
	if !tagForm.MatchString(tag) || strings.HasPrefix(tag, "__") && strings.HasSuffix(tag, "__") {
		return "", errs.New(errs.Invalid, "invalid_tag", "a tag may hold letters, digits, _ and - only, and not both begin and end with two underscores")
	}
	return tag, nil
}

// tagsOf collects the tags of a tweet, from the hashtags in its content and from a list.
func tagsOf(content string, list []string) (map[string]string, error) {
	return tagsIn(markdown.Parse(content), list)
}

// tagsIn collects the tags of a tweet, from the hashtags in its text and from a list. The
// result maps each key to the first form typed. More than MaxTags are errs.Invalid.
func tagsIn(d *markdown.Document, list []string) (map[string]string, error) {
	labels := map[string]string{}
	add := func(typed string) error {
		tag, err := NormalizeTag(typed)
		if err != nil {
			return err
		}
		if _, ok := labels[tag]; !ok {
			labels[tag] = trimHash(typed)
		}
		if len(labels) > MaxTags {
			return errs.New(errs.Invalid, "too_many_tags", "a tweet has at most %d tags, counting the hashtags in its content", MaxTags)
		}
		return nil
	}
	for _, typed := range list {
		if err := add(typed); err != nil {
			return nil, err
		}
	}
	for _, typed := range d.Hashtags {
		if err := add(typed); err != nil {
			return nil, err
		}
	}
	return labels, nil
}

// TagDiff returns the tags that a tweet got and lost between two versions. Either version
// may be nil.
func TagDiff(before, after *Tweet) (added, removed []string) {
	var had, has map[string]time.Time
	if before != nil {
		had = before.Tags
	}
	if after != nil {
		has = after.Tags
	}
	for tag := range has {
		if _, ok := had[tag]; !ok {
			added = append(added, tag)
		}
	}
	for tag := range had {
		if _, ok := has[tag]; !ok {
			removed = append(removed, tag)
		}
	}
	return added, removed
}

func trimHash(typed string) string {
	typed = strings.TrimSpace(typed)
	typed = strings.TrimPrefix(typed, "#")
	return strings.TrimPrefix(typed, "＃")
}

func normalize(s string) string { return norm.NFKC.String(strings.ToLower(norm.NFKC.String(s))) }
