package api_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

const publicURL = "https://hibana.test"

func withPages(o *api.Options) { o.PublicURL = publicURL }

// posted posts a tweet that the list of its author has.
func (e *env) posted(t *testing.T, by person, fields map[string]any) api.Tweet {
	t.Helper()
	tweet := e.post(t, by, fields)
	full, err := e.db.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{ID: by.id, Role: model.Member})
	if err == nil {
		err = e.db.Previews.Put(t.Context(), full.Tweet)
	}
	if err == nil {
		_, err = e.db.Previews.Reconcile(t.Context(), full.Tweet)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tweet
}

func (r reply) has(t *testing.T, what string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(string(r.body), text) {
			t.Errorf("%s has no %q:\n%s", what, text, r.body)
		}
	}
}

func (r reply) lacks(t *testing.T, what string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(string(r.body), text) {
			t.Errorf("%s has %q:\n%s", what, text, r.body)
		}
	}
}

// linkedData returns the JSON-LD of a page.
func (r reply) linkedData(t *testing.T) (data map[string]any) {
	t.Helper()
	found := regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`).FindSubmatch(r.body)
	if found == nil {
		t.Fatalf("the page has no JSON-LD:\n%s", r.body)
	}
	if err := json.Unmarshal(found[1], &data); err != nil {
		t.Fatalf("%v: %s", err, found[1])
	}
	return data
}

// A page shows to everybody, whoever asks, what a signed-out reader may see, and no more.
func TestPublicPages(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", bob.token, nil)
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"nickname": `Ann </script><b>&"`,
		"introduction": "I like **sparks** <script>alert(1)</script>"}).want(t, http.StatusOK, nil)
	e.offset += 6 * time.Minute // past the cache of profiles in lists
	open := e.posted(t, ann, map[string]any{"content": "sparks *fly* </script><script>alert(2)</script> #go"})
	warned := e.posted(t, ann, map[string]any{"content": "the end of the film", "summary": "spoiler"})
	unlisted := e.posted(t, ann, map[string]any{"content": "not in lists", "visibility": "unlisted"})
	narrow := e.posted(t, ann, map[string]any{"content": "for friends", "visibility": "followers"})
	flagged := e.posted(t, ann, map[string]any{"content": "against the rules"})
	e.do(t, "GET", "/@ann", "", nil).want(t, http.StatusOK, nil).has(t, "the profile before the flag", "against the rules")
	e.flag(t, flagged.ID)
	if _, err := e.db.Previews.ReconcilePreview(t.Context(), ann.id, flagged.ID, model.OpenAudiencePartition); err != nil {
		t.Fatal(err)
	}
	if err := e.db.Previews.ReconcileHead(t.Context(), ann.id, flagged.ID.Position()); err != nil {
		t.Fatal(err)
	}

	r := e.do(t, "GET", "/@ann", "", nil).want(t, http.StatusOK, nil)
	r.has(t, "the profile", `<link rel="canonical" href="`+publicURL+`/@ann">`, "<strong>sparks</strong>",
		"sparks <em>fly</em>", `href="/@ann/`+string(open.ID), "spoiler", "the end of the film",
		`<meta name="robots" content="noindex">`, "/@ann/feed.rss", `href="/users/`+string(ann.id))
	r.lacks(t, "the profile", "not in lists", "for friends", "against the rules", "<script>alert", "<b>&", "rel=\"next\"")
	if is := r.linkedData(t); is["@type"] != "ProfilePage" ||
		is["mainEntity"].(map[string]any)["name"] != `Ann </script><b>&"` {
		t.Errorf("JSON-LD = %v", is)
	}
	h := r.header
	if h.Get("Cache-Control") != "public, max-age=60, s-maxage=300" || h.Get("X-Robots-Tag") != "noindex" ||
		h.Get("Content-Type") != "text/html; charset=utf-8" || h.Get("Server-Timing") != "" || h.Get("Set-Cookie") != "" {
		t.Errorf("headers = %v", h)
	}
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindSubmatch(r.body)
	hash := sha256.Sum256(style[1])
	if policy := h.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'sha256-"+
		base64.StdEncoding.EncodeToString(hash[:])+"'") || !strings.HasPrefix(policy, "default-src 'none'; ") ||
		strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") {
		t.Errorf("the policy %q does not fit the style %q", policy, style[1])
	}
	e.do(t, "GET", "/@ann", "", nil, "If-None-Match", h.Get("ETag")).want(t, http.StatusNotModified, nil)
	for _, caller := range []person{ann, bob} {
		if seen := e.do(t, "GET", "/@ANN", caller.token, nil); string(seen.body) != string(r.body) ||
			seen.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s gets another page, with %v", caller.name, seen.header)
		}
	}

	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"discoverable": true}).want(t, http.StatusOK, nil)
	e.offset += 6 * time.Minute
	r = e.do(t, "GET", "/@ann", "", nil).want(t, http.StatusOK, nil)
	r.lacks(t, "the profile in the directory", `name="robots"`)
	page := func(id model.TweetID) reply { return e.do(t, "GET", "/@ann/"+string(id), "", nil) }
	r = page(open.ID).want(t, http.StatusOK, nil)
	r.has(t, "the tweet", "sparks <em>fly</em>", `<link rel="canonical" href="`+publicURL+"/@ann/"+string(open.ID)+`">`,
		`<meta property="og:type" content="article">`, "/oembed?url=")
	r.lacks(t, "the tweet", `name="robots"`, "<script>alert")
	if is := r.linkedData(t); is["@type"] != "SocialMediaPosting" || is["url"] != publicURL+"/@ann/"+string(open.ID) {
		t.Errorf("JSON-LD = %v", is)
	}
	r = page(warned.ID).want(t, http.StatusOK, nil)
	r.has(t, "the tweet with a warning", "<details>", `<meta property="og:description" content="spoiler">`)
	if is := r.linkedData(t); is["text"] != nil {
		t.Errorf("JSON-LD of a tweet with a warning = %v", is)
	}
	page(unlisted.ID).want(t, http.StatusOK, nil).has(t, "the unlisted tweet", `content="noindex"`)
	for _, hidden := range []model.TweetID{narrow.ID, flagged.ID} {
		for _, token := range []string{"", ann.token, bob.token} {
			r := e.do(t, "GET", "/@ann/"+string(hidden), token, nil).want(t, http.StatusNotFound, nil)
			r.lacks(t, "a hidden tweet", "for friends", "against the rules")
			r.has(t, "a hidden tweet", `content="noindex"`)
		}
	}
	for _, path := range []string{"/@nobody", "/@nobody/feed.rss", "/@ann/zzz", "/@ann?before=x", "/@%00", "/@ann/" +
		strings.Repeat("0", 18)} {
		if r := e.do(t, "GET", path, "", nil).want(t, http.StatusNotFound, nil); r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be cached: %v", path, r.header)
		}
	}
	if r := e.do(t, "GET", "/@bob/"+string(open.ID), "", nil).want(t, http.StatusFound, nil); r.header.Get("Location") !=
		publicURL+"/@ann/"+string(open.ID) {
		t.Errorf("another name leads to %q", r.header.Get("Location"))
	}
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"username": "anna"}).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/@anna/"+string(open.ID), "", nil).want(t, http.StatusOK, nil).has(t, "the tweet of a renamed user",
		`href="`+publicURL+"/@anna/"+string(open.ID)+`"`)
	e.offset += 6 * time.Minute
	if r := page(open.ID).want(t, http.StatusFound, nil); r.header.Get("Location") != publicURL+"/@anna/"+string(open.ID) {
		t.Errorf("the former name leads to %q", r.header.Get("Location"))
	}
	e.do(t, "GET", "/@ann", "", nil).want(t, http.StatusNotFound, nil)
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"username": "ann"}).want(t, http.StatusOK, nil)
	e.offset += 6 * time.Minute
	e.do(t, "DELETE", "/v1/tweets/"+string(warned.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	page(warned.ID).want(t, http.StatusGone, nil)

	// The head has fewer tweets than a page, so months are read, too, unless they are cached.
	for path, most := range map[string]int64{"/@ann": 7, "/@ann/feed.json": 7,
		"/@ann/" + string(open.ID): 3, "/robots.txt": 0, "/sitemap.xml": 0} {
		e.offset += 6 * time.Minute
		if got := e.do(t, "GET", path, bob.token, nil).want(t, http.StatusOK, nil).cost(t); got.Reads > most ||
			got.Writes > 0 {
			t.Errorf("%s costs %+v, want %d reads at most", path, got, most)
		}
	}

	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"locked": true}).want(t, http.StatusOK, nil)
	e.offset += 6 * time.Minute
	r = e.do(t, "GET", "/@ann", "", nil).want(t, http.StatusOK, nil)
	r.has(t, "the locked profile", `content="noindex"`)
	r.lacks(t, "the locked profile", "sparks <em>fly")
	page(open.ID).want(t, http.StatusNotFound, nil)
	e.do(t, "GET", "/@ann/feed.rss", "", nil).want(t, http.StatusNotFound, nil)
}

