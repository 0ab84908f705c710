package config

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/push/vapid"
)

const key = "0123456789abcdef0123456789abcdef"

// The service of the functions takes events of callers that are named, but for the emulator, where nobody else is.
func TestReadFunctions(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environment map[string]string
		ok          bool
	}{
		"on Cloud Run": {map[string]string{"K_SERVICE": "functions",
			"CALLERS": "a@p.iam.gserviceaccount.com, b@p.iam.gserviceaccount.com"}, true},
		"on Cloud Run, of anybody": {map[string]string{"K_SERVICE": "functions"}, false},
		"commas alone":             {map[string]string{"K_SERVICE": "functions", "CALLERS": " , "}, false},
		"elsewhere, of anybody":    {nil, false},
		"an emulator":              {map[string]string{"FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"}, true},
		"an emulator's on Cloud Run": {map[string]string{"K_SERVICE": "functions", "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"},
			false},
	} {
		environment := map[string]string{"GOOGLE_CLOUD_PROJECT": "p"}
		maps.Copy(environment, test.environment)
		c, err := ReadFunctions(environment)
		if (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
		if _, named := environment["CALLERS"]; named && test.ok && len(c.CallerAccounts()) != 2 {
			t.Errorf("%s: %q", name, c.CallerAccounts())
		}
	}
}

