package users

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// VerifyLink reports whether the page of a link links back to a profile with rel=me, see package relme. An error says
// that the page could not be read.
type VerifyLink func(ctx context.Context, link, username string, uid model.UserID) (bool, error)

// Verifier asks the pages of links in profiles. Functions have it.
type Verifier struct {
	*Store
	verify VerifyLink
}

// NewVerifier returns a verifier that asks pages by verify; nil if no link is verified.
func NewVerifier(s *Store, verify VerifyLink) *Verifier { return &Verifier{s, verify} }

// VerifyFields asks the pages of the links in a profile, and writes what they say. It reads the fields as they are now,
// whatever the event says. A proof is of one link and one username, so an event of a former value, a repetition and a
// rename meanwhile prove nothing of the present one. A page that is asked is not asked again for a while, see
// [model.FieldProof.Due]; a page that cannot be read keeps its former proof.
//
// Cost: 2 reads, and 2 reads and 1 write more if a page is due.
func (v *Verifier) VerifyFields(ctx context.Context, uid model.UserID) (err error) {
	if v.verify == nil {
		return nil
	}
	defer errs.Wrap(&err, "users.VerifyFields(%q)", uid)
	is, err := v.FullUser(ctx, uid)
	if errs.KindOf(err) == errs.NotFound {
		return nil
	} else if err != nil {
		return err
	}
	asked, err := v.ask(ctx, is)
	if err != nil || len(asked) == 0 {
		return err
	}
	details := v.db.Doc(model.UserDetails, string(uid))
	return v.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var now FullUser
		if found, err := db.GetIn(tx, v.db.User(uid), &now.User); err != nil || !found {
			return err
		}
		if found, err := db.GetIn(tx, details, &now.UserDetail); err != nil || !found {
			return err
		}
		proofs := merged(&now, asked)
		return tx.Update(details, []firestore.Update{{Path: fields.Proofs, Value: db.OrDelete(proofs, len(proofs) == 0)}})
	})
}

// checkFields adds the request to verify the links of a profile to a batch.
func (s *Store) checkFields(b *db.Batch, uid model.UserID, at time.Time) {
	b.Set(s.db.Doc(model.FieldChecks, string(uid)), model.FieldCheck{At: at, ExpireAt: s.db.WorkExpiry()})
}

// ask asks the pages that are due, at once. An error is that of a context that ended.
func (v *Verifier) ask(ctx context.Context, is *FullUser) (asked []model.FieldProof, err error) {
	at := v.db.Time()
	var mu sync.Mutex
	g, within := safely.WithContext(ctx)
	for _, link := range is.DueLinks(is.Username, at) {
		g.Go(func() error {
			p := model.FieldProof{Link: link, Username: is.Username, CheckedAt: at}
			switch yes, err := v.verify(within, link, is.Username, is.ID); {
			case err != nil && ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				if former := is.Proof(model.ProfileField{Value: link}, is.Username); former != nil {
					p.VerifiedAt = former.VerifiedAt
				}
			case yes:
				p.VerifiedAt = at
			}
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, p)
			return nil
		})
	}
	return asked, g.Wait()
}

// merged returns the proofs of the present fields and username: of those in the document and those of pages asked the
// ones asked last.
func merged(now *FullUser, asked []model.FieldProof) (proofs []model.FieldProof) {
	for _, f := range now.Fields {
		link := f.Link()
		same := func(p model.FieldProof) bool { return p.Link == link && p.Username == now.Username }
		if link == "" || slices.ContainsFunc(proofs, same) {
			continue
		}
		is := now.Proof(f, now.Username)
		if i := slices.IndexFunc(asked, same); i >= 0 && (is == nil || is.CheckedAt.Before(asked[i].CheckedAt)) {
			is = &asked[i]
		}
		if is != nil {
			proofs = append(proofs, *is)
		}
	}
	return proofs
}
