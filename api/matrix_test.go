package api_test

import (
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/shop"
)

var update = flag.Bool("update", false, "rewrite the files of testdata and openapi.json with what the API answers")

const matrixFile = "testdata/matrix.txt"

// callers are the columns of the matrix. The owner is the user, or the author of the tweet,
// whom a request is about. The owner hides what the muted shares: a mute is of what one sees
// oneself, so the muted is a stranger.
var callers = []string{"signed-out", "anonymous", "no-profile", "stranger", "follower", "blocked", "muted", "frozen",
	"owner", "moderator", "administrator"}

// claims are what the ID tokens of some callers say.
var claims = map[string]string{"frozen": "frozen", "moderator": "moderator", "administrator": "admin"}

// TestMatrix sends each request of testdata/matrix.txt as each caller, and compares the
// answers. Every route of the OpenAPI document needs a line by which somebody succeeds. An act of
// a moderator or administrator makes one entry of the audit log, and no other request makes one.
//
// A line of a new route is its request alone; -update adds the answers.
func TestMatrix(t *testing.T) {
	testenv.Slow(t, "every role on every route")
	t.Parallel()
	text, err := os.ReadFile(matrixFile)
	testenv.Must(t, err)
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	operations := everyRoute(t, lines)
	shared := newAccounts(t)
	m := &matrix{answers: make([][]string, len(lines)), statuses: map[string]int{}, done: map[string]bool{}}
	t.Run("rows", func(t *testing.T) {
		for n, line := range lines {
			if request, ok := matrixRow(line); ok {
				t.Run(request, func(t *testing.T) {
					t.Parallel()
					m.answers[n] = m.run(t, request, shared)
				})
			}
		}
	})
	for _, id := range operations {
		if !m.done[id] && id != "moveAway" { // only between two servers, see tests/e2e
			t.Errorf("%s has no line by which anybody may %s, and does it", matrixFile, id)
		}
	}
	if t.Failed() {
		return
	}
	for n, answers := range m.answers {
		if answers != nil && answers[slices.Index(callers, "muted")] != answers[slices.Index(callers, "stranger")] {
			t.Errorf("%s: the muted is no stranger: %q", lines[n], answers)
		}
	}
	want := m.format(lines)
	switch {
	case *update:
		testenv.Must(t, os.WriteFile(matrixFile, []byte(want), 0o666))
	case want != string(text):
		t.Errorf("%s is not what the API answers; look at the difference, and write it with -update (-file +API):\n%s",
			matrixFile, cmp.Diff(string(text), want))
	}
}

// matrixRow returns the request of a line. Behind it stand the answers, in the order of callers.
func matrixRow(line string) (request string, ok bool) {
	if line == "" || strings.HasPrefix(line, "#") {
		return "", false
	}
	return regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(line), 2)[0], true
}

// alone is how a line begins whose request ends accounts. It has accounts of its own.
const alone = "alone "

// parseRequest splits a request into method, path and body.
func parseRequest(request string) (method, path, body string) {
	method, path, _ = strings.Cut(strings.TrimPrefix(request, alone), " ")
	path, body, _ = strings.Cut(path, " ")
	return method, path, body
}

// everyRoute fails the test for each route that no line asks for. It returns all operations.
func everyRoute(t *testing.T, lines []string) (ids []string) {
	t.Helper()
	e := newEnv(t)
	var doc struct{ Paths map[string]map[string]any }
	testenv.Must(t, json.Unmarshal(e.do(t, "GET", "/openapi.json", "", nil).body, &doc))
	missing := map[string]bool{}
	for path, operations := range doc.Paths {
		for method := range operations {
			missing[strings.ToUpper(method)+" "+path] = true
			ids = append(ids, operationOf(e.about, strings.ToUpper(method), path).OperationID)
		}
	}
	for _, line := range lines {
		request, ok := matrixRow(line)
		if !ok {
			continue
		}
		method, path, _ := parseRequest(request)
		path, _, _ = strings.Cut(path, "?")
		best, fixed := "", -1
		for template := range doc.Paths {
			if n := fits(path, template); n > fixed && doc.Paths[template][strings.ToLower(method)] != nil {
				best, fixed = template, n
			}
		}
		if fixed < 0 {
			t.Errorf("%s: there is no such route", request)
		}
		delete(missing, method+" "+best)
	}
	for _, route := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("%s has no line for %s", matrixFile, route)
	}
	return ids
}

