package invoice

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Months are the months that tables show: the first, and that of a year-old deployment.
var Months = []int{1, 12}

// Layout is a day with the name of the layout that has it.
type Layout struct {
	Name string
	Day  Day
}

// Print writes a table of the invoices of a deployment, with two columns for each layout.
func Print(w io.Writer, d Deployment, free bool, layouts ...Layout) error {
	note := ""
	if free {
		note = ", less what is free"
	}
	fmt.Fprintf(w, "A month of %.0f users in %s, %s, in dollars%s:\n\n", d.Users, d.Region, d.Name, note)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	var invoices []Invoice
	for _, l := range layouts {
		for _, month := range Months {
			fmt.Fprintf(t, "\t%s, month %d", l.Name, month)
			invoices = append(invoices, d.Invoice(l.Day, month, free))
		}
	}
	fmt.Fprintln(t, "\t")
	row := func(name string, dollars func(Invoice) float64) {
		fmt.Fprint(t, name)
		for _, i := range invoices {
			fmt.Fprintf(t, "\t%.2f", dollars(i))
		}
		fmt.Fprintln(t, "\t")
	}
	for _, name := range Lines {
		row(name, func(i Invoice) float64 { return i.Of(name) })
	}
	row("sum", Invoice.Total)
	return t.Flush()
}
