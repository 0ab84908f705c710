package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestDeadEvents(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	var want []string // the latest first
	for _, id := range []string{"a", "b/c", "d_e", "火"} {
		must(t, costs(t, "Bury", 0, 1, 0, func(ctx context.Context) error {
			return e.Bury(ctx, model.DeadEvent{EventID: id, Function: "F", Data: []byte(id), Cause: "because"})
		}))
		want = append([]string{id}, want...)
		e.clock.add(time.Second)
	}
	list := func(limit int) (ids []string) {
		t.Helper()
		for from := (store.Cursor{}); ; {
			page, err := e.DeadEvents(t.Context(), from, limit)
			must(t, err)
			for _, d := range page.Items {
				ids = append(ids, d.EventID)
				if len(d.Data) > 0 || d.Cause != "because" || d.ID != model.EffectKey(d.EventID, "F") {
					t.Errorf("listed %+v", d)
				}
			}
			if from = page.Next; from.IsZero() {
				return ids
			}
		}
	}
	for limit := 1; limit <= 5; limit++ {
		if diff := cmp.Diff(want, list(limit)); diff != "" {
			t.Errorf("dead letters in pages of %d (-want +got):\n%s", limit, diff)
		}
	}

	var read *model.DeadEvent
	must(t, costs(t, "DeadEvent", 1, 0, 0, func(ctx context.Context) (err error) {
		read, err = e.DeadEvent(ctx, model.EffectKey("b/c", "F"))
		return err
	}))
	if string(read.Data) != "b/c" || !read.ExpireAt.Equal(read.DiedAt.Add(model.DeadEventWindow)) {
		t.Errorf("read %+v", read)
	}
	for _, id := range []string{"", "never_F", "a/b", "a/b/c"} {
		_, err := e.DeadEvent(t.Context(), id)
		wantErr(t, err, errs.NotFound, "dead_event_not_found")
	}

	// What died again since it was read stays; what did not goes.
	must(t, e.Bury(t.Context(), *read))
	wantErr(t, e.Exhume(t.Context(), read), errs.Conflict, "buried_again")
	read, err := e.DeadEvent(t.Context(), read.ID)
	must(t, err)
	must(t, costs(t, "Exhume", 0, 0, 1, func(ctx context.Context) error { return e.Exhume(ctx, read) }))
	wantErr(t, e.Exhume(t.Context(), read), errs.Conflict, "buried_again")
	if diff := cmp.Diff([]string{"火", "d_e", "a"}, list(2)); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}

	// Neither length nor encoding keeps an event from being buried.
	must(t, e.Bury(t.Context(), model.DeadEvent{EventID: "odd\xff", Function: "F", Subject: "\xff", Cause: strings.Repeat("é\xff", 10_000)}))
	if read, err = e.DeadEvent(t.Context(), "odd\ufffd_F"); err != nil || len(read.Cause) > 20_000 || !strings.HasPrefix(read.Cause, "é\ufffdé") {
		t.Errorf("read %v", err)
	}
}
