package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// inRepository finds a file of the repository from the working directory upwards.
func inRepository(name string) (string, error) {
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
