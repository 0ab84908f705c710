package model

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Trend is a tag or a tweet that is used more than usual.
type Trend struct {
	Name  string // a tag, or the id of a tweet
	Label string // of a tag, as one of its authors typed it

	// Uses is how many accounts used it in each of the last hours, added up: an account counts once an hour. Estimated
	// says that the number is estimated from a sample.
	Uses      int64
	Estimated bool
	Usual     float64 // the usual number

	score float64
}

// Rising lists the subjects of some hours in the order in which they rise above their usual usage. hours are the last
// hours, the current one last, of which a part has passed. With a language, usages in other languages are left out, and
// the usual usage is reduced by the same part.
func Rising(hours []map[string]TrendSubject, passed float64, usual map[string]float64, language string) []Trend {
	all, users, every := map[string]*Trend{}, map[string]map[uint32]bool{}, map[string]int64{}
	for _, subjects := range hours {
		for name, s := range subjects {
			n := s.accounts(language)
			every[name] += s.accounts("")
			if n == 0 {
				continue
			}
			t := all[name]
			if t == nil {
				t = &Trend{Name: name}
				all[name], users[name] = t, map[uint32]bool{}
			}
			t.Label = cmp.Or(t.Label, s.Label)
			t.Uses += n
			t.Estimated = t.Estimated || s.Level > 0
			maps.Copy(users[name], s.users(language))
		}
	}
	var rising []Trend
	for name, t := range all {
		t.Usual = usual[name] * (float64(len(hours)-1) + passed) * float64(t.Uses) / float64(every[name])
		t.score = (float64(t.Uses) - t.Usual) / math.Sqrt(t.Usual+1)
		if (len(users[name]) >= TrendMinimum || t.Estimated) && t.score > 0 {
			t.Label = cmp.Or(t.Label, name)
			rising = append(rising, *t)
		}
	}
	slices.SortFunc(rising, func(a, b Trend) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Name, b.Name))
	})
	return rising
}
