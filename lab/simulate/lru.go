package simulate

import "time"

// lru knows when each of some documents was read, as far as so many of them fit; the least recently used are out first.
// Its keys are small numbers, so lists in slices are many times faster than internal/lru.
type lru struct {
	fit, n     int
	prev, next []int32 // of each key, from the most recently used on; -1 at the end
	read       []time.Duration
	in         []bool
	head, tail int32
}

func newLRU(fit int) *lru { return &lru{fit: fit, head: -1, tail: -1} }

// get returns when a document was read, and makes it the most recently used.
func (l *lru) get(key int32) (read time.Duration, ok bool) {
	if int(key) >= len(l.in) || !l.in[key] {
		return 0, false
	}
	l.remove(key)
	l.push(key)
	return l.read[key], true
}

// add notes that a document was read.
func (l *lru) add(key int32, at time.Duration) {
	if more := int(key) + 1 - len(l.in); more > 0 {
		l.prev, l.next = append(l.prev, make([]int32, more)...), append(l.next, make([]int32, more)...)
		l.read, l.in = append(l.read, make([]time.Duration, more)...), append(l.in, make([]bool, more)...)
	}
	switch {
	case l.in[key]:
		l.remove(key)
	case l.n == l.fit:
		l.in[l.tail] = false
		l.remove(l.tail)
	default:
		l.n++
	}
	l.in[key], l.read[key] = true, at
	l.push(key)
}

func (l *lru) push(key int32) {
	l.prev[key], l.next[key] = -1, l.head
	if l.head >= 0 {
		l.prev[l.head] = key
	} else {
		l.tail = key
	}
	l.head = key
}

func (l *lru) remove(key int32) {
	before, after := l.prev[key], l.next[key]
	if before >= 0 {
		l.next[before] = after
	} else {
		l.head = after
	}
	if after >= 0 {
		l.prev[after] = before
	} else {
		l.tail = before
	}
}
