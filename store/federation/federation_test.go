package federation_test

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/sealed"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/federation"
)

func box(t *testing.T, secret string) *sealed.Box {
	t.Helper()
	b, err := sealed.New(t.Context(), sealed.Options{Secret: []byte(strings.Repeat(secret, 32))})
	testenv.Must(t, err)
	return b
}

// server is another server, whose actor a test changes.
type server struct {
	mu      sync.Mutex
	actor   model.RemoteActor
	err     error
	fetched int
	by      model.SigningKey
}

func (s *server) fetch(_ context.Context, address string, by model.SigningKey) (model.RemoteActor, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetched++
	s.by = by
	a := s.actor
	a.ID = address
	return a, s.err
}

func open(t *testing.T, s *server) *storetest.Env {
	t.Helper()
	return storetest.Open(t, options(t, s))
}

func options(t *testing.T, s *server) store.Options {
	o := store.Options{Federation: federation.Options{Box: box(t, "s")}}
	if s != nil {
		o.Federation.Fetch = s.fetch
	}
	return o
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fetched
}

// A user has one key, made at first need, and sealed. Each step costs what its comment says.
func TestKey(t *testing.T) {
	t.Parallel()
	e := open(t, nil)
	e.CreateUsers(t, "ann", "bob")
	var first federation.PublicKey
	get := func(what string, uid model.UserID, reads, writes int64) (k federation.PublicKey) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) (err error) {
			k, err = e.Federation.Key(ctx, uid)
			return err
		}))
		return k
	}
	first = get("the first need", "ann", 3, 1)
	if again := get("the next need", "ann", 0, 0); again != first {
		t.Errorf("another key %v after %v", again, first)
	}
	e.Clock.Add(2 * time.Minute)
	get("after a minute", "ann", 1, 0)
	if own := get("the installation's", "", 2, 1); own == first || own.ID == "" {
		t.Errorf("the installation's key is %v", own)
	}
	private, err := e.Federation.SigningKey(t.Context(), "ann")
	testenv.Must(t, err)
	block, _ := pem.Decode([]byte(first.PEM))
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	testenv.Must(t, err)
	if private.ID != first.ID || !private.Private.PublicKey.Equal(public) || private.Private.N.BitLen() != 2048 {
		t.Errorf("the private key %s is not that of %s", private.ID, first.ID)
	}
	doc := e.Doc(t, "actorKeys/ann_now")
	data, err := x509.MarshalPKCS8PrivateKey(private.Private)
	testenv.Must(t, err)
	if sealedKey := string(doc["sealed"].([]byte)); strings.Contains(sealedKey, string(data[40:80])) ||
		doc["sealedBy"] != sealed.Local {
		t.Errorf("the key is sealed by %v", doc["sealedBy"])
	}
	_, err = e.Federation.Key(t.Context(), "nobody")
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")
	if ids := e.IDs(t, model.ActorKeys); len(ids) != 2 {
		t.Errorf("there are the keys %v", ids)
	}
	// Whoever can write to the database cannot give a user the key of another.
	other, err := e.Federation.SigningKey(t.Context(), "bob")
	testenv.Must(t, err)
	bobs := e.Doc(t, "actorKeys/bob_now")
	_, err = e.Raw.Doc("actorKeys/ann_now").Set(t.Context(), bobs)
	testenv.Must(t, err)
	if _, err := e.Again(t, options(t, nil)).Federation.SigningKey(t.Context(), "ann"); err == nil {
		t.Errorf("ann signs by the key %s of bob", other.ID)
	}
	_, err = e.Again(t, store.Options{}).Federation.Key(t.Context(), "ann")
	testenv.Must(t, err) // a public key needs no box
}

// Processes that need the first key of a user at once end with one.
func TestKeysAtOnce(t *testing.T) {
	t.Parallel()
	e := open(t, nil)
	e.CreateUsers(t, "ann")
	all := []*store.Store{e.Store}
	for range 3 {
		all = append(all, e.Again(t, options(t, nil)))
	}
	keys := make([]federation.PublicKey, 2*len(all))
	failures := make([]error, len(keys))
	var g sync.WaitGroup
	for i := range keys {
		g.Go(func() { keys[i], failures[i] = all[i%len(all)].Federation.Key(t.Context(), "ann") })
	}
	g.Wait()
	for i, k := range keys {
		testenv.Must(t, failures[i])
		if k != keys[0] {
			t.Errorf("process %d has the key %s, and the first one %s", i%len(all), k.ID, keys[0].ID)
		}
	}
}

