package mastodon

import (
	"time"

	"github.com/hibana-sns/hibana/model"
)

// The types of this file are what this package reads of answers of the native API, see /docs there.

type nativeUser struct {
	ID             model.UserID  `json:"id"`
	Username       string        `json:"username"`
	Nickname       string        `json:"nickname"`
	Avatar         string        `json:"avatar"`
	Header         string        `json:"header"`
	Snippet        string        `json:"snippet"`
	SnippetHTML    string        `json:"snippetHtml"`
	Introduction   *string       `json:"introduction"`
	IntroHTML      string        `json:"introductionHtml"`
	Locked         bool          `json:"locked"`
	Bot            bool          `json:"bot"`
	Discoverable   bool          `json:"discoverable"`
	Language       string        `json:"language"`
	Fields         []nativeField `json:"fields"`
	FollowerCount  int64         `json:"followerCount"`
	FollowedCount  int64         `json:"followedCount"`
	TweetCount     int64         `json:"tweetCount"`
	CreatedAt      time.Time     `json:"createdAt"`
	Remote         *nativeRemote `json:"remote"`
	MovedTo        string        `json:"movedTo"`
	MovedToID      model.UserID  `json:"movedToId"`
	PinnedTags     []string      `json:"pinnedTags"`
	BlockStrangers bool          `json:"blockStrangers"`
	FollowRequests int64         `json:"followRequests"`
}

type nativeField struct {
	Name       string    `json:"name"`
	Value      string    `json:"value"`
	Link       bool      `json:"link"`
	VerifiedAt time.Time `json:"verifiedAt"`
}

type nativeRemote struct {
	URL  string `json:"url"`
	Host string `json:"host"`
}

type nativeTweet struct {
	ID              model.TweetID   `json:"id"`
	AuthorID        model.UserID    `json:"authorId"`
	Content         *string         `json:"content"`
	Length          int             `json:"length"` // of the content, in characters
	HTML            string          `json:"html"`
	SnippetHTML     string          `json:"snippetHtml"`
	Summary         string          `json:"summary"`
	ReplyTo         *model.TweetID  `json:"replyTo"`
	ReplyToAuthorID model.UserID    `json:"replyToAuthorId"`
	RootID          model.TweetID   `json:"rootId"`
	Tags            []string        `json:"tags"`
	Mentions        []nativeMention `json:"mentions"`
	Media           []nativeMedia   `json:"media"`
	QuoteOf         *model.TweetID  `json:"quoteOf"`
	QuoteWithdrawn  bool            `json:"quoteWithdrawn"`
	Poll            *nativePoll     `json:"poll"`
	AllowQuotes     bool            `json:"allowQuotes"`
	QuotePolicy     model.Policy    `json:"quotePolicy"`
	Visibility      model.Audience  `json:"visibility"`
	Language        string          `json:"language"`
	LikeCount       int64           `json:"likeCount"`
	ReplyCount      int64           `json:"replyCount"`
	ShareCount      int64           `json:"shareCount"`
	QuoteCount      int64           `json:"quoteCount"`
	Liked           bool            `json:"liked"`
	Shared          bool            `json:"shared"`
	Bookmarked      bool            `json:"bookmarked"`
	CreatedAt       time.Time       `json:"createdAt"`
	UpdatedAt       *time.Time      `json:"updatedAt"`
	Revision        int             `json:"revision"`
	Remote          *nativeRemote   `json:"remote"`
	Filtered        []nativeFilter  `json:"filtered"`
	SharedBy        *nativeSharer   `json:"sharedBy"`
	Quoted          *nativeBatch    `json:"quoted"`
}

type nativeSharer struct {
	ID       model.UserID `json:"id"`
	SharedAt time.Time    `json:"sharedAt"`
}

type nativeMention struct {
	Username string       `json:"username"`
	UserID   model.UserID `json:"userId"`
}

type nativeMedia struct {
	ID         model.MediaID     `json:"id"`
	Type       string            `json:"type"`
	Width      int               `json:"width"`
	Height     int               `json:"height"`
	Blurhash   string            `json:"blurhash"`
	Alt        string            `json:"alt"`
	DurationMs int64             `json:"durationMs"`
	Animated   bool              `json:"animated"`
	URLs       map[string]string `json:"urls"`
}

type nativePoll struct {
	Options  []nativeOption `json:"options"`
	ClosesAt time.Time      `json:"closesAt"`
	Closed   bool           `json:"closed"`
	Total    int64          `json:"total"`
	Voted    *int           `json:"voted"`
}

type nativeOption struct {
	Text  string `json:"text"`
	Votes *int64 `json:"votes"`
}

type nativeFilter struct {
	FilterID string             `json:"filterId"`
	Title    string             `json:"title"`
	Action   model.FilterAction `json:"action"`
	Keyword  string             `json:"keyword"`

	Contexts  []model.FilterContext `json:"contexts"`
	ExpiresAt *time.Time            `json:"expiresAt"`
}

type nativeBatch struct {
	ID     model.TweetID `json:"id"`
	Status string        `json:"status"`
	Tweet  *nativeTweet  `json:"tweet"`
}