// Nobody has a public page whom moderators froze or suspended.
func TestPublicPageOfFrozenUser(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann := e.join(t, "ann")
	tweet := e.posted(t, ann, map[string]any{"content": "a"})
	paths := []string{"/@ann", "/@ann/feed.rss", "/@ann/feed.json", "/@ann/" + string(tweet.ID)}
	for state, want := range map[model.AccountStatusState]int{model.AccountStatusFrozen: 404,
		model.AccountStatusSuspended: 404, model.AccountStatusFree: 200} {
		_, err := e.admin.Collection(model.AccountStatuses).Doc(string(ann.id)).Set(t.Context(),
			model.AccountStatus{State: state})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if r := e.do(t, "GET", path, "", nil); r.status != want {
				t.Errorf("%s of a user who is %s: %d, want %d", path, state, r.status, want)
			}
		}
	}
}

// The links to older posts show each tweet once.
func TestPublicPagesOfManyTweets(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann := e.join(t, "ann")
	want := map[string]int{}
	for range 23 {
		want[string(e.posted(t, ann, map[string]any{"content": "spark"}).ID)] = 1
	}
	older := regexp.MustCompile(`<a rel="next" href="([^"]+)">`)
	posts := regexp.MustCompile(`class="at" href="/@ann/([0-9a-f]{18})"`)
	path, pagesRead := "/@ann", 0
	for path != "" {
		r := e.do(t, "GET", path, "", nil).want(t, http.StatusOK, nil)
		for _, found := range posts.FindAllSubmatch(r.body, -1) {
			want[string(found[1])]--
		}
		path = ""
		if next := older.FindSubmatch(r.body); next != nil {
			path = string(next[1])
		}
		if pagesRead++; pagesRead > 1 {
			r.has(t, "an older page", `content="noindex"`)
		}
	}
	for id, n := range want {
		if n != 0 {
			t.Errorf("tweet %s is shown %d times", id, 1-n)
		}
	}
	e.offset += 6 * time.Minute
	if got, want := e.do(t, "GET", "/@ann", ann.token, nil).cost(t), (meter.Counts{Reads: 4}); got != want {
		t.Errorf("a full page costs %+v, want %+v", got, want)
	}
	if pagesRead != 2 {
		t.Errorf("%d pages, want 2", pagesRead)
	}
}

