// Package sealed encrypts secrets for the database, so that whoever reads the database alone learns none of them.
//
// Each secret is encrypted by a key of its own, which is kept beside it, encrypted in turn by a key of the deployment:
// one of Cloud Key Management Service, which never leaves it, or one that is derived from a secret of the environment.
package sealed

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"regexp"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/tink"
	"google.golang.org/api/cloudkms/v1"
	"google.golang.org/api/option"
)

// Local is the name of the key that is derived from a secret.
const Local = "local"

// Options configure a [Box]. It needs a key.
type Options struct {
	Secret []byte // of 32 bytes or more; empty for none
	// KMS is the name of a key of Cloud KMS: projects/…/locations/…/keyRings/…/cryptoKeys/…; empty for none.
	KMS    string
	Client []option.ClientOption // of Cloud KMS
}

var kmsName = regexp.MustCompile(`^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$`)

// ValidKMS returns an error for a text that is not the name of a key of Cloud KMS.
func ValidKMS(name string) error {
	if !kmsName.MatchString(name) {
		return errors.New("it is as projects/P/locations/L/keyRings/R/cryptoKeys/K")
	}
	return nil
}

// Box seals and opens secrets. Its methods may be called concurrently.
type Box struct {
	by   string // of new secrets
	keys map[string]*aead.KMSEnvelopeAEADWithContext
}

// New returns a box. It seals by the key of KMS if there is one, and opens by both keys: so a deployment may change to
// KMS and keep what it has.
func New(ctx context.Context, o Options) (*Box, error) {
	b := &Box{keys: map[string]*aead.KMSEnvelopeAEADWithContext{}}
	add := func(name string, key tink.AEADWithContext) error {
		e, err := aead.NewKMSEnvelopeAEADWithContext(aead.AES256GCMKeyTemplate(), key)
		b.by, b.keys[name] = name, e
		return err
	}
	if len(o.Secret) > 0 {
		derived, err := hkdf.Key(sha256.New, o.Secret, nil, "sealed secrets", 32)
		if err != nil {
			return nil, err
		}
		gcm, err := subtle.NewAESGCM(derived)
		if err != nil {
			return nil, err
		}
		if err := add(Local, local{gcm}); err != nil {
			return nil, err
		}
	}
	if o.KMS != "" {
		service, err := cloudkms.NewService(ctx, o.Client...)
		if err != nil {
			return nil, err
		}
		if err := add(o.KMS, &remote{service.Projects.Locations.KeyRings.CryptoKeys, o.KMS}); err != nil {
			return nil, err
		}
	}
	if b.by == "" {
		return nil, errors.New("sealed: there is neither a secret nor a key of KMS")
	}
	return b, nil
}

// Seal encrypts a secret. about names the place of the secret: Open needs the same text, so that nobody who can write
// to the database can put one secret into the place of another. by names the key.
func (b *Box) Seal(ctx context.Context, secret []byte, about string) (data []byte, by string, err error) {
	data, err = b.keys[b.by].EncryptWithContext(ctx, secret, []byte(about))
	return data, b.by, err
}

// Open decrypts what Seal returned.
func (b *Box) Open(ctx context.Context, data []byte, by, about string) ([]byte, error) {
	key := b.keys[by]
	if key == nil {
		return nil, fmt.Errorf("sealed: this process does not have the key %q", by)
	}
	return key.DecryptWithContext(ctx, data, []byte(about))
}

// local encrypts keys by a key in memory.
type local struct{ *subtle.AESGCM }

func (l local) EncryptWithContext(_ context.Context, plain, about []byte) ([]byte, error) {
	return l.Encrypt(plain, about)
}

func (l local) DecryptWithContext(_ context.Context, data, about []byte) ([]byte, error) {
	return l.Decrypt(data, about)
}

// remote encrypts keys by a key of Cloud KMS.
type remote struct {
	keys *cloudkms.ProjectsLocationsKeyRingsCryptoKeysService
	name string
}

func (r *remote) EncryptWithContext(ctx context.Context, plain, about []byte) ([]byte, error) {
	got, err := r.keys.Encrypt(r.name, &cloudkms.EncryptRequest{Plaintext: coded(plain), PlaintextCrc32c: sum(plain),
		AdditionalAuthenticatedData: coded(about), AdditionalAuthenticatedDataCrc32c: sum(about),
		ForceSendFields: []string{"PlaintextCrc32c", "AdditionalAuthenticatedDataCrc32c"}}).Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(got.Ciphertext)
	if err == nil && (!got.VerifiedPlaintextCrc32c || got.CiphertextCrc32c != sum(data)) {
		err = errors.New("sealed: a key was damaged on its way to or from KMS")
	}
	return data, err
}

func (r *remote) DecryptWithContext(ctx context.Context, data, about []byte) ([]byte, error) {
	got, err := r.keys.Decrypt(r.name, &cloudkms.DecryptRequest{Ciphertext: coded(data), CiphertextCrc32c: sum(data),
		AdditionalAuthenticatedData: coded(about), AdditionalAuthenticatedDataCrc32c: sum(about),
		ForceSendFields: []string{"CiphertextCrc32c", "AdditionalAuthenticatedDataCrc32c"}}).Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	plain, err := base64.StdEncoding.DecodeString(got.Plaintext)
	if err == nil && got.PlaintextCrc32c != sum(plain) {
		err = errors.New("sealed: a key was damaged on its way from KMS")
	}
	return plain, err
}

func coded(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

func sum(data []byte) int64 { return int64(crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))) }
