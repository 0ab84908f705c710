package query

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

func cutUp(text string) (all []string) {
	f := fold(text)
	for _, t := range tokens(f.text) {
		all = append(all, f.text[t.start:t.end])
	}
	return all
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Hello, World! don't stop":      "hello|world|don't|stop",
		"state-of-the-art 3.14 a_b":     "state|of|the|art|3.14|a_b",
		"今日は花火大会です。楽しい！":                "今日は花火大会です|楽しい",
		"Go言語でＷｅｂサーバー":                  "go|言語で|web|サーバー",
		"ﾊﾅﾋﾞ が ハナビ":                    "ハナビ|が|ハナビ",
		"학교에서 K팝":                       "학교에서|k|팝",
		"人々、代々木":                        "人々|代々木",
		"Straße ÉCOLE e\u0301cole":      "strasse|école|école",
		"東京タワーTokyo":                    "東京タワー|tokyo",
		"\u200b \u00ad --- …!?":         "",
		"\u200b 🎆 🇯🇵 c++ 5€":            "🎆|🇯🇵|c|++|5|€",
		"Ge\u00adsamt word\u2060joiner": "gesamt|wordjoiner",
		"か\u00ad\u3099":                 "が",
		"привет мир Ελλάδα":             "привет|мир|ελλάδα",
		"ประเทศไทย 2026 ภาษาgo":         "ประเทศไทย|2026|ภาษา|go",
		"ພາສາລາວ ភាសាខ្មែរ။ မြန်မာဘာသာ၊ ok": "ພາສາລາວ|ភាសាខ្មែរ|မြန်မာဘာသာ|ok",
		"\U00030000 a\U000323AFb":    "\U00030000|a|\U000323AF|b", // Chinese characters of later years
		"don’t п’ять пʼять":          "don't|п'ять|п'ять",
		"mail@example.com #tag @ann": "mail|example.com|tag|ann",
	} {
		if got := strings.Join(cutUp(text), "|"); got != want {
			t.Errorf("tokens(%q) = %q, want %q", text, got, want)
		}
	}
}

// Each position in a folded text has its position in the original.
func TestFold(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Ａbc", "ｶﾞ行", "e\u0301té ﬁn ㍿ 花", "İ", "don’t ’ a", "a \u2007\u00a8 b\ufdfa"} {
		f := fold(text)
		if len(f.at) != len(f.text)+1 || f.at[len(f.text)] != len(text) || !slices.IsSorted(f.at) {
			t.Errorf("fold(%q) = %q, %v", text, f.text, f.at)
		}
		if got := fold(f.text).text; got != f.text {
			t.Errorf("fold(%q) again = %q, and it was %q", text, got, f.text)
		}
	}
}

func tweet(content string) (*model.Tweet, string) {
	return &model.Tweet{AuthorID: "ann", Visibility: model.Public}, content
}

func TestDocOf(t *testing.T) {
	t.Parallel()
	d := DocOf(&model.Tweet{
		AuthorID: "ann", Visibility: model.Public, Summary: "Careful", Tags: map[string]time.Time{"go": {}},
		ReplyTo: new(model.TweetID("x")),
	}, "**花火** Go ![](/data/a.png)")
	want := map[string]bool{"from:ann": true, "#go": true, "is:reply": true, "has:media": true, "=careful": true,
		"~car": true, "~are": true, "~ref": true, "~efu": true, "~ful": true, "=花": true, "=火": true, "=花火": true,
		"=go": true}
	if diff := cmp.Diff(want, d.Terms); diff != "" || d.Text != "Careful 花火 Go" || d.AuthorID != "ann" {
		t.Errorf("DocOf = %+v (-want +got):\n%s", d, diff)
	}
	for _, hidden := range []*model.Tweet{nil, {Visibility: model.Unlisted}, {Visibility: model.Followers},
		{Visibility: model.Mentioned}, {Visibility: model.Public, IsViolative: true}} {
		if got := DocOf(hidden, "x"); got != nil {
			t.Errorf("DocOf(%+v) = %+v", hidden, got)
		}
	}
}

