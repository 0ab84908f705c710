package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/verify"
)

type verifyCmd struct {
	All      bool   `xor:"what" help:"Verify everything, the default."`
	User     string `xor:"what" placeholder:"UID" help:"Verify one user, with tweets and home timeline."`
	Tweet    string `xor:"what" placeholder:"ID" help:"Verify one tweet."`
	Tag      string `xor:"what" placeholder:"TAG" help:"Verify one tag."`
	Timeline string `xor:"what" placeholder:"UID" help:"Verify one home timeline."`

	Repair  bool          `help:"Repair differences that two snapshots agree on."`
	Settle  time.Duration `default:"2m" help:"Time between two snapshots, longer than an event can be late; 0 takes one snapshot."`
	Rounds  int           `default:"3" help:"Further snapshots of documents that change meanwhile."`
	Against string        `placeholder:"FILE" type:"existingfile" help:"First snapshot: the earlier output of --settle=0 --json."`
	Part    int           `placeholder:"N" help:"Verify everything in parts of N users or uploads, each with its own snapshots and repairs."`
	After   string        `placeholder:"UID" help:"Resume after this user or upload, the last of an earlier part."`
	JSON    bool          `name:"json" help:"Print each difference as a line of JSON."`

	Database database `embed:""`
}

// Help returns the text of the command's --help.
func (*verifyCmd) Help() string {
	return `Functions update projections some time after the sources. So the command reports a
difference only if a second snapshot, --settle after the first, has the same difference.
A difference of a count needs a document without writes in between. Documents that change
get up to --rounds more snapshots; the last line has the number of unconfirmed differences.

In the cloud an event can be minutes late after a restart, and a day late at worst. After
an outage, wait a day before --repair:

  hibana verify --settle 0 --json > yesterday.jsonl
  hibana verify --against yesterday.jsonl --repair

A repair of a large system may take hours. With --part 10000 the command repairs one part of
the users after the other, and prints its position; --after resumes there.

With --json each line has kind (the collection), document (its path), field, have, want,
version (of a count) and repaired. A missing value is null.

Exit status: 0 for no differences, 1 for differences (repaired or not), 2 if unknown.`
}

// Run verifies and prints.
func (c *verifyCmd) Run(ctx context.Context) error {
	found, err := c.verify(ctx)
	// Print the results of earlier parts even if a later part failed.
	if err == nil || len(found) > 0 {
		err = errors.Join(err, c.print(os.Stdout, found))
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "hibana: verify:", err)
		return exitStatus(2)
	case len(found) > 0:
		return exitStatus(1)
	}
	return nil
}

func (c *verifyCmd) verify(ctx context.Context) (found []verify.Difference, err error) {
	db, err := c.Database.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	unsettled := 0
	o := verify.Options{Reconcile: c.Settle, Rounds: c.Rounds, Repair: c.Repair, OnUnsettled: func(verify.Difference) {
		unsettled++
	}}
	if o.Against, err = readDifferences(c.Against); err != nil {
		return nil, err
	}
	defer func() {
		if err == nil && unsettled > 0 {
			fmt.Fprintf(os.Stderr, "%d differences changed between snapshots; verify again under less traffic.\n", unsettled)
		}
	}()
	if (c.Part != 0 || c.After != "") && c.User+c.Tweet+c.Tag+c.Timeline != "" || c.Part < 0 {
		return nil, errors.New("--part and --after exclude --user, --tweet, --tag and --timeline, and --part is at least 1")
	}
	switch {
	case c.User != "":
		return verifyOne(ctx, c.User, model.ParseUserID, db.Audit.User, db.Audit.HasUser, o)
	case c.Tweet != "":
		return verifyOne(ctx, c.Tweet, model.ParseTweetID, db.Audit.Tweet, db.Audit.HasTweet, o)
	case c.Tag != "":
		return verifyOne(ctx, c.Tag, model.NormalizeTag, db.Audit.Tag, db.Audit.HasTag, o)
	case c.Timeline != "":
		return verifyOne(ctx, c.Timeline, model.ParseUserID, db.Audit.Timeline, db.Audit.HasUser, o)
	}
	for after := model.UserID(c.After); ; {
		more, next, err := verifyPart(ctx, db.Audit, after, c.Part, o)
		if found = append(found, more...); err != nil || next == "" {
			return found, err
		}
		after = next
		fmt.Fprintf(os.Stderr, "All is verified up to %q; --after %q resumes here.\n", after, after)
	}
}

// verifyPart verifies some or all users, and shows the progress.
func verifyPart(ctx context.Context, a *verify.Auditor, after model.UserID, n int,
	o verify.Options) (found []verify.Difference, next model.UserID, err error) {
	p := newProgress(os.Stderr)
	defer p.wait()
	err = p.measure("Verifying", func(report func(done, total int)) (err error) {
		o.Progress = report
		found, next, err = a.Part(ctx, after, n, o)
		return err
	})
	return found, next, err
}

// verifyOne verifies the document that a flag names. If there is no difference and no such document, the flag is
// probably wrong, and verifyOne fails.
func verifyOne[ID any](
	ctx context.Context, text string, parse func(string) (ID, error),
	audit func(context.Context, ID, verify.Options) ([]verify.Difference, error),
	has func(context.Context, ID) (bool, error), o verify.Options,
) ([]verify.Difference, error) {
	id, err := parse(text)
	if err != nil {
		return nil, err
	}
	found, err := audit(ctx, id, o)
	if err != nil || len(found) > 0 {
		return found, err
	}
	if there, err := has(ctx, id); err != nil || there {
		return nil, err
	}
	return nil, fmt.Errorf("there is no %q", text)
}

// readDifferences reads what print wrote as JSON; without a name there is nothing.
func readDifferences(name string) ([]verify.Difference, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := []verify.Difference{}
	for d := json.NewDecoder(f); ; {
		var one verify.Difference
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, one)
	}
}

func (c *verifyCmd) print(w io.Writer, found []verify.Difference) error {
	if c.JSON {
		e := json.NewEncoder(w)
		for _, d := range found {
			if err := e.Encode(d); err != nil {
				return err
			}
		}
		return nil
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(w, "No differences.")
		return err
	}
	t := newTable(w, "KIND", "DOCUMENT", "FIELD", "HAVE", "WANT", "REPAIRED")
	repaired := 0
	for _, d := range found {
		yes := ""
		if d.Repaired {
			yes = "yes"
			repaired++
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", d.Kind, d.Document, orDash(d.Field), shown(d.Have), shown(d.Want), yes)
	}
	fmt.Fprintf(t, "%d differences, %d repaired.\n", len(found), repaired)
	return t.Flush()
}

// shown is a value in one line of a table; nothing is a dash.
func shown(v any) string {
	if v == nil {
		return "–"
	}
	const most = 40
	text := strings.Join(strings.Fields(fmt.Sprint(v)), " ")
	if cut := model.Snippet(text, most); cut != text {
		return cut + "…"
	}
	return orDash(text)
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
