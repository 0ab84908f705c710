package mastodon

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

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
	OwnVotes    []int        `json:"own_votes,omitempty"`
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

// entry is a post of a list, or the share of one.
type entry struct {
	id    model.TweetID
	tweet *nativeTweet // nil for one that has yet to be read
	by    model.UserID // who shares it; empty for a post that stands for itself
	at    time.Time    // of the share
}

const (
	// keptTexts is the number of long texts of which a process keeps the HTML.
	keptTexts = 2_000
	// maxKeptText is the longest HTML that is kept, in bytes.
	maxKeptText = 32 << 10
)

// textKey names the text of a post in one revision.
type textKey struct {
	id       model.TweetID
	revision int
}

// statuses makes the entities of posts. One that is gone, or that the caller may not see, is left out.
//
// Cost: 1 read for each author who is not cached; for an entry without its post, and for a quoted one, that of
// tweets:batchGet; for a poll 2 reads; for a text that is longer than a snippet and not kept, that of GET
// /v1/tweets/{id}.
func (c *call) statuses(entries []entry) ([]*Status, error) {
	return c.statusesWith(entries, true)
}

// statusesWith makes the entities of posts, with those that they quote or without.
func (c *call) statusesWith(entries []entry, quotes bool) ([]*Status, error) {
	tweets, err := c.tweetsOf(entries)
	if err != nil {
		return nil, err
	}
	var users []model.UserID
	for _, e := range entries {
		if t := tweets[e.id]; t != nil {
			users = append(users, t.AuthorID)
		}
		if e.by != "" {
			users = append(users, e.by)
		}
	}
	accounts, err := c.accounts(users)
	if err != nil {
		return nil, err
	}
	quoted := map[model.TweetID]*Quote{}
	if quotes {
		if quoted, err = c.quotes(tweets); err != nil {
			return nil, err
		}
	}
	all := []*Status{}
	for _, e := range entries {
		t := tweets[e.id]
		if t == nil || accounts[t.AuthorID] == nil || e.by != "" && accounts[e.by] == nil {
			continue
		}
		s := c.statusOf(t, accounts[t.AuthorID])
		s.Quote = quoted[t.ID]
		if e.by != "" {
			s = c.share(s, accounts[e.by], e)
		}
		all = append(all, s)
	}
	return all, nil
}

// share makes the entity of a share.
func (c *call) share(of *Status, by *Account, e entry) *Status {
	own := *of
	own.ID, own.Account, own.CreatedAt, own.Reblog = shareID(e.at, e.id), by, stamp(e.at), of
	own.URI = c.site().User(e.by) + "#shares/" + string(e.id)
	own.MediaAttachments, own.Mentions, own.Tags = []Attachment{}, []Mention{}, []StatusTag{}
	own.InReplyToID, own.InReplyToAccountID, own.Poll, own.Quote, own.EditedAt = nil, nil, nil, nil, stamp{}
	return &own
}

// tweetsOf reads what is missing of the posts of a list: those that are not there, the votes of polls, and long texts.
func (c *call) tweetsOf(entries []entry) (map[model.TweetID]*nativeTweet, error) {
	tweets := map[model.TweetID]*nativeTweet{}
	var missing, polls []model.TweetID
	for _, e := range entries {
		switch {
		case e.tweet == nil:
			missing = append(missing, e.id)
		case e.tweet.Poll != nil:
			polls = append(polls, e.id)
		}
		if e.tweet != nil {
			tweets[e.id] = e.tweet
		}
	}
	read, err := c.batch(missing, false)
	if err != nil {
		return nil, err
	}
	for id, t := range read {
		if tweets[id] = t; t.Poll != nil {
			polls = append(polls, id)
		}
	}
	voted, err := c.batch(polls, true)
	if err != nil {
		return nil, err
	}
	for id, t := range voted {
		tweets[id].Poll = t.Poll
	}
	return tweets, c.longTexts(tweets)
}

// batch reads posts by id; with the votes of polls, if asked.
func (c *call) batch(ids []model.TweetID, polls bool) (map[model.TweetID]*nativeTweet, error) {
	all, most := map[model.TweetID]*nativeTweet{}, model.MaxBatch
	query := url.Values{"format": {"html"}}
	if polls {
		query.Set("polls", "true")
		most = model.MaxPollBatch
	}
	for ids = unique(ids); len(ids) > 0; {
		n := min(len(ids), most)
		var found struct{ Items []nativeBatch }
		query["ids"] = each(ids[:n], func(id model.TweetID) string { return string(id) })
		if err := c.get("/v1/tweets:batchGet", query, &found); err != nil {
			return nil, err
		}
		for _, item := range found.Items {
			if item.Tweet != nil {
				all[item.ID] = item.Tweet
			}
		}
		ids = ids[n:]
	}
	return all, nil
}

