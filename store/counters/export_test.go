package counters

import "time"

// For the tests of this directory.
var RollUpSoon = (*Store).rollUpSoon

// SetResting sets the age of a shard's last increment at which a roll-up deletes the shard.
func SetResting(s *Store, d time.Duration) { s.resting = d }