func TestFeeds(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann := e.join(t, "ann")
	first := e.posted(t, ann, map[string]any{"content": "a <b> & #go [x](/tweets/1)"})
	second := e.posted(t, ann, map[string]any{"content": "the end", "summary": "spoiler"})
	r := e.do(t, "GET", "/@ann/feed.rss", "", nil).want(t, http.StatusOK, nil)
	var feed struct {
		Items []struct {
			Link        string `xml:"link"`
			GUID        string `xml:"guid"`
			Description string `xml:"description"`
		} `xml:"channel>item"`
	}
	if err := xml.Unmarshal(r.body, &feed); err != nil || len(feed.Items) != 2 {
		t.Fatalf("%v: %s", err, r.body)
	}
	if is := feed.Items[1]; is.Link != publicURL+"/@ann/"+string(first.ID) || is.GUID != "hibana:"+string(first.ID) ||
		!strings.Contains(is.Description, "a &lt;b&gt; &amp;") ||
		!strings.Contains(is.Description, `href="`+publicURL+`/tags/go"`) || strings.Contains(is.Description, `="/`) {
		t.Errorf("item = %+v", is)
	}
	r.lacks(t, "the feed", "the end")
	if got := r.header.Get("Content-Type"); got != "application/rss+xml; charset=utf-8" {
		t.Errorf("Content-Type = %q", got)
	}
	r = e.do(t, "GET", "/@ann/feed.json", "", nil)
	var is struct {
		Version string
		Items   []struct{ ID, URL, Summary string }
	}
	if err := json.Unmarshal(r.body, &is); err != nil || is.Version != "https://jsonfeed.org/version/1.1" ||
		len(is.Items) != 2 || is.Items[0].ID != "hibana:"+string(second.ID) || is.Items[0].Summary != "spoiler" {
		t.Errorf("%v: %s", err, r.body)
	}
	r.lacks(t, "the feed", "the end")
}

