package mastodon_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

const origin = "https://hibana.example"

// atOrigin makes an installation one with an address.
func atOrigin(o *api.Options) { o.PublicURL = origin }

// names returns the names of accounts.
func names(all []*client.Account) []string {
	return each(all, func(a *client.Account) string { return a.Acct })
}

// People are found by name, handle and id. A profile changes by each form of body, and says to whom the user moved.
func TestAccounts(t *testing.T) {
	t.Parallel()
	e := newEnv(t, atOrigin)
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	for _, name := range []string{"bob", "@bob", "BOB", "bob@hibana.example", "@Bob@hibana.example"} {
		if found, err := ann.AccountLookup(t.Context(), name); err != nil || string(found.ID) != bob.id {
			t.Errorf("%s is %+v, %v", name, found, err)
		}
	}
	for _, path := range []string{"lookup?acct=nobody", "lookup?acct=bob@social.example", "lookup", "bob", "x%20y",
		"cid/lists%2f"} {
		e.ask(t, ann, "GET /api/v1/accounts/"+path, nil).want(t, http.StatusNotFound, nil)
	}
	var several []*client.Account
	e.ask(t, ann, "GET /api/v1/accounts?id[]="+cid.id+"&id[]=nobody&id[]="+bob.id, nil).want(t, http.StatusOK, &several)
	same(t, "accounts by id", names(several), []string{"cid", "bob"})

	form := "display_name=Ann+B&note=a+*spark*&locked=true&bot=1&discoverable=on&source[language]=ja" +
		"&fields_attributes[1][name]=second&fields_attributes[1][value]=2&fields_attributes[0][name]=first" +
		"&fields_attributes[0][value]=1&fields_attributes[2][name]=&fields_attributes[2][value]="
	var own struct {
		DisplayName               string `json:"display_name"`
		Note                      string
		Locked, Bot, Discoverable bool
		Fields                    []client.Field
		Source                    struct {
			Note, Language, Privacy string
			Fields                  []client.Field
			FollowRequestsCount     int `json:"follow_requests_count"`
		}
		Role struct{ ID, Permissions string }
	}
	e.askAs(t, ann, "PATCH /api/v1/accounts/update_credentials", "application/x-www-form-urlencoded",
		strings.NewReader(form)).want(t, http.StatusOK, &own)
	same(t, "fields", each(own.Source.Fields, func(f client.Field) string { return f.Name + f.Value }),
		[]string{"first1", "second2"})
	if own.DisplayName != "Ann B" || own.Source.Note != "a *spark*" || !strings.Contains(own.Note, "<em>spark</em>") ||
		!own.Locked || !own.Bot || !own.Discoverable || own.Source.Language != "ja" || own.Role.ID != "-99" {
		t.Errorf("ann is %+v", own)
	}
	if _, err := bob.AccountFollow(t.Context(), client.ID(ann.id)); err != nil {
		t.Error(err)
	}
	e.ask(t, ann, "GET /api/v1/accounts/verify_credentials", nil).want(t, http.StatusOK, &own)
	same(t, "requests", own.Source.FollowRequestsCount, 1)
	e.ask(t, ann, "PATCH /api/v1/profile", map[string]any{"fields_attributes": []any{}, "locked": false}).
		want(t, http.StatusOK, &own)
	if len(own.Fields) != 0 || own.Locked || own.DisplayName != "Ann B" {
		t.Errorf("ann is %+v after the second change", own)
	}
	e.ask(t, ann, "PATCH /api/v1/profile", map[string]any{"display_name": strings.Repeat("x", 60)}).
		want(t, http.StatusUnprocessableEntity, nil)

	_, err := testenv.Client(t, e.stack.Project).Doc("users/"+bob.id).Update(t.Context(), []firestore.Update{
		{Path: "movedTo", Value: origin + "/users/" + cid.id}})
	testenv.Must(t, err)
	found, err := ann.GetAccount(t.Context(), client.ID(bob.id))
	if err != nil || found.Moved == nil || found.Moved.Acct != "cid" {
		t.Errorf("bob is %+v, %v, and moved to cid", found, err)
	}
}

