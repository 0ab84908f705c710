package model

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Trend is a tag or a tweet that is used more than usual.
type Trend struct {
	Name  string `firestore:"name"`            // a tag, or the id of a tweet
	Label string `firestore:"label,omitempty"` // of a tag, as one of its authors typed it

	// Uses is how many accounts used it in each of the last hours, added up: an account counts once an hour. Estimated
	// says that the number is estimated from a sample.
	Uses      int64   `firestore:"uses"`
	Estimated bool    `firestore:"estimated,omitempty"`
	Usual     float64 `firestore:"usual"` // the usual number

	score float64
}

// TrendsNow lists what is used more than usual at a time: trends/now. The keys of both maps are languages, and
// [AnyLanguage]. A language without trends is absent.
type TrendsNow struct {
	At     time.Time          `firestore:"at"`
	Tags   map[string][]Trend `firestore:"tags"`   // at most TrendListed a language, the largest increase first
	Tweets map[string][]Trend `firestore:"tweets"` // at most twice as many, because some may be gone or hidden
	Hidden []byte             `firestore:"hidden"` // accounts whose tweets are left out, by TrendHash, 4 bytes each

	// WaitingTags and WaitingTweets rise, and are no trend before an administrator allows it: at most 50 each.
	WaitingTags   []Trend `firestore:"waitingTags,omitempty"`
	WaitingTweets []Trend `firestore:"waitingTweets,omitempty"`
}

// AnyLanguage is the key of the lists for all languages together.
const AnyLanguage = "*"

// Hide leaves the tweets of an account out.
func (n *TrendsNow) Hide(account UserID) {
	n.Hidden = binary.BigEndian.AppendUint32(n.Hidden, TrendHash(string(account)))
}

// Hides reports whether the tweets of an account are left out. One in 200 million others is left out too.
func (n *TrendsNow) Hides(account UserID) bool {
	hash := TrendHash(string(account))
	for b := n.Hidden; len(b) >= 4; b = b[4:] {
		if binary.BigEndian.Uint32(b) == hash {
			return true
		}
	}
	return false
}

// Rank fills the lists from the last hours, the current one last, of which a part has passed. It removes the usages of
// hidden accounts from the hours. Lists exist for all languages together, and for the TrendLanguages languages with the
// most usages. What administrators refused is in no list.
func (n *TrendsNow) Rank(hours []*Trending, passed float64, usual *TrendUsual) {
	hidden := map[uint32]bool{}
	for b := n.Hidden; len(b) >= 4; b = b[4:] {
		hidden[binary.BigEndian.Uint32(b)] = true
	}
	var tags, tweets []map[string]TrendSubject
	for _, h := range hours {
		h.Without(hidden)
		tags, tweets = append(tags, h.Tags), append(tweets, h.Tweets)
	}
	n.Tags, n.Tweets = map[string][]Trend{}, map[string][]Trend{}
	for _, language := range append(languagesOf(hours), "") {
		key := cmp.Or(language, AnyLanguage)
		shown, waiting := usual.Review.split(Rising(tags, passed, usual.Tags, language), usual.Review.Tags)
		if len(shown) > 0 {
			n.Tags[key] = slices.Clone(shown[:min(len(shown), TrendListed)])
		}
		n.WaitingTags = slices.Clone(waiting[:min(len(waiting), trendsWaiting)]) // at last of all languages
		shown, waiting = usual.Review.split(Rising(tweets, passed, usual.Tweets, language), usual.Review.Tweets)
		if len(shown) > 0 {
			n.Tweets[key] = slices.Clone(shown[:min(len(shown), 2*TrendListed)])
		}
		n.WaitingTweets = slices.Clone(waiting[:min(len(waiting), trendsWaiting)])
	}
}

// languagesOf lists the languages of the usages of some hours, the most used first, and at most TrendLanguages.
func languagesOf(hours []*Trending) []string {
	uses := map[[3]byte]int{}
	for _, h := range hours {
		for _, subjects := range []map[string]TrendSubject{h.Tags, h.Tweets} {
			for _, s := range subjects {
				for _, u := range s.read() {
					uses[u.language]++
				}
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(uses), func(a, b [3]byte) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), bytes.Compare(a[:], b[:]))
	})
	var languages []string
	for _, l := range all[:min(len(all), TrendLanguages)] {
		languages = append(languages, strings.TrimRight(string(l[:]), "\x00"))
	}
	return languages
}

// Rising lists the subjects of some hours in the order in which they rise above their usual usage. hours are the last
// hours, the current one last, of which a part has passed. With a language, usages in other languages are left out, and
// the usual usage is reduced by the same part.
func Rising(hours []map[string]TrendSubject, passed float64, usual map[string]float64, language string) []Trend {
	all, users, every := map[string]*Trend{}, map[string]map[uint32]bool{}, map[string]int64{}
	for _, subjects := range hours {
		for name, s := range subjects {
			n := s.accounts(language)
			every[name] += s.accounts("")
			if n == 0 {
				continue
			}
			t := all[name]
			if t == nil {
				t = &Trend{Name: name}
				all[name], users[name] = t, map[uint32]bool{}
			}
			t.Label = cmp.Or(t.Label, s.Label)
			t.Uses += n
			t.Estimated = t.Estimated || s.Level > 0
			maps.Copy(users[name], s.users(language))
		}
	}
	var rising []Trend
	for name, t := range all {
		t.Usual = usual[name] * (float64(len(hours)-1) + passed) * float64(t.Uses) / float64(every[name])
		t.score = (float64(t.Uses) - t.Usual) / math.Sqrt(t.Usual+1)
		if (len(users[name]) >= TrendMinimum || t.Estimated) && t.score > 0 {
			t.Label = cmp.Or(t.Label, name)
			rising = append(rising, *t)
		}
	}
	slices.SortFunc(rising, func(a, b Trend) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Name, b.Name))
	})
	return rising
}
