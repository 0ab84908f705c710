package cost

import (
	"fmt"

	"github.com/hibana-sns/hibana/internal/meter"
)

// Bill is a number of billed documents.
type Bill struct {
	Reads   int64 `json:"reads"`
	Writes  int64 `json:"writes"`
	Deletes int64 `json:"deletes"`
}

func billOf(c meter.Counts) Bill { return Bill(c) }

func (b Bill) plus(c Bill) Bill {
	return Bill{b.Reads + c.Reads, b.Writes + c.Writes, b.Deletes + c.Deletes}
}

// Google's prices of a single region in dollars a document, and how many documents are
// free each day: https://cloud.google.com/firestore/pricing. A multi-region costs twice
// as much.
const (
	readPrice   = 0.03 / 100_000
	writePrice  = 0.09 / 100_000
	deletePrice = 0.01 / 100_000

	freeReads   = 50_000
	freeWrites  = 20_000
	freeDeletes = 20_000

	monthDays = 30
)

// Dollars is the price of the bill.
func (b Bill) Dollars() float64 {
	return float64(b.Reads)*readPrice + float64(b.Writes)*writePrice + float64(b.Deletes)*deletePrice
}

// monthly returns the cost of a month in dollars if every day is billed scale times b. If free is set, it subtracts
// each day's free documents.
func (b Bill) monthly(scale float64, free bool) float64 {
	reads, writes, deletes := float64(b.Reads)*scale, float64(b.Writes)*scale, float64(b.Deletes)*scale
	if free {
		reads, writes, deletes = max(0, reads-freeReads), max(0, writes-freeWrites), max(0, deletes-freeDeletes)
	}
	return monthDays * (reads*readPrice + writes*writePrice + deletes*deletePrice)
}

// mean shows the bill of n operations as the mean of one operation: reads, writes and
// deletes.
func (b Bill) mean(n int) string {
	if n == 0 {
		return "0\t0\t0"
	}
	of := func(count int64) string { return short(float64(count) / float64(n)) }
	return of(b.Reads) + "\t" + of(b.Writes) + "\t" + of(b.Deletes)
}

// short formats a mean with at most two decimals, and a whole number without any.
func short(x float64) string {
	if x == float64(int64(x)) {
		return fmt.Sprint(int64(x))
	}
	return fmt.Sprintf("%.2f", x)
}
