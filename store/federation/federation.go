// Package federation keeps what other servers of the fediverse need of this one, and what this one keeps of them: the
// keys by which users sign, and the public keys of actors of other servers.
package federation

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/internal/sealed"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// Every is for how long a process uses a key or an actor that it has read. A changed key shows for so long.
	Every = time.Minute
	// CountsKept is for how long a process uses how many people and posts of other servers it has counted.
	CountsKept = time.Hour
	// Again is the shortest time between two fetches of an actor by one process.
	Again = 5 * time.Minute

	keyBits = 2048
	// makingAtOnce is how many keys a process makes at once: each takes some 200 ms of CPU.
	makingAtOnce = 2
	// fetchesAtOnce is how many actors a process fetches at once. Others are refused: their addresses come from strangers.
	fetchesAtOnce = 8
	// hostAtOnce is how many of them one host has, and hostAMinute how many a minute. hosts is how many hosts a process
	// remembers for that.
	hostAtOnce, hostAMinute, hosts = 2, 30, 1_000
	// privateKeys is how many opened keys a process keeps, and failures how many addresses whose fetch failed.
	privateKeys, failures = 200, 1_000
)

// Options configure a [Store].
type Options struct {
	// Box seals the keys. If nil, there are no keys.
	Box *sealed.Box
	// Fetch fetches an actor of another server, see package remoteactor. If nil, there are none.
	Fetch FetchActor
	Log   *slog.Logger // slog.Default() if nil
	// AllowList lets in only domains with the severity allow.
	AllowList bool
	// FetchObject fetches any object of another server, and Finger and Template ask its WebFinger, see package
	// remoteactor. If FetchObject is nil, there is nothing else.
	FetchObject FetchObject
	Finger      func(ctx context.Context, host, template, resource string) (model.Finger, error)
	Template    func(ctx context.Context, host string) (template string, age time.Duration, err error)
}

// FetchObject fetches the object of an address, as [FetchActor] does an actor.
type FetchObject func(ctx context.Context, address string, by model.SigningKey) (model.RemoteObject, error)

// FetchActor fetches the actor of an address, which is its own or that of one of its keys. It signs its request by a
// key. An actor that is not there is errs.NotFound, and one whose server does not answer is errs.Unavailable.
type FetchActor func(ctx context.Context, address string, by model.SigningKey) (model.RemoteActor, error)

// PublicKey is the public key of a user.
type PublicKey struct{ ID, PEM string }

// Store reads and writes keys and actors. Its methods may be called concurrently.
type Store struct {
	db      *db.DB
	o       Options
	keys    readcache.Values[model.UserID, *model.ActorKey]
	private lru.Cache[string, *rsa.PrivateKey]
	making  chan struct{}

	actors readcache.Values[string, *model.RemoteActor]
	fresh  readcache.Values[string, *model.RemoteActor] // by address: those that were fetched within Again
	failed lru.Cache[string, failure]
	counts readcache.Values[string, Counts]

	flights singleflight.Group // of objects and answers of WebFinger

	servers failing // those that do not take what they get

	mu       sync.Mutex
	fetching int                              // how many actors are being fetched
	hosts    lru.Cache[string, *host]         // from which something is fetched: whoever knocks may name them
	senders  lru.Cache[string, *sender]       // hosts whose signature held
	knocks   lru.Cache[string, *rate.Limiter] // by network address

	activities, bytes *rate.Limiter // of all hosts
	waiting           int64         // how many activities of all hosts waited when they were last counted

	domains knownDomains
}

// host is what a process asks of a host.
type host struct {
	fetching int
	allowed  *rate.Limiter
}

// sender is what a process takes from a host.
type sender struct {
	activities, bytes *rate.Limiter
	since             time.Time // the beginning of the present interval
	taken             int       // activities in it
	counted           bool      // whether those that wait were counted in it
	waiting           int64     // how many of the host's waited when they were last counted
}

// remembered returns the value of a key, and makes one that is not there.
func remembered[V any](all lru.Cache[string, V], key string, fresh func() V) V {
	v, ok := all.Get(key)
	if !ok {
		v = fresh()
		all.Add(key, v)
	}
	return v
}

