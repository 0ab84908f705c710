package mastodon_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api/mastodon"
)

var parameter = regexp.MustCompile(`:[a-z_]+`)

// No request makes a method fail by itself: bad ids, parameters and bodies get an error that names itself, or nothing
// is found.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	for _, m := range mastodon.Methods() {
		if !m.Answers() || strings.Contains(m.Path, "streaming") {
			continue
		}
		ids := []string{"nobody", "", ".", "a%3Fb%23c", "%20", "%ff", "..%2f..", strings.Repeat("9", 36),
			strings.Repeat("x", 2000), "me"}
		if !strings.Contains(m.Path, ":") {
			ids = ids[:1]
		}
		for n, id := range ids {
			path := parameter.ReplaceAllString(m.Path, id) + "?limit=x&offset=-1&max_id=x&id[]=%ff&q=%22&acct=%ff&type=1"
			for media, body := range badBodies {
				if (m.Verb == http.MethodGet || n > 0) && media != "application/json" {
					continue
				}
				a := e.askAs(t, ann, m.Verb+" "+path, media, strings.NewReader(body))
				if a.StatusCode >= 500 || a.StatusCode >= 400 && !strings.Contains(string(a.text), `"error":`) {
					t.Errorf("%s %.80s with %s answers %s: %.200s", m.Verb, path, media, a.Status, a.text)
				}
			}
		}
	}
}

var badBodies = map[string]string{
	"application/json":                  `{"id":{"a":[null]},"title":[],"locked":{},"account_ids":["..","me"]}`,
	"application/x-www-form-urlencoded": "a[b]=1&a[][]=%ff&name=%ff&title=" + strings.Repeat("x", 5000),
	"multipart/form-data; boundary=x": "--x\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"a\"\r\n" +
		"\r\nx\r\n--x--\r\n",
}
