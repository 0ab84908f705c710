package api

import (
	"github.com/hibana-sns/hibana/api/internal/texts"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/markdown/render"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/users"
)

// htmlTexts has the full texts that this process has rendered.
var htmlTexts = texts.New(render.HTML)

// Rendering is the part of a request that selects the form of Markdown texts. The answer always contains the Markdown
// itself.
type Rendering struct {
	Format string `query:"format" enum:"markdown,html,tree" default:"markdown" doc:"What to add to the Markdown: html adds snippetHtml, and html or introductionHtml where the whole text is; tree adds snippetTree"`
}

// Rendered is the snippet of a text in the form that the caller selected. It keeps the structure and has at most 280
// displayed characters.
type Rendered struct {
	SnippetHTML string             `json:"snippetHtml,omitempty" doc:"The snippet as safe HTML; present with format=html, unless the text is empty"`
	SnippetTree []markdown.Element `json:"snippetTree,omitempty" nullable:"false" doc:"The snippet as a tree of elements and texts; present with format=tree, unless the text is empty"`
}

// snippet renders a snippet.
func (r Rendering) snippet(snippet, tree string) (to Rendered) {
	switch r.Format {
	case "html":
		to.SnippetHTML = render.HTML(model.SnippetNodes(snippet, tree))
	case "tree":
		to.SnippetTree = markdown.Elements(model.SnippetNodes(snippet, tree))
	}
	return to
}

// tweet is [service.tweetOf] with the snippet rendered.
func (r Rendering) tweet(s *service, t *model.Tweet, by model.ViewerState) Tweet {
	to := s.tweetOf(t, by)
	to.Rendered = r.snippet(t.Snippet, t.SnippetTree)
	return to
}

// fullTweet is [service.fullTweetOf] with the snippet and the content rendered.
func (r Rendering) fullTweet(s *service, t *tweets.FullTweet) Tweet {
	to := s.fullTweetOf(t)
	to.Rendered = r.snippet(t.Snippet, t.SnippetTree)
	if r.Format == "html" {
		to.HTML = htmlTexts.HTML(t)
	}
	return to
}

// putText adds the whole text of a tweet, if there is one: the tweet stays as it is else.
func (r Rendering) putText(s *service, to *Tweet, t *tweets.FullTweet) {
	if t == nil {
		return
	}
	whole := *t
	whole.ViewerState = model.ViewerState{Liked: to.Liked, Shared: to.Shared, Bookmarked: to.Bookmarked}
	filtered, poll := to.Filtered, to.Poll
	*to = r.fullTweet(s, &whole)
	to.Filtered, to.Poll = filtered, poll
}

// revision is [revisionOf] with the snippet rendered.
func (r Rendering) revision(of *model.Revision) Revision {
	to := revisionOf(of)
	to.Rendered = r.snippet(of.Snippet, of.SnippetTree)
	return to
}

// card is [service.cardOf] with the snippet rendered.
func (r Rendering) card(s *service, author model.UserID, c profiles.PreviewOf) Card {
	to := s.cardOf(author, c)
	to.Rendered = r.snippet(c.Snippet, c.SnippetTree)
	return to
}

// user is [service.userOf] with the snippet rendered.
func (r Rendering) user(s *service, u *model.User) User {
	to := s.userOf(u)
	to.Rendered = r.snippet(u.Snippet, u.SnippetTree)
	return to
}

// fullUser is [service.fullUserOf] with the snippet and the introduction rendered.
func (r Rendering) fullUser(s *service, u *users.FullUser) User {
	to := s.fullUserOf(u)
	to.Rendered = r.snippet(u.Snippet, u.SnippetTree)
	if r.Format == "html" {
		to.IntroductionHTML = htmlTexts.Introduction(u.Introduction)
	}
	return to
}

// summary is [service.summaryOf] with the snippet rendered.
func (r Rendering) summary(s *service, u *model.User) UserSummary {
	to := s.summaryOf(u)
	to.Rendered = r.snippet(u.Snippet, u.SnippetTree)
	return to
}

// each converts a slice. The result is never nil, because nil becomes null in JSON.
func each[F, T any](from []F, to func(F) T) []T {
	all := make([]T, len(from))
	for i, f := range from {
		all[i] = to(f)
	}
	return all
}
