package load

import (
	"fmt"
	"time"
)

// Stages are those of the sources, each for a time, and then steps of a mix with likes, each
// half as much again as the one before, which end where the system breaks.
func Stages(each time.Duration, steps int) []Stage {
	all := []Stage{
		{Name: "S1-12 users", Rates: UserRates, For: each},
		{Name: "S1-21 tweets", Rates: TweetRates, For: each},
		{Name: "S1-33 follows and likes", Rates: SocialRates, For: each},
	}
	factor := 1.0
	for n := range steps {
		all = append(all, Stage{Name: fmt.Sprintf("step %d", n+1), Rates: busier.times(factor), For: each, Breaks: true})
		factor *= 1.5
	}
	return all
}