func TestReadAPI(t *testing.T) {
	t.Parallel()
	got, err := ReadAPI(map[string]string{
		"PORT": "8080", "GOOGLE_CLOUD_PROJECT": "p", "FIRESTORE_DATABASE": "d", "K_SERVICE": "api", "PAGE_TOKEN_KEY": key,
	})
	want := API{Service: Service{Port: 8080, Project: "p", Database: "d", Name: "api", TimeZone: "Asia/Tokyo",
		LinkCards: true, Federation: "off"}, PageTokenKey: key, TrustedHops: -1, ServerTiming: "all", AppCheck: "off",
		RenameEvery:   time.Hour,
		UsernameEvery: 168 * time.Hour, MediaBytesADay: 200_000_000, Streaming: "off"}
	if err != nil || got != want {
		t.Errorf("on Cloud Run: %+v, %v", got, err)
	}
	laptop := map[string]string{
		"GOOGLE_CLOUD_PROJECT": "demo-hibana", "FIRESTORE_EMULATOR_HOST": "127.0.0.1:8080",
		"FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9099",
	}
	one, err1 := ReadAPI(laptop)
	two, err2 := ReadAPI(laptop)
	if err1 != nil || err2 != nil || one.Port != 8000 || one.FirestoreEmulator != "127.0.0.1:8080" ||
		one.AuthEmulator != "127.0.0.1:9099" {
		t.Errorf("on a laptop: %+v, %v, %v", one, err1, err2)
	}
	if got.Hops() != 1 || one.Hops() != 0 || (API{TrustedHops: 2}).Hops() != 2 {
		t.Errorf("proxies: %d, %d", got.Hops(), one.Hops())
	}
	if len(one.PageTokenKey) < minKey || one.PageTokenKey == two.PageTokenKey {
		t.Error("the key is not random")
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	private, _, err := vapid.Generate()
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := vapid.Generate()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name        string
		environment map[string]string
		problems    []string
	}{
		{"nothing", map[string]string{}, []string{"GOOGLE_CLOUD_PROJECT"}},
		{"everything", map[string]string{
			"PORT": "http", "K_SERVICE": "api", "FIRESTORE_EMULATOR_HOST": "h:1", "FIREBASE_AUTH_EMULATOR_HOST": "h:2",
			"PAGE_TOKEN_KEY": "short",
		}, []string{"PORT", "GOOGLE_CLOUD_PROJECT", "FIRESTORE_EMULATOR_HOST", "let anyone in", "32"}},
		{"no key on Cloud Run", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "K_SERVICE": "api"},
			[]string{"PAGE_TOKEN_KEY"}},
		{"a short key", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "PAGE_TOKEN_KEY": key[1:]}, []string{"31 bytes"}},
		{"no mode of digests", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "PAGE_TOKEN_KEY": key, "CHANGE_DIGESTS": "on"},
			[]string{"CHANGE_DIGESTS is off, heard or written"}},
		{"no bytes", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "PAGE_TOKEN_KEY": key, "CACHE_BYTES": "-1"},
			[]string{"CACHE_BYTES is negative"}},
		{"headers", map[string]string{
			"GOOGLE_CLOUD_PROJECT": "p", "CORS_ORIGINS": "https://example.com, " +
				"http://localhost:*,*,https://example.com/path,example.com", "SERVER_TIMING": "nobody", "APP_CHECK": "on",
		}, []string{`"https://example.com/path"`, `"example.com"`, "SERVER_TIMING", "APP_CHECK"}},
		{"limits", map[string]string{"GOOGLE_CLOUD_PROJECT": "p",
			"LIMITS": "posts=1/day,post=2/day,reads=3,parallel=4/day,likes=0/day", "MAX_REQUESTS": "-1", "RENAME_EVERY": "-1s"},
			[]string{"RENAME_EVERY", `"post" is no limit; there are requests`, `"reads=3"`, `"parallel=4/day"`, `"likes=0/day"`,
				"MAX_REQUESTS"}},
		{"keys of web push", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "VAPID_PRIVATE_KEY": key[1:],
			"VAPID_PUBLIC_KEY": "x y"}, []string{"VAPID_PRIVATE_KEY", "VAPID_PUBLIC_KEY", "VAPID_CONTACT"}},
		{"keys of others", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "VAPID_PRIVATE_KEY": private,
			"VAPID_PUBLIC_KEY": other, "VAPID_CONTACT": "ops@example.com"}, []string{"not the public key of"}},
		{"half a search engine", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "SEARCH_LOGIN": "ann:" + private},
			[]string{"without SEARCH_URL"}},
		{"a search engine with a misplaced password", map[string]string{"GOOGLE_CLOUD_PROJECT": "p",
			"SEARCH_URL": "https://ann:" + private + "@h", "SEARCH_LOGIN": private}, []string{"SEARCH_URL or",
			"SEARCH_LOGIN is not username:password"}},
		{"a search engine that all hear", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "K_SERVICE": "api",
			"PAGE_TOKEN_KEY": key, "SEARCH_URL": "http://h:9200", "SEARCH_LOGIN": "ann:" + private}, []string{"use https"}},
		{"a bad search index", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "SEARCH_URL": "https://h",
			"SEARCH_INDEX": "_all"}, []string{"name of a search index"}},
		{"port", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "PORT": "65536"}, []string{"PORT"}},
		{"neither true nor false", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "REQUIRE_VERIFIED_EMAIL": "perhaps"},
			[]string{"REQUIRE_VERIFIED_EMAIL is not true or false"}},
		{"half of the media", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "UPLOADS_BUCKET": "gs://u"},
			[]string{"of UPLOADS_BUCKET and MEDIA_BUCKET one is set"}},
		{"media in folders", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "UPLOADS_BUCKET": "/u", "MEDIA_BUCKET": "/m"},
			[]string{"_BUCKET is a folder", "_BUCKET is a folder"}},
		{"results among uploads", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "UPLOADS_BUCKET": "gs://u",
			"MEDIA_BUCKET": "gs://u"}, []string{"are the same"}},
		{"no key of media", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "K_SERVICE": "api", "PAGE_TOKEN_KEY": key,
			"UPLOADS_BUCKET": "gs://u", "MEDIA_BUCKET": "gs://m"}, []string{"MEDIA_KEY is not set"}},
		{"a short key of media", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "MEDIA_KEY": key[1:]},
			[]string{"MEDIA_KEY has 31 bytes"}},
		{"media at a path, and none a day", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "MEDIA_URL": "https://h/media/",
			"MEDIA_BYTES_A_DAY": "0"}, []string{"MEDIA_BYTES_A_DAY is not positive", "MEDIA_URL is"}},
		{"pages at a path", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "PUBLIC_URL": "https://h/"},
			[]string{"PUBLIC_URL is"}},
		{"links to an instance itself", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "K_SERVICE": "s",
			"PAGE_TOKEN_KEY": key, "ALLOW_LOOPBACK_LINKS": "true"}, []string{"ALLOW_LOOPBACK_LINKS is set on Cloud Run"}},
		{"pages at any port", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "PUBLIC_URL": "https://h:*"},
			[]string{"PUBLIC_URL is"}},
		{"emulated files of a real service", map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "K_SERVICE": "api",
			"PAGE_TOKEN_KEY": key, "STORAGE_EMULATOR_HOST": "h:3"}, []string{"every file would be lost"}},
		{"emulated users of a real database", map[string]string{"GOOGLE_CLOUD_PROJECT": "p",
			"FIREBASE_AUTH_EMULATOR_HOST": "h:2"}, []string{"real database"}},
	}
	for _, test := range tests {
		_, err := ReadAPI(test.environment)
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(test.problems)+1 {
			t.Errorf("%s: %v; want %d problems", test.name, err, len(test.problems))
		}
		for _, p := range test.problems {
			if !strings.Contains(err.Error(), p) {
				t.Errorf("%s: %v; want it to name %s", test.name, err, p)
			}
		}
		if strings.Contains(err.Error(), "short") || strings.Contains(err.Error(), key[1:]) ||
			strings.Contains(err.Error(), private) {
			t.Errorf("%s: the error tells the key: %v", test.name, err)
		}
	}
	service, err := ReadService(map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "K_SERVICE": "functions"})
	if err != nil || service.Name != "functions" {
		t.Errorf("the functions need no key: %v", err)
	}
}

