package simulate

// The limits of the layout that pushed tweets into home timelines, which the simulation compares with pull.
const (
	pullAbove        = 10_000 // followers of an author whose tweets readers pulled
	followersPerPage = 1_000  // on the single page of an author
	followerPages    = 16     // of an author with more followers
	entriesPerBucket = 150    // entries of a month of a home timeline before it overflowed
)
