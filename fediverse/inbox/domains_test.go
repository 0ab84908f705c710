package inbox_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/federation"
	"github.com/hibana-sns/hibana/store/moderation"
)

// by is an administrator.
var by = moderation.Actor{UID: "ann", Role: "admin"}

// A suspended domain sends nothing and is asked nothing, other processes hear of it within a minute, and its users
// leave with their follows.
func TestSuspend(t *testing.T) {
	t.Parallel()
	e, f, other := open(t), far.New(t), far.New(t)
	bob, cho := f.Actor("bob", nil), other.Actor("cho", nil)
	e.gets(t, say("Follow", bob, f.URL+"/1", site.User("ann"), nil))
	e.gets(t, say("Follow", cho, other.URL+"/1", site.User("ann"), nil))
	process := e.Again(t, store.Options{Federation: far.Options(t, own)})
	if rule, err := process.Federation.Domain(t.Context(), f.Host); err != nil || rule.Suspended() {
		t.Fatalf("before there is %v, %v", rule, err)
	}
	e.arrives(t, say("Like", bob, f.URL+"/2", site.Post(e.Tweet(t, "ann", "hello").ID), nil), e.Clock.Now())
	testenv.Must(t, storetest.Costs(t, "SetDomain", 2, 4, 0, func(ctx context.Context) error {
		return e.Moderation.SetDomain(ctx, by, f.Host, model.DomainRule{Severity: model.DomainSuspend,
			PrivateComment: "spam"})
	}))
	e.work(t)
	if likes := e.IDs(t, model.Likes); len(likes) != 0 {
		t.Errorf("an activity that came before has the effect %v", likes)
	}
	storetest.WantErr(t, e.Federation.RefuseSuspended(t.Context(), bob), errs.Forbidden, "domain_blocked")
	storetest.WantErr(t, e.Federation.RefuseSuspended(t.Context(), "http://"+strings.ToUpper(f.Host)+"/x"),
		errs.Forbidden, "domain_blocked")
	testenv.Must(t, e.Federation.RefuseSuspended(t.Context(), cho))
	_, err := e.Federation.Fetch(t.Context(), f.URL+"/anything")
	storetest.WantErr(t, err, errs.Forbidden, "domain_blocked")
	if f.Asked("/anything") != 0 {
		t.Error("a suspended server was asked")
	}
	e.Clock.Add(federation.Every + time.Second)
	storetest.WantErr(t, process.Federation.RefuseSuspended(t.Context(), bob), errs.Forbidden, "domain_blocked")

	ids := e.IDs(t, model.Purges)
	if len(ids) != 1 {
		t.Fatalf("the purges are %v", ids)
	}
	testenv.Must(t, process.Federation.Purge(t.Context(), ids[0], &model.Purge{Realm: model.Realm(f.Host)},
		e.in.RemoveUser))
	if left := e.IDs(t, model.AccountDeletions); len(left) != 1 || left[0] != string(model.RemoteUserID(bob)) {
		t.Errorf("%v leave", left)
	}
	if ids := e.IDs(t, model.Purges); len(ids) != 0 {
		t.Errorf("the purge goes on: %v", ids)
	}
	testenv.Must(t, e.Moderation.RemoveDomain(t.Context(), by, f.Host))
	testenv.Must(t, e.Federation.RefuseSuspended(t.Context(), bob))
}

// Posts of a silenced domain are in no public list; those of one without media have none.
func TestSilence(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	testenv.Must(t, e.Moderation.SetDomain(t.Context(), by, f.Host, model.DomainRule{Severity: model.DomainSilence,
		RejectMedia: true, RejectReports: true}))
	iri := f.URL + "/posts/1"
	e.gets(t, say("Create", bob, iri+"#c", note(iri, bob, map[string]any{
		"tag":        []any{map[string]any{"type": "Mention", "href": site.User("ann"), "name": "@ann"}},
		"attachment": []any{map[string]any{"type": "Image", "url": "https://cdn.example/a.png", "mediaType": "image/png"}},
	}), nil))
	id, err := e.of.KnownPost(t.Context(), iri)
	testenv.Must(t, err)
	is, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{})
	testenv.Must(t, err)
	if is.Visibility != model.Unlisted || strings.Contains(is.Content, "cdn.example") || is.Imported == "" {
		t.Errorf("the post of a silenced server is %s: %s", is.Visibility, is.Content)
	}
	e.gets(t, say("Flag", bob, f.URL+"/2", site.User("ann"), nil))
	if ids := e.IDs(t, model.Reports); len(ids) != 0 {
		t.Errorf("there are the reports %v", ids)
	}
}

