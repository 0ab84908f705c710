package model

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Bounds of trends. A document of an hour has at most 2×TrendSubjects subjects of TrendSample
// uses each: about 500 KB if all are full.
const (
	TrendHours   = 3  // trends are of this many hours, the current one included
	TrendShards  = 16 // processes whose writes conflict in a document go to others
	TrendLate    = 6 * time.Hour
	TrendListed  = 10 // tags and tweets in a list
	TrendMinimum = 2  // accounts, below which nothing is a trend

	TrendSubjects   = 200 // of each kind
	TrendSample     = 64  // usages of a subject that are kept; beyond that they are a sample
	TrendPerAccount = 30  // subjects of each kind that one account uses in an hour
	trendRepeats    = 4   // usages of a subject by one account that are kept

	// TrendLanguages is for how many languages trends are listed.
	TrendLanguages = 50

	// TrendUsuals is for how many tags, and for how many tweets, the usual usage is kept.
	TrendUsuals = 1_000
	// trendWeight is the weight of the last hour in the usual usage: an average of about two days.
	trendWeight = 1.0 / 48
	// trendForgotten is the usual usage below which it is not kept.
	trendForgotten = 0.02
)

// Hour begins at the full hour, in UTC.
type Hour struct{ time.Time }

// HourOf is the hour of a time.
func HourOf(t time.Time) Hour { return Hour{t.UTC().Truncate(time.Hour)} }

// Add is the hour n hours later.
func (h Hour) Add(n int) Hour { return Hour{h.Time.Add(time.Duration(n) * time.Hour)} }

// String is the hour as in [TrendKey].
func (h Hour) String() string { return h.Format("2006-01-02T15") }

// TrendKey names a part of an hour: trends/{2026-11-22T16}_{shard}.
func TrendKey(h Hour, shard int) string { return fmt.Sprintf("%s_%02d", h, shard) }

// TrendKeyHour is the hour of a key.
func TrendKeyHour(key string) (Hour, bool) {
	text, _, _ := strings.Cut(key, "_")
	t, err := time.Parse("2006-01-02T15", text)
	return Hour{t}, err == nil
}

// TrendUsualKey names the document with the usual usage.
const TrendUsualKey = "usual"

// TrendsNowKey names the document with the trends of this minute.
const TrendsNowKey = "now"

// Trending is an hour, or a part of one: how many accounts used each tag and tweet.
type Trending struct {
	Tags     map[string]TrendSubject `firestore:"tags"`
	Tweets   map[string]TrendSubject `firestore:"tweets"` // likes, shares, replies and quotes
	ExpireAt time.Time               `firestore:"expireAt"`
}

// TrendSubject is a tag or a tweet in an hour.
type TrendSubject struct {
	Label string `firestore:"label,omitempty"` // of a tag, as typed, where that differs
	Level int    `firestore:"level,omitempty"` // the sample has one in 2^Level accounts, see [sampled]
	Uses  []byte `firestore:"uses"`            // at most TrendSample, see [trendUse]
}

// TrendUsual is how many accounts use a tag or a tweet in an hour: trends/usual. It covers the hours until Through, and
// older hours have less weight.
type TrendUsual struct {
	Through time.Time          `firestore:"through"`
	Tags    map[string]float64 `firestore:"tags"`
	Tweets  map[string]float64 `firestore:"tweets"`

	Review TrendReview `firestore:"review"` // the writer of the usual usage leaves it as it is
}

// TrendUse says that a source document uses a tag or a tweet, or no longer does.
type TrendUse struct {
	Tag      string  // or empty
	Label    string  // of the tag, as typed, if it differs
	Tweet    TweetID // or empty
	Account  UserID
	Fact     string    // the id of the source document: a tweet, like or share
	Language string    // of the usage
	On       bool      // false if it no longer counts
	At       time.Time // of the change; the last change prevails, in any order
}

// TrendLanguage is the language of a tweet that is in lists for everybody, and empty for any other: trends count no
// usages by other tweets.
func (t *Tweet) TrendLanguage() string {
	if !t.Searchable() {
		return ""
	}
	return cmp.Or(t.Language, Undetermined)
}

