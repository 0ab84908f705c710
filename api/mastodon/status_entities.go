package mastodon

// Status is the entity of a post, or of a share of one.
type Status struct {
	ID                 string         `json:"id"`
	URI                string         `json:"uri"`
	URL                string         `json:"url"`
	CreatedAt          stamp          `json:"created_at"`
	EditedAt           stamp          `json:"edited_at"`
	Account            *Account       `json:"account"`
	Content            string         `json:"content"`
	Visibility         string         `json:"visibility"`
	Sensitive          bool           `json:"sensitive"`
	SpoilerText        string         `json:"spoiler_text"`
	MediaAttachments   []Attachment   `json:"media_attachments"`
	Application        any            `json:"application"`
	Mentions           []Mention      `json:"mentions"`
	Tags               []StatusTag    `json:"tags"`
	Emojis             []any          `json:"emojis"`
	RepliesCount       int64          `json:"replies_count"`
	ReblogsCount       int64          `json:"reblogs_count"`
	FavouritesCount    int64          `json:"favourites_count"`
	QuotesCount        int64          `json:"quotes_count"`
	InReplyToID        *string        `json:"in_reply_to_id"`
	InReplyToAccountID *string        `json:"in_reply_to_account_id"`
	Reblog             *Status        `json:"reblog"`
	Poll               *Poll          `json:"poll"`
	Card               any            `json:"card"`
	Language           *string        `json:"language"`
	Quote              *Quote         `json:"quote"`
	QuoteApproval      *QuoteApproval `json:"quote_approval"`

	*ViewerState // of a caller who is signed in
}

// ViewerState is what the caller did with a post.
type ViewerState struct {
	Favourited bool           `json:"favourited"`
	Reblogged  bool           `json:"reblogged"`
	Bookmarked bool           `json:"bookmarked"`
	Muted      bool           `json:"muted"`
	Pinned     *bool          `json:"pinned,omitempty"` // of the caller's own posts
	Filtered   []FilterResult `json:"filtered"`
}

// Attachment is a picture or video.
type Attachment struct {
	ID          string  `json:"id"`
	Type        string  `json:"type"` // image, gifv, video or unknown
	URL         *string `json:"url"`
	PreviewURL  *string `json:"preview_url"`
	RemoteURL   *string `json:"remote_url"`
	Description *string `json:"description"`
	Blurhash    *string `json:"blurhash"`
	Meta        any     `json:"meta"`
}

// Mention is a user whom a post mentions.
type Mention struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	URL      string `json:"url"`
	Acct     string `json:"acct"`
}

// StatusTag is a hashtag of a post.
type StatusTag struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Poll is a question with options.
type Poll struct {
	ID          string       `json:"id"`
	ExpiresAt   stamp        `json:"expires_at"`
	Expired     bool         `json:"expired"`
	Multiple    bool         `json:"multiple"`
	VotesCount  int64        `json:"votes_count"`
	VotersCount *int64       `json:"voters_count"`
	Options     []PollOption `json:"options"`
	Emojis      []any        `json:"emojis"`
	Voted       *bool        `json:"voted,omitempty"`
	OwnVotes    []int        `json:"own_votes,omitzero"` // nil, as Voted is, for a caller without a token
}

// PollOption is an option of a poll; without a count until the caller may see it.
type PollOption struct {
	Title      string `json:"title"`
	VotesCount *int64 `json:"votes_count"`
}

// Quote is the post that a post quotes.
type Quote struct {
	State        string  `json:"state"` // accepted, deleted, unauthorized or revoked
	QuotedStatus *Status `json:"quoted_status"`
	// in its place where the quoting post is quoted itself, or the quoted post was not read, see maxQuotes
	QuotedStatusID *string `json:"quoted_status_id,omitempty"`
}

// QuoteApproval says who may quote a post.
type QuoteApproval struct {
	Automatic   []string `json:"automatic"`
	Manual      []string `json:"manual"`
	CurrentUser string   `json:"current_user"`
}

// FilterResult is a filter of the caller that a post matches.
type FilterResult struct {
	Filter         FilterName `json:"filter"`
	KeywordMatches []string   `json:"keyword_matches"`
	StatusMatches  []string   `json:"status_matches"`
}

// FilterName is what a post says of a filter that it matches.
type FilterName struct {
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Context      []string `json:"context"`
	ExpiresAt    stamp    `json:"expires_at"`
	FilterAction string   `json:"filter_action"`
}
