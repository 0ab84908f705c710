package mastodon_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A search finds people, posts and tags, by words, by the operators of Mastodon, and by addresses of this service.
func TestSearch(t *testing.T) {
	t.Parallel()
	e := newEnv(t, atOrigin)
	ann, spark := e.join(t, "ann"), e.join(t, "spark")
	first := e.post(t, ann, "A spark flies #sparkle")
	second := e.post(t, spark, "Another spark #sparkle")
	e.idle(t)
	find := func(who person, query string) (found client.Results) {
		t.Helper()
		e.ask(t, who, "GET /api/v2/search?"+query, nil).want(t, http.StatusOK, &found)
		if found.Accounts == nil || found.Statuses == nil || found.Hashtags == nil {
			t.Errorf("%s lacks a list: %+v", query, found)
		}
		return found
	}
	said := func(r client.Results) string {
		all := names(r.Accounts)
		for _, s := range r.Statuses {
			all = append(all, string(s.ID))
		}
		for _, tag := range r.Hashtags {
			all = append(all, "#"+tag.Name)
		}
		return strings.Join(all, " ")
	}
	one, two := statusID(first), statusID(second)
	for query, want := range map[string]string{
		"q=spark":                                                               "spark " + two + " " + one + " #sparkle",
		"q=spark&type=accounts":                                                 "spark",
		"q=spark&type=accounts&offset=1":                                        "",
		"q=spark&type=statuses&limit=1":                                         two,
		"q=spark&type=statuses&limit=1&offset=1":                                one,
		"q=spark+from:me":                                                       one,
		"q=spark+from:@spark@hibana.example+in:library":                         two,
		"q=spark&account_id=" + spark.id:                                        two + " #sparkle",
		"q=spark+before:2020-01-01&type=statuses":                               "",
		"q=spark+after:2020-01-01&type=statuses":                                two + " " + one,
		"q=spark+during:yesterday&type=statuses":                                "",
		"q=%23sparkle&type=hashtags":                                            "#sparkle",
		"q=-&type=statuses":                                                     "",
		"q=from:nobody":                                                         "",
		"q=x&account_id=nobody":                                                 "",
		"q=" + strings.Repeat("x", 900):                                         "",
		"q=" + url.QueryEscape(origin+"/@ann"):                                  "ann",
		"q=" + url.QueryEscape(origin+"/@ann/"+first):                           one,
		"q=" + url.QueryEscape(origin+"/posts/"+second):                         two,
		"q=" + url.QueryEscape(origin+"/users/"+ann.id) + "&resolve=true":       "ann",
		"q=" + url.QueryEscape(origin+"/users/"+ann.id) + "&type=statuses":      "",
		"q=" + url.QueryEscape(origin+"/@nobody"):                               "",
		"q=" + url.QueryEscape(origin+"/posts/x"):                               "",
		"q=" + url.QueryEscape("https://social.example/@bob/1") + "&resolve=1":  "",
		"q=" + url.QueryEscape("https://social.example/%zz") + "&type=accounts": "",
	} {
		if got := said(find(ann, query)); got != want {
			t.Errorf("%s finds %q, want %q", query[:min(len(query), 80)], got, want)
		}
	}
	// toot finds by its name whom it unblocks.
	e.ask(t, ann, "POST /api/v1/accounts/"+spark.id+"/block", nil).want(t, http.StatusOK, nil)
	e.idle(t)
	for query, want := range map[string]string{"q=spark": "spark", "q=@spark": "spark", "q=spar": ""} {
		same(t, query+" who is blocked", said(find(ann, query+"&type=accounts&resolve=True")), want)
	}
	same(t, "signed out", said(find(person{}, "q=flies")), one)
	for _, bad := range []string{"", "q=", "q=x&type=people"} {
		e.ask(t, ann, "GET /api/v2/search?"+bad, nil).want(t, http.StatusUnprocessableEntity, nil)
	}
	var old struct{ Hashtags []string }
	e.ask(t, ann, "GET /api/v1/search?q=sparkle", nil).want(t, http.StatusOK, &old)
	same(t, "hashtags of v1", old.Hashtags, []string{"sparkle"})
}