// TrendUses are the changes of a tweet's usages: of tags, and of the tweets that it answers and quotes. Either version
// may be nil.
func TrendUses(id TweetID, before, after *Tweet, at time.Time) (uses []TrendUse) {
	had, has := before.trendUses(id), after.trendUses(id)
	for subject, u := range has {
		if _, ok := had[subject]; !ok || u.Language != had[subject].Language {
			u.On, u.At = true, at
			uses = append(uses, u)
		}
	}
	for subject, u := range had {
		if _, ok := has[subject]; !ok {
			u.At = at
			uses = append(uses, u)
		}
	}
	return uses
}

// trendUses are the usages by a tweet, by subject. An author's answers to the author's own tweets do not count.
func (t *Tweet) trendUses(id TweetID) map[string]TrendUse {
	if !t.Searchable() {
		return nil
	}
	uses := map[string]TrendUse{}
	use := TrendUse{Account: t.AuthorID, Fact: string(id), Language: t.TrendLanguage()}
	for tag := range t.Tags {
		u := use
		u.Tag, u.Label = tag, t.TagLabels[tag]
		uses["#"+tag] = u
	}
	if t.Answers() {
		u := use
		u.Tweet = *t.ReplyTo
		uses[string(u.Tweet)] = u
	}
	if t.QuoteOf != "" && t.QuoteOfAuthorID != t.AuthorID {
		u := use
		u.Tweet = t.QuoteOf
		uses[string(u.Tweet)] = u
	}
	return uses
}

// TrendUse is the usage of a tweet by a like, see [Reaction.trendUse].
func (l Like) TrendUse(on bool, at time.Time) (u TrendUse, ok bool) {
	return l.Base().trendUse(ReactionLike, l.Language, on, at)
}

// TrendUse is the usage of a tweet by a share, see [Reaction.trendUse].
func (s Share) TrendUse(on bool, at time.Time) (u TrendUse, ok bool) {
	return s.Base().trendUse(ReactionShare, s.Language, on, at)
}

// trendUse is the usage of a tweet by a reaction. ok is false if it does not count: for the user's own tweet, and for a
// tweet that not everybody sees.
func (r Reaction) trendUse(kind ReactionKind, language string, on bool, at time.Time) (u TrendUse, ok bool) {
	return TrendUse{Tweet: r.TweetID, Account: r.UserID, Fact: string(kind) + " " + string(r.UserID), Language: language,
		On: on, At: at}, language != "" && r.UserID != r.AuthorID
}

// trendUse is a stored usage, in 15 bytes: the hashes of account and source document, the time of the change within the
// hour and after it, in milliseconds, with the bit of On, and the language.
type trendUse struct {
	account, fact uint32
	at            uint32
	on            bool
	language      [3]byte
}

const trendUseBytes = 15

func (u TrendUse) kept(h Hour) trendUse {
	k := trendUse{account: TrendHash(string(u.Account)), fact: TrendHash(u.Fact), on: u.On}
	k.at = uint32(min(max(u.At.Sub(h.Time).Milliseconds(), 0), 1<<31-1))
	copy(k.language[:], BaseLanguage(u.Language))
	return k
}

// TrendHash stands for an account in an hour.
func TrendHash(s string) uint32 {
	sum := sha256.Sum256([]byte(s))
	return binary.BigEndian.Uint32(sum[:4])
}

func (s TrendSubject) read() []trendUse {
	uses := make([]trendUse, 0, len(s.Uses)/trendUseBytes)
	for b := s.Uses; len(b) >= trendUseBytes; b = b[trendUseBytes:] {
		u := trendUse{account: binary.BigEndian.Uint32(b), fact: binary.BigEndian.Uint32(b[4:]),
			at: binary.BigEndian.Uint32(b[8:])}
		u.on, u.at = u.at>>31 == 1, u.at&(1<<31-1)
		copy(u.language[:], b[12:15])
		uses = append(uses, u)
	}
	return uses
}

