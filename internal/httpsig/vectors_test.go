package httpsig

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The keys and signatures of this file are those of RFC 9421, appendix B and section 4.3, and of appendix C of the
// draft.

const (
	rsaKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAhAKYdtoeoy8zcAcR874L
8cnZxKzAGwd7v36APp7Pv6Q2jdsPBRrwWEBnez6d0UDKDwGbc6nxfEXAy5mbhgaj
zrw3MOEt8uA5txSKobBpKDeBLOsdJKFqMGmXCQvEG7YemcxDTRPxAleIAgYYRjTS
d/QBwVW9OwNFhekro3RtlinV0a75jfZgkne/YiktSvLG34lw2zqXBDTC5NHROUqG
TlML4PlNZS5Ri2U4aCNx2rUPRcKIlE0PuKxI4T+HIaFpv8+rdV6eUgOrB2xeI1dS
FFn/nnv5OoZJEIB+VmuKn3DCUcCZSFlQPSXSfBDiUGhwOw76WuSSsf1D4b/vLoJ1
0wIDAQAB
-----END PUBLIC KEY-----`
	pssKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
2wIDAQAB
-----END PUBLIC KEY-----`
	edKey = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
-----END PUBLIC KEY-----`
	edMultikey = "z6Mkh4LmfP1ev9MNPGr7JbEbtD6BD4fsu1duEj83PMCs3xHG"
	weakKey    = `-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDCFENGw33yGihy92pDjZQhl0C3
6rPJj+CvfSC8+q28hxA161QFNUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6
Z4UMR7EOcpfdUE9Hf3m/hs+FUR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJw
oYi+1hqp1fIekaxsyQIDAQAB
-----END PUBLIC KEY-----`
)

// rfcMessage is the test-request of RFC 9421, B.2.
func rfcMessage() *Message {
	h := http.Header{}
	h.Set("Date", "Tue, 20 Apr 2021 02:07:55 GMT")
	h.Set("Content-Type", "application/json")
	h.Set("Content-Digest", "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWX"+
		"vJwew==:")
	h.Set("Content-Length", "18")
	return &Message{Method: "POST", Scheme: "https", Authority: "example.com", Target: "/foo?param=Value&Pet=dog",
		Header: h, Body: []byte(`{"hello": "world"}`)}
}

func key(t *testing.T, text string) crypto.PublicKey {
	t.Helper()
	k, err := ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The signature bases and the signatures of the RFC are right, whatever they cover. Parse takes those that cover
// enough.
func TestVectorsOfRFC9421(t *testing.T) {
	t.Parallel()
	proxied := func(m *Message) {
		m.Authority = "origin.host.internal.example"
		m.Header.Set("Forwarded", "for=192.0.2.123;host=example.com;proto=https")
	}
	tests := []struct {
		name, input, signature, key string
		change                      func(*Message)
		taken                       string // what Parse says against it
	}{
		{name: "B.2.1", key: pssKey, taken: "@method",
			input: `sig-b21=();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"`,
			signature: "sig-b21=:d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++" +
				"wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72r" +
				"gFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEV" +
				"PnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==:"},
		{name: "B.2.2", key: pssKey, taken: "@method",
			input: `sig-b22=("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example"`,
			signature: "sig-b22=:LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfK" +
				"tjvuJyE5qH7KT8UCMkSowOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuE" +
				"fY17SARYhpTlaqwZVtR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB" +
				"4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==:"},
		{name: "B.2.3", key: pssKey,
			input: `sig-b23=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"`,
			signature: "sig-b23=:bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt" +
				"683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmv" +
				"KiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f" +
				"8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==:"},
		{name: "B.2.6", key: edKey, taken: "whole target",
			input:     `sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`,
			signature: "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:"},
		{name: "4.3", key: rsaKey, change: proxied, taken: "whole target",
			input: `proxy_sig=("@method" "@authority" "@path" "content-digest" "content-type" "content-length" "forwarded");created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256";expires=1618884540`,
			signature: "proxy_sig=:S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+JH+8XY1I6+8Cy+CM5g92iHgxt" +
				"RPz+MjniOaYmdkDcnL9cCpXJleXsOckpURl49GwiyUpZ10KHgOEe11sx3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObt" +
				"NKKZd8tSFu7LB5YAv0RAGhB8tmpv7sFnIm9y+7X5kXQfi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtflzvZdXAsD3LH2Twe" +
				"vU+/PBPv0B6NMNk93wUs/vfJvye+YuI87HU38lZHowtznbLVdp770I6VHR6WfgS9ddzirrswsE1w5o0LV/g==:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := rfcMessage()
			if tt.change != nil {
				tt.change(m)
			}
			m.Header.Set("Signature-Input", tt.input)
			m.Header.Set("Signature", tt.signature)
			label, list, err := firstList(tt.input)
			if err != nil {
				t.Fatal(err)
			}
			s := &Signature{}
			if s.value, err = bytesOf(tt.signature, label); err != nil {
				t.Fatal(err)
			}
			if s.algorithms, err = algorithmsOf(list.parameters); err != nil {
				t.Fatal(err)
			}
			if s.base, err = rfcBase(m, list); err != nil {
				t.Fatal(err)
			}
			if err := s.Verify(key(t, tt.key)); err != nil {
				t.Errorf("Verify: %v for\n%s", err, s.base)
			}
			parsed, err := Parse(m, time.Unix(1618884500, 0))
			switch {
			case tt.taken != "":
				if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), tt.taken) {
					t.Errorf("Parse = %v, want an error of %s", err, tt.taken)
				}
			case err != nil:
				t.Errorf("Parse: %v", err)
			default:
				if err := parsed.Verify(key(t, tt.key)); err != nil || parsed.KeyID != "test-key-rsa-pss" {
					t.Errorf("Verify after Parse by %q: %v", parsed.KeyID, err)
				}
			}
		})
	}
}

