package remote_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/remote"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/tweets"
)

// object is a post as another server would send it; HOST stands for the address of the server.
func object(t *testing.T, f *far.Server, text string) *activitypub.Object {
	t.Helper()
	o, err := activitypub.Decode([]byte(strings.ReplaceAll(text, "HOST", f.URL)))
	testenv.Must(t, err)
	return o
}

// noteText is a public note of bob; more replaces or adds members.
func noteText(id, more string) string {
	return `{"id":"HOST/notes/` + id + `","type":"Note","attributedTo":"HOST/users/bob","to":["as:Public"],
		"cc":["HOST/users/bob/followers"],"published":"2020-01-02T03:04:05.678Z"` + more + `}`
}

func (e *env) bob(t *testing.T, f *far.Server) *model.User {
	t.Helper()
	u, err := e.Person(t.Context(), f.Actor("bob", nil))
	testenv.Must(t, err)
	return u
}

func (e *env) tweet(t *testing.T, id model.TweetID) *tweets.FullTweet {
	t.Helper()
	is, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{Role: model.Administrator})
	testenv.Must(t, err)
	return is
}

func (e *env) put(t *testing.T, by *model.User, o *activitypub.Object) *tweets.FullTweet {
	t.Helper()
	id, err := e.Put(t.Context(), by, o)
	testenv.Must(t, err)
	return e.tweet(t, id)
}

// A post becomes a tweet once, of the time at which it was posted.
func TestPut(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	e.CreateUsers(t, "ann")
	bob := e.bob(t, f)
	text := noteText("1", `,"url":"HOST/@bob/1","sensitive":true,"summary":"Spoiler","contentMap":{"en":"`+
		`<p>Hi <span><a href=\"`+own+`/@ann\" class=\"u-url mention\">@<span>ann</span></a></span>, @ann #no `+
		`<a href=\"HOST/tags/Cats\" class=\"mention hashtag\" rel=\"tag\">#<span>Cats</span></a></p>"},
		"tag":[{"type":"Mention","href":"`+own+`/users/ann","name":"@ann@hibana.test"},
		{"type":"Hashtag","name":"#cats"},{"type":"Hashtag","name":"#Dogs"},{"type":"Emoji","name":":x:"}],
		"attachment":[{"type":"Document","mediaType":"image/png","url":"https://cdn.example/a_b.png","name":"A [cat]"},
		{"type":"Document","mediaType":"video/mp4","url":"https://cdn.example/v.mp4","name":""}]`)
	is := e.put(t, bob, object(t, f, text))
	want := "Hi @ann_u, \\@ann \\#no #Cats\n\n![A \\[cat\\]](https://cdn.example/a_b.png)\n\n<https://cdn.example/v.mp4>"
	if is.Content != want || is.Summary != "Spoiler" || is.Language != "en" || is.Visibility != model.Public ||
		is.AuthorID != bob.ID || is.Author.Username != "bob@"+f.Host || !is.HasMedia || is.Remote == nil ||
		is.Remote.IRI != f.URL+"/notes/1" || is.Remote.URL != f.URL+"/@bob/1" || len(is.Tags) != 2 ||
		is.MentionNames["ann_u"] != "ann" || !is.CreatedAt.Equal(time.Date(2020, 1, 2, 3, 4, 5, 678e6, time.UTC)) {
		t.Errorf("the tweet is %+v\n%s", is.Tweet, is.Content)
	}
	if again := e.put(t, bob, object(t, f, text)); again.ID != is.ID || again.Revision != 0 {
		t.Errorf("a repetition made %s, revision %d", again.ID, again.Revision)
	}
	if id, err := e.KnownPost(t.Context(), f.URL+"/notes/1"); err != nil || id != is.ID {
		t.Errorf("the post is %s: %v", id, err)
	}
	newer := strings.Replace(text, `"sensitive"`, `"updated":"2021-01-01T00:00:00Z","sensitive"`, 1)
	newer = strings.Replace(newer, "Spoiler", "Second", 1)
	if is = e.put(t, bob, object(t, f, newer)); is.Summary != "Second" || is.Revision != 1 || is.Remote == nil {
		t.Errorf("after an edit the tweet is %+v", is.Tweet)
	}
	older := strings.Replace(strings.Replace(newer, "2021", "2020", 1), "Second", "Older", 1)
	if is = e.put(t, bob, object(t, f, older)); is.Summary != "Second" || is.Revision != 1 {
		t.Errorf("an older version changed the tweet to %+v", is.Tweet)
	}
	testenv.Must(t, e.Remove(t.Context(), bob, f.URL+"/notes/1"))
	testenv.Must(t, e.Remove(t.Context(), bob, f.URL+"/notes/1"))
	for _, o := range []string{text, newer} {
		_, err := e.Put(t.Context(), bob, object(t, f, o))
		storetest.WantErr(t, err, errs.Gone, "post_deleted")
	}
	testenv.Must(t, e.Remove(t.Context(), bob, f.URL+"/notes/2"))
	_, err := e.Put(t.Context(), bob, object(t, f, noteText("2", `,"content":"late"`)))
	storetest.WantErr(t, err, errs.Gone, "post_deleted")
	if ids := e.IDs(t, model.Tweets); len(ids) != 0 {
		t.Errorf("there are the tweets %v", ids)
	}
}

