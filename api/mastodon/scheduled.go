package mastodon

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/model"
)

// ScheduledStatus is a post that is posted by itself later.
type ScheduledStatus struct {
	ID               string          `json:"id"`
	ScheduledAt      stamp           `json:"scheduled_at"`
	Params           ScheduledParams `json:"params"`
	MediaAttachments []Attachment    `json:"media_attachments"`
}

// ScheduledParams are those of the request that scheduled a post.
type ScheduledParams struct {
	Text           string         `json:"text"`
	Poll           *ScheduledPoll `json:"poll"`
	MediaIDs       []string       `json:"media_ids"`
	Sensitive      bool           `json:"sensitive"`
	SpoilerText    *string        `json:"spoiler_text"`
	Visibility     string         `json:"visibility"`
	InReplyToID    *string        `json:"in_reply_to_id"`
	QuotedStatusID *string        `json:"quoted_status_id"`
	QuotePolicy    string         `json:"quote_approval_policy"`
	Language       *string        `json:"language"`
	ApplicationID  int            `json:"application_id"`
	ScheduledAt    *string        `json:"scheduled_at"`
	Idempotency    *string        `json:"idempotency"`
	WithRateLimit  bool           `json:"with_rate_limit"`
}

// ScheduledPoll is the poll of a scheduled post.
type ScheduledPoll struct {
	Options    []string `json:"options"`
	ExpiresIn  int      `json:"expires_in"`
	Multiple   bool     `json:"multiple"`
	HideTotals bool     `json:"hide_totals"`
}

// nativeDraft is a draft of the caller.
type nativeDraft struct {
	ID          string         `json:"id"`
	Content     string         `json:"content"`
	Media       []string       `json:"media"`
	Summary     string         `json:"summary"`
	ReplyTo     *model.TweetID `json:"replyTo"`
	QuoteOf     *model.TweetID `json:"quoteOf"`
	QuotePolicy model.Policy   `json:"quotePolicy"`
	Poll        *nativeNewPoll `json:"poll"`
	Language    string         `json:"language"`
	Visibility  model.Audience `json:"visibility"`
	PublishAt   *time.Time     `json:"publishAt"`
	Revision    int            `json:"revision"`
}

func scheduledMethods() []Method {
	const read, write = "read read:statuses", "write write:statuses"
	return []Method{
		get("/api/v1/scheduled_statuses", read, listScheduled).
			note("a list has the ids of media alone: a scheduled post that is read by itself has them whole"),
		get("/api/v1/scheduled_statuses/:id", read, getScheduled),
		put("/api/v1/scheduled_statuses/:id", write, putScheduled),
		remove("/api/v1/scheduled_statuses/:id", write, cancelScheduled),
	}
}

// minAhead is how far in the future a post is scheduled at least.
const minAhead = 5 * time.Minute

// scheduledAt reads the time of the request.
func (c *call) scheduledAt() (string, error) {
	text := c.params.text("scheduled_at")
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00"} {
		at, err := time.Parse(layout, strings.Replace(text, " ", "T", 1))
		switch {
		case err != nil:
			continue
		case time.Until(at) < minAhead:
			return "", invalid("scheduled_at is at least 5 minutes in the future")
		}
		return at.UTC().Format(time.RFC3339Nano), nil
	}
	return "", invalid("scheduled_at is a time of ISO 8601, such as 2026-12-01T10:00:00Z")
}

// schedule makes a draft of a post that is posted by itself.
func (c *call) schedule(p *nativePost) (_ any, err error) {
	if p.PublishAt, err = c.scheduledAt(); err != nil {
		return nil, err
	}
	var d nativeDraft
	if err := c.do(http.MethodPost, "/v1/drafts", c.idempotency(""), p, &d); err != nil {
		return nil, err
	}
	return c.scheduled(&d, true)
}

// scheduled makes the entity of a draft. media says whether its media are read.
//
// Cost: with media 1 read for each.
func (c *call) scheduled(d *nativeDraft, media bool) (*ScheduledStatus, error) {
	s := &ScheduledStatus{ID: d.ID, MediaAttachments: []Attachment{}, Params: ScheduledParams{Text: d.Content,
		MediaIDs: d.Media, Sensitive: d.Summary != "", SpoilerText: textOrNil(d.Summary), Language: textOrNil(d.Language)}}
	if d.PublishAt != nil {
		s.ScheduledAt = stamp(*d.PublishAt)
	}
	p := &s.Params
	if text, ok := markdown.ToPlain(d.Content); ok {
		p.Text = text
	}
	p.Visibility = visibility(d.Visibility) // clients need one in any case
	if d.ReplyTo != nil {
		p.InReplyToID = new(statusID(*d.ReplyTo))
	}
	if d.QuoteOf != nil {
		p.QuotedStatusID = new(statusID(*d.QuoteOf))
	}
	switch p.QuotePolicy = "public"; d.QuotePolicy {
	case model.PolicyEverybody:
	case model.PolicyFollowers:
		p.QuotePolicy = "followers"
	default:
		p.QuotePolicy = "nobody"
	}
	if d.Poll != nil {
		p.Poll = &ScheduledPoll{Options: d.Poll.Options, ExpiresIn: 60 * d.Poll.Minutes}
	}
	for _, id := range d.Media {
		a := Attachment{ID: id, Type: "unknown"}
		if media {
			switch m, err := c.upload(id); {
			case isGone(err):
			case err != nil:
				return nil, err
			default:
				a = c.attachment(m.nativeMedia)
			}
		}
		s.MediaAttachments = append(s.MediaAttachments, a)
	}
	return s, nil
}

// listScheduled lists the caller's scheduled posts, newest first. Drafts without a time are left out.
func listScheduled(c *call) (any, error) {
	found, err := listed[*nativeDraft](c, "/v1/drafts", nil, usualPage, maxPage,
		func(d *nativeDraft) bool { return d.PublishAt != nil })
	if err != nil {
		return nil, err
	}
	all := []*ScheduledStatus{}
	for _, d := range found {
		s, err := c.scheduled(d, false)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// draft reads a scheduled post of the caller, with its form for a change.
func (c *call) draft() (*nativeDraft, map[string]any, error) {
	var raw json.RawMessage
	if _, err := model.ParseDraftID(c.path("id")); err != nil {
		return nil, nil, model.NoDraft(c.path("id"))
	}
	if err := c.get(native("drafts", c.path("id")), nil, &raw); err != nil {
		return nil, nil, err
	}
	var d nativeDraft
	body := map[string]any{}
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, nil, err
	}
	if d.PublishAt == nil {
		return nil, nil, model.NoDraft(d.ID)
	}
	return &d, body, nil
}

func getScheduled(c *call) (any, error) {
	d, _, err := c.draft()
	if err != nil {
		return nil, err
	}
	return c.scheduled(d, true)
}

// putScheduled changes the time of a scheduled post.
func putScheduled(c *call) (any, error) {
	at, err := c.scheduledAt()
	if err != nil {
		return nil, err
	}
	d, body, err := c.draft()
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"id", "revision", "createdAt", "updatedAt", "failure", "$schema"} {
		delete(body, name)
	}
	body["publishAt"] = at
	var changed nativeDraft
	if err := c.send(http.MethodPut, native("drafts", d.ID), body, &changed); err != nil {
		return nil, err
	}
	return c.scheduled(&changed, true)
}

func cancelScheduled(c *call) (any, error) {
	d, _, err := c.draft()
	if err != nil {
		return nil, err
	}
	return nil, c.send(http.MethodDelete, native("drafts", d.ID), nil, nil)
}
