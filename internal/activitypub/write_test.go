package activitypub

import (
	"testing"
	"time"
)

// Times keep microseconds, so that two edits within a second are told apart.
func TestTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 12, 4, 5, 6789, time.FixedZone("", 9*3600))
	for in, want := range map[time.Time]string{at: "2026-01-02T03:04:05.000006Z",
		at.Truncate(time.Second): "2026-01-02T03:04:05Z", {}: ""} {
		if got := Time(in); got != want {
			t.Errorf("Time(%v) = %q, want %q", in, got, want)
		}
	}
	o, err := Decode([]byte(`{"id":"https://a.example/1","type":"Note","updated":"` + Time(at) + `"}`))
	if err != nil || !o.Updated.Equal(at.Truncate(time.Microsecond)) {
		t.Errorf("updated = %v, %v", o.Updated, err)
	}
}