// What a post may not be, whoever signed it, and what it is cut to.
func TestHostilePosts(t *testing.T) {
	t.Parallel()
	e, f, evil := open(t), far.New(t), far.New(t)
	bob := e.bob(t, f)
	eve, err := e.Person(t.Context(), f.Actor("eve", nil))
	testenv.Must(t, err)
	is := e.put(t, bob, object(t, f, noteText("1", `,"content":"a"`)))
	for what, text := range map[string]string{
		"another host": strings.Replace(noteText("2", `,"content":"a"`), "HOST/notes", evil.URL+"/notes", 1),
		"another author": strings.Replace(noteText("2", `,"content":"a"`), `"attributedTo":"HOST/users/bob"`,
			`"attributedTo":"HOST/users/eve"`, 1),
		"no author":   strings.Replace(noteText("2", `,"content":"a"`), "attributedTo", "by", 1),
		"no post":     strings.Replace(noteText("2", `,"content":"a"`), "Note", "Person", 1),
		"for nobody":  strings.Replace(noteText("2", `,"content":"a"`), `"as:Public"],`, `"HOST/users/eve"],"x":`, 1),
		"own address": strings.Replace(noteText("2", `,"content":"a"`), "HOST/notes", own+"/posts", 1),
		"a vote":      noteText("2", `,"name":"Yes","inReplyTo":"`+own+`/posts/1"`),
	} {
		if what == "for nobody" {
			text = strings.Replace(text, `"cc":["HOST/users/bob/followers"],`, "", 1)
			text = strings.Replace(text, `"x":`, "", 1)
		}
		_, err := e.Put(t.Context(), bob, object(t, f, text))
		if errs.KindOf(err) != errs.NotFound || err == nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	// eve of the same host can change and delete nothing of bob's.
	_, err = e.Put(t.Context(), eve, object(t, f, strings.ReplaceAll(noteText("1",
		`,"content":"b","updated":"2022-01-01T00:00:00Z"`), "users/bob", "users/eve")))
	storetest.WantErr(t, err, errs.Forbidden, "not_author")
	storetest.WantErr(t, e.Remove(t.Context(), eve, f.URL+"/notes/1"), errs.Forbidden, "not_author")
	testenv.Must(t, e.Remove(t.Context(), eve, f.URL+"/notes/3")) // notes what may be hers
	if late := e.put(t, bob, object(t, f, noteText("3", `,"content":"c"`))); late.Content != "c" {
		t.Errorf("bob's post is %q", late.Content)
	}
	if is := e.tweet(t, is.ID); is.Content != "a" {
		t.Errorf("bob's post is %q", is.Content)
	}
	now := e.Clock.Now()
	for i, at := range []string{"2999-01-01T00:00:00Z", "1969-12-31T00:00:00Z", "never"} {
		text := strings.Replace(noteText(fmt.Sprint("t", i), `,"content":"a"`), "2020-01-02T03:04:05.678Z", at, 1)
		if is := e.put(t, bob, object(t, f, text)); !is.CreatedAt.Equal(now.Truncate(time.Millisecond)) {
			t.Errorf("a post of %s is of %s", at, is.CreatedAt)
		}
	}
	long := e.put(t, bob, object(t, f, noteText("long", `,"content":"<p>`+strings.Repeat("*a_ ", 200_000)+`</p>"`)))
	if n := len([]rune(long.Content)); n > 3*remote.MaxText || !strings.HasSuffix(long.Content, "<"+f.URL+"/notes/long>") {
		t.Errorf("a long post has %d characters, and ends with %q", n, long.Content[len(long.Content)-60:])
	}
	many := e.put(t, bob, object(t, f, noteText("many", `,"content":"x","tag":[`+strings.TrimSuffix(strings.Repeat(
		`{"type":"Hashtag","name":"#a"},`, 50)+tagList(80), ",")+`],"attachment":[`+strings.TrimSuffix(strings.Repeat(
		`{"type":"Image","url":"https://c.example/`+strings.Repeat("p", 1900)+`","name":"`+strings.Repeat("[", 5000)+`"},`,
		90), ",")+`]`)))
	if n := len([]rune(many.Content)); n > model.MaxContent || len(many.Tags) != model.MaxTags ||
		strings.Count(many.Content, "![") < 10 || !strings.HasSuffix(many.Content, "<"+f.URL+"/notes/many>") {
		t.Errorf("a post with much has %d characters, %d tags and %d pictures", n, len(many.Tags),
			strings.Count(many.Content, "!["))
	}
}

func tagList(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"type":"Hashtag","name":"#t%d"},`, i)
	}
	return b.String()
}

// A thread is fetched up to a bound, and a cycle ends.
func TestThread(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	e.CreateUsers(t, "ann")
	bob := e.bob(t, f)
	f.Put("/notes/0", noteText("0", `,"content":"root"`))
	for i := 1; i < 15; i++ {
		f.Put(fmt.Sprint("/notes/", i), noteText(fmt.Sprint(i), fmt.Sprintf(`,"content":"%d","inReplyTo":"HOST/notes/%d"`, i,
			i-1)))
	}
	id, err := e.Post(t.Context(), f.URL+"/notes/5")
	testenv.Must(t, err)
	if is := e.tweet(t, id); is.Content != "5" || is.ReplyTo == nil || e.tweet(t, is.RootID).Content != "root" ||
		len(e.IDs(t, model.Tweets)) != 6 {
		t.Errorf("the reply is %+v", is.Tweet)
	}
	g := open(t)
	g.bob(t, f)
	if id, err = g.Post(t.Context(), f.URL+"/notes/14"); err != nil {
		t.Fatal(err)
	}
	is := g.tweet(t, id)
	if root := g.tweet(t, is.RootID); root.Content != "↪ <"+f.URL+"/notes/3>\n\n4" ||
		len(g.IDs(t, model.Tweets)) != remote.MaxParents+1 {
		t.Errorf("the bound of parents is at %q, with %d tweets", root.Content, len(g.IDs(t, model.Tweets)))
	}
	f.Put("/notes/a", noteText("a", `,"content":"a","inReplyTo":"HOST/notes/b"`))
	f.Put("/notes/b", noteText("b", `,"content":"b","inReplyTo":"HOST/notes/c"`))
	f.Put("/notes/c", noteText("c", `,"content":"c","inReplyTo":"HOST/notes/a"`))
	id, err = e.Post(t.Context(), f.URL+"/notes/a")
	testenv.Must(t, err)
	if is := e.tweet(t, id); !strings.HasSuffix(is.Content, "a") {
		t.Errorf("a cycle is %q", is.Content)
	}
	f.Put("/notes/s", noteText("s", `,"content":"s","inReplyTo":"HOST/notes/s"`))
	_, err = e.Post(t.Context(), f.URL+"/notes/s")
	testenv.Must(t, err)
	// A reply to a tweet of this installation counts as every reply, and obeys its author.
	root, err := e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "no", AllowLikes: true}, model.Request{})
	testenv.Must(t, err)
	_, err = e.Put(t.Context(), bob, object(t, f, noteText("r", `,"content":"r","inReplyTo":"`+own+`/posts/`+
		string(root.ID)+`"`)))
	storetest.WantErr(t, err, errs.Forbidden, "not_allowed")
	root, err = e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "yes", AllowReplies: true,
		Visibility: model.Unlisted}, model.Request{})
	testenv.Must(t, err)
	reply := e.put(t, bob, object(t, f, noteText("r", `,"content":"r","inReplyTo":"`+own+`/posts/`+string(root.ID)+`"`)))
	if reply.ReplyTo == nil || *reply.ReplyTo != root.ID || reply.Visibility != model.Unlisted ||
		!reply.CreatedAt.After(root.CreatedAt) {
		t.Errorf("the reply is %+v", reply.Tweet)
	}
}

