package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/model"
)

// TestOpen demands that firestore.rules opens the collections that the registry says are open,
// and no others, and no lists.
func TestOpen(t *testing.T) {
	t.Parallel()
	open := map[string]string{} // collection → what is allowed
	for _, m := range regexp.MustCompile(`(?s)match /(\S+/\{\w+\}) \{\n(.*?)\n    \}`).
		FindAllStringSubmatch(string(readRoot(t, "firestore.rules")), -1) {
		open[path.Base(path.Dir(m[1]))] += m[2]
	}
	for _, c := range model.Registry {
		allowed := open[c.Name]
		delete(open, c.Name)
		if got, want := strings.Contains(allowed, "allow get"), c.Access != model.AccessNobody; got != want {
			t.Errorf("firestore.rules opens %s: %t, and the registry says %q", c.Name, got, c.Access)
		}
		if strings.Contains(allowed, "allow list") {
			t.Errorf("firestore.rules opens lists of %s", c.Name)
		}
	}
	for name := range open {
		t.Errorf("firestore.rules has %s, which is no collection of the registry", name)
	}
}

// closed has a line for each collection that nobody may read and of which access.txt does not
// speak: the owner's document, by the path of the registry, and nobody's.
func closed(lines []line) (more []line) {
	for _, c := range model.Registry {
		spoken := slices.ContainsFunc(lines, func(l line) bool { return path.Base(l.collection()) == c.Name })
		if spoken || c.Access != model.AccessNobody {
			continue
		}
		document := strings.ReplaceAll(c.Path, "{uid}", owner)
		document = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(document, "other")
		l := line{text: document, document: document, may: map[string][]string{}}
		for _, operation := range operations {
			l.may[operation] = words["-"]
		}
		more = append(more, l)
	}
	return more
}

// TestEveryCollection demands that access.txt speaks of each collection that is open, as the
// registry does.
func TestEveryCollection(t *testing.T) {
	t.Parallel()
	lines := readAccess(t)
	for _, c := range model.Registry {
		may := map[string]int{} // operation → how many lines let somebody
		for _, l := range lines {
			if path.Base(l.collection()) == c.Name {
				for operation, who := range l.may {
					may[operation] += len(who)
				}
			}
		}
		if (may["get"] > 0) != (c.Access != model.AccessNobody) || may["list"] > 0 {
			t.Errorf("access.txt lets somebody read %s: %t, and list it: %t; the registry says %q", c.Name, may["get"] > 0,
				may["list"] > 0, c.Access)
		}
	}
}
