package tweets

import (
	"context"
	"math"
	"sync"

	"cloud.google.com/go/firestore"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

const (
	// MaxTexts is about how many characters the long texts of one batch have together.
	MaxTexts = 500_000
	// keptBytes is about how many bytes of long texts a process keeps.
	keptBytes = 16 << 20
	// keptOverhead is about what a kept text takes besides its own bytes.
	keptOverhead = 300
)

// Texts returns tweets with their texts, for a viewer who may see these tweets. It leaves out a tweet whose text an
// edit changed after the tweet was read, because the new text may be for fewer users, and those with which the texts
// would have more than [MaxTexts] characters together. A text that this process read before is read no more.
//
// Cost: 1 read for each text that is longer than its snippet.
func (s *Store) Texts(ctx context.Context, of []*model.Tweet) (_ map[model.TweetID]*FullTweet, err error) {
	defer errs.Wrap(&err, "tweets.Texts(%d)", len(of))
	all, missing := map[model.TweetID]*FullTweet{}, map[model.TweetID]*model.Tweet{}
	var refs []*firestore.DocumentRef
	left := MaxTexts
	put := func(t *model.Tweet, d model.TweetDetail) {
		all[t.ID] = &FullTweet{Tweet: t, Content: d.Content, Alts: d.Alts}
	}
	for _, t := range of {
		if all[t.ID] != nil || missing[t.ID] != nil {
			continue
		}
		if d, whole := t.Detail(); whole {
			put(t, d)
			continue
		}
		if t.Length > left {
			continue
		}
		left -= t.Length
		if d, ok := s.kept.get(textKey{t.ID, t.Revision}); ok {
			put(t, d)
			continue
		}
		missing[t.ID], refs = t, append(refs, s.db.Doc(model.TweetDetails, string(t.ID)))
	}
	if len(refs) == 0 {
		return all, nil
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, snap := range snaps {
		t := missing[model.TweetID(snap.Ref.ID)]
		if !snap.Exists() || snap.UpdateTime.After(t.Version) && snap.UpdateTime.After(t.ReadAt) {
			continue // an edit writes both at the same time, a gist the text alone
		}
		var d model.TweetDetail
		if err := snap.DataTo(&d); err != nil {
			return nil, err
		}
		s.kept.add(textKey{t.ID, t.Revision}, d)
		put(t, d)
	}
	return all, nil
}

// textKey names the text of a tweet in one revision, which never changes.
type textKey struct {
	id       model.TweetID
	revision int
}

// keptTexts are the texts that were used last, keptBytes of them.
type keptTexts struct {
	mu    sync.Mutex
	texts *simplelru.LRU[textKey, model.TweetDetail] // limited by bytes alone
	bytes int
}

func newKeptTexts() *keptTexts {
	k := &keptTexts{}
	var err error
	k.texts, err = simplelru.NewLRU(math.MaxInt, func(key textKey, d model.TweetDetail) { k.bytes -= sizeOf(key, d) })
	if err != nil {
		panic(err) // only for a size below 1
	}
	return k
}

func (k *keptTexts) get(key textKey) (model.TweetDetail, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.texts.Get(key)
}

// add keeps a text, and removes others that were not used for long.
func (k *keptTexts) add(key textKey, d model.TweetDetail) {
	d.Gist = nil
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts.Contains(key) {
		return
	}
	k.texts.Add(key, d)
	for k.bytes += sizeOf(key, d); k.bytes > keptBytes; {
		k.texts.RemoveOldest()
	}
}

func sizeOf(key textKey, d model.TweetDetail) int {
	size := len(key.id) + len(d.Content) + keptOverhead
	for id, alt := range d.Alts {
		size += len(id) + len(alt) + keptOverhead
	}
	return size
}