// A question is a poll, with the votes of its server and those of users here.
func TestQuestion(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	e.CreateUsers(t, "ann")
	bob := e.bob(t, f)
	end := e.Clock.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	question := func(a, b int, more string) *activitypub.Object {
		return object(t, f, strings.Replace(noteText("q", fmt.Sprintf(`,"content":"<p>?</p>","endTime":"%s","oneOf":[
			{"type":"Note","name":"A","replies":{"type":"Collection","totalItems":%d}},
			{"type":"Note","name":"B","replies":{"type":"Collection","totalItems":%d}}]`, end, a, b)+more), "Note",
			"Question", 1))
	}
	is := e.put(t, bob, question(3, 4, ""))
	if is.Content != "?" || is.Poll == nil || is.Poll.Closed(e.Clock.Now()) || len(is.Poll.Options) != 2 {
		t.Fatalf("the question is %+v", is.Tweet)
	}
	result, err := e.Polls.Vote(t.Context(), "ann", is.ID, 1)
	testenv.Must(t, err)
	if result.Votes[0] != 3 || result.Votes[1] != 4 {
		t.Errorf("the votes are %v", result.Votes)
	}
	closed := e.Clock.Now().Add(-time.Minute).UTC().Format(time.RFC3339)
	is = e.put(t, bob, question(5, 6, `,"closed":"`+closed+`"`))
	if result, err = e.Polls.Of(t.Context(), model.Viewer{ID: "ann", Role: model.Member}, is.Tweet); err != nil ||
		!result.Closed || result.Votes[0] != 5 || result.Votes[1] != 6 || is.Revision != 0 {
		t.Errorf("in the end the votes are %+v: %v", result, err)
	}
	many := object(t, f, strings.Replace(noteText("m", `,"content":"?","oneOf":[{"name":"A"},{"name":"B"},{"name":"C"},
		{"name":"D"},{"name":"E","replies":{"type":"Collection","totalItems":7}}]`), "Note", "Question", 1))
	if is = e.put(t, bob, many); is.Poll != nil ||
		is.Content != "?\n\n- A\n- B\n- C\n- D\n- E (7)\n\n<"+f.URL+"/notes/m>" {
		t.Errorf("a question of five options is %q", is.Content)
	}
}