// An account that is deleted while its key is made has none.
func TestKeyOfLeaver(t *testing.T) {
	t.Parallel()
	e := open(t, nil)
	e.CreateUsers(t, "ann")
	o := options(t, nil)
	var once sync.Once
	o.Meter = meter.Options{BelowReads: storetest.AfterRead("actorKeys/ann_now", func() {
		once.Do(func() {
			_, err := e.Raw.Doc("users/ann").Delete(context.WithoutCancel(t.Context()))
			testenv.Must(t, err)
		})
	})}
	_, err := e.Again(t, o).Federation.Key(t.Context(), "ann")
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")
	if ids := e.IDs(t, model.ActorKeys); len(ids) > 0 {
		t.Errorf("the user who left has the keys %v", ids)
	}
}

// A changed key stays for a week beside the new one, and other processes have the new one within a minute.
func TestRotate(t *testing.T) {
	t.Parallel()
	e := open(t, nil)
	e.CreateUsers(t, "ann")
	first, err := e.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)
	other := e.Again(t, options(t, nil))
	_, err = other.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "Rotate", 1, 1, 1, func(ctx context.Context) error {
		return e.Federation.Rotate(ctx, "ann")
	}))
	storetest.WantErr(t, e.Federation.Rotate(t.Context(), "ann"), errs.NotFound, "no_actor_key")
	second, err := e.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)
	former := e.Doc(t, "actorKeys/ann_"+first.ID)
	if second == first || former["public"] != first.PEM ||
		!former["expireAt"].(time.Time).Equal(e.Clock.Now().Add(7*24*time.Hour)) {
		t.Errorf("after %s there is %s, and the former key is %v", first.ID, second.ID, former)
	}
	e.Clock.Add(federation.Every + time.Second)
	if k, err := other.Federation.Key(t.Context(), "ann"); err != nil || k != second {
		t.Errorf("another process has the key %s: %v", k.ID, err)
	}
	if got := e.Doc(t, "actorKeys/ann_now"); got["expireAt"] != nil {
		t.Errorf("the new key expires: %v", got)
	}
}

const address = "https://far.example/users/cho"

// An actor is fetched once, kept for as long as its server says, and read for others. Each step costs what its comment
// says.
func TestActor(t *testing.T) {
	t.Parallel()
	far := &server{actor: model.RemoteActor{MaxAge: 2 * time.Hour, Keys: []model.RemoteKey{{ID: address + "#k",
		Text: "one"}}}}
	e := open(t, far)
	_, err := e.Federation.Key(t.Context(), "") // the installation has its key
	testenv.Must(t, err)
	other := e.Again(t, options(t, far))
	step := func(what string, s *store.Store, reads, writes int64, fetched int, key string) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			a, err := s.Federation.Actor(ctx, address)
			if err == nil && a.Key(address+"#k").Text != key {
				t.Errorf("%s: the key is %v, want %s", what, a.Keys, key)
			}
			if err != nil {
				return err
			}
			return s.Federation.Keep(ctx, a)
		}))
		if far.count() != fetched {
			t.Errorf("%s: there were %d fetches, want %d", what, far.count(), fetched)
		}
	}
	step("unknown", e.Store, 1, 1, 1, "one")
	if far.by.ID == "" || far.by.Private == nil {
		t.Error("the request is not signed by the installation")
	}
	step("known", e.Store, 0, 0, 1, "one")
	step("another process", other, 1, 0, 1, "one")
	e.Clock.Add(time.Hour)
	step("after an hour", e.Store, 1, 0, 1, "one")
	far.actor.Keys[0].Text = "two"
	e.Clock.Add(time.Hour + time.Minute)
	step("after its time", e.Store, 1+1, 1, 2, "two") // and the installation's key
	testenv.Must(t, storetest.Costs(t, "whose signature did not hold", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.Federation.Actor(ctx, address+"3")
		return err
	}))
	if a, err := e.Federation.Actor(t.Context(), address+"2"); err != nil || a.Key(address+"#k") == nil || a.Key(
		"x") != nil {
		t.Errorf("Actor = %v, %v", a, err)
	}
}

