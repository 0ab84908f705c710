package erasure_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// An export has the records of uploads and their files, also of more than one part takes. An account deletion takes
// the records.
func TestMedia(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	uploads, place := storagetest.Buckets(t, testenv.Project(t))
	e := storetest.Open(t, store.Options{ExportBucket: dir, UploadsBucket: uploads, MediaBucket: place})
	e.CreateUsers(t, zoe, "bob")
	bucket, err := objects.Open(t.Context(), place, "")
	testenv.Must(t, err)
	t.Cleanup(func() { bucket.Close() })
	want := map[string]string{}
	large := strings.Repeat("spark", 1<<20) // two do not go into one part
	for n, state := range []model.MediaState{model.MediaReady, model.MediaReady, model.MediaReady, model.MediaUploading,
		model.MediaFailed, model.MediaReady} {
		id := model.NewMediaID()
		m := model.Media{OwnerID: zoe, Kind: model.MediaTweet, State: state, Alt: "words"}
		if n == 5 {
			m.OwnerID = "bob"
		}
		if state == model.MediaReady {
			m.Sizes = map[string]model.MediaSize{model.SizeSmall: {Bytes: 1, ContentType: "image/jpeg"},
				model.SizeLarge: {Bytes: int64(len(large)), ContentType: "image/jpeg"}}
			testenv.Must(t, bucket.Put(t.Context(), string(id)+"/large", append([]byte{byte(n)}, large...),
				objects.Attributes{ContentType: "image/jpeg"}))
			if n != 5 {
				want["media/"+string(id)+".jpg"] = string(byte(n)) + large
			}
		}
		_, err := e.Raw.Doc("media/"+string(id)).Create(t.Context(), m)
		testenv.Must(t, err)
	}
	_, err = e.Exports.Ask(t.Context(), zoe)
	testenv.Must(t, err)
	exportsSteps(t, e, e.Store, zoe, nil)
	ready, err := e.Exports.Current(t.Context(), zoe)
	testenv.Must(t, err)
	got, records := map[string]string{}, 0
	for _, a := range ready.Archives {
		data, err := e.Objects.Read(t.Context(), names(t, e, a.Name))
		testenv.Must(t, err)
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		testenv.Must(t, err)
		for _, f := range z.File {
			r, err := f.Open()
			testenv.Must(t, err)
			text, err := io.ReadAll(r)
			testenv.Must(t, err)
			if strings.HasPrefix(f.Name, "media/") {
				got[f.Name] = string(text)
			}
			if strings.HasPrefix(f.Name, "media-") {
				records += strings.Count(string(text), `"alt":"words"`)
			}
		}
	}
	if len(got) != len(want) || records != 5 {
		t.Errorf("the export has %d files and %d records, want %d and 5", len(got), records, len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s has %d bytes, want %d", name, len(got[name]), len(text))
		}
	}
	work, err := e.Users.Leave(t.Context(), zoe)
	testenv.Must(t, err)
	testenv.Must(t, e.AccountDeletions.Leave(t.Context(), *work))
	if ids := e.IDs(t, model.MediaRecords); len(ids) != 1 || e.Doc(t, "media/"+ids[0])["ownerId"] != "bob" {
		t.Errorf("after the account deletion there are the records %q", ids)
	}
}

// An account with more files than the archives take gets everything else, and learns which files are left out.
func TestTooManyFiles(t *testing.T) {
	t.Parallel()
	uploads, place := storagetest.Buckets(t, testenv.Project(t))
	e := storetest.Open(t, store.Options{ExportBucket: t.TempDir(), UploadsBucket: uploads, MediaBucket: place})
	e.CreateUsers(t, zoe)
	tweet := e.Tweet(t, zoe, "a spark")
	putMedia(t, e, place, zoe, 10)
	exportsMust(e.Exports.Ask(t.Context(), zoe))
	w, _ := work(t, e, zoe)
	for n := range model.MediaExportArchives {
		w.Archives = append(w.Archives, model.ExportFile{Name: fmt.Sprintf("archive-%d", n), Bytes: 1})
	}
	_, err := e.Raw.Doc("exports/"+string(zoe)).Update(t.Context(),
		[]firestore.Update{{Path: "archives", Value: w.Archives}})
	testenv.Must(t, err)
	exportsSteps(t, e, e.Store, zoe, nil)
	ready := exportsMust(e.Exports.Current(t.Context(), zoe))
	if ready.Failed != "" || ready.OmittedFiles != 1 || len(ready.Archives) != model.MediaExportArchives+1 {
		t.Fatalf("the export is %q with %d archives, and leaves out %d files", ready.Failed, len(ready.Archives),
			ready.OmittedFiles)
	}
	data, err := e.Objects.Read(t.Context(), names(t, e, ready.Archives[model.MediaExportArchives].Name))
	testenv.Must(t, err)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	testenv.Must(t, err)
	texts := ""
	for _, f := range z.File {
		r, err := f.Open()
		testenv.Must(t, err)
		text, err := io.ReadAll(r)
		testenv.Must(t, err)
		if texts += string(text); strings.HasPrefix(f.Name, "media/") {
			t.Errorf("the archive has %s", f.Name)
		}
	}
	for _, want := range []string{string(tweet.ID), `"fileOmitted":true`, `"omittedFiles":1`} {
		if !strings.Contains(texts, want) {
			t.Errorf("the archive has no %s", want)
		}
	}
}

