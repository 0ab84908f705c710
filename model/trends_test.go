package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/model"
)

var hour = model.HourOf(time.Date(2026, time.November, 15, 12, 30, 0, 0, time.UTC))

func use(tag string, account, fact int, at time.Duration, on bool) model.TrendUse {
	return model.TrendUse{Tag: tag, Account: model.UserID(fmt.Sprint("user", account)), Fact: fmt.Sprint(account, "-",
		fact), Language: "ja", On: on, At: hour.Time.Add(at)}
}

// counts are the tags of an hour with how many accounts use them, by the ranking.
func counts(t *model.Trending, language string) map[string]int64 {
	all := map[string]int64{}
	for _, trend := range model.Rising([]map[string]model.TrendSubject{t.Tags}, 1, nil, language) {
		all[trend.Name] = trend.Uses
	}
	return all
}

// Uses may come twice, in any order, and through several processes: what counts is the last
// change of each fact.
func TestTrendingInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var uses []model.TrendUse
		type fact struct {
			tag           string
			account, fact int
		}
		last := map[fact]bool{}
		for n := range 60 {
			f := fact{fmt.Sprint("tag", rng.IntN(4)), rng.IntN(6), rng.IntN(3)}
			on := rng.IntN(3) > 0
			last[f] = on
			uses = append(uses, use(f.tag, f.account, f.fact, time.Duration(n)*time.Second, on))
		}
		want := map[string]map[int]bool{}
		for f, on := range last {
			if on {
				if want[f.tag] == nil {
					want[f.tag] = map[int]bool{}
				}
				want[f.tag][f.account] = true
			}
		}
		uses = append(uses, uses[:20]...)
		rng.Shuffle(len(uses), func(i, j int) { uses[i], uses[j] = uses[j], uses[i] })
		parts := make([]model.Trending, 3)
		for _, u := range uses {
			parts[rng.IntN(3)].Note(hour, []model.TrendUse{u})
		}
		var all model.Trending
		for i := range parts {
			all.Merge(&parts[i])
		}
		got := counts(&all, "ja")
		for tag, accounts := range want {
			if n := int64(len(accounts)); n >= model.TrendMinimum && got[tag] != n {
				t.Errorf("%s is used by %d, want %d", tag, got[tag], n)
			}
			if n := int64(len(accounts)); n < model.TrendMinimum && got[tag] != 0 {
				t.Errorf("%s is a trend, and used by %d", tag, n)
			}
		}
		if len(counts(&all, "en")) > 0 {
			t.Errorf("uses in ja are trends in en")
		}
		var alone model.Trending
		alone.Note(hour, uses)
		if alone.Note(hour, uses) {
			t.Errorf("uses that came again changed an hour")
		}
	})
}

// One account counts once for a tag, whatever it posts.
func TestTrendingOneAccount(t *testing.T) {
	t.Parallel()
	var h model.Trending
	for fact := range 1_000 {
		h.Note(hour, []model.TrendUse{use("spam", 1, fact, time.Duration(fact)*time.Second, true)})
	}
	if got := counts(&h, ""); len(got) > 0 {
		t.Errorf("one account made a trend: %v", got)
	}
	h.Note(hour, []model.TrendUse{use("spam", 2, 0, time.Minute, true)})
	if got := counts(&h, ""); got["spam"] != 2 {
		t.Errorf("two accounts count as %v, want 2", got)
	}
}

// A stranger with 100,000 tags takes no place from a tag that several accounts use, however
// many accounts the stranger has, and a document has its bound.
func TestTrendingFlood(t *testing.T) {
	t.Parallel()
	var h model.Trending
	for account := range 3 {
		h.Note(hour, []model.TrendUse{use("spark", account, 0, 0, true)})
	}
	for n := 0; n < 100_000; n += 10 {
		var uses []model.TrendUse
		for i := range 10 {
			uses = append(uses, use(fmt.Sprint("flood", n+i), 1_000+n/10_000, n, time.Minute, true))
		}
		h.Note(hour, uses)
	}
	if got := counts(&h, ""); len(got) != 1 || got["spark"] != 3 {
		t.Errorf("after a flood the trends are %v, want spark of 3", got)
	}
	if len(h.Tags) > model.TrendSubjects {
		t.Errorf("an hour has %d tags, want at most %d", len(h.Tags), model.TrendSubjects)
	}
	var one model.Trending
	for n := range 1_000 {
		one.Note(hour, []model.TrendUse{use(fmt.Sprint("flood", n), 7, n, 0, true)})
	}
	if len(one.Tags) != model.TrendPerAccount {
		t.Errorf("one account has %d tags, want %d", len(one.Tags), model.TrendPerAccount)
	}
}

