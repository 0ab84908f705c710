package model

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// A home timeline has of each followed tag the newest [FollowedTagTweets] public tweets of the last
// [FollowedTagWindow], at most [FollowedTagTweetsOf] by one author. It looks for them among the newest
// [FollowedTagReads].
const (
	MaxFollowedTags     = 10 // of a user
	FollowedTagTweets   = 20
	FollowedTagTweetsOf = 5
	FollowedTagReads    = 40
	FollowedTagWindow   = 7 * 24 * time.Hour
)

// TagPick picks the tweets of a tag that home timelines have. The zero TagPick has picked none.
type TagPick struct {
	n  int
	by map[UserID]int
}

// Take reports whether home timelines have the next older public tweet of the tag, by an author who is not locked.
func (p *TagPick) Take(author UserID) bool {
	if p.n >= FollowedTagTweets || p.by[author] >= FollowedTagTweetsOf {
		return false
	}
	if p.by == nil {
		p.by = map[UserID]int{}
	}
	p.n++
	p.by[author]++
	return true
}

// Full reports whether Take takes no more.
func (p *TagPick) Full() bool { return p.n >= FollowedTagTweets }

// FollowedTags has the tags that a user follows: followedTags/{uid}. A user who never followed a tag has no document,
// and one who follows none any more has an empty one.
type FollowedTags struct {
	Tags map[string]FollowedTag `firestore:"followedTags,omitempty"` // by the keys of the tags, at most MaxFollowedTags
}

// FollowedTag says how and since when a user follows a tag.
type FollowedTag struct {
	Content    string    `firestore:"content"` // the tag as the user typed it
	FollowedAt time.Time `firestore:"followedAt"`
}

// Put adds a tag by its key, and returns whether that changes anything. A followed tag stays as it is. More than
// [MaxFollowedTags] are errs.Conflict.
func (f *FollowedTags) Put(key string, tag FollowedTag) (changed bool, err error) {
	if _, there := f.Tags[key]; there {
		return false, nil
	}
	if len(f.Tags) >= MaxFollowedTags {
		return false, errs.New(errs.Conflict, "too_many_followed_tags", "a user follows at most %d tags", MaxFollowedTags)
	}
	if f.Tags == nil {
		f.Tags = map[string]FollowedTag{}
	}
	f.Tags[key] = tag
	return true, nil
}

// Remove removes a tag by its key, and returns whether that changes anything.
func (f *FollowedTags) Remove(key string) (changed bool) {
	_, changed = f.Tags[key]
	delete(f.Tags, key)
	return changed
}

// Keys are the keys of the tags, the newest follow first.
func (f *FollowedTags) Keys() []string {
	return slices.SortedFunc(maps.Keys(f.Tags), func(a, b string) int {
		return cmp.Or(f.Tags[b].FollowedAt.Compare(f.Tags[a].FollowedAt), cmp.Compare(a, b))
	})
}

// EqualFollowedTags reports whether two users follow the same tags.
func EqualFollowedTags(a, b map[string]FollowedTag) bool {
	return maps.EqualFunc(a, b, func(a, b FollowedTag) bool {
		return a.Content == b.Content && a.FollowedAt.Equal(b.FollowedAt)
	})
}

// ViaTag returns by which of the reader's followed tags a tweet comes to the reader's home timeline: by the first one,
// in the order of their keys. It is empty if the tweet has none, or is not public.
func (v *ViewerGraph) ViaTag(t *Tweet) (key string) {
	if t == nil || t.Visibility != Public || t.IsViolative {
		return ""
	}
	for tag := range t.Tags {
		if _, ok := v.FollowedTags[tag]; ok && (key == "" || tag < key) {
			key = tag
		}
	}
	return key
}
