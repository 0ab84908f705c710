package main

import (
	"bytes"
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

// uses is the layout of the store, and which packages use it.
type uses struct {
	packages []*room
}

// room is one package of the store.
type room struct {
	path    string   // without the module, as "store/facts"
	lines   int      // without tests, with comments and blank lines
	imports []string // rooms that the room imports
	funcs   []*function
}

// function is an exported function, or an exported method of an exported type.
type function struct {
	name   string   // as "Store.Follow"
	usedBy []string // packages other than the function's own; tests do not count
}

// load reads all packages of the module at dir.
func load(dir string) (*uses, error) {
	all, err := packages.Load(&packages.Config{
		Dir:  dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
	}, module+"...")
	if err != nil {
		return nil, err
	}
	u, funcs := &uses{}, map[types.Object]*function{}
	for _, p := range all {
		for _, e := range p.Errors {
			err = errors.Join(err, e)
		}
		path := strings.TrimPrefix(p.PkgPath, module)
		if path != "store" && !strings.HasPrefix(path, "store/") {
			continue
		}
		r, failed := newRoom(p, path, funcs)
		err = errors.Join(err, failed)
		u.packages = append(u.packages, r)
	}
	if err != nil {
		return nil, err
	}
	users := map[*function]map[string]bool{}
	for _, p := range all {
		for _, object := range p.TypesInfo.Uses {
			if f, ok := object.(*types.Func); ok {
				object = f.Origin()
			}
			if f := funcs[object]; f != nil && object.Pkg() != p.Types && !strings.HasPrefix(p.PkgPath, module+"internal/testing/") {
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
	return u, nil
}

// newRoom reads one package of the store, and notes its functions in funcs.
func newRoom(p *packages.Package, path string, funcs map[types.Object]*function) (*room, error) {
	r := &room{path: path}
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
