package mastodon_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// docs/reports/mastodon.md has the table of all methods, with their usual costs and their worst: after TestCosts,
// and TestMastodonCeiling of lab/ceilings, -update writes it.
func TestDocs(t *testing.T) {
	t.Parallel()
	testenv.Generated(t, "reports/mastodon.md", "The client API of Mastodon",
		report(costsOf(t), worstOf(t), clientsOf(t)), *update)
}

// clientsOf returns which clients call a method in tests: masto.js and go-mastodon call all that they have, and for
// others the requests of their sessions are sent.
func clientsOf(t *testing.T) map[string]string {
	t.Helper()
	by := map[string][]string{}
	for _, client := range []struct{ name, file string }{{"masto.js", "masto.txt"}, {"go-mastodon", "go-mastodon.txt"}} {
		for _, name := range drivenBy(t, client.file) {
			by[name] = append(by[name], client.name)
		}
	}
	for _, client := range slices.Sorted(maps.Keys(sessions)) {
		seen := map[string]bool{}
		for _, wish := range sessions[client] {
			verb, path, _ := strings.Cut(wish.request(), " ")
			path, _, _ = strings.Cut(path, "?")
			if m, ok := methodOf(verb, strings.TrimSuffix(path, "/")); ok && !seen[m.Name()] {
				seen[m.Name()], by[m.Name()] = true, append(by[m.Name()], client)
			}
		}
	}
	all := map[string]string{}
	for name, clients := range by {
		all[name] = strings.Join(clients, ", ")
	}
	return all
}

// costsOf reads the costs of methods as texts.
func costsOf(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/costs.txt")
	testenv.Must(t, err)
	costs := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, cost, _ := strings.Cut(strings.TrimSpace(line), ": ")
		costs[name] = strings.ReplaceAll(cost, ", 0 deletes", "")
	}
	return costs
}

// worstOf reads the largest costs of methods as texts.
func worstOf(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/worst.txt")
	testenv.Must(t, err)
	most := map[string][2]int{}
	for line := range strings.Lines(string(text)) {
		row, bill, _ := strings.Cut(strings.TrimSpace(line), "): ")
		name, _, _ := strings.Cut(row, " (")
		var reads, writes int
		if _, err := fmt.Sscanf(bill, "%d reads, %d writes and deletes", &reads, &writes); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		most[name] = [2]int{max(most[name][0], reads), max(most[name][1], writes)}
	}
	worst := map[string]string{}
	for name, m := range most {
		worst[name] = fmt.Sprintf("%d reads, %d writes", m[0], m[1])
	}
	return worst
}

// report writes the table of all methods, by the first part of their paths.
func report(costs, worst, clients map[string]string) string {
	var b strings.Builder
	all := mastodon.Methods()
	slices.SortStableFunc(all, func(a, b mastodon.Method) int { return cmp.Compare(groupOf(a.Path), groupOf(b.Path)) })
	works, calls := 0, map[string]int{}
	for _, m := range all {
		if m.Works() {
			works++
			for client := range strings.SplitSeq(clients[m.Name()], ", ") {
				calls[client]++
			}
		}
	}
	fmt.Fprintf(&b, `Of %d methods of Mastodon %s, %d are here.
The others are off: they answer as a Mastodon without that feature does.
Usual costs are those of a small example, in documents of Firestore.
Worst costs are those of the most expensive known request to a process that has nothing cached.
TestMastodonCeiling of [lab/ceilings](../../lab/ceilings) measures them; deletes count as writes.
Clients are those that call a method in tests: masto.js calls %d of those that are here, and go-mastodon %d.
No client calls %d of them.
What apps asked for is in [mastodon-clients.md](mastodon-clients.md).
Accounts in lists, and of posts, have no fields, and their counts may be 12 hours old.
`, len(all), mastodon.Version, works, calls["masto.js"], calls["go-mastodon"],
		calls[""])
	group := ""
	for _, m := range all {
		if g := groupOf(m.Path); g != group {
			group = g
			fmt.Fprintf(&b, "\n## %s\n\n| method | scopes | here | notes | usual cost | worst cost | clients |\n", g)
			b.WriteString(strings.Repeat("|---", 7) + "|\n")
		}
		here, note := "yes", m.Note
		if !m.Works() {
			here, note = "off", m.Off
		}
		fmt.Fprintf(&b, "| %s `%s` | %s | %s | %s | %s | %s | %s |\n", m.Verb, m.Path, scopesOf(m), here, note,
			costs[m.Name()], worst[m.Name()], clients[m.Name()])
	}
	return b.String()
}

// groupOf is the part of a path by which methods are together, without its version.
func groupOf(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(parts) > 2 && parts[0] == "api" {
		parts = parts[2:]
	}
	if parts[0] == "admin" && len(parts) > 1 {
		return "admin/" + parts[1]
	}
	return parts[0]
}

// scopesOf says who may call a method, and with which scopes.
func scopesOf(m mastodon.Method) string {
	text := strings.Join(m.Scopes, ", ")
	switch {
	case m.Public && text == "":
		return "everybody"
	case m.Public:
		return "everybody, or " + text
	case text == "":
		return "any token"
	}
	return text
}
