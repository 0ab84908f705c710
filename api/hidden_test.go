package api_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// place is a place of a request where an id may stand: in the path, in the query, or in the body.
type place struct {
	op       *huma.Operation
	in, name string
}

func (p place) String() string {
	return fmt.Sprintf("%s %s, %s %s", p.op.Method, p.op.Path, p.in, p.name)
}

// placesOf are the places of an operation that take any text.
func placesOf(about *huma.OpenAPI, op *huma.Operation) (all []place) {
	for _, p := range op.Parameters {
		text := p.Schema.Type == huma.TypeString || p.Schema.Type == huma.TypeArray && p.Schema.Items.Type == huma.TypeString
		if p.In != "header" && text && len(p.Schema.Enum) == 0 && p.Name != "pageToken" {
			all = append(all, place{op, p.In, p.Name})
		}
	}
	if body := bodyOf(about, op); body != nil {
		for _, name := range slices.Sorted(maps.Keys(body.Properties)) {
			if field := body.Properties[name]; field.Type == huma.TypeString && len(field.Enum) == 0 {
				all = append(all, place{op, "body", name})
			}
		}
	}
	return all
}

// bodyOf is the schema of the body of an operation; nil without a body.
func bodyOf(about *huma.OpenAPI, op *huma.Operation) *huma.Schema {
	if op.RequestBody == nil {
		return nil
	}
	body := op.RequestBody.Content["application/json"].Schema
	if body.Ref != "" {
		body = about.Components.Schemas.SchemaFromRef(body.Ref)
	}
	return body
}

// request is the request of a place with an id. All else in it is short and right: what is
// required, and each switch. own has what the caller has itself, by the path of one.
func (p place) request(about *huma.OpenAPI, id string, own map[string]string) (path string, body any) {
	query := url.Values{}
	path = regexp.MustCompile(`\{\w+\}`).ReplaceAllStringFunc(strings.ReplaceAll(p.op.Path, `\:`, ":"),
		func(name string) string {
			switch {
			case p.in == "path" && name == "{"+p.name+"}":
				return url.PathEscape(id)
			case name == "{number}":
				return "1"
			}
			begin, _, _ := strings.Cut(p.op.Path, name)
			return cmp.Or(own[begin], own[""])
		})
	if p.in == "query" {
		query.Set(p.name, id)
		path += "?" + query.Encode()
	}
	schema := bodyOf(about, p.op)
	if schema == nil {
		return path, nil
	}
	fields := map[string]any{}
	for name, field := range schema.Properties {
		switch required := slices.Contains(schema.Required, name); {
		case p.in == "body" && name == p.name:
			fields[name] = id
		case name == "text" && strings.Contains(p.op.Path, "/messages"): // a message needs one or media
			fields[name] = "x"
		case name == "emoji":
			fields[name] = "👍"
		case name == "messageId" && (required || p.name == "conversationId"):
			fields[name] = "202611-0000-000000001"
		case name == "conversationId" && p.name == "messageId":
			fields[name] = own["/v1/conversations/"]
		case name == "content" && field.Type == huma.TypeString: // a tweet needs one or media
			fields[name] = "x"
		case field.Type == huma.TypeBoolean:
			fields[name] = false
		case required && len(field.Enum) > 0:
			fields[name] = field.Enum[0]
		case required && field.Type == huma.TypeInteger:
			fields[name] = 1
		case required:
			fields[name] = "x"
		}
	}
	return path, fields
}

// asker is a caller, and what it has left of each limit.
type asker struct {
	token string
	own   map[string]string // what it has itself, by the path of one
	left  map[string]int64
}

// seen is all that an answer has about an id.
type seen struct {
	Status                 int
	Body                   string // without the id, what was just made, and when
	Headers                []string
	Reads, Writes, Deletes int64
	Taken                  map[string]int64 // from the limits that RateLimit names
}

