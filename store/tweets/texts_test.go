package tweets_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Texts of several tweets are one read each, and none when they are read again. A text that was edited after its tweet
// was read is left out, and so are those beyond MaxTexts.
func TestTexts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	texts := []string{"short", strings.Repeat("a", model.MaxSnippet+1), strings.Repeat("b", model.MaxSnippet+2)}
	var ids []model.TweetID
	for _, text := range texts {
		ids = append(ids, e.Tweet(t, "ann", text).ID)
	}
	read := func(ids []model.TweetID) (all []*model.Tweet) {
		found, err := e.Tweets.Batch(t.Context(), ids, model.Viewer{})
		testenv.Must(t, err)
		for _, s := range found {
			all = append(all, s.Tweet)
		}
		return all
	}
	of := read(ids)
	for _, reads := range []int64{2, 0} {
		testenv.Must(t, storetest.Costs(t, "Texts", reads, 0, 0, func(ctx context.Context) error {
			found, err := e.Tweets.Texts(ctx, append(of, of...))
			for i, id := range ids {
				if found[id] == nil || found[id].Content != texts[i] || found[id].Tweet != of[i] {
					t.Errorf("the text of %d is %+v", i, found[id])
				}
			}
			return err
		}))
	}
	_, err := e.Edits.Edit(t.Context(), "ann", ids[1], model.TweetPatch{Content: new(texts[1] + "!")}, nil)
	testenv.Must(t, err)
	found, err := e.Again(t, store.Options{}).Tweets.Texts(t.Context(), of)
	testenv.Must(t, err)
	if found[ids[1]] != nil || found[ids[2]] == nil {
		t.Errorf("a text that was edited meanwhile is %+v", found[ids[1]])
	}
	found, err = e.Tweets.Texts(t.Context(), read(ids))
	testenv.Must(t, err)
	if got := found[ids[1]]; got == nil || got.Content != texts[1]+"!" {
		t.Errorf("the edited text is %+v", got)
	}

	ids = nil
	for range tweets.MaxTexts/model.MaxContent + 2 {
		ids = append(ids, e.Tweet(t, "ann", strings.Repeat("c", model.MaxContent)).ID)
	}
	found, err = e.Tweets.Texts(t.Context(), read(ids))
	testenv.Must(t, err)
	if len(found) != tweets.MaxTexts/model.MaxContent {
		t.Errorf("%d of %d texts of %d characters", len(found), len(ids), model.MaxContent)
	}
}
