package objects

import (
	"context"
	"errors"
	"net/http"

	"cloud.google.com/go/storage"
	"google.golang.org/api/googleapi"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Version is what one upload wrote under a name, and nothing that was written there before or later. Only buckets have
// versions.
type Version struct {
	name   string
	object *storage.ObjectHandle
}

// Version returns the file of a name with a generation, which an event or [Objects.Stat] names. A generation is above
// 0.
func (o *Objects) Version(name string, generation int64) *Version {
	var client *storage.Client
	if !o.bucket.As(&client) {
		panic("objects: a directory has no versions")
	}
	return &Version{name, client.Bucket(o.name).Object(name).Generation(generation)}
}

// Stat describes the version. A version that was removed or replaced is errs.NotFound.
func (v *Version) Stat(ctx context.Context) (_ *Info, err error) {
	defer errs.Wrap(&err, "objects.Version(%q).Stat", v.name)
	a, err := v.object.Attrs(ctx)
	if err != nil {
		return nil, ofVersion(err)
	}
	return &Info{Name: a.Name, Size: a.Size, Generation: a.Generation, ContentType: a.ContentType, ModTime: a.Updated}, nil
}

// ReadRange reads at most length bytes from an offset, as [Objects.ReadRange] does.
func (v *Version) ReadRange(ctx context.Context, offset, length int64) (_ *File, err error) {
	defer errs.Wrap(&err, "objects.Version(%q).ReadRange(%d, %d)", v.name, offset, length)
	r, err := v.object.NewRangeReader(ctx, offset, length)
	if err != nil {
		return nil, ofVersion(err)
	}
	return &File{ReadCloser: r, Size: r.Attrs.Size, ContentType: r.Attrs.ContentType, ModTime: r.Attrs.LastModified}, nil
}

// Remove removes the version, and nothing that was written under its name since. Removing a missing version is not an
// error.
func (v *Version) Remove(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "objects.Version(%q).Remove", v.name)
	if err = ofVersion(v.object.Delete(ctx)); errs.KindOf(err) == errs.NotFound {
		return nil
	}
	return err
}

// ofVersion gives an error of a request for a version its kind.
func ofVersion(err error) error {
	var refused *googleapi.Error
	switch {
	case errors.Is(err, storage.ErrObjectNotExist), errors.As(err, &refused) && refused.Code == http.StatusNotFound:
		return &errs.Error{Kind: errs.NotFound, Err: err}
	}
	return known(err)
}
