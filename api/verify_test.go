package api_test

import (
	"net/http"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id), "admin": true})
	// No trigger runs here, so search has the only projections.
	tweet := e.post(t, bob, map[string]any{"content": "a spark"})
	if err := e.db.Search.Index(t.Context(), tweet.ID); err != nil {
		t.Fatal(err)
	}
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/follow", ann.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "PUT", "/v1/tweets/"+string(tweet.ID)+"/like", ann.token, nil).want(t, http.StatusNoContent, nil)

	anyVersion := cmpopts.IgnoreFields(api.Difference{}, "Version")
	user, path := "users/"+string(bob.id), "tweets/"+string(tweet.ID)
	month := "tweetMonths/" + model.MonthKey(bob.id, tweet.ID.Month())
	card := api.Difference{Kind: "tweetMonths", Document: month, Field: "tweets." + string(tweet.ID), Want: "card"}
	likes := api.Difference{Kind: "tweets", Document: path, Field: "likeCount", Have: 0.0, Want: 1.0}
	var got api.Differences
	e.do(t, "GET", "/v1/admin/verify/tweets/"+string(tweet.ID), admin, nil).want(t, http.StatusOK, &got)
	if diff := cmp.Diff([]api.Difference{likes, card}, got.Items, anyVersion); diff != "" {
		t.Errorf("verify a tweet (-want +got):\n%s", diff)
	}
	e.do(t, "GET", "/v1/admin/verify/users/"+string(bob.id)+"?settle=1", admin, nil).want(t, http.StatusOK, &got)
	found := map[string]any{}
	for _, d := range got.Items {
		found[d.Kind+" "+d.Field] = d.Want
	}
	for _, want := range []string{"users followerCount", "users tweetCount", "tweets likeCount", "tweetMonths tweets." +
		string(tweet.ID), "heads tweets." + string(tweet.ID)} {
		if _, ok := found[want]; !ok {
			t.Errorf("verify a user does not tell of %s: %+v", want, got.Items)
		}
	}
	var audit api.TimelineAudit
	e.do(t, "GET", "/v1/admin/timelines/me/audit", admin, nil).want(t, http.StatusOK, &audit)
	none := []model.Position{}
	if diff := cmp.Diff(api.TimelineAudit{Missing: []model.Position{tweet.ID.Position()}, Extra: none, Duplicate: none},
		audit); diff != "" {
		t.Errorf("audit (-want +got):\n%s", diff)
	}

	// Nothing was changed by looking.
	if _, err := e.admin.Doc(user).Get(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := e.admin.Doc(path).Update(t.Context(), []firestore.Update{{Path: "likeCount", Value: 1}}); err != nil {
		t.Fatal(err)
	}
	e.do(t, "GET", "/v1/admin/verify/tweets/"+string(tweet.ID), admin, nil).want(t, http.StatusOK, &got)
	if diff := cmp.Diff([]api.Difference{card}, got.Items); diff != "" {
		t.Errorf("verify a tweet again (-want +got):\n%s", diff)
	}

	// What an earlier look found is mended, if it still is so.
	e.do(t, "PUT", "/v1/tweets/"+string(tweet.ID)+"/share", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", "/v1/admin/verify/tweets/"+string(tweet.ID), admin, nil).want(t, http.StatusOK, &got)
	first := got.Items
	e.do(t, "PUT", "/v1/tweets/"+string(tweet.ID)+"/share", bob.token, nil).want(t, http.StatusNoContent, nil)
	repair := "/v1/admin/verify/tweets/" + string(tweet.ID) + "/repair"
	var repaired api.Repairs
	e.do(t, "POST", repair, admin, map[string]any{"against": first}).want(t, http.StatusOK, &repaired)
	if diff := cmp.Diff([]api.Repair{{Difference: card, Repaired: true}}, repaired.Items); diff != "" {
		t.Errorf("repair, while another share came (-want +got):\n%s", diff)
	}
	e.do(t, "POST", repair+"?settle=1", admin, nil).want(t, http.StatusOK, &repaired)
	if len(repaired.Items) != 1 || repaired.Items[0].Field != "shareCount" || !repaired.Items[0].Repaired {
		t.Errorf("repair = %+v, want that of shareCount", repaired.Items)
	}
	e.do(t, "GET", "/v1/admin/verify/tweets/"+string(tweet.ID), admin, nil).want(t, http.StatusOK, &got)
	if len(got.Items) > 0 {
		t.Errorf("after the repair there still is %+v", got.Items)
	}
	var shown api.Tweet
	e.do(t, "GET", "/v1/tweets/"+string(tweet.ID), ann.token, nil).want(t, http.StatusOK, &shown)
	if shown.ShareCount != 2 {
		t.Errorf("shareCount = %d, want 2", shown.ShareCount)
	}
	e.do(t, "POST", "/v1/admin/verify/users/"+string(bob.id)+"/repair?settle=1", admin, nil).
		want(t, http.StatusOK, &repaired)
	e.do(t, "GET", "/v1/admin/verify/users/"+string(bob.id), admin, nil).want(t, http.StatusOK, &got)
	if len(got.Items) > 0 || len(repaired.Items) == 0 {
		t.Errorf("%d repairs, after which there still is %+v", len(repaired.Items), got.Items)
	}
	for _, p := range []string{"users/" + string(bob.id), "tweets/" + string(tweet.ID)} {
		p := "/v1/admin/verify/" + p + "/repair"
		e.do(t, "POST", p, admin, nil).problem(t, http.StatusBadRequest, "two_snapshots_needed")
		e.do(t, "POST", p+"?settle=1", admin, map[string]any{"against": first}).
			problem(t, http.StatusBadRequest, "two_snapshots_needed")
		e.do(t, "POST", p+"?settle=21", admin, nil).problem(t, http.StatusBadRequest, "invalid_request")
		e.do(t, "POST", p, admin, map[string]any{"against": "x"}).problem(t, http.StatusBadRequest, "invalid_request")
		e.do(t, "POST", p+"?settle=1", ann.token, nil).problem(t, http.StatusForbidden, "not_admin")
	}

	for _, p := range []string{"verify/users/" + string(bob.id), "verify/tweets/" + string(tweet.ID),
		"timelines/me/audit"} {
		e.do(t, "GET", "/v1/admin/"+p, "", nil).problem(t, http.StatusUnauthorized, "unauthenticated")
		e.do(t, "GET", "/v1/admin/"+p, ann.token, nil).problem(t, http.StatusForbidden, "not_admin")
		e.do(t, "GET", "/v1/admin/"+p+"?settle=21", admin, nil).problem(t, http.StatusBadRequest, "invalid_request")
	}
	e.do(t, "GET", "/v1/admin/verify/tweets/x", admin, nil).problem(t, http.StatusBadRequest, "invalid_tweet_id")
}
