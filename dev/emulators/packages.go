package emulators

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// keptSets is how many sets of installed packages the cache of the machine has for further clones of the repository.
const keptSets = 5

// sets is the folder of the sets. A set is named after its lock file.
func sets(cache string) string { return filepath.Join(cache, "hibana", "packages") }

// takePackages puts the kept set of a lock file into dir as node_modules, and returns whether there is one. Its files
// are hard links: they take no further room, and whoever edits one edits that of all clones.
func takePackages(ctx context.Context, cache, sum, dir string) bool {
	set, to := filepath.Join(sets(cache), sum), filepath.Join(dir, "node_modules")
	if _, err := os.Stat(set); err != nil {
		return false
	}
	if os.RemoveAll(to) != nil || linkTree(ctx, set, to) != nil {
		return false // npm begins anew
	}
	now := time.Now()
	_ = os.Chtimes(set, now, now) // of the sets, this one is not the oldest
	return true
}

// keepPackages keeps what npm has installed in dir for other clones, and forgets the sets that were not used for
// longest. Where links are not possible, such as between disks, it keeps nothing.
func keepPackages(ctx context.Context, cache, sum, dir string) {
	all := sets(cache)
	if os.MkdirAll(all, 0o755) != nil {
		return
	}
	half, err := os.MkdirTemp(all, sum+".*.tmp")
	if err != nil {
		return
	}
	defer os.RemoveAll(half)
	set := filepath.Join(half, "set")
	if linkTree(ctx, filepath.Join(dir, "node_modules"), set) != nil {
		return
	}
	_ = os.Rename(set, filepath.Join(all, sum)) // fails if another clone was faster, and that is as good
	entries, err := os.ReadDir(all)
	if err != nil {
		return
	}
	age := func(e fs.DirEntry) time.Duration {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return time.Since(info.ModTime())
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(age(a), age(b)) })
	kept := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			if age(e) > time.Hour { // of a process that was killed
				_ = os.RemoveAll(filepath.Join(all, e.Name()))
			}
		} else if kept++; kept > keptSets {
			_ = os.RemoveAll(filepath.Join(all, e.Name()))
		}
	}
}

// linkTree makes a copy of a folder, whose files are hard links.
func linkTree(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		switch {
		case e.IsDir():
			return os.Mkdir(target, 0o755)
		case e.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		}
		return os.Link(path, target)
	})
}