// isAct reports whether an operation changes something, and is for moderators or administrators alone.
func isAct(op *huma.Operation) bool {
	return op.Method != http.MethodGet && isStaff(op)
}

// isStaff reports whether an operation is for moderators or administrators alone.
func isStaff(op *huma.Operation) bool {
	if len(op.Security) != 1 {
		return false
	}
	for _, roles := range op.Security[0] {
		return len(roles) > 0
	}
	return false
}

// fits returns how many parts of a path stand in a path of the OpenAPI document as they are;
// -1 if the path does not fit.
func fits(path, template string) (fixed int) {
	parts, wants := strings.Split(path, "/"), strings.Split(template, "/")
	if len(parts) != len(wants) {
		return -1
	}
	for i, want := range wants {
		switch {
		case parts[i] == want:
			fixed++
		case !strings.HasPrefix(want, "{"):
			return -1
		}
	}
	return fixed
}

// callerAccounts are the accounts of the callers.
type callerAccounts struct {
	ids    map[string]model.UserID
	tokens map[string]string
	email  string // of the owner
}

func newAccounts(t *testing.T) *callerAccounts {
	t.Helper()
	a := &callerAccounts{ids: map[string]model.UserID{}, tokens: map[string]string{"anonymous": signUpAnonymously(t)}}
	for _, who := range callers[2:] {
		account := testenv.SignUp(t, "")
		a.ids[who], a.tokens[who] = model.UserID(account.UID), account.IDToken
		if who == "owner" {
			a.email = account.Email
		}
		if claim := claims[who]; claim != "" {
			a.tokens[who] = testenv.Token(emulators.DefaultProject, map[string]any{"sub": account.UID, claim: true})
		}
	}
	return a
}

// matrix collects the answers.
type matrix struct {
	answers [][]string // by line and caller

	mu       sync.Mutex
	statuses map[string]int  // by code
	done     map[string]bool // operations that somebody did
}

// run sends a request as each caller, in a project of its own.
func (m *matrix) run(t *testing.T, request string, a *callerAccounts) []string {
	if strings.HasPrefix(request, alone) {
		a = newAccounts(t)
	}
	e := newEnv(t)
	e.people(t, a)
	method, path, body := parseRequest(request)
	op := operationOf(e.about, method, strings.Split(path, "?")[0])
	var answers []string
	for _, who := range callers {
		fill := e.things(t, a, who, request)
		var send any
		var key []string
		if method == http.MethodPost { // some operations demand one
			key = []string{"Idempotency-Key", who}
		}
		if body != "" {
			send = fill.Replace(body)
		}
		before := e.entries(t, op)
		r := e.do(t, method, fill.Replace(path), a.tokens[who], send, key...)
		answers = append(answers, m.answer(t, who, r))
		done := r.status < http.StatusBadRequest
		logged := done && (isAct(op) || op.OperationID == "runAgent" || op.OperationID == "deleteTweet" &&
			who == "administrator" ||
			op.OperationID == "deleteMedia" && (who == "moderator" || who == "administrator"))
		if n := e.entries(t, op) - before; n != map[bool]int{true: 1}[logged] {
			t.Errorf("%s: %d, and %d new entries of the audit log", who, r.status, n)
		}
		if done {
			m.mu.Lock()
			m.done[op.OperationID] = true
			m.mu.Unlock()
		}
	}
	return answers
}

// entries counts the entries of the audit log. What only reads makes none.
func (e *env) entries(t *testing.T, op *huma.Operation) int {
	t.Helper()
	if op.Method == http.MethodGet {
		return 0
	}
	all, err := e.admin.Collection(model.AdminActions).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	return len(all)
}

