package storetest

import (
	"testing"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Followers reads the follower pages of an author. It returns the active followers and the number of hashed pages.
func Followers(t testing.TB, client *firestore.Client, author model.UserID) (active []model.UserID, hashed int) {
	t.Helper()
	read := func(key string) (page model.FollowerList) {
		snap, err := client.Collection(model.FollowerPages).Doc(key).Get(t.Context())
		if status.Code(err) == codes.NotFound {
			return page
		}
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&page))
		return page
	}
	first := read(model.FollowerPageKey(author))
	pages := []model.FollowerList{first}
	if first.Pages > 0 {
		pages = nil // followers that are left on the first page do not count
		for n := range first.Pages {
			pages = append(pages, read(model.HashedFollowerPageKey(author, n)))
		}
	}
	for _, page := range pages {
		for follower := range page.Followers {
			if !page.Dormant[follower] {
				active = append(active, follower)
			}
		}
	}
	return active, first.Pages
}
