package mastodon

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// Context is what a post answers, and what answers it.
type Context struct {
	Ancestors   []*Status `json:"ancestors"`
	Descendants []*Status `json:"descendants"`
}

// StatusSource is the text of a post as it was written.
type StatusSource struct {
	ID          string `json:"id"`
	Text        string `json:"text"`
	SpoilerText string `json:"spoiler_text"`
}

// StatusEdit is a version of a post.
type StatusEdit struct {
	Content          string       `json:"content"`
	SpoilerText      string       `json:"spoiler_text"`
	Sensitive        bool         `json:"sensitive"`
	CreatedAt        stamp        `json:"created_at"`
	Account          *Account     `json:"account"`
	Poll             *Poll        `json:"poll,omitempty"`
	MediaAttachments []Attachment `json:"media_attachments"`
	Emojis           []any        `json:"emojis"`
	Quote            *Quote       `json:"quote,omitempty"`
}

// PreviewCard is what a linked page says of itself.
type PreviewCard struct {
	URL          string  `json:"url"`
	Title        string  `json:"title"`
	Description  string  `json:"description"`
	Language     *string `json:"language"`
	Type         string  `json:"type"`
	Authors      []any   `json:"authors"`
	AuthorName   string  `json:"author_name"`
	AuthorURL    string  `json:"author_url"`
	ProviderName string  `json:"provider_name"`
	ProviderURL  string  `json:"provider_url"`
	HTML         string  `json:"html"`
	Width        int     `json:"width"`
	Height       int     `json:"height"`
	Image        *string `json:"image"`
	ImageAlt     string  `json:"image_description"`
	EmbedURL     string  `json:"embed_url"`
	Blurhash     *string `json:"blurhash"`
	PublishedAt  *string `json:"published_at"`
}

const (
	maxStatuses    = 20 // of a request for several
	maxThreadPages = 6  // of the replies to a post
	// enoughReplies is how many replies to a post are enough: then no further page is read, and neither is one with which
	// the pages would cost more than threadReads, as those before were. maxReplies is how many a caller without an account
	// sees, as in Mastodon.
	enoughReplies = 120
	threadReads   = 265
	maxReplies    = 60
	threadPage    = "20"
	threadDepth   = "6" // levels of replies
	maxGaps       = 3   // threads that are read for the ancestors between two
	maxLongEdits  = 20  // versions whose text is longer than a snippet
)

// getStatus reads a post with its card, and whether it is pinned; or the share of one.
//
// Cost: that of GET /v1/tweets/{id}, of [call.statusFrom] and [call.card]; for the caller's own post that of GET
// /v1/users/{uid}/pins, and for a share that of [call.shareAt] and [call.shareOf].
func getStatus(c *call) (any, error) {
	s, err := c.oneStatus()
	if err != nil {
		return nil, err
	}
	at, tweet, ok := isShare(c.path("id"))
	if !ok {
		return s, nil
	}
	e, err := c.shareAt(at, tweet)
	if err != nil {
		return nil, err
	}
	return c.shareOf(s, e)
}

// oneStatus reads the post that the path names, as it is by itself.
func (c *call) oneStatus() (*Status, error) {
	t, err := c.postOf()
	if err != nil {
		return nil, err
	}
	s, err := c.statusFrom(t)
	if err != nil {
		return nil, err
	}
	if card := c.card(t); card != nil {
		s.Card = card
	}
	if t.AuthorID == c.caller().UID && s.ViewerState != nil {
		var pinned page[struct{ ID model.TweetID }]
		if err := c.get(native("users", string(t.AuthorID), "pins"), nil, &pinned); err != nil {
			return nil, err
		}
		s.Pinned = new(slices.ContainsFunc(pinned.Items, func(p struct{ ID model.TweetID }) bool { return p.ID == t.ID }))
	}
	return s, nil
}

// statusCard reads the card of a post alone.
func statusCard(c *call) (any, error) {
	t, err := c.postOf()
	if err != nil {
		return nil, err
	}
	if card := c.card(t); card != nil {
		return card, nil
	}
	return nil, nil // an empty object
}

// card reads the card of the first link of a post; nil for none.
//
// Cost: that of GET /v1/linkCards for a post with a link.
func (c *call) card(t *nativeTweet) *PreviewCard {
	if t.Content == nil || len(t.Media) > 0 || t.Visibility != model.Public && t.Visibility != model.Unlisted {
		return nil
	}
	address := markdown.FirstLink(markdown.Parse(*t.Content).Nodes)
	if address == "" {
		return nil
	}
	var found struct{ Card *nativeCard }
	if err := c.get("/v1/linkCards", url.Values{"url": {address}}, &found); err != nil || found.Card == nil {
		return nil // the post is there without it
	}
	is := found.Card
	card := &PreviewCard{URL: is.URL, Title: is.Title, Description: is.Description, Language: textOrNil(is.Language),
		Type: "link", Authors: []any{}, AuthorName: is.Author, ProviderName: is.SiteName}
	if p := is.Picture; p != nil {
		card.Width, card.Height = p.Width, p.Height
		card.Image = new("data:" + p.ContentType + ";base64," + base64.StdEncoding.EncodeToString(p.Data))
	}
	return card
}

