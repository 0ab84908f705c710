package drill

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// exportName is the name of the export below its folder.
const exportName = "export"

// export writes every document of the database into a folder.
func export(ctx context.Context, address, dir string) error {
	return ask(ctx, address, "export", map[string]string{"export_directory": dir, "export_name": exportName})
}

// load reads an export into the database, by its file of metadata.
func load(ctx context.Context, address, file string) error {
	return ask(ctx, address, "import", map[string]string{"export_directory": file})
}

// ask asks the emulator to do something with the whole database.
func ask(ctx context.Context, address, method string, body map[string]string) error {
	body["database"] = "projects/" + project + "/databases/(default)"
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/emulator/v1/projects/"+project+":"+
		method, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: the emulator answered %s: %s", method, resp.Status, answer)
	}
	return err
}

// digests are the hashes of all documents by their paths.
type digests map[string][sha256.Size]byte

// same returns an error that names a document which is in one of the two alone, or differs.
func (d digests) same(other digests) error {
	for path, hash := range d {
		if got, ok := other[path]; !ok {
			return fmt.Errorf("%s was not restored", path)
		} else if got != hash {
			return fmt.Errorf("%s is not as it was", path)
		}
	}
	for path := range other {
		if _, ok := d[path]; !ok {
			return fmt.Errorf("%s is there, and was not", path)
		}
	}
	return nil
}

// digest reads every document of the database, with those that are below documents.
func digest(ctx context.Context, address string) (_ digests, err error) {
	opts, err := meter.ClientOptions(address, meter.Options{})
	if err != nil {
		return nil, err
	}
	client, err := firestore.NewClient(ctx, project, opts...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	all := digests{}
	add := func(q firestore.Query) error {
		docs, err := q.Documents(ctx).GetAll()
		for _, doc := range docs {
			text, failed := json.Marshal(doc.Data()) // maps in the order of their keys
			if failed != nil {
				return failed
			}
			all[doc.Ref.Path] = sha256.Sum256(text)
		}
		return err
	}
	roots, err := client.Collections(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	for _, c := range roots {
		if err := add(c.Query); err != nil {
			return nil, err
		}
	}
	for _, name := range below {
		if err := add(client.CollectionGroup(name).Query); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// below lists the collections below documents. Asking each document for its collections would make the emulator scan
// the whole database each time.
var below = []string{model.Revisions, model.NotificationLists, model.Notifications, model.Actors,
	model.NotificationEvents, model.Shards, model.Orders, model.RemoteFacets}
