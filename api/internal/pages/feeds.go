package pages

import (
	"encoding/json"
	"encoding/xml"
	"html/template"
	"strings"
)

// quote is the HTML of a tweet that stands in another site.
var quote = template.Must(template.New("quote").Parse(`<blockquote cite="{{.URL}}">` +
	`{{if .Warning}}<p>{{.Warning}}</p>{{else}}{{.HTML}}{{end}}` +
	`<footer><a href="{{.URL}}">{{.Author.Nickname}} (@{{.Author.Username}}), {{.At.UTC.Format "2006-01-02"}}</a></footer>` +
	`</blockquote>`))

func (s Site) quotation(p Post) (string, error) {
	p.HTML = s.links(p.HTML)
	var b strings.Builder
	err := quote.Execute(&b, shown{Post: p, URL: s.Post(p.Author.Username, p.ID)})
	return b.String(), err
}

// item is the HTML of a tweet in a feed.
var item = template.Must(template.New("item").Parse(`{{if .Warning}}<p>{{.Warning}}</p>{{else}}{{.HTML}}` +
	`{{range .Pictures}}{{if .Address}}<p><img src="{{.Address}}" alt="{{.Alt}}"></p>{{end}}{{end}}{{end}}` +
	`{{if .Cut}}<p><a href="{{.URL}}">…</a></p>{{end}}`))

func (s Site) item(p Post) (string, error) {
	p.HTML = s.links(p.HTML)
	pictures := make([]Picture, len(p.Pictures))
	for i, picture := range p.Pictures {
		picture.Address = s.absolute(picture.Address)
		pictures[i] = picture
	}
	p.Pictures = pictures
	var b strings.Builder
	err := item.Execute(&b, shown{Post: p, URL: s.Post(p.Author.Username, p.ID)})
	return b.String(), err
}

// links completes the addresses of HTML that package render wrote: its texts have no quotation marks, so that only
// attributes match.
func (s Site) links(html template.HTML) template.HTML {
	return template.HTML(strings.NewReplacer(`href="/`, `href="`+s.URL+`/`, `src="/`, `src="`+s.URL+`/`).
		Replace(string(html)))
}

type rss struct {
	XMLName xml.Name `xml:"rss"`
	Version string   `xml:"version,attr"`
	Atom    string   `xml:"xmlns:atom,attr"`
	Channel channel  `xml:"channel"`
}

type channel struct {
	Title       string    `xml:"title"`
	Link        string    `xml:"link"`
	Self        atomLink  `xml:"atom:link"`
	Description string    `xml:"description"`
	Language    string    `xml:"language,omitempty"`
	Built       string    `xml:"lastBuildDate,omitempty"`
	Image       *rssImage `xml:"image,omitempty"`
	Items       []rssItem `xml:"item"`
}

type atomLink struct {
	Href string `xml:"href,attr"`
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
}

type rssImage struct {
	URL   string `xml:"url"`
	Title string `xml:"title"`
	Link  string `xml:"link"`
}

type rssItem struct {
	Title       string  `xml:"title"`
	Link        string  `xml:"link"`
	GUID        rssGUID `xml:"guid"`
	At          string  `xml:"pubDate"`
	Description string  `xml:"description"`
}

type rssGUID struct {
	Text      string `xml:",chardata"`
	Permanent bool   `xml:"isPermaLink,attr"`
}

// guid names a tweet in a feed. It stays when the author has another username.
func guid(p Post) string { return "hibana:" + string(p.ID) }

// RSSFeed writes the newest tweets of a profile as RSS 2.0.
func (s Site) RSSFeed(p Person, posts []Post) ([]byte, error) {
	title, link := p.Nickname+" (@"+p.Username+")", s.Profile(p.Username)
	c := channel{Title: title, Link: link, Self: atomLink{s.RSS(p.Username), "self", "application/rss+xml"},
		Description: short(p.About, 280), Language: p.Language}
	if c.Description == "" { // RSS requires one
		c.Description = title
	}
	if p.Avatar != "" {
		c.Image = &rssImage{s.absolute(p.Avatar), title, link}
	}
	if len(posts) > 0 {
		c.Built = time1123(posts[0].At)
	}
	for _, post := range posts {
		html, err := s.item(post)
		if err != nil {
			return nil, err
		}
		c.Items = append(c.Items, rssItem{Title: post.headline(), Link: s.Post(post.Author.Username, post.ID),
			GUID: rssGUID{Text: guid(post)}, At: time1123(post.At), Description: html})
	}
	text, err := xml.Marshal(rss{Version: "2.0", Atom: "http://www.w3.org/2005/Atom", Channel: c})
	return append([]byte(xml.Header), text...), err
}

type jsonFeed struct {
	Version     string       `json:"version"`
	Title       string       `json:"title"`
	Home        string       `json:"home_page_url"`
	Feed        string       `json:"feed_url"`
	Description string       `json:"description,omitempty"`
	Icon        string       `json:"icon,omitempty"`
	Language    string       `json:"language,omitempty"`
	Authors     []jsonAuthor `json:"authors"`
	Items       []jsonItem   `json:"items"`
}

type jsonAuthor struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	Avatar string `json:"avatar,omitempty"`
}

type jsonItem struct {
	ID       string `json:"id"`
	URL      string `json:"url"`
	HTML     string `json:"content_html"`
	Summary  string `json:"summary,omitempty"`
	Image    string `json:"image,omitempty"`
	At       string `json:"date_published"`
	Edited   string `json:"date_modified,omitempty"`
	Language string `json:"language,omitempty"`
}

// JSONFeedOf writes the newest tweets of a profile as JSON Feed 1.1.
func (s Site) JSONFeedOf(p Person, posts []Post) ([]byte, error) {
	link := s.Profile(p.Username)
	f := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: p.Nickname + " (@" + p.Username + ")", Home: link,
		Feed: s.JSONFeed(p.Username), Description: short(p.About, 280), Icon: s.absolute(p.Avatar), Language: p.Language,
		Authors: []jsonAuthor{{p.Nickname, link, s.absolute(p.Avatar)}}, Items: []jsonItem{}}
	for _, post := range posts {
		html, err := s.item(post)
		if err != nil {
			return nil, err
		}
		is := jsonItem{ID: guid(post), URL: s.Post(post.Author.Username, post.ID), HTML: html, Summary: post.Warning,
			At: time3339(post.At), Language: post.Language}
		if post.Edited != nil {
			is.Edited = time3339(*post.Edited)
		}
		if post.Warning == "" && len(post.Pictures) > 0 {
			is.Image = s.absolute(post.Pictures[0].Address)
		}
		f.Items = append(f.Items, is)
	}
	return json.Marshal(f)
}
