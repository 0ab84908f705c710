package pages

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/url"
	"strconv"

	"github.com/hibana-sns/hibana/model"
)

//go:embed page.html
var source string

//go:embed style.css
var style string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"time": time3339, "number": func(n int64) string { return strconv.FormatInt(n, 10) },
}).Parse(source))

// Policy is the content security policy of the pages. They run no script and send no form. Pictures and videos may come
// from every host by https, because profiles and tweets show them.
func (s Site) Policy() string {
	hash := sha256.Sum256([]byte(style))
	from := "'self' https:"
	if s.Images != "" {
		from += " " + s.Images
	}
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; img-src " + from +
		"; media-src " + from + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// view is the input of the template. A page has posts, or one post, or neither.
type view struct {
	Words       texts
	Style       template.CSS
	Title       string
	Description string
	Canonical   string // empty for a page without an address of its own
	Robots      string // empty for what search engines may list
	Kind        string // og:type
	Image       string
	ImageAlt    string
	Large       bool   // the image is a picture of the tweet
	RSS, JSON   string // addresses of feeds; empty for none
	OEmbed      string
	App         string // path in the web client
	Data        any    // JSON-LD; nil for none
	Site        string

	Person *Person
	Posts  []shown
	List   bool // Posts is the list of a profile
	First  string
	Older  string
}

// shown is a post with its address.
type shown struct {
	Post
	URL   string
	By    string // address of its author's page
	Words texts
}

func (s Site) render(v view) ([]byte, error) {
	v.Style, v.Site = template.CSS(style), Name
	if v.Words == (texts{}) {
		v.Words = english
	}
	var b bytes.Buffer
	err := page.Execute(&b, v)
	return b.Bytes(), err
}

// ProfilePage writes the page of a profile with some of its tweets, newest first. from is the position at which the
// page begins, and older that of the next page; both are empty for none. Search engines list the first page only.
func (s Site) ProfilePage(p Person, posts []Post, from, older string) ([]byte, error) {
	words := textsFor(p.Language)
	v := view{
		Words: words, Title: p.Nickname + " (@" + p.Username + ")", Description: short(p.About, 280),
		Canonical: s.Profile(p.Username), Kind: "profile", Image: s.absolute(p.Avatar), Person: &p, List: true,
		RSS: s.RSS(p.Username), JSON: s.JSONFeed(p.Username), App: "/users/" + url.PathEscape(string(p.ID)),
		Data: s.profileData(p),
	}
	for _, post := range posts {
		v.Posts = append(v.Posts, s.shown(post, words))
	}
	if from != "" {
		v.Robots, v.First, v.Data = "noindex", "/@"+p.Username, nil
	}
	if !p.Listed {
		v.Robots = "noindex"
	}
	if older != "" {
		v.Older = "/@" + p.Username + "?before=" + older
	}
	return s.render(v)
}

func (s Site) shown(p Post, words texts) shown {
	return shown{p, "/@" + p.Author.Username + "/" + string(p.ID), "/@" + p.Author.Username, words}
}

// PostPage writes the page of a tweet. Search engines list it if listed is true.
func (s Site) PostPage(p Post, listed bool) ([]byte, error) {
	language := p.Author.Language
	if language == "" {
		language = model.BaseLanguage(p.Language)
	}
	words := textsFor(language)
	v := view{
		Words: words, Title: p.title(), Description: short(p.description(), 280),
		Canonical: s.Post(p.Author.Username, p.ID), Kind: "article", Image: s.absolute(p.Author.Avatar),
		App: "/tweets/" + string(p.ID), Posts: []shown{s.shown(p, words)}, Data: s.postData(p),
		OEmbed: s.oembed(p),
	}
	if !listed {
		v.Robots = "noindex"
	}
	if p.Warning == "" && len(p.Pictures) > 0 && p.Pictures[0].Address != "" {
		v.Image, v.ImageAlt, v.Large = s.absolute(p.Pictures[0].Address), p.Pictures[0].Alt, true
	}
	return s.render(v)
}

// MissingPage writes the page of an address that has nothing that everybody may see.
func (s Site) MissingPage() ([]byte, error) {
	return s.render(view{Words: english, Title: english.Missing, Description: english.MissingIs, Robots: "noindex",
		Kind: "website", App: "/"})
}
