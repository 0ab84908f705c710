package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// importReason is the reason of every act in the audit log.
const importReason = "hibana seed"

// importID is the id of the tweet of a fixture. Its last 16 digits are those of the fixture, and so it is the same in
// each run.
func (f fixture) importID() (model.TweetID, error) {
	id, err := model.ImportID(model.UserID(f.ownedBy), f.id)
	if err == nil {
		err = model.ValidateImportID(model.UserID(f.ownedBy), id, time.Now())
	}
	return id, err
}

// imports are fixtures that may be written.
type imports struct {
	fixtures []fixture
	ids      map[string]string // of tweets, by fixture; also of those that the fixtures link to
	missing  []string          // owners to create
}

// importFixtures posts fixtures under their ids, for owners with the uid of ownedBy. It writes nothing unless every
// owner exists, or is to be created, and every link leads to a fixture of this run or of an earlier one. A repetition
// changes nothing, and goes on where an earlier run ended.
func importFixtures(ctx context.Context, a *administrator, all []fixture, create bool) error {
	if err := a.check(ctx); err != nil {
		return err
	}
	is, err := a.prepare(ctx, all, create)
	if err != nil {
		return err
	}
	return a.importAll(ctx, is)
}

// prepare looks for owners and for fixtures of earlier runs. The error lists each fixture that cannot be imported.
func (a *administrator) prepare(ctx context.Context, all []fixture, create bool) (*imports, error) {
	is := &imports{fixtures: all, ids: map[string]string{}}
	var owners []string
	var wrong []error
	for _, f := range all {
		id, err := f.importID()
		if err != nil {
			wrong = append(wrong, f.errorf("%w", err))
		}
		if is.ids[f.id] = string(id); slices.Contains(owners, f.ownedBy) {
			continue
		}
		owners = append(owners, f.ownedBy)
		there, err := a.has(ctx, "/v1/users/"+f.ownedBy)
		switch {
		case err != nil:
			return nil, err
		case there:
		case create:
			is.missing = append(is.missing, f.ownedBy)
		default:
			wrong = append(wrong, f.errorf("there is no owner %s: make the account, or let --create-owners do it", f.ownedBy))
		}
	}
	for _, f := range all {
		for _, l := range f.links() {
			id, known := is.ids[l.id]
			if !known {
				var err error
				if id, err = a.earlier(ctx, l.id, owners); err != nil {
					return nil, err
				}
				is.ids[l.id] = id
			}
			if id == "" {
				wrong = append(wrong, f.errorf("it links to /posts/%s, and neither a file nor the service has that fixture", l.id))
			}
		}
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("nothing is posted:\n%w", errors.Join(wrong...))
	}
	return is, nil
}

// importAll makes the missing owners, and then the tweets.
func (a *administrator) importAll(ctx context.Context, is *imports) error {
	begun := time.Now()
	for _, owner := range is.missing {
		p := authorOf(owner) // whose username is that of a run without --import
		if err := a.write(ctx, http.MethodPost, "/v1/admin/users", map[string]any{"uid": owner, "username": "o" + owner,
			"nickname": p.nickname, "introduction": p.introduction, "reason": importReason}); err != nil {
			return fmt.Errorf("owner %s: %w", owner, err)
		}
	}
	table := newTable(os.Stdout, "FIXTURE", "TWEET", "OWNER", "FROM")
	for _, f := range is.fixtures {
		id := is.ids[f.id]
		err := a.write(ctx, http.MethodPost, "/v1/admin/users/"+f.ownedBy+"/tweets", map[string]any{"id": id,
			"content": f.resolve(is.ids), "tags": f.tags, "allowLikes": f.allowLikes, "allowReplies": f.allowReplies,
			"reason": importReason})
		if r, ok := errors.AsType[*refusal](err); ok && r.Code == "tweet_exists" {
			return f.errorf("another text, or other tags or switches, were imported with this id: edit the tweet %s, or give "+
				"the fixture another id", id)
		}
		if err != nil {
			return f.errorf("%w", err)
		}
		fmt.Fprintf(table, "%s\t/tweets/%s\t%s\t%s:%d\n", f.id, id, f.ownedBy, f.file, f.line)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Printf("\nFixtures imported: %d; new owners: %d; time: %.1f s.\n", len(is.fixtures), len(is.missing),
		time.Since(begun).Seconds())
	return nil
}

// earlier returns the id of the tweet of a fixture that an earlier run imported; empty if there is none. The owner is
// one of this run, or else unknown: the id has one of 256 beginnings.
func (a *administrator) earlier(ctx context.Context, digits string, owners []string) (string, error) {
	var prefixes []string
	for _, owner := range owners {
		if id, err := model.ImportID(model.UserID(owner), digits); err == nil {
			prefixes = append(prefixes, string(id[:2]))
		}
	}
	for i := range 256 {
		if prefix := fmt.Sprintf("%02x", i); !slices.Contains(prefixes, prefix) {
			prefixes = append(prefixes, prefix)
		}
	}
	for some := range slices.Chunk(prefixes, model.MaxBatch) {
		var batch struct {
			Items []struct{ ID, Status string }
		}
		path := "/v1/tweets:batchGet?ids=" + strings.Join(some, digits+",") + digits
		err := a.send(ctx, http.MethodGet, path, nil, &batch)
		if r, ok := errors.AsType[*refusal](err); ok && r.Code == "invalid_tweet_id" {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		for _, item := range batch.Items {
			if item.Status == "found" {
				return item.ID, nil
			}
		}
	}
	return "", nil
}
