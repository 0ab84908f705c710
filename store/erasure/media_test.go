package erasure_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
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
