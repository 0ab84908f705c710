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
	All      bool   `xor:"what" help:"Verify everything; so does no flag."`
	User     string `xor:"what" placeholder:"UID" help:"Verify one user, with tweets and home timeline."`
	Tweet    string `xor:"what" placeholder:"ID" help:"Verify one tweet."`
	Tag      string `xor:"what" placeholder:"TAG" help:"Verify one tag."`
	Timeline string `xor:"what" placeholder:"UID" help:"Verify one home timeline."`

	Repair  bool          `help:"Mend what two snapshots agree on."`
	Settle  time.Duration `default:"2m" help:"Time between two snapshots, longer than an event can be late; 0 takes only one."`
	Rounds  int           `default:"3" help:"How many more snapshots are taken of what keeps changing."`
	Against string        `placeholder:"FILE" type:"existingfile" help:"Take what --settle=0 --json printed earlier for the first snapshot."`
	Part    int           `placeholder:"N" help:"Verify everything in parts of N users, each with its own snapshots and repairs."`
	After   string        `placeholder:"UID" help:"Begin after this user, the last of an earlier part."`
	JSON    bool          `name:"json" help:"One JSON object a line for each difference."`

	Database database `embed:""`
}

// Help is what the command's --help says.
func (*verifyCmd) Help() string {
	return `Triggers follow the facts some time later, so a difference is reported only if it is
still the same in a second snapshot, --settle after the first; for a count, only if nobody
wrote the document in between. What keeps changing is looked at again up to --rounds
times, and then counted on the last line.

In the cloud an event can be a day late at worst, and minutes when something is
restarted. Before --repair in a system that has just failed, wait for a day:

  hibana verify --settle 0 --json > yesterday.jsonl
  hibana verify --against yesterday.jsonl --repair

A repair of a large system may take hours. With --part 10000 it mends one part of the users
after the other, and prints where it is; --after goes on from there.

With --json each line has kind (the collection), document (its path), field, have, want,
version (for a count) and repaired. null stands for what is not, or should not be, there.

Exit status: 0 if nothing differs, 1 if something does (repaired or not), 2 if it could
not be told.`
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
			fmt.Fprintf(os.Stderr, "%d differences keep changing; verify again when there is less traffic.\n", unsettled)
		}
	}()
	if (c.Part != 0 || c.After != "") && c.User+c.Tweet+c.Tag+c.Timeline != "" || c.Part < 0 {
		return nil, errors.New("--part and --after are for everything, and a part has at least one user")
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
		fmt.Fprintf(os.Stderr, "All users up to %q are done; --after %q goes on from here.\n", after, after)
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
	verify func(context.Context, ID, verify.Options) ([]verify.Difference, error), has func(context.Context, ID) (bool,
		error), o verify.Options,
) ([]verify.Difference, error) {
	id, err := parse(text)
	if err != nil {
		return nil, err
	}
	found, err := verify(ctx, id, o)
	if err != nil || len(found) > 0 {
		return found, err
	}
	if there, err := has(ctx, id); err != nil || there {
		return nil, err
	}
	return nil, fmt.Errorf("there is no %q, and nothing is left of one", text)
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
		_, err := fmt.Fprintln(w, "Everything is as the facts say.")
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