// A process holds one large part at a time, because it may have a whole video. Another step with one is refused, and
// does nothing; a step with a small part goes on.
func TestLargeTurn(t *testing.T) {
	t.Parallel()
	uploads, place := storagetest.Buckets(t, testenv.Project(t))
	o := store.Options{ExportBucket: t.TempDir(), UploadsBucket: uploads, MediaBucket: place, StepTime: time.Minute}
	e := storetest.Open(t, o)
	begun, release := make(chan struct{}), make(chan struct{})
	o.Meter = meter.Options{Below: storetest.Before(storetest.WritesTo("exports/"+string(zoe)), func() {
		close(begun)
		<-release
	})}
	s := e.Again(t, o)
	const small, large = 10, 6 << 20
	sizes := map[model.UserID]int{zoe: large, "bob": large, "cat": small}
	works := map[model.UserID]model.ExportWork{}
	for uid, size := range sizes {
		e.CreateUsers(t, uid)
		putMedia(t, e, place, uid, size)
		exportsMust(e.Exports.Ask(t.Context(), uid))
		works[uid], _ = work(t, e, uid)
	}
	ended := make(chan error)
	go func() { ended <- s.Exports.Export(t.Context(), works[zoe]) }()
	<-begun // its part is in memory
	storetest.WantErr(t, s.Exports.Export(t.Context(), works["bob"]), errs.Unavailable, "unavailable")
	if w, _ := work(t, e, "bob"); !w.WrittenAt.Equal(works["bob"].WrittenAt) {
		t.Errorf("the refused step wrote %+v", w)
	}
	testenv.Must(t, s.Exports.Export(t.Context(), works["cat"]))
	close(release)
	testenv.Must(t, <-ended)
	testenv.Must(t, s.Exports.Export(t.Context(), works["bob"]))
	for uid := range sizes {
		if w, _ := work(t, e, uid); w.Files != 1 {
			t.Errorf("the export of %s is %+v", uid, w)
		}
	}
}

// putMedia makes a ready upload of a user with a file of so many bytes.
func putMedia(t *testing.T, e *storetest.Env, place string, uid model.UserID, size int) {
	t.Helper()
	bucket, err := objects.Open(t.Context(), place, "")
	testenv.Must(t, err)
	defer bucket.Close()
	id := model.NewMediaID()
	_, err = e.Raw.Doc("media/"+string(id)).Create(t.Context(), model.Media{OwnerID: uid, Kind: model.MediaTweet,
		State: model.MediaReady, Sizes: map[string]model.MediaSize{model.SizeLarge: {Bytes: int64(size),
			ContentType: "image/jpeg"}}})
	testenv.Must(t, err)
	testenv.Must(t, bucket.Put(t.Context(), string(id)+"/large", make([]byte, size),
		objects.Attributes{ContentType: "image/jpeg"}))
}

// names is the whole name of an archive.
func names(t *testing.T, e *storetest.Env, archive string) string {
	t.Helper()
	all, err := e.Objects.List(t.Context(), "", 100)
	testenv.Must(t, err)
	i := slices.IndexFunc(all, func(name string) bool { return strings.HasSuffix(name, archive) })
	if i < 0 {
		t.Fatalf("there is no %s among %q", archive, all)
	}
	return all[i]
}