// A reply in a thread that holds replies waits in its newest version, until the author of the root approves or refuses
// it, or its author deletes it.
func TestHeldReply(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	e.CreateUsers(t, "ann")
	bob := e.bob(t, f)
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{HoldReplies: new(model.HoldStrangers)}))
	e.CoolDown()
	root := e.Tweet(t, "ann", "root")
	reply := func(id, content, updated string) error {
		t.Helper()
		_, err := e.Put(t.Context(), bob, object(t, f, noteText(id, `,"content":"`+content+`","inReplyTo":"`+own+`/posts/`+
			string(root.ID)+`","updated":"`+updated+`"`)))
		return err
	}
	waits := func(want ...string) (ids []string) {
		t.Helper()
		found, err := e.HeldReplies.To(t.Context(), "ann", model.Cursor{}, 10)
		testenv.Must(t, err)
		all := []string{}
		for _, h := range found.Items {
			all, ids = append(all, h.Content), append(ids, h.ID)
		}
		if !slices.Equal(all, want) {
			t.Fatalf("there wait %q, want %q", all, want)
		}
		return ids
	}
	for _, version := range [][2]string{{"one", "2020-01-03T00:00:00Z"}, {"one", "2020-01-03T00:00:00Z"},
		{"two", "2020-01-05T00:00:00Z"}, {"older", "2020-01-04T00:00:00Z"}} {
		storetest.WantErr(t, reply("1", version[0], version[1]), errs.Forbidden, "reply_not_approved")
	}
	held := waits("two")[0]
	if n := len(e.IDs(t, model.Tweets)); n != 1 {
		t.Errorf("there are %d tweets", n)
	}
	failures := testenv.AtOnce(3, func(int) error {
		_, err := e.HeldReplies.Approve(t.Context(), "ann", held)
		return err
	})
	storetest.OnlyWinner(t, failures, errs.NotFound, "held_reply_not_found")
	waits()
	id, err := e.KnownPost(t.Context(), f.URL+"/notes/1")
	testenv.Must(t, err)
	if is := e.tweet(t, id); is.Content != "two" || is.AuthorID != bob.ID || is.Remote == nil || is.ReplyTo == nil ||
		*is.ReplyTo != root.ID || is.Remote.IRI != f.URL+"/notes/1" || is.RepliesHeldBy != "ann" {
		t.Errorf("the tweet is %+v", is.Tweet)
	}
	testenv.Must(t, reply("1", "three", "2020-01-06T00:00:00Z"))
	if is := e.tweet(t, id); is.Content != "three" {
		t.Errorf("after an edit the tweet is %q", is.Content)
	}
	// Whoever is refused does not come again, and what its author deletes waits no more.
	storetest.WantErr(t, reply("2", "refused", "2020-01-03T00:00:00Z"), errs.Forbidden, "reply_not_approved")
	testenv.Must(t, e.HeldReplies.Remove(t.Context(), "ann", waits("refused")[0]))
	storetest.WantErr(t, reply("2", "again", "2020-01-07T00:00:00Z"), errs.Gone, "post_deleted")
	storetest.WantErr(t, reply("3", "deleted", "2020-01-03T00:00:00Z"), errs.Forbidden, "reply_not_approved")
	waits("deleted")
	testenv.Must(t, e.Remove(t.Context(), bob, f.URL+"/notes/3"))
	waits()
	storetest.WantErr(t, reply("3", "late", "2020-01-07T00:00:00Z"), errs.Gone, "post_deleted")
	if n := len(e.IDs(t, model.Tweets)); n != 2 {
		t.Errorf("in the end there are %d tweets", n)
	}
}

