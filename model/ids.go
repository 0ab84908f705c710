package model

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
)

// UserID is a Firebase Auth uid.
type UserID string

// ParseUserID accepts an id that Firebase Auth can issue and that Firestore can hold as a document id. Any other text
// is errs.Invalid.
func ParseUserID(s string) (UserID, error) {
	switch {
	case s == "":
		return "", errs.New(errs.Invalid, "invalid_user_id", "a user id is empty")
	case utf8.RuneCountInString(s) > maxUserID:
		return "", errs.New(errs.Invalid, "invalid_user_id", "a user id has at most %d characters", maxUserID)
	case s == "me": // in a path it names the caller
		return "", errs.New(errs.Invalid, "invalid_user_id", "me is no user id; it stands for the caller")
	case s == "." || s == ".." || strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__"),
		strings.ContainsRune(s, '/'), !utf8.ValidString(s), strings.ContainsFunc(s, unicode.IsControl):
		return "", errs.New(errs.Invalid, "invalid_user_id", "not a user id")
	}
	return UserID(s), nil
}

// TweetID names a tweet. The first two hexadecimal digits are a hash of the author, and spread writes over 256 key
// ranges. The other sixteen digits are a Snowflake: a zero bit, 43 bits of Unix milliseconds, 8 bits of worker and 12
// bits of sequence.
type TweetID string

const tweetIDLength = 18

// ParseTweetID checks the form of a tweet id. Any other text is errs.Invalid, and the error has the form.
func ParseTweetID(s string) (TweetID, error) {
	ok := len(s) == tweetIDLength && s[2] < '8' // the Snowflake's first bit is zero
	for i := 0; ok && i < len(s); i++ {
		ok = s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'f'
	}
	if !ok {
		return "", errs.New(errs.Invalid, "invalid_tweet_id", "a tweet id is %d lower-case hexadecimal digits", tweetIDLength)
	}
	return TweetID(s), nil
}

// Time is the creation time of the tweet, read from a valid id.
func (id TweetID) Time() time.Time {
	n, err := strconv.ParseUint(string(id[2:tweetIDLength]), 16, 64)
	if err != nil {
		panic(fmt.Sprintf("model: TweetID(%q).Time: not a tweet id", string(id)))
	}
	return time.UnixMilli(int64(n >> 20)).UTC()
}

// Month is the month of the buckets that hold the tweet.
func (id TweetID) Month() Month { return MonthOf(id.Time()) }

// OldestAt is the smallest id of tweets that are created at t or later, to the millisecond.
func OldestAt(t time.Time) TweetID { return TweetID(fmt.Sprintf("00%016x", t.UnixMilli()<<20)) }

// Compare orders tweets of any authors by creation. The result is negative if id is older.
func (id TweetID) Compare(other TweetID) int { return compareByTime(string(id), string(other)) }

// publicShard is the part of the public timeline's index with the tweet.
func (id TweetID) publicShard() int {
	return int(hashByte(string(id))) % PublicShards
}

// changeShard is the part of the index of changes with the tweet.
func (id TweetID) changeShard() int {
	return int(hashByte(string(id))) % ChangeShards
}

// TweetIDs makes tweet ids that grow with time. The worker byte is random, so two
// processes may, very rarely, make the same id. Then the creation of the second document
// fails with AlreadyExists, and the caller takes the next id.
type TweetIDs struct {
	now    func() time.Time
	worker uint64

	mu   sync.Mutex
	last uint64 // milliseconds and sequence, without the worker
}

// NewTweetIDs makes a generator that reads the time from now.
func NewTweetIDs(now func() time.Time) *TweetIDs {
	var b [1]byte
	rand.Read(b[:]) // never fails, see crypto/rand
	return &TweetIDs{now: now, worker: uint64(b[0])}
}

// Next makes an id for a tweet of author. The ids of one generator grow strictly, even if
// the clock steps back.
func (g *TweetIDs) Next(author UserID) TweetID {
	g.mu.Lock()
	g.last = max(g.last+1, uint64(g.now().UnixMilli())<<12)
	n := g.last
	g.mu.Unlock()
	snowflake := n>>12<<20 | g.worker<<12 | n&0xfff
	return TweetID(fmt.Sprintf("%02x%016x", hashByte(string(author)), snowflake))
}

func hashByte(s string) byte {
	sum := sha256.Sum256([]byte(s))
	return sum[0]
}

// ImportID is the id of a tweet of author whose other sixteen digits are given. An error has the form of ids.
func ImportID(author UserID, digits string) (TweetID, error) {
	return ParseTweetID(fmt.Sprintf("%02x", hashByte(string(author))) + digits)
}

// ValidateImportID returns errs.Invalid for a tweet id that no import of author may have. The first two digits must be
// the hash of the author, because an author's tweets are also found by their ids. Its time must be after the first
// moment of 1970 and not after now. A month of any age holds previews, so there is no other bound.
func ValidateImportID(author UserID, id TweetID, now time.Time) error {
	prefix, at := fmt.Sprintf("%02x", hashByte(string(author))), id.Time()
	switch {
	case string(id[:2]) != prefix:
		return errs.New(errs.Invalid, "invalid_tweet_id", "a tweet id of this author begins with %s", prefix)
	case at.UnixMilli() < 1:
		return errs.New(errs.Invalid, "invalid_tweet_id", "a tweet id has a time after the first moment of 1970")
	case at.After(now):
		return errs.New(errs.Invalid, "invalid_tweet_id", "the time of tweet id %q is %s, which is in the future", id,
			at.Format(time.RFC3339))
	}
	return nil
}
