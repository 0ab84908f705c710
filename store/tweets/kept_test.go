package tweets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/model"
)

// Kept texts have a limited size, and those that were used last stay.
func TestKeptTexts(t *testing.T) {
	t.Parallel()
	k, used := newKeptTexts(), textKey{"used", 0}
	k.add(used, model.TweetDetail{Content: "x", Gist: &model.Gist{}})
	for n := range 200 {
		for range 2 {
			k.add(textKey{model.TweetID(fmt.Sprint(n)), 0}, model.TweetDetail{Content: strings.Repeat("y", 300_000)})
		}
		if d, ok := k.get(used); !ok || d.Content != "x" || d.Gist != nil {
			t.Fatalf("the text that is used is gone after %d others", n)
		}
		if bytes := k.size(); bytes != k.bytes || bytes > keptBytes {
			t.Fatalf("%d bytes are kept, %d are counted, and %d are the limit", bytes, k.bytes, keptBytes)
		}
	}
	if n := k.texts.Len(); n < 50 {
		t.Errorf("%d texts are kept", n)
	}
}

func (k *keptTexts) size() (bytes int) {
	for _, key := range k.texts.Keys() {
		d, _ := k.texts.Peek(key)
		bytes += sizeOf(key, d)
	}
	return bytes
}
