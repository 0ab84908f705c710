package mastodon

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/model"
)

// sensitiveSummary is the content warning of a sensitive post without one. Posts of other servers have the same.
const sensitiveSummary = "Sensitive content"

// nativePost is a new post, or a draft of one, for the native API.
type nativePost struct {
	Content     string         `json:"content,omitempty"`
	Media       []string       `json:"media,omitempty"`
	Summary     string         `json:"summary,omitempty"`
	ReplyTo     string         `json:"replyTo,omitempty"`
	QuoteOf     string         `json:"quoteOf,omitempty"`
	QuotePolicy model.Policy   `json:"quotePolicy,omitempty"`
	Poll        *nativeNewPoll `json:"poll,omitempty"`
	Language    string         `json:"language,omitempty"`
	Visibility  model.Audience `json:"visibility,omitempty"`
	PublishAt   string         `json:"publishAt,omitempty"`
}

type nativeNewPoll struct {
	Options []string `json:"options"`
	Minutes int      `json:"minutes"`
}

// createStatus posts, or schedules a post.
//
// Cost: that of POST /v1/tweets and of [call.fullStatus]; with scheduled_at that of POST /v1/drafts.
func createStatus(c *call) (any, error) {
	p, err := c.newPost()
	if err != nil {
		return nil, err
	}
	if err := c.describeMedia(); err != nil {
		return nil, err
	}
	if c.params.text("scheduled_at") != "" {
		return c.schedule(p)
	}
	var made struct {
		ID        string    `json:"id"`
		Held      bool      `json:"held"`
		CreatedAt time.Time `json:"createdAt"`
	}
	err = c.do(http.MethodPost, "/v1/tweets", c.idempotency(""), p, &made)
	if server.CodeOf(err) == "visibility_too_wide" { // apps send what is usual for their users
		p.Visibility = ""
		err = c.do(http.MethodPost, "/v1/tweets", c.idempotency(" narrow"), p, &made)
	}
	if err != nil {
		return nil, err
	}
	if made.Held {
		return c.heldStatus(made.ID, made.CreatedAt, p)
	}
	return c.fullStatus(model.TweetID(made.ID))
}

// newPost reads the post that a request describes.
func (c *call) newPost() (p *nativePost, err error) {
	if len(c.params.texts("media_ids")) == 0 {
		c.warningIsText()
	}
	p = &nativePost{Content: c.params.text("status"), Media: c.params.texts("media_ids"),
		Summary: c.params.text("spoiler_text"), Language: c.params.text("language")}
	plain, err := c.isPlain(true)
	if err != nil {
		return nil, err
	}
	if plain {
		if p.Content, err = c.markdownOf(p.Content); err != nil {
			return nil, err
		}
	}
	if p.Summary == "" && c.params.flag("sensitive") && len(p.Media) > 0 {
		p.Summary = sensitiveSummary
	}
	if p.Visibility, err = audience(c.params.text("visibility")); err != nil {
		return nil, err
	}
	if p.QuotePolicy, err = c.quotePolicy(); err != nil {
		return nil, err
	}
	if p.Visibility == model.Followers || p.Visibility == model.Mentioned {
		p.QuotePolicy = "" // nobody else may quote it
	}
	if p.Poll, err = c.newPoll(); err != nil {
		return nil, err
	}
	for _, of := range []struct {
		name string
		to   *string
	}{{"in_reply_to_id", &p.ReplyTo}, {"quoted_status_id", &p.QuoteOf}} {
		if text := c.params.text(of.name); text != "" {
			id, err := tweetOf(text)
			if err != nil {
				return nil, err
			}
			*of.to = string(id)
		}
	}
	return p, nil
}

// warningIsText makes the content warning of a request without a text its text, as Mastodon does.
func (c *call) warningIsText() {
	warning := c.params.text("spoiler_text")
	if warning != "" && strings.TrimSpace(c.params.text("status")) == "" {
		c.params["status"] = warning
		delete(c.params, "spoiler_text")
	}
}

// hosted is a mention in a text that has a host. In an address it is none.
var hosted = regexp.MustCompile(`(^|[^\w/@])@(\w+@[0-9A-Za-z](?:[0-9A-Za-z.-]*[0-9A-Za-z])?(?::\d+)?)`)

