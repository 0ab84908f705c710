package simulate

import (
	"math/bits"
	"time"
)

const (
	// bucket is how long a process collects changes before it writes a digest of them.
	bucket = time.Second
	// pollEvery is the shortest time between two polls of an instance for digests. It polls while requests come.
	pollEvery = 2 * time.Second
)

// poll is when an instance last polled.
type poll struct{ at time.Duration }

// visible is a time before which the instance knows all changes.
func (p poll) visible() time.Duration { return p.at / bucket * bucket }

// digests counts the documents that writing processes leave: one a process and bucket with changes.
type digests struct {
	counts []int32 // documents up to the end of each bucket
	now    int     // the bucket of writers
	some   [4]uint64
}

// note notes a change that a process writes at a time, not before the time of the last change.
func (d *digests) note(writer int, at time.Duration) {
	d.end(int(at / bucket))
	d.some[writer/64] |= 1 << (writer % 64)
}

// end ends all buckets before one.
func (d *digests) end(b int) {
	for d.now < b {
		n := int32(0)
		if len(d.counts) > 0 {
			n = d.counts[len(d.counts)-1]
		}
		for i := range d.some {
			n += int32(bits.OnesCount64(d.some[i]))
			d.some[i] = 0
		}
		d.counts = append(d.counts, n)
		d.now++
	}
}

// until is how many documents were written before a time.
func (d *digests) until(at time.Duration) int32 {
	b := int(at / bucket)
	d.end(b)
	if b == 0 {
		return 0
	}
	return d.counts[b-1]
}