// people makes the profiles, and what stands between the callers and the owner.
func (e *env) people(t *testing.T, a *callerAccounts) {
	t.Helper()
	for _, who := range callers[3:] {
		// The names of the roles are reserved.
		_, err := e.db.Users.CreateUser(t.Context(), a.ids[who],
			model.NewUser{Username: strings.NewReplacer("moderator", "maud", "administrator", "ada").Replace(who),
				Nickname: who})
		testenv.Must(t, err)
		_, err = e.admin.Doc("users/"+string(a.ids[who])+"/notificationLists/newest").
			Set(t.Context(), model.NotificationList{Notifications: map[string]model.Notification{"follow_2026-11-20": {
				GroupKey: "follow", Term: "2026-11-20", ExpireAt: time.Now().Add(time.Hour),
			}}})
		testenv.Must(t, err)
	}
	_, err := e.admin.Doc("tags/spark").Set(t.Context(), model.Tag{Content: "spark", TweetCount: 1})
	testenv.Must(t, err)
	_, err = e.admin.Doc("announcements/all").Set(t.Context(), model.Announcements{
		Announcements: map[string]model.Announcement{"maintenance": {Title: "x", StartsAt: time.Now().Add(-time.Hour)}}})
	testenv.Must(t, err)
	_, err = e.admin.Doc("instance/this").Set(t.Context(), model.Instance{Terms: model.Terms{Version: 1, Text: "x"}})
	testenv.Must(t, err)
	testenv.Must(t, e.db.Graph.Follow(t.Context(), a.ids["follower"], a.ids["owner"]))
	testenv.Must(t, e.db.Graph.Block(t.Context(), a.ids["owner"], a.ids["blocked"]))
	testenv.Must(t, e.db.Shares.Hide(t.Context(), a.ids["owner"], a.ids["muted"]))
}

