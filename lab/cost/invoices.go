package cost

import (
	"fmt"
	"io"

	"github.com/hibana-sns/hibana/lab/cost/invoice"
)

// baselineEvents are the events of an operation in the baseline layout: a fan-out, a notification, both, or an upload.
var baselineEvents = map[string]int{postTweet: 1, replyTweet: 2, shareTweet: 2, likeTweet: 1, followUser: 2,
	orderProducts: 1, pictureUpload: 1, avatarChange: 1}

// MonthlyInvoice is an invoice of all products, for the users of Report.For.
type MonthlyInvoice struct {
	Deployment string          `json:"deployment"`
	Layout     string          `json:"layout"`
	Month      int             `json:"month"` // since the first day
	Dollars    float64         `json:"dollars"`
	Lines      invoice.Invoice `json:"lines"`
}

// layouts returns a user's day in the baseline layout and in Hibana's. Package invoice adds the figures that a report
// does not have.
func (r *Report) layouts() []invoice.Layout {
	sum, userDays := r.Sum(), float64(r.Users*r.Days)
	total, events, baselined := r.total(), 0, 0
	for _, f := range r.Functions {
		events += f.Events
	}
	listened := 0 // requests for news, which a listener replaces
	views, pictures := 0, 0
	for _, o := range r.Operations {
		baselined += o.Times * baselineEvents[o.Name]
		switch o.Name {
		case homeNews:
			listened = o.Times
		case pictureView:
			views = o.Times
		case pictureUpload, avatarChange:
			pictures += o.Times
		}
	}
	day := func(of func(invoice.Day) invoice.Day, b Bill, polls, events int) invoice.Day {
		return of(invoice.Day{
			Reads: float64(b.Reads) / userDays, Writes: float64(b.Writes) / userDays, Deletes: float64(b.Deletes) / userDays,
			Requests: float64(sum.Times-listened-views+pictures) / userDays, Polls: float64(polls) / userDays,
			Events: float64(events) / userDays,
		}).WithFiles(float64(pictures)/userDays, float64(views)/userDays)
	}
	return []invoice.Layout{{Name: "baseline", Day: day(invoice.Baseline, sum.Baseline, 0, baselined)},
		{Name: "Hibana", Day: day(invoice.Hibana, total, listened, events)}}
}

// cached returns how many reads of home pages and news fewer the cache leaves among so many users as For, or 0 without
// For.
func (r *Report) cached() int64 {
	if r.HomeReads == 0 {
		return 0
	}
	home, news := r.Operations[0], r.Operations[len(r.Operations)-1]
	return home.API.Reads - int64(r.HomeReads*float64(home.Times)) +
		news.API.Reads - int64(r.NewsReads*float64(news.Times))
}

// deployments returns the deployments whose invoices are compared, for the users of r.
func (r *Report) deployments(region invoice.Region) []invoice.Deployment {
	all := []invoice.Deployment{invoice.WithCollectors, invoice.Terraform}
	for i := range all {
		all[i].Users, all[i].Region = float64(r.For), region
	}
	return all
}

// PrintInvoices writes the invoices of both layouts as tables, one for each deployment. If free is set, they are less
// what is free. PrintInvoices writes nothing if no month is priced.
func (r *Report) PrintInvoices(w io.Writer, region string, free bool) error {
	if r.For == 0 {
		return nil
	}
	for _, d := range r.deployments(invoice.Region(region)) {
		fmt.Fprintln(w)
		if err := invoice.Print(w, d, free, r.layouts()...); err != nil {
			return err
		}
	}
	return nil
}

// invoices returns the invoices of all layouts, deployments and months in us-central1, less nothing that is free.
func (r *Report) invoices() (all []MonthlyInvoice) {
	if r.For == 0 {
		return nil
	}
	for _, d := range r.deployments(invoice.Iowa) {
		for _, l := range r.layouts() {
			for _, month := range invoice.Months {
				lines := d.Invoice(l.Day, month, false)
				all = append(all, MonthlyInvoice{d.Name, l.Name, month, lines.Total(), lines})
			}
		}
	}
	return all
}
