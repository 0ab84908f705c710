package meter

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/stats"
)

// Options configure the interceptors beyond counting. The goroutine that calls Firestore calls the functions, and
// several goroutines may do so at once. Every field may be zero.
type Options struct {
	// Indexes are the deployed indexes. Without Indexes no query is checked.
	Indexes *IndexSet
	// OnUnindexed receives each query that no index serves, before the query is sent. The problem names the fields of the
	// query and no values. It ends with the definition to add.
	OnUnindexed func(ctx context.Context, problem string)
	// OnWrite receives the path of each written or deleted document, after Firestore has confirmed the write. The path is
	// relative to the database: "tweets/3f…".
	OnWrite func(path string, deleted bool)
	// OnTime receives the database time of an answer: the time of the read or of the commit.
	OnTime func(time.Time)
	// ServerNow is the database clock of a simulation that runs a day in minutes. Server timestamps in a commit become
	// this time. If nil, the database sets its own.
	ServerNow func() time.Time
	// OnCommit receives each confirmed commit. The response has the results of increments, which the client (1.29) does
	// not expose.
	OnCommit func(ctx context.Context, req *pb.CommitRequest, resp *pb.CommitResponse)
	// Below runs between the meter and the connection. The meter counts the answers of Below. The client's own retries
	// pass through Below, each as a call. Tests use it to lose answers.
	Below grpc.UnaryClientInterceptor
	// BelowReads is the same for reads: documents and queries.
	BelowReads grpc.StreamClientInterceptor
	// Stats receives each call, below the interceptors. It replaces the OpenTelemetry handler of the client library.
	Stats stats.Handler
}

// ClientOptions returns the options with which firestore.NewClient creates a metered client. emulator is the host:port
// of a Firestore emulator, where the client is the administrator. An empty emulator stands for the cloud.
//
// The caller must name the emulator even if FIRESTORE_EMULATOR_HOST names it too. With this variable the library (1.29)
// opens a connection of its own without interceptors, unless the options have a connection. The variable without an
// emulator is an error, because nothing would be counted.
func ClientOptions(emulator string, o Options) ([]option.ClientOption, error) {
	unary := []grpc.UnaryClientInterceptor{o.unary}
	if o.Below != nil {
		unary = append(unary, o.Below)
	}
	stream := []grpc.StreamClientInterceptor{o.stream}
	if o.BelowReads != nil {
		stream = append(stream, o.BelowReads)
	}
	dial := []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(unary...),
		grpc.WithChainStreamInterceptor(stream...),
	}
	if o.Stats != nil {
		dial = append(dial, grpc.WithStatsHandler(o.Stats))
	}
	if emulator == "" {
		if os.Getenv("FIRESTORE_EMULATOR_HOST") != "" {
			return nil, errors.New("meter: FIRESTORE_EMULATOR_HOST is set, but the client was configured for the cloud")
		}
		var opts []option.ClientOption
		if o.Stats != nil {
			opts = append(opts, option.WithTelemetryDisabled())
		}
		for _, d := range dial {
			opts = append(opts, option.WithGRPCDialOption(d))
		}
		return opts, nil
	}
	conn, err := grpc.NewClient(emulator, append(dial,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithPerRPCCredentials(owner{}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)),
	)...)
	if err != nil {
		return nil, fmt.Errorf("meter: Firestore emulator %s: %w", emulator, err)
	}
	return []option.ClientOption{option.WithGRPCConn(conn)}, nil
}

// owner makes the client the administrator of the emulator. Rules do not apply to the administrator.
type owner struct{}

func (owner) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer owner"}, nil
}

func (owner) RequireTransportSecurity() bool { return false }
