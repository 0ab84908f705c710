package simulate

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Print writes the report as tables.
func (r *Report) Print(w io.Writer) error {
	for _, part := range []func(io.Writer) error{
		r.printSimulated, r.printComparisons, r.printItems, r.printMemories, r.printVisible, r.printLimits, r.printBursts,
	} {
		if err := part(w); err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) printSimulated(w io.Writer) error {
	if len(r.Simulated) == 0 {
		return nil
	}
	t := heading(w, "Simulated: reads of a home page, and the bill of home timelines for a user's day",
		"users", "followed", "instances", "affinity", "layout", "page", "again", "cold", "of page: heads", "tweets",
		"day: reads", "writes", "deletes", "$ a month")
	for _, m := range r.Simulated {
		affinity := "no"
		if m.Affinity {
			affinity = "yes"
		}
		for _, l := range m.Layouts {
			sum := l.Sum()
			row(t, short(float64(m.Users)), m.Followed, m.Instances, affinity, l.Layout, l.Page.Mean, l.Page.Again, l.Page.Cold,
				l.Page.Heads, l.Page.Tweets, sum.Reads, sum.Writes, sum.Deletes, short(sum.monthly(float64(m.Users))))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "The tweets of the former layout contain the queries for changed tweets, and the access "+
		"checks of shares.\n"+
		"With more than %d followed, one user in %d follows so many, and all others %d. The day is that of a reader who\n"+
		"follows so many, and the month is that of so many such users.\n\n", someFollow, someReaders, commonFollows)
	return err
}

func (r *Report) printComparisons(w io.Writer) error {
	t := heading(w, "By formulas: push with digests, and pull, for a user's day and for all users",
		"users", "followed", "read a day", "instances", "push: reads", "writes", "deletes", "$ a month", "pull: reads",
		"writes", "deletes", "$ a month", "affinity: $", "carry all: $", "cheaper", "page: push", "pull", "carry all", "cold",
		"push is cheaper above")
	for _, c := range r.Comparisons {
		push, pull, users := c.Push.Sum(), c.Pull.Sum(), c.Plan.Users
		name, factor := cheaper(push, pull)
		above := "never"
		if c.Turn > 0 {
			above = fmt.Sprintf("%.0f pages a day", c.Turn)
		}
		row(t, short(users), short(c.Plan.Followed), fmt.Sprintf("%.0f %%", 100*c.Plan.Active), c.Plan.Instances,
			push.Reads, push.Writes, push.Deletes, short(push.monthly(users)), pull.Reads, pull.Writes, pull.Deletes,
			short(pull.monthly(users)), short(c.Stays.Sum().monthly(users)), short(c.Carry.Sum().monthly(users)),
			fmt.Sprintf("%s, %.3g times", name, factor), c.Push.Page.Mean, c.Pull.Page.Mean, c.Carry.Page.Mean,
			c.Pull.Page.Cold, above)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "All users write. If 20 % read on a day, half of the users are dormant.")
	for _, c := range r.Comparisons {
		if !c.Known && c.Pull.Page.Mean > 2*c.Kept.Page.Mean {
			fmt.Fprintf(w, "%s users who follow %s, of whom %.0f %% read: the newest positions need %s MiB, and have %s MiB.\n"+
				"So a page needs all heads. If the page of the last look is kept, a page reads %.1f, and the month costs $%s.\n",
				short(c.Plan.Users), short(c.Plan.Followed), 100*c.Plan.Active, short(c.Index/(1<<20)),
				short(c.Plan.Memory/4/(1<<20)), c.Kept.Page.Mean, short(c.Kept.Sum().monthly(c.Plan.Users)))
		}
	}
	_, err := fmt.Fprintln(w, r.within()+"\n")
	return err
}

// within says up to how many followed users push is cheaper.
func (r *Report) within() string {
	var all []string
	for _, c := range r.Comparisons {
		text := fmt.Sprintf("%.0f (%s users, of whom %.0f %% read on a day)", c.Within, short(c.Plan.Users),
			100*c.Plan.Active)
		if c.Within > 0 && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return "Pull is cheaper for any number of followed users."
	}
	return "Push is cheaper if each user follows at most " + strings.Join(all, ", ") + "."
}

func (r *Report) printItems(w io.Writer) error {
	t := heading(w, "One tweet with everything that follows, by its author's followers",
		"users", "followers", "push: reads", "writes", "$", "pull: reads", "writes", "$")
	for _, users := range slices.Sorted(maps.Keys(r.Items)) {
		for _, i := range r.Items[users] {
			row(t, short(float64(users)), short(i.Followers), short(i.Push.Reads), short(i.Push.Writes),
				fmt.Sprintf("%.2g", i.Push.Dollars()), short(i.Pull.Reads), short(i.Pull.Writes),
				fmt.Sprintf("%.2g", i.Pull.Dollars()))
		}
	}
	return end(t, w)
}

func (r *Report) printMemories(w io.Writer) error {
	t := heading(w, fmt.Sprintf("Memory: pages of pull for %d followed, by the caches of an instance", commonFollows),
		"users", "MiB", "heads that fit", "one stays", "all positions fit", "page", "heads", "tweets")
	for _, users := range slices.Sorted(maps.Keys(r.Memories)) {
		for _, m := range r.Memories[users] {
			row(t, short(float64(users)), short(m.Bytes/(1<<20)), short(m.Heads), fmt.Sprintf("%.0f s", m.Stay), m.Known,
				m.Page.Mean, m.Page.Heads, m.Page.Tweets)
		}
	}
	return end(t, w)
}

func (r *Report) printVisible(w io.Writer) error {
	t := heading(w, "A post is on a page after", "polls each", "half", "95 %", "at most")
	for _, v := range r.Visible {
		row(t, v.Poll, v.Median, v.P95, v.Most)
	}
	return end(t, w)
}

func (r *Report) printLimits(w io.Writer) error {
	columns := []string{"breaks at", "resource", "layout", "limit"}
	for _, users := range LoadsAt {
		columns = append(columns, short(float64(users))+" users")
	}
	t := heading(w, "Limits, at the peak of a day", append(columns, "raised by", "source")...)
	for _, l := range r.Limits {
		breaks, most, lift := "nothing", "none", l.Lift
		if l.Breaks > 0 {
			breaks = short(l.Breaks)
		}
		if l.Most > 0 {
			most = amount(l.Most, l.Unit)
		}
		if l.Raised {
			lift += " (without a change of code)"
		}
		cells := []any{breaks, l.Resource, dash(l.Layout), most}
		for _, load := range l.Loads {
			cells = append(cells, amount(load, l.Unit))
		}
		row(t, append(cells, dash(lift), l.Source)...)
	}
	if err := end(t, w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "With pull and digests, below 10 M users these need a change of code: %s.\n\n",
		strings.Join(r.needed(), "; "))
	return err
}

// needed lists the resources that break below 10 M users with pull and digests, and that no quota or variable raises.
func (r *Report) needed() (all []string) {
	for _, l := range r.Limits {
		if l.Breaks > 0 && l.Breaks < 10_000_000 && !l.Raised && (l.Layout == "" || l.Layout == "pull") {
			all = append(all, l.Resource)
		}
	}
	return all
}

func (r *Report) printBursts(w io.Writer) error {
	t := heading(w, "Limits at any size", "case", "resource", "load", "limit", "over it", "raised by")
	for _, b := range r.Bursts {
		most, over := "none", "–"
		if b.Most > 0 {
			if most = amount(b.Most, b.Unit); b.Load > b.Most {
				over = short(b.Load/b.Most) + " times"
			}
		}
		row(t, b.Case, b.Resource, amount(b.Load, b.Unit), most, over, dash(b.Lift))
	}
	return end(t, w)
}

// heading begins a table.
func heading(w io.Writer, title string, columns ...string) *tabwriter.Writer {
	fmt.Fprintf(w, "%s:\n\n", title)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(columns, "\t"))
	return t
}

// row writes a row; a mean has one decimal.
func row(t io.Writer, cells ...any) {
	for i, c := range cells {
		if x, ok := c.(float64); ok {
			cells[i] = decimal(x)
		}
	}
	fmt.Fprintf(t, strings.TrimSuffix(strings.Repeat("%v\t", len(cells)), "\t")+"\n", cells...)
}

func end(t *tabwriter.Writer, w io.Writer) error {
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func decimal(x float64) string {
	if x >= 1_000 {
		return short(x)
	}
	return fmt.Sprintf("%.1f", x)
}

// amount shows a load or a limit with its unit.
func amount(x float64, unit string) string {
	if unit == "$" {
		return unit + short(x)
	}
	if strings.HasPrefix(unit, "/") || unit == "" {
		return short(x) + unit
	}
	return short(x) + " " + unit
}

// short shows about three digits of a number: 1.2 k, 30 M.
func short(x float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if x >= 0.9995*unit.of {
			return fmt.Sprintf("%.3g%s", x/unit.of, unit.name)
		}
	}
	return fmt.Sprintf("%.3g", x)
}
