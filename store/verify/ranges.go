package verify

import "context"

// span is a unit that compares the documents whose ids come after one, up to another one. Its first reading decides how
// far it goes, so that later ones compare the same.
type span interface {
	read(context.Context) ([]Difference, error)
	end() string // the last id, known after the first reading; empty if the span goes to the end
}

// ranges verifies a collection in spans of together documents: n documents that come after an id, and all if n is 0. It
// returns the last id, or an empty one at the end. next makes the span that begins after an id.
func (v *verifier) ranges(ctx context.Context, n, together int, after string,
	next func(after string, limit int) span) (all []Difference, last string, err error) {
	for left := n; ; left -= together {
		limit := together
		if n > 0 {
			limit = min(limit, left)
		}
		s := next(after, limit)
		some, err := v.snapshot(ctx, []*unit{{s.read}})
		switch all = append(all, some...); {
		case err != nil || s.end() == "":
			return all, "", err
		case n > 0 && left <= limit:
			return all, s.end(), nil
		}
		after = s.end()
	}
}
