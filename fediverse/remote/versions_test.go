package remote_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A newer version stays that comes while an older one is written, as a post and its edit do that come at once.
func TestVersionsAtOnce(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := e.bob(t, f)
	f.Put("/notes/0", noteText("0", `,"content":"root"`))
	first := object(t, f, noteText("1", `,"content":"first","inReplyTo":"HOST/notes/0"`))
	second := object(t, f, noteText("1",
		`,"content":"second","inReplyTo":"HOST/notes/0","updated":"2020-01-02T03:04:06.000001Z"`))

	// While the second asks for its parent, the first is written.
	o := store.Options{Federation: far.Options(t, own)}
	fetch := o.Federation.FetchObject
	o.Federation.FetchObject = func(ctx context.Context, address string, by model.SigningKey) (model.RemoteObject, error) {
		e.put(t, bob, first)
		return fetch(ctx, address, by)
	}
	other := &env{e.Env, of(e.Again(t, o), e.Env)}
	if is := other.put(t, bob, second); is.Content != "second" || is.Revision != 1 {
		t.Errorf("the tweet is %q, revision %d", is.Content, is.Revision)
	}
	third := object(t, f, noteText("1",
		`,"content":"third","inReplyTo":"HOST/notes/0","updated":"2020-01-02T03:04:06.000002Z"`))
	if is := e.put(t, bob, third); is.Content != "third" || is.Revision != 2 {
		t.Errorf("a microsecond later the tweet is %q, revision %d", is.Content, is.Revision)
	}
}
