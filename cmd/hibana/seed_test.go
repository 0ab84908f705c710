package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testSeedAgain checks that hibana seed fills what another process runs, and what it says is there when it ends.
// testSeedAgain seeds a stack that is seeded already, which changes nothing.
func testSeedAgain(t *testing.T, api, auth, events string) {
	p := hibana(t, nil, "seed", "--api-port="+port(t, api), "--auth-port="+port(t, auth), "--events-port="+port(t, events))
	p.ends(0)
	wantText(t, p.out.String(), "Seeded 20 people")
	if strings.Contains(p.out.String(), "No event runner") {
		t.Error("it did not wait for the event runner")
	}
	p = hibana(t, []string{authEnv + "=" + auth}, "seed", "--api-port="+port(t, api), "--auth-port=1", "--events-port=1")
	p.ends(0)
	wantText(t, p.out.String(), "No event runner listens")
	checkSeed(t, &client{api: "http://" + api, auth: "http://" + auth})
	p = hibana(t, nil, "seed", "--api-port="+port(t, api), "--auth-port="+port(t, auth), "--events-port="+port(t, api))
	p.ends(1)
	wantText(t, p.errout.String(), "all tweets are posted", "--events-port", "404")
	p = hibana(t, nil, "seed", "--api-port="+port(t, api), "--auth-port="+port(t, api))
	p.ends(1)
	wantText(t, p.errout.String(), "no Auth emulator answers at "+api)
}

func TestSeedNothingRuns(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	tests := []struct {
		name, port string
		want       []string
	}{
		{"nothing", "1", []string{"connection refused"}},
		{"another server", port(t, strings.TrimPrefix(other.URL, "http://")), []string{"404"}},
	}
	for _, test := range tests {
		p := hibana(t, nil, "seed", "--api-port="+test.port)
		p.ends(1)
		wantText(t, p.errout.String(), append(test.want, "no API of Hibana answers at 127.0.0.1:"+test.port, "hibana dev",
			"--api-port")...)
		if out := p.out.String(); out != "" {
			t.Errorf("%s: it began all the same:\n%s", test.name, out)
		}
	}
}

// checkSeed compares what the API shows with the plan.
func checkSeed(t *testing.T, c *client) {
	plan := newPlan()
	get := func(token, path string, to any) {
		t.Helper()
		if err := c.call(t.Context(), token, http.MethodGet, path, "", nil, to); err != nil {
			t.Fatal(err)
		}
	}
	token, _, err := c.signIn(t.Context(), people[0].username+"@example.com")
	if err != nil {
		t.Fatal(err)
	}
	type user struct {
		ID                                       string
		FollowerCount, FollowedCount, TweetCount int
		Avatar, Header                           string
	}
	type tweet struct {
		ID, AuthorID          string
		ReplyTo               *string
		LikeCount, ReplyCount int
		Media                 []struct{ Alt string }
	}
	var sum struct{ followers, followed, tweets, likes, replies, answers, pictures, avatars, headers int }
	for _, person := range people {
		var u user
		get(token, "/v1/usernames/"+person.username, &u)
		sum.followers += u.FollowerCount
		sum.followed += u.FollowedCount
		sum.tweets += u.TweetCount
		var cards struct{ Items []tweet }
		get(token, "/v1/users/"+u.ID+"/tweets?pageSize=100", &cards)
		cards.Items = slices.DeleteFunc(cards.Items, func(card tweet) bool { return card.AuthorID != u.ID }) // shares
		if len(cards.Items) != u.TweetCount {
			t.Errorf("%s has %d tweets, and a count of %d", person.username, len(cards.Items), u.TweetCount)
		}
		if u.Avatar != "" {
			sum.avatars++
		}
		if u.Header != "" {
			sum.headers++
		}
		var ids []string
		for _, card := range cards.Items {
			ids = append(ids, card.ID)
		}
		var batch struct{ Items []struct{ Tweet tweet } }
		get(token, "/v1/tweets:batchGet?ids="+strings.Join(ids, ","), &batch)
		for _, item := range batch.Items {
			sum.likes += item.Tweet.LikeCount
			sum.answers += item.Tweet.ReplyCount
			sum.pictures += len(item.Tweet.Media)
			if item.Tweet.ReplyTo != nil {
				sum.replies++
			}
		}
	}
	want := sum
	want.followers, want.followed = len(plan.follows)+len(bots)*botFollows, len(plan.follows)+len(bots)*botFans
	want.tweets, want.likes = len(plan.tweets), len(plan.likes)
	want.pictures, want.avatars, want.headers = plan.pictures(), len(people), len(people)
	want.replies, want.answers = plan.replies(), plan.replies()
	if sum != want {
		t.Errorf("the seed made %+v, want %+v", sum, want)
	}
	checkSeedShop(t, c)
	checkSeedExtras(t, c, token)
	var timeline struct{ Items []tweet }
	get(token, "/v1/timeline", &timeline)
	if len(timeline.Items) != 20 {
		t.Errorf("the timeline of %s has %d tweets on its first page, want 20", people[0].username, len(timeline.Items))
	}
}

