package meter

import (
	"context"
	"testing"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// newClient returns a metered client of the emulator at the given address.
func newClient(t *testing.T, emulator, project string, o Options) *firestore.Client {
	t.Helper()
	opts, err := ClientOptions(emulator, o)
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, project, opts...)
}

func connect(t *testing.T, project string, opts ...option.ClientOption) *firestore.Client {
	t.Helper()
	client, err := firestore.NewClient(context.Background(), project, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// The cloud is reached through the library's own connections, which must have the
// interceptors too. An emulator takes the place of the cloud's address here.
func TestCloudConnection(t *testing.T) {
	host, project := testenv.FirestoreHost(t), testenv.Project(t)
	t.Setenv(testenv.FirestoreEnv, "")
	opts, err := ClientOptions("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := connect(t, project, append(opts,
		option.WithEndpoint(host),
		option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())),
		option.WithGRPCDialOption(grpc.WithPerRPCCredentials(owner{})),
	)...)
	m := New()
	ctx := With(t.Context(), m)
	if _, err := client.Doc("a/1").Create(ctx, map[string]any{"n": 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Doc("a/1").Get(ctx); err != nil {
		t.Fatal(err)
	}
	if got, want := m.Snapshot(), (Counts{Reads: 1, Writes: 1}); got != want {
		t.Errorf("billed %+v, want %+v", got, want)
	}
}

// With the variable alone, the library would connect without interceptors.
func TestEmulatorByEnvironmentAlone(t *testing.T) {
	t.Setenv(testenv.FirestoreEnv, "127.0.0.1:1")
	if _, err := ClientOptions("", Options{}); err == nil {
		t.Errorf("ClientOptions() for the cloud accepts %s", testenv.FirestoreEnv)
	}
}
