package simulate

import "github.com/hibana-sns/hibana/lab/cost"

// Bill is a number of billed documents. A mean has parts of documents.
type Bill struct {
	Reads   float64 `json:"reads"`
	Writes  float64 `json:"writes"`
	Deletes float64 `json:"deletes"`
}

// Dollars is the price of the bill, by the prices of package cost.
func (b Bill) Dollars() float64 {
	return b.Reads*cost.Bill{Reads: 1}.Dollars() + b.Writes*cost.Bill{Writes: 1}.Dollars() +
		b.Deletes*cost.Bill{Deletes: 1}.Dollars()
}

func (b Bill) plus(c Bill) Bill {
	return Bill{b.Reads + c.Reads, b.Writes + c.Writes, b.Deletes + c.Deletes}
}

func (b Bill) times(n float64) Bill { return Bill{b.Reads * n, b.Writes * n, b.Deletes * n} }

// monthDays is how many days a month of a bill has.
const monthDays = 30

// monthly is the price of a month in dollars if every day of each of so many users has the bill.
func (b Bill) monthly(users float64) float64 { return monthDays * users * b.Dollars() }
