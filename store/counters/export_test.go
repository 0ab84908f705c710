package counters

import "time"

// For the tests of this directory.
var RollUpSoon = (*Store).rollUpSoon

// SetResting sets how long nobody has incremented a shard that a roll-up deletes.
func SetResting(s *Store, d time.Duration) { s.resting = d }
