package erasure

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Sizes of an export. Tests change them with ExportOptions.
const (
	partBytes    = 4 << 20  // of JSON, at which a part is full
	archiveBytes = 32 << 20 // of parts, at which they are joined
	pageSize     = 200      // how many documents one query reads
	zipType      = "application/zip"
)

// ExportOptions are options of exports. A zero is the default.
type ExportOptions struct {
	Objects   *objects.Objects // where the files are; if nil, there are no exports
	Media     *objects.Objects // where the files of media are; nil without media
	PartBytes int
	PageSize  int
}

// Exporter does exports.
type Exporter struct {
	*Exports
	partBytes, pageSize int
	media               *objects.Objects
	turns               chan struct{} // of steps that hold a part; a full channel lets no more begin
	large               chan struct{} // of the one step that holds a part of largePart or more
}

// NewExporter returns a writer of a database. Only packages below store have a [db.DB].
func NewExporter(d *db.DB, o ExportOptions) *Exporter {
	w := &Exporter{&Exports{db: d, objects: o.Objects}, partBytes, pageSize, o.Media,
		make(chan struct{}, model.MaxExportSteps), make(chan struct{}, 1)}
	if o.PartBytes > 0 {
		w.partBytes = o.PartBytes
	}
	if o.PageSize > 0 {
		w.pageSize = o.PageSize
	}
	return w
}