// A long text is searched as far as there is room for its terms, and the text of the document
// ends there. A text that repeats itself ends at its limit.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	var letters, kanji strings.Builder
	for n := range 3_000 {
		letters.WriteString(strconv.Itoa(n))
		letters.WriteByte(' ')
		kanji.WriteRune(rune(0x4e00 + n))
	}
	for name, test := range map[string]struct {
		content string
		terms   int
	}{
		"words": {letters.String(), model.MaxSearchTerms}, "one run": {kanji.String(), model.MaxSearchTerms},
		"one word":    {strings.Repeat("go ", 20_000), 2},
		"a long word": {strings.Repeat("x", 60_000), 2},
	} {
		d := DocOf(tweet(test.content))
		parts := 0
		for term := range d.Terms {
			if strings.HasPrefix(term, partTerm) {
				parts++
			}
		}
		if len(d.Terms)-parts != test.terms || parts > model.MaxSearchParts || len([]rune(d.Text)) > model.MaxSearchText ||
			len(d.Text) < 100 {
			t.Errorf("%s: %d terms and %d bytes of text, want %d terms", name, len(d.Terms), len(d.Text), test.terms)
		}
		for term := range d.Terms {
			if n := len([]rune(term)); n > model.MaxTermLength+1 {
				t.Errorf("%s: a term has %d characters", name, n)
			}
		}
		text := fold(d.Text).text
		for _, token := range tokens(text) {
			for term := range termsOf(text, token) {
				if !d.Terms[term] {
					t.Fatalf("%s: the text has %q, and the terms have not", name, term)
				}
			}
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	const text = "Spark plugs, sparkling water and “big bang”. 花火大会は学校の花壇で。Go言語 don't; they’re ประเทศไทย, a \u2007b"
	d := DocOf(tweet(text))
	for query, want := range map[string]bool{
		"spark": true, "SPARK": true, "sparkl": false, "plug": false, "spark water": true, "water spark": true,
		"spark fire":    false,
		`"spark plugs"`: true, `"plugs spark"`: false, `"spark plug"`: false, `"park plugs"`: false,
		`"plugs, sparkling"`: true, `"plugs sparkling"`: false, `"big bang`: true, `“big bang”`: true,
		"花火": true, "花火大会": true, "大会花火": false, "花大": false, "花": true, "花壇": true, "火壇": false, "花火 学校": true,
		"会は学校の": true, `"花火大会は"`: true,
		"go言語": true, "go": true, "言語": true, "ｇｏ": true, "don't": true, "don": false, "and": true,
		"don’t": true, "they're": true, `"don’t; they're"`: true, "they": false, "ประเทศไทย": true, "ไทย": true,
		"ไทยประ": false, `"a b"`: true,
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatal(query, err)
		}
		if got := q.Matches(d); got != want {
			t.Errorf("%s matches: %v, want %v", query, got, want)
		}
	}
}

// A search finds, or excludes by a minus, a symbol that the table of words does not know, and never drops it.
func TestSymbols(t *testing.T) {
	t.Parallel()
	const text = "Kite 🎆 over the river, cats and small dogs 👨\u200d👩\u200d👧 🇯🇵 C++ #½price Ge\u00adsamt\u00adkonzept " +
		"ΛΌΓΟΣ Straße"
	d := DocOf(tweet(text))
	for query, want := range map[string]bool{
		"🎆": true, "kite 🎆": true, "kite 🎇": false, "🎇": false, "👨\u200d👩\u200d👧": true, "👨👩👧": true, "👩": true, "🇯🇵": true,
		"🇵🇯": false, "c++": true, "kite ++": true, "kite €": false,
		"cats -dogs": false, "cats -birds": true, "cats -dog": true, `cats -"small dogs"`: false, `cats -"dogs small"`: true,
		"cats -🎆": false, "cats -🎇": true, "cats -(dogs)": false, "cats - river": true, "cats -": true,
		"#½price": true, "#¼price": false, "gesamtkonzept": true, "λόγος": true, "STRASSE": true, "strase": false,
	} {
		q, err := Parse(query)
		if err != nil {
			t.Error(query, err)
		} else if got := q.Matches(d); got != want {
			t.Errorf("%s matches: %v, want %v", query, got, want)
		}
	}
}

