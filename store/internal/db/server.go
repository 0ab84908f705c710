package db

import (
	"sync"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"
)

// Server is the clock of the database, as far as the process knows it. The clock of the
// process may differ, so times of the two are never compared.
type Server struct {
	// Simulated is the clock of the database in a simulation, which plays a day in
	// minutes. Otherwise it is nil.
	Simulated func() time.Time

	latest atomic.Int64 // Unix nanoseconds; 0 is never
}

// Heard records a time from an answer of the database.
func (s *Server) Heard(at time.Time) {
	n := at.UnixNano()
	for {
		latest := s.latest.Load()
		if n <= latest || s.latest.CompareAndSwap(latest, n) {
			return
		}
	}
}

// Now is the latest time from the database: every answer has one. A read that begins now finds everything that was
// committed until then. The zero time means that no answer has come yet.
func (s *Server) Now() time.Time {
	if s.Simulated != nil {
		return s.Simulated()
	}
	if latest := s.latest.Load(); latest > 0 {
		return time.Unix(0, latest)
	}
	return time.Time{}
}

// ReadAt returns when a document was read.
func (s *Server) ReadAt(snap *firestore.DocumentSnapshot) time.Time {
	if s.Simulated != nil {
		return s.Simulated()
	}
	return snap.ReadTime
}

// WrittenAt returns when a document was written.
func (s *Server) WrittenAt(result *firestore.WriteResult) time.Time {
	if s.Simulated != nil {
		return s.Simulated()
	}
	return result.UpdateTime
}

// Stamps returns the times of commits in a simulation. Each commit has a time of its own, even while the clock stands
// still, as in the database. Without a simulation Stamps is nil.
func (s *Server) Stamps() func() time.Time {
	if s.Simulated == nil {
		return nil
	}
	var mu sync.Mutex
	var last time.Time
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now := s.Simulated()
		if !now.After(last) {
			now = last.Add(time.Microsecond)
		}
		last = now
		return last
	}
}