// Export does the next step of an export: it writes a part, joins parts to an archive, or ends the export. A step for a
// deleted account removes all files, and ends.
//
// At most [model.MaxExportSteps] steps of a process run at once, because each holds a part, and one of them with a part
// of largePart or more, which is up to [model.MaxVideoBytes].
//
// When the archives are there, the daily sweep enqueues the export again. When the archives have expired, Export
// removes them and the work document.
//
// Cost: 2 reads and 1 write a step; 1 read a document, 2 a tweet; 1 delete at the end.
func (w *Exporter) Export(ctx context.Context, work model.ExportWork) (err error) {
	defer errs.Wrap(&err, "erasure.Export(%q, %q)", work.UserID, work.Section)
	step, current, err := w.db.Begin(ctx, w.db.Export(work.UserID), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	if w.objects == nil {
		return errors.New("EXPORT_BUCKET is not set for the functions, or not as for the API")
	}
	there, err := w.db.Get(ctx, w.db.User(work.UserID), nil)
	if err != nil {
		return err
	}
	over := work.Ended() && w.db.Server.Now().Sub(work.ReadyAt) >= model.ExportWindow
	at := sectionOf(work.Section)
	switch {
	case !there || over:
		files := folder(work.UserID)
		if there {
			files = file(&work, "") // the user may begin the next export at this moment
		}
		if gone, err := w.clear(ctx, step, files, nil); !gone {
			return err
		}
		return step.End(ctx, nil)
	case work.Ended():
		return nil // the daily sweep enqueues it again
	case at < 0 || !slices.Equal(work.Sections, sectionNames()):
		return w.restart(ctx, step) // another release may have sections before the cursor that were never written
	case at == len(sections) && len(work.Parts) == 0:
		return w.end(ctx, step, &work)
	case len(work.Archives) >= model.MaxExportArchives:
		return w.fail(ctx, step, &work)
	}
	if err := turn(ctx, w.turns); err != nil {
		return err
	}
	defer func() { <-w.turns }()
	if at < len(sections) && !full(work.Parts) {
		return w.writePart(ctx, step, &work, at)
	}
	return w.join(ctx, step, &work)
}

// turnWait bounds the wait of a step for its turn. The time of the step runs meanwhile, so that the step still ends in
// time.
const turnWait = 3 * time.Second

// largePart is the size of a part in bytes from which on a process holds no second one.
const largePart = 5 << 20

// turn takes one of the turns of this process. A step that waits too long is errs.Unavailable, and its event comes
// again.
func turn(ctx context.Context, turns chan struct{}) error {
	soon, cancel := context.WithTimeout(ctx, turnWait)
	defer cancel()
	select {
	case turns <- struct{}{}:
		return nil
	case <-soon.Done():
		return errs.New(errs.Unavailable, "", "%d steps of exports are running in this process", cap(turns))
	}
}

// full reports whether parts should be joined before there are more.
func full(parts []model.ExportFile) bool {
	var n int64
	for _, p := range parts {
		n += p.Bytes
	}
	return n >= archiveBytes || len(parts) >= model.MaxExportParts
}

// writePart writes a part: the items after a cursor, until the part is full or the step over.
func (w *Exporter) writePart(ctx context.Context, step *db.Step, work *model.ExportWork, at int) error {
	if work.Files == 0 {
		// The files of the user's previous export.
		if gone, err := w.clear(ctx, step, folder(work.UserID), []string{file(work, "")}); !gone {
			return err
		}
	}
	if work.Items == nil {
		work.Items = map[string]int64{}
	}
	p := newPart(work.Files+1, w.db.Time(), w.partBytes)
	large := false
	defer func() {
		if large {
			<-w.large
		}
	}()
	from := &source{db: w.db, uid: work.UserID, pageSize: w.pageSize, media: w.media, large: func() error {
		if large {
			return nil
		}
		err := turn(ctx, w.large)
		large = err == nil
		return err
	}, noFiles: len(work.Archives) >= model.MediaExportArchives}
	after := work.After
	for at < len(sections) {
		s := &sections[at]
		p.begin(s)
		next, err := s.page(ctx, from, after, p)
		if err != nil {
			return err
		}
		work.Items[s.name] += p.taken()
		work.OmittedFiles, from.omitted = work.OmittedFiles+from.omitted, 0
		if after = next; next == "" {
			at++
		}
		if p.full() || step.Over() {
			break
		}
	}
	section := ""
	if at < len(sections) {
		section = sections[at].name
	} else if err := p.summary(work); err != nil {
		return err
	}
	progress := map[string]any{fields.Section: section, fields.After: after, fields.Items: work.Items,
		fields.OmittedFiles: work.OmittedFiles}
	if p.empty() {
		return step.Save(ctx, progress, nil)
	}
	data, err := p.end()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("part-%d-%s.zip", p.number, rand.Text()[:8])
	if err := w.objects.Put(ctx, file(work, name), data, objects.Attributes{ContentType: zipType}); err != nil {
		return err
	}
	progress[fields.Files], progress[fields.Parts] = p.number,
		append(work.Parts, model.ExportFile{Name: name, Bytes: int64(len(data))})
	return step.Save(ctx, progress, nil)
}

// join makes an archive of all parts, or of as many as the step has time for. It copies the packed data unchanged, and
// holds one part at a time.
func (w *Exporter) join(ctx context.Context, step *db.Step, work *model.ExportWork) error {
	name := fmt.Sprintf("archive-%d-%s.zip", len(work.Archives)+1, rand.Text()[:8])
	saveAs := fmt.Sprintf("hibana-%s-%d.zip", work.StartedAt.UTC().Format("2006-01-02"), len(work.Archives)+1)
	n, joined, err := w.copyParts(ctx, step, work, name, saveAs)
	if errs.KindOf(err) == errs.NotFound {
		return w.restart(ctx, step) // another step removed a part
	}
	if err != nil {
		return err
	}
	return step.Save(ctx, map[string]any{
		fields.Parts: work.Parts[joined:], fields.Archives: append(work.Archives, model.ExportFile{Name: name, Bytes: n}),
	}, nil)
}

// copyParts writes an archive. It returns the size of the archive and how many parts are in it, at least one. If
// copyParts fails, there is no archive.
func (w *Exporter) copyParts(ctx context.Context, step *db.Step, work *model.ExportWork, name, saveAs string) (n int64,
	joined int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out, err := w.objects.Writer(ctx, file(work, name), objects.Attributes{ContentType: zipType, SaveAs: saveAs})
	if err != nil {
		return 0, 0, err
	}
	count := &counter{w: out}
	z := zip.NewWriter(count)
	for _, p := range work.Parts {
		if err = w.copyPart(ctx, z, file(work, p.Name), p.Bytes); err != nil {
			break
		}
		if joined++; step.Over() {
			break
		}
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		cancel() // so that Close leaves no file
		out.Close()
		return 0, 0, err
	}
	return count.n, joined, out.Close()
}

func (w *Exporter) copyPart(ctx context.Context, z *zip.Writer, name string, size int64) error {
	if size >= largePart {
		if err := turn(ctx, w.large); err != nil {
			return err
		}
		defer func() { <-w.large }()
	}
	data, err := w.objects.Read(ctx, name)
	if err != nil {
		return err
	}
	part, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, f := range part.File {
		if err := z.Copy(f); err != nil {
			return err
		}
	}
	return nil
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// end ends an export: only the archives stay, and can be downloaded from now on.
func (w *Exporter) end(ctx context.Context, step *db.Step, work *model.ExportWork) error {
	var keep []string
	for _, a := range work.Archives {
		keep = append(keep, file(work, a.Name))
	}
	if gone, err := w.clear(ctx, step, file(work, ""), keep); !gone {
		return err
	}
	return step.Save(ctx, map[string]any{fields.ReadyAt: firestore.ServerTimestamp}, nil)
}

// fail ends an export without archives.
func (w *Exporter) fail(ctx context.Context, step *db.Step, work *model.ExportWork) error {
	if gone, err := w.clear(ctx, step, file(work, ""), nil); !gone {
		return err
	}
	return step.Save(ctx, map[string]any{
		fields.ReadyAt: firestore.ServerTimestamp, fields.Parts: []model.ExportFile{}, fields.Archives: []model.ExportFile{},
		fields.Failed: fmt.Sprintf("the export would have more than %d archives", model.MaxExportArchives),
	}, nil)
}

// restart restarts an export: a file is gone, or a release has other sections.
func (w *Exporter) restart(ctx context.Context, step *db.Step) error {
	return step.Save(ctx, map[string]any{
		fields.Sections: sectionNames(), fields.Section: sections[0].name, fields.After: "",
		fields.Items: map[string]int64{}, fields.Files: 0, fields.Parts: []model.ExportFile{},
		fields.Archives: []model.ExportFile{}, fields.OmittedFiles: 0,
	}, nil)
}

// clear removes the files whose names begin with prefix, and returns whether they are gone. Files whose names begin
// with an element of keep stay. If the step is over before, clear enqueues another.
func (w *Exporter) clear(ctx context.Context, step *db.Step, prefix string, keep []string) (gone bool, err error) {
	names, err := w.objects.List(ctx, prefix, clearMost)
	if err != nil {
		return false, err
	}
	for _, name := range names {
		if slices.ContainsFunc(keep, func(k string) bool { return strings.HasPrefix(name, k) }) {
			continue
		}
		if err := w.objects.Remove(ctx, name); err != nil {
			return false, err
		}
		if step.Over() {
			return false, step.Save(ctx, map[string]any{}, nil)
		}
	}
	return true, nil
}

// clearMost is more files than an export has: archives, parts that were joined, and some of failed steps. The bucket's
// own rule removes the rest.
const clearMost = 50_000

// Remove removes files of a deleted account until over returns true. It returns how many it removed, and whether all
// are gone.
func (w *Exporter) Remove(ctx context.Context, uid model.UserID, over func() bool) (n int64, gone bool, err error) {
	defer errs.Wrap(&err, "erasure.Remove(%q)", uid)
	for {
		names, err := w.Files(ctx, uid, 100)
		if err != nil || len(names) == 0 {
			return n, err == nil, err
		}
		for _, name := range names {
			if err := w.objects.Remove(ctx, name); err != nil {
				return n, false, err
			}
			if n++; over() {
				return n, false, nil
			}
		}
	}
}

// Files lists at most limit of the files of a user.
func (w *Exporter) Files(ctx context.Context, uid model.UserID, limit int) ([]string, error) {
	if w.objects == nil {
		return nil, nil
	}
	return w.objects.List(ctx, folder(uid), limit)
}