// The signing strings of the draft are right by its key, which is too weak to be of use here.
func TestVectorsOfDraft(t *testing.T) {
	t.Parallel()
	m := rfcMessage()
	m.Header, m.Target = http.Header{}, "/foo?param=value&pet=dog"
	m.Header.Set("Date", "Sun, 05 Jan 2014 21:31:40 GMT")
	m.Header.Set("Content-Type", "application/json")
	m.Header.Set("Digest", "SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=")
	m.Header.Set("Content-Length", "18")
	block, _ := pem.Decode([]byte(weakKey))
	weak, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for names, signature := range map[string]string{
		"date": "SjWJWbWN7i0wzBvtPl8rbASWz5xQW6mcJmn+ibttBqtifLN7Sazz6m79cNfwwb8DMJ5cou1s7uEGKKCs+FLEEaDV5l" +
			"p7q25WqS+lavg7T8hc0GppauB6hbgEKTwblDHYGEtbGmtdHgVCk9SuS13F0hZ8FD0k/5OxEPXe5WozsbM=",
		"(request-target) host date": "" +
			"qdx+H7PHHDZgy4y/Ahn9Tny9V3GP6YgBPyUXMmoxWtLbHpUnXS2mg2+SbrQDMCJypxBLSPQR2aAjn7ndmw2iicw3HM" +
			"be8VfEdKFYRqzic+efkb3nndiv/x1xSHDJWeSWkx3ButlYSuBskLu6kd9Fswtemr3lgdDEmn04swr2Os0=",
		"(request-target) host date content-type digest content-length": "" +
			"vSdrb+dS3EceC9bcwHSo4MlyKS59iFIrhgYkz8+oVLEEzmYZZvRs8rgOp+63LEM3v+MFHB32NfpB2bEKBIvB1q52La" +
			"EUHFv120V01IL+TAD48XaERZFukWgHoBTLMhYS2Gb51gWxpeIq8knRmPnYePbF5MOkR0Zkly4zKH7s1dE=",
	} {
		base, err := draftBase(m, nil, strings.Fields(names))
		if err != nil {
			t.Fatal(err)
		}
		value, err := base64.StdEncoding.DecodeString(signature)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(base))
		if err := rsa.VerifyPKCS1v15(weak.(*rsa.PublicKey), crypto.SHA256, sum[:], value); err != nil {
			t.Errorf("the signature of %q: %v for\n%s", names, err, base)
		}
		m := *m
		m.Header = m.Header.Clone()
		m.Header.Set("Signature", `keyId="Test",algorithm="rsa-sha256",headers="`+names+`",signature="`+signature+`"`)
		at, _ := http.ParseTime(m.Header.Get("Date"))
		s, err := Parse(&m, at)
		if covered := strings.Contains(names, "digest"); covered != (err == nil) {
			t.Errorf("Parse of %q: %v", names, err)
		}
		if err != nil {
			continue
		}
		if err := s.Verify(weak); !errors.Is(err, ErrKey) {
			t.Errorf("Verify by a key of 1,024 bits: %v, want ErrKey", err)
		}
	}
	if _, err := ParseKey(weakKey); !errors.Is(err, ErrKey) {
		t.Errorf("ParseKey of 1,024 bits: %v, want ErrKey", err)
	}
}

// A Multikey is the key that the RFC has as PEM.
func TestMultikey(t *testing.T) {
	t.Parallel()
	got, err := ParseMultikey(edMultikey)
	if err != nil || !key(t, edKey).(interface{ Equal(crypto.PublicKey) bool }).Equal(got) {
		t.Errorf("ParseMultikey = %v, %v", got, err)
	}
	for _, bad := range []string{"", "z", edMultikey[:47], edMultikey + "a", "m" + edMultikey[1:],
		"z0" + edMultikey[2:], "zZZZ" + edMultikey[4:]} {
		if _, err := ParseMultikey(bad); !errors.Is(err, ErrKey) {
			t.Errorf("ParseMultikey(%q) = %v, want ErrKey", bad, err)
		}
	}
}
