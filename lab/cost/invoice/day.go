package invoice

// Day is what one user causes on an average day.
type Day struct {
	Reads, Writes, Deletes float64 // documents that Firestore bills; deletes by TTL policies too
	Requests               float64 // to the API, without polls
	Polls                  float64 // requests that the API answers from memory, without a log line
	Events                 float64 // deliveries to functions

	// What one request and one event take. Nobody has measured them in a cloud.
	RequestSeconds, EventSeconds float64 // in flight
	RequestCPU, EventCPU         float64 // seconds of a vCPU

	ResponseBytes float64 // of all answers, before compression
	PageBytes     float64 // of the web client, from Firebase Hosting
	EventBytes    float64 // of one event, which has the document before and after

	Kept       float64 // documents that stay for good
	KeptBytes  float64 // of all of them, without index entries
	IndexBytes float64 // of their index entries

	Pictures     float64 // that the user posts
	PictureBytes float64 // of the files of one, of all sizes
	Views        float64 // of pictures, avatars and headers that the browser does not have
	ViewBytes    float64 // of one

	// Derived is whether projections exist that a nightly verification reads.
	Derived bool
}

// pollSeconds is how long a poll takes, all of it with the CPU: it waits for nothing.
const pollSeconds = 0.001

// assumed are the parts of a day that no measurement has, for any layout. A read or a commit of Firestore takes some
// 10 to 30 ms, and a request waits for two or three of them.
var assumed = Day{
	RequestSeconds: 0.05, RequestCPU: 0.003, EventCPU: 0.003,
	ResponseBytes: 427e3, PageBytes: 20e3, EventBytes: 3000,
}

// Measured is the day of docs/contribute/costs.md, as 10,000 users have it.
var Measured = Hibana(Day{Reads: 299.38, Writes: 95.24, Deletes: 18, Requests: 87, Polls: 80, Events: 14.9})

// Tutorial is the same day in the baseline layout of package cost.
var Tutorial = Baseline(Day{Reads: 2053.38, Writes: 92.10, Requests: 87, Events: 17})

// Pictured is a day with pictures: one of ten posts has one, and one of 20 users changes the avatar. The documents,
// events and views are those of `hibana cost --users 50 --seed 1 --pictures`, less those of the same day without
// pictures. Views of other pages than home are not counted. All views come from Cloud Run: a CDN costs as much for its
// bytes.
func Pictured(day Day) Day {
	const uploads, avatars, views = 0.36, 0.06, 23.42 // an avatar is an upload too
	day.Reads, day.Writes, day.Deletes = day.Reads+26.28, day.Writes+2.56, day.Deletes+0.12
	day.Requests, day.Events = day.Requests+2*uploads+avatars, day.Events+0.48
	return day.WithFiles(uploads, views)
}

// WithFiles adds to a day what its files are besides documents: pictures that the user uploads, and files that the
// browser loads. Nobody has counted their bytes: the files of a laptop are drawings.
func (d Day) WithFiles(pictures, views float64) Day {
	d.Pictures, d.PictureBytes, d.Views, d.ViewBytes = pictures, 0.25e6, views, 30e3
	return d
}

// pictureSeconds is how long a function works on a picture, all of it with the CPU. Nobody has measured it in a cloud.
const pictureSeconds = 1.5

// viewCPU is what the API needs for a view, in seconds of a vCPU, and viewSeconds how long it takes.
const viewCPU, viewSeconds = 0.001, 0.03

// Hibana adds to the counted figures of a day what is estimated. At most 38 events of a day write. They take some
// 250 ms, because they wait for other events of their document. The others take some 20 ms.
//
// A user's day leaves some 20 documents: 3 tweets, 10 likes, words of the search index. Most of their bytes are index
// entries.
func Hibana(counted Day) Day {
	d := counted.with(assumed)
	const most, writes, other = 38, 0.25, 0.02
	if d.Events > 0 {
		d.EventSeconds = other + (writes-other)*min(1, most/d.Events)
	}
	d.Kept, d.KeptBytes, d.IndexBytes, d.Derived = 20, 15e3, 41e3, true
	return d
}

// Baseline is Hibana for the layout of tutorials. All its documents stay. A document has some 250 bytes, and three
// fields with two index entries each.
func Baseline(counted Day) Day {
	d := counted.with(assumed)
	d.EventSeconds = 0.15 // a fan-out to 12 followers, or a notification
	d.Kept, d.KeptBytes, d.IndexBytes = d.Writes, 250*d.Writes, 1200*d.Writes
	return d
}

// with adds the assumptions to counted figures.
func (d Day) with(a Day) Day {
	a.Reads, a.Writes, a.Deletes = d.Reads, d.Writes, d.Deletes
	a.Requests, a.Polls, a.Events = d.Requests, d.Polls, d.Events
	return a
}