// markdownOf is the Markdown of a plain text. A text that is too long is not turned into any, because that takes time.
// A mention of somebody here may have the host, as Elk writes it when it edits.
func (c *call) markdownOf(text string) (string, error) {
	if n := utf8.RuneCountInString(norm.NFC.String(text)); n > model.MaxContent {
		return "", errs.New(errs.Invalid, "too_long", "status has %d characters; the limit is %d", n, model.MaxContent)
	}
	site := c.site()
	text = hosted.ReplaceAllStringFunc(text, func(is string) string {
		before, handle, _ := strings.Cut(is, "@")
		if name, ok := site.Local(handle); ok {
			return before + "@" + name
		}
		return is
	})
	return markdown.FromPlain(text), nil
}

// isPlain reports whether the text of the request is plain, or what it is without a content_type.
func (c *call) isPlain(usual bool) (bool, error) {
	switch c.params.text("content_type") {
	case "":
		return usual, nil
	case "text/plain":
		return true, nil
	case "text/markdown":
		return false, nil
	}
	return false, invalid("content_type is text/plain or text/markdown")
}

// quotePolicy is who may quote the post of the request; empty for the default.
func (c *call) quotePolicy() (model.Policy, error) {
	switch c.params.text("quote_approval_policy") {
	case "":
		return "", nil
	case "public":
		return model.PolicyEverybody, nil
	case "followers":
		return model.PolicyFollowers, nil
	case "nobody":
		return model.PolicyNobody, nil
	}
	return "", invalid("quote_approval_policy is public, followers or nobody")
}

const (
	minPoll = 300        // seconds
	maxPoll = 7 * 86_400 // seconds
)

// newPoll reads the poll of the request; nil for none.
func (c *call) newPoll() (*nativeNewPoll, error) {
	p := c.params.object("poll")
	if p == nil || !p.has("options") {
		return nil, nil
	}
	if p.flag("multiple") {
		return nil, invalid("poll[multiple]: a poll has one choice here")
	}
	seconds := p.number("expires_in", 0)
	if seconds < minPoll || seconds > maxPoll {
		return nil, invalid("poll[expires_in] is %d to %d seconds", minPoll, maxPoll)
	}
	return &nativeNewPoll{Options: p.texts("options"), Minutes: (seconds + 59) / 60}, nil
}

// describeMedia gives media that are not posted yet the descriptions of media_attributes.
//
// Cost: that of PATCH /v1/media/{id} for each.
func (c *call) describeMedia() error {
	attributes, err := c.mediaAttributes()
	if err != nil {
		return err
	}
	for _, m := range attributes {
		if err := c.send(http.MethodPatch, native("media", m.ID), map[string]string{"alt": m.Alt}, nil); err != nil {
			return err
		}
	}
	return nil
}

type nativeAlt struct {
	ID  string `json:"id"`
	Alt string `json:"alt"`
}

// mediaAttributes are the new descriptions of the request.
func (c *call) mediaAttributes() (all []nativeAlt, err error) {
	for _, m := range c.params.objects("media_attributes") {
		if m.has("description") {
			all = append(all, nativeAlt{m.text("id"), m.text("description")})
		}
	}
	if len(all) > model.MaxMedia {
		return nil, invalid("media_attributes has at most %d media", model.MaxMedia)
	}
	return all, nil
}

// heldStatus is the answer for a reply that waits for approval: its id is that of no post yet.
func (c *call) heldStatus(id string, at time.Time, p *nativePost) (any, error) {
	uid := c.caller().UID
	accounts, err := c.accounts([]model.UserID{uid})
	if err != nil {
		return nil, err
	}
	if accounts[uid] == nil {
		return nil, model.NoTweet(model.TweetID(id))
	}
	t := &nativeTweet{ID: model.OldestAt(at), AuthorID: uid, Summary: p.Summary, Visibility: p.Visibility,
		Language: p.Language, CreatedAt: at}
	text := html.EscapeString(c.params.text("status"))
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n", "</p><p>")
	t.HTML = "<p>" + strings.ReplaceAll(text, "\n", "<br>") + "</p>"
	s := c.statusOf(t, accounts[uid])
	s.ID, s.URI, s.URL = "held-"+id, c.site().User(uid)+"#held/"+id, accounts[uid].URL
	if p.ReplyTo != "" {
		s.InReplyToID = new(statusID(model.TweetID(p.ReplyTo)))
	}
	return s, nil
}

