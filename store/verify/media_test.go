package verify_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// Records without files, files without records, and records and tweets that do not name each other are found. What can
// be repaired is repaired, and what is right stays.
func TestMedia(t *testing.T) {
	t.Parallel()
	uploads, place := storagetest.Buckets(t, testenv.Project(t))
	e := storetest.Open(t, store.Options{UploadsBucket: uploads, MediaBucket: place})
	files, err := objects.Open(t.Context(), place, "")
	testenv.Must(t, err)
	t.Cleanup(func() { files.Close() })
	const young = "333333333333333333333333/small"
	testenv.Must(t, files.Put(t.Context(), young, []byte("x"),
		objects.Attributes{ContentType: "image/png"}))
	if ds, err := e.Audit.All(t.Context(), verify.Options{}); err != nil || len(ds) > 0 {
		t.Errorf("a file whose record may be about to come: %v, %v", bare(ds), err)
	}
	testenv.Must(t, files.Remove(t.Context(), young))
	// The files are written now, so the store's clock is ahead of them by more than an orphan's age.
	e.Clock.Add(20 * 365 * 24 * 60 * 60 * 1e9)
	e.CreateUsers(t, "ann")
	ready := func(name model.MediaID, with func(*model.Media)) model.MediaID {
		t.Helper()
		m := model.Media{OwnerID: "ann", Kind: model.MediaTweet, State: model.MediaReady, Type: model.MediaImage,
			Sizes: map[string]model.MediaSize{model.SizeSmall: {Bytes: 1}, model.SizeLarge: {Bytes: 1}}}
		if with != nil {
			with(&m)
		}
		_, err := e.Raw.Doc("media/"+string(name)).Set(t.Context(), m)
		testenv.Must(t, err)
		for size := range m.Sizes {
			testenv.Must(t, files.Put(t.Context(), string(name)+"/"+size, []byte("x"),
				objects.Attributes{ContentType: "image/png"}))
		}
		return name
	}
	id := func(n string) model.MediaID { return model.MediaID(n + "00000000000000000000000"[len(n)-1:]) }
	good := ready(id("a"), nil)
	tweet := e.Draft(t, "ann", model.Draft{Media: []model.MediaID{good}})
	other := e.Draft(t, "ann", model.Draft{Media: []model.MediaID{ready(id("b"), nil)}})
	avatar := ready(id("c"), func(m *model.Media) { m.Kind = model.MediaAvatar })
	testenv.Must(t, e.Users.UpdateOwn(t.Context(), "ann", model.UserPatch{AvatarMedia: &avatar}, model.CoolDown{}))
	for _, t1 := range []*model.Tweet{tweet, other} {
		testenv.Must(t, e.Timelines.Deliver(t.Context(), t1))
		testenv.Must(t, e.Search.Update(t.Context(), t1.ID, nil, t1))
	}
	concerns := func(o verify.Options) (all []found) {
		t.Helper()
		ds, err := e.Audit.All(t.Context(), o)
		testenv.Must(t, err)
		return slices.DeleteFunc(bare(ds), func(f found) bool { return len(f.Document) < 6 || f.Document[:6] != "media/" })
	}
	if got := concerns(verify.Options{}); len(got) > 0 {
		t.Fatalf("what is right differs: %v", got)
	}

	lost := ready(id("d"), nil)
	testenv.Must(t, files.Remove(t.Context(), string(lost)+"/large"))
	stray := ready(id("e"), func(m *model.Media) { m.TweetID = tweet.ID })
	gone := ready(id("f"), func(m *model.Media) { m.TweetID = "00000000000000000a" })
	left := ready(id("1"), func(m *model.Media) { m.Kind, m.InProfile = model.MediaAvatar, true })
	orphan := id("2")
	testenv.Must(t, files.Put(t.Context(), string(orphan)+"/small", []byte("x"),
		objects.Attributes{ContentType: "image/png"}))
	_, err = e.Raw.Doc("media/" + string(id("b"))).Delete(t.Context())
	testenv.Must(t, err)

	of := func(id model.MediaID) string { return "media/" + string(id) }
	want := func(repaired bool) []found {
		return []found{
			{of(left), "", "", nil, repaired}, {of(orphan), "files", "true", nil, repaired},
			{of(id("b")), "files", "true", nil, repaired}, {of(id("b")), "tweetId", nil, string(other.ID), false},
			{of(lost), "sizes.large", nil, "true", false}, {of(stray), "", string(tweet.ID), nil, repaired},
			{of(gone), "", "00000000000000000a", nil, repaired},
		}
	}
	sorted := func(all []found) []found {
		slices.SortFunc(all, func(a, b found) int {
			return slices.Compare([]string{a.Document, a.Field}, []string{b.Document, b.Field})
		})
		return all
	}
	if diff := cmp.Diff(sorted(want(false)), sorted(concerns(verify.Options{}))); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	wait := func(context.Context) error { return nil }
	if diff := cmp.Diff(sorted(want(true)), sorted(concerns(verify.Options{Wait: wait, Repair: true}))); diff != "" {
		t.Errorf("repaired (-want +got):\n%s", diff)
	}
	for _, id := range []model.MediaID{stray, gone, left} {
		if e.Doc(t, of(id)) != nil {
			t.Errorf("the record %s stays", id)
		}
		testenv.Must(t, e.Media.Remove(t.Context(), id)) // as the event of the deletion does
	}
	if got := concerns(verify.Options{}); len(got) != 2 {
		t.Errorf("after the repair: %v, want the lost file and the lost record", got)
	}
	for _, id := range []model.MediaID{good, avatar} {
		if names, err := files.List(t.Context(), string(id)+"/", 9); err != nil || len(names) != 2 {
			t.Errorf("the files of %s are %q, %v", id, names, err)
		}
	}
}

