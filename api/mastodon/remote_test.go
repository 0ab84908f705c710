package mastodon_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Public timelines and streams have the posts of this server, those of others, or both, as the client asks.
func TestLocalAndRemote(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann := e.join(t, "ann")
	const actor = "https://there.example/users/fay"
	fay, err := e.stack.Store.Users.PutRemote(t.Context(), model.RemotePerson{Confirmed: true, User: model.User{
		ID: model.RemoteUserID(actor), Username: "fay@there.example", Nickname: "Fay",
		Remote: &model.RemoteUser{IRI: actor, Realm: model.RealmOf(actor), URL: actor, Inbox: actor + "/inbox",
			FetchedAt: time.Now(), StaleAt: time.Now().Add(time.Hour)},
	}})
	testenv.Must(t, err)
	// Somebody follows fay, or her posts are in no public list.
	e.ask(t, ann, "PUT /v1/users/"+string(fay.ID)+"/follow", nil).want(t, http.StatusOK, nil)
	e.idle(t)
	here := e.connect(t, person{}, "stream=public:local")
	there := e.connect(t, person{}, "stream=public:remote")
	both := e.connect(t, person{}, "stream=public")

	draft, err := model.Draft{Content: "from there #spark", AllowLikes: true, AllowReplies: true}.Clean()
	testenv.Must(t, err)
	native := e.post(t, ann, "from here #spark")
	ofHere := statusID(native)
	id, _, err := e.stack.Store.Tweets.PostRemote(t.Context(), tweets.RemoteTweet{Author: fay, Draft: draft,
		At: time.Now(), Remote: model.RemotePost{IRI: actor + "/1", URL: actor + "/1"}})
	testenv.Must(t, err)
	ofThere := statusID(string(id))
	e.idle(t)

	here.want(t, event{"public:local update", ofHere})
	there.want(t, event{"public:remote update", ofThere})
	both.want(t, event{"public update", ofHere}, event{"public update", ofThere})

	for _, list := range []string{"/api/v1/timelines/public", "/api/v1/timelines/tag/spark"} {
		for query, want := range map[string][]string{"": {ofThere, ofHere}, "local": {ofHere}, "remote": {ofThere}} {
			var page []struct{ ID string }
			e.ask(t, person{}, "GET "+list+"?"+url.Values{query: {"true"}}.Encode(), nil).want(t, http.StatusOK, &page)
			got := make([]string, 0, len(page))
			for _, s := range page {
				got = append(got, s.ID)
			}
			same(t, list+" "+query, got, want)
		}
	}
	e.ask(t, ann, "PATCH /v1/tweets/"+native, map[string]any{"content": "edited here #spark"}).
		want(t, http.StatusOK, nil)
	here.want(t, event{"public:local status.update", ofHere})
	both.want(t, event{"public status.update", ofHere})
	same(t, "what is left on the stream of here", len(here.heard), 0)
	same(t, "what is left on the stream of there", len(there.heard), 0)
}
