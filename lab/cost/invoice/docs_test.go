package invoice

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

var update = flag.Bool("update", false, "write the table of docs/contribute/costs.md")

// The table of docs/contribute/costs.md and a line of README.md have the invoices that the model computes.
func TestDocs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testenv.Root(), "docs", "contribute", "costs.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)(<!-- lab/cost/invoice.TestDocs -->\n).*?(<!-- /lab/cost/invoice.TestDocs -->)`)
	if !table.Match(text) {
		t.Fatalf("%s has no place for the table", path)
	}
	// A dollar in a replacement names a group.
	want := table.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(markdown(), "$", "$$")+"${2}")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	readme, err := os.ReadFile(filepath.Join(testenv.Root(), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	sum := func(day Day, month int) float64 { return Terraform.Invoice(day, month, false).Total() }
	line := fmt.Sprintf("$%.0f in the first month and $%.0f in the twelfth, a baseline layout's $%.0f and $%.0f.",
		sum(Measured, 1), sum(Measured, 12), sum(Tutorial, 1), sum(Tutorial, 12))
	pictures := fmt.Sprintf("Pictures in one of ten posts add $%.0f and $%.0f.",
		sum(Pictured(Measured), 1)-sum(Measured, 1), sum(Pictured(Measured), 12)-sum(Measured, 12))
	if !strings.Contains(string(readme), pictures) {
		t.Errorf("README.md does not say: %s", pictures)
	}
	if !strings.Contains(string(readme), line) {
		t.Errorf("README.md does not say that a month costs %s", line)
	}
	if want != string(text) {
		t.Errorf("the table of %s is another one; write it with: go test ./lab/cost/invoice -run TestDocs -update", path)
	}
}

// markdown is the table of both layouts as Terraform deploys them, and of Hibana with pictures and with collectors.
func markdown() string {
	columns := []struct {
		name string
		d    Deployment
		day  Day
	}{{"baseline", Terraform, Tutorial}, {"Hibana", Terraform, Measured},
		{"with pictures", Terraform, Pictured(Measured)}, {"with collectors", WithCollectors, Measured}}
	var b strings.Builder
	var all []Invoice
	b.WriteString("| $ a month |")
	for _, c := range columns {
		for _, month := range Months {
			all = append(all, c.d.Invoice(c.day, month, false))
			fmt.Fprintf(&b, " %s, month %d |", c.name, month)
		}
	}
	b.WriteString("\n|" + strings.Repeat("---|", len(all)+1) + "\n")
	row := func(name string, of func(Invoice) float64) {
		b.WriteString("| " + name + " |")
		for _, i := range all {
			fmt.Fprintf(&b, " %.0f |", of(i))
		}
		b.WriteString("\n")
	}
	for _, name := range Lines {
		row(name, func(i Invoice) float64 { return i.Of(name) })
	}
	row("**sum**", Invoice.Total)
	return b.String()
}
