package erasure

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// mediaTogether is how many uploads a part has at most, and mediaBytes how many bytes of their files, unless one file
// has more. A step holds the part in memory, and copies the files within its time. So it holds up to
// [model.MaxVideoBytes], but one step of a process at a time more than largePart.
const (
	mediaTogether = 20
	mediaBytes    = 8 << 20
	zipHeads      = 64 << 10 // about what a zip says of the files
)

// mediaWithFiles is the section of uploads. Their files are in the folder media, each in its largest size. A part has
// the items of some uploads, and then their files. When the files have filled [model.MediaExportArchives] archives, the
// others are left out, and their items say so.
//
// Cost: 1 read for each upload, at least 1.
func mediaWithFiles(ctx context.Context, s *source, after string, p *part) (string, error) {
	few := *s
	few.pageSize = min(s.pageSize, mediaTogether)
	snaps, err := few.read(ctx, s.owned(model.Owned{Collection: model.Row(model.MediaRecords), Owner: model.Owner{
		By: "ownerId"}}), after)
	if err != nil {
		return "", err
	}
	var files []*model.Media
	var bytes, taken int64
	next := few.next(snaps)
	for i, snap := range snaps {
		m := &model.Media{ID: model.MediaID(snap.Ref.ID)}
		if err := snap.DataTo(m); err != nil {
			return "", err
		}
		_, file := largest(m)
		if bytes += file.Bytes; i > 0 && bytes > mediaBytes && !s.noFiles {
			next = snaps[i-1].Ref.ID
			break
		}
		item := mediaItem{ID: m.ID, Kind: m.Kind, State: m.State, Type: m.Type, Width: m.Width, Height: m.Height, Alt: m.Alt,
			SHA256: m.SHA256, TweetID: m.TweetID, CreatedAt: m.CreatedAt}
		switch {
		case file.Bytes == 0 || s.media == nil:
		case s.noFiles:
			item.FileOmitted = true
			s.omitted++
		default:
			item.File = fileOf(m, file)
			files = append(files, m)
			taken += file.Bytes
		}
		if err := p.add(item); err != nil {
			return "", err
		}
	}
	if taken >= largePart {
		if err := s.large(); err != nil {
			return "", err
		}
	}
	p.buf.Grow(int(taken) + zipHeads)
	for _, m := range files {
		size, file := largest(m)
		from, err := s.media.Reader(ctx, string(m.ID)+"/"+size)
		if errs.KindOf(err) == errs.NotFound {
			continue // deleted meanwhile
		}
		if err != nil {
			return "", err
		}
		err = p.addFile(fileOf(m, file), from)
		from.Close()
		if err != nil {
			return "", err
		}
	}
	return next, nil
}

// largest is the largest size of media; the zero size if it has none.
func largest(m *model.Media) (string, model.MediaSize) {
	for _, size := range []string{model.SizeOriginal, model.SizeLarge} {
		if file, ok := m.Sizes[size]; ok {
			return size, file
		}
	}
	return "", model.MediaSize{}
}

// endings are the ends of the names of files, by content type.
var endings = map[string]string{"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp",
	"video/mp4": ".mp4"}

// fileOf is the name of a file in an archive.
func fileOf(m *model.Media, size model.MediaSize) string {
	return "media/" + string(m.ID) + endings[size.ContentType]
}

type mediaItem struct {
	ID   model.MediaID `json:"id"`
	File string        `json:"file,omitempty"` // in the archive

	FileOmitted bool `json:"fileOmitted,omitempty"` // it is in no archive, because there would be too many

	Kind      model.MediaKind  `json:"kind"`
	State     model.MediaState `json:"state"`
	Type      string           `json:"type,omitempty"`
	Width     int              `json:"width,omitempty"`
	Height    int              `json:"height,omitempty"`
	Alt       string           `json:"alt,omitempty"`
	SHA256    string           `json:"sha256,omitempty"`
	TweetID   model.TweetID    `json:"tweetId,omitempty"`
	CreatedAt time.Time        `json:"createdAt"`
}

// usedMedia is media of a tweet, or of a revision.
type usedMedia struct {
	ID  model.MediaID `json:"id"`
	Alt string        `json:"alt,omitempty"`
}

func mediaOf(media []model.TweetMedia, alts map[string]string) (all []usedMedia) {
	for _, m := range media {
		all = append(all, usedMedia{m.ID, model.TweetDetail{Alts: alts}.AltOf(m)})
	}
	return all
}
