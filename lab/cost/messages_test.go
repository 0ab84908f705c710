package cost

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// Messages cost what the comments of the store promise: a conversation opens for 3 reads, and a message has 3 writes
// with its functions.
func TestMessages(t *testing.T) {
	testenv.Slow(t, "a day of users who write messages")
	t.Parallel()
	const users = 10
	r, err := Run(t.Context(), Day{Users: users, Days: 1, Seed: 7, Messages: true}, options(t))
	testenv.Must(t, err)
	bills := map[string]Operation{}
	for _, op := range r.Operations {
		bills[op.Name] = op
	}
	times := map[string]int{}
	for _, name := range []string{homeView, talksView, talkOpen, talkRead, messageSend, messageToMany, messageReact,
		unreadTalks, unreadNews, markersView, markHome, announcedView, suggestionView, tagFollow, listView} {
		times[name] = bills[name].Times
	}
	if diff := cmp.Diff(map[string]int{homeView: 100, talksView: 30, talkOpen: 40, talkRead: 40, messageSend: 50,
		messageToMany: 10, messageReact: 10, unreadTalks: 30, unreadNews: 100, markersView: 30, markHome: 100,
		announcedView: 100, suggestionView: 30, tagFollow: 0, listView: 10}, times); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	// Its messages, and 2 reads of a listener.
	if got, want := bills[talkOpen].API, (Bill{Reads: 40 * (3 + 2)}); got != want {
		t.Errorf("40 opened conversations are billed %+v, want %+v", got, want)
	}
	for name, want := range map[string]Bill{messageSend: {Reads: 50 * 3, Writes: 50 * 2},
		messageToMany: {Reads: 10 * 2, Writes: 10 * 2}} {
		op := bills[name]
		if n := int64(op.Times); op.API != want || op.Triggers != (Bill{Reads: 2 * n, Writes: n}) {
			t.Errorf("%d of %q are billed %+v in the API, want %+v, and %+v in functions, want 2 reads and 1 write each", n,
				name, op.API, want, op.Triggers)
		}
	}
	// A count reads the inbox, the requests, and some of 5 conversations; a question for news often 1 document.
	if got, n := bills[unreadNews].API, int64(bills[unreadNews].Times); got.Reads < n || got.Reads > 6*n {
		t.Errorf("%d questions for unread conversations are billed %+v, want 1 to 6 reads each", n, got)
	}
	if got := bills[markHome].API; got.Writes > 100 || got.Writes < 20 || got.Reads < 100 || got.Reads > 200 {
		t.Errorf("100 marks of home pages are billed %+v, want 1 or 2 reads each, and a write for some", got)
	}
}

// The other operations of a day are the same with messages and without.
func TestMessagesBesideADay(t *testing.T) {
	t.Parallel()
	plain := newCrowd(20, 3).today(nil)
	talks := newTalks(20, 3)
	var others []operation
	added := map[string]int{}
	for _, op := range newCrowd(20, 3).today(talks, talks.today(20)...) {
		with := newReport(Day{Messages: true}).Operations[len(perDay):]
		if op.name != homeNews && slices.ContainsFunc(with, named(op.name)) {
			added[op.name]++
		} else {
			others = append(others, op)
		}
	}
	if diff := cmp.Diff(plain, others, cmp.AllowUnexported(operation{})); diff != "" {
		t.Errorf("the operations of users who write no messages (-without +with):\n%s", diff)
	}
	if added[messageSend] != 5*20 || added[tagFollow] != 1 || added[announcedView] != 10*20 {
		t.Errorf("the day has %v more", added)
	}
}

func named(name string) func(Operation) bool { return func(o Operation) bool { return o.Name == name } }

func TestMessagesNeedUsers(t *testing.T) {
	t.Parallel()
	if _, err := Run(t.Context(), Day{Users: leastTalking - 1, Days: 1, Messages: true}, Options{}); err == nil {
		t.Error("a day with messages begins with 8 users")
	}
}
