package model

import "time"

// ChangeDigest lists heads and tweets that functions of one process have changed: changeDigests/{id}. Each of its
// changes was committed before the digest.
type ChangeDigest struct {
	Heads     []UserID  `firestore:"heads,omitempty"`
	Tweets    []TweetID `firestore:"tweets,omitempty"`
	WrittenAt time.Time `firestore:"writtenAt,serverTimestamp"`
	ExpireAt  time.Time `firestore:"expireAt"`
}

// DigestMode says whether processes write and hear change digests. All services have one mode. A rollout changes it by
// one step only, so that no process writes digests while another does not hear them.
type DigestMode string

// All modes.
const (
	DigestsOff     DigestMode = "off"     // each process hears of a change by a query for changed documents
	DigestsHeard   DigestMode = "heard"   // processes hear of digests as well
	DigestsWritten DigestMode = "written" // functions write them, and the query finds only what is in no digest
)

const (
	// DigestItems is how many heads and tweets a digest lists together. A process with more changes writes another digest.
	DigestItems = 400
	// DigestWindow is how long a digest stays. A process that did not ask for so long reads every head and tweet again.
	DigestWindow = time.Hour
)
