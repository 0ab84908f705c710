package tweets_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// BenchmarkPost measures posts by clients of one process, each with a user of its own.
func BenchmarkPost(b *testing.B) {
	for _, clients := range []int{1, 16} {
		b.Run(fmt.Sprint(clients, "clients"), func(b *testing.B) {
			e := storetest.Open(b, store.Options{})
			users := make([]model.UserID, clients)
			for i := range users {
				users[i] = model.UserID(fmt.Sprintf("user_%d", i))
			}
			e.CreateUsers(b, users...)
			b.ResetTimer()
			var wg sync.WaitGroup
			for i, u := range users {
				wg.Go(func() {
					for n := i; n < b.N; n += clients {
						_, err := e.Tweets.CreateTweet(b.Context(), u, model.Draft{Content: fmt.Sprint("a spark ", n), AllowLikes: true},
							model.Request{})
						testenv.Must(b, err)
					}
				})
			}
			wg.Wait()
		})
	}
}
