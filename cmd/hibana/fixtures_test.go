package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/model"
)

const sampleFixture = "id: 0002000000000013\nownedBy: 0001000000000002\nallowLikes: false\nallowReplies: " +
	"false\ntags: hibana-help\n" +
	"content:<<____EOF____\n# Help\n\nText\n____EOF____\n"

func TestParseFixtures(t *testing.T) {
	t.Parallel()
	sample := fixture{file: "f", line: 1, id: "0002000000000013", ownedBy: "0001000000000002",
		tags: []string{"hibana-help"}, content: "# Help\n\nText"}
	short := fixture{file: "f", line: 1, id: "00000000000000ab", ownedBy: "00000000000000cd", allowLikes: true,
		allowReplies: true}
	of := func(f fixture, change func(*fixture)) []fixture { change(&f); return []fixture{f} }
	tests := []struct {
		name, text string
		want       []fixture
	}{
		{"the format", sampleFixture, []fixture{sample}},
		{"Windows", "\ufeff" + strings.ReplaceAll(sampleFixture, "\n", "\r\n"), []fixture{sample}},
		{"no last line end", strings.TrimSuffix(sampleFixture, "\n"), []fixture{sample}},
		{"two", sampleFixture + "\n\n" + sampleFixture,
			append([]fixture{sample}, of(sample, func(f *fixture) { f.line = 13 })...)},
		{"defaults, capitals, any order", "ownedBy:00000000000000CD\nid:00000000000000AB\ncontent: <<E\nid: x\nE",
			of(short, func(f *fixture) { f.content = "id: x" })},
		{"tags", "id: 00000000000000ab\nownedBy: 00000000000000cd\ntags: a,火花 , c-d\ncontent:<<E\n\n\nE",
			of(short, func(f *fixture) {
				f.tags, f.content = []string{"a", "火花", "c-d"}, "\n"
			})},
		{"no tags, no text", "id: 00000000000000ab\nownedBy: 00000000000000cd\ntags:\ncontent:<<E\nE\n", []fixture{short}},
	}
	for _, test := range tests {
		got, err := parseFixtures("f", test.text)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(fixture{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestParseFixturesBad(t *testing.T) {
	t.Parallel()
	with := func(old, other string) string { return strings.Replace(sampleFixture, old, other, 1) }
	tests := []struct{ text, want string }{
		{"", "f:1: the file has no fixture"},
		{"\n \n", "f:1: the file has no fixture"},
		{with("tags:", "tag:"), `f:5: "tag" is an unknown header; there are id,`},
		{with("tags: hibana-help", "hibana-help"), `f:5: "hibana-help" is no header`},
		{with("tags: hibana-help", "tags: a,,b"), "f:5: tags: there is an empty tag"},
		{with("allowLikes: false", "allowLikes: no"), `f:3: allowLikes: "no" is neither true nor false`},
		{with("allowLikes: false", "allowLikes:"), `f:3: allowLikes: "" is neither`},
		{with("allowLikes", "allowReplies"), "f:4: a second allowReplies; the first is on line 3"},
		{with("0002000000000013", "13"), `f:1: id: "13" is not 16 hexadecimal digits`},
		{with("0001000000000002", "000100000000000g"), `f:2: ownedBy: "000100000000000g" is not 16`},
		{with("id: 0002000000000013\n", ""), "f:5: the fixture of line 1 has no id"},
		{with("ownedBy: 0001000000000002\n", "\n"), "f:6: the fixture of line 1 has no ownedBy"},
		{sampleFixture + "\nid: 0002000000000014\nownedBy: 0001000000000002\n",
			"f:12: the fixture that begins here has no content"},
		{with("content:<<____EOF____\n# Help\n\nText\n____EOF____\n", "") + sampleFixture,
			"f:6: a second id; the first is on line 1"},
		{with("\n____EOF____\n", "\n ____EOF____\n"), `f:6: content: no line below is "____EOF____" alone`},
		{with("content:<<____EOF____", "content: Help"), `f:6: content: "Help" is not <<WORD`},
		{with("content:<<____EOF____", "content:<<"), `f:6: content: "<<" is not <<WORD`},
		{with("content:<<____EOF____", "content:<<END OF"), `f:6: content: "<<END OF" is not <<WORD`},
		{with("Text", "Te\xffxt"), "f:9: the line is not UTF-8"},
		{with("hibana-", "\xff"), "f:5: the line is not UTF-8"},
	}
	for _, test := range tests {
		if got, err := parseFixtures("f", test.text); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: %v, %v, want the error %s", test.text, got, err, test.want)
		}
	}
}

// An error in any of the files is reported at once, before the first request.
func TestSeedBadFixtures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	content := func(id, tags, text string) string {
		return fmt.Sprintf("id: %s\nownedBy: 0001000000000002\ntags: %s\ncontent:<<E\n%s\nE\n", id, tags, text)
	}
	const other = "0002000000000014"
	link := "[a](/posts/" + other + ")"
	long := write("long", content("0002000000000001", "", strings.Repeat("火", model.MaxContent+1)))
	files := []string{
		write("good", content(other, "a", "b")), write("same", "\n"+content(other, "a", "b")), long,
		// With the address of the tweet it is too long, and as it stands it is not.
		write("link", content("0002000000000002", "", link+strings.Repeat("火", model.MaxContent-len(link)))),
		write("empty", content("0002000000000003", "", " ")),
		write("tag", content("0002000000000004", "two words, a", "x")+content("0002000000000005",
			strings.Repeat("x", model.MaxTagLength+1), "y")),
		write("large", strings.Repeat("\n", maxFixtures+1)),
		filepath.Join(dir, "missing"), dir,
	}
	p := hibana(t, nil, append([]string{"seed", "--api-port=1"}, files...)...)
	p.ends(1)
	wantText(t, p.errout.String(), "hibana: nothing is posted:\n",
		files[1]+":2: fixture "+other+": "+files[0]+":1 has the same id",
		fmt.Sprintf("%s:1: fixture 0002000000000001: content has %d characters; the limit is %d", long, model.MaxContent+1,
			model.MaxContent),
		fmt.Sprintf("%s:1: fixture 0002000000000002: content has %d characters; the limit is %d", files[3], model.MaxContent+
			3, model.MaxContent),
		files[4]+":1: fixture 0002000000000003: a tweet without media needs a content",
		fmt.Sprintf("%s:7: fixture 0002000000000005: the tag %q has 51 characters in its normal form; it needs 1 to 50",
			files[5], strings.Repeat("x", 51)),
		fmt.Sprintf("%s: the file is larger than %d bytes", files[6], maxFixtures), "missing: no such file", dir+
			": is a directory")
	if out := p.out.String() + p.errout.String(); strings.Contains(out, "no API") || strings.Contains(out, files[0]+
		":1: ") {
		t.Errorf("it went on, or a good fixture is told:\n%s", out)
	}
}

func TestFixtureLinks(t *testing.T) {
	t.Parallel()
	const a, b = "00020000000000a1", "0002000000000014"
	tweets := map[string]string{a: "3f" + strings.Repeat("1", 16)}
	tests := []struct {
		content, want string
		links         int
	}{
		{"[x](/posts/00020000000000A1)", "[x](/tweets/3f1111111111111111)", 1},
		{"[x](/posts/" + a + " 't') and [**y**](</posts/" + a + ">)",
			"[x](/tweets/3f1111111111111111 't') and [**y**](</tweets/3f1111111111111111>)", 2},
		{"[x](/posts/" + b + ")", "[x](/posts/" + b + ")", 1},
		{"> - [x](/posts/" + a + ")", "> - [x](/tweets/3f1111111111111111)", 1},
		{"`[x](/posts/" + a + ")`", "", 0},
		{"```\n[x](/posts/" + a + ")\n```", "", 0},
		{"/posts/" + a, "", 0},
		{"[x](/posts/" + a + "00)", "", 0},
		{"[x](https://example.com/posts/" + a + ")", "", 0},
		{"`/posts/" + a + "` [x](/posts/" + a + ")", "`/posts/" + a + "` [x](/tweets/3f1111111111111111)", 1},
	}
	for _, test := range tests {
		if test.want == "" {
			test.want = test.content
		}
		f := fixture{content: test.content}
		if got := f.resolve(tweets); got != test.want || len(f.links()) != test.links {
			t.Errorf("%s: resolve = %s, with %d links, want %s, with %d", test.content, got, len(f.links()), test.want,
				test.links)
		}
	}
	if id, err := model.ParseTweetID(tweets[a]); err != nil || len(id) != tweetDigits {
		t.Errorf("a tweet id has %d digits, and not %d (%v)", len(id), tweetDigits, err)
	}
}

// Any text can be read, and what is read prints to a text that reads the same.
func FuzzFixtures(f *testing.F) {
	for _, text := range []string{
		sampleFixture, sampleFixture + sampleFixture, "\ufeffid:0\r\n", "content:<<E\nE", strings.Replace(sampleFixture,
			"Text", "____EOF_____", 1),
		"id: 00000000000000ab\nownedBy: 00000000000000cd\ntags: a, b\ncontent:<<E\n\r\r\n____EOF____\n\ufeffx\nE\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseFixtures("f", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("the error names no line: %v", err)
			}
			return
		}
		var printed strings.Builder
		for _, one := range all {
			printed.WriteString(one.String())
		}
		again, err := parseFixtures("f", printed.String())
		if err != nil {
			t.Fatalf("%v in:\n%s", err, printed.String())
		}
		for i := range again {
			again[i].line = 0
		}
		for i := range all {
			all[i].line = 0
		}
		if diff := cmp.Diff(all, again, cmp.AllowUnexported(fixture{})); diff != "" {
			t.Errorf("(-read +printed and read):\n%s", diff)
		}
		for _, one := range all {
			if got := one.resolve(nil); got != one.content {
				t.Errorf("without tweets %q becomes %q", one.content, got)
			}
		}
	})
}

