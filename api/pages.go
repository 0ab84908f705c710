package api

import (
	"cmp"
	"context"
	"html"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/internal/pages"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/markdown/render"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/tweets"
)

const (
	// pageCache lets browsers keep a page for a minute and shared caches for 5 minutes: so long they may show what the
	// author has deleted. embedAge is the same in seconds, for the caches of other sites.
	pageCache = "public, max-age=60, s-maxage=300"
	embedAge  = 300
	// mapCache lets caches keep the sitemap for a day.
	mapCache = "public, max-age=3600, s-maxage=86400"

	// pageTweets is the number of tweets of a page and of a feed.
	pageTweets = 20
	// mapUsers is the number of users of a sitemap, and mapStep that of one query.
	mapUsers, mapStep = 500, 50
)

// publicPage is an answer for a browser, a crawler or a feed reader.
type publicPage struct {
	Status       int
	ContentType  string `header:"Content-Type"`
	CacheControl string `header:"Cache-Control"`
	Policy       string `header:"Content-Security-Policy"`
	Robots       string `header:"X-Robots-Tag"`
	Location     string `header:"Location"`
	Body         []byte
}

// PublicName is the name in the path of a public page.
type PublicName struct {
	Username string `path:"username" maxLength:"60"`
}

type publicProfileInput struct {
	PublicName
	Before string `query:"before" maxLength:"6000" doc:"Where the page begins"`
}

type publicTweetInput struct {
	PublicName
	ID string `path:"id" maxLength:"60"`
}

type embedInput struct {
	URL      string `query:"url" maxLength:"2000"`
	Format   string `query:"format" maxLength:"20"`
	MaxWidth int    `query:"maxwidth" minimum:"0"`
}

type sitemapInput struct {
	Month string `query:"month" maxLength:"7"`
}

// publicPages adds what people without scripts and crawlers get of public profiles and tweets. Without
// [Options.PublicURL] there is nothing of it.
//
// Every caller gets what a signed-out reader may see, less the users whom moderators froze or suspended, the tweets of
// locked users, and in lists unlisted tweets. The OpenAPI document has none of these paths, because no program of a
// client calls them.
func (s *service) publicPages() {
	page(s, "/@{username}", "getProfilePage", s.profilePage, s.besidePage()...)
	page(s, "/@{username}/{id}", "getTweetPage", s.tweetPage, s.besidePage()...)
	page(s, "/@{username}/feed.rss", "getRSSFeed", func(ctx context.Context, in *PublicName) (*publicPage, error) {
		return s.feed(ctx, in.Username, "application/rss+xml; charset=utf-8", pages.Site.RSSFeed)
	})
	page(s, "/@{username}/feed.json", "getJSONFeed", func(ctx context.Context, in *PublicName) (*publicPage, error) {
		return s.feed(ctx, in.Username, "application/feed+json", pages.Site.JSONFeedOf)
	})
	page(s, "/oembed", "getEmbed", s.embed)
	page(s, "/sitemap.xml", "getSitemap", s.sitemap)
	page(s, "/robots.txt", "getRobots", func(context.Context, *nothing) (*publicPage, error) {
		return &publicPage{ContentType: "text/plain; charset=utf-8", CacheControl: mapCache, Body: s.site().Robots()}, nil
	})
}

// page adds a public page. What everybody may not see, or is not there, answers a page, too.
func page[I any](s *service, path, id string, handler func(context.Context, *I) (*publicPage, error),
	marks ...string) {
	if s.PublicURL == "" {
		return // the web client, if it is served, has a page of its own there
	}
	metadata := map[string]any{server.WithoutAppCheck: true, server.AsOneVisitor: true}
	for _, mark := range marks {
		metadata[mark] = true
	}
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: path, OperationID: id, Tags: []string{"pages"}, Summary: "A public page",
		Metadata: metadata, Hidden: true,
	}, func(ctx context.Context, in *I) (*publicPage, error) {
		out, err := handler(ctx, in)
		switch kind := errs.KindOf(err); {
		case err == nil:
			out.Status = cmp.Or(out.Status, http.StatusOK)
			return out, nil
		case kind == errs.NotFound || kind == errs.Invalid:
			return s.missing(http.StatusNotFound)
		case kind == errs.Gone:
			return s.missing(http.StatusGone)
		}
		return nil, err
	})
}

