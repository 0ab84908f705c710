package verify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/messages"
	"github.com/hibana-sns/hibana/store/verify"
)

// readsTogether returns options that note how many parts of conversations, and how many of their words, one request
// reads at most. A query without a limit and without an end counts as 1,000.
func readsTogether(most *atomic.Int64) meter.Options {
	note := func(n int64) {
		was := most.Load()
		for n > was && !most.CompareAndSwap(was, n) {
			was = most.Load()
		}
	}
	return meter.Options{BelowReads: func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
		open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		s, err := open(ctx, desc, conn, method, opts...)
		return &sent{s, func(m any) {
			switch r := m.(type) {
			case *pb.BatchGetDocumentsRequest:
				note(int64(len(slices.DeleteFunc(slices.Clone(r.Documents), func(name string) bool {
					return !strings.Contains(name, "/"+model.ConversationMonths+"/")
				}))))
			case *pb.RunQueryRequest:
				q := r.GetStructuredQuery()
				if from := q.GetFrom()[0].GetCollectionId(); from != model.ConversationMonths && from != model.MessageTermLists {
					return
				}
				switch {
				case q.GetLimit() != nil:
					note(int64(q.GetLimit().GetValue()))
				case q.GetEndAt() == nil:
					note(1_000)
				}
			}
		}}, err
	}}
}

// sent calls a function with each message that a client sends.
type sent struct {
	grpc.ClientStream
	see func(any)
}

func (s *sent) SendMsg(m any) error {
	s.see(m)
	return s.ClientStream.SendMsg(m)
}

// A verification of many messages reads a few parts of conversations at a time, and goes on where an earlier part of it
// ended. It finds the same words in parts, at the beginning, at the end, and on the borders.
func TestManyMessages(t *testing.T) {
	t.Parallel()
	var most atomic.Int64
	e := storetest.Open(t, store.Options{Meter: readsTogether(&most)})
	const parts = 70
	want := []string{}
	name := func(n int) model.ConversationID {
		return model.PairID(model.UserID(fmt.Sprintf("u%03d", n)), model.UserID(fmt.Sprintf("v%03d", n)))
	}
	batch := e.Raw.BulkWriter(t.Context())
	set := func(path string, doc any) {
		t.Helper()
		_, err := batch.Set(e.Raw.Doc(path), doc)
		testenv.Must(t, err)
	}
	var keys []string
	for n := range parts {
		keys = append(keys, string(model.NewPartKey(name(n), "2026-11", 0)))
	}
	slices.Sort(keys)
	for n, key := range keys {
		id := model.PartKey(key).Conversation()
		at := e.Clock.Now()
		part := model.MessagePart{ConversationID: id, MadeAt: at, FirstSeq: 1, Messages: map[string]*model.Message{
			model.MessageKey(1): {AuthorID: "ann", Text: "word", At: at}}}
		set("conversationMonths/"+key, part)
		terms := messages.TermsOf(&part)
		switch n % 10 {
		case 9: // the last of each part of the verification
			terms.Terms = []string{"=other"}
		case 0: // and the first
			want = append(want, "messageTerms/"+key)
			continue
		}
		if set("messageTerms/"+key, *terms); n%10 == 9 {
			want = append(want, "messageTerms/"+key)
		}
	}
	strays := []string{"0"} // words without messages, before all, at a border, and after all
	for n := range 30 {
		strays = append(strays, fmt.Sprintf("%s-%02d", keys[19], n))
	}
	for _, key := range append(strays, "z") {
		set("messageTerms/"+key+"_2026-11", model.MessageTerms{ConversationID: "x", Terms: []string{"=secret"}})
		want = append(want, "messageTerms/"+key+"_2026-11")
	}
	batch.End()
	slices.Sort(want)
	sorted := func(ds []verify.Difference) []string {
		all := []string{}
		for _, d := range ds {
			if d.Kind == model.MessageTermLists {
				all = append(all, d.Document)
			}
		}
		slices.Sort(all)
		return all
	}
	ds, err := e.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	if diff := cmp.Diff(want, sorted(ds)); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if got := most.Load(); got != 20 {
		t.Errorf("a request asks for up to %d parts, want 20", got)
	}
	var found []verify.Difference
	var ends []model.UserID
	for after := model.UserID(""); len(ends) < 20; {
		var m meter.Meter
		some, next, err := e.Audit.Part(meter.With(t.Context(), &m), after, 10, verify.Options{
			Wait: func(context.Context) error { return nil }})
		testenv.Must(t, err)
		if len(ends) > 0 && m.Reads() > 60 { // two snapshots, and a query that finds nothing
			t.Errorf("the part after %q reads %d documents", after, m.Reads())
		}
		found = append(found, some...)
		if after = next; next == "" {
			break
		}
		ends = append(ends, next)
	}
	if diff := cmp.Diff(want, sorted(found)); diff != "" {
		t.Errorf("found in parts (-want +got):\n%s", diff)
	}
	if len(ends) < parts/10 || ends[0] != model.UserID("messageTerms/"+keys[9]) || len(ends) > 11 {
		t.Errorf("the parts end at %q", ends)
	}
}

// Records of the media of messages are compared with a few parts of conversations at a time.
func TestMessageMedia(t *testing.T) {
	t.Parallel()
	var most atomic.Int64
	e := storetest.Open(t, store.Options{Meter: readsTogether(&most)})
	batch := e.Raw.BulkWriter(t.Context())
	want := []string{}
	for n := range 50 {
		conversation := model.PairID("u", model.UserID(fmt.Sprintf("v%03d", n)))
		key := model.NewPartKey(conversation, "2026-11", 0)
		id := model.MediaID(fmt.Sprintf("%024x", n))
		shown := id
		if n%20 == 19 {
			shown = "ffffffffffffffffffffffff"
			want = append(want, "media/"+string(id))
		}
		message := model.NewMessageID(key, 1)
		_, err := batch.Set(e.Raw.Doc("conversationMonths/"+string(key)), model.MessagePart{ConversationID: conversation,
			Messages: map[string]*model.Message{message.Key(): {AuthorID: "u", Media: []model.TweetMedia{{ID: shown}}}}})
		testenv.Must(t, err)
		_, err = batch.Set(e.Raw.Doc("media/"+string(id)), model.Media{OwnerID: "u", State: model.MediaReady,
			ConversationID: conversation, MessageID: message})
		testenv.Must(t, err)
	}
	batch.End()
	got := []string{}
	ds, err := e.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	for _, d := range ds {
		if d.Kind == model.MediaRecords {
			got = append(got, d.Document)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if got := most.Load(); got != 20 {
		t.Errorf("a request asks for up to %d parts, want 20", got)
	}
}