func TestEmbeds(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann := e.join(t, "ann")
	tweet := e.post(t, ann, map[string]any{"content": "sparks <fly>"})
	narrow := e.post(t, ann, map[string]any{"content": "for friends", "visibility": "followers"})
	ask := func(address, more string) reply {
		return e.do(t, "GET", "/oembed?url="+url.QueryEscape(address)+more, "", nil)
	}
	var is struct {
		Type, HTML, Version string
		Width               int
		AuthorURL           string `json:"author_url"`
	}
	for _, address := range []string{"/@ann/" + string(tweet.ID), "/tweets/" + string(tweet.ID)} {
		r := ask(publicURL+address, "&format=json&maxwidth=300").want(t, http.StatusOK, nil)
		if err := json.Unmarshal(r.body, &is); err != nil || is.Type != "rich" || is.Version != "1.0" || is.Width != 300 ||
			is.AuthorURL != publicURL+"/@ann" || !strings.Contains(is.HTML, "sparks &lt;fly&gt;") ||
			strings.Contains(is.HTML, "<script") {
			t.Errorf("%v: %s", err, r.body)
		}
	}
	for _, address := range []string{publicURL + "/@ann/" + string(narrow.ID),
		"https://other.test/@ann/" + string(tweet.ID), publicURL + ".other.test/@ann/" + string(tweet.ID), publicURL +
			"/@ann", ""} {
		ask(address, "").want(t, http.StatusNotFound, nil)
	}
	ask(publicURL+"/@ann/"+string(tweet.ID), "&format=xml").want(t, http.StatusNotImplemented, nil)
}

// The sitemap has the people of the directory alone.
func TestSitemap(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	e.join(t, "dave")
	for _, p := range []person{ann, bob, carol} {
		e.do(t, "PATCH", "/v1/users/me", p.token, map[string]any{"discoverable": true, "locked": p.id == carol.id}).
			want(t, http.StatusOK, nil)
	}
	if _, err := e.admin.Collection(model.AccountStatuses).Doc(string(bob.id)).Set(t.Context(),
		model.AccountStatus{State: model.AccountStatusFrozen}); err != nil {
		t.Fatal(err)
	}
	r := e.do(t, "GET", "/sitemap.xml", "", nil).want(t, http.StatusOK, nil)
	month := time.Now().UTC().Format("2006-01")
	r.has(t, "the index", "<loc>"+publicURL+"/sitemap.xml?month="+month+"</loc>")
	r = e.do(t, "GET", "/sitemap.xml?month="+month, "", nil).want(t, http.StatusOK, nil)
	r.has(t, "the sitemap", "<loc>"+publicURL+"/@ann</loc>")
	r.lacks(t, "the sitemap", "bob", "carol", "dave")
	last := time.Now().UTC().AddDate(0, 0, -32).Format("2006-01")
	e.do(t, "GET", "/sitemap.xml?month="+last, "", nil).want(t, http.StatusOK, nil).lacks(t, "an earlier month", "ann")
	for _, month := range []string{"1999-01", "2999-01", "x", "2026-13"} {
		e.do(t, "GET", "/sitemap.xml?month="+month, "", nil).want(t, http.StatusNotFound, nil)
	}
	e.do(t, "GET", "/robots.txt", "", nil).want(t, http.StatusOK, nil).has(t, "robots.txt", "Disallow: /v1/\n",
		"Sitemap: "+publicURL+"/sitemap.xml\n")
}

// Without a public address there are no pages.
func TestNoPublicPages(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	e.join(t, "ann")
	for _, path := range []string{"/@ann", "/@ann/feed.rss", "/oembed?url=x", "/sitemap.xml", "/robots.txt"} {
		r := e.do(t, "GET", path, "", nil).want(t, http.StatusNotFound, nil)
		r.has(t, path, `"code":"route_not_found"`)
	}
}

// All readers of public pages are one visitor for the limits, and have no part in those of an address.
func TestLimitsOfPublicPages(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "visitor-requests=2/minute"), withPages)
	for range 2 {
		e.do(t, "GET", "/robots.txt", "", nil).want(t, http.StatusOK, nil)
	}
	r := e.do(t, "GET", "/@ann", "", nil)
	r.problem(t, http.StatusTooManyRequests, "limit_reached")
	if r.header.Get("Retry-After") == "" {
		t.Errorf("headers = %v", r.header)
	}
	e.do(t, "GET", "/v1/tweets", "", nil).want(t, http.StatusOK, nil)
}