// Rules hold for subdomains, whatever the letters and the dot behind a name, and a suspension for all below it.
func TestDomainRules(t *testing.T) {
	t.Parallel()
	e := open(t)
	set := func(domain string, severity model.DomainSeverity) {
		t.Helper()
		name, err := model.DomainName(domain)
		testenv.Must(t, err)
		testenv.Must(t, e.Moderation.SetDomain(t.Context(), by, name, model.DomainRule{Severity: severity}))
	}
	set("*.Bad.Example", model.DomainSuspend)
	set("good.bad.example", model.DomainSilence)
	set("loud.example", model.DomainSilence)
	set("nice.loud.example", model.DomainNoop)
	set("日本語.example", model.DomainSuspend)
	for host, want := range map[string]model.DomainSeverity{"bad.example": "suspend", "a.b.bad.example": "suspend",
		"BAD.example.": "suspend", "bad.example:443": "suspend", "notbad.example": "", "bad.example.org": "",
		"good.bad.example": "suspend", "loud.example": "silence", "x.loud.example": "silence",
		"nice.loud.example": "noop", "xn--wgv71a119e.example": "suspend", "example": "", "": ""} {
		if rule, err := e.Federation.Domain(t.Context(), host); err != nil || rule.Severity != want {
			t.Errorf("%q is %q, want %q: %v", host, rule.Severity, want, err)
		}
	}
	o := far.Options(t, own)
	o.AllowList = true
	only := e.Again(t, store.Options{Federation: o})
	testenv.Must(t, e.Moderation.SetDomain(t.Context(), by, "friend.example", model.DomainRule{
		Severity: model.DomainAllow}))
	for host, suspended := range map[string]bool{"friend.example": false, "a.friend.example": false, "else.example": true,
		"bad.example": true, "loud.example": false, "nice.loud.example": true} {
		if rule, err := only.Federation.Domain(t.Context(), host); err != nil || rule.Suspended() != suspended {
			t.Errorf("in allow-list mode %q is %+v: %v", host, rule, err)
		}
	}
}

// A list of Mastodon is imported in a few writes, and again changes nothing; rules that are there get stricter alone.
func TestImportDomains(t *testing.T) {
	t.Parallel()
	e := open(t)
	testenv.Must(t, e.Moderation.SetDomain(t.Context(), by, "d1.example", model.DomainRule{
		Severity: model.DomainSuspend}))
	testenv.Must(t, e.Moderation.SetDomain(t.Context(), by, "d2.example", model.DomainRule{Severity: model.DomainNoop}))
	var list strings.Builder
	list.WriteString("#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n")
	const rows = 10_000
	for i := range rows - 3 {
		fmt.Fprintf(&list, "d%d.example,silence,true,false,\"spam, and %d\",false\n", i, i)
	}
	list.WriteString("ex***le.com,suspend,,,,true\nd3.example,drop,,,,\nnothing\n")
	rules, skipped, err := model.ParseDomains(list.String())
	testenv.Must(t, err)
	if len(rules) != rows-3 || len(skipped) != 3 || skipped[0] != rows-1 {
		t.Fatalf("%d rules, and the lines %v are skipped", len(rules), skipped)
	}
	want := moderation.DomainImport{Added: rows - 5, Stricter: 2}
	for range 2 {
		is, err := e.Moderation.ImportDomains(t.Context(), by, rules)
		testenv.Must(t, err)
		if is != want {
			t.Errorf("the import is %+v, want %+v", is, want)
		}
		want = moderation.DomainImport{Kept: rows - 3}
	}
	for domain, severity := range map[string]model.DomainSeverity{"d1.example": "suspend", "d2.example": "silence",
		"x.d9996.example": "silence"} {
		if rule, err := e.Federation.Domain(t.Context(), domain); err != nil || rule.Severity != severity ||
			!rule.RejectMedia {
			t.Errorf("%s is %+v: %v", domain, rule, err)
		}
	}
	process := e.Again(t, store.Options{})
	start := time.Now()
	testenv.Must(t, storetest.Costs(t, "Domain", 0, 0, 0, func(ctx context.Context) error {
		_, err := process.Federation.Domain(ctx, "a.example")
		return err
	}))
	t.Logf("a process reads 10,000 domains in %s", time.Since(start))
	page, total, err := e.Federation.Domains(t.Context(), "d9", 50)
	if err != nil || total != rows-3 || len(page) != 50 || page[0].Domain != "d9.example" {
		t.Errorf("a page is %v of %d: %v", page, total, err)
	}
	for what, text := range map[string]string{"no names": "a.example,suspend\n", "no CSV": "#domain\n\"a",
		"too many": "#domain\n" +
			strings.Repeat("a.example\n", rows+1)} {
		if _, _, err := model.ParseDomains(text); errs.CodeOf(err) != "invalid_domains" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A host whose activities wait fills the database to a bound, and the others are heard meanwhile.
func TestInboxBomb(t *testing.T) {
	t.Parallel()
	e, f, other := open(t), far.New(t), far.New(t)
	bob, cho := f.Actor("bob", nil), other.Actor("cho", nil)
	receive := func(by string, n int) error {
		text := say("Follow", by, fmt.Sprint(by, "/", n), site.User("ann"), nil)
		o, err := inbox.Read(text)
		testenv.Must(t, err)
		return e.in.Receive(t.Context(), o, text, e.Clock.Now())
	}
	kept, refused := 0, 0
	for n := range model.MaxIncomingOfHost + 250 {
		switch err := receive(bob, n); {
		case err == nil:
			kept++
		case errs.CodeOf(err) == "too_many_activities":
			refused++
		default:
			t.Fatal(err)
		}
		e.Clock.Add(200 * time.Millisecond)
	}
	if waiting := len(e.IDs(t, model.IncomingActivities)); waiting > model.MaxIncomingOfHost+200 || refused == 0 {
		t.Errorf("%d activities of one host wait, %d were kept and %d refused", waiting, kept, refused)
	}
	testenv.Must(t, receive(cho, 1))
	e.work(t)
	e.Clock.Add(time.Minute)
	for n := range 30 {
		testenv.Must(t, receive(bob, 10_000+n))
	}
}