var (
	remaining = regexp.MustCompile(`"([a-z-]+)";r=(\d+)`)
	made      = regexp.MustCompile(`"[0-9a-f]{18,20}"|"[0-9T:.-]+Z"|"revision":\d+`)
)

// ask asks for an id as a caller, and records the answer.
func (e *env) ask(t *testing.T, by *asker, p place, id, key string) seen {
	t.Helper()
	path, body := p.request(e.about, id, by.own)
	var headers []string
	if p.op.Method == http.MethodPost {
		headers = []string{"Idempotency-Key", key}
	}
	r := e.do(t, p.op.Method, path, by.token, body, headers...)
	cost := r.cost(t)
	text := made.ReplaceAllString(strings.ReplaceAll(string(r.body), id, "<id>"), "<made>")
	s := seen{r.status, text, slices.Sorted(maps.Keys(r.header)), cost.Reads, cost.Writes, cost.Deletes,
		map[string]int64{}}
	for _, m := range remaining.FindAllStringSubmatch(r.header.Get("RateLimit"), -1) {
		n, err := strconv.ParseInt(m[2], 10, 64)
		testenv.Must(t, err)
		if last, ok := by.left[m[1]]; ok && !strings.HasSuffix(m[1], "parallel") {
			s.Taken[m[1]] = last - n
		}
		by.left[m[1]] = n
	}
	return s
}

