package deploy

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/hibana-sns/hibana/lab/cost/invoice"
)

// evaluated returns the value of a local, given those of variables.
func (m *module) evaluated(local string, variables map[string]cty.Value) float64 {
	e := m.locals[local]
	if e == nil {
		m.add("there is no local %s", local)
		return 0
	}
	with := &hcl.EvalContext{
		Variables: map[string]cty.Value{"var": cty.ObjectVal(variables)},
		Functions: map[string]function.Function{"ceil": stdlib.CeilFunc, "coalesce": stdlib.CoalesceFunc,
			"max": stdlib.MaxFunc},
	}
	locals := map[string]cty.Value{}
	for name, other := range m.locals {
		if v, diags := other.Value(with); !diags.HasErrors() {
			locals[name] = v
		}
	}
	with.Variables["local"] = cty.ObjectVal(locals)
	v, diags := e.Value(with)
	if diags.HasErrors() || v.Type() != cty.Number {
		m.add("the local %s: %v", local, diags)
		return 0
	}
	f, _ := v.AsBigFloat().Float64()
	return f
}

// budgets: the alert on reads leaves an ordinary day in peace, as docs/contribute/costs.md has it, and the budget an
// ordinary month, as lab/cost/invoice has it. Both do so for any number of users, and do not sleep through twice as
// much.
func budgets(t *testing.T, m *module) {
	costs := read(t, "docs/contribute/costs.md")
	figure := func(pattern string) float64 {
		found := regexp.MustCompile(pattern).FindStringSubmatch(costs)
		if found == nil {
			t.Fatalf("docs/contribute/costs.md has no %s", pattern)
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(found[1], ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	ofUser := figure(`Hibana, as measured +([\d.]+)`)
	if got := text(literal(m.locals["reads_of_user"])); got != strconv.Itoa(int(math.Ceil(ofUser))) {
		m.add("budgets: reads_of_user is %s; docs/contribute/costs.md has measured %v", got, ofUser)
	}
	found := regexp.MustCompile(`> ([\d.]+) \* \$\{local\.daily_reads\}`).FindStringSubmatch(m.files["alerts.tf"])
	if found == nil {
		m.add("budgets: no alert is about daily_reads")
		return
	}
	share, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	for users := 1.0; users <= 1e6; users *= 10 {
		variables := map[string]cty.Value{"users": cty.NumberFloatVal(users), "daily_reads": cty.NullVal(cty.Number),
			"monthly_budget": cty.NullVal(cty.Number)}
		night := m.evaluated("reads_of_night", variables)
		if day, alert := users*ofUser+night, share*m.evaluated("daily_reads", variables); alert < 1.2*day ||
			alert > 2*day+night {
			m.add("budgets: a day of %.0f users reads %.0f, and the alert comes at %.0f", users, day, alert)
		}
		d := invoice.Terraform
		d.Users, d.Region, d.VerifyReads = users, invoice.Tokyo, night
		month := d.Invoice(invoice.Pictured(invoice.Measured), 12, false).Total()
		if users == 1 { // nothing is billed, and a budget is at least a dollar
			if d = invoice.OnePerson; d.VerifyReads != night {
				m.add("budgets: a night of one person reads %.0f", night)
			}
			month = 1 / 1.1
		}
		if budget := m.evaluated("monthly_budget", variables); budget < 1.1*month || budget > 1.5*month {
			m.add("budgets: a month of %.0f users costs some $%.0f, and the budget is %.0f", users, month, budget)
		}
		variables["monthly_budget"] = cty.NumberIntVal(7)
		if budget := m.evaluated("monthly_budget", variables); budget != 7 {
			m.add("budgets: monthly_budget is not taken")
		}
	}
	m.want("google_billing_budget.month", "amount specified_amount units", "tostring(local.monthly_budget)")
	// What clients send again is no failure of ours.
	if strings.Contains(m.files["alerts.tf"], "UNAVAILABLE|") || strings.Contains(m.files["alerts.tf"], "|UNAVAILABLE") {
		m.add("budgets: an alert counts UNAVAILABLE, which clients send again")
	}
}
