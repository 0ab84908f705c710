package moderation

import (
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Asked is how many documents all questions of a process for account statuses read.
func Asked(s *Store) int64 { return s.watch.bill.Reads() }

// Overlap changes how much of the past each question repeats.
func Overlap(s *Store, d time.Duration) { s.watch.overlap = d }

// AskWithin changes how long a question may take.
func AskWithin(s *Store, d time.Duration) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.within = d
}

// Note takes an account status as the answer to a question does.
func Note(s *Store, is model.AccountStatus) { s.watch.note(is) }