// manyStatuses reads posts by id, at most maxStatuses. Those that are not there are left out.
func manyStatuses(c *call) (any, error) {
	ids := c.params.texts("id")
	if len(ids) > maxStatuses {
		return nil, invalid("id[] has at most %d ids", maxStatuses)
	}
	entries := []entry{}
	for _, text := range unique(ids) {
		if at, tweet, ok := isShare(text); ok {
			e, err := c.shareAt(at, tweet)
			if err != nil && !isGone(err) {
				return nil, err
			}
			if err == nil {
				entries = append(entries, e)
			}
		} else if id, err := tweetOf(text); err == nil {
			entries = append(entries, entry{id: id})
		}
	}
	return c.statuses(entries)
}

// statusContext reads what a post answers, from the first post of the thread on, and what answers it: each reply before
// the replies to it.
//
// Cost: that of GET /v1/tweets/{id}/thread, up to maxThreadPages times, until there are enoughReplies or they cost
// about threadReads, and maxGaps times more; and that of [call.statuses]. A page has its long texts, until there are
// maxLongTexts.
func statusContext(c *call) (any, error) {
	id, err := tweetOf(c.path("id"))
	if err != nil {
		return nil, err
	}
	var above, below []entry
	var gap model.TweetID
	query := url.Values{"format": {"html"}, "depth": {threadDepth}, "pageSize": {threadPage}}
	most := 2 * enoughReplies
	if c.caller().UID == "" {
		most = maxReplies
	}
	for n, more := 0, true; n < maxThreadPages && more && len(below) < most; n++ {
		t, err := c.thread(id, query)
		if err != nil {
			return nil, err
		}
		if t.Tweet.Tweet == nil {
			return nil, model.NoTweet(id)
		}
		if n == 0 {
			above, gap = entriesIn(t.Ancestors), t.Gap
		}
		below = append(below, t.Tweet.entries()...)
		more = t.Tweet.NextPageToken != "" && len(below) < enoughReplies &&
			meter.Of(c).Reads*int64(n+2)/int64(n+1) <= threadReads
		query.Set("pageToken", t.Tweet.NextPageToken)
	}
	for n := 0; n < maxGaps && gap != ""; n++ {
		t, err := c.thread(gap, url.Values{"format": {"html"}, "depth": {"1"}, "pageSize": {"1"}})
		switch {
		case isGone(err):
			gap = ""
			continue
		case err != nil:
			return nil, err
		}
		above = append(above, entriesIn(append(t.Ancestors, t.Tweet.nativeBatch))...)
		gap = t.Gap
	}
	slices.SortStableFunc(above, func(a, b entry) int { return a.id.Compare(b.id) })
	above = slices.CompactFunc(above, func(a, b entry) bool { return a.id == b.id })
	found := &Context{}
	if found.Ancestors, err = c.statuses(above); err != nil {
		return nil, err
	}
	found.Descendants, err = c.statuses(part(below, 0, most))
	return found, err
}

// thread reads a page of a thread, with its long texts if there may be more.
func (c *call) thread(id model.TweetID, query url.Values) (*nativeThread, error) {
	texts := c.longTexts < maxLongTexts
	query.Set("texts", strconv.FormatBool(texts))
	t := &nativeThread{}
	if err := c.get(native("tweets", string(id), "thread"), query, t); err != nil {
		return nil, err
	}
	for _, e := range append(entriesIn(t.Ancestors), t.Tweet.entries()...) {
		if texts && e.tweet.Length > model.MaxSnippet {
			c.longTexts++
		}
	}
	return t, nil
}

// nativeThread is a post with what it answers and what answers it.
type nativeThread struct {
	Ancestors []nativeBatch `json:"ancestors"`
	Gap       model.TweetID `json:"gap"`
	Tweet     nativeNode    `json:"tweet"`
}

type nativeNode struct {
	nativeBatch
	Replies       []nativeNode `json:"replies"`
	NextPageToken string       `json:"nextPageToken"`
}

// entries are the replies below a node.
func (n nativeNode) entries() (all []entry) {
	for _, reply := range n.Replies {
		all = append(all, entriesIn([]nativeBatch{reply.nativeBatch})...)
		all = append(all, reply.entries()...)
	}
	return all
}

