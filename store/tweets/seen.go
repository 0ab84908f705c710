package tweets

import "github.com/hibana-sns/hibana/store/internal/access"

// Seen is an entry of a page of tweets, for callers above package store.
type Seen = access.Seen

// Deleted is the cause inside the errs.Gone error of a deleted tweet, for callers above package store.
type Deleted = access.Deleted
