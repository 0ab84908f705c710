package erasure

import "testing"

// TestSections demands that every section has items, and that all items are of a section.
func TestSections(t *testing.T) {
	t.Parallel()
	left := map[string]bool{}
	for name := range exportsSpecials {
		left[name] = true
	}
	for name := range items {
		left[name] = true
	}
	for i, s := range sections {
		if !left[s.name] || sectionOf(s.name) != i {
			t.Errorf("section %d is %q, which is section %d, and has items: %t", i, s.name, sectionOf(s.name), left[s.name])
		}
		delete(left, s.name)
	}
	for name := range left {
		t.Errorf("%q is no section", name)
	}
}