// testSeedFixtures posts the example fixtures twice, and looks at what the API has then.
func testSeedFixtures(t *testing.T, api, auth, events string) {
	files := []string{filepath.Join("testdata", "help-en.fixture"), filepath.Join("testdata", "help-ja.fixture")}
	seedFiles := func(status int, files ...string) *process {
		t.Helper()
		p := hibana(t, nil, append([]string{"seed", "--api-port=" + port(t, api), "--auth-port=" + port(t, auth),
			"--events-port=" + port(t, events)}, files...)...)
		p.ends(status)
		return p
	}
	posted := func(p *process) []string { // ids of tweets, in the order of the fixtures
		t.Helper()
		var ids []string
		for line := range strings.Lines(p.out.String()) {
			if cells := strings.Fields(line); len(cells) == 4 && strings.HasPrefix(cells[1], "/tweets/") {
				ids = append(ids, strings.TrimPrefix(cells[1], "/tweets/"))
			}
		}
		return ids
	}
	// One by itself first: what it links to is not there yet.
	p := seedFiles(0, files[0])
	wantText(t, p.out.String(), "links to /posts/00020000000000a2, and no file of this run has that fixture",
		"Fixtures posted: 1; authors: 1;")
	alone := posted(p)
	p = seedFiles(0, files...)
	wantText(t, p.out.String(), "00020000000000a3", "@u0001000000000003", files[1]+":44",
		"Fixtures posted: 3; authors: 2;")
	ids := posted(p)
	if len(ids) != 3 || !slices.Equal(alone, ids[:1]) {
		t.Fatalf("the fixtures are the tweets %q, and the first was %q", ids, alone)
	}
	if again := posted(seedFiles(0, files...)); !slices.Equal(again, ids) {
		t.Errorf("the second run made the tweets %q, the first %q", again, ids)
	}

	c := &client{api: "http://" + api, auth: "http://" + auth}
	reader, _, err := c.signIn(t.Context(), people[0].username+"@example.com")
	if err != nil {
		t.Fatal(err)
	}
	type tweet struct {
		ID, Content, HTML, Language string
		Tags                        []string
		AllowLikes, AllowReplies    bool
		Revision                    int
		AuthorID                    string
		Author                      struct{ Username string }
	}
	read := func(id string) (got tweet) {
		t.Helper()
		if err := c.call(t.Context(), reader, http.MethodGet, "/v1/tweets/"+id+"?format=html", "", nil, &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	english, japanese, third := read(ids[0]), read(ids[1]), read(ids[2])
	for _, test := range []struct {
		got    tweet
		closed bool
		author string
		tags   []string
		html   []string
	}{
		{english, true, "u0001000000000002", []string{"hibana-help", "markdown"}, []string{`href="/tweets/` + ids[1] + `"`,
			"<h1>", "<h2>", `src="/data/help-path.svg"`, "<code>/posts/00020000000000a2</code>", "wikipedia.org"}},
		{japanese, true, "u0001000000000002", []string{"hibana-help", "markdown"}, []string{`href="/tweets/` + ids[0] + `"`,
			"<h1>", "<code>--repair</code>"}},
		{third, false, "u0001000000000003", []string{}, []string{`href="/tweets/` + ids[0] + `"`, `href="/tweets/` + ids[1] +
			`"`}},
	} {
		wantText(t, test.got.HTML, test.html...)
		if test.got.AllowLikes == test.closed || test.got.AllowReplies == test.closed ||
			test.got.Author.Username != test.author || test.got.Revision != 1 {
			t.Errorf("%+v, want the author %s, closed: %t, and one edit, for the links", test.got, test.author, test.closed)
		}
		slices.Sort(test.got.Tags)
		if !slices.Equal(test.got.Tags, test.tags) {
			t.Errorf("tags %q, want %q", test.got.Tags, test.tags)
		}
		like := c.call(t.Context(), reader, http.MethodPut, "/v1/tweets/"+test.got.ID+"/like", "", nil, nil)
		reply := c.call(t.Context(), reader, http.MethodPost, "/v1/tweets", "", map[string]string{"content": "A reply",
			"replyTo": test.got.ID}, nil)
		for name, err := range map[string]error{"a like": like, "a reply": reply} {
			if refused := err != nil && strings.Contains(err.Error(), ": 403 "); refused != test.closed || err != nil &&
				!refused {
				t.Errorf("%s of %s: %v", name, test.got.ID, err)
			}
		}
	}
	for author, want := range map[string]int{english.AuthorID: 2, third.AuthorID: 1} {
		var cards struct{ Items []tweet }
		if err := c.call(t.Context(), reader, http.MethodGet, "/v1/users/"+author+"/tweets", "", nil, &cards); err != nil ||
			len(cards.Items) != want {
			t.Errorf("the author has %d tweets, want %d (%v)", len(cards.Items), want, err)
		}
	}

	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "changed")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), "# How", "# Why", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	wantText(t, seedFiles(1, changed).errout.String(), changed+":1: fixture 00020000000000a1: another text", "24 hours")
}