func TestSearchEngine(t *testing.T) {
	t.Parallel()
	c, err := ReadService(map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "K_SERVICE": "functions",
		"SEARCH_URL": "https://h:9200", "SEARCH_LOGIN": "ann:a:b"})
	if o := c.SearchEngine(); err != nil || o.URL != "https://h:9200" || o.Index != "hibana-p" || o.Username != "ann" ||
		o.Password != "a:b" {
		t.Errorf("%+v, %v", o, err)
	}
	c.Database = "restored"
	if got := c.SearchEngine().Index; got != "hibana-p_restored" {
		t.Errorf("the index of another database is %q", got)
	}
	if strings.Contains(fmt.Sprintf("%v %+v", c, c), "a:b") {
		t.Error("the password shows")
	}
}

func TestSecretDoesNotShow(t *testing.T) {
	t.Parallel()
	c := API{PageTokenKey: key}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", c.PageTokenKey, "all", c)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", c.PageTokenKey, "all", c)
	fmt.Fprintf(&log, "%v %+v %#v %s %q", c, c, c, c.PageTokenKey, c.PageTokenKey)
	if strings.Contains(log.String(), key) {
		t.Errorf("the key shows: %s", log.String())
	}
}

func TestVAPID(t *testing.T) {
	t.Parallel()
	private, public, err := vapid.Generate()
	if err != nil {
		t.Fatal(err)
	}
	for _, contact := range []string{"mailto:ops@example.com", "ops@example.com", "https://example.com/contact"} {
		for _, with := range []string{public, ""} {
			c, err := ReadService(map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "VAPID_PRIVATE_KEY": private,
				"VAPID_PUBLIC_KEY": with, "VAPID_CONTACT": contact})
			if err != nil || string(c.VAPIDPrivateKey) != private || strings.Contains(fmt.Sprintf("%v %+v", c, c), private) {
				t.Errorf("%s: %v, %v", contact, c, err)
			}
		}
	}
	if _, err := ReadAPI(map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "VAPID_PUBLIC_KEY": public,
		"FCM": "true"}); err != nil {
		t.Error(err)
	}
}
