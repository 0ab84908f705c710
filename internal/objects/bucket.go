package objects

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/gcp"
	"google.golang.org/api/option"
)

// emulatorAccount is the account in whose name the emulator signs.
const emulatorAccount = "emulator@hibana.invalid"

// emulator returns the host:port of the storage emulator; "" is the cloud.
func emulator() string { return os.Getenv("STORAGE_EMULATOR_HOST") }

// openBucket opens gs://name. In the cloud, IAM signs addresses for the account of this service.
func openBucket(ctx context.Context, place string) (*blob.Bucket, error) {
	host := emulator()
	if host == "" {
		return blob.OpenBucket(ctx, place)
	}
	owner := &http.Client{Transport: asOwner{http.DefaultTransport}}
	return gcsblob.OpenBucket(ctx, gcp.NewAnonymousHTTPClient(http.DefaultTransport), strings.TrimPrefix(place, scheme),
		&gcsblob.Options{
			GoogleAccessID: emulatorAccount,
			MakeSignBytes: func(ctx context.Context) gcsblob.SignBytesFunc {
				return func(data []byte) ([]byte, error) { return signBlob(ctx, owner, host, data) }
			},
			ClientOptions: []option.ClientOption{option.WithHTTPClient(owner)},
		})
}

// asOwner sends requests as the administrator of an emulator.
type asOwner struct{ http.RoundTripper }

func (o asOwner) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer owner")
	return o.RoundTripper.RoundTrip(r)
}

// signBlob asks the emulator for a signature, by the method projects.serviceAccounts.signBlob of IAM.
func signBlob(ctx context.Context, client *http.Client, host string, data []byte) ([]byte, error) {
	payload, err := json.Marshal(map[string][]byte{"payload": data})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost,
		"http://"+host+"/v1/projects/-/serviceAccounts/"+emulatorAccount+":signBlob", bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err != nil {
		return nil, err
	}
	var signed struct{ SignedBlob []byte }
	if err := json.Unmarshal(answer, &signed); err != nil || resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("signBlob: the emulator answered %s: %.200s", resp.Status, answer)
	}
	return signed.SignedBlob, nil
}