// Votes of a version that is older than the known one are older, too. Of one version more votes are newer.
func TestOlderVotes(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	e.CreateUsers(t, "ann")
	bob := e.bob(t, f)
	question := func(updated time.Time, votes int) *activitypub.Object {
		return object(t, f, strings.Replace(noteText("q", fmt.Sprintf(`,"content":"?","updated":"%s","oneOf":[
			{"type":"Note","name":"A","replies":{"type":"Collection","totalItems":%d}},
			{"type":"Note","name":"B","replies":{"type":"Collection","totalItems":0}}]`, updated.UTC().Format(time.RFC3339),
			votes)), "Note", "Question", 1))
	}
	now := e.Clock.Now()
	is := e.put(t, bob, question(now, 3))
	_, err := e.Polls.Vote(t.Context(), "ann", is.ID, 2)
	testenv.Must(t, err)
	e.put(t, bob, question(now, 4))
	e.put(t, bob, question(now.Add(-time.Minute), 1))
	is = e.put(t, bob, question(now, 2)) // servers do not count a vote as a version: this one came late
	if result, err := e.Polls.Of(t.Context(), model.Viewer{ID: "ann", Role: model.Member}, is.Tweet); err != nil ||
		result.Votes[0] != 4 {
		t.Errorf("the votes are %+v: %v", result, err)
	}
}

// A reply waits for its parent while the process fetches too much of a host.
func TestBusyParent(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := e.bob(t, f)
	f.Put("/notes/0", noteText("0", `,"content":"root"`))
	for i := range 40 {
		_, _ = e.Federation.Fetch(t.Context(), fmt.Sprint(f.URL, "/nothing/", i))
	}
	reply := object(t, f, noteText("1", `,"content":"1","inReplyTo":"HOST/notes/0"`))
	_, err := e.Put(t.Context(), bob, reply)
	storetest.WantErr(t, err, errs.Unavailable, "remote_unavailable")
	e.Clock.Add(time.Minute)
	if is := e.put(t, bob, reply); is.ReplyTo == nil {
		t.Errorf("the reply is an orphan: %q", is.Content)
	}
}

// A post that a moderator deleted does not come back, whatever its server says later.
func TestDeletedByModerator(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	e.CreateUsers(t, "mod")
	bob := e.bob(t, f)
	is := e.put(t, bob, object(t, f, noteText("1", `,"content":"<p>bad</p>"`)))
	testenv.Must(t, e.Moderation.DeleteTweet(t.Context(), moderation.Actor{UID: "mod"}, is.ID, false))
	for _, text := range []string{`,"content":"<p>bad</p>"`, `,"content":"<p>worse</p>","updated":"2020-02-02T00:00:00Z"`} {
		_, err := e.Put(t.Context(), bob, object(t, f, noteText("1", text)))
		storetest.WantErr(t, err, errs.Gone, "post_deleted")
	}
	if n := len(e.IDs(t, model.Tweets)); n != 0 {
		t.Errorf("there are %d tweets", n)
	}
}
