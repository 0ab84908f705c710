package listen

import (
	"crypto/sha256"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/model"
)

// graph is what decides which posts may be on a user's home timeline. It decides on nothing that is shown.
type graph struct {
	followed map[model.UserID]bool
	tags     map[string]bool
	filters  [sha256.Size]byte // stands for the user's filters
	updated  time.Time
}

// follows reports whether something may be on the home timeline.
func (g *graph) follows(what model.Heard) bool {
	if g == nil {
		return false
	}
	if g.followed[what.Author] {
		return true
	}
	for _, post := range what.Posts {
		for _, tag := range post.Tags {
			if g.tags[tag] {
				return true
			}
		}
	}
	return false
}

// heardGraph remembers the graph of a user, and tells the user of filters that changed. A user without the document has
// it after the first home page.
func (h *Hub) heardGraph(m *member, d *document) {
	if m.graph != nil && !d.updated.After(m.graph.updated) {
		return
	}
	g := &graph{followed: map[model.UserID]bool{}, tags: map[string]bool{}, updated: d.updated}
	for uid := range d.fields["follows"].GetMapValue().GetFields() {
		g.followed[model.UserID(uid)] = true
	}
	for tag := range d.fields["followedTags"].GetMapValue().GetFields() {
		g.tags[tag] = true
	}
	if filters := d.fields["filters"]; filters != nil {
		text, err := proto.MarshalOptions{Deterministic: true}.Marshal(&pb.Value{ValueType: filters.ValueType})
		if err == nil {
			g.filters = sha256.Sum256(text)
		}
	}
	former := m.graph
	m.graph = g
	if former != nil && former.filters != g.filters {
		h.tellUser(m.uid, model.Heard{Filters: true})
	}
}