// hostOf returns what the process asks of a host. The caller holds the mutex.
func (s *Store) hostOf(of string) *host {
	return remembered(s.hosts, of, func() *host {
		return &host{allowed: rate.NewLimiter(rate.Every(time.Minute/hostAMinute), hostAMinute)}
	})
}

// senderOf returns what the process takes from a host, whose signature held. The caller holds the mutex.
func (s *Store) senderOf(of string) *sender {
	return remembered(s.senders, of, func() *sender {
		return &sender{activities: rate.NewLimiter(rate.Every(time.Minute/ActivitiesAMinute), ActivitiesAtOnce),
			bytes: rate.NewLimiter(BytesAMinute/60, BytesAMinute)}
	})
}

// failure is a fetch that failed.
type failure struct {
	err   error
	until time.Time
}

// New returns a store of a database. bytes is about how much memory its caches use.
func New(d *db.DB, bytes int, o Options) *Store {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &Store{db: d, o: o, making: make(chan struct{}, makingAtOnce), hosts: lru.New[string, *host](hosts),
		senders: lru.New[string, *sender](hosts), knocks: lru.New[string, *rate.Limiter](hosts),
		private: lru.New[string, *rsa.PrivateKey](privateKeys), failed: lru.New[string, failure](failures),
		activities: rate.NewLimiter(rate.Every(time.Minute/AllAMinute), AllAMinute),
		bytes:      rate.NewLimiter(AllBytesAMinute/60, AllBytesAMinute)}
	keys := readcache.New(d.Now, Every, bytes/2, func(k *model.ActorKey) int { return len(k.Public) + len(k.Sealed) },
		each(s.key))
	keys.Name = "actorKeys"
	weigh := func(a *model.RemoteActor) int {
		size := len(a.Address) + len(a.ID)
		for _, k := range a.Keys {
			size += len(k.ID) + len(k.Text)
		}
		return size
	}
	actors := readcache.New(d.Now, Every, bytes/4, weigh, each(s.readActor))
	actors.Name = "apActors"
	fresh := readcache.New(d.Now, Again, bytes/4, weigh, each(s.fetchActor))
	fresh.Name = "freshActors"
	counts := readcache.New(d.Now, CountsKept, 1<<10, func(Counts) int { return 0 }, each(s.count))
	counts.Name = "remoteCounts"
	s.keys, s.actors, s.fresh, s.counts = keys, actors, fresh, counts
	s.domains = newKnownDomains(s)
	return s
}

// each makes a load of a cache of a function for one key. The caches of this package are asked for one key at a time.
func each[K comparable, V any](one func(context.Context, K) (V, error)) func(context.Context, []K) (map[K]V, error) {
	return func(ctx context.Context, keys []K) (map[K]V, error) {
		all := map[K]V{}
		for _, k := range keys {
			v, err := one(ctx, k)
			if err != nil {
				return nil, err
			}
			all[k] = v
		}
		return all, nil
	}
}

// Key returns the public key of a user, and makes one at first. An empty user is the installation itself. An unknown
// user is errs.NotFound, so no key outlives an account.
//
// Cost: 1 read a minute; at first 3 reads and 1 write, of the installation's 2 reads and 1 write.
func (s *Store) Key(ctx context.Context, uid model.UserID) (_ PublicKey, err error) {
	defer errs.Wrap(&err, "federation.Key(%q)", uid)
	k, _, err := s.keys.One(ctx, uid)
	if err != nil {
		return PublicKey{}, err
	}
	return PublicKey{k.ID, k.Public}, nil
}