// A verification of many media lists the bucket once for each few hundred records, not once for each record. It goes on
// where an earlier part ended, and finds the same, at the beginning, at the end, and on the borders of parts.
func TestManyMedia(t *testing.T) { // not parallel: it changes the environment
	lists, place := countLists(t, testenv.Project(t))
	e := storetest.Open(t, store.Options{UploadsBucket: "gs://none", MediaBucket: place})
	e.Clock.Add(20 * 365 * 24 * 60 * 60 * 1e9)
	files, err := objects.Open(t.Context(), place, "")
	testenv.Must(t, err)
	t.Cleanup(func() { files.Close() })
	put := func(id model.MediaID, size string) {
		t.Helper()
		testenv.Must(t, files.Put(t.Context(), string(id)+"/"+size, []byte("x"),
			objects.Attributes{ContentType: "image/png"}))
	}
	id := func(n int) model.MediaID { return model.MediaID(fmt.Sprintf("%024x", n*16)) }
	const records = 650
	want := []string{}
	batch := e.Raw.BulkWriter(t.Context())
	for n := range records {
		m := model.Media{OwnerID: "ann", Kind: model.MediaTweet, State: model.MediaReady, Type: model.MediaImage,
			Sizes: map[string]model.MediaSize{model.SizeSmall: {Bytes: 1}}}
		switch {
		case n%100 == 99: // the last of each part has lost its file
			want = append(want, "media/"+string(id(n))+" sizes.small")
		case n%100 == 50:
			m.TweetID = "00000000000000000a"
			want = append(want, "media/"+string(id(n))+" ")
		default:
			put(id(n), model.SizeSmall)
		}
		_, err := batch.Set(e.Raw.Doc("media/"+string(id(n))), m)
		testenv.Must(t, err)
	}
	batch.End()
	for _, n := range []int{0, 99, 100, 199, 299, 649} { // on both sides of a border
		orphan := model.MediaID(fmt.Sprintf("%024x", n*16+8))
		put(orphan, model.SizeSmall)
		put(orphan, model.SizeLarge)
		want = append(want, "media/"+string(orphan)+" files")
	}
	last := model.MediaID(strings.Repeat("f", 24))
	put(last, model.SizeSmall)
	want = append(want, "media/"+string(last)+" files")
	testenv.Must(t, files.Put(t.Context(), "notes.txt", []byte("x"), objects.Attributes{ContentType: "text/plain"}))
	want = append(want, "media/notes.txt files")
	slices.Sort(want)
	sorted := func(ds []verify.Difference) []string {
		all := []string{}
		for _, d := range ds {
			all = append(all, d.Document+" "+d.Field)
		}
		slices.Sort(all)
		return all
	}
	lists.Store(0)
	all, err := e.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	if diff := cmp.Diff(want, sorted(all)); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if got := lists.Load(); got != 3 {
		t.Errorf("the bucket was listed %d times, want 3 for %d records", got, records)
	}
	var parts []verify.Difference
	var ends []model.UserID
	for after := model.UserID(""); len(ends) < 20; {
		wait := func(context.Context) error { return nil }
		some, next, err := e.Audit.Part(t.Context(), after, 100, verify.Options{Wait: wait, Repair: true})
		testenv.Must(t, err)
		if parts = append(parts, some...); next == "" {
			break
		}
		after = next
		ends = append(ends, next)
	}
	if diff := cmp.Diff(want, sorted(parts)); diff != "" {
		t.Errorf("found in parts (-want +got):\n%s", diff)
	}
	if len(ends) != 6 || ends[0] != model.UserID("media/"+string(id(99))) {
		t.Errorf("the parts end at %q", ends)
	}
	all, err = e.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	if len(all) != 7 { // six lost files, and one of an operator
		t.Errorf("after the repair: %v", sorted(all))
	}
}

// countLists makes the bucket of media of a project, and counts how often it is listed from now on.
func countLists(t *testing.T, project string) (*atomic.Int64, string) {
	t.Helper()
	_, place := storagetest.Buckets(t, project)
	to, err := url.Parse("http://" + storagetest.Host(t))
	testenv.Must(t, err)
	lists := new(atomic.Int64)
	list := "/storage/v1/b/" + strings.TrimPrefix(place, "gs://") + "/o"
	forward := httputil.NewSingleHostReverseProxy(to)
	counter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == list {
			lists.Add(1)
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(counter.Close)
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(counter.URL, "http://"))
	return lists, place
}
