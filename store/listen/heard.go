package listen

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore"
	vkit "cloud.google.com/go/firestore/apiv1"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/metadata"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// database is the name of the database, as Listen takes it.
func (h *Hub) database() string {
	name, _, _ := strings.Cut(h.db.Doc(model.Heads, "x").Path, "/documents/")
	return name
}

// idOf is the last part of the name of a document.
func idOf(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// changedHeads are the heads that changed since a time: the query of [db.DB.Changed] without its limit.
func (h *Hub) changedHeads(since time.Time) firestore.Query {
	shards := make([]int, model.ChangeShards)
	for n := range shards {
		shards[n] = n
	}
	return h.db.Client.Collection(model.Heads).Where(fields.ChangeShard, "in", shards).Where(db.ChangedAt, ">", since).
		OrderBy(db.ChangedAt, firestore.Asc)
}

// deleted are the tombstones since a time.
func (h *Hub) deleted(since time.Time) firestore.Query {
	return h.db.Client.Collection(model.Tombstones).Where(db.ChangedAt, ">", since).OrderBy(db.ChangedAt, firestore.Asc)
}

// changeDigests are the digests since a time.
func (h *Hub) changeDigests(since time.Time) firestore.Query {
	return h.db.Client.Collection(model.ChangeDigests).Where(fields.WrittenAt, ">", since).
		OrderBy(fields.WrittenAt, firestore.Asc)
}

// heardHead tells of what is new in a head, and of what was edited in it.
func (h *Hub) heardHead(d *document) {
	if d.fields == nil {
		return
	}
	what := model.Heard{Author: model.UserID(d.id)}
	oldest := h.began
	if least := h.now().Add(-fresh); least.After(oldest) {
		oldest = least
	}
	for text, preview := range d.fields["tweets"].GetMapValue().GetFields() {
		id, err := model.ParseTweetID(text)
		if err != nil {
			continue
		}
		p := preview.GetMapValue().GetFields()
		revision := int(p[fields.Revision].GetIntegerValue()) + 1
		known, told := h.seen.Get(text)
		post := postOf(id, p)
		switch edited := p[fields.UpdatedAt].GetTimestampValue(); {
		case !told && !id.Time().Before(oldest.Truncate(time.Millisecond)):
			what.Posts = append(what.Posts, post)
		case known < revision && edited != nil && !edited.AsTime().Before(oldest):
			what.Edits = append(what.Edits, post)
		default:
			continue
		}
		h.seen.Add(text, revision)
	}
	for _, name := range []string{"forFollowers", "shares"} {
		for text := range d.fields[name].GetMapValue().GetFields() {
			p, err := model.ParsePosition(text)
			if err != nil || p.Time().Before(oldest.Truncate(time.Millisecond)) || h.seen.Contains(text) {
				continue
			}
			h.seen.Add(text, 1)
			what.Others = true
		}
	}
	what.Unshared = h.unshared(d)
	if len(what.Posts) > 0 || len(what.Edits) > 0 || len(what.Unshared) > 0 || what.Others {
		h.tell(what)
	}
}

// unshared returns the shares that a head had when it was last heard, and should have and has not now. Of an author who
// was not heard of before there are none. Older ones leave a head as newer ones come.
func (h *Hub) unshared(d *document) (gone []model.Position) {
	author := model.UserID(d.id)
	var now []model.Position
	for text := range d.fields["shares"].GetMapValue().GetFields() {
		if p, err := model.ParsePosition(text); err == nil {
			now = append(now, p)
		}
	}
	before, _ := h.shares.Get(author)
	since := time.Time{}
	if !d.fields["whole"].GetBooleanValue() {
		since = d.fields["since"].GetTimestampValue().AsTime()
	}
	for _, p := range before {
		if !slices.Contains(now, p) && !p.Time().Before(since) {
			gone = append(gone, p)
		}
	}
	if len(now) > 0 || len(before) > 0 {
		h.shares.Add(author, now)
	}
	return gone
}

// postOf is what a preview says of a post.
func postOf(id model.TweetID, preview map[string]*pb.Value) model.HeardPost {
	p := model.HeardPost{ID: id, Public: preview[fields.Visibility].GetStringValue() == "" &&
		!preview[fields.IsViolative].GetBooleanValue()}
	for _, tag := range preview[fields.Tags].GetArrayValue().GetValues() {
		p.Tags = append(p.Tags, tag.GetStringValue())
	}
	return p
}

// heardTombstone tells of a deleted tweet.
func (h *Hub) heardTombstone(d *document) {
	id, err := model.ParseTweetID(d.id)
	if err != nil || d.fields == nil || h.seen.Contains("gone "+d.id) {
		return
	}
	h.seen.Add("gone "+d.id, 1)
	h.tell(model.Heard{Author: model.UserID(d.fields[fields.AuthorID].GetStringValue()), Gone: id,
		Hidden: d.fields["hidden"].GetBooleanValue()})
}

// heardDigest reads the heads that a digest lists.
func (h *Hub) heardDigest(d *document) {
	if d.fields == nil || h.seen.Contains("digest "+d.id) {
		return
	}
	h.seen.Add("digest "+d.id, 1)
	var authors []string
	for _, uid := range d.fields["heads"].GetArrayValue().GetValues() {
		authors = append(authors, uid.GetStringValue())
	}
	if len(authors) == 0 {
		return
	}
	ctx, client := h.streams[0].begins, h.client
	h.running.Go(func() error {
		err := safely.Do(func() error { return h.readHeads(ctx, client, authors) })
		if err != nil && ctx.Err() == nil {
			h.log.WarnContext(ctx, "heads of a digest could not be read", "error", err)
		}
		return nil
	})
}

// readHeads tells of what is new in heads.
//
// Cost: 1 read a head.
func (h *Hub) readHeads(ctx context.Context, client *vkit.Client, authors []string) error {
	database := h.database()
	r := &pb.BatchGetDocumentsRequest{Database: database}
	for _, uid := range authors {
		r.Documents = append(r.Documents, h.db.Head(model.UserID(uid)).Path)
	}
	ctx = metadata.AppendToOutgoingContext(ctx, resourcePrefix, database)
	found, err := client.BatchGetDocuments(ctx, r)
	if err != nil {
		return err
	}
	for {
		one, err := found.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		h.mu.Lock()
		if d := one.GetFound(); d != nil && ctx.Err() == nil {
			h.heardHead(&document{idOf(d.Name), d.Fields, d.UpdateTime.AsTime()})
		}
		h.mu.Unlock()
	}
}

// heardNotices tells a user that the newest list of notifications changed.
func (h *Hub) heardNotices(m *member, d *document) {
	before := m.notices
	if m.notices = d.updated; d.fields == nil || !d.updated.After(before) || before.IsZero() &&
		d.updated.Before(m.joined) {
		return
	}
	h.tellUser(m.uid, model.Heard{Notices: true})
}
