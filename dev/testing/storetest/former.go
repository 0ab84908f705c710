package storetest

import (
	"maps"
	"slices"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Former gives a database the layout of version 0.1.0: no heads, graphs of readers, lists of followers or marks of
// shares, a document for each notification and each of its actors, four fields with the votes of a poll, a document for
// each total, and the pushed timelines.
func Former(t testing.TB, client *firestore.Client) {
	t.Helper()
	w := client.BulkWriter(t.Context())
	var jobs []*firestore.BulkWriterJob
	must := func(job *firestore.BulkWriterJob, err error) {
		t.Helper()
		testenv.Must(t, err)
		jobs = append(jobs, job)
	}
	all := func(q firestore.Query) []*firestore.DocumentSnapshot {
		t.Helper()
		snaps, err := q.Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		return snaps
	}
	for _, name := range []string{model.Heads, model.Viewers, model.FollowerLists, model.Totals} {
		for _, snap := range all(client.Collection(name).Query) {
			must(w.Delete(snap.Ref))
		}
	}
	must(w.Create(client.Doc("totals/users"), map[string]any{"count": 3}))
	must(w.Create(client.Doc("totals/users/shards/1"), map[string]any{"count": 3}))
	followers := map[string]map[string]any{}
	for _, snap := range all(client.Collection(model.Relationships).Query) {
		var rel model.Relationship
		testenv.Must(t, snap.DataTo(&rel))
		if followers[string(rel.FollowedID)] == nil {
			followers[string(rel.FollowedID)] = map[string]any{}
		}
		followers[string(rel.FollowedID)][string(rel.FollowerID)] = rel.CreatedAt
	}
	for uid, of := range followers {
		must(w.Create(client.Doc("followerPages/"+uid), map[string]any{"followers": of}))
	}
	for _, snap := range all(client.Collection(model.Users).Query) {
		for _, name := range model.FormerCollections {
			if name != "followerPages" {
				must(w.Create(client.Doc(name+"/"+snap.Ref.ID), map[string]any{"userId": snap.Ref.ID}))
			}
		}
	}
	for _, snap := range all(client.Collection(model.TweetMonths).Query) {
		must(w.Update(snap.Ref, []firestore.Update{{Path: model.SharesField, Value: firestore.Delete}}))
	}
	for _, snap := range all(client.Collection(model.Polls).Query) {
		votes, _ := snap.Data()["votes"].(map[string]any)
		updates := []firestore.Update{{Path: "votes", Value: firestore.Delete}}
		for option, n := range votes {
			updates = append(updates, firestore.Update{Path: "votes" + option, Value: n})
		}
		must(w.Update(snap.Ref, updates))
	}
	for _, snap := range all(client.CollectionGroup(model.NotificationEvents).Query) {
		must(w.Update(snap.Ref, []firestore.Update{{Path: "counted", Value: firestore.Delete}}))
	}
	for _, snap := range all(client.CollectionGroup(model.NotificationLists).Query) {
		listed, _ := snap.Data()["notifications"].(map[string]any)
		for _, id := range slices.Sorted(maps.Keys(listed)) {
			ref := snap.Ref.Parent.Parent.Collection(model.Notifications).Doc(id)
			n := maps.Clone(listed[id].(map[string]any))
			actors, _ := n["actors"].(map[string]any)
			if delete(n, "actors"); n["createdAt"] == nil { // it is empty
				delete(n, "isRead")
			}
			must(w.Create(ref, n))
			for uid, actor := range actors {
				with := maps.Clone(actor.(map[string]any))
				with["expireAt"] = n["expireAt"]
				must(w.Create(ref.Collection(model.Actors).Doc(uid), with))
			}
		}
		must(w.Delete(snap.Ref))
	}
	w.End()
	for _, job := range jobs {
		_, err := job.Results()
		testenv.Must(t, err)
	}
}
