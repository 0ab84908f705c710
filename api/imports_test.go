package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/model"
)

// uniqueUID is a uid that no other test has: all share the Auth emulator.
func uniqueUID(t *testing.T) string { return "import-" + testenv.SignUp(t, "").UID[:12] }

// An administrator makes an account with a profile, once for each uid. No answer and no log line has the password.
func TestImportUser(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	chief, uid := staff(t, "admin"), uniqueUID(t)
	email, password := strings.ToLower(uid)+"@example.com", "a secret of many sparks"
	body := func(changes map[string]any) map[string]any {
		b := map[string]any{"uid": uid, "email": strings.ToUpper(email), "password": password, "username": "ann",
			"introduction": "Sparks", "reason": "import"}
		for name, value := range changes {
			b[name] = value
		}
		return b
	}
	do := func(changes map[string]any) reply {
		t.Helper()
		r := e.do(t, "POST", "/v1/admin/users", chief.token, body(changes))
		if strings.Contains(string(r.body), password) {
			t.Errorf("the answer has the password: %s", r.body)
		}
		return r
	}
	do(map[string]any{"username": "no way"}).problem(t, http.StatusBadRequest, "invalid_username")
	do(map[string]any{"aiModel": "no such"}).problem(t, http.StatusBadRequest, "unknown_ai_model")
	all := accounts.New(emulators.DefaultProject)
	if _, err := all.Account(t.Context(), model.UserID(uid)); err == nil {
		t.Error("a refused request made an account")
	}
	var ann, again api.User
	do(nil).want(t, http.StatusCreated, &ann)
	if ann.ID != model.UserID(uid) || ann.Username != "ann" || ann.Nickname != "ann" {
		t.Errorf("the profile is %+v", ann)
	}
	account, err := all.Account(t.Context(), model.UserID(uid))
	testenv.Must(t, err)
	if account.Email != email || account.Disabled || account.Admin {
		t.Errorf("the account is %+v", account)
	}
	e.do(t, "PATCH", "/v1/admin/users/"+uid, chief.token, map[string]any{"nickname": "Ann", "reason": "x"}).
		want(t, http.StatusOK, nil)
	do(map[string]any{"reason": "once more", "password": "another secret"}).want(t, http.StatusCreated, &again)
	if again.Nickname != "Ann" || !again.CreatedAt.Equal(ann.CreatedAt) {
		t.Errorf("the repeated request gets %+v, want the profile as it is by now", again)
	}
	do(map[string]any{"introduction": "Other"}).problem(t, http.StatusConflict, "user_exists")
	do(map[string]any{"uid": uid + "-2"}).problem(t, http.StatusConflict, "username_taken")
	do(map[string]any{"uid": uid + "-2", "username": "bob"}).problem(t, http.StatusConflict, "account_exists")
	do(map[string]any{"uid": uid + "-2", "username": "bob", "email": ""}).
		problem(t, http.StatusBadRequest, "invalid_email")
	r := do(map[string]any{"password": strings.Repeat(password, 9)})
	r.problem(t, http.StatusBadRequest, "invalid_request")

	// Without an address nobody can sign in; without a uid there is a new one.
	var bob api.User
	e.do(t, "POST", "/v1/admin/users", chief.token, map[string]any{"username": "bob", "reason": "import"}).
		want(t, http.StatusCreated, &bob)
	account, err = all.Account(t.Context(), bob.ID)
	testenv.Must(t, err)
	if account.Email != "" {
		t.Errorf("bob's account is %+v, want one without an address", account)
	}
	entries := e.acts(t, chief.token, "user="+uid)
	if len(entries) != 2 || entries[1].Act != model.ActCreateUser || entries[1].By != chief.id ||
		entries[1].Reason != "import" {
		t.Errorf("the audit log has %+v, want one entry of the profile, and one of the edit", entries)
	}
	if text, _ := e.log.read(); strings.Contains(text, password) {
		t.Error("the log has the password")
	}
}