func (s TrendSubject) with(uses []trendUse) TrendSubject {
	s.Uses = make([]byte, 0, len(uses)*trendUseBytes)
	for _, u := range uses {
		if u.on {
			u.at |= 1 << 31
		}
		s.Uses = binary.BigEndian.AppendUint32(s.Uses, u.account)
		s.Uses = binary.BigEndian.AppendUint32(s.Uses, u.fact)
		s.Uses = binary.BigEndian.AppendUint32(s.Uses, u.at)
		s.Uses = append(s.Uses, u.language[:]...)
	}
	return s
}

// sampled reports whether an account is in the samples of a level: one account in 2^level is. A sample has all usages
// of an account, or none, so that a sample counts accounts.
func sampled(account uint32, level int) bool { return account&(1<<level-1) == 0 }

// later reports whether a usage prevails over another of the same source document.
func (u trendUse) later(than trendUse) bool {
	return u.at > than.at || u.at == than.at && !u.on && than.on
}

// Note adds usages to an hour, and returns whether that changed the hour. The order and the repetition of usages do not
// matter. Usages over the bounds are left out: further subjects of an account, and the subjects with the fewest
// accounts.
func (t *Trending) Note(h Hour, uses []TrendUse) (changed bool) {
	if t.Tags == nil {
		t.Tags = map[string]TrendSubject{}
	}
	if t.Tweets == nil {
		t.Tweets = map[string]TrendSubject{}
	}
	tags, tweets := usersOf(t.Tags), usersOf(t.Tweets)
	for _, u := range uses {
		if u.Tag != "" {
			changed = note(t.Tags, tags, u.Tag, u.Label, u.kept(h)) || changed
		} else {
			changed = note(t.Tweets, tweets, string(u.Tweet), "", u.kept(h)) || changed
		}
	}
	evict(t.Tags)
	evict(t.Tweets)
	return changed
}

// Add notes all usages of another Trending of the same hour, as Note does, and returns whether that changed the hour.
func (t *Trending) Add(other *Trending) (changed bool) {
	if t.Tags == nil {
		t.Tags = map[string]TrendSubject{}
	}
	if t.Tweets == nil {
		t.Tweets = map[string]TrendSubject{}
	}
	tags, tweets := add(t.Tags, other.Tags), add(t.Tweets, other.Tweets)
	return tags || tweets
}

// add notes usages of subjects. A sample of a sample is a sample: a subject takes the higher level of both.
func add(to, from map[string]TrendSubject) (changed bool) {
	of := usersOf(to)
	for name, s := range from {
		if known, ok := to[name]; ok && known.Level < s.Level {
			known.Level = s.Level
			to[name] = known.with(slices.DeleteFunc(known.read(), func(u trendUse) bool { return !sampled(u.account, s.Level) }))
			changed = true
		} else if !ok && s.Level > 0 {
			to[name] = TrendSubject{Label: s.Label, Level: s.Level}
		}
		for _, u := range s.read() {
			changed = note(to, of, name, s.Label, u) || changed
		}
	}
	evict(to)
	return changed
}

// usersOf counts the subjects of each account.
func usersOf(subjects map[string]TrendSubject) map[uint32]int {
	of := map[uint32]int{}
	for _, s := range subjects {
		last := map[uint32]bool{}
		for _, u := range s.read() {
			if !last[u.account] {
				last[u.account] = true
				of[u.account]++
			}
		}
	}
	return of
}

func note(subjects map[string]TrendSubject, of map[uint32]int, name, label string, u trendUse) bool {
	s := subjects[name]
	if !sampled(u.account, s.Level) {
		return false
	}
	uses, repeats := s.read(), 0
	for i, known := range uses {
		if known.account != u.account {
			continue
		}
		if repeats++; known.fact == u.fact {
			if !u.later(known) {
				return false
			}
			uses[i] = u
			subjects[name] = s.with(uses)
			return true
		}
	}
	if repeats >= trendRepeats || repeats == 0 && of[u.account] >= TrendPerAccount {
		return false
	}
	if repeats == 0 {
		of[u.account]++
	}
	if s.Label == "" {
		s.Label = label
	}
	uses = append(uses, u)
	for len(uses) > TrendSample && s.Level < 31 {
		s.Level++
		uses = slices.DeleteFunc(uses, func(u trendUse) bool { return !sampled(u.account, s.Level) })
	}
	subjects[name] = s.with(uses)
	return true
}