// The only user of an installation is me. Somebody of another server has the host in acct, and their own page. The
// caller's own account says what the caller may do as staff.
func TestSingleUser(t *testing.T) {
	t.Parallel()
	e := newEnv(t, atOrigin, func(o *api.Options) { o.SingleUser = "ann" })
	ann := e.join(t, "ann")
	db := testenv.Client(t, e.stack.Project)
	snap, err := db.Doc("users/" + ann.id).Get(t.Context())
	testenv.Must(t, err)
	data := snap.Data()
	data["username"] = "bob@social.example"
	data["remote"] = map[string]any{"iri": "https://social.example/u/1", "url": "https://social.example/@bob"}
	_, err = db.Doc("users/remote1").Set(t.Context(), data)
	testenv.Must(t, err)

	for _, name := range []string{"me", "ann", "me@hibana.example", "ann@hibana.example"} {
		found, err := ann.AccountLookup(t.Context(), name)
		if err != nil || string(found.ID) != ann.id || found.Acct != "me" {
			t.Errorf("%s is %+v, %v", name, found, err)
		}
	}
	bob, err := ann.GetAccount(t.Context(), "remote1")
	testenv.Must(t, err)
	same(t, "bob", []string{bob.Acct, bob.Username, bob.URL},
		[]string{"bob@social.example", "bob", "https://social.example/@bob"})

	for claim, want := range map[string]string{"admin": "3", "moderator": "1", "other": "-99"} {
		staff := person{token: testenv.Token(emulators.DefaultProject, map[string]any{"sub": ann.id, claim: true})}
		var own struct{ Role struct{ ID string } }
		e.ask(t, staff, "GET /api/v1/accounts/verify_credentials", nil).want(t, http.StatusOK, &own)
		same(t, "the role of "+claim, own.Role.ID, want)
	}
}

// Followers are listed page by page, and an account says who follows whom of those that the caller follows.
func TestFollowersOfAccounts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid, dan := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid"), e.join(t, "dan")
	for _, f := range [][2]person{{ann, bob}, {bob, dan}, {cid, dan}, {ann, cid}} {
		_, err := f[0].AccountFollow(t.Context(), client.ID(f[1].id))
		testenv.Must(t, err)
	}
	e.idle(t)
	var walked []string
	p := &client.Pagination{Limit: 1}
	for range 5 {
		some, err := ann.GetAccountFollowers(t.Context(), client.ID(dan.id), p)
		testenv.Must(t, err)
		if walked = append(walked, names(some)...); p.MaxID == "" {
			break
		}
		p = &client.Pagination{Limit: 1, MaxID: p.MaxID}
	}
	same(t, "followers of dan", walked, []string{"cid", "bob"})
	following, err := dan.GetAccountFollowing(t.Context(), client.ID(ann.id), nil)
	testenv.Must(t, err)
	same(t, "whom ann follows", names(following), []string{"cid", "bob"})

	var familiar []struct {
		ID       string
		Accounts []*client.Account
	}
	e.ask(t, ann, "GET /api/v1/accounts/familiar_followers?id[]="+dan.id+"&id[]=nobody", nil).
		want(t, http.StatusOK, &familiar)
	if len(familiar) != 2 || familiar[0].ID != dan.id || familiar[1].Accounts == nil {
		t.Fatalf("familiar followers are %+v", familiar)
	}
	same(t, "familiar followers of dan", names(familiar[0].Accounts), []string{"cid", "bob"})

	several, err := ann.AccountsSearch(t.Context(), "b", 10)
	testenv.Must(t, err)
	same(t, "those named b", names(several), []string{"bob"})
	for query, want := range map[string][]string{"q=d&following=true": {}, "q=c&following=true": {"cid"},
		"q=%40dan":         {"dan"},
		"q=http%3A%2F%2Fx": {}, "q=" + strings.Repeat("x", 600): {}} {
		var found []*client.Account
		e.ask(t, ann, "GET /api/v1/accounts/search?"+query, nil).want(t, http.StatusOK, &found)
		same(t, query[:min(len(query), 30)], names(found), want)
	}
	var found []*client.Account
	e.ask(t, dan, "PATCH /api/v1/profile", map[string]any{"discoverable": true}).want(t, http.StatusOK, nil)
	e.idle(t)
	e.ask(t, person{}, "GET /api/v1/directory?order=new", nil).want(t, http.StatusOK, &found)
	same(t, "the directory", names(found), []string{"dan"})
}