// A process that ends after the account, and before the profile, leaves what the repeated request completes.
func TestImportUserHalf(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	chief, uid := staff(t, "admin"), uniqueUID(t)
	testenv.Must(t, accounts.New(emulators.DefaultProject).Create(t.Context(), model.NewAccount{UID: model.UserID(uid)}))
	e.do(t, "POST", "/v1/admin/users", chief.token, map[string]any{"uid": uid, "username": "ann", "reason": "x"}).
		want(t, http.StatusCreated, nil)
	e.do(t, "GET", "/v1/users/"+uid, "", nil).want(t, http.StatusOK, nil)
}

// An administrator posts, edits, follows, likes and blocks in the name of users, with an entry of the audit log each.
func TestActFor(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	chief, mo := staff(t, "admin"), staff(t, "moderator")
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	made13, err := model.ImportID(ann.id, "0002000000000013")
	testenv.Must(t, err)
	id := string(made13)
	path := "/v1/admin/users/" + string(ann.id)
	tweet := map[string]any{"id": id, "content": "of 1970 @bob", "allowLikes": true, "reason": "import"}
	e.do(t, "POST", path+"/tweets", mo.token, tweet).problem(t, http.StatusForbidden, "not_admin")
	var made, again api.Tweet
	e.do(t, "POST", path+"/tweets", chief.token, tweet).want(t, http.StatusCreated, &made)
	tweet["reason"] = "once more"
	e.do(t, "POST", path+"/tweets", chief.token, tweet).want(t, http.StatusCreated, &again)
	if made.ID != made13 || made.AuthorID != ann.id || again.ID != made13 || made.CreatedAt.Year() != 1970 {
		t.Errorf("the tweet is %+v, and then %+v", made, again)
	}
	tweet["content"] = "another"
	e.do(t, "POST", path+"/tweets", chief.token, tweet).problem(t, http.StatusConflict, "tweet_exists")
	var fresh api.Tweet
	e.do(t, "POST", path+"/tweets", chief.token, map[string]any{"content": "now", "reason": "x"}).
		want(t, http.StatusCreated, &fresh)

	var edited api.Tweet
	e.do(t, "PATCH", "/v1/admin/tweets/"+id, chief.token, map[string]any{"content": "edited", "reason": "typo"}).
		want(t, http.StatusOK, &edited)
	e.do(t, "PATCH", "/v1/admin/tweets/"+id, chief.token, map[string]any{"content": "edited", "reason": "typo"}).
		want(t, http.StatusOK, &edited)
	if edited.Revision != 1 || *edited.Content != "edited" {
		t.Errorf("the edited tweet is %+v", edited)
	}
	act := func(kind, target string) reply {
		t.Helper()
		return e.do(t, "POST", "/v1/admin/users/"+string(bob.id)+"/acts", chief.token, map[string]any{"kind": kind,
			"target": target, "reason": "seed"})
	}
	for range 2 {
		act("follow", string(ann.id)).want(t, http.StatusNoContent, nil)
		act("like", id).want(t, http.StatusNoContent, nil)
	}
	relationship := "/v1/relationships/" + string(bob.id) + "/" + string(ann.id)
	e.do(t, "GET", relationship, "", nil).want(t, http.StatusOK, nil)
	act("unfollow", string(ann.id)).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", relationship, "", nil).problem(t, http.StatusNotFound, "not_following")
	act("unlike", id).want(t, http.StatusNoContent, nil)
	act("block", string(ann.id)).want(t, http.StatusNoContent, nil)
	act("follow", string(ann.id)).problem(t, http.StatusForbidden, "not_allowed")
	act("unblock", string(ann.id)).want(t, http.StatusNoContent, nil)
	act("like", "no id").problem(t, http.StatusBadRequest, "invalid_tweet_id")
	act("share", id).problem(t, http.StatusBadRequest, "invalid_request")

	kinds := map[model.Act]int{}
	for _, a := range e.acts(t, chief.token, "by=me&pageSize=100") {
		if kinds[a.Act]++; a.By != chief.id || a.Role != model.RoleAdministrator || a.Reason == "" {
			t.Errorf("the entry %+v", a)
		}
		if a.Act == model.ActEditTweet && (a.Before["content"] != "of 1970 @bob" || a.After["content"] != "edited" ||
			a.UserID != ann.id || a.TweetID != made13) {
			t.Errorf("the entry of the edit is %+v", a)
		}
	}
	if kinds[model.ActPostFor] != 2 || kinds[model.ActEditTweet] != 1 || kinds[model.ActActFor] != 9 {
		t.Errorf("the audit log has %v, want 2 tweets, 1 edit and 9 acts", kinds)
	}
}

