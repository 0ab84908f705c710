package httpsig

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
)

// Bits of an RSA key. A shorter one can be broken; a longer one makes each verification slow.
const (
	MinBits = 2048
	MaxBits = 8192
)

// maxPEM is the size of the largest key that is read, in bytes.
const maxPEM = 8 << 10

// algorithm has the name of RFC 9421.
type algorithm string

const (
	rsaSHA256 algorithm = "rsa-v1_5-sha256"
	rsaPSS    algorithm = "rsa-pss-sha512"
	edDSA     algorithm = "ed25519"
)

// CheckKey returns ErrKey unless a public key may verify signatures: RSA of MinBits to MaxBits, or Ed25519.
func CheckKey(key crypto.PublicKey) error {
	switch k := key.(type) {
	case *rsa.PublicKey:
		if bits := k.N.BitLen(); bits < MinBits || bits > MaxBits || k.E < 3 || k.E%2 == 0 {
			return fmt.Errorf("%w: an RSA key of %d bits; it needs %d to %d", ErrKey, bits, MinBits, MaxBits)
		}
		return nil
	case ed25519.PublicKey:
		if len(k) == ed25519.PublicKeySize {
			return nil
		}
	}
	return fmt.Errorf("%w: it is neither RSA nor Ed25519", ErrKey)
}

// ParseKey reads a public key in PEM, as actors have it. A key that is not of use is ErrKey.
func ParseKey(text string) (crypto.PublicKey, error) {
	if len(text) > maxPEM {
		return nil, fmt.Errorf("%w: its text has %d bytes", ErrKey, len(text))
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, fmt.Errorf("%w: it is not PEM", ErrKey)
	}
	var key crypto.PublicKey
	var err error
	switch block.Type {
	case "PUBLIC KEY":
		key, err = x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		key, err = x509.ParsePKCS1PublicKey(block.Bytes)
	default:
		return nil, fmt.Errorf("%w: it is not a public key", ErrKey)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	return key, CheckKey(key)
}

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// ParseMultikey reads an Ed25519 key in the form of a Multikey: z and, in base58, the bytes 0xed 0x01 and the key. Any
// other text is ErrKey.
func ParseMultikey(text string) (crypto.PublicKey, error) {
	if len(text) != 48 || text[0] != 'z' {
		return nil, fmt.Errorf("%w: it is not an Ed25519 Multikey", ErrKey)
	}
	n, base := new(big.Int), big.NewInt(58)
	for _, c := range []byte(text[1:]) {
		digit := -1
		for i := range base58 {
			if base58[i] == c {
				digit = i
			}
		}
		if digit < 0 {
			return nil, fmt.Errorf("%w: it is not base58", ErrKey)
		}
		n.Add(n.Mul(n, base), big.NewInt(int64(digit)))
	}
	data := n.Bytes()
	if len(data) != ed25519.PublicKeySize+2 || data[0] != 0xed || data[1] != 1 {
		return nil, fmt.Errorf("%w: it is not an Ed25519 Multikey", ErrKey)
	}
	return ed25519.PublicKey(data[2:]), nil
}

// Verify checks the signature by a key. The key decides the algorithm, within what the signature says: so no signature
// of one kind is checked by a key of another. Errors are ErrKey and ErrWrong.
func (s *Signature) Verify(key crypto.PublicKey) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	fits := false
	for _, a := range s.algorithms {
		ok, right := a.verify(key, []byte(s.base), s.value)
		if right {
			return nil
		}
		fits = fits || ok
	}
	if !fits {
		return fmt.Errorf("%w: the signature is of another kind", ErrKey)
	}
	return ErrWrong
}

// verify reports whether the key is of the algorithm, and whether the signature is right.
func (a algorithm) verify(key crypto.PublicKey, base, value []byte) (fits, right bool) {
	switch k := key.(type) {
	case *rsa.PublicKey:
		switch a {
		case rsaSHA256:
			sum := sha256.Sum256(base)
			return true, rsa.VerifyPKCS1v15(k, crypto.SHA256, sum[:], value) == nil
		case rsaPSS:
			sum := sha512.Sum512(base)
			return true, rsa.VerifyPSS(k, crypto.SHA512, sum[:], value, nil) == nil
		case edDSA:
		}
	case ed25519.PublicKey:
		if a == edDSA {
			return true, ed25519.Verify(k, base, value)
		}
	}
	return false, false
}