// site is the public address of the installation.
func (s *service) site() pages.Site {
	return pages.Site{URL: s.PublicURL, Images: strings.TrimSuffix(s.Media.Address(model.MediaPath), model.MediaPath)}
}

// html is the answer with a page. listed is whether search engines may list it.
func (s *service) html(text []byte, err error, listed bool) (*publicPage, error) {
	out := &publicPage{ContentType: "text/html; charset=utf-8", CacheControl: pageCache, Policy: s.site().Policy(),
		Body: text}
	if !listed {
		out.Robots = "noindex"
	}
	return out, err
}

func (s *service) missing(status int) (*publicPage, error) {
	text, err := s.site().MissingPage()
	out, err := s.html(text, err, false)
	out.Status = status
	return out, err
}

// publicUser returns the user with a username. An unknown user is errs.NotFound, and so is one whom moderators froze or
// suspended.
//
// Cost: 2 reads, and 1 if the profile is not cached.
func (s *service) publicUser(ctx context.Context, username string) (*model.User, error) {
	name := foldUsername(username)
	if model.ValidateUsernameForm(name) != nil {
		return nil, errs.New(errs.NotFound, "username_not_found", "nobody can have this username")
	}
	uid, err := s.Users.UserByUsername(ctx, name)
	if err != nil {
		return nil, err
	}
	u, err := s.shownUser(ctx, uid)
	if err != nil {
		return nil, err
	}
	now := *u
	now.Username = name // the cached profile may have the former one
	return &now, nil
}

// shownUser returns a user who has a public page. Others are errs.NotFound.
//
// Cost: 1 read, and 1 if the profile is not cached.
func (s *service) shownUser(ctx context.Context, uid model.UserID) (*model.User, error) {
	u, err := s.documents().ShownUser(ctx, uid)
	if err == nil && u.Remote != nil { // who is of another server has a page there
		return nil, model.NoUser(uid)
	}
	return u, err
}

// listed reports whether search engines may list a user.
func listed(u *model.User) bool { return u.Discoverable && !u.Locked }

// listedTweet reports whether search engines may list a tweet of a user.
func listedTweet(t *model.Tweet, by *model.User) bool {
	return listed(by) && visibilityOf(t.Visibility) == string(model.Public)
}