// What a caller may not see is as an id that never was, in every route that takes an id of its
// kind: the same status, code and text, the same billed documents, and the same taken from the
// limits; also when the caller asks again at once, and when somebody has just seen it.
//
// A place takes tweet ids if it calls nonsense an invalid_tweet_id. So a new route needs no line here.
func TestHiddenCosts(t *testing.T) {
	testenv.Slow(t, "every id of every route, three times")
	t.Parallel()
	e := newEnv(t, withLimits(t,
		"requests=1000000/minute,address-requests=1000000/minute,visitor-requests=1000000/minute,"+
			"reads=1000000/minute,reads=1000000/day,address-reads=1000000/day,visitor-reads=1000000/day,likes=100000/day,"+
			"shares=100000/day,posts=100000/day,reports=100000/day,deletions=100000/day,"+
			"writes=1000000/minute,messages=100000/day,marks=100000/day,conversations=100000/day"))
	begin := time.Now()
	e.now = func() time.Time { return begin } // so that no cached profile expires between two requests
	ann, fan, bob := e.join(t, "ann"), e.join(t, "fan"), e.join(t, "bob")
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", fan.token, nil).want(t, http.StatusOK, nil)

	// tweet makes one with all that a tweet can have.
	poll := map[string]any{"options": []string{"yes", "no"}, "minutes": 5}
	tweet := func(visibility string) string {
		made := e.post(t, ann, map[string]any{"content": "a spark", "visibility": visibility, "poll": poll,
			"allowLikes": true, "allowReplies": true})
		path := "/v1/tweets/" + string(made.ID)
		e.do(t, "PATCH", path, ann.token, map[string]any{"content": "a spark @fan"}).want(t, http.StatusOK, nil)
		e.do(t, "PUT", path+"/like", fan.token, nil).want(t, http.StatusNoContent, nil)
		e.do(t, "PUT", path+"/pin", ann.token, nil).want(t, http.StatusNoContent, nil)
		e.do(t, "DELETE", path+"/pin", ann.token, nil).want(t, http.StatusNoContent, nil)
		return string(made.ID)
	}
	hidden := map[string]string{"followers": tweet("followers"), "mentioned": tweet("mentioned"),
		"narrowed": tweet("public"), "flagged": tweet("public"), "deleted": tweet("followers"),
		"deleted and flagged": tweet("public")}
	e.do(t, "PATCH", "/v1/tweets/"+hidden["narrowed"], ann.token, map[string]any{"visibility": "mentioned"}).
		want(t, http.StatusOK, nil)
	for _, name := range []string{"flagged", "deleted and flagged"} {
		testenv.Must(t, e.db.Tweets.Flag(t.Context(), model.TweetID(hidden[name]), true))
	}
	for _, name := range []string{"deleted", "deleted and flagged"} {
		e.do(t, "DELETE", "/v1/tweets/"+hidden[name], ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	var draft api.Draft
	e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "x"}, "Idempotency-Key", "1").
		want(t, http.StatusCreated, &draft)
	lists := map[person]api.PeopleList{}
	for _, owner := range []person{ann, bob} {
		var list api.PeopleList
		e.do(t, "POST", "/v1/lists", owner.token, map[string]any{"title": "x"}).want(t, http.StatusCreated, &list)
		lists[owner] = list
	}

	talks := map[person]api.Conversation{}
	for _, by := range []person{ann, bob} {
		var talk api.Conversation
		e.do(t, "POST", "/v1/conversations", by.token, map[string]any{"memberIds": []any{fan.id}, "text": "x"}).
			want(t, http.StatusCreated, &talk)
		talks[by] = talk
	}

	posted := e.uploaded(t, ann.token, "tweet")
	e.post(t, ann, map[string]any{"content": "x", "visibility": "followers", "media": []any{posted}})

	eve := e.join(t, "eve")
	e.do(t, "PATCH", "/v1/users/"+string(eve.id), eve.token, map[string]any{"holdReplies": "strangers"}).
		want(t, http.StatusOK, nil)
	holding := e.post(t, eve, map[string]any{"content": "x"})
	held := map[person]api.HeldNotice{}
	for _, by := range []person{fan, bob} {
		var notice api.HeldNotice
		e.do(t, "POST", "/v1/tweets", by.token, map[string]any{"content": "x", "replyTo": holding.ID}).
			want(t, http.StatusAccepted, &notice)
		held[by] = notice
	}

	// kinds of ids by the code of what is none: two that never were, what is hidden, and how its owner looks at it.
	type kind struct {
		never  [2]string
		hidden map[string]string
		look   string
	}
	kinds := map[string]kind{
		"invalid_tweet_id": {[2]string{"0000000000000000aa", "0000000000000000ab"}, hidden, "/v1/tweets/"},
		"invalid_draft_id": {[2]string{strings.Repeat("0", len(draft.ID)), strings.Repeat("1", len(draft.ID))},
			map[string]string{"another's": draft.ID}, "/v1/drafts/"},
		"invalid_list_id": {[2]string{strings.Repeat("0", len(lists[ann].ID)), strings.Repeat("1", len(lists[ann].ID))},
			map[string]string{"another's": lists[ann].ID}, "/v1/lists/"},
		"invalid_conversation_id": {[2]string{strings.Repeat("0", len(talks[ann].ID)),
			strings.Repeat("1", len(talks[ann].ID))},
			map[string]string{"another's": string(talks[ann].ID)}, "/v1/conversations/"},
		"invalid_order_id": {[2]string{"0000000000000000cc", "0000000000000000cd"},
			map[string]string{"another's": string(e.confirmedOrder(t, ann.id))}, "/v1/orders/"},
		"invalid_media_id": {[2]string{strings.Repeat("0", 24), strings.Repeat("1", 24)},
			map[string]string{"another's": string(e.uploaded(t, ann.token, "tweet")), "of a hidden tweet": string(posted)},
			"/v1/media/"},
		"invalid_held_reply_id": {[2]string{strings.Repeat("0", len(held[fan].ID)), strings.Repeat("1", len(held[fan].ID))},
			map[string]string{"another's": held[fan].ID}, "/v1/heldReplies?limit=9&id="},
		"invalid_user_id": {[2]string{"nobody", "noone"}, map[string]string{"left": e.leaver(t)}, "/v1/users/"},
	}
	var kept api.Draft
	e.do(t, "POST", "/v1/drafts", bob.token, map[string]any{"content": "x"}, "Idempotency-Key", "1").
		want(t, http.StatusCreated, &kept)
	own := map[string]string{"/v1/heldReplies/": held[bob].ID, "/v1/drafts/": kept.ID, "/v1/lists/": lists[bob].ID,
		"/v1/users/{uid}/lists/":           lists[bob].ID,
		"/v1/conversations/":               string(talks[bob].ID),
		"/v1/conversations/{id}/messages/": string(talks[bob].LastMessage.ID),
		"/v1/media/":                       string(e.uploaded(t, bob.token, "tweet")),
		"/media/":                          string(e.uploaded(t, bob.token, "tweet")),
		"/media/{id}/":                     "small",
		"/v1/tweets/":                      string(e.post(t, bob, map[string]any{"content": "x"}).ID), "": string(bob.id),
		"/v1/tweets/{id}/quotes/": string(e.post(t, bob, map[string]any{"content": "x"}).ID)}
	// open are the answers to nonsense in the place of what everybody may see, or only the caller has.
	open := []string{"invalid_product_id", "invalid_tag", "username_not_found", "leaving_not_found",
		"invalid_notification_id", "invalid_request", "invalid_message_id", "decision_not_found", "app_not_found"}
	callers := map[string]*asker{"stranger": {bob.token, own, map[string]int64{}},
		"signed out": {"", own, map[string]int64{}}}
	found, asked := map[string]int{}, 0
	for _, path := range slices.Sorted(maps.Keys(e.about.Paths)) {
		item := e.about.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil || isStaff(op) {
				continue
			}
			for _, p := range placesOf(e.about, op) {
				if p.name == "size" || p.name == "before" || p.name == "since" {
					continue // a size of media is no id, and a place in a list is a time
				}
				key := func() string { asked++; return fmt.Sprint("key-", asked) }
				probe := e.ask(t, callers["stranger"], p, "a/b", key())
				var problem api.Problem
				if probe.Status >= http.StatusBadRequest {
					if err := json.Unmarshal([]byte(probe.Body), &problem); err != nil {
						t.Fatalf("%s: %v: %.300s", p, err, probe.Body)
					}
				}
				k, ok := kinds[problem.Code]
				if !ok {
					if p.in == "path" && (strings.HasPrefix(path, "/v1/tweets/{id}") && p.name == "id" ||
						!slices.Contains(open, problem.Code)) {
						t.Errorf("%s answers nonsense with %d %s: may an id there be of what is hidden?", p, probe.Status, problem.Code)
					}
					continue
				}
				found[problem.Code]++
				for who, by := range callers {
					if by.token == "" && len(op.Security) == 1 {
						continue
					}
					series := func(id string) (all []seen) {
						e.db.Tweets.ForgetTweet(model.TweetID(id))
						for range 3 {
							all = append(all, e.ask(t, by, p, id, key()))
						}
						e.do(t, "GET", k.look+id, ann.token, nil)
						return append(all, e.ask(t, by, p, id, key()))
					}
					series(k.never[0]) // and all of the caller is cached
					want := series(k.never[1])
					if want[0].Status == http.StatusBadRequest {
						t.Errorf("%s, %s: %+v asks for nothing", p, who, want[0])
					}
					for name, id := range k.hidden {
						if p.op.OperationID == "getMediaFile" && name == "of a hidden tweet" {
							continue // it costs a read more, of the tweet: nobody guesses an id of 96 random bits
						}
						if diff := gocmp.Diff(want, series(id)); diff != "" {
							t.Errorf("%s, %s: what is %s is not as what never was (-never +hidden):\n%s", p, who, name, diff)
						}
					}
				}
			}
		}
	}
	if found["invalid_tweet_id"] < 25 || found["invalid_draft_id"] < 3 || found["invalid_list_id"] < 7 ||
		found["invalid_conversation_id"] < 12 ||
		found["invalid_media_id"] < 4 || found["invalid_held_reply_id"] < 2 ||
		found["invalid_order_id"] < 2 || found["invalid_user_id"] < 15 {
		t.Errorf("places of ids: %v", found)
	}
}