// A profile shows its fields, pronouns and mark, and a tweet its poll, the quoted tweet and the mentioned users: of
// each what everybody may see.
func TestPublicPagesInWhole(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"bot": true, "pronouns": "she/<b>",
		"fields": []map[string]any{{"name": "Site <i>", "value": "https://ann.example/?a&b"},
			{"name": "Town", "value": "javascript:alert(1)"}}}).want(t, http.StatusOK, nil)
	verify := func(link, name string) {
		t.Helper()
		_, err := e.admin.Doc("userDetails/"+string(ann.id)).Update(t.Context(), []firestore.Update{{Path: "proofs",
			Value: []model.FieldProof{{Link: link, Username: name, VerifiedAt: time.Now(), CheckedAt: time.Now()}}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	profile := func() reply {
		t.Helper()
		e.offset += 6 * time.Minute
		return e.do(t, "GET", "/@ann", "", nil).want(t, http.StatusOK, nil)
	}
	const link = `<a href="https://ann.example/?a&amp;b" rel="me nofollow noopener">https://ann.example/?a&amp;b</a>`
	r := profile()
	r.has(t, "the profile", link, "Site &lt;i&gt;", "<bdi>she/&lt;b&gt;</bdi>", ">Bot</span>", ">javascript:alert(1)</dd>")
	r.lacks(t, "the profile", "verified</span>", `href="javascript:`)
	verify("https://ann.example/?a&b", "anna")
	profile().lacks(t, "the profile with a proof of another name", "verified</span>")
	verify("https://ann.example/?a&b", "ann")
	r = profile()
	r.has(t, "the verified profile", link+` <span class="mark" lang="en">✓ verified</span>`)
	if is := r.linkedData(t)["mainEntity"].(map[string]any); fmt.Sprint(is["sameAs"]) != "[https://ann.example/?a&b]" {
		t.Errorf("JSON-LD = %v", is)
	}
	var u api.User
	for _, path := range []string{string(ann.id), string(ann.id) + "?view=full", "me"} {
		e.do(t, "GET", "/v1/users/"+path, ann.token, nil).want(t, http.StatusOK, &u)
		if len(u.Fields) != 2 || u.Fields[0].VerifiedAt.IsZero() || !u.Fields[0].Link || u.Fields[1].Link ||
			!u.Fields[1].VerifiedAt.IsZero() || u.Pronouns != "she/<b>" || !u.Bot {
			t.Errorf("%s = %+v", path, u)
		}
	}

	page := func(id model.TweetID) reply { return e.do(t, "GET", "/@ann/"+string(id), "", nil).want(t, 200, nil) }
	poll := e.posted(t, ann, map[string]any{"content": "which #tea @bob?", "poll": map[string]any{
		"options": []string{"green <b>", "black"}, "minutes": 60}})
	r = page(poll.ID)
	r.has(t, "the poll", "<li><bdi>green &lt;b&gt;</bdi></li>", "Poll until", `href="/@bob" class="mention"`,
		`href="/tags/tea"`)
	r.lacks(t, "the poll", "Votes")
	e.do(t, "PATCH", "/v1/users/me", bob.token, map[string]any{"username": "bobby"}).want(t, http.StatusOK, nil)
	if _, err := e.admin.Doc("tweets/"+string(poll.ID)).Update(t.Context(), []firestore.Update{{Path: "poll.closesAt",
		Value: time.Now().Add(-time.Hour)}}); err != nil {
		t.Fatal(err)
	}
	e.offset += time.Hour
	page(poll.ID).has(t, "the closed poll", "<li><bdi>black</bdi> <span lang=\"en\">0 Votes</span></li>", "Poll closed",
		`<a href="/@bobby" class="mention">@bob</a>`)

	open := e.posted(t, bob, map[string]any{"content": "a *quoted* spark"})
	quote := e.posted(t, ann, map[string]any{"content": "see", "quoteOf": open.ID})
	r = page(quote.ID)
	r.has(t, "the quote", "a <em>quoted</em> spark", `<blockquote>`, `href="/@bobby/`+string(open.ID))
	e.do(t, "PATCH", "/v1/users/me", bob.token, map[string]any{"locked": true}).want(t, http.StatusOK, nil)
	e.offset += 6 * time.Minute
	r = page(quote.ID)
	r.lacks(t, "the quote of a locked user", "<em>quoted</em>", "bobby")
	r.has(t, "the quote of a locked user", "Quotes another post")
	e.do(t, "PATCH", "/v1/users/me", bob.token, map[string]any{"locked": false}).want(t, http.StatusOK, nil)
	e.do(t, "DELETE", "/v1/tweets/"+string(open.ID), bob.token, nil).want(t, http.StatusNoContent, nil)
	e.offset += 6 * time.Minute
	page(quote.ID).lacks(t, "the quote of a deleted tweet", "<em>quoted</em>")
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"fields": []any{}, "pronouns": "", "bot": false}).
		want(t, http.StatusOK, nil)
	profile().lacks(t, "the profile without fields", "ann.example", "she/", ">Bot<")
}

// Search engines list no page that shows what they may not list: a quoted tweet may be of somebody else.
func TestListedQuotes(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	discoverable := func(p person) {
		t.Helper()
		e.do(t, "PATCH", "/v1/users/me", p.token, map[string]any{"discoverable": true}).want(t, http.StatusOK, nil)
		e.offset += 6 * time.Minute
	}
	discoverable(ann)
	quote := func(visibility string) model.TweetID {
		t.Helper()
		of := e.post(t, bob, map[string]any{"content": "a *quoted* spark", "visibility": visibility})
		return e.post(t, ann, map[string]any{"content": "see", "quoteOf": of.ID}).ID
	}
	wantListed := func(what string, id model.TweetID, want bool) {
		t.Helper()
		r := e.do(t, "GET", "/@ann/"+string(id), "", nil).want(t, http.StatusOK, nil)
		r.has(t, what, "a <em>quoted</em> spark")
		if got := r.header.Get("X-Robots-Tag") == "" && !strings.Contains(string(r.body), `name="robots"`); got != want {
			t.Errorf("search engines may list %s: %t, want %t", what, got, want)
		}
	}
	public, unlisted := quote("public"), quote("unlisted")
	wantListed("a quote of somebody outside the directory", public, false)
	discoverable(bob)
	wantListed("a quote of somebody in the directory", public, true)
	wantListed("a quote of an unlisted tweet", unlisted, false)
}

// A bad address is a page, never a failure of the service, and gives nothing of others.
func TestBadPublicPages(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	ann := e.join(t, "ann")
	id := string(e.posted(t, ann, map[string]any{"content": "a"}).ID)
	embed := func(address, more string) string { return "/oembed?url=" + url.QueryEscape(address) + more }
	for path, want := range map[string]int{
		"/@" + strings.Repeat("a", 60): 404, "/@" + strings.Repeat("a", 5_000): 422, "/@%00": 404, "/@ann%00": 404,
		"/@ann%2f" + id: 404, "/@ann%0d%0aX: y": 404, "/@%ff%fe": 404, "/@ann/%00": 404, "/@ann/" + id + "%00": 404,
		"/@ann/" + strings.Repeat("0", 5_000): 422, "/@ann/..%2f..%2fv1": 404, "/@ann/" + strings.ToUpper(id): 404,
		"/@ann?before=" + strings.Repeat("x", 100): 404, "/@ann/feed.xml": 404,
		embed("x", ""): 404,
		embed(publicURL+"/@ann/"+id, "&format=xml"):        501,
		embed(publicURL+"/@ann/"+id, "&format=../json"):    501,
		embed(publicURL+"/@ann/"+id, "&maxwidth=-1"):       422,
		embed(publicURL+".evil.example/@ann/"+id, ""):      404,
		embed("https://x@hibana.test/@ann/"+id, ""):        404,
		embed(publicURL+"/@ann/"+id+"/../../v1/users", ""): 404,
		embed(publicURL+"/@ann/", ""):                      404,
		embed(publicURL+"/@ann/"+id, ""):                   200,
		"/sitemap.xml?month=2026-99":                       404,
		"/sitemap.xml?month=%00":                           404,
	} {
		r := e.do(t, "GET", path, "", nil)
		if bad := want == 422 && r.status == 400; r.status != want && !bad {
			t.Errorf("%.60s: %d, want %d", path, r.status, want)
		}
		if r.header.Get("X") != "" || strings.Contains(string(r.body), "goroutine") {
			t.Errorf("%.60s: %v", path, r.header)
		}
	}
}
