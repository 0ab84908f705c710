// Command rooms prints the layout of the store: which domain imports which domain, how many
// lines a domain has, and which packages use its exported functions and methods. `make
// rooms` runs this command. With -v the command lists each function.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	u, err := load(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "rooms:", err)
		os.Exit(1)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PACKAGE\tLINES\tIMPORTS")
	for _, p := range u.packages {
		fmt.Fprintf(w, "%s\t%d\t%s\n", p.path, p.lines, strings.Join(p.imports, " "))
	}
	fmt.Fprintln(w, "\nPACKAGE\tEXPORTED\tUSED BY")
	for _, p := range u.packages {
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
		for _, p := range u.packages {
			for _, f := range p.funcs {
				fmt.Fprintf(w, "%s.%s\t%s\n", p.path, f.name, strings.Join(f.usedBy, " "))
			}
		}
	}
	w.Flush()
}
