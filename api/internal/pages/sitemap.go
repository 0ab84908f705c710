package pages

import (
	"encoding/xml"
	"time"
)

const sitemapSpace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// Months is how many months of sign-ups the sitemap has: ten years.
const Months = 120

// Month is the form of a month in the address of its sitemap.
const Month = "2006-01"

type place struct {
	Location string `xml:"loc"`
}

type index struct {
	XMLName xml.Name `xml:"sitemapindex"`
	Space   string   `xml:"xmlns,attr"`
	Maps    []place  `xml:"sitemap"`
}

type sitemap struct {
	XMLName xml.Name `xml:"urlset"`
	Space   string   `xml:"xmlns,attr"`
	Pages   []place  `xml:"url"`
}

// SitemapIndex writes the index of the sitemaps: one for each of the last Months months, the present one first.
func (s Site) SitemapIndex(now time.Time) ([]byte, error) {
	i := index{Space: sitemapSpace}
	first := time.Date(now.UTC().Year(), now.UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	for n := range Months {
		i.Maps = append(i.Maps, place{s.URL + "/sitemap.xml?month=" + first.AddDate(0, -n, 0).Format(Month)})
	}
	return document(i)
}

// Sitemap writes the addresses of the profiles of some users.
func (s Site) Sitemap(usernames []string) ([]byte, error) {
	m := sitemap{Space: sitemapSpace}
	for _, name := range usernames {
		m.Pages = append(m.Pages, place{s.Profile(name)})
	}
	return document(m)
}

func document(v any) ([]byte, error) {
	text, err := xml.Marshal(v)
	return append([]byte(xml.Header), text...), err
}

// Robots writes robots.txt. Crawlers have no use for the API, and none for pages that need a script.
func (s Site) Robots() []byte {
	return []byte("User-agent: *\nDisallow: /v1/\nDisallow: /docs\nDisallow: /users/\nDisallow: /tweets/\n\nSitemap: " +
		s.URL + "/sitemap.xml\n")
}