// leaver is somebody who has left.
func (e *env) leaver(t *testing.T) string {
	t.Helper()
	p := e.join(t, "leaver")
	recent := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(p.id), "auth_time": time.Now().Unix()})
	e.do(t, "DELETE", "/v1/users/me", recent, nil).want(t, http.StatusAccepted, nil)
	return string(p.id)
}

// One hidden tweet among many is as one more that never was.
func TestHiddenAmongMany(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	for _, visibility := range []string{"followers", "mentioned"} {
		one := string(e.post(t, ann, map[string]any{"content": "x", "visibility": visibility}).ID)
		two := string(e.post(t, ann, map[string]any{"content": "x", "visibility": visibility}).ID)
		for _, who := range []string{"", e.join(t, "bob"+visibility[:1]).token} {
			costs := func(some ...string) (all []int64) {
				ids := some
				for n := len(ids); n < model.MaxBatch; n++ {
					ids = append(ids, fmt.Sprintf("%018x", n))
				}
				for range 3 {
					all = append(all, e.do(t, "GET", "/v1/tweets:batchGet?ids="+strings.Join(ids, ","), who, nil).want(t,
						http.StatusOK, nil).cost(t).Reads)
				}
				return all
			}
			for _, some := range [][]string{{one}, {one, two}, {one, one}} {
				never := []string{"0000000000000000aa", "0000000000000000ab"}[:len(some)]
				if len(some) == 2 && some[0] == some[1] {
					never[1] = never[0]
				}
				if diff := gocmp.Diff(costs(never...), costs(some...)); diff != "" {
					t.Errorf("%d for %s among %d (-never +hidden):\n%s", len(some), visibility, model.MaxBatch, diff)
				}
			}
		}
	}
}

