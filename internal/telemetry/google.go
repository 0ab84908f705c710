package telemetry

import (
	"context"
	"net/url"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/oauth"
)

// googleHost accepts OTLP without a collector.
const googleHost = "telemetry.googleapis.com"

// google returns the credentials for a call of Google's own collector: those of the service account, and the project
// that is billed. It returns nil for any other collector.
func google(ctx context.Context, o Options) (grpc.DialOption, error) {
	at := o.OTLP
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		at = u.Host
	}
	if host, _, _ := strings.Cut(at, ":"); host != googleHost {
		return nil, nil
	}
	account, err := oauth.NewApplicationDefault(ctx, "https://www.googleapis.com/auth/cloud-platform")
	if err != nil {
		return nil, err
	}
	return grpc.WithPerRPCCredentials(billed{account, o.Project}), nil
}

// billed are credentials that also name the project that is billed.
type billed struct {
	credentials.PerRPCCredentials
	project string
}

// GetRequestMetadata returns the headers of a call.
func (b billed) GetRequestMetadata(ctx context.Context, uri ...string) (map[string]string, error) {
	all, err := b.PerRPCCredentials.GetRequestMetadata(ctx, uri...)
	if err != nil {
		return nil, err
	}
	headers := map[string]string{"x-goog-user-project": b.project}
	for name, value := range all {
		headers[name] = value
	}
	return headers, nil
}