// evict keeps the subjects with the most accounts, and of equal ones the last used.
func evict(subjects map[string]TrendSubject) {
	if len(subjects) <= TrendSubjects {
		return
	}
	type rank struct {
		accounts int64
		last     uint32
	}
	ranks := make(map[string]rank, len(subjects))
	for name, s := range subjects {
		r := rank{accounts: s.accounts("")}
		for _, u := range s.read() {
			r.last = max(r.last, u.at)
		}
		ranks[name] = r
	}
	names := slices.SortedFunc(maps.Keys(subjects), func(a, b string) int {
		x, y := ranks[a], ranks[b]
		return cmp.Or(cmp.Compare(y.accounts, x.accounts), cmp.Compare(y.last, x.last), cmp.Compare(a, b))
	})
	for _, name := range names[TrendSubjects:] {
		delete(subjects, name)
	}
}

// accounts is how many accounts use the subject, in a language or, if that is empty, in any. It
// is exact at level 0, and an estimate above.
func (s TrendSubject) accounts(language string) int64 {
	return int64(len(s.users(language))) << s.Level
}

// users are the accounts of the sample that use the subject.
func (s TrendSubject) users(language string) map[uint32]bool {
	var want [3]byte
	copy(want[:], language)
	users := map[uint32]bool{}
	for _, u := range s.read() {
		if u.on && (language == "" || u.language == want) {
			users[u.account] = true
		}
	}
	return users
}

// merge joins two processes' usages of a subject.
func (s TrendSubject) merge(other TrendSubject) TrendSubject {
	merged := TrendSubject{Label: cmp.Or(s.Label, other.Label), Level: max(s.Level, other.Level)}
	type id struct{ account, fact uint32 }
	all := map[id]trendUse{}
	for _, u := range append(s.read(), other.read()...) {
		if known, ok := all[id{u.account, u.fact}]; sampled(u.account, merged.Level) && (!ok || u.later(known)) {
			all[id{u.account, u.fact}] = u
		}
	}
	return merged.with(slices.Collect(maps.Values(all)))
}

// Merge joins the parts of an hour.
func (t *Trending) Merge(part *Trending) {
	t.Tags, t.Tweets = mergeSubjects(t.Tags, part.Tags), mergeSubjects(t.Tweets, part.Tweets)
}

func mergeSubjects(to, from map[string]TrendSubject) map[string]TrendSubject {
	if to == nil {
		to = map[string]TrendSubject{}
	}
	for name, s := range from {
		if known, ok := to[name]; ok {
			s = known.merge(s)
		}
		to[name] = s
	}
	return to
}

// Without removes the usages of some accounts from the hour, given by their [TrendHash].
func (t *Trending) Without(accounts map[uint32]bool) {
	for _, subjects := range []map[string]TrendSubject{t.Tags, t.Tweets} {
		for name, s := range subjects {
			subjects[name] = s.with(slices.DeleteFunc(s.read(), func(u trendUse) bool { return accounts[u.account] }))
		}
	}
}

// Fold adds an hour to the usual usage. A nil hour has no usages.
func (u *TrendUsual) Fold(h Hour, t *Trending) {
	if t == nil {
		t = &Trending{}
	}
	u.Through = h.Time
	u.Tags, u.Tweets = foldUsual(u.Tags, t.Tags), foldUsual(u.Tweets, t.Tweets)
}

func foldUsual(usual map[string]float64, subjects map[string]TrendSubject) map[string]float64 {
	to := make(map[string]float64, len(usual))
	for name, n := range usual {
		to[name] = n * (1 - trendWeight)
	}
	for name, s := range subjects {
		to[name] += float64(s.accounts("")) * trendWeight
	}
	maps.DeleteFunc(to, func(_ string, n float64) bool { return n < trendForgotten })
	if len(to) > TrendUsuals {
		names := slices.SortedFunc(maps.Keys(to), func(a, b string) int {
			return cmp.Or(cmp.Compare(to[b], to[a]),
				cmp.Compare(a, b))
		})
		for _, name := range names[TrendUsuals:] {
			delete(to, name)
		}
	}
	return to
}