// A tweet that a caller may see and that answers or quotes a hidden one costs the same as if that one was gone as well.
func TestHiddenBehind(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	begin := time.Now()
	e.now = func() time.Time { return begin }
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	costs := func(hide func(path string)) (all []int64) {
		root := e.post(t, ann, map[string]any{"content": "a root", "allowReplies": true})
		parent := e.post(t, ann, map[string]any{"content": "a spark", "replyTo": root.ID, "allowReplies": true,
			"allowQuotes": true})
		reply := e.post(t, bob, map[string]any{"content": "an answer", "replyTo": parent.ID})
		quote := e.post(t, bob, map[string]any{"content": "a quote", "quoteOf": parent.ID})
		hide("/v1/tweets/" + string(parent.ID))
		for _, token := range []string{"", cat.token} {
			for _, path := range []string{string(reply.ID) + "/thread", string(quote.ID)} {
				e.db.Tweets.ForgetTweet(parent.ID)
				e.db.Tweets.ForgetTweet(root.ID)
				for range 3 {
					r := e.do(t, "GET", "/v1/tweets/"+path, token, nil).want(t, http.StatusOK, nil)
					if strings.Contains(string(r.body), "a spark") {
						t.Errorf("%s shows what is hidden: %s", path, r.body)
					}
					all = append(all, r.cost(t).Reads)
				}
			}
		}
		return all
	}
	narrow := func(visibility string) func(string) {
		return func(path string) {
			e.do(t, "PATCH", path, ann.token, map[string]any{"visibility": visibility}).want(t, http.StatusOK, nil)
		}
	}
	want := costs(func(path string) {
		narrow("mentioned")(path)
		e.do(t, "DELETE", path, ann.token, nil).want(t, http.StatusNoContent, nil)
	})
	for name, hide := range map[string]func(string){
		"followers": narrow("followers"), "mentioned": narrow("mentioned"),
		"flagged": func(path string) {
			testenv.Must(t, e.db.Tweets.Flag(t.Context(), model.TweetID(strings.TrimPrefix(path, "/v1/tweets/")), true))
		},
	} {
		if diff := gocmp.Diff(want, costs(hide)); diff != "" {
			t.Errorf("%s (-gone +hidden):\n%s", name, diff)
		}
	}
}
