package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/hibana-sns/hibana/"

// layout is the packages of the store, and which packages use them.
type layout struct {
	packages []*storePackage
}

// storePackage is one package of the store.
type storePackage struct {
	path    string   // without the module, as "store/tweets"
	lines   int      // without tests, with comments and blank lines
	names   int      // exported functions, types, variables and constants, and exported methods of exported types
	imports []string // packages of the store that the package imports
	funcs   []*function
}

// arrow is an import of a part of the store by another part. All of store/internal is one part; a
// package is one part with its own internal packages.
type arrow struct{ from, to string }

// back reports whether an arrow leads back up: to the assembly of the store, or from what domains share to a domain.
func (a arrow) back() bool { return a.to == "store" || a.from == "store/internal" }

// arrows returns the parts of the store, and the arrows between them.
func (l *layout) arrows() (parts []string, all []arrow) {
	seen, found := map[string]bool{}, map[arrow]bool{}
	for _, p := range l.packages {
		from := part(p.path)
		seen[from] = true
		for _, imported := range p.imports {
			if to := part(imported); to != from {
				found[arrow{from, to}] = true
			}
		}
	}
	byName := func(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) }
	return slices.Sorted(maps.Keys(seen)), slices.SortedFunc(maps.Keys(found), byName)
}

// part returns the part of the store that a package belongs to.
func part(path string) string {
	if strings.HasPrefix(path, "store/internal/") {
		return "store/internal"
	}
	path, _, _ = strings.Cut(path, "/internal/")
	return path
}

// function is an exported function, or an exported method of an exported type.
type function struct {
	name   string   // as "Store.Follow"
	usedBy []string // packages other than the function's own; tests do not count
}

// load reads all packages of the module at dir.
func load(dir string) (*layout, error) {
	all, err := packages.Load(&packages.Config{
		Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo,
	}, module+"...")
	if err != nil {
		return nil, err
	}
	l, funcs := &layout{}, map[types.Object]*function{}
	for _, p := range all {
		for _, e := range p.Errors {
			err = errors.Join(err, e)
		}
		path := strings.TrimPrefix(p.PkgPath, module)
		if path != "store" && !strings.HasPrefix(path, "store/") {
			continue
		}
		r, failed := newPackage(p, path, funcs)
		err = errors.Join(err, failed)
		l.packages = append(l.packages, r)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(l.packages, func(a, b *storePackage) int { return strings.Compare(a.path, b.path) })
	users := map[*function]map[string]bool{}
	for _, p := range all {
		for _, object := range p.TypesInfo.Uses {
			if f, ok := object.(*types.Func); ok {
				object = f.Origin()
			}
			if f := funcs[object]; f != nil && object.Pkg() != p.Types && !strings.HasPrefix(p.PkgPath, module+
				"dev/testing/") {
				if users[f] == nil {
					users[f] = map[string]bool{}
				}
				users[f][strings.TrimPrefix(p.PkgPath, module)] = true
			}
		}
	}
	for f, by := range users {
		f.usedBy = slices.Sorted(maps.Keys(by))
	}
	return l, nil
}

// newPackage reads one package of the store, and adds its functions to funcs.
func newPackage(p *packages.Package, path string, funcs map[types.Object]*function) (*storePackage, error) {
	r := &storePackage{path: path}
	for _, name := range p.Types.Scope().Names() {
		if _, isFunc := p.Types.Scope().Lookup(name).(*types.Func); ast.IsExported(name) && !isFunc {
			r.names++
		}
	}
	for name := range p.Imports {
		if ours, ok := strings.CutPrefix(name, module+"store"); ok {
			r.imports = append(r.imports, "store"+ours)
		}
	}
	slices.Sort(r.imports)
	for _, file := range p.GoFiles {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		r.lines += bytes.Count(text, []byte("\n"))
	}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || !fd.Name.IsExported() {
				continue
			}
			f := &function{name: fd.Name.Name}
			if fd.Recv != nil {
				owner := receiver(fd.Recv.List[0].Type)
				if !ast.IsExported(owner) {
					continue
				}
				f.name = fmt.Sprintf("%s.%s", owner, fd.Name.Name)
			}
			r.funcs = append(r.funcs, f)
			funcs[p.TypesInfo.Defs[fd.Name]] = f
		}
	}
	r.names += len(r.funcs)
	slices.SortFunc(r.funcs, func(a, b *function) int { return strings.Compare(a.name, b.name) })
	return r, nil
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
