package model

import (
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/words"
)

// Tag is a tag: tags/{tag}. The tag is in use while TweetCount is above zero.
type Tag struct {
	Name       string `firestore:"-"`
	Content    string `firestore:"content"` // the tag as its first author typed it
	TweetCount int64  `firestore:"tweetCount"`
}

// TagUsage counts the tweets of a user with a tag: tagUsages/{uid}_{tag}. The user uses the tag while TweetCount is
// above zero.
type TagUsage struct {
	UserID     UserID `firestore:"userId"`
	Name       string `firestore:"tag"`
	Content    string `firestore:"content"` // the tag as the user typed it in one of them
	TweetCount int64  `firestore:"tweetCount"`
}

// NormalizeTag turns a tag as typed, with or without its #, into its key, see [words.Tag]. A text that cannot be a tag
// is errs.Invalid.
func NormalizeTag(typed string) (string, error) {
	tag, fit := words.Tag(typed)
	if fit {
		return tag, nil
	}
	if n := utf8.RuneCountInString(tag); n == 0 || n > MaxTagLength {
		return "", errs.New(errs.Invalid, "invalid_tag", "the tag %q has %d characters in its normal form; it needs 1 to %d",
			Snippet(typed, maxQuoted), n, MaxTagLength)
	}
	return "", errs.New(errs.Invalid, "invalid_tag",
		"%q cannot be a tag: a tag may hold letters, digits, _ and - only, and dots that join them, and not both begin "+
			"and end with two underscores", Snippet(typed, maxQuoted))
}

// maxQuoted is how many characters of a caller's input an error quotes.
const maxQuoted = 60

// tagsIn collects the tags of a tweet, from the hashtags in its text and from a list. The result maps each key to the
// first form typed. More than MaxTags are errs.Invalid, and so is an element of the list that cannot be a tag. In the
// text such an element is no hashtag.
func tagsIn(d *markdown.Document, list []string) (map[string]string, error) {
	labels := map[string]string{}
	add := func(typed string) error {
		tag, err := NormalizeTag(typed)
		if err != nil {
			return err
		}
		if _, ok := labels[tag]; !ok {
			labels[tag] = words.TrimHash(typed)
		}
		if len(labels) > MaxTags {
			return errs.New(errs.Invalid, "too_many_tags", "a tweet has at most %d tags, counting the hashtags in its content",
				MaxTags)
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

// TagDiff returns the tags that a tweet gained and lost between two versions, with 1 and -1. It also returns the forms
// in which they were typed, where these differ. Either version may be nil.
func TagDiff(before, after *Tweet) (by map[string]int64, labels map[string]string) {
	by, labels = map[string]int64{}, map[string]string{}
	count := func(in, other *Tweet, sign int64) {
		if in == nil {
			return
		}
		for tag := range in.Tags {
			if other != nil {
				if _, ok := other.Tags[tag]; ok {
					continue
				}
			}
			by[tag], labels[tag] = sign, in.TagLabels[tag]
		}
	}
	count(after, before, 1)
	count(before, after, -1)
	return by, labels
}
