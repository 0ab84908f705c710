package load

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
)

// Kind is a kind of request.
type Kind string

// The kinds.
const (
	Profile   Kind = "profile"    // reads a user
	Introduce Kind = "introduce"  // writes the caller's introduction
	Home      Kind = "home"       // reads a home timeline of 20
	Tweet     Kind = "tweet"      // reads a tweet
	Author    Kind = "author"     // reads 20 tweets of a user
	Post      Kind = "post"       // posts a tweet
	Like      Kind = "like"       // likes a tweet
	Unlike    Kind = "like again" // takes a like back
	Followers Kind = "followers"  // reads 20 followers of a user
	Following Kind = "following"  // reads 20 users whom a user follows
	Liked     Kind = "liked"      // reads 20 tweets that a user liked
	Likers    Kind = "likers"     // reads 20 users who liked a tweet
	Relation  Kind = "relation"   // asks whether the caller follows a user
	Follow    Kind = "follow"     // follows a user
	Unfollow  Kind = "unfollow"   // takes a follow back
)

// Rates are requests a second, by kind.
type Rates map[Kind]float64

func (r Rates) total() (sum float64) {
	for _, n := range r {
		sum += n
	}
	return sum
}

// times are rates that are n times as high.
func (r Rates) times(n float64) Rates {
	all := Rates{}
	for k, v := range r {
		all[k] = v * n
	}
	return all
}

// pick chooses a kind by the rates.
func (r Rates) pick(random *rand.Rand) Kind {
	at := random.Float64() * r.total()
	kinds := slices.Sorted(maps.Keys(r))
	for _, k := range kinds {
		if at -= r[k]; at < 0 {
			return k
		}
	}
	return kinds[len(kinds)-1]
}

// The rates that the sources name. S1-12 is of users, S1-21 of tweets, whose readers mostly look at home timelines, and
// S1-33 of follows and likes: 15 writes and 50 reads. All five lists of S1-27 to 32 are among the reads.
var (
	UserRates   = Rates{Introduce: 10, Profile: 50}
	TweetRates  = Rates{Post: 20, Home: 70, Tweet: 15, Author: 15}
	SocialRates = Rates{Like: 11, Unlike: 2, Follow: 1.5, Unfollow: 0.5,
		Followers: 12, Following: 12, Liked: 10, Likers: 10, Relation: 6}
	busier = Rates{Post: 20, Home: 70, Tweet: 15, Author: 15, Profile: 20, Like: 15, Unlike: 5} // of the steps
)

// act sends one request of a kind.
func (r *run) act(ctx context.Context, k Kind, random *rand.Rand) answer {
	who := r.people[random.IntN(len(r.people))]
	whom := r.people[random.IntN(len(r.people))]
	r.mu.Lock()
	tweet := r.tweets[max(0, len(r.tweets)-1-int(random.ExpFloat64()*50))]
	r.mu.Unlock()
	switch k {
	case Profile:
		return r.send(ctx, who, http.MethodGet, "/v1/users/"+whom.uid, nil)
	case Introduce:
		return r.send(ctx, who, http.MethodPatch, "/v1/users/me",
			map[string]string{"introduction": fmt.Sprintf("I was here %d times.", random.IntN(1e6))})
	case Home:
		return r.send(ctx, who, http.MethodGet, "/v1/timeline?pageSize=20", nil)
	case Tweet:
		return r.send(ctx, who, http.MethodGet, "/v1/tweets/"+tweet, nil)
	case Author:
		return r.send(ctx, who, http.MethodGet, "/v1/users/"+whom.uid+"/tweets?pageSize=20", nil)
	case Post:
		a := r.send(ctx, who, http.MethodPost, "/v1/tweets", map[string]string{"content": fmt.Sprintf("A spark of %s, "+
			"number %d, with a #tag%d.", who.name, random.IntN(1e9), random.IntN(100))})
		r.note(a.id())
		return a
	case Like:
		return r.send(ctx, who, http.MethodPut, "/v1/tweets/"+tweet+"/like", nil)
	case Unlike:
		return r.send(ctx, who, http.MethodDelete, "/v1/tweets/"+tweet+"/like", nil)
	default:
		return r.socialAct(ctx, k, who, whom, tweet)
	}
}

// socialAct sends a request about follows or likes.
func (r *run) socialAct(ctx context.Context, k Kind, who, whom *person, tweet string) answer {
	if who == whom { // nobody follows themselves
		whom = r.people[(slices.Index(r.people, who)+1)%len(r.people)]
	}
	switch k {
	case Followers, Following:
		return r.send(ctx, who, http.MethodGet, "/v1/users/"+whom.uid+"/"+string(k)+"?pageSize=20", nil)
	case Liked:
		return r.send(ctx, who, http.MethodGet, "/v1/users/"+whom.uid+"/likes?pageSize=20", nil)
	case Likers:
		return r.send(ctx, who, http.MethodGet, "/v1/tweets/"+tweet+"/likes?pageSize=20", nil)
	case Relation:
		return r.send(ctx, who, http.MethodGet, "/v1/relationships?ids="+whom.uid, nil)
	case Follow:
		return r.send(ctx, who, http.MethodPut, "/v1/users/"+whom.uid+"/follow", nil)
	default: // Unfollow
		return r.send(ctx, who, http.MethodDelete, "/v1/users/"+whom.uid+"/follow", nil)
	}
}

// note remembers a tweet, so that others can read it. It remembers the last 10,000.
func (r *run) note(tweet string) {
	if tweet == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tweets = append(r.tweets, tweet); len(r.tweets) > 10_000 {
		r.tweets = slices.Clone(r.tweets[5_000:])
	}
}