// An excerpt and its hits end between user-perceived characters.
func TestExcerptOfClusters(t *testing.T) {
	t.Parallel()
	const family = "👨\u200d👩\u200d👧"
	for _, test := range []struct{ text, query, want string }{
		{"a " + family + " b", "👩", "a [" + family + "] b"},
		{strings.Repeat(family, 20) + "x spark", "spark", strings.Repeat(family, 7) + "x [spark]"},
		{"spark " + strings.Repeat("🇯🇵", 90), "spark", "[spark] " + strings.Repeat("🇯🇵", 77)},
	} {
		q, err := Parse(test.query)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range q.Excerpt(DocOf(tweet(test.text))) {
			if p.Hit {
				p.Text = "[" + p.Text + "]"
			}
			got += p.Text
		}
		if got != test.want {
			t.Errorf("the excerpt of %q is %q, want %q", test.text, got, test.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("before ", 30) + "The ＳＰＡＲＫ flies, sparks fly, spark " + strings.Repeat("behind ", 50)
	for _, test := range []struct{ text, query, want string }{
		{"A spark flies.", "spark", "A [spark] flies."},
		{"A spark flies.", "from:ann", "A spark flies."},
		{"花火大会と花火", "花火", "[花火]大会と[花火]"},
		{"花火大会と花火", "花火 火大", "[花火大]会と[花火]"},
		{"big bang, big", `"big bang"`, "[big bang], big"},
		{"they don’t, and I don't care", "don’t", "they [don’t], and I [don't] care"},
		{"これは㍿です", "株式", "これは[㍿]です"},
		{"they don’t care", `"don't care"`, "they [don’t care]"},
		{"ที่ประเทศไทย", "ไทย", "ที่ประเทศ[ไทย]"},
		{"a ｶﾞﾗｽ b", "ガラス", "a [ｶﾞﾗｽ] b"},
		{long, "spark", "before before before before before The [ＳＰＡＲＫ] flies, sparks fly, [spark] " +
			strings.TrimSpace(strings.Repeat("behind ", 13))},
	} {
		q, err := Parse(test.query)
		if err != nil {
			t.Fatal(err)
		}
		got, plain := "", ""
		for _, p := range q.Excerpt(DocOf(tweet(test.text))) {
			if plain += p.Text; p.Hit {
				p.Text = "[" + p.Text + "]"
			}
			got += p.Text
		}
		if !strings.Contains(strings.TrimSpace(test.text), plain) || len([]rune(plain)) > excerptLength {
			t.Errorf("excerpt of %q is %q", test.text, plain)
		}
		if got != test.want && test.text != long || test.text == long &&
			!strings.Contains(got, "The [ＳＰＡＲＫ] flies, sparks fly, [spark] behind") {
			t.Errorf("excerpt of %q for %s = %q, want %q", test.text, test.query, got, test.want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for query, code := range map[string]string{
		"": "empty_query", " \u3000": "empty_query", `""`: "empty_query", `"! ?"`: "empty_query", "!?": "empty_query",
		"-dogs": "empty_query", `-"big dogs" -`: "empty_query",
		"a -from:ann": "invalid_query", "a -#go": "invalid_query", "a -is:reply": "invalid_query",
		"since:2026-01-01": "empty_query",
		"a\xff":            "invalid_text", strings.Repeat("花", model.MaxSearchQuery+1): "too_long",
		"from:": "invalid_query", "from:@": "invalid_query", "from:ann from:bob": "invalid_query",
		"is:quote": "invalid_query", "has:reply": "invalid_query",
		"a since:today": "invalid_query", "a until:2026-02-30": "invalid_query", "a since:0001-01-01": "invalid_query",
		"a until:2527-06-24": "invalid_query", "a since:9999-12-31": "invalid_query", "a since:": "invalid_query",
		"#": "empty_query",
	} {
		if _, err := Parse(query); errs.KindOf(err) != errs.Invalid || errs.CodeOf(err) != code {
			t.Errorf("Parse(%q) = %v, want %s", query, err, code)
		}
	}
	q, err := Parse(`FROM:@Ann  ＃Go is:reply has:media since:2026-01-02 until:2026-02-03 Big "not is:reply" note:x`)
	if err != nil {
		t.Fatal(err)
	}
	if q.From != "ann" || !slices.Equal(q.Filters, []string{"#go", "has:media", "is:reply"}) || q.Since.Day() != 2 ||
		q.Before.Day() != 3 ||
		!slices.Contains(q.Words, "=big") || !slices.Contains(q.Words, "=not") || len(q.exact) != 1 {
		t.Errorf("Parse = %+v", q)
	}
	many, err := Parse(strings.Repeat("花火大会学校", 30))
	if err != nil || len(many.Indexed()) > 8 {
		t.Errorf("a long run asks for %q, %v", many.Indexed(), err)
	}
}

// The text of a tweet finds the tweet, as words and as a phrase, and is in its excerpt.
func FuzzTerms(f *testing.F) {
	for _, s := range []string{
		"Hello 花火", "ｶﾞ\u3099", "\u0301", "a:b#c", `"`, "İ", "\xff", "ไทย ok", "don’t", "a \u2007b", "\u00a8x \ufdfa",
		"Straße 3.14 a_b", "א\"ב", "か\u3099あ\u3099い", "葛\U000e0100城",
		"state-of-the-art", "🎆花", "\u200dx", "x\u00ady", "ΑΣ ΑΣ.", "ΑΣΑ",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		d := DocOf(tweet(s))
		for _, query := range []string{d.Text, `"` + d.Text + `"`} {
			q, err := Parse(query)
			if err != nil || strings.ContainsAny(quotes.Replace(fold(d.Text).text), `"`) || q.From != "" || len(q.Filters) > 0 ||
				!q.Since.IsZero() || !q.Before.IsZero() || len(q.without) > 0 {
				continue
			}
			if !q.Matches(d) {
				t.Errorf("%q (%+v) does not find %+v", query, q, d)
			}
			plain, hits := "", 0
			for _, p := range q.Excerpt(d) {
				if plain += p.Text; p.Hit {
					hits++
				}
			}
			if !strings.Contains(d.Text, plain) || hits == 0 {
				t.Errorf("the excerpt of %q is %q with %d hits", d.Text, plain, hits)
			}
		}
	})
}

// A star stands for the rest of a word: a query finds parts of words of three characters and more.
func TestParts(t *testing.T) {
	t.Parallel()
	const text = "Spark plugs, sparkling water; Straße ÉCOLE a_bcd don't 花火大会spark"
	d := DocOf(tweet(text))
	for query, want := range map[string]bool{
		"spark*": true, "*park": true, "*park*": true, "SPARKL*": true, "*lin*": true, "*rkl*": true, "*ark": true,
		"lug*": false, "*lug": false, "*lug*": true, "*plu": false, "plu*": true, "*sparkl": false, "*parkling": true,
		"*strasse*": true, "*tras*": true, "*cole": true, "éco*": true, "a_b*": true, "*on't": true, "don'*": true,
		"*xyz*": false, "*spa* wat*": true, "*spa* fire*": false, "花火大会spa*": true, "花火spa*": false, "*大会*": true,
		"*park* -*lugs": false, "*park* -lugs": true, "*park* -spar*": false, "**spark**": true,
		"spark * plugs": true, "spark *!*": true, "*spark plugs*": true,
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatal(query, err)
		}
		if got := q.Matches(d); got != want {
			t.Errorf("%s matches: %v, want %v", query, got, want)
		}
		for _, term := range q.Indexed() {
			if want && !d.Terms[term] {
				t.Errorf("%s asks the index for %q, which the document does not have", query, term)
			}
		}
	}
	for _, short := range []string{"ab*", "*a", "*é*"} {
		if _, err := Parse(short); errs.CodeOf(err) != "part_too_short" {
			t.Errorf("Parse(%q) = %v, want part_too_short", short, err)
		}
	}
	q, err := Parse("*par*")
	if err != nil {
		t.Fatal(err)
	}
	var hits []string
	for _, p := range q.Excerpt(d) {
		if p.Hit {
			hits = append(hits, p.Text)
		}
	}
	if !slices.Equal(hits, []string{"par", "par", "par"}) {
		t.Errorf("the excerpt marks %q", hits)
	}
}

// The title of a tweet is its first heading. Other words of the tweet do not count as words of the title.
func TestTitles(t *testing.T) {
	t.Parallel()
	d := DocOf(tweet("# *Spark* plugs 花火大会\n\nAll about water\n\n# Second"))
	for query, want := range map[string]bool{
		"title:spark": true, "title:plugs title:spark": true, "title:water": false, "title:second": false, "water": true,
		"title:花火": true, "title:火花": false, "title:spark water": true, "title:spark fire": false,
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatal(query, err)
		}
		if got := q.Matches(d); got != want {
			t.Errorf("%s matches: %v, want %v", query, got, want)
		}
	}
	for _, none := range []string{"Spark", "#spark", "text\n\n# Spark", "## Spark"} {
		if d := DocOf(tweet(none)); d.Terms["title:spark"] {
			t.Errorf("%q has a title", none)
		}
	}
	if _, err := Parse("title:!"); errs.CodeOf(err) != "invalid_query" {
		t.Errorf("title: without a word is %v", err)
	}
	long := DocOf(tweet("# " + strings.Repeat("花火大会学校壇", 100)))
	titles := 0
	for term := range long.Terms {
		if strings.HasPrefix(term, titleTerm) {
			titles++
		}
	}
	if titles == 0 || titles > model.MaxTitleTerms {
		t.Errorf("a title has %d terms", titles)
	}
}
