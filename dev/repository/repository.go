// Package repository finds files of the repository from the working directory.
package repository

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// File finds a file by its path in the repository. It looks in the working directory, and
// then in each directory above.
func File(name string) (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			err = errors.New("not found here or in a directory above")
		}
		dir = parent
	}
	return "", fmt.Errorf("%s: %w; run hibana inside its repository", name, err)
}