// Many accounts are estimated, and few are exact.
func TestTrendingEstimate(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 10, 60, 1_000, 20_000} {
		var square float64
		const runs = 8
		for run := range runs {
			var h model.Trending
			for account := range n {
				h.Note(hour, []model.TrendUse{use("spark", run*1_000_000+account, 0, 0, true)})
			}
			got := counts(&h, "")["spark"]
			if n < model.TrendSample && got != int64(n) {
				t.Fatalf("%d accounts count as %d", n, got)
			}
			off := float64(got-int64(n)) / float64(n)
			square += off * off / runs
			if size := len(h.Tags["spark"].Uses); size > 15*model.TrendSample {
				t.Fatalf("a tag of %d accounts has %d bytes", n, size)
			}
		}
		if off := math.Sqrt(square); off > 0.4 {
			t.Errorf("%d accounts are %.0f %% off", n, off*100)
		}
	}
}

// What is used as much as ever is no trend, and what is used more is one.
func TestRising(t *testing.T) {
	t.Parallel()
	var usual model.TrendUsual
	at := hour
	noted := func(at model.Hour, tag string, accounts int) *model.Trending {
		var h model.Trending
		for n := range accounts {
			u := use(tag, n, 0, 0, true)
			u.At = at.Time
			h.Note(at, []model.TrendUse{u})
		}
		return &h
	}
	for range 300 {
		at = at.Add(1)
		usual.Fold(at, noted(at, "daily", 20))
	}
	usual.Fold(at, nil)
	if !usual.Through.Equal(at.Time) || usual.Tags["daily"] < 18 || usual.Tags["daily"] > 20 {
		t.Fatalf("the usual is %v through %v, want about 20 through %v", usual.Tags, usual.Through, at)
	}
	lately := noted(at, "daily", 21)
	lately.Merge(noted(at, "new", 5))
	rising := model.Rising([]map[string]model.TrendSubject{nil, nil, lately.Tags}, 0.5, usual.Tags, "")
	if len(rising) != 1 || rising[0].Name != "new" || rising[0].Uses != 5 {
		t.Errorf("rising is %+v, want new of 5: 21 in 2.5 hours is less than usual", rising)
	}
	for n := range model.TrendUsuals + 500 {
		usual.Fold(at, noted(at, fmt.Sprint("tag", n), 1+n%3))
	}
	if len(usual.Tags) > model.TrendUsuals {
		t.Errorf("the usual is of %d tags", len(usual.Tags))
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"花火大会の夜": "ja", "スパーク!": "ja", "花火": "und", "불꽃": "ko", "Sparks fly": "und", "": "und",
		"Funken und das ist gut": "und",
		"ดอกไม้ไฟ":               "th", "σπίθες": "el", "искры": "und", "a long English text with 火花 and の": "und",
		"123 😀": "und",
	} {
		if got := model.DetectLanguage(text); got != want {
			t.Errorf("DetectLanguage(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"ja": "ja", "JA-jp": "ja-JP", "pt_br": "pt-BR", "zh-hant-tw": "zh-Hant-TW",
		"und": "und", "iw": "he", "x": "", "english": "", "日本": "", "en-": "", "a-b-c": "", "zz": "",
		"en-US-u-co-phonebk-x-a-very-long-private-tag": ""} {
		got, err := model.ParseLanguage(text)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("ParseLanguage(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	for tag, want := range map[string]string{"ja-JP": "ja", "und": "und", "zh-Hant": "zh", "yue": "yue", "und-Latn": "und",
		"nonsense-": "und"} {
		if got := model.BaseLanguage(tag); got != want {
			t.Errorf("BaseLanguage(%q) = %q, want %q", tag, got, want)
		}
	}
}
