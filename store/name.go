package store

import "strings"

// Name returns the name of the database, such as "projects/hibana/databases/(default)".
// Events carry it.
func (s *Store) Name() string {
	name, _, _ := strings.Cut(s.db.Client.Doc("a/b").Path, "/documents/")
	return name
}

// Project is the id of the project of the database.
func (s *Store) Project() string {
	_, rest, _ := strings.Cut(s.Name(), "projects/")
	project, _, _ := strings.Cut(rest, "/")
	return project
}
