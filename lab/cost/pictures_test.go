package cost

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/lab/cost/invoice"
)

// Pictures cost what the comments of the store promise: their uploads, the posts and the profile that take them, and
// the files that browsers load.
func TestPictures(t *testing.T) {
	testenv.Slow(t, "a day of users with pictures")
	t.Parallel()
	r, err := Run(t.Context(), Day{Users: 10, Days: 1, Seed: 7, Pictures: true}, optionsOf(t, true))
	testenv.Must(t, err)
	bills := map[string]Operation{}
	for _, op := range r.Operations {
		bills[op.Name] = op
	}
	posts, replies, pictures, avatars := bills[postTweet], bills[replyTweet], bills[pictureUpload], bills[avatarChange]
	want := []int{20, 10, 3, 1, 100}
	if diff := cmp.Diff(want, []int{posts.Times, replies.Times, pictures.Times, avatars.Times,
		bills[homeView].Times}); diff != "" {
		t.Errorf("posts, replies, pictures, avatars and home pages (-want +got):\n%s", diff)
	}

	// The record; 1 read for the question, and 1 more for an owner who was not seen in the last minute.
	if got := pictures.API; got.Writes != 3 || got.Reads < 3 || got.Reads > 6 || got.Deletes != 0 {
		t.Errorf("3 pictures are billed %+v in the API, want 3 to 6 reads and 3 writes", got)
	}
	if got, want := pictures.Triggers, (Bill{Reads: 6, Writes: 3}); got != want {
		t.Errorf("the events of 3 pictures are billed %+v, want %+v", got, want)
	}
	if got := r.Functions["MediaUploaded"].Events; got != 4 {
		t.Errorf("%d events of files, want 4", got)
	}
	// A post writes 2 documents of the API's, and 1 more with a picture.
	if got := posts.API.Writes + replies.API.Writes; got != 2*30+3 {
		t.Errorf("30 posts and replies with 3 pictures write %d documents in the API, want 63", got)
	}
	// The record of a picture stays, and that of the former avatar goes.
	if got := posts.Expired + replies.Expired; pictures.Expired != 0 || got != 20+2*10 || avatars.Expired != 1 {
		t.Errorf("%d documents of pictures, %d of posts and %d of the avatar expire, want 0, 40 and 1", pictures.Expired, got,
			avatars.Expired)
	}
	if got := avatars.API; got.Writes != 5 || got.Reads < 5 || got.Reads > 9 {
		t.Errorf("the avatar is billed %+v in the API, want 5 to 9 reads and 5 writes", got)
	}
	if got := avatars.Triggers; got.Reads < 10 || got.Writes < 10 {
		t.Errorf("the avatar is billed %+v in functions, want that of the tweets that show it", got)
	}
	if got, want := pictures.Baseline.plus(avatars.Baseline), (Bill{Reads: 1, Writes: 5}); got != want {
		t.Errorf("the baseline is billed %+v, want %+v", got, want)
	}
	// Each user loads the avatars of some 9 others once, and some of the 23 pictures.
	views := bills[pictureView]
	if got := views.API; views.Times < 100 || views.Times > 200 || got.Reads > int64(views.Times) ||
		got.Reads < int64(views.Times/2) || got.Writes+got.Deletes != 0 {
		t.Errorf("%d views are billed %+v, want 100 to 200, and at most 1 read each", views.Times, got)
	}
}

// An invoice has the files of both layouts, and views are no other requests.
func TestInvoicesOfPictures(t *testing.T) {
	t.Parallel()
	r := newReport(Day{Users: 10, Days: 2, For: 1000, Pictures: true})
	for name, n := range map[string]int{postTweet: 40, pictureUpload: 4, avatarChange: 2, pictureView: 200} {
		for range n {
			r.add(name, Bill{}, nil, 0, func(baseline) Bill { return Bill{} })
		}
	}
	for _, l := range r.layouts() {
		d := l.Day
		got, want := []float64{d.Pictures, d.Views, d.Requests}, []float64{6.0 / 20, 10, (40 + 2*6) / 20.0}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: pictures, views and requests (-want +got):\n%s", l.Name, diff)
		}
		views := func(d invoice.Day) float64 { return invoice.Terraform.Invoice(d, 1, false).Of(invoice.Views) }
		if got, want := views(d), views(invoice.Day{}.WithFiles(0.3, 10)); math.Abs(got-want) > 1e-9 || got == 0 {
			t.Errorf("%s: views cost %v, want %v", l.Name, got, want)
		}
	}
}

func TestPicturesNeedBuckets(t *testing.T) {
	t.Parallel()
	if _, err := Run(t.Context(), Day{Users: 10, Days: 1, Pictures: true}, Options{Functions: &Instrument{}}); err == nil {
		t.Error("a day with pictures begins without buckets")
	}
}