// A changed key is fetched at once, and not again and again.
func TestRefetch(t *testing.T) {
	t.Parallel()
	far := &server{actor: model.RemoteActor{Keys: []model.RemoteKey{{ID: address + "#k", Text: "one"}}}}
	e := open(t, far)
	_, err := e.Federation.Actor(t.Context(), address)
	testenv.Must(t, err)
	e.Clock.Add(federation.Again + time.Second)
	far.actor.Keys = []model.RemoteKey{{ID: address + "#l", Text: "two"}}
	var g sync.WaitGroup
	for range 20 {
		g.Go(func() {
			if a, err := e.Federation.Refetch(t.Context(), address); err != nil || a.Key(address+"#l") == nil {
				t.Errorf("Refetch = %v, %v", a, err)
			}
		})
	}
	g.Wait()
	if a, err := e.Federation.Actor(t.Context(), address); err != nil || a.Key(address+"#l") == nil || far.count() != 2 {
		t.Errorf("Actor = %v, %v after %d fetches, want 2", a, err, far.count())
	}
}

// A slow server holds two fetches, and nobody waits for them; a server is asked 30 times a minute at most.
func TestSlowServer(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan struct{}), make(chan struct{})
	o := options(t, nil)
	o.Federation.Fetch = func(_ context.Context, address string, _ model.SigningKey) (model.RemoteActor, error) {
		if strings.Contains(address, "slow") {
			asked <- struct{}{}
			<-answer
		}
		return model.RemoteActor{ID: address}, nil
	}
	e := storetest.Open(t, o)
	_, err := e.Federation.Key(t.Context(), "")
	testenv.Must(t, err)
	var g sync.WaitGroup
	for i := range 2 {
		g.Go(func() {
			if _, err := e.Federation.Actor(t.Context(), fmt.Sprint("https://slow.example/", i)); err != nil {
				t.Errorf("fetch %d: %v", i, err)
			}
		})
		<-asked
	}
	_, err = e.Federation.Actor(t.Context(), "https://slow.example/3")
	storetest.WantErr(t, err, errs.Unavailable, "remote_unavailable")
	for i := range 30 {
		_, err = e.Federation.Actor(t.Context(), fmt.Sprint("https://far.example/", i))
		testenv.Must(t, err)
	}
	_, err = e.Federation.Actor(t.Context(), "https://far.example/30")
	storetest.WantErr(t, err, errs.Unavailable, "remote_unavailable")
	close(answer)
	g.Wait()
	e.Clock.Add(time.Minute)
	_, err = e.Federation.Actor(t.Context(), "https://far.example/31")
	testenv.Must(t, err)
}

// A fetch that fails is remembered without a write, for any address that a stranger names.
func TestNoActor(t *testing.T) {
	t.Parallel()
	far := &server{err: errs.New(errs.NotFound, "no_remote_actor", "none")}
	e := open(t, far)
	_, err := e.Federation.Key(t.Context(), "")
	testenv.Must(t, err)
	for _, reads := range []int64{1, 1} {
		err := storetest.Costs(t, "no actor", reads, 0, 0, func(ctx context.Context) error {
			_, err := e.Federation.Actor(ctx, address)
			return err
		})
		storetest.WantErr(t, err, errs.NotFound, "no_remote_actor")
	}
	if far.count() != 1 || len(e.IDs(t, model.RemoteActors)) != 0 {
		t.Errorf("there were %d fetches and the documents %v", far.count(), e.IDs(t, model.RemoteActors))
	}
	far.err = nil
	e.Clock.Add(federation.Again + time.Second)
	if _, err := e.Federation.Actor(t.Context(), address); err != nil {
		t.Errorf("after a while: %v", err)
	}
	_, err = e.Again(t, store.Options{}).Federation.Actor(t.Context(), address+"2")
	storetest.WantErr(t, err, errs.NotFound, "federation_off")
}

// A document of an actor that stands in the place of another is not believed.
func TestPlanted(t *testing.T) {
	t.Parallel()
	far := &server{actor: model.RemoteActor{Keys: []model.RemoteKey{{ID: address + "#k", Text: "right"}}}}
	e := open(t, far)
	_, err := e.Raw.Collection(model.RemoteActors).Doc(model.RemoteActorKey(address)).Set(t.Context(), model.RemoteActor{
		Address: "https://evil.example/a", ID: address, Keys: []model.RemoteKey{{ID: address + "#k", Text: "planted"}},
		ExpireAt: e.Clock.Now().Add(time.Hour)})
	testenv.Must(t, err)
	if a, err := e.Federation.Actor(t.Context(), address); err != nil || a.Keys[0].Text != "right" {
		t.Errorf("Actor = %v, %v", a, err)
	}
}
