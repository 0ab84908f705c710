package simulate

import (
	"math"
	"slices"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
)

// Burst is a load that does not depend on the number of users.
type Burst struct {
	Case     string  `json:"case"`
	Resource string  `json:"resource"`
	Load     float64 `json:"load"`
	Most     float64 `json:"most"` // 0 for no limit
	Unit     string  `json:"unit"`
	Lift     string  `json:"lift"`
}

const (
	manyFollowers = 50_000_000
	manyLikes     = 100_000 // a second, of one tweet
	followerBytes = 40      // of a follower on a page of followers, an estimate
)

// Bursts lists the loads of one author with very many followers, of one tweet with very many likes, and of one reader
// who follows as many as the API allows.
func Bursts() []Burst {
	const (
		star = "an author with 50 M followers posts"
		hit  = "100,000 likes a second of one tweet"
		fan  = "a reader follows 5,000"
	)
	liked := 0.0 // events of a like
	for _, f := range functions.Table {
		if f.Document == model.Likes+"/{id}" && slices.Contains(f.On, functions.Created) {
			liked++
		}
	}
	const onPage = manyFollowers / followerPages
	readers := NewPlan(100_000_000, commonFollows, 1, false)
	return []Burst{
		{star, "followers, as the API allows", manyFollowers, model.MaxFollowers, "", "pull needs no pages of followers"},
		{star, "bytes of a page of followers", onPage * followerBytes, maxDocument, "", "pull"},
		{star, "entries, if they were pushed: dollars a post", Bill{Writes: manyFollowers}.Dollars(), 0, "$", "pull"},
		{star, "marks of the former pull: dollars a month",
			Bill{Writes: manyFollowers}.Dollars(), 0, "$", "pull without marks"},
		{star, "pull: writes", pullItem.Writes, 0, "", ""},
		{star, "pull: reads of the head, one an instance at 100 M users", apiAtPeak(readers), 0, "", ""},
		{star, "follows on the way there, within a day", math.Ceil(float64(manyFollowers) / secondsADay), rangeWrites, "/s",
			"a shard before the time in the index"},
		{hit, "likes in the index of the tweet", manyLikes, rangeWrites, "/s", "a shard before the time in the index"},
		{hit, "increments of its count, and of all likes", manyLikes, model.MaxShards * shardWrites, "/s",
			"one increment a process and second"},
		{hit, "notifications of its author in their index", manyLikes, rangeWrites, "/s",
			"a sample of the likes of a hot tweet"},
		{hit, "vCPU of the API and the functions", perInstanceCPU * manyLikes * (1 + liked) / perInstance, 1_000, "",
			"a larger quota; likes of a hot tweet without an event each"},
		{hit, "Pub/Sub push in a large region", manyLikes * liked * eventBytes / 1e6, 440, "MB/s", "a larger quota"},
		{hit, "entries of the tweet in a second's digests, one a process",
			functionsAtPeak(readers), 0, "", ""},
		{fan, "push: writes of the timeline at the peak", model.MaxFollows * itemsADay * peak / float64(secondsADay), 1, "/s",
			"pull"},
		{fan, "push: overflow documents a day", model.MaxFollows * itemsADay / (entriesPerBucket / 2.0), 0, "", "pull"},
		{fan, "pull: bytes of whom the reader follows", model.MaxFollows * followBytes, maxDocument, "", ""},
	}
}