// pictures is how many pictures the tweets have.
func (p *plan) pictures() (n int) {
	for _, t := range p.tweets {
		n += len(t.Pictures)
	}
	return n
}

// checkSeedExtras counts what the first person and the moderators find beside tweets. A repetition adds none.
func checkSeedExtras(t *testing.T, c *client, token string) {
	t.Helper()
	admin, _, err := c.signIn(t.Context(), seedAdmin)
	if err != nil {
		t.Fatal(err)
	}
	var is struct{ Username, Avatar string }
	if err := c.call(t.Context(), admin, http.MethodGet, "/v1/users/me", "", nil, &is); err != nil ||
		is.Username != adminProfile.username || is.Avatar == "" {
		t.Errorf("the administrator is %+v, want a profile with an avatar (%v)", is, err)
	}
	for _, test := range []struct {
		path, token string
		want        int
	}{
		{"/v1/lists", token, 2}, {"/v1/conversations", token, len(chats)}, {"/v1/drafts", token, 1},
		{"/v1/admin/reports", admin, 1}, {"/v1/announcements", token, 1},
		{"/v1/admin/appeals", admin, 1}, {"/v1/admin/sign-ups", admin, 1}, {"/v1/orders", token, 1},
	} {
		var found struct{ Items []any }
		if err := c.call(t.Context(), test.token, http.MethodGet, test.path, "", nil, &found); err != nil ||
			len(found.Items) != test.want {
			t.Errorf("%s has %d, want %d (%v)", test.path, len(found.Items), test.want, err)
		}
	}
}

// checkSeedShop compares what the shop sells with what the seed has. Only the administrator may change it.
func checkSeedShop(t *testing.T, c *client) {
	t.Helper()
	var found struct {
		Items []struct {
			ID            string
			AmountInStock int
			Picture       *struct{ Alt string }
			product
		}
	}
	admin, err := c.signInAdmin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.call(t.Context(), admin, http.MethodGet, "/v1/products?pageSize=100", "", nil, &found); err != nil {
		t.Fatal(err)
	}
	got, id := map[string]product{}, ""
	for _, item := range found.Items {
		if item.Stock = item.AmountInStock; item.Picture == nil || item.Picture.Alt != pictured[item.Name] ||
			item.Picture.Alt == "" {
			t.Errorf("the picture of %q is %+v", item.Name, item.Picture)
		}
		got[item.Name] = item.product
		id = item.ID
	}
	want := map[string]product{}
	for _, p := range products {
		p.Stock -= ordered[p.Name]
		want[p.Name] = p
	}
	if len(found.Items) != 30 || len(want) != 30 {
		t.Errorf("the shop sells %d products, and the seed has %d names, want 30", len(found.Items), len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("products (-want +got):\n%s", diff)
	}
	customer, _, err := c.signIn(t.Context(), people[0].username+"@example.com")
	if err != nil {
		t.Fatal(err)
	}
	same := map[string]bool{"active": true}
	if err := c.call(t.Context(), admin, http.MethodPatch, "/v1/products/"+id, "", same, nil); err != nil {
		t.Errorf("the administrator may not change a product: %v", err)
	}
	if err := c.call(t.Context(), customer, http.MethodPatch, "/v1/products/"+id, "", same, nil); err == nil {
		t.Error("a customer changed a product")
	}
}