// longTexts gives posts whose text is longer than their snippet their HTML. A post that went meanwhile keeps its
// snippet.
func (c *call) longTexts(tweets map[model.TweetID]*nativeTweet) error {
	for id, t := range tweets {
		if t.Content != nil || t.HTML != "" {
			continue
		}
		key := textKey{id, t.Revision}
		if text, ok := c.api.texts.Get(key); ok {
			t.HTML = text
			continue
		}
		var full nativeTweet
		switch err := c.get(native("tweets", string(id)), url.Values{"format": {"html"}}, &full); {
		case isGone(err):
			continue
		case err != nil:
			return err
		}
		t.HTML = full.HTML
		if full.Revision == t.Revision && len(full.HTML) <= maxKeptText {
			c.api.texts.Add(key, full.HTML)
		}
	}
	return nil
}

// quotes reads the posts that posts quote, by the id of the quoting post.
func (c *call) quotes(tweets map[model.TweetID]*nativeTweet) (map[model.TweetID]*Quote, error) {
	all, entries := map[model.TweetID]*Quote{}, []entry{}
	for _, t := range tweets {
		switch {
		case t.QuoteWithdrawn:
			all[t.ID] = &Quote{State: "revoked"}
		case t.QuoteOf != nil:
			entries = append(entries, entry{id: *t.QuoteOf})
		}
	}
	read, err := c.statusesWith(entries, false)
	if err != nil {
		return nil, err
	}
	for _, t := range tweets {
		if t.QuoteOf == nil || t.QuoteWithdrawn {
			continue
		}
		all[t.ID] = &Quote{State: "unauthorized"}
		if i := slices.IndexFunc(read, func(s *Status) bool { return s.ID == statusID(*t.QuoteOf) }); i >= 0 {
			all[t.ID] = &Quote{State: "accepted", QuotedStatus: read[i]}
		}
	}
	return all, nil
}

// status makes the entity of a post.
func (c *call) statusOf(t *nativeTweet, by *Account) *Status {
	site := c.site()
	s := &Status{
		ID: statusID(t.ID), URI: site.Post(t.ID), URL: by.URL + "/" + string(t.ID), CreatedAt: stamp(t.CreatedAt),
		Account: by, Visibility: visibility(t.Visibility), Sensitive: t.Summary != "", SpoilerText: t.Summary,
		MediaAttachments: each(t.Media, c.attachment), Mentions: each(t.Mentions, c.mention), Emojis: []any{},
		Tags:         each(t.Tags, func(tag string) StatusTag { return StatusTag{tag, site.Tag(tag)} }),
		RepliesCount: t.ReplyCount, ReblogsCount: t.ShareCount, FavouritesCount: t.LikeCount, QuotesCount: t.QuoteCount,
		Poll: pollOf(t), QuoteApproval: c.approval(t),
	}
	s.Content = t.HTML
	if s.Content == "" {
		s.Content = t.SnippetHTML
	}
	pages := map[model.UserID]string{}
	for _, m := range t.Mentions {
		pages[m.UserID] = c.profile(m.Username)
	}
	s.Content = site.HTML(s.Content, pages)
	if t.UpdatedAt != nil {
		s.EditedAt = stamp(*t.UpdatedAt)
	}
	if t.Remote != nil {
		s.URL, s.URI = t.Remote.URL, t.Remote.URL
	}
	if t.Language != "" && t.Language != model.Undetermined {
		s.Language = &t.Language
	}
	if t.ReplyTo != nil {
		s.InReplyToID, s.InReplyToAccountID = new(statusID(*t.ReplyTo)), new(string(t.ReplyToAuthorID))
	}
	if c.caller().UID != "" {
		s.ViewerState = &ViewerState{Favourited: t.Liked, Reblogged: t.Shared, Bookmarked: t.Bookmarked,
			Filtered: each(t.Filtered, filterResult)}
	}
	return s
}

// visibility is the name of an audience.
func visibility(a model.Audience) string {
	switch a {
	case model.Followers:
		return "private"
	case model.Mentioned:
		return "direct"
	case model.Unlisted:
		return "unlisted"
	}
	return "public"
}

// audience is the audience of a name; empty for none.
func audience(name string) (model.Audience, error) {
	switch name {
	case "":
		return "", nil
	case "public":
		return model.Public, nil
	case "unlisted":
		return model.Unlisted, nil
	case "private":
		return model.Followers, nil
	case "direct":
		return model.Mentioned, nil
	}
	return "", invalid("visibility is public, unlisted, private or direct")
}

func (c *call) mention(m nativeMention) Mention {
	name, _, remote := strings.Cut(m.Username, "@")
	acct := m.Username
	if !remote {
		name = c.site().Name(name)
		acct = name
	}
	return Mention{ID: string(m.UserID), Username: name, URL: c.profile(m.Username), Acct: acct}
}

