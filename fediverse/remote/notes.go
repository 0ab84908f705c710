package remote

import (
	"context"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/htmlmark"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/words"
	"github.com/hibana-sns/hibana/model"
)

// Limits of what a tweet takes of a post. What is beyond them is at the link to the original.
const (
	// MaxText is how many characters of the text of a post are kept, and MaxExcerpt how many of an article, a video and an
	// event, which have pages of their own.
	MaxText    = 10_000
	MaxExcerpt = 1_000
	// MaxAttachments is how many attachments of a post are kept.
	MaxAttachments = 16
	// MaxLinks is how many links of a post may name people. Those after them stay links.
	MaxLinks = 200

	maxPeople = 20  // mentioned people who are looked up
	maxTags   = 100 // tags of a post that are looked at
	maxName   = 300 // characters of a title, and of the description of an attachment in its text
)

// note is a post on its way to a tweet.
type note struct {
	*activitypub.Object
	by   *model.User
	page string

	people map[string]*model.User // by the address of the actor: those whom the post mentions and who are known
	local  []*model.User          // the users of this installation whom the post addresses or mentions
	named  map[string]*model.User // by host and name, as nameKey has them: those of people whom tags name
	links  int                    // links that were looked at for people

	quoted bool // the post that it quotes is known
	orphan bool // the post that it answers is not known
}

// resolve looks up the people whom a post mentions and addresses, as far as they are known: nobody is fetched.
//
// Cost: 1 read for each whose profile is not cached, at most 20.
func (r *Remote) resolve(ctx context.Context, n *note) error {
	var uids []model.UserID
	by := map[model.UserID]string{}
	add := func(iri string, only bool) {
		uid, local := r.site.UserOf(iri)
		if !local {
			if only || r.site.Has(iri) || r.checkAddress(iri) != nil {
				return
			}
			uid = model.RemoteUserID(iri)
		}
		if len(uids) < maxPeople && by[uid] == "" {
			uids, by[uid] = append(uids, uid), iri
		}
	}
	for _, iri := range slices.Concat(n.To, n.CC) { // of those that are not mentioned only local users matter
		add(iri, true)
	}
	for _, tag := range n.Tag[:min(len(n.Tag), maxTags)] {
		if tag.Type == "Mention" {
			add(tag.Href, false)
		}
	}
	found, err := r.store.Tweets.Users(ctx, uids)
	if err != nil {
		return err
	}
	n.people, n.local = map[string]*model.User{}, nil
	for _, uid := range uids {
		u := found[uid]
		if u == nil || u.Remote != nil && u.Remote.IRI != by[uid] {
			continue
		}
		n.people[by[uid]] = u
		if u.Remote == nil {
			n.local = append(n.local, u)
		}
	}
	n.named = map[string]*model.User{}
	for _, tag := range n.Tag[:min(len(n.Tag), maxTags)] {
		if u := n.people[tag.Href]; u != nil && tag.Type == "Mention" {
			if key := nameKey(tag.Href, tag.Name.Value); n.named[key] == nil {
				n.named[key] = u
			}
		}
	}
	return nil
}

// nameKey is the host of an address and the name of a person as a text has it: @bob or @bob@example.org. It is empty
// for no name.
func nameKey(href, text string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(text, "@"), "@")
	if name == "" || len(name) > model.MaxIRI || len(href) > model.MaxIRI {
		return ""
	}
	return hostOf(href) + " " + strings.ToLower(name)
}

// audience is the audience of a post.
func (n *note) audience() model.Audience {
	followers := n.by.Remote.Followers
	switch {
	case slices.Contains(n.To, activitypub.Public):
		return model.Public
	case slices.Contains(n.CC, activitypub.Public):
		return model.Unlisted
	case followers != "" && (slices.Contains(n.To, followers) || slices.Contains(n.CC, followers)):
		return model.Followers
	}
	return model.Mentioned
}

// paged reports whether the post has a page of its own that shows more than a tweet.
func (n *note) paged() bool { return n.Is("Article", "Video", "Audio", "Event") }