// An avatar and a header that come as files are those of the profile, until they are taken off.
func TestProfilePictures(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var picture bytes.Buffer
	testenv.Must(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 60, 60))))
	send := func(avatar []byte) answer {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for name, data := range map[string][]byte{"avatar": avatar, "header": picture.Bytes()} {
			part, err := form.CreateFormFile(name, name+".png")
			testenv.Must(t, err)
			_, err = part.Write(data)
			testenv.Must(t, err)
		}
		testenv.Must(t, form.WriteField("display_name", "Ann"))
		testenv.Must(t, form.Close())
		return e.askAs(t, ann, "PATCH /api/v1/accounts/update_credentials", form.FormDataContentType(), &body)
	}
	var a client.Account
	send(picture.Bytes()).want(t, http.StatusOK, &a)
	if a.DisplayName != "Ann" {
		t.Errorf("ann is %q", a.DisplayName)
	}
	for _, address := range []string{a.Avatar, a.Header} {
		resp, err := http.Get(address) //nolint:noctx // of this test
		testenv.Must(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		testenv.Must(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || strings.Contains(address, "missing") {
			t.Errorf("%s answers %s", address, resp.Status)
		}
	}
	noise, large := image.NewGray(image.Rect(0, 0, 400, 400)), bytes.Buffer{}
	_, err := io.ReadFull(rand.Reader, noise.Pix)
	testenv.Must(t, err)
	testenv.Must(t, png.Encode(&large, noise))
	if before := a.Avatar; large.Len() < 128<<10 {
		t.Fatal("the picture is small enough to be in memory")
	} else if send(large.Bytes()).want(t, http.StatusOK, &a); a.Avatar == before || a.DisplayName != "Ann" {
		t.Errorf("after a large picture ann is %q with %s", a.DisplayName, a.Avatar)
	}
	typed := map[string]any{"note": "typed", "avatar": "data:image/png;base64," +
		base64.StdEncoding.EncodeToString(large.Bytes())}
	before := a.Avatar
	e.ask(t, ann, "PATCH /api/v1/profile", typed).want(t, http.StatusOK, &a)
	if a.Avatar == before || !strings.Contains(a.Note, "typed") {
		t.Errorf("after a large data URL ann is %q with %s", a.Note, a.Avatar)
	}
	typed["avatar"] = strings.Repeat("x", 5<<20)
	e.ask(t, ann, "PATCH /api/v1/profile", typed).want(t, http.StatusRequestEntityTooLarge, nil)
	for _, bad := range [][]byte{[]byte("no picture"), append(picture.Bytes()[:40:40], "broken"...),
		append(picture.Bytes()[:picture.Len():picture.Len()], make([]byte, 9<<20)...)} {
		send(bad).want(t, http.StatusUnprocessableEntity, nil)
	}
	e.ask(t, ann, "DELETE /api/v1/profile/avatar", nil).want(t, http.StatusOK, &a)
	e.ask(t, ann, "DELETE /api/v1/profile/header", nil).want(t, http.StatusOK, &a)
	if all := []string{a.Avatar, a.Header}; slices.ContainsFunc(all, func(at string) bool {
		return !strings.HasSuffix(at, "/original/missing.png")
	}) {
		t.Errorf("without pictures ann has %q", all)
	}
}