// A tag that is a trend says so wherever it is, while the list of trends is known that somebody asked for.
func TestHistoryOfTag(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	for _, who := range []person{ann, e.join(t, "bob"), e.join(t, "cid")} {
		e.post(t, who, "#Spark and #spark")
	}
	e.idle(t)
	testenv.Must(t, e.stack.Store.Trends.Flush(t.Context()))
	e.ask(t, ann, "POST /api/v1/tags/spark/follow", nil).want(t, http.StatusOK, nil)
	used := func(t tag) string { return t.History[0].Accounts + " " + t.History[1].Accounts }
	read := func(want string) {
		t.Helper()
		var one tag
		var followed []tag
		var found struct{ Hashtags []tag }
		e.ask(t, person{}, "GET /api/v1/tags/SPARK", nil).want(t, http.StatusOK, &one)
		e.ask(t, ann, "GET /api/v1/followed_tags", nil).want(t, http.StatusOK, &followed)
		e.ask(t, ann, "GET /api/v2/search?type=hashtags&q=spark", nil).want(t, http.StatusOK, &found)
		same(t, "the history", each(append(append(found.Hashtags, followed...), one), used), []string{want, want, want})
	}
	read("0 0")
	var trends []tag
	e.ask(t, ann, "GET /api/v1/trends/tags", nil).want(t, http.StatusOK, &trends)
	same(t, "the history of trends", each(trends, used), []string{"3 0"})
	read("3 0")
}

// Suggestions, trends and preferences are there for somebody new.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.ask(t, bob, "PATCH /api/v1/profile", map[string]any{"discoverable": true}).want(t, http.StatusOK, nil)
	e.idle(t)
	var all []struct {
		Source  string
		Sources []string
		Account *client.Account
	}
	e.ask(t, ann, "GET /api/v2/suggestions", nil).want(t, http.StatusOK, &all)
	if len(all) != 1 || all[0].Account == nil || all[0].Account.Acct != "bob" || len(all[0].Sources) == 0 ||
		all[0].Source == "" {
		t.Errorf("suggestions are %+v", all)
	}
	e.ask(t, ann, "DELETE /api/v1/suggestions/"+bob.id, nil).want(t, http.StatusOK, nil)
	var accounts []*client.Account
	e.ask(t, ann, "GET /api/v1/suggestions", nil).want(t, http.StatusOK, &accounts)
	same(t, "suggestions after a dismissal", names(accounts), []string{})
	for _, path := range []string{"tags", "statuses", "links"} {
		var found []any
		e.ask(t, person{}, "GET /api/v1/trends/"+path+"?limit=5&offset=2", nil).want(t, http.StatusOK, &found)
		if found == nil {
			t.Errorf("trends/%s is null", path)
		}
	}
	var is map[string]any
	e.ask(t, ann, "GET /api/v1/preferences", nil).want(t, http.StatusOK, &is)
	same(t, "visibility", is["posting:default:visibility"], any("public"))
	var missing []any
	for _, path := range []string{"endorsements", "domain_blocks", "accounts/" + bob.id + "/endorsements"} {
		e.ask(t, ann, "GET /api/v1/"+path, nil).want(t, http.StatusOK, &missing)
		if missing == nil || len(missing) != 0 {
			t.Errorf("%s is %v", path, missing)
		}
	}
}

// However often a search names the caller, the caller is looked up once; and a text that is too long is not looked at.
func TestSearchNamesCallerOften(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	reads := func(query string) (n int) {
		t.Helper()
		a := e.ask(t, ann, "GET /api/v2/search?type=statuses&q="+query, nil).want(t, http.StatusOK, nil)
		for _, m := range billed.FindAllStringSubmatch(a.Header.Get("Server-Timing"), -1) {
			if m[1] == "reads" {
				n, _ = strconv.Atoi(m[2])
			}
		}
		return n
	}
	once := reads("from:me")
	if many := reads(strings.Repeat("from:me+", 20)); many > once {
		t.Errorf("20 names of the caller cost %d reads, and one %d", many, once)
	}
	if many := reads(strings.Repeat("from:me+", 5_000)); many > once {
		t.Errorf("5,000 names of the caller cost %d reads, and one %d", many, once)
	}
}