// publicFields returns the lines of a profile.
//
// Cost: nothing for a user without fields, else 1 read.
func (s *service) publicFields(ctx context.Context, u *model.User) (all []pages.Field, err error) {
	if !u.HasFields {
		return nil, nil
	}
	d, err := s.Users.Detail(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	for _, f := range d.Fields {
		all = append(all, pages.Field{Name: f.Name, Value: f.Value, Link: f.Link() != "",
			Verified: !d.VerifiedAt(f, u.Username).IsZero()})
	}
	return all, nil
}

func (s *service) publicPerson(u *model.User) pages.Person {
	about := model.SnippetNodes(u.Snippet, u.SnippetTree)
	return pages.Person{ID: u.ID, Username: u.Username, Nickname: u.Nickname, Avatar: s.Media.Address(u.Avatar),
		About: markdown.Text(about), AboutHTML: template.HTML(render.HTML(about)), Language: u.Language,
		Followers: u.FollowerCount, Followed: u.FollowedCount, Posts: u.TweetCount, Since: u.CreatedAt, Listed: listed(u),
		Pronouns: u.Pronouns, Bot: u.Bot, Header: s.Media.Address(u.Header)}
}

// publicTweets reads a page of the public tweets of a user, newest first. Those of a locked user are none.
//
// Cost: the cost of [profiles.Reader.TweetsBy] for a signed-out reader: 1 read for most first pages, at most 13 else.
func (s *service) publicTweets(ctx context.Context, u *model.User, before string) (posts []pages.Post, older string,
	err error) {
	if u.Locked {
		return nil, "", nil
	}
	found, err := server.Page(s.Server, "public page of "+string(u.ID), server.Paging{PageToken: before},
		func(before model.TweetID) ([]profiles.PreviewOf, model.TweetID, error) {
			return s.Cards.TweetsBy(ctx, model.Viewer{}, u.ID, before, pageTweets)
		}, nil)
	if err != nil {
		return nil, "", err
	}
	author := s.publicPerson(u)
	for _, c := range found.Items {
		if c.Visibility != "" && c.Visibility != model.Public {
			continue
		}
		nodes := model.SnippetNodes(c.Snippet, c.SnippetTree)
		p := pages.Post{ID: c.ID, Author: author, Warning: c.Summary, Text: markdown.Text(nodes),
			HTML: template.HTML(render.HTML(nodes)), Cut: !model.IsWhole(c.Snippet, c.Length), QuoteOf: c.QuoteOf,
			At: c.ID.Time(), Edited: c.UpdatedAt, Pictures: s.pictures(c.Media, c.Visibility, nil)}
		if c.ReplyTo != nil {
			p.ReplyTo = *c.ReplyTo
		}
		posts = append(posts, p)
	}
	return posts, found.Next, nil
}

// pictures converts the media of a tweet that everybody may see. text has the whole descriptions, or is nil.
func (s *service) pictures(all []model.TweetMedia, a model.Audience, text *model.TweetDetail) (out []pages.Picture) {
	for _, m := range all {
		urls := s.Media.Addresses(m, a, false)
		p := pages.Picture{Address: urls[model.SizeLarge], Width: m.Width, Height: m.Height, Alt: m.Alt}
		if m.Type == "video" {
			p.Video = urls[model.SizeOriginal]
		}
		if text != nil {
			p.Alt = text.AltOf(m)
		}
		out = append(out, p)
	}
	return out
}

// profilePage answers the page of a profile.
//
// Cost: 4 reads of a user with a full page of tweets, 6 or 7 of one with few; 1 a month for older pages, at most 16; 1
// more of a user with fields.
func (s *service) profilePage(ctx context.Context, in *publicProfileInput) (*publicPage, error) {
	u, err := s.publicUser(ctx, in.Username)
	if err != nil {
		return nil, err
	}
	if server.SentBy(ctx).Server {
		return leadTo(s.fediverse().User(u.ID)), nil
	}
	posts, older, err := s.publicTweets(ctx, u, in.Before)
	if err != nil {
		return nil, err
	}
	person := s.publicPerson(u)
	if person.Fields, err = s.publicFields(ctx, u); err != nil {
		return nil, err
	}
	text, err := s.site().ProfilePage(person, posts, in.Before, older)
	return s.html(text, err, listed(u) && in.Before == "")
}

// feed answers a feed of the newest public tweets of a user. A locked user has none.
//
// Cost: that of a first page of the profile.
func (s *service) feed(ctx context.Context, username, kind string, write func(pages.Site, pages.Person,
	[]pages.Post) ([]byte, error)) (*publicPage, error) {
	u, err := s.publicUser(ctx, username)
	if err == nil && u.Locked {
		err = model.NoUser(u.ID)
	}
	if err != nil {
		return nil, err
	}
	posts, _, err := s.publicTweets(ctx, u, "")
	if err != nil {
		return nil, err
	}
	text, err := write(s.site(), s.publicPerson(u), posts)
	out := &publicPage{ContentType: kind, CacheControl: pageCache, Body: text}
	if !listed(u) {
		out.Robots = "noindex"
	}
	return out, err
}

// publicTweet reads a tweet that has a public page, and its author.
//
// Cost: 2 reads; 1 more for a long text, and for an author who is not cached.
func (s *service) publicTweet(ctx context.Context, id string) (*tweets.FullTweet, *model.User, error) {
	tid, err := model.ParseTweetID(id)
	if err != nil {
		return nil, nil, err
	}
	t, u, err := s.documents().PublicTweet(ctx, tid)
	if err == nil && u.Remote != nil { // its own server speaks for it
		return nil, nil, model.NoTweet(tid)
	}
	return t, u, err
}

func (s *service) publicPost(t *tweets.FullTweet, u *model.User) pages.Post {
	detail := t.Detail()
	p := pages.Post{ID: t.ID, Author: s.publicPerson(u), Warning: t.Summary,
		Text: markdown.Text(t.Nodes(t.Content)), HTML: template.HTML(htmlTexts.HTML(t)), Language: t.Language,
		Pictures: s.pictures(t.Media, t.Visibility, &detail), QuoteOf: t.QuoteOf, Poll: t.Poll != nil,
		Likes: t.LikeCount, Replies: t.ReplyCount, Shares: t.ShareCount, Counted: true, At: t.CreatedAt, Edited: t.UpdatedAt}
	if t.ReplyTo != nil {
		p.ReplyTo = *t.ReplyTo
	}
	if p.Language == model.Undetermined {
		p.Language = ""
	}
	return p
}

// completePost adds the poll, the quoted tweet, and links to the pages of the mentioned users: those of other servers
// have them there.
//
// Cost: nothing for most; 1 read for a poll; that of publicTweet for a quoted tweet; 1 for each
// mentioned user whose profile is not cached, at most 10.
func (s *service) completePost(ctx context.Context, t *tweets.FullTweet, p *pages.Post) error {
	if t.Poll != nil {
		is, err := s.Polls.Of(ctx, model.Viewer{}, t.Tweet)
		if err != nil {
			return err
		}
		p.Votes = publicPoll(is)
	}
	if t.QuoteOf != "" {
		switch quoted, by, err := s.publicTweet(ctx, string(t.QuoteOf)); errs.KindOf(err) {
		case errs.NotFound, errs.Gone, errs.Forbidden:
		default:
			if err != nil {
				return err
			}
			nodes := model.SnippetNodes(quoted.Snippet, quoted.SnippetTree)
			p.Quoted = &pages.Quoted{ID: quoted.ID, Author: s.publicPerson(by), Warning: quoted.Summary,
				HTML: template.HTML(render.HTML(nodes)), Listed: listedTweet(quoted.Tweet, by)}
		}
	}
	if len(t.Mentions) == 0 {
		return nil
	}
	uids := slices.Collect(maps.Keys(t.Mentions))
	users, err := s.Users.Listed(ctx, each(uids, func(id string) model.UserID { return model.UserID(id) }))
	if err != nil {
		return err
	}
	var names []string
	for uid, u := range users {
		if u != nil {
			link := func(path string) string { return `href="` + path + `" class="mention"` }
			page := "/@" + u.Username
			if u.Remote != nil {
				page = html.EscapeString(u.Remote.URL)
			}
			names = append(names, link("/users/"+url.PathEscape(string(uid))), link(page))
		}
	}
	p.HTML = template.HTML(strings.NewReplacer(names...).Replace(string(p.HTML)))
	return nil
}

func publicPoll(is *tweets.PollResult) *pages.Poll {
	p := &pages.Poll{Closed: is.Closed, Closes: is.ClosesAt, Counted: is.Votes != nil}
	for i, text := range is.Options {
		o := pages.Option{Text: text}
		if p.Counted {
			o.Votes = is.Votes[i]
		}
		p.Options = append(p.Options, o)
	}
	return p
}

// tweetPage answers the page of a tweet. Below another name than the author's it leads to the author's.
//
// Cost: that of publicTweet and of completePost; 1 read more below another name than that of the cached profile.
func (s *service) tweetPage(ctx context.Context, in *publicTweetInput) (*publicPage, error) {
	t, u, err := s.publicTweet(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if server.SentBy(ctx).Server {
		return leadTo(s.fediverse().Post(t.ID)), nil
	}
	if name := foldUsername(in.Username); name != u.Username {
		// The cached profile may have a former name, and processes that lead to each other's names would go on for ever.
		if u, err = s.Users.User(ctx, t.AuthorID); err != nil {
			return nil, err
		}
		if name != u.Username {
			return &publicPage{Status: http.StatusFound, Location: s.site().Post(u.Username, t.ID)}, nil
		}
	}
	post := s.publicPost(t, u)
	if err := s.completePost(ctx, t, &post); err != nil {
		return nil, err
	}
	everywhere := listedTweet(t.Tweet, u) && (post.Quoted == nil || post.Quoted.Listed)
	text, err := s.site().PostPage(post, everywhere)
	return s.html(text, err, everywhere)
}

// embed answers what another site shows of a tweet, by oEmbed 1.0. It knows the addresses of pages of tweets, here and
// in the web client.
//
// Cost: that of publicTweet.
func (s *service) embed(ctx context.Context, in *embedInput) (*publicPage, error) {
	if in.Format != "" && in.Format != "json" {
		return &publicPage{Status: http.StatusNotImplemented}, nil
	}
	path, ours := strings.CutPrefix(in.URL, s.PublicURL+"/")
	path, _, _ = strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	before, id, ok := strings.Cut(path, "/")
	if !ours || !ok || before != "tweets" && !strings.HasPrefix(before, "@") {
		return nil, errs.New(errs.NotFound, "tweet_not_found", "the address %q has no tweet", model.Snippet(in.URL, 100))
	}
	t, u, err := s.publicTweet(ctx, id)
	if err != nil {
		return nil, err
	}
	text, err := s.site().OEmbed(s.publicPost(t, u), in.MaxWidth, embedAge)
	return &publicPage{ContentType: "application/json", CacheControl: pageCache, Robots: "noindex", Body: text}, err
}

// sitemap answers the index of the sitemaps, or the sitemap of the people who signed up in a month and are in the
// directory: the newest 500 of them.
//
// Cost: nothing for the index; else 1 read for each user, and at most 51 for a month of few; 1 for each 30 users, or
// for each of them who ever had an account status.
func (s *service) sitemap(ctx context.Context, in *sitemapInput) (*publicPage, error) {
	out := &publicPage{ContentType: "application/xml; charset=utf-8", CacheControl: mapCache}
	now := time.Now().UTC()
	var err error
	if in.Month == "" {
		out.Body, err = s.site().SitemapIndex(now)
		return out, err
	}
	begin, err := time.Parse(pages.Month, in.Month)
	if err != nil || begin.After(now) || begin.Before(now.AddDate(0, -pages.Months, 0)) {
		return nil, errs.New(errs.NotFound, "route_not_found", "there is no sitemap of this month")
	}
	var names []string
	// A time decides; no user id comes before "-".
	from := model.Cursor{At: begin.AddDate(0, 1, 0), ID: "-"}
	for read := 0; read < mapUsers; read += mapStep {
		found, err := s.Directory.List(ctx, discovery.DirectoryNew, "", from, mapStep)
		if err != nil {
			return nil, err
		}
		for _, u := range found.Items {
			if !u.CreatedAt.Before(begin) && listed(u) {
				names = append(names, u.Username)
			}
		}
		if from = found.Next; from.IsZero() || from.At.Before(begin) {
			break
		}
	}
	out.Body, err = s.site().Sitemap(names)
	return out, err
}