// warning is the content warning of a post.
func (n *note) warning() string {
	if n.paged() && !n.Sensitive {
		return "" // the summary is one
	}
	if text := model.FitLine(htmlmark.Plain(n.Summary.Value), model.MaxSummary); text != "" {
		return text
	}
	if n.Sensitive && len(n.Attachment) > 0 {
		return "Sensitive content"
	}
	return ""
}

// language is the language of the text, if the post says it of one.
func (n *note) language() string {
	for code, text := range n.Content.By {
		if text == n.Content.Value || len(n.Content.By) == 1 {
			if is, err := model.ParseLanguage(code); err == nil {
				return is
			}
		}
	}
	return ""
}

// poll is the poll of a question that a tweet can have, and what its server counts; nil if it can have none.
func (n *note) poll(now time.Time) (*model.Poll, []int64) {
	all := slices.Concat(n.OneOf, n.AnyOf)
	if !n.Is("Question") || len(all) < model.MinPollOptions || len(all) > model.MaxPollOptions {
		return nil, nil
	}
	p := &model.Poll{ClosesAt: now.Add(longestPoll)}
	var votes []int64
	for _, o := range all {
		text := model.FitLine(htmlmark.Plain(o.Name.Value), model.MaxPollOption)
		if text == "" || slices.Contains(p.Options, text) {
			return nil, nil
		}
		p.Options = append(p.Options, text)
		if o.Replies.Object != nil {
			votes = append(votes, min(o.Replies.Object.TotalItems, maxVotes))
		}
	}
	for _, at := range []time.Time{n.EndTime, n.Closed} {
		if !at.IsZero() && at.Before(p.ClosesAt) && at.UnixMilli() > 0 {
			p.ClosesAt = at
		}
	}
	if p.ClosesAt = p.ClosesAt.UTC().Truncate(time.Microsecond); len(votes) != len(p.Options) {
		votes = nil
	}
	return p, votes
}

const (
	// longestPoll is how long a poll without an end is open.
	longestPoll = 366 * 24 * time.Hour
	maxVotes    = 1_000_000_000
)

// content is the text of the tweet in Markdown, and the tags that are not in it. polled is whether the tweet has the
// poll.
func (n *note) content(polled bool) (content string, tags []string) {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if n.orphan {
		if to := htmlmark.Address(n.InReplyTo); to != "" {
			add("↪ <" + to + ">")
		}
	}
	if title := model.FitLine(htmlmark.Plain(n.Name.Value), maxName); title != "" && !n.Is("Note", "Question") {
		add("**" + htmlmark.Text(title) + "**")
	}
	tags = n.tags()
	inText := slices.Clone(tags)
	text, cut := n.text(inText)
	add(n.addressed(text))
	if n.Is("Question") && !polled {
		add(n.options())
		cut = true
	}
	for i, a := range slices.Concat(n.pictures(), n.Attachment) {
		if i == MaxAttachments {
			cut = true
			break
		}
		add(attachment(a))
	}
	if n.paged() || cut || len(parts) == 0 {
		if to := htmlmark.Address(n.page); to != "" {
			add("<" + to + ">")
		}
	}
	content = model.FitText(strings.Join(parts, "\n\n"))
	for utf8.RuneCountInString(content) > model.MaxContent && len(parts) > 1 { // the longest texts with many attachments
		parts = slices.Delete(parts, len(parts)-2, len(parts)-1)
		content = model.FitText(strings.Join(parts, "\n\n"))
	}
	return words.Cut(content, model.MaxContent), tags
}

// text is the text of the post itself.
func (n *note) text(tags []string) (text string, cut bool) {
	source := n.Content.Value
	n.links = 0
	keys := map[string]bool{}
	for _, tag := range tags {
		if key, err := model.NormalizeTag(tag); err == nil {
			keys[key] = true
		}
	}
	o := htmlmark.Options{Limit: MaxText, Mention: n.mention, WithoutQuote: n.quoted, Hashtag: func(name string) bool {
		key, err := model.NormalizeTag(name)
		return err == nil && keys[key]
	}}
	if n.paged() {
		o.Limit = MaxExcerpt
		if n.Summary.Value != "" && !n.Sensitive {
			source = n.Summary.Value
		}
	}
	if strings.HasPrefix(n.MediaType, "text/") && n.MediaType != "text/html" {
		source = strings.ReplaceAll(html.EscapeString(source), "\n", "<br>")
	}
	return htmlmark.Convert(source, o)
}

