package pages

import (
	"encoding/json"
	"net/url"
)

// The objects of schema.org in the JSON-LD of a page.

type ldCounter struct {
	Type  string `json:"@type"`
	Of    string `json:"interactionType"`
	Count int64  `json:"userInteractionCount"`
}

func counted(action string, n int64) ldCounter {
	return ldCounter{"InteractionCounter", "https://schema.org/" + action, n}
}

type ldPerson struct {
	Type        string      `json:"@type"`
	ID          string      `json:"@id"`
	Name        string      `json:"name"`
	Alternate   string      `json:"alternateName"`
	Identifier  string      `json:"identifier,omitempty"`
	Description string      `json:"description,omitempty"`
	Image       string      `json:"image,omitempty"`
	URL         string      `json:"url"`
	Same        []string    `json:"sameAs,omitempty"`
	Others      []ldCounter `json:"interactionStatistic,omitempty"`
	Own         []ldCounter `json:"agentInteractionStatistic,omitempty"`
}

type ldProfile struct {
	Context string   `json:"@context"`
	Type    string   `json:"@type"`
	ID      string   `json:"@id"`
	Created string   `json:"dateCreated,omitempty"`
	Entity  ldPerson `json:"mainEntity"`
}

type ldPost struct {
	Context  string      `json:"@context"`
	Type     string      `json:"@type"`
	ID       string      `json:"@id"`
	URL      string      `json:"url"`
	Page     string      `json:"mainEntityOfPage"`
	Headline string      `json:"headline,omitempty"`
	Text     string      `json:"text,omitempty"`
	Language string      `json:"inLanguage,omitempty"`
	At       string      `json:"datePublished"`
	Edited   string      `json:"dateModified,omitempty"`
	Author   ldPerson    `json:"author"`
	Image    []string    `json:"image,omitempty"`
	Others   []ldCounter `json:"interactionStatistic,omitempty"`
}

func (s Site) author(p Person) ldPerson {
	at := s.Profile(p.Username)
	return ldPerson{Type: "Person", ID: at + "#person", Name: p.Nickname, Alternate: "@" + p.Username, URL: at,
		Image: s.absolute(p.Avatar)}
}

func (s Site) profileData(p Person) ldProfile {
	is := s.author(p)
	is.Identifier, is.Description = string(p.ID), p.About
	for _, f := range p.Fields {
		if f.Verified {
			is.Same = append(is.Same, f.Value)
		}
	}
	is.Others = []ldCounter{counted("FollowAction", p.Followers)}
	is.Own = []ldCounter{counted("WriteAction", p.Posts), counted("FollowAction", p.Followed)}
	return ldProfile{Context: "https://schema.org", Type: "ProfilePage", ID: s.Profile(p.Username),
		Created: time3339(p.Since), Entity: is}
}

// maxText is how many characters of a text the description of a tweet has.
const maxText = 5_000

// postData describes a tweet. Of a tweet with a content warning it has neither the text nor the pictures.
func (s Site) postData(p Post) ldPost {
	at := s.Post(p.Author.Username, p.ID)
	is := ldPost{Context: "https://schema.org", Type: "SocialMediaPosting", ID: at, URL: at, Page: at,
		Headline: p.headline(), Language: p.Language, At: time3339(p.At), Author: s.author(p.Author)}
	if p.Edited != nil {
		is.Edited = time3339(*p.Edited)
	}
	if p.Counted {
		is.Others = []ldCounter{counted("LikeAction", p.Likes), counted("CommentAction", p.Replies),
			counted("ShareAction", p.Shares)}
	}
	if p.Warning != "" {
		return is
	}
	is.Text = short(p.Text, maxText)
	for _, picture := range p.Pictures {
		if picture.Address != "" {
			is.Image = append(is.Image, s.absolute(picture.Address))
		}
	}
	return is
}

// embed is the answer of oEmbed 1.0.
type embed struct {
	Version      string `json:"version"`
	Type         string `json:"type"`
	Title        string `json:"title"`
	AuthorName   string `json:"author_name"`
	AuthorURL    string `json:"author_url"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	CacheAge     int    `json:"cache_age"`
	HTML         string `json:"html"`
	Width        int    `json:"width"`
	Height       *int   `json:"height"` // null: it depends on the text
}

func (s Site) oembed(p Post) string {
	return s.URL + "/oembed?url=" + url.QueryEscape(s.Post(p.Author.Username, p.ID))
}

// The widths of what another site embeds, in pixels.
const (
	minEmbed = 220
	maxEmbed = 550
)

// OEmbed writes what another site embeds of a tweet: a quotation with a link, and no script. maxWidth is the width that
// the site has, in pixels; 0 for any.
func (s Site) OEmbed(p Post, maxWidth, cacheAge int) ([]byte, error) {
	width := maxEmbed
	if maxWidth > 0 {
		width = max(minEmbed, min(maxWidth, maxEmbed))
	}
	html, err := s.quotation(p)
	if err != nil {
		return nil, err
	}
	return json.Marshal(embed{Version: "1.0", Type: "rich", Title: p.title(), AuthorName: p.Author.Nickname,
		AuthorURL: s.Profile(p.Author.Username), ProviderName: Name, ProviderURL: s.URL, CacheAge: cacheAge,
		HTML: html, Width: width})
}