// Nothing is done in the name of a user whom moderators froze.
func TestActForFrozen(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	root, ann, bob := staff(t, "admin"), e.join(t, "ann"), e.join(t, "bob")
	path := "/v1/admin/users/" + string(ann.id)
	e.do(t, "PUT", path+"/freeze", root.token, map[string]any{"reason": "spam"}).want(t, http.StatusOK, nil)
	e.do(t, "POST", path+"/tweets", root.token, map[string]any{"content": "x", "reason": "because"}).
		problem(t, http.StatusForbidden, "account_frozen")
	e.do(t, "POST", path+"/acts", root.token, map[string]any{"kind": "follow", "target": bob.id, "reason": "because"}).
		problem(t, http.StatusForbidden, "account_frozen")
	e.do(t, "DELETE", path+"/freeze", root.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "POST", path+"/acts", root.token, map[string]any{"kind": "follow", "target": bob.id, "reason": "because"}).
		want(t, http.StatusNoContent, nil)
}

// The digest of an import is what it was in every version before: it is kept with a tweet and a profile, and a
// repetition is known by it. Requests of all fields and of few have digests that never change.
func TestImportDigests(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	chief := staff(t, "admin")
	post := func(path string, body map[string]any) {
		t.Helper()
		body["reason"] = "import"
		e.do(t, "POST", path, chief.token, body).want(t, http.StatusCreated, nil)
	}
	digest := func(path, want string) {
		t.Helper()
		snap, err := e.admin.Doc(path).Get(t.Context())
		testenv.Must(t, err)
		if got := snap.Data()["imported"]; got != want {
			t.Errorf("%s has the digest %v, want %s", path, got, want)
		}
	}
	post("/v1/admin/users", map[string]any{"uid": "digest-of-all", "email": "digest-of-all@example.com",
		"emailVerified": true, "password": "a secret of sparks", "username": "ann", "nickname": "Ann", "introduction": "Hi",
		"avatar": "https://example.com/a.png", "aiPersonality": "calm", "blockStrangers": true, "locked": true})
	digest("userSecrets/digest-of-all", "0e863581b1fcf8d8ae9644ba81c86171")
	post("/v1/admin/users", map[string]any{"uid": "digest-of-few", "username": "bob"})
	digest("userSecrets/digest-of-few", "1f63cd9db6928f9b3b204a63f4e67980")
	tweet := func(digits string, body map[string]any) string {
		t.Helper()
		id, err := model.ImportID("digest-of-few", digits)
		testenv.Must(t, err)
		body["id"] = id
		post("/v1/admin/users/digest-of-few/tweets", body)
		return "tweets/" + string(id)
	}
	root := tweet("0002000000000013", map[string]any{"content": "few"})
	digest(root, "ddf12932f73285cc4def02b748741ea4")
	id := strings.TrimPrefix(root, "tweets/")
	digest(tweet("0002000000000014", map[string]any{"content": "all", "summary": "s", "tags": []string{"a", "b"},
		"replyTo": id, "quoteOf": id, "allowLikes": false, "allowReplies": false, "allowQuotes": false, "language": "en",
		"visibility": "unlisted"}), "51e225cf8082ddf6fa0be39aceac00fc")
}