func (c *call) attachment(m nativeMedia) Attachment {
	a := Attachment{ID: string(m.ID), Type: m.Type, Description: textOrNil(m.Alt), Blurhash: textOrNil(m.Blurhash)}
	large, small := m.URLs["large"], m.URLs["small"]
	if m.Type == "video" || m.Animated {
		large = m.URLs["original"]
	}
	if m.Animated {
		a.Type = "gifv"
		if m.Type == "image" {
			a.Type = "image" // a GIF, which is no video
		}
	}
	if large != "" {
		a.URL = new(c.absolute(large))
	}
	if small != "" {
		a.PreviewURL = new(c.absolute(small))
	} else {
		a.PreviewURL = a.URL
	}
	if m.Width > 0 && m.Height > 0 {
		size := map[string]any{"width": m.Width, "height": m.Height, "aspect": float64(m.Width) / float64(m.Height)}
		if m.DurationMs > 0 {
			size["duration"] = float64(m.DurationMs) / 1000
		}
		a.Meta = map[string]any{"original": size}
	}
	return a
}

// textOrNil is a text; nil for the empty one.
func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// pollOf makes the entity of a post's poll; nil for none.
func pollOf(t *nativeTweet) *Poll {
	if t.Poll == nil {
		return nil
	}
	p := &Poll{ID: statusID(t.ID), ExpiresAt: stamp(t.Poll.ClosesAt), Expired: t.Poll.Closed, Emojis: []any{},
		Options: []PollOption{}}
	for _, o := range t.Poll.Options {
		p.Options = append(p.Options, PollOption{o.Text, o.Votes})
		if o.Votes != nil {
			p.VotesCount += *o.Votes
		}
	}
	p.VotersCount = &p.VotesCount // everybody has one vote
	p.Voted, p.OwnVotes = new(t.Poll.Voted != nil), []int{}
	if t.Poll.Voted != nil {
		p.OwnVotes = append(p.OwnVotes, *t.Poll.Voted-1)
	}
	return p
}

// approval says who may quote a post.
func (c *call) approval(t *nativeTweet) *QuoteApproval {
	a := &QuoteApproval{Automatic: []string{}, Manual: []string{}, CurrentUser: "denied"}
	public := t.Visibility == model.Public || t.Visibility == model.Unlisted
	switch {
	case !public:
	case t.QuotePolicy == model.PolicyEverybody:
		a.Automatic, a.CurrentUser = []string{"public"}, "automatic"
	case t.QuotePolicy == model.PolicyFollowers:
		a.Automatic, a.CurrentUser = []string{"followers"}, "unknown"
	case t.QuotePolicy == model.PolicyFollowing:
		a.Automatic, a.CurrentUser = []string{"following"}, "unknown"
	}
	if t.AuthorID == c.caller().UID && t.AuthorID != "" {
		a.CurrentUser = "automatic"
	}
	return a
}

// fullStatus reads the entity of one post.
//
// Cost: that of GET /v1/tweets/{id}, and that of [call.statuses] without the post itself.
func (c *call) fullStatus(id model.TweetID) (*Status, error) {
	var t nativeTweet
	if err := c.get(native("tweets", string(id)), url.Values{"format": {"html"}}, &t); err != nil {
		return nil, err
	}
	accounts, err := c.accounts([]model.UserID{t.AuthorID})
	if err != nil {
		return nil, err
	}
	if accounts[t.AuthorID] == nil { // left a moment ago
		return nil, model.NoTweet(id)
	}
	s := c.statusOf(&t, accounts[t.AuthorID])
	quoted, err := c.quotes(map[model.TweetID]*nativeTweet{t.ID: &t})
	s.Quote = quoted[t.ID]
	return s, err
}

func statusMethods() []Method {
	return []Method{
		get("/api/v1/statuses/:id", "read read:statuses", func(c *call) (any, error) {
			id, err := tweetOf(c.path("id"))
			if err != nil {
				return nil, err
			}
			return c.fullStatus(id)
		}).public(),
		post("/api/v1/statuses/:id/favourite", "write write:favourites", act(http.MethodPut, "like")),
		post("/api/v1/statuses/:id/unfavourite", "write write:favourites", act(http.MethodDelete, "like")),
		post("/api/v1/statuses/:id/bookmark", "write write:bookmarks", act(http.MethodPut, "bookmark")),
		post("/api/v1/statuses/:id/unbookmark", "write write:bookmarks", act(http.MethodDelete, "bookmark")),
	}
}

// act makes a method that does something with a post, and answers with it.
func act(method, what string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		id, err := tweetOf(c.path("id"))
		if err != nil {
			return nil, err
		}
		if err := c.send(method, native("tweets", string(id), what), nil, nil); err != nil {
			return nil, err
		}
		return c.fullStatus(id)
	}
}
