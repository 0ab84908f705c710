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

// Heard notes a time that an answer of the database tells.
func (s *Server) Heard(at time.Time) {
	n := at.UnixNano()
	for {
		latest := s.latest.Load()
		if n <= latest || s.latest.CompareAndSwap(latest, n) {
			return
		}
	}
}

// Now is the latest time that the database has told: every answer tells one. A read that
// begins now finds everything that was committed until then. The zero time is: none yet.
func (s *Server) Now() time.Time {
	if s.Simulated != nil {
		return s.Simulated()
	}
	if latest := s.latest.Load(); latest > 0 {
		return time.Unix(0, latest)
	}
	return time.Time{}
}

// ReadAt tells when a document was read.
func (s *Server) ReadAt(snap *firestore.DocumentSnapshot) time.Time {
	if s.Simulated != nil {
		return s.Simulated()
	}
	return snap.ReadTime
}

// Stamps tells the times of commits in a simulation. Each commit has a time of its own, even
// while the clock stands still, as in the database. Without a simulation Stamps is nil.
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
