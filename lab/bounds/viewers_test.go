package bounds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestViewer writes the largest document of a reader's graph, and one follow more. The document then keeps
// the newest follows only.
func TestLargestViewer(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann, bob := model.UserID(fmt.Sprintf("a%0127d", 0)), model.UserID(fmt.Sprintf("b%0127d", 0))
	for i, uid := range []model.UserID{ann, bob} {
		_, err := e.Users.CreateUser(t.Context(), uid, model.NewUser{Username: fmt.Sprint("user", i)})
		testenv.Must(t, err)
	}
	follows := map[string]any{}
	for n := range model.MaxViewerEntries {
		follows[fmt.Sprintf("%0128d", n)] = e.Clock.Now()
	}
	policy, accepted := strangers(e.Clock.Now())
	choice := model.NotificationChoice{Off: model.NotificationKinds, Muted: map[string]time.Time{}, Policy: policy,
		Accepted: accepted}
	for n := range model.MaxMuted {
		choice.Muted[fmt.Sprintf("%018x", n)] = e.Clock.Now()
	}
	largestFilters(t, e, ann)
	snap, err := e.Raw.Doc("filters/" + string(ann)).Get(t.Context())
	testenv.Must(t, err)
	largestFollowedTags(t, e, ann)
	tags, err := e.Raw.Doc("followedTags/" + string(ann)).Get(t.Context())
	testenv.Must(t, err)
	exclusive := map[string][]model.UserID{}
	for n := range model.MaxExclusiveLists {
		id := fmt.Sprintf("%020x", n)
		for m := range model.MaxListMembers {
			exclusive[id] = append(exclusive[id], model.UserID(fmt.Sprintf("%0128d", m)))
		}
	}
	_, err = e.Raw.Doc("viewers/"+string(ann)).Set(t.Context(), map[string]any{"follows": follows, "complete": true,
		"copies": true, "size": model.MaxViewerEntries, "choice": choice, "blockStrangers": true,
		"filters":      snap.Data()["filters"],
		"followedTags": tags.Data()["followedTags"], "exclusive": exclusive})
	testenv.Must(t, err)
	checkAll(t, e, 5)
	testenv.Must(t, e.Graph.Follow(t.Context(), ann, bob))
	checkAll(t, e, 5)
	if doc := e.Doc(t, "viewers/"+string(ann)); doc["partial"] != true || doc["choice"] == nil || doc["filters"] == nil ||
		doc["followedTags"] == nil || doc["exclusive"] == nil ||
		doc["blockStrangers"] != true || len(doc["follows"].(map[string]any)) != model.MaxViewerEntries {
		t.Errorf("the document has partial %v and %d follows", doc["partial"], len(doc["follows"].(map[string]any)))
	}
}

// TestLargestFilters writes the largest filters of a user.
func TestLargestFilters(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	largestFilters(t, e, "ann")
	checkAll(t, e, 1)
}

// largestFilters gives a user as many filters, keywords and bytes as one may have.
func largestFilters(t *testing.T, e *storetest.Env, uid model.UserID) {
	t.Helper()
	const each = model.MaxFilterKeywords / model.MaxFilters
	most := model.MaxFilterBytes/model.MaxFilters - 1 // bytes of a filter, with a title of 1
	for n := range model.MaxFilters {
		f := model.Filter{Title: "t", Contexts: model.FilterContexts, Action: model.FilterHide,
			ExpiresAt: e.Clock.Now().Add(time.Hour)}
		for range each {
			f.Keywords = append(f.Keywords, model.FilterKeyword{Keyword: wide(most / each / len(wide(1))), WholeWord: true})
		}
		_, err := e.Graph.PutFilter(t.Context(), uid, fmt.Sprintf("%040d", n), f)
		testenv.Must(t, err)
	}
	_, err := e.Graph.PutFilter(t.Context(), uid, "more", model.Filter{Title: "t", Contexts: model.FilterContexts,
		Action: model.FilterHide, Keywords: []model.FilterKeyword{{Keyword: "more"}}})
	storetest.WantErr(t, err, errs.Conflict, "too_many_filters")
}

// TestLargestFollowedTags writes the largest document of followed tags.
func TestLargestFollowedTags(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	largestFollowedTags(t, e, "ann")
	checkAll(t, e, 1)
}

// largestFollowedTags lets a user follow as many tags as one may, of as many bytes.
func largestFollowedTags(t *testing.T, e *storetest.Env, uid model.UserID) {
	t.Helper()
	for n := range model.MaxFollowedTags {
		tag := strings.Repeat("𠀀", model.MaxTagLength-2) + fmt.Sprintf("%02d", n)
		testenv.Must(t, e.Graph.FollowTag(t.Context(), uid, tag))
	}
	storetest.WantErr(t, e.Graph.FollowTag(t.Context(), uid, "more"), errs.Conflict, "too_many_followed_tags")
}