// things makes what a request names, anew for each caller.
func (e *env) things(t *testing.T, a *callerAccounts, who, request string) *strings.Replacer {
	t.Helper()
	owner := a.ids["owner"]
	tweet := func(name string) string {
		if !strings.Contains(request, name) {
			return ""
		}
		open := name != "<closed>"
		draft := model.Draft{Content: name + " #spark", AllowLikes: open, AllowReplies: open, DenyQuotes: !open}
		if name == "<poll>" {
			draft.Poll = &model.NewPoll{Options: []string{"yes", "no"}, Minutes: model.MinPollMinutes}
		}
		if name == "<long>" {
			draft.Content += " Sparks fly." + strings.Repeat(" And fly.", model.MinGisted)
		}
		if name == "<followers>" || name == "<mentioned>" {
			draft.Visibility = model.Audience(strings.Trim(name, "<>"))
		}
		tweet, err := e.db.Tweets.CreateTweet(t.Context(), owner, draft, model.Request{})
		testenv.Must(t, err)
		switch name {
		case "<edited>":
			_, err := e.db.Edits.Edit(t.Context(), owner, tweet.ID, model.TweetPatch{Content: new("edited")}, nil)
			testenv.Must(t, err)
		case "<answered>":
			_, err := e.db.Tweets.CreateTweet(t.Context(), a.ids["stranger"], model.Draft{Content: "an answer",
				ReplyTo: new(tweet.ID)}, model.Request{})
			testenv.Must(t, err)
			fallthrough
		case "<flagged>":
			testenv.Must(t, e.db.Tweets.Flag(t.Context(), tweet.ID, true))
		case "<deleted>":
			testenv.Must(t, e.db.Tweets.DeleteTweet(t.Context(), owner, false, tweet.ID))
		}
		return string(tweet.ID)
	}
	pairs := []string{"<owner>", string(owner), "<email>", a.email, "<unknown>", "0000000000000000aa", "<event>",
		strings.Repeat("0", 29),
		"<leaving>", "receipt"}
	if strings.Contains(request, "<app>") { // one that each caller let in
		app, _, err := e.db.OAuth.CreateApp(t.Context(), model.OAuthApp{Name: "App", RedirectURIs: []string{"app://"},
			Scopes: []string{"read"}}, false)
		testenv.Must(t, err)
		if uid := a.ids[who]; uid != "" {
			var g model.OAuthGrants
			_, err = g.Add(&model.OAuthToken{Hash: string(app.ID), ClientID: app.ID}, time.Now())
			testenv.Must(t, err)
			_, err = e.admin.Doc("oauthGrants/"+string(uid)).Set(t.Context(), g)
			testenv.Must(t, err)
		}
		pairs = append(pairs, "<app>", string(app.ID))
	}
	if strings.Contains(request, "<device>") { // that of an app for Mastodon
		if uid := a.ids[who]; uid != "" {
			_, err := e.admin.Doc(model.DeviceLists+"/"+string(uid)).Set(t.Context(), model.Devices{
				Devices: map[string]model.Device{"app": {Endpoint: "https://push.test/a", App: &model.DeviceApp{}}}})
			testenv.Must(t, err)
		}
		pairs = append(pairs, "<device>", "app")
	}
	if strings.Contains(request, "<draft>") {
		draft, err := e.db.Drafts.Save(t.Context(), owner, model.SavedDraft{Draft: model.Draft{Content: "a draft"}},
			model.Request{})
		testenv.Must(t, err)
		pairs = append(pairs, "<draft>", draft.ID)
	}
	if strings.Contains(request, "<held>") {
		root, err := e.db.Tweets.CreateTweet(t.Context(), owner, model.Draft{Content: "root", AllowReplies: true},
			model.Request{})
		testenv.Must(t, err)
		root.RepliesHeldBy = owner
		held := model.NewHeldReply(a.ids["follower"], model.Draft{Content: "held", ReplyTo: &root.ID}, root.Tweet,
			time.Now())
		_, err = e.admin.Doc("heldReplies/"+held.ID).Create(t.Context(), held)
		testenv.Must(t, err)
		pairs = append(pairs, "<held>", held.ID)
	}
	if strings.Contains(request, "<sender>") {
		var filtered model.NotificationRequests
		filtered.Add(model.FactNotificationEvent(model.NotificationFollow, owner,
			model.NotificationEventPayload{UserID: a.ids["follower"]}, time.Now()))
		_, err := e.admin.Doc("notificationRequests/"+string(owner)).Set(t.Context(), filtered)
		testenv.Must(t, err)
		pairs = append(pairs, "<sender>", string(a.ids["follower"]))
	}
	for _, name := range []string{"<media>", "<shown>"} {
		if !strings.Contains(request, name) {
			continue
		}
		id := model.NewMediaID()
		_, err := e.admin.Doc("media/"+string(id)).Create(t.Context(), model.Media{OwnerID: owner, Kind: model.MediaAvatar,
			State: model.MediaReady, Type: model.MediaImage, InProfile: name == "<shown>",
			Sizes: map[string]model.MediaSize{model.SizeSmall: {Bytes: 1, ContentType: "image/png"}}})
		testenv.Must(t, err)
		files, err := objects.Open(t.Context(), "gs://"+e.project+"-media", "")
		testenv.Must(t, err)
		testenv.Must(t, files.Put(t.Context(), string(id)+"/small", []byte("x"),
			objects.Attributes{ContentType: "image/png"}))
		testenv.Must(t, files.Close())
		pairs = append(pairs, name, string(id))
	}
	if strings.Contains(request, "AAAABBBBCCCCDDDD") {
		_, err := e.admin.Doc("invitations/AAAABBBBCCCCDDDD").Set(t.Context(), model.Invitation{MaxUses: 1,
			ExpireAt: time.Now().Add(time.Hour)})
		testenv.Must(t, err)
	}
	if strings.Contains(request, "<list>") {
		list, err := e.db.Lists.Create(t.Context(), owner, model.ListPatch{Title: new("a list")}, model.Request{})
		testenv.Must(t, err)
		pairs = append(pairs, "<list>", list.ID)
	}
	if strings.Contains(request, "<conversation>") {
		begun, err := e.db.Messages.Begin(t.Context(), owner, model.NewConversation{Others: []model.UserID{a.ids["follower"],
			a.ids["stranger"], a.ids["muted"]}, NewMessage: model.NewMessage{Text: "hello"}}, model.Request{})
		testenv.Must(t, err)
		pairs = append(pairs, "<conversation>", string(begun.ID), "<message>", string(begun.Sent.ID))
	}
	if strings.Contains(request, "<pack>") {
		pack, err := e.db.Lists.Create(t.Context(), owner, model.ListPatch{Title: new("a pack"),
			Visibility: new(model.PublicList)}, model.Request{})
		testenv.Must(t, err)
		testenv.Must(t, e.db.Lists.Add(t.Context(), owner, pack.ID, owner))
		pairs = append(pairs, "<pack>", pack.ID)
	}
	if strings.Contains(request, "<locked>") {
		_, err := e.db.Users.CreateUser(t.Context(), "locked", model.NewUser{Username: "recluse", Nickname: "R",
			Locked: true})
		if errs.CodeOf(err) != "user_exists" { // made for the caller before
			testenv.Must(t, err)
		}
	}
	if asked := a.ids[who]; strings.Contains(request, "<asker>") && asked != "" {
		_, err := e.db.Users.CreateUser(t.Context(), "asker", model.NewUser{Username: "asker", Nickname: "A"})
		if errs.CodeOf(err) != "user_exists" {
			testenv.Must(t, err)
		}
		_, err = e.admin.Doc("followRequests/"+model.FollowRequestKey("asker", asked)).
			Set(t.Context(), model.FollowRequest{FollowerID: "asker", FollowedID: asked, CreatedAt: time.Now()})
		testenv.Must(t, err)
	}
	pairs = append(pairs, "<locked>", "locked", "<asker>", "asker")
	if strings.Contains(request, "<product>") {
		p, err := e.db.Shop.Add(t.Context(), owner, model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300,
			Currency: "JPY"}}, 9, model.Request{})
		testenv.Must(t, err)
		pairs = append(pairs, "<product>", string(p.ID))
		if strings.Contains(request, "/v1/orders") && a.ids[who] != "" {
			testenv.Must(t, e.db.Shop.Put(t.Context(), shop.Customer{ID: a.ids[who]}, p.ID, 2))
		}
	}
	if strings.Contains(request, "<order>") {
		pairs = append(pairs, "<order>", string(e.confirmedOrder(t, owner)))
	}
	if strings.HasPrefix(request, "GET /v1/users/me/export") && slices.Contains(callers[3:], who) {
		_, err := e.db.Exports.Ask(t.Context(), a.ids[who])
		testenv.Must(t, err)
	}
	if strings.Contains(request, "<event>") {
		_, err := e.admin.Doc("eventLogs/000/events/"+strings.Repeat("0", 29)).
			Set(t.Context(), model.NotificationEvent{Type: model.NotificationFollow, UserID: owner, At: time.Now(),
				ExpireAt: time.Now().Add(time.Hour)})
		testenv.Must(t, err)
	}
	if strings.Contains(request, "<leaving>") {
		_, err := e.admin.Doc("leavings/leaver").
			Set(t.Context(), model.DeletionWork{UserID: "leaver", Receipt: "receipt", Removed: map[string]int64{},
				StartedAt: time.Now(), ExpireAt: time.Now().Add(time.Hour)})
		testenv.Must(t, err)
	}
	if strings.Contains(request, "<report>") {
		testenv.Must(t, e.db.Moderation.Report(t.Context(), a.ids["stranger"], moderation.NewReport{UserID: owner,
			Reason: "spam"}))
		pairs = append(pairs, "<report>", model.ReportKey(a.ids["stranger"], owner, ""))
	}
	if strings.Contains(request, "<decision>") { // one of each caller, because a decision has one appeal
		id := "0000000000000000aa" + strings.ToUpper(strings.ReplaceAll(who, "-", ""))
		_, err := e.admin.Doc("adminActions/"+id).Set(t.Context(), model.Action{Act: model.ActFreeze, UserID: a.ids[who],
			By: "a moderator"})
		testenv.Must(t, err)
		_, err = e.admin.Doc("appeals/"+id+"A").Set(t.Context(), model.Appeal{UserID: owner, Act: model.ActFreeze,
			State: model.AppealOpen})
		testenv.Must(t, err)
		pairs = append(pairs, "<decision>", id, "<decision>A", id+"A")
	}
	if strings.Contains(request, "<reply>") || strings.Contains(request, "<quote>") {
		to, err := e.db.Tweets.CreateTweet(t.Context(), owner, model.Draft{Content: "x", AllowReplies: true}, model.Request{})
		testenv.Must(t, err)
		reply, err := e.db.Tweets.CreateTweet(t.Context(), a.ids["stranger"], model.Draft{Content: "re", ReplyTo: &to.ID,
			QuoteOf: to.ID}, model.Request{})
		testenv.Must(t, err)
		pairs = append(pairs, "<quoted>", string(to.ID), "<reply>", string(reply.ID), "<quote>", string(reply.ID))
	}
	if strings.Contains(request, "/ai-models") || strings.Contains(request, "/agents") {
		_, err := e.admin.Doc("aiModels/all").Set(t.Context(), map[string]any{"models": map[string]any{
			"gone": model.AIModel{}, "used": model.AIModel{Enabled: true}}}, firestore.MergeAll)
		testenv.Must(t, err)
		_, err = e.admin.Doc("users/"+string(owner)).Update(t.Context(), []firestore.Update{{Path: "bot", Value: true}})
		testenv.Must(t, err)
	}
	if strings.HasSuffix(strings.Fields(request)[1], "/users/me/agent") && slices.Contains(callers[3:], who) {
		_, err := e.admin.Doc("agents/"+string(a.ids[who])).Set(t.Context(), model.Agent{Running: true, Model: "used",
			CreatedAt: time.Now()})
		testenv.Must(t, err)
	}
	if strings.Contains(request, "<joining>") {
		joining := testenv.SignUp(t, "").UID
		_, err := e.db.Users.AskToJoin(t.Context(), model.UserID(joining),
			model.NewUser{Username: strings.ToLower(rand.Text()[:10])}, "")
		testenv.Must(t, err)
		pairs = append(pairs, "<joining>", joining)
	}
	if a.ids[who] != "" && strings.Contains(request, "/users/me/sign-up") && strings.HasPrefix(request, "GET") {
		_, err := e.admin.Doc("signUps/"+string(a.ids[who])).Set(t.Context(), model.SignUp{Username: "x",
			CreatedAt: time.Now(), ExpireAt: time.Now().Add(time.Hour)})
		testenv.Must(t, err)
	}
	if strings.Contains(request, "of=old.example") {
		_, err := e.admin.Doc("signUpBlocks/all").Set(t.Context(), map[string]any{"domains": map[string]any{
			"old.example": model.SignUpBlock{Severity: model.SeverityRefusal}}}, firestore.MergeAll)
		testenv.Must(t, err)
	}
	if strings.Contains(request, "<webhook>") {
		_, err := e.admin.Doc("webhooks/all").Set(t.Context(), model.Webhooks{Hooks: map[string]*model.Webhook{
			"abc": {URL: "https://hooks.example.com/a", Events: model.WebhookEvents, Enabled: true, Secret: "whsec_"}}})
		testenv.Must(t, err)
		pairs = append(pairs, "<webhook>", "abc")
	}
	if strings.Contains(request, "<domain>") {
		testenv.Must(t, e.db.Moderation.SetDomain(t.Context(), moderation.Actor{UID: a.ids["administrator"],
			Role: model.RoleAdministrator}, "bad.example", model.DomainRule{Severity: model.DomainSilence}))
		pairs = append(pairs, "<domain>", "bad.example")
	}
	pairs = append(pairs, "<guest>", a.tokens["anonymous"])
	for _, name := range []string{"<tweet>", "<edited>", "<closed>", "<flagged>", "<answered>", "<deleted>", "<followers>",
		"<mentioned>", "<poll>", "<long>"} {
		pairs = append(pairs, name, tweet(name))
	}
	return strings.NewReplacer(pairs...)
}