func sameTag(name string) func(string) bool {
	key, err := model.NormalizeTag(name)
	return func(other string) bool {
		is, _ := model.NormalizeTag(other)
		return err == nil && is == key
	}
}

// tags are the tags of the post, as many as a tweet may have, each once.
func (n *note) tags() []string {
	tags := []string{}
	for _, tag := range n.Tag[:min(len(n.Tag), maxTags)] {
		name := strings.TrimPrefix(model.FitLine(tag.Name.Value, model.MaxTagTyped), "#")
		if tag.Type != "Hashtag" || len(tags) == model.MaxTags {
			continue
		}
		if _, err := model.NormalizeTag(name); err == nil && !slices.ContainsFunc(tags, sameTag(name)) {
			tags = append(tags, name)
		}
	}
	return tags
}

// mention is what stands for a link to a person: the name of a user of this installation, a link to the profile of a
// known person of another server, and the link as it is for others.
func (n *note) mention(href, text string) string {
	if n.links++; n.links > MaxLinks || len(n.people) == 0 {
		return ""
	}
	u := n.people[href]
	if u == nil {
		if key := nameKey(href, text); key != "" {
			u = n.named[key]
		}
	}
	switch {
	case u == nil:
		return ""
	case u.Remote == nil:
		return "@" + u.Username
	}
	return "[" + htmlmark.Text("@"+u.Username) + "](/users/" + string(u.ID) + ")"
}

// addressed is the text of a post for mentioned people alone, with the names of those whom it does not name: so they
// are among those whom the tweet is for. Names that stand far behind count as missing: a tweet is for the first ones.
func (n *note) addressed(text string) string {
	if n.audience() != model.Mentioned {
		return text
	}
	local := n.local[:min(len(n.local), model.MaxMentions)]
	has := markdown.Parse(text).Names
	has = has[:min(len(has), model.MaxMentions-len(local))]
	var names []string
	for _, u := range local {
		if !slices.Contains(has, strings.ToLower(u.Username)) {
			names = append(names, "@"+u.Username)
		}
	}
	return strings.TrimSpace(strings.Join(names, " ") + " " + text)
}

// options are the options of a question that a tweet cannot have as a poll.
func (n *note) options() string {
	var lines []string
	for i, o := range slices.Concat(n.OneOf, n.AnyOf) {
		if i == 2*MaxAttachments {
			break
		}
		line := "- " + htmlmark.Text(model.FitLine(htmlmark.Plain(o.Name.Value), maxName))
		if o.Replies.Object != nil {
			line += fmt.Sprintf(" (%d)", o.Replies.Object.TotalItems)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// pictures are the pictures of a post besides its attachments: at most one, of a page of its own or a link.
func (n *note) pictures() []*activitypub.Object {
	if !n.paged() && !n.Is("Page", "Image") {
		return nil
	}
	for _, link := range slices.Concat(n.Image, n.Icon) {
		if model.FitAvatar(link.Href) != "" {
			return []*activitypub.Object{{Type: "Image", Kind: []string{"Image"}, URL: []activitypub.Link{link}}}
		}
	}
	return nil
}

// attachment is an attachment in the text: a picture, or a link to what is none.
func attachment(a *activitypub.Object) string {
	link := activitypub.Link{Href: a.Href, MediaType: a.MediaType}
	if len(a.URL) > 0 {
		link = a.URL[0]
	}
	to := htmlmark.Address(link.Href)
	if to == "" {
		return ""
	}
	kind := strings.ToLower(link.MediaType)
	if kind == "" {
		kind = strings.ToLower(a.MediaType)
	}
	text := model.FitLine(htmlmark.Plain(html.EscapeString(a.Name.Value)), model.MaxAlt)
	if (strings.HasPrefix(kind, "image/") || kind == "" && a.Type == "Image") && strings.HasPrefix(to, "https://") {
		return "![" + htmlmark.Text(text) + "](" + to + ")"
	}
	if text = htmlmark.Text(words.Cut(text, maxName)); text == "" {
		return "<" + to + ">"
	}
	return "[" + text + "](" + to + ")"
}