// entriesIn are the posts of a batch that are there.
func entriesIn(batch []nativeBatch) (all []entry) {
	for _, item := range batch {
		if item.Tweet != nil {
			all = append(all, entry{id: item.ID, tweet: item.Tweet})
		}
	}
	return all
}

// statusSource reads the text of a post as it was written.
func statusSource(c *call) (any, error) {
	t, err := c.postOf()
	if err != nil {
		return nil, err
	}
	return StatusSource{statusID(t.ID), sourceOf(t), t.Summary}, nil
}

// sourceOf is the text of a post that was read by itself: what was typed, if it has no Markdown, else its Markdown.
func sourceOf(t *nativeTweet) string {
	if t.Content == nil {
		return ""
	}
	if text, ok := markdown.ToPlain(*t.Content); ok {
		return text
	}
	return *t.Content
}

type nativeRevision struct {
	Number      int       `json:"number"`
	Content     *string   `json:"content"`
	HTML        string    `json:"html"`
	Summary     string    `json:"summary"`
	SnippetHTML string    `json:"snippetHtml"`
	WrittenAt   time.Time `json:"writtenAt"`
}

// statusHistory lists the versions of a post, oldest first. The last one is the post as it is.
//
// Cost: that of GET /v1/tweets/{id} and of its revisions, and 1 read for each of maxLongEdits long ones.
func statusHistory(c *call) (any, error) {
	t, err := c.postOf()
	if err != nil {
		return nil, err
	}
	now, err := c.statusFrom(t)
	if err != nil {
		return nil, err
	}
	version := func(html, summary string, at stamp) StatusEdit {
		return StatusEdit{Content: html, SpoilerText: summary, Sensitive: summary != "", CreatedAt: at, Account: now.Account,
			Poll: now.Poll, MediaAttachments: now.MediaAttachments, Emojis: []any{}, Quote: now.Quote}
	}
	all, long := []StatusEdit{}, 0
	query := url.Values{"format": {"html"}, "pageSize": {strconv.Itoa(model.MaxPageSize)}}
	for more := t.Revision > 0; more; {
		var found page[nativeRevision]
		if err := c.get(native("tweets", string(t.ID), "revisions"), query, &found); err != nil {
			return nil, err
		}
		for _, r := range found.Items {
			if r.Content == nil && long < maxLongEdits {
				long++
				path := native("tweets", string(t.ID), "revisions", strconv.Itoa(r.Number))
				if err := c.get(path, url.Values{"format": {"html"}}, &r); err != nil {
					return nil, err
				}
			}
			if r.HTML == "" {
				r.HTML = r.SnippetHTML
			}
			all = append(all, version(c.linked(r.HTML, t), r.Summary, stamp(r.WrittenAt)))
		}
		more = found.NextPageToken != ""
		query.Set("pageToken", found.NextPageToken)
	}
	at := now.CreatedAt
	if t.UpdatedAt != nil {
		at = now.EditedAt
	}
	return append(all, version(now.Content, now.SpoilerText, at)), nil
}

// peopleOf lists who likes or shares a post, newest first.
func (c *call) peopleOf(what string) (any, error) {
	id, err := tweetOf(c.path("id"))
	if err != nil {
		return nil, err
	}
	people, err := listed[struct {
		User struct{ ID model.UserID }
	}](c, native("tweets", string(id), what), nil, 40, 80)
	if err != nil {
		return nil, err
	}
	ids := make([]model.UserID, len(people))
	for i, p := range people {
		ids[i] = p.User.ID
	}
	accounts, err := c.accounts(ids)
	if err != nil {
		return nil, err
	}
	all := []*Account{}
	for _, id := range ids {
		if a := accounts[id]; a != nil {
			all = append(all, a)
		}
	}
	return all, nil
}

// statusQuotes lists the posts that quote a post, newest first.
func statusQuotes(c *call) (any, error) {
	id, err := tweetOf(c.path("id"))
	if err != nil {
		return nil, err
	}
	found, err := listed[*nativeTweet](c, native("tweets", string(id), "quotes"), url.Values{"format": {"html"}},
		usualPage, maxPage)
	if err != nil {
		return nil, err
	}
	return c.statuses(each(found, func(t *nativeTweet) entry { return entryOf(t, ofTweets) }))
}

type nativeCard struct {
	URL         string `json:"url"`
	Title       string `json:"title"`
	Description string `json:"description"`
	SiteName    string `json:"siteName"`
	Author      string `json:"author"`
	Language    string `json:"language"`
	Picture     *struct {
		ContentType string `json:"contentType"`
		Width       int    `json:"width"`
		Height      int    `json:"height"`
		Data        []byte `json:"data"`
	} `json:"picture"`
}
