package groupcommit_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// The first follower is served at once. The followers that come within the next second
// share one write of their author's page, and each gets its own answer.
func ExampleGroup_Do() {
	page := map[string]bool{} // runs of one key follow one another, so the page needs no lock
	g := groupcommit.New(time.Second, groupcommit.RunSize,
		func(_ context.Context, author string, followers []string) (isNew []bool, err error) {
			for _, f := range followers {
				isNew = append(isNew, !page[f])
				page[f] = true
			}
			fmt.Printf("page of %s: %d handed in, %d in all\n", author, len(followers), len(page))
			return isNew, nil
		})

	ctx := context.Background()
	isNew, err := g.Do(ctx, "ann", "bob")
	fmt.Println("bob is new:", isNew, err)

	var crowd sync.WaitGroup
	for _, follower := range []string{"bob", "cat", "dan"} {
		crowd.Go(func() {
			if isNew, err := g.Do(ctx, "ann", follower); err != nil || isNew != (follower != "bob") {
				fmt.Println(follower, isNew, err)
			}
		})
	}
	crowd.Wait()

	// Output:
	// page of ann: 1 handed in, 1 in all
	// bob is new: true <nil>
	// page of ann: 3 handed in, 3 in all
}