// SigningKey returns the private key of a user, as Key does the public one.
//
// Cost: that of Key.
func (s *Store) SigningKey(ctx context.Context, uid model.UserID) (_ model.SigningKey, err error) {
	defer errs.Wrap(&err, "federation.SigningKey(%q)", uid)
	k, _, err := s.keys.One(ctx, uid)
	if err != nil {
		return model.SigningKey{}, err
	}
	place := placeOf(uid, k.ID)
	if private, ok := s.private.Get(place); ok {
		return model.SigningKey{ID: k.ID, Private: private}, nil
	}
	data, err := s.o.Box.Open(ctx, k.Sealed, k.SealedBy, place)
	if err != nil {
		return model.SigningKey{}, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(data)
	if err != nil {
		return model.SigningKey{}, err
	}
	private, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return model.SigningKey{}, fmt.Errorf("the key of %q is a %T", uid, parsed)
	}
	s.private.Add(place, private)
	return model.SigningKey{ID: k.ID, Private: private}, nil
}

// placeOf names a key where it is sealed. No uid and no id has a zero byte.
func placeOf(uid model.UserID, id string) string { return "actor key\x00" + string(uid) + "\x00" + id }

func (s *Store) keyOf(uid model.UserID) *firestore.DocumentRef {
	return s.db.Doc(model.ActorKeys, model.ActorKeyKey(uid))
}

// key reads the key of a user, or makes it.
func (s *Store) key(ctx context.Context, uid model.UserID) (*model.ActorKey, error) {
	if uid.Remote() { // its own server has the key
		return nil, model.NoUser(uid)
	}
	is := &model.ActorKey{}
	if found, err := s.db.Get(ctx, s.keyOf(uid), is); err != nil || found {
		return is, err
	}
	made, err := s.make(ctx, uid)
	if err != nil {
		return nil, err
	}
	// In a transaction, because another process may make a key at the same moment, and the account may be deleted.
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		if uid != "" {
			if found, err := db.GetIn(tx, s.db.User(uid), nil); err != nil || !found {
				return orNoUser(err, uid)
			}
		}
		*is = model.ActorKey{}
		if found, err := db.GetIn(tx, s.keyOf(uid), is); err != nil || found {
			return err
		}
		*is = *made
		return tx.Create(s.keyOf(uid), made)
	})
	return is, err
}

func orNoUser(err error, uid model.UserID) error {
	if err != nil {
		return err
	}
	return model.NoUser(uid)
}

// make makes a key, and writes nothing.
func (s *Store) make(ctx context.Context, uid model.UserID) (*model.ActorKey, error) {
	if s.o.Box == nil {
		return nil, errs.New(errs.NotFound, "federation_off", "this installation does not federate")
	}
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, err
	}
	data, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		return nil, err
	}
	k := &model.ActorKey{ID: strings.ToLower(rand.Text()[:10]), CreatedAt: s.db.Time(),
		Public: string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))}
	k.Sealed, k.SealedBy, err = s.o.Box.Seal(ctx, data, placeOf(uid, k.ID))
	return k, err
}

// Rotate takes the key of a user out of use: it stays for [model.FormerActorKeyWindow], and the next need makes
// another. Processes use the former one for up to [Every]. A user without a key is errs.NotFound (no_actor_key). It
// needs no [Options.Box], because it opens nothing.
//
// Cost: 1 read, 1 write and 1 delete.
func (s *Store) Rotate(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "federation.Rotate(%q)", uid)
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var is model.ActorKey
		found, err := db.GetIn(tx, s.keyOf(uid), &is)
		if err != nil {
			return err
		}
		if !found {
			return errs.New(errs.NotFound, "no_actor_key", "user %q has no key; one is made when it is needed", uid)
		}
		is.ExpireAt = s.db.Time().Add(model.FormerActorKeyWindow)
		if err := tx.Set(s.db.Doc(model.ActorKeys, model.FormerActorKeyKey(uid, is.ID)), is); err != nil {
			return err
		}
		return tx.Delete(s.keyOf(uid))
	})
	s.keys.Forget(uid)
	return err
}

// Exists reports whether there is a document now.
//
// Cost: 1 read.
func (s *Store) Exists(ctx context.Context, collection, id string) (_ bool, err error) {
	defer errs.Wrap(&err, "federation.Exists(%q, %q)", collection, id)
	return s.db.Get(ctx, s.db.Doc(collection, id), nil)
}