// editStatus changes a post of the caller.
func editStatus(c *call) (any, error) {
	t, err := c.ownPost()
	if err != nil {
		return nil, err
	}
	change, err := c.changeOf(t)
	if err != nil {
		return nil, err
	}
	if len(change) > 0 {
		if err := c.send(http.MethodPatch, native("tweets", string(t.ID)), change, nil); err != nil {
			return nil, err
		}
	}
	return c.fullStatus(t.ID)
}

// changeOf is what the request changes of a post.
func (c *call) changeOf(t *nativeTweet) (map[string]any, error) {
	change := map[string]any{}
	if c.params.has("status") {
		if len(t.Media) == 0 {
			c.warningIsText()
		}
		wasPlain := true
		if t.Content != nil {
			_, wasPlain = markdown.ToPlain(*t.Content)
		}
		text := c.params.text("status")
		switch plain, err := c.isPlain(wasPlain); {
		case err != nil:
			return nil, err
		case plain:
			if text, err = c.markdownOf(text); err != nil {
				return nil, err
			}
		}
		change["content"] = text
	}
	// A text comes with its warning: without one it has none, as in Mastodon.
	if c.params.has("spoiler_text") || c.params.has("sensitive") || c.params.has("status") {
		summary := c.params.text("spoiler_text")
		if summary == "" && c.params.flag("sensitive") && len(t.Media) > 0 {
			summary = sensitiveSummary
		}
		change["summary"] = summary
	}
	if c.params.has("media_ids") {
		is := each(t.Media, func(m nativeMedia) string { return string(m.ID) })
		if asked := c.params.texts("media_ids"); !slices.Equal(slices.Sorted(slices.Values(is)),
			slices.Sorted(slices.Values(asked))) {
			return nil, invalid("media_ids: the media of a post stay as they are; delete it and post anew")
		}
	}
	if p := c.params.object("poll"); p != nil && p.has("options") {
		if t.Poll == nil || !slices.Equal(p.texts("options"), each(t.Poll.Options, func(o nativeOption) string {
			return o.Text
		})) {
			return nil, invalid("poll: the poll of a post stays as it is; delete it and post anew")
		}
	}
	alts, err := c.mediaAttributes()
	if err != nil {
		return nil, err
	}
	if len(alts) > 0 {
		change["media"] = alts
	}
	policy, err := c.quotePolicy()
	if err != nil {
		return nil, err
	}
	if policy != "" && t.Visibility != model.Followers && t.Visibility != model.Mentioned {
		change["quotePolicy"] = policy
	}
	return change, nil
}

// deletedStatus is a post that is gone, with what a new one begins with.
type deletedStatus struct {
	*Status
	Text string `json:"text"`
}

// deleteStatus deletes a post of the caller, and answers with its text; or it ends a share of the caller. Apps write a
// new post from the answer, so it keeps the media, unless the app asks for their deletion.
//
// Cost: that of [call.statusFrom] and of the deletion, and 1 read for each of the media that are kept.
func deleteStatus(c *call) (any, error) {
	if at, tweet, ok := isShare(c.path("id")); ok {
		return c.endShare(at, tweet)
	}
	t, err := c.ownPost()
	if err != nil {
		return nil, err
	}
	s, err := c.statusFrom(t)
	if err != nil {
		return nil, err
	}
	path := native("tweets", string(t.ID))
	if c.params.flag("delete_media") {
		return deletedStatus{s, sourceOf(t)}, c.send(http.MethodDelete, path, nil, nil)
	}
	if err := c.send(http.MethodDelete, path+"?keepMedia=true", nil, nil); err != nil {
		return nil, err
	}
	for i, m := range t.Media { // the addresses of before have ended, and its owner has others
		if u, err := c.upload(string(m.ID)); err == nil {
			s.MediaAttachments[i] = c.attachment(u.nativeMedia)
		}
	}
	return deletedStatus{s, sourceOf(t)}, nil
}
