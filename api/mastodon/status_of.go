package mastodon

import (
	"fmt"
	"strings"

	"github.com/hibana-sns/hibana/model"
)

// status makes the entity of a post.
func (c *call) statusOf(t *nativeTweet, by *Account) *Status {
	site := c.site()
	s := &Status{
		ID: statusID(t.ID), URI: site.Post(t.ID), URL: by.URL + "/" + string(t.ID), CreatedAt: stamp(t.CreatedAt),
		Account: by, Visibility: visibility(t.Visibility), Sensitive: t.Summary != "", SpoilerText: t.Summary,
		MediaAttachments: each(t.Media, c.attachment), Mentions: each(t.Mentions, c.mention), Emojis: []any{},
		Tags:         each(t.Tags, func(tag string) StatusTag { return StatusTag{tag, site.Tag(tag)} }),
		RepliesCount: t.ReplyCount, ReblogsCount: withOwn(t.ShareCount, t.Shared),
		FavouritesCount: withOwn(t.LikeCount, t.Liked), QuotesCount: t.QuoteCount,
		Poll: c.pollOf(t), QuoteApproval: c.approval(t),
	}
	s.Content = t.HTML
	if s.Content == "" {
		s.Content = t.SnippetHTML
	}
	s.Content = c.linked(s.Content, t)
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

// withOwn is a count with the caller's own act, which it may not have yet: it is 1 at least.
func withOwn(count int64, own bool) int64 {
	if own {
		return max(count, 1)
	}
	return count
}

// linked is HTML of a post, or of a former version, with links of anywhere, in the form that apps know.
func (c *call) linked(html string, t *nativeTweet) string {
	pages := map[model.UserID]string{}
	for _, m := range t.Mentions {
		pages[m.UserID] = c.profile(m.Username)
	}
	return appLinks(c.site().HTML(html, pages))
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
	default:
		return "public"
	}
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
		original := measures(m.Width, m.Height)
		if m.DurationMs > 0 {
			original["duration"] = float64(m.DurationMs) / 1000
		}
		a.Meta = map[string]any{"original": original, "small": measures(previewSize(m.Width, m.Height))}
	}
	return a
}

// measures are the measures of a file in pixels.
func measures(width, height int) map[string]any {
	return map[string]any{"width": width, "height": height, "size": fmt.Sprintf("%dx%d", width, height),
		"aspect": float64(width) / float64(height)}
}

// previewSide is the most that a small file measures.
const previewSide = 400

// previewSize is the size of the small file. A video's is that of a poster of its form.
func previewSize(width, height int) (int, int) {
	long := max(width, height)
	if long <= previewSide {
		return width, height
	}
	scaled := func(side int) int { return max(1, (side*previewSide+long/2)/long) }
	return scaled(width), scaled(height)
}

// textOrNil is a text; nil for the empty one.
func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// pollOf makes the entity of a post's poll; nil for none. Its author counts as one who voted, so that no app offers a
// vote that nobody has in a poll of their own.
func (c *call) pollOf(t *nativeTweet) *Poll {
	if t.Poll == nil {
		return nil
	}
	p := &Poll{ID: statusID(t.ID), ExpiresAt: stamp(t.Poll.ClosesAt), Expired: t.Poll.Closed, Emojis: []any{},
		Options: []PollOption{}}
	var shown int64
	for _, o := range t.Poll.Options {
		p.Options = append(p.Options, PollOption{o.Text, o.Votes})
		if o.Votes != nil {
			shown += *o.Votes
		}
	}
	p.VotesCount = max(t.Poll.Total, shown) // the caller's own vote may be in an option alone
	p.VotersCount = &p.VotesCount           // everybody has one vote
	if c.caller().UID == "" {
		return p
	}
	own := t.AuthorID == c.caller().UID
	p.Voted, p.OwnVotes = new(own || t.Poll.Voted != nil), []int{}
	if t.Poll.Voted != nil {
		p.OwnVotes = append(p.OwnVotes, *t.Poll.Voted-1)
	}
	return p
}

// approval says who may quote a post. A direct one is nobody's to quote, and a visitor must sign in.
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
	switch {
	case c.caller().UID == "" || t.Visibility == model.Mentioned:
		a.CurrentUser = "denied"
	case t.AuthorID == c.caller().UID:
		a.CurrentUser = "automatic"
	}
	return a
}
