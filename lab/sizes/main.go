// Command sizes prints the layout of the store: its parts and the arrows between them, the
// packages with their lines and exported names, and which packages use their exported functions
// and methods. `make sizes` runs this command. With -v the command lists each function.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	l, err := load(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
	parts, arrows := l.arrows()
	var back []string
	for _, a := range arrows {
		if a.back() {
			back = append(back, a.from+" -> "+a.to)
		}
	}
	fmt.Printf("%d packages in %d parts, %d arrows between parts, %d of them back up %s\n\n",
		len(l.packages), len(parts), len(arrows), len(back), strings.Join(back, ", "))

	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PACKAGE\tLINES\tNAMES\tIMPORTS")
	for _, p := range l.packages {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", p.path, p.lines, p.names, strings.Join(p.imports, " "))
	}
	fmt.Fprintln(w, "\nPACKAGE\tFUNCTIONS\tUSED BY")
	for _, p := range l.packages {
		by := map[string]int{}
		for _, f := range p.funcs {
			for _, user := range f.usedBy {
				by[user]++
			}
		}
		var users []string
		for user, n := range by {
			users = append(users, fmt.Sprintf("%s %d", user, n))
		}
		slices.Sort(users)
		fmt.Fprintf(w, "%s\t%d\t%s\n", p.path, len(p.funcs), strings.Join(users, ", "))
	}
	if len(os.Args) > 1 && os.Args[1] == "-v" {
		fmt.Fprintln(w, "\nFUNCTION\tUSED BY")
		for _, p := range l.packages {
			for _, f := range p.funcs {
				fmt.Fprintf(w, "%s.%s\t%s\n", p.path, f.name, strings.Join(f.usedBy, " "))
			}
		}
	}
	w.Flush()
}
