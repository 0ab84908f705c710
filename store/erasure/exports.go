// This file writes the documents of a user into archives that the user can download. An archive is a zip of JSON files.
// Exports takes requests and reads the progress of an export; an Exporter does the work, in steps.
//
// A step writes one part: a small zip of its own, whose size is bounded. Its commit records the part and the next
// cursor. Parts are joined to archives without being unpacked. The name of a part or archive is random, so a step that
// runs twice, or late, writes a file of its own. Only the file that a commit names counts. The last step removes all
// others.

package erasure

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Exports takes the wishes for exports. Its methods may be called concurrently. Their errors
// are those of package errs.
type Exports struct {
	db      *db.DB
	objects *objects.Objects // nil without a configured bucket
}

// Archive is a file that the user can download.
type Archive struct {
	URL     string
	Bytes   int64
	Expires time.Time // of the URL
}

// folder is the prefix of the names of all files of a user. It has no character that a URL would escape, and does not
// reveal the uid.
func folder(uid model.UserID) string {
	sum := sha256.Sum256([]byte(uid))
	return hex.EncodeToString(sum[:16]) + "/"
}

// file is the full name of a file of an export.
func file(w *model.ExportWork, name string) string { return folder(w.UserID) + w.ID + "/" + name }

// errOff is the error without a configured bucket.
var errOff = errs.New(errs.NotFound, "exports_off", "this installation makes no exports: its operator has set no "+
	"EXPORT_BUCKET")

// Ask begins an export, and leaves its work document. While an export is under way, Ask returns that export. A user
// whose last export began less than [model.ExportEvery] ago is errs.Exhausted. A user without a profile is
// errs.NotFound.
//
// Cost: 2 reads and 1 write.
func (s *Exports) Ask(ctx context.Context, uid model.UserID) (work *model.ExportWork, err error) {
	defer errs.Wrap(&err, "erasure.Ask(%q)", uid)
	if s.objects == nil {
		return nil, errOff
	}
	ref := s.db.Export(uid)
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		user, last := db.Find[struct{}](&l, s.db.User(uid)), db.Find[model.ExportWork](&l, ref)
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		if !user.Found {
			return errs.New(errs.NotFound, "user_not_found", "there is no user %q", uid)
		}
		was := &last.Doc
		if last.Found && !was.Ended() {
			_, err := s.db.Ask(ctx, ref, was)
			work = was
			return err
		}
		if age := s.db.Server.ReadAt(last.Snap).Sub(was.StartedAt); last.Found && age < model.ExportEvery {
			return tooSoon(model.ExportEvery-age, was.StartedAt.Add(model.ExportEvery))
		}
		work = &model.ExportWork{
			UserID: uid, ID: rand.Text(), Sections: sectionNames(), Section: sections[0].name, Items: map[string]int64{},
			ExpireAt: s.db.WorkExpiry(),
		}
		var err error
		if last.Found {
			err = s.replace(ctx, last.Snap, work)
		} else {
			_, err = ref.Create(ctx, work)
		}
		work.StartedAt = s.db.Server.Now()
		return db.Late(err) // another request was first, or the answer to the commit was lost, see db.Late
	})
	if err != nil {
		return nil, err
	}
	return work, nil
}

// tooSoon is the error of a request that comes too soon. The next request is possible at a time.
func tooSoon(wait time.Duration, at time.Time) error {
	text := fmt.Sprintf("you can ask for one export in %d hours; ask again in %s", int(model.ExportEvery.Hours()),
		wait.Truncate(time.Second)+time.Second)
	return &errs.Error{Kind: errs.Exhausted, Code: "export_limit", Msg: text, Err: &model.TooSoon{Limit: "exports",
		Wait: wait, At: at, FullAt: at}}
}

// replace begins an export in the document of a finished one.
func (s *Exports) replace(ctx context.Context, was *firestore.DocumentSnapshot, work *model.ExportWork) error {
	b := s.db.Batch()
	b.Delete(was.Ref, firestore.LastUpdateTime(was.UpdateTime))
	b.Create(was.Ref, work)
	_, err := b.Commit(ctx)
	return err
}

// Current reads the progress of a user's export. A user without an export, or whose archives have expired, is
// errs.NotFound.
//
// Cost: 1 read.
func (s *Exports) Current(ctx context.Context, uid model.UserID) (_ *model.ExportWork, err error) {
	defer errs.Wrap(&err, "erasure.Current(%q)", uid)
	if s.objects == nil {
		return nil, errOff
	}
	work, err := db.As[model.ExportWork](s.db.Export(uid).Get(ctx))
	if err != nil {
		return nil, err
	}
	if !work.Found || work.Doc.Ended() && s.db.Server.ReadAt(work.Snap).Sub(work.Doc.ReadyAt) >= model.ExportWindow {
		return nil, errs.New(errs.NotFound, "export_not_found", "there is no export; its archives are kept for %d days",
			int(model.ExportWindow.Hours()/24))
	}
	return &work.Doc, nil
}

// signers is how many links are signed at the same time. Each signature is a request to the cloud.
const signers = 16

// Archives makes the links to the archives of a ready export.
func (s *Exports) Archives(ctx context.Context, work *model.ExportWork) (_ []Archive, err error) {
	defer errs.Wrap(&err, "erasure.Archives(%q)", work.UserID)
	if s.objects == nil {
		return nil, errOff
	}
	all := make([]Archive, len(work.Archives))
	g, side := safely.WithContext(ctx)
	g.SetLimit(signers)
	for i, a := range work.Archives {
		g.Go(func() error {
			expires := time.Now().Add(model.ExportLink)
			url, err := s.objects.Link(side, file(work, a.Name), model.ExportLink)
			all[i] = Archive{URL: url, Bytes: a.Bytes, Expires: expires}
			return err
		})
	}
	return all, g.Wait()
}