// confirmedOrder makes a confirmed order of a user.
func (e *env) confirmedOrder(t *testing.T, uid model.UserID) model.OrderID {
	t.Helper()
	o := &model.Order{ID: "0000000000000000bb", UserID: uid,
		Items: []model.OrderItem{{ProductID: model.NewProductID("ann", "x"), Quantity: 1}}, Taken: 1, CreatedAt: time.Now()}
	o.Become(model.OrderConfirmed, time.Now(), "")
	_, err := e.admin.Doc("users/"+string(uid)+"/orders/"+string(o.ID)).Set(t.Context(), o)
	testenv.Must(t, err)
	return o.ID
}

// answer is the status of an answer, or the code of a problem.
func (m *matrix) answer(t *testing.T, who string, r reply) string {
	t.Helper()
	if r.status < http.StatusBadRequest {
		return fmt.Sprint(r.status)
	}
	var p api.Problem
	if err := json.Unmarshal(r.body, &p); err != nil || p.Code == "" || r.status >= http.StatusInternalServerError {
		t.Errorf("%s: %d %s", who, r.status, r.body)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if was, ok := m.statuses[p.Code]; ok && was != r.status {
		t.Errorf("%s: %s has the statuses %d and %d", who, p.Code, was, r.status)
	}
	m.statuses[p.Code] = r.status
	return p.Code
}

// statusLine is how the line of the file begins that has the statuses of the codes.
const statusLine = "# Codes: "

// format is the file with the answers.
func (m *matrix) format(lines []string) string {
	header := append([]string{"# request"}, callers...)
	rows := make([][]string, len(lines))
	var widths [40]int
	for n, line := range lines {
		if strings.HasPrefix(line, header[0]) {
			rows[n] = header
		} else if request, ok := matrixRow(line); ok {
			rows[n] = append([]string{request}, m.answers[n]...)
		}
		for i, cell := range rows[n] {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for n, line := range lines {
		switch {
		case strings.HasPrefix(line, statusLine):
			var all []string
			for _, code := range slices.Sorted(maps.Keys(m.statuses)) {
				all = append(all, fmt.Sprintf("%s %d", code, m.statuses[code]))
			}
			line = statusLine + strings.Join(all, ", ")
		case rows[n] != nil:
			line = ""
			for i, cell := range rows[n] {
				line += fmt.Sprintf("%-*s", widths[i]+2, cell)
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
